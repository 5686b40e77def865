//! criterion's command line, as the engine takes it: the arguments of the standard test harness.

use nanobench_engine::__private::remark;

/// Flags without effect that have a value.
const VALUES: [&str; 9] = [
    "--confidence-level",
    "--measurement-time",
    "--noise-threshold",
    "--nresamples",
    "--output-format",
    "--plotting-backend",
    "--sample-size",
    "--significance-level",
    "--warm-up-time",
];
/// Other flags without effect.
const PLAIN: [&str; 6] = ["--discard-baseline", "--noplot", "--quick", "--verbose", "-n", "-v"];

const HELP: &str = "This executable takes the arguments of criterion and of the standard test harness.
A FILTER is a part of the ids, or a regular expression without groups and classes.
Flags of criterion for times, samples and plots have no effect.
Baselines, comparisons and the rest: cargo nanobench --help";

/// Returns the arguments of the process. Ends it if they only ask for a text.
pub(crate) fn of_process() -> Result<Vec<String>, String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for argument in &arguments {
        match argument.as_str() {
            "--version" | "-V" => println!("nanobench-criterion {}", env!("CARGO_PKG_VERSION")),
            "--help" | "-h" => println!("{HELP}"),
            _ => continue,
        }
        std::process::exit(0);
    }
    for_harness(arguments)
}

/// Translates arguments.
fn for_harness(arguments: Vec<String>) -> Result<Vec<String>, String> {
    let is_test = arguments.iter().any(|argument| argument == "--test");
    let (mut translated, mut rest) = (Vec::new(), arguments.into_iter());
    while let Some(argument) = rest.next() {
        let (flag, attached) = split(&argument);
        let mut value =
            || attached.clone().or_else(|| rest.next()).ok_or_else(|| format!("`{flag}` needs a value"));
        match flag {
            // As in criterion: `cargo bench -- --test` tests.
            "--bench" if is_test => {}
            "-c" | "--color" => drop(value()?),
            "-s" | "--save-baseline" => return Err(instead(flag, &format!("--save-baseline {}", value()?))),
            "-b" | "--baseline" | "--baseline-lenient" => {
                return Err(instead(flag, &format!("--baseline {}", value()?)));
            }
            "--load-baseline" => {
                return Err(instead(flag, &format!("report {} --baseline OTHER", value()?)));
            }
            "--profile-time" => {
                value()?;
                remark("`--profile-time` has no effect: run `cargo nanobench profile`");
            }
            _ if VALUES.contains(&flag) => drop(value()?),
            _ if PLAIN.contains(&flag) => {}
            _ => translated.push(argument),
        }
    }
    Ok(translated)
}

/// Returns the flag and its value, if that is part of the argument.
fn split(argument: &str) -> (&str, Option<String>) {
    match argument.split_once('=') {
        Some((flag, value)) if flag.starts_with("--") => (flag, Some(value.to_owned())),
        _ if ["-b", "-c", "-s"].iter().any(|flag| argument.starts_with(flag)) => {
            let (flag, value) = argument.split_at(2);
            (flag, (!value.is_empty()).then(|| value.trim_start_matches('=').to_owned()))
        }
        _ => (argument, None),
    }
}

/// Returns the message about a flag that the tool has.
fn instead(flag: &str, arguments: &str) -> String {
    format!("`{flag}` needs the tool: run `cargo nanobench {arguments}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn translated(arguments: &str) -> Result<String, String> {
        let arguments = arguments.split_whitespace().map(str::to_owned).collect();
        for_harness(arguments).map(|arguments| arguments.join(" "))
    }

    #[test]
    fn flags_without_effect_are_left_out_with_their_values() {
        let flags =
            "--noplot --sample-size 10 -n --color=always -cnever --warm-up-time=1 -c never --bench name";
        assert_eq!(translated(flags), Ok("--bench name".to_owned()));
        assert_eq!(translated("--bench --test"), Ok("--test".to_owned()));
        assert_eq!(
            translated("--list --format terse --exact"),
            Ok("--list --format terse --exact".to_owned())
        );
    }

    #[test]
    fn flags_of_baselines_name_the_command() {
        for flag in ["--save-baseline old", "--save-baseline=old", "-s old", "-sold", "-s=old"] {
            let error = translated(flag).unwrap_err();
            assert!(error.ends_with("run `cargo nanobench --save-baseline old`"), "{error}");
        }
        let error = translated("--load-baseline new --baseline old").unwrap_err();
        assert!(error.ends_with("run `cargo nanobench report new --baseline OTHER`"), "{error}");
        assert_eq!(translated("--baseline").unwrap_err(), "`--baseline` needs a value");
    }
}
