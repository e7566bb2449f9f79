//! What is at a place of a file: the file by its exact path, the symbols around its lines, the uses that it contains.

use std::collections::BTreeMap;

use sextant_format::graph::Neighbour;
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_format::tables::{EdgeRow, FileRow, SymbolRow};
use tantivy::Term;
use tantivy::query::TermQuery;
use tantivy::schema::IndexRecordOption;

use super::navigator::Navigator;
use super::references::UseFilter;
use super::relation::Relation;
use crate::paths::chunks_of_files;
use crate::{Error, PathGlobs, Result};

impl Navigator<'_> {
    /// Returns the files with exactly this path, one for each repository that has it.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn files(&self, path: &str) -> Result<Vec<FileRow>> {
        let symbols = self.index.symbols()?;
        let name = path.rsplit('/').next().unwrap_or(path).to_lowercase();
        let query = TermQuery::new(Term::from_field_text(symbols.fields.name, &name), IndexRecordOption::Basic);
        let mut ids = symbols.rows(&query)?;
        ids.retain(|&id| symbols.catalog.kind(id) == Some(Kind::File));
        let files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", &ids)?;
        let mut rows = self.index.file_rows()?.rows(&files)?;
        rows.retain(|row| row.path == path);
        Ok(rows)
    }

    /// Returns the files with exactly these paths that have a chunk, of all repositories, by id.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn files_at(&self, paths: &[String]) -> Result<Vec<FileRow>> {
        let mut ids: Vec<FileId> = chunks_of_files(self.index, paths)?.into_iter().map(|info| info.file_id).collect();
        ids.sort_unstable();
        ids.dedup();
        self.file_rows(&ids)
    }

    /// The same paths as globs; the name of a folder or file at the root of a repository means that one, as a shell means it,
    /// and not those of its name in other folders.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn at_root(&self, paths: &[String]) -> Result<Vec<String>> {
        let is_name = |path: &&String| !path.trim_end_matches('/').contains(['/', '*', '?', '[', '{']);
        if !paths.iter().any(|path| is_name(&path)) {
            return Ok(paths.to_vec());
        }
        let files = self.index.file_rows()?;
        let mut globs = Vec::with_capacity(paths.len());
        for path in paths {
            let name = path.trim_end_matches('/');
            let is_here =
                |file: &String| file.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
            let is_at_root = is_name(&path) && !files.find::<String>("path", is_here)?.is_empty();
            globs.push(if is_at_root { format!("./{name}") } else { path.clone() });
        }
        Ok(globs)
    }

    /// Returns a file by its id.
    ///
    /// # Errors
    /// There is no such file, or the index is damaged.
    pub fn file_row(&self, file: FileId) -> Result<FileRow> {
        let row = self.index.file_rows()?.rows(&[file])?.pop();
        row.ok_or_else(|| Error::Argument(format!("there is no file {file}")))
    }

    /// Returns the rows of files, whose ids are ascending.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn file_rows(&self, files: &[FileId]) -> Result<Vec<FileRow>> {
        Ok(self.index.file_rows()?.rows(files)?)
    }

    /// Returns the paths of at most `limit` files of a repository, spread evenly over it.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn some_files(&self, repo: &str, limit: usize) -> Result<Vec<String>> {
        let files = self.index.file_rows()?;
        let ids = files.find::<String>("repo", |name| name == repo)?;
        let step = ids.len().div_ceil(limit.max(1)).max(1);
        Ok(files.column("path", &ids.into_iter().step_by(step).collect::<Vec<_>>())?)
    }

    /// Returns one file of a language in each repository that has one.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn a_file_of_each_repository(&self, language: &str) -> Result<Vec<FileRow>> {
        let files = self.index.file_rows()?;
        let ids = files.find::<String>("language", |name| name == language)?;
        let mut of_repositories: BTreeMap<String, FileId> = BTreeMap::new();
        for (repo, id) in files.column::<String>("repo", &ids)?.into_iter().zip(ids) {
            of_repositories.entry(repo).or_insert(id);
        }
        let mut ids: Vec<FileId> = of_repositories.into_values().collect();
        ids.sort_unstable();
        Ok(files.rows(&ids)?)
    }

    /// Returns the symbols of a file, without the file's own, by line.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn symbols_of(&self, file: FileId) -> Result<Vec<SymbolRow>> {
        let symbols = self.index.symbol_rows()?;
        let mut rows = symbols.rows(&symbols.rows_of_files(&[file])?)?;
        rows.retain(|row| row.kind != Kind::File);
        rows.sort_by_key(|row| (row.start_line, std::cmp::Reverse(row.end_line), row.symbol_id));
        Ok(rows)
    }

    /// Returns the uses in a file whose targets are known, in the order of the text.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn uses_in(&self, file: FileId) -> Result<Vec<EdgeRow>> {
        let edges = self.index.edge_rows()?;
        let mut rows = edges.rows(&edges.rows_of_files(&[file])?)?;
        rows.retain(|row| row.target_id.is_some() && row.kind.is_use());
        rows.sort_by_key(|row| (row.line, row.column));
        Ok(rows)
    }

    /// Returns the rows of symbols, in the order of their ids.
    ///
    /// # Errors
    /// There is no such symbol, or the index is damaged.
    pub fn symbol_rows(&self, ids: &[SymbolId]) -> Result<Vec<SymbolRow>> {
        Ok(self.index.symbol_rows()?.rows(ids)?)
    }

    /// Returns the uses of symbols with at least this confidence, in the order of the index.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn uses_of(&self, symbols: &[SymbolId], min_confidence: f32) -> Result<Vec<EdgeRow>> {
        let filter =
            UseFilter { kinds: Vec::new(), min_confidence, paths: PathGlobs::default(), limit: usize::MAX, context: 0 };
        let mut rows = self.use_rows(symbols, &filter)?;
        rows.sort_by_key(|row| (row.file_id, row.line, row.column));
        rows.dedup_by_key(|row| (row.file_id, row.line, row.column));
        Ok(rows)
    }

    /// Returns the symbols with an edge of one of these kinds to a symbol, ascending.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn users_by(&self, symbol: SymbolId, kinds: &[EdgeKind], min_confidence: f32) -> Result<Vec<SymbolId>> {
        Ok(ends(self.index.graph()?.in_edges(symbol), kinds, min_confidence))
    }

    /// Returns the symbols that an edge of one of these kinds leads to from a symbol, ascending.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn used_by(&self, symbol: SymbolId, kinds: &[EdgeKind], min_confidence: f32) -> Result<Vec<SymbolId>> {
        Ok(ends(self.index.graph()?.out_edges(symbol), kinds, min_confidence))
    }

    /// Returns the symbols outside of its own file that call a symbol with at least this confidence, those of tests last,
    /// else in the order of the index.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn callers_in_other_files(&self, symbol: &SymbolRow, min_confidence: f32) -> Result<Vec<SymbolId>> {
        let graph = self.index.graph()?;
        let calls = graph.in_edges(symbol.symbol_id).filter(|edge| Relation::Callers.follows(edge.kind));
        let (symbols, chunks) = (&self.index.symbols()?.catalog, &self.index.chunks()?.catalog);
        let mut elsewhere = Vec::new();
        let mut without_chunk = Vec::new();
        for id in ends(calls, EdgeKind::ALL, min_confidence) {
            match symbols.chunk(id) {
                Some(chunk) => {
                    let info = chunks.info(chunk)?;
                    elsewhere.extend((info.file_id != symbol.file_id).then_some((info.is_test, id)));
                }
                None => without_chunk.push(id),
            }
        }
        let files: Vec<FileId> = self.index.symbol_rows()?.column("file_id", &without_chunk)?;
        let others = without_chunk.into_iter().zip(files).filter(|&(_, file)| file != symbol.file_id);
        elsewhere.extend(others.map(|(id, _)| (false, id)));
        elsewhere.sort_unstable();
        Ok(elsewhere.into_iter().map(|(_, id)| id).collect())
    }
}

/// The other ends of edges, ascending.
fn ends(edges: impl Iterator<Item = Neighbour>, kinds: &[EdgeKind], min_confidence: f32) -> Vec<SymbolId> {
    let wanted = edges.filter(|edge| kinds.contains(&edge.kind) && edge.confidence >= min_confidence);
    let mut ids: Vec<SymbolId> = wanted.map(|edge| edge.node).collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}
