//! The keys of `.config/nanobench.toml`: flags, read as if they stood on the command line, so that
//! one place defines their values. The table of options lists the keys.

use super::RunArgs;
use crate::experiment::Pattern;
use clap::error::ContextKind;
use clap::{ArgAction, CommandFactory as _, Parser};
use std::any::TypeId;

/// The flags that match the keys of a file.
#[derive(Debug, Clone, Parser)]
#[command(name = "nanobench.toml", no_binary_name = true, disable_help_flag = true)]
struct ConfigArgs {
    #[command(flatten)]
    args: RunArgs,
}

/// Parses flags that are one word each: `--samples=5`. The error is the reason alone, without the
/// flag.
pub(super) fn parse_flags(flags: &[String]) -> Result<RunArgs, String> {
    ConfigArgs::try_parse_from(flags).map(|config| config.args).map_err(|error| {
        use std::error::Error as _;
        let context = |kind| error.get(kind).map(ToString::to_string);
        let values = context(ContextKind::ValidValue).filter(|values| !values.is_empty());
        let key = |kind| Some(context(kind)?.trim_start_matches("--").split(' ').next()?.to_owned());
        match (error.source(), values, key(ContextKind::InvalidArg), key(ContextKind::PriorArg)) {
            (Some(reason), ..) => reason.to_string(),
            (None, Some(values), ..) => format!("expected one of: {values}"),
            (None, None, Some(one), Some(other)) => {
                format!("`{one}` and `{other}` exclude each other: remove one of them")
            }
            _ => error.kind().to_string(),
        }
    })
}

/// The kind of value that a key takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// `true` or `false`: the key is a flag without a value.
    Switch,
    Text,
    /// Text or a number, as for durations in seconds.
    TextOrNumber,
}

impl ValueKind {
    /// Returns the kind of value that `key` takes.
    pub(super) fn from_key(key: &str) -> ValueKind {
        let command = ConfigArgs::command();
        let argument = command.get_arguments().find(|argument| argument.get_long() == Some(key));
        let texts = [TypeId::of::<String>(), TypeId::of::<Pattern>()];
        match argument {
            Some(argument) if !argument.get_action().takes_values() => ValueKind::Switch,
            Some(argument) if texts.iter().any(|text| argument.get_value_parser().type_id() == *text) => {
                ValueKind::Text
            }
            _ => ValueKind::TextOrNumber,
        }
    }
}

/// Returns whether `key` takes a list: its flag may be repeated.
pub(super) fn takes_list(key: &str) -> bool {
    let command = ConfigArgs::command();
    let argument = command.get_arguments().find(|argument| argument.get_long() == Some(key));
    argument.is_some_and(|argument| matches!(argument.get_action(), ArgAction::Append))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nanobench::options::file_keys;

    fn error(flags: &[&str]) -> String {
        let flags: Vec<String> = flags.iter().map(|&flag| flag.to_owned()).collect();
        parse_flags(&flags).unwrap_err()
    }

    #[test]
    fn every_key_is_a_flag() {
        let command = ConfigArgs::command();
        for key in file_keys() {
            assert!(command.get_arguments().any(|argument| argument.get_long() == Some(&key)), "{key}");
        }
    }

    #[test]
    fn keys_accept_the_values_of_their_flags() {
        assert_eq!(ValueKind::from_key("no-warnings"), ValueKind::Switch);
        assert_eq!(ValueKind::from_key("skip"), ValueKind::Text);
        assert_eq!(ValueKind::from_key("counters"), ValueKind::Text);
        assert_eq!(ValueKind::from_key("timeout"), ValueKind::TextOrNumber);
        assert_eq!(ValueKind::from_key("wipe-size"), ValueKind::TextOrNumber);
    }

    #[test]
    fn reasons_name_no_flags() {
        assert_eq!(
            error(&["--min-time=soon"]),
            "expected a duration: a number and a unit, like 90s, 500ms or 2m"
        );
        assert_eq!(error(&["--samples=0"]), "expected a whole number, 1 or more");
        assert_eq!(
            error(&["--format=xml"]),
            "expected one of: table, json, json-lines, csv, markdown, junit, bencher, bencher-metric, \
             github-action-benchmark, github-annotations, pyperf"
        );
        for [one, other] in [
            ["samples=1", "budget=1s"],
            ["samples=1", "precision=1"],
            ["samples=1", "min-time=1s"],
            ["samples=1", "max-time=1s"],
            ["iterations=1", "sample-time=1s"],
        ] {
            let error = error(&[&format!("--{other}"), &format!("--{one}")]);
            let key = |flag: &str| format!("`{}`", flag.split('=').next().unwrap());
            let names_both = error.contains(&key(one)) && error.contains(&key(other));
            assert!(names_both && error.ends_with(" exclude each other: remove one of them"), "{error}");
        }
    }
}
