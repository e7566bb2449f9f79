//! From qualified names of namespaces, modules and types to files, for languages that declare them in the text instead
//! of deriving them from paths.

use rustc_hash::FxHashMap;
use sextant_format::ids::FileId;
use sextant_format::names::segments;

use sextant_syntax::model::Symbol;

use crate::model::FileInfo;
use crate::module_path::MAX_MODULE_FILES;

/// The files that define each namespace and its direct members.
#[derive(Default)]
pub(crate) struct Namespaces {
    /// By repository, family and qualified name, its segments joined by a dot.
    files: FxHashMap<(u32, &'static str, String), Vec<FileId>>,
    /// The files that define each full name of a type, function or constant. Only for languages whose rules say which full
    /// name a written name means.
    definitions: FxHashMap<(u32, &'static str, String), Vec<FileId>>,
    /// By family and outermost namespace: how many files of each repository define something in it.
    roots: FxHashMap<(&'static str, String), FxHashMap<u32, usize>>,
    /// By repository and family: the files that define something in a namespace.
    sizes: FxHashMap<(u32, &'static str), usize>,
}

/// A repository owns an outermost namespace if it is that of at least this share of its files that have a
/// namespace.
const MIN_ROOT_SHARE: f64 = 0.5;

impl Namespaces {
    /// Adds the definitions of a file whose namespace this is, with `includes_parents` also the namespaces that contain them.
    pub(crate) fn add(
        &mut self,
        repo: u32,
        family: &'static str,
        includes_parents: bool,
        file: FileId,
        namespace: Option<&str>,
        symbols: &[Symbol],
    ) {
        if let Some(namespace) = namespace {
            let root = namespace.split('.').next().unwrap_or(namespace).to_owned();
            *self.roots.entry((family, root)).or_default().entry(repo).or_default() += 1;
            *self.sizes.entry((repo, family)).or_default() += 1;
        }
        for symbol in symbols.iter().skip(1).filter(|symbol| is_outermost(symbol, symbols)) {
            let parts = segments(&symbol.qualified_name);
            let shortest = if includes_parents { parts.len().saturating_sub(1).max(1) } else { parts.len() };
            for end in shortest..=parts.len() {
                let files = self.files.entry((repo, family, parts[..end].join("."))).or_default();
                if files.last() != Some(&file) && files.len() < MAX_MODULE_FILES {
                    files.push(file);
                }
            }
        }
    }

    /// Adds what a file defines in its namespaces under full names.
    pub(crate) fn add_definitions(&mut self, repo: u32, family: &'static str, file: FileId, symbols: &[Symbol]) {
        let is_defined = |symbol: &&Symbol| !symbol.kind.is_transparent() && is_in_namespace(symbol, symbols);
        for symbol in symbols.iter().skip(1).filter(is_defined) {
            let name = segments(&symbol.qualified_name).join(".");
            let files = self.definitions.entry((repo, family, name)).or_default();
            if files.last() != Some(&file) && files.len() < MAX_MODULE_FILES {
                files.push(file);
            }
        }
    }

    /// The files that define the type, function or constant of a full name.
    pub(crate) fn defining_files(&self, from: &FileInfo, name: &str) -> Vec<FileId> {
        let found = self.definitions.get(&(from.repo, from.family, name.to_owned()));
        found.cloned().unwrap_or_else(|| self.elsewhere(&self.definitions, from, name.to_owned()))
    }

    /// The files that define a qualified name, as an import in `from` writes it.
    pub(crate) fn files(&self, from: &FileInfo, name: &str) -> Vec<FileId> {
        let name = segments(name.trim_start_matches(['\\', ':', '.'])).join(".");
        self.files.get(&(from.repo, from.family, name)).cloned().unwrap_or_default()
    }

    /// The files that define a qualified name in the only other repository that defines it, if that one owns its
    /// outermost namespace.
    pub(crate) fn files_elsewhere(&self, from: &FileInfo, name: &str) -> Vec<FileId> {
        self.elsewhere(&self.files, from, segments(name.trim_start_matches(['\\', ':', '.'])).join("."))
    }

    /// The files of a name in the only other repository that defines it, if that one owns its outermost namespace.
    fn elsewhere(
        &self,
        defined: &FxHashMap<(u32, &'static str, String), Vec<FileId>>,
        from: &FileInfo,
        name: String,
    ) -> Vec<FileId> {
        let root = name.split('.').next().unwrap_or(&name).to_owned();
        let owns = |(repo, files): &(&u32, &usize)| {
            let all = self.sizes.get(&(**repo, from.family)).copied().unwrap_or(0);
            **files as f64 >= MIN_ROOT_SHARE * all as f64
        };
        let owners = self.roots.get(&(from.family, root)).into_iter().flatten().filter(owns);
        let others = owners.map(|(repo, _)| *repo).filter(|repo| *repo != from.repo);
        let mut defining = others.filter_map(|repo| defined.get(&(repo, from.family, name.clone())));
        match (defining.next(), defining.next()) {
            (Some(files), None) => files.clone(),
            _ => Vec::new(),
        }
    }
}

/// The only namespace that a file declares, its segments joined by a dot; empty if it declares none, `None` if several.
pub(crate) fn only_namespace(symbols: &[Symbol]) -> Option<String> {
    let mut declared = symbols.iter().skip(1).filter(|symbol| symbol.kind.is_transparent());
    let first = declared.next().map_or_else(String::new, |symbol| segments(&symbol.qualified_name).join("."));
    declared.all(|symbol| segments(&symbol.qualified_name).join(".") == first).then_some(first)
}

/// The namespace of the first definition that is in one, its segments joined by a dot.
pub(crate) fn namespace_of(symbols: &[Symbol]) -> Option<String> {
    let is_inside = |symbol: &&Symbol| !symbol.kind.is_transparent() && is_outermost(symbol, symbols);
    let first = symbols.iter().skip(1).find(is_inside)?;
    let parts = segments(&first.qualified_name);
    (parts.len() > 1).then(|| parts[..parts.len() - 1].join("."))
}

/// Whether a symbol is in no type or function.
pub(crate) fn is_in_namespace(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    symbol.container.is_none_or(|id| symbols[id as usize].kind.is_transparent())
}

/// Whether a symbol is a type, function, namespace or module that is in no type or function.
fn is_outermost(symbol: &Symbol, symbols: &[Symbol]) -> bool {
    (symbol.kind.is_type() || symbol.kind.is_callable() || symbol.kind.is_transparent())
        && is_in_namespace(symbol, symbols)
}
