//! The command that links an executable, divided in two: a partial link of everything that may
//! change or disappear, and a link of its result.

use super::options::is_supported;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Options that say how the next archives are linked, and their ends.
const ARCHIVE_OPTIONS: [&str; 6] =
    ["--start-group", "--end-group", "-(", "-)", "--whole-archive", "--no-whole-archive"];
/// The starts of the names of the C library's objects, whose order matters.
const START_FILES: [&str; 3] = ["crt", "Scrt", "rcrt"];

/// A link as rustc asked for it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Link {
    pub(super) output: PathBuf,
    /// The name of the linker, after `-fuse-ld=`.
    pub(super) linker: Option<String>,
    /// The arguments of the partial link, without its output.
    pub(super) partial: Vec<String>,
    pub(super) rest: RemainingLink,
}

/// The arguments that turn the result of the partial link into the executable, without its output.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct RemainingLink {
    /// The arguments before the object that the partial link made.
    before: Vec<String>,
    after: Vec<String>,
}

impl Link {
    /// Divides a command for the linker. `None` if it doesn't make an executable, or can't be
    /// divided.
    pub(super) fn parse(arguments: &[String]) -> Option<Link> {
        let (mut output, mut linker) = (None, None);
        let (mut partial, mut before, mut after) = (Vec::new(), Vec::new(), Vec::new());
        let mut has_inputs = false;
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-o" => output = Some(PathBuf::from(arguments.next()?)),
                // The plug-in compiles GCC's intermediate code, which rustc doesn't make.
                "-plugin" => drop(arguments.next()),
                option if option.starts_with("-plugin-opt=") => {}
                option if option.starts_with("-fuse-ld=") => {
                    linker = option.strip_prefix("-fuse-ld=").map(str::to_owned);
                }
                "-m" => {
                    let emulation = [argument.clone(), arguments.next()?.clone()];
                    partial.extend(emulation.clone());
                    before.extend(emulation);
                }
                option if ARCHIVE_OPTIONS.contains(&option) => partial.push(argument.clone()),
                input if is_merged(input) => {
                    partial.push(argument.clone());
                    has_inputs = true;
                }
                _ if has_inputs => after.push(argument.clone()),
                _ => before.push(argument.clone()),
            }
        }
        let rest = RemainingLink { before, after };
        Some(Link { output: output.filter(|_| has_inputs && rest.is_supported())?, linker, partial, rest })
    }

    /// Returns the objects that are not in archives: those of the crate itself.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Path> {
        self.partial.iter().map(Path::new).filter(|path| path.extension().is_some_and(|end| end == "o"))
    }
}

impl RemainingLink {
    /// Returns whether it may make layouts.
    pub(super) fn is_supported(&self) -> bool {
        self.before.iter().chain(&self.after).all(|argument| is_supported(argument))
    }

    /// Returns the arguments that link `object`, without the output.
    pub(super) fn arguments<'a>(&'a self, object: &'a str) -> impl Iterator<Item = &'a str> {
        let object = std::iter::once(object);
        self.before.iter().map(String::as_str).chain(object).chain(self.after.iter().map(String::as_str))
    }
}

/// Returns whether an argument is an input of the partial link.
fn is_merged(argument: &str) -> bool {
    let path = Path::new(argument);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is_input = path.extension().is_some_and(|end| end == "o" || end == "rlib" || end == "a");
    is_input && !argument.starts_with('-') && !START_FILES.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(command: &str) -> Option<Link> {
        Link::parse(&command.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn objects_and_archives_are_linked_first() {
        let link = parse(
            "-plugin lto.so -plugin-opt=-fresolution=/tmp/c.res --eh-frame-hdr -m elf_x86_64 -pie -fuse-ld=lld \
             -o /t/deps/b-1 /lib/Scrt1.o /lib/crti.o -L/lib /t/rustcAB/symbols.o /t/deps/b-1.b.0.rcgu.o \
             --as-needed -Bstatic --whole-archive /t/libown.a --no-whole-archive /t/libstd-1.rlib -Bdynamic \
             -lc --gc-sections -z now -O1 --strip-debug /lib/crtendS.o /lib/crtn.o",
        )
        .unwrap();
        assert_eq!(link.output, Path::new("/t/deps/b-1"));
        assert_eq!(link.linker.as_deref(), Some("lld"));
        assert_eq!(
            link.partial.join(" "),
            "-m elf_x86_64 /t/rustcAB/symbols.o /t/deps/b-1.b.0.rcgu.o --whole-archive /t/libown.a \
             --no-whole-archive /t/libstd-1.rlib"
        );
        assert_eq!(
            link.rest.arguments("kept.o").collect::<Vec<_>>().join(" "),
            "--eh-frame-hdr -m elf_x86_64 -pie /lib/Scrt1.o /lib/crti.o -L/lib kept.o --as-needed -Bstatic \
             -Bdynamic -lc --gc-sections -z now -O1 --strip-debug /lib/crtendS.o /lib/crtn.o"
        );
        let own: Vec<&Path> = link.objects().collect();
        assert_eq!(own, ["/t/rustcAB/symbols.o", "/t/deps/b-1.b.0.rcgu.o"].map(Path::new));
    }

    #[test]
    fn other_links_are_left_alone() {
        assert!(parse("-o b a.o").is_some());
        for command in [
            "-shared -o b a.o",
            "-r -o b a.o",
            "-o b -T script.ld a.o",
            "-o b --wrap=malloc a.o",
            "-o b --dynamic-list=/t/list a.o",
            "-o b a.o -Map=/t/map",
            "-o b -lc",
            "a.o",
            "a.o -o",
            "--version",
            "@/tmp/arguments",
        ] {
            assert_eq!(parse(command), None, "{command}");
        }
    }
}
