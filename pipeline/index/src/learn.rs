//! Learns the macros of each repository from its files, before they are parsed. Must not know what a macro means.

use rayon::prelude::*;
use sextant_format::digest::{Digest, RowHasher};
use sextant_syntax::language::{self, LANGUAGES};
use sextant_syntax::learn::FileMacros;
use sextant_syntax::macros::MacroTable;
use sextant_syntax::{analyze, text};

use crate::model::Source;
use crate::read;

/// The macros of each repository, by its index in the build.
pub(crate) struct LearntMacros {
    tables: Vec<MacroTable>,
    none: MacroTable,
}

impl LearntMacros {
    /// Reads the files that may define macros. If `stop` returns true, the result is incomplete.
    pub(crate) fn learn(
        sources: &[Source],
        repositories: usize,
        max_file_bytes: u64,
        stop: impl Fn() -> bool + Sync,
    ) -> Self {
        let learn = |repo: usize| {
            let files: Vec<FileMacros> = sources
                .par_iter()
                .filter(|source| source.repo as usize == repo && may_define_macros(&source.path) && !stop())
                .filter_map(|source| {
                    let text = text::decode(read::read(source, max_file_bytes).ok()?).ok()?.text;
                    let language = language::detect(analyze::file_name(&source.path), &text)?;
                    language.has_preprocessor.then(|| FileMacros::read(&source.path, &text, language))
                })
                .collect();
            if stop() { MacroTable::default() } else { MacroTable::learn(&files) }
        };
        Self { tables: (0..repositories).map(learn).collect(), none: MacroTable::default() }
    }

    /// The macros that a file of a repository sees.
    pub(crate) fn of(&self, source: &Source) -> &MacroTable {
        self.tables.get(source.repo as usize).filter(|_| may_define_macros(&source.path)).unwrap_or(&self.none)
    }

    /// The digest of all macros; none if there are none.
    pub(crate) fn digest(&self) -> Option<Digest> {
        if self.tables.iter().all(MacroTable::is_empty) {
            return None;
        }
        let mut hasher = RowHasher::default();
        for table in &self.tables {
            hasher.fixed(&table.digest().0);
        }
        hasher.end_row();
        Some(hasher.finish())
    }
}

/// Whether a file is in a language with a preprocessor, by its name.
fn may_define_macros(path: &str) -> bool {
    let extension = path.rsplit_once('.').map_or("", |(_, extension)| extension);
    let has = |list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(extension));
    LANGUAGES
        .iter()
        .filter(|language| language.has_preprocessor)
        .any(|language| has(language.extensions) || has(language.shared_extensions))
}
