//! Analyses any text in any language. It must not panic, every non-blank line must be in exactly one chunk of level 1,
//! ids must be in range, and parents must enclose their children.
//!
//! The first byte selects the language.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_syntax::Analyzer;
use sextant_syntax::check::assert_invariants;
use sextant_syntax::chunk::Limits;
use sextant_syntax::language::LANGUAGES;

fuzz_target!(|bytes: &[u8]| {
    let Some((choice, text)) = bytes.split_first() else { return };
    let language = &LANGUAGES[usize::from(*choice) % LANGUAGES.len()];
    let extension = language.extensions.first().copied().unwrap_or("txt");
    let path = format!("a/b.{extension}");
    if let Ok(analysis) = Analyzer::new().analyze(&path, text.to_vec(), &Limits::STANDARD) {
        assert_invariants(&analysis, text);
    }
});
