//! One game of a match, from the first state to its record.

use std::time::{Duration, Instant};

use super::Hall;
use super::seating::Seating;
use crate::cli::failure::Failure;
use crate::cli::status_line::StatusLine;
use crate::cli::thinking::ThinkingDisplay;
use crate::play::{
    End, Player, Progress, Record, Referee, Spec, Table, milliseconds, opening, player_for,
    seed_of_role,
};
use crate::terminal::Screen;

/// A game that was played.
pub(super) struct Played {
    pub(super) number: u64,
    pub(super) seed: u64,
    pub(super) seed_of_opening: u64,
    pub(super) players: Vec<String>,
    pub(super) moves: Vec<Vec<String>>,
    /// What each role got, where the rules ended the game.
    pub(super) goals: Vec<Option<u8>>,
    pub(super) time: Duration,
    pub(super) errors: Vec<String>,
    pub(super) end: End,
}

impl Hall<'_, '_> {
    /// Plays one game between the players that `specs` asks for.
    pub(super) fn game(
        &mut self,
        seat: &mut dyn Table,
        screen: &mut Screen,
        specs: &[Spec],
        seating: &Seating,
    ) -> Result<Played, Failure> {
        let seed = seating.seed;
        let players = self.players(specs, seating)?;
        let opening = self.opening(seat, seating.seed_of_opening)?;
        let mut referee =
            Referee::new(players, self.args.max_steps, seed, &self.stop).with_opening(opening);
        let mut status = StatusLine::new(self.console.quiet || self.args.json);
        status.show("learning the weights of the evaluation");
        referee.prepare(seat);
        status.clear();
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
            number: seating.number + 1,
            seed,
            seed_of_opening: seating.seed_of_opening,
            players: referee.names(),
            moves: record.moves,
            time: begin.elapsed(),
            errors: referee.errors().to_vec(),
            goals: match end {
                End::Terminal => seat.goals().to_vec(),
                _ => vec![None; seat.roles().len()],
            },
            end,
        })
    }

    fn players(&self, specs: &[Spec], seating: &Seating) -> Result<Vec<Box<dyn Player>>, Failure> {
        let listener = self.is_watched().then(ThinkingDisplay::listener);
        let player = |(role, &seat): (usize, &usize)| {
            let seed = seed_of_role(seating.seed, role);
            player_for(&specs[seat], seed, &self.stop, listener.as_ref())
                .ok_or_else(|| Failure::usage("a person cannot play in a `match`"))
        };
        seating.seats.iter().enumerate().map(player).collect()
    }

    /// The first steps, if nobody is to choose them.
    fn opening(&self, seat: &mut dyn Table, seed: u64) -> Result<Vec<Vec<String>>, Failure> {
        let steps = self.args.opening;
        let drawn = opening(seat, steps, seed, &self.stop);
        drawn.ok_or_else(|| {
            let message =
                format!("no opening of {steps} steps was found after which the game goes on");
            Failure::usage(message).with_help("draw fewer steps with --opening")
        })
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
        self.console
            .hint(&format!("recorded in {}", path.display()))
    }
}
