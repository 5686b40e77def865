//! The parts of cargo's configuration that affect how benchmarks are built and run: values of `--config`,
//! `.cargo/config.toml` here and above, the one in cargo's home, and the environment.

use super::configuration_files::Texts;
use super::options::CargoOptions;
use cargo_config2::{Config, ResolveOptions};
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::Path;
use toml::{Table, Value};

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
        let target = build_target(args);
        let target = target.as_deref();
        let files = other_tree.iter().flat_map(|tree| &tree.settings);
        let added = files.filter_map(|file| Configuration::read_file(file, target, host));
        let found = Configuration::read(&folder, None, target, host);
        let configuration = added.chain(found.ok()).reduce(Configuration::or).unwrap_or_default();
        Configuration { environment: variables(Texts::read(args).tables()), ..configuration }
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
        Ok(Configuration {
            rustflags: config.rustflags(target)?.map(|flags| flags.flags).unwrap_or_default(),
            environment: Vec::new(),
            runner: config.runner(target)?.map(|runner| runner.path.display().to_string()),
        })
    }
}

/// Returns the target triple of a build, if one is set: by a flag, the environment or the configuration.
pub fn build_target(args: &CargoOptions) -> Option<String> {
    let texts = Texts::read(args);
    let set = |(table, _): (Table, &Path)| {
        let target = table.get("build")?.get("target")?;
        let first = target.as_array().map_or(Some(target), |all| all.first());
        Some(first?.as_str()?.to_owned())
    };
    let of_flag = || Texts::parse(&texts.flags).find_map(set);
    let of_variable = || env::var("CARGO_BUILD_TARGET").ok();
    let target = args.target.clone().or_else(of_flag).or_else(of_variable);
    target.or_else(|| Texts::parse(&texts.files).find_map(set))
}

/// Returns the variables of `[env]`. Each setting of a variable is that of the first table that has it.
/// They are set unless the environment has them, or if they are forced.
fn variables<'a>(tables: impl Iterator<Item = (Table, &'a Path)>) -> Vec<(OsString, OsString)> {
    let mut settings: BTreeMap<String, BTreeMap<String, (Value, &Path)>> = BTreeMap::new();
    for (mut table, folder) in tables {
        let Some(Value::Table(variables)) = table.remove("env") else { continue };
        for (name, setting) in variables {
            let of_variable = settings.entry(name).or_default();
            let setting = match setting {
                Value::Table(setting) => setting,
                value => Table::from_iter([("value".to_owned(), value)]),
            };
            for (key, value) in setting {
                of_variable.entry(key).or_insert((value, folder));
            }
        }
    }
    let variable = |(name, of_variable): (String, BTreeMap<String, (Value, &Path)>)| {
        let has = |key: &str| of_variable.get(key).is_some_and(|(value, _)| value.as_bool() == Some(true));
        let (value, folder) = of_variable.get("value")?;
        let value = value.as_str()?;
        let value = if has("relative") { folder.join(value).into_os_string() } else { value.into() };
        (has("force") || env::var_os(&name).is_none()).then(|| (name.into(), value))
    };
    settings.into_iter().filter_map(variable).collect()
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
        Configuration::read(folder.path(), None, linux, linux).unwrap_or_default()
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
    fn variables_are_set_if_unset_or_forced_and_the_nearest_wins() {
        let texts = [
            ("env.NANOBENCH_FLAG = \"0\"\nenv.HOME.value = \"3\"", "/cwd"),
            ("[env]\nNANOBENCH_FLAG = \"1\"\nPATH = \"2\"\nHOME = { value = \"5\", force = true }", "/near"),
            ("[env]\nHOME = \"4\"\nNANOBENCH_FILE = { value = \"data/a\", relative = true }", "/far"),
        ];
        let tables = texts.iter().map(|(text, folder)| (text.parse().unwrap(), Path::new(*folder)));
        let file = Path::new("/far").join("data/a").into_os_string();
        let expected = [("HOME", "3".into()), ("NANOBENCH_FILE", file), ("NANOBENCH_FLAG", "0".into())];
        assert_eq!(variables(tables), expected.map(|(name, value)| (name.into(), value)));
    }

    #[test]
    fn settings_of_another_configuration_are_added() {
        let of = |flag: &str| read(&format!("[build]\nrustflags = [\"{flag}\"]\n"));
        assert!(!of("-Ca").or(of("-Cb")).rustflags.contains(&"-Cb".to_owned()));
    }

    #[test]
    fn invalid_configuration_is_empty() {
        assert!(read("[build").rustflags.is_empty());
    }
}
