//! Special cases that queries cannot express. A test snapshots the list of hooks, so that none is added unnoticed.

use super::clean;
use crate::model::Reference;

/// Every hook, as `language: what it does`.
pub const HOOKS: &[&str] = &[
    "csharp: `using static` imports all members of a type",
    "rust: the tree of a use declaration becomes one import a leaf",
    "scala: the tree of an import or export becomes one import a leaf",
];

/// The syntax of import trees in a language.
struct ImportTreeSyntax {
    separator: &'static str,
    /// The text between a name and its alias.
    alias_markers: &'static [&'static str],
    /// Whether a leaf is imported by its qualified name, not as a name with a module as qualifier.
    imports_qualified_names: bool,
}

const RUST: ImportTreeSyntax =
    ImportTreeSyntax { separator: "::", alias_markers: &[" as "], imports_qualified_names: false };
const SCALA: ImportTreeSyntax =
    ImportTreeSyntax { separator: ".", alias_markers: &["=>", " as "], imports_qualified_names: true };

/// Expands an import tree into one reference a leaf. Other references are only cleaned. `position` returns line and
/// column of a byte of the reference's name.
pub(super) fn expand(
    language: &str,
    reference: Reference,
    position: impl Fn(usize) -> (u32, u32),
    out: &mut Vec<Reference>,
) {
    let is_import = reference.kind == sextant_format::kinds::EdgeKind::Import;
    let text = reference.name.clone();
    let first = out.len();
    match language {
        "rust" if is_import => RUST.expand("", &text, &reference, 0, &mut |leaf, made| {
            // The leaf is a part of the text.
            let (line, column) = position(leaf.as_ptr().addr() - text.as_ptr().addr());
            out.push(Reference { line, column, ..made });
        }),
        "scala" if is_import => {
            let tree = text.split_once(char::is_whitespace).map_or("", |(_, tree)| tree);
            for_each_part(tree, |part| SCALA.expand("", part, &reference, 0, &mut |_, made| out.push(made)));
        }
        "csharp" if is_import && let Some(path) = static_using(&text) => {
            out.push(Reference { name: format!("{path}.*"), ..reference });
        }
        _ => out.push(Reference { name: clean::one_line(&reference.name), ..reference }),
    }
    out[first..].sort_by_key(|reference| (reference.line, reference.column));
}

/// The type of which a directive of C# imports the members: `using static a.B;`.
fn static_using(text: &str) -> Option<&str> {
    let path = text.split_once("static")?.1.trim().trim_end_matches(';').trim_end();
    (text.contains("using") && !path.is_empty()).then_some(path)
}

impl ImportTreeSyntax {
    /// `a::{b, c::{d as e}}` is `b` of `a` and `d` of `a::c` with the alias `e`. `on_leaf` gets the imported name as a
    /// part of `tree`, and the reference.
    fn expand(
        &self,
        prefix: &str,
        tree: &str,
        template: &Reference,
        depth: u32,
        on_leaf: &mut impl FnMut(&str, Reference),
    ) {
        let tree = trim(tree).trim_start_matches(self.separator);
        if tree.is_empty() || depth > 32 {
            return;
        }
        if let Some(open) = tree.find('{') {
            let inner = tree[open + 1..].strip_suffix('}').unwrap_or(&tree[open + 1..]);
            let prefix = self.join(prefix, tree[..open].trim().trim_end_matches(self.separator));
            for_each_part(inner, |part| self.expand(&prefix, part, template, depth + 1, on_leaf));
            return;
        }
        let renamed = self.alias_markers.iter().find_map(|word| tree.split_once(word));
        let (path, alias) = match renamed {
            Some((path, alias)) => (path.trim(), Some(alias.trim().to_owned())),
            None => (tree, template.alias.clone()),
        };
        let leaf = path.rsplit(self.separator).next().unwrap_or(path).trim_start();
        let full = self.join(prefix, path);
        if self.imports_qualified_names {
            let full = match full.strip_suffix("._") {
                Some(package) => format!("{package}.*"),
                None => full,
            };
            // A name renamed to `_` is excluded from the import.
            if alias.as_deref() != Some("_") && !full.ends_with("given") {
                let name = clean::one_line(&full);
                on_leaf(leaf, Reference { name, qualifier: None, alias, ..template.clone() });
            }
            return;
        }
        let full = full.strip_suffix("::self").unwrap_or(&full);
        let (qualifier, name) = match full.rsplit_once(self.separator) {
            Some((qualifier, name)) => (Some(qualifier.to_owned()), name),
            None => (None, full),
        };
        let qualifier = qualifier.map(|qualifier| clean::one_line(&qualifier)).or_else(|| template.qualifier.clone());
        on_leaf(leaf, Reference { name: clean::one_line(name), qualifier, alias, ..template.clone() });
    }

    fn join(&self, prefix: &str, path: &str) -> String {
        match (prefix.is_empty(), path.is_empty()) {
            (true, _) => path.to_owned(),
            (_, true) => prefix.to_owned(),
            _ => format!("{prefix}{}{path}", self.separator),
        }
    }
}

/// A part of a tree without white space and comments around it.
fn trim(mut part: &str) -> &str {
    loop {
        part = part.trim();
        let rest = if part.starts_with("//") {
            part.split_once('\n').map_or("", |(_, rest)| rest)
        } else if part.starts_with("/*") {
            part.split_once("*/").map_or("", |(_, rest)| rest)
        } else {
            return part;
        };
        part = rest;
    }
}

/// Calls `on_part` with each part of a comma-separated list; commas in braces do not separate.
fn for_each_part(list: &str, mut on_part: impl FnMut(&str)) {
    let mut level = 0_u32;
    let mut start = 0;
    for (at, c) in list.char_indices() {
        match c {
            '{' => level += 1,
            '}' => level = level.saturating_sub(1),
            ',' if level == 0 => {
                on_part(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    on_part(&list[start..]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_format::kinds::EdgeKind;

    fn imports(language: &str, tree: &str) -> Vec<String> {
        let reference = Reference {
            source: 0,
            kind: EdgeKind::Import,
            name: tree.to_owned(),
            qualifier: None,
            alias: None,
            argument_count: None,
            arguments: None,
            is_local: false,
            is_path_qualified: false,
            line: 1,
            column: 0,
        };
        let mut out = Vec::new();
        expand(language, reference, |_| (1, 0), &mut out);
        out.into_iter()
            .map(|r| {
                let alias = r.alias.map(|a| format!(" as {a}")).unwrap_or_default();
                format!("{}|{}{alias}", r.qualifier.unwrap_or_default(), r.name)
            })
            .collect()
    }

    #[test]
    fn use_trees_are_expanded() {
        assert_eq!(imports("rust", "a::b::C"), ["a::b|C"]);
        assert_eq!(imports("rust", "a::{self, b, c::{D as E, *}}"), ["|a", "a|b", "a::c|D as E", "a::c|*"]);
        assert_eq!(imports("rust", "std"), ["|std"]);
        assert_eq!(imports("rust", "{a::b, c}"), ["a|b", "|c"]);
        assert_eq!(imports("rust", "a::{"), Vec::<String>::new());
        assert_eq!(imports("scala", "import a.b.C"), ["|a.b.C"]);
        assert_eq!(
            imports("scala", "import a.b.{C, D => E, F as G, H => _, given, _}, x.y.*"),
            ["|a.b.C", "|a.b.D as E", "|a.b.F as G", "|a.b.*", "|x.y.*"]
        );
        assert_eq!(imports("scala", "import"), Vec::<String>::new());
    }
}
