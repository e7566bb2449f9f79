//! What Rust needs: macros, namespaces of members, type parameters, modules under other paths.

use super::{assert_has, edges};

fn assert_lacks(edges: &str, unexpected: &[&str]) {
    for edge in unexpected {
        let is_fact = |line: &str| line.contains(edge) && !line.ends_with("(ambiguous)");
        assert!(!edges.lines().any(is_fact), "unexpected: {edge}\nin:\n{edges}");
    }
}

#[test]
fn names_are_seen_in_every_expression_and_in_macros() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
pub const LIMIT: usize = 3;
static SEEN: usize = 0;
pub struct Job { pub id: usize, pub state: State }
pub enum State { Idle, Busy { since: usize } }
cfg_rt! {
    pub struct Runtime { depth: usize }
    impl Runtime {
        pub fn run(&self, job: &Job) -> usize {
            println!(\"{}\", job.id + self.depth);
            let wide = [LIMIT, 1];
            if wide[0] == LIMIT * 2 && SEEN > 0 { return LIMIT }
            match &job.state {
                State::Busy { since } => *since,
                State::Idle => LIMIT,
            }
        }
    }
}
fn make(state: State) -> Job { Job { id: LIMIT, state } }
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:Job::id (receiver)",
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:Runtime::depth (scope)",
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:Job::state (receiver)",
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:State::Idle (scope)",
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:State::Busy (scope)",
            "src/lib.rs:Runtime::run -reference-> src/lib.rs:SEEN (scope)",
            "src/lib.rs:make -reference-> src/lib.rs:Job::id (scope)",
            "src/lib.rs:make -reference-> src/lib.rs:Job::state (scope)",
        ],
    );
    assert_eq!(edges.matches("Runtime::run -reference-> src/lib.rs:LIMIT").count(), 4, "{edges}");
}

#[test]
fn fields_are_no_methods_and_methods_no_fields() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
struct Glob { path: Path }
struct Path { len: usize }
impl Path { fn len(&self) -> usize { self.len } }
impl Glob {
    fn path(&self) -> &Path { &self.path }
    fn size(&self) -> usize { self.path.len() + self.path().len }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:Path::len -reference-> src/lib.rs:Path::len (scope)",
            "src/lib.rs:Glob::path -reference-> src/lib.rs:Glob::path (scope)",
            "src/lib.rs:Glob::size -call-> src/lib.rs:Path::len (receiver)",
            "src/lib.rs:Glob::size -call-> src/lib.rs:Glob::path (scope)",
            "src/lib.rs:Glob::size -reference-> src/lib.rs:Path::len (receiver)",
        ],
    );
    assert!(!edges.contains("(ambiguous)"), "{edges}");
}

#[test]
fn self_in_another_file_is_the_imported_type() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod index;
mod search;
mod pack;
//- src/index.rs
pub struct Index;
//- src/pack.rs
pub struct Index;
impl Index { fn weigh(&self) {} }
//- src/search.rs
use crate::index::Index;
impl Index {
    fn search(&self) { self.weigh(); }
    fn weigh(&self) {}
}
",
    );
    assert_has(&edges, &["src/search.rs:Index::search -call-> src/search.rs:Index::weigh (receiver)"]);
    assert_lacks(&edges, &["-import-> src/search.rs:Index::search"]);
}

#[test]
fn type_parameters_have_their_bounds() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
trait Matcher { fn find(&self); }
struct Searcher<M: Matcher> { matcher: M }
impl<M: Matcher> Searcher<M> {
    fn search(&self) { self.matcher.find() }
}
fn plain<S>(sink: S) where S: Matcher { sink.find() }
#[derive(Default)]
struct Options { limit: usize }
fn options() -> usize { let options = Options::default(); options.limit }
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:Searcher::search -call-> src/lib.rs:Matcher::find (receiver)",
            "src/lib.rs:plain -call-> src/lib.rs:Matcher::find (receiver)",
            "src/lib.rs:options -reference-> src/lib.rs:Options::limit (receiver)",
        ],
    );
}

#[test]
fn modules_are_found_under_other_paths() {
    let edges = edges(
        "//- grep/Cargo.toml
[package]
name = \"grep\"
//- grep/src/lib.rs
pub use grep_printer as printer;
//- printer/Cargo.toml
[package]
name = \"grep-printer\"
//- printer/src/lib.rs
pub use crate::summary::Summary;
mod summary;
//- printer/src/summary.rs
pub struct Summary;
impl Summary { pub fn new() -> Self { Summary } }
//- core/Cargo.toml
[package]
name = \"core-program\"
//- core/src/main.rs
use grep::printer::Summary;
fn main() { Summary::new(); grep::printer::Summary::new(); }
//- core/tests/it.rs
#[path = \"../support/clock.rs\"]
mod clock;
use clock::tick;
fn test() { tick(); clock::tick(); }
//- core/support/clock.rs
pub fn tick() {}
",
    );
    assert_has(
        &edges,
        &[
            "core/src/main.rs -import-> printer/src/summary.rs:Summary (import)",
            "core/src/main.rs:main -call-> printer/src/summary.rs:Summary::new (import)",
            "core/tests/it.rs:test -call-> core/support/clock.rs:tick (import)",
        ],
    );
    assert_eq!(edges.matches("main -call-> printer/src/summary.rs:Summary::new (import)").count(), 2, "{edges}");
}

#[test]
fn a_module_and_an_item_of_one_name_are_imported_together() {
    let edges = edges(
        "//- proto/Cargo.toml
[package]
name = \"proto\"
//- proto/src/lib.rs
mod guess;
pub mod lower;
pub use guess::guess;
pub fn lower() {}
//- proto/src/guess.rs
pub fn guess() {}
mod tests {
    use super::{guess, Found};
    fn test() -> Found { guess() }
}
struct Found;
//- proto/src/lower.rs
pub fn deep() {}
//- proto/src/errors.rs
use crate::guess;
fn fail() { guess(); }
//- app/Cargo.toml
[package]
name = \"app\"
//- app/src/main.rs
use proto::{guess, lower};
fn main() { guess(); lower(); lower::deep(); }
//- app/src/other.rs
pub fn guess() {}
pub fn lower() {}
",
    );
    assert_has(
        &edges,
        &[
            "app/src/main.rs -import-> proto/src/guess.rs:guess (import)",
            "app/src/main.rs:main -call-> proto/src/guess.rs:guess (import)",
            "app/src/main.rs:main -call-> proto/src/lib.rs:lower (import)",
            "app/src/main.rs:main -call-> proto/src/lower.rs:deep (receiver)",
            "proto/src/errors.rs:fail -call-> proto/src/guess.rs:guess (import)",
            "proto/src/guess.rs:tests -import-> proto/src/guess.rs:Found (import)",
        ],
    );
    // `lower` in `lower::deep` is the module.
    assert_lacks(&edges, &["-reference-> proto/src/lib.rs:lower"]);
}

#[test]
fn lists_in_macros_are_uses() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod commands;
use commands::*;
macro_rules! register { ($($one:expr),* $(,)?) => { $( add($one); )* } }
pub fn add(one: u8) {}
pub fn all() {
    register! {
        Columns,
        // The last one.
        #[cfg(unix)]
        Fill(2),
    }
}
register! { Rows, Columns }
//- src/commands.rs
pub struct Columns;
pub struct Fill(u8);
pub struct Rows;
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:all -reference-> src/commands.rs:Columns (import)",
            "src/lib.rs:all -call-> src/commands.rs:Fill (import)",
            "src/lib.rs -reference-> src/commands.rs:Rows (import)",
        ],
    );
}

#[test]
fn an_import_of_a_type_is_no_variant_of_its_name() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod frames;
mod shapes;
pub mod values;
//- src/values.rs
pub use crate::frames::Frame;
pub enum Plugin { Frame, Other }
pub enum Shape { Round }
//- src/frames.rs
pub struct Frame;
impl Frame { pub fn load() -> Self { Frame } }
//- src/shapes.rs
use crate::values::Frame;
use crate::values::Shape::Round;
fn read() { Frame::load(); let one = Frame; let other = Round; }
",
    );
    assert_has(
        &edges,
        &[
            "src/shapes.rs:read -call-> src/frames.rs:Frame::load (import)",
            "src/shapes.rs:read -reference-> src/frames.rs:Frame (import)",
            "src/shapes.rs:read -reference-> src/values.rs:Shape::Round (import)",
        ],
    );
    assert_lacks(&edges, &["-> src/values.rs:Plugin::Frame"]);
}

#[test]
fn what_is_not_in_scope_is_not_meant() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
pub mod error;
mod tests { macro_rules! matches { () => {} } }
macro_rules! check { () => {} }
//- src/error.rs
pub struct Error;
impl Error { pub fn new() -> Self { Error } }
pub fn channel() {}
pub struct Response;
//- src/client.rs
use std::io;
use bytes::Error;
fn read() -> Response {
    io::Error::new();
    Error::new();
    tokio::sync::channel();
    matches!();
    check!();
}
",
    );
    assert_has(&edges, &["src/client.rs:read -call-> src/lib.rs:check (package)"]);
    assert_lacks(
        &edges,
        &["client.rs:read -type-> src/error.rs", "client.rs:read -call-> src/error.rs", "tests::matches"],
    );
}

#[test]
fn facades_export_modules_and_macros_and_derives_have_methods() {
    let edges = edges(
        "//- core/Cargo.toml
[package]
name = \"lamp_core\"
//- core/src/lib.rs
mod macros;
pub mod error;
pub mod derive;
//- core/src/macros.rs
#[macro_export]
macro_rules! lamp { () => {} }
//- core/src/error.rs
pub enum Fault { Broken }
pub type Result<T> = std::result::Result<T, Fault>;
//- core/src/derive.rs
use crate::error::Result as LampResult;
pub trait Parser { fn parse_all() -> u8 { 1 } }
pub struct Lamp;
impl Lamp { pub fn light(&self) {} }
pub fn make() -> LampResult<Lamp> { todo!() }
pub struct Other;
impl Other { pub fn light(&self) {} pub fn parse_all() {} }
//- facade/Cargo.toml
[package]
name = \"lamp\"
[dependencies]
lamp_core = { path = \"../core\" }
//- facade/src/lib.rs
pub use lamp_core::*;
//- app/Cargo.toml
[package]
name = \"app\"
[dependencies]
lamp = { path = \"../facade\" }
//- app/src/main.rs
use lamp::{error::Fault, lamp, derive::{make, Parser}};
fn fault() { let a = Fault::Broken; }
fn used() { lamp!() }
fn made() { let one = make(); one.unwrap().light() }
#[derive(Debug, Parser)]
struct Options { all: bool }
fn derived() { Options::parse_all(); }
",
    );
    assert_has(
        &edges,
        &[
            "app/src/main.rs:fault -reference-> core/src/error.rs:Fault (import)",
            "app/src/main.rs:used -call-> core/src/macros.rs:lamp (import)",
            "app/src/main.rs:made -call-> core/src/derive.rs:Lamp::light (receiver)",
            "app/src/main.rs:derived -call-> core/src/derive.rs:Parser::parse_all (import)",
        ],
    );
}

#[test]
fn constants_inside_of_functions_are_known_there_only() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"app\"
//- src/lib.rs
mod hay;
use crate::hay::*;
const LIMIT: u8 = 1;
fn own() -> u8 { const LIMIT: u8 = 2; static NAME: &str = \"a\"; LIMIT + NAME.len() as u8 }
fn outer() -> u8 { LIMIT }
fn closure() -> u8 { let f = || { const INNER: u8 = 3; INNER }; f() }
fn elsewhere() -> u8 { INNER }
rgtest!(made, |dir: Dir| { const HAY: u8 = 4; HAY });
rgtest!(used, |dir: Dir| { HAY });
//- src/hay.rs
pub const HAY: u8 = 5;
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:own -reference-> src/lib.rs:own::LIMIT (scope)",
            "src/lib.rs:own -reference-> src/lib.rs:own::NAME (scope)",
            "src/lib.rs:outer -reference-> src/lib.rs:LIMIT (scope)",
            "src/lib.rs:closure -reference-> src/lib.rs:closure::INNER (scope)",
        ],
    );
    assert_lacks(&edges, &["src/lib.rs:elsewhere -reference->", "src/lib.rs:HAY"]);
}

#[test]
fn a_method_that_takes_other_arguments_is_that_of_a_wrapper() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
use std::sync::Mutex;
pub struct State { depth: usize }
impl State {
    pub fn lock(&mut self, mode: usize) -> usize { self.depth + mode }
}
pub struct Locker { state: Mutex<State> }
impl Locker {
    pub fn is_locked(&self) -> bool {
        let state = self.state.lock().unwrap();
        state.depth > 0
    }
    pub fn lock(&self, mode: usize) -> usize {
        let mut state = self.state.lock().unwrap();
        state.lock(mode) + State::lock(&mut state, 2)
    }
}
",
    );
    assert_lacks(&edges, &["src/lib.rs:Locker::is_locked -call-> src/lib.rs:State::lock"]);
    assert_has(
        &edges,
        &[
            "src/lib.rs:Locker::lock -call-> src/lib.rs:State::lock (receiver)",
            "src/lib.rs:Locker::lock -call-> src/lib.rs:State::lock (scope)",
            "src/lib.rs:Locker::is_locked -reference-> src/lib.rs:State::depth (receiver)",
        ],
    );
    assert_eq!(edges.matches("Locker::lock -call-> src/lib.rs:State::lock").count(), 2, "{edges}");
}

#[test]
fn imports_follow_other_imports_and_the_names_of_dependencies() {
    let edges = edges(
        "//- core/Cargo.toml
[package]
name = \"my-core\"
//- core/src/lib.rs
pub mod movement;
pub use self::movement as mv;
#[macro_export]
macro_rules! current { ($e:expr) => { $e.id }; }
pub enum Operation { Retain(usize), Delete }
pub fn size(o: Operation) -> usize {
    use Operation::*;
    match o { Retain(n) => n, Delete => 0 }
}
fn first() { use mv::Movement; stay(Movement::Extend) }
//- core/src/movement.rs
pub enum Movement { Extend }
//- term/Cargo.toml
[package]
name = \"my-term\"
[dependencies]
tui = { path = \"../core\", package = \"my-core\" }
//- term/src/lib.rs
#[macro_use]
extern crate tui;
use tui::movement;
use movement::Movement;
pub fn go(x: &View) -> Movement { current!(x); Movement::Extend }
",
    );
    assert_has(
        &edges,
        &[
            "core/src/lib.rs:size -reference-> core/src/lib.rs:Operation::Retain (import)",
            "core/src/lib.rs:size -reference-> core/src/lib.rs:Operation::Delete (import)",
            "core/src/lib.rs:first -reference-> core/src/movement.rs:Movement::Extend (import)",
            "term/src/lib.rs:go -reference-> core/src/movement.rs:Movement::Extend (import)",
            "term/src/lib.rs:go -call-> core/src/lib.rs:current (unique)",
        ],
    );
}

#[test]
fn a_module_of_tests_sees_what_is_around_it() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
mod job;
mod run;
//- src/job.rs
pub struct Job { pub id: usize }
impl Job { pub fn new() -> Job { Job { id: 1 } } }
//- src/run.rs
use crate::job::Job;
pub fn run(job: &Job) -> usize { job.id }
#[cfg(test)]
mod tests {
    use super::*;
    fn runs() { let job = Job::new(); run(&job); }
}
",
    );
    assert_has(
        &edges,
        &[
            "src/run.rs:tests::runs -call-> src/job.rs:Job::new (import)",
            "src/run.rs:tests::runs -call-> src/run.rs:run (scope)",
            "src/run.rs:tests -import-> src/run.rs (import)",
        ],
    );
}

#[test]
fn a_pointer_of_another_crate_has_the_members_of_its_argument() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
use arc_swap::Guard;
pub struct Config { pub max_lines: usize }
impl Config { pub fn doubled_limit(&self) -> usize { 2 } pub fn len(&self) -> usize { 1 } }
pub struct Editor;
impl Editor { pub fn config(&self) -> Guard<Config> { loop {} } pub fn all(&self) -> Vec<Config> { Vec::new() } }
fn read(editor: &Editor) -> usize {
    editor.config().max_lines + editor.config().doubled_limit() + editor.all().len()
}
",
    );
    assert_has(
        &edges,
        &[
            "src/lib.rs:read -reference-> src/lib.rs:Config::max_lines (receiver)",
            "src/lib.rs:read -call-> src/lib.rs:Config::doubled_limit (receiver)",
        ],
    );
    assert_lacks(&edges, &["src/lib.rs:read -call-> src/lib.rs:Config::len (receiver)"]);
}

#[test]
fn fields_of_variants_are_those_of_the_variant() {
    let edges = edges(
        "//- Cargo.toml
[package]
name = \"a\"
//- src/lib.rs
struct Wrapped { trim: bool }
enum Composer { Wrapped { trim: bool }, Cut }
fn run(which: Composer) -> bool {
    run(Composer::Wrapped { trim: true });
    match which { Composer::Wrapped { trim } => trim, Composer::Cut => false }
}
",
    );
    assert_eq!(edges.matches("run -reference-> src/lib.rs:Composer::Wrapped::trim (scope)").count(), 2, "{edges}");
}
