//! What a build knows of the dependencies between files, as it is stored for the next build. Must not know what a
//! dependency means.

use std::hash::Hash;
use std::io::{Error, Write};

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sextant_format::keys::ShortHash;
use sextant_format::tables::ExternalRow;
use sextant_ordered::ordered_parallel_map;
use sextant_records::{Numbering, Origins, RecordReader, Records, RecordsWriter};

use crate::external::RecordedExternals;
use crate::interface::Interface;
use crate::model::{ExternalUses, Place, TableSizes};

/// Files whose questions are looked at at once.
const FILES_AT_ONCE: usize = 1024;
/// The blob of a base or an update that has what is shared by all files.
const SHARED: usize = 0;

/// What an earlier build knew of the dependencies between its files.
#[derive(Debug, Default)]
pub struct Readers {
    /// Each file, in order.
    files: Vec<Reader>,
    /// What is not about one file.
    shared: Shared,
    /// The number of external symbols, and of modules, that the base has.
    base: (usize, usize),
    /// Where they are stored.
    origins: Origins,
    /// The keys of what each file asked.
    questions: Records,
}

/// What is stored once for all files. An update has the external symbols and modules that its base lacks.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Shared {
    /// The fingerprint of all project files.
    projects: u64,
    /// The keys of the external symbols that files use.
    externals: Vec<ShortHash>,
    /// The modules through which they do.
    modules: Vec<String>,
    sizes: TableSizes,
}

/// What the resolution of one file depended on, but for what it asked, and what others can see of it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Reader {
    pub(crate) place: Place,
    pub(crate) attributes: u64,
    pub(crate) content: u64,
    pub(crate) namespaces: u64,
    /// The fingerprint of its imports.
    pub(crate) imports: u64,
    /// Whether it looked up modules by names that no import has.
    pub(crate) asked_modules: bool,
    /// Empty if it follows from the stored symbol table.
    pub(crate) interface: Interface,
    /// The external symbols that it uses.
    pub(crate) externals: Vec<ExternalUses>,
    /// The number of its edges of each tier, given by its code.
    pub(crate) tiers: TierCounts,
    /// The other files whose symbols are sources of its edges, by the keys of their places.
    pub(crate) sources: Vec<u64>,
}

/// Numbers of edges by the code of their tier.
pub(crate) type TierCounts = Vec<(u8, u32)>;

/// What a build stores of the dependencies between files.
#[derive(Debug, Default)]
pub struct ResolvedReaders {
    /// Each file, in order.
    pub(crate) files: Vec<ResolvedReader>,
    /// The fingerprint of all project files.
    pub(crate) projects: u64,
    /// The external symbols that resolved files use.
    pub(crate) externals: RecordedExternals,
    pub(crate) sizes: TableSizes,
}

/// A file of a build.
#[derive(Debug)]
pub(crate) enum ResolvedReader {
    /// It is as the file of this number in the earlier build.
    Kept(usize),
    /// It was resolved.
    Resolved(Reader, AskedKeys),
}

/// The keys of what a file asked, encoded: the differences between them in ascending order.
#[derive(Debug, Default)]
pub(crate) struct AskedKeys(Box<[u8]>);

impl AskedKeys {
    /// Encodes keys in ascending order.
    pub(crate) fn new(keys: &[u32]) -> Self {
        let mut last = 0;
        let mut bytes = Vec::new();
        for &key in keys {
            bytes = postcard::to_extend(&key.wrapping_sub(last), bytes).unwrap_or_default();
            last = key;
        }
        Self(bytes.into())
    }

    /// Whether any of encoded keys is one of `keys`; so it seems where they are damaged.
    fn any_is_in(mut encoded: &[u8], keys: &FxHashSet<u32>) -> bool {
        let mut key: u32 = 0;
        while !encoded.is_empty() {
            let Ok((difference, rest)) = postcard::take_from_bytes::<u32>(encoded) else { return true };
            encoded = rest;
            key = key.wrapping_add(difference);
            if keys.contains(&key) {
                return true;
            }
        }
        false
    }
}

impl Readers {
    /// Opens what [`ResolvedReaders::store`] wrote: the files, and what each asked.
    ///
    /// # Errors
    /// It is damaged.
    pub fn open(records: &Records, questions: Records) -> std::io::Result<Self> {
        let damage = || records.damage();
        let blobs = records.blobs(SHARED)?;
        let mut shared = blobs.iter().map(|blob| postcard::from_bytes::<Shared>(blob).map_err(|_| damage()));
        let mut all = shared.next().ok_or_else(damage)??;
        let base = (all.externals.len(), all.modules.len());
        for more in shared {
            let Shared { projects, externals, modules, sizes } = more?;
            all.externals.extend(externals);
            all.modules.extend(modules);
            (all.projects, all.sizes) = (projects, sizes);
        }
        let mut reader = records.reader();
        let mut file = |at: usize| postcard::from_bytes::<Reader>(reader.read(at)?).ok();
        let files = (0..records.file_count()).map(|at| file(at).ok_or_else(damage)).collect::<std::io::Result<_>>()?;
        if questions.file_count() != records.file_count() {
            return Err(damage());
        }
        Ok(Self { files, shared: all, base, origins: records.origins().clone(), questions })
    }

    /// Those of some files, by their numbers, that asked about any of these keys. None if a worker panicked.
    pub(crate) fn readers_of(
        &self,
        files: &[usize],
        keys: &FxHashSet<u32>,
        threads: usize,
    ) -> Option<FxHashSet<usize>> {
        let mut found = FxHashSet::default();
        if keys.is_empty() {
            return Some(found);
        }
        // What is not known was asked.
        let asked = |questions: &mut RecordReader<'_>, file: usize| {
            self.questions.has(file) && questions.read(file).is_none_or(|asked| AskedKeys::any_is_in(asked, keys))
        };
        ordered_parallel_map(
            threads,
            threads.max(1) * 2,
            files.chunks(FILES_AT_ONCE),
            || false,
            || self.questions.reader(),
            |questions, files| Some(files.iter().copied().filter(|&file| asked(questions, file)).collect::<Vec<_>>()),
            |_, _| None,
            |_, readers| {
                found.extend(readers.ok_or(())?);
                Ok::<_, ()>(())
            },
        )
        .ok()?;
        Some(found)
    }

    /// The external symbols that a file uses, each with the module through which it does; none if `rows`, by their keys,
    /// lack one.
    pub(crate) fn externals_of<'r>(
        &'r self,
        file: &'r Reader,
        rows: &FxHashMap<ShortHash, &'r ExternalRow>,
    ) -> Option<Vec<(&'r ExternalRow, Option<&'r str>, u32)>> {
        let external = |used: &'r ExternalUses| {
            let row = rows.get(self.shared.externals.get(used.symbol as usize)?)?;
            let module = match used.module {
                Some(module) => Some(self.shared.modules.get(module as usize)?.as_str()),
                None => None,
            };
            Some((*row, module, used.uses))
        };
        file.externals.iter().map(external).collect()
    }

    /// The numbers of files with an edge whose source is in another file, and of these others.
    pub(crate) fn sharing_sources(&self) -> FxHashSet<usize> {
        let others: FxHashSet<u64> = self.files.iter().flat_map(|file| file.sources.iter().copied()).collect();
        let is_shared = |file: &Reader| !file.sources.is_empty() || others.contains(&file.place.key);
        self.files.iter().enumerate().filter(|(_, file)| is_shared(file)).map(|(at, _)| at).collect()
    }

    /// How large the symbol table was.
    #[must_use]
    pub const fn sizes(&self) -> TableSizes {
        self.shared.sizes
    }

    /// The number of files.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The fingerprint of the content of a file, by its number.
    #[must_use]
    pub fn content_of(&self, at: usize) -> Option<u64> {
        Some(self.files.get(at)?.content)
    }

    pub(crate) fn files(&self) -> &[Reader] {
        &self.files
    }

    /// The fingerprint of all project files.
    pub(crate) const fn projects(&self) -> u64 {
        self.shared.projects
    }
}

impl ResolvedReaders {
    /// The number of files.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is no file.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// Whether what is stored is an update of what the earlier build stored.
    #[must_use]
    pub fn is_update(&self, earlier: Option<&Readers>) -> bool {
        let numbers = self.files.iter().map(ResolvedReader::kept);
        earlier.is_some_and(|earlier| earlier.origins.has_most(numbers))
    }

    /// Writes what the next build compares with, an update or all of it: what each file asked to `questions`, all else to
    /// `out`. `earlier` is the build from which files were kept.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn store(&self, earlier: Option<&Readers>, out: impl Write, questions: impl Write) -> std::io::Result<()> {
        let none = Readers::default();
        let base = earlier.filter(|_| self.is_update(earlier));
        let earlier = earlier.unwrap_or(&none);
        let (mut externals, mut modules) = (earlier.shared.externals.clone(), earlier.shared.modules.clone());
        let own_externals = numbers_in(&mut externals, &self.externals.keys);
        let own_modules = numbers_in(&mut modules, &self.externals.modules);
        let (base_externals, base_modules) = base.map_or((0, 0), |base| base.base);
        let mut external_numbers = Numbering::new(base_externals, externals.len());
        let mut module_numbers = Numbering::new(base_modules, modules.len());
        let mut files = RecordsWriter::new(out, base.map(|base| &base.origins));
        let mut questions = RecordsWriter::new(questions, base.map(|base| base.questions.origins()));
        let mut questions_before = earlier.questions.reader();
        let mut encoded = Vec::new();
        for file in &self.files {
            if !questions.share(file.kept()) {
                questions.push(match file {
                    ResolvedReader::Kept(at) if earlier.questions.has(*at) => {
                        questions_before.read(*at).ok_or_else(|| earlier.questions.damage())?
                    }
                    ResolvedReader::Kept(_) => &[],
                    ResolvedReader::Resolved(_, asked) => &asked.0,
                })?;
            }
            if files.share(file.kept()) {
                continue;
            }
            let missing = || Error::other("the earlier build lacks a file that was kept");
            let mut reader = match file {
                ResolvedReader::Kept(at) => earlier.files.get(*at).ok_or_else(missing)?.clone(),
                ResolvedReader::Resolved(reader, _) => {
                    let mut reader = reader.clone();
                    for uses in &mut reader.externals {
                        uses.symbol = own_externals[uses.symbol as usize];
                        uses.module = uses.module.map(|module| own_modules[module as usize]);
                    }
                    reader
                }
            };
            for uses in &mut reader.externals {
                uses.symbol = external_numbers.number(uses.symbol as usize);
                uses.module = uses.module.map(|module| module_numbers.number(module as usize));
            }
            encoded.clear();
            encoded = postcard::to_extend(&reader, encoded).map_err(Error::other)?;
            files.push(&encoded)?;
        }
        let shared = Shared {
            projects: self.projects,
            externals: external_numbers.order().iter().map(|&at| externals[at]).collect(),
            modules: module_numbers.order().iter().map(|&at| modules[at].clone()).collect(),
            sizes: self.sizes,
        };
        files.blob(|out| postcard::to_io(&shared, out).map(drop).map_err(Error::other))?;
        files.finish()?;
        questions.finish()
    }
}

impl ResolvedReader {
    /// The number of the file in the earlier build, if it was kept.
    const fn kept(&self) -> Option<usize> {
        match self {
            Self::Kept(number) => Some(*number),
            Self::Resolved(..) => None,
        }
    }
}

/// Adds to a list the items that it lacks; returns the number of each item in it.
fn numbers_in<T: Clone + Eq + Hash>(list: &mut Vec<T>, items: &[T]) -> Vec<u32> {
    let mut known: FxHashMap<T, usize> = list.iter().cloned().zip(0..).collect();
    let number = |item: &T| {
        let next = list.len();
        let number = *known.entry(item.clone()).or_insert(next);
        if number == next {
            list.push(item.clone());
        }
        u32::try_from(number).unwrap_or(u32::MAX)
    };
    items.iter().map(number).collect()
}
