//! `.config/nanobench.toml`.

use crate::folder;
use cargo_nanobench::fuzzed;

/// Any file is either read or refused with a reason that names a line of it.
pub fn config(data: &[u8]) {
    folder::write(".config/nanobench.toml", data);
    if let Err(message) = fuzzed::load_config(&folder::path("")) {
        super::assert_harmless(&message);
        let lines = data.iter().filter(|&&byte| byte == b'\n').count() + 1;
        let line = message.split_once("nanobench.toml:").and_then(|(_, rest)| rest.split_once(':'));
        let line: usize = line.expect("a line").0.parse().expect("a number");
        assert!((1..=lines).contains(&line), "{message}");
    }
}
