//! A library for `LD_PRELOAD` that makes a system call of `cargo nanobench` fail, or kills it
//! there. `tests/e2e/faults.rs` compiles it with `rustc --crate-type cdylib`.
//!
//! `NANOBENCH_FAULT` is one of
//!
//! - `count:FILE`: changes nothing, and writes a byte to `FILE` for each call
//! - `kill:N`: kills the process before its N-th call
//! - `ERRNO:N`: its N-th call fails with this error
//! - `full:N`: from its N-th call on, all calls that need space fail
//!
//! Other programs that the tool starts are left alone.

use std::ffi::{CStr, c_char, c_int, c_long, c_uint, c_void};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

unsafe extern "C" {
    static program_invocation_short_name: *const c_char;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn getenv(name: *const c_char) -> *const c_char;
    fn getpid() -> c_int;
    fn kill(process: c_int, signal: c_int) -> c_int;
    fn syscall(number: c_long, ...) -> c_long;
    fn __errno_location() -> *mut c_int;
}

/// The next library's function of a name.
const NEXT: *mut c_void = -1_isize as *mut c_void;
const ENOSPC: c_int = 28;
const O_CREAT: c_int = 0o100;

enum Fault {
    None,
    Count(c_int),
    Kill(u64),
    Error(c_int, u64),
    Full(u64),
}

/// The fault of this process.
static FAULT: OnceLock<Fault> = OnceLock::new();
static CALLS: AtomicU64 = AtomicU64::new(0);

fn read_fault() -> Fault {
    // SAFETY: both are strings that end in a zero.
    let (program, value) = unsafe { (program_invocation_short_name, getenv(c"NANOBENCH_FAULT".as_ptr())) };
    if value.is_null() || unsafe { CStr::from_ptr(program) } != c"cargo-nanobench" {
        return Fault::None;
    }
    let value = unsafe { CStr::from_ptr(value) }.to_str().unwrap_or_default();
    let Some((what, rest)) = value.split_once(':') else { return Fault::None };
    let number = || rest.parse().expect("the number of a call");
    match what {
        "count" => {
            // SAFETY: the text ends where the variable does. The functions of this library must not
            // be called here, so this is the system call: open for appending.
            let path = unsafe { getenv(c"NANOBENCH_FAULT".as_ptr()).add("count:".len()) };
            const SYS_OPENAT: c_long = if cfg!(target_arch = "x86_64") { 257 } else { 56 };
            Fault::Count(unsafe { syscall(SYS_OPENAT, -100, path, O_CREAT | 0o2001, 0o600) } as c_int)
        }
        "kill" => Fault::Kill(number()),
        "full" => Fault::Full(number()),
        error => Fault::Error(error.parse().expect("the number of an error"), number()),
    }
}

/// Returns the error of the next call, if it fails.
fn next_error(needs_space: bool) -> Option<c_int> {
    let fault = FAULT.get_or_init(read_fault);
    if let Fault::None = fault {
        return None;
    }
    let call = CALLS.fetch_add(1, Relaxed) + 1;
    match *fault {
        Fault::None => None,
        Fault::Count(file) => {
            const SYS_WRITE: c_long = if cfg!(target_arch = "x86_64") { 1 } else { 64 };
            unsafe { syscall(SYS_WRITE, file, c".".as_ptr(), 1_usize) };
            None
        }
        Fault::Kill(at) => {
            if call == at {
                unsafe { kill(getpid(), 9) };
            }
            None
        }
        Fault::Error(error, at) => (call == at).then_some(error),
        Fault::Full(at) => (needs_space && call >= at).then_some(ENOSPC),
    }
}

/// Wraps functions of the C library that return -1 on errors.
macro_rules! wrap {
    ($($name:ident($($argument:ident: $type:ty),*) -> $result:ty, $needs_space:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $type),*) -> $result {
            if let Some(error) = next_error($needs_space) {
                unsafe { *__errno_location() = error };
                return -1;
            }
            static REAL: OnceLock<usize> = OnceLock::new();
            let name = concat!(stringify!($name), "\0").as_ptr().cast();
            let real = *REAL.get_or_init(|| unsafe { dlsym(NEXT, name) } as usize);
            let real: unsafe extern "C" fn($($type),*) -> $result = unsafe { std::mem::transmute(real) };
            unsafe { real($($argument),*) }
        }
    )*};
}

wrap! {
    open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int, flags & O_CREAT != 0;
    open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int, flags & O_CREAT != 0;
    openat(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int, flags & O_CREAT != 0;
    openat64(folder: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int, flags & O_CREAT != 0;
    // Output is no matter of the disk.
    write(file: c_int, bytes: *const c_void, size: usize) -> isize, file > 2;
    writev(file: c_int, parts: *const c_void, number: c_int) -> isize, file > 2;
    ftruncate64(file: c_int, size: i64) -> c_int, false;
    copy_file_range(from: c_int, at: *mut i64, to: c_int, to_at: *mut i64, size: usize, flags: c_uint) -> isize, true;
    sendfile64(to: c_int, from: c_int, at: *mut i64, size: usize) -> isize, true;
    fsync(file: c_int) -> c_int, false;
    fdatasync(file: c_int) -> c_int, false;
    fchmod(file: c_int, mode: c_uint) -> c_int, false;
    chmod(path: *const c_char, mode: c_uint) -> c_int, false;
    flock(file: c_int, operation: c_int) -> c_int, false;
    mkdir(path: *const c_char, mode: c_uint) -> c_int, true;
    rmdir(path: *const c_char) -> c_int, false;
    unlink(path: *const c_char) -> c_int, false;
    unlinkat(folder: c_int, path: *const c_char, flags: c_int) -> c_int, false;
    rename(from: *const c_char, to: *const c_char) -> c_int, true;
    link(from: *const c_char, to: *const c_char) -> c_int, true;
    linkat(folder: c_int, from: *const c_char, to_folder: c_int, to: *const c_char, flags: c_int) -> c_int, true;
}
