//! Any text in any language: never a panic, every non-blank line in exactly one chunk of level 1, ids
//! in range, parents around children.
//!
//! The first byte chooses the language.

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
