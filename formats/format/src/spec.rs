//! Compares `SPEC.md` with the code: it must contain each table and each vocabulary word for word.

use std::fmt::Write;

use crate::kinds::{EdgeKind, Kind, ParseStatus, SkipReason, Tier};
use crate::tables::{
    ChunkRow, DirectoryRow, EdgeRow, ExternalRow, FileRow, FileVectorRow, HistoryRow, Row, SkippedRow, SymbolRow,
};
use crate::version::{FEATURE_VERSION, FORMAT_VERSION};

fn table<R: Row>() -> String {
    let mut out = "| column | type | null | meaning |\n|---|---|---|---|\n".to_owned();
    for column in R::COLUMNS {
        let null = if column.nullable { "yes" } else { "no" };
        let _ = writeln!(out, "| `{}` | {} | {null} | {} |", column.name, column.type_name, column.doc);
    }
    out
}

fn words(words: impl Iterator<Item = &'static str>) -> String {
    words.map(|word| format!("`{word}`")).collect::<Vec<_>>().join(" ")
}

/// The expected texts, each with the heading of its section.
fn expected() -> Vec<(&'static str, String)> {
    vec![
        ("### files.parquet", table::<FileRow>()),
        ("### chunks.parquet", table::<ChunkRow>()),
        ("### symbols.parquet", table::<SymbolRow>()),
        ("### edges.parquet", table::<EdgeRow>()),
        ("### externals.parquet", table::<ExternalRow>()),
        ("### skipped.parquet", table::<SkippedRow>()),
        ("### file_vectors.parquet", table::<FileVectorRow>()),
        ("### history.parquet", table::<HistoryRow>()),
        ("### directory.parquet", table::<DirectoryRow>()),
        ("### kind", words(Kind::ALL.iter().map(|w| w.as_str()))),
        ("### edge kind", words(EdgeKind::ALL.iter().map(|w| w.as_str()))),
        ("### tier", words(Tier::ALL.iter().map(|w| w.as_str()))),
        ("### parse_status", words(ParseStatus::ALL.iter().map(|w| w.as_str()))),
        ("### skip reason", words(SkipReason::ALL.iter().map(|w| w.as_str()))),
        ("## Versions", format!("`FORMAT_VERSION` is {FORMAT_VERSION}, `FEATURE_VERSION` is {FEATURE_VERSION}.")),
    ]
}

#[test]
fn the_specification_matches_the_schemas() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../SPEC.md");
    let spec = fs_err::read_to_string(&path).unwrap();
    for (heading, text) in expected() {
        let section = spec.split(&format!("{heading}\n")).nth(1).unwrap_or_else(|| panic!("no heading '{heading}'"));
        let level = heading.split(' ').next().unwrap();
        let end = section.find(&format!("\n{level} ")).unwrap_or(section.len());
        assert!(section[..end].contains(text.trim_end()), "under '{heading}' SPEC.md must contain:\n\n{text}");
    }
}
