//! Reads the published rows.

use std::collections::BTreeMap;
use std::path::Path;

use sextant_format::generation::Generation;
use sextant_format::ids::RowId as _;
use sextant_format::segments::Rows;
use sextant_format::tables::{ChunkRow, EdgeRow, ExternalRow, FileRow, Row, SkippedRow, SymbolRow, TableReader};

/// All rows of an index.
pub(crate) struct Tables {
    pub(crate) generation: Generation,
    pub(crate) files: Vec<FileRow>,
    pub(crate) chunks: Vec<ChunkRow>,
    pub(crate) symbols: Vec<SymbolRow>,
    pub(crate) edges: Vec<EdgeRow>,
    pub(crate) externals: Vec<ExternalRow>,
    pub(crate) skipped: Vec<SkippedRow>,
}

impl Tables {
    pub(crate) fn open(index: &Path) -> Self {
        fn rows<R: Row>(generation: &Generation) -> Vec<R> {
            TableReader::read_all(&generation.table(R::TABLE)).unwrap()
        }
        fn all<R: Row>(rows: &Rows<R>) -> Vec<R> {
            let ids: Vec<R::Id> = (0..rows.len()).map(|n| R::Id::from_row(u32::try_from(n).unwrap())).collect();
            rows.rows(&ids).unwrap()
        }
        let generation = Generation::open(index).unwrap();
        let mut externals: Vec<ExternalRow> = rows(&generation);
        let mut edges: Vec<EdgeRow> = all(&generation.edges().unwrap());
        // What an edge is does not depend on how external symbols are numbered, nor on where it is stored.
        externals.sort_by(|a, b| (&a.family, &a.name).cmp(&(&b.family, &b.name)));
        let numbers: BTreeMap<u32, u32> =
            (0..).zip(&mut externals).map(|(n, row)| (std::mem::replace(&mut row.external_id, n), n)).collect();
        for edge in &mut edges {
            edge.external_id = edge.external_id.map(|id| numbers[&id]);
            edge.first_edge = 0;
        }
        Self {
            files: generation.files().unwrap(),
            chunks: all(&generation.chunks().unwrap()),
            symbols: all(&generation.symbols().unwrap()),
            edges,
            externals,
            skipped: rows(&generation),
            generation,
        }
    }

    /// Returns the paths of the indexed files with their repositories, `repo/path`.
    pub(crate) fn paths(&self) -> Vec<String> {
        self.files.iter().map(|file| format!("{}/{}", file.repo, file.path)).collect()
    }

    /// Returns the skipped paths and their reasons, `path reason`.
    pub(crate) fn skips(&self) -> Vec<String> {
        self.skipped.iter().map(|row| format!("{} {}", row.path, row.reason)).collect()
    }

    /// Returns the symbol with a qualified name in a file.
    #[track_caller]
    pub(crate) fn symbol(&self, path: &str, qualified_name: &str) -> &SymbolRow {
        let of_file = |symbol: &&SymbolRow| self.files[symbol.file_id.index()].path == path;
        self.symbols
            .iter()
            .filter(of_file)
            .find(|symbol| symbol.qualified_name == qualified_name)
            .unwrap_or_else(|| panic!("no {qualified_name} in {path}: {:#?}", self.names(path)))
    }

    /// Returns kind and qualified name of a file's symbols in order, except for the file itself.
    pub(crate) fn names(&self, path: &str) -> Vec<String> {
        self.symbols
            .iter()
            .filter(|symbol| self.files[symbol.file_id.index()].path == path && symbol.container_id.is_some())
            .map(|symbol| format!("{} {}", symbol.kind, symbol.qualified_name))
            .collect()
    }

    /// Returns the chunk of a symbol.
    #[track_caller]
    pub(crate) fn chunk_of(&self, path: &str, qualified_name: &str) -> &ChunkRow {
        let symbol = self.symbol(path, qualified_name);
        let is_it = |chunk: &&ChunkRow| chunk.symbol_id == Some(symbol.symbol_id) && chunk.level == 1;
        self.chunks.iter().find(is_it).unwrap_or_else(|| panic!("no chunk for {qualified_name} in {path}"))
    }

    /// Returns the edges of a file as `line kind name -> target (tier)`; a target in another file includes its path.
    pub(crate) fn edges(&self, path: &str) -> Vec<String> {
        self.edges
            .iter()
            .filter(|edge| self.files[edge.file_id.index()].path == path)
            .map(|edge| self.edge(edge))
            .collect()
    }

    fn edge(&self, edge: &EdgeRow) -> String {
        let target = edge.target_id.map_or_else(
            || edge.external_id.map_or("?".to_owned(), |id| self.externals[id as usize].name.clone()),
            |id| {
                let symbol = &self.symbols[id.index()];
                let place = &self.files[symbol.file_id.index()].path;
                if symbol.container_id.is_none() {
                    place.clone()
                } else if symbol.file_id == edge.file_id {
                    symbol.qualified_name.clone()
                } else {
                    format!("{place} {}", symbol.qualified_name)
                }
            },
        );
        format!("{} {} {} -> {target} ({})", edge.line, edge.kind, edge.target_name, edge.tier)
    }
}
