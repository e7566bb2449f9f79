//! Indexes over the complete symbol table.

use crate::interner::{NameId, NameInterner};
use sextant_format::ids::{FileId, SymbolId};
use std::ops::Range;

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::kinds::{EdgeKind, Kind};

use crate::model::SymbolInfo;
use crate::qualifier::{last_segment, type_name};
use crate::raw_reference::RawReference;
use crate::resolution::{SymbolIds, retain_preferred};
use crate::table::SymbolTable;

/// Lookups by name, file, owner and base.
pub(crate) struct SymbolLookup {
    /// Symbols by name as compressed sparse rows: where each name's symbols start, and the symbols.
    starts: Vec<u32>,
    symbols: Vec<SymbolId>,
    /// The file of each of these symbols.
    symbol_files: Vec<FileId>,
    /// The same rows, each sorted by owner's name, then by id.
    by_owner: Vec<SymbolId>,
    /// The first symbol of each file, then the number of symbols.
    files: Vec<SymbolId>,
    /// Names of types that have named extensions.
    extended: FxHashSet<NameId>,
    /// Names of namespaces.
    namespaces: FxHashSet<NameId>,
    /// The bases of each type as (qualifier, name).
    bases: FxHashMap<SymbolId, Vec<(Option<NameId>, NameId)>>,
    /// For each out-of-line `impl`, by the number of its link: the implementing type.
    implementors: FxHashMap<u32, SymbolId>,
    /// Who serves endpoints: each file with the place of the link in it.
    served: Vec<(FileId, usize)>,
}

impl SymbolLookup {
    pub(crate) fn new(table: &SymbolTable) -> Self {
        let mut starts = vec![0_u32; table.names.len() + 1];
        for symbol in &table.symbols {
            starts[symbol.name.index() + 1] += 1;
        }
        for n in 1..starts.len() {
            starts[n] += starts[n - 1];
        }
        let mut next = starts.clone();
        let mut symbols = vec![SymbolId::default(); table.symbols.len()];
        for (id, symbol) in table.symbols.iter().enumerate() {
            let slot = &mut next[symbol.name.index()];
            symbols[*slot as usize] = SymbolId::at(id);
            *slot += 1;
        }
        let symbol_files = symbols.iter().map(|id| table.symbols[id.index()].file).collect();
        let mut by_owner = symbols.clone();
        for row in starts.windows(2) {
            let row = &mut by_owner[row[0] as usize..row[1] as usize];
            row.sort_unstable_by_key(|&id| (table.symbols[id.index()].owner, id));
        }
        let end = SymbolId::at(table.symbols.len());
        let files = table.files.iter().map(|file| file.first_symbol).chain([end]).collect();
        let (bases, implementors, extended) = (FxHashMap::default(), FxHashMap::default(), extended_type_names(table));
        let mut served = Vec::new();
        for (at, file) in table.files.iter().enumerate() {
            let places = file.links.iter().enumerate().filter(|(_, reference)| reference.kind == EdgeKind::Serve);
            served.extend(places.map(|(place, _)| (FileId::at(at), place)));
        }
        let is_namespace = |symbol: &&SymbolInfo| symbol.kind == Kind::Namespace;
        let namespaces = table.symbols.iter().filter(is_namespace).map(|symbol| symbol.name).collect();
        let mut index =
            Self { starts, symbols, symbol_files, by_owner, files, extended, namespaces, bases, implementors, served };
        let all = table.files.iter().flat_map(|file| (file.first_link..).zip(&file.links));
        for (number, reference) in all {
            if !matches!(reference.kind, EdgeKind::Inherit | EdgeKind::Implement) {
                continue;
            }
            let (mut source, mut path) = (reference.source, reference.owner);
            if reference.is_out_of_line_impl(&table.symbols) {
                let Some(implementor) = index.implementor(table, reference) else { continue };
                index.implementors.insert(number, implementor);
                (source, path) = (implementor, None);
            }
            index.bases.entry(source).or_default().push((path, reference.name));
        }
        index
    }

    /// The type that the owner of a reference names: in the file, then in the folder, else the only one of the linkage
    /// group.
    fn implementor(&self, table: &SymbolTable, reference: &RawReference) -> Option<SymbolId> {
        let owner = implementor_name(&table.names, reference);
        let here = table.symbols.get(reference.source.index())?.file;
        let file = |id: SymbolId| table.symbols[id.index()].file;
        let named = self.named(table.names.find(owner)?).iter().copied();
        let mut named: SymbolIds = named
            .filter(|&id| table.symbols[id.index()].kind.is_type() && table.share_linkage_group(file(id), here))
            .collect();
        retain_preferred(&mut named, |id| file(id) == here);
        retain_preferred(&mut named, |id| table.files[file(id).index()].folder == table.files[here.index()].folder);
        match named.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The implementing type of an out-of-line `impl`.
    pub(crate) fn implementor_of(&self, link: u32) -> Option<SymbolId> {
        self.implementors.get(&link).copied()
    }

    /// Who serves endpoints: each file with the place of the link in it.
    pub(crate) fn served(&self) -> &[(FileId, usize)] {
        &self.served
    }

    /// The symbols of a name, by id.
    pub(crate) fn named(&self, name: NameId) -> &[SymbolId] {
        &self.symbols[self.row(name)]
    }

    /// The symbols of a name in a file, by id.
    pub(crate) fn named_in(&self, name: NameId, file: FileId) -> &[SymbolId] {
        self.in_file(self.named(name), file)
    }

    /// The symbols of a name in files of which something holds, by id.
    pub(crate) fn named_where(&self, name: NameId, is_wanted: impl Fn(FileId) -> bool) -> SymbolIds {
        let row = self.row(name);
        let found = self.symbols[row.clone()].iter().zip(&self.symbol_files[row]);
        found.filter(|(_, file)| is_wanted(**file)).map(|(id, _)| *id).collect()
    }

    /// Those of some symbols, which are sorted by id, that are in one of these files; by id.
    pub(crate) fn in_files(&self, symbols: &[SymbolId], files: &[FileId]) -> SymbolIds {
        let mut found: SymbolIds = files.iter().flat_map(|&file| self.in_file(symbols, file)).copied().collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Those of some symbols, which are sorted by id, that are in a file.
    pub(crate) fn in_file<'a>(&self, symbols: &'a [SymbolId], file: FileId) -> &'a [SymbolId] {
        let file = file.index();
        let (Some(&first), Some(&end)) = (self.files.get(file), self.files.get(file + 1)) else { return &[] };
        let from = symbols.partition_point(|&id| id < first);
        &symbols[from..from + symbols[from..].partition_point(|&id| id < end)]
    }

    /// The symbols of a name whose owner has this name, by id.
    pub(crate) fn members_named(&self, table: &SymbolTable, name: NameId, owner: NameId) -> &[SymbolId] {
        let row = &self.by_owner[self.row(name)];
        let owner_of = |id: SymbolId| table.symbols[id.index()].owner;
        let from = row.partition_point(|&id| owner_of(id) < Some(owner));
        &row[from..from + row[from..].partition_point(|&id| owner_of(id) == Some(owner))]
    }

    /// Whether a type of this name has named extensions.
    pub(crate) fn is_extended(&self, name: NameId) -> bool {
        self.extended.contains(&name)
    }

    /// Whether a namespace has this name.
    pub(crate) fn is_namespace(&self, name: NameId) -> bool {
        self.namespaces.contains(&name)
    }

    fn row(&self, name: NameId) -> Range<usize> {
        let name = name.index();
        match (self.starts.get(name), self.starts.get(name + 1)) {
            (Some(&start), Some(&end)) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// The types that a type inherits from or implements, as written: (qualifier, name).
    pub(crate) fn bases(&self, symbol: SymbolId) -> &[(Option<NameId>, NameId)] {
        self.bases.get(&symbol).map_or(&[], Vec::as_slice)
    }
}

/// The name of the type that an out-of-line `impl` is for.
pub(crate) fn implementor_name<'n>(names: &'n NameInterner, reference: &RawReference) -> &'n str {
    last_segment(names.text_or_empty(reference.owner).trim_start_matches('&'))
}

/// Whether a symbol of this kind whose type is declared is an extension of that type. The type of an alias is another
/// thing.
pub(crate) fn is_extension(kind: Kind) -> bool {
    kind.is_type() && kind != Kind::Type
}

/// Names of types that have named extensions. The extended type is the declared type of the extension's symbol.
fn extended_type_names(table: &SymbolTable) -> FxHashSet<NameId> {
    let extensions = table.type_facts.all().iter().filter(|fact| {
        fact.is_declared && fact.name.is_none() && is_extension(table.symbols[fact.symbol.index()].kind)
    });
    extensions.filter_map(|fact| table.names.find(type_name(table.names.text(fact.text)))).collect()
}
