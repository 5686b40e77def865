//! The parts of `--help` that are not about one flag.

pub(super) const USAGE: &str = "\
cargo nanobench [run] [OPTIONS] [FILTER]...
       cargo nanobench baseline list | show | compare | rename | remove | prune | export | import
       cargo nanobench doctor
       cargo nanobench init [--path DIR]";

pub(super) const EXAMPLES: &str = "\
Examples:
  cargo nanobench                                  run all benchmarks of the package
  cargo nanobench sort --skip sort_by              those whose id contains `sort`, not `sort_by`
  cargo nanobench -p my-crate --bench first        those of benches/first.rs in one package
  cargo nanobench --save-baseline main             keep the run under a name
  cargo nanobench --baseline main                  compare with it, after a change
  cargo nanobench --baseline main --fail-on slower for CI: exit code 3 where something is slower
  cargo nanobench --against main                   compare what is here with a branch, tag or commit
  cargo nanobench walk --cache both                with warm and with emptied caches
  cargo nanobench --format json > run.json         for a program
  cargo nanobench doctor                           what disturbs measurements on this machine
  cargo nanobench init                             add a first benchmark";

const EXIT_CODES: &str = "\
Exit codes:
    0  all that was asked for was done
    1  a benchmark failed: it panicked, died or was stopped
    2  usage: a flag, filter, package, baseline name or key of .config/nanobench.toml that can't be
    3  a gate failed: --fail-on, --fail-above
    4  nothing to run: no benchmark at all, or none that matches
    5  environment: a target directory that can't be written, a damaged baseline, stored figures of
       another machine, versions that don't match
  101  the build failed (cargo's own code is passed on)
  130  interrupted";

/// What follows the flags in `--help`.
pub(super) fn long() -> String {
    format!("{EXAMPLES}\n\n{EXIT_CODES}")
}
