//! `kolibri match`: players play, people watch.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;

use crate::catalog::{GameSource, Opened, Visit, open};
use crate::cli::by_role::ByRole;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{GameArgs, settle};
use crate::cli::position::{self, StateArgs};
use crate::cli::seconds::Seconds;
use crate::cli::session::{Session, style};
use crate::cli::table::{self, BoardArgs};
use crate::game::Game;
use crate::play::{
    Assignment, End, Player, Progress, Record, Referee, Seat, Spec, Step, Table, is_chance,
    player_for,
};
use crate::terminal::{Screen, move_line, verdict};

const EXAMPLES: &str = "\
Examples:
  kolibri match kolibrat                                    two players who look ahead
  kolibri match reversi --player black=minimax:time=2 --player white=random
  kolibri match nim --player minimax:depth=6 --games 10 --swap --quiet
  kolibri match checkers --record games --seed 7            each game becomes a file

Players:
  minimax[:time=SECONDS,depth=STEPS,threads=N]   looks ahead
  random[:seed=N]                                plays any legal move
  first                                          plays the first legal move";

/// Let players play, and watch
#[derive(Debug, clap::Args)]
#[command(name = "match", after_help = EXAMPLES)]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Who plays a role; without ROLE, all roles not named
    #[arg(short, long = "player", value_name = "ROLE=SPEC")]
    players: Vec<String>,
    /// Play so many games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Let the players change roles from game to game
    #[arg(long)]
    swap: bool,
    /// Write each game to a file in the folder DIR, a match record
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Where chance begins; each further game adds one
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Give up a game that is longer
    #[arg(long, value_name = "N", default_value_t = 2000)]
    max_steps: usize,
    /// Wait between moves
    #[arg(long, value_name = "S")]
    delay: Option<Seconds>,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON object per game
    #[arg(long)]
    json: bool,
}

/// Who plays where nobody was named: strong enough to be watched, fast enough not to bore.
const DEFAULT_PLAYER: Spec = Spec::Minimax {
    time: Some(Duration::from_millis(200)),
    depth: None,
    threads: 1,
};

pub(in crate::cli) fn run(args: &Args, session: &mut Session<'_>) -> Result<Outcome, Failure> {
    let assigned = table::assigned(&args.players)?;
    let human = |one: &Assignment| one.spec == Spec::Human;
    if assigned.iter().any(human) {
        return Err(Failure::usage("a person cannot play in a `match`")
            .with_help("`kolibri play GAME` asks a person for moves"));
    }
    let source = args.game.source()?;
    if let Some(folder) = &args.record {
        fs::create_dir_all(folder).map_err(|why| unwritable(folder, &why.to_string()))?;
    }
    let hall = Hall {
        args,
        assigned: &assigned,
        source: &source,
        facts: args.start.facts()?,
        stop: session.stop_flag(),
        session,
    };
    let done = open(&source, args.game.engine(), hall);
    settle(done, &source, session)
}

fn unwritable(folder: &Path, why: &str) -> Failure {
    Failure::usage(format!(
        "cannot write records to {}: {why}",
        folder.display()
    ))
    .with_help("name a folder that you may write to")
}

/// Where the matches take place.
struct Hall<'h, 's> {
    args: &'h Args,
    assigned: &'h [Assignment],
    source: &'h GameSource,
    facts: Option<Vec<String>>,
    stop: Arc<AtomicBool>,
    session: &'h mut Session<'s>,
}

impl Visit for Hall<'_, '_> {
    type Output = Result<Outcome, Failure>;

    fn visit<G: Game>(mut self, game: &G, _: &Opened) -> Self::Output {
        position::begin(game, self.facts.as_ref())?;
        let mut seat = Seat::new(game);
        let specs = table::deal(self.assigned, seat.roles(), &DEFAULT_PLAYER)?;
        self.start(&mut seat)?;
        let screen_style = self.args.board.style(self.session);
        let mut screen = Screen::survey(&seat, screen_style);
        let mut totals = Totals::new(&specs);
        let mut outcome = Outcome::Success;
        for number in 0..self.args.games {
            self.start(&mut seat)?;
            let seats = seating(
                &specs,
                seat.roles(),
                if self.args.swap { number } else { 0 },
            );
            let seed = self.args.seed.wrapping_add(number);
            let played = self.game(&mut seat, &mut screen, &specs, &seats, seed)?;
            totals.add(&seats, seat.goals(), &played.end);
            self.report(&played, &seat)?;
            match played.end {
                End::Stopped => return Ok(Outcome::Interrupted),
                End::Terminal | End::StepLimit(_) => {}
                End::Stuck(_) | End::Fault(_) => outcome = Outcome::Failed,
            }
        }
        if self.args.games > 1 && !self.args.json {
            totals.tell(self.session)?;
        }
        Ok(outcome)
    }
}

/// A game that was played.
struct Played {
    number: u64,
    seed: u64,
    players: Vec<String>,
    moves: Vec<Vec<String>>,
    time: Duration,
    errors: Vec<String>,
    end: End,
}

#[derive(Serialize)]
struct Line<'l> {
    game: &'l str,
    players: ByRole<&'l String>,
    moves: &'l [Vec<String>],
    goals: ByRole<Option<u8>>,
    plies: usize,
    seconds: f64,
    errors: &'l [String],
    seed: u64,
    end: String,
}

impl Hall<'_, '_> {
    /// Puts the first state on the table.
    fn start(&self, seat: &mut dyn Table) -> Result<(), Failure> {
        while seat.undo() {}
        match &self.facts {
            Some(facts) => seat.set_up(facts).map_err(Failure::finding),
            None => Ok(()),
        }
    }

    fn is_watched(&self) -> bool {
        !self.args.json && !self.session.quiet
    }

    /// Plays one game; `seats` tells which of `specs` takes each role.
    fn game(
        &mut self,
        seat: &mut dyn Table,
        screen: &mut Screen,
        specs: &[Spec],
        seats: &[usize],
        seed: u64,
    ) -> Result<Played, Failure> {
        let players = self.players(specs, seats, seed)?;
        let mut referee = Referee::new(players, self.args.max_steps, seed, &self.stop);
        let mut record = self.record(seat, seed, referee.names());
        let begin = Instant::now();
        self.announce(seat, screen, &referee.names(), seed)?;
        let end = loop {
            match referee.step(seat) {
                Progress::Over(end) => break end,
                Progress::Played(step) => {
                    record.add(&step, seat, milliseconds());
                    self.show(seat, screen, &step)?;
                }
            }
        };
        record.close(&end, seat.goals());
        self.keep(&record)?;
        Ok(Played {
            number: seed.wrapping_sub(self.args.seed) + 1,
            seed,
            players: referee.names(),
            moves: record.moves,
            time: begin.elapsed(),
            errors: referee.errors().to_vec(),
            end,
        })
    }

    fn players(
        &self,
        specs: &[Spec],
        seats: &[usize],
        seed: u64,
    ) -> Result<Vec<Box<dyn Player>>, Failure> {
        let player = |(role, &seat): (usize, &usize)| {
            let seed = table::seed_of_role(seed, role);
            player_for(&specs[seat], seed, &self.stop)
                .ok_or_else(|| Failure::usage("a person cannot play in a `match`"))
        };
        seats.iter().enumerate().map(player).collect()
    }

    fn record(&self, seat: &dyn Table, seed: u64, names: Vec<String>) -> Record {
        Record {
            player_names_from_host: names,
            rulesheet: Some(self.source.text.clone()),
            ..Record::begin(&self.source.name, seat, seed, milliseconds())
        }
    }

    /// Writes the record, if records are wanted.
    fn keep(&mut self, record: &Record) -> Result<(), Failure> {
        let Some(folder) = &self.args.record else {
            return Ok(());
        };
        let path = folder.join(format!("{}.json", record.match_id));
        record.save(&path).map_err(|why| {
            Failure::usage(why.to_string()).with_help("name a folder that you may write to")
        })?;
        self.session
            .hint(&format!("recorded in {}", path.display()))
    }

    fn announce(
        &mut self,
        seat: &dyn Table,
        screen: &mut Screen,
        names: &[String],
        seed: u64,
    ) -> Result<(), Failure> {
        screen.forget();
        if !self.is_watched() {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let pairs = seat.roles().iter().zip(names);
        let pairs: Vec<String> = pairs.map(|(role, name)| format!("{role} {name}")).collect();
        let out = &mut self.session.out;
        let game = &self.source.name;
        writeln!(
            out,
            "{strong}{game}{strong:#}: {} {faint}(seed {seed}){faint:#}",
            pairs.join(", ")
        )?;
        let legend = screen.legend();
        if !legend.is_empty() {
            writeln!(out, "{faint}{legend}{faint:#}")?;
        }
        writeln!(out, "\n{}", screen.show(&seat.facts()))?;
        Ok(())
    }

    fn show(&mut self, seat: &dyn Table, screen: &mut Screen, step: &Step) -> Result<(), Failure> {
        if !self.is_watched() {
            return Ok(());
        }
        let (strong, faint) = (style::STRONG, style::FAINT);
        let line = move_line(seat.roles(), step);
        let thought = thought(step);
        let out = &mut self.session.out;
        writeln!(
            out,
            "{strong}{}. {line}{strong:#}{faint}{thought}{faint:#}",
            step.number
        )?;
        for error in step.errors.iter().filter(|error| !error.is_empty()) {
            writeln!(out, "{faint}a move was drawn instead: {error}{faint:#}")?;
        }
        writeln!(out, "{}", screen.show(&seat.facts()))?;
        out.flush()?;
        self.pause();
        Ok(())
    }

    /// Waits as long as was asked for, unless somebody wants to stop.
    fn pause(&self) {
        const SLICE: Duration = Duration::from_millis(50);
        let Some(delay) = self.args.delay else { return };
        let begin = Instant::now();
        while !self.stop.load(Ordering::Relaxed) {
            let left = delay.duration().saturating_sub(begin.elapsed());
            if left.is_zero() {
                return;
            }
            thread::sleep(left.min(SLICE));
        }
    }

    fn report(&mut self, played: &Played, seat: &dyn Table) -> Result<(), Failure> {
        if self.args.json {
            return self.session.json(&Line {
                game: &self.source.name,
                players: ByRole::new(seat.roles(), &played.players),
                moves: &played.moves,
                goals: ByRole::new(seat.roles(), seat.goals().iter().copied()),
                plies: played.moves.len(),
                seconds: played.time.as_secs_f64(),
                errors: &played.errors,
                seed: played.seed,
                end: played.end.to_string(),
            });
        }
        let plies = played.moves.len();
        let (words, after) = match &played.end {
            End::Terminal => (
                verdict(seat.roles(), seat.goals()),
                format!("after {plies} moves, "),
            ),
            end => (end.to_string(), String::new()),
        };
        let game = if self.args.games > 1 {
            format!("game {}: ", played.number)
        } else {
            String::new()
        };
        let (strong, faint) = (style::STRONG, style::FAINT);
        let seconds = played.time.as_secs_f64();
        let out = &mut self.session.out;
        writeln!(
            out,
            "{game}{strong}{words}{strong:#} {faint}{after}{seconds:.1} s, seed {}{faint:#}",
            played.seed
        )?;
        Ok(())
    }
}

/// How deep the players looked, and what they expect.
fn thought(step: &Step) -> String {
    let told = step.advice.iter().flatten().map(|advice| {
        let sure = if advice.exact { "sure of" } else { "expects" };
        format!("  depth {}, {sure} {}", advice.depth, advice.goal)
    });
    told.collect()
}

/// Milliseconds since 1970.
fn milliseconds() -> u64 {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(now.as_millis()).unwrap_or(u64::MAX)
}

/// Which player takes each role, after so many changes: all move on by one, chance stays where it is.
fn seating(specs: &[Spec], roles: &[String], changes: u64) -> Vec<usize> {
    let moving: Vec<usize> = (0..specs.len())
        .filter(|&role| !is_chance(&roles[role]))
        .collect();
    let mut seats: Vec<usize> = (0..specs.len()).collect();
    for (place, &role) in moving.iter().enumerate() {
        let shift = usize::try_from(changes % moving.len() as u64).unwrap_or(0);
        seats[role] = moving[(place + shift) % moving.len()];
    }
    seats
}

/// What each player got out of several games.
struct Totals {
    names: Vec<String>,
    scores: Vec<Score>,
}

#[derive(Clone, Default)]
struct Score {
    games: u32,
    wins: u32,
    draws: u32,
    points: u32,
}

impl Totals {
    fn new(specs: &[Spec]) -> Self {
        Self {
            names: specs.iter().map(Spec::to_string).collect(),
            scores: vec![Score::default(); specs.len()],
        }
    }

    /// Counts a game that the rules ended and gave a result.
    fn add(&mut self, seats: &[usize], goals: &[Option<u8>], end: &End) {
        let known: Option<Vec<u8>> = goals.iter().copied().collect();
        let Some(goals) = known.filter(|_| *end == End::Terminal) else {
            return;
        };
        let best = goals.iter().copied().max().unwrap_or(0);
        let winners = goals.iter().filter(|goal| **goal == best).count();
        let is_draw = winners == goals.len() && goals.len() > 1;
        for (&seat, &goal) in seats.iter().zip(&goals) {
            let score = &mut self.scores[seat];
            score.games += 1;
            score.draws += u32::from(is_draw);
            score.wins += u32::from(goal == best && !is_draw && goal > 0);
            score.points += u32::from(goal);
        }
    }

    fn tell(&self, session: &mut Session<'_>) -> Result<(), Failure> {
        for (number, (name, score)) in self.names.iter().zip(&self.scores).enumerate() {
            let Score {
                games,
                wins,
                draws,
                points,
            } = score;
            let losses = games - wins - draws;
            let mean = f64::from(*points) / f64::from((*games).max(1));
            let strong = style::STRONG;
            writeln!(
                session.out,
                "{strong}player {}{strong:#} {name}: {wins} won, {draws} drawn, {losses} lost, {mean:.1} points a game",
                number + 1
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_change_roles_and_chance_stays() {
        let roles = ["red", "random", "blue"].map(str::to_owned);
        let specs = [Spec::First, Spec::Random { seed: None }, Spec::First];
        assert_eq!(seating(&specs, &roles, 0), [0, 1, 2]);
        assert_eq!(seating(&specs, &roles, 1), [2, 1, 0]);
        assert_eq!(seating(&specs, &roles, 2), [0, 1, 2]);
    }
}
