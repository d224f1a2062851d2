//! The connections between the processes of a cluster.
//!
//! Each process knows the addresses of all. It connects to those before it in the list, and waits for those after it. Both sides of a
//! connection say who they are and what they are about to do, so that processes of other rules or another list do not mix.

use std::fmt;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;

use super::ClusterError;
use super::purpose::{ClusterDifference, ClusterPurpose};
use crate::util::Deadline;

/// The processes of a cluster, by their addresses, and which of them this one is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClusterHosts {
    addresses: Vec<String>,
    process: usize,
}

impl fmt::Display for ClusterHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.addresses.join(" "))
    }
}

/// What lists of addresses may not be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostsFault {
    /// There are none.
    #[error("it lists no addresses")]
    Empty,
    /// An address comes twice.
    #[error("it lists `{0}` twice")]
    Twice(String),
    /// This process is not among them.
    #[error("it lists {0} processes, numbered from 0, and there is no process {1}")]
    NoProcess(usize, usize),
}

impl ClusterHosts {
    /// The addresses in `text`, one a line, as `host:port`; empty lines and those that begin with `#` are left out.
    ///
    /// # Errors
    /// [`HostsFault`].
    pub fn new(text: &str, process: usize) -> Result<Self, HostsFault> {
        let lines = text.lines().map(str::trim);
        let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        let addresses: Vec<String> = lines.map(str::to_owned).collect();
        if addresses.is_empty() {
            return Err(HostsFault::Empty);
        }
        for (place, address) in addresses.iter().enumerate() {
            if addresses[..place].contains(address) {
                return Err(HostsFault::Twice(address.clone()));
            }
        }
        match process < addresses.len() {
            true => Ok(Self { addresses, process }),
            false => Err(HostsFault::NoProcess(addresses.len(), process)),
        }
    }

    /// How many processes there are.
    pub fn count(&self) -> usize {
        self.addresses.len()
    }

    /// The number of this one.
    pub fn process(&self) -> usize {
        self.process
    }

    /// The address of a process of the list.
    pub fn address(&self, process: usize) -> &str {
        &self.addresses[process]
    }
}

/// What both sides of a connection must have in common, and who each is.
const GREETING: &[u8; 8] = b"kolibri2";
/// Between two tries to connect.
const PAUSE: Duration = Duration::from_millis(100);
/// How long a side may take to say who it is.
const PATIENCE: Duration = Duration::from_secs(10);

/// Connects this process with all others, until `deadline` is due or `wait` has passed. `purpose` must be the same everywhere.
pub(super) fn connect(
    hosts: &ClusterHosts,
    purpose: &ClusterPurpose,
    wait: Duration,
    deadline: &Deadline,
) -> Result<Vec<Option<TcpStream>>, ClusterError> {
    let until = Instant::now() + wait;
    let mut streams: Vec<Option<TcpStream>> = (0..hosts.count()).map(|_| None).collect();
    let own = hosts.address(hosts.process);
    let listener = TcpListener::bind(own).and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok(listener)
    });
    let listener = listener.map_err(|cause| ClusterError::Listen {
        address: own.to_owned(),
        cause,
    })?;
    loop {
        for (process, stream) in streams.iter_mut().enumerate().take(hosts.process) {
            if stream.is_none() {
                *stream = call(hosts, process, purpose)?;
            }
        }
        while let Some((process, stream)) = answer(&listener, hosts, purpose)? {
            streams[process] = Some(stream);
        }
        let missing = (0..hosts.count()).find(|of| *of != hosts.process && streams[*of].is_none());
        let Some(missing) = missing else {
            return Ok(streams);
        };
        deadline.check()?;
        if Instant::now() > until {
            let address = hosts.address(missing).to_owned();
            return Err(ClusterError::Absent(missing, address));
        }
        thread::sleep(PAUSE);
    }
}

/// Connects to a process before this one in the list; nothing as long as it is not there.
fn call(
    hosts: &ClusterHosts,
    process: usize,
    purpose: &ClusterPurpose,
) -> Result<Option<TcpStream>, ClusterError> {
    let Ok(mut stream) = TcpStream::connect(hosts.address(process)) else {
        return Ok(None);
    };
    let greeted =
        greet(&mut stream, hosts.process, purpose).and_then(|()| greeting(&mut stream, purpose));
    let stranger = |why| ClusterError::Stranger(hosts.address(process).to_owned(), why);
    match greeted {
        Ok(Ok(found)) if found == process => Ok(Some(stream)),
        Ok(Ok(_)) => Err(stranger(ClusterDifference::Place)),
        Ok(Err(why)) => Err(stranger(why)),
        // It has ended meanwhile, or has not begun.
        Err(_) => Ok(None),
    }
}

/// Takes a connection from a process after this one; strangers are turned away.
fn answer(
    listener: &TcpListener,
    hosts: &ClusterHosts,
    purpose: &ClusterPurpose,
) -> Result<Option<(usize, TcpStream)>, ClusterError> {
    let Ok((mut stream, from)) = listener.accept() else {
        return Ok(None);
    };
    let greeted = stream.set_nonblocking(false).and_then(|()| {
        let found = greeting(&mut stream, purpose)?;
        greet(&mut stream, hosts.process, purpose)?;
        Ok(found)
    });
    match greeted {
        Ok(Ok(process)) if (hosts.process + 1..hosts.count()).contains(&process) => {
            Ok(Some((process, stream)))
        }
        Ok(Ok(_)) | Err(_) => Ok(None),
        Ok(Err(why)) => Err(ClusterError::Stranger(from.to_string(), why)),
    }
}

/// Says who this process is.
fn greet(stream: &mut TcpStream, process: usize, purpose: &ClusterPurpose) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let process = (process as u64).to_le_bytes();
    stream.write_all(&[&GREETING[..], purpose.bytes(), &process].concat())
}

/// Who the other side is, or in what it differs.
fn greeting(
    stream: &mut TcpStream,
    purpose: &ClusterPurpose,
) -> io::Result<Result<usize, ClusterDifference>> {
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut bytes = [0; GREETING.len() + ClusterPurpose::BYTES + 8];
    stream.read_exact(&mut bytes)?;
    stream.set_read_timeout(None)?;
    let (greeting, rest) = bytes.split_at(GREETING.len());
    let (sent, process) = rest.split_at(ClusterPurpose::BYTES);
    if greeting != GREETING {
        return Ok(Err(ClusterDifference::Program));
    }
    let mut number = [0; 8];
    number.copy_from_slice(process);
    let process = u64::from_le_bytes(number) as usize;
    Ok(purpose.difference(sent).map_or(Ok(process), Err))
}

/// The process that has ended before its time, if one has.
#[derive(Debug, Clone, Default)]
pub(super) struct LostProcess(Arc<AtomicUsize>);

impl LostProcess {
    pub(super) fn get(&self) -> Option<usize> {
        self.0.load(Ordering::Relaxed).checked_sub(1)
    }

    /// Tells it, and never returns: the threads of timely would panic, but it is for the workers to end.
    fn lose(&self, process: usize) -> ! {
        // The first that is lost is told: others end because of it.
        let told = process + 1;
        let _ = self
            .0
            .compare_exchange(0, told, Ordering::Relaxed, Ordering::Relaxed);
        loop {
            thread::park();
        }
    }
}

/// A connection that tells when the process at its other end is gone before it said so.
pub(super) struct WatchedStream {
    stream: TcpStream,
    process: usize,
    lost: LostProcess,
    reading: MessageBounds,
}

impl WatchedStream {
    pub(super) fn new(stream: TcpStream, process: usize, lost: &LostProcess) -> Self {
        Self {
            stream,
            process,
            lost: lost.clone(),
            reading: MessageBounds::default(),
        }
    }
}

/// Where the messages of timely begin and end in what was read: six numbers of eight bytes, the fifth of which is the length of what
/// follows. A message of no length is the last one.
#[derive(Debug, Default)]
struct MessageBounds {
    header: Vec<u8>,
    left: u64,
    is_over: bool,
}

const HEADER: usize = 48;
const LENGTH: std::ops::Range<usize> = 32..40;

impl MessageBounds {
    fn follow(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.left > 0 {
                let of_message = bytes
                    .len()
                    .min(usize::try_from(self.left).unwrap_or(usize::MAX));
                self.left -= of_message as u64;
                bytes = &bytes[of_message..];
                continue;
            }
            let missing = (HEADER - self.header.len()).min(bytes.len());
            self.header.extend_from_slice(&bytes[..missing]);
            bytes = &bytes[missing..];
            if self.header.len() == HEADER {
                let mut length = [0; 8];
                length.copy_from_slice(&self.header[LENGTH]);
                self.left = u64::from_be_bytes(length);
                self.is_over = self.left == 0;
                self.header.clear();
            }
        }
    }
}

impl Read for WatchedStream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(buffer) {
                Ok(0) if self.reading.is_over => return Ok(0),
                Ok(0) => self.lost.lose(self.process),
                Ok(read) => {
                    self.reading.follow(&buffer[..read]);
                    return Ok(read);
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.lost.lose(self.process),
            }
        }
    }
}

impl Write for WatchedStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Ok(written) => return Ok(written),
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => self.lost.lose(self.process),
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for WatchedStream {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(Self::new(
            self.stream.try_clone()?,
            self.process,
            &self.lost,
        ))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // Whoever is gone needs none.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_addresses_are_read() {
        let text = "# two\nhere:1\n\n there:2 \n";
        let hosts = ClusterHosts::new(text, 1).unwrap();
        assert_eq!(
            (hosts.count(), hosts.process(), hosts.address(1)),
            (2, 1, "there:2")
        );
        assert_eq!(ClusterHosts::new("# none", 0), Err(HostsFault::Empty));
        assert_eq!(ClusterHosts::new(text, 2), Err(HostsFault::NoProcess(2, 2)));
        let twice = ClusterHosts::new("a:1\na:1", 0);
        assert_eq!(twice, Err(HostsFault::Twice("a:1".to_owned())));
    }

    /// A message of timely with so many bytes, none of which tells where it ends.
    fn message(length: u64) -> Vec<u8> {
        let header = [7, 0, 1, 2, length, 3].map(u64::to_be_bytes).concat();
        [header, vec![0; length as usize]].concat()
    }

    #[test]
    fn the_last_message_is_known_however_the_bytes_come() {
        let mut bytes = [message(100), message(8), message(200)].concat();
        let before = bytes.len();
        bytes.extend([0; HEADER]);
        for step in [1, 7, 48, 1000] {
            let mut bounds = MessageBounds::default();
            let mut read = 0;
            for part in bytes.chunks(step) {
                bounds.follow(part);
                read += part.len();
                assert_eq!(bounds.is_over, read == bytes.len(), "{read} of {before}");
            }
        }
    }
}
