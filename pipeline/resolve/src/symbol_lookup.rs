//! Indexes over the complete symbol table.

use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::EdgeKind;

use crate::interner::NO_NAME;
use crate::model::RawReference;
use crate::qualifier::last_segment;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::table::SymbolTable;

/// Lookups by name, file, owner and base.
pub(crate) struct SymbolLookup {
    /// Symbols by name as compressed sparse rows: where each name's symbols start, and the symbols.
    starts: Vec<u32>,
    symbols: Vec<u32>,
    /// The same rows, each sorted by owner's name, then by id.
    by_owner: Vec<u32>,
    /// The first symbol of each file, then the number of symbols.
    files: Vec<u32>,
    /// Names of types that have named extensions.
    extended: FxHashSet<u32>,
    /// The bases of each type as (qualifier, name).
    bases: FxHashMap<u32, Vec<(u32, u32)>>,
    /// For each out-of-line `impl`, by the number of its reference: the implementing type.
    implementors: FxHashMap<u32, u32>,
}

impl SymbolLookup {
    pub(crate) fn new(table: &SymbolTable) -> Self {
        let mut starts = vec![0_u32; table.names.len() + 1];
        for symbol in &table.symbols {
            starts[symbol.name as usize + 1] += 1;
        }
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let mut symbols = vec![0; table.symbols.len()];
        for (id, symbol) in table.symbols.iter().enumerate() {
            let slot = &mut next[symbol.name as usize];
            symbols[*slot as usize] = u32::try_from(id).unwrap_or(u32::MAX);
            *slot += 1;
        }
        let mut by_owner = symbols.clone();
        for row in starts.windows(2) {
            let row = &mut by_owner[row[0] as usize..row[1] as usize];
            row.sort_unstable_by_key(|&id| (table.symbols[id as usize].owner, id));
        }
        let end = u32::try_from(table.symbols.len()).unwrap_or(u32::MAX);
        let files = table.files.iter().map(|file| file.first_symbol).chain([end]).collect();
        let (bases, implementors, extended) = (FxHashMap::default(), FxHashMap::default(), extended_type_names(table));
        let mut index = Self { starts, symbols, by_owner, files, extended, bases, implementors };
        let all = table.files.iter().flat_map(|file| (file.first_reference..).zip(&file.references));
        for (number, reference) in all {
            if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
                continue;
            }
            let (mut source, mut path) = (reference.source, reference.owner);
            if reference.is_out_of_line_impl(&table.symbols) {
                let Some(implementor) = index.implementor(table, reference) else { continue };
                index.implementors.insert(number, implementor);
                (source, path) = (implementor, NO_NAME);
            }
            index.bases.entry(source).or_default().push((path, reference.name));
        }
        index
    }

    /// The type that the owner of a reference names: in the file, then in the folder, else the only one of the linkage
    /// group.
    fn implementor(&self, table: &SymbolTable, reference: &RawReference) -> Option<u32> {
        let owner = last_segment(table.names.text(reference.owner).trim_start_matches('&'));
        let here = table.symbols.get(reference.source as usize)?.file;
        let file = |id: u32| table.symbols[id as usize].file;
        let named = self.named(table.names.find(owner)?).iter().copied();
        let mut named: SymbolIds = named
            .filter(|&id| table.symbols[id as usize].kind.is_type() && table.share_linkage_group(file(id), here))
            .collect();
        retain_preferred(&mut named, |id| file(id) == here);
        retain_preferred(&mut named, |id| table.files[file(id) as usize].folder == table.files[here as usize].folder);
        match named.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The implementing type of an out-of-line `impl`.
    pub(crate) fn implementor_of(&self, reference: u32) -> Option<u32> {
        self.implementors.get(&reference).copied()
    }

    /// The symbols of a name, by id.
    pub(crate) fn named(&self, name: u32) -> &[u32] {
        &self.symbols[self.row(name)]
    }

    /// The symbols of a name in a file, by id.
    pub(crate) fn named_in(&self, name: u32, file: u32) -> &[u32] {
        self.in_file(self.named(name), file)
    }

    /// Those of some symbols, which are sorted by id, that are in a file.
    pub(crate) fn in_file<'a>(&self, symbols: &'a [u32], file: u32) -> &'a [u32] {
        let file = file as usize;
        let (Some(&first), Some(&end)) = (self.files.get(file), self.files.get(file + 1)) else { return &[] };
        let from = symbols.partition_point(|&id| id < first);
        &symbols[from..from + symbols[from..].partition_point(|&id| id < end)]
    }

    /// The symbols of a name whose owner has this name, by id.
    pub(crate) fn members_named(&self, table: &SymbolTable, name: u32, owner: u32) -> &[u32] {
        let row = &self.by_owner[self.row(name)];
        let owner_of = |id: u32| table.symbols[id as usize].owner;
        let from = row.partition_point(|&id| owner_of(id) < owner);
        &row[from..from + row[from..].partition_point(|&id| owner_of(id) == owner)]
    }

    /// Whether a type of this name has named extensions.
    pub(crate) fn is_extended(&self, name: u32) -> bool {
        self.extended.contains(&name)
    }

    fn row(&self, name: u32) -> Range<usize> {
        let name = name as usize;
        match (self.starts.get(name), self.starts.get(name + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The types that a type inherits from or implements, as written: (qualifier, name).
    pub(crate) fn bases(&self, symbol: u32) -> &[(u32, u32)] {
        self.bases.get(&symbol).map_or(&[], Vec::as_slice)
    }
}

/// Names of types that have named extensions. The extended type is the declared type of the extension's symbol.
fn extended_type_names(table: &SymbolTable) -> FxHashSet<u32> {
    let extensions =
        table.type_facts.all().iter().filter(|fact| {
            fact.is_declared && fact.name == NO_NAME && table.symbols[fact.symbol as usize].kind.is_type()
        });
    extensions.filter_map(|fact| table.names.find(last_segment(table.names.text(fact.text)))).collect()
}
