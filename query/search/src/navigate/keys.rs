//! Keys of symbols and chunks, as answers print them, back to rows. See [`symbol_key`](sextant_format::names::symbol_key).

use sextant_format::ids::{ChunkId, FileId, SymbolId};
use sextant_format::names::split_ordinal;

use crate::paths::chunks_of_files;
use crate::{Index, Result};

/// The symbols with a key: one, or all of this name in the file if the key does not say which of them it means.
pub(crate) fn symbols_of_key(index: &Index, key: &str) -> Result<Vec<SymbolId>> {
    for (at, _) in key.match_indices(':') {
        let (path, name) = (&key[..at], &key[at + 1..]);
        // `::` is part of a name.
        if path.ends_with(':') || name.starts_with(':') || name.is_empty() {
            continue;
        }
        if let Some(file) = file_at(index, path)? {
            return symbols_named(index, file, name);
        }
    }
    Ok(Vec::new())
}

/// Finds the chunk with a key. Returns `None` if the text is not the key of a chunk, or the index has no chunk with it.
pub(crate) fn chunk_of_key(index: &Index, key: &str) -> Result<Option<ChunkId>> {
    let (owner, Some(ordinal)) = split_ordinal(key, '@') else { return Ok(None) };
    let symbols = symbols_of_key(index, owner)?;
    let (file, symbol) = match (symbols.as_slice(), file_at(index, owner)?) {
        ([symbol], _) => {
            let chunk = index.symbols()?.catalog.chunk(*symbol);
            let file = chunk.map(|chunk| index.chunks()?.catalog.info(chunk)).transpose()?.map(|info| info.file_id);
            (file, Some(*symbol))
        }
        ([], Some(file)) => (Some(file), None),
        _ => (None, None),
    };
    let Some(file) = file else { return Ok(None) };
    let rows = index.chunk_rows()?;
    let own = rows.rows_of_files(&[file])?;
    let owners: Vec<Option<SymbolId>> = rows.column("symbol_id", &own)?;
    let ordinals: Vec<u32> = rows.column("ordinal", &own)?;
    let found = own.iter().zip(owners.iter().zip(&ordinals));
    Ok(found.into_iter().find(|(_, (owner, own))| (**owner, **own) == (symbol, ordinal)).map(|(chunk, _)| *chunk))
}

/// The file with exactly this path, with its repository in front.
pub(super) fn file_at(index: &Index, path: &str) -> Result<Option<FileId>> {
    let catalog = &index.chunks()?.catalog;
    for repository in &index.generation().manifest().repositories {
        let Some(path) = path.strip_prefix(&repository.name).and_then(|rest| rest.strip_prefix('/')) else { continue };
        for info in chunks_of_files(index, &[path.to_owned()])? {
            if catalog.repo_and_language(info.chunk_id)?.0 == repository.name {
                return Ok(Some(info.file_id));
            }
        }
    }
    Ok(None)
}

/// The symbols of a file with exactly this qualified name, behind which `~n` may be written.
fn symbols_named(index: &Index, file: FileId, name: &str) -> Result<Vec<SymbolId>> {
    let rows = index.symbol_rows()?;
    let own = rows.rows_of_files(&[file])?;
    let names: Vec<String> = rows.column("qualified_name", &own)?;
    let with_name = |name: &str| -> Vec<SymbolId> {
        own.iter().zip(&names).filter(|(_, own)| *own == name).map(|(symbol, _)| *symbol).collect()
    };
    let mut found = with_name(name);
    if let ((name, Some(ordinal)), true) = (split_ordinal(name, '~'), found.is_empty()) {
        // Where a namesake went away, the other one is meant.
        found = with_name(name);
        let nth = usize::try_from(ordinal).ok().and_then(|ordinal| found.get(ordinal.checked_sub(1)?).copied());
        found = nth.into_iter().collect();
    }
    Ok(found)
}
