//! The listener that a harness process connects to: a Unix domain socket in a fresh folder that
//! only its owner may enter. If there are no such sockets, or the folder's path is too long for
//! one, it is loopback TCP with a one-time secret.

use nanobench::protocol::{Channel, Stream};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, BufRead as _, BufReader};
use std::net::{TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixListener;
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
        _folder: tempfile::TempDir,
    },
    Tcp {
        listener: TcpListener,
        secret: String,
    },
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
        // The folder has the mode 0700.
        let folder = tempfile::Builder::new().prefix("nanobench-").tempdir()?;
        let path = folder.path().join("channel");
        let listener = UnixListener::bind(&path)?;
        listener.set_nonblocking(true)?;
        let path =
            path.to_str().ok_or_else(|| io::Error::other("the temporary folder's name is not UTF-8"))?;
        Ok(Listener { address: format!("unix:{path}"), socket: Socket::Unix { listener, _folder: folder } })
    }

    fn open_tcp() -> io::Result<Listener> {
        let listener = TcpListener::bind(("127.0.0.1", 0))?;
        listener.set_nonblocking(true)?;
        // The hash keys are random numbers of the operating system.
        let state = RandomState::new();
        let secret = format!("{:016x}{:016x}", state.hash_one(0), state.hash_one(1));
        let address = format!("tcp:{}:{secret}", listener.local_addr()?);
        Ok(Listener { address, socket: Socket::Tcp { listener, secret } })
    }

    /// Returns the address, as the harness reads it from its environment.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the connection if there is one.
    pub(super) fn try_accept(&self) -> io::Result<Option<Channel>> {
        let accepted = match &self.socket {
            #[cfg(unix)]
            Socket::Unix { listener, .. } => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(false)?;
                Ok(Some(Stream::Unix(stream)))
            }),
            Socket::Tcp { listener, secret } => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(false)?;
                stream.set_nodelay(true)?;
                Ok(knows_secret(&stream, secret).then_some(Stream::Tcp(stream)))
            }),
        };
        match accepted {
            Ok(stream) => Ok(stream.map(Channel::new)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether the other end's first line is the secret. Another program of this machine may
/// have found the port.
fn knows_secret(stream: &TcpStream, secret: &str) -> bool {
    // The bytes after the line are for the channel, so this reads one byte at a time.
    let first_line = || -> io::Result<String> {
        stream.set_read_timeout(Some(Duration::from_secs(1)))?;
        let mut line = String::new();
        BufReader::with_capacity(1, io::Read::take(stream, secret.len() as u64 + 1)).read_line(&mut line)?;
        Ok(line)
    };
    first_line().is_ok_and(|line| line.trim_end() == secret)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn accept(listener: &Listener) -> Option<Channel> {
        for _ in 0..1_000 {
            if let Some(channel) = listener.try_accept().unwrap() {
                return Some(channel);
            }
            std::thread::sleep(Duration::from_millis(1));
        }
        None
    }

    #[test]
    fn both_kinds_connect_and_talk() {
        for listener in [Listener::open().unwrap(), Listener::open_tcp().unwrap()] {
            assert!(listener.try_accept().unwrap().is_none());
            let mut child = Channel::connect(listener.address()).unwrap();
            child.send(&7_u64).unwrap();
            let mut parent = accept(&listener).unwrap();
            assert_eq!(parent.receive::<u64>().unwrap(), Some(7));
        }
    }

    #[test]
    fn a_connection_without_the_secret_is_rejected() {
        let listener = Listener::open_tcp().unwrap();
        #[cfg_attr(not(unix), expect(irrefutable_let_patterns, reason = "the only kind"))]
        let Socket::Tcp { listener: socket, .. } = &listener.socket else { unreachable!() };
        let mut intruder = TcpStream::connect(socket.local_addr().unwrap()).unwrap();
        intruder.write_all(&[b'x'; 33]).unwrap();
        for _ in 0..50 {
            assert!(listener.try_accept().unwrap().is_none());
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}
