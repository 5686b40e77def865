//! A few primitives in loops by hand, with a clock of their own: what `cargo nanobench costs` should
//! find. The instructions are written down, so no compiler changes them. Linux only.
//!
//! Prints a line for each: its name, and the median of its samples in ns.

use std::arch::asm;
use std::hint::black_box;
use std::time::Instant;

/// A sample is about this long, in ns: long beside the clock.
const SAMPLE: f64 = 1_000_000.0;
const SAMPLES: usize = 101;
/// Operations of a pass, so that the loop around them is a small part.
const UNROLLED: u64 = 8;

fn main() {
    let walk = Walk::through(16 << 10);
    let mut primitives: [(&str, Box<dyn FnMut(u64)>); 4] = [
        ("multiply", Box::new(multiply)),
        ("load", Box::new(move |n| walk.load(n))),
        ("call", Box::new(call)),
        ("library", Box::new(library)),
    ];
    let passes = primitives.each_mut().map(|(_, body)| enough(body));
    let mut times = primitives.each_ref().map(|_| Vec::new());
    for _ in 0..SAMPLES {
        for (place, (_, body)) in primitives.iter_mut().enumerate() {
            times[place].push(time_of(body, passes[place]) / (passes[place] * UNROLLED) as f64);
        }
    }
    for ((name, _), times) in primitives.iter().zip(times) {
        println!("{name} {:.5}", median(times));
    }
}

/// Multiplies `8 * n` times, each time the last product by itself.
#[inline(never)]
fn multiply(n: u64) {
    let mut x: u64 = black_box(3);
    for _ in 0..n {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: it changes `x` and the flags.
        unsafe {
            asm!(".rept 8", "imul {x}, {x}", ".endr", x = inout(reg) x, options(pure, nomem, nostack));
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: it changes `x`.
        unsafe {
            asm!(".rept 8", "mul {x}, {x}, {x}", ".endr", x = inout(reg) x, options(pure, nomem, nostack));
        }
    }
    black_box(x);
}

/// A pair of cache lines, in numbers of 32 bits.
const LINES: usize = 32;

/// Numbers in memory, of which the first of each pair of cache lines is the index of the next.
struct Walk {
    numbers: Vec<u32>,
}

impl Walk {
    /// Makes a walk through that many bytes.
    fn through(bytes: usize) -> Walk {
        let mut numbers = vec![0; bytes / size_of::<u32>()];
        let places = numbers.len() / LINES;
        // A step that has no divisor in common with a power of two visits all.
        let step = places / 2 + 1;
        for place in 0..places {
            numbers[place * LINES] = ((place + step) % places * LINES) as u32;
        }
        Walk { numbers }
    }

    /// Loads `8 * n` times, each time by the index that the last load got.
    #[inline(never)]
    fn load(&self, n: u64) {
        let (mut at, start) = (0_u64, self.numbers.as_ptr());
        for _ in 0..n {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: every number that it reaches is the index of another one.
            unsafe {
                asm!(".rept 8", "mov {at:e}, dword ptr [{start} + {at}*4]", ".endr",
                    at = inout(reg) at, start = in(reg) start, options(pure, readonly, nostack));
            }
            #[cfg(target_arch = "aarch64")]
            // SAFETY: every number that it reaches is the index of another one.
            unsafe {
                asm!(".rept 8", "ldr {at:w}, [{start}, {at}, lsl #2]", ".endr",
                    at = inout(reg) at, start = in(reg) start, options(pure, readonly, nostack));
            }
        }
        black_box(at);
    }
}

/// Calls `getpid` of the kernel `8 * n` times.
#[inline(never)]
fn call(n: u64) {
    for _ in 0..n * UNROLLED {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `getpid` changes nothing but the registers that are named.
        unsafe {
            asm!("syscall", inout("rax") 39_u64 => _, out("rcx") _, out("r11") _, options(nostack));
        }
        #[cfg(target_arch = "aarch64")]
        // SAFETY: `getpid` changes nothing but the registers that are named.
        unsafe {
            asm!("svc 0", in("x8") 172_u64, out("x0") _, options(nostack));
        }
    }
}

/// Calls `getpid` through the standard library and that of C. Processors may forget the places of
/// return while in the kernel, which makes the returns of these functions slow.
#[inline(never)]
fn library(n: u64) {
    for _ in 0..n * UNROLLED {
        black_box(std::process::id());
    }
}

fn time_of(body: &mut Box<dyn FnMut(u64)>, passes: u64) -> f64 {
    let start = Instant::now();
    body(passes);
    start.elapsed().as_nanos() as f64
}

/// Returns the number of passes of a sample.
fn enough(body: &mut Box<dyn FnMut(u64)>) -> u64 {
    let mut passes = 100;
    while time_of(body, passes).min(time_of(body, passes)) < SAMPLE / 2.0 {
        passes *= 2;
    }
    passes
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
