//! `kolibri quality`: how often a player keeps what positions are worth.

mod show;

use std::path::PathBuf;
use std::time::Instant;

use serde::Serialize;

use crate::cli::by_role::{ByRole, role_named};
use crate::cli::commands::players::listing;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game;
use crate::cli::number::whole;
use crate::cli::seconds::Seconds;
use crate::cli::space_args::SpaceArgs;
use crate::cli::status_line::StatusLine;
use crate::engine::{EngineChoice, Propnet};
use crate::game::{Role, StateMachine};
use crate::play::{Spec, check_fit};
use crate::quality::{
    Judge, JudgedAnswer, KeptCount, ProofJudge, Quality, QualityTest, SolutionJudge, check_player,
};
use crate::session::Game;
use crate::solved::{SolutionError, SolvedGame};
use crate::state_space::check_roles;
use crate::util::{Alarm, Expired};

const EXAMPLES: &str = "\
Examples:
  kolibri quality tictactoe --player minimax:depth=2
  kolibri quality tictactoe --player mcts:playouts=100 --role o --positions 500
  kolibri quality connect-four --player minimax:time=0.1 --oracle 20     by proofs, where the game is too large to solve
  kolibri solve kolibrat.kif --out kolibrat.solution
  kolibri quality kolibrat.kif --player minimax:time=0.1 --solution kolibrat.solution";

/// Examples, and the players.
fn after_help() -> String {
    format!("{EXAMPLES}\n\n{}", listing())
}

/// How often a player keeps the value of a position
///
/// Positions are drawn at random, the same number from each ply. Those count in which some move loses value: the player is asked for
/// its move, and the solution of the game, or a proof, tells whether it keeps the value. Each position is a match of its own for the player.
#[derive(Debug, clap::Args)]
#[command(after_help = after_help())]
pub(in crate::cli) struct QualityArgs {
    #[command(flatten)]
    space: SpaceArgs,
    /// The player
    #[arg(short, long, value_name = "SPEC")]
    player: String,
    /// Read the solution from FILE, as `solve --out` writes it, instead of solving the game
    #[arg(long, value_name = "FILE", conflicts_with_all = ["memory", "max_states", "checkpoint", "threads"])]
    solution: Option<PathBuf>,
    /// Prove what moves are worth by searches of SECONDS at most for each position, instead of solving the game; what is not proved is left out
    #[arg(long, value_name = "SECONDS", conflicts_with_all = ["solution", "memory", "max_states", "checkpoint"])]
    oracle: Option<Seconds>,
    /// Ask only in positions in which ROLE chooses [default: all roles of which the solution tells]
    #[arg(long, value_name = "ROLE")]
    role: Option<String>,
    /// Number of positions, if there are as many
    #[arg(long, value_name = "N", default_value_t = 100, allow_negative_numbers = true, value_parser = whole::<usize>(1, u64::MAX))]
    positions: usize,
    /// Draw positions from the first N plies
    #[arg(long, value_name = "N", default_value_t = 200, allow_negative_numbers = true, value_parser = whole::<u32>(1, 10_000))]
    plies: u32,
    /// Show the N worst mistakes
    #[arg(long, value_name = "N", default_value_t = 5, allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    worst: usize,
    /// Seed of the random number generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

pub(in crate::cli) fn run(
    args: &QualityArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let player: Spec = args.player.parse()?;
    let deadline = args.space.deadline(console);
    let alarm = Alarm::at(&deadline);
    let stop = alarm.flag();
    check_player(&player, stop)?;
    let (game, mut judge) = args.judge(&player, console)?;
    let test = QualityTest {
        player: &player,
        positions: args.positions,
        plies: args.plies,
        seed: args.seed,
        stop,
    };
    let begin = Instant::now();
    let mut status = StatusLine::new(console.quiet);
    status.show("drawing positions");
    let quality = test.run(&game, &mut *judge, &mut |quality| {
        let KeptCount { positions, kept } = quality.kept();
        let share = positions as f64 / args.positions as f64;
        status.progress(share, &format!("{kept} of {positions} positions kept"));
    });
    status.clear();
    let quality = quality.map_err(|fault| Failure::finding(fault.to_string()))?;
    let report = QualityReport::new(
        args,
        &game,
        &player,
        &quality,
        begin.elapsed().as_secs_f64(),
    );
    let report = QualityReport {
        interrupted: stop.is_raised(),
        ..report
    };
    match args.json {
        true => console.json(&report)?,
        false => show::show(&report, &mut console.out)?,
    }
    match deadline.check() {
        Err(Expired::OutOfTime) if report.interrupted => Err(Expired::OutOfTime.into()),
        _ if report.interrupted => Ok(Outcome::Interrupted),
        _ => Ok(Outcome::Success),
    }
}

#[derive(Serialize)]
struct QualityReport<'r> {
    game: &'r str,
    player: String,
    seed: u64,
    /// Those in which some move loses value.
    positions: u64,
    kept: u64,
    /// Positions of which the oracle proved nothing in time.
    undecided: usize,
    /// The share of these, and its 95 % interval.
    share: Option<f64>,
    interval: [f64; 2],
    /// The share that a move drawn at random keeps.
    share_by_chance: Option<f64>,
    /// Points that a move loses on average.
    mean_cost: Option<f64>,
    /// Positions in which the player gave no legal move.
    without_move: usize,
    by_role: ByRole<KeptCount>,
    by_ply: Vec<PlyCount>,
    worst: Vec<Mistake<'r>>,
    seconds: f64,
    /// Whether Ctrl-C ended it.
    interrupted: bool,
    /// The words of a command that shows a position, once its moves are added.
    #[serde(skip)]
    solve: Vec<String>,
}

/// The positions of a ply.
#[derive(Serialize)]
struct PlyCount {
    ply: usize,
    #[serde(flatten)]
    count: KeptCount,
}

/// A move that loses value.
#[derive(Serialize)]
struct Mistake<'r> {
    role: &'r str,
    ply: usize,
    /// The moves that lead to the position.
    moves: &'r [String],
    /// What was played.
    #[serde(rename = "move")]
    played: &'r str,
    /// What the role gets after it.
    points: i64,
    /// What was better.
    best: &'r [String],
    best_points: i64,
    cost: i64,
}

impl<'r> QualityReport<'r> {
    fn new(
        args: &QualityArgs,
        game: &'r Game,
        player: &Spec,
        quality: &'r Quality,
        seconds: f64,
    ) -> Self {
        let kept = quality.kept();
        let roles = game.roles();
        let mistake = |answer: &'r JudgedAnswer| {
            let (played, points) = answer.played.as_ref().ok()?;
            Some(Mistake {
                role: &roles[answer.role],
                ply: answer.ply,
                moves: &answer.moves,
                played,
                points: *points,
                best: &answer.best,
                best_points: answer.best_points,
                cost: answer.best_points - points,
            })
        };
        let by_ply = quality.by_ply().into_iter();
        Self {
            game: game.name(),
            player: player.to_string(),
            seed: args.seed,
            positions: kept.positions,
            kept: kept.kept,
            undecided: quality.undecided,
            share: kept.share(),
            interval: kept.interval(),
            share_by_chance: quality.share_by_chance(),
            mean_cost: quality.mean_cost(),
            without_move: quality.without_move(),
            by_role: ByRole::new(roles, (0..roles.len()).map(|role| quality.kept_by(role))),
            by_ply: by_ply.map(|(ply, count)| PlyCount { ply, count }).collect(),
            worst: quality
                .worst(args.worst)
                .into_iter()
                .filter_map(mistake)
                .collect(),
            seconds,
            interrupted: false,
            solve: args.solve_command(),
        }
    }
}

impl QualityArgs {
    /// The game, and what judges moves. Whether the player can play is found out before that.
    fn judge(
        &self,
        player: &Spec,
        console: &mut Console<'_>,
    ) -> Result<(Game, Box<dyn Judge>), Failure> {
        let Some(time) = self.oracle else {
            let (game, judges) = self.judges(player, console)?;
            return Ok((game, Box::new(SolutionJudge(judges))));
        };
        let options = self.space.options(EngineChoice::Auto, console);
        let game = game::open(self.space.find()?.source, &options, console)?;
        check_roles(game.roles())?;
        let roles = self.roles(&game)?;
        check_fit(roles.iter().map(|role| (*role, player)), &game)?;
        let is_judged = |role| roles.contains(&role);
        let effort = (time.duration(), self.space.threads.count());
        let judge = ProofJudge::new(game.roles().len(), is_judged, effort);
        Ok((game, Box::new(judge)))
    }

    /// The game, and per role the solution by which its moves are judged.
    fn judges(
        &self,
        player: &Spec,
        console: &mut Console<'_>,
    ) -> Result<(Game, Vec<Option<SolvedGame>>), Failure> {
        let options = self.space.options(EngineChoice::Auto, console);
        let Some(file) = &self.solution else {
            let (named, propnet) = self.space.open(console)?;
            check_roles(propnet.roles())?;
            let game = game::open(named.source, &options, console)?;
            let roles = self.roles(&game)?;
            check_fit(roles.iter().map(|role| (*role, player)), &game)?;
            let judges = self.solve(&game, &propnet, &roles, console)?;
            return Ok((game, judges));
        };
        let game = game::open(self.space.find()?.source, &options, console)?;
        let roles = self.roles(&game)?;
        let judge = SolvedGame::read(game.clone(), file)?;
        let mut judges = vec![None; game.roles().len()];
        for role in &roles {
            match judge.check_role(*role) {
                Ok(()) => judges[*role] = Some(judge.clone()),
                Err(fault) if self.role.is_some() => {
                    let path = file.clone();
                    return Err(SolutionError { path, fault }.into());
                }
                Err(_) => {}
            }
        }
        let judged = (0..judges.len()).filter(|role| judges[*role].is_some());
        check_fit(judged.map(|role| (role, player)), &game)?;
        Ok((game, judges))
    }

    /// The beginning of a command that tells what a position is worth.
    fn solve_command(&self) -> Vec<String> {
        let command = match self.oracle {
            Some(_) => "search",
            None => "solve",
        };
        let mut words = ["kolibri", command, self.space.name()]
            .map(str::to_owned)
            .to_vec();
        if let Some(time) = self.oracle {
            words.extend(["--prove", "--time"].map(str::to_owned));
            words.push(time.duration().as_secs_f64().to_string());
        }
        if let Some(file) = &self.solution {
            words.extend(["--solution".to_owned(), file.display().to_string()]);
        }
        words
    }

    /// The roles that are asked about.
    fn roles(&self, game: &Game) -> Result<Vec<usize>, Failure> {
        match &self.role {
            Some(role) => Ok(vec![role_named(game.roles(), role)?.0]),
            None => Ok((0..game.roles().len()).collect()),
        }
    }

    /// Solves the game as often as these roles need it.
    fn solve(
        &self,
        game: &Game,
        propnet: &Propnet,
        roles: &[usize],
        console: &mut Console<'_>,
    ) -> Result<Vec<Option<SolvedGame>>, Failure> {
        let mut judges: Vec<Option<SolvedGame>> = vec![None; game.roles().len()];
        for role in roles {
            let mut known = judges.iter().flatten();
            let judge = known.find(|judge| judge.check_role(*role).is_ok());
            let judge = match judge {
                Some(judge) => judge.clone(),
                None => {
                    let source = game.source();
                    let solution = self
                        .space
                        .solve(source, propnet, Role(*role), None, console)?;
                    let solution = solution.ok_or_else(|| {
                        Failure::finding(
                            "several roles choose at the same time, and no value can be forced there",
                        )
                    })?;
                    SolvedGame::new(game.clone(), solution)
                }
            };
            judges[*role] = Some(judge);
        }
        Ok(judges)
    }
}
