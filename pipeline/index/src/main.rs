//! `sextant-index`: see [`sextant_index::cli`].

use std::ffi::{c_int, c_long};

/// A build makes and drops tens of millions of short texts on several threads; docs/benchmarks.md has what this saves.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2, which the binding does not name: for how many milliseconds free memory is
/// kept before it is given back to the system.
const PURGE_DELAY_OPTION: c_int = 15;
/// What the library takes where nothing is said.
const DEFAULT_DELAY_MILLIS: c_long = 10;
/// Long enough that what a file needs is there from the file before: pages that are given back are filled with zeros
/// when they are taken again, which is a twentieth of a build. A longer delay gains nothing more and takes memory.
const PURGE_DELAY_MILLIS: c_long = 100;

#[expect(unsafe_code, reason = "two functions of the allocator that this program is linked with")]
// SAFETY: the signatures are those of mimalloc.h; both may be called at any time, with any option.
unsafe extern "C" {
    safe fn mi_option_get(option: c_int) -> c_long;
    safe fn mi_option_set(option: c_int, value: c_long);
}

fn main() -> std::process::ExitCode {
    // Another value is what the user says by MIMALLOC_PURGE_DELAY, or another option of another version.
    if mi_option_get(PURGE_DELAY_OPTION) == DEFAULT_DELAY_MILLIS {
        mi_option_set(PURGE_DELAY_OPTION, PURGE_DELAY_MILLIS);
    }
    sextant_index::cli::main()
}
