//! The index on disk: its files, its digests, and that it contains no path of the machine that built it.

use std::collections::BTreeSet;

use sextant_format::digest;
use sextant_format::manifest::MANIFEST;

use crate::harness::{Dir, POLYGLOT, walk};
use crate::tables::Tables;

#[test]
fn every_part_exists() {
    let dir = Dir::polyglot();
    let names = dir.names("index");
    let generation = &names[2];
    assert!(generation.starts_with("gen-000001-"), "{names:?}");
    assert_eq!(names, ["CURRENT", "LOCK", generation, "stamps"]);
    let generation = dir.generation();
    let parts: BTreeSet<String> =
        walk(&generation).into_iter().map(|(path, _)| path.split('/').next().unwrap().to_owned()).collect();
    let expected = [
        "build-info.json",
        "directory.parquet",
        "externals.parquet",
        "facts",
        "file_uses.arrow",
        "file_vectors.parquet",
        "files.parquet",
        "graph.arrow",
        "manifest.json",
        "model",
        "segments",
        "skipped.parquet",
        "text",
        "vectors.lance",
    ];
    assert_eq!(parts.iter().map(String::as_str).collect::<Vec<_>>(), expected);
}

#[test]
fn the_manifest_lists_every_file_with_its_digest() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    let manifest = tables.generation.manifest();
    let listed: Vec<&str> = manifest.files.iter().map(|entry| entry.path.as_str()).collect();
    let found = walk(tables.generation.root());
    let expected: Vec<&str> = found.iter().map(|(path, _)| path.as_str()).filter(|path| *path != MANIFEST).collect();
    assert_eq!(listed, expected);
    for entry in &manifest.files {
        let (digest, bytes) = digest::hash_file(&tables.generation.path(&entry.path)).unwrap();
        assert_eq!((digest.to_hex(), bytes), (entry.blake3.clone(), entry.bytes), "{}", entry.path);
    }
    for (path, rows) in [
        ("files.parquet", tables.files.len()),
        ("segments/000000/chunks.parquet", tables.chunks.len()),
        ("segments/000000/symbols.parquet", tables.symbols.len()),
        ("segments/000000/edges.parquet", tables.edges.len()),
        ("skipped.parquet", tables.skipped.len()),
    ] {
        let entry = manifest.files.iter().find(|entry| entry.path == path).unwrap();
        assert_eq!((entry.kind.as_str(), entry.rows), ("table", Some(rows as u64)), "{path}");
    }
    assert_eq!(manifest.content_id, manifest.compute_content_id());
    assert!(dir.generation().to_str().unwrap().ends_with(&manifest.content_id[..12]));
}

#[test]
fn both_programs_verify_it() {
    let dir = Dir::polyglot();
    let text = dir.cmd(&["verify", "--index", "index"]).run().code(0);
    assert!(text.stdout.ends_with(": intact\n"), "{}", text.all());
    let lean = dir.cmd(&["verify", "--index", "index", "--format", "json"]).run().code(0).json();
    let full = dir.index_cmd(&["verify", "index", "--json"]).run().code(0).json();
    let tables = Tables::open(&dir.index());
    for report in [&lean, &full] {
        assert_eq!(report["schema_version"], 1);
        assert_eq!(report["problems"], serde_json::json!([]));
        assert_eq!(report["content_id"], tables.generation.manifest().content_id.as_str());
        assert_eq!(report["files"], tables.generation.manifest().files.len());
    }
    // Only the program that links LanceDB reads the rows of its table.
    let vectors = tables.generation.vectors().unwrap().unwrap().rows() as u64;
    assert_eq!(full["rows"].as_u64().unwrap(), lean["rows"].as_u64().unwrap() + vectors);
}

#[test]
fn stats_report_its_contents() {
    let dir = Dir::polyglot();
    let stats = dir.cmd(&["stats", "--index", "index", "--format", "json"]).run().code(0).json();
    assert_eq!(stats["schema_version"], 1);
    for language in ["c", "cpp", "go", "java", "javascript", "markdown", "python", "rust", "text", "tsx", "typescript"]
    {
        assert_eq!(stats["languages"][language], 1, "{language}");
    }
    let text = dir.cmd(&["stats", "--index", "index"]).run().code(0);
    assert!(text.stdout.contains("repository   src"), "{}", text.all());
}

#[test]
fn paths_are_relative_to_their_repository() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    assert!(tables.files.iter().any(|file| file.path == "rust/stack.rs"));
    for file in &tables.files {
        assert!(!file.path.starts_with('/') && !file.path.contains("..") && !file.path.contains('\\'), "{}", file.path);
        assert_eq!(file.repo, "src");
    }
}

#[cfg(unix)]
#[test]
fn it_contains_no_path_of_the_machine() {
    let dir = Dir::with(POLYGLOT);
    // Skipped files record errors of the operating system, which often contain paths.
    std::os::unix::fs::symlink(dir.path("home"), dir.path("src/link")).unwrap();
    dir.write("src/binary.bin", b"a\0b");
    let absolute = format!("again={}", dir.path("src").display());
    dir.build(&["src", &absolute]).code(0);
    let place = dir.path("").to_str().unwrap().trim_end_matches('/').to_owned();
    for (path, absolute) in walk(&dir.index()) {
        let bytes = fs_err::read(absolute).unwrap();
        let found = bytes.windows(place.len()).any(|window| window == place.as_bytes());
        assert!(!found || path.ends_with("/build-info.json"), "{path} holds {place}");
    }
    // Tables are compressed, so their rows are searched instead of their bytes.
    let tables = Tables::open(&dir.index());
    let rows = format!("{:?}{:?}{:?}{:?}", tables.files, tables.chunks, tables.symbols, tables.skipped);
    assert!(rows.contains("link") && !rows.contains(&place), "a table holds {place}");
}

#[test]
fn chunks_symbols_and_vectors_are_consistent() {
    let dir = Dir::polyglot();
    let tables = Tables::open(&dir.index());
    for (row, chunk) in tables.chunks.iter().enumerate() {
        assert_eq!(chunk.chunk_id.index(), row);
        assert!(chunk.start_line <= chunk.end_line && chunk.start_byte < chunk.end_byte);
        assert!(chunk.parent_id.is_none_or(|parent| parent < chunk.chunk_id));
        assert_eq!(digest::Digest::hash_bytes(chunk.content.as_bytes()), chunk.content_hash);
        assert_eq!((&chunk.summary, &chunk.keywords, &chunk.purpose), (&None, &None, &None));
    }
    for symbol in &tables.symbols {
        let container = symbol.container_id.map(|id| &tables.symbols[id.index()]);
        assert!(
            container
                .is_none_or(|container| container.file_id == symbol.file_id || container.symbol_id != symbol.symbol_id)
        );
    }
    let vectors = tables.generation.vectors().unwrap().unwrap();
    for chunk in tables.chunks.iter().filter(|chunk| chunk.level == 1) {
        // Short chunks have no vector, unless they are documented.
        let lines = chunk.end_line - chunk.start_line + 1;
        let expected = match chunk.symbol_id.map(|id| &tables.symbols[id.index()]) {
            Some(symbol) => lines >= 7 || symbol.doc.is_some(),
            None => lines >= 12,
        };
        assert_eq!(vectors.row_of(chunk.chunk_id).is_some(), expected, "{chunk:?}");
    }
    assert!(vectors.rows() > 10 && vectors.rows() < tables.chunks.len());
}

#[test]
fn embedding_thresholds_are_options() {
    let dir = Dir::with(POLYGLOT);
    dir.build(&["src", "--vector-symbol-lines", "0", "--vector-code-lines", "0"]).code(0);
    let tables = Tables::open(&dir.index());
    let vectors = tables.generation.vectors().unwrap().unwrap();
    assert_eq!(vectors.rows(), tables.chunks.iter().filter(|chunk| chunk.level == 1).count());
    dir.assert_whole();
}
