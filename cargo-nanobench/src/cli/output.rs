//! The flags about the formats of a report.

use super::words::words;
use crate::report::FileFormat;
use clap::Args;
use clap::builder::TypedValueParser;
use std::path::PathBuf;

/// The form of the report on stdout.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ReportFormat {
    /// For people.
    #[default]
    Table,
    /// For programs.
    File(FileFormat),
}

/// A further report: FORMAT=PATH.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputFile {
    pub(crate) format: FileFormat,
    pub(crate) path: PathBuf,
}

/// Reports besides the one on stdout.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FileArgs {
    /// Write the report to PATH as well, like --output junit=report.xml. May be repeated.
    ///
    /// FORMAT is one of those of --format but `table`, or `criterion`: a folder with Criterion's
    /// layout. The file is replaced at the end of the run, unless the run is interrupted.
    #[arg(long, value_name = "FORMAT=PATH", value_parser = parse_output)]
    pub(crate) output: Vec<OutputFile>,
    /// Write the report to FILE as a page for browsers [default: target/nanobench/report.html].
    ///
    /// The page is one file, which needs nothing else. The same as --output html=FILE.
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    #[expect(clippy::option_option, reason = "a flag with an optional value")]
    pub(crate) html: Option<Option<PathBuf>>,
    /// Add a summary and annotations to a job of GitHub Actions.
    ///
    /// The summary is the Markdown report, and is added to the file that GITHUB_STEP_SUMMARY names.
    /// The annotations are printed to stderr.
    #[arg(long)]
    pub(crate) github: bool,
}

/// Returns the parser of `--format`.
pub(super) fn report_format() -> impl TypedValueParser<Value = ReportFormat> {
    let files = FileFormat::ALL.into_iter().filter(|(_, format, _)| !format.is_folder());
    let files = files.map(|(word, format, help)| (word, ReportFormat::File(format), help));
    let table = ("table", ReportFormat::Table, "A table for people, as results arrive");
    words(&[table].into_iter().chain(files).collect::<Vec<_>>())
}

fn parse_output(text: &str) -> Result<OutputFile, String> {
    let (word, path) = text
        .split_once('=')
        .filter(|(_, path)| !path.is_empty())
        .ok_or_else(|| "expected FORMAT=PATH, like junit=report.xml".to_owned())?;
    let format = FileFormat::ALL.into_iter().find(|(known, ..)| *known == word);
    let (_, format, _) = format.ok_or_else(|| {
        let words = FileFormat::ALL.map(|(word, ..)| word);
        format!("unknown format `{word}`; the formats are: {}", words.join(", "))
    })?;
    Ok(OutputFile { format, path: path.into() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_a_format_and_a_path() {
        let output = parse_output("csv=a=b.csv").unwrap();
        assert_eq!(output, OutputFile { format: FileFormat::Csv, path: "a=b.csv".into() });
        assert_eq!(parse_output("criterion=x").unwrap().format, FileFormat::Criterion);
        for text in ["csv", "csv=", "=a", "table=a", ""] {
            assert!(parse_output(text).is_err(), "{text}");
        }
        assert!(parse_output("xml=a").unwrap_err().contains("json, json-lines, csv"));
    }
}
