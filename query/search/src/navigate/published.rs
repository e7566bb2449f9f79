//! From the full name of an external symbol to its definitions in the index that publishes the package.

use sextant_format::ids::SymbolId;
use sextant_format::kinds::Kind;
use sextant_format::manifest::{Package, Repository};

use super::definition::{Definition, read_definitions};
use super::scope::{Names, Scope};
use crate::{Index, Result};

/// The object of a Kotlin class that has what Java calls static; its members are members of the class in an index.
const COMPANION: &str = "Companion";

/// What may follow the path of an ECMAScript module.
const ECMA_ENDINGS: &[&str] =
    &[".ts", ".tsx", ".mts", ".cts", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", "/index.ts", "/index.tsx", "/index.js"];

/// The packages of an index.
pub(crate) struct Published<'a> {
    names: Names<'a>,
}

/// Where a name begins: a scope, and the names below it.
struct Start<'n> {
    scope: Scope,
    below: Vec<&'n str>,
}

impl<'a> Published<'a> {
    pub(crate) fn new(index: &'a Index) -> Self {
        Self { names: Names::new(index) }
    }

    /// Whether the index publishes something of a language family.
    pub(crate) fn has_family(&self, family: &str) -> bool {
        self.packages().any(|(_, package)| package.family == family)
    }

    /// The definitions of a full name in any language.
    pub(super) fn find_any(&self, name: &str) -> Result<Vec<SymbolId>> {
        let mut families: Vec<&str> = self.packages().map(|(_, package)| package.family.as_str()).collect();
        families.dedup();
        families.sort_unstable();
        families.dedup();
        let mut found = Vec::new();
        for family in families {
            found.extend(self.find(family, name)?);
        }
        Ok(found)
    }

    fn packages(&self) -> impl Iterator<Item = (&'a Repository, &'a Package)> + use<'a> {
        let repositories = &self.names.index().generation().manifest().repositories;
        repositories.iter().flat_map(|repository| repository.packages.iter().map(move |package| (repository, package)))
    }

    /// The definitions of a full name, as code of another repository writes it. Empty if the index does not publish it.
    pub(crate) fn find(&self, family: &str, name: &str) -> Result<Vec<SymbolId>> {
        match family {
            "java" => return self.find_in_folders(name),
            "python" => return self.find_in_modules(name),
            _ => {}
        }
        let mut starts: Vec<(usize, Start<'_>)> = Vec::new();
        for (repository, package) in self.packages().filter(|(_, package)| package.family == family) {
            if let Some(start) = self.start(repository, package, name)? {
                starts.push((package.name.len(), start));
            }
        }
        // The longest name of a package is the one that is meant.
        let longest = starts.iter().map(|(length, _)| *length).max();
        let mut found = Vec::new();
        for (_, start) in starts.into_iter().filter(|(length, _)| Some(*length) == longest) {
            found.extend(start.scope.resolve(&self.names, &start.below)?);
        }
        Ok(found)
    }

    /// Where a name begins, if it is of this package.
    fn start<'n>(&self, repository: &Repository, package: &Package, name: &'n str) -> Result<Option<Start<'n>>> {
        if let (Some(pattern), Some(path)) = (package.name.split_once('*'), package.path.split_once('*')) {
            return self.start_of_pattern(repository, pattern, path, name);
        }
        let Some(rest) = name.strip_prefix(package.name.as_str()) else { return Ok(None) };
        let file = |below: Vec<&'n str>| -> Result<Option<Start<'n>>> {
            let scope = Scope::file(&self.names, &repository.name, &package.path)?;
            Ok(scope.map(|scope| Start { scope, below }))
        };
        match package.family.as_str() {
            "rust" if rest.is_empty() || rest.starts_with("::") => file(names(rest, "::")),
            "ecma" if rest.is_empty() || rest.starts_with('.') => file(names(rest, ".")),
            "go" if rest.is_empty() || rest.starts_with(['.', '/']) => {
                let (above, last) = rest.rsplit_once('/').map_or(("", rest), |(above, last)| (above, last));
                let (package_name, below) = last.split_once('.').unwrap_or((last, ""));
                let folder = [package.path.as_str(), above.trim_start_matches('/'), package_name];
                let folder: Vec<&str> = folder.into_iter().filter(|part| !part.is_empty()).collect();
                let folders = [(repository.name.clone(), folder.join("/"))];
                let scope = Scope::Folders(folders.into_iter().collect());
                Ok(Some(Start { scope, below: names(below, ".") }))
            }
            _ => Ok(None),
        }
    }

    /// The same for entry points of an npm package whose names and paths contain any text at one place.
    fn start_of_pattern<'n>(
        &self,
        repository: &Repository,
        (before, after): (&str, &str),
        (folder, rest): (&str, &str),
        name: &'n str,
    ) -> Result<Option<Start<'n>>> {
        let Some(inside) = name.strip_prefix(before) else { return Ok(None) };
        // The name of a module ends at the first dot behind its last slash.
        let last = inside.rfind('/').map_or(0, |at| at + 1);
        let (module, below) = inside[last..].find('.').map_or((inside, ""), |at| inside.split_at(last + at));
        let Some(module) = module.strip_suffix(after).filter(|module| !module.is_empty()) else { return Ok(None) };
        for ending in ECMA_ENDINGS {
            let path = format!("{folder}{module}{rest}{ending}");
            if let Some(scope) = Scope::file(&self.names, &repository.name, &path)? {
                return Ok(Some(Start { scope, below: names(below, ".") }));
            }
        }
        Ok(None)
    }

    /// The definitions of a Python name: those of the innermost module that its path names, else what a package around
    /// it exports.
    fn find_in_modules(&self, name: &str) -> Result<Vec<SymbolId>> {
        let segments = names(name, ".");
        for (repository, package) in self.packages() {
            if package.family != "python" || segments.first() != Some(&package.name.as_str()) {
                continue;
            }
            let Some(folder) = package.path.strip_suffix("/__init__.py") else { continue };
            for end in (1..=segments.len()).rev() {
                let (module, below) = segments.split_at(end);
                let path = [folder].into_iter().chain(module[1..].iter().copied()).collect::<Vec<_>>().join("/");
                for file in [format!("{path}/__init__.py"), format!("{path}.py")] {
                    let Some(scope) = Scope::file(&self.names, &repository.name, &file)? else { continue };
                    let found = scope.resolve(&self.names, below)?;
                    if !found.is_empty() {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(Vec::new())
    }

    /// The definitions of a name whose packages are folders: `okhttp3.Request.Builder`. Java and Kotlin name some of each
    /// other's members otherwise.
    fn find_in_folders(&self, name: &str) -> Result<Vec<SymbolId>> {
        let segments = names(name, ".");
        let mut found = self.find_below_folders(&segments)?;
        if found.is_empty() && segments.contains(&COMPANION) {
            let plain: Vec<&str> = segments.iter().copied().filter(|segment| *segment != COMPANION).collect();
            found = self.find_below_folders(&plain)?;
        }
        if found.is_empty()
            && let Some((last, owner)) = segments.split_last()
            && let Some(property) = property_of(last)
        {
            let named: Vec<&str> = owner.iter().copied().chain([property.as_str()]).collect();
            found = self.find_below_folders(&named)?;
            let catalog = &self.names.index().symbols()?.catalog;
            found.retain(|&id| catalog.kind(id) == Some(Kind::Property));
        }
        self.without_platforms(found)
    }

    /// Of the definitions of one name for several platforms of Kotlin, those of the common code: the others are `actual`.
    fn without_platforms(&self, mut found: Vec<SymbolId>) -> Result<Vec<SymbolId>> {
        if found.len() < 2 {
            return Ok(found);
        }
        found.sort_unstable();
        let is_actual = |d: &Definition| {
            let mut words = d.signature.iter().flat_map(|signature| signature.split_whitespace());
            words.any(|word| word == "actual")
        };
        let definitions = read_definitions(self.names.index(), &found)?;
        if definitions.iter().any(|d| !is_actual(d)) {
            let actual: Vec<SymbolId> = definitions.iter().filter(|d| is_actual(d)).map(|d| d.symbol_id).collect();
            found.retain(|id| !actual.contains(id));
        }
        Ok(found)
    }

    fn find_below_folders(&self, segments: &[&str]) -> Result<Vec<SymbolId>> {
        let roots: Vec<(&Repository, &Package)> =
            self.packages().filter(|(_, package)| package.family == "java").collect();
        for at in 1..segments.len() {
            let (package, below) = segments.split_at(at);
            let folder = |(repository, root): &(&Repository, &Package)| {
                let parts = [root.path.as_str()].into_iter().chain(package.iter().copied());
                let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
                (repository.name.clone(), parts.join("/"))
            };
            let found = Scope::Folders(roots.iter().map(folder).collect()).resolve(&self.names, below)?;
            if !found.is_empty() {
                return Ok(found);
            }
        }
        Ok(Vec::new())
    }
}

/// The name of a property whose accessor in Java has this name: `getPath`, `setPath` for `path`.
fn property_of(accessor: &str) -> Option<String> {
    let name = accessor.strip_prefix("get").or_else(|| accessor.strip_prefix("set"))?;
    let first = name.chars().next().filter(char::is_ascii_uppercase)?;
    Some(format!("{}{}", first.to_ascii_lowercase(), &name[1..]))
}

/// The parts of a name behind its package.
fn names<'n>(text: &'n str, separator: &str) -> Vec<&'n str> {
    text.split(separator).filter(|part| !part.is_empty()).collect()
}
