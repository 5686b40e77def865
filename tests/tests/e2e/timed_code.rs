//! The functions that timed calls reach. `cargo nanobench` builds nanobench-engine without optimisation,
//! so none of them may be compiled in that crate.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

use iced_x86::{Decoder, DecoderOptions, FlowControl, Instruction, Mnemonic, OpKind};
use nanobench_tests::Fixture;
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, RelocationTarget, SymbolKind};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::Path;

/// Benchmarks of all that may run while the clock does. The name of a function whose whole code is timed
/// begins with `timed_`.
const BENCHMARKS: &str = r#"
use nanobench::{Alloc, Rng, Stopwatch, TimeControl, nanobench};
use std::hint::black_box;

#[global_allocator]
static ALLOC: Alloc = Alloc::system();

/// Leaves a copy of this executable for the test.
fn arguments() -> [u64; 1] {
    let file = std::path::Path::new(&std::env::var_os("E2E_FILES").unwrap()).join("executable");
    std::fs::copy(std::env::current_exe().unwrap(), file).unwrap();
    [1]
}

#[nanobench(args = arguments(), cache = "both", between = other)]
#[inline(never)]
fn timed_argument(n: u64) -> u64 { n.rotate_left(3) }

fn other() { black_box(1); }

#[nanobench]
#[inline(never)]
fn timed_call() -> Vec<u64> { vec![black_box(1)] }

#[nanobench(threads = [1, 2])]
#[inline(never)]
fn timed_count(count: u64) { for i in 0..count { black_box(i); } }

#[nanobench(setup = || vec![1, 2, 3], bytes = |v| v.len())]
#[inline(never)]
fn timed_setup(mut values: Vec<u64>) -> Vec<u64> { values.push(4); values }

#[nanobench]
#[inline(never)]
fn timed_control(tc: &mut TimeControl) {
    tc.pause();
    tc.resume();
    tc.exclude(|| black_box(1));
    tc.reset();
}

#[nanobench]
#[inline(never)]
fn timed_random() -> u64 {
    let mut rng = Rng::with_seed(black_box(1));
    let mut items = [1, 2, 3];
    rng.shuffle(&mut items);
    rng.next_u64() ^ u64::from(rng.bounded(7)) ^ rng.uniform01().to_bits() ^ items[0]
}

#[nanobench]
#[inline(never)]
fn timed_stopwatch() -> u64 {
    let mut watch = Stopwatch::start();
    watch.restart();
    watch.stop();
    watch.ticks()
}

#[nanobench]
async fn timed_future() -> u64 { std::future::ready(black_box(1)).await }
"#;

/// Functions that don't run while anything is timed: those of panics, of counted calls, and of the work
/// beside the clock that a `TimeControl` may have.
const UNTIMED: [&str; 4] = ["panic", "::alloc::record_", "_fail", "::SegmentHooks::"];

/// Generic functions of the standard library that are never inlined. The compiler takes them from a crate
/// that has them for the same type, which may be the engine: growing a `Vec<u64>` then takes some
/// more instructions than usual, besides the allocation.
const SHARED: [&str; 1] = ["::grow_one"];

#[test]
fn no_timed_call_reaches_unoptimised_code() {
    let fixture = Fixture::to_edit("compare");
    fixture.edit("Cargo.toml", "opt-level = 1", "opt-level = 3");
    fixture.write("benches/work.rs", BENCHMARKS);
    fixture.nanobench("--list").run().exits(0);
    let bytes = fs::read(fixture.files().join("executable")).unwrap();
    let program = Program::read(&bytes, &unoptimised(fixture.build_directory()));
    let timed: Vec<u64> = program.functions_named(|name| name.starts_with("work::timed_")).collect();
    assert!(timed.len() >= 7, "the timed functions are found: {timed:?}");
    let loops = ["::discard_results", "::keep_results"];
    let loops = program.functions_named(|name| {
        name.contains("::Bencher") && loops.iter().any(|method| name.contains(method))
    });
    let in_loops: Vec<u64> = loops.flat_map(|function| program.called_in_loops(function)).collect();
    let found = program.unoptimised_from(timed.into_iter().chain(in_loops));
    assert!(found.is_empty(), "timed code calls {found:#?}");
    // The search would find them.
    assert!(!program.unoptimised_from(program.functions_named(|name| name.starts_with("work::"))).is_empty());
}

/// Returns the symbols of the functions that were compiled in the engine's crate, in any build of it.
fn unoptimised(build_directory: &Path) -> BTreeSet<String> {
    let files = fs::read_dir(build_directory.join("release/deps")).expect("the benchmarks are built");
    let libraries = files.map(|entry| entry.expect("a file").path());
    let is_engine = |name: &str| name.starts_with("libnanobench_engine-") && name.ends_with(".rlib");
    let mut symbols = BTreeSet::new();
    for library in libraries.filter(|path| is_engine(&path.file_name().unwrap_or_default().to_string_lossy()))
    {
        let bytes = fs::read(library).expect("a library");
        let archive = ArchiveFile::parse(&*bytes).expect("an archive");
        for member in archive.members().map(|member| member.expect("a member")) {
            let Ok(file) = object::File::parse(member.data(&*bytes).expect("its bytes")) else { continue };
            let functions = file.symbols().filter(|symbol| {
                symbol.is_definition() && symbol.is_global() && symbol.kind() == SymbolKind::Text
            });
            symbols.extend(functions.map(|symbol| symbol.name().expect("a name").to_owned()));
        }
    }
    assert!(symbols.len() > 100, "the engine's functions are found: {}", symbols.len());
    symbols
}

/// An executable with symbols.
struct Program {
    functions: BTreeMap<u64, Function>,
    /// Addresses that the loader writes, by their places.
    pointers: HashMap<u64, u64>,
}

struct Function {
    name: String,
    is_unoptimised: bool,
    code: Vec<Instruction>,
}

impl Program {
    fn read(bytes: &[u8], unoptimised: &BTreeSet<String>) -> Program {
        let file = object::File::parse(bytes).expect("an executable");
        let mut functions = BTreeMap::new();
        for symbol in file.symbols().filter(|symbol| symbol.kind() == SymbolKind::Text && symbol.size() > 0) {
            let section = symbol
                .section_index()
                .and_then(|index| file.section_by_index(index).ok())
                .expect("a section");
            let code = section.data_range(symbol.address(), symbol.size()).ok().flatten().expect("its code");
            let code =
                Decoder::with_ip(64, code, symbol.address(), DecoderOptions::NONE).into_iter().collect();
            let name = symbol.name().expect("a name");
            let is_unoptimised = unoptimised.contains(name);
            let name = format!("{:#}", rustc_demangle::demangle(name));
            functions.insert(symbol.address(), Function { name, is_unoptimised, code });
        }
        let relocations = file.dynamic_relocations().into_iter().flatten();
        let absolute =
            relocations.filter(|(_, relocation)| relocation.target() == RelocationTarget::Absolute);
        let pointers = absolute.map(|(place, relocation)| (place, relocation.addend() as u64)).collect();
        Program { functions, pointers }
    }

    fn functions_named(&self, is_meant: impl Fn(&str) -> bool) -> impl Iterator<Item = u64> {
        self.functions
            .iter()
            .filter(move |(_, function)| is_meant(&function.name))
            .map(|(address, _)| *address)
    }

    /// Returns the function that an instruction calls or jumps to.
    fn target(&self, instruction: &Instruction) -> Option<u64> {
        let target = match instruction.flow_control() {
            FlowControl::Call | FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch => {
                instruction.near_branch_target()
            }
            _ if instruction.is_ip_rel_memory_operand() => {
                let place = instruction.ip_rel_memory_address();
                // A function whose address is taken may be called.
                self.pointers.get(&place).copied().unwrap_or(place)
            }
            _ => return None,
        };
        self.functions.contains_key(&target).then_some(target)
    }

    /// Returns the functions that are called in the loops of a function that don't read the clock.
    fn called_in_loops(&self, function: u64) -> Vec<u64> {
        let code = &self.functions[&function].code;
        let mut called = Vec::new();
        for (end, jump) in code.iter().enumerate() {
            let is_jump = jump.flow_control() == FlowControl::ConditionalBranch;
            let is_back =
                is_jump && jump.op0_kind() == OpKind::NearBranch64 && jump.near_branch_target() <= jump.ip();
            let Some(start) =
                code.iter().position(|first| is_back && first.ip() == jump.near_branch_target())
            else {
                continue;
            };
            let body = &code[start..=end];
            if !body.iter().any(|i| matches!(i.mnemonic(), Mnemonic::Rdtsc | Mnemonic::Rdtscp)) {
                called.extend(body.iter().filter_map(|instruction| self.target(instruction)));
            }
        }
        called
    }

    /// Returns the ways from some functions to unoptimised ones.
    fn unoptimised_from(&self, start: impl Iterator<Item = u64>) -> Vec<String> {
        let mut open: Vec<(u64, String)> = start.map(|address| (address, String::new())).collect();
        let (mut seen, mut found) = (BTreeSet::new(), Vec::new());
        while let Some((address, way)) = open.pop() {
            let function = &self.functions[&address];
            let way = format!("{way} -> {}", function.name);
            let is_allowed = UNTIMED.iter().chain(&SHARED).any(|part| function.name.contains(part));
            if !seen.insert(address) || is_allowed {
                continue;
            }
            if function.is_unoptimised {
                found.push(way);
                continue;
            }
            open.extend(function.code.iter().filter_map(|i| Some((self.target(i)?, way.clone()))));
        }
        found
    }
}
