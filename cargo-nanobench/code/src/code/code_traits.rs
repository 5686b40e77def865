//! Traits of the code of a function, by which two versions of it are told apart.

use super::access::is_among;
use super::executable::Executable;
use super::explanation::CodeChange;
use super::reach::{self, is_of_harness};
use super::references::{self, Callee};
use super::symbol::Symbol;
use iced_x86::{ConditionCode, FlowControl, Instruction, Mnemonic, Register};
use std::collections::HashMap;

/// The share of a function's instructions that must have left its caller if the function was
/// inlined there.
const MIN_INLINED: f64 = 0.6;
/// Functions that allocate.
const ALLOCATORS: &str = "\
    __rustc::__rust_alloc __rustc::__rust_alloc_zeroed __rustc::__rust_realloc malloc calloc realloc \
    posix_memalign";

/// Traits of the code of a function.
#[derive(Debug)]
pub(super) struct CodeTraits {
    /// The number of instructions, without padding.
    pub(super) instructions: usize,
    /// The numbers of instructions of each kind that do a part of the work.
    working: HashMap<Mnemonic, usize>,
    allocations: usize,
    bounds_checks: usize,
    indirect_calls: usize,
    vector: usize,
    divisions: usize,
    atomics: usize,
}

impl CodeTraits {
    pub(super) fn of(executable: &Executable, code: &[Instruction]) -> CodeTraits {
        let count = |passes: &dyn Fn(&Instruction) -> bool| code.iter().filter(|i| passes(i)).count();
        let callees: Vec<Option<Callee<'_>>> =
            code.iter().map(|i| references::callee(executable, code, i)).collect();
        let calls = |passes: &dyn Fn(&str) -> bool| {
            callees.iter().flatten().filter(|callee| passes(&callee.name())).count()
        };
        let is_indirect = |(i, callee): &(&Instruction, &Option<Callee<'_>>)| {
            i.flow_control() == FlowControl::IndirectCall && callee.is_none()
        };
        let mut working = HashMap::new();
        for i in code.iter().filter(|i| is_working(i.mnemonic())) {
            *working.entry(family(i)).or_insert(0) += 1;
        }
        CodeTraits {
            instructions: count(&|i| !matches!(i.mnemonic(), Mnemonic::Nop | Mnemonic::Int3)),
            working,
            allocations: calls(&|name| is_among(ALLOCATORS, name) || name.contains("RawVec")),
            bounds_checks: calls(&|name| {
                name.contains("panic_bounds_check") || name.contains("slice") && name.ends_with("_fail")
            }),
            indirect_calls: code.iter().zip(&callees).filter(is_indirect).count(),
            vector: count(&is_vector),
            divisions: count(&is_division),
            atomics: count(&|i| i.has_lock_prefix() || i.mnemonic() == Mnemonic::Mfence),
        }
    }

    /// Returns the changes of these traits.
    pub(super) fn changes_to(&self, now: &CodeTraits) -> Vec<CodeChange> {
        use CodeChange as C;
        let pairs = [
            (self.allocations.min(1), now.allocations.min(1), C::Allocates, C::NoLongerAllocates),
            (self.bounds_checks, now.bounds_checks, C::MoreBoundsChecks, C::FewerBoundsChecks),
            (self.indirect_calls, now.indirect_calls, C::MoreIndirectCalls, C::FewerIndirectCalls),
            (self.vector.min(1), now.vector.min(1), C::NowVectorised, C::NoLongerVectorised),
            (self.divisions, now.divisions, C::MoreDivisions, C::FewerDivisions),
            (self.atomics, now.atomics, C::MoreAtomics, C::FewerAtomics),
        ];
        let changed = pairs.into_iter().filter(|(before, now, ..)| before != now);
        changed.map(|(before, now, more, fewer)| if now > before { more } else { fewer }).collect()
    }

    /// Returns whether instructions of `callee` are here, but not in another version of this
    /// function, so that it seems to have been inlined.
    pub(super) fn has_lost(&self, now: &CodeTraits, callee: &CodeTraits) -> bool {
        let of = |code: &CodeTraits, kind: &Mnemonic| code.working.get(kind).copied().unwrap_or(0);
        let all: usize = callee.working.values().sum();
        let lost =
            |(kind, number): (&Mnemonic, &usize)| of(self, kind).saturating_sub(of(now, kind)).min(*number);
        let found: usize = callee.working.iter().map(lost).sum();
        all > 0 && found as f64 >= MIN_INLINED * all as f64
    }
}

/// Returns whether an instruction does a part of the work, rather than moving values and control.
fn is_working(mnemonic: Mnemonic) -> bool {
    use Mnemonic::{Call, Endbr64, Int3, Jmp, Mov, Nop, Pop, Push, Ret, Ud2};
    !matches!(mnemonic, Call | Endbr64 | Int3 | Jmp | Mov | Nop | Pop | Push | Ret | Ud2)
}

/// Returns the mnemonic of an instruction, and one for all conditions of a jump, a move or a setting.
fn family(instruction: &Instruction) -> Mnemonic {
    match (instruction.condition_code(), instruction.op_count()) {
        (ConditionCode::None, _) => instruction.mnemonic(),
        _ if instruction.flow_control() == FlowControl::ConditionalBranch => Mnemonic::Je,
        (_, 1) => Mnemonic::Sete,
        _ => Mnemonic::Cmove,
    }
}

/// Returns whether an instruction computes several values at once.
fn is_vector(instruction: &Instruction) -> bool {
    let name = format!("{:?}", instruction.mnemonic());
    let is_move = name.contains("Mov");
    let is_packed =
        name.ends_with("ps") || name.ends_with("pd") || name.starts_with('P') || name.starts_with("Vp");
    let registers = (0..instruction.op_count()).map(|operand| instruction.op_register(operand));
    let mut vectors =
        registers.filter(|register| *register != Register::None && register.is_vector_register());
    // `pxor xmm0, xmm0` sets a register to zero, as for a single number.
    is_packed && !is_move && !matches!(name.as_str(), "Pxor" | "Xorps" | "Xorpd") && vectors.next().is_some()
}

fn is_division(instruction: &Instruction) -> bool {
    let name = format!("{:?}", instruction.mnemonic());
    ["Div", "Idiv", "Vdiv", "Sqrt"].iter().any(|start| name.starts_with(start))
}

/// The functions that a function refers to, each once, with their names.
pub(super) struct Calls(pub(super) Vec<(String, Option<Symbol>)>);

impl Calls {
    pub(super) fn of(executable: &Executable, code: &[Instruction]) -> Calls {
        let mut found: Vec<(String, Option<Symbol>)> = Vec::new();
        let mut add = |callee: Callee<'_>| {
            let name = callee.name();
            let symbol = match callee {
                Callee::Function(symbol) if reach::fails(symbol) => return,
                Callee::Function(symbol) => Some(symbol.clone()),
                Callee::Library(_) => None,
            };
            if !is_of_harness(&name) && !found.iter().any(|(other, _)| *other == name) {
                found.push((name, symbol));
            }
        };
        for i in code {
            if let Some(callee) = references::callee(executable, code, i) {
                add(callee);
            }
            let own = code.first().map_or(0, Instruction::ip)..=code.last().map_or(0, Instruction::ip);
            let targets = references::referenced(executable, i).into_iter();
            let outside = targets.filter(|target| !own.contains(target));
            outside.filter_map(|target| executable.symbol(target)).map(Callee::Function).for_each(&mut add);
        }
        Calls(found)
    }
}

/// Returns whether a function is called to allocate, or comes with that.
pub(super) fn is_of_allocator(name: &str) -> bool {
    name.starts_with("__rustc::__r")
        || ["free", "malloc", "calloc", "realloc"].contains(&name)
        || name == "_Unwind_Resume"
}
