//! This program as GCC's `collect2`: it passes the command on, and keeps the inputs of executables
//! with benchmarks. Nothing that fails here fails the build.

use super::link_command::Link;
use super::linked_data::LinkedData;
use super::{link_inputs, linker};
use crate::cargo::interception::{PROGRAM, SCRIPT};
use crate::code::IS_MACHINE_CODE_COMPARED;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{self, Child, Command, ExitCode, ExitStatus, Stdio};

/// Returns whether GCC started this process to link.
pub fn is_stand_in() -> bool {
    env::args_os().next().is_some_and(|name| Path::new(&name).file_name() == Some(OsStr::new(PROGRAM)))
}

/// Links as GCC asked for. The inputs are kept if those of the crate itself have a mark of
/// benchmarks.
pub fn link(has_benchmarks: fn(&[u8]) -> bool) -> ExitCode {
    let mut arguments = env::args_os();
    let own = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    let folder = Path::new(&own).parent();
    let partial_link = folder.and_then(|folder| PartialLink::start(&arguments, folder, has_benchmarks));
    let status = partial_link
        .as_ref()
        .and_then(|link| run_with_map(&arguments, link.map()?))
        .map_or_else(|| Command::new(linker_of_gcc()).args(&arguments).status(), Ok);
    match status {
        Ok(status) => {
            if let Some(link) = partial_link {
                link.end(status.success());
            }
            let code = status.code().and_then(|code| u8::try_from(code).ok());
            code.map_or(ExitCode::FAILURE, ExitCode::from)
        }
        Err(error) => {
            eprintln!("collect2: failed to start the linker: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Links, and writes the linker's map to a file. `None` if that fails: then the link has to be
/// repeated without it.
fn run_with_map(arguments: &[OsString], map: PathBuf) -> Option<ExitStatus> {
    let mut option = OsString::from("-Map=");
    option.push(map);
    let output = Command::new(linker_of_gcc())
        .args(arguments)
        .arg(option)
        .stdin(Stdio::null())
        .output()
        .ok()
        // What it says of an error, the repeated link says, too.
        .filter(|output| output.status.success())?;
    let _ = io::stdout().write_all(&output.stdout).and(io::stderr().write_all(&output.stderr));
    Some(output.status)
}

/// Returns GCC's own program, or else the linker that it would call.
fn linker_of_gcc() -> PathBuf {
    linker::find_of_gcc(PROGRAM).unwrap_or_else(|| "ld".into())
}

/// A partial link that runs beside the link.
struct PartialLink {
    link: Link,
    linker: PathBuf,
    object: PathBuf,
    process: Child,
}

impl PartialLink {
    /// Starts it in the folder of the interception, if the link makes an executable with benchmarks.
    fn start(
        arguments: &[OsString],
        folder: &Path,
        has_benchmarks: fn(&[u8]) -> bool,
    ) -> Option<PartialLink> {
        let arguments: Option<Vec<&str>> = arguments.iter().map(|argument| argument.to_str()).collect();
        // GCC searches this folder for libraries, too. Anybody may make it once it is deleted.
        let is_own =
            |argument: &&str| argument.strip_prefix("-L").is_some_and(|path| Path::new(path) == folder);
        let arguments: Vec<String> =
            arguments?.into_iter().filter(|argument| !is_own(argument)).map(str::to_owned).collect();
        let link = Link::parse(&arguments)?;
        let is_marked = |file: &Path| fs::read(file).is_ok_and(|bytes| has_benchmarks(&bytes));
        if !link.objects().chain(link.suite_libraries()).any(is_marked) {
            return None;
        }
        let linker = linker::for_layouts(&link)?;
        let object = folder.join(format!("{}.o", process::id()));
        let process = Command::new(&linker)
            .args(["-r", "-T"])
            .arg(folder.join(SCRIPT))
            .args(&link.partial)
            .arg("-o")
            .arg(&object)
            // lld leaves files there if it crashes, as on a full disk.
            .env("TMPDIR", folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        Some(PartialLink { link, linker, object, process })
    }

    /// Returns the file for the map of the executable's link. `None` if nothing would use it, or if
    /// another linker than lld makes the executable: its maps have another form.
    fn map(&self) -> Option<PathBuf> {
        let is_used = IS_MACHINE_CODE_COMPARED && self.link.linker.as_deref() == Some("lld");
        is_used.then(|| self.object.with_extension("map"))
    }

    /// Returns the facts about the executable's data. `None` without a map.
    fn data(&self) -> Option<LinkedData> {
        let map = fs::read(self.map()?).ok()?;
        LinkedData::read(&String::from_utf8_lossy(&map), &self.link.output)
    }

    /// Waits for its end, and keeps the result beside the executable if there is one.
    fn end(mut self, has_executable: bool) {
        if !has_executable {
            let _ = self.process.kill();
        }
        // The partial link takes longer, and doesn't use all cores.
        let data = has_executable.then(|| self.data()).flatten().unwrap_or_default();
        if self.process.wait().is_ok_and(|status| status.success() && has_executable) {
            // If this fails, there are no layouts.
            let Link { output, rest, .. } = &self.link;
            let _ = link_inputs::keep(output, &self.linker, rest, data, &self.object);
        }
        for file in self.map().iter().chain([&self.object]) {
            let _ = fs::remove_file(file);
        }
    }
}

#[cfg(test)]
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod tests {
    use super::super::{LayoutError, Layouts, LinkInputs};
    use super::*;
    use crate::cargo::interception::{self, Interception, SPECS, VARIABLE};
    use crate::code::{CodeComparer, CodeMatch};
    use nanobench::Rng;
    use std::collections::BTreeSet;
    use std::os::unix::fs::PermissionsExt as _;

    const PROGRAM_TEXT: &str = r#"
        #[used] static NANOBENCH_ENTRY_f: (&str, fn(u64) -> u64) = ("\x01mark", f);
        #[inline(never)] fn f(n: u64) -> u64 { g(std::hint::black_box(n)) + 1 }
        #[inline(never)] fn g(n: u64) -> u64 { h(std::hint::black_box(n) * 3) + 1 }
        #[inline(never)] fn h(n: u64) -> u64 { std::hint::black_box(n) ^ 1 }
        fn main() {
            let caught = std::panic::catch_unwind(|| { if std::env::args().count() == 1 { panic!("p") } });
            println!("{} {}", std::hint::black_box(NANOBENCH_ENTRY_f.1)(7), caught.is_err());
        }"#;

    fn is_marked(bytes: &[u8]) -> bool {
        memchr::memmem::find(bytes, b"\x01mark").is_some()
    }

    /// Compiles the program, and returns it with the arguments of GCC's `collect2`.
    fn compile(folder: &Path) -> (PathBuf, Vec<OsString>) {
        let [script, arguments] = [PROGRAM, "arguments"].map(|name| folder.join(name));
        let next = "IFS=:; for d in $COMPILER_PATH; do [ \"$d/\" -ef \"${0%/*}\" ] || \
                    [ ! -x \"$d/collect2\" ] || exec \"$d/collect2\" \"$@\"; done";
        let text = format!("#!/bin/sh\nprintf '%s\\n' \"$@\" > '{}'\n{next}\n", arguments.display());
        fs::write(&script, text).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(folder.join(SPECS), interception::specs(folder).unwrap()).unwrap();
        fs::write(folder.join("main.rs"), PROGRAM_TEXT).unwrap();
        let mut rustc = Command::new("rustc");
        // Otherwise, rustc deletes the objects.
        rustc.args([
            "-O",
            "-g",
            "--crate-name",
            "program",
            "--edition",
            "2024",
            "-C",
            "save-temps",
            "main.rs",
            "--out-dir",
        ]);
        // With its path, that of the objects is absolute, too.
        let output = rustc.arg(folder).current_dir(folder).env(VARIABLE, folder).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let arguments = fs::read_to_string(arguments).unwrap().lines().map(OsString::from).collect();
        (folder.join("program"), arguments)
    }

    /// Returns the places of the program's own functions, and of its constant.
    fn places(executable: &Path) -> [u64; 4] {
        use object::{Object as _, ObjectSymbol as _};
        let bytes = fs::read(executable).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let place = |name: &str| {
            let of_name = |symbol: &object::Symbol<'_, '_>| {
                symbol.name().is_ok_and(|text| format!("{:#}", rustc_demangle::demangle(text)) == name)
            };
            file.symbols().find(of_name).unwrap().address()
        };
        ["program::f", "program::g", "program::h", "program::NANOBENCH_ENTRY_f"].map(place)
    }

    /// Copies link inputs with another header, as somebody may who hands them on.
    fn copy_with_header(from: &Path, to: &Path, edit: impl FnOnce(&mut serde_json::Value)) {
        let bytes = fs::read(from).unwrap();
        let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
        let mut header = serde_json::from_slice(&bytes[..end]).unwrap();
        edit(&mut header);
        fs::write(to, [header.to_string().as_bytes(), &bytes[end..]].concat()).unwrap();
    }

    #[test]
    fn a_layout_has_the_same_code_in_another_order() {
        let folder = tempfile::tempdir().unwrap();
        let (program, arguments) = compile(folder.path());
        let mut interception = Interception::start().unwrap();
        let folder_of_links = interception.folder();
        let start = |mark| PartialLink::start(&arguments, folder_of_links, mark);
        assert!(start(|_| false).is_none(), "an executable without benchmarks");
        let Some(link) = start(is_marked) else {
            let arguments: Vec<String> =
                arguments.iter().map(|argument| argument.to_str().unwrap().into()).collect();
            let link = Link::parse(&arguments).unwrap();
            assert!(
                link.objects().all(Path::is_absolute) && linker::for_layouts(&link).is_none(),
                "{link:?}"
            );
            return;
        };
        link.end(true);
        let compare = |program: &Path, layout: &Path| {
            CodeComparer::default().difference_of_layout(program, layout, ["f"])
        };
        let layouts = Layouts::of([&program; 2]).unwrap().compared_with([&program; 2], compare).unwrap();
        let path = |name: &str| folder.path().join(name);
        let pairs = [["one", "two"].map(path), ["three", "four"].map(path)];
        layouts.start_links(pairs.clone(), &mut Rng::with_seed(1)).unwrap().finish().unwrap();
        let run = |program: &Path| String::from_utf8(Command::new(program).output().unwrap().stdout).unwrap();
        let (mut places_of_layouts, mut offsets) = (vec![places(&program)], BTreeSet::new());
        for [one, other] in &pairs {
            assert_eq!(run(one), "22 true\n", "with unwinding");
            // No map tells the sizes of the constants of `main`.
            assert_eq!(CodeComparer::default().compare(&program, one, ["f"; 2]), CodeMatch::Uncertain);
            let places_of_one = places(one);
            offsets.extend(places_of_one[..3].iter().map(|place| place % 64));
            assert_eq!(places_of_one, places(other));
            places_of_layouts.push(places_of_one);
        }
        assert!(offsets.len() > 1 && offsets.iter().all(|offset| offset % 16 == 0), "{offsets:?}");
        assert_eq!(run(&program), "22 true\n");
        let in_pages: BTreeSet<u64> = places_of_layouts.iter().map(|places| places[3] % 4096).collect();
        let of_functions: BTreeSet<&[u64]> = places_of_layouts.iter().map(|places| &places[..3]).collect();
        assert_eq!((of_functions.len(), in_pages.len()), (3, 3), "{places_of_layouts:x?}");
        let theirs = folder.path().join("theirs");
        let foreign = link_inputs::file_of(&theirs);
        fs::copy(&program, &theirs).unwrap();
        copy_with_header(&link_inputs::file_of(&program), &foreign, |header| {
            header["linker"] = "/nowhere/program".into();
        });
        let layouts = Layouts::of([&theirs, &program]).unwrap();
        layouts.start_links(pairs, &mut Rng::with_seed(2)).unwrap().finish().unwrap();
        copy_with_header(&link_inputs::file_of(&program), &foreign, |header| {
            header["command"]["after"][0] = "-Map=map".into();
        });
        assert!(matches!(LinkInputs::of(&theirs), Err(LayoutError::Options)));
        fs::write(&program, "another executable").unwrap();
        assert!(matches!(LinkInputs::of(&program), Err(LayoutError::LinkedAgain)));
        assert!(matches!(LinkInputs::of(&folder.path().join("none")), Err(LayoutError::NothingKept)));
    }
}
