//! The options that `.config/nanobench.toml` may hold: those of the command line, read as if they stood there, so that
//! what a value may be is said once.

use super::run::{RunArgs, SamplingArgs};
use super::{Conditions, GateArgs};
use clap::error::ContextKind;
use clap::{ArgAction, CommandFactory as _, Parser};
use nanobench::model::KeyValue;
use std::any::TypeId;

/// The keys, each the name of a flag. What is about one run (`--ignored`, `--baseline`) and cargo's own flags are not for a
/// file.
pub(crate) const KEYS: [&str; 29] = [
    "precision",
    "min-time",
    "max-time",
    "budget",
    "samples",
    "sample-time",
    "iterations",
    "warmup",
    "cache",
    "wipe-size",
    "threads",
    "counters",
    "threshold",
    "resolution",
    "fail-on",
    "fail-above",
    "wait-quiet",
    "skip",
    "tag",
    "skip-tag",
    "include-ignored",
    "timeout",
    "timer",
    "nocapture",
    "format",
    "scale-to",
    "bytes-format",
    "no-warnings",
    "context",
];

/// What a file asks for.
#[derive(Debug, Clone, Parser)]
#[command(name = "nanobench.toml", no_binary_name = true, disable_help_flag = true)]
pub(crate) struct InFile {
    #[command(flatten)]
    args: RunArgs,
}

impl InFile {
    /// What these flags say, each in one word: `--samples=5`. The error is the reason alone.
    pub(crate) fn read(flags: &[String]) -> Result<InFile, String> {
        InFile::try_parse_from(flags).map_err(|error| {
            use std::error::Error as _;
            let said = |kind| error.get(kind).map(ToString::to_string);
            let values = said(ContextKind::ValidValue).filter(|values| !values.is_empty());
            let key = |kind| Some(said(kind)?.trim_start_matches("--").split(' ').next()?.to_owned());
            match (error.source(), values, key(ContextKind::InvalidArg), key(ContextKind::PriorArg)) {
                (Some(reason), ..) => reason.to_string(),
                (None, Some(values), ..) => format!("one of these: {values}"),
                (None, None, Some(one), Some(other)) => {
                    format!("`{one}` and `{other}` exclude each other: leave one of them out")
                }
                _ => error.kind().to_string(),
            }
        })
    }

    /// What the command line would be with these flags alone.
    #[cfg(test)]
    pub(crate) fn flags(&self) -> RunArgs {
        self.args.clone()
    }

    /// How benchmarks are measured. Attributes win over it.
    pub(crate) fn sampling(&self) -> &SamplingArgs {
        &self.args.sampling
    }

    /// Under which conditions they run. Attributes win over it, but for what is counted.
    pub(crate) fn conditions(&self) -> &Conditions {
        &self.args.conditions
    }

    /// What all figures are multiples of, in those runs that have it.
    pub(crate) fn scale_to(&self) -> Option<&str> {
        self.args.output.scale_to.as_deref()
    }

    /// The smallest change that is called. Attributes win over it.
    pub(crate) fn threshold(&self) -> Option<f64> {
        self.args.compare.threshold
    }

    /// The gates where the command line has none. Those of the two are not mixed: `--fail-on slower` would let through what the
    /// file's `fail-above` does.
    pub(crate) fn gate(&self, flags: &GateArgs) -> GateArgs {
        if flags.is_given() { flags.clone() } else { self.args.gate.clone() }
    }

    /// The command line with the file's options where it doesn't give them itself. Not those of sampling, caches, threads and the
    /// threshold, where attributes stand between the two, but for the counters, which no attribute has; and not what
    /// figures are multiples of, which a run of other packages doesn't have.
    pub(crate) fn complete(&self, flags: &RunArgs) -> RunArgs {
        let (file, mut args) = (&self.args, flags.clone());
        let or = |own: &mut Vec<String>, default: &[String]| {
            if own.is_empty() {
                *own = default.to_vec();
            }
        };
        or(&mut args.conditions.counters, &file.conditions.counters);
        or(&mut args.select.skip, &file.select.skip);
        or(&mut args.select.tag, &file.select.tag);
        or(&mut args.select.skip_tag, &file.select.skip_tag);
        args.select.include_ignored |= file.select.include_ignored && !args.select.ignored;
        args.gate = self.gate(&flags.gate);
        args.compare.resolution = args.compare.resolution.or(file.compare.resolution);
        args.process.wait_quiet = args.process.wait_quiet.or(file.process.wait_quiet);
        args.process.timeout = args.process.timeout.or(file.process.timeout);
        args.process.timer = args.process.timer.or(file.process.timer);
        args.process.nocapture |= file.process.nocapture;
        args.output.format = args.output.format.or(file.output.format);
        args.output.bytes_format = args.output.bytes_format.or(file.output.bytes_format);
        args.output.no_warnings |= file.output.no_warnings;
        args.output.context = last_of_each(file.output.context.iter().chain(&flags.output.context));
        args
    }
}

/// What stands in the place of a key's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// `true` or `false` and nothing else: a flag without a value.
    Switch,
    /// Text.
    Text,
    /// Text, or a number. A duration in seconds, for one.
    Any,
}

impl Takes {
    /// Of a key.
    pub(crate) fn of(key: &str) -> Takes {
        let command = InFile::command();
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(key));
        match argument {
            Some(argument) if !argument.get_action().takes_values() => Takes::Switch,
            Some(argument) if argument.get_value_parser().type_id() == TypeId::of::<String>() => Takes::Text,
            _ => Takes::Any,
        }
    }
}

/// Whether a key may have several values: its flag may be repeated.
pub(crate) fn takes_several(key: &str) -> bool {
    let command = InFile::command();
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(key));
    argument.is_some_and(|argument| matches!(argument.get_action(), ArgAction::Append))
}

/// Of pairs with the same key the last, where that stands.
fn last_of_each<'a>(pairs: impl Iterator<Item = &'a KeyValue>) -> Vec<KeyValue> {
    let mut kept: Vec<KeyValue> = Vec::new();
    for pair in pairs {
        kept.retain(|other| other.key != pair.key);
        kept.push(pair.clone());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(flags: &[&str]) -> Result<InFile, String> {
        InFile::read(&flags.iter().map(|&flag| flag.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn every_key_is_a_flag() {
        let command = InFile::command();
        for key in KEYS {
            assert!(command.get_arguments().any(|argument| argument.get_long() == Some(key)), "{key}");
        }
    }

    #[test]
    fn flags_win() {
        let file =
            read(&["--timeout=5s", "--skip=a", "--format=json", "--context=a=1", "--context=b=2"]).unwrap();
        let flags = read(&["--skip=b", "--context=a=3"]).unwrap().args;
        let args = file.complete(&flags);
        assert_eq!((args.process.timeout().as_secs(), args.output.is_table()), (5, false));
        assert_eq!(args.select.skip, ["b"]);
        let context: Vec<(&str, &str)> =
            args.output.context.iter().map(|pair| (pair.key.as_str(), pair.value.as_str())).collect();
        assert_eq!(context, [("b", "2"), ("a", "3")]);
        let twice = read(&["--context=a=1", "--context=b=2", "--context=a=3"]).unwrap().args;
        assert_eq!(read(&[]).unwrap().complete(&twice).output.context.len(), 2, "of one key the last");
    }

    #[test]
    fn a_key_takes_what_its_flag_takes() {
        assert_eq!(Takes::of("no-warnings"), Takes::Switch);
        assert_eq!(Takes::of("tag"), Takes::Text);
        assert_eq!(Takes::of("counters"), Takes::Text);
        assert_eq!(Takes::of("timeout"), Takes::Any);
        assert_eq!(Takes::of("wipe-size"), Takes::Any);
    }

    #[test]
    fn the_gates_are_those_of_one_of_the_two() {
        let gate = |file: &[&str], flags: &[&str]| {
            let gate = read(file).unwrap().complete(&read(flags).unwrap().args).gate;
            (gate.fail_on.len(), gate.fail_above)
        };
        let file = ["--fail-on=slower", "--fail-on=missing", "--fail-above=5"];
        assert_eq!(gate(&file, &[]), (2, Some(0.05)));
        assert_eq!(gate(&file, &["--fail-on=slower"]), (1, None));
        assert_eq!(gate(&file, &["--fail-above=1"]), (0, Some(0.01)));
    }

    #[test]
    fn a_threshold_of_the_file_gives_way_to_attributes() {
        let file = read(&["--threshold=3", "--resolution=1"]).unwrap();
        let args = file.complete(&read(&[]).unwrap().args);
        assert_eq!((args.compare.threshold, args.compare.resolution), (None, Some(0.01)));
        assert_eq!(file.threshold(), Some(0.03));
    }

    #[test]
    fn reasons_are_without_flags() {
        assert_eq!(
            read(&["--min-time=soon"]).unwrap_err(),
            "a duration is a number and a unit, like 90s, 500ms or 2m"
        );
        assert_eq!(read(&["--samples=0"]).unwrap_err(), "a whole number from 1");
        assert_eq!(read(&["--format=xml"]).unwrap_err(), "one of these: table, json");
        for [one, other] in [
            ["samples=1", "budget=1s"],
            ["samples=1", "precision=1"],
            ["samples=1", "min-time=1s"],
            ["samples=1", "max-time=1s"],
            ["iterations=1", "sample-time=1s"],
        ] {
            let error = read(&[&format!("--{other}"), &format!("--{one}")]).unwrap_err();
            let key = |flag: &str| format!("`{}`", flag.split('=').next().unwrap());
            let names_both = error.contains(&key(one)) && error.contains(&key(other));
            assert!(names_both && error.ends_with(" exclude each other: leave one of them out"), "{error}");
        }
    }
}
