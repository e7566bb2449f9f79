//! Which members a request asks: from their vocabularies, without an index.

use std::collections::BTreeSet;

use sextant_api::requests::{Request, Subject};
use sextant_format::endpoints;
use sextant_format::names::{segments, strip_punctuation};
use sextant_search::query_analysis::analyze_query;
use sextant_search::rank::Weights;
use sextant_sync::collection::repository_of;
use sextant_sync::collection::vocabulary::{Entry, MAX_TEXT_BYTES, Vocabulary};

/// A member, as its vocabulary and its size describe it.
#[derive(Clone, Copy)]
pub(crate) struct Described<'a> {
    /// None if it was built without: it may be about anything.
    pub(crate) vocabulary: Option<&'a Vocabulary>,
    /// The number of its chunks.
    pub(crate) chunks: u64,
}

/// The members that may answer a request, by their positions.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    /// Those that can, the likeliest first.
    pub(crate) members: Vec<usize>,
    /// Whether the others can have no answer. If not, they are only less likely to have one.
    pub(crate) is_complete: bool,
}

/// Whether a member is one of the repositories that a request is restricted to: in its index, a repository has the last
/// part of the member's name, without its state.
pub(crate) fn is_of_repositories(member: &str, repositories: &[String]) -> bool {
    let name = repository_of(member).rsplit('/').next();
    repositories.is_empty() || repositories.iter().any(|wanted| name == Some(wanted))
}

/// Chooses the members that a request asks. Where links may lead further, those that have what it names come first, and none
/// is left out.
pub(crate) fn choose(request: &dyn Request, members: &[Described<'_>]) -> Choice {
    let mut choice = by_subject(&request.subject(), members);
    let chosen: BTreeSet<usize> = choice.members.iter().copied().collect();
    let others = || (0..members.len()).filter(|at| !chosen.contains(at));
    if request.leads_further() && chosen.len() < members.len() {
        choice.members.extend(others());
        choice.is_complete = false;
    } else if request.follows_endpoints() && chosen.iter().any(|&at| has_endpoints(&members[at])) {
        // What a member serves, others ask under the name of the endpoint.
        choice.members.extend(others().filter(|&at| has_endpoints(&members[at])));
    }
    choice
}

fn has_endpoints(member: &Described<'_>) -> bool {
    member.vocabulary.is_none_or(|vocabulary| vocabulary.begins(Entry::Endpoint, ""))
}

/// Chooses the members that a subject is about.
fn by_subject(subject: &Subject, members: &[Described<'_>]) -> Choice {
    let all = || (0..members.len()).collect();
    match subject {
        Subject::Everything => Choice { members: all(), is_complete: true },
        Subject::Endpoints => {
            let members = (0..members.len()).filter(|&at| has_endpoints(&members[at])).collect();
            Choice { members, is_complete: true }
        }
        Subject::Text(text) | Subject::Pattern(text) => Choice { members: by_words(text, members), is_complete: false },
        Subject::Names(names) => {
            let has =
                |vocabulary: &Vocabulary, name: &str| has_name(vocabulary, name).max(has_endpoint(vocabulary, name));
            having(members, |vocabulary| names.iter().map(|name| has(vocabulary, name)).max())
        }
        Subject::Files(paths) => {
            having(members, |vocabulary| paths.iter().map(|path| u8::from(has_file(vocabulary, path))).max())
        }
        Subject::PartOfName(part) => {
            let last = segments(part).last().map_or_else(|| part.to_lowercase(), |last| last.to_lowercase());
            let beginning = having(members, |vocabulary| Some(u8::from(vocabulary.begins(Entry::Definition, &last))));
            // What only contains it is in no vocabulary's order.
            if beginning.members.is_empty() { Choice { members: all(), is_complete: false } } else { beginning }
        }
    }
}

/// The members for which `rank` is above 0, those with the highest first. Members without a vocabulary are last.
fn having(members: &[Described<'_>], rank: impl Fn(&Vocabulary) -> Option<u8>) -> Choice {
    let rank = |at: &usize| members[*at].vocabulary.map_or(1, |vocabulary| rank(vocabulary).unwrap_or(0));
    let mut ranked: Vec<(u8, usize)> =
        (0..members.len()).map(|at| (rank(&at), at)).filter(|(rank, _)| *rank > 0).collect();
    ranked.sort_by_key(|&(rank, at)| (u8::MAX - rank, members[at].vocabulary.is_none(), at));
    Choice { members: ranked.into_iter().map(|(_, at)| at).collect(), is_complete: true }
}

/// 2 if a name may be defined, 1 if it may only be used, else 0.
fn has_name(vocabulary: &Vocabulary, name: &str) -> u8 {
    // `path:name`, `path:12-40`: the file decides.
    if let Some((path, _)) = name.split_once(':')
        && !path.is_empty()
        && !name.contains("::")
        && has_file(vocabulary, path)
    {
        return 2;
    }
    // Keys of definitions and chunks end with a number: `path:name~2`, `path@3`.
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let name = name.rsplit_once(['~', '@']).filter(|(_, number)| is_number(number)).map_or(name, |(name, _)| name);
    let Some(last) = segments(name).last().map(|last| last.to_lowercase()) else { return 0 };
    if last.len() > MAX_TEXT_BYTES {
        return 1;
    }
    let forms = [last.as_str(), strip_punctuation(&last)];
    if has_file(vocabulary, name) || forms.iter().any(|form| vocabulary.count(Entry::Definition, form) > 0) {
        return 2;
    }
    u8::from(forms.iter().any(|form| vocabulary.count(Entry::External, form) > 0))
}

/// 2 if a name is that of an endpoint, 1 if it is written like one and there are endpoints that it may fit, else 0.
fn has_endpoint(vocabulary: &Vocabulary, name: &str) -> u8 {
    if vocabulary.count(Entry::Endpoint, &name.to_lowercase()) > 0 {
        return 2;
    }
    let Some(endpoint) = endpoints::from_query(name) else { return 0 };
    if vocabulary.count(Entry::Endpoint, &endpoint.to_lowercase()) > 0 {
        return 2;
    }
    u8::from(vocabulary.begins(Entry::Endpoint, ""))
}

fn has_file(vocabulary: &Vocabulary, path: &str) -> bool {
    let name = path.trim_end_matches('/').rsplit(['/', '\\']).next().unwrap_or(path);
    name.len() > MAX_TEXT_BYTES || vocabulary.count(Entry::File, &name.to_lowercase()) > 0
}

/// The belief in a member that has none of the words, in CORI.
const DEFAULT_BELIEF: f32 = 0.4;
/// How fast the number of chunks with a word saturates, and how much of it grows with the member, in CORI.
const SATURATION: f32 = 50.0;
const GROWTH: f32 = 150.0;

/// The members by the words of a text, the likeliest first, as CORI ranks collections (Callan, Lu and Croft, "Searching
/// distributed collections with inference networks", 1995) with chunks as documents. A member that defines a name of the
/// text counts as one with a word in all of its chunks.
fn by_words(text: &str, members: &[Described<'_>]) -> Vec<usize> {
    let query = analyze_query(text, &Weights::STANDARD.query);
    let average = members.iter().map(|member| member.chunks as f32).sum::<f32>() / members.len().max(1) as f32;
    let mut beliefs = vec![0.0_f32; members.len()];
    let mut add = |counts: Vec<f32>, weight: f32| {
        let with = counts.iter().filter(|count| **count > 0.0).count() as f32;
        if with == 0.0 {
            return;
        }
        let rarity = ((members.len() as f32 + 0.5) / with).ln() / (members.len() as f32 + 1.0).ln();
        for ((belief, count), member) in beliefs.iter_mut().zip(counts).zip(members) {
            let saturated = if count.is_infinite() {
                1.0
            } else {
                count / (count + SATURATION + GROWTH * member.chunks as f32 / average.max(1.0))
            };
            *belief += weight * (DEFAULT_BELIEF + (1.0 - DEFAULT_BELIEF) * saturated * rarity);
        }
    };
    let counts = |entry: Entry, text: &str| -> Vec<f32> {
        members.iter().map(|member| member.vocabulary.map_or(0.0, |words| words.count(entry, text) as f32)).collect()
    };
    for (word, &weight) in query.words.iter().zip(&query.weights) {
        add(counts(Entry::Word, word), weight);
    }
    for name in &query.names {
        let defined = counts(Entry::Definition, &name.name.to_lowercase());
        add(defined.into_iter().map(|count| if count > 0.0 { f32::INFINITY } else { 0.0 }).collect(), 1.0);
    }
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by(|&a, &b| beliefs[b].total_cmp(&beliefs[a]).then(a.cmp(&b)));
    order
}
