//! `kolibri solve`: what a game and all its positions are worth.

mod admissible;
mod average;
mod counts;
#[cfg(feature = "cluster")]
mod on_cluster;
mod show;
mod strategy;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;

use self::admissible::{AdmissibleReport, HAMMING};
use self::average::AverageReport;
use self::counts::{Related, StatesByValue, ValueCounts, count_values};
use self::strategy::{ProofReport, StrategyReport, prove};
use crate::catalog::GameSource;
use crate::cli::by_role::role_named;
#[cfg(feature = "cluster")]
use crate::cli::cluster_args::ClusterArgs;
use crate::cli::commands::states::SymmetryChoice;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{self, NamedGame};
use crate::cli::memory::peak_memory;
use crate::cli::output_file::{check_output, write_output};
use crate::cli::position::{self, PositionArgs};
use crate::cli::space_args::SpaceArgs;
use crate::engine::{EngineChoice, Propnet};
use crate::game::{Role, StateMachine, is_chance};
use crate::session::Position;
use crate::solved::SolvedGame;
use crate::state_space::{SolvedValue, StateCodec, ValueCount, check_roles};
use crate::symmetry::SymmetryGroup;

const EXAMPLES: &str = "\
Examples:
  kolibri solve tictactoe
  kolibri solve rock-paper-scissors                     both choose at the same time: mixed moves
  kolibri solve kolibrat --by score                     values by the points of both
  kolibri solve tictactoe '(mark 2 2)' '(mark 1 2)'     the position after these moves
  kolibri solve kolibrat --out kolibrat.solution        a file for `--solution` and the player `solved`
  kolibri match kolibrat -p red=solved:file=kolibrat.solution -p black=full
  kolibri solve tictactoe --solution tictactoe.solution '(mark 1 1)'
  kolibri solve eight-puzzle --check-heuristic hamming
  kolibri generate kolibrat --width 2 --height 2 | kolibri solve - --strategy black --verify
  kolibri solve mygame.kif --hosts hosts.txt --process 0    together with other processes: one address a line";

/// Solve a game: the value of every position, and the moves that keep it
///
/// For games of one or two roles. All states that can be reached are enumerated, and their values found
/// from the ends backwards, cycles included: where nobody can force a better end than going on for ever, the value is `endless`.
///
/// With chance (the role `random`), or where both roles choose at the same time, the value is what the role can be sure of on average, an
/// exact fraction, and moves come with the chances with which to play them. Then play must not be able to come back to a state.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct SolveArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// Solve one of the states that symmetries of the game, such as those of the board, make of each other
    #[arg(long, conflicts_with_all = ["solution", "check_heuristic"])]
    symmetry: bool,
    #[command(flatten)]
    position: PositionArgs,
    /// The role whose goal counts; the other one plays against it [default: the first]
    #[arg(long, value_name = "ROLE", conflicts_with = "solution")]
    role: Option<String>,
    /// Count values by the facts of RELATION, too, such as the score
    #[arg(long, value_name = "RELATION")]
    by: Option<String>,
    /// Write the solution to FILE
    #[arg(short, long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace files that exist; without --force, they are kept, and the command fails
    #[arg(long)]
    force: bool,
    /// Read the solution from FILE instead of solving the game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["out", "memory", "max_states", "checkpoint", "threads"])]
    solution: Option<PathBuf>,
    /// Print what ROLE does from the position shown, whatever the others do
    #[arg(long, value_name = "ROLE")]
    strategy: Option<String>,
    /// Write that to FILE as a graph in the language DOT
    #[arg(long, value_name = "FILE", requires = "strategy")]
    dot: Option<PathBuf>,
    /// Prove the value of the position shown on the reasoner: follow the strategy of each role against every defence
    #[arg(long)]
    verify: bool,
    /// In a game of one role, check a heuristic of `search` in all states: whether it never says more plies than there are
    #[arg(long, value_name = "NAME", value_parser = [HAMMING])]
    check_heuristic: Option<String>,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    cluster: ClusterArgs,
}

pub(in crate::cli) fn run(args: &SolveArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    for file in args.out.iter().chain(&args.dot) {
        check_output(file, args.force)?;
    }
    #[cfg(feature = "cluster")]
    if args.cluster.is_asked_for() {
        return on_cluster::run(args, console);
    }
    let begin = Instant::now();
    let (solved, position) = match args.solved(console)? {
        Solved::Forced(solved, position) => (solved, position),
        Solved::OnAverage(report) => return report.print(args.json, begin, console),
    };
    let seconds = begin.elapsed().as_secs_f64();
    let solution = solved.solution();
    let value = value_of(&solved, &position)?;
    let deadline = args.space.deadline(console);
    let related = args.related(solution.codec())?;
    let counts = count_values(solution, related.as_ref(), &deadline);
    let (by_value, by_facts) = counts.map_err(|_| Failure::interrupted())?;
    let file_bytes = args.write(&solved)?;
    let role = args.strategy.as_ref();
    let strategy = role
        .map(|role| StrategyReport::new(role, &solved, &position, &deadline))
        .transpose()?;
    if let (Some(dot), Some(strategy)) = (&args.dot, &strategy) {
        write_output(dot, &strategy.to_dot(), args.force)?;
    }
    let proofs = match args.verify {
        true => Some(prove(&solved, &position, &deadline)?),
        false => None,
    };
    let heuristic = args.check_heuristic.is_some();
    let heuristic = heuristic.then(|| AdmissibleReport::new(&solved, &deadline));
    let report = SolveReport {
        game: solved.game().name(),
        roles: solution.roles(),
        role: &solution.roles()[solution.role().0],
        states: solution.count(),
        classes: (solution.classes() < solution.count()).then(|| solution.classes()),
        joint_moves: solution.joint_moves(),
        value,
        moves: moves_of(&solved, &position),
        counts: StatesByValue::of(&by_value),
        by_value,
        by_facts,
        file: args.out.as_ref().map(|out| out.display().to_string()),
        file_bytes,
        strategy,
        proofs,
        heuristic: heuristic.transpose()?,
        seconds,
        peak_memory_bytes: peak_memory(),
    };
    report.print(args, console)
}

/// What a position is worth, which must be known.
fn value_of(solved: &SolvedGame, position: &Position) -> Result<SolvedValue, Failure> {
    let value = solved.value(position);
    value.ok_or_else(|| Failure::finding("the position cannot be reached from the initial one"))
}

/// The moves of a position, the best first.
fn moves_of(solved: &SolvedGame, position: &Position) -> Vec<SolvedMove> {
    let moves = solved.moves(position).into_iter();
    let moves = moves.map(|mv| SolvedMove {
        text: mv.text,
        value: mv.value,
    });
    moves.collect()
}

/// What was found.
enum Solved {
    /// Values that can be forced, and the position to show.
    Forced(SolvedGame, Position),
    /// Values on average, with chance or several who choose at the same time.
    OnAverage(AverageReport),
}

#[derive(Serialize)]
struct SolveReport<'r> {
    game: &'r str,
    roles: &'r [String],
    /// The role that values are for.
    role: &'r str,
    states: u64,
    /// How many of them are in the solution, where symmetries were used.
    #[serde(skip_serializing_if = "Option::is_none")]
    classes: Option<u64>,
    joint_moves: u64,
    /// Of the position asked for.
    #[serde(flatten)]
    value: SolvedValue,
    /// What may be done there, the best first.
    moves: Vec<SolvedMove>,
    counts: StatesByValue,
    /// More of the states of each value.
    by_value: Vec<ValueCount>,
    /// The same for states with the same facts of a relation.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_facts: Option<Vec<ValueCounts>>,
    /// Where the solution was written, and how long it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file_bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strategy: Option<StrategyReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    proofs: Option<Vec<ProofReport>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    heuristic: Option<AdmissibleReport>,
    seconds: f64,
    peak_memory_bytes: Option<u64>,
}

impl SolveReport<'_> {
    /// Prints it in the form that is asked for.
    fn print(&self, args: &SolveArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
        match args.json {
            true => console.json(self)?,
            false => show::show(self, args.by.as_deref(), &mut console.out)?,
        }
        Ok(Outcome::Success)
    }
}

/// A joint move of the position shown, by what the role does that chooses, or whose turn it is.
#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    text: String,
    #[serde(flatten)]
    value: SolvedValue,
}

impl SolveArgs {
    /// The game with the solution that is asked for, and the position to show.
    fn solved(&self, console: &mut Console<'_>) -> Result<Solved, Failure> {
        let Some(file) = &self.solution else {
            return self.solve(console);
        };
        let position = self.position(self.space.find()?, EngineChoice::Auto, console)?;
        let solved = SolvedGame::read(position.game().clone(), file)?;
        Ok(Solved::Forced(solved, position))
    }

    /// The game, solved, and the position to show.
    fn solve(&self, console: &mut Console<'_>) -> Result<Solved, Failure> {
        let (propnet, role, position) = self.open(console)?;
        let has_chance = propnet.roles().iter().any(|role| is_chance(role));
        if !has_chance {
            check_roles(propnet.roles())?;
        }
        let source = position.game().source();
        let solution = match has_chance {
            true => None,
            false => {
                let symmetries = self.symmetries(source, &propnet, console)?;
                self.space
                    .solve(source, &propnet, role, symmetries, console)?
            }
        };
        if let Some(solution) = solution {
            let solved = SolvedGame::new(position.game().clone(), solution);
            return Ok(Solved::Forced(solved, position));
        }
        self.check_average()?;
        let values = self.space.expected(source, &propnet, role, console)?;
        let report = AverageReport::new(&values, &propnet, &position, role)?;
        Ok(Solved::OnAverage(report))
    }

    /// The game, the role that values are for, and the position to show.
    fn open(&self, console: &mut Console<'_>) -> Result<(Propnet, Role, Position), Failure> {
        let (named, propnet) = self.space.open(console)?;
        let role = match &self.role {
            Some(role) => role_named(propnet.roles(), role)?,
            None => {
                let mut roles = propnet.roles().iter();
                Role(roles.position(|role| !is_chance(role)).unwrap_or(0))
            }
        };
        // A wrong relation is told before the work is done.
        self.related(&StateCodec::new(&propnet))?;
        let position = self.position(named, EngineChoice::Propnet, console)?;
        Ok((propnet, role, position))
    }

    /// The symmetries that are used, if any.
    fn symmetries(
        &self,
        source: &GameSource,
        game: &Propnet,
        console: &Console<'_>,
    ) -> Result<Option<Arc<SymmetryGroup>>, Failure> {
        let deadline = self.space.deadline(console);
        let group = || SymmetryChoice::Keep.group(source, game, &deadline);
        Ok(self.symmetry.then(group).transpose()?.map(Arc::new))
    }

    /// Refuses what only values that can be forced answer.
    fn check_average(&self) -> Result<(), Failure> {
        let asked = [
            ("--symmetry", self.symmetry),
            ("--by", self.by.is_some()),
            ("--out", self.out.is_some()),
            ("--strategy", self.strategy.is_some()),
            ("--verify", self.verify),
            ("--check-heuristic", self.check_heuristic.is_some()),
        ];
        match asked.iter().find(|(_, is_asked)| *is_asked) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::finding(
                "with chance or several who choose at the same time, values hold on average only",
            )
            .with_help(format!("leave out `{option}`"))),
        }
    }

    /// The fluents by which values are counted, too.
    fn related(&self, codec: &StateCodec) -> Result<Option<Related>, Failure> {
        let by = self.by.as_deref();
        by.map(|by| Related::new(codec, by)).transpose()
    }

    /// Writes the solution where it is asked for, and tells its length.
    fn write(&self, solved: &SolvedGame) -> Result<Option<usize>, Failure> {
        let Some(out) = &self.out else {
            return Ok(None);
        };
        let bytes = solved.to_bytes();
        write_output(out, &bytes, self.force)?;
        Ok(Some(bytes.len()))
    }

    /// The position that was asked for.
    fn position(
        &self,
        named: NamedGame,
        engine: EngineChoice,
        console: &mut Console<'_>,
    ) -> Result<Position, Failure> {
        let NamedGame { source, record } = named;
        // The initial one, unless a ply is named: a saved game stands for its rules.
        let record = record.filter(|_| self.position.start.has_ply());
        let start = self.position.start.start(record)?;
        let options = self.space.options(engine, console);
        let mut session = position::begin(&game::open(source, &options, console)?, &start)?;
        position::advance(&mut session, &self.position.moves)?;
        Ok(session.position().clone())
    }
}
