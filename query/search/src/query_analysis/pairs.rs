//! Pairs of words of a query that may be the owner and the name of a symbol: `Pool acquire idle connection` may be about
//! `Pool.acquire`. Only the index knows which pairs exist; the evidence says how much one means if it exists.

use sextant_text::tokens::split_identifier;

use super::words::{is_stop_word, strip_call_syntax};

/// Queries of more words are texts: too many of their pairs exist by chance.
const MAX_WORDS: usize = 12;
/// Words that are joined to one name at most.
const MAX_JOINED: usize = 3;

/// Two words that may be an owner and a name.
#[derive(Clone, Debug, PartialEq)]
pub struct NamePair {
    /// The owner, as typed.
    pub owner: String,
    /// The name, as typed.
    pub name: String,
    /// Why the words may be a pair.
    pub evidence: PairEvidence,
    /// How the words stand to each other, 0 to 1: 1 if the name follows its owner.
    pub order: f32,
}

/// Why two words of a query may be an owner and a name, the best reason first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum PairEvidence {
    /// One of them is written like code and the other is next to it, or both are written like code.
    Code,
    /// The query begins with them, and consists of words without grammar: `sink close pipe buffer`.
    Leading,
    /// The name follows the owner, and both are ordinary words that may be names by chance.
    Words,
}

/// A name of the query: one word, or several neighbouring ones joined.
struct Name {
    text: String,
    /// Its first word, and the one after its last.
    first: usize,
    end: usize,
    is_code: bool,
    is_stop_word: bool,
}

/// Returns the pairs of a query, the likely ones first.
pub(super) fn name_pairs(text: &str) -> Vec<NamePair> {
    let words: Vec<String> = text.split_whitespace().map(strip_call_syntax).collect();
    if words.len() < 2 || words.len() > MAX_WORDS {
        return Vec::new();
    }
    let is_identifier = |word: &str| {
        word.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && word.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '?' | '!'))
    };
    let mut names = Vec::new();
    for (n, word) in words.iter().enumerate().filter(|(_, word)| is_identifier(word)) {
        let is_code = word.contains('_') || word.chars().any(char::is_uppercase);
        let is_grammar = is_stop_word(&word.to_lowercase());
        names.push(Name { text: word.clone(), first: n, end: n + 1, is_code, is_stop_word: is_grammar });
        // Words of a name that are written apart: `json array` for `JsonArray`.
        for count in 2..=MAX_JOINED {
            let Some(joined) = words.get(n..n + count) else { break };
            let is_plain = |word: &String| is_identifier(word) && !is_stop_word(word);
            if joined.iter().all(is_plain) && words.len() > count {
                names.push(Name {
                    text: joined.concat(),
                    first: n,
                    end: n + count,
                    is_code: false,
                    is_stop_word: false,
                });
            }
        }
    }
    let is_without_grammar = !names.iter().any(|name| name.is_stop_word && name.first != 1);
    let mut pairs: Vec<NamePair> = Vec::new();
    for owner in &names {
        for name in &names {
            let (follows, precedes) = (owner.end == name.first, name.end == owner.first);
            let is_neighbour = follows || precedes;
            let is_apart = owner.end <= name.first || name.end <= owner.first;
            let is_joined = owner.end - owner.first > 1 || name.end - name.first > 1;
            // `Body each` may be about a method `each`; other words without meaning are grammar.
            let is_grammar = owner.is_stop_word || name.is_stop_word && !(owner.is_code && follows);
            if !is_apart || is_grammar && words.len() > 2 {
                continue;
            }
            let evidence = match () {
                () if owner.is_code && name.is_code => PairEvidence::Code,
                () if is_neighbour && (owner.is_code || name.is_code) && !is_joined => PairEvidence::Code,
                () if follows && owner.first == 0 && is_without_grammar => PairEvidence::Leading,
                () if follows || owner.is_code && !is_joined => PairEvidence::Words,
                () => continue,
            };
            let order = if follows {
                1.0
            } else if precedes {
                0.9
            } else {
                0.8
            };
            for owner in styles(&owner.text) {
                for name in styles(&name.text) {
                    pairs.push(NamePair { owner: owner.clone(), name, evidence, order });
                }
            }
        }
    }
    pairs.sort_by(|a, b| a.evidence.cmp(&b.evidence).then(b.order.total_cmp(&a.order)));
    pairs
}

/// A name as typed, and in the other styles of its words: `json_array` is also `jsonarray`, `addAll` also `add_all`.
fn styles(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    split_identifier(name, &mut String::new(), |word| words.push(word.to_owned()));
    let mut styles = vec![name.to_owned()];
    if words.len() > 1 {
        let lower = name.to_lowercase();
        styles.extend([words.concat(), words.join("_")].into_iter().filter(|other| *other != lower));
    }
    styles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strong(text: &str) -> Vec<String> {
        let pairs = name_pairs(text);
        pairs
            .iter()
            .filter(|pair| pair.evidence == PairEvidence::Code)
            .map(|pair| format!("{}.{}", pair.owner, pair.name))
            .collect()
    }

    #[test]
    fn an_owner_and_its_neighbour_are_a_pair() {
        let pairs = strong("Pool acquire idle connection");
        assert_eq!(pairs[..2], ["Pool.acquire", "acquire.Pool"]);
        assert!(strong("how does the Session close connections").contains(&"Session.close".to_owned()));
        assert!(strong("where is retry handled").is_empty());
        assert!(strong("GzipStream each deflater buffer").contains(&"GzipStream.each".to_owned()));
        assert!(strong("json_array add elements").contains(&"jsonarray.add".to_owned()));
        assert!(strong("addAll JsonArray").contains(&"JsonArray.add_all".to_owned()));
    }

    #[test]
    fn words_written_apart_are_weak_evidence() {
        let pairs = name_pairs("json array add elements");
        let pair = pairs.iter().find(|pair| pair.owner == "jsonarray" && pair.name == "add").unwrap();
        assert_eq!(pair.evidence, PairEvidence::Leading);
        let pairs = name_pairs("how are elements added to a json array");
        assert!(pairs.iter().all(|pair| pair.evidence == PairEvidence::Words), "{pairs:?}");
        assert!(name_pairs(&"word ".repeat(40)).is_empty());
    }
}
