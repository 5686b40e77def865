//! The power schemes of Windows.

use super::{Scheme, Setting, System};
use std::io;
use std::process::{Command, Stdio};

const KEY: &str = "power scheme";
/// The number of digits and hyphens of a GUID.
const GUID_LENGTH: usize = 36;

/// The active power scheme, by `powercfg`, and the wanted one.
pub(super) struct PowerSchemes(pub(super) Scheme);

impl System for PowerSchemes {
    fn settings(&self) -> Vec<Setting> {
        let now = self.get(KEY);
        // As Windows defines them.
        let wanted = match self.0 {
            Scheme::Performance => "8c5e7fda-e8bf-4a96-9a85-a6e23a8c635c",
            Scheme::Balanced => "381b4222-f694-41f0-9685-ff5bb260df2e",
            Scheme::Saving => "a1841308-3541-4fab-bc81-f71556f20b4a",
        };
        let setting = |now| Setting {
            name: KEY,
            key: KEY.to_owned(),
            now,
            wanted: wanted.to_owned(),
            // Every user may change it.
            is_writable: true,
        };
        now.map(setting).into_iter().collect()
    }

    fn get(&self, _key: &str) -> Option<String> {
        scheme(&powercfg(&["/getactivescheme"]).ok()?)
    }

    fn set(&self, _key: &str, value: &str) -> io::Result<()> {
        powercfg(&["/setactive", value]).map(|_| ())
    }

    fn boot(&self) -> Option<String> {
        None
    }
}

fn powercfg(arguments: &[&str]) -> io::Result<String> {
    let output = Command::new("powercfg").args(arguments).stdin(Stdio::null()).output()?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let reason = String::from_utf8_lossy(&output.stderr);
    Err(io::Error::other(format!("powercfg {}: {}", arguments.join(" "), reason.trim())))
}

/// Returns the GUID in the output of `powercfg /getactivescheme`, whose words depend on the
/// language.
fn scheme(output: &str) -> Option<String> {
    let is_guid = |word: &&str| {
        word.len() == GUID_LENGTH
            && word.split('-').map(str::len).eq([8, 4, 4, 4, 12])
            && word.chars().all(|c| c == '-' || c.is_ascii_hexdigit())
    };
    output.split_whitespace().find(is_guid).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_is_found_in_any_language() {
        let german = "GUID des Energieschemas: 381B4222-f694-41f0-9685-ff5bb260df2e  (Ausbalanciert)\r\n";
        assert_eq!(scheme(german).as_deref(), Some("381b4222-f694-41f0-9685-ff5bb260df2e"));
        assert_eq!(scheme("none-at-all\n"), None);
    }
}
