//! Which macros open and close namespaces.

use super::defines::{Define, FileMacros};
use super::expand::expand;
use super::lookup::Defines;
use crate::macros::MacroRole;

/// The role of a macro that opens or closes scopes, as the file at `path` or as all files see it. Definitions that are
/// empty do not count; the others have to agree.
pub(super) fn role(defines: &Defines<'_>, found: &[(&FileMacros, &Define)], path: Option<&str>) -> Option<MacroRole> {
    let is_seen = |file: &FileMacros, define: &Define| path.map_or(!define.is_own, |path| file.path == path);
    let mut role = None;
    for (file, define) in found.iter().filter(|(file, define)| is_seen(file, define)) {
        if define.parameters.is_some() {
            return None;
        }
        if define.body.is_empty() {
            continue;
        }
        let this = of_body(defines, file, define)?;
        if role.replace(this.clone()).is_some_and(|before| before != this) {
            return None;
        }
    }
    role
}

fn of_body(defines: &Defines<'_>, file: &FileMacros, define: &Define) -> Option<MacroRole> {
    let is_candidate = define.body.contains('{') || define.body.starts_with('}');
    if !is_candidate {
        return None;
    }
    let words = expand(defines, &define.body, &file.path);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    if words.iter().all(|word| *word == "}") {
        return Some(MacroRole::Closes);
    }
    let (mut names, mut at) = (Vec::new(), 0);
    while at < words.len() {
        let is_inline = words[at] == "inline";
        at += usize::from(is_inline);
        match words.get(at..)? {
            ["extern", linkage, "{", ..] if linkage.starts_with('"') => at += 3,
            ["namespace", rest @ ..] => {
                let length = rest.iter().position(|word| *word == "{")?;
                let name = rest[..length].concat();
                let is_name = name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
                if !is_name {
                    return None;
                }
                // Names of inline and unnamed namespaces need not be written.
                if !is_inline && !name.is_empty() {
                    names.push(name);
                }
                at += length + 2;
            }
            _ => return None,
        }
    }
    Some(MacroRole::Opens(names.join("::")))
}
