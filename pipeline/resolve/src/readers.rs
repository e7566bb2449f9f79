//! Which files must be resolved again: those that differ from the previous build, and the readers of what differs.
//!
//! The resolution of a file is a function of the file, of its imports, and of the answers to what it asked about other
//! files. [`Readers`] is what one build stores of each file for the next; [`kept_files`](SymbolTable::kept_files)
//! compares. A file is kept only if nothing that it depends on differs, so its edges are those of a full build.

use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::ids::FileId;
use sextant_format::tables::ExternalRow;
use sextant_syntax::model::Reference;

use crate::imports::AllImports;
use crate::interface::{Differences, Interface};
use crate::reads::Key;
use crate::stored::StoredSymbols;
use crate::stored_readers::{Reader, Readers};
use crate::table::{FileContext, SymbolTable};

/// With more files to resolve than this many percent, all are resolved: looking for the others costs more.
const MAX_CHANGED_PERCENT: usize = 60;

/// An earlier build, as far as a new one keeps its edges.
#[derive(Clone, Copy)]
pub struct EarlierEdges<'e> {
    /// What its edges depended on.
    pub readers: &'e Readers,
    /// What others could see of files that differ or are gone, as far as it was stored.
    pub interfaces: &'e Interfaces,
    /// Its external symbols.
    pub externals: &'e [ExternalRow],
    /// Returns the references of a file that was added by its outline; none if they are lost.
    pub references: &'e (dyn Fn(FileId) -> Option<Vec<Reference>> + Sync),
}

/// For each file, its number in the previous build if it need not be resolved again.
pub(crate) type Kept = Vec<Option<usize>>;

/// What others could see of files in an earlier build, by their numbers; none if it is not known.
#[derive(Debug, Default)]
pub struct Interfaces(Option<FxHashMap<usize, Interface>>);

impl Readers {
    /// What others could see of the files that are left in a stored symbol table, with whose names `now` began.
    #[must_use]
    pub fn interfaces(&self, left: &StoredSymbols, now: &SymbolTable) -> Interfaces {
        Interfaces(self.interfaces_of(left, now))
    }

    /// None if a file is damaged.
    fn interfaces_of(&self, left: &StoredSymbols, now: &SymbolTable) -> Option<FxHashMap<usize, Interface>> {
        let mut table = SymbolTable::default();
        let mut numbers = Vec::new();
        let stored_table = left.table();
        let mut stored_files = stored_table.files();
        for (number, reader) in self.files().iter().enumerate() {
            if !left.has(number) {
                continue;
            }
            let scope = FileContext { repo: 0, path: "", language: "", is_test: false };
            let stored = stored_files.read(number)?;
            table.add_stored_of(now, scope, &stored, reader.content)?;
            numbers.push(number);
            if let Some(file) = table.files.last_mut() {
                (file.state.place, file.state.attributes) = (reader.place, reader.attributes);
            }
        }
        table.type_facts.sort(table.symbols.len());
        let interface = |(at, number)| (number, table.interface_of(FileId::at(at)));
        Some(numbers.into_iter().enumerate().map(interface).collect())
    }
}

impl SymbolTable {
    /// The files that need not be resolved again, by the fingerprint of the imports of each file. None if all must be.
    pub(crate) fn kept_files(
        &self,
        earlier: EarlierEdges<'_>,
        imports: &[u64],
        all_imports: &AllImports<'_>,
        threads: usize,
    ) -> Option<Kept> {
        let (before, interfaces) = (earlier.readers, earlier.interfaces.0.as_ref()?);
        let interface_of = |number: usize| interfaces.get(&number).unwrap_or(&before.files()[number].interface);
        if !self.scip_uses.is_empty() || !self.answers.targets.is_empty() {
            return None;
        }
        let mut known: FxHashMap<u64, usize> =
            before.files().iter().enumerate().map(|(at, file)| (file.place.key, at)).collect();
        if known.len() != before.files().len() {
            return None;
        }
        let mut differences = Differences::default();
        let mut groups: FxHashSet<u64> = FxHashSet::default();
        let mut rerouted: Vec<FileId> = Vec::new();
        let mut kept: Kept = vec![None; self.files.len()];
        for (at, (info, &imports)) in self.files.iter().zip(imports).enumerate() {
            let (file, state) = (FileId::at(at), &info.state);
            let old = known.remove(&state.place.key);
            let reader = old.map(|old| &before.files()[old]);
            let has_same_text =
                reader.is_some_and(|old| (old.content, old.attributes) == (state.content, state.attributes));
            let has_same_imports = reader.is_some_and(|old| old.imports == imports);
            if !has_same_text {
                let interface = self.interface_of(file);
                let nothing = Interface::default();
                let before = old.map(|old| (interface_of(old), before.files()[old].place));
                differences.add(before.unwrap_or((&nothing, state.place)), (&interface, state.place));
            }
            if !has_same_imports {
                differences.keys.insert(Key::imports(state.place.key).0);
                rerouted.push(file);
            }
            let same = |old: &Reader| (old.attributes, old.namespaces) == (state.attributes, state.namespaces);
            if !has_same_imports || !reader.is_some_and(same) {
                groups.insert(state.place.group);
                groups.extend(reader.map(|old| old.place.group));
            }
            kept[at] = old.filter(|_| has_same_text && has_same_imports);
        }
        for (at, gone) in known.into_values().map(|at| (at, &before.files()[at])) {
            differences.add_all(interface_of(at), gone.place);
            differences.keys.insert(Key::imports(gone.place.key).0);
            groups.insert(gone.place.group);
        }
        differences.complete(self);
        let written = differences.keys;
        let has_same_projects = before.projects() == self.project_state;
        let has_same_modules = |reader: &Reader| has_same_projects && !groups.contains(&reader.place.group);
        let has_moved =
            |old: usize| Some(&before.files()[old]).filter(|reader| reader.asked_modules && !has_same_modules(reader));
        kept.iter_mut().for_each(|kept| *kept = kept.filter(|&old| has_moved(old).is_none()));
        let candidates: Vec<usize> = kept.iter().flatten().copied().collect();
        let readers = before.readers_of(&candidates, &written, threads)?;
        kept.iter_mut().for_each(|kept| *kept = kept.filter(|old| !readers.contains(old)));
        for file in self.includers(rerouted, all_imports) {
            kept[file.index()] = None;
        }
        let changed = kept.iter().filter(|kept| kept.is_none()).count();
        (changed * 100 <= kept.len() * MAX_CHANGED_PERCENT).then_some(kept)
    }

    /// The files that include one of these, directly or not, in languages whose files see what those include that they
    /// include.
    fn includers(&self, of: Vec<FileId>, all_imports: &AllImports<'_>) -> Vec<FileId> {
        let includes =
            |file: &FileId| self.files[file.index()].language.is_some_and(|language| language.links_definitions);
        let mut worklist: Vec<FileId> = of.into_iter().filter(includes).collect();
        if worklist.is_empty() {
            return worklist;
        }
        let mut included_by: FxHashMap<FileId, Vec<FileId>> = FxHashMap::default();
        for file in (0..self.files.len()).map(FileId::at).filter(includes) {
            for &included in all_imports.imports_of(file).glob_files() {
                included_by.entry(included).or_default().push(file);
            }
        }
        let mut found: FxHashSet<FileId> = worklist.iter().copied().collect();
        let mut next = 0;
        while let Some(file) = worklist.get(next) {
            next += 1;
            let above = included_by.remove(file).unwrap_or_default();
            worklist.extend(above.into_iter().filter(|&file| found.insert(file)));
        }
        worklist
    }
}
