//! Flags and subcommands that people know from criterion, divan, hyperfine and cargo, and their
//! counterparts here. They are not declared, so the help doesn't list them: an error about an
//! unknown one gets the advice as its tip.

use super::Cli;
use crate::{output, suggest};
use clap::CommandFactory as _;
use clap::builder::StyledStr;
use clap::error::{ContextKind, ContextValue, ErrorKind};

/// The width of advice, in columns.
const MAX_WIDTH: usize = 80;

/// Earlier names of flags, and what has taken their places.
const RENAMED: &[(&str, &str)] = &[
    ("--average-resolution", "--same-within PERCENT"),
    ("--beside", "--load LOAD"),
    ("--bytes-format", "--units binary"),
    ("--endless", "cargo nanobench profile ID"),
    ("--fail-above-instructions", "--fail-above instructions=PERCENT"),
    ("--github", "--output github"),
    ("--html", "--output html` or `--output html=FILE"),
    ("--resolution", "--same-within PERCENT"),
    ("--scale-to", "--multiples-of NAME"),
    ("--skip-tag", "--skip tag:TAG"),
    ("--tag", "cargo nanobench tag:TAG"),
    ("--time-unit", "--units UNIT"),
];

/// Flags of other tools, and the advice for those who type one.
const FLAGS: &[(&[&str], &str)] = &[
    (
        &["--release", "-r"],
        "omit it: the profile `bench` inherits `release`, so builds are optimised; \
         `--profile NAME` selects another",
    ),
    (
        &["--debug", "--dev"],
        "did you mean `--profile dev`? without it, builds are optimised (profile `bench`)",
    ),
    (
        &["--compare", "--vs"],
        "did you mean `--baseline NAME`? for a branch, tag or commit, it is `--against REV`",
    ),
    (
        &["--load-baseline", "--baseline-lenient", "--baseline-strict"],
        "did you mean `--baseline NAME`? to compare two saved runs without measuring: \
         `cargo nanobench report NEW --baseline OLD`",
    ),
    (
        &["--reference"],
        "did you mean `--baseline NAME`? within a run, it is the option `baseline = other` of a benchmark",
    ),
    (
        &["--rev", "--ref", "--branch", "--commit", "--git"],
        "did you mean `--against REV`? it takes branches, tags and commits",
    ),
    (
        &["--save", "--store", "--name"],
        "did you mean `--save-baseline NAME`? each complete run is also saved as `last`",
    ),
    (
        &["--discard-baseline", "--no-save"],
        "omit it: a run only replaces `last`, never a baseline that you saved by name",
    ),
    (
        &["--measurement-time", "--bench-time", "--benchtime", "--duration", "--time"],
        "did you mean `--max-time DURATION`? a benchmark ends sooner if its figure is precise; \
         `--min-time DURATION` keeps it going",
    ),
    (
        &["--sample-size"],
        "did you mean `--samples N`? for the calls in each sample, as divan means it, it is `--iterations N`",
    ),
    (
        &["--sample-count", "--runs", "--min-runs", "--max-runs", "--repeat", "--reps"],
        "did you mean `--samples N`? without it, a benchmark is sampled until its figure is precise",
    ),
    (&["--iters"], "did you mean `--iterations N`? it is the number of calls in each sample"),
    (
        &["--warm-up-time", "--warmup-time", "--warm-up", "-w"],
        "did you mean `--warmup N`? it is a number of calls, not a time",
    ),
    (
        &["--profile-time"],
        "did you mean `cargo nanobench profile ID`? it keeps a benchmark running for a profiler, which it starts itself if you name it",
    ),
    (
        &["--noise-threshold"],
        "did you mean `--threshold PERCENT`? it is a percentage, not a share: 1 for criterion's 0.01",
    ),
    (
        &["--significance-level", "--confidence-level", "--nresamples"],
        "omit it: a verdict rests on many fresh processes; `--threshold` and `--same-within` set the size of the changes that count",
    ),
    (
        &["--quick"],
        "omit it: a run is quick by default; `--precision PERCENT` and `--max-time DURATION` make it quicker",
    ),
    (
        &["--noplot", "--no-plot", "--plotting-backend"],
        "omit it: only the page that `--output html` writes has plots",
    ),
    (
        &["--output-format"],
        "did you mean `--format bencher`? `--format json` prints a document, and `--output json=FILE` writes it",
    ),
    (
        &["--logfile", "--log-file"],
        "did you mean `--output bencher=FILE`? it writes the figures to a file, in any of the formats",
    ),
    (
        &["--save-to", "--out"],
        "did you mean `--save-baseline NAME`? `--output json=FILE` writes the figures to a file",
    ),
    (
        &["--message-format", "--json", "--export-json", "--export"],
        "did you mean `--output json=FILE`? `--format json` prints it to stdout",
    ),
    (&["--csv", "--export-csv"], "did you mean `--format csv`? `--output csv=FILE` writes it to a file"),
    (&["--export-markdown"], "did you mean `--output markdown=FILE`?"),
    (
        &["--export-asciidoc", "--export-orgmode"],
        "did you mean `--format json`? it prints one document to stdout, which e.g. jq converts",
    ),
    (
        &["--show-output", "--capture"],
        "did you mean `--no-capture`? it passes the output of benchmarks through to stderr",
    ),
    (
        &["--test-threads"],
        "omit it: benchmarks run one at a time; `--threads N` runs the same benchmark on N threads",
    ),
    (&["--build-only"], "did you mean `--no-run`?"),
    (&["--no-fail-fast", "--ignore-failure"], "omit it: the other benchmarks always run if one fails"),
    (&["--filter", "--include", "-k", "-E"], "did you mean `FILTER`? it has no flag: cargo nanobench sort"),
    (
        &["--regex", "--glob", "--pattern"],
        "did you mean `FILTER`? it is a part of an id, a regular expression `/re/`, or a pattern \
         `glob:*::sort*`: cargo nanobench /re/",
    ),
    (&["--group"], "did you mean `FILTER`? it may be the name of a group: cargo nanobench sorting"),
    (
        &["--setup", "--prepare", "--with-inputs"],
        "set it at the benchmark: #[nanobench(setup = ..)] makes an input for each call",
    ),
    (&["--cleanup", "--conclude"], "set it at the benchmark: #[nanobench(teardown = ..)]"),
    (
        &["--parameter-list", "--parameter-scan", "--args", "-L", "-P"],
        "set it at the benchmark: #[nanobench(args = [1, 10, 100])] makes a row for each",
    ),
    (
        &["--items-count", "--bytes-count", "--chars-count", "--throughput"],
        "set it at the benchmark: #[nanobench(bytes = ..)], `chars` or `items` adds a column with the rate",
    ),
    (
        &["--cycles-count", "--perf", "--instructions"],
        "did you mean `--counters NAME`? `-v` adds the column `cycles`, which needs no counter",
    ),
    (&["--sortr"], "use `--sort time`; `--format json` can be sorted by any field"),
    (&["--unit"], "use `--units ns`, us, ms or s; `--multiples-of NAME` makes figures multiples of one"),
    (&["--skip-ext-time"], "omit it: inputs and drops are never part of the time"),
];

/// Words that people try as subcommands, and the command that they look for.
const SUBCOMMANDS: &[(&[&str], &str)] = &[
    (&["compare", "diff", "cmp"], "cargo nanobench report [NEW] --baseline OLD"),
    (&["list", "ls"], "cargo nanobench --list` or `cargo nanobench baseline list"),
    (&["show"], "cargo nanobench baseline show NAME"),
    (&["rename", "mv"], "cargo nanobench baseline rename OLD NEW"),
    (&["remove", "rm", "delete"], "cargo nanobench baseline remove NAME"),
    (&["prune", "clean", "gc"], "cargo nanobench baseline prune --keep N"),
    (&["export"], "cargo nanobench baseline export NAME FILE"),
    (&["import"], "cargo nanobench baseline import FILE"),
    (&["save"], "cargo nanobench --save-baseline NAME"),
    (&["against"], "cargo nanobench --against REV"),
    (&["bench", "measure"], "cargo nanobench run"),
    (&["test"], "cargo test --benches"),
    (&["new", "add", "setup"], "cargo nanobench init"),
    (&["check", "diagnose", "system"], "cargo nanobench doctor"),
];

/// Returns advice about a flag that takes a value here, but none in other tools, and about formats that
/// aren't printed.
fn about_value(usage: &str, value: &str) -> Option<&'static str> {
    Some(match (usage, value) {
        ("--test <NAME>", _) => "to call each benchmark once, without timing it: cargo test --benches",
        ("--format <FORMAT>", "html") => "did you mean `--output html`? it writes a page for browsers",
        ("--format <FORMAT>", "github") => "did you mean `--output github`?",
        ("--format <FORMAT>", "criterion") => "did you mean `--output criterion=FOLDER`?",
        _ => return None,
    })
}

/// Adds advice to an error about a flag or an action of `baseline` that another tool has, or has in
/// another form.
pub(super) fn with_advice(mut error: clap::Error) -> clap::Error {
    let (kind, similar) = match error.kind() {
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        ErrorKind::InvalidValue => (ContextKind::InvalidArg, ContextKind::SuggestedValue),
        _ => return error,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return error };
    let advice = match error.kind() {
        ErrorKind::InvalidSubcommand => command(typed).map(|command| format!("did you mean `{command}`?")),
        ErrorKind::InvalidValue => match error.get(ContextKind::InvalidValue) {
            Some(ContextValue::String(value)) => about_value(typed, value).map(str::to_owned),
            _ => None,
        },
        _ => flag(typed),
    };
    if let Some(advice) = advice {
        error.remove(similar);
        // The advice is the usage that matters.
        error.remove(ContextKind::Usage);
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![StyledStr::from(wrapped(&advice))]),
        );
    }
    error
}

/// Returns the error for a flag among the filters. Those of other tools come after `--`, where all
/// words are filters here.
pub(super) fn misplaced_flag(filters: &[&str]) -> Option<String> {
    let mut words = filters.iter().filter(|word| word.starts_with('-')).peekable();
    words.peek()?;
    let cli = Cli::command();
    let is_own = |name: &str| {
        let mut names = cli.get_arguments().map(|flag| (flag.get_long(), flag.get_short()));
        names.any(|(long, short)| {
            long.is_some_and(|long| name == format!("--{long}"))
                || short.is_some_and(|short| name == format!("-{short}"))
        })
    };
    words.find_map(|word| {
        let name = word.split('=').next().unwrap_or_default();
        let advice = match flag(name) {
            Some(advice) => advice,
            None if is_own(name) => format!("write it before `--`: cargo nanobench {}", filters.join(" ")),
            None => return None,
        };
        Some(format!("`{name}` after `--` is a filter, not a flag\n\n  tip: {}", wrapped(&advice)))
    })
}

/// Returns advice in lines that are narrow enough behind `  tip: `, which clap doesn't wrap.
fn wrapped(advice: &str) -> String {
    let indent = " ".repeat("  tip: ".len());
    output::wrapped(&format!("{indent}{advice}"), Some(MAX_WIDTH), &indent).trim_start().to_owned()
}

/// Returns whether `word` is a subcommand of `baseline` or of another tool, but not of this one.
pub(crate) fn is_other_command(word: &str) -> bool {
    command(word).is_some()
}

/// Returns the command that someone looks for who types `word` in place of a subcommand.
pub(crate) fn subcommand_like(word: &str) -> Option<String> {
    if let Some(command) = command(word) {
        return Some(command.to_owned());
    }
    let command = Cli::command();
    let names = command.get_subcommands().map(clap::Command::get_name);
    let nearest = suggest::nearest(word, names);
    nearest.first().map(|name| format!("cargo nanobench {name}"))
}

/// Returns the advice for a flag. Some type underscores in place of its hyphens.
fn flag(typed: &str) -> Option<String> {
    let typed = typed.replace('_', "-");
    let of_others = FLAGS.iter().find(|(flags, _)| flags.contains(&&*typed));
    renamed(&typed).or(of_others.map(|(_, advice)| (*advice).to_owned()))
}

/// Returns the advice for an earlier name of a flag.
fn renamed(typed: &str) -> Option<String> {
    Some(format!("it is now called `{}`", new_name(typed)?))
}

/// Returns the advice for an earlier name of a key in the configuration file.
pub(super) fn renamed_key(key: &str) -> Option<String> {
    let new = new_name(&format!("--{key}"))?.strip_prefix("--")?;
    let (name, value) = new.split('`').next()?.split_once(' ')?;
    Some(format!("it is now called `{name}`, with `{value}` as its value"))
}

fn new_name(old: &str) -> Option<&'static str> {
    RENAMED.iter().find(|(earlier, _)| *earlier == old).map(|(_, new)| *new)
}

fn command(word: &str) -> Option<&'static str> {
    SUBCOMMANDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, command)| *command)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::BaselineAction;
    use clap::Subcommand as _;
    use std::collections::BTreeSet;

    /// Returns the flags that a text mentions.
    fn flags_in(text: &str) -> impl Iterator<Item = &str> {
        let words = text.split(|letter: char| !(letter == '-' || letter.is_alphanumeric()));
        words.filter(|word| word.starts_with("--"))
    }

    #[test]
    fn advice_names_flags_that_exist() {
        let cli = Cli::command();
        let baseline = BaselineAction::augment_subcommands(clap::Command::new("baseline"));
        let commands = [&cli].into_iter().chain(baseline.get_subcommands());
        let flags = commands.flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long);
        let flags: BTreeSet<String> = flags.map(|flag| format!("--{flag}")).collect();
        let texts = FLAGS.iter().chain(SUBCOMMANDS).map(|(_, text)| *text);
        let texts = texts.chain(RENAMED.iter().map(|(_, new)| *new));
        for flag in texts.flat_map(flags_in) {
            assert!(flags.contains(flag), "{flag} does not exist");
        }
    }

    #[test]
    fn no_flag_or_subcommand_of_our_own_is_foreign() {
        let cli = Cli::command();
        let earlier = RENAMED.iter().map(|(old, _)| old);
        for name in FLAGS.iter().flat_map(|(flags, _)| *flags).chain(earlier) {
            let is_own = cli.get_arguments().any(|arg| {
                arg.get_long().is_some_and(|long| *name == format!("--{long}"))
                    || arg.get_short().is_some_and(|short| *name == format!("-{short}"))
            });
            assert!(!is_own, "{name}");
        }
        for (words, _) in SUBCOMMANDS {
            assert!(!cli.get_subcommands().any(|own| words.contains(&own.get_name())), "{words:?}");
        }
    }

    #[test]
    fn flags_after_the_separator_are_errors() {
        let error = misplaced_flag;
        let own = error(&["--save-baseline", "before"]).unwrap();
        assert!(own.ends_with("cargo nanobench --save-baseline before"), "{own}");
        assert!(error(&["sort", "--baseline=main"]).unwrap().starts_with("`--baseline` after `--`"));
        assert!(error(&["--quick"]).unwrap().contains("--precision"));
        assert!(error(&["-v"]).is_some());
        assert_eq!(error(&["sort", "-5", "--nothing-like-it"]), None);
    }

    #[test]
    fn tips_fit_into_80_columns() {
        for (flags, advice) in FLAGS {
            let error = Cli::command().try_get_matches_from(["cargo-nanobench", flags[0]]).unwrap_err();
            let text = with_advice(error).to_string();
            assert!(text.lines().all(|line| line.chars().count() <= MAX_WIDTH), "{text}");
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(words.join(" ").contains(advice), "{text}");
        }
    }

    #[test]
    fn formats_that_are_not_printed_have_a_tip() {
        for (format, tip) in [("html", "--output html"), ("github", "--output github"), ("csw", "'csv'")] {
            let error = Cli::command().try_get_matches_from(["cargo-nanobench", "--format", format]);
            let text = with_advice(error.unwrap_err()).to_string();
            assert!(text.contains(tip), "{text}");
        }
    }

    #[test]
    fn earlier_keys_have_the_names_of_keys() {
        let advice = |key| renamed_key(key).unwrap_or_default();
        assert_eq!(advice("skip-tag"), "it is now called `skip`, with `tag:TAG` as its value");
        assert_eq!(advice("resolution"), "it is now called `same-within`, with `PERCENT` as its value");
        assert_eq!(advice("html"), "it is now called `output`, with `html` as its value");
        assert_eq!(renamed_key("tag"), None, "it was no key");
    }

    #[test]
    fn underscores_count_as_hyphens() {
        assert!(flag("--measurement_time").is_some());
        assert_eq!(flag("--measurement_time"), flag("--measurement-time"));
        assert_eq!(flag("--nothing_like_it"), None);
    }

    #[test]
    fn misspelled_subcommands_are_recognised() {
        assert_eq!(subcommand_like("basline").as_deref(), Some("cargo nanobench baseline"));
        assert!(subcommand_like("compare").unwrap().contains("report [NEW] --baseline OLD"));
        assert_eq!(subcommand_like("parse_json"), None);
    }
}
