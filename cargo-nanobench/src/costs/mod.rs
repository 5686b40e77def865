//! The built-in benchmarks of `cargo nanobench costs`. This executable is their harness: it starts
//! itself.

pub(crate) mod sizes;
pub(crate) mod source;

use crate::cargo::Executable;
use crate::environment::{Environment, Rustc};
use crate::experiment::{Benchmark, Pattern};
use crate::suggest;
use nanobench::protocol::CHANNEL_VARIABLE;
pub(crate) use nanobench_costs::AREAS;
use nanobench_costs::{Area, COMPILER, TARGET};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, io};

/// The benchmark whose figure is the unit of the column of multiples.
pub(crate) const UNIT: &str = "empty call";

/// Counts the bytes of [`sizes`]. It is the system's allocator, so that the benchmarks show its
/// figures. While nothing is counted, a call costs one additional load.
#[global_allocator]
static ALLOCATOR: nanobench::Alloc = nanobench::Alloc::system();

/// The names of the target that holds the benchmarks, in their ids: `rust::costs::memory::..`.
const PACKAGE: &str = "rust";
const TARGET_NAME: &str = "costs";

/// Returns whether this process is a harness of the built-in benchmarks.
pub(crate) fn is_harness() -> bool {
    env::var_os(CHANNEL_VARIABLE).is_some() && env::args_os().skip(1).eq(["--bench"])
}

/// Serves the run that started this process.
pub(crate) fn serve() -> ExitCode {
    harness::serve()
}

mod harness {
    use std::process::ExitCode;

    // With it, the executable of the tool's tests would seem to have benchmarks.
    #[cfg(not(test))]
    nanobench::main!();

    #[cfg(test)]
    fn main() -> ExitCode {
        unreachable!("tests don't run the built-in benchmarks")
    }

    pub(super) fn serve() -> ExitCode {
        main()
    }
}

/// Returns this executable as one with benchmarks that run in `folder`.
pub(crate) fn executable(folder: &Path) -> io::Result<Executable> {
    Executable::of_this_process(PACKAGE, TARGET_NAME, folder)
}

/// Returns this machine, and the compiler of the benchmarks.
pub(crate) fn environment() -> Environment {
    Environment {
        rustc: Rustc::parse(&COMPILER.replace("; ", "\n")),
        target: Some(TARGET.to_owned()),
        cargo_nanobench: Some(env!("CARGO_PKG_VERSION").to_owned()),
        ..Environment::this_machine()
    }
}

/// Returns the folder of the baselines in the user's data directory. `None` if there is no such
/// directory.
pub(crate) fn folder() -> Option<PathBuf> {
    dirs::data_local_dir().map(|data| data.join("cargo-nanobench"))
}

/// Returns the filter for an area, or the given filter if there is no such area.
pub(crate) fn filter(name: &str) -> Pattern {
    let area = AREAS.iter().find(|area| area.is_called(name));
    let part =
        area.map_or_else(|| name.to_owned(), |area| format!("{PACKAGE}::{TARGET_NAME}::{}", area.name));
    Pattern::part(part)
}

/// Returns advice about filters that select none of the built-in benchmarks: similar areas, and the
/// names of all.
pub(crate) fn hints<'a>(filters: impl Iterator<Item = &'a str>) -> Vec<String> {
    let areas = || AREAS.iter().map(|area| area.name);
    let near = filters.filter_map(|filter| suggest::nearest(filter, areas()).into_iter().next());
    let near = near.map(|area| format!("did you mean the area `{area}`?"));
    near.chain([format!("the areas are: {}", areas().collect::<Vec<_>>().join(", "))]).collect()
}

/// Returns the position of a benchmark's area.
pub(crate) fn position(benchmark: &Benchmark) -> Option<usize> {
    AREAS.iter().position(|area| is_in(benchmark, area))
}

pub(crate) fn is_in(benchmark: &Benchmark, area: &Area) -> bool {
    benchmark.id.row.modules == area.name
}
