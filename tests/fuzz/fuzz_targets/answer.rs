//! Reads any text as a language model's answer: whatever is found is short, on one line, and not empty.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for count in [1, 3] {
        let answers = sextant_enrich::answer::parse(text, count);
        assert_eq!(answers.summaries.len(), count);
        for summary in answers.summaries.into_iter().flatten() {
            let parts = summary.keywords.iter().chain([&summary.summary, &summary.purpose]);
            assert!(parts.into_iter().all(|part| part.len() <= 2_000 && !part.chars().any(char::is_control)));
            assert!(!summary.summary.is_empty() && summary.keywords.len() <= 24);
        }
    }
});
