//! The inputs of a link, kept in a file beside the executable that it made.
//!
//! The file is a line of JSON with the command and facts about the data, and the object that the
//! partial link made. It also has a hash of the executable: another command may link that again.

use super::LayoutError;
use super::filler;
use super::link_command::RemainingLink;
use super::linked_data::LinkedData;
use crate::fingerprint::Fingerprint;
use crate::new_file;
use crate::regular_file;
use crate::scratch::ScratchFolder;
use object::{Architecture, Object as _};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::cell::LazyCell;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The end of the name of a file, behind the name of the executable.
const SUFFIX: &str = ".link";
/// The number of the file's format.
const FORMAT: u32 = 3;
/// The limit for the length of its first line, in bytes.
const MAX_HEADER: u64 = 16 << 20;
/// The limit for a linker's message, in bytes.
const MAX_MESSAGE: usize = 2_000;

/// The facts about a link that precede the object in the file.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Header {
    format: u32,
    /// The executable that the link made.
    executable: Fingerprint,
    linker: PathBuf,
    command: RemainingLink,
    /// Empty if the linker wrote no map.
    #[serde(default)]
    data: LinkedData,
}

/// The fields of a [`Header`] that tell if it belongs to an executable. Reading only these takes a
/// fraction of the time.
#[derive(Debug, Deserialize)]
struct Identity {
    format: u32,
    executable: Fingerprint,
}

impl Header {
    fn is_of(&self, executable: &Fingerprint) -> bool {
        is_of(self.format, &self.executable, executable)
    }
}

fn is_of(format: u32, linked: &Fingerprint, executable: &Fingerprint) -> bool {
    format == FORMAT && linked == executable
}

/// The facts about the data of an executable, which are read when they are first needed.
pub type LazyLinkedData = LazyCell<LinkedData, Box<dyn FnOnce() -> LinkedData + Send>>;

/// The inputs of the link that made an executable, ready to be linked in another order.
#[derive(Debug)]
pub(super) struct LinkInputs {
    /// The linker of the build. That of an imported executable may be any program.
    pub(super) linker: PathBuf,
    command: RemainingLink,
    pub(super) architecture: Architecture,
    /// Holds the object.
    folder: ScratchFolder,
}

/// Returns the file with the link inputs of an executable, which exists if any were kept.
pub fn file_of(executable: &Path) -> PathBuf {
    let mut name = executable.file_name().unwrap_or_default().to_owned();
    name.push(SUFFIX);
    executable.with_file_name(name)
}

/// Returns the file with the link inputs of the executable that has this fingerprint. `None` if
/// there is none, or if it belongs to an executable that was linked at another time.
pub fn kept_file(executable: &Path, fingerprint: &Fingerprint) -> Option<PathBuf> {
    let path = file_of(executable);
    let mut file = BufReader::new(regular_file::open(&path).ok()?);
    let Identity { format, executable } = read_header(&mut file).ok()??;
    is_of(format, &executable, fingerprint).then_some(path)
}

/// Returns the facts about the data of an executable that were kept of its link. `fingerprint`: that
/// of the executable.
pub fn linked_data_of(executable: &Path, fingerprint: Fingerprint) -> LazyLinkedData {
    let path = file_of(executable);
    let read = move || {
        let header: Header = read_header(&mut BufReader::new(regular_file::open(&path).ok()?)).ok()??;
        header.is_of(&fingerprint).then_some(header.data)
    };
    LazyCell::new(Box::new(move || read().unwrap_or_default()))
}

/// Keeps the facts that a linker's map and the inputs tell, without link inputs.
#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub fn keep_linked_data(executable: &Path, map: &str) {
    let nothing = tempfile::NamedTempFile::new().unwrap();
    let linker = Path::new("ld.lld");
    let data = LinkedData::read(map, executable).unwrap();
    keep(executable, linker, &RemainingLink::default(), data, nothing.path()).unwrap();
}

/// Reads the first line of a file, or some of its fields. `None` if it is damaged.
fn read_header<T: DeserializeOwned>(file: &mut impl BufRead) -> io::Result<Option<T>> {
    let mut header = Vec::new();
    file.take(MAX_HEADER).read_until(b'\n', &mut header)?;
    Ok(serde_json::from_slice(&header).ok())
}

/// Writes the file of an executable. It appears complete.
pub(super) fn keep(
    executable: &Path,
    linker: &Path,
    command: &RemainingLink,
    data: LinkedData,
    object: &Path,
) -> io::Result<()> {
    let place = file_of(executable);
    let header = Header {
        format: FORMAT,
        executable: Fingerprint::from_file(executable)?,
        linker: linker.to_owned(),
        command: command.clone(),
        data,
    };
    let mut file = new_file::create_in(place.parent().unwrap_or(Path::new(".")))?;
    file.write_all(&[serde_json::to_vec(&header)?, b"\n".to_vec()].concat())?;
    io::copy(&mut File::open(object)?, &mut file)?;
    file.persist(place)?;
    Ok(())
}

/// Parses a file with the link inputs of the executable that has this fingerprint. Returns its first
/// line and the object.
pub(super) fn parse(
    path: &Path,
    mut file: impl BufRead,
    executable: &Fingerprint,
) -> Result<(Header, Vec<u8>), LayoutError> {
    let read_error = |source| LayoutError::Read { path: path.to_owned(), source };
    let damaged = || LayoutError::Damaged { path: path.to_owned() };
    let header: Header = read_header(&mut file).map_err(read_error)?.ok_or_else(damaged)?;
    if !header.is_of(executable) {
        return Err(LayoutError::LinkedAgain);
    }
    if !header.command.is_supported() {
        return Err(LayoutError::Options);
    }
    let mut object = Vec::new();
    file.read_to_end(&mut object).map_err(read_error)?;
    Ok((header, object))
}

impl LinkInputs {
    /// Reads the link inputs that were kept of an executable, which must be one that may run.
    pub(super) fn of(executable: &Path) -> Result<LinkInputs, LayoutError> {
        let path = file_of(executable);
        let read_error = |source| LayoutError::Read { path: path.clone(), source };
        let file = match regular_file::open(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(LayoutError::NothingKept),
            file => BufReader::new(file.map_err(read_error)?),
        };
        let fingerprint = Fingerprint::from_file(executable).map_err(read_error)?;
        let (Header { linker, command, .. }, object) = parse(&path, file, &fingerprint)?;
        let file = object::File::parse(&*object).map_err(|_| LayoutError::Damaged { path })?;
        let architecture = file.architecture();
        let folder = ScratchFolder::create_in(&std::env::temp_dir())?;
        let inputs = LinkInputs { linker, command, architecture, folder };
        fs::write(inputs.object(), object)?;
        Ok(inputs)
    }

    /// Starts to link the executable with its functions in this order, and to write it to `to`.
    /// Others come last.
    pub(super) fn start_link(
        &self,
        linker: &Path,
        order: &[&str],
        filler: &[u8],
        to: &Path,
    ) -> Result<RunningLink, LayoutError> {
        let object = self.object();
        let [order_file, filler_object] = ["order", "o"].map(|extension| to.with_extension(extension));
        fs::write(&order_file, filler::order_file(order))?;
        fs::write(&filler_object, filler)?;
        let child = Command::new(linker)
            .arg(&filler_object)
            .args(self.command.arguments(&object.to_string_lossy()))
            .args(["--no-warn-symbol-ordering", "-z", "separate-loadable-segments"])
            // Several links run at the same time, and nobody reads the hash.
            .args(["--threads=1", "--build-id=none"])
            .arg("--symbol-ordering-file")
            .arg(&order_file)
            .arg("-o")
            .arg(to)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| LayoutError::Start { linker: linker.to_owned(), source })?;
        Ok(RunningLink(child))
    }

    /// Returns the path of the layout that is compared with the executable.
    pub(super) fn first_layout(&self) -> PathBuf {
        self.folder.path().join("layout")
    }

    /// Returns the object that holds everything but the C library.
    pub(super) fn object(&self) -> PathBuf {
        self.folder.path().join("object.o")
    }
}

/// A linker at work. Dropping this value stops it.
#[derive(Debug)]
pub(super) struct RunningLink(Child);

impl RunningLink {
    /// Returns the linker's process id.
    pub(super) fn process(&self) -> u32 {
        self.0.id()
    }

    /// Returns whether the executable is not linked yet.
    pub(super) fn is_running(&mut self) -> bool {
        matches!(self.0.try_wait(), Ok(None))
    }

    /// Waits until the executable is linked.
    pub(super) fn finish(mut self) -> Result<(), LayoutError> {
        let mut message = Vec::new();
        if let Some(stderr) = &mut self.0.stderr {
            stderr.read_to_end(&mut message)?;
        }
        if self.0.wait()?.success() {
            return Ok(());
        }
        let message = String::from_utf8_lossy(&message);
        let message = message.trim().chars().take(MAX_MESSAGE).collect();
        Err(LayoutError::Linker { message })
    }
}

impl Drop for RunningLink {
    fn drop(&mut self) {
        // It has ended already, unless its layout is no longer needed.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
