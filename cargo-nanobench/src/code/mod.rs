//! Compares the code of a benchmark in two executables, regardless of its addresses.
//!
//! An unchanged function can really be slower in the next build: the linker may place its loops
//! across other boundaries of cache lines, or of the units by which the processor fetches and
//! predicts. This is worth knowing, but no reason to revert a change.
//!
//! The comparison starts at the entry that the attribute creates for the benchmark, and follows all
//! references to code and data. Instructions are compared without their targets, then the targets
//! are compared. Anything that can't be analysed counts as different. Only ELF executables with
//! symbols on x86-64 are supported.

mod comparison;
mod executable;
mod libraries;
mod timed_loop;

use comparison::{Comparison, EqualPairs};
use executable::Executable;
pub(crate) use libraries::loads_own_libraries;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
pub(crate) use timed_loop::{TimedLoop, TimedLoops};

/// The prefix of the statics that the attribute creates.
const ENTRY_PREFIX: &str = "NANOBENCH_ENTRY_";

/// Compares benchmarks. It keeps the executables, so that each is read once, and the code that
/// benchmarks have in common, so that it is compared once.
#[derive(Debug, Default)]
pub(crate) struct CodeComparer {
    executables: HashMap<PathBuf, Option<Executable>>,
    common: HashMap<[PathBuf; 2], CommonCode>,
}

/// The code that two executables are known to have in common.
#[derive(Debug, Default)]
struct CommonCode {
    equal: EqualPairs,
    /// Both run the same code before `main`; `None` until it was compared.
    same_startup: Option<bool>,
}

impl CodeComparer {
    /// Compares all rows of a benchmark in two executables. `function` is its path below the root
    /// of the crate: `module::function`.
    pub(crate) fn compare(&mut self, one: &Path, other: &Path, function: &str) -> CodeMatch {
        for path in [one, other] {
            self.executables.entry(path.to_owned()).or_insert_with(|| Executable::read(path));
        }
        let common = self.common.entry([one, other].map(Path::to_owned)).or_default();
        let executable = |path: &Path| self.executables.get(path)?.as_ref();
        let (Some(one), Some(other)) = (executable(one), executable(other)) else {
            return CodeMatch::Unknown;
        };
        let symbol = entry_symbol(function);
        let roots = |executable: &Executable| {
            executable.static_named(&symbol).map(|entry| executable.code_pointers(entry))
        };
        let (Some(a), Some(b)) = (roots(one), roots(other)) else { return CodeMatch::Unknown };
        if a.is_empty() || b.is_empty() {
            return CodeMatch::Unknown;
        }
        if a.len() != b.len() {
            return CodeMatch::Differs(None);
        }
        match Comparison::new(one, other).knowing(&common.equal).compare(a.into_iter().zip(b)) {
            Ok(equal) => {
                common.equal.extend(equal);
                let same_startup =
                    common.same_startup.get_or_insert_with(|| have_same_startup(one, other, &common.equal));
                if *same_startup { CodeMatch::SameWithStartup } else { CodeMatch::Same }
            }
            Err(name) => CodeMatch::Differs(Some(name).filter(|name| !is_harness_code(name))),
        }
    }
}

/// The result of comparing a benchmark in two executables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CodeMatch {
    /// The code and its data are the same, and so is the code that runs before `main`, which could
    /// register functions for the benchmark to call.
    SameWithStartup,
    /// The code and its data are the same.
    Same,
    /// The code or its data differ. Contains the differing function that takes the fewest calls to
    /// reach, or `None` if that is the timed loop with the functions inlined into it.
    Differs(Option<String>),
    /// One of the executables can't be analysed.
    Unknown,
}

impl CodeMatch {
    /// Returns whether the code and its data are the same.
    pub(crate) fn is_same(&self) -> bool {
        matches!(self, CodeMatch::SameWithStartup | CodeMatch::Same)
    }
}

/// Returns whether both run the same code before `main`, in any order, apart from the registration
/// of benchmarks. `known`: code that both have in common.
fn have_same_startup(one: &Executable, other: &Executable, known: &EqualPairs) -> bool {
    // All initialisers may reach much of the standard library, which is compared once.
    let mut known = [EqualPairs::new(), known.clone()];
    let mut are_same = |(a, x): (&Executable, u64), (b, y): (&Executable, u64)| {
        let known = &mut known[usize::from(!std::ptr::eq(a, b))];
        let comparison = Comparison::new(a, b).knowing(known).ignoring_statics(ENTRY_PREFIX);
        comparison.compare([(x, y)].into_iter()).map(|equal| known.extend(equal)).is_ok()
    };
    // Most initialisers are equal: each registers a benchmark.
    let mut kinds: Vec<u64> = Vec::new();
    for x in one.initializers() {
        if !kinds.iter().any(|&kind| are_same((one, kind), (one, x))) {
            kinds.push(x);
        }
    }
    let mut seen = vec![false; kinds.len()];
    let all_known = other.initializers().all(|y| {
        let kind = kinds.iter().position(|&kind| are_same((one, kind), (other, y)));
        kind.map(|kind| seen[kind] = true).is_some()
    });
    all_known && seen.into_iter().all(|seen| seen) && !one.has_linker_sets && !other.has_linker_sets
}

/// Returns whether a function belongs to nanobench or to the code that the attribute creates.
/// Functions of the user may be inlined into it.
fn is_harness_code(name: &str) -> bool {
    let prefixes = ["nanobench::", "<nanobench::", "core::ops::function::"];
    name.is_empty() || name.contains(ENTRY_PREFIX) || prefixes.iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the name of the entry of a function, without the crate.
fn entry_symbol(function: &str) -> String {
    match function.rsplit_once("::") {
        Some((modules, function)) => format!("{modules}::{ENTRY_PREFIX}{function}"),
        None => format!("{ENTRY_PREFIX}{function}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_named_for_their_functions() {
        assert_eq!(entry_symbol("sort"), "NANOBENCH_ENTRY_sort");
        assert_eq!(entry_symbol("a::b::sort"), "a::b::NANOBENCH_ENTRY_sort");
    }

    /// Compiles a program whose only benchmark is `f`. `more` adds items, and `helper` extends a
    /// function.
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn program(folder: &Path, name: &str, f: &str, more: &str, helper: &str) -> PathBuf {
        let text = format!(
            "#[used] static NANOBENCH_ENTRY_f: (&str, fn(&[u64]) -> u64) = (\"f\", f);
            {more}
            static FACTOR: u64 = 3;
            #[inline(never)] fn helper(n: u64) -> u64 {{ std::hint::black_box(n).wrapping_mul(*std::hint::black_box(&FACTOR)) {helper} }}
            fn f(v: &[u64]) -> u64 {{ {f} }}
            fn main() {{ println!(\"{{}}\", (NANOBENCH_ENTRY_f.1)(&[1, 2, 3])) }}"
        );
        let folder = folder.join(name);
        std::fs::create_dir(&folder).unwrap();
        std::fs::write(folder.join("main.rs"), text).unwrap();
        let mut rustc = std::process::Command::new("rustc");
        // All versions have the same name, as with cargo.
        rustc.args(["-O", "--crate-name", "program", "-C", "metadata=1", "--edition", "2024", "main.rs"]);
        let done = rustc.current_dir(&folder).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        folder.join("program")
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn same_code_at_other_addresses_is_the_same() {
        const F: &str = "let s: u64 = v.iter().map(|n| match n % 7 { 0 => 5, 1 => helper(*n), 2 => 9, 3 => n / 3, \
                         4 => n ^ 17, 5 => 1, _ => n + 4 }).sum(); assert!(s != 1_000_003, \"no such {s}\"); s";
        let unrelated = "#[used] static G: fn(u64) -> String = g;
            #[inline(never)] fn g(n: u64) -> String { format!(\"{n} and {}\", n + 1) }";
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, f: &str, more: &str| program(folder.path(), name, f, more, "");
        let base = of("base", F, "");
        let compare = |other: &Path| CodeComparer::default().compare(&base, other, "f");
        assert_eq!(compare(&base), CodeMatch::SameWithStartup);
        assert_eq!(compare(&of("edited", F, unrelated)), CodeMatch::SameWithStartup, "an unrelated function");
        let differs_in = |name: &str| CodeMatch::Differs(Some(format!("program::{name}")));
        let changed = of("changed", &F.replace("n / 3", "n / 5"), "");
        assert_eq!(compare(&changed), differs_in("f"), "another constant in an instruction");
        let deeper = of("deeper", &F.replace("no such", "no sane"), "");
        assert_eq!(compare(&deeper), differs_in("f"), "another text");
        let called = program(folder.path(), "called", F, "", "^ 7");
        assert_eq!(compare(&called), differs_in("helper"), "a function that it calls");
        assert_eq!(
            CodeComparer::default().compare(&base, &base, "g"),
            CodeMatch::Unknown,
            "no such benchmark"
        );
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn code_before_main_counts() {
        let before_main = |what: &str| {
            format!(
                "#[used] #[unsafe(link_section = \".init_array\")] static BEFORE: extern \"C\" fn() = before;
                extern \"C\" fn before() {{ std::hint::black_box({what}); }}"
            )
        };
        const F: &str = "helper(v[0])";
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, more: &str| program(folder.path(), name, F, more, "");
        let base = of("base", &before_main("1"));
        let compare = |other: &Path| CodeComparer::default().compare(&base, other, "f");
        assert_eq!(compare(&of("again", &before_main("1"))), CodeMatch::SameWithStartup);
        assert_eq!(compare(&of("other", &before_main("2"))), CodeMatch::Same);
        assert_eq!(compare(&of("none", "")), CodeMatch::Same);
        // The registration of another benchmark is ignored.
        let entry =
            "#[used] static NANOBENCH_ENTRY_g: fn(&[u64]) -> u64 = g; fn g(v: &[u64]) -> u64 { v[1] }";
        let one = before_main("&NANOBENCH_ENTRY_f") + entry;
        let too = "#[used] #[unsafe(link_section = \".init_array\")] static TOO: extern \"C\" fn() = too;
            extern \"C\" fn too() { std::hint::black_box(&NANOBENCH_ENTRY_g); }";
        let (one, two) = (of("one", &one), of("two", &(one.clone() + too)));
        assert_eq!(CodeComparer::default().compare(&one, &two, "f"), CodeMatch::SameWithStartup);
        // Statics in a linker set can be used without a reference to each.
        let collected = "#[used] #[unsafe(link_section = \"mine\")] static M: u64 = 1;
            unsafe extern \"C\" { #[link_name = \"__start_mine\"] static START: u64; }
            #[used] static USES: fn() -> u64 = uses; fn uses() -> u64 { unsafe { START } }";
        let [one, two] = ["c1", "c2"].map(|name| of(name, collected));
        assert_eq!(CodeComparer::default().compare(&one, &two, "f"), CodeMatch::Same);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn data_count() {
        let folder = tempfile::tempdir().unwrap();
        let is_same = |name: &str, f: &str, data: &str| {
            let of = |side: &str, value: &str| {
                let (f, data) = (f.replace("VALUE", value), data.replace("VALUE", value));
                program(folder.path(), &format!("{name}-{side}"), &f, &data, "")
            };
            let [base, again, changed] = [of("base", "300"), of("again", "300"), of("changed", "340")];
            let [again, changed] =
                [again, changed].map(|other| CodeComparer::default().compare(&base, &other, "f"));
            assert_eq!(again, CodeMatch::SameWithStartup, "{name}");
            changed == CodeMatch::SameWithStartup
        };
        let local =
            "thread_local! { static TL: std::cell::Cell<u64> = const { std::cell::Cell::new(VALUE) } }";
        assert!(!is_same("local", "helper(TL.get() + v[0])", local), "thread-local storage");
        let files = "static FILES: [(&str, u64); 2] = [(\"a.rs\", VALUE), (\"b.rs\", 400)];";
        let sum = "std::hint::black_box(&FILES).iter().map(|file| file.1 + v[0]).sum()";
        assert!(!is_same("files", sum, files), "no panic location");
        let by_match = "match std::hint::black_box(v[0]) { 1 => &[10_u64, 20, 30], 2 => &[20, 30, 40], 3 => &[30, 40, VALUE], \
                        4 => &[40, 50, 60], 5 => &[50, 60, 70], _ => &[60, 70, 80] }.iter().sum()";
        assert!(!is_same("match", by_match, ""), "values of a match");
        let nameless = "std::hint::black_box(&[(\"a.rs\", VALUE_u64), (\"b.rs\", 400)]).iter().map(|file| file.1 + v[0]).sum()";
        assert!(!is_same("nameless", nameless, ""), "no panic location, even without a symbol");
        let sizes = "static SIZES: [u32; 4] = [VALUE, 1, 2, 3];";
        let sum = "std::hint::black_box(&SIZES).iter().map(|size| u64::from(*size) + v[0]).sum()";
        assert!(!is_same("sizes", sum, sizes), "no offsets");
    }

    #[test]
    fn unreadable_files_are_unknown() {
        let this = Path::new(file!());
        assert_eq!(CodeComparer::default().compare(this, this, "f"), CodeMatch::Unknown);
        let nowhere = Path::new("/nowhere");
        assert_eq!(CodeComparer::default().compare(nowhere, nowhere, "f"), CodeMatch::Unknown);
    }
}
