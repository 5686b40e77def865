//! The answer of `cargo metadata`. It is kept for the next run, because cargo takes as long for it
//! as for half of the check that a build is up to date.

mod inputs;
mod kept;
#[cfg(test)]
mod tests;

use super::options::CommonOptions;
use super::{Error, command};
use cargo_metadata::{Metadata, MetadataCommand};
use inputs::Request;
use std::path::Path;
use std::process::Command;
use std::time::SystemTime;

/// Returns what cargo says about the workspace of `--manifest-path` or of the current directory.
pub(super) fn query(common: &CommonOptions, target_dir: Option<&Path>) -> Result<Metadata, Error> {
    let mut command = Command::new(command::program());
    // The build would repeat cargo's warnings.
    command.args(["metadata", "--format-version=1", "--no-deps", "--quiet"]);
    command::configure(&mut command, common);
    let request = Request::new(&command, common);
    let places = match &request {
        Some(request) => kept::places(request, common, target_dir),
        None => Vec::new(),
    };
    let read = |request| places.iter().find_map(|place| place.read(request));
    if let Some(metadata) = request.as_ref().and_then(read) {
        return Ok(metadata);
    }
    let start = SystemTime::now();
    let text = command::stdout(command)?;
    let metadata = MetadataCommand::parse(&text).map_err(Error::Metadata)?;
    let target_directory = target_dir.unwrap_or(metadata.target_directory.as_std_path());
    if let (Some(request), Some(place)) = (request, kept::place_in(target_directory, &places)) {
        place.write(&request, &text, &metadata, start);
    }
    Ok(metadata)
}
