use super::*;
use crate::chunk::LineIndex;
use crate::language;
use crate::macros::MacroDefinition;

fn language_of(path: &str) -> &'static Language {
    language::by_name(if path.ends_with("pp") { "cpp" } else { "c" }).unwrap()
}

fn table(files: &[(&str, &str)]) -> MacroTable {
    let files: Vec<_> = files.iter().map(|(path, text)| FileMacros::read(path, text, language_of(path))).collect();
    MacroTable::learn(&files)
}

/// The symbols of the last file, after all files taught their macros.
fn symbols(files: &[(&str, &str)]) -> Vec<String> {
    let &(path, text) = files.last().unwrap();
    let language = language_of(path);
    let applied = table(files).apply(path, text);
    let found = Extractor::new().extract_with_macros(language, path, &LineIndex::new(text), applied);
    found
        .symbols
        .iter()
        .skip(1)
        .filter(|symbol| symbol.kind.as_str() != "macro")
        .map(|symbol| format!("{} {} {}-{}", symbol.kind, symbol.qualified_name, symbol.start_line, symbol.end_line))
        .collect()
}

const SYSCALLS: &str = r#"
#define __PASTE_MAP0(m,...)
#define __PASTE_MAP1(m,t,a,...) m(t,a)
#define __PASTE_MAP2(m,t,a,...) m(t,a), __PASTE_MAP1(m,__VA_ARGS__)
#define __PASTE_MAP(n,...) __PASTE_MAP##n(__VA_ARGS__)
#define __DECL(t, a) t a
#define CALL_DEFINE2(name, ...) CALL_EXPAND(2, _##name, __VA_ARGS__)
#define CALL_EXPAND(x, sname, ...) \
    METADATA(sname, x, __VA_ARGS__) \
    __CALL_EXPAND(x, sname, __VA_ARGS__)
#define __CALL_EXPAND(x, name, ...) \
    long sys##name(__PASTE_MAP(x,__DECL,__VA_ARGS__)) \
        __attribute__((alias("__se_sys" #name))); \
    static inline long __do_sys##name(__PASTE_MAP(x,__DECL,__VA_ARGS__)); \
    long __se_sys##name(__PASTE_MAP(x,__DECL,__VA_ARGS__)) \
    { \
        return __do_sys##name(__PASTE_MAP(x,__DECL,__VA_ARGS__)); \
    } \
    static inline long __do_sys##name(__PASTE_MAP(x,__DECL,__VA_ARGS__))
"#;

#[test]
fn a_macro_with_a_body_defines_a_function_with_its_parameters() {
    let text = "CALL_DEFINE2(open, const char *, name, int,\n    flags)\n{\n    return flags;\n}\n";
    assert_eq!(symbols(&[("calls.h", SYSCALLS), ("open.c", text)]), ["function sys_open 1-5"]);
    let language = language::by_name("c").unwrap();
    let applied = table(&[("calls.h", SYSCALLS), ("open.c", text)]).apply("open.c", text);
    let found = Extractor::new().extract_with_macros(language, "open.c", &LineIndex::new(text), applied);
    let names: Vec<_> = found.references.iter().map(|reference| reference.name.as_str()).collect();
    // The parameter is local.
    assert_eq!(names, ["CALL_DEFINE2"]);
}

#[test]
fn attributes_are_blank_and_used() {
    let header = "#define __always_inline inline __attribute__((always_inline))\n#define __alloc_size(x, ...) __alloc_size__(x, ## __VA_ARGS__) __malloc\n\
        #define __alloc_size__(x, ...) __attribute__((alloc_size(x, ## __VA_ARGS__)))\n#define __malloc __attribute__((malloc))\n\
        #define __aligned_here\n#define noinline __attribute__((noinline))\n#define FLAG 1\n#define FLAG\n";
    let text = "static __always_inline __alloc_size(1) void *take(size_t size, int flags)\n{\n    return 0;\n}\n\
        extern unsigned long volatile __aligned_here ticks;\nstruct odd { int noinline; };\nstatic noinline int quiet(void) { return FLAG; }\n";
    assert_eq!(
        symbols(&[("a.h", header), ("b.c", text)]),
        ["function take 1-4", "variable ticks 5-5", "struct odd 6-6", "field odd::noinline 6-6", "function quiet 7-7"]
    );
}

#[test]
fn a_macro_defines_variables_and_types() {
    let header = "#define DEFINE_PER_CPU(type, name) __typeof__(type) per_cpu_##name\n#define QUEUE_HEAD(name, type) struct name { struct type *first; struct type **last; }\n\
        #define LOCK(name) struct mutex name = { 0 }\n#define EXPORT(sym) extern typeof(sym) sym; static const char *__export_##sym = #sym\n\
        #define ATTR(_name, _show) struct attribute dev_attr_##_name = { #_name, _show }\n";
    let text = "static DEFINE_PER_CPU(struct rq, runqueues);\nQUEUE_HEAD(jobs, job);\nLOCK(big_lock);\nEXPORT(quiet);\nstatic ATTR(size, size_show);\n\
        void f(void) {\n    LOCK(inner);\n}\n";
    assert_eq!(
        symbols(&[("a.h", header), ("b.c", text)]),
        [
            "variable per_cpu_runqueues 1-1",
            "struct jobs 2-2",
            "variable big_lock 3-3",
            "variable dev_attr_size 5-5",
            "function f 6-8"
        ]
    );
}

#[test]
fn a_macro_defines_members() {
    let header = "#define PROPERTY(type, name) \\\n  protected: type name##_; \\\n  public: type name() const { return name##_; } \\\n  void name(type value) { name##_ = value; }\n";
    let text =
        "class Node {\n    PROPERTY(std::string, title)\n    PROPERTY(int, size)\npublic:\n    void draw();\n};\n";
    let found = symbols(&[("a.hpp", header), ("b.cpp", text)]);
    assert!(found.contains(&"method Node::title 2-2".to_owned()), "{found:?}");
    assert!(found.contains(&"method Node::size 3-3".to_owned()), "{found:?}");
    assert!(found.contains(&"method Node::draw 5-5".to_owned()), "{found:?}");
}

#[test]
fn a_macro_of_a_compiled_file_is_its_own() {
    let one = "#define MAKE(name) int one_##name(void)\nMAKE(a)\n{\n    return 1;\n}\n";
    let two = "#define MAKE(name) int two_##name(void)\nMAKE(a)\n{\n    return 2;\n}\n";
    assert_eq!(symbols(&[("one.c", one), ("two.c", two)]), ["function two_a 2-5"]);
    let three = "MAKE(a);\n";
    assert_eq!(table(&[("one.c", one), ("three.c", three)]).roles("three.c")("MAKE"), None);
}

#[test]
fn a_macro_that_includes_itself_ends() {
    let text = "#define A(x) B(x) x\n#define B(x) A(x) A(x) x\nA(y)\n";
    let table = table(&[("a.h", text)]);
    let is_definition = |role: &MacroRole| matches!(role, MacroRole::Definitions(found) if !found.iter().all(|d: &MacroDefinition| d.is_member));
    assert!(!table.roles("a.h")("A").is_some_and(is_definition));
}

#[test]
fn an_argument_of_another_macro_is_no_definition() {
    let header = "#define NOTE(name) void note_it(int)\n#define EXPORT(sym) extern typeof(sym) sym; static const char *__e_##sym = #sym\n\
        #define DECLARE_IT(type, name) extern type name\n";
    let text = "NOTE(a);\nEXPORT(b);\n#endif\n\nEXPORT(c);\nDECLARE_IT(int, d);\n";
    assert_eq!(symbols(&[("a.h", header), ("b.c", text)]), ["variable d 6-6"]);
}

/// The declared types of the last file's symbols.
fn types(files: &[(&str, &str)]) -> Vec<String> {
    let &(path, text) = files.last().unwrap();
    let applied = table(files).apply(path, text);
    let found = Extractor::new().extract_with_macros(language_of(path), path, &LineIndex::new(text), applied);
    let named = found.type_facts.iter().filter(|fact| fact.name.is_none());
    named.map(|fact| format!("{}: {}", found.symbols[fact.symbol as usize].name, fact.text)).collect()
}

#[test]
fn what_a_macro_defines_has_its_type() {
    let header = "#define POINTER_TO(type) typedef SharedImpl<type> type##Obj; typedef SharedImpl<type> type##_Obj;\n\
        #define PROPERTY(type, name) protected: type name##_; public: type name() const { return name##_; }\n\
        template <class T>\nclass SharedImpl : private Counted {\n  public:\n    T* operator->() { return node; }\n    void clear();\n};\n";
    assert_eq!(
        types(&[("a.hpp", header), ("b.cpp", "POINTER_TO(Color)\n")]),
        ["ColorObj: SharedImpl[Color]|Color", "Color_Obj: SharedImpl[Color]|Color"]
    );
    let text = "POINTER_TO(Color)\nclass Rule {\n    PROPERTY(ColorObj, tint)\n    SharedImpl<Rule> parent;\n};\n";
    assert_eq!(
        types(&[("a.hpp", header), ("b.cpp", text)]),
        [
            "ColorObj: SharedImpl[Color]|Color",
            "Color_Obj: SharedImpl[Color]|Color",
            "tint: ColorObj",
            "tint_: ColorObj",
            "parent: SharedImpl[Rule]|Rule"
        ]
    );
}

#[test]
fn a_macro_opens_a_namespace() {
    let header = "#define LIB_VERSION_NAME v2\n#define LIB_BEGIN_NAMESPACE namespace lib { inline namespace LIB_VERSION_NAME {\n\
        #define LIB_END_NAMESPACE }}\n#define __BEGIN_DECLS extern \"C\" {\n#define __END_DECLS }\n";
    let text = "LIB_BEGIN_NAMESPACE\nnamespace detail {\nvoid inner();\n}\nvoid outer() {}\nLIB_END_NAMESPACE\n\
        __BEGIN_DECLS\nint plain(void);\n__END_DECLS\n";
    assert_eq!(
        symbols(&[("a.hpp", header), ("b.cpp", text)]),
        [
            "namespace lib 1-6",
            "namespace lib::detail 2-4",
            "function lib::detail::inner 3-3",
            "function lib::outer 5-5",
            "function plain 8-8"
        ]
    );
}

#[test]
fn braces_in_arguments_are_passed_over() {
    let header = "#define EVENT(name, args, code) struct event event_##name = { 1 }\n";
    let text = "EVENT(one, (int a), { int x; if (a) { x = 1; } });\nint after;\nstruct rest { int a; };\n";
    assert_eq!(
        symbols(&[("a.h", header), ("b.c", text)]),
        ["variable event_one 1-1", "variable after 2-2", "struct rest 3-3", "field rest::a 3-3"]
    );
}

#[test]
fn a_macro_without_arguments_stands_for_members() {
    let header = "#define PRIVATE_FIELDS void* reserved[4];\n#define HANDLE_FIELDS \\\n  /* public */ \\\n  void* data; \\\n  loop_t* loop; \\\n\
        int (*on_close)(void); \\\n  PRIVATE_FIELDS\n";
    let text = "struct handle_s {\n  HANDLE_FIELDS\n};\nstruct stream_s {\n  HANDLE_FIELDS\n  int fd;\n};\n";
    let found = symbols(&[("a.h", header), ("b.c", text)]);
    for field in [
        "field handle_s::data 2-2",
        "field handle_s::on_close 2-2",
        "field handle_s::reserved 2-2",
        "field stream_s::loop 5-5",
        "field stream_s::fd 6-6",
    ] {
        assert!(found.contains(&field.to_owned()), "{field}: {found:?}");
    }
    assert!(types(&[("a.h", header), ("b.c", text)]).contains(&"loop: loop_t".to_owned()));
}

#[test]
fn any_part_of_a_text_is_rewritten_in_place() {
    let text = "static __always_inline int a(void);\nCALL_DEFINE2(open, const char *, name, int,\n    flags)\n{\n    return flags;\n}\n\
        CALL_DEFINE2(é, int, a, int, b) { }\n";
    let header = format!("{SYSCALLS}#define __always_inline inline\n");
    let table = table(&[("calls.h", &header), ("open.c", text)]);
    for end in (0..=text.len()).filter(|&end| text.is_char_boundary(end)) {
        for start in [0, text.floor_char_boundary(end / 2)] {
            let part = &text[start..end];
            let applied = table.apply("open.c", part);
            let rewritten = applied.text.as_deref().unwrap_or(part);
            assert_eq!(rewritten.len(), part.len());
            let breaks = |text: &str| text.match_indices('\n').map(|(at, _)| at).collect::<Vec<_>>();
            assert_eq!(breaks(rewritten), breaks(part));
            assert!(applied.uses.iter().all(|used| part.get(used.start..used.end).is_some()));
        }
        let _ = FileMacros::read(
            "calls.h",
            &header[..header.floor_char_boundary(end * header.len() / text.len())],
            language_of("a.c"),
        );
    }
}

#[test]
fn a_difference_concerns_the_files_that_name_it() {
    let user = ("b.c", "CALL(open, int, flags)\n{\n    return flags;\n}\n");
    let with = |prefix: &str, own: &str| {
        let header = format!("#define CALL(name, type, arg) long {prefix}_##name(type arg)\n");
        table(&[
            ("a.h", &header),
            user,
            ("c.c", &format!("#define OWN(name) int {own}_##name(void)\nOWN(x) {{ return 1; }}\n")),
        ])
    };
    assert!(with("sys", "f").difference(&with("sys", "f")).is_empty());
    let difference = with("sys", "f").difference(&with("do", "f"));
    assert!(!difference.is_empty() && difference.concerns("b.c", user.1.as_bytes()));
    for text in ["int plain(void);", "int CALLS, RECALL, CALL_x;", ""] {
        assert!(!difference.concerns("d.c", text.as_bytes()), "{text}");
    }
    // A macro that appears or is gone counts as well.
    assert!(table(&[]).difference(&with("sys", "f")).concerns("b.c", user.1.as_bytes()));
    let own = with("sys", "f").difference(&with("sys", "g"));
    assert!(own.concerns("c.c", b"") && !own.concerns("b.c", user.1.as_bytes()));
}

#[test]
fn files_with_equal_digests_say_the_same_about_macros() {
    let digest = |text: &str| FileMacros::read("a.h", text, language_of("a.h")).digest();
    let text = "#define A(x) int x##_a(void)\nA(b) { return 1; }\n";
    assert_eq!(digest(text), digest(&text.replace("return 1", "return 2")));
    for other in [text.replace("_a", "_b"), text.replace("A(b)", "B(b)"), text.replace("A(x)", "A(x, y)")] {
        assert_ne!(digest(text), digest(&other), "{other}");
    }
}

#[test]
fn an_attribute_that_a_build_may_define_is_no_guard() {
    let header = "#ifndef MODULE_H\n#define MODULE_H\n#ifndef MODULE_API\n#define MODULE_API\n#endif\n\
                  #define MODULE_ATTRIBUTE __attribute__((common))\n#endif\n";
    let text = "MODULE_API int (*reply)(struct context *of) MODULE_ATTRIBUTE;\n";
    assert_eq!(symbols(&[("module.h", header), ("use.h", text)]), ["variable reply 1-1"]);
}
