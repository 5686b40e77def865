//! What cargo's configuration (`.cargo/config.toml` here and above, the one in cargo's home, and the environment) says of how
//! benchmarks are built and run. What `--config` adds is cargo's alone.

use crate::cli::CargoArgs;
use cargo_config2::{Config, EnvConfigValue};
use std::env;
use std::ffi::OsString;
use std::path::Path;

/// What we need of it.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// Flags for the compiler, where they stand: in the environment, for the target, or for all builds.
    pub(crate) rustflags: Vec<String>,
    /// `[env]`: what all processes get that cargo starts.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// A program that executables are to be started by.
    pub(super) runner: Option<String>,
}

impl Configuration {
    /// Reads it where cargo is started for these arguments. Empty where it can't be read: cargo says why.
    pub(crate) fn load(args: &CargoArgs) -> Configuration {
        let folder = args.common.other_tree.as_ref().map(|other_tree| other_tree.folder.as_path());
        Configuration::read(folder, args.build.target.as_deref()).unwrap_or_default()
    }

    /// For a folder, or the current one.
    fn read(folder: Option<&Path>, target: Option<&str>) -> Result<Configuration, cargo_config2::Error> {
        let config = folder.map_or_else(Config::load, Config::load_with_cwd)?;
        let targets = config.build_target_for_config(target)?;
        let Some(target) = targets.first() else { return Ok(Configuration::default()) };
        let is_taken =
            |(name, value): &(&String, &EnvConfigValue)| value.force || env::var_os(name).is_none();
        let variable = |(name, value): (&String, &EnvConfigValue)| (name.into(), value.value.clone());
        Ok(Configuration {
            rustflags: config.rustflags(target)?.map(|flags| flags.flags).unwrap_or_default(),
            environment: config.env.iter().filter(is_taken).map(variable).collect(),
            runner: config.runner(target)?.map(|runner| runner.path.display().to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn of(text: &str) -> Configuration {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        fs::write(folder.path().join(".cargo/config.toml"), text).unwrap();
        Configuration::read(Some(folder.path()), Some("x86_64-unknown-linux-gnu")).unwrap_or_default()
    }

    #[test]
    fn what_is_for_the_target_is_found() {
        let found =
            of("[target.x86_64-unknown-linux-gnu]\nrunner = \"qemu -x\"\nrustflags = [\"-C\", \"a=b c\"]\n\
                        [target.wasm32-wasip1]\nrunner = \"other\"\n");
        assert_eq!(found.runner.as_deref(), Some("qemu"));
        // Those of the environment would win.
        if ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"].iter().all(|name| env::var_os(name).is_none()) {
            assert_eq!(found.rustflags, ["-C", "a=b c"]);
        }
    }

    #[test]
    fn variables_are_set_where_there_are_none_or_by_force() {
        let text = "[env]\nNANOBENCH_NO_SUCH = \"1\"\nPATH = \"2\"\nHOME = { value = \"3\", force = true }\n";
        let names: Vec<OsString> = of(text).environment.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["HOME", "NANOBENCH_NO_SUCH"]);
    }

    #[test]
    fn what_can_not_be_read_says_nothing() {
        assert!(of("[env").environment.is_empty());
    }
}
