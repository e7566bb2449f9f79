//! `sextant`: see [`sextant_query::cli`].

fn main() -> std::process::ExitCode {
    sextant_query::cli::main()
}
