//! The environment of a run: machine, compiler, build options and commit. Each part is found on its
//! own. A part that can't be found is left out; nothing here fails or waits for long.

pub mod bounded;
pub mod check;
mod command;
mod data_files;
mod difference;
pub mod load;
pub mod machine;
pub mod quiet;

pub use data_files::{ChangedFile, DataFiles, MAX_READ_BYTES};
pub use difference::Difference;

use crate::git::REPOSITORY_VARIABLES;
use crate::warnings::warn;
use command::output;
use nanobench::model::KeyValue;
use serde::{Deserialize, Serialize};
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// The properties besides the code that figures may depend on. It contains no host or user name.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Environment {
    /// The processor's model: `AMD EPYC 7B13`.
    pub cpu: Option<String>,
    /// The number of logical processors that the run may use.
    pub cores: Option<usize>,
    /// Name and version: `Debian GNU/Linux 12`.
    pub os: Option<String>,
    /// The version of the kernel: `6.1.0-18-amd64`. Older stored runs lack it.
    pub kernel: Option<String>,
    /// The version of the C library: `glibc 2.36`. `None` for others. Older stored runs lack it.
    pub c_library: Option<String>,
    /// The architecture of the machine: `x86_64`.
    pub arch: Option<String>,
    pub rustc: Option<Rustc>,
    /// The target triple: that of `--target`, otherwise the host of the compiler.
    pub target: Option<String>,
    /// Cargo's profile: `bench`.
    pub profile: Option<String>,
    /// The settings of the profile in the manifest and the configuration: `lto=fat`. Older stored
    /// runs lack them.
    pub profile_settings: Option<Vec<String>>,
    /// The requested features: names, `--all-features`, `--no-default-features`.
    pub features: Vec<String>,
    /// The flags in the environment (`CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`) or in cargo's
    /// configuration.
    pub rustflags: Vec<String>,
    pub commit: Option<Checkout>,
    /// `None` if they are unknown. Older stored runs lack them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data_files: Option<DataFiles>,
    /// The version of cargo-nanobench.
    pub cargo_nanobench: Option<String>,
    /// The version of nanobench-core that the benchmarks were built with.
    pub nanobench_core: Option<String>,
    /// `--context`, in order.
    pub context: Vec<KeyValue>,
}

/// A compiler, as described by `rustc -vV`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rustc {
    /// The first line of the description: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub version: String,
    /// The target triple that the compiler runs on.
    pub host: Option<String>,
    /// The full hash of the commit that the compiler was built from.
    pub commit: Option<String>,
}

/// Returns the version of the C library that this process has loaded, as benchmarks do.
fn c_library() -> Option<String> {
    const VERSION: &[u8] = b"stable release version ";
    let maps = fs::read_to_string("/proc/self/maps").ok()?;
    let path = maps.lines().filter_map(|line| line.split_whitespace().nth(5)).find(|path| {
        path.rsplit('/').next().is_some_and(|name| name.starts_with("libc.so") || name.starts_with("libc-"))
    });
    let bytes = fs::read(path?).ok()?;
    let version = &bytes[memchr::memmem::find(&bytes, VERSION)? + VERSION.len()..];
    let is_version = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let version: Vec<u8> = version.iter().copied().take_while(is_version).collect();
    Some(format!("glibc {}", String::from_utf8_lossy(&version).trim_end_matches('.')))
}

/// The commit that is checked out in the workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkout {
    /// The full hash.
    pub hash: String,
    /// `None` if no branch is checked out.
    pub branch: Option<String>,
    /// True if tracked files differ from the commit.
    pub dirty: bool,
}

impl Environment {
    /// Returns the properties of this machine only.
    pub fn this_machine() -> Self {
        Environment {
            cpu: cpu(),
            cores: thread::available_parallelism().ok().map(usize::from),
            os: os(),
            kernel: System::kernel_version(),
            c_library: c_library(),
            arch: Some(System::cpu_arch()).filter(|arch| !arch.is_empty()),
            ..Environment::default()
        }
    }

    /// Queries the machine, and git in the workspace. `compiler`: the compiler's description of
    /// itself (`rustc -vV`). The target is the host. Warns if git fails.
    pub fn probe(workspace_root: &Path, compiler: Option<&str>) -> Self {
        let rustc = compiler.and_then(Rustc::parse);
        let commit = Checkout::query(workspace_root).unwrap_or_else(|error| {
            warn(format_args!(
                "`git status` failed: the run is saved without its commit\ngit reports: {error}"
            ));
            None
        });
        Environment {
            target: rustc.as_ref().and_then(|rustc| rustc.host.clone()),
            rustc,
            commit,
            cargo_nanobench: Some(env!("CARGO_PKG_VERSION").to_owned()),
            ..Environment::this_machine()
        }
    }
}

impl Rustc {
    /// Parses the output of `rustc -vV`.
    pub fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name))?.trim();
            (!value.is_empty() && value != "unknown").then(|| value.to_owned())
        };
        let version = text.lines().next().filter(|line| line.starts_with("rustc "))?.trim().to_owned();
        Some(Rustc { version, host: field("host:"), commit: field("commit-hash:") })
    }
}

impl Checkout {
    /// Queries git. Fails if git does in a repository, which may belong to another user. `None` without
    /// git, a repository or a commit.
    fn query(folder: &Path) -> Result<Option<Self>, command::Error> {
        // Locks could interfere with other git commands.
        let arguments =
            ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=no"];
        let mut git = Command::new("git");
        git.env("LC_ALL", "C");
        for variable in REPOSITORY_VARIABLES {
            git.env_remove(variable);
        }
        let status = match output(git.args(arguments).args(["--no-renames", "-z"]).current_dir(folder)) {
            Ok(status) => status,
            Err(command::Error::NotStarted) => return Ok(None),
            // Git ignores some folders with this name.
            Err(command::Error::Failed(text)) if text.contains("not a git repository (or any") => {
                return Ok(None);
            }
            Err(_) if !folder.ancestors().any(|folder| folder.join(".git").exists()) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Self::parse(&status))
    }

    /// Parses the items of a status.
    fn parse(status: &str) -> Option<Self> {
        let (headers, files): (Vec<&str>, Vec<&str>) =
            status.split_terminator('\0').partition(|item| item.starts_with('#'));
        let header = |name: &str| headers.iter().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let hash = header("# branch.oid").filter(|&hash| hash != "(initial)")?.to_owned();
        let branch = header("# branch.head").filter(|&branch| branch != "(detached)").map(str::to_owned);
        Some(Checkout { hash, branch, dirty: !files.is_empty() })
    }
}

fn cpu() -> Option<String> {
    let system = System::new_with_specifics(RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing()));
    let brand = system.cpus().first()?.brand().trim();
    (!brand.is_empty()).then(|| brand.to_owned())
}

fn os() -> Option<String> {
    let name = System::name()?;
    Some(match System::os_version() {
        Some(version) => format!("{name} {version}"),
        None => name,
    })
}

#[cfg(test)]
mod tests;
