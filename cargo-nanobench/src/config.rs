//! `.config/nanobench.toml` in the workspace's root: the options of a run that go without saying in this workspace.

use crate::cli::{InFile, KEYS, Takes, takes_several};
use crate::suggest;
use nanobench::report::escape;
use std::borrow::Cow;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Where it is, from the workspace's root.
const PLACE: &str = ".config/nanobench.toml";

/// Each value of these keys is a row of each benchmark. Without any there would be none.
const MAKES_ROWS: [&str; 2] = ["threads", "wipe-size"];

/// Why it can't be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    /// The line, from 1, and what is wrong there.
    #[error("{}:{line}: {}\ndocs/configuration.md of cargo-nanobench has all keys", path.display(), escape(what))]
    Wrong { path: PathBuf, line: usize, what: String },
    #[error("{}:{line}: there is no option `{}`\n{hint}", path.display(), escape(key))]
    Unknown { path: PathBuf, line: usize, key: String, hint: String },
}

/// Reads it. Without the file, nothing is asked for.
pub(crate) fn load(workspace_root: &Path) -> Result<InFile, Error> {
    let path = workspace_root.join(PLACE);
    match fs::read(&path) {
        Ok(bytes) => parse(text_of(&bytes, &path)?, &path),
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            parse("", &path)
        }
        Err(error) => Err(Error::Read { path, error }),
    }
}

fn text_of<'a>(bytes: &'a [u8], path: &Path) -> Result<&'a str, Error> {
    str::from_utf8(bytes).map_err(|error| {
        let before = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
        let what = "this is no UTF-8: save the file in that encoding".to_owned();
        Error::Wrong { path: path.to_owned(), line: line(&before, before.len()), what }
    })
}

fn parse(text: &str, path: &Path) -> Result<InFile, Error> {
    let wrong = |span: Option<Range<usize>>, what: String| {
        let line = line(text, span.map_or(0, |span| span.start));
        Error::Wrong { path: path.to_owned(), line, what }
    };
    let table = DeTable::parse(text).map_err(|error| wrong(error.span(), error.message().to_owned()))?;
    let mut all: Vec<String> = Vec::new();
    let mut file = InFile::read(&all).map_err(|reason| wrong(None, reason))?;
    for (key, value) in table.get_ref() {
        let name = key.get_ref().as_ref();
        if !KEYS.contains(&name) {
            let hint = match suggest::hint(name, KEYS) {
                hint if hint.starts_with("did you mean") => hint,
                _ => format!("these are the options: {}", KEYS.join(", ")),
            };
            let line = line(text, key.span().start);
            return Err(Error::Unknown { path: path.to_owned(), line, key: name.to_owned(), hint });
        }
        let refused = |(span, reason)| wrong(Some(span), format!("{name}: {reason}"));
        for (span, flag) in flags(name, value).map_err(refused)? {
            // Each by itself first, so that the error knows its line.
            InFile::read(std::slice::from_ref(&flag)).map_err(|reason| refused((span, reason)))?;
            all.push(flag);
        }
        // Then with those before it, some of which it may exclude.
        file = InFile::read(&all).map_err(|reason| wrong(Some(key.span()), reason))?;
    }
    Ok(file)
}

/// Something and where it stands.
type Placed<T> = (Range<usize>, T);

/// The flags that a key and its value stand for.
fn flags(name: &str, value: &Spanned<DeValue<'_>>) -> Result<Vec<Placed<String>>, Placed<String>> {
    let takes = Takes::of(name);
    let place = value.span();
    let given = |value: &Spanned<DeValue<'_>>| {
        let text = text(value.get_ref(), takes).map_err(|reason| (value.span(), reason))?;
        Ok((value.span(), format!("--{name}={text}")))
    };
    match value.get_ref() {
        // Without a value: what such a flag means, where it may stand alone.
        DeValue::Boolean(true) => {
            let flag = format!("--{name}");
            match InFile::read(std::slice::from_ref(&flag)) {
                Ok(_) => Ok(vec![(place, flag)]),
                Err(_) => Err((place, "it has a value, not `true`".to_owned())),
            }
        }
        DeValue::Boolean(false) if takes == Takes::Switch => Ok(Vec::new()),
        _ if takes == Takes::Switch => Err((place, "`true` or `false`, without quotes".to_owned())),
        DeValue::Array(_) if !takes_several(name) => Err((place, "one value, not a list".to_owned())),
        DeValue::Array(values) if values.is_empty() && MAKES_ROWS.contains(&name) => {
            Err((place, "there is nothing in this list: leave the key out".to_owned()))
        }
        DeValue::Array(values) => values.iter().map(given).collect(),
        DeValue::Table(pairs) if name == "context" => pairs.iter().map(pair).collect(),
        _ => Ok(vec![given(value)?]),
    }
}

/// The flag that a key and its value in the context stand for.
fn pair(
    (key, value): (&Spanned<Cow<'_, str>>, &Spanned<DeValue<'_>>),
) -> Result<Placed<String>, Placed<String>> {
    let (place, key) = (key.span(), key.get_ref());
    if key.contains('=') {
        return Err((place, format!("a key has no `=` in it: `{key}`")));
    }
    match text(value.get_ref(), Takes::Any) {
        Ok(text) => Ok((place, format!("--context={key}={text}"))),
        Err(reason) => Err((place, reason)),
    }
}

/// A value as it would be typed.
fn text(value: &DeValue<'_>, takes: Takes) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        _ if takes == Takes::Text => Err("a text, in quotes".to_owned()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(|number| number.to_string())
            .map_err(|error| error.to_string()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        DeValue::Boolean(value) => Ok(value.to_string()),
        DeValue::Datetime(_) | DeValue::Array(_) | DeValue::Table(_) => {
            Err(format!("it can't be of the type `{}`", value.type_str()))
        }
    }
}

/// The line, from 1, of a place in the text.
fn line(text: &str, offset: usize) -> usize {
    text.bytes().take(offset).filter(|&byte| byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<InFile, String> {
        parse(text, Path::new("nanobench.toml")).map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_those_of_the_flags() {
        let file = read(
            "iterations = 1_000\nmin-time = \"20ms\"\nprecision = 0.5\nskip = [\"a\", \"b\"]\nno-warnings = true\n\
             nocapture = false\ncounters = [\"cycles\"]\ntimeout = 90\n[context]\nmachine = \"idle\"\nrack = 7\n",
        )
        .unwrap();
        assert_eq!(file.sampling().iterations, Some(1_000));
        assert_eq!(file.sampling().min_time.unwrap().as_millis(), 20);
        assert_eq!(file.sampling().precision, Some(0.005));
        let args = file.complete(&InFile::read(&[]).unwrap().flags());
        assert_eq!(
            (args.select.skip.len(), args.output.no_warnings, args.process.nocapture),
            (2, true, false)
        );
        assert_eq!((args.conditions.counters.len(), args.process.timeout().as_secs()), (1, 90));
        assert_eq!(args.output.context.len(), 2);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |text| read(text).unwrap_err();
        assert_eq!(
            error("samples = 5\n\nsample_time = \"1ms\"\n"),
            "nanobench.toml:3: there is no option `sample_time`\ndid you mean `sample-time`?"
        );
        assert!(
            error("# nothing\nzzz = 1")
                .contains("2: there is no option `zzz`\nthese are the options: precision, ")
        );
        assert!(
            error("samples = 5\nmin-time = \"soon\"")
                .starts_with("nanobench.toml:2: min-time: a duration is")
        );
        assert!(
            error("\nsamples = {}").starts_with("nanobench.toml:2: samples: it can't be of"),
            "{}",
            error("\nsamples = {}")
        );
        assert!(error("no-warnings = 3").starts_with("nanobench.toml:1: no-warnings: "));
        assert!(error("samples = 5\n = 1").starts_with("nanobench.toml:2: "));
        let error = error("budget = \"1s\"\nsamples = 5\nwarmup = 2");
        assert!(error.starts_with("nanobench.toml:2: `") && error.contains("exclude each other"), "{error}");
    }

    #[test]
    fn a_value_of_another_kind_is_told_what_it_can_be() {
        for (config, says) in [
            ("samples = -1", "samples: a whole number from 1"),
            ("samples = true", "samples: it has a value, not `true`"),
            ("samples = false", "samples: a whole number from 1"),
            ("threshold = -1", "threshold: a percentage is a number, 0 or more"),
            ("resolution = 0", "resolution: nothing is ever known to have changed by less than 0"),
            ("warmup = 0.5", "warmup: a whole number, 0 or more"),
            ("no-warnings = \"true\"", "no-warnings: `true` or `false`, without quotes"),
            ("no-warnings = [true]", "no-warnings: `true` or `false`, without quotes"),
            ("tag = [\"slow\", 5]", "tag: a text, in quotes"),
            ("threads = [1, 0]", "threads: a number of threads is a whole one from 1 to 1024"),
            ("threads = []", "threads: there is nothing in this list: leave the key out"),
            ("wipe-size = []", "wipe-size: there is nothing in this list"),
            ("cache = \"clod\"", "cache: one of these: warm, cold, both"),
            ("cache = [\"warm\", \"cold\"]", "cache: one value, not a list"),
            ("wipe-size = \"32X\"", "wipe-size: a size is a number"),
            ("[context]\n\"a=b\" = \"c\"", "context: a key has no `=` in it: `a=b`"),
            ("[samples]\na = 1", "samples: it can't be of the type `table`"),
        ] {
            let error = read(config).unwrap_err();
            assert!(error.contains(says), "{config}: {error}");
        }
        assert!(
            read("[context]\na = 1\n\"b=\" = 2")
                .unwrap_err()
                .starts_with("nanobench.toml:3: context: a key has")
        );
        assert!(read("threads = [\n  1,\n  0,\n]").unwrap_err().starts_with("nanobench.toml:3: threads: "));
        assert!(read("skip = []\ntag = []").is_ok(), "to leave nothing out, and to ask for no tag");
        assert_eq!(read("threshold = 0").unwrap().threshold(), Some(0.0));
        assert!(read("counters = true").is_ok() && read("nocapture = false").is_ok());
    }

    #[test]
    fn another_encoding_is_an_error_with_its_line() {
        let error = text_of(b"samples = 5\n# gr\xfc\xdfe\n", Path::new("nanobench.toml")).unwrap_err();
        assert!(error.to_string().starts_with("nanobench.toml:2: this is no UTF-8"), "{error}");
    }

    #[test]
    fn without_the_file_nothing_is_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(load(folder.path()).unwrap().sampling().samples, None);
    }
}
