//! The text in front of a name: a receiver or module path as written.

use sextant_syntax::extract::split_elements;

/// The last identifier of a receiver as written: `b` of `a.b`, `T` of `m::T<U>`. Empty for a receiver that ends with a
/// call or an index.
pub(crate) fn last_segment(owner: &str) -> &str {
    let owner = owner.trim_end_matches('>').split('<').next().unwrap_or(owner).trim_end_matches("::");
    if owner.ends_with([')', ']']) {
        return "";
    }
    owner.rsplit(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).next().unwrap_or("")
}

/// The name of a type as its fact has it: `B` of `a.B` and of `a.B[C]`.
pub(crate) fn type_name(fact: &str) -> &str {
    last_segment(split_elements(fact).0)
}

#[cfg(test)]
mod tests {
    use super::last_segment;

    #[test]
    fn the_last_identifier_of_a_receiver() {
        for (owner, last) in [
            ("a.b", "b"),
            ("m::T<U>", "T"),
            ("self", "self"),
            ("f()", ""),
            ("x[0]", ""),
            ("Vec::<u8>", "Vec"),
            ("$x", "$x"),
        ] {
            assert_eq!(last_segment(owner), last, "{owner}");
        }
    }
}
