//! One record against its rules.

use std::fmt;
use std::path::Path;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use serde::Serialize;

use crate::analysis::Perft;
use crate::catalog::{GameSource, Origin};
use crate::cli::commands::verify::find::Job;
use crate::cli::commands::verify::record::Record;
use crate::cli::seconds::Seconds;
use crate::conformance::{Difference, Recorded, ReplayFault, replay};
use crate::engine::{EngineChoice, LoadError, LoadOptions, LoadReport, Visit, open};
use crate::game::{Engine, StateMachine, Stopped};
use crate::util::{Deadline, StopFlag};

/// How much work one record is worth.
pub(super) struct Budget<'b> {
    pub(super) open: LoadOptions,
    pub(super) stop: &'b StopFlag,
    pub(super) seconds: Seconds,
    pub(super) perft_seconds: Seconds,
    pub(super) perft_nodes: u64,
}

/// What came of one record.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    pub(super) file: String,
    /// The engine that was compared with the record.
    pub(super) engine: Option<&'static str>,
    /// Whether record and rules agree; `null` where they were not compared.
    pub(super) ok: Option<bool>,
    /// How many states agree.
    pub(super) states: usize,
    pub(super) difference: Option<Finding>,
    pub(super) seconds: f64,
    /// The greatest depth to which the numbers of paths agree.
    pub(super) perft_depth: Option<usize>,
    /// What was left out, and why.
    pub(super) note: Option<String>,
}

/// The first difference.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    /// The number of the game in the record, where it holds several.
    playout: Option<usize>,
    ply: Option<usize>,
    what: String,
    only_recorded: Vec<String>,
    only_derived: Vec<String>,
    #[serde(skip)]
    told: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.told)
    }
}

impl Finding {
    fn whole(what: impl Into<String>) -> Self {
        let what = what.into();
        Self {
            playout: None,
            ply: None,
            told: what.clone(),
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
            told: format!("{place}{difference}"),
            what: difference.what,
            only_recorded: difference.only_recorded,
            only_derived: difference.only_derived,
        }
    }
}

/// Compares one record with its rules.
pub(super) fn compare(job: &Job, budget: &Budget<'_>) -> Verdict {
    let begin = Instant::now();
    let mut verdict = Verdict {
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
        fill(&mut verdict, job, budget);
    }
    verdict.seconds = begin.elapsed().as_secs_f64();
    verdict
}

fn fill(verdict: &mut Verdict, job: &Job, budget: &Budget<'_>) {
    let record = match Record::read(&job.record) {
        Ok(record) => record,
        Err(fault) => return verdict.fail(Finding::whole(fault)),
    };
    if record.skip.is_some() {
        verdict.note = record.skip;
        return;
    }
    let source = match rules(job, &record) {
        Ok(source) => source,
        Err(fault) => return verdict.fail(Finding::whole(fault)),
    };
    let comparison = Comparison {
        record: &record,
        budget,
        verdict,
    };
    match open(&source, budget.open.clone(), comparison) {
        Ok(()) => {}
        Err(LoadError::Invalid(_)) if record.refuses_rules => {
            verdict.ok = Some(true);
            verdict.note = Some("the rules are rejected, by the recorder as well".to_owned());
        }
        Err(LoadError::Invalid(invalid)) => {
            let first = invalid.diagnostics.iter().find(|one| one.is_error());
            let first = first.map_or(String::new(), |one| format!(": {}", one.message));
            verdict.fail(Finding::whole(format!("the rules are rejected{first}")));
        }
        Err(LoadError::Interrupted) => verdict.remark("interrupted"),
        // A network that cannot be made says nothing wrong.
        Err(why @ LoadError::Propnet(_)) => verdict.remark(&why.to_string()),
        Err(fault) => verdict.fail(Finding::whole(fault.to_string())),
    }
}

/// The rules of the record: those named on the command line or beside it, else those it names itself.
fn rules(job: &Job, record: &Record) -> Result<GameSource, String> {
    let told = |fault: &dyn fmt::Display| format!("its rules cannot be read: {fault}");
    match (&job.rules, &record.rules) {
        (Some(asked), _) => GameSource::find(asked).map_err(|fault| told(&fault)),
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
            .map_err(|fault| told(&fault)),
        (None, None) => Err("it does not name its rules; name them with `--rules`".to_owned()),
    }
}

impl Verdict {
    fn fail(&mut self, finding: Finding) {
        self.ok = Some(false);
        self.difference = Some(finding);
    }

    fn remark(&mut self, remark: &str) {
        self.note = Some(match self.note.take() {
            Some(note) => format!("{note}; {remark}"),
            None => remark.to_owned(),
        });
    }
}

struct Comparison<'c> {
    record: &'c Record,
    budget: &'c Budget<'c>,
    verdict: &'c mut Verdict,
}

impl Visit for Comparison<'_> {
    type Output = ();

    fn visit<G: Engine>(mut self, game: &G, opened: &LoadReport) {
        self.verdict.engine = Some(opened.engine);
        if self.budget.open.engine == EngineChoice::Auto && opened.network.is_none() {
            self.verdict
                .remark(&format!("{}: {}", opened.engine, opened.reason));
        }
        self.verdict.ok = Some(true);
        self.compare_walks(game);
        if self.verdict.ok == Some(true) {
            self.compare_perft(game);
        }
    }
}

impl Comparison<'_> {
    fn compare_walks<G: StateMachine>(&mut self, game: &G) {
        let deadline = &Deadline::new(
            Some(Instant::now() + self.budget.seconds.duration()),
            self.budget.stop,
        );
        let walks = &self.record.walks;
        for (number, walk) in walks.iter().enumerate() {
            let start = self.start(game, walk);
            match replay(game, start, walk, deadline, &mut self.verdict.states) {
                Ok(()) => {}
                Err(ReplayFault::Different(difference)) => {
                    let finding = Finding::of(*difference, number + 1, walks.len());
                    return self.verdict.fail(finding);
                }
                Err(ReplayFault::Stopped(Stopped::Fault(fault))) => {
                    return self.verdict.fail(Finding::whole(fault.to_string()));
                }
                Err(ReplayFault::Stopped(stopped)) => return self.stopped(&stopped),
            }
        }
    }

    /// The initial state, or the first one recorded if the match may have begun there.
    fn start<G: StateMachine>(&mut self, game: &G, walk: &[Recorded]) -> G::State {
        let initial = game.initial();
        let facts = walk.first().and_then(|first| first.state.as_ref());
        let Some(facts) = facts.filter(|_| self.record.starts_anywhere) else {
            return initial;
        };
        match game.state_from_text(facts) {
            Ok(state) if state != initial => {
                self.verdict.remark("does not start in the initial state");
                state
            }
            _ => initial,
        }
    }

    /// The states compared so far count, if there are any.
    fn stopped(&mut self, stopped: &Stopped) {
        if *stopped == Stopped::Interrupted {
            self.verdict.ok = None;
            return self.verdict.remark("interrupted");
        }
        let all: usize = self.record.walks.iter().map(Vec::len).sum();
        if self.verdict.states == 0 {
            let what = format!("{stopped} before the first state was compared");
            self.verdict.fail(Finding::whole(what));
        } else {
            self.verdict.remark(&format!("{stopped}, of {all} states"));
        }
    }

    /// Compares as many depths as the budget allows.
    fn compare_perft<G: Engine>(&mut self, game: &G) {
        let Ok(pool) = ThreadPoolBuilder::new().num_threads(1).build() else {
            return self.verdict.remark("no thread for counting paths");
        };
        let deadline = &Deadline::new(
            Some(Instant::now() + self.budget.perft_seconds.duration()),
            self.budget.stop,
        );
        let perft = Perft {
            turns: false,
            deadline,
        };
        let mut cost = 0u64;
        for (recorded, depth) in self.record.perft.iter().zip(1u32..) {
            if cost > self.budget.perft_nodes {
                return;
            }
            match perft.count(&pool, game, &game.initial(), depth) {
                Ok(count) if count.paths == *recorded => {
                    self.verdict.perft_depth = Some(depth as usize);
                }
                Ok(count) => {
                    return self
                        .verdict
                        .fail(paths_differ(depth, *recorded, count.paths));
                }
                Err(Stopped::Fault(fault)) => {
                    return self.verdict.fail(Finding::whole(fault.to_string()));
                }
                Err(_) => return,
            }
            cost = cost.saturating_add(*recorded);
        }
    }
}

fn paths_differ(depth: u32, recorded: u64, derived: u64) -> Finding {
    let what = format!("the number of paths at depth {depth}");
    let (recorded, derived) = (recorded.to_string(), derived.to_string());
    Finding {
        playout: None,
        ply: None,
        told: format!("{what} differs; recorded: {recorded}; derived: {derived}"),
        what,
        only_recorded: vec![recorded],
        only_derived: vec![derived],
    }
}
