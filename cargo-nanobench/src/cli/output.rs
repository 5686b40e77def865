//! The flags about the formats of a report.

use super::words::words;
use crate::report::FileFormat;
use clap::Args;
use clap::builder::TypedValueParser;
use nanobench::report::escape;
use std::path::{Path, PathBuf};

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
    /// Write the report to PATH as well, like --output junit=report.xml; may be repeated.
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

impl FileArgs {
    /// Returns advice if a word was meant as the FILE of `--html`.
    pub(crate) fn html_advice(&self, word: &str) -> Option<String> {
        let extension = Path::new(word).extension().unwrap_or_default();
        let is_page = extension.eq_ignore_ascii_case("html") || extension.eq_ignore_ascii_case("htm");
        let is_meant = is_page && self.html == Some(None);
        is_meant
            .then(|| format!("`--html` takes its FILE after a `=`: did you mean `--html={}`?", escape(word)))
    }
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
    fn a_page_after_html_names_the_flag_with_it() {
        let flags = |html| FileArgs { html, ..FileArgs::default() };
        let advice = flags(Some(None)).html_advice("out/Page.HTML").unwrap();
        assert!(advice.ends_with("did you mean `--html=out/Page.HTML`?"), "{advice}");
        assert_eq!(flags(Some(None)).html_advice("sort"), None);
        assert_eq!(flags(None).html_advice("page.html"), None, "no flag");
        assert_eq!(flags(Some(Some("a.html".into()))).html_advice("page.html"), None, "it has its file");
    }

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
