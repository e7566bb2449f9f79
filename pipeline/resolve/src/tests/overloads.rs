//! Overloads by the types of arguments. Each call is followed by a comment with the number of the overload that it must
//! reach, and each overload by its own: `// #1`.

use sextant_format::kinds::EdgeKind;

use super::table_of;

/// Checks that every call with a number leads to the definition with the number.
fn assert_overloads(fixture: &str) {
    let (mut table, _) = table_of(fixture);
    let places: Vec<(usize, u32)> = table.symbols.iter().map(|symbol| (symbol.file.index(), symbol.line)).collect();
    let mut rows = Vec::new();
    table.resolve(2, || false, None, &mut rows).unwrap();
    let files: Vec<Vec<&str>> =
        fixture.split("//- ").skip(1).map(|file| file.lines().skip(1).collect::<Vec<_>>()).collect();
    let number = |mark: &str, file: usize, line: u32| -> Option<u32> {
        let text = files[file].get(line as usize - 1)?;
        text.split_once(mark)?.1.split_whitespace().next()?.parse().ok()
    };
    let (mut checked, mut wrong) = (0, String::new());
    for edge in rows.iter().filter(|edge| matches!(edge.kind, EdgeKind::Call | EdgeKind::Instantiate)) {
        let Some(expected) = number("// -> ", edge.file_id.index(), edge.line) else { continue };
        // A call among the arguments is on the line, too.
        let target = edge.target_id.map(|id| places[id.index()]);
        let found = target.and_then(|(file, line)| number("// #", file, line));
        if found.is_none() {
            continue;
        }
        checked += 1;
        if found != Some(expected) {
            wrong += &format!("{}: {found:?}\n", files[edge.file_id.index()][edge.line as usize - 1]);
        }
    }
    let calls = fixture.matches("// -> ").count();
    assert!(wrong.is_empty() && checked == calls, "{checked} of {calls} checked, wrong:\n{wrong}");
}

#[test]
fn java_literals_names_and_bases() {
    assert_overloads(
        "//- a/Base.java
package a;
import java.util.List;
public class Base {
  void inherited(int a) {} // #1
  void put(String a) {} // #2
  void put(int a) {} // #3
  void put(long a) {} // #4
  void put(Object a) {} // #5
  void put(char[] a) {} // #6
  void put(Shape a) {} // #7
  void put(Round a) {} // #8
  void put(String a, Object... rest) {} // #9
  void put(List<String> a, int b) {} // #10
  void put(List<String> a, boolean b) {} // #11
  void run(Runnable a) {} // #12
  void run(String a) {} // #13
  void on(Task a) {} // #14
  void on(Work a) {} // #15
}
//- a/Shape.java
package a;
public class Shape { public int size() { return 1; } }
//- a/Round.java
package a;
public class Round extends Shape { }
//- a/Oval.java
package a;
public class Oval extends Round { }
//- a/Task.java
package a;
public interface Task { void go(); }
//- a/Work.java
package a;
public interface Work { String go(String a); default void stop() {} }
//- a/Use.java
package a;
import java.util.List;
public class Use extends Base {
  long field;
  void inherited(String a) {} // #16
  void use(Shape shape, Oval oval, List<String> list, char[] chars, byte small, Integer boxed) {
    put(\"a\"); // -> 2
    put(\"a\" + 1); // -> 2
    put(1); // -> 3
    put(small); // -> 3
    put(1L); // -> 4
    put(field); // -> 4
    put(this.field); // -> 4
    put(shape.size()); // -> 3
    put(list); // -> 5
    put(chars); // -> 6
    put(new char[3]); // -> 6
    put(shape); // -> 7
    put(new Shape()); // -> 7
    put((Shape) oval); // -> 7
    put(oval); // -> 8
    put(boxed); // -> 3
    put(\"a\", 1, 2); // -> 9
    put(list, 1); // -> 10
    put(list, list.isEmpty() && true); // -> 11
    run(() -> {}); // -> 12
    run(\"a\"); // -> 13
    on(() -> {}); // -> 14
    on(a -> a); // -> 15
    inherited(\"a\"); // -> 16
  }
}
",
    );
}

#[test]
fn kotlin_and_csharp_labels_and_functions() {
    assert_overloads(
        "//- a/A.kt
package a
class Shape
fun draw(shape: Shape) {} // #1
fun draw(name: String) {} // #2
fun draw(size: Int, bold: Boolean = false) {} // #3
fun draw(size: Int, done: () -> Unit) {} // #4
fun use(shape: Shape) {
    draw(shape) // -> 1
    draw(\"a\") // -> 2
    draw(name = \"a\") // -> 2
    draw(1) // -> 3
    draw(1, bold = true) // -> 3
    draw(1) { use(shape) } // -> 4
    draw(1, { }) // -> 4
}
//- b/B.cs
namespace B;
class Log {
  public void Write(string template, object value) {} // #5
  public void Write(Level level, string template) {} // #6
  public void Write(Level level, string template, params object[] values) {} // #7
  public void Use(Level level) {
    Write(\"a\", 1); // -> 5
    Write(level, \"a\"); // -> 6
    Write(Level.High, \"a\"); // -> 6
    Write(level: level, template: \"a\"); // -> 6
    Write(level, \"a\", 1, 2); // -> 7
  }
}
enum Level { Low, High }
",
    );
}

#[test]
fn swift_labels_and_scala_types() {
    assert_overloads(
        "//- Sources/A/A.swift
class Shape {
  func draw(at x: Int) {} // #1
  func draw(with name: String) {} // #2
  func draw(_ shape: Shape) {} // #3
  func draw(_ name: String, done: () -> Void) {} // #4
  func use(shape: Shape) {
    draw(at: 1) // -> 1
    draw(with: \"a\") // -> 2
    draw(shape) // -> 3
    self.draw(\"a\") { } // -> 4
  }
}
//- b/B.scala
package b
class Shape
object B {
  def put(a: String): Unit = {} // #5
  def put(a: Int): Unit = {} // #6
  def put(a: Shape): Unit = {} // #7
  def use(shape: Shape): Unit = {
    put(\"a\") // -> 5
    put(1) // -> 6
    put(shape) // -> 7
    put(new Shape) // -> 7
  }
}
",
    );
}
