//! Patterns against nodes, by backtracking: every way in which a pattern fits is a match.

use super::Match;
use super::compile::{Against, Check, Kind, Patterns, Step, Test};
use super::nodes::{ERROR, Nodes};
use super::source::Quantifier;

/// How many steps a file's matches may take for each of its nodes ...
const STEPS_PER_NODE: u64 = 64;
/// ... beyond this many. What is not found then is lost; the count does not depend on the machine.
const STEPS: u64 = 10_000_000;

/// What is matched and what was captured on the way.
struct State<'a> {
    nodes: &'a Nodes,
    named: &'a [bool],
    text: &'a str,
    captures: Vec<(u16, u32)>,
    steps: u64,
}

/// What follows: called with the place after what matched.
type Rest<'r, 'a> = dyn FnMut(&mut State<'a>, u32) -> bool + 'r;

impl Patterns {
    /// Calls `found` with every match in a tree of the text.
    pub fn matches(&self, nodes: &Nodes, text: &str, mut found: impl FnMut(Match<'_>)) {
        let steps = STEPS + STEPS_PER_NODE * u64::from(nodes.count());
        let mut state = State { nodes, named: &self.named, text, captures: Vec::new(), steps };
        for node in 0..nodes.count() {
            let kind = nodes.kind(node);
            let here = self.by_kind.get(usize::from(kind)).map_or(&[][..], Vec::as_slice);
            for &number in here.iter().chain(&self.everywhere) {
                let pattern = &self.patterns[usize::from(number)];
                let (first, rest) = (&pattern.steps[0], &pattern.steps[1..]);
                let limit = if node == 0 { nodes.end(0) } else { nodes.end(nodes.parent(node)) };
                let mut complete = |state: &mut State<'_>, _: u32| {
                    let fits = pattern.checks.iter().all(|check| fits(check, state));
                    if fits {
                        found(Match { pattern: usize::from(number), captures: &state.captures });
                    }
                    fits
                };
                first_step(&mut state, first, rest, pattern.last, node, limit, &mut complete);
            }
        }
    }
}

/// The outermost step matches this node and no later one.
fn first_step<'a>(
    state: &mut State<'a>,
    first: &Step,
    rest: &[Step],
    last: bool,
    node: u32,
    limit: u32,
    complete: &mut Rest<'_, 'a>,
) -> bool {
    if matches!(first.quantifier, Quantifier::Any | Quantifier::Some) {
        let mut more = |state: &mut State<'a>, next: u32| repeat(state, first, rest, last, next, limit, 1, complete);
        return step(state, first, node, &mut more);
    }
    step(state, first, node, &mut |state, next| sequence(state, rest, last, next, limit, complete))
}

/// Whether a node is of the field and of one of the kinds that a step begins with.
#[inline]
fn may_begin(nodes: &Nodes, wanted: &Step, node: u32) -> bool {
    (wanted.field == 0 || nodes.field(node) == wanted.field)
        && wanted.kinds.as_ref().is_none_or(|kinds| kinds.contains(&nodes.kind(node)))
}

/// A step at exactly this node.
#[inline]
fn step<'a>(state: &mut State<'a>, wanted: &Step, node: u32, rest: &mut Rest<'_, 'a>) -> bool {
    if state.steps == 0 {
        return false;
    }
    state.steps -= 1;
    may_begin(state.nodes, wanted, node) && inner_step(state, wanted, node, rest)
}

/// A step at a node that it may begin at.
fn inner_step<'a>(state: &mut State<'a>, wanted: &Step, node: u32, rest: &mut Rest<'_, 'a>) -> bool {
    let nodes = state.nodes;
    let mark = state.captures.len();
    let matched = match &wanted.test {
        Test::Node(inner) => {
            let fits = is_kind(state, &inner.kind, node)
                && inner.negated.iter().all(|&field| nodes.child_by_field(node, field).is_none());
            if !fits || !wanted.checks.iter().all(|check| holds(check, state, node)) {
                return false;
            }
            state.captures.extend(wanted.captures.iter().map(|&capture| (capture, node)));
            let end = nodes.end(node);
            if inner.steps.is_empty() {
                rest(state, end)
            } else {
                sequence(state, &inner.steps, inner.last, node + 1, end, &mut |state, _| rest(state, end))
            }
        }
        Test::Choice(options) => {
            if !wanted.checks.iter().all(|check| holds(check, state, node)) {
                return false;
            }
            state.captures.extend(wanted.captures.iter().map(|&capture| (capture, node)));
            let mut any = false;
            for option in options {
                any |= step(state, option, node, rest);
            }
            any
        }
        Test::Group { steps, last } => {
            let limit = if node == 0 { nodes.end(0) } else { nodes.end(nodes.parent(node)) };
            first_step(state, &steps[0], &steps[1..], *last, node, limit, rest)
        }
    };
    state.captures.truncate(mark);
    matched
}

/// Steps among the siblings from `at` to `limit`, in order.
fn sequence<'a>(
    state: &mut State<'a>,
    steps: &[Step],
    last: bool,
    at: u32,
    limit: u32,
    rest: &mut Rest<'_, 'a>,
) -> bool {
    let Some((wanted, later)) = steps.split_first() else {
        return (!last || !has_named(state, at, limit)) && rest(state, at);
    };
    match wanted.quantifier {
        Quantifier::Any => repeat(state, wanted, later, last, at, limit, 1, rest),
        Quantifier::Some => repeat(state, wanted, later, last, at, limit, 0, rest),
        Quantifier::One | Quantifier::Optional => {
            let mut any = false;
            let mut node = at;
            // Which of several nodes matched tells nothing where nothing in the step is captured.
            let one_is_enough = !wanted.captures_something && later.first().is_none_or(|step| !step.anchored) && !last;
            while node < limit {
                any |= step(state, wanted, node, &mut |state, next| sequence(state, later, last, next, limit, rest));
                if (any && one_is_enough) || (wanted.anchored && is_named(state, node)) {
                    break;
                }
                node = state.nodes.end(node);
            }
            if !any && wanted.quantifier == Quantifier::Optional {
                any = sequence(state, later, last, at, limit, rest);
            }
            any
        }
    }
}

/// A step as often as it fits, the most first; `seen` is 0 where it must fit at least once.
#[expect(clippy::too_many_arguments, reason = "the state of one recursion")]
fn repeat<'a>(
    state: &mut State<'a>,
    wanted: &Step,
    later: &[Step],
    last: bool,
    at: u32,
    limit: u32,
    seen: u32,
    rest: &mut Rest<'_, 'a>,
) -> bool {
    // What was captured by earlier rounds must outlive this one's failure, so each round is a call.
    let mut node = at;
    while node < limit {
        let again = |state: &mut State<'a>, next: u32| repeat(state, wanted, later, last, next, limit, 1, rest);
        let mut again = again;
        if step(state, wanted, node, &mut again) {
            return true;
        }
        if wanted.anchored && is_named(state, node) {
            break;
        }
        node = state.nodes.end(node);
    }
    seen > 0 && sequence(state, later, last, at, limit, rest)
}

fn is_named(state: &State<'_>, node: u32) -> bool {
    let kind = state.nodes.kind(node);
    kind == ERROR || state.named.get(usize::from(kind)).copied().unwrap_or(false)
}

fn has_named(state: &State<'_>, at: u32, limit: u32) -> bool {
    let mut node = at;
    while node < limit {
        if is_named(state, node) {
            return true;
        }
        node = state.nodes.end(node);
    }
    false
}

fn is_kind(state: &State<'_>, wanted: &Kind, node: u32) -> bool {
    let kind = state.nodes.kind(node);
    match wanted {
        Kind::Is(kinds) => kinds.contains(&kind),
        Kind::Named => kind != ERROR && is_named(state, node),
        Kind::Any => kind != ERROR,
        Kind::Error => kind == ERROR,
        Kind::Missing => state.nodes.is_missing(node),
    }
}

fn text<'a>(state: &State<'a>, node: u32) -> &'a str {
    state.text.get(state.nodes.range(node)).unwrap_or("")
}

/// Whether a predicate between two captures holds for each node of the first.
fn fits(check: &Check, state: &State<'_>) -> bool {
    let Against::Capture(other) = check.against else { return true };
    let nodes = |capture: u16| {
        state.captures.iter().filter(move |(found, _)| *found == capture).map(|&(_, node)| text(state, node))
    };
    let other = nodes(other).next();
    nodes(check.capture).all(|text| other.is_none_or(|other| (text == other) == check.positive))
}

/// Whether a predicate on one capture holds for a node of it.
fn holds(check: &Check, state: &State<'_>, node: u32) -> bool {
    let found = match &check.against {
        Against::Capture(_) => return true,
        Against::Text(wanted) => text(state, node) == wanted,
        Against::AnyOf(words) => words.iter().any(|word| word == text(state, node)),
        Against::Pattern(regex) => regex.is_match(text(state, node)),
        Against::Around { kinds, parent_only } => {
            let mut around = node;
            loop {
                if around == 0 {
                    break false;
                }
                around = state.nodes.parent(around);
                if kinds.contains(&state.nodes.kind(around)) {
                    break true;
                }
                if *parent_only {
                    break false;
                }
            }
        }
    };
    found == check.positive
}
