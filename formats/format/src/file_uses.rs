//! `file_uses.arrow`: which files use which, and which symbols of a file others use, counted over the graph.
//!
//! One Arrow IPC file with one record batch, one row per file in the order of `files.parquet`. It follows from
//! `graph.arrow` and saves a reader who wants an overview from visiting every edge; an index without it is counted when
//! it is asked. Edges below [`MIN_CONFIDENCE`] and `contains` do not count.

use std::cmp::Reverse;
use std::path::Path;
use std::sync::Arc;

use arrow_buffer::{Buffer, ScalarBuffer};
use arrow_schema::{DataType, Field, Fields, Schema};

use crate::batch::{Batch, ListOffsets};
use crate::batch_writer::BatchWriter;
use crate::graph::{Graph, Neighbour};
use crate::ids::{FileId, SymbolId};
use crate::kinds::EdgeKind;
use crate::panics::catch_panic;
use crate::{Error, Result};

/// The least confidence of an edge that counts: guesses among several candidates are below it.
pub const MIN_CONFIDENCE: f32 = 0.5;

/// Who uses the symbols of each file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileUses {
    /// The number of symbols of each file.
    symbols: ScalarBuffer<u32>,
    /// The other files that use a file, ascending, and how many edges lead from their symbols to its own.
    users: Pairs,
    /// The symbols of a file that others use, and how many files do; the most used first, of equals the first.
    used: Pairs,
}

/// A list of pairs of numbers for each file.
#[derive(Clone, Debug, PartialEq)]
struct Pairs {
    lists: ListOffsets,
    ids: ScalarBuffer<u32>,
    counts: ScalarBuffer<u32>,
}

impl Pairs {
    fn new(lengths: Vec<usize>, ids: Vec<u32>, counts: Vec<u32>) -> Option<Self> {
        Some(Self { lists: ListOffsets::new(lengths.into_iter())?, ids: ids.into(), counts: counts.into() })
    }

    fn decode(batch: &mut Batch) -> std::result::Result<Self, String> {
        let lists = batch.list()?;
        let values = lists.values();
        Ok(Self { lists, ids: batch.column(values)?, counts: batch.column(values)? })
    }

    fn of(&self, file: FileId) -> impl Iterator<Item = (u32, u32)> {
        let range = self.lists.range(file.index());
        let [ids, counts] = [&self.ids, &self.counts].map(|column| column.get(range.clone()).unwrap_or(&[]));
        ids.iter().copied().zip(counts.iter().copied())
    }

    fn add_to<'a>(&'a self, writer: &mut BatchWriter<'a>) {
        writer.list(self.lists.stored(), self.lists.values());
        writer.column(&self.ids);
        writer.column(&self.counts);
    }
}

const USER: [&str; 2] = ["file", "uses"];
const USED: [&str; 2] = ["symbol", "files"];

fn fields(names: [&str; 2]) -> Fields {
    names.map(|name| Field::new(name, DataType::UInt32, false)).into_iter().collect()
}

fn item(names: [&str; 2]) -> Field {
    Field::new("item", DataType::Struct(fields(names)), false)
}

fn schema() -> Schema {
    let list = |name: &str, names: [&str; 2]| Field::new(name, DataType::List(Arc::new(item(names))), false);
    Schema::new(vec![Field::new("symbols", DataType::UInt32, false), list("users", USER), list("used", USED)])
}

impl FileUses {
    /// Counts the uses of files that have these numbers of symbols; none if the graph has other symbols.
    #[must_use]
    pub fn count(graph: &Graph, symbols: Vec<u32>) -> Option<Self> {
        let nodes = SymbolId::range(SymbolId::default()..SymbolId::at(graph.nodes()));
        let has_all = symbols.iter().map(|&count| count as usize).sum::<usize>() == graph.nodes();
        let edge = |source: SymbolId, edge: Neighbour| (source, edge.node, edge.kind, edge.confidence);
        let edges = nodes.flat_map(|node| graph.out_edges(node).map(move |neighbour| edge(node, neighbour)));
        has_all.then(|| Self::count_edges(edges, symbols)).flatten()
    }

    /// Counts the uses of files that have these numbers of symbols; `edges` are source, target, kind and confidence, in the
    /// order of their sources. None if an edge leads to no symbol.
    #[must_use]
    pub fn count_edges(
        edges: impl Iterator<Item = (SymbolId, SymbolId, EdgeKind, f32)>,
        symbols: Vec<u32>,
    ) -> Option<Self> {
        let files = symbols.len();
        let mut file_of: Vec<FileId> = Vec::new();
        for (n, &count) in symbols.iter().enumerate() {
            file_of.resize(file_of.len().checked_add(count as usize)?, FileId::at(n));
        }
        // The last file that uses a symbol, and how many do.
        let mut users_of: Vec<(FileId, u32)> = vec![(FileId::default(), 0); file_of.len()];
        // How often the current file uses each, and which it uses.
        let (mut uses_of, mut used_files, mut current) = (vec![0_u32; files], Vec::new(), FileId::default());
        let mut pairs: Vec<(FileId, FileId, u32)> = Vec::new();
        let mut end_file = |user: FileId, used_files: &mut Vec<FileId>, uses_of: &mut [u32]| {
            pairs.extend(used_files.drain(..).map(|used| (used, user, std::mem::take(&mut uses_of[used.index()]))));
        };
        for (source, target, kind, confidence) in edges {
            if kind == EdgeKind::Contains || confidence < MIN_CONFIDENCE {
                continue;
            }
            let (user, used) = (*file_of.get(source.index())?, *file_of.get(target.index())?);
            if user == used {
                continue;
            }
            if user != current {
                end_file(current, &mut used_files, &mut uses_of);
                current = user;
            }
            let (last, count) = &mut users_of[target.index()];
            if *count == 0 || *last != user {
                (*last, *count) = (user, *count + 1);
            }
            let uses = &mut uses_of[used.index()];
            if *uses == 0 {
                used_files.push(used);
            }
            *uses = uses.saturating_add(1);
        }
        end_file(current, &mut used_files, &mut uses_of);
        // Users stay in order.
        pairs.sort_by_key(|&(used, _, _)| used);
        let (mut users, mut used) = (PairsBuilder::new(files), PairsBuilder::new(files));
        let mut pairs = pairs.into_iter().peekable();
        let mut next = 0;
        for (n, &count) in symbols.iter().enumerate() {
            let own = FileId::at(n);
            users.push(
                std::iter::from_fn(|| pairs.next_if(|pair| pair.0 == own)).map(|(_, user, uses)| (user.get(), uses)),
            );
            let range = next..next + count as usize;
            next = range.end;
            let with_users = range.clone().zip(&users_of[range]).filter(|(_, (_, users))| *users > 0);
            let mut exported: Vec<(Reverse<u32>, SymbolId)> =
                with_users.map(|(symbol, &(_, users))| (Reverse(users), SymbolId::at(symbol))).collect();
            exported.sort_unstable();
            used.push(exported.into_iter().map(|(Reverse(users), symbol)| (symbol.get(), users)));
        }
        Some(Self { symbols: symbols.into(), users: users.finish()?, used: used.finish()? })
    }

    /// Writes the file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut writer = BatchWriter::new(schema(), self.files());
        writer.column(&self.symbols);
        self.users.add_to(&mut writer);
        self.used.add_to(&mut writer);
        writer.write(path)
    }

    /// Maps the file. Damage of a list shows up as missing entries.
    ///
    /// # Errors
    /// The file cannot be read, or its metadata is damaged.
    pub fn open(path: &Path) -> Result<Self> {
        let buffer = crate::mapped::map_file(path)?;
        catch_panic(path, || decode(&buffer).map_err(|what| Error::damaged(path, what)))
    }

    /// The number of files.
    #[must_use]
    pub fn files(&self) -> usize {
        self.symbols.len()
    }

    /// The number of symbols of each file.
    #[must_use]
    pub fn symbols(&self) -> &[u32] {
        &self.symbols
    }

    /// The other files with edges to symbols of a file, and the number of these edges.
    pub fn users(&self, file: FileId) -> impl Iterator<Item = (FileId, u32)> {
        let files = self.files();
        self.users.of(file).map(|(user, uses)| (FileId::new(user), uses)).filter(move |(user, _)| user.index() < files)
    }

    /// The symbols of a file that other files use, and by how many: the most used first.
    pub fn used(&self, file: FileId) -> impl Iterator<Item = (SymbolId, u32)> {
        self.used.of(file).map(|(symbol, files)| (SymbolId::new(symbol), files))
    }
}

fn decode(file: &Buffer) -> std::result::Result<FileUses, String> {
    let (mut batch, _) = Batch::read(file, &[schema()])?;
    let symbols = batch.first_column()?;
    let (users, used) = (Pairs::decode(&mut batch)?, Pairs::decode(&mut batch)?);
    if [users.lists.rows(), used.lists.rows()] != [symbols.len(); 2] {
        return Err("its columns have different rows".to_owned());
    }
    Ok(FileUses { symbols, users, used })
}

/// Pairs of one file after the other.
struct PairsBuilder {
    lengths: Vec<usize>,
    ids: Vec<u32>,
    counts: Vec<u32>,
}

impl PairsBuilder {
    fn new(files: usize) -> Self {
        Self { lengths: Vec::with_capacity(files), ids: Vec::new(), counts: Vec::new() }
    }

    fn push(&mut self, pairs: impl Iterator<Item = (u32, u32)>) {
        let before = self.ids.len();
        for (id, count) in pairs {
            self.ids.push(id);
            self.counts.push(count);
        }
        self.lengths.push(self.ids.len() - before);
    }

    fn finish(self) -> Option<Pairs> {
        Pairs::new(self.lengths, self.ids, self.counts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{GraphEdge, write};
    use crate::kinds::Tier;
    use proptest::prelude::*;

    /// Three files of two symbols each.
    fn counted(edges: &[(u32, u32, f32)]) -> (tempfile::TempDir, FileUses) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("graph.arrow");
        let edge = |&(source, target, confidence): &(u32, u32, f32)| {
            let [source, target] = [source, target].map(SymbolId::new);
            GraphEdge { source, target, kind: EdgeKind::Call, tier: Tier::Import, confidence, uses: None }
        };
        write(&path, 6, edges.iter().map(edge).collect()).unwrap();
        let uses = FileUses::count(&Graph::open(&path).unwrap(), vec![2; 3]).unwrap();
        (dir, uses)
    }

    #[test]
    fn files_and_symbols_are_counted_and_come_back() {
        // A use within a file and a guess do not count.
        let edges = [(0, 3, 1.0), (1, 3, 0.5), (4, 3, 1.0), (4, 2, 1.0), (2, 3, 1.0), (5, 0, 0.4)];
        let (dir, uses) = counted(&edges);
        let users: Vec<_> = uses.users(FileId::new(1)).map(|(file, uses)| (file.get(), uses)).collect();
        assert_eq!(users, [(0, 2), (2, 2)]);
        let used: Vec<_> = uses.used(FileId::new(1)).map(|(symbol, files)| (symbol.get(), files)).collect();
        assert_eq!(used, [(3, 2), (2, 1)]);
        assert_eq!(uses.users(FileId::new(0)).count() + uses.used(FileId::new(9)).count(), 0);
        let path = dir.path().join("file_uses.arrow");
        uses.write(&path).unwrap();
        assert_eq!(FileUses::open(&path).unwrap(), uses);
    }

    #[test]
    fn files_of_another_graph_are_refused() {
        let (dir, _) = counted(&[]);
        assert_eq!(FileUses::count(&Graph::open(&dir.path().join("graph.arrow")).unwrap(), vec![2, 3]), None);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn damage_never_panics(at in 0_usize..4000, bit in 0_u8..8, cut in 0_usize..40) {
            let (dir, uses) = counted(&[(0, 3, 1.0), (4, 3, 1.0), (4, 2, 1.0)]);
            let path = dir.path().join("file_uses.arrow");
            uses.write(&path).unwrap();
            let mut bytes = fs_err::read(&path).unwrap();
            let len = bytes.len();
            bytes[at % len] ^= 1 << bit;
            bytes.truncate(len - cut);
            fs_err::write(&path, &bytes).unwrap();
            if let Ok(uses) = FileUses::open(&path) {
                for file in (0..4).map(FileId::new) {
                    prop_assert!(uses.users(file).all(|(user, _)| user.index() < uses.files()));
                    prop_assert!(uses.used(file).count() <= 3);
                }
            }
        }
    }
}
