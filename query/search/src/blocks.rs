//! The blocks of a text by indentation: which lines begin those around a line, and when a line is reached.

use std::ops::Range;

/// A block of at most this many lines is shown whole, if one of its lines is.
const MAX_WHOLE_BLOCK: usize = 10;
/// Enclosing blocks whose first lines are shown with a line.
const MAX_LEVELS: usize = 2;
/// Lines of a condition that are shown after the one in which it begins.
const MAX_CONDITION_LINES: usize = 3;
/// First words of branches that follow another one, in any language.
const LATER_BRANCHES: &[&str] =
    &["else", "elif", "elsif", "elseif", "except", "catch", "finally", "rescue", "ensure", "otherwise"];

/// The blocks of a function, by indentation.
pub(crate) struct Blocks {
    /// For each line, the one that begins the block around it.
    around: Vec<Option<usize>>,
    /// For each line, the last one of the block that it begins; itself if it begins none.
    ends: Vec<usize>,
}

impl Blocks {
    /// The blocks of some lines.
    pub(crate) fn of<'a>(lines: impl ExactSizeIterator<Item = &'a str>) -> Self {
        let mut blocks = Self { around: Vec::with_capacity(lines.len()), ends: (0..lines.len()).collect() };
        // The lines around the current one, outermost first, with their indentation.
        let mut open: Vec<(usize, usize)> = Vec::new();
        for (at, text) in lines.enumerate() {
            let code = text.trim_start();
            let indent = text.len() - code.len();
            // A line that only closes a block is its last one.
            let is_end = code.starts_with(['}', ')', ']']) || code.trim_end() == "end";
            if !code.is_empty() {
                while open.last().is_some_and(|&(outer, _)| outer > indent || outer == indent && !is_end) {
                    open.pop();
                }
            }
            blocks.around.push(open.last().map(|&(_, head)| head));
            if !code.is_empty() {
                open.iter().for_each(|&(_, head)| blocks.ends[head] = at);
                if open.last().is_none_or(|&(outer, _)| outer < indent) {
                    open.push((indent, at));
                }
            }
        }
        blocks
    }

    /// The lines that begin the blocks around a line, outermost first.
    pub(crate) fn heads_around(&self, line: usize) -> Vec<usize> {
        let mut heads: Vec<usize> = std::iter::successors(self.around[line], |&head| self.around[head]).collect();
        heads.reverse();
        heads
    }

    /// The lines of the innermost block around a line, unless it is long.
    pub(crate) fn short_block(&self, line: usize) -> Range<usize> {
        let head = self.around[line].unwrap_or(line);
        let end = self.ends[head] + 1;
        if end - head <= MAX_WHOLE_BLOCK { head..end } else { 0..0 }
    }

    /// The lines that say when a line is reached, ascending: those that begin the two innermost blocks around it, and, in
    /// later branches, those that begin the branches. None where only a definition is around the line.
    pub(crate) fn conditions(&self, lines: &[&str], line: usize) -> Vec<usize> {
        let mut found = Vec::new();
        let mut at = line;
        for _ in 0..MAX_LEVELS {
            let Some(begin) = self.condition(lines, at, &mut found) else { break };
            at = begin;
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Adds the lines that begin the innermost block around a line and the branch of it; returns the first line of the
    /// block.
    fn condition(&self, lines: &[&str], line: usize, found: &mut Vec<usize>) -> Option<usize> {
        let indent = |at: usize| lines[at].len() - lines[at].trim_start().len();
        let says = |at: usize| lines[at].contains(char::is_alphanumeric);
        // What begins a definition is at the depth of its first line.
        let least = (0..lines.len()).find(|&at| says(at)).map_or(0, indent);
        let begin = (*self.around.get(line)?)?;
        // The lines of the same depth above, as far as they are in the same block.
        let above = |of: usize| {
            let same = (0..of).rev().filter(|&at| !lines[at].trim().is_empty());
            same.take_while(move |&at| indent(at) >= indent(of)).filter(move |&at| indent(at) == indent(of) && says(at))
        };
        // `{` in a line of its own.
        let begin = if says(begin) { Some(begin) } else { above(begin).next() };
        let begin = begin.filter(|&begin| indent(begin) > least)?;
        if is_later_branch(lines[begin]) {
            found.extend(above(begin).find(|&at| !is_later_branch(lines[at])));
        }
        found.push(begin);
        // `if (` with the condition in the next lines.
        let is_open = lines[begin].trim_end().ends_with('(');
        let rest = (begin + 1..line).take_while(|&at| indent(at) > indent(begin)).take(MAX_CONDITION_LINES);
        found.extend(rest.filter(|_| is_open));
        if indent(line) > indent(begin) {
            found.extend((begin + 1..line).rev().find(|&at| indent(at) == indent(begin) && says(at)));
        }
        Some(begin)
    }
}

/// Whether a line begins a branch that is taken if those before it were not, or after them.
fn is_later_branch(line: &str) -> bool {
    let code = line.trim_start().trim_start_matches(|c: char| c == '}' || c.is_whitespace());
    let end = code.find(|c: char| !c.is_alphanumeric()).unwrap_or(code.len());
    LATER_BRANCHES.contains(&&code[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_with_the_blocks_around_it() {
        let text = [
            "fn f() {",
            "    for a in b {",
            "        if a {",
            "            g();",
            "        }",
            "        h();",
            "    }",
            "}",
        ];
        let blocks = Blocks::of(text.into_iter());
        assert_eq!(blocks.heads_around(3), [0, 1, 2]);
        assert_eq!(blocks.short_block(3), 2..5);
        assert_eq!(blocks.short_block(5), 1..7);
        assert_eq!(blocks.heads_around(0), [0_usize; 0]);
        let text = ["def f():", "    for a in b:", "        g()", "", "    h()"];
        let blocks = Blocks::of(text.into_iter());
        assert_eq!(blocks.short_block(2), 1..3);
        assert_eq!(blocks.heads_around(4), [0]);
    }

    #[test]
    fn a_line_is_reached_under_conditions() {
        let conditions = |text: &str, line: usize| {
            let lines: Vec<&str> = text.lines().collect();
            let found = Blocks::of(lines.iter().copied()).conditions(&lines, line);
            found.into_iter().map(|at| lines[at].trim().to_owned()).collect::<Vec<_>>()
        };
        let rust =
            "fn f(\n    a: u8,\n) -> u8 {\n    g();\n    if a {\n        h();\n    } else {\n        i();\n    }\n}";
        assert_eq!(conditions(rust, 3), [""; 0]);
        assert_eq!(conditions(rust, 5), ["if a {"]);
        assert_eq!(conditions(rust, 7), ["if a {", "} else {"]);
        let python = "    def f(self):\n        if a:\n            g()\n        else:\n            h()\n        i()";
        assert_eq!(conditions(python, 2), ["if a:"]);
        assert_eq!(conditions(python, 4), ["if a:", "else:"]);
        assert_eq!(conditions(python, 5), [""; 0]);
        let c = "int f()\n{\n  if (a\n      && b)\n  {\n    g();\n  }\n  h();\n}";
        assert_eq!(conditions(c, 5), ["if (a"]);
        assert_eq!(conditions(c, 7), [""; 0]);
        let deep = "fn f() {\n    match a {\n        A => {\n            if b {\n                g();\n            }\n        }\n    }\n}";
        assert_eq!(conditions(deep, 4), ["A => {", "if b {"]);
        let open = "def f():\n    if (\n        a\n        and b\n    ):\n        g()";
        assert_eq!(conditions(open, 5), ["if (", "a", "and b"]);
    }
}
