//! What a run was measured on and with. Every part is asked for on its own, and one that can't be told is left
//! out: nothing here fails, and nothing waits for long.

mod command;
mod context;
mod difference;
pub(crate) mod finding;
pub(crate) mod load;
pub(crate) mod machine;
pub(crate) mod quiet;

pub(crate) use difference::Difference;

use command::output;
use nanobench::model::KeyValue;
use serde::{Deserialize, Serialize};
use std::env;
use std::path::Path;
use std::process::Command;
use std::thread;
use sysinfo::{CpuRefreshKind, RefreshKind, System};

/// What a figure may depend on besides the code. No host or user name is in it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Environment {
    /// The processor's model: `AMD EPYC 7B13`.
    pub(crate) cpu: Option<String>,
    /// How many logical processors the run may use.
    pub(crate) cores: Option<usize>,
    /// Name and version: `Debian GNU/Linux 12`.
    pub(crate) os: Option<String>,
    /// Of the machine: `x86_64`.
    pub(crate) arch: Option<String>,
    /// The compiler.
    pub(crate) rustc: Option<Rustc>,
    /// The target triple: the one that was asked for, else the compiler's host.
    pub(crate) target: Option<String>,
    /// Cargo's profile: `bench`.
    pub(crate) profile: Option<String>,
    /// What manifest and configuration say of it: `lto=fat`. Not known of runs that were saved before it was noted.
    pub(crate) profile_settings: Option<Vec<String>>,
    /// As they were asked for: names, `--all-features`, `--no-default-features`.
    pub(crate) features: Vec<String>,
    /// Those of the environment (`CARGO_ENCODED_RUSTFLAGS`, `RUSTFLAGS`) or of cargo's configuration.
    pub(crate) rustflags: Vec<String>,
    /// What was checked out.
    pub(crate) commit: Option<Commit>,
    /// The version of cargo-nanobench.
    pub(crate) cargo_nanobench: Option<String>,
    /// The version of nanobench-core that the benchmarks were built with.
    pub(crate) nanobench_core: Option<String>,
    /// `--context`, in order.
    #[serde(with = "context")]
    pub(crate) context: Vec<KeyValue>,
}

/// A compiler, as `rustc -vV` tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Rustc {
    /// The first line: `rustc 1.95.0 (59807616e 2026-04-14)`.
    pub(crate) version: String,
    /// The triple that it runs on.
    pub(crate) host: Option<String>,
    /// In full, where it was built from a commit.
    pub(crate) commit: Option<String>,
}

/// What git says of the workspace.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Commit {
    /// In full.
    pub(crate) hash: String,
    /// None where no branch is checked out.
    pub(crate) branch: Option<String>,
    /// Tracked files differ from it.
    pub(crate) dirty: bool,
}

/// What only the caller knows of an environment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Probe<'a> {
    /// Where rustc and git are asked.
    pub(crate) workspace_root: &'a Path,
    /// `--target`.
    pub(crate) target: Option<&'a str>,
    /// Cargo's profile.
    pub(crate) profile: &'a str,
    /// What manifest and configuration say of it.
    pub(crate) profile_settings: &'a [String],
    /// As they were asked for.
    pub(crate) features: &'a [String],
    /// As cargo gives them to the compiler.
    pub(crate) rustflags: &'a [String],
    /// `--context`.
    pub(crate) context: &'a [KeyValue],
}

impl Environment {
    /// What is known without the compiler and git: of the machine alone.
    pub(crate) fn of_machine() -> Self {
        Environment {
            cpu: cpu(),
            cores: thread::available_parallelism().ok().map(usize::from),
            os: os(),
            arch: Some(System::cpu_arch()).filter(|arch| !arch.is_empty()),
            ..Environment::default()
        }
    }

    /// Asks the machine, the compiler and git. With which nanobench-core the benchmarks are built, shows later.
    pub(crate) fn probe(probe: &Probe) -> Self {
        let rustc = Rustc::ask(probe.workspace_root);
        let host = rustc.as_ref().and_then(|rustc| rustc.host.clone());
        Environment {
            target: probe.target.map(str::to_owned).or(host),
            rustc,
            profile: Some(probe.profile.to_owned()),
            profile_settings: Some(probe.profile_settings.to_vec()),
            features: probe.features.to_vec(),
            rustflags: probe.rustflags.to_vec(),
            commit: Commit::ask(probe.workspace_root),
            cargo_nanobench: Some(env!("CARGO_PKG_VERSION").to_owned()),
            nanobench_core: None,
            context: probe.context.to_vec(),
            ..Environment::of_machine()
        }
    }
}

impl Rustc {
    /// Asks the compiler that cargo would take in this folder, which a toolchain file there may choose.
    fn ask(folder: &Path) -> Option<Self> {
        let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
        Self::parse(&output(Command::new(rustc).arg("-vV").current_dir(folder))?)
    }

    fn parse(text: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = text.lines().find_map(|line| line.strip_prefix(name))?.trim();
            (!value.is_empty() && value != "unknown").then(|| value.to_owned())
        };
        let version = text.lines().next().filter(|line| line.starts_with("rustc "))?.trim().to_owned();
        Some(Rustc { version, host: field("host:"), commit: field("commit-hash:") })
    }
}

impl Commit {
    /// Asks git. Takes no locks in the repository, so that it disturbs nothing that goes on there.
    fn ask(folder: &Path) -> Option<Self> {
        let arguments =
            ["--no-optional-locks", "status", "--porcelain=v2", "--branch", "--untracked-files=no"];
        Self::parse(&output(Command::new("git").args(arguments).current_dir(folder))?)
    }

    fn parse(status: &str) -> Option<Self> {
        let header = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let hash = header("# branch.oid").filter(|&hash| hash != "(initial)")?.to_owned();
        let branch = header("# branch.head").filter(|&branch| branch != "(detached)").map(str::to_owned);
        let dirty = status.lines().any(|line| !line.starts_with('#'));
        Some(Commit { hash, branch, dirty })
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
