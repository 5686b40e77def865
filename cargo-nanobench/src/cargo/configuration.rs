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
        let other_tree = args.common.other_tree.as_ref();
        let Some(folder) = other_tree.map(|tree| tree.folder.clone()).or_else(|| env::current_dir().ok())
        else {
            return Configuration::default();
        };
        let target = args.target.as_deref();
        let files = other_tree.iter().flat_map(|tree| &tree.settings);
        let added = files.filter_map(|file| Configuration::read_file(file, target, host));
        let found = Configuration::read(&folder, None, target, host);
        added.chain(found.ok()).reduce(Configuration::or).unwrap_or_default()
    }

    /// Reads a file of a folder `.cargo`, and what applies to all folders.
    fn read_file(file: &Path, target: Option<&str>, host: Option<&str>) -> Option<Configuration> {
        let top = file.ancestors().last()?;
        Configuration::read(top, file.parent(), target, host).ok()
    }

    /// Adds the settings of another configuration that this one doesn't have.
    fn or(mut self, other: Configuration) -> Configuration {
        if self.rustflags.is_empty() {
            self.rustflags = other.rustflags;
        }
        let new = |(name, _): &(OsString, OsString)| self.environment.iter().all(|(known, _)| known != name);
        let new: Vec<(OsString, OsString)> = other.environment.into_iter().filter(new).collect();
        self.environment.extend(new);
        Configuration { runner: self.runner.or(other.runner), ..self }
    }

    /// Reads the configuration for a folder. `cargo_home` replaces cargo's own folder.
    fn read(
        folder: &Path,
        cargo_home: Option<&Path>,
        target: Option<&str>,
        host: Option<&str>,
    ) -> Result<Configuration, cargo_config2::Error> {
        // Otherwise, it would ask cargo, which takes longer than everything else here.
        let options = host.map(|host| ResolveOptions::default().host_triple(host)).unwrap_or_default();
        let options = match cargo_home {
            Some(cargo_home) => options.cargo_home(cargo_home.to_owned()),
            None => options,
        };
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
        let configuration = Configuration::read(folder.path(), None, linux, linux).unwrap_or_default();
        let alone = Configuration::read_file(&folder.path().join(".cargo/config.toml"), linux, linux);
        assert_eq!(alone.unwrap_or_default().environment, configuration.environment);
        configuration
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
    fn settings_of_another_configuration_are_added() {
        let own = read("[env]\nNANOBENCH_A = \"1\"\n[build]\nrustflags = [\"-Ca\"]\n");
        let other = read("[env]\nNANOBENCH_A = \"2\"\nNANOBENCH_B = \"3\"\n[build]\nrustflags = [\"-Cb\"]\n");
        let both = own.or(other);
        let expected = [("NANOBENCH_A", "1"), ("NANOBENCH_B", "3")];
        assert_eq!(both.environment, expected.map(|(name, value)| (name.into(), value.into())));
        assert!(!both.rustflags.contains(&"-Cb".to_owned()));
    }

    #[test]
    fn invalid_configuration_is_empty() {
        assert!(read("[env").environment.is_empty());
    }
}
