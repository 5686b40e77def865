//! All forms of benchmarks, each file with the lints that it denies.

pub(crate) mod asynchronous;
pub(crate) mod attributes;
pub(crate) mod borrowing;
pub(crate) mod by_macro;
pub(crate) mod figures;
pub(crate) mod forms;
pub(crate) mod inputs;
pub(crate) mod lints;
pub(crate) mod manual;
pub(crate) mod names;
pub(crate) mod ports;
pub(crate) mod rows;
pub(crate) mod settings;
pub(crate) mod state;

/// Calls the marked functions: they stay the functions that were written.
pub(crate) fn main() {
    asynchronous::main();
    attributes::main();
    borrowing::main();
    by_macro::main();
    figures::main();
    forms::main();
    inputs::main();
    lints::main();
    manual::main();
    names::main();
    ports::main();
    rows::main();
    settings::main();
    state::main();
}
