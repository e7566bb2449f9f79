//! C and C++: names through includes, definitions of what is declared, and members outside of their types.

use super::{assert_has, assert_lacks, edges};

#[test]
fn a_header_is_in_scope_through_another_one() {
    let edges = edges(
        "//- include/base.h
enum state { IDLE, BUSY };
#define LIMIT 4
extern int counter;
int limit_of(int state);
//- include/api.h
#include \"base.h\"
//- src/base.c
#include \"base.h\"
int counter;
int limit_of(int state) { return state == BUSY ? LIMIT : 0; }
//- src/other.c
static int limit_of(int state) { return 1; }
int use_other(void) { return limit_of(2); }
//- src/main.c
#include \"api.h\"
int main(void) { counter = limit_of(IDLE); return LIMIT; }
",
    );
    assert_has(
        &edges,
        &[
            "src/main.c:main -call-> src/base.c:limit_of (import)",
            "src/main.c:main -reference-> include/base.h:state::IDLE (import)",
            "src/main.c:main -reference-> include/base.h:LIMIT (import)",
            "src/base.c:limit_of -reference-> include/base.h:state::BUSY (import)",
            "src/other.c:use_other -call-> src/other.c:limit_of (scope)",
        ],
    );
    assert_lacks(&edges, &["src/main.c:main -call-> src/other.c:limit_of"]);
}

#[test]
fn a_folder_of_headers_serves_what_stands_beside_it() {
    let edges = edges(
        "//- include/os/slab.h
static inline void *alloc(int size) { return 0; }
//- tools/include/os/slab.h
#define alloc(size) malloc(size)
//- tools/test/os/slab.h
static inline void *alloc(int size) { return 0; }
//- fs/read.c
#include <os/slab.h>
void *read_one(void) { return alloc(1); }
//- tools/perf/main.c
#include <os/slab.h>
void *tool(void) { return alloc(1); }
//- tools/test/check.c
#include <os/slab.h>
void *check(void) { return alloc(1); }
",
    );
    assert_has(
        &edges,
        &[
            "fs/read.c:read_one -call-> include/os/slab.h:alloc (import)",
            "tools/test/check.c:check -call-> tools/test/os/slab.h:alloc (import)",
        ],
    );
    assert_lacks(&edges, &["tools/perf/main.c:tool -call-> include/os/slab.h:alloc (import)"]);
}

#[test]
fn a_copy_elsewhere_is_no_alternative_of_headers_for_several_machines() {
    let edges = edges(
        "//- arch/arm/include/asm/io.h
#define READ 1
//- arch/x86/include/asm/io.h
#include <os/lock.h>
#define READ 2
//- tools/arch/x86/include/asm/io.h
#include <os/lock.h>
//- include/os/lock.h
static inline void lock(void) {}
//- tools/include/os/lock.h
#define lock() pthread_lock()
//- tools/arch/arm/include/asm/io.h
#include <os/lock.h>
//- tools/arch/mips/include/asm/io.h
#include <os/lock.h>
//- fs/read.c
#include <asm/io.h>
void read_one(void) { lock(); }
",
    );
    assert_has(&edges, &["fs/read.c:read_one -call-> include/os/lock.h:lock (import)"]);
}

#[test]
fn a_header_of_tests_serves_no_product() {
    let edges = edges(
        "//- tests/fake/generated/config.h
#define LIMIT 1
//- include/base.h
#include <generated/config.h>
//- src/main.c
#include \"base.h\"
int limit(void) { return LIMIT; }
//- tests/check.c
#include <generated/config.h>
int check(void) { return LIMIT; }
",
    );
    assert_has(&edges, &["tests/check.c:check -reference-> tests/fake/generated/config.h:LIMIT (import)"]);
    assert_lacks(&edges, &["src/main.c:limit -reference-> tests/fake/generated/config.h:LIMIT (import)"]);
}

#[test]
fn the_declaration_stands_for_alternative_definitions() {
    let edges = edges(
        "//- include/io.h
int io_open(void);
//- unix/io.c
#include \"io.h\"
int io_open(void) { return 1; }
//- win/io.c
#include \"io.h\"
int io_open(void) { return 2; }
//- src/main.c
#include \"io.h\"
int main(void) { return io_open(); }
",
    );
    assert_has(&edges, &["src/main.c:main -call-> include/io.h:io_open (import)"]);
}

#[test]
fn fields_of_c_follow_typedefs_pointers_and_arrays() {
    let edges = edges(
        "//- list.h
typedef struct node node;
struct node { node *next; int value; };
struct list { node *items[4]; };
//- main.c
#include \"list.h\"
int sum(struct list *all) { return all->items[1]->next->value; }
",
    );
    assert_has(
        &edges,
        &[
            "main.c:sum -reference-> list.h:list::items (receiver)",
            "main.c:sum -reference-> list.h:node::next (receiver)",
            "main.c:sum -reference-> list.h:node::value (receiver)",
        ],
    );
}

#[test]
fn members_are_in_scope_in_a_method_outside_of_its_class() {
    let edges = edges(
        "//- store.h
namespace db {
class Base { protected: int shared_; };
class Store : public Base { public: void put(); private: int count_; int next(); };
}
//- store.cpp
#include \"store.h\"
namespace db {
void Store::put() { count_ = next() + shared_; }
int Store::next() { return 1; }
}
",
    );
    assert_has(
        &edges,
        &[
            "store.cpp:db::Store::put -reference-> store.h:db::Store::count_ (scope)",
            "store.cpp:db::Store::put -reference-> store.h:db::Base::shared_ (receiver)",
        ],
    );
    assert_lacks(&edges, &["store.cpp:db::Store::put -call-> store.cpp:db::Store::next (ambiguous)"]);
}

#[test]
fn a_standard_header_without_an_extension_is_no_file_of_the_repository() {
    let edges = edges(
        "//- src/string.h
void shout();
//- src/main.cpp
#include <string>
int main() { return 0; }
",
    );
    assert_lacks(&edges, &["string.h"]);
}

#[test]
fn what_no_include_shows_is_no_fact() {
    let edges = edges(
        "//- include/os/lock.h
#ifdef CONFIG_RT
#include \"lock_rt.h\"
#else
static inline void lock(int *l) {}
#endif
//- include/os/lock_rt.h
static inline void lock(int *l) {}
//- tools/include/lock.h
#define lock(x) pthread_lock(x)
#define strcasecmp stricmp
enum { NAME = 1 };
//- fs/read.c
#include <os/lock.h>
#define each(p, member) for (;;)
void read_one(int *l, char *a) {
    lock(l);
    strcasecmp(a, a);
    each(l, lru);
    each(l, NAME);
}
//- fs/super.h
struct super { int lru; };
//- fs/parts.h
int part(void) { return PART_LIMIT; }
//- fs/limits.h
#define PART_LIMIT 3
",
    );
    assert_has(
        &edges,
        &[
            "fs/read.c:read_one -call-> include/os/lock.h:lock (import)",
            "fs/parts.h:part -reference-> fs/limits.h:PART_LIMIT (unique)",
        ],
    );
    assert_lacks(
        &edges,
        &["tools/include/lock.h:strcasecmp (unique)", "tools/include/lock.h:lock", "super::lru", "NAME"],
    );
}

#[test]
fn types_may_be_defined_where_they_are_used() {
    let edges = edges(
        "//- loop.h
typedef struct loop_s { int fd; struct { void *data; void (*add)(int); } ev; } loop;
struct node { struct level { struct node *next; int span; } levels[4]; union { int n; long data; } u; };
struct { int port; } config;
//- loop.c
#include \"loop.h\"
int run(loop *l, struct node *n, void *raw) {
    l[1].fd = 1;
    l->ev.data = raw;
    n->levels[0].next->u.n = 2;
    ((loop *)raw)->fd = config.port;
    return n->levels[1].span;
}
",
    );
    assert_has(
        &edges,
        &[
            "loop.c:run -reference-> loop.h:loop_s::ev::data (receiver)",
            "loop.c:run -reference-> loop.h:node::level::next (receiver)",
            "loop.c:run -reference-> loop.h:node::u::n (receiver)",
            "loop.c:run -reference-> loop.h:node::level::span (receiver)",
            "loop.c:run -reference-> loop.h:port (receiver)",
        ],
    );
    assert_eq!(edges.matches("loop.c:run -reference-> loop.h:loop_s::fd (receiver)").count(), 2, "{edges}");
}

#[test]
fn templates_and_lists_of_definitions_are_included() {
    let edges = edges(
        "//- src/config.h.in
#define VERSION @version@
//- src/commands.def
#define COMMAND(name, function) { name, function }
struct command table[] = { COMMAND(\"append\", append_command), };
//- src/main.c
#include \"config.h\"
#include \"commands.def\"
int version(void) { return VERSION; }
void append_command(void) {}
",
    );
    assert_has(
        &edges,
        &[
            "src/main.c:version -reference-> src/config.h.in:VERSION (import)",
            "src/commands.def:table -reference-> src/main.c:append_command (unique)",
        ],
    );
}

#[test]
fn of_alternatives_that_of_a_usual_machine_is_meant() {
    let edges = edges(
        "//- port.h
struct win { int fd; };
struct posix { int fd; };
#ifdef _WIN32
static inline struct win *get(void) { return 0; }
#else
static inline struct posix *get(void) { return 0; }
#endif
//- main.c
#include \"port.h\"
int main(void) { return get()->fd; }
",
    );
    assert_has(&edges, &["main.c:main -reference-> port.h:posix::fd (receiver)"]);
}
