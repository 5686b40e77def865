//! The `cargo nanobench` subcommand: see the library of this package.

fn main() -> std::process::ExitCode {
    cargo_nanobench::main()
}
