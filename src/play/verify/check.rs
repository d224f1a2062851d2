//! One record against its rules.

use std::fmt;
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use rayon::ThreadPoolBuilder;
use serde::Serialize;

use super::find::RecordFile;
use super::recording::Recording;
use crate::analysis::Perft;
use crate::catalog::{GameSource, Origin};
use crate::conformance::{Difference, Recorded, ReplayFault};
use crate::engine::{EngineChoice, LoadError, LoadOptions};
use crate::game::Stopped;
use crate::session::{Game, Position};
use crate::util::{Deadline, StopFlag};

/// Reads the text of a file.
pub type ReadText = fn(&Path) -> io::Result<String>;

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
    /// How the text of a record is found; it may be compressed.
    pub read_text: ReadText,
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
    fn whole(what: impl Into<String>) -> Self {
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
pub(super) fn verify_record(job: &RecordFile, budget: &VerifyBudget<'_>) -> Verification {
    let begin = Instant::now();
    let mut verification = Verification {
        file: job.record.display().to_string(),
        engine: None,
        ok: None,
        states: 0,
        difference: None,
        seconds: 0.0,
        perft_depth: None,
        note: job.skip.clone(),
    };
    if job.skip.is_none() {
        fill(&mut verification, job, budget);
    }
    verification.seconds = begin.elapsed().as_secs_f64();
    verification
}

fn fill(verification: &mut Verification, job: &RecordFile, budget: &VerifyBudget<'_>) {
    let record = match Recording::read(&job.record, budget.read_text) {
        Ok(record) => record,
        Err(fault) => return verification.fail(Mismatch::whole(fault)),
    };
    if record.skip.is_some() {
        verification.note = record.skip;
        return;
    }
    let source = match rules(job, &record) {
        Ok(source) => source,
        Err(fault) => return verification.fail(Mismatch::whole(fault)),
    };
    match Game::open(source, &budget.open) {
        Ok(game) => {
            let verifier = Verifier {
                record: &record,
                budget,
                verification,
            };
            verifier.run(&game);
        }
        Err(LoadError::Invalid(_)) if record.refuses_rules => {
            verification.ok = Some(true);
            verification.note = Some("the rules are rejected, by the recorder as well".to_owned());
        }
        Err(LoadError::Invalid(invalid)) => {
            let first = invalid.diagnostics.iter().find(|one| one.is_error());
            let first = first.map_or(String::new(), |one| format!(": {}", one.message));
            verification.fail(Mismatch::whole(format!("the rules are rejected{first}")));
        }
        Err(LoadError::Interrupted) => verification.remark("interrupted"),
        // A network that cannot be made says nothing wrong.
        Err(why @ LoadError::Propnet(_)) => verification.remark(&why.to_string()),
        Err(fault) => verification.fail(Mismatch::whole(fault.to_string())),
    }
}

/// The rules of the record: those named on the command line or beside it, else those it names itself.
fn rules(job: &RecordFile, record: &Recording) -> Result<GameSource, String> {
    let unreadable = |fault: &dyn fmt::Display| format!("its rules cannot be read: {fault}");
    match (&job.rules, &record.rules) {
        (Some(asked), _) => GameSource::find(asked).map_err(|fault| unreadable(&fault)),
        (None, Some(text)) if text.contains('(') => Ok(GameSource {
            name: "rules".to_owned(),
            text: text.clone(),
            diagnostics: Vec::new(),
            origin: Origin::File(job.record.clone()),
        }),
        (None, Some(name)) => GameSource::find(name)
            .or_else(|fault| {
                let folder = job.record.parent().unwrap_or(Path::new("."));
                GameSource::from_file(&folder.join(name)).map_err(|_| fault)
            })
            .map_err(|fault| unreadable(&fault)),
        (None, None) => Err("it does not name its rules; name them with `--rules`".to_owned()),
    }
}

impl Verification {
    fn fail(&mut self, mismatch: Mismatch) {
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
    fn run(mut self, game: &Game) {
        let opened = game.report();
        self.verification.engine = Some(opened.engine);
        if self.budget.open.engine == EngineChoice::Auto && opened.network.is_none() {
            self.verification
                .remark(&format!("{}: {}", opened.engine, opened.reason));
        }
        self.verification.ok = Some(true);
        self.compare_walks(game);
        if self.verification.ok == Some(true) {
            self.compare_perft(game);
        }
    }

    fn compare_walks(&mut self, game: &Game) {
        let end = Some(Instant::now() + self.budget.seconds);
        let deadline = &Deadline::new(end, self.budget.stop);
        let walks = &self.record.walks;
        for (number, walk) in walks.iter().enumerate() {
            let start = self.start(game, walk);
            match start.replay(walk, deadline, &mut self.verification.states) {
                Ok(()) => {}
                Err(ReplayFault::Different(difference)) => {
                    let mismatch = Mismatch::of(*difference, number + 1, walks.len());
                    return self.verification.fail(mismatch);
                }
                Err(ReplayFault::Stopped(Stopped::Fault(fault))) => {
                    return self.verification.fail(Mismatch::whole(fault.to_string()));
                }
                Err(ReplayFault::Stopped(stopped)) => return self.stopped(&stopped),
            }
        }
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
        if *stopped == Stopped::Interrupted {
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
    fn compare_perft(&mut self, game: &Game) {
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() else {
            return self.verification.remark("no thread for counting paths");
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
                return;
            }
            match game.initial().perft(&perft, &pool, depth) {
                Ok(count) if count.paths == *recorded => {
                    self.verification.perft_depth = Some(depth as usize);
                }
                Ok(count) => {
                    return self
                        .verification
                        .fail(paths_differ(depth, *recorded, count.paths));
                }
                Err(Stopped::Fault(fault)) => {
                    return self.verification.fail(Mismatch::whole(fault.to_string()));
                }
                Err(_) => return,
            }
            cost = cost.saturating_add(*recorded);
        }
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
