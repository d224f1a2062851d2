//! A program that runs beside this one, and its three streams.

use std::collections::VecDeque;
use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::engine_protocol::{LongestLine, ProtocolLine, read_protocol_line};
use crate::play::PlayerProgram;
use crate::play::outside::shortened;

/// How often is looked whether a program has ended.
const TICK: Duration = Duration::from_millis(5);

/// How many lines of a program wait to be read: then it has to wait itself.
const MOST_WAITING: usize = 64;

/// All programs that run. Whoever ends this program without dropping what it holds asks [`end_programs`] to end them.
static RUNNING: Mutex<Programs> = Mutex::new(Programs {
    running: Vec::new(),
    are_ended: false,
});

/// A program until somebody has waited for its end: then its number may be that of another one.
type ProgramSlot = Mutex<Option<Child>>;

struct Programs {
    running: Vec<Weak<ProgramSlot>>,
    /// Whether no more may be started.
    are_ended: bool,
}

/// Ends all player programs at once, together with the programs that they have started, and lets no more be started: for programs
/// that are about to end without returning from what they do.
pub fn end_programs() {
    let mut programs = lock(&RUNNING);
    programs.are_ended = true;
    for child in programs
        .running
        .drain(..)
        .filter_map(|child| child.upgrade())
    {
        // Whoever holds it is about to end it.
        match child.try_lock() {
            Ok(mut child) => drop(end(&mut child)),
            Err(TryLockError::Poisoned(child)) => drop(end(&mut child.into_inner())),
            Err(TryLockError::WouldBlock) => {}
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program, from its start to its end. Dropping it ends the program and those that it has started.
pub(super) struct Process {
    child: Arc<ProgramSlot>,
    /// `None` once its input is closed.
    input: Option<Sender<String>>,
    output: Receiver<ProtocolLine>,
    notes: Arc<Mutex<ProgramNotes>>,
    /// How long it may take to end by itself.
    patience: Duration,
}

/// The last lines that a program wrote to standard error.
#[derive(Default)]
struct ProgramNotes {
    last: VecDeque<String>,
    is_complete: bool,
}

impl Process {
    pub(super) fn start(program: &PlayerProgram) -> io::Result<Self> {
        let mut command = command(program);
        let mut programs = lock(&RUNNING);
        if programs.are_ended {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let mut child = command.spawn()?;
        let streams = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(Some(child)));
        programs.running.retain(|child| child.strong_count() > 0);
        programs.running.push(Arc::downgrade(&child));
        drop(programs);
        let (input, to_write) = channel();
        // A program that writes without being read has to wait.
        let (read, output) = sync_channel(MOST_WAITING);
        let notes = Arc::<Mutex<ProgramNotes>>::default();
        if let (Some(stdin), Some(stdout), Some(stderr)) = streams {
            let (name, notes) = (program.to_string(), Arc::clone(&notes));
            thread::spawn(move || write_lines(stdin, &to_write));
            thread::spawn(move || read_lines(stdout, &read));
            thread::spawn(move || note_lines(stderr, &name, &notes));
        }
        Ok(Self {
            child,
            input: Some(input),
            output,
            notes,
            patience: Duration::from_secs(1),
        })
    }

    /// Sends a line; it is lost where the program reads no more.
    pub(super) fn send(&self, line: String) {
        if let Some(input) = &self.input {
            let _ = input.send(line);
        }
    }

    /// The next line, if it comes within that time; an error says that none comes any more.
    pub(super) fn receive(&self, time: Duration) -> Result<Option<ProtocolLine>, ProgramEnded> {
        match self.output.recv_timeout(time) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(ProgramEnded(self.how_it_ended())),
        }
    }

    /// How it ended, with the end of what it wrote to standard error.
    fn how_it_ended(&self) -> String {
        const WAIT: Duration = Duration::from_millis(500);
        let end_of_wait = Instant::now() + WAIT;
        let ended = wait_until(end_of_wait, || has_ended(&mut lock(&self.child)));
        wait_until(end_of_wait, || lock(&self.notes).is_complete);
        let status = end(&mut lock(&self.child)).filter(|_| ended);
        let how = match status {
            Some(status) => status.to_string(),
            None => "it closed its standard output".to_owned(),
        };
        let notes = self.last_notes();
        match notes.is_empty() {
            true => how,
            false => format!("{how}: {notes}"),
        }
    }

    /// The end of what it wrote to standard error.
    pub(super) fn last_notes(&self) -> String {
        let notes = lock(&self.notes);
        let lines = notes.last.iter().map(String::as_str);
        lines.collect::<Vec<_>>().join(" / ")
    }

    /// Gives it no time to end by itself when this is dropped.
    pub(super) fn end_at_once(&mut self) {
        self.patience = Duration::ZERO;
    }
}

/// No more lines come from a program: how it ended.
pub(super) struct ProgramEnded(pub(super) String);

impl Drop for Process {
    fn drop(&mut self) {
        self.input = None;
        wait_until(Instant::now() + self.patience, || {
            has_ended(&mut lock(&self.child))
        });
        end(&mut lock(&self.child));
    }
}

fn wait_until(end: Instant, mut is_so: impl FnMut() -> bool) -> bool {
    loop {
        match is_so() {
            true => return true,
            false if Instant::now() >= end => return false,
            false => thread::sleep(TICK),
        }
    }
}

fn command(program: &PlayerProgram) -> Command {
    let mut command = Command::new(program.file());
    command
        .args(program.arguments())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    if let Some(folder) = program.folder() {
        command.current_dir(folder);
    }
    // A group of its own: Ctrl-C at the terminal is for this program, which then ends the group.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Ends a program and those that it has started, and waits for its end.
fn end(child: &mut Option<Child>) -> Option<ExitStatus> {
    let mut child = child.take()?;
    kill(&mut child);
    child.wait().ok()
}

/// Whether it has ended. Nobody has waited for it then, so that its group can still be named.
#[cfg(unix)]
fn has_ended(child: &mut Option<Child>) -> bool {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    child.as_ref().is_none_or(|child| {
        let seen = waitid(WaitId::Pid(Pid::from_child(child)), options);
        !matches!(seen, Ok(None))
    })
}

#[cfg(not(unix))]
fn has_ended(child: &mut Option<Child>) -> bool {
    let child = child.as_mut();
    child.is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
}

#[cfg(unix)]
fn kill(child: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill(child: &mut Child) {
    let _ = child.kill();
}

fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if stdin.write_all((line + "\n").as_bytes()).is_err() {
            return;
        }
    }
}

fn read_lines(stdout: ChildStdout, lines: &SyncSender<ProtocolLine>) {
    let mut stdout = BufReader::new(stdout);
    while let Ok(Some(line)) = read_protocol_line(&mut stdout, LongestLine::OF_PROGRAM) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

fn note_lines(stderr: ChildStderr, name: &str, notes: &Mutex<ProgramNotes>) {
    const LONGEST: LongestLine = LongestLine(4096);
    const KEPT: usize = 3;
    let mut stderr = BufReader::new(stderr);
    while let Ok(Some(ProtocolLine::Text(line) | ProtocolLine::TooLong(line))) =
        read_protocol_line(&mut stderr, LONGEST)
    {
        tracing::info!("{name}: {line}");
        if line.trim().is_empty() {
            continue;
        }
        let mut notes = lock(notes);
        notes.last.push_back(shortened(line.trim()));
        if notes.last.len() > KEPT {
            notes.last.pop_front();
        }
    }
    lock(notes).is_complete = true;
}
