//! Reads the modules of a crate and the modules that each of them uses, from the syntax of its files.
//!
//! A use of a re-exported name (`pub use child::Name`) counts as a use of the module that defines it, so that a parent
//! may re-export names of its children. Test modules do not count.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use syn::visit::Visit;
use syn::{Attribute, Item, UseTree};

/// A module that is a file.
#[derive(Debug)]
pub(crate) struct Module {
    /// Its path in the crate, without `crate`; empty for the root.
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) lines: usize,
    /// The modules that it uses, as indexes into the list of modules, each with one path of such a use.
    pub(crate) uses: Vec<(usize, String)>,
}

struct Parsed {
    path: Vec<String>,
    file: PathBuf,
    lines: usize,
    /// Paths in the source, as they are written.
    paths: Vec<Vec<String>>,
    /// Names that `use` imports, with their paths as they are written.
    imported: BTreeMap<String, Vec<String>>,
}

/// Returns the modules of the crate whose sources are in this folder.
pub(crate) fn modules(src: &Path) -> Vec<Module> {
    let mut parsed = Vec::new();
    for root in ["lib.rs", "main.rs"] {
        let file = src.join(root);
        if file.is_file() {
            // If there is a library, the root of a program is another crate.
            read(&file, src, Vec::new(), &mut parsed);
            break;
        }
    }
    let numbers: BTreeMap<Vec<String>, usize> =
        parsed.iter().enumerate().map(|(number, module)| (module.path.clone(), number)).collect();
    let mut modules = Vec::new();
    for (number, module) in parsed.iter().enumerate() {
        let mut uses: Vec<(usize, String)> = Vec::new();
        for path in &module.paths {
            let Some(to) = resolve(&module.path, path, &parsed, &numbers, 0) else { continue };
            if to != number && uses.iter().all(|(known, _)| *known != to) {
                uses.push((to, path.join("::")));
            }
        }
        uses.sort();
        modules.push(Module { name: module.path.join("::"), file: module.file.clone(), lines: module.lines, uses });
    }
    modules
}

/// Returns the module that a path in the module `from` refers to, as an index; none if it is in another crate.
fn resolve(
    from: &[String],
    path: &[String],
    parsed: &[Parsed],
    numbers: &BTreeMap<Vec<String>, usize>,
    depth: usize,
) -> Option<usize> {
    let mut at: Vec<String> = match path.first()?.as_str() {
        "crate" => Vec::new(),
        "self" => from.to_vec(),
        "super" => from[..from.len().checked_sub(1)?].to_vec(),
        first => {
            // The path begins with a child of the module.
            let child: Vec<String> = from.iter().cloned().chain([first.to_owned()]).collect();
            numbers.contains_key(&child).then_some(child)?
        }
    };
    for (n, segment) in path.iter().enumerate().skip(1) {
        if segment == "super" {
            at.pop()?;
            continue;
        }
        let child: Vec<String> = at.iter().cloned().chain([segment.clone()]).collect();
        if numbers.contains_key(&child) {
            at = child;
            continue;
        }
        // The segment is a name in the module `at`. If that module imports the name, follow the import.
        let module = &parsed[*numbers.get(&at)?];
        if depth < 8
            && let Some(target) = module.imported.get(segment)
        {
            let whole: Vec<String> = target.iter().chain(&path[n + 1..]).cloned().collect();
            if let Some(found) = resolve(&at, &whole, parsed, numbers, depth + 1) {
                return Some(found);
            }
        }
        break;
    }
    numbers.get(&at).copied()
}

fn read(file: &Path, folder: &Path, path: Vec<String>, parsed: &mut Vec<Parsed>) {
    let text = fs_err::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
    let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut collector = Collector::default();
    let mut children = Vec::new();
    for item in &syntax.items {
        if is_test(attributes(item)) {
            continue;
        }
        match item {
            Item::Mod(module) if module.content.is_none() => children.push(module.ident.to_string()),
            item => collector.visit_item(item),
        }
    }
    parsed.push(Parsed {
        path: path.clone(),
        file: file.to_owned(),
        lines: text.lines().count(),
        paths: collector.paths,
        imported: collector.imported,
    });
    for child in children {
        let (flat, nested) = (folder.join(format!("{child}.rs")), folder.join(&child).join("mod.rs"));
        let inner = folder.join(&child);
        let child: Vec<String> = path.iter().cloned().chain([child]).collect();
        if flat.is_file() {
            read(&flat, &inner, child, parsed);
        } else if nested.is_file() {
            read(&nested, &inner, child, parsed);
        }
    }
}

#[derive(Default)]
struct Collector {
    paths: Vec<Vec<String>>,
    imported: BTreeMap<String, Vec<String>>,
}

impl Collector {
    fn tree(&mut self, tree: &UseTree, mut prefix: Vec<String>) {
        match tree {
            UseTree::Path(path) => {
                prefix.push(path.ident.to_string());
                self.tree(&path.tree, prefix);
            }
            UseTree::Name(name) => {
                let name = name.ident.to_string();
                if name != "self" {
                    prefix.push(name.clone());
                }
                let bound = if name == "self" { prefix.last().cloned().unwrap_or_default() } else { name };
                self.imported.insert(bound, prefix.clone());
                self.paths.push(prefix);
            }
            UseTree::Rename(rename) => {
                let name = rename.ident.to_string();
                if name != "self" {
                    prefix.push(name);
                }
                self.imported.insert(rename.rename.to_string(), prefix.clone());
                self.paths.push(prefix);
            }
            UseTree::Glob(_) => self.paths.push(prefix),
            UseTree::Group(group) => group.items.iter().for_each(|tree| self.tree(tree, prefix.clone())),
        }
    }
}

impl<'ast> Visit<'ast> for Collector {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_test(attributes(item)) {
            syn::visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.tree(&item.tree, Vec::new());
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        if path.segments.len() > 1 {
            self.paths.push(path.segments.iter().map(|segment| segment.ident.to_string()).collect());
        }
        syn::visit::visit_path(self, path);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Const(item) => &item.attrs,
        _ => &[],
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}
