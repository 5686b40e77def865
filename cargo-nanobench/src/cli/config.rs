//! `.config/nanobench.toml` in the workspace's root: default options for the workspace.

use super::config_keys::{ValueKind, parse_flags, takes_list};
use super::foreign;
use super::{Output, RunArgs};
use crate::{regular_file, suggest};
use nanobench::options::file_keys;
use nanobench::report::escape;
use std::borrow::Cow;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The path from the workspace's root.
const CONFIG_PATH: &str = ".config/nanobench.toml";

/// The limit for the size of the file, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The keys whose values are one row each. With an empty list, no row would be left.
const ROW_KEYS: [&str; 2] = ["threads", "wipe-size"];

/// An unusable configuration file.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// An invalid line, counted from 1.
    #[error("{}:{line}: {}\nsee docs/reference/command-line.md of cargo-nanobench for all keys", path.display(), escape(problem))]
    Invalid { path: PathBuf, line: usize, problem: String },
    #[error("{}:{line}: unknown option `{}`\n{hint}", path.display(), escape(key))]
    UnknownKey { path: PathBuf, line: usize, key: String, hint: String },
}

/// Reads the file as the flags that match its keys. Without a file, there are none.
pub(crate) fn load(workspace_root: &Path) -> Result<RunArgs, Error> {
    let path = workspace_root.join(CONFIG_PATH);
    match regular_file::read(&path, MAX_BYTES + 1) {
        Ok(bytes) if bytes.len() as u64 > MAX_BYTES => {
            Err(Error::Read { path, error: io::Error::other("it is larger than 1 MiB") })
        }
        Ok(bytes) => {
            let mut args = parse(decode(&bytes, &path)?, &path)?;
            // The file is the same in all folders of the workspace.
            for output in &mut args.output.files.output {
                if let Output::File(file) = output {
                    file.path = workspace_root.join(&file.path);
                }
            }
            Ok(args)
        }
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            Ok(RunArgs::default())
        }
        Err(error) => Err(Error::Read { path, error }),
    }
}

fn decode<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str, Error> {
    str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let problem = "not valid UTF-8: save the file in that encoding".to_owned();
        Error::Invalid { path: path.to_owned(), line: line_of(&before, before.len()), problem }
    })
}

fn parse(text: &str, path: &Path) -> Result<RunArgs, Error> {
    let invalid = |span: Option<Range<usize>>, problem: String| {
        let line = line_of(text, span.map_or(0, |span| span.start));
        Error::Invalid { path: path.to_owned(), line, problem }
    };
    let table = DeTable::parse(text).map_err(|error| invalid(error.span(), error.message().to_owned()))?;
    let mut flags: Vec<String> = Vec::new();
    let mut args = parse_flags(&flags).map_err(|problem| invalid(None, problem))?;
    let keys = file_keys();
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        if !keys.iter().any(|key| key == name) {
            return Err(unknown_key(path, line_of(text, key.span().start), name, &keys));
        }
        let invalid_value = |(span, problem)| invalid(Some(span), format!("{name}: {problem}"));
        for (span, flag) in flags_of(name, value).map_err(invalid_value)? {
            // Parse each flag by itself first, so that an error names its line.
            parse_flags(std::slice::from_ref(&flag)).map_err(|problem| invalid_value((span, problem)))?;
            flags.push(flag);
        }
        // Then with the flags before it, some of which it may exclude.
        args = parse_flags(&flags).map_err(|problem| invalid(Some(key.span()), problem))?;
        if let Some(problem) = args.sampling.contradiction() {
            return Err(invalid(Some(key.span()), problem.to_owned()));
        }
    }
    Ok(args)
}

fn unknown_key(path: &Path, line: usize, key: &str, keys: &[String]) -> Error {
    let hint = foreign::renamed_key(key).unwrap_or_else(|| {
        match suggest::hint(key, keys.iter().map(String::as_str)) {
            hint if hint.starts_with("did you mean") => hint,
            _ => format!("the options are: {}", keys.join(", ")),
        }
    });
    Error::UnknownKey { path: path.to_owned(), line, key: key.to_owned(), hint }
}

/// A value and its place in the file.
type Placed<T> = (Range<usize>, T);

/// Returns the flags that match a key and its value.
fn flags_of(key: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Placed<String>>, Placed<String>> {
    let kind = ValueKind::from_key(key);
    let span = value.span();
    let flag = |value: &Spanned<DeValue<'_>>| {
        let text = text_of(value.get_ref(), kind).map_err(|problem| (value.span(), problem))?;
        Ok((value.span(), format!("--{key}={text}")))
    };
    match value.get_ref() {
        // `true` means the bare flag, for flags whose value is optional.
        DeValue::Boolean(true) => {
            let flag = format!("--{key}");
            match parse_flags(std::slice::from_ref(&flag)) {
                Ok(_) => Ok(vec![(span, flag)]),
                Err(_) => Err((span, "expected a value, not `true`".to_owned())),
            }
        }
        DeValue::Boolean(false) if kind == ValueKind::Switch => Ok(Vec::new()),
        _ if kind == ValueKind::Switch => {
            Err((span, "expected `true` or `false`, without quotes".to_owned()))
        }
        DeValue::Array(_) if !takes_list(key) => {
            Err((span, "expected a single value, not a list".to_owned()))
        }
        DeValue::Array(values) if values.is_empty() && ROW_KEYS.contains(&key) => {
            Err((span, "the list is empty: add a value, or remove the key".to_owned()))
        }
        DeValue::Array(values) => values.iter().map(flag).collect(),
        DeValue::Table(pairs) if key == "context" => pairs.iter().map(context_flag).collect(),
        _ => Ok(vec![flag(value)?]),
    }
}

/// Returns the flag that matches a key of the context and its value.
fn context_flag(
    (key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>),
) -> Result<Placed<String>, Placed<String>> {
    let (span, key) = (key.span(), key.get_ref());
    if key.contains('=') {
        return Err((span, format!("keys must not contain `=`: `{key}`")));
    }
    match text_of(value.get_ref(), ValueKind::TextOrNumber) {
        Ok(text) => Ok((span, format!("--context={key}={text}"))),
        Err(problem) => Err((span, problem)),
    }
}

/// Returns a value as it would be typed.
fn text_of(value: &DeValue<'_>, kind: ValueKind) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        _ if kind == ValueKind::Text => Err("expected a text, in quotes".to_owned()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(|number| number.to_string())
            .map_err(|error| error.to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Boolean(value) => Ok(value.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            Err(format!("expected a string or number, not a value of type `{}`", value.type_str()))
        }
    }
}

/// Returns the line, counted from 1, of an offset in the text.
fn line_of(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Pattern;
    use std::fs;

    fn read(text: &str) -> Result<RunArgs, String> {
        parse(text, Path::new("nanobench.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_those_of_the_flags() {
        let args = read(
            "iterations = 1_000\nmin-time = \"20ms\"\nprecision = 0.5\nskip = [\"a\", \"b\"]\nno-warnings = true\n\
             no-capture = false\ncounters = [\"cycles\"]\ntimeout = 90\n[context]\nmachine = \"idle\"\nrack = 7\n",
        )
        .unwrap();
        let sampling = args.sampling.options().options;
        assert_eq!((sampling.iterations, sampling.precision), (Some(1_000), Some(0.005)));
        assert_eq!(sampling.min_time, Some(20_000_000));
        assert_eq!(args.select.skip.iter().map(Pattern::text).collect::<Vec<_>>(), ["a", "b"]);
        assert!(args.output.no_warnings && !args.process.no_capture);
        assert_eq!(
            (&args.conditions.counters[..], args.output.context.len()),
            (&["cycles".to_owned()][..], 2)
        );
        assert_eq!(args.process.timeout.unwrap().as_secs(), 90);
    }

    #[test]
    fn errors_name_the_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(
            error("samples = 5\n\nsample_time = \"1ms\"\n"),
            "nanobench.toml:3: unknown option `sample_time`\ndid you mean `sample-time`?"
        );
        for (config, expected) in [
            ("# nothing\nzzz = 1", "nanobench.toml:2: unknown option `zzz`\nthe options are: cache, "),
            ("samples = 5\nmin-time = \"soon\"", "nanobench.toml:2: min-time: expected a duration"),
            ("\nsamples = {}", "nanobench.toml:2: samples: expected a string or number"),
            ("no-warnings = 3", "nanobench.toml:1: no-warnings: "),
            ("samples = 5\n = 1", "nanobench.toml:2: "),
            ("[context]\na = 1\n\"b=\" = 2", "nanobench.toml:3: context: keys must not"),
            ("threads = [\n  1,\n  -1,\n]", "nanobench.toml:3: threads: "),
        ] {
            let error = error(config);
            assert!(error.starts_with(expected), "{config}: {error}");
        }
        let contradiction = error("max-time = \"10ms\"\nmin-time = \"2s\"");
        assert!(contradiction.starts_with("nanobench.toml:2: `max-time` is shorter"), "{contradiction}");
        let error = error("budget = \"1s\"\nsamples = 5\nwarmup = 2");
        assert!(error.starts_with("nanobench.toml:2: `") && error.contains("exclude each other"), "{error}");
    }

    #[test]
    fn errors_name_the_expected_value() {
        for (config, expected) in [
            ("samples = -1", "samples: expected a whole number, 1 or more"),
            ("samples = true", "samples: expected a value, not `true`"),
            ("samples = false", "samples: expected a whole number, 1 or more"),
            ("threshold = -1", "threshold: expected a percentage, 0 or more"),
            ("same-within = 0", "same-within: expected a percentage above 0"),
            ("warmup = 0.5", "warmup: expected a whole number, 0 or more"),
            ("no-warnings = \"true\"", "no-warnings: expected `true` or `false`, without quotes"),
            ("no-warnings = [true]", "no-warnings: expected `true` or `false`, without quotes"),
            ("skip = [\"slow\", 5]", "skip: expected a text, in quotes"),
            (
                "threads = [1, 1025]",
                "threads: expected a whole number of threads, 0 for all cores, up to 1024",
            ),
            ("threads = []", "threads: the list is empty: add a value, or remove the key"),
            ("wipe-size = []", "wipe-size: the list is empty"),
            ("cache = \"clod\"", "cache: expected one of: warm, cold, both"),
            ("cache = [\"warm\", \"cold\"]", "cache: expected a single value, not a list"),
            ("wipe-size = \"32X\"", "wipe-size: expected a size"),
            ("[context]\n\"a=b\" = \"c\"", "context: keys must not contain `=`: `a=b`"),
            ("[samples]\na = 1", "samples: expected a string or number, not a value of type `table`"),
        ] {
            let error = read(config).unwrap_err();
            assert!(error.contains(expected), "{config}: {error}");
        }
    }

    #[test]
    fn empty_lists_of_filters_and_switches_are_allowed() {
        assert!(read("skip = []\ncounters = []").is_ok());
        assert_eq!(read("threshold = 0").unwrap().compare.threshold, Some(0.0));
        assert!(read("counters = true").is_ok() && read("no-capture = false").is_ok());
    }

    #[test]
    fn another_encoding_is_an_error_with_its_line() {
        let error = decode(b"samples = 5\n# gr\xfc\xdfe\n", Path::new("nanobench.toml")).unwrap_err();
        assert!(error.to_string().starts_with("nanobench.toml:2: not valid UTF-8"), "{error}");
    }

    #[test]
    fn outputs_are_relative_to_the_workspace() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".config")).unwrap();
        let text = "output = [\"csv=target/all.csv\", \"junit=report.xml\"]\nformat = \"markdown\"\n";
        fs::write(folder.path().join(CONFIG_PATH), text).unwrap();
        let files = load(folder.path()).unwrap().output.files.output;
        let paths = ["target/all.csv", "report.xml"].map(|path| folder.path().join(path));
        let path = |output: &Output| match output {
            Output::File(file) => Some(file.path.clone()),
            Output::Page | Output::GitHub => None,
        };
        assert_eq!(files.iter().filter_map(path).collect::<Vec<_>>(), paths);
        let error = read("output = [\"csv=a\", \"xml=b\"]").unwrap_err();
        assert!(error.starts_with("nanobench.toml:1: output: unknown format `xml`"), "{error}");
    }

    #[test]
    #[cfg(unix)]
    fn endless_and_huge_files_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(CONFIG_PATH);
        fs::create_dir(file.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &file).unwrap();
        let error = load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("it is not a regular file"), "{error}");
        fs::remove_file(&file).unwrap();
        fs::write(&file, vec![b'#'; (1 << 20) + 1]).unwrap();
        let error = load(folder.path()).unwrap_err().to_string();
        assert!(error.contains("it is larger than 1 MiB"), "{error}");
    }

    #[test]
    fn without_a_file_no_option_is_set() {
        let folder = tempfile::tempdir().unwrap();
        let args = load(folder.path()).unwrap();
        assert_eq!(format!("{args:?}"), format!("{:?}", read("").unwrap()), "as of an empty file");
    }
}
