//! `kolibri info`: what a game is like.

mod sample;
mod show;

use std::io::Write;
use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

use self::sample::SampleReport;
use crate::analysis::{Sample, SampleOptions};
use crate::cli::board::BoardArgs;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, INTERRUPTED, Outcome};
use crate::cli::game::GameArgs;
use crate::cli::number::whole;
use crate::conformance::Agreement;
use crate::drawing::{Screen, Style};
use crate::engine::{
    CompileReport, EndRules, EngineKind, LeftOut, SearchSavings, StageSize, Stages,
};
use crate::gdl::{Rule, Term};
use crate::session::{Game, Session};
use crate::util::{Deadline, StopFlag};

const EXAMPLES: &str = "\
Examples:
  kolibri info kolibrat
  kolibri info checkers --numbers     and the numbers of its squares
  kolibri info kolibrat --games 1000 --seed 7
  kolibri info mygame.kif --json";

/// The time for random games whose number was not asked for.
const TIME: Duration = Duration::from_secs(2);

/// Describe a game: roles, rules, positions, engine, start-up time
///
/// The figures about play come from random games, with 95 % intervals where they are means or shares.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct InfoArgs {
    #[command(flatten)]
    game: GameArgs,
    /// Draw the start with its squares numbered, row by row from the top: in checkers 1 to 32
    #[arg(long, conflicts_with = "json")]
    numbers: bool,
    /// Play N random games, however long that takes [default: 10, for two seconds at most]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    games: Option<u64>,
    /// Give up a random game after N plies
    #[arg(long, value_name = "N", default_value_t = 300, allow_negative_numbers = true, value_parser = whole::<u32>(1, u64::MAX))]
    max_plies: u32,
    /// Seed of the random number generator
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Info {
    game: String,
    engine: EngineKind,
    /// Why this engine.
    reason: String,
    roles: Vec<String>,
    rules: RuleCounts,
    initial_facts: usize,
    /// The boards found in the facts of some states.
    boards: Vec<BoardReport>,
    /// `single`, `turns` or `simultaneous`, as far as the sample shows.
    play: &'static str,
    sample: SampleReport,
    /// The network of gates, where it runs the game.
    network: Option<NetworkReport>,
    /// How many states the self-check found right; `null` where there was none, or where it found a wrong one.
    self_check_states: Option<usize>,
    /// Why the self-check ended before all it had planned; `null` where it did not.
    self_check_stopped: Option<String>,
    /// What there is to say of a self-check that saw nothing.
    #[serde(skip)]
    unchecked: Option<String>,
    /// Seconds per stage of start-up.
    startup: StageTimes,
    /// The size of what each stage of start-up made.
    sizes: StageSizes,
    startup_seconds: f64,
    warnings: usize,
}

/// How many rules and facts derive what.
#[derive(Debug, Default, Serialize)]
struct RuleCounts {
    init: usize,
    legal: usize,
    next: usize,
    goal: usize,
    terminal: usize,
    other: usize,
}

/// A board, as it would be drawn.
#[derive(Serialize)]
struct BoardReport {
    kind: &'static str,
    fact: String,
    panels: usize,
    columns: usize,
    rows: usize,
}

/// A network of gates.
#[derive(Serialize)]
struct NetworkReport {
    /// Fluents that can ever hold.
    reachable_facts: usize,
    /// Moves that can ever be legal, over all roles.
    reachable_moves: usize,
    ground_rules: usize,
    /// Gates of two operands that the rules ask for.
    gates_before: usize,
    /// Gates of two operands in the program that runs.
    gates: usize,
    /// The same for each turn-specialised program.
    gates_in_phases: Vec<usize>,
    /// What circuits for searches leave out, in the first turn.
    search_savings: Option<SearchSavings>,
    /// Values that the program keeps at a time.
    slots: usize,
    passes: Vec<PassReport>,
    /// What was not done, as the network is too large for it.
    left_out: Vec<LeftOutReport>,
}

#[derive(Serialize)]
struct PassReport {
    name: String,
    gates_before: usize,
    gates_after: usize,
}

#[derive(Serialize)]
struct LeftOutReport {
    what: String,
    /// A network of more gates goes without.
    above_gates: usize,
}

/// Seconds per stage, in order.
struct StageTimes(Vec<(&'static str, f64)>);

impl StageTimes {
    fn of(stages: &Stages) -> Self {
        let times = stages.iter();
        Self(
            times
                .map(|stage| (stage.name, stage.time.as_secs_f64()))
                .collect(),
        )
    }
}

impl Serialize for StageTimes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().copied())
    }
}

/// The size of what each stage made, in order; stages without a size are left out.
struct StageSizes(Vec<(&'static str, StageSize)>);

impl StageSizes {
    fn of(stages: &Stages) -> Self {
        let sized = stages.iter();
        let sized = sized.filter_map(|stage| Some((stage.name, stage.size?)));
        Self(sized.collect())
    }

    fn of_stage(&self, stage: &str) -> Option<StageSize> {
        let (_, size) = self.0.iter().find(|(name, _)| *name == stage)?;
        Some(*size)
    }
}

impl Serialize for StageSizes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(stage, size)| (stage, size.count)))
    }
}

pub(in crate::cli) fn run(args: &InfoArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let game = args.game.open(console)?;
    let stop = console.stop_flag();
    let info = Info::of(&game, args, &stop)?;
    if args.json {
        console.json(&info)?;
    } else {
        show::show(&info, console)?;
    }
    if args.numbers {
        show_numbered_start(&game, console)?;
    }
    if stop.is_raised() {
        console.hint(INTERRUPTED)?;
        return Ok(Outcome::Interrupted);
    }
    Ok(Outcome::Success)
}

fn show_numbered_start(game: &Game, console: &mut Console<'_>) -> Result<(), Failure> {
    let style = Style {
        numbers: true,
        ..BoardArgs::default().style(console)
    };
    let session = Session::new(game);
    let mut screen = Screen::survey(&session, style)?;
    write!(console.out, "\n{}", screen.show(&session.facts()))?;
    Ok(())
}

impl RuleCounts {
    fn of(rules: &[Rule]) -> Self {
        let mut counts = Self::default();
        for rule in rules {
            let word = match &rule.head {
                Term::Variable(word) | Term::Constant(word) | Term::Compound(word, _) => word,
            };
            let count = match &**word {
                "init" => &mut counts.init,
                "legal" => &mut counts.legal,
                "next" => &mut counts.next,
                "goal" => &mut counts.goal,
                "terminal" => &mut counts.terminal,
                _ => &mut counts.other,
            };
            *count += 1;
        }
        counts
    }
}

impl Info {
    fn of(game: &Game, args: &InfoArgs, stop: &StopFlag) -> Result<Self, Failure> {
        let until = args.games.is_none().then(|| Instant::now() + TIME);
        let games = args.games.unwrap_or(10);
        let opened = game.report();
        let mut end_rules = opened.rules.as_ref();
        let mut end_rules = end_rules
            .take()
            .and_then(|rules| EndRules::new(rules, TIME, stop).ok());
        let seen = game.sample(SampleOptions {
            seed: args.seed,
            games,
            max_plies: args.max_plies,
            deadline: Deadline::new(until, stop),
            on_end: &mut |facts| {
                if let Some(rules) = &mut end_rules {
                    rules.count(facts);
                }
            },
        });
        let seen = seen.map_err(|stopped| Failure::finding(stopped.to_string()))?;
        let rules = opened
            .rules
            .as_ref()
            .map(|rules| RuleCounts::of(rules.rules()));
        let checked = opened.self_check.as_ref();
        let checked = checked.and_then(|checked| checked.as_ref().ok());
        Ok(Self {
            game: game.name().to_owned(),
            engine: opened.engine,
            reason: opened.reason.to_string(),
            roles: game.roles().to_vec(),
            rules: rules.unwrap_or_default(),
            initial_facts: game.initial().facts().len(),
            boards: boards(game)?,
            play: play(game.roles().len(), &seen),
            sample: SampleReport::of(&seen, end_rules.as_ref(), game, args),
            network: opened.network.as_ref().map(NetworkReport::of),
            self_check_states: checked.map(|seen| seen.states),
            self_check_stopped: checked.and_then(|seen| Some(seen.stopped.as_ref()?.to_string())),
            unchecked: checked
                .filter(|seen| seen.states == 0)
                .map(Agreement::to_string),
            startup: StageTimes::of(&opened.stages),
            sizes: StageSizes::of(&opened.stages),
            startup_seconds: opened.startup().as_secs_f64(),
            warnings: opened.warnings.len(),
        })
    }
}

impl NetworkReport {
    fn of(report: &CompileReport) -> Self {
        let passes = report.passes.iter().map(|pass| PassReport {
            name: pass.name.to_string(),
            gates_before: pass.before,
            gates_after: pass.after,
        });
        let left_out = report.left_out.iter();
        let left_out = left_out.map(|LeftOut { what, above }| LeftOutReport {
            what: what.to_string(),
            above_gates: *above,
        });
        Self {
            reachable_facts: report.fluents,
            reachable_moves: report.moves,
            ground_rules: report.ground_rules,
            gates_before: report
                .passes
                .first()
                .map_or(report.gates, |pass| pass.before),
            gates: report.gates,
            gates_in_phases: report.turn_gates.clone(),
            search_savings: report.search_savings,
            slots: report.slots,
            passes: passes.collect(),
            left_out: left_out.collect(),
        }
    }
}

fn boards(game: &Game) -> Result<Vec<BoardReport>, Failure> {
    // Nothing is drawn: only what was found out matters.
    let screen = Screen::survey(&Session::new(game), Style::UNCOLOURED)?;
    let plans = screen.layout().boards.iter();
    let reports = plans.map(|plan| {
        let (columns, rows) = plan.size();
        BoardReport {
            kind: plan.kind.name(),
            fact: plan.name().to_owned(),
            panels: plan.panels().len(),
            columns,
            rows,
        }
    });
    Ok(reports.collect())
}

fn play(roles: usize, seen: &Sample) -> &'static str {
    match (roles, seen.shared) {
        (1, _) => "single",
        (_, 0) => "turns",
        _ => "simultaneous",
    }
}
