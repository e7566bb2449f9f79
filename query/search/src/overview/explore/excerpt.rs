//! Which lines of a symbol are shown: all of a short one; of a long one its head and the lines that the question is
//! about, with lines around them.

use std::collections::BTreeSet;
use std::ops::Range;

use super::answer::SourcePart;
use super::size;
use crate::blocks::Blocks;
use crate::query_analysis::stems;

/// Lines of documentation in front of a symbol that are shown with it.
const MAX_DOC_LINES: u32 = 4;
/// Lines of a long symbol's head that are shown.
const HEAD_LINES: usize = 3;
/// Lines before and after a line that the question is about.
const CONTEXT_LINES: usize = 5;
/// Lines on each side over which matches are summed: a place with several matches comes before a single one.
const DENSITY_LINES: usize = 6;
/// What a literal of the question in a line is worth, in words.
const LITERAL: f32 = 2.0;
/// What a call of the best other candidate is worth, and that of one that fits half as well half as much: there the answer
/// goes on.
const CALL: f32 = 2.0;
/// Calls of other candidates that are shown in any case.
const MAX_CALLS: usize = 2;
/// How well these fit at least.
const MIN_CALLED_FIT: f32 = 0.4;
/// Bytes of a word's stem at least that lines are compared with.
const MIN_STEM_BYTES: usize = 4;
/// Cut lines up to this number are shown instead of a mark: a reader needs them more often than the bytes that they take.
const MAX_BRIDGED_LINES: u32 = 4;

/// What a line of a symbol is chosen for.
#[derive(Clone, Copy, Default)]
pub(super) struct Wanted<'a> {
    /// Words of the question.
    pub(super) words: &'a [String],
    /// Literals of the question.
    pub(super) literals: &'a [String],
    /// Names of other candidates that are functions, with how well they fit, 0 to 1.
    pub(super) called: &'a [(String, f32)],
}

/// The lines of a symbol.
pub(super) struct SymbolLines<'a> {
    /// Number and text of each line that belongs to it, ascending.
    pub(super) lines: Vec<(u32, &'a str)>,
    /// The first line of its definition, after documentation and attributes.
    pub(super) definition_line: u32,
    /// Lines of blocks in it that were found by themselves.
    pub(super) found_blocks: Vec<(u32, u32)>,
}

impl<'a> SymbolLines<'a> {
    /// All lines, but of long documentation only the first ones.
    pub(super) fn whole(&self) -> Vec<SourcePart> {
        let first = self.lines.first().map_or(0, |(line, _)| *line);
        let doc_end = first.saturating_add(MAX_DOC_LINES);
        let docstring = self.docstring();
        let docstring = docstring.start.saturating_add(MAX_DOC_LINES)..docstring.end;
        let keep = |line: u32| (line >= self.definition_line || line < doc_end) && !docstring.contains(&line);
        self.parts(&self.lines.iter().map(|(line, _)| *line).filter(|&line| keep(line)).collect())
    }

    /// The lines of documentation below the head of a definition, as Python has it, without the last one.
    fn docstring(&self) -> Range<u32> {
        let from = self.lines.partition_point(|&(line, _)| line < self.definition_line);
        let mut lines = self.lines[from..].iter();
        // The head ends with a colon; what follows it is documentation or the first statement.
        let is_head_end = |&&(_, text): &&(u32, &str)| text.trim_end().ends_with(':');
        if lines.find(is_head_end).is_none() {
            return 0..0;
        }
        let Some((first, text)) = lines.find(|(_, text)| !text.trim().is_empty()) else { return 0..0 };
        let text = text.trim_start().trim_start_matches(['r', 'R', 'u', 'U', 'b', 'B']);
        let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| text.starts_with(quotes)) else { return 0..0 };
        if text[quotes.len()..].contains(quotes) {
            return 0..0;
        }
        let end = lines.find(|(_, text)| text.contains(quotes)).map_or(*first, |(end, _)| *end);
        *first..end
    }

    /// The head and the lines with the most words of the question, at most `budget` bytes in the text form.
    pub(super) fn best(&self, wanted: Wanted<'_>, budget: usize) -> Vec<SourcePart> {
        let last = self.lines.last().map_or(0, |(line, _)| *line);
        let from = self.lines.partition_point(|&(line, _)| line < self.definition_line);
        let lines = &self.lines[from..];
        let indent = size::common_indent(lines.iter().map(|(_, text)| *text));
        let cost = |at: usize| size::numbered(last, lines[at].1, indent);
        let mut chosen: BTreeSet<u32> = BTreeSet::new();
        let mut spent = 0;
        let mut add = |at: usize, chosen: &mut BTreeSet<u32>| {
            if chosen.contains(&lines[at].0) {
                return true;
            }
            if spent + cost(at) > budget {
                return false;
            }
            spent += cost(at);
            chosen.insert(lines[at].0)
        };
        for at in 0..HEAD_LINES.min(lines.len()) {
            if !add(at, &mut chosen) {
                return self.telling_parts(&chosen);
            }
        }
        let mut matches = self.matches(lines, wanted);
        // What is said about a function is not what it does.
        let docstring = self.docstring();
        for (matches, _) in matches.iter_mut().zip(lines).filter(|(_, (line, _))| docstring.contains(line)) {
            *matches = 0.0;
        }
        let window = |at: usize, by: usize| at.saturating_sub(by)..(at + by + 1).min(lines.len());
        let density: Vec<f32> =
            (0..lines.len()).map(|at| window(at, DENSITY_LINES).map(|near| matches[near]).sum()).collect();
        let mut order: Vec<usize> = (0..lines.len()).collect();
        let key = |at: usize| (density[at], matches[at]);
        order.sort_by(|&a, &b| {
            let ((x, y), (z, w)) = (key(b), key(a));
            x.total_cmp(&z).then(y.total_cmp(&w)).then(a.cmp(&b))
        });
        let blocks = Blocks::of(lines.iter().map(|(_, text)| *text));
        // Where the best other candidates are called, before anything else: by these lines the answer holds together.
        for at in calls_of_best(lines, wanted.called) {
            for at in blocks.heads_around(at).into_iter().chain(at.saturating_sub(1)..at + 2) {
                if at < lines.len() && !add(at, &mut chosen) {
                    return self.telling_parts(&chosen);
                }
            }
        }
        'places: for centre in order {
            // Nearest lines first, so that a place that does not fit whole has its middle.
            let near = (0..=CONTEXT_LINES).flat_map(|by| [centre.checked_sub(by), Some(centre + by)]).flatten();
            for at in blocks.heads_around(centre).into_iter().chain(blocks.short_block(centre)).chain(near) {
                if at < lines.len() && !add(at, &mut chosen) {
                    break 'places;
                }
            }
        }
        self.telling_parts(&chosen)
    }

    /// Chosen lines as parts that are more than braces: these tell nothing by themselves.
    fn telling_parts(&self, chosen: &BTreeSet<u32>) -> Vec<SourcePart> {
        let mut parts = self.parts(chosen);
        parts.retain(|part| part.text.contains(char::is_alphanumeric));
        parts
    }

    /// How much each line matches: words of the question, the rarer in this symbol the more; calls of other candidates; and
    /// whether it is in a block that was found.
    fn matches(&self, lines: &[(u32, &str)], wanted: Wanted<'_>) -> Vec<f32> {
        let lowercase: Vec<String> = lines.iter().map(|(_, text)| text.to_lowercase()).collect();
        let forms: Vec<Vec<String>> = wanted.words.iter().map(|word| forms(word)).collect();
        let has = |text: &String, forms: &Vec<String>| forms.iter().any(|form| text.contains(form.as_str()));
        let weight = |forms: &Vec<String>| {
            let with_it = lowercase.iter().filter(|text| has(text, forms)).count();
            // A word of every line tells no line from another.
            1.0 - (1.0 + with_it as f32).ln() / (1.0 + lines.len() as f32).ln()
        };
        let weights: Vec<f32> = forms.iter().map(weight).collect();
        let literals: Vec<String> = wanted.literals.iter().map(|literal| literal.to_lowercase()).collect();
        let of_line = |(&(number, text), lowercase): (&(u32, &str), &String)| {
            let quoted = literals.iter().filter(|literal| lowercase.contains(literal.as_str())).count() as f32;
            let words = forms.iter().zip(&weights).filter(|(forms, _)| has(lowercase, forms));
            let found: f32 = words.map(|(_, weight)| weight).sum();
            let called: f32 = wanted.called.iter().filter(|(name, _)| has_name(text, name)).map(|(_, fit)| fit).sum();
            let is_in_block = self.found_blocks.iter().any(|&(first, last)| (first..=last).contains(&number));
            found + quoted * LITERAL + called * CALL + if is_in_block { 0.5 } else { 0.0 }
        };
        lines.iter().zip(&lowercase).map(of_line).collect()
    }

    /// Chosen lines as consecutive parts; short gaps and blank lines are filled.
    fn parts(&self, chosen: &BTreeSet<u32>) -> Vec<SourcePart> {
        let mut parts: Vec<SourcePart> = Vec::new();
        let mut skipped: Vec<(u32, &str)> = Vec::new();
        for &(line, text) in &self.lines {
            if !chosen.contains(&line) {
                skipped.push((line, text));
                continue;
            }
            let gap = skipped.len() as u32;
            match parts.last_mut() {
                // Without skipped lines of its own, what lies between is blank or belongs to other symbols.
                Some(part) if part.end_line + 1 + gap == line && gap <= MAX_BRIDGED_LINES => {
                    for (_, text) in skipped.drain(..).chain(std::iter::once((line, text))) {
                        part.text.push('\n');
                        part.text.push_str(text);
                    }
                    part.end_line = line;
                }
                _ => parts.push(SourcePart { start_line: line, end_line: line, text: text.to_owned() }),
            }
            skipped.clear();
        }
        // A mark for what is cut at the end would be as long as a line or two.
        if let Some(part) = parts.last_mut()
            && skipped.last().is_some_and(|(line, _)| part.end_line + skipped.len() as u32 == *line)
            && skipped.len() as u32 <= MAX_BRIDGED_LINES
        {
            for (line, text) in skipped {
                part.text.push('\n');
                part.text.push_str(text);
                part.end_line = line;
            }
        }
        parts
    }
}

/// A word in lower case and its stems, without short ones: these are parts of other words.
fn forms(word: &str) -> Vec<String> {
    let mut forms = stems(word);
    forms.retain(|form| form == word || form.len() >= MIN_STEM_BYTES);
    forms
}

/// The first calls of the candidates that fit best, at most [`MAX_CALLS`].
fn calls_of_best(lines: &[(u32, &str)], called: &[(String, f32)]) -> Vec<usize> {
    let mut best: Vec<&(String, f32)> = called.iter().filter(|(_, fit)| *fit >= MIN_CALLED_FIT).collect();
    best.sort_by(|a, b| b.1.total_cmp(&a.1));
    // The first lines are the head, which has the symbol's own name.
    let first_call = |(name, _): &(String, f32)| (HEAD_LINES..lines.len()).find(|&at| has_name(lines[at].1, name));
    best.into_iter().filter_map(first_call).take(MAX_CALLS).collect()
}

/// Whether a line has a name as a word of its own.
fn has_name(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(is_part) && !text[at + name.len()..].starts_with(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[&'static str]) -> SymbolLines<'static> {
        let lines = (10..).zip(text.iter().copied()).collect();
        SymbolLines { lines, definition_line: 10, found_blocks: Vec::new() }
    }

    fn ranges(parts: &[SourcePart]) -> Vec<(u32, u32)> {
        parts.iter().map(|part| (part.start_line, part.end_line)).collect()
    }

    #[test]
    fn a_long_symbol_is_shown_around_the_words() {
        let words = ["retry".to_owned()];
        let retry = Wanted { words: &words, ..Wanted::default() };
        let mut text = vec!["let x = 1;"; 60];
        text[40] = "retry(x);";
        let symbol = lines(&text);
        let parts = symbol.best(retry, 13 * 16);
        assert_eq!(ranges(&parts), [(10, 12), (45, 54)]);
        assert!(parts[1].text.contains("retry"));
        // Everything fits.
        assert_eq!(ranges(&symbol.best(Wanted::default(), usize::MAX)), [(10, 69)]);
        assert_eq!(symbol.best(Wanted::default(), 0), []);
    }

    #[test]
    fn words_have_other_forms_in_lines() {
        let words = ["retries".to_owned(), "pushing".to_owned()];
        let mut text = vec!["let x = 1;"; 60];
        (text[25], text[40]) = ("string(x);", "retry(x, push);");
        let parts = lines(&text).best(Wanted { words: &words, ..Wanted::default() }, 13 * 16);
        assert_eq!(ranges(&parts), [(10, 12), (45, 54)]);
    }

    #[test]
    fn a_mark_is_not_longer_than_what_it_stands_for() {
        let words = ["retry".to_owned()];
        let retry = Wanted { words: &words, ..Wanted::default() };
        let mut text = vec!["let x = 1;"; 60];
        text[52] = "retry(x);";
        // The places around the word end two lines before the end.
        let parts = lines(&text).best(retry, 14 * 16);
        assert_eq!(ranges(&parts), [(10, 12), (56, 69)]);
    }

    #[test]
    fn long_documentation_is_cut() {
        let symbol = SymbolLines { definition_line: 30, ..lines(&["/// text"; 30]) };
        assert_eq!(ranges(&symbol.whole()), [(10, 13), (30, 39)]);
    }

    #[test]
    fn a_docstring_is_documentation() {
        let words = ["retry".to_owned()];
        let retry = Wanted { words: &words, ..Wanted::default() };
        let mut text = vec!["def f(a,", "      b):", "    \"\"\"Does it with retry."];
        text.extend(["    Words about retry."; 30]);
        text.extend(["    \"\"\"", "    return retry(a)"]);
        let symbol = lines(&text);
        assert_eq!(ranges(&symbol.whole()), [(10, 15), (43, 44)]);
        let parts = symbol.best(retry, 200);
        assert!(parts.last().unwrap().text.ends_with("return retry(a)"), "{parts:?}");
        let short = lines(&["def f():", "    \"\"\"Does it.\"\"\"", "    g()"]);
        assert_eq!(ranges(&short.whole()), [(10, 12)]);
    }

    #[test]
    fn lines_of_members_are_gaps() {
        let lines = vec![(1, "class A {"), (2, "int x;"), (9, "}")];
        let symbol = SymbolLines { lines, definition_line: 1, found_blocks: Vec::new() };
        assert_eq!(ranges(&symbol.whole()), [(1, 2), (9, 9)]);
    }
}
