//! Expands macros as the preprocessor does, with the nearest definition where there are several.

use super::defines::{Define, VARIADIC};
use super::lookup::Defines;
use crate::macros::{arguments, tokenize};

/// An expansion has at most this many tokens, and takes at most this many steps.
const MAX_STEPS: usize = 20_000;
/// Macros inside of macros are followed this deep.
const MAX_DEPTH: usize = 40;

/// A list of arguments has at most this many tokens.
const MAX_ARGUMENT_WORDS: usize = 4_000;

/// Expands the uses of macros in a text, as seen from the file at `path`.
pub(super) fn expand(defines: &Defines<'_>, text: &str, path: &str) -> Vec<String> {
    let mut expander = Expander { defines, steps: MAX_STEPS, hidden: Vec::new() };
    expander.expand(words(text), path)
}

fn words(text: &str) -> Vec<String> {
    tokenize(text, false).iter().map(|token| token.text(text).to_owned()).collect()
}

struct Expander<'a> {
    defines: &'a Defines<'a>,
    steps: usize,
    /// Macros that are being expanded: they are not expanded again inside of themselves.
    hidden: Vec<&'a str>,
}

impl<'a> Expander<'a> {
    fn expand(&mut self, words: Vec<String>, path: &str) -> Vec<String> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < words.len() && self.steps > 0 {
            self.steps -= 1;
            let word = &words[at];
            let found = self.defines.nearest(word, path);
            let Some((file, define)) = found
                .filter(|(_, define)| self.hidden.len() < MAX_DEPTH && !self.hidden.contains(&define.name.as_str()))
            else {
                out.push(word.clone());
                at += 1;
                continue;
            };
            let (given, end) = match &define.parameters {
                None => (Vec::new(), at + 1),
                Some(_) => match given_arguments(&words, at + 1) {
                    Some(found) => found,
                    None => {
                        out.push(word.clone());
                        at += 1;
                        continue;
                    }
                },
            };
            let expanded = given.iter().map(|argument| self.expand(argument.clone(), path)).collect::<Vec<_>>();
            let replaced = substitute(define, &given, &expanded);
            self.hidden.push(&define.name);
            out.extend(self.expand(replaced, &file.path));
            self.hidden.pop();
            at = end;
        }
        out
    }
}

/// The arguments in the parentheses at `open`, and the index after them.
fn given_arguments(words: &[String], open: usize) -> Option<(Vec<Vec<String>>, usize)> {
    // The list of arguments is read from a text, as in a file.
    if words.get(open).map(String::as_str) != Some("(") {
        return None;
    }
    let text = words[open..words.len().min(open + MAX_ARGUMENT_WORDS)].join(" ");
    let tokens = tokenize(&text, false);
    let (found, close) = arguments(&text, &tokens, 0)?;
    let given = found
        .into_iter()
        .map(|range| tokens[range].iter().map(|token| token.text(&text).to_owned()).collect())
        .collect();
    Some((given, open + close + 1))
}

/// The body with the arguments in place of the parameters.
fn substitute(define: &Define, given: &[Vec<String>], expanded: &[Vec<String>]) -> Vec<String> {
    let body = words(&define.body);
    let body: Vec<&str> = body.iter().map(String::as_str).collect();
    let parameters = define.parameters.as_deref().unwrap_or_default();
    // All arguments from the parameter on, where it stands for the rest.
    let argument = |word: &str, from: &[Vec<String>]| -> Option<Vec<String>> {
        let number = parameters.iter().position(|name| name == word || name.strip_prefix(VARIADIC) == Some(word))?;
        let is_rest = parameters[number] == "__VA_ARGS__" || parameters[number].starts_with(VARIADIC);
        if is_rest {
            Some(from.get(number..).unwrap_or_default().join(&",".to_owned()))
        } else {
            Some(from.get(number).cloned().unwrap_or_default())
        }
    };
    let mut out: Vec<String> = Vec::new();
    let mut at = 0;
    while at < body.len() {
        let word = body[at];
        if word == "#"
            && let Some(text) = body.get(at + 1).and_then(|word| argument(word, given))
        {
            out.push(format!("\"{}\"", text.join(" ").replace(['"', '\\'], "'")));
            at += 2;
            continue;
        }
        if word == "##" {
            let next = body.get(at + 1).copied().unwrap_or("");
            let right = argument(next, given).unwrap_or_else(|| vec![next.to_owned()]);
            paste(&mut out, right);
            at += 2;
            continue;
        }
        let is_pasted = body.get(at + 1) == Some(&"##");
        match argument(word, if is_pasted { given } else { expanded }) {
            // An empty left side must not paste what stands before it.
            Some(words) if is_pasted && words.is_empty() => out.push(String::new()),
            Some(words) => out.extend(words),
            None => out.push(word.to_owned()),
        }
        at += 1;
    }
    out.retain(|word| !word.is_empty());
    out
}

/// Joins the last token with the first of `right`. A comma before an empty rest goes.
fn paste(out: &mut Vec<String>, right: Vec<String>) {
    let mut right = right.into_iter();
    match (out.pop(), right.next()) {
        (Some(left), Some(first)) if left == "," => out.extend([left, first]),
        (Some(left), Some(first)) => out.push(left + &first),
        (Some(left), None) if left == "," => {}
        (left, first) => out.extend(left.or(first)),
    }
    out.extend(right);
}
