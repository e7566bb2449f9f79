//! Of several definitions among which conditions of the preprocessor choose, which are left out on a usual machine.
//!
//! Conditions are decided as far as a compiler's own macros decide them: GCC for Linux on a machine of 64 bits. What a
//! project or its build defines is not known, and what depends on it stays as it is. Must not know what is extracted.

use std::ops::Range;

/// Macros that the compiler defines by itself (`gcc -dM -E`), whatever is compiled.
const DEFINED: &[&str] = &[
    "_LP64",
    "__ELF__",
    "__GNUC__",
    "__LP64__",
    "__STDC__",
    "__amd64",
    "__amd64__",
    "__linux",
    "__linux__",
    "__unix",
    "__unix__",
    "__x86_64",
    "__x86_64__",
    "linux",
    "unix",
];
/// Macros that other compilers, systems and machines define by themselves, and `NDEBUG`, which switches checks off.
const UNDEFINED: &[&str] = &[
    "MSDOS",
    "NDEBUG",
    "WIN32",
    "WIN64",
    "_AIX",
    "_M_ARM64",
    "_M_IX86",
    "_M_X64",
    "_MSC_VER",
    "_WIN32",
    "_WIN32_WCE",
    "_WIN64",
    "_WINDOWS",
    "__AMIGA__",
    "__APPLE__",
    "__BORLANDC__",
    "__CYGWIN__",
    "__DJGPP__",
    "__DragonFly__",
    "__EMSCRIPTEN__",
    "__FreeBSD__",
    "__HAIKU__",
    "__ICC",
    "__INTEL_COMPILER",
    "__MACH__",
    "__MINGW32__",
    "__MINGW64__",
    "__MSDOS__",
    "__NetBSD__",
    "__OS400__",
    "__OpenBSD__",
    "__QNX__",
    "__SUNPRO_C",
    "__SUNPRO_CC",
    "__SVR4",
    "__TINYC__",
    "__TURBOC__",
    "__VMS",
    "__WATCOMC__",
    "__WIN32__",
    "__aarch64__",
    "__arm__",
    "__hpux",
    "__i386",
    "__i386__",
    "__mips__",
    "__powerpc64__",
    "__powerpc__",
    "__ppc__",
    "__riscv",
    "__s390__",
    "__sparc__",
    "__sun",
    "__sun__",
    "__wasm__",
    "__xlC__",
    "sun",
];
/// Conditions in parentheses are followed this deep.
const MAX_DEPTH: u32 = 32;

/// The bytes of a text that a usual compiler leaves out, in order.
pub(super) fn left_out(text: &str) -> Vec<Range<usize>> {
    if !text.contains("#") {
        return Vec::new();
    }
    let mut found: Vec<Range<usize>> = Vec::new();
    // For each open condition: whether an earlier branch of it holds, and whether this one does.
    let mut open: Vec<(Option<bool>, Option<bool>)> = Vec::new();
    let mut begin: Option<usize> = None;
    let mut at = 0;
    let mut lines = text.split_inclusive('\n');
    while let Some(line) = lines.next() {
        let (start, mut end) = (at, at + line.len());
        at = end;
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else { continue };
        let word_end = directive.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(directive.len());
        let (word, rest) = directive.split_at(word_end);
        let mut condition = rest.trim_end().to_owned();
        while condition.ends_with('\\')
            && let Some(next) = lines.next()
        {
            condition.pop();
            condition.push_str(next.trim_end());
            at += next.len();
            end = at;
        }
        match word {
            "if" => open.push((Some(false), holds(&condition))),
            "ifdef" => open.push((Some(false), is_defined(condition.trim()))),
            "ifndef" => open.push((Some(false), is_defined(condition.trim()).map(|defined| !defined))),
            "elif" | "else" => {
                if let Some((before, now)) = open.last_mut() {
                    *before = or(*before, *now);
                    let own = if word == "else" { Some(true) } else { holds(&condition) };
                    *now = and(before.map(|before| !before), own);
                }
            }
            "endif" => drop(open.pop()),
            _ => continue,
        }
        let is_out = open.iter().any(|(_, now)| *now == Some(false));
        match (begin, is_out) {
            (None, true) => begin = Some(end),
            (Some(first), false) => {
                found.push(first..start);
                begin = None;
            }
            _ => {}
        }
    }
    found
}

fn is_defined(name: &str) -> Option<bool> {
    let name = name.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or(name);
    match () {
        () if DEFINED.contains(&name) => Some(true),
        () if UNDEFINED.contains(&name) => Some(false),
        () => None,
    }
}

const fn and(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

const fn or(a: Option<bool>, b: Option<bool>) -> Option<bool> {
    match (a, b) {
        (Some(true), _) | (_, Some(true)) => Some(true),
        (Some(false), Some(false)) => Some(false),
        _ => None,
    }
}

/// Whether a condition holds, as far as the compiler's own macros tell.
fn holds(condition: &str) -> Option<bool> {
    let condition = condition.split("//").next().unwrap_or(condition);
    let condition = condition.split("/*").next().unwrap_or(condition);
    let mut parser = Condition { rest: condition.trim() };
    let value = parser.alternatives(0);
    parser.rest.trim().is_empty().then_some(value).flatten()
}

/// Reads a condition from left to right.
struct Condition<'t> {
    rest: &'t str,
}

impl<'t> Condition<'t> {
    fn takes(&mut self, sign: &str) -> bool {
        let rest = self.rest.trim_start();
        rest.strip_prefix(sign).map(|after| self.rest = after).is_some()
    }

    fn alternatives(&mut self, depth: u32) -> Option<bool> {
        let mut value = self.conjunction(depth);
        while self.takes("||") {
            value = or(value, self.conjunction(depth));
        }
        value
    }

    fn conjunction(&mut self, depth: u32) -> Option<bool> {
        let mut value = self.term(depth);
        while self.takes("&&") {
            value = and(value, self.term(depth));
        }
        value
    }

    fn term(&mut self, depth: u32) -> Option<bool> {
        if depth > MAX_DEPTH {
            return None;
        }
        if self.rest.trim_start().starts_with('!') && !self.rest.trim_start().starts_with("!=") && self.takes("!") {
            return self.term(depth + 1).map(|value| !value);
        }
        if self.takes("(") {
            let value = self.alternatives(depth + 1);
            return if self.takes(")") { self.compared(value, false) } else { None };
        }
        let word = self.word();
        if word == "defined" {
            let has_parenthesis = self.takes("(");
            let name = self.word();
            return if !has_parenthesis || self.takes(")") { is_defined(name) } else { None };
        }
        let value = match word.trim_end_matches(['u', 'U', 'l', 'L']).parse::<u64>() {
            Ok(number) => Some(number != 0),
            // What is not defined is 0.
            Err(_) => is_defined(word).filter(|defined| !defined),
        };
        let is_zero = value == Some(false);
        self.compared(value, is_zero)
    }

    /// The value of a term after which a comparison may follow; `is_zero` if it is known to be 0.
    fn compared(&mut self, value: Option<bool>, is_zero: bool) -> Option<bool> {
        let signs = [
            (">=", Some(false)),
            ("<=", Some(true)),
            ("==", Some(false)),
            ("!=", Some(true)),
            (">", Some(false)),
            ("<", Some(true)),
        ];
        for (sign, of_zero) in signs {
            if self.takes(sign) {
                let number = self.word();
                let is_positive = number.parse::<u64>().is_ok_and(|number| number > 0) || number.starts_with("0x");
                return of_zero.filter(|_| is_zero && is_positive);
            }
        }
        value
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest.trim_start();
        let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        self.rest = after;
        word
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_of_other_systems_are_left_out() {
        let text = "#ifdef _WIN32\na\n#else\nb\n#endif\n#if defined(__GNUC__) && \\\n  !defined(NDEBUG)\nc\n#elif X\nd\n#endif\n\
                    #ifdef HAVE_E\ne\n#else\nf\n#endif\n#if 0\ng\n#ifdef X\nh\n#endif\n#endif\n# if _MSC_VER >= 1900 || defined(__sun)\ni\n\
                    # else\nj\n# endif\n#ifndef __linux__\nk\n#endif\n#if A_VERSION > 3\nl\n#endif\n";
        let out: String = left_out(text).into_iter().map(|range| text[range].to_owned()).collect();
        let letters: Vec<&str> = out.lines().filter(|line| line.len() == 1).collect();
        assert_eq!(letters, ["a", "d", "g", "h", "i", "k"]);
        assert!(left_out("#if (((\n#endif\n#else\n#endif\n#elif\n").is_empty());
    }
}
