//! `sextant-index`: see [`sextant_pipeline::cli`].

/// A build makes and drops tens of millions of short texts on several threads; docs/benchmarks.md has what this saves.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    sextant_pipeline::cli::main()
}
