//! What queries cannot say. Each hook is a special case and is counted: a test snapshots the list.

use super::clean;
use crate::model::Reference;

/// Every hook, as `language: what it does`.
pub const HOOKS: &[&str] = &["rust: the tree of a use declaration becomes one import a leaf"];

/// Expands what one match of a reference stands for.
pub(super) fn expand(language: &str, reference: Reference, out: &mut Vec<Reference>) {
    if language == "rust" && reference.kind == sextant_formats::kinds::EdgeKind::Import {
        let tree = reference.name.clone();
        use_tree("", &tree, &reference, 0, out);
    } else {
        out.push(Reference { name: clean::one_line(&reference.name), ..reference });
    }
}

/// `a::{b, c::{d as e}}` is `b` of `a` and `d` of `a::c` with the alias `e`.
fn use_tree(prefix: &str, tree: &str, model: &Reference, depth: u32, out: &mut Vec<Reference>) {
    let tree = tree.trim().trim_start_matches("::");
    if tree.is_empty() || depth > 32 {
        return;
    }
    if let Some(open) = tree.find('{') {
        let inner = tree[open + 1..].strip_suffix('}').unwrap_or(&tree[open + 1..]);
        let prefix = join(prefix, tree[..open].trim().trim_end_matches("::"));
        let mut level = 0_u32;
        let mut start = 0;
        for (at, c) in inner.char_indices() {
            match c {
                '{' => level += 1,
                '}' => level = level.saturating_sub(1),
                ',' if level == 0 => {
                    use_tree(&prefix, &inner[start..at], model, depth + 1, out);
                    start = at + 1;
                }
                _ => {}
            }
        }
        use_tree(&prefix, &inner[start..], model, depth + 1, out);
        return;
    }
    let (path, alias) = match tree.split_once(" as ") {
        Some((path, alias)) => (path.trim(), Some(alias.trim().to_owned())),
        None => (tree, model.alias.clone()),
    };
    let full = join(prefix, path);
    let full = full.strip_suffix("::self").unwrap_or(&full);
    let (owner, name) = match full.rsplit_once("::") {
        Some((owner, name)) => (Some(owner.to_owned()), name),
        None => (None, full),
    };
    let owner = owner.map(|owner| clean::one_line(&owner));
    out.push(Reference { name: clean::one_line(name), owner, alias, ..model.clone() });
}

fn join(prefix: &str, path: &str) -> String {
    match (prefix.is_empty(), path.is_empty()) {
        (true, _) => path.to_owned(),
        (_, true) => prefix.to_owned(),
        _ => format!("{prefix}::{path}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sextant_formats::kinds::EdgeKind;

    fn imports(tree: &str) -> Vec<String> {
        let reference = Reference {
            source: 0,
            kind: EdgeKind::Import,
            name: tree.to_owned(),
            owner: None,
            alias: None,
            arguments: None,
            is_local: false,
            is_path: false,
            line: 1,
            column: 0,
        };
        let mut out = Vec::new();
        expand("rust", reference, &mut out);
        out.into_iter()
            .map(|r| {
                let alias = r.alias.map(|a| format!(" as {a}")).unwrap_or_default();
                format!("{}|{}{alias}", r.owner.unwrap_or_default(), r.name)
            })
            .collect()
    }

    #[test]
    fn use_trees_are_expanded() {
        assert_eq!(imports("a::b::C"), ["a::b|C"]);
        assert_eq!(imports("a::{self, b, c::{D as E, *}}"), ["|a", "a|b", "a::c|D as E", "a::c|*"]);
        assert_eq!(imports("std"), ["|std"]);
        assert_eq!(imports("{a::b, c}"), ["a|b", "|c"]);
        assert_eq!(imports("a::{"), Vec::<String>::new());
    }
}
