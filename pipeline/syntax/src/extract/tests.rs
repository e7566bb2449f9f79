//! Snapshots and invariants of every fixture of every language.

use std::path::{Path, PathBuf};

use proptest::prelude::*;

use super::*;
use crate::analyze::Analyzer;
use crate::check;
use crate::chunk::Limits;
use crate::dump::dump as dump_in;
use crate::language;

fn dump(name: &str, text: &str) -> String {
    dump_in(language::detect(name, text).unwrap(), name, text)
}

fn languages() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("languages")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = fs_err::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn a_word_that_a_grammar_lacks_costs_no_definition() {
    // `set` and `final` are names here. The grammar knows them as keywords, and finds the end of no class after them.
    let text = "
class Kiln(private val ore: Ore) {
  private var set: Int = 0
  private var final = false

  fun quench() {
    set = 0
    ore.cool()
  }

  operator fun set(slot: Int, heat: Int): Kiln {
    val bit = 1 shl slot
    set = set or bit
    return this
  }

  private fun smelt() {
    while (!final) {
      if (ore.molten()) {
        final = true
        quench()
        break
      } else {
        temper()
      }
    }
  }

  private fun temper() {
    ore.glow()
  }

  companion object {
    const val LIMIT = 16
  }
}

fun kindle(kiln: Kiln) {
  kiln.quench()
}
";
    let dumped = dump("a.kt", text);
    for expected in ["Kiln.quench", "Kiln.set", "Kiln.smelt", "Kiln.temper", "Kiln.LIMIT", "kindle"] {
        assert!(dumped.lines().any(|line| line.split_whitespace().nth(3) == Some(expected)), "{expected}: {dumped}");
    }
    for used in
        ["reference   final  <Kiln.smelt>", "call        temper  <Kiln.smelt>", "call        kiln | quench  <kindle>"]
    {
        assert!(dumped.contains(used), "{used}: {dumped}");
    }
}

#[test]
fn a_definition_is_not_left_out_with_an_error() {
    let text =
        "first() {\n  echo one\n}\n\nif [[ $x ; then\n  echo lost\n\n  echo a\n  echo b\n\nlast() {\n  first\n}\n";
    let dumped = dump("a.sh", text);
    for expected in ["first", "last"] {
        assert!(dumped.lines().any(|line| line.split_whitespace().nth(3) == Some(expected)), "{expected}: {dumped}");
    }
}

#[test]
fn call_signatures_of_typescript_need_no_semicolons() {
    let text = "
export interface Create<E extends object> {
  <A extends object = {}>(
    first: Handler<A>
  ): [Handler<A>]

  // Two of them.
  <
    A extends object,
    B extends object = A,
  >(
    first: Handler<A>,
    second: Handler<B>
  ): [Handler<A>, Handler<B>]

  <A, B, C>(first: A, second: B, third: C): Handler<A>

  <const A>(...rest: A[]): string
}

export class Factory {
  create: Create<object> = (...handlers: any) => handlers
}

export const createFactory = <E extends object>(init?: E): Factory => new Factory()
";
    let dumped = dump("a.ts", text);
    for expected in ["Create", "Factory.create", "createFactory"] {
        assert!(dumped.lines().any(|line| line.split_whitespace().any(|word| word == expected)), "{dumped}");
    }
}

#[test]
fn fixtures_match_their_snapshots() {
    let mut seen = 0;
    for folder in sorted(&languages()) {
        let fixtures = folder.join("fixtures");
        if !fixtures.is_dir() {
            continue;
        }
        for path in sorted(&fixtures) {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            let text = fs_err::read_to_string(&path).unwrap();
            let mut settings = insta::Settings::clone_current();
            settings.set_snapshot_path(folder.join("snapshots"));
            settings.set_prepend_module_to_snapshot(false);
            settings.set_omit_expression(true);
            settings.bind(|| insta::assert_snapshot!(name.clone(), dump(&name, &text)));
            seen += 1;
        }
    }
    assert!(seen >= 20, "only {seen} fixtures were found");
}

#[test]
fn every_language_has_fixtures_and_its_hooks_are_counted() {
    for language in &language::LANGUAGES {
        let found = sorted(&languages()).iter().any(|folder| {
            let fixtures = folder.join("fixtures");
            fixtures.is_dir()
                && sorted(&fixtures).iter().any(|path| {
                    path.extension()
                        .is_some_and(|e| language.extensions.iter().any(|known| e.eq_ignore_ascii_case(known)))
                })
        });
        assert!(found, "{} has no fixture", language.name);
    }
    insta::assert_snapshot!("hooks", HOOKS.join("\n"));
}

fn fixtures() -> Vec<(String, String)> {
    let mut out = Vec::new();
    for folder in sorted(&languages()) {
        let fixtures = folder.join("fixtures");
        if fixtures.is_dir() {
            for path in sorted(&fixtures) {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                out.push((name, fs_err::read_to_string(&path).unwrap()));
            }
        }
    }
    out
}

fn assert_invariants(name: &str, text: &str) {
    if let Ok(analysis) = Analyzer::new().analyze(name, text.as_bytes().to_vec(), &Limits::STANDARD) {
        check::assert_invariants(&analysis, text.as_bytes());
    }
}

#[test]
fn truncated_and_mangled_sources_keep_every_invariant() {
    for (name, text) in fixtures() {
        for part in 1..=8 {
            let cut = &text[..text.floor_char_boundary(text.len() * part / 8)];
            assert_invariants(&name, cut);
            assert_invariants(&name, &cut.replace('\n', "\r\n"));
            assert_invariants(&name, &cut.chars().rev().collect::<String>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn edited_sources_keep_every_invariant(
        fixture: prop::sample::Index,
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0_usize..40, "[ -~\\n\\t\u{e9}]{0,12}"), 1..6),
    ) {
        let all = fixtures();
        let (name, text) = &all[fixture.index(all.len())];
        let mut text = text.clone();
        for (at, length, insert) in edits {
            let start = text.floor_char_boundary(at.index(text.len() + 1));
            let end = text.floor_char_boundary((start + length).min(text.len()));
            text.replace_range(start..end.max(start), &insert);
        }
        assert_invariants(name, &text);
    }
}

#[test]
fn documentation_has_the_blank_lines_of_the_source_and_no_others() {
    for (name, text) in [
        ("a.rs", "/// One.\n/// Two.\n///\n/// Three.\nfn f() {}\n"),
        ("b.rs", "/// One.\r\n/// Two.\r\n///\r\n/// Three.\r\nfn f() {}\r\n"),
        ("a.go", "package a\n\n// One.\n// Two.\n//\n// Three.\nfunc f() {}\n"),
    ] {
        let analysis = Analyzer::new().analyze(name, text.as_bytes().to_vec(), &Limits::STANDARD).unwrap();
        let symbol = analysis.symbols.iter().find(|symbol| symbol.name == "f").unwrap();
        assert_eq!(symbol.doc.as_deref(), Some("One.\nTwo.\n\nThree."), "{name}");
    }
}

#[test]
fn fuzzer_regressions_stay_fixed() {
    for path in sorted(&Path::new(env!("CARGO_MANIFEST_DIR")).join("regressions")) {
        let bytes = fs_err::read(&path).unwrap();
        if let Ok(analysis) = Analyzer::new().analyze(path.to_str().unwrap(), bytes.clone(), &Limits::STANDARD) {
            check::assert_invariants(&analysis, &bytes);
        }
    }
}
