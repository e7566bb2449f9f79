//! Members of one name: a property and a method of one type, functions by reference, extensions.

use super::{assert_has, assert_lacks, edges};

#[test]
fn a_property_is_read_and_its_namesake_is_called() {
    let edges = edges(
        "//- app/Url.kt
package app
class Url(val host: String) {
  fun resolve(link: String): Url? = null
}
//- app/Request.kt
package app
class Request(@get:JvmName(\"url\") val url: Url) {
  fun url(): Url = url
  fun newBuilder(): Builder = Builder()
  class Builder { fun removeHeader(name: String) {} }
}
//- app/Response.kt
package app
class Response(val request: Request, val onClose: () -> Unit) {
  fun request(): Request = request
  class Other { fun removeHeader(name: String) {} }
}
//- app/internal/Util.kt
package app.internal
import app.Url
internal fun Url.canReuse(other: Url): Boolean = host == other.host
//- app/Retry.kt
package app
import app.internal.canReuse
class Retry {
  fun retry(response: Response, link: String) {
    val url = response.request.url.resolve(link) ?: return
    val builder = response.request.newBuilder()
    if (!response.request.url.canReuse(url)) {
      builder.removeHeader(\"Authorization\")
    }
    response.onClose()
  }
  fun old(response: Response) = response.request()
}
",
    );
    assert_has(
        &edges,
        &[
            "app/Retry.kt:Retry.retry -reference-> app/Response.kt:Response.request (receiver)",
            "app/Retry.kt:Retry.retry -call-> app/Url.kt:Url.resolve (receiver)",
            "app/Retry.kt:Retry.retry -call-> app/Request.kt:Request.newBuilder (receiver)",
            "app/Retry.kt:Retry.retry -call-> app/internal/Util.kt:Url.canReuse (receiver)",
            "app/Retry.kt:Retry.retry -call-> app/Request.kt:Request.Builder.removeHeader (receiver)",
            "app/Retry.kt:Retry.retry -call-> app/Response.kt:Response.onClose (receiver)",
            "app/Retry.kt:Retry.old -call-> app/Response.kt:Response.request (receiver)",
        ],
    );
    assert_lacks(&edges, &["app/Retry.kt:Retry.retry -call-> app/Response.kt:Response.request"]);
}

#[test]
fn methods_by_reference_are_no_fields() {
    let edges = edges(
        "//- a/Store.java
package a;
import java.util.List;
public class Store {
  private int size;
  int size() { return size; }
  boolean accepts(String name) { return true; }
  void all(List<String> names, Store other) {
    names.stream().filter(this::accepts).map(other::find);
  }
  String find(String name) { return name; }
}
",
    );
    assert_has(
        &edges,
        &[
            "a/Store.java:Store.all -reference-> a/Store.java:Store.accepts (scope)",
            "a/Store.java:Store.all -reference-> a/Store.java:Store.find (scope)",
        ],
    );
}

#[test]
fn a_type_of_the_package_comes_before_types_inside_of_others() {
    let kotlin = |import: &str, package: &str| {
        format!(
            "//- src/main/kotlin/org/app/Request.kt
package org.app
class Request(val url: String) {{ fun send() {{}} }}
//- src/main/kotlin/org/app/Dns.kt
package org.app
class Dns {{ class Request(val host: String) {{ fun send() {{}} }} }}
//- src/main/kotlin/org/app/Fake.kt
package org.app
class Fake {{ sealed interface Request {{ fun send() }} }}
//- src/main/kotlin/org/{package}/Call.kt
package org.{package}
{import}
class Call(val request: Request) {{
  fun start(other: Dns.Request) {{
    request.send()
    other.send()
  }}
}}
"
        )
    };
    for (import, package) in [("", "app"), ("import org.app.*", "other")] {
        let edges = edges(&kotlin(import, package));
        let call = |target: &str| {
            format!(
                "src/main/kotlin/org/{package}/Call.kt:Call.start -call-> src/main/kotlin/org/app/{target} (receiver)"
            )
        };
        assert_has(&edges, &[&call("Request.kt:Request.send"), &call("Dns.kt:Dns.Request.send")]);
    }
}

#[test]
fn functions_extend_types_outside_of_the_repository() {
    let edges = edges(
        "//- app/internal/Util.kt
package app.internal
import java.net.ServerSocket
import java.net.Socket
import okio.Closeable
fun Closeable.closeQuietly() {}
fun Socket.closeQuietly() {}
fun ServerSocket.closeQuietly() {}
//- app/Answer.kt
package app
import java.io.Closeable
class Answer(val body: Body) : Closeable { override fun close() {} }
//- app/Body.kt
package app
abstract class Source : java.lang.Runnable
abstract class Body : Source(), Closeable
//- app/Calls.kt
package app
import app.internal.closeQuietly
import java.net.ServerSocket
import java.net.Socket
import okio.BufferedSource
class Calls(val answer: Answer, private var server: ServerSocket?) {
  fun one(socket: Socket) { socket.closeQuietly() }
  fun two() { server?.closeQuietly() }
  fun three() { answer.closeQuietly() }
  fun four(source: BufferedSource) { source.closeQuietly() }
}
//- app/Unseen.kt
package app
import java.net.Socket
class Unseen { fun one(socket: Socket) { socket.closeQuietly() } }
",
    );
    assert_has(
        &edges,
        &[
            "app/Calls.kt:Calls.one -call-> app/internal/Util.kt:Socket.closeQuietly (receiver)",
            "app/Calls.kt:Calls.two -call-> app/internal/Util.kt:ServerSocket.closeQuietly (receiver)",
            "app/Calls.kt:Calls.three -call-> app/internal/Util.kt:Closeable.closeQuietly (receiver)",
        ],
    );
    assert_lacks(
        &edges,
        &[
            "app/Calls.kt:Calls.four -call-> app/internal/Util.kt:Closeable.closeQuietly (receiver)",
            "app/Unseen.kt:Unseen.one -call-> app/internal/Util.kt:Socket.closeQuietly (receiver)",
        ],
    );
}

#[test]
fn kotlin_loops_over_collections_of_the_library() {
    let edges = edges(
        "//- app/Pool.kt
package app
import java.util.concurrent.ConcurrentLinkedQueue
import java.util.ArrayDeque
class Connection { fun isEligible(): Boolean = true; fun close() {} }
class Pool(val given: ArrayDeque<Connection>) {
  private val connections = ConcurrentLinkedQueue<Connection>()
  fun made() { for (connection in connections) { connection.isEligible() } }
  fun passed() { for (one in given) { one.close() } }
  fun first() { connections.first().close(); connections.close() }
}
//- web/pool.ts
import { Bag } from 'bags';
class Conn { close() {} }
class P { q = new Bag<Conn>(); m() { for (const c of this.q) { c.close() } } }
",
    );
    assert_has(
        &edges,
        &[
            "app/Pool.kt:Pool.passed -call-> app/Pool.kt:Connection.close (receiver)",
            "app/Pool.kt:Pool.made -call-> app/Pool.kt:Connection.isEligible (receiver)",
            "app/Pool.kt:Pool.first -call-> app/Pool.kt:Connection.close (receiver)",
            "web/pool.ts:P.m -call-> web/pool.ts:Conn.close (receiver)",
        ],
    );
    let closes =
        edges.lines().filter(|edge| edge.contains("Pool.first -call-> app/Pool.kt:Connection.close (receiver)"));
    assert_eq!(closes.count(), 1, "{edges}");
}

#[test]
fn functions_that_are_assigned_to_members_may_be_called_through_them() {
    let edges = edges(
        "//- ops.h
struct ops { int (*open)(int); int (*close)(int); int flags; };
struct more { struct ops base; };
//- a.c
#include \"ops.h\"
static int open_a(int x) { return x; }
static int open_b(int x) { return x; }
static int close_a(int x) { return x; }
static int open_c(int x) { return x; }
struct more c_ops = { .base.open = open_c };
struct ops a_ops = { .open = open_a, .close = &close_a, .flags = 1 };
void set(struct ops *o) { o->open = open_b; if (o->close == close_a) o->flags = 2; }
int run(struct ops *o) { return o->open(1); }
",
    );
    assert_has(
        &edges,
        &[
            "a.c:open_a -override-> ops.h:ops::open (receiver)",
            "a.c:open_b -override-> ops.h:ops::open (receiver)",
            "a.c:close_a -override-> ops.h:ops::close (receiver)",
            "a.c:run -call-> ops.h:ops::open (receiver)",
        ],
    );
    assert_eq!(edges.matches("-override->").count(), 3, "{edges}");
}

#[test]
fn fields_of_go_that_are_functions() {
    let edges = edges(
        "//- go.mod
module a
//- a.go
package a

type ops struct {
	open  func(int) int
	close func()
	name  string
}

type file struct{ ops *ops }

func openA(x int) int { return x }
func openB(x int) int { return x }

func (f *file) shut() {}

func newFile() *file {
	f := &file{}
	f.ops = &ops{open: openA, close: f.shut}
	f.ops.open = openB
	return f
}

func (f *file) run() int { return f.ops.open(1) }
",
    );
    assert_has(
        &edges,
        &[
            "a.go:openA -override-> a.go:ops.open (receiver)",
            "a.go:openB -override-> a.go:ops.open (receiver)",
            "a.go:file.shut -override-> a.go:ops.close (receiver)",
            "a.go:file.run -call-> a.go:ops.open (receiver)",
        ],
    );
    assert_eq!(edges.matches("-override->").count(), 3, "{edges}");
}
