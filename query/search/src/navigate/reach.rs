//! Graph traversal: breadth first along the edges of a relation, and the strongest path.

use std::collections::BTreeMap;

use petgraph::algo::astar;
use rustc_hash::{FxHashMap, FxHashSet};
use sextant_format::graph::{DirectedEdge, Graph, Neighbour};
use sextant_format::ids::SymbolId;
use sextant_format::kinds::{EdgeKind, Kind, Tier};

use super::calls::Calls;
use super::declarations::{parts, sole_definition};
use super::definition::{Definition, read_definitions};
use super::navigator::Navigator;
use super::relation::Relation;
use crate::Result;

/// Limits of a traversal.
#[derive(Clone, Copy, Debug)]
pub struct TraversalOptions {
    /// Edges from the start at most.
    pub depth: u32,
    /// Edges of lower confidence are not followed, 0 to 1.
    pub min_confidence: f32,
    /// Symbols at most.
    pub limit: usize,
}

/// A symbol that a traversal reached.
#[derive(Clone, Debug, PartialEq)]
pub struct ReachedSymbol {
    /// The symbol.
    pub definition: Definition,
    /// Edges from the start.
    pub depth: u32,
    /// The symbol before it on the path from the start.
    pub via: SymbolId,
    /// Its key.
    pub via_key: String,
    /// The kind of the edge between the two.
    pub kind: EdgeKind,
    /// How that edge was resolved.
    pub resolution: Tier,
    /// The product of the confidences along the path.
    pub confidence: f32,
    /// The lines of that edge, from 1 and ascending, in the file of its source; none until [`Navigator::add_lines`] looks
    /// them up.
    pub lines: Vec<u32>,
    /// The text of these lines and of those around them, ascending; none until [`Navigator::add_context`] looks it up.
    pub context: Vec<(u32, String)>,
}

/// A step of a path: a symbol and the edge that led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The symbol.
    pub definition: Definition,
    /// The edge from the symbol before, with its confidence; `None` for the first.
    pub edge: Option<(EdgeKind, Tier, f32)>,
}

/// What a step to an overriding method costs in a path, in units of the logarithm of confidence: a path of sure calls is
/// better than one that depends on a receiver, and one with a guess is worse.
const OVERRIDE_COST: f64 = 0.2;

#[derive(Clone, Copy)]
struct BestPath {
    depth: u32,
    via: SymbolId,
    kind: EdgeKind,
    resolution: Tier,
    confidence: f32,
    /// Whether it leads from a method to one that it overrides or implements.
    is_upward: bool,
}

/// Edges that a search of short paths follows.
const MAX_PATH_EDGES: usize = 20_000;
/// Methods that override or implement one at most, so that whoever calls it counts as a user of each of them.
const MAX_OVERRIDES: usize = 8;

/// Symbols that are reached, nearest first, and whether there are more.
type Order = (Vec<(SymbolId, BestPath)>, bool);

impl Navigator<'_> {
    /// Returns the symbols that are reached from `start`: nearest first, then the product's before those of tests, then
    /// what is called before what is instantiated, then by descending confidence. The second value says whether there are
    /// more than the limit.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn reach(
        &self,
        start: &[SymbolId],
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<(Vec<ReachedSymbol>, bool)> {
        Ok(self.reach_each(&[start.to_vec()], relation, walk)?.pop().unwrap_or_default())
    }

    /// Returns what is reached from each of some starts, as [`Self::reach`] does from one.
    ///
    /// # Errors
    /// The index is damaged.
    pub(super) fn reach_each(
        &self,
        starts: &[Vec<SymbolId>],
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<Vec<(Vec<ReachedSymbol>, bool)>> {
        // A function that is passed as a value is called by whoever gets it.
        let mut values = FxHashSet::default();
        if relation == Relation::Callers {
            let mut ids: Vec<SymbolId> = starts.iter().flatten().copied().collect();
            ids.sort_unstable();
            ids.dedup();
            let kinds: Vec<Kind> = self.index.symbol_rows()?.column("kind", &ids)?;
            values.extend(ids.into_iter().zip(kinds).filter(|(_, kind)| kind.is_callable()).map(|(id, _)| id));
        }
        let orders = starts.iter().map(|start| self.reached_from(start, &values, relation, walk));
        let orders: Vec<Order> = orders.collect::<Result<_>>()?;
        let mut ids: Vec<SymbolId> =
            orders.iter().flat_map(|(order, _)| order).flat_map(|(id, path)| [*id, path.via]).collect();
        ids.sort_unstable();
        ids.dedup();
        let known: BTreeMap<SymbolId, Definition> =
            ids.iter().copied().zip(read_definitions(self.index, &ids)?).collect();
        let reached = |(id, path): (SymbolId, BestPath)| {
            let BestPath { depth, via, kind, resolution, confidence, .. } = path;
            let definition = known.get(&id)?.clone();
            let via_key = known.get(&via).map_or_else(String::new, |via| via.key.clone());
            Some(ReachedSymbol {
                definition,
                depth,
                via,
                via_key,
                kind,
                resolution,
                confidence,
                lines: Vec::new(),
                context: Vec::new(),
            })
        };
        let all = orders.into_iter().map(|(order, is_cut)| (order.into_iter().filter_map(reached).collect(), is_cut));
        Ok(all.collect())
    }

    /// The names of what some symbols may call by a guess alone: by edges of a lower confidence, and by no other.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn guessed_callees(&self, start: &[SymbolId], min_confidence: f32) -> Result<Vec<String>> {
        let graph = self.index.graph()?;
        let edges = start.iter().flat_map(|&id| graph.out_edges(id));
        let calls = edges.filter(|edge| Relation::Callees.follows(edge.kind));
        let (sure, guessed): (Vec<Neighbour>, Vec<Neighbour>) =
            calls.partition(|edge| edge.confidence >= min_confidence);
        let ids = |edges: Vec<Neighbour>| sorted(edges.into_iter().map(|edge| edge.node).collect());
        let symbols = self.index.symbol_rows()?;
        let known: FxHashSet<String> = symbols.column::<String>("name", &ids(sure))?.into_iter().collect();
        let mut names: Vec<String> = symbols.column("name", &ids(guessed))?;
        names.retain(|name| !known.contains(name));
        names.sort_unstable();
        names.dedup();
        Ok(names)
    }

    /// The methods that some methods override or implement with so many others that [`Relation::Impact`] does not follow
    /// their callers.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn not_followed(&self, start: &[SymbolId], min_confidence: f32) -> Result<Vec<Definition>> {
        let graph = self.index.graph()?;
        let is_above = |edge: &Neighbour| edge.kind.leads_to_declaration() && edge.confidence >= min_confidence;
        let above = start.iter().flat_map(|&id| graph.out_edges(id)).filter(is_above).map(|edge| edge.node);
        let mut above: Vec<SymbolId> = above.filter(|&method| overrides(graph, method) > MAX_OVERRIDES).collect();
        above.sort_unstable();
        above.dedup();
        self.definitions(&above)
    }

    /// The symbols that are reached, in the order of [`Self::reach`], and whether there are more than the limit.
    fn reached_from(
        &self,
        start: &[SymbolId],
        values: &FxHashSet<SymbolId>,
        relation: Relation,
        walk: TraversalOptions,
    ) -> Result<Order> {
        let graph = self.index.graph()?;
        let mut start = start.to_vec();
        if relation == Relation::Impact {
            add_members(graph, &mut start);
        }
        let values = start.iter().copied().filter(|id| values.contains(id)).collect();
        let mut paths = breadth_first_paths(graph, &start, &values, relation, walk);
        if relation == Relation::Callees {
            paths = at_definitions(graph, paths, walk.min_confidence);
        }
        let (symbols, chunks) = (&self.index.symbols()?.catalog, &self.index.chunks()?.catalog);
        let is_test = |id: SymbolId| -> Result<bool> {
            let info = symbols.chunk(id).map(|chunk| chunks.info(chunk)).transpose()?;
            Ok(info.is_some_and(|info| info.is_test || info.kind == Kind::Test))
        };
        let order = paths.into_iter().map(|(id, path)| Ok((id, path, is_test(id)?)));
        let mut order: Vec<(SymbolId, BestPath, bool)> = order.collect::<Result<_>>()?;
        let is_instance = |path: &BestPath| relation == Relation::Callees && path.kind == EdgeKind::Instantiate;
        order.sort_by(|(a, x, a_is_test), (b, y, b_is_test)| {
            let key = |path: &BestPath, is_test: bool| (path.depth, is_test, is_instance(path));
            key(x, *a_is_test).cmp(&key(y, *b_is_test)).then(y.confidence.total_cmp(&x.confidence)).then(a.cmp(b))
        });
        let is_cut = order.len() > walk.limit;
        order.truncate(walk.limit);
        Ok((order.into_iter().map(|(id, path, _)| (id, path)).collect(), is_cut))
    }

    /// Returns the path along calls from one of `from` to one of `to` whose confidences have the largest product, the
    /// shorter one if two are about equal. A call may lead to what overrides or implements the method that is called: that
    /// step is an override. `None` if there is no path.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn strongest_path(&self, from: &[SymbolId], to: &[SymbolId], min_confidence: f32) -> Result<Option<Vec<Step>>> {
        let graph = self.index.graph()?;
        let calls = Calls { graph, min_confidence };
        // Confidences multiply, so their logarithms add. Each step costs a little, so that short paths win.
        let cost = |edge: DirectedEdge| {
            let step = if edge.weight.kind == EdgeKind::Override { OVERRIDE_COST } else { 0.001 };
            step - f64::from(edge.weight.confidence.clamp(0.001, 1.0)).ln()
        };
        let best = from
            .iter()
            .filter(|&&start| start.index() < graph.nodes())
            .filter_map(|&start| astar(calls, start, |node| to.contains(&node), cost, |_| 0.0))
            .min_by(|(a, _), (b, _)| a.total_cmp(b));
        let Some((_, nodes)) = best else { return Ok(None) };
        Ok(Some(self.steps(calls, &nodes)?))
    }

    /// Returns a path along calls from a symbol to each of others to which there is one of at most `most` symbols: of the
    /// shortest ones that with the surest calls. Where many override or implement a method, a call of it is not followed to
    /// them. The search ends after [`MAX_PATH_EDGES`] edges, because calls of fields lead everywhere in a large index.
    ///
    /// # Errors
    /// The index is damaged.
    pub fn short_paths(
        &self,
        from: SymbolId,
        to: &[SymbolId],
        most: usize,
        min_confidence: f32,
    ) -> Result<Vec<Vec<Step>>> {
        let graph = self.index.graph()?;
        let calls = Calls { graph, min_confidence };
        let mut before: FxHashMap<SymbolId, (SymbolId, f32)> = FxHashMap::default();
        let mut level: Vec<(SymbolId, f32)> = vec![(from, 1.0)];
        let mut edges = 0;
        for _ in 1..most {
            let mut next: FxHashMap<SymbolId, (SymbolId, f32)> = FxHashMap::default();
            for &(at, confidence) in &level {
                for edge in calls.next_of_few(at, MAX_OVERRIDES) {
                    edges += 1;
                    if edge.node == from || before.contains_key(&edge.node) {
                        continue;
                    }
                    let confidence = confidence * edge.confidence;
                    let known = next.entry(edge.node).or_insert((at, confidence));
                    if confidence > known.1 {
                        *known = (at, confidence);
                    }
                }
                if edges > MAX_PATH_EDGES {
                    break;
                }
            }
            level = next.iter().map(|(&node, &(_, confidence))| (node, confidence)).collect();
            level.sort_unstable_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            before.extend(next);
            if edges > MAX_PATH_EDGES || to.iter().all(|node| before.contains_key(node)) {
                break;
            }
        }
        let mut paths = Vec::new();
        for &node in to.iter().filter(|node| before.contains_key(node)) {
            let mut nodes: Vec<SymbolId> =
                std::iter::successors(Some(node), |node| before.get(node).map(|&(before, _)| before)).collect();
            nodes.reverse();
            paths.push(self.steps(calls, &nodes)?);
        }
        Ok(paths)
    }

    /// Symbols on a path, each with the surest edge to it.
    fn steps(&self, calls: Calls<'_>, nodes: &[SymbolId]) -> Result<Vec<Step>> {
        let at_definition = |&node: &SymbolId| sole_definition(calls.graph, node, calls.min_confidence).unwrap_or(node);
        let shown: Vec<SymbolId> = nodes.iter().map(at_definition).collect();
        let ids = sorted(shown.clone());
        let known: BTreeMap<SymbolId, Definition> =
            ids.iter().copied().zip(read_definitions(self.index, &ids)?).collect();
        let edge = |a: SymbolId, b: SymbolId| {
            let best = calls.next(a).filter(|edge| edge.node == b);
            let best = best.max_by(|x, y| x.confidence.total_cmp(&y.confidence))?;
            Some((best.kind, best.tier, best.confidence))
        };
        let steps = nodes.iter().zip(&shown).enumerate().filter_map(|(n, (node, shown))| {
            let edge = n.checked_sub(1).and_then(|before| edge(nodes[before], *node));
            Some(Step { definition: known.get(shown)?.clone(), edge })
        });
        Ok(steps.collect())
    }
}

/// Adds the members of `start` at any depth.
pub(super) fn add_members(graph: &Graph, start: &mut Vec<SymbolId>) {
    let mut next = 0;
    let mut seen: FxHashSet<SymbolId> = start.iter().copied().collect();
    while let Some(&owner) = start.get(next) {
        next += 1;
        let members = graph.out_edges(owner).filter(|edge| edge.kind == EdgeKind::Contains);
        start.extend(members.map(|edge| edge.node).filter(|&member| seen.insert(member)));
    }
}

/// The same paths, to definitions instead of their declarations.
fn at_definitions(
    graph: &Graph,
    paths: FxHashMap<SymbolId, BestPath>,
    min_confidence: f32,
) -> FxHashMap<SymbolId, BestPath> {
    let mut found: FxHashMap<SymbolId, BestPath> = FxHashMap::default();
    for (id, path) in sorted(paths.keys().copied().collect()).into_iter().filter_map(|id| Some((id, *paths.get(&id)?)))
    {
        let id = sole_definition(graph, id, min_confidence).unwrap_or(id);
        let key = |path: &BestPath| (std::cmp::Reverse(path.depth), path.confidence);
        // What calls itself says nothing.
        if id != path.via {
            let best = found.entry(id).or_insert(path);
            if key(&path) > key(best) {
                *best = path;
            }
        }
    }
    found
}

/// Ids in order, each once.
fn sorted(mut ids: Vec<SymbolId>) -> Vec<SymbolId> {
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// How many methods override or implement one.
fn overrides(graph: &Graph, method: SymbolId) -> usize {
    graph.in_edges(method).filter(|edge| edge.kind.leads_to_declaration()).take(MAX_OVERRIDES + 1).count()
}

/// `values` are symbols whose uses other than calls count as well.
fn breadth_first_paths(
    graph: &Graph,
    start: &[SymbolId],
    values: &FxHashSet<SymbolId>,
    relation: Relation,
    walk: TraversalOptions,
) -> FxHashMap<SymbolId, BestPath> {
    let mut paths: FxHashMap<SymbolId, BestPath> = FxHashMap::default();
    let started: FxHashSet<SymbolId> = start.iter().copied().collect();
    let mut level: Vec<(SymbolId, f32)> = start.iter().map(|&id| (id, 1.0)).collect();
    for depth in 1..=walk.depth {
        let mut found: FxHashMap<SymbolId, BestPath> = FxHashMap::default();
        for &(at, path_confidence) in &level {
            // Of several starts, one may call another; what calls itself says nothing.
            let is_itself =
                |node: SymbolId| depth > 1 || parts(graph, at, walk.min_confidence).any(|part| part == node);
            let mut take = |edge: Neighbour, overrides: Option<usize>| {
                let follows = relation.follows(edge.kind) || edge.kind == EdgeKind::Reference && values.contains(&at);
                if !follows
                    || edge.confidence < walk.min_confidence
                    || started.contains(&edge.node) && is_itself(edge.node)
                    || paths.contains_key(&edge.node)
                {
                    return;
                }
                let path = BestPath {
                    depth,
                    via: at,
                    kind: edge.kind,
                    resolution: edge.tier,
                    // Each of several overrides may be the one that runs.
                    confidence: path_confidence * edge.confidence.clamp(0.0, 1.0) / overrides.unwrap_or(1) as f32,
                    is_upward: overrides.is_some(),
                };
                let best = found.entry(edge.node).or_insert(path);
                if (path.confidence, std::cmp::Reverse(path.via)) > (best.confidence, std::cmp::Reverse(best.via)) {
                    *best = path;
                }
            };
            let is_upward = paths.get(&at).is_some_and(|path| path.is_upward);
            for part in parts(graph, at, walk.min_confidence) {
                match relation {
                    Relation::Callees => graph.out_edges(part).for_each(|edge| take(edge, None)),
                    Relation::Callers => graph.in_edges(part).for_each(|edge| take(edge, None)),
                    Relation::Impact => {
                        // What else overrides a method does not run because one override does.
                        let users = graph.in_edges(part);
                        let users = users.filter(|edge| !(is_upward && edge.kind.leads_to_declaration()));
                        users.for_each(|edge| take(edge, None));
                        // Whoever calls what a method overrides may run it.
                        let above = graph.out_edges(part).filter(|edge| edge.kind.leads_to_declaration());
                        for edge in above {
                            let overrides = overrides(graph, edge.node);
                            if (1..=MAX_OVERRIDES).contains(&overrides) {
                                take(edge, Some(overrides));
                            }
                        }
                    }
                }
            }
        }
        if found.is_empty() {
            break;
        }
        let new = found.iter().filter(|(id, _)| !started.contains(id));
        level = new.map(|(&id, path)| (id, path.confidence)).collect();
        level.sort_unstable_by_key(|&(id, _)| id);
        paths.extend(found);
    }
    paths
}
