//! Parses any text as a type, a value, a signature and a project file. The results must be in the form that resolution
//! reads.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_syntax::extract::{
    access_path, arity_range, parameters, split_alternatives, split_function, type_alternatives, type_parameters,
};
use sextant_syntax::project::parse_project_config;

fuzz_target!(|text: &str| {
    let value = access_path(text);
    assert!(value.len() <= text.len() * 2 + 8 && !value.contains(char::is_whitespace), "{value}");
    let kinds = type_alternatives(text, &["Option", "Promise"]);
    for alternative in split_alternatives(&kinds) {
        assert!(!alternative.starts_with('(') || split_function(alternative).is_some(), "{kinds}");
    }
    let name = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or("");
    if let Some((min, max)) = arity_range(text, name) {
        assert!(min <= max);
    }
    for parameter in parameters(text, name).into_iter().flatten().chain(type_parameters(text, name)) {
        let _ = type_alternatives(parameter.written, &[]);
    }
    for name in ["package.json", "tsconfig.json", "go.mod"] {
        let _ = parse_project_config(name, text);
    }
});
