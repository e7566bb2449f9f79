//! What a build knows of the dependencies between files, as it is stored for the next build. Must not know what a
//! dependency means.

use std::hash::Hash;
use std::io::Write;

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use sextant_format::keys::ShortHash;
use sextant_format::tables::ExternalRow;

use crate::external::RecordedExternals;
use crate::interface::Interface;
use crate::model::{ExternalUses, Place, TableSizes};
use crate::records::{Numbering, Records, RecordsWriter};

/// What an earlier build knew of the dependencies between its files.
#[derive(Debug, Default)]
pub struct Readers {
    /// Each file, in order.
    files: Vec<Reader>,
    /// What is not about one file.
    shared: Shared,
    /// The number of external symbols, and of modules, that the base has.
    base: (usize, usize),
    /// What is stored, among it the questions of each file.
    records: Records,
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

/// What the resolution of one file depended on, and what others can see of it. In its record, what it asked follows.
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
    /// The number of keys of what it asked, and their length in bytes; 0 until it is stored.
    pub(crate) asked: (u32, u32),
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
pub(crate) struct AskedKeys {
    count: u32,
    bytes: Box<[u8]>,
}

impl AskedKeys {
    /// Encodes keys in ascending order.
    pub(crate) fn new(keys: &[u32]) -> Self {
        let mut last = 0;
        let mut bytes = Vec::new();
        for &key in keys {
            bytes = postcard::to_extend(&key.wrapping_sub(last), bytes).unwrap_or_default();
            last = key;
        }
        Self { count: u32::try_from(keys.len()).unwrap_or(u32::MAX), bytes: bytes.into() }
    }
}

impl Readers {
    /// Opens what [`ResolvedReaders::store`] wrote: all files and, if there is one, the update. `None` if it is damaged.
    #[must_use]
    pub fn from_parts(parts: Vec<Vec<u8>>) -> Option<Self> {
        let records = Records::open(parts)?;
        let mut rests = records.rests().map(|rest| postcard::from_bytes::<Shared>(rest).ok());
        let mut shared = rests.next()??;
        let base = (shared.externals.len(), shared.modules.len());
        for more in rests {
            let Shared { projects, externals, modules, sizes } = more?;
            shared.externals.extend(externals);
            shared.modules.extend(modules);
            (shared.projects, shared.sizes) = (projects, sizes);
        }
        let file = |at: usize| {
            let (reader, asked) = postcard::take_from_bytes::<Reader>(records.of(at)?).ok()?;
            (asked.len() == reader.asked.1 as usize).then_some(reader)
        };
        let files = (0..records.file_count()).map(file).collect::<Option<Vec<Reader>>>()?;
        Some(Self { files, shared, base, records })
    }

    /// What a file asked, encoded.
    fn asked_bytes(&self, at: usize) -> Option<&[u8]> {
        let record = self.records.of(at)?;
        record.get(record.len().checked_sub(self.files.get(at)?.asked.1 as usize)?..)
    }

    /// Whether a file, by its number, asked about any of these keys; so it seems where it is not known.
    pub(crate) fn asked(&self, at: usize, keys: &FxHashSet<u32>) -> bool {
        let Some((mut rest, reader)) = self.asked_bytes(at).zip(self.files.get(at)) else { return true };
        let mut key: u32 = 0;
        !keys.is_empty()
            && (0..reader.asked.0).any(|_| match postcard::take_from_bytes::<u32>(rest) {
                Ok((difference, after)) => {
                    rest = after;
                    key = key.wrapping_add(difference);
                    keys.contains(&key)
                }
                Err(_) => true,
            })
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
        earlier.is_some_and(|earlier| earlier.records.origins().has_most(numbers))
    }

    /// Writes what the next build compares with: an update, or all of it. `earlier` is the build from which files were kept.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn store(&self, earlier: Option<&Readers>, out: &mut impl Write) -> std::io::Result<()> {
        let none = Readers::default();
        let base = earlier.filter(|_| self.is_update(earlier));
        let earlier = earlier.unwrap_or(&none);
        let (mut externals, mut modules) = (earlier.shared.externals.clone(), earlier.shared.modules.clone());
        let own_externals = numbers_in(&mut externals, &self.externals.keys);
        let own_modules = numbers_in(&mut modules, &self.externals.modules);
        let (base_externals, base_modules) = base.map_or((0, 0), |base| base.base);
        let mut external_numbers = Numbering::new(base_externals, externals.len());
        let mut module_numbers = Numbering::new(base_modules, modules.len());
        let mut writer = RecordsWriter::new(out, base.map(|base| base.records.origins()));
        let mut encoded = Vec::new();
        for file in &self.files {
            if writer.share(file.kept()) {
                continue;
            }
            let missing = || std::io::Error::other("the earlier build lacks a file that was kept");
            let (mut reader, asked) = match file {
                ResolvedReader::Kept(at) => {
                    let known = earlier.files.get(*at).zip(earlier.asked_bytes(*at)).ok_or_else(missing)?;
                    (known.0.clone(), known.1)
                }
                ResolvedReader::Resolved(reader, asked) => {
                    let length = u32::try_from(asked.bytes.len()).map_err(std::io::Error::other)?;
                    let mut reader = Reader { asked: (asked.count, length), ..reader.clone() };
                    for uses in &mut reader.externals {
                        uses.symbol = own_externals[uses.symbol as usize];
                        uses.module = uses.module.map(|module| own_modules[module as usize]);
                    }
                    (reader, &*asked.bytes)
                }
            };
            for uses in &mut reader.externals {
                uses.symbol = external_numbers.number(uses.symbol as usize);
                uses.module = uses.module.map(|module| module_numbers.number(module as usize));
            }
            encoded.clear();
            encoded = postcard::to_extend(&reader, encoded).map_err(std::io::Error::other)?;
            encoded.extend_from_slice(asked);
            writer.push(&encoded)?;
        }
        let shared = Shared {
            projects: self.projects,
            externals: external_numbers.order().iter().map(|&at| externals[at]).collect(),
            modules: module_numbers.order().iter().map(|&at| modules[at].clone()).collect(),
            sizes: self.sizes,
        };
        writer.finish(|out| postcard::to_io(&shared, out).map(drop).map_err(std::io::Error::other))
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
