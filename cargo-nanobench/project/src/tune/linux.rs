//! The settings of Linux, which are files: governors, turbo, and siblings of processors that share
//! a core (SMT).

use super::{SIBLING, Scheme, Setting, System};
use crate::environment::machine::cores;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

const CPUS: &str = "sys/devices/system/cpu";

/// The files below a root folder.
pub(super) struct Sysfs {
    root: PathBuf,
    /// The only settings, if it is given.
    scheme: Option<Scheme>,
}

impl Sysfs {
    pub(super) fn below(root: &Path, scheme: Option<Scheme>) -> Sysfs {
        Sysfs { root: root.to_owned(), scheme }
    }

    /// Returns the numbers of all processors.
    fn processors(&self) -> Vec<usize> {
        let entries = fs::read_dir(self.root.join(CPUS)).into_iter().flatten().flatten();
        let number =
            |entry: fs::DirEntry| entry.file_name().to_str()?.strip_prefix("cpu")?.parse::<usize>().ok();
        let mut numbers: Vec<usize> = entries.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    fn setting(&self, name: &'static str, key: String, wanted: &str) -> Option<Setting> {
        let now = self.get(&key)?;
        let is_writable = OpenOptions::new().write(true).open(self.root.join(&key)).is_ok();
        Some(Setting { name, key, now, wanted: wanted.to_owned(), is_writable })
    }

    fn governor(&self, processor: usize) -> Option<Setting> {
        let folder = format!("{CPUS}/cpu{processor}/cpufreq");
        let available = self.get(&format!("{folder}/scaling_available_governors"))?;
        let wanted: &[&str] = match self.scheme {
            None | Some(Scheme::Performance) => &["performance"],
            Some(Scheme::Balanced) => &["schedutil", "ondemand", "powersave"],
            Some(Scheme::Saving) => &["powersave"],
        };
        let is_available = |wanted: &&&str| available.split_whitespace().any(|word| word == **wanted);
        self.setting("governor", format!("{folder}/scaling_governor"), wanted.iter().find(is_available)?)
    }

    /// Returns the hint by which processors choose their clock themselves. They take none while the
    /// governor is `performance`.
    fn preference(&self, processor: usize) -> Option<Setting> {
        let wanted = match self.scheme? {
            Scheme::Performance => return None,
            Scheme::Balanced => "balance_performance",
            Scheme::Saving => "power",
        };
        let key = format!("{CPUS}/cpu{processor}/cpufreq/energy_performance_preference");
        self.setting("energy preference", key, wanted)
    }

    fn turbo(&self) -> Option<Setting> {
        let intel = self.setting("turbo (no_turbo)", format!("{CPUS}/intel_pstate/no_turbo"), "1");
        intel.or_else(|| self.setting("turbo (boost)", format!("{CPUS}/cpufreq/boost"), "0"))
    }

    /// Returns the setting that takes a processor offline, if it shares its core with an earlier
    /// one.
    fn sibling(&self, processor: usize) -> Option<Setting> {
        let siblings = self.get(&format!("{CPUS}/cpu{processor}/topology/thread_siblings_list"))?;
        let first = cores::parse(&siblings).into_iter().min()?;
        let online = || format!("{CPUS}/cpu{processor}/online");
        (first != processor).then(|| self.setting(SIBLING, online(), "0"))?
    }
}

impl System for Sysfs {
    fn settings(&self) -> Vec<Setting> {
        let processors = self.processors();
        let governors = processors.iter().filter_map(|processor| self.governor(*processor));
        if self.scheme.is_some() {
            return governors
                .chain(processors.iter().filter_map(|processor| self.preference(*processor)))
                .collect();
        }
        let siblings = processors.iter().filter_map(|processor| self.sibling(*processor));
        governors.chain(self.turbo()).chain(siblings).collect()
    }

    fn get(&self, key: &str) -> Option<String> {
        Some(fs::read_to_string(self.root.join(key)).ok()?.trim().to_owned())
    }

    fn set(&self, key: &str, value: &str) -> io::Result<()> {
        // Not created: the file of another kernel would be one on the disk.
        let mut file = OpenOptions::new().write(true).truncate(true).open(self.root.join(key))?;
        file.write_all(value.as_bytes())
    }

    fn boot(&self) -> Option<String> {
        self.get("proc/sys/kernel/random/boot_id")
    }
}

/// Returns the processors that the kernel keeps free of other programs (`isolcpus`).
pub(super) fn isolated(root: &Path) -> Vec<usize> {
    let text = fs::read_to_string(root.join(CPUS).join("isolated")).unwrap_or_default();
    cores::parse(&text)
}
