//! What servers answered when another index was built: its edges of the tier `server` become answers for the files that
//! are the same. An overlay gets them from the index below it.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use sextant_format::digest::Digest;
use sextant_format::generation::Generation;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::Tier;
use sextant_format::manifest::Manifest;
use sextant_format::tables::{FileRow, SymbolRow};
use sextant_resolve::{SymbolPath, SymbolTable};

use crate::walk::Repository;

/// What the manifest of an index records that takes the answers of another one: their digests, or the other's content id.
pub(crate) fn answers_below(base: &Manifest) -> BTreeMap<String, String> {
    let digest = |digest: &String| if digest.is_empty() { base.content_id.clone() } else { digest.clone() };
    base.server_answers.iter().map(|(language, answers)| (language.clone(), digest(answers))).collect()
}

/// Adds the answers of another index to the table, for files whose text is the same; returns their number.
///
/// # Errors
/// The index cannot be read.
pub(crate) fn answers_of_base(
    table: &mut SymbolTable,
    repositories: &[Repository],
    base: &Generation,
) -> anyhow::Result<usize> {
    if base.manifest().server_answers.is_empty() {
        return Ok(0);
    }
    let edges = base.edges()?;
    let edges = edges.rows(&edges.find::<Tier>("tier", |tier| *tier == Tier::Server)?)?;
    let targets = symbols_with_paths(base, edges.iter().filter_map(|edge| edge.target_id).collect())?;
    let mut files: Vec<FileId> = edges.iter().map(|edge| edge.file_id).collect();
    files.extend(targets.values().map(|(file, _)| *file));
    files.sort_unstable();
    files.dedup();
    let rows = base.file_rows()?.rows(&files)?;
    let own_files: FxHashMap<(&str, &str), FileId> = (0..table.file_count())
        .map(FileId::at)
        .map(|id| {
            let (repo, path, _) = table.file(id);
            ((repositories[repo as usize].name.as_str(), path), id)
        })
        .collect();
    let own: FxHashMap<FileId, (FileId, &FileRow)> = files
        .iter()
        .zip(&rows)
        .filter_map(|(id, row)| Some((*id, (*own_files.get(&(row.repo.as_str(), row.path.as_str()))?, row))))
        .collect();
    let is_same = |row: &FileRow| {
        let repository = repositories.iter().find(|repository| repository.name == row.repo);
        let bytes = repository.and_then(|repository| fs_err::read(repository.root.join(&row.path)).ok());
        bytes.is_some_and(|bytes| Digest::hash_bytes(&bytes) == row.content_hash)
    };
    let mut answers: BTreeMap<(FileId, u32, u32), Vec<SymbolId>> = BTreeMap::new();
    for in_file in edges.chunk_by(|a, b| a.file_id == b.file_id) {
        let Some((file, _)) = own.get(&in_file[0].file_id).filter(|(_, row)| is_same(row)) else { continue };
        for edge in in_file {
            let target = edge.target_id.and_then(|target| targets.get(&target));
            let found = target.and_then(|(target, path)| table.symbol_at_path(own.get(target)?.0, path));
            if let Some(found) = found {
                let targets = answers.entry((*file, edge.line, edge.column)).or_default();
                if !targets.contains(&found) {
                    targets.push(found);
                }
            }
        }
    }
    let count = answers.len();
    for ((file, line, column), targets) in answers {
        table.add_answer(file, line, column, &targets);
    }
    Ok(count)
}

/// The file of each symbol, and its name within the file.
fn symbols_with_paths(
    base: &Generation,
    mut ids: Vec<SymbolId>,
) -> anyhow::Result<FxHashMap<SymbolId, (FileId, SymbolPath)>> {
    ids.sort_unstable();
    ids.dedup();
    let symbols = base.symbols()?;
    let mut files: Vec<FileId> = symbols.column("file_id", &ids)?;
    files.sort_unstable();
    files.dedup();
    let rows = symbols.rows(&symbols.rows_of_files(&files)?)?;
    let by_id: FxHashMap<SymbolId, &SymbolRow> = rows.iter().map(|row| (row.symbol_id, row)).collect();
    let names = |row: &SymbolRow| -> Vec<String> {
        let mut names = Vec::new();
        let mut at = Some(row);
        while let Some(row) = at {
            if row.container_id.is_some() {
                names.push(row.name.clone());
            }
            // A container has a smaller id; a damaged index must not lead in a circle.
            at = row.container_id.filter(|&owner| owner < row.symbol_id).and_then(|owner| by_id.get(&owner).copied());
        }
        names.reverse();
        names
    };
    let mut counts: FxHashMap<(FileId, Vec<String>), usize> = FxHashMap::default();
    let mut found = FxHashMap::default();
    for row in &rows {
        let names = names(row);
        let count = counts.entry((row.file_id, names.clone())).or_default();
        if ids.binary_search(&row.symbol_id).is_ok() {
            found.insert(row.symbol_id, (row.file_id, SymbolPath { names, number: *count }));
        }
        *count += 1;
    }
    Ok(found)
}
