//! The command that links an executable, divided in two: a partial link of everything that may
//! change or disappear, and a link of its result.
//!
//! The first takes all objects and archives, whatever names them: a path, or an option such as `-l`. Left
//! to the second are libraries that processes load, linker scripts in place of libraries, and the objects
//! and archives of the C library, which link as they are in the system. The last ones would define what a
//! library that processes load defines before them.

use super::link_files::{Folders, Kind};
use super::options::is_supported;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The beginnings of the names of nanobench's libraries in place of others.
const SUITE_LIBRARIES: [&str; 2] = ["libnanobench_criterion-", "libnanobench_divan-"];

/// Options that say how the next archives are linked, and their ends.
const ARCHIVE_OPTIONS: [&str; 6] =
    ["--start-group", "--end-group", "-(", "-)", "--whole-archive", "--no-whole-archive"];
/// The options that a value follows which is no input, without the dashes.
const WITH_VALUE: [&str; 6] = ["L", "dynamic-linker", "image-base", "rpath", "rpath-link", "z"];
/// The C library's objects, whose order matters.
const START_FILES: &str = "\
    Scrt1.o crt0.o crt1.o crtbegin.o crtbeginS.o crtbeginT.o crtend.o crtendS.o crtfastmath.o crti.o \
    crtn.o gcrt1.o grcrt1.o rcrt1.o";
/// The C library, and the compiler's own.
const C_LIBRARIES: [&str; 9] = ["c", "dl", "gcc", "gcc_eh", "gcc_s", "m", "pthread", "rt", "util"];

/// True where a layout is compared with its executable before it runs. Elsewhere, nothing would notice
/// a change of a file that only a linker script names: such files aren't kept.
const ARE_LAYOUTS_COMPARED: bool = cfg!(target_arch = "x86_64");

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
        let mut division = Division::new(arguments);
        division.add(arguments)?;
        let Division { output, linker, partial, has_inputs, rest, .. } = division;
        Some(Link { output: output.filter(|_| has_inputs && rest.is_supported())?, linker, partial, rest })
    }

    /// Returns the objects that are not in archives: those of the crate itself.
    pub(super) fn objects(&self) -> impl Iterator<Item = &Path> {
        self.partial.iter().map(Path::new).filter(|path| path.extension().is_some_and(|end| end == "o"))
    }

    /// Returns nanobench's libraries in place of others, which have the mark of benchmarks instead of the
    /// crate itself.
    pub(super) fn suite_libraries(&self) -> impl Iterator<Item = &Path> {
        let is_suite = |path: &&Path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            SUITE_LIBRARIES.iter().any(|library| name.starts_with(library))
        };
        self.partial.iter().map(Path::new).filter(is_suite)
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

/// A command that is being divided.
struct Division {
    folders: Folders,
    state: State,
    saved: Vec<State>,
    output: Option<PathBuf>,
    linker: Option<String>,
    partial: Vec<String>,
    has_inputs: bool,
    rest: RemainingLink,
}

/// The state that options set for the next libraries.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    is_static: bool,
    is_whole: bool,
}

impl Division {
    fn new(arguments: &[String]) -> Division {
        Division {
            folders: Folders::of(arguments),
            state: State::default(),
            saved: Vec::new(),
            output: None,
            linker: None,
            partial: Vec::new(),
            has_inputs: false,
            rest: RemainingLink::default(),
        }
    }

    /// Adds the arguments of the command.
    fn add(&mut self, arguments: &[String]) -> Option<()> {
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "-o" => self.output = Some(PathBuf::from(arguments.next()?)),
                // The plug-in compiles GCC's intermediate code, which rustc doesn't make.
                "-plugin" => drop(arguments.next()),
                option if option.starts_with("-plugin-opt=") => {}
                option if option.starts_with("-fuse-ld=") => {
                    self.linker = option.strip_prefix("-fuse-ld=").map(str::to_owned);
                }
                "-m" => {
                    for emulation in [argument, arguments.next()?] {
                        self.partial.push(emulation.clone());
                        self.rest.before.push(emulation.clone());
                    }
                }
                "-l" => self.add_library(arguments.next()?)?,
                option if option.starts_with("-l") => self.add_library(&option[2..])?,
                option if option.starts_with('-') => {
                    self.add_option(option);
                    if WITH_VALUE.contains(&option.trim_start_matches('-')) {
                        self.keep(arguments.next()?.clone());
                    }
                }
                file => self.add_file(Path::new(file), file.to_owned())?,
            }
        }
        Some(())
    }

    fn add_option(&mut self, option: &str) {
        let name = option.trim_start_matches('-');
        match name {
            "Bstatic" | "static" => self.state.is_static = true,
            "Bdynamic" => self.state.is_static = false,
            "whole-archive" | "no-whole-archive" => self.state.is_whole = name == "whole-archive",
            "push-state" => self.saved.push(self.state),
            "pop-state" => self.state = self.saved.pop().unwrap_or_default(),
            _ => {}
        }
        let is_for_archives = ARCHIVE_OPTIONS.contains(&option);
        if is_for_archives || name.ends_with("-state") {
            self.partial.push(option.to_owned());
        }
        if !is_for_archives {
            self.keep(option.to_owned());
        }
    }

    /// Adds the library with the name behind `-l`.
    fn add_library(&mut self, name: &str) -> Option<()> {
        let is_of_c = C_LIBRARIES.contains(&name) && !self.state.is_whole;
        let file = (!is_of_c).then(|| self.folders.library(name, self.state.is_static)).flatten();
        match file {
            Some(file) => self.add_file(&file, format!("-l{name}"))?,
            None => self.keep(format!("-l{name}")),
        }
        Some(())
    }

    /// Adds a file: to the partial link if its code becomes a part of the executable. `argument`: what
    /// names it.
    fn add_file(&mut self, file: &Path, argument: String) -> Option<()> {
        let is_start_file =
            file.file_name().is_some_and(|name| START_FILES.split(' ').any(|file| name == file));
        let by_name = || file.extension().is_some_and(|end| end == "o" || end == "rlib" || end == "a");
        let kind = Kind::of(file);
        if kind == Some(Kind::Script) && !ARE_LAYOUTS_COMPARED {
            return None;
        }
        if !is_start_file && kind.map_or_else(by_name, |kind| kind == Kind::Code) {
            self.has_inputs = true;
            self.partial.push(file.to_str()?.to_owned());
        } else {
            self.keep(argument);
        }
        Some(())
    }

    /// Adds an argument of the remaining link.
    fn keep(&mut self, argument: String) {
        let RemainingLink { before, after } = &mut self.rest;
        if self.has_inputs { after } else { before }.push(argument);
    }
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

    /// Files of each kind in one folder.
    struct Files(tempfile::TempDir);

    impl Files {
        fn create() -> Files {
            let files = Files(tempfile::tempdir().unwrap());
            let [object, shared] =
                [1, 3].map(|kind| [b"\x7fELF\x02\x01\x01".as_slice(), &[0; 9], &[kind, 0]].concat());
            for name in ["libwork.a", "libboth.a", "libc.a", "libother.a", "a.o"] {
                let bytes = if name.ends_with('a') { b"!<arch>\n" } else { object.as_slice() };
                std::fs::write(files.0.path().join(name), bytes).unwrap();
            }
            for name in ["libboth.so", "libshared.so"] {
                std::fs::write(files.0.path().join(name), &shared).unwrap();
            }
            std::fs::write(files.0.path().join("libscript.a"), "GROUP ( libwork.a )").unwrap();
            files
        }

        /// Returns the two parts of a command, with `@` for the folder.
        fn divide(&self, command: &str) -> [String; 2] {
            let folder = self.0.path().to_str().unwrap();
            let link = parse(&format!("-o b -L{folder} {}", command.replace('@', folder))).unwrap();
            let rest = link.rest.arguments("kept.o").collect::<Vec<_>>().join(" ");
            let rest = rest.replacen(&format!("-L{folder} "), "", 1);
            [link.partial.join(" "), rest].map(|part| part.replace(folder, "@"))
        }
    }

    #[test]
    fn libraries_in_archives_are_linked_first_however_they_are_named() {
        let files = Files::create();
        for (command, partial, rest) in [
            ("@/a.o -Bstatic -lwork -Bdynamic -lc", "@/a.o @/libwork.a", "kept.o -Bstatic -Bdynamic -lc"),
            ("@/a.o -l work -l:libother.a", "@/a.o @/libwork.a @/libother.a", "kept.o"),
            ("@/a.o -lboth -lshared -lnone", "@/a.o", "kept.o -lboth -lshared -lnone"),
            ("@/a.o -static -lboth -lc", "@/a.o @/libboth.a", "kept.o -static -lc"),
            (
                "@/a.o --push-state -Bstatic --whole-archive -lboth --pop-state -lboth",
                "@/a.o --push-state --whole-archive @/libboth.a --pop-state",
                "kept.o --push-state -Bstatic --pop-state -lboth",
            ),
            (
                "--start-group -lwork -lother --end-group",
                "--start-group @/libwork.a @/libother.a --end-group",
                "kept.o",
            ),
            (
                "--whole-archive -lc --no-whole-archive",
                "--whole-archive @/libc.a --no-whole-archive",
                "kept.o",
            ),
            ("@/a.o -lscript @/libscript.a", "@/a.o", "kept.o -lscript @/libscript.a"),
            ("@/a.o -dynamic-linker @/libwork.a", "@/a.o", "kept.o -dynamic-linker @/libwork.a"),
            (
                "/t/deps/crtree-1.crtree.0.rcgu.o /lib/crt1.o",
                "/t/deps/crtree-1.crtree.0.rcgu.o",
                "kept.o /lib/crt1.o",
            ),
        ] {
            assert_eq!(files.divide(command), [partial, rest], "{command}");
        }
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
