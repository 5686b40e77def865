//! The addresses that instructions refer to relative to their own.

use iced_x86::{Decoder, DecoderOptions, Instruction};
use std::panic::resume_unwind;
use std::thread;

/// A part of the code: its address and its bytes.
pub(super) type CodePart<'a> = (u64, &'a [u8]);

/// Returns the addresses that the instructions in these parts refer to, in any order. A thread of its own
/// decodes one half of the parts: the code of a megabyte takes 5 ms.
pub(super) fn addresses([first, second]: &[Vec<CodePart<'_>>; 2]) -> Vec<u64> {
    thread::scope(|scope| {
        let beside = thread::Builder::new().spawn_scoped(scope, || addresses_in(second));
        let mut addresses = addresses_in(first);
        addresses.extend(match beside {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            // The system allows no more threads.
            Err(_) => addresses_in(second),
        });
        addresses
    })
}

fn addresses_in(parts: &[CodePart<'_>]) -> Vec<u64> {
    let instructions =
        parts.iter().flat_map(|(address, code)| Decoder::with_ip(64, code, *address, DecoderOptions::NONE));
    let relative = instructions.filter(Instruction::is_ip_rel_memory_operand);
    relative.map(|instruction| instruction.ip_rel_memory_address()).collect()
}
