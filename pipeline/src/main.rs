//! `sextant-index`: see [`sextant_pipeline::cli`].

fn main() -> std::process::ExitCode {
    sextant_pipeline::cli::main()
}
