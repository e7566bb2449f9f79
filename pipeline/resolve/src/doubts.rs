//! References in doubt, for a language server to be asked about, and names for symbols that hold from one build to the
//! next.
//!
//! Must not know how servers are asked.

use sextant_format::ids::{FileId, SymbolId};
use sextant_format::keys::ShortHash;
use sextant_format::kinds::{EdgeKind, Tier};
use sextant_format::tables::BorrowedEdgeRow;

use crate::error::{Error, Result};
use crate::run::EdgeSink;
use crate::table::SymbolTable;

/// Below this confidence a reference is in doubt: its name is all that rules know.
const DOUBT: f32 = 0.8;

/// A reference whose target rules do not know for sure.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Doubt {
    /// Its file.
    pub file: FileId,
    /// Its line, from 1.
    pub line: u32,
    /// Its column in bytes, from 0.
    pub column: u32,
    /// Its name.
    pub name: String,
}

/// A symbol's name within its file, which holds as long as the symbol is there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SymbolPath {
    /// The names of the symbols around it, outer ones first, and its own.
    pub names: Vec<String>,
    /// Its number among the symbols of the file that have the same names, from 0.
    pub number: usize,
}

/// Collects the doubts among edges.
struct Doubts {
    /// For each file, whether its language is asked about.
    is_asked: Vec<bool>,
    doubts: Vec<Doubt>,
}

impl EdgeSink<'_, Error> for Doubts {
    fn push(&mut self, edge: BorrowedEdgeRow<'_>, _: Option<ShortHash>) -> Result<()> {
        let is_written = edge.kind.is_use() && edge.kind != EdgeKind::Reference;
        let is_known = edge.confidence >= DOUBT || matches!(edge.tier, Tier::External | Tier::Dependency);
        if is_written && !is_known && self.is_asked[edge.file_id.index()] {
            let (file, line, column) = (edge.file_id, edge.line, edge.column);
            self.doubts.push(Doubt { file, line, column, name: edge.target_name.into_owned() });
        }
        Ok(())
    }

    fn can_keep(&self, _: FileId) -> bool {
        false
    }

    fn keep(&mut self, _: FileId, _: &[(Tier, u32)], _: bool) -> Result<()> {
        Ok(())
    }
}

impl SymbolTable {
    /// Returns the references in files of some languages that rules do not resolve, or only by a name, in the order of
    /// the files. This is a whole resolution whose edges are dropped.
    ///
    /// # Errors
    /// The references of a file made a worker panic.
    pub fn doubts(
        &mut self,
        is_asked: impl Fn(&str) -> bool,
        threads: usize,
        stop: impl Fn() -> bool + Sync,
    ) -> Result<Vec<Doubt>> {
        let is_asked: Vec<bool> =
            self.files.iter().map(|file| file.language.is_some_and(|language| is_asked(language.name))).collect();
        let mut found = Doubts { is_asked, doubts: Vec::new() };
        self.resolve(threads, stop, None, &mut found)?;
        let mut doubts = found.doubts;
        doubts.sort();
        doubts.dedup();
        Ok(doubts)
    }

    /// The repository's number, the path and the language of a file.
    #[must_use]
    pub fn file(&self, file: FileId) -> (u32, &str, &'static str) {
        let info = &self.files[file.index()];
        (info.repo, &info.path, info.language.map_or("", |language| language.name))
    }

    /// The number of files.
    #[must_use]
    pub fn file_count(&self) -> usize {
        self.files.len()
    }

    /// The symbols of a file.
    pub(crate) fn symbols_of(&self, file: FileId) -> impl Iterator<Item = SymbolId> + Clone {
        let first = self.files[file.index()].first_symbol;
        let end = self.files.get(file.index() + 1).map_or(self.symbols.len(), |next| next.first_symbol.index());
        (first.index()..end).map(SymbolId::at)
    }

    /// The symbol whose name is at a place; else the only symbol of this name that has it on this line.
    #[must_use]
    pub fn symbol_named_at(&self, file: FileId, line: u32, column: u32, name: &str) -> Option<SymbolId> {
        let on_line = self.symbols_of(file).filter(|id| {
            let symbol = &self.symbols[id.index()];
            symbol.line == line && symbol.container.is_some()
        });
        if let Some(exact) = on_line.clone().find(|id| self.symbols[id.index()].column == column) {
            return Some(exact);
        }
        let mut named = on_line.filter(|id| self.names.text(self.symbols[id.index()].name) == name);
        named.next().filter(|_| named.next().is_none())
    }

    /// Whether a symbol has a body, as opposed to a declaration.
    #[must_use]
    pub fn has_body(&self, symbol: SymbolId) -> bool {
        self.symbols[symbol.index()].has_body
    }

    /// The file of a symbol, and its name within the file.
    #[must_use]
    pub fn path_of(&self, symbol: SymbolId) -> (FileId, SymbolPath) {
        let file = self.symbols[symbol.index()].file;
        let names = self.names_of(symbol);
        let name = self.symbols[symbol.index()].name;
        let before = self.symbols_of(file).take_while(|&other| other != symbol);
        let is_alike = |other: &SymbolId| self.symbols[other.index()].name == name && self.names_of(*other) == names;
        let number = before.filter(is_alike).count();
        (file, SymbolPath { names, number })
    }

    /// The symbol of a file with a name; `None` if there is none any more.
    #[must_use]
    pub fn symbol_at_path(&self, file: FileId, path: &SymbolPath) -> Option<SymbolId> {
        let last = path.names.last()?;
        let named = self.symbols_of(file).filter(|id| self.names.text(self.symbols[id.index()].name) == last);
        named.filter(|&id| self.names_of(id) == path.names).nth(path.number)
    }

    fn names_of(&self, symbol: SymbolId) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = Some(symbol);
        while let Some(id) = at {
            let symbol = &self.symbols[id.index()];
            if symbol.container.is_some() {
                names.push(self.names.text(symbol.name).to_owned());
            }
            at = symbol.container;
        }
        names.reverse();
        names
    }

    /// Adds what a server answered about the reference at a place: the symbols, or none if it is defined outside of the
    /// index.
    pub fn add_answer(&mut self, file: FileId, line: u32, column: u32, targets: &[SymbolId]) {
        self.answers.targets.insert((file, line, column), targets.into());
    }
}
