//! Parses any text as a type, a value, a signature and a project file. The results must be in the form that resolution
//! reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_syntax::extract::{access_path, arity_range, type_alternatives};
use sextant_syntax::project::parse_project_config;

fuzz_target!(|text: &str| {
    let value = access_path(text);
    assert!(value.len() <= text.len() * 2 + 8 && !value.contains(char::is_whitespace), "{value}");
    let kinds = type_alternatives(text, &["Option", "Promise"]);
    assert!(!kinds.contains(['(', ')']) || kinds.contains("()"), "{kinds}");
    if let Some((min, max)) = arity_range(text) {
        assert!(min <= max);
    }
    for name in ["package.json", "tsconfig.json", "go.mod"] {
        let _ = parse_project_config(name, text);
    }
});
