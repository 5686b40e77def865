//! The parts of cargo's configuration that affect how benchmarks are built and run:
//! `.cargo/config.toml` here and above, the one in cargo's home, and the environment. Values of
//! `--config` are left to cargo.

use super::options::CargoOptions;
use cargo_config2::{Config, EnvConfigValue};
use std::env;
use std::ffi::OsString;
use std::path::Path;

/// The settings that matter here.
#[derive(Debug, Default)]
pub(crate) struct Configuration {
    /// Flags for the compiler, from the environment, the target's table or the table for all
    /// builds.
    pub(crate) rustflags: Vec<String>,
    /// `[env]`: the variables of all processes that cargo starts.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// A program that starts the executables.
    pub(super) runner: Option<String>,
}

impl Configuration {
    /// Reads the configuration for these arguments. It is empty if that fails, as cargo reports the
    /// error.
    pub(crate) fn load(args: &CargoOptions) -> Configuration {
        let folder = args.common.other_tree.as_ref().map(|tree| tree.folder.as_path());
        Configuration::read(folder, args.target.as_deref()).unwrap_or_default()
    }

    /// Reads the configuration for a folder, or the current one.
    fn read(folder: Option<&Path>, target: Option<&str>) -> Result<Configuration, cargo_config2::Error> {
        let config = folder.map_or_else(Config::load, Config::load_with_cwd)?;
        let targets = config.build_target_for_config(target)?;
        let Some(target) = targets.first() else { return Ok(Configuration::default()) };
        let is_set = |(name, value): &(&String, &EnvConfigValue)| value.force || env::var_os(name).is_none();
        let variable = |(name, value): (&String, &EnvConfigValue)| (name.into(), value.value.clone());
        Ok(Configuration {
            rustflags: config.rustflags(target)?.map(|flags| flags.flags).unwrap_or_default(),
            environment: config.env.iter().filter(is_set).map(variable).collect(),
            runner: config.runner(target)?.map(|runner| runner.path.display().to_string()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read(text: &str) -> Configuration {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(".cargo")).unwrap();
        fs::write(folder.path().join(".cargo/config.toml"), text).unwrap();
        Configuration::read(Some(folder.path()), Some("x86_64-unknown-linux-gnu")).unwrap_or_default()
    }

    #[test]
    fn settings_of_the_target_are_read() {
        let configuration = read(
            "[target.x86_64-unknown-linux-gnu]\nrunner = \"qemu -x\"\nrustflags = [\"-C\", \"a=b c\"]\n\
                        [target.wasm32-wasip1]\nrunner = \"other\"\n",
        );
        assert_eq!(configuration.runner.as_deref(), Some("qemu"));
        // Flags from the environment would win.
        if ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"].iter().all(|name| env::var_os(name).is_none()) {
            assert_eq!(configuration.rustflags, ["-C", "a=b c"]);
        }
    }

    #[test]
    fn variables_are_set_if_unset_or_forced() {
        let text = "[env]\nNANOBENCH_NO_SUCH = \"1\"\nPATH = \"2\"\nHOME = { value = \"3\", force = true }\n";
        let names: Vec<OsString> = read(text).environment.into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["HOME", "NANOBENCH_NO_SUCH"]);
    }

    #[test]
    fn invalid_configuration_is_empty() {
        assert!(read("[env").environment.is_empty());
    }
}
