//! `kolibri tournament`: players play each other, as a plan says, until all games are played.

mod display;
mod flags;
mod scheduler;
mod shards;

use std::path::{Path, PathBuf};

use self::display::TournamentDisplay;
use self::flags::{PlanArgs, TestText};
use self::scheduler::Scheduler;
use self::shards::ShardArgs;
use crate::cli::cache_args::CacheArgs;
use crate::cli::commands::standings::{ReportArgs, report, standings_of};
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game;
use crate::cli::number::{counted, whole};
use crate::cli::record_args::RecordArgs;
use crate::cli::status_line::StatusLine;
use crate::files::FileCache;
use crate::play::{Spec, check_programs};
use crate::tournament::{
    LogFileError, LogWriter, PlanError, RunEnd, RunError, RunOptions, Shard, Tournament,
    TournamentError, TournamentPlan, holder_of, read_log,
};
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri tournament cup.toml                          play, or go on where it stopped
  kolibri tournament cup.toml --status                 how far it is, from another terminal
  kolibri tournament -g tictactoe -p A=mcts:playouts=200 -p B=minimax:depth=3 -p random --rounds 10
  kolibri tournament -g breakthrough -p new=minimax:nodes=2000 -p old=minimax:nodes=1000 \\
          --rounds 5000 --opening 4 --sprt elo0=0,elo1=20
  kolibri tournament -g nim -p first -p random --print-plan > cup.toml
  kolibri tournament cup.toml --shard 3/8              the third of eight shards, on a machine of its own

A plan:
  seed = 1
  rounds = 10                        # each round has an opening of its own
  games = [\"tictactoe\", \"my-game.kif\"]
  schedule = \"round-robin\"           # or gauntlet, swiss, listed

  [openings]
  plies = 2                          # or file = \"openings.txt\"

  [[players]]
  name = \"A\"
  player = \"minimax:nodes=1000\"

  [[players]]
  player = \"random\"

`kolibri players` lists players and their options.";

/// Let several players play a tournament, which can be interrupted at any time
///
/// Each finished game is a line of the log, on the disk before it counts. The same command goes on where it stopped. Without PLAN,
/// --player and --game say who plays what.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct TournamentArgs {
    /// The plan, a TOML file
    #[arg(value_name = "PLAN", required_unless_present_any = ["players", "games"])]
    plan: Option<PathBuf>,
    /// End as soon as it is decided how much stronger the first of two players is
    #[arg(
        long,
        value_name = "elo0=E,elo1=E[,alpha=P][,beta=P][,scale=logistic|normalised]"
    )]
    sprt: Option<TestText>,
    /// The log, one JSON object per line [default: PLAN with the ending .games.jsonl, or tournament.games.jsonl]
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How many games are played at once [default: as many as there are cores for the threads of the players]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(1, 1024))]
    concurrency: Option<usize>,
    #[command(flatten)]
    shards: ShardArgs,
    #[command(flatten)]
    cache: CacheArgs,
    #[command(flatten)]
    record: RecordArgs,
    /// Print how far it is, from the log, and play nothing
    #[arg(long)]
    status: bool,
    /// Print the plan that --player, --game and other options make, and play nothing
    #[arg(long, conflicts_with_all = ["plan", "status"])]
    print_plan: bool,
    #[command(flatten)]
    report: ReportArgs,
    #[command(flatten)]
    flags: PlanArgs,
}

pub(in crate::cli) fn run(
    args: &TournamentArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    if args.print_plan {
        use std::io::Write as _;
        write!(console.out, "{}", args.flags.text(args.sprt.as_ref()))?;
        return Ok(Outcome::Success);
    }
    let shard = args.shards.shard(console)?;
    let path = args.log_path(shard);
    if args.status {
        return status(&path, &args.report, console);
    }
    args.report.check()?;
    let plan = args.read_plan()?;
    let records = args.record.prepare()?;
    let stop = console.stop_flag();
    let cache = args.cache.cache();
    let tournament = open(plan, cache.as_ref(), &stop, console)?;
    if !shard.is_all() && tournament.depends_on_results() {
        let message = "which games are played depends on results, so that no shard of them can be played alone";
        return Err(Failure::usage(message).with_help(
            "leave --shard out; a Swiss schedule and a sequential test need all results",
        ));
    }
    let plan = tournament.plan();
    let specs: Vec<Spec> = plan.players.iter().map(|one| one.spec.clone()).collect();
    check_programs(&specs, plan.start_clock, &stop)?;
    let (mut writer, mut log) = LogWriter::open(&path, tournament.header())?;
    let options = RunOptions {
        shard,
        concurrency: args.concurrency(&tournament)?,
        records: records.map(|(folder, format)| (folder.to_owned(), format)),
        stop: stop.clone(),
    };
    if let Some(torn) = log.torn {
        console.hint(&format!("{}: {torn}", path.display()))?;
    }
    console.hint(&begin_words(&tournament, &options, log.games.len(), &path))?;
    let mut display = TournamentDisplay::new(console, shard.of(tournament.planned()), &log);
    let ended = tournament.run(&options, &mut writer, &mut log, &mut display);
    display.close();
    if ended.is_ok() || !log.games.is_empty() {
        report(&standings_of(&log)?, &args.report, console)?;
    }
    match ended? {
        RunEnd::Complete | RunEnd::Decided(_) => Ok(Outcome::Success),
        RunEnd::Stopped => {
            console.hint("interrupted: the same command goes on with the games that are left")?;
            Ok(Outcome::Interrupted)
        }
    }
}

impl TournamentArgs {
    fn read_plan(&self) -> Result<TournamentPlan, Failure> {
        let Some(path) = &self.plan else {
            let text = self.flags.text(self.sprt.as_ref());
            return Ok(TournamentPlan::parse(&text, None, Path::new(""))?);
        };
        let plan = TournamentPlan::load(path)?;
        match &self.sprt {
            Some(test) => Ok(plan.with_test(test.hypotheses())?),
            None => Ok(plan),
        }
    }

    fn log_path(&self, shard: Shard) -> PathBuf {
        if let Some(log) = &self.log {
            return log.clone();
        }
        let plan = self.plan.as_deref().unwrap_or(Path::new("tournament.toml"));
        match shard.is_all() {
            true => plan.with_extension("games.jsonl"),
            false => plan.with_extension(format!("{}.games.jsonl", shard.file_part())),
        }
    }

    fn concurrency(&self, tournament: &Tournament) -> Result<usize, Failure> {
        let asked = self.concurrency.or(tournament.plan().concurrency);
        if let Some(asked) = asked {
            return Ok(asked);
        }
        let cores = Scheduler::of_environment().cores()?;
        Ok(tournament.usual_concurrency(cores))
    }
}

/// The tournament of a plan; where the rules of a game are wrong, shows why.
fn open(
    plan: TournamentPlan,
    cache: Option<&FileCache>,
    stop: &StopFlag,
    console: &mut Console<'_>,
) -> Result<Tournament, Failure> {
    let mut line = StatusLine::new(console.quiet);
    line.show("reading the rules");
    let opened = Tournament::open(plan, cache, stop);
    line.clear();
    opened.or_else(|fault| match fault {
        TournamentError::Game { rules, fault } => Err(game::refused(&rules, &fault, console)?),
        other => {
            let help = other.help();
            Err(Failure::usage(other.to_string()).with_help(help))
        }
    })
}

fn begin_words(tournament: &Tournament, options: &RunOptions, done: usize, path: &Path) -> String {
    let planned = options.shard.of(tournament.planned());
    let games = match options.shard.is_all() {
        true => counted(planned, "game"),
        false => format!("shard {}: {}", options.shard, counted(planned, "game")),
    };
    let threads = counted(tournament.threads_of_game() as u64, "thread");
    let at_once = options.concurrency;
    let before = match done {
        0 => String::new(),
        done => format!(", {done} of them played before"),
    };
    format!(
        "{games}{before}; {at_once} at once, {threads} each; log {}",
        path.display()
    )
}

/// What the log says, while it is written or afterwards.
fn status(path: &Path, form: &ReportArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    if !path.exists() {
        let message = format!(
            "nothing has been played yet: there is no log `{}`",
            path.display()
        );
        return Err(Failure::usage(message)
            .with_help("name the log with --log, or leave --status out to play"));
    }
    let log = read_log(path)?;
    let planned = log.header.planned.unwrap_or(0);
    let state = match holder_of(path) {
        Some(holder) => format!("being played by {holder}"),
        None => "nobody plays".to_owned(),
    };
    console.hint(&format!("{} of {planned} games, {state}", log.games.len()))?;
    report(&standings_of(&log)?, form, console)?;
    Ok(Outcome::Success)
}

impl From<PlanError> for Failure {
    fn from(fault: PlanError) -> Self {
        Self::usage(fault.to_string()).with_help(fault.help())
    }
}

impl From<LogFileError> for Failure {
    fn from(fault: LogFileError) -> Self {
        Self::usage(fault.to_string()).with_help(fault.help())
    }
}

impl From<RunError> for Failure {
    fn from(fault: RunError) -> Self {
        match fault {
            RunError::Log(fault) => fault.into(),
            RunError::Record(fault) => fault.into(),
            RunError::Opening { .. } => {
                Self::usage(fault.to_string()).with_help("draw fewer plies, or write openings down")
            }
        }
    }
}
