//! Whether what a benchmark runs is the same code in two executables, wherever it lies there.
//!
//! A function that nobody touched can truly be slower in the next build: its loops lie elsewhere, over other borders of cache
//! lines and of what the processor fetches and predicts by. That is worth knowing, and it is no reason to revert anything.
//!
//! From the entry that the attribute has left of the benchmark, all that can be reached is compared: instructions but for
//! where they point to, and what they point to, likewise, code and data. What is not understood counts as different. So
//! far, this is known of ELF executables with symbols on x86-64.

mod image;
mod libraries;
mod walk;

use image::Image;
pub(crate) use libraries::loads_its_own;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use walk::Walk;

/// What the names of entries begin with, as the attribute writes them.
const ENTRY: &str = "NANOBENCH_ENTRY_";

/// Executables that were read for comparing, so that each is read once.
#[derive(Debug, Default)]
pub(crate) struct CodeComparer {
    images: HashMap<PathBuf, Option<Image>>,
}

impl CodeComparer {
    /// How the benchmark that this function is (`module::function`, below the crate's root, by its own name), all of its rows
    /// together, in the one executable is like that in the other.
    pub(crate) fn compare(&mut self, one: &Path, other: &Path, function: &str) -> CodeMatch {
        for path in [one, other] {
            self.images.entry(path.to_owned()).or_insert_with(|| Image::read(path));
        }
        let image = |path: &Path| self.images.get(path)?.as_ref();
        let (Some(one), Some(other)) = (image(one), image(other)) else { return CodeMatch::Unknown };
        let roots = |image: &Image| image.entry(&symbol_of(function)).map(|entry| image.code_pointers(entry));
        let (Some(a), Some(b)) = (roots(one), roots(other)) else { return CodeMatch::Unknown };
        if a.is_empty() || b.is_empty() {
            return CodeMatch::Unknown;
        }
        if a.len() != b.len() {
            return CodeMatch::Differs(None);
        }
        match Walk::new(one, other).first_difference(a.into_iter().zip(b)) {
            None if start_alike(one, other) => CodeMatch::SameThroughout,
            None => CodeMatch::Same,
            Some(name) => CodeMatch::Differs(Some(name).filter(|name| !is_of_the_loop(name))),
        }
    }
}

/// How the code of a benchmark in one executable is like that in another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CodeMatch {
    /// All that it can reach is the same, and what runs before `main` is, too: nothing else registers itself there for it to call.
    SameThroughout,
    /// All that it can reach is the same.
    Same,
    /// Something is not. The function, of those that differ, that takes the fewest calls to get to; none where that is the timed loop, with all that
    /// was inlined into it.
    Differs(Option<String>),
    /// One of the two can't be read.
    Unknown,
}

/// Whether the same runs before `main` in both, in whatever order, but for what registers benchmarks.
fn start_alike(one: &Image, other: &Image) -> bool {
    let are_same = |(a, x): (&Image, u64), (b, y): (&Image, u64)| {
        Walk::new(a, b).except(ENTRY).first_difference([(x, y)].into_iter()).is_none()
    };
    // Most are the same as one before them: those that register benchmarks.
    let mut kinds: Vec<u64> = Vec::new();
    for x in one.initialisers() {
        if !kinds.iter().any(|&kind| are_same((one, kind), (one, x))) {
            kinds.push(x);
        }
    }
    let mut seen = vec![false; kinds.len()];
    let all_known = other.initialisers().all(|y| {
        let kind = kinds.iter().position(|&kind| are_same((one, kind), (other, y)));
        kind.map(|kind| seen[kind] = true).is_some()
    });
    all_known && seen.into_iter().all(|seen| seen) && !one.has_collections() && !other.has_collections()
}

/// Whether a function is nanobench's or the attribute's: what is called there is compiled into it.
fn is_of_the_loop(name: &str) -> bool {
    let begins = ["nanobench::", "<nanobench::", "core::ops::function::"];
    name.is_empty() || name.contains(ENTRY) || begins.iter().any(|begin| name.starts_with(begin))
}

/// The end of the entry's name, without the crate.
fn symbol_of(function: &str) -> String {
    match function.rsplit_once("::") {
        Some((modules, function)) => format!("{modules}::{ENTRY}{function}"),
        None => format!("{ENTRY}{function}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_named_for_their_functions() {
        assert_eq!(symbol_of("sort"), "NANOBENCH_ENTRY_sort");
        assert_eq!(symbol_of("a::b::sort"), "a::b::NANOBENCH_ENTRY_sort");
    }

    /// Compiles a program whose only benchmark is `f`, with what else there is, and what else `helper` does.
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
        // One name for all, as cargo would give them.
        rustc.args(["-O", "--crate-name", "program", "-C", "metadata=1", "--edition", "2024", "main.rs"]);
        let done = rustc.current_dir(&folder).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        folder.join("program")
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn the_same_code_is_told_from_other_code_wherever_it_lies() {
        const F: &str = "let s: u64 = v.iter().map(|n| match n % 7 { 0 => 5, 1 => helper(*n), 2 => 9, 3 => n / 3, \
                         4 => n ^ 17, 5 => 1, _ => n + 4 }).sum(); assert!(s != 1_000_003, \"no such {s}\"); s";
        let unrelated = "#[used] static G: fn(u64) -> String = g;
            #[inline(never)] fn g(n: u64) -> String { format!(\"{n} and {}\", n + 1) }";
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str, f: &str, more: &str| program(folder.path(), name, f, more, "");
        let base = of("base", F, "");
        let compare = |other: &Path| CodeComparer::default().compare(&base, other, "f");
        assert_eq!(compare(&base), CodeMatch::SameThroughout);
        assert_eq!(compare(&of("edited", F, unrelated)), CodeMatch::SameThroughout, "an unrelated function");
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
    fn what_registers_itself_before_main_may_be_what_is_called() {
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
        assert_eq!(compare(&of("again", &before_main("1"))), CodeMatch::SameThroughout);
        assert_eq!(compare(&of("other", &before_main("2"))), CodeMatch::Same);
        assert_eq!(compare(&of("none", "")), CodeMatch::Same);
        // Another benchmark registers itself, as all do.
        let entry =
            "#[used] static NANOBENCH_ENTRY_g: fn(&[u64]) -> u64 = g; fn g(v: &[u64]) -> u64 { v[1] }";
        let one = before_main("&NANOBENCH_ENTRY_f") + entry;
        let too = "#[used] #[unsafe(link_section = \".init_array\")] static TOO: extern \"C\" fn() = too;
            extern \"C\" fn too() { std::hint::black_box(&NANOBENCH_ENTRY_g); }";
        let (one, two) = (of("one", &one), of("two", &(one.clone() + too)));
        assert_eq!(CodeComparer::default().compare(&one, &two, "f"), CodeMatch::SameThroughout);
        // What is collected by the linker is named by nobody.
        let collected = "#[used] #[unsafe(link_section = \"mine\")] static M: u64 = 1;
            unsafe extern \"C\" { #[link_name = \"__start_mine\"] static START: u64; }
            #[used] static USES: fn() -> u64 = uses; fn uses() -> u64 { unsafe { START } }";
        let [one, two] = ["c1", "c2"].map(|name| of(name, collected));
        assert_eq!(CodeComparer::default().compare(&one, &two, "f"), CodeMatch::Same);
    }

    #[test]
    #[cfg(all(target_arch = "x86_64", target_os = "linux"))]
    fn what_data_hold_is_part_of_the_code() {
        let folder = tempfile::tempdir().unwrap();
        let is_same = |name: &str, f: &str, data: &str| {
            let of = |side: &str, value: &str| {
                let (f, data) = (f.replace("VALUE", value), data.replace("VALUE", value));
                program(folder.path(), &format!("{name}-{side}"), &f, &data, "")
            };
            let [base, again, changed] = [of("base", "300"), of("again", "300"), of("changed", "340")];
            let [again, changed] =
                [again, changed].map(|other| CodeComparer::default().compare(&base, &other, "f"));
            assert_eq!(again, CodeMatch::SameThroughout, "{name}");
            changed == CodeMatch::SameThroughout
        };
        let local =
            "thread_local! { static TL: std::cell::Cell<u64> = const { std::cell::Cell::new(VALUE) } }";
        assert!(!is_same("local", "helper(TL.get() + v[0])", local), "what a thread begins with");
        let files = "static FILES: [(&str, u64); 2] = [(\"a.rs\", VALUE), (\"b.rs\", 400)];";
        let sum = "std::hint::black_box(&FILES).iter().map(|file| file.1 + v[0]).sum()";
        assert!(!is_same("files", sum, files), "no place of a panic");
        let by_match = "match std::hint::black_box(v[0]) { 1 => &[10_u64, 20, 30], 2 => &[20, 30, 40], 3 => &[30, 40, VALUE], \
                        4 => &[40, 50, 60], 5 => &[50, 60, 70], _ => &[60, 70, 80] }.iter().sum()";
        assert!(!is_same("match", by_match, ""), "what a match gives");
        let nameless = "std::hint::black_box(&[(\"a.rs\", VALUE_u64), (\"b.rs\", 400)]).iter().map(|file| file.1 + v[0]).sum()";
        assert!(!is_same("nameless", nameless, ""), "nor is one without a name");
        let sizes = "static SIZES: [u32; 4] = [VALUE, 1, 2, 3];";
        let sum = "std::hint::black_box(&SIZES).iter().map(|size| u64::from(*size) + v[0]).sum()";
        assert!(!is_same("sizes", sum, sizes), "no distances");
    }

    #[test]
    fn what_can_not_be_read_is_not_known() {
        let this = Path::new(file!());
        assert_eq!(CodeComparer::default().compare(this, this, "f"), CodeMatch::Unknown);
        let nowhere = Path::new("/nowhere");
        assert_eq!(CodeComparer::default().compare(nowhere, nowhere, "f"), CodeMatch::Unknown);
    }
}
