//! `kolibri search`: what the Min-Max player thinks of a position.

mod show;
mod spell;

use std::cell::RefCell;
use std::io::Write;
use std::time::{Duration, Instant};

use clap::builder::PossibleValuesParser;
use serde::Serialize;

use self::spell::Speller;
use crate::analysis::Control;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{GameArgs, settle};
use crate::cli::number::whole;
use crate::cli::position::{self, PositionArgs, Reached};
use crate::cli::seconds::Seconds;
use crate::cli::status_line::StatusLine;
use crate::cli::style;
use crate::cli::thinking;
use crate::cli::threads::ThreadArgs;
use crate::engine::{LoadReport, Visit, open};
use crate::game::{Engine, Role, is_chance, legal_of_all};
use crate::native::{evaluation_named, evaluations};
use crate::play::{no_evaluation, role_number};
use crate::search::{
    self, Heuristics, LearnedWeights, Limits, MAX_DEPTH, Progress, Searcher, Settings,
};
use crate::terminal::verdict;

const EXAMPLES: &str = "\
Examples:
  kolibri search tictactoe                          what to play first
  kolibri search kolibrat --time 10 --threads 2     think for ten seconds on two threads
  kolibri search connect-four '(drop d)' --depth 12 --multi 3
  kolibri search checkers --heuristic none --json

Values are goals from 0 to 100. An exact value cannot change with a deeper search; other values are estimates.
Where several roles choose at once, a value is what the role gets even if the others know its move.";

/// Search a position with Min-Max: best move, value and line
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SearchArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    position: PositionArgs,
    /// The role to search for [default: the role that has a choice]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Depth limit in steps
    #[arg(long, value_name = "D", allow_negative_numbers = true, value_parser = whole::<u32>(1, MAX_DEPTH as u64))]
    depth: Option<u32>,
    /// Time limit in seconds [default: 2, if no depth is given]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    time: Option<Seconds>,
    /// Find the exact value and line of the N best moves, all at the same depth
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<usize>(1, 1000))]
    multi: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MIB", default_value_t = Settings::HASH, allow_negative_numbers = true, value_parser = whole::<usize>(1, Settings::MOST_HASH as u64))]
    hash: usize,
    /// Heuristics of the evaluation: all, none, or names joined by + and -, out of mobility, pieces, progress, goals,
    /// certain and quiescence
    #[arg(long, value_name = "NAMES", default_value_t)]
    heuristic: Heuristics,
    /// A published evaluation of a native engine instead of the heuristics
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(evaluations()))]
    evaluation: Option<String>,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// How long to think where nobody says.
const DEFAULT_TIME: Duration = Duration::from_secs(2);
/// How long weights for heuristics may be looked for before that.
const TRAINING: Duration = Duration::from_secs(5);
/// How long lines may be spelt after it: on a slow engine each step takes long.
const SPELLING: Duration = Duration::from_millis(300);
/// The same where somebody has said stop.
const GRACE: Duration = Duration::from_millis(4);

pub(in crate::cli) fn run(
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let source = args.game.source()?;
    let thinking = Thinking {
        args,
        game: &source.name,
        facts: args.position.start.facts()?,
        console,
    };
    let done = open(&source, args.game.options(), thinking);
    settle(done, &source, console)
}

/// Tells what was found.
fn tell(
    report: &SearchReport,
    args: &SearchArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if args.json {
        console.json(report)?;
    } else {
        show::show(report, console)?;
    }
    console.out.flush()?;
    if report.weights_cut_short && !report.interrupted {
        let seconds = TRAINING.as_secs();
        console.hint(&format!(
            "learning the heuristics' weights was stopped after {seconds} s; another run or a faster engine may give other values"
        ))?;
    }
    Ok(match report.interrupted {
        true => Outcome::Interrupted,
        false => Outcome::Success,
    })
}

/// What was found, in text.
#[derive(Debug, Serialize)]
struct SearchReport {
    game: String,
    engine: &'static str,
    role: String,
    best: String,
    value: f64,
    exact: bool,
    /// How many steps there are to the end, where that is known and matters.
    steps: Option<u32>,
    depth: u32,
    line: Vec<String>,
    nodes: u64,
    seconds: f64,
    nodes_per_second: f64,
    threads: usize,
    moves: Vec<MoveReport>,
    heuristics: Vec<Contribution>,
    weights: Vec<WeightReport>,
    /// Whether weights were looked for no longer than there was time: they may be others another time.
    weights_cut_short: bool,
    interrupted: bool,
}

/// What was found of one move.
#[derive(Debug, Serialize)]
struct MoveReport {
    #[serde(rename = "move")]
    mv: String,
    /// The value, or what it does not exceed.
    value: f64,
    /// Whether `value` is only a bound.
    at_most: bool,
    /// Whether looking deeper cannot change it.
    exact: bool,
    line: Vec<String>,
}

/// What a heuristic adds to what is expected of the position before anything is searched, in logits.
#[derive(Debug, Serialize)]
struct Contribution {
    heuristic: &'static str,
    adds: f64,
}

/// What is counted, and what each of it adds, in logits.
#[derive(Debug, Serialize)]
struct WeightReport {
    heuristic: &'static str,
    counts: String,
    adds: f64,
}

struct Thinking<'t, 's> {
    args: &'t SearchArgs,
    game: &'t str,
    facts: Option<Vec<String>>,
    console: &'t mut Console<'s>,
}

impl Visit for Thinking<'_, '_> {
    type Output = Result<Outcome, Failure>;

    fn visit<G: Engine>(mut self, game: &G, opened: &LoadReport) -> Self::Output {
        let mut searcher = Searcher::minimax(self.args.settings());
        let report = self.think(game, opened, &mut searcher)?;
        // Before all the memory is given back: where somebody has said stop, that takes as long as to end the search.
        tell(&report, self.args, self.console)
    }
}

impl Thinking<'_, '_> {
    fn think<G: Engine>(
        &mut self,
        game: &G,
        opened: &LoadReport,
        searcher: &mut Searcher,
    ) -> Result<SearchReport, Failure> {
        let start = position::begin(game, self.facts.as_ref())?;
        let Reached { past, state } = position::advance(game, start, &self.args.position.moves)?;
        if game.is_terminal(&mut game.scratch(), &state) {
            return Err(is_over(game, &state));
        }
        let mut legal = Vec::new();
        legal_of_all(game, &mut game.scratch(), &state, &mut legal);
        let role = self.role(game, &legal)?;
        self.check_evaluation(game)?;
        let stop = self.console.stop_flag();
        searcher.recall(past.iter());
        let mut status = StatusLine::new(self.console.quiet);
        status.show("learning the weights of the evaluation");
        let learned = &mut LearnedWeights::default();
        search::prepare(game, Role(role), searcher, learned, (TRAINING, &stop));
        status.clear();
        let begin = Instant::now();
        let err = RefCell::new(&mut self.console.err);
        let quiet = self.console.quiet;
        let tell = |progress: &Progress| {
            if !quiet && progress.time > show::PATIENCE {
                let (faint, words) = (style::FAINT, thinking::words(progress));
                // Where nobody listens, there is nobody to tell that.
                let _ = writeln!(err.borrow_mut(), "{faint}{words}{faint:#}");
            }
        };
        let limits = Limits {
            time: self.args.time(),
            margin: Limits::MARGIN,
            threads: self.args.threads.count(),
            lines: self.args.multi,
            stop: Some(&stop),
            report: Some(&tell),
            ..Limits::to_depth(self.args.depth.unwrap_or(MAX_DEPTH))
        };
        let found = search::think(game, &state, Role(role), &limits, searcher);
        let seconds = begin.elapsed().as_secs_f64();
        let found = found.ok_or_else(|| no_move(&game.roles()[role]))?;
        if let Some(fault) = found.fault {
            return Err(Failure::finding(fault.to_string()));
        }
        // Where not even the first depth was completed, nothing is known of any move.
        let known = found.moves.iter().filter(|_| found.depth > 0);
        let interrupted = stop.is_raised();
        let spelling = if interrupted { GRACE } else { SPELLING };
        let mut speller = Speller::new(game, &state, legal, spelling);
        let line = speller.words(&found.line);
        let opinions = match interrupted {
            true => Vec::new(),
            false => searcher.opinions(game, &state, Role(role)),
        };
        let moves = known.map(|judged| MoveReport {
            mv: game.move_text(judged.mv),
            value: judged.value.points(),
            at_most: !judged.is_exact,
            exact: judged.is_sure,
            line: speller.words(&judged.line),
        });
        Ok(SearchReport {
            game: self.game.to_owned(),
            engine: opened.engine,
            role: game.roles()[role].clone(),
            best: game.move_text(found.best),
            value: found.value.points(),
            exact: found.exact,
            steps: found.value.steps(),
            depth: found.depth,
            line,
            nodes: found.nodes,
            seconds,
            nodes_per_second: found.nodes as f64 / seconds.max(1e-9),
            threads: limits.threads,
            moves: moves.collect(),
            heuristics: opinions.into_iter().map(Contribution::new).collect(),
            weights: weights(searcher.weights()),
            weights_cut_short: searcher.learned_in_haste(),
            interrupted,
        })
    }
}

impl Contribution {
    fn new((heuristic, adds): (&'static str, f64)) -> Self {
        Self { heuristic, adds }
    }
}

fn weights(weights: Vec<(&'static str, String, f64)>) -> Vec<WeightReport> {
    let weight = |(heuristic, counts, adds)| WeightReport {
        heuristic,
        counts,
        adds,
    };
    weights.into_iter().map(weight).collect()
}

fn is_over<G: Engine>(game: &G, state: &G::State) -> Failure {
    let scratch = &mut game.scratch();
    let goals = (0..game.roles().len()).map(|role| game.goal(scratch, state, Role(role)));
    let goals: Vec<Option<u8>> = goals.collect();
    let verdict = verdict(game.roles(), &goals);
    Failure::finding(format!(
        "there is nothing to search, the game is over: {verdict}"
    ))
}

fn no_move(role: &str) -> Failure {
    Failure::finding(format!("{role} has no move in this position"))
        .with_help("the game is stuck here; `kolibri moves` shows the position")
}

impl Thinking<'_, '_> {
    fn check_evaluation<G: Engine>(&self, game: &G) -> Result<(), Failure> {
        let known = game.evaluations();
        match self.args.evaluation().filter(|name| !known.contains(name)) {
            Some(name) => Err(no_evaluation(name, known).into()),
            None => Ok(()),
        }
    }

    /// The role to search for.
    fn role<G: Engine>(&self, game: &G, legal: &[Vec<G::Move>]) -> Result<usize, Failure> {
        if let Some(role) = &self.args.role {
            return Ok(role_number(role, game.roles())?);
        }
        let names = game.roles();
        if let Some(role) = legal.iter().position(Vec::is_empty) {
            return Err(no_move(&names[role]));
        }
        // Chance has nothing to gain.
        let players = (0..names.len()).filter(|&role| !is_chance(&names[role]));
        let chooses = |role: &usize| legal[*role].len() > 1;
        let choosing: Vec<usize> = players.clone().filter(chooses).collect();
        match (&choosing[..], Control::of(game, legal)) {
            ([role], _) => Ok(*role),
            ([], Control::One(Role(role))) if !is_chance(&names[role]) => Ok(role),
            ([], _) => Ok(players.min().unwrap_or(0)),
            ([first, ..], _) => Err(Failure::usage("several roles have a choice here")
                .with_help(format!("say whose: `--role {}`", names[*first]))),
        }
    }
}

impl SearchArgs {
    fn settings(&self) -> Settings {
        Settings {
            hash: self.hash,
            heuristics: self.heuristic,
            evaluation: self.evaluation(),
            ..Settings::default()
        }
    }

    fn evaluation(&self) -> Option<&'static str> {
        evaluation_named(self.evaluation.as_deref()?)
    }

    fn time(&self) -> Option<Duration> {
        let typed = self.time.map(Seconds::duration);
        typed.or((self.depth.is_none()).then_some(DEFAULT_TIME))
    }
}
