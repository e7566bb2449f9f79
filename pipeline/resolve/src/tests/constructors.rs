//! Calls of other constructors by keyword.

use super::edges;

/// The calls of a project that lead from constructors.
fn calls(fixture: &str) -> Vec<String> {
    let without_path = |word: &str| word.rsplit_once(':').map_or(word, |(_, name)| name).to_owned();
    let line = |line: &str| line.split(' ').map(without_path).collect::<Vec<_>>().join(" ");
    edges(fixture).lines().filter(|line| line.contains("-call->")).map(line).collect()
}

#[test]
fn keywords_lead_to_types() {
    let java = "//- a/Base.java
package a;
public class Base implements Runnable {
  Base(int size) {}
  Base() { this(2); }
}
//- a/Small.java
package a;
public class Small extends Base {
  Small() { super(1); }
}
//- a/Far.java
package a;
public class Far extends java.util.ArrayList {
  Far() { super(1); }
}
";
    assert_eq!(calls(java), ["Base.Base -call-> Base (scope)", "Small.Small -call-> Base (receiver)"]);
    let csharp = "//- Base.cs
class Base { public Base(int size) {} }
class Small : Base { public Small() : base(1) {} public Small(int a) : this() {} }
";
    assert_eq!(calls(csharp), ["Small.Small -call-> Base (receiver)", "Small.Small -call-> Small (scope)"]);
    let kotlin = "//- base.kt
open class Base(size: Int)
class Small : Base {
  constructor(a: Int) : super(a)
  constructor() : this(1)
}
";
    assert_eq!(calls(kotlin), ["Small.constructor -call-> Base (receiver)", "Small.constructor -call-> Small (scope)"]);
    let typescript = "//- base.ts
class Base { constructor(size: number) {} }
class Small extends Base { constructor() { super(1); } }
";
    assert_eq!(calls(typescript), ["Small.constructor -call-> Base (receiver)"]);
}
