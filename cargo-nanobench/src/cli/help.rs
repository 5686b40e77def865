//! The help: `-h` shows the everyday flags on one screen, and `--help` shows all flags. The texts
//! are those of the flags, and the parts here.

use crate::output;
use clap::builder::StyledStr;
use clap::{Arg, Command};
use std::borrow::Cow;
use std::ffi::OsStr;

/// The flags in `-h`, in this order.
const DAILY: [&str; 12] = [
    "package",
    "bench",
    "list",
    "baseline",
    "save_baseline",
    "against",
    "fail_on",
    "max_time",
    "wait_quiet",
    "format",
    "quiet",
    "verbose",
];

/// The usage in `-h` and below errors.
pub(super) const SHORT_USAGE: &str = "\
cargo nanobench [run] [OPTIONS] [FILTER]...
       cargo nanobench <COMMAND>";

const SHORT_EXAMPLES: &str = "\
Examples:
  cargo nanobench --save-baseline main  save the run under a name
  cargo nanobench --baseline main       compare with it, after a change";

const USAGE: &str = "\
cargo nanobench [run] [OPTIONS] [FILTER]...
       cargo nanobench baseline list | show | rename | remove | prune | export |
                                import
       cargo nanobench report [NAME]... [--baseline NAME]
       cargo nanobench why ID [--baseline NAME | --against REV] [--asm]
       cargo nanobench asm ID [--baseline NAME] [--source]
       cargo nanobench profile ID [-- COMMAND...]
       cargo nanobench costs [AREA]... | sizes
       cargo nanobench doctor
       cargo nanobench tune [--apply | --restore]
       cargo nanobench init [--path DIR]
       cargo nanobench completions SHELL";

const EXAMPLES: &str = "\
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
  cargo nanobench --output junit=report.xml        write one besides the table
  cargo nanobench report main --format csv         report a saved run
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

/// Returns the command whose help is printed for these arguments.
pub(super) fn with_help(command: Command, args: &[impl AsRef<OsStr>]) -> Command {
    let args = args.iter().map(|arg| arg.as_ref().to_string_lossy()).take_while(|arg| arg != "--");
    let args: Vec<Cow<'_, str>> = args.collect();
    // `-qh` is `-q -h`.
    let is_short = |arg: &Cow<'_, str>| arg.starts_with('-') && !arg.starts_with("--") && arg.contains('h');
    if args.iter().any(is_short) {
        short(command)
    } else if args.iter().any(|arg| arg == "--help" || arg == "help") {
        full(command.override_usage(USAGE))
    } else {
        command
    }
}

/// Ends the first line of each entry without a full stop, as in entries that are one line.
pub(super) fn full(command: Command) -> Command {
    let about = command.get_long_about().and_then(without_full_stop);
    let command = if let Some(about) = about { command.long_about(about) } else { command };
    let of_arg = |arg: Arg| match arg.get_long_help().and_then(without_full_stop) {
        Some(help) => arg.long_help(help),
        None => arg,
    };
    let after = [command.get_after_long_help().map(ToString::to_string), rarely_needed(&command)];
    let after = after.into_iter().flatten().collect::<Vec<_>>().join("\n\n");
    let command = if after.is_empty() { command } else { command.after_long_help(after) };
    command.mut_args(of_arg).mut_subcommands(full)
}

/// Returns the names of the flags that the help doesn't explain.
fn rarely_needed(command: &Command) -> Option<String> {
    let hidden = command.get_arguments().filter(|arg| arg.is_hide_set() && arg.get_id() != "all");
    let mut flags: Vec<String> = hidden.filter_map(|arg| Some(format!("--{}", arg.get_long()?))).collect();
    flags.sort();
    let text = format!("  {}", flags.join(" "));
    let page = "Flags for rare needs, which docs/reference/command-line.md explains:";
    (!flags.is_empty()).then(|| format!("{page}\n{}", output::wrapped(&text, Some(80), "  ")))
}

/// Returns a help text without the full stop of its summary. `None` if there are no details.
fn without_full_stop(text: &StyledStr) -> Option<String> {
    let text = text.to_string();
    let (summary, details) = text.split_once("\n\n")?;
    Some(format!("{}\n\n{details}", summary.strip_suffix('.').filter(|_| !summary.ends_with(".."))?))
}

/// Reduces the help to the daily flags, without headings.
fn short(command: Command) -> Command {
    let run = command.get_subcommands().any(|command| command.get_name() == "run");
    let command = if run {
        // It is needed once.
        let completions = |command: Command| command.hide(true);
        command.mut_subcommand("run", short).mut_subcommand("completions", completions)
    } else {
        command
    };
    let command = command.disable_help_subcommand(true);
    command.override_usage(SHORT_USAGE).after_help(SHORT_EXAMPLES).mut_args(shorten)
}

fn shorten(arg: Arg) -> Arg {
    let id = arg.get_id().as_str();
    let Some(place) = DAILY.iter().position(|daily| *daily == id) else {
        let is_flag = !arg.is_positional();
        return arg.hide_short_help(is_flag);
    };
    // A heading for one or two flags takes more lines than the flags, and so do the values.
    let takes_value = arg.get_action().takes_values();
    let arg = arg.help_heading(None).display_order(place);
    if takes_value { arg.hide_possible_values(true) } else { arg }
}

#[cfg(test)]
mod tests {
    use super::super::Cli;
    use super::*;
    use clap::CommandFactory as _;

    fn help(args: &[&str]) -> String {
        let mut command = with_help(Cli::command(), args).term_width(80);
        let asks_for_all = args.contains(&"--help");
        let help = if asks_for_all { command.render_long_help() } else { command.render_help() };
        help.to_string()
    }

    #[test]
    fn the_short_help_is_a_screen_with_the_daily_flags() {
        let help = help(&["-h"]);
        assert!(help.lines().count() < 40, "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
        let flags = help.lines().filter(|line| line.trim_start().starts_with('-'));
        assert_eq!(flags.count(), DAILY.len() + ["--help", "--version"].len(), "{help}");
    }

    #[test]
    fn summaries_are_one_sentence_without_a_full_stop() {
        fn check(command: &Command) {
            let summary = |text: Option<&StyledStr>| {
                let text = text.map(ToString::to_string).unwrap_or_default();
                text.split("\n\n").next().unwrap_or_default().to_owned()
            };
            for arg in command.get_arguments() {
                let summary = summary(arg.get_long_help().or(arg.get_help()));
                let next = summary.split(". ").skip(1);
                let has_next =
                    next.into_iter().any(|next| next.starts_with(|c: char| c.is_uppercase() || c == '`'));
                assert!(!summary.ends_with('.') && !has_next, "{}: {summary}", arg.get_id());
            }
            let about = summary(command.get_long_about().or(command.get_about()));
            let ends_with_stop = about.ends_with('.') && !about.ends_with("..");
            assert!(!ends_with_stop, "{}: {about}", command.get_name());
            command.get_subcommands().for_each(check);
        }
        check(&with_help(Cli::command(), &["--help"]));
    }

    #[test]
    fn each_help_names_only_flags_that_its_command_has() {
        fn check(command: &Command) {
            let own: Vec<&str> = command.get_arguments().filter_map(Arg::get_long).collect();
            for arg in command.get_arguments() {
                let help =
                    arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
                let words = help.split(|letter: char| !(letter == '-' || letter.is_alphanumeric()));
                let mut flags =
                    words.filter_map(|word| word.strip_prefix("--")).filter(|flag| !flag.is_empty());
                let unknown = flags.find(|flag| !own.contains(flag));
                assert_eq!(unknown, None, "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(check);
        }
        check(&Cli::command());
    }

    #[test]
    fn the_long_help_has_all_flags() {
        let help = help(&["--help"]);
        let command = Cli::command();
        let flags = command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long);
        let missing: Vec<&str> = flags.filter(|flag| !help.contains(&format!("--{flag}"))).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn the_long_help_of_a_run_explains_at_most_60_flags() {
        let help = with_help(Cli::command(), &["run", "--help"])
            .find_subcommand_mut("run")
            .map(|run| run.render_long_help().to_string());
        let help = help.unwrap();
        let explained = help.split("Flags for rare needs").next().unwrap();
        let is_flag = |line: &str| line.starts_with("--") || line.starts_with('-') && !line.starts_with("- ");
        let explained = explained.lines().filter(|line| is_flag(line.trim_start())).count();
        assert!(explained <= 60, "{explained}");
        assert!(help.contains("--subtract-loop"), "rare flags are named");
    }
}
