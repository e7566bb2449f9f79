//! Literals: words of a question that are written in code as they are, although they are no names.

/// Literals of a question that are looked up.
const MAX_LITERALS: usize = 3;
/// The shortest part of a literal: `e.g.` is none.
const MIN_PART_CHARS: usize = 2;

/// Returns keys with dots (`http.request.host`), paths (`/api/v1/users`) and options (`--max-tokens`) of a text. Words with
/// hyphens are English more often than code.
pub(super) fn literals(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let word = word.trim_matches(|c: char| !(c.is_alphanumeric() || matches!(c, '/' | '-' | '_' | '.')));
        let word = word.trim_end_matches(['.', '-']);
        let parts: Vec<&str> = word.split(['.', '/', '-']).filter(|part| !part.is_empty()).collect();
        let is_long = parts.iter().all(|part| part.chars().count() >= MIN_PART_CHARS);
        let is_key = word.contains('.') && parts.len() > 1 && !word.starts_with('.');
        let is_path = word.contains('/') && (parts.len() > 2 || word.starts_with('/') && !parts.is_empty());
        let is_option = word.starts_with("--") && !parts.is_empty();
        let is_number = parts.iter().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()));
        let is_known = found.iter().any(|known| known == word);
        if is_long && (is_key || is_path || is_option) && !is_number && !is_known && found.len() < MAX_LITERALS {
            found.push(word.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_paths_and_options_are_literals() {
        let text =
            "How is `http.request.host` replaced in /api/v1/users, and what does --max-tokens do, e.g. read/write?";
        assert_eq!(literals(text), ["http.request.host", "/api/v1/users", "--max-tokens"]);
        assert_eq!(literals("a well-known re-export of version 1.22.3."), [""; 0]);
    }
}
