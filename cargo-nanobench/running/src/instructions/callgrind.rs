//! Counts of valgrind's callgrind.

use super::Error;
use super::call::Executions;
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;

/// The start of the names of the files, to which callgrind appends `.1`, `.2` and so on.
const FILE: &str = "counts";

/// Returns whether valgrind can be started.
pub(super) fn is_installed() -> bool {
    let mut version = Command::new("valgrind");
    version.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    version.status().is_ok_and(|status| status.success())
}

/// Returns the command that runs an executable and writes the counts of each segment to `folder`.
pub(super) fn command(folder: &Path) -> Result<Vec<OsString>, Error> {
    if !is_installed() {
        return Err(Error::NoValgrind);
    }
    let mut file = OsString::from("--callgrind-out-file=");
    file.push(folder.join(FILE));
    let arguments = [
        "valgrind",
        "--quiet",
        "--tool=callgrind",
        "--cache-sim=no",
        "--collect-atstart=no",
        "--dump-instr=yes",
        "--dump-line=no",
        "--compress-strings=no",
        "--compress-pos=no",
        // Code that a benchmark generates or changes.
        "--smc-check=all-non-file",
    ];
    Ok(arguments.into_iter().map(OsString::from).chain([file]).collect())
}

/// Reads the counts of each segment since the last call, and deletes their files.
pub(super) fn segments(folder: &Path) -> Result<Vec<Executions>, Error> {
    let mut numbers: Vec<u64> = Vec::new();
    for file in fs::read_dir(folder).map_err(Error::File)? {
        let name = file.map_err(Error::File)?.file_name();
        let number: Option<u64> =
            name.to_str().and_then(|name| name.strip_prefix(FILE)?.strip_prefix('.')?.parse().ok());
        numbers.extend(number);
    }
    numbers.sort_unstable();
    let mut segments = Vec::new();
    for number in numbers {
        let path = folder.join(format!("{FILE}.{number}"));
        let text = fs::read_to_string(&path).map_err(Error::File)?;
        let executions = parse(&text)
            .ok_or_else(|| Error::File(io::Error::new(ErrorKind::InvalidData, "unknown format")))?;
        segments.push(executions);
        fs::remove_file(&path).map_err(Error::File)?;
    }
    Ok(segments)
}

/// Parses a file in callgrind's format, in which each line with a number is an instruction's
/// address and number of executions. The line after one with `calls=` has those of the callee.
fn parse(text: &str) -> Option<Executions> {
    let mut executions = Executions::new();
    let mut files: HashMap<&str, Arc<Path>> = HashMap::new();
    let mut file: Option<Arc<Path>> = None;
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(path) = line.strip_prefix("ob=") {
            file = Some(Arc::clone(files.entry(path).or_insert_with(|| Path::new(path).into())));
        } else if line.starts_with("calls=") {
            lines.next()?;
        } else if let Some(rest) = line.strip_prefix("0x") {
            let mut words = rest.split_ascii_whitespace();
            let address = u64::from_str_radix(words.next()?, 16).ok()?;
            let number: u64 = words.next().map_or(Some(0), |word| word.parse().ok())?;
            *executions.entry((file.clone()?, address)).or_insert(0) += number;
        }
    }
    Some(executions)
}
