//! Matches patterns against nodes by backtracking. Every assignment of nodes that fits a pattern is a match.

use super::compile::{CompiledPredicate, CompiledQuery, Condition, KindTest, Step, StepTest};
use super::flat_tree::{ERROR, FlatTree};
use super::parse::Quantifier;

/// Matching a file may take this many steps for each of its nodes ...
const STEPS_PER_NODE: u64 = 64;
/// ... plus this many. Matches beyond the limit are lost. Steps are counted, so that the result does
/// not depend on the machine.
const BASE_MATCH_STEPS: u64 = 10_000_000;

/// A match: the number of its pattern and the captured nodes, in the order of the captures in the pattern.
#[derive(Debug)]
pub struct Match<'a> {
    /// The number of the pattern, from 0 in the order of the query text.
    pub pattern: usize,
    /// Pairs of capture and node: indices into [`CompiledQuery::capture_names`] and the [`FlatTree`].
    pub captures: &'a [(u16, u32)],
}

/// The tree and text, the captures of the current attempt, and the remaining steps.
struct MatchState<'a> {
    nodes: &'a FlatTree,
    named: &'a [bool],
    text: &'a str,
    captures: Vec<(u16, u32)>,
    steps: u64,
}

/// Matches the rest of the pattern, from the node after the matched part.
type Continuation<'r, 'a> = dyn FnMut(&mut MatchState<'a>, u32) -> bool + 'r;

impl CompiledQuery {
    /// Calls `on_match` with every match in `nodes`, the tree of `text`.
    ///
    /// Captured nodes are indices into `nodes`. The number of steps is limited in proportion to the size
    /// of the tree; matches beyond the limit are not reported.
    pub fn matches(&self, nodes: &FlatTree, text: &str, on_match: impl FnMut(Match<'_>)) {
        self.matches_from(nodes, 0, text, on_match);
    }

    /// The same for the trees from `root` on, the root of one of several trees.
    pub fn matches_from(&self, nodes: &FlatTree, root: u32, text: &str, mut on_match: impl FnMut(Match<'_>)) {
        let steps = BASE_MATCH_STEPS + STEPS_PER_NODE * u64::from(nodes.count() - root);
        let mut state = MatchState { nodes, named: &self.named, text, captures: Vec::new(), steps };
        for node in root..nodes.count() {
            let kind = nodes.kind(node);
            let candidates = self.by_kind.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
            for &number in candidates.iter().chain(&self.any_kind) {
                let pattern = &self.patterns[usize::from(number)];
                let (first, rest) = (&pattern.steps[0], &pattern.steps[1..]);
                let limit = nodes.subtree_end(nodes.parent(node));
                let mut complete = |state: &mut MatchState<'_>, _: u32| {
                    let fits = pattern.predicates.iter().all(|predicate| capture_predicate_holds(predicate, state));
                    if fits {
                        on_match(Match { pattern: usize::from(number), captures: &state.captures });
                    }
                    fits
                };
                match_first_step(&mut state, first, rest, pattern.ends_anchored, node, limit, &mut complete);
            }
        }
    }
}

/// Matches the outermost step at this node only, not at a later sibling.
fn match_first_step<'a>(
    state: &mut MatchState<'a>,
    first: &Step,
    rest: &[Step],
    ends_anchored: bool,
    node: u32,
    limit: u32,
    complete: &mut Continuation<'_, 'a>,
) -> bool {
    if matches!(first.quantifier, Quantifier::Any | Quantifier::Some) {
        let mut more =
            |state: &mut MatchState<'a>, next: u32| repeat(state, first, rest, ends_anchored, next, limit, 1, complete);
        return step(state, first, node, &mut more);
    }
    step(state, first, node, &mut |state, next| sequence(state, rest, ends_anchored, next, limit, complete))
}

/// Whether a node has the field of a step, and a kind with which the step can begin.
#[inline]
fn can_match_at(nodes: &FlatTree, wanted: &Step, node: u32) -> bool {
    (wanted.field == 0 || nodes.field(node) == wanted.field)
        && wanted.kinds.as_ref().is_none_or(|kinds| kinds.contains(&nodes.kind(node)))
}

/// Matches a step at exactly this node, and counts it.
#[inline]
fn step<'a>(state: &mut MatchState<'a>, wanted: &Step, node: u32, rest: &mut Continuation<'_, 'a>) -> bool {
    if state.steps == 0 {
        return false;
    }
    state.steps -= 1;
    can_match_at(state.nodes, wanted, node) && inner_step(state, wanted, node, rest)
}

/// Matches a step at a node whose kind and field already fit.
fn inner_step<'a>(state: &mut MatchState<'a>, wanted: &Step, node: u32, rest: &mut Continuation<'_, 'a>) -> bool {
    let nodes = state.nodes;
    let mark = state.captures.len();
    let matched = match &wanted.test {
        StepTest::Node(inner) => {
            let fits = matches_kind(state, &inner.kind, node)
                && inner.negated_fields.iter().all(|&field| nodes.child_by_field(node, field).is_none());
            if !fits || !wanted.predicates.iter().all(|predicate| predicate_holds(predicate, state, node)) {
                return false;
            }
            state.captures.extend(wanted.captures.iter().map(|&capture| (capture, node)));
            let end = nodes.subtree_end(node);
            if inner.steps.is_empty() {
                rest(state, end)
            } else {
                sequence(state, &inner.steps, inner.ends_anchored, node + 1, end, &mut |state, _| rest(state, end))
            }
        }
        StepTest::Choice(options) => {
            if !wanted.predicates.iter().all(|predicate| predicate_holds(predicate, state, node)) {
                return false;
            }
            state.captures.extend(wanted.captures.iter().map(|&capture| (capture, node)));
            let mut any = false;
            for option in options {
                any |= step(state, option, node, rest);
            }
            any
        }
        StepTest::Group { steps, ends_anchored } => {
            let limit = nodes.subtree_end(nodes.parent(node));
            match_first_step(state, &steps[0], &steps[1..], *ends_anchored, node, limit, rest)
        }
    };
    state.captures.truncate(mark);
    matched
}

/// Matches steps in order among the siblings from `at` up to `limit`.
fn sequence<'a>(
    state: &mut MatchState<'a>,
    steps: &[Step],
    ends_anchored: bool,
    at: u32,
    limit: u32,
    rest: &mut Continuation<'_, 'a>,
) -> bool {
    let Some((wanted, later)) = steps.split_first() else {
        return (!ends_anchored || !has_named_sibling(state, at, limit)) && rest(state, at);
    };
    match wanted.quantifier {
        Quantifier::Any => repeat(state, wanted, later, ends_anchored, at, limit, 1, rest),
        Quantifier::Some => repeat(state, wanted, later, ends_anchored, at, limit, 0, rest),
        Quantifier::One | Quantifier::Optional => {
            let mut any = false;
            let mut node = at;
            // Without captures in the step, it does not matter which of several nodes matched.
            let first_match_suffices =
                !wanted.has_captures && later.first().is_none_or(|step| !step.anchored) && !ends_anchored;
            while node < limit {
                any |= step(state, wanted, node, &mut |state, next| {
                    sequence(state, later, ends_anchored, next, limit, rest)
                });
                if (any && first_match_suffices) || (wanted.anchored && is_named(state, node)) {
                    break;
                }
                node = state.nodes.subtree_end(node);
            }
            if !any && wanted.quantifier == Quantifier::Optional {
                any = sequence(state, later, ends_anchored, at, limit, rest);
            }
            any
        }
    }
}

/// Matches a step greedily as often as it fits. `seen` is 0 if it must still fit at least once.
#[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
fn repeat<'a>(
    state: &mut MatchState<'a>,
    wanted: &Step,
    later: &[Step],
    ends_anchored: bool,
    at: u32,
    limit: u32,
    seen: u32,
    rest: &mut Continuation<'_, 'a>,
) -> bool {
    // Captures of earlier repetitions must survive the failure of this one, so each repetition is a call.
    let mut node = at;
    while node < limit {
        let mut repeat_again =
            |state: &mut MatchState<'a>, next: u32| repeat(state, wanted, later, ends_anchored, next, limit, 1, rest);
        if step(state, wanted, node, &mut repeat_again) {
            return true;
        }
        if wanted.anchored && is_named(state, node) {
            break;
        }
        node = state.nodes.subtree_end(node);
    }
    seen > 0 && sequence(state, later, ends_anchored, at, limit, rest)
}

fn is_named(state: &MatchState<'_>, node: u32) -> bool {
    let kind = state.nodes.kind(node);
    kind == ERROR || state.named.get(usize::from(kind)).copied().unwrap_or(false)
}

fn has_named_sibling(state: &MatchState<'_>, at: u32, limit: u32) -> bool {
    let mut node = at;
    while node < limit {
        if is_named(state, node) {
            return true;
        }
        node = state.nodes.subtree_end(node);
    }
    false
}

fn matches_kind(state: &MatchState<'_>, wanted: &KindTest, node: u32) -> bool {
    let kind = state.nodes.kind(node);
    match wanted {
        KindTest::Is(kinds) => kinds.contains(&kind),
        KindTest::Named => kind != ERROR && is_named(state, node),
        KindTest::Any => kind != ERROR,
        KindTest::Error => kind == ERROR,
        KindTest::Missing => state.nodes.is_missing(node),
    }
}

fn text<'a>(state: &MatchState<'a>, node: u32) -> &'a str {
    state.text.get(state.nodes.range(node)).unwrap_or("")
}

/// Whether a predicate on two captures holds for every node of the first. Other predicates return true.
fn capture_predicate_holds(predicate: &CompiledPredicate, state: &MatchState<'_>) -> bool {
    let Condition::Capture(other) = predicate.condition else { return true };
    let nodes = |capture: u16| {
        state.captures.iter().filter(move |(found, _)| *found == capture).map(|&(_, node)| text(state, node))
    };
    let other = nodes(other).next();
    nodes(predicate.capture).all(|text| other.is_none_or(|other| (text == other) == predicate.is_positive))
}

/// Whether a predicate on one capture holds for `node`. Predicates on two captures return true.
fn predicate_holds(predicate: &CompiledPredicate, state: &MatchState<'_>, node: u32) -> bool {
    let found = match &predicate.condition {
        Condition::Capture(_) => return true,
        Condition::Text(wanted) => text(state, node) == wanted,
        Condition::AnyOf(words) => words.iter().any(|word| word == text(state, node)),
        Condition::Matches(regex) => regex.is_match(text(state, node)),
        Condition::Ancestor { kinds, parent_only } => {
            let mut ancestor = node;
            loop {
                let parent = state.nodes.parent(ancestor);
                if parent == ancestor {
                    break false;
                }
                ancestor = parent;
                if kinds.contains(&state.nodes.kind(ancestor)) {
                    break true;
                }
                if *parent_only {
                    break false;
                }
            }
        }
    };
    found == predicate.is_positive
}
