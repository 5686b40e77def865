//! The parts of cargo's configuration that affect how benchmarks are built and run:
//! `.cargo/config.toml` here and above, the one in cargo's home, and the environment. Values of
//! `--config` are left to cargo.

use super::options::CargoOptions;
use cargo_config2::{Config, EnvConfigValue, ResolveOptions};
use std::env;
use std::ffi::OsString;
use std::path::Path;

/// The settings that matter here.
#[derive(Debug, Default)]
pub(super) struct Configuration {
    /// Flags for the compiler, from the environment, the target's table or the table for all
    /// builds.
    pub(super) rustflags: Vec<String>,
    /// `[env]`: the variables of all processes that cargo starts.
    pub(super) environment: Vec<(OsString, OsString)>,
    /// A program that starts the executables.
    pub(super) runner: Option<String>,
}

impl Configuration {
    /// Reads the configuration for these arguments and a compiler that runs on `host`. It is empty
    /// if that fails, as cargo reports the error.
    pub(super) fn load(args: &CargoOptions, host: Option<&str>) -> Configuration {
        let folder = args.common.other_tree.as_ref().map(|tree| tree.folder.clone());
        let Some(folder) = folder.or_else(|| env::current_dir().ok()) else {
            return Configuration::default();
        };
        Configuration::read(&folder, args.target.as_deref(), host).unwrap_or_default()
    }

    /// Reads the configuration for a folder.
    fn read(
        folder: &Path,
        target: Option<&str>,
        host: Option<&str>,
    ) -> Result<Configuration, cargo_config2::Error> {
        // Otherwise, it would ask cargo, which takes longer than everything else here.
        let options = host.map(|host| ResolveOptions::default().host_triple(host)).unwrap_or_default();
        let config = Config::load_with_options(folder, options)?;
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
        let linux = Some("x86_64-unknown-linux-gnu");
        Configuration::read(folder.path(), linux, linux).unwrap_or_default()
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
