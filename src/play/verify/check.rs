//! One record against its rules.

use std::fmt;
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::find::RecordFile;
use super::games::OpenedGames;
use super::recording::Recording;
use crate::analysis::Perft;
use crate::catalog::{GameSource, SourceError};
use crate::conformance::{Difference, Recorded, ReplayFault};
use crate::engine::{EngineChoice, LoadError, LoadOptions};
use crate::game::{Fault, Stopped};
use crate::play::{RecordRulesError, rules_of_record};
use crate::session::{Game, Position};
use crate::util::{Deadline, Expired, StopFlag};

/// How records are verified, and how much work one is worth.
pub struct VerifyBudget<'b> {
    /// How games are opened.
    pub open: LoadOptions,
    /// Raised from outside to end the work.
    pub stop: &'b StopFlag,
    /// Time for the states of one record.
    pub seconds: Duration,
    /// Time for the numbers of paths of one record.
    pub perft_seconds: Duration,
    /// Numbers of paths that take more joint moves to count are left out.
    pub perft_nodes: u64,
}

/// What came of one record.
#[derive(Debug, Serialize)]
pub struct Verification {
    /// The record.
    pub file: String,
    /// The engine that was compared with the record.
    pub engine: Option<&'static str>,
    /// Whether record and rules agree; `null` where they were not compared.
    pub ok: Option<bool>,
    /// How many states agree.
    pub states: usize,
    /// The first difference.
    pub difference: Option<Mismatch>,
    /// How long it took.
    pub seconds: f64,
    /// The greatest depth to which the numbers of paths agree.
    pub perft_depth: Option<usize>,
    /// What was left out, and why.
    pub note: Option<String>,
}

/// The first difference.
#[derive(Debug, Serialize)]
pub struct Mismatch {
    /// The number of the game in the record, where it holds several.
    playout: Option<usize>,
    ply: Option<usize>,
    what: String,
    only_recorded: Vec<String>,
    only_derived: Vec<String>,
    #[serde(skip)]
    text: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl Mismatch {
    /// A difference that belongs to no single ply.
    pub fn whole(what: impl Into<String>) -> Self {
        let what = what.into();
        Self {
            playout: None,
            ply: None,
            text: what.clone(),
            what,
            only_recorded: Vec::new(),
            only_derived: Vec::new(),
        }
    }

    fn of(difference: Difference, playout: usize, playouts: usize) -> Self {
        let several = playouts > 1;
        let place = if several {
            format!("playout {playout}: ")
        } else {
            String::new()
        };
        Self {
            playout: several.then_some(playout),
            ply: Some(difference.ply),
            text: format!("{place}{difference}"),
            what: difference.what,
            only_recorded: difference.only_recorded,
            only_derived: difference.only_derived,
        }
    }
}

/// Compares one record with its rules.
pub(super) fn verify_record(
    job: &RecordFile,
    budget: &VerifyBudget<'_>,
    games: &OpenedGames<'_>,
) -> Verification {
    let begin = Instant::now();
    let mut verification = Verification::new(job);
    if job.skip.is_none() {
        fill(&mut verification, job, budget, games);
    }
    verification.seconds = begin.elapsed().as_secs_f64();
    verification
}

fn fill(
    verification: &mut Verification,
    job: &RecordFile,
    budget: &VerifyBudget<'_>,
    games: &OpenedGames<'_>,
) {
    let record = match Recording::read(&job.record) {
        Ok(record) => record,
        Err(fault) => return verification.fail(Mismatch::whole(fault.to_string())),
    };
    if record.skip.is_some() {
        verification.note = record.skip;
        return;
    }
    let mut game = match rules(job, &record) {
        Ok(source) => games.with_rules(source),
        Err(fault) => return verification.fail(Mismatch::whole(fault.to_string())),
    };
    for is_last_try in [false, true] {
        let (opened, was_used) = games.open(&game);
        let opened = match opened {
            Ok(opened) => opened,
            Err(why) => return verification.not_opened(why, &record),
        };
        let verifier = Verifier {
            record: &record,
            budget,
            verification,
        };
        match verifier.run(opened) {
            Ok(()) => return,
            // The records before this one may have used up the engine's budget.
            Err(_) if was_used && !is_last_try => {
                *verification = Verification::new(job);
                game = games.anew(&game);
            }
            Err(fault) => return verification.fail(Mismatch::whole(fault.to_string())),
        }
    }
}

/// Why there are no rules to compare with.
#[derive(Debug, thiserror::Error)]
enum NoRules {
    #[error("its rules cannot be read: {0}")]
    Unreadable(#[from] SourceError),
    #[error("{0}; name them with `--rules`")]
    Record(#[from] RecordRulesError),
}

/// The rules of the record: those named on the command line or beside it, else those it names itself.
fn rules(job: &RecordFile, record: &Recording) -> Result<GameSource, NoRules> {
    match &job.rules {
        Some(asked) => Ok(GameSource::find(asked)?),
        None => Ok(rules_of_record(record.rules.as_deref(), &job.record)?),
    }
}

impl Verification {
    /// Nothing of this file has been compared yet.
    pub fn of(file: String) -> Self {
        Self {
            file,
            engine: None,
            ok: None,
            states: 0,
            difference: None,
            seconds: 0.0,
            perft_depth: None,
            note: None,
        }
    }

    fn new(job: &RecordFile) -> Self {
        Self {
            note: job.skip.clone(),
            ..Self::of(job.record.display().to_string())
        }
    }

    fn not_opened(&mut self, why: &LoadError, record: &Recording) {
        match why {
            LoadError::Invalid(_) if record.refuses_rules => {
                self.ok = Some(true);
                self.note = Some("the rules are rejected, by the recorder as well".to_owned());
            }
            LoadError::Invalid(invalid) => {
                let first = invalid.diagnostics.iter().find(|one| one.is_error());
                let first = first.map_or(String::new(), |one| format!(": {}", one.message));
                self.fail(Mismatch::whole(format!("the rules are rejected{first}")));
            }
            LoadError::Interrupted => self.remark("interrupted"),
            // A network that cannot be made says nothing wrong.
            LoadError::Propnet(_) => self.remark(&why.to_string()),
            fault => self.fail(Mismatch::whole(fault.to_string())),
        }
    }

    /// The file does not agree.
    pub fn fail(&mut self, mismatch: Mismatch) {
        self.ok = Some(false);
        self.difference = Some(mismatch);
    }

    fn remark(&mut self, remark: &str) {
        self.note = Some(match self.note.take() {
            Some(note) => format!("{note}; {remark}"),
            None => remark.to_owned(),
        });
    }
}

struct Verifier<'c> {
    record: &'c Recording,
    budget: &'c VerifyBudget<'c>,
    verification: &'c mut Verification,
}

impl Verifier<'_> {
    /// Fails where the engine ran out of a budget.
    fn run(mut self, game: &Game) -> Result<(), Fault> {
        let opened = game.report();
        self.verification.engine = Some(opened.engine.name());
        if self.budget.open.engine == EngineChoice::Auto && opened.network.is_none() {
            self.verification
                .remark(&format!("{}: {}", opened.engine, opened.reason));
        }
        self.verification.ok = Some(true);
        self.compare_walks(game)?;
        match self.verification.ok {
            Some(true) => self.compare_perft(game),
            _ => Ok(()),
        }
    }

    fn compare_walks(&mut self, game: &Game) -> Result<(), Fault> {
        let end = Some(Instant::now() + self.budget.seconds);
        let deadline = &Deadline::new(end, self.budget.stop);
        let walks = &self.record.walks;
        for (number, walk) in walks.iter().enumerate() {
            let start = self.start(game, walk);
            match start.replay(walk, deadline, &mut self.verification.states) {
                Ok(()) => {}
                Err(ReplayFault::Different(difference)) => {
                    let mismatch = Mismatch::of(*difference, number + 1, walks.len());
                    self.verification.fail(mismatch);
                    break;
                }
                Err(ReplayFault::Stopped(Stopped::Fault(fault))) => return Err(fault),
                Err(ReplayFault::Stopped(stopped)) => {
                    self.stopped(&stopped);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The initial state, or the first one recorded if the match may have begun there.
    fn start(&mut self, game: &Game, walk: &[Recorded]) -> Position {
        let initial = game.initial();
        let facts = walk.first().and_then(|first| first.state.as_ref());
        let Some(facts) = facts.filter(|_| self.record.starts_anywhere) else {
            return initial;
        };
        match game.position(facts) {
            Ok(state) if state != initial => {
                self.verification
                    .remark("does not start in the initial state");
                state
            }
            _ => initial,
        }
    }

    /// The states compared so far count, if there are any.
    fn stopped(&mut self, stopped: &Stopped) {
        if *stopped == Stopped::Expired(Expired::Interrupted) {
            self.verification.ok = None;
            return self.verification.remark("interrupted");
        }
        let all: usize = self.record.walks.iter().map(Vec::len).sum();
        if self.verification.states == 0 {
            let what = format!("{stopped} before the first state was compared");
            self.verification.fail(Mismatch::whole(what));
        } else {
            self.verification
                .remark(&format!("{stopped}, of {all} states"));
        }
    }

    /// Compares as many depths as the budget allows.
    fn compare_perft(&mut self, game: &Game) -> Result<(), Fault> {
        if self.record.perft.is_empty() {
            return Ok(());
        }
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() else {
            self.verification.remark("no thread for counting paths");
            return Ok(());
        };
        let end = Some(Instant::now() + self.budget.perft_seconds);
        let deadline = &Deadline::new(end, self.budget.stop);
        let perft = Perft {
            turns: false,
            deadline,
        };
        let mut cost = 0u64;
        for (recorded, depth) in self.record.perft.iter().zip(1u32..) {
            if cost > self.budget.perft_nodes {
                break;
            }
            match game.initial().perft(&perft, &pool, depth) {
                Ok(count) if count.paths == *recorded => {
                    self.verification.perft_depth = Some(depth as usize);
                }
                Ok(count) => {
                    let mismatch = paths_differ(depth, *recorded, count.paths);
                    self.verification.fail(mismatch);
                    break;
                }
                Err(Stopped::Fault(fault)) => return Err(fault),
                Err(_) => break,
            }
            cost = cost.saturating_add(*recorded);
        }
        Ok(())
    }
}

fn paths_differ(depth: u32, recorded: u64, derived: u64) -> Mismatch {
    let what = format!("the number of paths at depth {depth}");
    let (recorded, derived) = (recorded.to_string(), derived.to_string());
    Mismatch {
        playout: None,
        ply: None,
        text: format!("{what} differs; recorded: {recorded}; derived: {derived}"),
        what,
        only_recorded: vec![recorded],
        only_derived: vec![derived],
    }
}
