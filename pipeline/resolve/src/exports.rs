//! What files give to others: the definitions that an import names, through all the modules that hand a name on.

use sextant_format::kinds::{EdgeKind, Tier};
use sextant_syntax::language::Modules as Rule;
use smallvec::SmallVec;

use super::names::NO_NAME;
use super::table::RawReference;
use super::{Found, Ids, MAX_CANDIDATES, MAX_HANDED_ON, Resolver, confidence, fits, scope};

impl Resolver<'_, '_> {
    /// Whether others can import from a file what it imports itself.
    pub(super) fn hands_on(&self, file: u32) -> bool {
        let language = self.table.files[file as usize].language;
        language.is_some_and(|language| matches!(language.modules, Rule::Python | Rule::EcmaScript | Rule::Rust))
    }

    /// What an import names: a symbol of the module, else the module's file itself.
    pub(super) fn import(&self, reference: &RawReference) -> Option<Found> {
        let import = self.imports.of(reference)?;
        let confidence = confidence::IMPORT;
        let whole = import.is_default.then(|| self.whole(import, reference.kind)).flatten();
        let target = whole.or_else(|| self.one(self.exported(&import.files, import.name, reference.kind)));
        if let Some(target) = target {
            return Some(Found::one(Tier::Import, confidence, target));
        }
        match import.files.as_slice() {
            [] => None,
            [file] => {
                let target = self.table.files[*file as usize].first_symbol;
                Some(Found::one(Tier::Import, confidence, target))
            }
            // A package of several files: each of them is meant.
            files => {
                let targets = files.iter().take(MAX_CANDIDATES).map(|&f| self.table.files[f as usize].first_symbol);
                Some(Found { tier: Tier::Import, confidence, targets: targets.collect() })
            }
        }
    }

    /// What a name means that is of a file all of whose names can be used here.
    pub(super) fn starred(&self, name: u32, kind: EdgeKind, candidates: &[u32]) -> Option<u32> {
        let star = self.imports.star_files();
        let is_there = |id: &u32| star.contains(&self.symbol(*id).file) && self.is_bare(*id);
        self.one(candidates.iter().copied().filter(is_there))
            .or_else(|| self.hands_on(self.file).then(|| self.one(self.exported(star, name, kind))).flatten())
    }

    /// An imported name that is called otherwise here, or that its module has from another one.
    pub(super) fn renamed(&self, reference: &RawReference, import: &scope::Import) -> Option<u32> {
        self.one(self.exported(&import.files, import.name, reference.kind))
    }

    /// The definitions that a name of a module means: its own, else those of the modules that it has the
    /// name from, and so on.
    pub(super) fn exported(&self, files: &[u32], name: u32, kind: EdgeKind) -> Ids {
        let mut found = Ids::new();
        let mut open: SmallVec<[(u32, u32); 4]> = files.iter().map(|&file| (file, name)).collect();
        let mut next = 0;
        while let Some(&(file, name)) = open.get(next) {
            next += 1;
            let here = |id: &u32| {
                let symbol = self.symbol(*id);
                fits(kind, symbol.kind) && self.is_top_level(*id)
            };
            let before = found.len();
            found.extend(self.index.named_in(name, file).iter().copied().filter(here));
            if found.len() > before || open.len() > MAX_HANDED_ON {
                continue;
            }
            if !self.hands_on(file) {
                continue;
            }
            let imports = self.all.of(file);
            let named = imports.local(name).into_iter().flat_map(|i| i.files.iter().map(move |&file| (file, i.name)));
            let starred = imports.star_files().iter().map(|&file| (file, name));
            for step in named.chain(starred) {
                if step.1 != NO_NAME && !open.contains(&step) {
                    open.push(step);
                }
            }
        }
        found
    }
}
