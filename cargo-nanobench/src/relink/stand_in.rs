//! This program as GCC's `collect2`: it passes the command on, and keeps the inputs of executables
//! with benchmarks. Nothing that fails here fails the build.

use super::interception::{PROGRAM, SCRIPT, VARIABLE};
use super::link_command::Link;
use super::{link_inputs, linker};
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, ExitCode, Stdio};

/// Returns whether GCC started this process to link.
pub(crate) fn is_stand_in() -> bool {
    env::args_os().next().is_some_and(|name| Path::new(&name).file_name() == Some(OsStr::new(PROGRAM)))
}

/// Links as GCC asked for. The inputs are kept if those of the crate itself have a mark of
/// benchmarks.
pub(crate) fn link(has_benchmarks: fn(&[u8]) -> bool) -> ExitCode {
    let arguments: Vec<OsString> = env::args_os().skip(1).collect();
    let partial_link = PartialLink::start(&arguments, has_benchmarks);
    let status = Command::new(linker_of_gcc()).args(&arguments).status();
    match status {
        Ok(status) => {
            if let Some(link) = partial_link.filter(|_| status.success()) {
                link.keep();
            }
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            code.map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            eprintln!("collect2: failed to start the linker: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns GCC's own program, or else the linker that it would call.
fn linker_of_gcc() -> PathBuf {
    linker::find(PROGRAM, env::var_os(VARIABLE)).unwrap_or_else(|| "ld".into())
}

/// A partial link that runs beside the link.
struct PartialLink {
    link: Link,
    linker: PathBuf,
    object: PathBuf,
    process: Child,
}

impl PartialLink {
    /// Starts it, if the link makes an executable with benchmarks.
    fn start(arguments: &[OsString], has_benchmarks: fn(&[u8]) -> bool) -> Option<PartialLink> {
        let arguments: Option<Vec<String>> =
            arguments.iter().map(|argument| argument.to_str().map(str::to_owned)).collect();
        let link = Link::parse(&arguments?)?;
        let is_marked = |object: &Path| fs::read(object).is_ok_and(|bytes| has_benchmarks(&bytes));
        if !link.objects().any(is_marked) {
            return None;
        }
        let linker = linker::for_layouts(&link)?;
        let own = env::args_os().next()?;
        let folder = Path::new(&own).parent()?;
        let object = folder.join(format!("{}.o", process::id()));
        let process = Command::new(&linker)
            .args(["-r", "-T"])
            .arg(folder.join(SCRIPT))
            .args(&link.partial)
            .arg("-o")
            .arg(&object)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(PartialLink { link, linker, object, process })
    }

    /// Waits for its end, and keeps the result beside the executable.
    fn keep(mut self) {
        if self.process.wait().is_ok_and(|status| status.success()) {
            // Without it, there are no layouts.
            let _ = link_inputs::keep(&self.link.output, &self.linker, &self.link.rest, &self.object);
        }
        let _ = fs::remove_file(&self.object);
    }
}
