//! One game of a tournament is played.

use std::ops::ControlFlow;

use super::opened::{PlannedGame, Tournament};
use super::openings::Opening;
use super::plan::PlannedOpenings;
use super::seeds::seed_of;
use super::{FinishedGame, GameEnd, ScheduledGame, hash_of_moves};
use crate::play::{
    End, MatchTerms, PlayedMatch, Record, RoleAssignment, Series, SeriesError, SeriesObserver,
    Session, Spec, Step, opening,
};
use crate::util::StopFlag;

impl Tournament {
    /// Plays a game, and tells how it went, with its record; nothing if `stop` was raised meanwhile.
    ///
    /// # Errors
    /// [`SeriesError`]: no opening can be drawn.
    pub fn play(
        &self,
        scheduled: &ScheduledGame,
        stop: &StopFlag,
    ) -> Result<Option<(FinishedGame, Record)>, SeriesError> {
        let opened = &self.games[scheduled.game];
        let players = self.specs(scheduled);
        let series = Series {
            source: opened.game.source(),
            players: &players,
            games: 1,
            swap: false,
            opening: 0,
            terms: MatchTerms {
                start_clock: self.plan.start_clock,
                play_clock: self.plan.play_clock,
                ..MatchTerms::default()
            },
            scramble: self.plan.scramble,
            seed: scheduled.seed,
            max_plies: self.plan.max_plies,
            occurrences: self.plan.occurrences,
            stop,
            listener: None,
        };
        let mut session = Session::new(&opened.game);
        let first = self.opening(opened, scheduled, &mut session, stop)?;
        // They were checked when the tournament was opened.
        let _ = first.set_up(&mut session);
        let assignment = RoleAssignment::new(session.roles(), 0, false, scheduled.seed);
        let (played, record) =
            series.play(assignment, first.joints.clone(), &mut session, &mut Nobody)?;
        let Some(end) = GameEnd::of(&played.end) else {
            return Ok(None);
        };
        let finished = FinishedGame {
            start: first
                .facts
                .filter(|_| self.plan.keep_moves)
                .unwrap_or_default(),
            ..self.finished(scheduled, played, end, &session)
        };
        Ok(Some((finished, record)))
    }

    /// The player of each role.
    fn specs(&self, scheduled: &ScheduledGame) -> Vec<Spec> {
        let of = |player: &Option<usize>| match player {
            Some(player) => self.plan.players[*player].spec.clone(),
            None => Spec::Random { seed: None },
        };
        scheduled.players.iter().map(of).collect()
    }

    fn opening(
        &self,
        opened: &PlannedGame,
        scheduled: &ScheduledGame,
        session: &mut Session,
        stop: &StopFlag,
    ) -> Result<Opening, SeriesError> {
        if let Some(openings) = &opened.openings {
            return Ok(openings[scheduled.opening as usize].clone());
        }
        let PlannedOpenings::Drawn(plies) = self.plan.openings else {
            return Ok(Opening::default());
        };
        let name = opened.game.name();
        let seed = seed_of(self.plan.seed, "opening", name, scheduled.opening);
        let joints = opening(session, plies, seed, stop).ok_or(SeriesError::NoOpening(plies))?;
        let facts = None;
        Ok(Opening { facts, joints })
    }

    fn finished(
        &self,
        scheduled: &ScheduledGame,
        played: PlayedMatch,
        end: GameEnd,
        session: &Session,
    ) -> FinishedGame {
        let name = |player: &Option<usize>| Some(self.plan.players[(*player)?].name.clone());
        let counts = || played.counts.iter();
        let is_kept = |fact: &String| {
            let mut words = fact.split(|c: char| c.is_whitespace() || "()".contains(c));
            let relation = words.find(|word| !word.is_empty());
            relation.is_some_and(|word| self.plan.keep_facts.iter().any(|kept| kept == word))
        };
        FinishedGame {
            number: scheduled.number,
            game: session.game().name().to_owned(),
            opening: scheduled.opening,
            pair: scheduled.pair,
            players: scheduled.players.iter().map(name).collect(),
            goals: match played.end {
                End::Terminal => played.goals.clone(),
                _ => Vec::new(),
            },
            end,
            note: match &played.end {
                End::Stuck(_) | End::Fault(_) => Some(played.end.to_string()),
                _ => None,
            },
            plies: played.moves.len(),
            decisions: counts().map(|counts| counts.decisions).collect(),
            seconds: played
                .time_used
                .iter()
                .map(|time| time.as_secs_f64())
                .collect(),
            errors: counts().map(|counts| counts.errors).collect(),
            late: counts().map(|counts| counts.late).collect(),
            hash: hash_of_moves(&played.moves),
            facts: session.facts().into_iter().filter(is_kept).collect(),
            start: Vec::new(),
            moves: self.plan.keep_moves.then(|| played.moves.clone()),
            record: None,
        }
    }
}

/// Nobody looks on.
struct Nobody;

impl SeriesObserver for Nobody {
    type Error = SeriesError;

    fn begins(&mut self, _: &Session, _: &[String], _: &RoleAssignment) -> Result<(), SeriesError> {
        Ok(())
    }

    fn plays(&mut self, _: &Session, _: &Step) -> Result<(), SeriesError> {
        Ok(())
    }

    fn ends(&mut self, _: &PlayedMatch, _: &Record) -> Result<ControlFlow<()>, SeriesError> {
        Ok(ControlFlow::Continue(()))
    }
}
