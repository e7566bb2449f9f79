//! Query analysis: turns a query as typed into what the retrievers need.
//!
//! These are words for the text index, identifiers and `Owner.name` paths for the symbol index, and the class that
//! decides the weight of each retriever. Pure: it must not know any index.

mod literals;
mod pairs;
mod report;
mod words;

use sextant_format::names::segments;
use sextant_text::tokens::{identifiers, split_identifier};

use crate::weights::QueryWeights;
pub use pairs::{NamePair, PairEvidence};
use report::Part;
pub use report::StackFrame;
pub(crate) use words::is_interrogative;
pub use words::is_stop_word;
use words::{strip_call_syntax, without_arity};

/// The class of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryClass {
    /// A name, with or without owners: `scrapeLoop.run`, `parse_config`.
    Symbol,
    /// A path: `src/http/server.rs`.
    Path,
    /// Words.
    Natural,
    /// A long text: an issue, a stack trace, pasted code.
    Report,
}

impl QueryClass {
    /// The word in `--explain`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Symbol => "symbol",
            Self::Path => "path",
            Self::Natural => "natural",
            Self::Report => "report",
        }
    }
}

/// A name in a query, with the owners in front of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePath {
    /// Owners, outermost first, as typed.
    pub owners: Vec<String>,
    /// The name, as typed.
    pub name: String,
}

/// An analysed query.
#[derive(Clone, Debug)]
pub struct AnalyzedQuery {
    /// As typed.
    pub text: String,
    /// Its class.
    pub class: QueryClass,
    /// Words in order of first appearance, lower case, without stop words unless there is nothing else.
    pub words: Vec<String>,
    /// The weight of each word, above 0 and at most 1.
    pub weights: Vec<f32>,
    /// Whole identifiers of more than one word, lower case.
    pub full_identifiers: Vec<String>,
    /// The weight of each of them, above 0 and at most 1.
    pub full_identifier_weights: Vec<f32>,
    /// Names that are written like code: with owners, in snake_case or camelCase, or the only word.
    pub names: Vec<NamePath>,
    /// Pairs of words that may be the owner and the name of a symbol.
    pub pairs: Vec<NamePair>,
    /// Neighbouring words joined, as in the name of a type or a function.
    pub compounds: Vec<String>,
    /// Locations in files that it names.
    pub frames: Vec<StackFrame>,
    /// The text to embed: the query without pasted code.
    pub embedding_text: String,
    /// Keys, paths and options that a question quotes.
    pub literals: Vec<String>,
    /// Names of which it asks for the users.
    pub names_with_users: Vec<String>,
    /// Whether the query asks for tests.
    pub wants_tests: bool,
}

/// Words of a query that are used: more cost time and add nothing.
const MAX_WORDS: usize = 64;

/// Characters of a query that are analysed.
const MAX_QUERY_CHARS: usize = 20_000;

/// Analyses a query. Any text is a query; a text without words finds nothing.
#[must_use]
pub fn analyze_query(text: &str, weights: &QueryWeights) -> AnalyzedQuery {
    let truncated: String = text.chars().take(MAX_QUERY_CHARS).collect();
    let class = classify(&truncated);
    analyze(text, truncated, class, weights)
}

/// Analyses a word that looks like a name or a path and is none, as something that is written in code: a setting, a key.
pub(crate) fn analyze_literal(text: &str, weights: &QueryWeights) -> AnalyzedQuery {
    let truncated: String = text.chars().take(MAX_QUERY_CHARS).collect();
    let literal = truncated.trim().to_owned();
    AnalyzedQuery { literals: vec![literal], ..analyze(text, truncated, QueryClass::Natural, weights) }
}

/// Analyses a query of a class. `truncated` is what of the text is analysed.
fn analyze(text: &str, truncated: String, class: QueryClass, weights: &QueryWeights) -> AnalyzedQuery {
    let report::Report { parts, frames } = match class {
        QueryClass::Report => report::parse_report(&truncated, weights),
        _ => report::Report { parts: vec![Part { text: truncated, weight: 1.0 }], frames: Vec::new() },
    };
    let mut all = WeightedTerms::default();
    let mut full_identifiers = WeightedTerms::default();
    let mut topic_words = Vec::new();
    let mut identifier_compounds = Vec::new();
    let mut identifier_words: Vec<String> = Vec::new();
    let mut buffer = String::new();
    for part in &parts {
        for (_, identifier) in identifiers(&part.text) {
            identifier_words.clear();
            split_identifier(identifier, &mut buffer, |word| {
                identifier_words.push(word.to_owned());
                all.add(word, part.weight);
                if part.weight >= weights.min_topic_weight && !is_stop_word(word) {
                    push_unique(&mut topic_words, word.to_owned());
                }
            });
            if identifier_words.len() > 1 {
                full_identifiers.add(&identifier.to_lowercase(), part.weight);
            }
            // `DatasetGroupBy` may be defined in a file `groupby`.
            if identifier_words.len() > 2 && part.weight >= weights.min_topic_weight {
                for window in [2, 3].into_iter().flat_map(|n| identifier_words.windows(n)) {
                    push_unique(&mut identifier_compounds, window.concat());
                    push_unique(&mut identifier_compounds, window.join("_"));
                }
            }
        }
    }
    let (words, word_weights) = all.finish(weights.repetition, |word| !is_stop_word(word));
    let (full_identifiers, full_identifier_weights) = full_identifiers.finish(weights.repetition, |_| true);
    let wants_tests = words.iter().zip(&word_weights).any(|(word, weight)| {
        *weight >= weights.min_topic_weight
            && matches!(word.as_str(), "test" | "tests" | "testing" | "spec" | "specs" | "fixture" | "fixtures")
            && !is_condition(&text[..text.floor_char_boundary(MAX_QUERY_CHARS)], word)
    });
    // Parts of more weight are looked up first.
    let mut by_weight: Vec<&Part> = parts.iter().collect();
    by_weight.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    let mut found: Vec<NamePath> = Vec::new();
    for part in by_weight {
        for name in names(&part.text, class) {
            if !found.contains(&name) {
                found.push(name);
            }
        }
    }
    for frame in frames.iter().filter_map(|frame| frame.function.as_deref()) {
        if let Some((name, owners)) = segments(frame).split_last() {
            let owners = owners.last().map(|owner| (*owner).to_owned()).into_iter().collect();
            found.push(NamePath { owners, name: (*name).to_owned() });
        }
    }
    found.truncate(MAX_WORDS);
    let embedding_text = match class {
        QueryClass::Report => {
            let embedded = parts.iter().filter(|part| part.weight >= weights.min_embedded_weight);
            embedded.map(|part| part.text.as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => text.to_owned(),
    };
    let pairs = match class {
        QueryClass::Natural | QueryClass::Symbol => pairs::name_pairs(text),
        QueryClass::Path | QueryClass::Report => Vec::new(),
    };
    let literals = if class == QueryClass::Natural { literals::literals(text) } else { Vec::new() };
    let names_with_users = if class == QueryClass::Natural { words::names_with_users(text) } else { Vec::new() };
    AnalyzedQuery {
        names: found,
        names_with_users,
        literals,
        pairs,
        compounds: compounds(&topic_words, identifier_compounds),
        text: text.to_owned(),
        class,
        words,
        weights: word_weights,
        full_identifiers,
        full_identifier_weights,
        frames,
        embedding_text,
        wants_tests,
    }
}

/// Whether a word of a text always means to check a condition, as in "test whether" and "the test for whether".
fn is_condition(text: &str, word: &str) -> bool {
    let words: Vec<String> =
        text.split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()).map(str::to_lowercase).collect();
    let is_before_condition = |at: usize| {
        let after = words[at + 1..].iter().find(|after| *after != "for");
        after.is_some_and(|after| matches!(after.as_str(), "whether" | "if"))
    };
    let mut found = (0..words.len()).filter(|&at| words[at] == word).peekable();
    found.peek().is_some() && found.all(is_before_condition)
}

/// Words in the order of their first appearance with the largest weight that each had.
#[derive(Default)]
struct WeightedTerms {
    list: Vec<(String, f32, u32)>,
}

impl WeightedTerms {
    fn add(&mut self, word: &str, weight: f32) {
        match self.list.iter_mut().find(|(known, ..)| known == word) {
            Some((_, max_weight, count)) => {
                *max_weight = max_weight.max(weight);
                *count += 1;
            }
            None => self.list.push((word.to_owned(), weight, 1)),
        }
    }

    /// Returns the words that `wants` accepts with their weights, only the heaviest if there are too many; all words
    /// if it accepts none. `repetition` is added for each doubling of a word's occurrences.
    fn finish(self, repetition: f32, wants: impl Fn(&str) -> bool) -> (Vec<String>, Vec<f32>) {
        let any = self.list.iter().any(|(word, ..)| wants(word));
        let mut list: Vec<(String, f32)> = self
            .list
            .into_iter()
            .filter(|(word, ..)| !any || wants(word))
            .map(|(word, weight, count)| (word, (weight * (1.0 + repetition * (count as f32).log2())).min(1.0)))
            .collect();
        if list.len() > MAX_WORDS {
            let mut weights: Vec<f32> = list.iter().map(|(_, weight)| *weight).collect();
            weights.sort_by(|a, b| b.total_cmp(a));
            let min_weight = weights[MAX_WORDS - 1];
            list.retain(|(_, weight)| *weight >= min_weight);
            list.truncate(MAX_WORDS);
        }
        list.into_iter().unzip()
    }
}

fn push_unique(list: &mut Vec<String>, item: String) {
    if !list.contains(&item) {
        list.push(item);
    }
}

fn classify(text: &str) -> QueryClass {
    if report::is_report(text) {
        return QueryClass::Report;
    }
    let text = text.trim();
    let is_single_token = !text.contains(char::is_whitespace);
    if is_single_token && without_arity(text).contains('/') {
        return QueryClass::Path;
    }
    let is_code = |word: &str| {
        word.contains("::")
            || word.contains('_')
            || word.contains('#')
            || word.contains("()")
            || (word.contains('.') && !word.ends_with('.'))
            || word.chars().skip(1).any(char::is_uppercase)
    };
    let mut words = text.split_whitespace();
    let is_symbol = if is_single_token { !text.is_empty() } else { words.clone().count() <= 3 && words.all(is_code) };
    if is_symbol { QueryClass::Symbol } else { QueryClass::Natural }
}

/// The names that are written like code, in the order of the text.
fn names(text: &str, class: QueryClass) -> Vec<NamePath> {
    let mut found: Vec<NamePath> = Vec::new();
    let mut push = |name: NamePath| {
        if !found.contains(&name) {
            found.push(name);
        }
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    for word in &words {
        let plain = strip_call_syntax(word);
        let word = plain.as_str();
        if word.is_empty() || word.contains('/') {
            continue;
        }
        let mut parts: Vec<String> = segments(word).into_iter().map(str::to_owned).collect();
        parts.retain(|part| part != "prototype");
        let Some((name, owners)) = parts.split_last() else { continue };
        let looks_like_code = !owners.is_empty()
            || name.contains('_')
            || name.chars().skip(1).any(char::is_uppercase)
            || class == QueryClass::Symbol;
        // `e.g.` and version numbers are not names.
        let is_name = name.chars().next().is_some_and(|c| c.is_alphabetic() || c == '_' || c == '$' || c == '~')
            && (owners.is_empty()
                || class == QueryClass::Symbol
                || parts.iter().all(|part| part.len() > 1 || parts.len() == 2 && word.len() > 4));
        if looks_like_code && is_name {
            // If the query is only a name, `empty?` comes before `empty`.
            let mark = words[0].chars().last().filter(|c| words.len() == 1 && matches!(c, '?' | '!' | '='));
            if let Some(mark) = mark {
                push(NamePath { owners: owners.to_vec(), name: format!("{name}{mark}") });
            }
            push(NamePath { owners: owners.to_vec(), name: name.clone() });
        }
    }
    // `Owner method` in two words.
    if let [owner, name] = words[..]
        && class != QueryClass::Path
    {
        let plain = name.trim_end_matches(['?', '!']);
        if [owner, plain].iter().all(|word| word.chars().all(|c| c.is_alphanumeric() || c == '_')) {
            for name in [name, plain].iter().take(if name == plain { 1 } else { 2 }) {
                push(NamePath { owners: vec![owner.to_owned()], name: (*name).to_owned() });
            }
        }
    }
    found
}

/// Joins two and three neighbouring words, and appends them to `out`, the compounds of identifiers.
fn compounds(words: &[String], mut out: Vec<String>) -> Vec<String> {
    for n in [2, 3] {
        for window in words.windows(n) {
            push_unique(&mut out, window.concat());
            push_unique(&mut out, window.join("_"));
        }
    }
    out.truncate(MAX_WORDS * 2);
    out
}

/// Whether a word may have other forms: long enough, ASCII, no digits.
fn has_inflections(word: &str) -> bool {
    word.len() >= 4 && word.is_ascii() && !word.bytes().any(|b| b.is_ascii_digit())
}

/// Returns a word and its stems without the endings of plurals, participles and agents.
#[must_use]
pub fn stems(word: &str) -> Vec<String> {
    let mut stems = vec![word.to_owned()];
    if !has_inflections(word) {
        return stems;
    }
    let stem = |ending: &str| word.strip_suffix(ending).filter(|stem| stem.len() >= 3);
    if let Some(stem) = stem("ies") {
        stems.push(format!("{stem}y"));
    } else if let Some(stem) = stem("es") {
        stems.push(stem.to_owned());
        stems.push(format!("{stem}e"));
    } else if !word.ends_with("ss")
        && let Some(stem) = stem("s")
    {
        stems.push(stem.to_owned());
    }
    for ending in ["ing", "ed", "er", "ers", "or", "ors", "ion", "ions"] {
        if let Some(stem) = stem(ending) {
            stems.push(stem.to_owned());
            stems.push(format!("{stem}e"));
            let bytes = stem.as_bytes();
            if bytes.len() > 3 && bytes[bytes.len() - 1] == bytes[bytes.len() - 2] {
                stems.push(stem[..stem.len() - 1].to_owned());
            }
        }
    }
    stems
}

/// Returns other forms of an English word that have the same meaning in a question about code: its stems, and the word
/// with other endings.
#[must_use]
pub fn variants(word: &str) -> Vec<String> {
    if !has_inflections(word) {
        return Vec::new();
    }
    let mut out = stems(word);
    let base = word.strip_suffix('e').unwrap_or(word);
    out.push(format!("{word}s"));
    for ending in ["ing", "ed", "er", "or", "ion"] {
        out.push(format!("{base}{ending}"));
    }
    if let Some(stem) = word.strip_suffix('y') {
        out.push(format!("{stem}ies"));
    }
    out.retain(|variant| variant != word);
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::weights::Weights;

    fn analyze_query(text: &str) -> AnalyzedQuery {
        super::analyze_query(text, &Weights::STANDARD.query)
    }

    #[test]
    fn queries_are_classified() {
        for (text, class) in [
            ("scrapeLoop.run", QueryClass::Symbol),
            ("Session", QueryClass::Symbol),
            ("parse_config", QueryClass::Symbol),
            ("src/http/server.rs", QueryClass::Path),
            ("Job.run/2", QueryClass::Symbol),
            ("where is retry handled", QueryClass::Natural),
            ("How does RequestContext get pushed?", QueryClass::Natural),
            ("", QueryClass::Natural),
        ] {
            assert_eq!(analyze_query(text).class, class, "{text}");
        }
    }

    #[test]
    fn names_keep_their_owners() {
        let names = |text: &str| {
            let parts = |name: NamePath| {
                let mut all = name.owners;
                all.push(name.name);
                all.join("/")
            };
            analyze_query(text).names.into_iter().map(parts).collect::<Vec<_>>()
        };
        assert_eq!(names("ns::Foo#bar"), ["ns/Foo/bar"]);
        assert_eq!(names("scrapeLoop run"), ["scrapeLoop", "scrapeLoop/run"]);
        assert_eq!(names("how is RequestContext.push() called?"), ["RequestContext/push"]);
        assert_eq!(names("what is it, e.g. here"), Vec::<String>::new());
        assert_eq!(names("(*server).loop"), ["server/loop"]);
        assert_eq!(names("Queue.prototype.drain"), ["Queue/drain"]);
        assert_eq!(names("Stack$peek"), ["Stack/peek"]);
        assert_eq!(names("$scope"), ["$scope"]);
        assert_eq!(names("Job.run/2"), ["Job/run"]);
        assert_eq!(names("Job.valid?/1"), ["Job/valid"]);
        assert_eq!(names("Stack.empty?"), ["Stack/empty?", "Stack/empty"]);
        assert_eq!(names("is it Stack.empty?"), ["Stack/empty"]);
        assert_eq!(names("Stack empty?"), ["Stack/empty?", "Stack/empty"]);
    }

    #[test]
    fn stop_words_stay_when_there_is_nothing_else() {
        assert_eq!(analyze_query("where is the retry handled").words, ["retry", "handled"]);
        assert_eq!(analyze_query("what is it").words, ["what", "is", "it"]);
        assert!(analyze_query("?!").words.is_empty());
    }

    #[test]
    fn code_that_tests_a_condition_is_no_test() {
        for (text, expected) in [
            ("where are tests of the parser", true),
            ("how is the test client set up", true),
            ("test whether two URLs have the same origin", false),
            ("if I loosened the test for whether two hosts match, which code is affected", false),
            ("if I loosened the test for whether two hosts match, which tests notice", true),
            ("where does it test if the pool is full", false),
        ] {
            assert_eq!(analyze_query(text).wants_tests, expected, "{text}");
        }
    }

    #[test]
    fn variants_reach_the_other_forms() {
        assert!(variants("handled").contains(&"handle".to_owned()));
        assert!(variants("retries").contains(&"retry".to_owned()));
        assert!(variants("stopping").contains(&"stop".to_owned()));
        assert!(variants("parse").contains(&"parser".to_owned()));
        assert!(variants("io").is_empty());
    }
}
