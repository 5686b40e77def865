//! The channel of the messages: a Unix domain socket, or else loopback TCP with a one-time secret.

use crate::json::{self, Json};
use std::fmt::Display;
use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Duration;

/// The environment variable with the address: `unix:<path>` or `tcp:<address>:<port>:<secret>`.
pub const CHANNEL_VARIABLE: &str = "NANOBENCH_CHANNEL";

/// Largest message, in bytes. The listing of 10,000 benchmarks takes less than a tenth of it.
pub const MAX_MESSAGE: usize = 64 << 20;

/// A connection.
#[derive(Debug)]
pub enum Stream {
    /// A Unix domain socket.
    #[cfg(unix)]
    Unix(UnixStream),
    /// Loopback TCP.
    Tcp(TcpStream),
}

/// Evaluates an expression with either of the two streams.
macro_rules! with_stream {
    ($self:ident, $stream:ident => $value:expr) => {
        match $self {
            #[cfg(unix)]
            Stream::Unix($stream) => $value,
            Stream::Tcp($stream) => $value,
        }
    };
}

impl Stream {
    /// Limits the time that a read waits.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn set_read_timeout(&self, timeout: Option<Duration>) -> io::Result<()> {
        with_stream!(self, stream => stream.set_read_timeout(timeout))
    }

    /// Notifies the other end that nothing more will be sent. That end can still send.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn finish_sending(&self) -> io::Result<()> {
        with_stream!(self, stream => stream.shutdown(Shutdown::Write))
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        with_stream!(self, stream => stream.read(buffer))
    }
}

impl Write for Stream {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        with_stream!(self, stream => stream.write(buffer))
    }

    fn flush(&mut self) -> io::Result<()> {
        with_stream!(self, stream => stream.flush())
    }
}

/// The result of one read from a connection.
#[derive(Debug, PartialEq, Eq)]
pub enum Received<T> {
    /// A complete message.
    Message(T),
    /// More of a message that is not complete yet.
    Part,
    /// The other end has finished sending.
    End,
}

/// One end of a connection, which sends and receives messages.
#[derive(Debug)]
pub struct Channel {
    stream: BufReader<Stream>,
    /// The line that is being received. It survives a read that times out half-way.
    line: Vec<u8>,
}

impl Channel {
    /// Creates a channel over a connection.
    pub fn new(stream: Stream) -> Channel {
        Channel { stream: BufReader::new(stream), line: Vec::new() }
    }

    /// Connects to the parent at `address`, the value of [`CHANNEL_VARIABLE`].
    ///
    /// # Errors
    /// Errors of the operating system, and addresses of an unknown form.
    pub fn connect(address: &str) -> io::Result<Channel> {
        let unknown = || io::Error::new(io::ErrorKind::InvalidInput, format!("unknown address `{address}`"));
        let (kind, place) = address.split_once(':').ok_or_else(unknown)?;
        match kind {
            #[cfg(unix)]
            "unix" => Ok(Channel::new(Stream::Unix(UnixStream::connect(place)?))),
            "tcp" => {
                let (place, secret) = place.rsplit_once(':').ok_or_else(unknown)?;
                let mut stream = TcpStream::connect(place)?;
                stream.set_nodelay(true)?;
                writeln!(stream, "{secret}")?;
                Ok(Channel::new(Stream::Tcp(stream)))
            }
            _ => Err(unknown()),
        }
    }

    /// Returns the connection, to set its timeouts.
    pub fn stream(&self) -> &Stream {
        self.stream.get_ref()
    }

    /// Sends one message.
    ///
    /// # Errors
    /// Errors of the operating system.
    pub fn send(&mut self, message: &dyn Json) -> io::Result<()> {
        let line = json::to_string(message) + "\n";
        let stream = self.stream.get_mut();
        stream.write_all(line.as_bytes())?;
        stream.flush()
    }

    /// Receives one message, or `None` if the other end has finished sending.
    ///
    /// # Errors
    /// As for [`Channel::receive_part`].
    pub fn receive<T: Json>(&mut self) -> io::Result<Option<T>> {
        loop {
            match self.receive_part()? {
                Received::Message(message) => return Ok(Some(message)),
                Received::Part => {}
                Received::End => return Ok(None),
            }
        }
    }

    /// Reads once, so that the caller can check a deadline between two reads. After a timeout,
    /// another call continues with the same message.
    ///
    /// # Errors
    /// Errors of the operating system, `InvalidData` for a line that is not such a message, and
    /// `FileTooLarge` for one that is longer than [`MAX_MESSAGE`], after which nothing can be
    /// received.
    pub fn receive_part<T: Json>(&mut self) -> io::Result<Received<T>> {
        Ok(match self.read_part()? {
            Received::End => Received::End,
            Received::Part => Received::Part,
            Received::Message(line) => {
                let text = std::str::from_utf8(&line).map_err(invalid)?;
                Received::Message(json::from_str(text).map_err(invalid)?)
            }
        })
    }

    /// Reads once. Returns the line if that completes it.
    fn read_part(&mut self) -> io::Result<Received<Vec<u8>>> {
        let arrived = match self.stream.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(Received::Part),
            arrived => arrived?,
        };
        if arrived.is_empty() {
            return Ok(Received::End);
        }
        let end = arrived.iter().position(|&byte| byte == b'\n');
        let part = &arrived[..end.unwrap_or(arrived.len())];
        if self.line.len() + part.len() > MAX_MESSAGE {
            let reason = format!("it is longer than {} MiB", MAX_MESSAGE >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, reason));
        }
        self.line.extend_from_slice(part);
        let read = part.len() + usize::from(end.is_some());
        self.stream.consume(read);
        Ok(if end.is_some() { Received::Message(std::mem::take(&mut self.line)) } else { Received::Part })
    }
}

/// Returns the error of an invalid line.
fn invalid(error: impl Display) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, error.to_string())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn pair() -> (UnixStream, Channel) {
        let (here, there) = UnixStream::pair().unwrap();
        (here, Channel::new(Stream::Unix(there)))
    }

    #[test]
    fn receives_messages_and_the_end() {
        let (mut here, mut channel) = pair();
        here.write_all(b"1\n2\n3").unwrap();
        drop(here);
        assert_eq!(channel.receive::<u64>().unwrap(), Some(1));
        assert_eq!(channel.receive::<u64>().unwrap(), Some(2));
        assert_eq!(channel.receive::<u64>().unwrap(), None, "half a message is none");
    }

    #[test]
    fn goes_on_after_a_timeout_within_a_message() {
        let (mut here, mut channel) = pair();
        channel.stream().set_read_timeout(Some(Duration::from_millis(1))).unwrap();
        here.write_all(b"12").unwrap();
        assert!(channel.receive::<u64>().is_err());
        here.write_all(b"34\n").unwrap();
        assert_eq!(channel.receive::<u64>().unwrap(), Some(1234));
    }

    #[test]
    fn a_message_without_an_end_is_cut_off() {
        let (mut here, mut channel) = pair();
        let sending = std::thread::spawn(move || while here.write_all(&[b'1'; 1 << 16]).is_ok() {});
        let error = channel.receive::<u64>().unwrap_err();
        assert_eq!(
            (error.kind(), error.to_string().as_str()),
            (io::ErrorKind::FileTooLarge, "it is longer than 64 MiB")
        );
        drop(channel);
        sending.join().unwrap();
    }

    #[test]
    fn each_read_returns_to_the_caller() {
        let (mut here, mut channel) = pair();
        for byte in *b"12" {
            here.write_all(&[byte]).unwrap();
            assert_eq!(channel.receive_part::<u64>().unwrap(), Received::Part);
        }
        here.write_all(b"3\n").unwrap();
        assert_eq!(channel.receive_part().unwrap(), Received::Message(123_u64));
    }

    #[test]
    fn a_line_that_is_no_message_is_an_error_and_the_next_one_is_read() {
        let (mut here, mut channel) = pair();
        here.write_all(b"nonsense\n7\n").unwrap();
        assert_eq!(channel.receive::<u64>().unwrap_err().kind(), io::ErrorKind::InvalidData);
        assert_eq!(channel.receive::<u64>().unwrap(), Some(7));
    }
}
