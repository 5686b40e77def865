//! The parts of `--help` that don't belong to a flag.

pub(super) const USAGE: &str = "\
cargo nanobench [run] [OPTIONS] [FILTER]...
       cargo nanobench baseline list | show | compare | rename | remove | prune | export | import
       cargo nanobench doctor
       cargo nanobench init [--path DIR]";

pub(super) const EXAMPLES: &str = "\
Examples:
  cargo nanobench                                  run all benchmarks of the package
  cargo nanobench sort --skip sort_by              run `sort` and `sort_u64`, but not `sort_by`
  cargo nanobench -p my-crate --bench first        run benches/first.rs of one package
  cargo nanobench --save-baseline main             save the run under a name
  cargo nanobench --baseline main                  compare with that run, after a change
  cargo nanobench --baseline main --fail-on slower fail with exit code 3 if a benchmark is slower
  cargo nanobench --against main                   compare with a branch, tag or commit
  cargo nanobench walk --cache both                run with warm and with emptied caches
  cargo nanobench --format json > run.json         write a report for programs
  cargo nanobench doctor                           find what disturbs measurements on this machine
  cargo nanobench init                             add a first benchmark";

const EXIT_CODES: &str = "\
Exit codes:
    0  success
    1  a benchmark failed: it panicked, died or was stopped
    2  usage error: an invalid flag, filter, package, baseline name or configuration key
    3  a gate failed: --fail-on, --fail-above
    4  nothing to run: no benchmark exists, or none is selected
    5  environment error: an unwritable target directory, a damaged baseline, stored figures of
       another machine, incompatible versions
  101  the build failed (or another exit code of cargo)
  130  interrupted";

/// Returns the text that follows the flags in `--help`.
pub(super) fn long() -> String {
    format!("{EXAMPLES}\n\n{EXIT_CODES}")
}
