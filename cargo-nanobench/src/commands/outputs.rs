//! The files that a report is written to, besides stdout.

use crate::cli::{FileArgs, Output, OutputFile};
use crate::new_file;
use crate::output;
use crate::report::{FileFormat, RenderError, Rendered, Report, github_annotations, markdown};
use crate::warnings::warn;
use nanobench::report::escape;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// The place of the page in the target directory.
const DEFAULT_PAGE: &str = "nanobench/report.html";
/// The file of a job's summary.
const STEP_SUMMARY: &str = "GITHUB_STEP_SUMMARY";
/// The folder of the repository in a job.
const GITHUB_WORKSPACE: &str = "GITHUB_WORKSPACE";

/// An output that can't be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write {}: {source}{hint}", path.display())]
pub(crate) struct OutputError {
    path: PathBuf,
    source: OutputErrorSource,
    hint: &'static str,
}

#[derive(Debug, thiserror::Error)]
enum OutputErrorSource {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error(transparent)]
    Render(#[from] RenderError),
}

/// Outputs that were found to be writable.
#[derive(Debug)]
pub(super) struct Outputs {
    files: Vec<(FileFormat, Destination)>,
    github: Option<GitHub>,
    /// The page of `--output html` without a path, which users have to be told.
    default_page: Option<PathBuf>,
}

/// The place of an output.
#[derive(Debug)]
enum Destination {
    /// A file that is replaced as a whole by the new one beside it.
    Replaced { path: PathBuf, new: NamedTempFile },
    /// A device or a pipe, which is written to as it is.
    Stream { path: PathBuf, file: File },
    /// A folder, whose other files stay.
    Folder { path: PathBuf },
}

/// A job of GitHub Actions.
#[derive(Debug)]
struct GitHub {
    summary: Option<(PathBuf, File)>,
}

impl Outputs {
    /// Opens the outputs, so that those that can't be written are noticed before anything runs.
    pub(super) fn prepare(args: &FileArgs, target_directory: &Path) -> Result<Outputs, OutputError> {
        let default_page = target_directory.join(DEFAULT_PAGE);
        let page = OutputFile { format: FileFormat::Html, path: default_page.clone() };
        let mut files: Vec<(FileFormat, Destination)> = Vec::new();
        for output in &args.output {
            let output = match output {
                Output::File(output) => output,
                Output::Page => &page,
                Output::GitHub => continue,
            };
            let destination = Destination::prepare(output)?;
            if files.iter().any(|(_, other)| destination.replaces(other)) {
                return Err(OutputError {
                    hint: "\nname another file for one of them",
                    ..OutputError::new(
                        &output.path,
                        io::Error::other("it is the file of another output, too"),
                    )
                });
            }
            files.push((output.format, destination));
        }
        let github = args.output.contains(&Output::GitHub).then(GitHub::prepare).transpose()?;
        let default_page = args.output.contains(&Output::Page).then_some(default_page);
        Ok(Outputs { files, github, default_page })
    }

    /// Writes the report to all outputs, unless the run was interrupted.
    pub(super) fn write(self, report: &Report) -> Result<(), OutputError> {
        if report.is_interrupted() {
            return Ok(());
        }
        for (format, destination) in self.files {
            let rendered = format.render(report).map_err(|error| destination.error(error.into()))?;
            destination.write(&rendered)?;
        }
        if let Some(page) = self.default_page {
            output::note(&format!("The page is {}", escape(&page.to_string_lossy())));
        }
        self.github.map_or(Ok(()), |github| github.write(report))
    }
}

impl Destination {
    fn prepare(output: &OutputFile) -> Result<Destination, OutputError> {
        // A link stays one: the file that it leads to is replaced.
        let path = fs::canonicalize(&output.path).unwrap_or_else(|_| output.path.clone());
        let error = |source: io::Error| OutputError::new(&output.path, source);
        if output.format.is_folder() {
            fs::create_dir_all(&path).map_err(error)?;
            TempDir::new_in(&path).map_err(error)?;
            return Ok(Destination::Folder { path });
        }
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => {
                return Err(OutputError {
                    hint: "\nname a file in it",
                    ..error(io::ErrorKind::IsADirectory.into())
                });
            }
            Ok(metadata) if !metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(&path).map_err(error)?;
                return Ok(Destination::Stream { path, file });
            }
            // A file that its owner protects is not replaced.
            Ok(_) => drop(OpenOptions::new().append(true).open(&path).map_err(error)?),
            Err(_) => {}
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        fs::create_dir_all(folder).map_err(error)?;
        let new = new_file::create_in(folder).map_err(error)?;
        Ok(Destination::Replaced { path, new })
    }

    fn write(self, rendered: &Rendered) -> Result<(), OutputError> {
        match (self, rendered) {
            (Destination::Replaced { path, new }, Rendered::Text(text)) => {
                replace(&path, new, text).map_err(|source| OutputError::new(&path, source))
            }
            (Destination::Stream { path, mut file }, Rendered::Text(text)) => {
                file.write_all(text.as_bytes()).map_err(|source| OutputError::new(&path, source))
            }
            (Destination::Folder { path: root }, Rendered::Folder(files)) => {
                files.iter().try_for_each(|(path, text)| {
                    let path = root.join(path);
                    let folder = path.parent().unwrap_or(&root);
                    let written = fs::create_dir_all(folder)
                        .and_then(|()| new_file::create_in(folder))
                        .and_then(|new| replace(&path, new, text));
                    written.map_err(|source| OutputError::new(&path, source))
                })
            }
            (Destination::Folder { .. }, Rendered::Text(_)) | (_, Rendered::Folder(_)) => {
                unreachable!("a format is a folder or a text")
            }
        }
    }

    /// Returns whether the new file would take the place of another output's.
    fn replaces(&self, other: &Destination) -> bool {
        matches!(self, Destination::Replaced { .. }) && self.path() == other.path()
    }

    fn path(&self) -> &Path {
        let (Destination::Replaced { path, .. }
        | Destination::Stream { path, .. }
        | Destination::Folder { path }) = self;
        path
    }

    fn error(&self, source: OutputErrorSource) -> OutputError {
        OutputError { path: self.path().to_owned(), source, hint: "" }
    }
}

impl GitHub {
    fn prepare() -> Result<GitHub, OutputError> {
        let Some(path) = std::env::var_os(STEP_SUMMARY).map(PathBuf::from) else {
            warn(format!("{STEP_SUMMARY} is not set, so there is no summary of the job (--output github)"));
            return Ok(GitHub { summary: None });
        };
        let file = OpenOptions::new().create(true).append(true).open(&path);
        let file = file.map_err(|source| OutputError::new(&path, source))?;
        Ok(GitHub { summary: Some((path, file)) })
    }

    fn write(self, report: &Report) -> Result<(), OutputError> {
        if let Some((path, mut file)) = self.summary {
            let written = file.write_all(markdown(report).as_bytes());
            written.map_err(|source| OutputError::new(&path, source))?;
        }
        let repository = std::env::var_os(GITHUB_WORKSPACE).map(PathBuf::from);
        let annotations = github_annotations(report, repository.as_deref());
        annotations.lines().for_each(output::runner_command);
        Ok(())
    }
}

impl OutputError {
    /// Adds a line for a run that was saved all the same.
    pub(super) fn after_saving(self, saved: bool) -> OutputError {
        OutputError { hint: saved_line(saved), ..self }
    }

    fn new(path: &Path, source: io::Error) -> OutputError {
        OutputError { path: path.to_owned(), source: source.into(), hint: "" }
    }
}

fn replace(path: &Path, mut new: NamedTempFile, text: &str) -> io::Result<()> {
    new.write_all(text.as_bytes())?;
    new.flush()?;
    new.persist(path).map(drop).map_err(|error| error.error)
}

/// Returns a line about a run that was saved although its report can't be written.
pub(super) fn saved_line(saved: bool) -> &'static str {
    if saved { "\nthe run itself was saved" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prepare(format: FileFormat, path: &Path) -> Result<Destination, OutputError> {
        Destination::prepare(&OutputFile { format, path: path.to_owned() })
    }

    #[test]
    fn a_file_stays_as_it_is_until_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/report.csv");
        let prepared = prepare(FileFormat::Csv, &path).unwrap();
        assert!(!path.exists());
        prepared.write(&Rendered::Text("a".to_owned())).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "a");
        drop(prepare(FileFormat::Csv, &path).unwrap());
        assert_eq!(fs::read_to_string(&path).unwrap(), "a");
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1, "nothing is left behind");
    }

    #[test]
    fn a_folder_keeps_its_other_files() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        let prepared = prepare(FileFormat::Criterion, folder.path()).unwrap();
        let file = (PathBuf::from("a/main/sample.json"), "{}".to_owned());
        prepared.write(&Rendered::Folder(vec![file])).unwrap();
        assert_eq!(fs::read_to_string(folder.path().join("a/main/sample.json")).unwrap(), "{}");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn places_that_cannot_be_written_are_errors() {
        let folder = tempfile::tempdir().unwrap();
        let error = prepare(FileFormat::Csv, folder.path()).unwrap_err().to_string();
        assert!(error.ends_with("name a file in it"), "{error}");
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(prepare(FileFormat::Csv, &file.join("below")).is_err());
        assert!(prepare(FileFormat::Criterion, &file).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn links_and_devices_stay() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("link"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        prepare(FileFormat::Csv, &link).unwrap().write(&Rendered::Text("a".to_owned())).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "a");
        let device = prepare(FileFormat::Csv, Path::new("/dev/null")).unwrap();
        assert!(matches!(device, Destination::Stream { .. }));
        device.write(&Rendered::Text("a".to_owned())).unwrap();
    }
}
