//! `sextant-index`: see [`sextant_index::cli`].

use std::ffi::{c_int, c_long};

/// A build allocates and frees tens of millions of short strings on several threads. docs/benchmarks.md has the saving.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// `mi_option_purge_delay` of mimalloc 2, which the binding does not declare: the milliseconds for which the allocator
/// keeps free memory before it returns it to the system.
const PURGE_DELAY_OPTION: c_int = 15;
/// The library's default, in milliseconds.
const DEFAULT_DELAY_MILLIS: c_long = 10;
/// Long enough for a file to reuse the pages of the file before it. The system fills a returned page with zeros when it
/// is allocated again, which takes a twentieth of a build. A longer delay is no faster and needs more memory.
const PURGE_DELAY_MILLIS: c_long = 100;

#[expect(unsafe_code, reason = "two functions of the allocator that this program is linked with")]
// SAFETY: the signatures are those of mimalloc.h; both may be called at any time, with any option.
unsafe extern "C" {
    safe fn mi_option_get(option: c_int) -> c_long;
    safe fn mi_option_set(option: c_int, value: c_long);
}

fn main() -> std::process::ExitCode {
    // Another value was set by the user with MIMALLOC_PURGE_DELAY, or belongs to another option of another version.
    if mi_option_get(PURGE_DELAY_OPTION) == DEFAULT_DELAY_MILLIS {
        mi_option_set(PURGE_DELAY_OPTION, PURGE_DELAY_MILLIS);
    }
    sextant_index::cli::main()
}
