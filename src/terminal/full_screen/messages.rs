//! What is told beside the board.

use std::io::{self, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All that was told, with escape sequences. Clones are the same.
#[derive(Debug, Clone, Default)]
pub struct Messages(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    bytes: Vec<u8>,
    /// Where begins what was told since the person answered last.
    answered: usize,
}

/// More is forgotten, the first of it.
const MOST: usize = 1 << 16;

impl Messages {
    /// All that is remembered.
    pub(super) fn all(&self) -> String {
        String::from_utf8_lossy(&self.told().bytes).into_owned()
    }

    /// What was told since the person answered last.
    pub fn news(&self) -> String {
        let told = self.told();
        String::from_utf8_lossy(&told.bytes[told.answered..]).into_owned()
    }

    /// The person answers.
    pub(super) fn answer(&self) {
        let mut told = self.told();
        if told.bytes.len() > MOST {
            let half = told.bytes.len() - MOST / 2;
            let tail = told.bytes.split_off(half);
            let line = tail.iter().position(|byte| *byte == b'\n');
            told.bytes = tail[line.map_or(0, |line| line + 1)..].to_vec();
        }
        told.answered = told.bytes.len();
    }

    fn told(&self) -> MutexGuard<'_, Told> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.told().bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
