//! The operating system.

use memmap2::MmapMut;
use nanobench::nanobench;
use std::env;
use std::fs::{self, File, Metadata};
use std::hint::black_box;
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

/// Reading the monotonic clock.
#[nanobench(name = "Instant.now")]
fn instant() -> Instant {
    Instant::now()
}

/// Reading the clock of date and time.
#[nanobench(name = "SystemTime.now")]
fn system_time() -> SystemTime {
    SystemTime::now()
}

/// A system call that does nearly nothing: `getpid`. Windows answers it without one.
#[nanobench(name = "system call (process id)")]
fn process_id() -> u32 {
    std::process::id()
}

/// Looking up an environment variable, which copies it.
#[nanobench(name = "read an environment variable")]
fn variable() -> Option<std::ffi::OsString> {
    env::var_os(black_box("PATH"))
}

/// Reading the first byte of a file that is in memory.
#[nanobench(name = "read 1 byte of a file", setup = open_own, every = "benchmark")]
fn read_byte(file: &mut File) -> u8 {
    let mut byte = [0];
    read_start(file, &mut byte).expect("the executable can be read");
    byte[0]
}

/// Opening a file for reading and closing it.
#[nanobench(name = "open and close a file", cache = "both", setup = own_path, every = "benchmark")]
fn open(path: &mut PathBuf) {
    drop(File::open(path).expect("the executable can be read"));
}

/// Size and times of a file by its path.
#[nanobench(name = "metadata of a file", setup = own_path, every = "benchmark")]
fn metadata(path: &mut PathBuf) -> Metadata {
    fs::metadata(path).expect("the executable exists")
}

/// Writing one byte to the null device.
#[nanobench(name = "write 1 byte to the null device", setup = null_device, every = "benchmark")]
fn write_null(file: &mut File) {
    file.write_all(&[1]).expect("the null device takes all");
}

/// Sending one byte to another thread and back, by TCP on the loopback interface.
#[nanobench(name = "1 byte by TCP to a thread and back", setup = tcp_echo, every = "benchmark")]
fn loopback(stream: &mut TcpStream) -> u8 {
    let mut byte = [1];
    stream.write_all(&byte).expect("the other end answers until this one closes");
    stream.read_exact(&mut byte).expect("the other end answers each byte");
    byte[0]
}

/// Mapping 64 KiB of memory and unmapping it, without touching it.
#[nanobench(name = "map and unmap 64 KiB")]
fn map() -> usize {
    MmapMut::map_anon(black_box(64 << 10)).expect("the system maps 64 KiB").len()
}

/// The time by which a sleep of 100 us is too long.
#[nanobench(name = "sleep(100 us), the excess", manual)]
fn sleep_excess() -> Duration {
    let time = Duration::from_micros(100);
    let start = Instant::now();
    thread::sleep(time);
    start.elapsed().saturating_sub(time)
}

fn own_path() -> PathBuf {
    env::current_exe().expect("the system knows the executable")
}

fn open_own() -> File {
    File::open(own_path()).expect("the executable can be read")
}

#[cfg(unix)]
fn read_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, bytes, 0)
}

#[cfg(windows)]
fn read_start(file: &File, bytes: &mut [u8]) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, bytes, 0)
}

fn null_device() -> File {
    let path = if cfg!(windows) { "NUL" } else { "/dev/null" };
    File::options().write(true).open(path).expect("every system has a null device")
}

/// Returns a connection to a thread that sends back all it receives.
fn tcp_echo() -> TcpStream {
    let listener = TcpListener::bind("127.0.0.1:0").expect("the loopback interface has a free port");
    let address = listener.local_addr().expect("a listener has an address");
    thread::spawn(move || {
        let Ok((mut stream, _)) = listener.accept() else { return };
        let mut byte = [0];
        loop {
            match stream.read(&mut byte) {
                Ok(0) => return,
                Ok(_) if stream.write_all(&byte).is_err() => return,
                Err(error) if error.kind() != ErrorKind::Interrupted => return,
                Ok(_) | Err(_) => {}
            }
        }
    });
    let stream = TcpStream::connect(address).expect("the listener accepts");
    stream.set_nodelay(true).expect("a connection is open");
    stream
}
