//! Tests of the comparison with programs that rustc compiles.

use super::*;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
use std::sync::LazyLock;

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod data;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod indirect_uses;
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
mod metadata;

#[test]
fn entries_are_named_for_their_functions() {
    assert_eq!(benchmark_code::entry_symbol("sort"), "NANOBENCH_ENTRY_sort");
    assert_eq!(benchmark_code::entry_symbol("a::b::sort"), "a::b::NANOBENCH_ENTRY_sort");
}

#[test]
fn only_the_way_into_the_engine_is_of_the_library_in_place_of_another() {
    let main =
        ["nanobench_divan::main", "<nanobench_divan::runner::Divan>::run", "nanobench_divan::runner::leave"];
    assert!(main.into_iter().all(is_of_library));
    let of_benchmarks =
        ["<divan::bencher::Bencher>::bench::<u8, f>", "divan_suite::main", "divan::black_box_drop"];
    assert!(!of_benchmarks.into_iter().any(is_of_library));
}

#[test]
fn no_difference_is_named_for_the_library_that_passes_benchmarks() {
    let default = "<nanobench_criterion::criterion::Criterion as core::default::Default>::default";
    assert!(is_harness_code(default) && !is_of_library(default), "it is compared, but not named");
}

/// The folder of the toolchain.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
static SYSROOT: LazyLock<String> = LazyLock::new(|| {
    let output = std::process::Command::new("rustc").args(["--print", "sysroot"]).output().unwrap();
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
});

/// Compiles a program whose only benchmark is `f`. `more` adds items, and `helper` extends a
/// function.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn program(folder: &Path, name: &str, f: &str, more: &str, helper: &str) -> PathBuf {
    program_of(folder, name, &[f, more, helper, ""])
}

/// As [`program`], with an expression in `main`.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn program_with_main(folder: &Path, name: &str, f: &str, more: &str, main: &str) -> PathBuf {
    program_of(folder, name, &[f, more, "", main])
}

#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn program_of(folder: &Path, name: &str, parts: &[&str; 4]) -> PathBuf {
    program_linked(folder, name, parts, &[])
}

/// As [`program_of`], with more arguments for rustc.
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn program_linked(
    folder: &Path,
    name: &str,
    [f, more, helper, main]: &[&str; 4],
    arguments: &[&str],
) -> PathBuf {
    let text = format!(
        "#[used] static NANOBENCH_ENTRY_f: (&str, fn(&[u64]) -> u64) = (\"f\", f);
        {more}
        static FACTOR: u64 = 3;
        #[inline(never)] fn helper(n: u64) -> u64 {{ std::hint::black_box(n).wrapping_mul(*std::hint::black_box(&FACTOR)) {helper} }}
        fn f(v: &[u64]) -> u64 {{ {f} }}
        fn main() {{ {main}; println!(\"{{}}\", (NANOBENCH_ENTRY_f.1)(&[1, 2, 3])) }}"
    );
    let folder = folder.join(name);
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(folder.join("main.rs"), text).unwrap();
    let mut rustc = std::process::Command::new("rustc");
    // All versions have the same name, as with cargo.
    rustc.args(["-O", "--crate-name", "program", "-C", "metadata=1", "--edition", "2024", "main.rs"]);
    // Before Rust 1.90, another linker was the default.
    let lld = format!("link-arg=-B{}/lib/rustlib/x86_64-unknown-linux-gnu/bin/gcc-ld", *SYSROOT);
    rustc.args(["-C", "link-arg=-fuse-ld=lld", "-C", &lld, "-C", "link-arg=-Wl,-Map=map"]);
    // The objects remain, and the map has their whole paths.
    let program = folder.join("program");
    rustc.args(["-C", "save-temps", "-o"]).arg(&program);
    let done = rustc.args(arguments).current_dir(&folder).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    crate::relink::keep_linked_data(&program, &std::fs::read_to_string(folder.join("map")).unwrap());
    program
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
    let compare = |other: &Path| CodeComparer::default().compare(&base, other, ["f"; 2]);
    assert_eq!(compare(&base), CodeMatch::Same);
    assert_eq!(compare(&of("edited", F, unrelated)), CodeMatch::Same, "an unrelated function");
    let differs_in = |name: &str| CodeMatch::Differs(Some(format!("program::{name}")));
    let changed = of("changed", &F.replace("n / 3", "n / 5"), "");
    assert_eq!(compare(&changed), differs_in("f"), "another constant in an instruction");
    let deeper = of("deeper", &F.replace("no such", "no sane"), "");
    assert_eq!(compare(&deeper), differs_in("f"), "another text");
    let called = program(folder.path(), "called", F, "", "^ 7");
    assert_eq!(compare(&called), differs_in("helper"), "a function that it calls");
    assert_eq!(
        CodeComparer::default().compare(&base, &base, ["g"; 2]),
        CodeMatch::Unknown,
        "no such benchmark"
    );
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn a_section_beyond_the_end_of_the_file_is_damage() {
    let folder = tempfile::tempdir().unwrap();
    let base = program(folder.path(), "base", "helper(v[0])", "", "");
    let whole = std::fs::read(&base).unwrap();
    let number = |at: usize, size: usize| (0..size).rev().fold(0, |n, i| n << 8 | usize::from(whole[at + i]));
    let (headers, length, sections) = (number(0x28, 8), number(0x3a, 2), number(0x3c, 2));
    let headers = (0..sections).map(|i| headers + i * length);
    let (kind, flags, offset, size) = (4, 8, 24, 32);
    // Numbers and texts that are loaded.
    let constants: Vec<usize> =
        headers.filter(|at| (number(at + kind, 4), number(at + flags, 8)) == (1, 2)).collect();
    assert!(!constants.is_empty());
    let file = folder.path().join("damaged");
    for header in &constants {
        let mut damaged = whole.clone();
        damaged[header + size..][..8].copy_from_slice(&(1_u64 << 40).to_le_bytes());
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(CodeComparer::default().compare(&base, &file, ["f"; 2]), CodeMatch::Unknown);
    }
    // Each section has the whole file, so that together they are larger.
    let mut damaged = whole.clone();
    for header in constants {
        damaged[header + offset..][..8].fill(0);
        damaged[header + size..][..8].copy_from_slice(&whole.len().to_le_bytes());
    }
    std::fs::write(&file, damaged).unwrap();
    assert_eq!(CodeComparer::default().compare(&file, &file, ["f"; 2]), CodeMatch::Unknown);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn benchmarks_that_get_at_files_and_variables_are_known() {
    let folder = tempfile::tempdir().unwrap();
    let access = |name: &str, f: &str| {
        let more = "unsafe extern \"C\" {
                fn dlopen(name: *const u8, mode: i32) -> *mut u8;
                fn dlsym(library: *const u8, name: *const u8) -> u64;
            }
            #[inline(always)]
            fn look_up() -> u64 { unsafe { dlsym(std::ptr::null(), c\"getrandom\".as_ptr().cast()) } }
            #[unsafe(export_name = \"getrandom::backends::init\")]
            #[inline(never)]
            fn draw() -> u64 { look_up() }
            #[unsafe(export_name = \"getrandom::imp::getrandom_inner\")]
            #[inline(never)]
            fn draw_as_before() -> u64 { look_up() + 1 }
            #[used] static OPEN: fn() -> u64 = open;
            fn open() -> u64 { unsafe { dlopen(std::ptr::null(), 1) as u64 } }";
        let program = program(folder.path(), name, f, more, "");
        CodeComparer::default().access(&program, "f")
    };
    let none = Access::default();
    assert_eq!(access("plain", "helper(v[0])"), none, "another function of the program does");
    assert!(access("opens", "helper(v[0]) + std::hint::black_box(open as fn() -> u64)()").runs_files);
    let starts = "std::process::Command::new(\"tool\").status().map_or(1, |_| v[0])";
    assert!(access("starts", starts).runs_files);
    let reads = "std::fs::read(\"a\").map_or(1, |text| text.len() as u64 + v[0])";
    assert_eq!(access("reads", reads), Access { reads_files: true, ..none });
    let lists = "std::fs::read_dir(\"a\").map_or(1, |entries| entries.count() as u64 + v[0])";
    assert!(access("lists", lists).lists_folders);
    let connects = "std::net::TcpStream::connect(\"127.0.0.1:9\").map_or(1, |_| v[0])";
    assert!(access("connects", connects).calls_others);
    assert!(access("looks up", "v[0] + look_up()").calls_others);
    assert_eq!(access("draws", "v[0] + draw()"), none, "the crate getrandom looks for a function");
    assert_eq!(access("draws as before", "v[0] + draw_as_before()"), none, "getrandom 0.2");
    let locks = "*std::hint::black_box(&std::sync::Mutex::new(v[0])).lock().unwrap()";
    assert_eq!(access("locks", locks), none, "it waits by a call of the system");
    let variable = "std::env::var_os(\"A\").map_or(1, |text| text.len() as u64 + v[0])";
    assert_eq!(access("variable", variable), Access { reads_variables: true, ..none });
    let panics = "assert!(v[0] != 7, \"{}\", v[0]); v.iter().position(|&n| n == 3).unwrap() as u64";
    assert_eq!(access("panics", panics), none, "a panic reads RUST_BACKTRACE");
    let hashes = "std::collections::HashMap::from([(v[0], 1)]).len() as u64";
    assert_eq!(access("hashes", hashes), none, "random numbers of an old kernel are in a file");
    let allocates = "v.iter().map(|n| format!(\"{n:?}\")).collect::<Vec<_>>().len() as u64";
    assert_eq!(access("allocates", allocates), none);
    let starts_a_thread = "std::thread::scope(|s| s.spawn(|| v[0]).join().unwrap())";
    assert_eq!(access("thread", starts_a_thread), Access { reads_variables: true, ..none });
    let missing = CodeComparer::default().access(&folder.path().join("none"), "f");
    assert_eq!(missing, Access::UNKNOWN);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn places_of_panics_may_move() {
    const F: &str = "let i = v[0] as usize; let n = v[i]; assert!(n != 7); helper(n + v.get(i / 2).unwrap())";
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, more: &str| program(folder.path(), name, F, more, "");
    let (base, edited) = (of("base", ""), of("edited", "// More\n// lines\n// above."));
    assert_ne!(std::fs::read(&base).unwrap(), std::fs::read(&edited).unwrap());
    assert_eq!(CodeComparer::default().compare(&base, &edited, ["f"; 2]), CodeMatch::Same);
    // A line that the program uses is a number.
    let line = "let place = std::panic::Location::caller(); helper(u64::from(std::hint::black_box(place).line()) + v[0])";
    let of = |name: &str, more: &str| program(folder.path(), name, line, more, "");
    let (base, edited) = (of("line", ""), of("line-edited", "\n"));
    assert_ne!(CodeComparer::default().compare(&base, &edited, ["f"; 2]), CodeMatch::Same);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn places_of_panics_may_move_that_are_kept_until_then() {
    let folder = tempfile::tempdir().unwrap();
    let is_same = |name: &str, keep: &str, then: &str| {
        let of = |line: &str| {
            let more = format!(
                "unsafe extern \"C\" {{ safe fn checks(n: u64) -> u64; }}
                std::arch::global_asm!(\".pushsection .data.rel.ro.mine, \\\"aw\\\"; .p2align 3;
                2: .quad 3f; .quad 4; .long {line}, 5; .popsection; .pushsection .rodata; 3: .ascii \\\"a.rs\\\"; .popsection;
                .globl checks; .type checks, @function; checks: push rbx; sub rsp, 16; call {{helper}}; {keep}
                test rdi, rdi; jne 4f; add rsp, 16; pop rbx; ret; 4: {then}; 5: .size checks, . - checks\",
                helper = sym helper, fails = sym std::alloc::handle_alloc_error);"
            );
            program(folder.path(), &format!("{name}-{line}"), "helper(checks(v[0]))", &more, "")
        };
        CodeComparer::default().compare(&of("300"), &of("340"), ["f"; 2]) == CodeMatch::Same
    };
    let saved = "lea rax, [rip + 2b]; mov [rsp + 8], rax; call {helper};";
    let panics = "mov rdx, [rsp + 8]; call {fails}";
    assert!(is_same("saved", saved, panics), "on the stack");
    let chosen = "lea rax, [rip + 2b]; lea rdx, [rip + 2b]; cmp rdi, 3; cmove rdx, rax;";
    assert!(is_same("chosen", "", &format!("{chosen} call {{fails}}")), "one of two");
    let hoisted = |register: &str, function: &str| {
        let keep = format!("lea {register}, [rip + 2b]; cmp rdi, 3; je 4f; call {function};");
        is_same(&format!("{register}-{function}"), &keep, &format!("mov rdx, {register}; call {{fails}}"))
    };
    assert!(hoisted("rbx", "{helper}") && hoisted("r10", "{helper}") && hoisted("r8", "memset"));
    assert!(!hoisted("r8", "{helper}"), "an argument of another function");
    let pointed_to = "lea rax, [rip + 2b]; mov [rsp + 8], rax; lea rdi, [rsp]; call {helper};";
    assert!(!is_same("field", pointed_to, "lea rdx, [rip + 2b]; call {fails}"), "of a value");
    assert!(!is_same("address", &saved.replace("call", "lea rdi, [rsp + 8]; call"), panics), "a variable");
    assert!(!is_same("read", saved, "mov rdx, [rsp + 8]; mov eax, [rdx + 16]; call {fails}"), "as a number");
    let cleanup = |place: &str| format!("{panics}; ud2; mov rdi, {place}; call {{helper}}; ud2");
    assert!(!is_same("unwound", saved, &cleanup("[rsp + 8]")), "by a cleanup");
    let kept = "lea rbx, [rip + 2b]; call {helper};";
    assert!(!is_same("kept", kept, &cleanup("rbx").replace("[rsp + 8]", "rbx")), "by a cleanup");
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn without_the_places_of_constants_the_end_of_a_table_is_unknown() {
    const F: &str = "std::hint::black_box(TABLE).iter().map(|n| *n as u64 + v[0]).sum()";
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str, last: &str| {
        let table = format!(
            "const TABLE: &[i32] = &[7, 8, 9, 10, 11, 12, 13, 14, 15, {last}];
            #[used] static USER: fn(u64) -> u64 = user;
            #[inline(never)] fn user(n: u64) -> u64 {{ let part = &TABLE[8..]; std::hint::black_box(part).len() as u64 + n }}"
        );
        program(folder.path(), name, F, &table, "")
    };
    let (base, changed) = (of("base", "300"), of("changed", "340"));
    let compare = || CodeComparer::default().compare(&base, &changed, ["f"; 2]);
    assert_eq!(compare(), CodeMatch::Differs(Some("program::f".to_owned())));
    std::fs::remove_file(crate::relink::file_of(&base)).unwrap();
    assert_eq!(compare(), CodeMatch::Uncertain);
    std::fs::remove_file(crate::relink::file_of(&changed)).unwrap();
    assert_eq!(compare(), CodeMatch::Uncertain);
    let copy = folder.path().join("copy");
    std::fs::copy(&base, &copy).unwrap();
    let are_identical = |other: &Path| CodeComparer::default().are_identical(&base, other);
    assert_eq!([are_identical(&copy), are_identical(&changed)], [true, false]);
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
    let compare = |other: &Path| CodeComparer::default().compare(&base, other, ["f"; 2]);
    assert_eq!(compare(&of("again", &before_main("1"))), CodeMatch::Same);
    let except = CodeMatch::SameExcept(Exception::Startup);
    assert_eq!(compare(&of("other", &before_main("2"))), except);
    assert_eq!(compare(&of("none", "")), except);
    assert_eq!(compare(&of("earlier", &before_main("2").replace(".init", ".preinit"))), except);
    let twice = before_main("1")
        + "#[used] #[unsafe(link_section = \".init_array\")] static AGAIN: extern \"C\" fn() = before;";
    assert_eq!(compare(&of("twice", &twice)), except);
    let writes = |to: &str| {
        let statics = "static A: AtomicU64 = AtomicU64::new(0); static B: AtomicU64 = AtomicU64::new(0);
            #[used] static USES: fn() -> u64 = uses; fn uses() -> u64 { A.load(Relaxed) + B.load(Relaxed) }
            use std::sync::atomic::{AtomicU64, Ordering::Relaxed};";
        before_main(&format!("{to}.store(7, Relaxed)")) + statics
    };
    let writing = |name: &str, to: &str| of(name, &writes(to));
    let [one, again, other] = [("A1", "A"), ("A2", "A"), ("B", "B")].map(|(name, to)| writing(name, to));
    assert_eq!(CodeComparer::default().compare(&one, &again, ["f"; 2]), CodeMatch::Same);
    assert_eq!(CodeComparer::default().compare(&one, &other, ["f"; 2]), except, "another static");
    // So does a `main` of one's own.
    let main = "std::hint::black_box(3)";
    let with_main =
        |name: &str, value: &str| program_with_main(folder.path(), name, F, "", &main.replace('3', value));
    let [one, same, other] =
        [("main", "3"), ("same-main", "3"), ("other-main", "4")].map(|(n, v)| with_main(n, v));
    assert_eq!(CodeComparer::default().compare(&one, &same, ["f"; 2]), CodeMatch::Same);
    assert_eq!(CodeComparer::default().compare(&one, &other, ["f"; 2]), except);
    // The registration of another benchmark is ignored.
    let entry = "#[used] static NANOBENCH_ENTRY_g: fn(&[u64]) -> u64 = g; fn g(v: &[u64]) -> u64 { v[1] }";
    let one = before_main("&NANOBENCH_ENTRY_f") + entry;
    let too = "#[used] #[unsafe(link_section = \".init_array\")] static TOO: extern \"C\" fn() = too;
        extern \"C\" fn too() { std::hint::black_box(&NANOBENCH_ENTRY_g); }";
    let (one, two) = (of("one", &one), of("two", &(one.clone() + too)));
    assert_eq!(CodeComparer::default().compare(&one, &two, ["f"; 2]), CodeMatch::Same);
}

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn an_initializer_beside_the_registration_of_a_benchmark_counts() {
    let registering = |number: &str| {
        format!(
            "use std::sync::atomic::{{AtomicU64, Ordering::Relaxed}};
            #[repr(C)] struct Node<T: 'static>(&'static T, AtomicU64);
            #[used] static NODE_1: Node<(&str, fn(&[u64]) -> u64)> = Node(&NANOBENCH_ENTRY_f, AtomicU64::new(1));
            #[used] static NODE_2: Node<u64> = Node(&{number}, AtomicU64::new(2));
            #[used] static NODE_3: Node<(&str, fn(&[u64]) -> u64)> = Node(&NANOBENCH_ENTRY_f, AtomicU64::new(3));
            #[used] #[unsafe(link_section = \".init_array\")] static BEFORE: extern \"C\" fn() = before;
            extern \"C\" fn before() {{ NODE_2.1.store(7, Relaxed); }}"
        )
    };
    let folder = tempfile::tempdir().unwrap();
    let of =
        |name: &str, number: &str| program(folder.path(), name, "helper(v[0])", &registering(number), "");
    let [base, again, other] = [("base", "800"), ("again", "800"), ("other", "1200")].map(|(n, m)| of(n, m));
    let compare = |other: &Path| CodeComparer::default().compare(&base, other, ["f"; 2]);
    assert_eq!(compare(&again), CodeMatch::Same);
    assert_eq!(compare(&other), CodeMatch::SameExcept(Exception::Startup));
}

#[test]
fn addresses_of_no_program_are_unknown() {
    let mut bytes = include_bytes!("../../../../tests/fuzz/corpus/code/benchmark").to_vec();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("benchmark");
    let compared = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        CodeComparer::default().compare(&path, &path, ["f"; 2])
    };
    assert_eq!(compared(&bytes), CodeMatch::Same);
    // The address in the header of `.text`, the eighth of 64 bytes each.
    let headers = usize::try_from(u64::from_le_bytes(bytes[0x28..0x30].try_into().unwrap())).unwrap();
    bytes[headers + 8 * 64 + 16..][..8].fill(0xff);
    assert_eq!(compared(&bytes), CodeMatch::Unknown);
}

#[test]
fn unreadable_files_are_unknown() {
    let this = Path::new(file!());
    assert_eq!(CodeComparer::default().compare(this, this, ["f"; 2]), CodeMatch::Unknown);
    let nowhere = Path::new("/nowhere");
    assert_eq!(CodeComparer::default().compare(nowhere, nowhere, ["f"; 2]), CodeMatch::Unknown);
}
