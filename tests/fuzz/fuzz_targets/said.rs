//! Texts of types, values, signatures and project files: any text is taken apart, and what comes out is what
//! resolution can read again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_syntax::extract::{chain, parameters, types};
use sextant_syntax::project::project;

fuzz_target!(|text: &str| {
    let value = chain(text);
    assert!(value.len() <= text.len() * 2 + 8 && !value.contains(char::is_whitespace), "{value}");
    let kinds = types(text, &["Option", "Promise"]);
    assert!(!kinds.contains(['(', ')']) || kinds.contains("()"), "{kinds}");
    if let Some((least, most)) = parameters(text) {
        assert!(least <= most);
    }
    for name in ["package.json", "tsconfig.json", "go.mod"] {
        let _ = project(name, text);
    }
});
