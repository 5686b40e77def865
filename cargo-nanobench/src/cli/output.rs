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

/// A further report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Output {
    File(OutputFile),
    /// The page, at its place in the target directory.
    Page,
    /// The summary and the annotations of a job.
    GitHub,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OutputFile {
    pub(crate) format: FileFormat,
    pub(crate) path: PathBuf,
}

/// Reports besides the one on stdout.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct FileArgs {
    /// Write the report to PATH as well, like --output junit=report.xml; may be repeated.
    ///
    /// FORMAT is one of those of --format but `table`; `html`, a page for browsers that needs no other
    /// file [default: target/nanobench/report.html]; `criterion`, a folder with Criterion's layout; or
    /// `github`, without a PATH: a summary of the job in GitHub Actions, and annotations on stderr.
    /// The file is replaced at the end of the run, unless the run is interrupted.
    #[arg(long, value_name = "FORMAT=PATH", value_parser = parse_output)]
    pub(crate) output: Vec<Output>,
}

/// Returns the parser of `--format`.
pub(super) fn report_format() -> impl TypedValueParser<Value = ReportFormat> {
    let files = FileFormat::ALL
        .into_iter()
        .filter(|(_, format, _)| !format.is_folder() && *format != FileFormat::Html);
    let files = files.map(|(word, format, help)| (word, ReportFormat::File(format), help));
    let table = ("table", ReportFormat::Table, "A table for people, as results arrive");
    words(&[table].into_iter().chain(files).collect::<Vec<_>>())
}

fn parse_output(text: &str) -> Result<Output, String> {
    match text {
        "html" => return Ok(Output::Page),
        "github" => return Ok(Output::GitHub),
        _ => {}
    }
    let (word, path) = text
        .split_once('=')
        .filter(|(_, path)| !path.is_empty())
        .ok_or_else(|| "expected FORMAT=PATH, like junit=report.xml".to_owned())?;
    let format = FileFormat::ALL.into_iter().find(|(known, ..)| *known == word);
    let (_, format, _) = format.ok_or_else(|| {
        let words = FileFormat::ALL.map(|(word, ..)| word);
        format!("unknown format `{word}`; the formats are: {}, github", words.join(", "))
    })?;
    Ok(Output::File(OutputFile { format, path: path.into() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_output_is_a_format_and_a_path() {
        let file = |format, path: &str| Ok(Output::File(OutputFile { format, path: path.into() }));
        assert_eq!(parse_output("csv=a=b.csv"), file(FileFormat::Csv, "a=b.csv"));
        assert_eq!(parse_output("criterion=x"), file(FileFormat::Criterion, "x"));
        assert_eq!(parse_output("html=x"), file(FileFormat::Html, "x"));
        assert_eq!((parse_output("html"), parse_output("github")), (Ok(Output::Page), Ok(Output::GitHub)));
        for text in ["csv", "csv=", "=a", "table=a", ""] {
            assert!(parse_output(text).is_err(), "{text}");
        }
        assert!(parse_output("xml=a").unwrap_err().contains("json, json-lines, csv"));
    }
}
