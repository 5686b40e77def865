//! The listener that a harness process connects to: a Unix domain socket in a folder of the run
//! that only its owner may enter. If there are no such sockets, or the folder's path is too long
//! for one, it is loopback TCP with a one-time secret.

#[cfg(unix)]
use crate::scratch::ScratchFolder;
use nanobench::protocol::{Channel, Stream};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixListener;
#[cfg(unix)]
use std::path::PathBuf;
#[cfg(unix)]
use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicU32, Ordering},
};
#[cfg(not(target_os = "linux"))]
use std::time::Duration;

/// A listener for one connection.
#[derive(Debug)]
pub(super) struct Listener {
    address: String,
    socket: Socket,
}

#[derive(Debug)]
enum Socket {
    #[cfg(unix)]
    Unix {
        listener: UnixListener,
        path: PathBuf,
        folder: Arc<ScratchFolder>,
    },
    Tcp {
        listener: TcpListener,
        secret: String,
        strangers: Vec<Stranger>,
    },
}

/// A connection that has not sent the secret yet. It may be one of another program of this machine that
/// has found the port, and that sends nothing.
#[derive(Debug)]
struct Stranger {
    stream: TcpStream,
    /// The part of its first line that has arrived.
    line: Vec<u8>,
}

/// Longest wait for a connection until the process is checked, in ms.
#[cfg(target_os = "linux")]
const MAX_WAIT: u8 = 5;
/// Interval at which other systems check for a connection.
#[cfg(not(target_os = "linux"))]
const INTERVAL: Duration = Duration::from_micros(200);

/// The number of sockets so far.
#[cfg(unix)]
static SOCKETS: AtomicU32 = AtomicU32::new(0);

/// The folder of all sockets, while there is any session.
#[cfg(unix)]
static FOLDER: Mutex<Weak<ScratchFolder>> = Mutex::new(Weak::new());

/// Returns the folder for sockets, and makes it if it doesn't exist.
#[cfg(unix)]
fn folder() -> io::Result<Arc<ScratchFolder>> {
    let mut current = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = current.upgrade() {
        return Ok(folder);
    }
    let folder = Arc::new(ScratchFolder::create_in(&std::env::temp_dir())?);
    *current = Arc::downgrade(&folder);
    Ok(folder)
}

/// The part of a listener that its session keeps: the folder by which the next run recognises the
/// processes that a killed run has left.
#[derive(Debug)]
pub(super) struct Trace {
    #[cfg(unix)]
    _folder: Option<Arc<ScratchFolder>>,
}

impl Listener {
    /// Opens a listener.
    pub(super) fn open() -> io::Result<Listener> {
        #[cfg(unix)]
        if let Ok(listener) = Listener::open_unix() {
            return Ok(listener);
        }
        Listener::open_tcp()
    }

    #[cfg(unix)]
    fn open_unix() -> io::Result<Listener> {
        let folder = folder()?;
        let number = SOCKETS.fetch_add(1, Ordering::Relaxed);
        // All paths have the same length: that of the environment moves the stack of a benchmark.
        let path = folder.path().join(format!("{number:07}"));
        let listener = UnixListener::bind(&path)?;
        listener.set_nonblocking(true)?;
        let text =
            path.to_str().ok_or_else(|| io::Error::other("the temporary folder's name is not UTF-8"))?;
        Ok(Listener { address: format!("unix:{text}"), socket: Socket::Unix { listener, path, folder } })
    }

    fn open_tcp() -> io::Result<Listener> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        // The hash keys are random numbers of the operating system.
        let state = RandomState::new();
        let secret = format!("{:016x}{:016x}", state.hash_one(0), state.hash_one(1));
        let address = format!("tcp:{}:{secret}", listener.local_addr()?);
        Ok(Listener { address, socket: Socket::Tcp { listener, secret, strangers: Vec::new() } })
    }

    /// Returns the address, as the harness reads it from its environment.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the trace of the connection.
    pub(super) fn trace(&self) -> Trace {
        Trace {
            #[cfg(unix)]
            _folder: match &self.socket {
                Socket::Unix { folder, .. } => Some(Arc::clone(folder)),
                Socket::Tcp { .. } => None,
            },
        }
    }

    /// Waits until there may be a connection, but only for milliseconds.
    #[cfg(target_os = "linux")]
    pub(super) fn wait(&self) {
        use nix::poll::{PollFd, PollFlags, poll};
        use std::os::fd::AsFd as _;
        let socket = match &self.socket {
            Socket::Unix { listener, .. } => listener.as_fd(),
            Socket::Tcp { listener, .. } => listener.as_fd(),
        };
        // A signal may end the wait, too.
        let _ = poll(&mut [PollFd::new(socket, PollFlags::POLLIN)], MAX_WAIT);
    }

    /// Waits for a moment.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn wait(&self) {
        std::thread::sleep(INTERVAL);
    }

    /// Returns the connection if there is one.
    pub(super) fn try_accept(&mut self) -> io::Result<Option<Channel>> {
        let accepted = match &mut self.socket {
            #[cfg(unix)]
            Socket::Unix { listener, .. } => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(false)?;
                Ok(Some(Stream::Unix(stream)))
            }),
            Socket::Tcp { listener, secret, strangers } => {
                let accepted = listener.accept().and_then(|(stream, _)| {
                    stream.set_nonblocking(true)?;
                    strangers.push(Stranger { stream, line: Vec::new() });
                    Ok(())
                });
                match accepted {
                    Err(error) if error.kind() != io::ErrorKind::WouldBlock => Err(error),
                    _ => known(strangers, secret),
                }
            }
        };
        match accepted {
            Ok(stream) => Ok(stream.map(Channel::new)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns the connection that has sent the secret. Closes those that have sent something else.
fn known(strangers: &mut Vec<Stranger>, secret: &str) -> io::Result<Option<Stream>> {
    for mut stranger in std::mem::take(strangers) {
        match stranger.knows(secret) {
            None => strangers.push(stranger),
            Some(false) => {}
            Some(true) => {
                stranger.stream.set_nonblocking(false)?;
                stranger.stream.set_nodelay(true)?;
                return Ok(Some(Stream::Tcp(stranger.stream)));
            }
        }
    }
    Ok(None)
}

impl Stranger {
    /// Returns whether the other end's first line is the secret. `None` while it has not arrived.
    fn knows(&mut self, secret: &str) -> Option<bool> {
        // The bytes after the line are for the channel, so this reads one byte at a time.
        while self.line.len() <= secret.len() && self.line.last() != Some(&b'\n') {
            let mut byte = [0];
            match self.stream.read(&mut byte) {
                Ok(1) => self.line.push(byte[0]),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return None,
                _ => return Some(false),
            }
        }
        Some(self.line.trim_ascii_end() == secret.as_bytes())
    }
}

#[cfg(unix)]
impl Drop for Socket {
    fn drop(&mut self) {
        if let Socket::Unix { path, .. } = self {
            let _ = std::fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn accept(listener: &mut Listener) -> Option<Channel> {
        for _ in 0..1_000 {
            if let Some(channel) = listener.try_accept().unwrap() {
                return Some(channel);
            }
            listener.wait();
        }
        None
    }

    #[test]
    fn both_kinds_connect_and_talk() {
        for mut listener in [Listener::open().unwrap(), Listener::open_tcp().unwrap()] {
            assert!(listener.try_accept().unwrap().is_none());
            let mut child = Channel::connect(listener.address()).unwrap();
            child.send(&7_u64).unwrap();
            let mut parent = accept(&mut listener).unwrap();
            assert_eq!(parent.receive::<u64>().unwrap(), Some(7));
        }
    }

    #[test]
    fn connections_without_the_secret_neither_get_in_nor_hold_up() {
        let mut listener = Listener::open_tcp().unwrap();
        #[cfg_attr(not(unix), expect(irrefutable_let_patterns, reason = "the only kind"))]
        let Socket::Tcp { listener: socket, .. } = &listener.socket else { unreachable!() };
        let port = socket.local_addr().unwrap();
        let _silent = TcpStream::connect(port).unwrap();
        let mut intruder = TcpStream::connect(port).unwrap();
        intruder.write_all(&[b'x'; 33]).unwrap();
        for _ in 0..50 {
            assert!(listener.try_accept().unwrap().is_none());
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let mut child = Channel::connect(listener.address()).unwrap();
        child.send(&7_u64).unwrap();
        assert_eq!(accept(&mut listener).unwrap().receive::<u64>().unwrap(), Some(7));
    }
}
