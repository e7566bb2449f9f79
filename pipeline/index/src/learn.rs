//! Learns the macros of each repository from its files, before they are parsed. Must not know what a macro means.
//!
//! What is learnt follows from what each file says about macros. Where that is the same in all files as in an earlier
//! build, so is what was learnt, and only files that differ are read.

use std::path::Path;

use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};
use sextant_format::digest::{Digest, RowHasher};
use sextant_format::generation::{Generation, part};
use sextant_format::keys::{ShortHash, file_key};
use sextant_format::tables::FileRow;
use sextant_format::version::FEATURE_VERSION;
use sextant_syntax::language::{self, LANGUAGES};
use sextant_syntax::learn::FileMacros;
use sextant_syntax::macros::{MacroDifference, MacroTable};
use sextant_syntax::{analyze, text};
use sextant_writer::check_files;

use crate::changes::{PathState, Paths};
use crate::model::Source;
use crate::read;

/// The macros of each repository, by its index in the build.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct LearntMacros {
    features: u32,
    /// The names of the repositories.
    repositories: Vec<String>,
    tables: Vec<MacroTable>,
    /// What the tables were learnt from, by the keys of files.
    files: FxHashMap<ShortHash, LearntFile>,
    #[serde(skip)]
    none: MacroTable,
}

/// Which macros are not those of an earlier build.
pub(crate) enum ChangedMacros {
    /// What differs in each repository.
    Differences(Vec<MacroDifference>),
    /// Any may be another one.
    Unknown,
}

/// A file from which macros were learnt.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct LearntFile {
    /// The hash of its bytes.
    content: [u8; 32],
    /// The hash of what it says about macros; none if its language has none.
    macros: Option<[u8; 32]>,
}

impl LearntMacros {
    /// Reads what a build learnt; none if it learnt nothing, or with other features.
    ///
    /// # Errors
    /// The file cannot be read, or is damaged.
    pub(crate) fn of_generation(generation: &Generation) -> anyhow::Result<Option<Self>> {
        let path = generation.path(part::MACROS);
        if !path.exists() {
            return Ok(None);
        }
        check_files(generation, |path| path == part::MACROS)?;
        let learnt: Self = postcard::from_bytes(&fs_err::read(path)?)?;
        Ok((learnt.features == FEATURE_VERSION).then_some(learnt))
    }

    /// Stores what was learnt below `root`, for later builds.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn store(&self, root: &Path) -> anyhow::Result<()> {
        if self.files.is_empty() {
            return Ok(());
        }
        fs_err::create_dir_all(root.join(part::ANALYSIS_CACHE))?;
        Ok(fs_err::write(root.join(part::MACROS), postcard::to_stdvec(self)?)?)
    }

    /// Learns from the files that may define macros; `names` are those of the repositories. `before` is what an earlier
    /// build learnt, with the state of all files now. If `stop` returns true, the result is incomplete.
    pub(crate) fn learn(
        sources: &[Source],
        names: &[String],
        max_file_bytes: u64,
        before: Option<(&Self, &Paths)>,
        stop: impl Fn() -> bool + Sync,
    ) -> Self {
        let relevant: Vec<&Source> = sources.iter().filter(|source| may_define_macros(&source.path)).collect();
        let read = |source: &Source| {
            let text = text::decode(read::read(source, max_file_bytes).ok()?).ok()?;
            let language = language::detect(analyze::file_name(&source.path), &text.text);
            let language = language.filter(|language| language.has_preprocessor);
            let macros = language.map(|language| FileMacros::read(&source.path, &text.text, language));
            let hash = macros.as_ref().map(|macros| macros.digest().0);
            Some((LearntFile { content: text.content_hash.0, macros: hash }, macros))
        };
        let key = |source: &Source| file_key(&names[source.repo as usize], &source.path);
        if let Some((before, found)) = before.filter(|(before, _)| before.repositories == names) {
            let state = |source: &&Source| {
                let known = before.files.get(&key(source)).copied();
                let path = (names[source.repo as usize].clone(), source.path.clone());
                let is_same = |known: &LearntFile| matches!(found.get(&path), Some(PathState::Text(content)) if content.0 == known.content);
                let file =
                    known.filter(is_same).or_else(|| (!stop()).then(|| read(source)).flatten().map(|file| file.0));
                Some((key(source), file?))
            };
            let files: FxHashMap<ShortHash, LearntFile> = relevant.par_iter().filter_map(state).collect();
            let macros = |files: &FxHashMap<ShortHash, LearntFile>| {
                let with_macros = files.iter().filter_map(|(key, file)| Some((*key, file.macros?)));
                with_macros.collect::<FxHashMap<ShortHash, [u8; 32]>>()
            };
            if macros(&files) == macros(&before.files) {
                let (repositories, tables) = (names.to_vec(), before.tables.clone());
                return Self { features: FEATURE_VERSION, repositories, tables, files, none: MacroTable::default() };
            }
        }
        let mut learnt = Self { features: FEATURE_VERSION, repositories: names.to_vec(), ..Self::default() };
        for repo in 0..names.len() {
            let own = relevant.par_iter().filter(|source| source.repo as usize == repo && !stop());
            let found: Vec<(ShortHash, LearntFile, Option<FileMacros>)> =
                own.filter_map(|source| read(source).map(|(file, macros)| (key(source), file, macros))).collect();
            let mut files = Vec::with_capacity(found.len());
            for (key, file, macros) in found {
                learnt.files.insert(key, file);
                files.extend(macros);
            }
            learnt.tables.push(if stop() { MacroTable::default() } else { MacroTable::learn(&files) });
        }
        learnt
    }

    /// What differs from the macros of an earlier build; `before` is what it learnt, if that is known.
    pub(crate) fn changes_since(&self, before: Option<&Self>, are_same: bool) -> ChangedMacros {
        if are_same {
            return ChangedMacros::Differences(vec![MacroDifference::default(); self.tables.len()]);
        }
        match before.filter(|before| before.repositories == self.repositories) {
            Some(before) => {
                let pairs = self.tables.iter().zip(&before.tables);
                ChangedMacros::Differences(pairs.map(|(now, then)| now.difference(then)).collect())
            }
            None => ChangedMacros::Unknown,
        }
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

impl ChangedMacros {
    /// Whether a file of an earlier build, which is the same now, may be read in another way.
    pub(crate) fn concern(&self, source: &Source, before: &FileRow, max_file_bytes: u64) -> bool {
        if !language::by_name(&before.language).is_some_and(|language| language.has_preprocessor) {
            return false;
        }
        let Self::Differences(tables) = self else { return true };
        match tables.get(source.repo as usize) {
            Some(difference) if difference.is_empty() => false,
            Some(difference) if before.encoding == "utf-8" => {
                read::read(source, max_file_bytes).map_or(true, |bytes| difference.concerns(&source.path, &bytes))
            }
            _ => true,
        }
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
