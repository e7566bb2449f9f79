//! A file with the callees and callers of its symbols: the context for changing it.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::EdgeRow;

use super::definition::{Definition, read_definitions};
use super::imports::imports;
use super::lookup::file_symbols;
use super::navigator::Navigator;
use super::outline::outline_of;
use super::reach::{ReachedSymbol, TraversalOptions};
use super::relation::Relation;
use crate::Result;
use crate::history::FileHistory;

/// Unresolved names that are listed for one symbol.
const MAX_UNRESOLVED_NAMES: usize = 20;

/// A file with its context.
#[derive(Clone, Debug, PartialEq)]
pub struct Context {
    /// The repository.
    pub repo: String,
    /// Path relative to the repository's root.
    pub path: String,
    /// The language.
    pub language: String,
    /// Lines of the file.
    pub lines: u32,
    /// Paths of the files that it imports, as far as the index contains them.
    pub imports: Vec<String>,
    /// Paths of the files that import it.
    pub imported_by: Vec<String>,
    /// Its symbols in the order of the text.
    pub symbols: Vec<ContextSymbol>,
    /// Uses whose target is known.
    pub resolved: usize,
    /// Uses whose target is one of several candidates.
    pub ambiguous: usize,
    /// Uses whose target is defined outside the index.
    pub external: usize,
    /// Uses whose target was not found.
    pub unresolved: usize,
    /// What commits say about it; none if the index has no history of its repository.
    pub history: Option<FileHistory>,
}

/// A symbol of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextSymbol {
    /// The symbol.
    pub definition: Definition,
    /// The number of owners around it within the file.
    pub depth: u32,
    /// Its callees up to the requested depth, nearest first.
    pub calls: Vec<ReachedSymbol>,
    /// Whether it has more callees.
    pub has_more_calls: bool,
    /// Its callers up to the requested depth, nearest first.
    pub callers: Vec<ReachedSymbol>,
    /// Whether it has more callers.
    pub has_more_callers: bool,
    /// Names that it uses and the index does not define, as written.
    pub unresolved_names: Vec<String>,
}

impl Navigator<'_> {
    /// Returns the context of the file whose path ends with `path`; `None` if there is no such file. `walk` limits the
    /// depth, the confidence and the number of the calls of each symbol; without it, there are no symbols. At most
    /// `commits` commits are listed.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn context(&self, path: &str, walk: Option<TraversalOptions>, commits: usize) -> Result<Option<Context>> {
        let Some(file) = file_symbols(self.index, path)?.into_iter().min_by_key(|d| (d.path.len(), d.symbol_id)) else {
            return Ok(None);
        };
        let rows = self.index.symbol_rows()?.column::<FileId>("file_id", &[file.symbol_id])?;
        let file_id = rows.first().copied().unwrap_or_default();
        let edges = self.index.edge_rows()?;
        let edges: Vec<EdgeRow> = edges.rows(&edges.rows_of_files(&[file_id])?)?;
        let mut unresolved_names: BTreeMap<SymbolId, BTreeSet<String>> = BTreeMap::new();
        let mut use_sites: BTreeMap<(u32, u32, EdgeKind), Tier> = BTreeMap::new();
        for row in edges.iter().filter(|row| row.kind.is_use()) {
            use_sites.insert((row.line, row.column, row.kind), row.tier);
            if matches!(row.tier, Tier::Unresolved | Tier::External) {
                unresolved_names.entry(row.source_id).or_default().insert(row.target_name.clone().into_owned());
            }
        }
        let count_with = |wanted: &[Tier]| use_sites.values().filter(|tier| wanted.contains(tier)).count();
        let (ambiguous, external, unresolved) =
            (count_with(&[Tier::Ambiguous]), count_with(&[Tier::External]), count_with(&[Tier::Unresolved]));
        let outline =
            walk.map(|walk| Ok::<_, crate::Error>((walk, outline_of(self.index, &file)?.symbols))).transpose()?;
        let mut symbols = Vec::new();
        if let Some((walk, outline)) = outline {
            let ids: Vec<Vec<SymbolId>> = outline.iter().map(|symbol| vec![symbol.definition.symbol_id]).collect();
            let calls = self.reach_each(&ids, Relation::Callees, walk)?;
            let callers = self.reach_each(&ids, Relation::Callers, walk)?;
            let around = calls.into_iter().zip(callers);
            for (symbol, ((calls, has_more_calls), (callers, has_more_callers))) in outline.into_iter().zip(around) {
                let names = unresolved_names.remove(&symbol.definition.symbol_id).unwrap_or_default();
                symbols.push(ContextSymbol {
                    definition: symbol.definition,
                    depth: symbol.depth,
                    calls,
                    has_more_calls,
                    callers,
                    has_more_callers,
                    unresolved_names: names.into_iter().take(MAX_UNRESOLVED_NAMES).collect(),
                });
            }
        }
        let file_rows = self.index.file_rows()?.rows(&[file_id])?;
        let (imports, imported_by) = self.imports_of(file.symbol_id)?;
        Ok(Some(Context {
            history: self.index.history()?.of_file(&file.repo, &file.path, commits),
            repo: file.repo,
            path: file.path,
            language: file_rows.first().map_or_else(String::new, |row| row.language.clone()),
            lines: file_rows.first().map_or(0, |row| row.lines),
            imports,
            imported_by,
            symbols,
            resolved: use_sites.len() - ambiguous - external - unresolved,
            ambiguous,
            external,
            unresolved,
        }))
    }

    /// Returns the paths of the files that a file imports, and of those that import it.
    fn imports_of(&self, file: SymbolId) -> Result<(Vec<String>, Vec<String>)> {
        let files = imports(self.index.graph()?, file);
        let files_where = |imported: bool| -> FxHashSet<SymbolId> {
            files.iter().filter(|(_, is_imported)| *is_imported == imported).map(|(file, _)| *file).collect()
        };
        let paths = |ids: FxHashSet<SymbolId>| -> Result<Vec<String>> {
            let mut ids: Vec<SymbolId> = ids.into_iter().collect();
            ids.sort_unstable();
            Ok(read_definitions(self.index, &ids)?.into_iter().map(|d| d.path).collect())
        };
        Ok((paths(files_where(true))?, paths(files_where(false))?))
    }
}
