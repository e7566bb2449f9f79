//! Finds cycles in the graph of modules.

use crate::modules::Module;

/// Returns one cycle of each strongly connected component with more than one module, as indexes into `modules`. The
/// first module is repeated at the end.
pub(crate) fn cycles(modules: &[Module]) -> Vec<Vec<usize>> {
    let reach: Vec<Vec<bool>> = (0..modules.len()).map(|from| reachable(modules, from)).collect();
    let mut seen = vec![false; modules.len()];
    let mut cycles = Vec::new();
    for from in 0..modules.len() {
        if seen[from] || !reach[from][from] {
            continue;
        }
        for to in 0..modules.len() {
            seen[to] |= reach[from][to] && reach[to][from];
        }
        cycles.push(shortest_cycle(modules, from));
    }
    cycles
}

/// Returns for each module whether `from` uses it, directly or indirectly.
fn reachable(modules: &[Module], from: usize) -> Vec<bool> {
    let mut reached = vec![false; modules.len()];
    let mut open = vec![from];
    while let Some(module) = open.pop() {
        for &(to, _) in &modules[module].uses {
            if !reached[to] {
                reached[to] = true;
                open.push(to);
            }
        }
    }
    reached
}

fn shortest_cycle(modules: &[Module], start: usize) -> Vec<usize> {
    let mut previous = vec![None; modules.len()];
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(module) = open.pop_front() {
        for &(to, _) in &modules[module].uses {
            if to == start {
                let mut cycle = vec![start, module];
                let mut at = module;
                while at != start {
                    at = previous[at].expect("it was reached from the start");
                    cycle.push(at);
                }
                if module == start {
                    cycle.pop();
                }
                cycle.reverse();
                return cycle;
            }
            if previous[to].is_none() {
                previous[to] = Some(module);
                open.push_back(to);
            }
        }
    }
    Vec::new()
}
