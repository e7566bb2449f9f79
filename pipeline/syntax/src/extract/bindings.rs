//! Which of several bindings of one name a use means: variables of different blocks, lambdas and declarations may share a
//! name in one function.
//!
//! Type facts belong to a function and a name. Where the facts of one name differ, those that a use may mean get a name of
//! their own (`x#1`), and so does the name in the receiver of the use. This module must not know what types are.

use rustc_hash::{FxHashMap, FxHashSet};

use super::closure_parameters;
use super::parsed_source::ParsedSource;
use super::types::{BINDING_MARK, split_alternatives, split_identifier};
use crate::language::{Language, ScopeNode};
use crate::model::{Reference, Symbol, TypeFact};

/// Ancestors of a name that are looked at to see whether it is assigned or declared.
const MAX_LEVELS: usize = 3;
/// Bindings of one name in one function; of more, nothing is told apart.
const MAX_BINDINGS: usize = 200;

/// Where a fact's name is bound.
#[derive(Clone, Copy, Debug)]
pub(super) struct Binding {
    /// The fact.
    pub(super) fact: usize,
    /// The node of the name.
    pub(super) node: u32,
    /// Whether the fact is of a name that a function binds, and not of a member or a result.
    pub(super) is_name: bool,
}

/// A binding of a name by a function.
struct Bound {
    fact: usize,
    at: usize,
    /// The innermost block around it.
    block: Option<std::ops::Range<usize>>,
    /// The innermost lambda around it.
    lambda: Option<std::ops::Range<usize>>,
    /// The declaration or assignment: what follows the name in it is not of this binding yet.
    statement: Option<std::ops::Range<usize>>,
    /// Whether nothing is known of its value.
    is_unknown: bool,
    /// Whether it assigns a variable that may be declared elsewhere.
    is_assigned: bool,
}

/// Gives facts of one name in one function that differ, and their uses, names of their own. `bindings` are those of the
/// first facts, in order.
pub(super) fn separate(
    language: &Language,
    source: &ParsedSource<'_>,
    symbols: &[Symbol],
    bindings: &[Binding],
    facts: &mut Vec<TypeFact>,
    references: &mut [Reference],
) {
    let groups = groups(source, bindings, facts);
    if groups.is_empty() {
        return;
    }
    let names: FxHashSet<&str> = groups.keys().map(|(_, name)| name.as_str()).collect();
    let is_of_group = |name: &&str| names.contains(name);
    let named = |fact: &TypeFact| Some((fact.symbol, fact.name.as_deref().filter(is_of_group)?.to_owned()));
    let bound = facts.iter().filter_map(named).collect();
    let has_no_block_scopes = language.blocks_are_no_scopes;
    let mut separated =
        Separated { groups: &groups, names, has_no_block_scopes, bound, symbols, sets: FxHashMap::default() };
    let mut renamed: Vec<(usize, String)> = Vec::new();
    for binding in bindings {
        let fact = &facts[binding.fact];
        if fact.is_declared {
            continue;
        }
        let at = source.nodes.range(binding.node).start;
        let parts =
            split_alternatives(&fact.text).map(|path| separated.renamed(fact.scope, path, at, Some(binding.fact)));
        let parts: Vec<(String, bool)> = parts.collect();
        if parts.iter().any(|(_, is_new)| *is_new) {
            renamed.push((binding.fact, parts.into_iter().map(|(path, _)| path).collect::<Vec<_>>().join("|")));
        }
    }
    for reference in references {
        let Some(qualifier) = &reference.qualifier else { continue };
        let (line, column) = (reference.line, reference.column);
        let at = source.lines.start(line) + column as usize;
        if let (path, true) = separated.renamed(reference.source, qualifier, at, None) {
            reference.qualifier = Some(path);
        }
    }
    for (fact, text) in renamed {
        facts[fact].text = text;
    }
    let mut sets: Vec<_> = separated.sets.into_iter().collect();
    sets.sort_unstable_by(|a, b| a.1.cmp(&b.1).then_with(|| a.0.cmp(&b.0)));
    for ((_, name, set), number) in sets {
        for fact in set {
            let copy = TypeFact { name: Some(format!("{name}{BINDING_MARK}{number}")), ..facts[fact].clone() };
            facts.push(copy);
        }
    }
}

type Groups = FxHashMap<(u32, String), Vec<Bound>>;

/// The bindings of names whose facts differ, by function and name, in the order of the text.
fn groups(source: &ParsedSource<'_>, bindings: &[Binding], facts: &[TypeFact]) -> Groups {
    let mut by_name: FxHashMap<(u32, &str), Vec<&Binding>> = FxHashMap::default();
    for binding in bindings.iter().filter(|binding| binding.is_name) {
        let fact = &facts[binding.fact];
        if let Some(name) = &fact.name {
            by_name.entry((fact.symbol, name)).or_default().push(binding);
        }
    }
    // A fact from documentation has no position. It may belong to any binding of its name, so these are not separated.
    let mut documented: FxHashMap<(u32, &str), usize> = FxHashMap::default();
    for fact in facts {
        if let Some(name) = fact.name.as_deref().filter(|name| by_name.contains_key(&(fact.symbol, *name))) {
            *documented.entry((fact.symbol, name)).or_default() += 1;
        }
    }
    by_name.retain(|key, bindings| {
        let text = |binding: &Binding| (facts[binding.fact].is_declared, facts[binding.fact].text.as_str());
        bindings.len() <= MAX_BINDINGS
            && documented.get(key) == Some(&bindings.len())
            && bindings.windows(2).any(|pair| text(pair[0]) != text(pair[1]))
    });
    let bound = |binding: &Binding| {
        let (mut block, mut statement) = (None, None);
        let is_anonymous = source.text(binding.node) == closure_parameters::ANONYMOUS;
        let argument = is_anonymous.then(|| closure_parameters::argument_around(source, binding.node)).flatten();
        let mut lambda = argument.map(|argument| source.nodes.range(argument));
        let (mut is_assigned, mut is_declared) = (false, false);
        let mut node = binding.node;
        let mut at = source.nodes.range(node).start;
        for level in 0.. {
            let parent = source.nodes.parent(node);
            if parent == node || lambda.is_some() {
                break;
            }
            let found = source.compiled.scope_node(source.nodes.kind(parent));
            if matches!(found, Some(ScopeNode::Assignment | ScopeNode::Declaration)) && level < MAX_LEVELS {
                is_assigned |= found == Some(ScopeNode::Assignment);
                is_declared |= found == Some(ScopeNode::Declaration);
                if block.is_none() {
                    statement.get_or_insert_with(|| source.nodes.range(parent));
                }
            }
            match found {
                Some(ScopeNode::Block) => {
                    block.get_or_insert_with(|| source.nodes.range(parent));
                }
                Some(ScopeNode::Lambda | ScopeNode::Comprehension) => {
                    // A comprehension uses a name before it binds it.
                    if found == Some(ScopeNode::Comprehension) {
                        at = source.nodes.range(parent).start;
                    }
                    block.get_or_insert_with(|| source.nodes.range(parent));
                    lambda = Some(source.nodes.range(parent));
                }
                _ => {}
            }
            node = parent;
        }
        let is_unknown = facts[binding.fact].text.is_empty();
        Bound { fact: binding.fact, at, block, lambda, statement, is_unknown, is_assigned: is_assigned && !is_declared }
    };
    let group = |((symbol, name), bindings): ((u32, &str), Vec<&Binding>)| {
        let mut all: Vec<Bound> = bindings.into_iter().map(bound).collect();
        all.sort_by_key(|bound| bound.at);
        ((symbol, name.to_owned()), all)
    };
    by_name.into_iter().map(group).collect()
}

/// A function, a name, and the facts of bindings that a use may mean.
type Set = (u32, String, Vec<usize>);

struct Separated<'a> {
    groups: &'a Groups,
    /// The names in them.
    names: FxHashSet<&'a str>,
    has_no_block_scopes: bool,
    /// The functions that bind these names.
    bound: FxHashSet<(u32, String)>,
    symbols: &'a [Symbol],
    /// The sets that uses mean, with their numbers.
    sets: FxHashMap<Set, usize>,
}

impl Separated<'_> {
    /// An access path at a place of the text, with the name of the bindings that its first name means there; and whether that
    /// differs. `own` is the fact whose value it is.
    fn renamed(&mut self, source: u32, path: &str, at: usize, own: Option<usize>) -> (String, bool) {
        let unchanged = || (path.to_owned(), false);
        let mut prefix = path.len() - path.trim_start_matches(['@', '$', '&', '*']).len();
        let (mut root, rest) = split_identifier(&path[prefix..]);
        let with_sign = prefix.checked_sub(1).and_then(|at| path.get(at..prefix + root.len()));
        // `$0` is the name itself.
        if let Some(with_sign) = with_sign.filter(|name| !self.names.contains(root) && self.names.contains(name)) {
            (prefix, root) = (prefix - 1, with_sign);
        }
        if !self.names.contains(root) || rest.starts_with(BINDING_MARK) {
            return unchanged();
        }
        let around = std::iter::successors(Some(source), |&id| self.symbols.get(id as usize)?.container);
        let mut keys = around.map(|id| (id, root.to_owned()));
        let Some(key) = keys.find(|key| self.bound.contains(key)) else { return unchanged() };
        let Some(group) = self.groups.get(&key) else { return unchanged() };
        let meant = self.meant(group, at, own);
        if meant.is_empty() || meant.len() == group.len() {
            return unchanged();
        }
        let set = (key.0, key.1, meant);
        let number = match self.sets.get(&set) {
            Some(&number) => number,
            None => {
                let is_of_name = |other: &&Set| (other.0, &other.1) == (set.0, &set.1);
                let number = self.sets.keys().filter(is_of_name).count() + 1;
                self.sets.insert(set, number);
                number
            }
        };
        (format!("{}{root}{BINDING_MARK}{number}{rest}", &path[..prefix]), true)
    }

    /// The facts of the bindings that a use at a place may mean: of those before it, the last one in a block around it, and
    /// assignments since then.
    fn meant(&self, group: &[Bound], at: usize, own: Option<usize>) -> Vec<usize> {
        let contains = |range: &Option<std::ops::Range<usize>>| range.as_ref().is_none_or(|range| range.contains(&at));
        let (mut meant, mut last) = (Vec::new(), None);
        for bound in group.iter().rev().filter(|bound| bound.at <= at && Some(bound.fact) != own) {
            // Several facts may be of one binding.
            if last.is_some_and(|last| last != bound.at) {
                break;
            }
            let is_in_own_value = bound.at < at && bound.statement.as_ref().is_some_and(|range| range.contains(&at));
            if !contains(&bound.lambda) || is_in_own_value {
                continue;
            }
            let is_around = contains(&bound.block);
            if is_around || self.has_no_block_scopes || bound.is_assigned {
                meant.push(bound.fact);
                // `let x = match y { ... { let x = z; x } }`: the value of a block is often the variable of its name.
                let inner = |other: &&Bound| {
                    other.at > bound.at && bound.statement.as_ref().is_some_and(|range| range.contains(&other.at))
                };
                if bound.is_unknown {
                    meant.extend(group.iter().filter(inner).map(|inner| inner.fact));
                }
            }
            if is_around {
                last = Some(bound.at);
            }
        }
        meant.sort_unstable();
        meant.dedup();
        meant
    }
}
