//! Prints what is extracted from files. A tool for writing queries and for comparing with other programs.
//!
//! ```text
//! inspect [--queries DIR] FILE...          symbols, references and chunks of each file
//! inspect [--queries DIR] --tree FILE      the syntax tree
//! inspect [--queries DIR] --count PATH...  counts by language, kind and status, over whole folders
//! inspect [--queries DIR] --json PATH...   one JSON line for each symbol
//! inspect --macros PATH...                 what the macros of all files are to the parser
//! inspect --check PATH...                  check invariants, and parents of chunks against nesting
//! inspect --bench [--rounds N] PATH...     time a parse alone and a full analysis, on one thread
//! ```
//!
//! `--queries` reads the queries from `DIR/<language>/*.scm` instead of those compiled in.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use sextant_syntax::Analyzer;
use sextant_syntax::chunk::{self, Limits, LineIndex};
use sextant_syntax::extract::Extractor;
use sextant_syntax::language::{self, Language, Queries};
use sextant_syntax::learn::FileMacros;
use sextant_syntax::macros::MacroTable;
use sextant_syntax::text;

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Dump,
    Tree,
    Count,
    Json,
    Check,
    Bench,
    Macros,
}

/// The macros that the files teach.
fn learnt(files: &[PathBuf]) -> MacroTable {
    let read = |path: &PathBuf| {
        let text = text::decode(fs_err::read(path).ok()?).ok()?.text;
        let name = path.to_string_lossy().into_owned();
        let language = language::detect(name.rsplit('/').next().unwrap_or(&name), &text)?;
        language.has_preprocessor.then(|| FileMacros::read(&name, &text, language))
    };
    MacroTable::learn(&files.iter().filter_map(read).collect::<Vec<_>>())
}

#[expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool")]
fn main() {
    let mut mode = Mode::Dump;
    let mut queries: Option<PathBuf> = None;
    let mut paths = Vec::new();
    let mut rounds = 3;
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--tree" => mode = Mode::Tree,
            "--count" => mode = Mode::Count,
            "--json" => mode = Mode::Json,
            "--check" => mode = Mode::Check,
            "--macros" => mode = Mode::Macros,
            "--bench" => mode = Mode::Bench,
            "--rounds" => rounds = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(rounds),
            "--queries" => queries = arguments.next().map(PathBuf::from),
            path => paths.push(PathBuf::from(path)),
        }
    }
    let mut loaded: BTreeMap<&str, &'static Language> = BTreeMap::new();
    let mut counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    let mut extractor = Extractor::new();
    let mut files = Vec::new();
    for path in paths {
        list(&path, &mut files);
    }
    if mode == Mode::Check {
        return check_all(&files);
    }
    if mode == Mode::Bench {
        return bench(&files, rounds);
    }
    if mode == Mode::Macros {
        return print!("{}", learnt(&files));
    }
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let Ok(bytes) = fs_err::read(&path) else { continue };
        let text = match text::decode(bytes) {
            Ok(text) => text.text,
            Err(skip) => {
                if mode == Mode::Dump {
                    eprintln!("{name}: {}: {}", skip.reason, skip.detail);
                }
                continue;
            }
        };
        let file_name = name.rsplit('/').next().unwrap_or(&name);
        let Some(language) = language::detect(file_name, &text) else { continue };
        let language = *loaded.entry(language.name).or_insert_with(|| match &queries {
            Some(folder) => from_folder(folder, language),
            None => language,
        });
        match mode {
            Mode::Dump => println!("{}", sextant_syntax::dump::dump(language, &name, &text)),
            Mode::Tree => {
                let mut parser = tree_sitter::Parser::new();
                parser.set_language(&(language.grammar)()).expect("the grammar's version is supported");
                let tree = parser.parse(&text, None).expect("the parse is not cancelled");
                print_tree(&tree, &text);
            }
            _ => {
                let started = Instant::now();
                let mut found = extractor.extract(language, &name, &LineIndex::new(&text));
                let chunks = chunk::chunk(
                    &LineIndex::new(&text),
                    &mut found.symbols,
                    &found.blocks,
                    &found.error_ranges,
                    &Limits::STANDARD,
                );
                if mode == Mode::Json {
                    for symbol in &found.symbols[1..] {
                        let container = &found.symbols[symbol.container.unwrap_or(0) as usize];
                        println!(
                            "{}",
                            serde_json::json!({
                                "path": name, "language": language.name, "name": symbol.name,
                                "qualified_name": symbol.qualified_name, "kind": symbol.kind.as_str(),
                                "line": symbol.name_line, "owner": container.name,
                                "owner_kind": container.kind.as_str(), "body": symbol.has_body,
                                "embedded": symbol.embedded,
                            })
                        );
                    }
                }
                let row = counts.entry(language.name.to_owned()).or_default();
                let mut add = |key: String, n: usize| *row.entry(key).or_default() += n as u64;
                add("files".into(), 1);
                add("lines".into(), text.lines().count());
                add("bytes".into(), text.len());
                add("microseconds".into(), usize::try_from(started.elapsed().as_micros()).unwrap_or(0));
                add(format!("status {}", found.status), 1);
                add("error lines".into(), found.error_ranges.iter().map(|(a, b)| (b - a + 1) as usize).sum());
                for symbol in &found.symbols[1..] {
                    add(format!("symbol {}", symbol.kind), 1);
                }
                for reference in &found.references {
                    add(format!("ref {}", reference.kind), 1);
                }
                for chunk in &chunks {
                    add(format!("chunk {} {}", chunk.level, chunk.kind), 1);
                }
            }
        }
    }
    if mode == Mode::Count {
        for (language, row) in counts {
            println!("{language}");
            for (key, n) in row {
                println!("  {key:24} {n}");
            }
        }
    }
}

fn list(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        let mut entries: Vec<_> = fs_err::read_dir(path).into_iter().flatten().flatten().map(|e| e.path()).collect();
        entries.sort();
        for entry in entries {
            if !entry.is_symlink() && !entry.ends_with(".git") {
                list(&entry, files);
            }
        }
    } else {
        files.push(path.to_owned());
    }
}

/// Returns the language with queries read from `folder`.
fn from_folder(folder: &Path, language: &'static Language) -> &'static Language {
    let texts = |file: &str| -> &'static [&'static str] {
        let mut list: Vec<&'static str> = Vec::new();
        for name in language.query_folders {
            if let Ok(text) = fs_err::read_to_string(folder.join(name).join(file)) {
                list.push(Box::leak(text.into_boxed_str()));
            }
        }
        Box::leak(list.into_boxed_slice())
    };
    let queries = Queries {
        symbols: texts("symbols.scm"),
        references: texts("references.scm"),
        blocks: texts("blocks.scm"),
        embedded: texts("embedded.scm"),
        types: texts("types.scm"),
    };
    match language.with_queries(queries) {
        Ok(language) => Box::leak(Box::new(language)),
        Err(error) => panic!("{}: {error}", language.name),
    }
}

#[expect(clippy::print_stdout, reason = "a command-line tool")]
fn print_tree(tree: &tree_sitter::Tree, text: &str) {
    let mut cursor = tree.walk();
    let mut depth = 0;
    loop {
        let node = cursor.node();
        if node.is_named() || node.is_missing() || node.is_error() {
            let field = cursor.field_name().map_or(String::new(), |field| format!("{field}: "));
            let leaf = if node.named_child_count() == 0 {
                format!(" {:?}", text[node.byte_range()].chars().take(60).collect::<String>())
            } else {
                String::new()
            };
            println!("{:indent$}{field}{}{leaf}", "", node.kind(), indent = depth * 2);
        }
        if cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return;
            }
            depth -= 1;
        }
    }
}

/// Asserts the invariants of every file, and compares each chunk's parent with the nesting of symbols.
#[expect(clippy::print_stdout, reason = "a command-line tool")]
fn check_all(files: &[PathBuf]) {
    let mut analyzer = Analyzer::new();
    let (mut sound, mut right, mut wrong, mut lines) = (0_u64, 0_u64, 0_u64, 0_u64);
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let Ok(bytes) = fs_err::read(path) else { continue };
        let Ok(analysis) = analyzer.analyze(&name, bytes.clone(), &Limits::STANDARD) else { continue };
        sextant_syntax::check::assert_invariants(&analysis, &bytes);
        sound += 1;
        lines += u64::from(analysis.lines);
        let (good, bad) = sextant_syntax::check::compare_parents(&analysis);
        right += good;
        wrong += bad.len() as u64;
        for chunk in bad.iter().take(2) {
            println!("{name}:{}: the parent does not match the nesting", analysis.chunks[*chunk].start_line);
        }
    }
    println!("{sound} files, {lines} lines: each non-blank line in exactly one chunk of level 1");
    println!("{right} parents correct, {wrong} wrong: {:.4}", right as f64 / (right + wrong).max(1) as f64);
}

/// Times, on one thread, a parse alone, a walk over the tree, a parse with extraction, and a full analysis. The four
/// alternate file by file, so that other load on the machine affects all of them.
#[expect(clippy::print_stdout, reason = "a command-line tool")]
fn bench(files: &[PathBuf], rounds: usize) {
    let mut texts: Vec<(String, &'static Language, String)> = Vec::new();
    for path in files {
        let name = path.to_string_lossy().into_owned();
        let Ok(text) = fs_err::read(path).map_err(|_| ()).and_then(|bytes| text::decode(bytes).map_err(|_| ())) else {
            continue;
        };
        if let Some(language) = language::detect(name.rsplit('/').next().unwrap_or(&name), &text.text) {
            language.compiled();
            texts.push((name, language, text.text));
        }
    }
    let bytes: usize = texts.iter().map(|(_, _, text)| text.len()).sum();
    println!("{} files, {bytes} bytes", texts.len());
    let mut extractor = Extractor::new();
    for _ in 0..rounds {
        let (mut parse, mut walk, mut extract, mut all) = (0.0, 0.0, 0.0, 0.0);
        let mut count = 0_u64;
        let mut by_language: std::collections::BTreeMap<&str, (f64, f64)> = std::collections::BTreeMap::new();
        for (name, language, text) in &texts {
            let before = (parse, all);
            let mut clock = Instant::now();
            let mut lap = |sum: &mut f64| *sum += std::mem::replace(&mut clock, Instant::now()).elapsed().as_secs_f64();
            let mut parser = tree_sitter::Parser::new();
            parser.set_language(&(language.grammar)()).expect("the grammar's version is supported");
            let tree = parser.parse(text, None).expect("the parse is not cancelled");
            lap(&mut parse);
            count += nodes(&tree);
            lap(&mut walk);
            drop((tree, parser));
            lap(&mut parse);
            std::hint::black_box(extractor.extract(language, name, &LineIndex::new(text)));
            lap(&mut extract);
            let analysis = Analyzer::new().analyze(name, text.clone().into_bytes(), &Limits::STANDARD);
            std::hint::black_box(analysis).ok();
            lap(&mut all);
            let sums = by_language.entry(language.name).or_default();
            *sums = (sums.0 + parse - before.0, sums.1 + all - before.1);
        }
        for (language, (parse, all)) in by_language {
            println!("{language:<12} parse {parse:>6.2} s, full analysis {all:>6.2} s: {:.2}", all / parse);
        }
        println!("walk {walk:.2} s, {count} nodes, {:.0} ns each", walk * 1e9 / count as f64);
        println!("parse {parse:.2} s, parse and extract {extract:.2} s, full analysis {all:.2} s: {:.2}", all / parse);
    }
}

/// The number of nodes of a tree whose kind id is not 0.
fn nodes(tree: &tree_sitter::Tree) -> u64 {
    let mut cursor = tree.walk();
    let mut count = 0;
    loop {
        count += u64::from(cursor.node().kind_id() > 0);
        if cursor.goto_first_child() {
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return count;
            }
        }
    }
}
