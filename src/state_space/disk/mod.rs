//! Enumeration beyond memory: the states of a ply are sorted in files.
//!
//! Children are collected in memory, sorted, and written in runs; the runs of a ply are merged, and what an earlier ply has is left out.
//! This is breadth-first search with delayed duplicate detection (Korf, *Delayed duplicate detection*, 2003). As play can come back to a
//! state after any number of plies, all earlier plies are looked at; they are merged by and by, so that these are few files.

mod codes;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use self::codes::{CodeFile, CodeReader, CodeWriter, MergedCodes, sort};
use super::counter::StateCounter;
use super::expansion::StateExpansion;
use super::{SpaceError, SpaceOptions, SpaceTotals, StateCodec, UnfinishedSpace, canonical};
use crate::engine::Propnet;
use crate::game::{Expansion, StateMachine};
use crate::util::{SparseCheck, system_said};

/// States that were counted with the help of the disk.
#[derive(Debug)]
pub struct DiskSpace {
    /// What is known of them.
    pub totals: SpaceTotals,
    /// How many were enumerated, each of which may stand for others.
    pub classes: u64,
    /// The most bytes that files had between two plies.
    pub most_disk_bytes: u64,
}

/// Why states cannot be kept on the disk.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot keep states in `{}`: {said}", folder.display())]
pub struct DiskError {
    /// The folder.
    pub folder: PathBuf,
    /// What the system says.
    pub said: String,
}

/// Runs are merged when there are so many: each needs an open file.
const MOST_RUNS: usize = 64;
/// Runs are merged when they have so many times as many codes as states were asked for, to see whether there are more.
const MOST_REPEATED: u64 = 4;
/// A run has at least so many words, however little memory there is.
const LEAST_RUN: u64 = 1 << 12;

/// Enumerates the states of `game`, whose codes are kept in files in a folder. They take half of the memory that the states may take, and
/// no joint moves are kept.
///
/// # Errors
/// [`UnfinishedSpace`]: a budget is used up, or the disk refuses.
pub fn enumerate_on_disk(
    game: &Propnet,
    folder: &Path,
    options: &SpaceOptions<'_>,
) -> Result<DiskSpace, Box<UnfinishedSpace>> {
    let mut enumeration = DiskEnumeration {
        game,
        options,
        folder,
        codec: StateCodec::new(game),
        space: DiskSpace {
            totals: SpaceTotals::new(game.roles().len()),
            classes: 0,
            most_disk_bytes: 0,
        },
        earlier: Vec::new(),
    };
    let done = enumeration.run();
    let DiskSpace {
        mut totals,
        classes,
        most_disk_bytes,
    } = enumeration.space;
    totals.sort();
    match done {
        Ok(()) => Ok(DiskSpace {
            totals,
            classes,
            most_disk_bytes,
        }),
        Err(why) => {
            let least = match &why {
                SpaceError::MoreStates(most) => most.saturating_add(1),
                _ => 0,
            };
            let found = classes.max(totals.states).max(least);
            Err(Box::new(UnfinishedSpace { why, found, totals }))
        }
    }
}

struct DiskEnumeration<'e> {
    game: &'e Propnet,
    options: &'e SpaceOptions<'e>,
    folder: &'e Path,
    codec: StateCodec,
    space: DiskSpace,
    /// All states that were expanded, the largest file first.
    earlier: Vec<CodeFile>,
}

impl DiskEnumeration<'_> {
    fn run(&mut self) -> Result<(), SpaceError> {
        let mut layer = self.begin()?;
        while layer.codes > 0 {
            self.space.classes += layer.codes;
            let before = self.space.totals.states;
            self.space.totals.by_ply.push(layer.codes);
            self.tell(&layer);
            let runs = self.expand(&layer)?;
            if let Some(of_ply) = self.space.totals.by_ply.last_mut() {
                *of_ply = self.space.totals.states - before;
            }
            self.add_earlier(layer)?;
            let room = self.options.most_states.saturating_sub(self.space.classes);
            layer = self.merge(&runs, &self.earlier, room)?;
        }
        Ok(())
    }

    /// Tells what is known before a ply.
    fn tell(&mut self, layer: &CodeFile) {
        let earlier = self.earlier.iter().map(|file| file.codes);
        let codes = earlier.sum::<u64>() + layer.codes;
        let bytes = codes * (self.codec.code_words() * size_of::<u32>()) as u64;
        self.space.most_disk_bytes = self.space.most_disk_bytes.max(bytes);
        (self.options.on_ply)(&self.space.totals, bytes);
    }

    /// The first ply.
    fn begin(&self) -> Result<CodeFile, SpaceError> {
        let initial = canonical(self.options.symmetries.as_deref(), &self.game.initial());
        let mut code = vec![0; self.codec.code_words()];
        self.codec.encode(initial.words(), &mut code);
        self.write(&code)
    }

    /// A file of codes, which are sorted.
    fn write(&self, codes: &[u32]) -> Result<CodeFile, SpaceError> {
        let mut writer = CodeWriter::new(self.folder).map_err(|why| self.refused(why))?;
        let mut codes = codes.chunks_exact(self.codec.code_words());
        let written = codes.try_for_each(|code| writer.push(code));
        let file = written.and_then(|()| writer.finish());
        file.map_err(|why| self.refused(why))
    }

    fn refused(&self, why: io::Error) -> SpaceError {
        SpaceError::Disk(DiskError {
            folder: self.folder.to_owned(),
            said: system_said(&why),
        })
    }

    /// The children of a ply, in sorted runs.
    fn expand(&mut self, layer: &CodeFile) -> Result<Vec<CodeFile>, SpaceError> {
        let reader = CodeReader::new(layer, self.codec.code_words());
        let shared = SharedPly {
            reader: Mutex::new(reader.map_err(|why| self.refused(why))?),
            runs: Mutex::default(),
            failed: AtomicBool::new(false),
        };
        let this = &*self;
        let work = || {
            let mut worker = DiskWorker::new(this, &shared);
            let done = worker.run();
            if done.is_err() {
                shared.failed.store(true, Ordering::Relaxed);
            }
            (worker.counter.into_totals(), done)
        };
        let done = match layer.codes as usize <= this.game.batch_size() {
            true => vec![work()],
            false => this.options.pool.broadcast(|_| work()),
        };
        let runs = shared.runs.into_inner();
        let mut result = Ok(runs.unwrap_or_else(PoisonError::into_inner));
        for (totals, done) in done {
            self.space.totals.merge(&totals);
            result = result.and_then(|runs| done.map(|()| runs));
        }
        result
    }

    /// The codes of some files that `known` ones have not, each once. More than `most` end the enumeration.
    fn merge(
        &self,
        files: &[CodeFile],
        known: &[CodeFile],
        most: u64,
    ) -> Result<CodeFile, SpaceError> {
        let words = self.codec.code_words();
        let mut check = SparseCheck::new(self.options.deadline);
        let mut merged = MergedCodes::new(files, words).map_err(|why| self.refused(why))?;
        let known = known.iter().map(|file| CodeReader::new(file, words));
        let known: io::Result<Vec<CodeReader<'_>>> = known.collect();
        let mut known = known.map_err(|why| self.refused(why))?;
        let mut writer = CodeWriter::new(self.folder).map_err(|why| self.refused(why))?;
        while let Some(code) = merged.next().map_err(|why| self.refused(why))? {
            check.step(1)?;
            let mut is_known = false;
            for reader in &mut known {
                is_known = is_known || reader.has(code).map_err(|why| self.refused(why))?;
            }
            if is_known {
                continue;
            }
            if writer.codes() >= most {
                return Err(SpaceError::MoreStates(self.options.most_states));
            }
            writer.push(code).map_err(|why| self.refused(why))?;
        }
        writer.finish().map_err(|why| self.refused(why))
    }

    /// Adds a ply to the earlier ones. Each file is more than twice as large as the next one, so that there are few of them, and no state
    /// is copied often.
    fn add_earlier(&mut self, layer: CodeFile) -> Result<(), SpaceError> {
        let mut last = layer;
        while let Some(before) = self.earlier.pop_if(|before| before.codes <= 2 * last.codes) {
            last = self.merge(&[before, last], &[], self.options.most_states)?;
        }
        self.earlier.push(last);
        Ok(())
    }
}

/// What the threads that expand a ply have in common.
struct SharedPly<'p> {
    reader: Mutex<CodeReader<'p>>,
    runs: Mutex<Vec<CodeFile>>,
    failed: AtomicBool,
}

/// One thread's work on a ply.
struct DiskWorker<'w, 'e, 'p> {
    all: &'w DiskEnumeration<'e>,
    shared: &'w SharedPly<'p>,
    expansion: StateExpansion<'w>,
    counter: StateCounter,
    /// Children, packed, in no order.
    codes: Vec<u32>,
    /// So many words of them are kept in memory.
    most_words: usize,
}

impl<'w, 'e, 'p> DiskWorker<'w, 'e, 'p> {
    fn new(all: &'w DiskEnumeration<'e>, shared: &'w SharedPly<'p>) -> Self {
        let options = all.options;
        let threads = options.pool.current_num_threads() as u64;
        let words = options.most_bytes / 2 / threads / size_of::<u32>() as u64;
        let of_states = (all.codec.code_words() as u64).saturating_mul(options.most_states);
        // A run of more states than were asked for ends the enumeration: a longer one would only be sorted later.
        let words = words.min(of_states.saturating_mul(2));
        Self {
            all,
            shared,
            expansion: StateExpansion::new(all.game, options.symmetries.as_deref()),
            counter: StateCounter::new(all.game.roles().len()),
            codes: Vec::new(),
            most_words: words.max(LEAST_RUN) as usize,
        }
    }

    /// Expands states until none are left.
    fn run(&mut self) -> Result<(), SpaceError> {
        while !self.shared.failed.load(Ordering::Relaxed) && self.read()? {
            self.all.options.deadline.check()?;
            self.expansion.evaluate();
            for state in 0..self.expansion.states.len() {
                let stands_for = self.expansion.stands_for(state);
                let evaluated = &self.expansion.evaluated;
                self.counter.note(stands_for, evaluated, state, |_| 0)?;
            }
            while self.expand()? {}
        }
        self.give_run()
    }

    /// Reads the next states; says whether there are any.
    fn read(&mut self) -> Result<bool, SpaceError> {
        let states = &mut self.expansion.states;
        states.clear();
        let mut reader = locked(&self.shared.reader);
        while states.len() < self.all.game.batch_size()
            && let Some(code) = reader.current()
        {
            states.push(self.all.codec.decode(code));
            reader.advance().map_err(|why| self.all.refused(why))?;
        }
        Ok(!states.is_empty())
    }

    /// Collects some more children; says whether there are any.
    fn expand(&mut self) -> Result<bool, SpaceError> {
        let words = self.all.codec.code_words();
        if self.codes.len() + self.all.game.batch_size() * words > self.most_words {
            self.give_run()?;
        }
        let Some((states, parents)) = self.expansion.next_children() else {
            return Ok(false);
        };
        let (first, count) = (self.codes.len(), parents.len());
        self.codes.resize(first + count * words, 0);
        let codes = self.codes[first..].chunks_exact_mut(words);
        let of_state = states.len() / count;
        for (place, code) in codes.enumerate() {
            // A game without fluents has states of no words.
            let state = &states[place * of_state..][..of_state];
            self.all.codec.encode(state, code);
        }
        Ok(true)
    }

    /// Writes what was collected.
    fn give_run(&mut self) -> Result<(), SpaceError> {
        if self.codes.is_empty() {
            return Ok(());
        }
        let words = self.all.codec.code_words();
        sort(&mut self.codes, words);
        let most_states = self.all.options.most_states;
        if (self.codes.len() / words) as u64 > most_states {
            return Err(SpaceError::MoreStates(most_states));
        }
        let run = self.all.write(&self.codes)?;
        self.codes.clear();
        let mut runs = locked(&self.shared.runs);
        runs.push(run);
        let codes: u64 = runs.iter().map(|run| run.codes).sum();
        // Runs may hold the same states: merged, they tell how many there are at least.
        if runs.len() >= MOST_RUNS || codes / MOST_REPEATED > most_states {
            let merged = self.all.merge(&runs, &[], most_states)?;
            *runs = vec![merged];
        }
        Ok(())
    }
}

fn locked<T>(of: &Mutex<T>) -> MutexGuard<'_, T> {
    of.lock().unwrap_or_else(PoisonError::into_inner)
}
