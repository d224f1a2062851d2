//! A plan by options: simple tournaments need no file.

use std::fmt::Write as _;
use std::str::FromStr;

use crate::cli::number::whole;
use crate::cli::seconds::clock;
use crate::engine::EngineChoice;
use crate::statistics::{Hypotheses, StrengthScale};

/// Options that take the place of a plan.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Options in place of a plan")]
pub(super) struct PlanArgs {
    /// A player; without NAME, it is called by its description
    #[arg(
        short,
        long = "player",
        value_name = "NAME=SPEC",
        conflicts_with = "plan",
        requires = "games"
    )]
    players: Vec<String>,
    /// A shipped game, a rule file, or a folder of rule files
    #[arg(
        short,
        long = "game",
        value_name = "GAME",
        conflicts_with = "plan",
        requires = "players"
    )]
    games: Vec<String>,
    /// Who plays whom
    #[arg(long, value_enum, conflicts_with = "plan", requires = "players")]
    schedule: Option<ScheduleName>,
    /// The player of a gauntlet, whom all others play
    #[arg(
        long,
        value_name = "NAME",
        conflicts_with = "plan",
        requires = "players"
    )]
    gauntlet: Option<String>,
    /// Number of rounds, each with an opening of its own
    #[arg(long, value_name = "N", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = whole::<u64>(1, i64::MAX as u64))]
    rounds: Option<u64>,
    /// Draw the first PLIES plies of each round at random; with --openings, play so many plies of each match record
    #[arg(long, value_name = "PLIES", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = whole::<u64>(0, i64::MAX as u64))]
    opening: Option<u64>,
    /// Play the openings in FILE: lines of moves, a match record, or a folder of records
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with = "plan",
        requires = "players"
    )]
    openings: Option<String>,
    /// Seed of the tournament; each game has a seed of its own, which depends on it and on the number of the game
    #[arg(long, value_name = "N", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = whole::<u64>(0, i64::MAX as u64))]
    seed: Option<u64>,
    /// Give up a game after N plies: it counts as endless
    #[arg(long, value_name = "N", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = whole::<u64>(1, i64::MAX as u64))]
    max_plies: Option<u64>,
    /// Give up a game in which a position occurs N times: it counts as endless
    #[arg(long, value_name = "N", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = whole::<u64>(2, i64::MAX as u64))]
    occurrences: Option<u64>,
    /// The engine that runs the rules
    #[arg(long, value_enum, conflicts_with = "plan", requires = "players")]
    engine: Option<EngineChoice>,
    /// Seconds that players on the network have to get ready
    #[arg(long, value_name = "S", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = clock(i64::MAX as u64))]
    start_clock: Option<u64>,
    /// Seconds that players on the network have for each move
    #[arg(long, value_name = "S", conflicts_with = "plan", requires = "players", allow_negative_numbers = true, value_parser = clock(i64::MAX as u64))]
    play_clock: Option<u64>,
}

/// Who plays whom.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum ScheduleName {
    /// Everybody plays everybody
    RoundRobin,
    /// All others play the player of --gauntlet
    Gauntlet,
    /// Who has as many points so far plays each other
    Swiss,
}

impl ScheduleName {
    fn name(self) -> &'static str {
        match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
            Self::Swiss => "swiss",
        }
    }
}

impl PlanArgs {
    /// The plan as a TOML file.
    pub(super) fn text(&self, test: Option<&TestText>) -> String {
        let mut text = String::new();
        let games: Vec<String> = self.games.iter().map(|game| quoted(game)).collect();
        line(&mut text, "games", Some(format!("[{}]", games.join(", "))));
        line(
            &mut text,
            "schedule",
            self.schedule.map(|one| quoted(one.name())),
        );
        line(&mut text, "gauntlet", self.gauntlet.as_deref().map(quoted));
        line(&mut text, "rounds", self.rounds);
        line(&mut text, "seed", self.seed);
        line(&mut text, "max_plies", self.max_plies);
        line(&mut text, "occurrences", self.occurrences);
        let engine = self
            .engine
            .map(|engine| serde_json::to_string(&engine).unwrap_or_default());
        line(&mut text, "engine", engine);
        line(&mut text, "start_clock", self.start_clock);
        line(&mut text, "play_clock", self.play_clock);
        if self.opening.is_some() || self.openings.is_some() {
            text.push_str("\n[openings]\n");
            line(&mut text, "plies", self.opening);
            line(&mut text, "file", self.openings.as_deref().map(quoted));
        }
        if let Some(TestText(test)) = test {
            text.push_str("\n[sprt]\n");
            for (key, value) in [
                ("elo0", test.elo0),
                ("elo1", test.elo1),
                ("alpha", test.alpha),
                ("beta", test.beta),
            ] {
                line(&mut text, key, Some(format!("{value:?}")));
            }
            line(&mut text, "scale", serde_json::to_string(&test.scale).ok());
        }
        for player in &self.players {
            text.push_str("\n[[players]]\n");
            let (name, spec) = match player.split_once('=') {
                Some((name, spec)) if !name.contains(':') => (Some(name.trim()), spec),
                _ => (None, player.as_str()),
            };
            line(&mut text, "name", name.map(quoted));
            line(&mut text, "player", Some(quoted(spec)));
        }
        text
    }
}

fn line(text: &mut String, key: &str, value: Option<impl std::fmt::Display>) {
    if let Some(value) = value {
        // A text takes whatever is written to it.
        let _ = writeln!(text, "{key} = {value}");
    }
}

/// A text as TOML has it, which is how JSON has it.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_default()
}

/// A sequential test as it is typed: `elo0=0,elo1=10`.
#[derive(Debug, Clone, Copy)]
pub(super) struct TestText(Hypotheses);

impl TestText {
    pub(super) fn hypotheses(self) -> Hypotheses {
        self.0
    }
}

impl FromStr for TestText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        const EXPECTED: &str =
            "write elo0=0,elo1=10, and alpha=, beta= and scale=normalised where they are to differ";
        let mut test = Hypotheses {
            elo0: f64::NAN,
            elo1: f64::NAN,
            alpha: 0.05,
            beta: 0.05,
            scale: StrengthScale::Logistic,
        };
        for part in text.split(',') {
            let (key, value) = part.split_once('=').ok_or(EXPECTED)?;
            let number = || {
                value
                    .trim()
                    .parse::<f64>()
                    .map_err(|_| format!("`{value}` is no number; {EXPECTED}"))
            };
            match key.trim() {
                "elo0" => test.elo0 = number()?,
                "elo1" => test.elo1 = number()?,
                "alpha" => test.alpha = number()?,
                "beta" => test.beta = number()?,
                "scale" => {
                    test.scale =
                        clap::ValueEnum::from_str(value.trim(), true).map_err(|_| EXPECTED)?
                }
                other => return Err(format!("there is no `{other}`; {EXPECTED}")),
            }
        }
        match test.elo0.is_nan() || test.elo1.is_nan() {
            true => Err(EXPECTED.to_owned()),
            false => test.checked().map(Self).map_err(|fault| fault.to_string()),
        }
    }
}
