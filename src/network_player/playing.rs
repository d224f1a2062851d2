//! The position of a match, who plays it, and its record.

use std::iter;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::NetworkPlayerOptions;
use super::read_joint::{ReadJoint, read_joint};
use super::task::AnswerClock;
use crate::play::{
    AnswerTime, End, MatchTerms, Player, Record, Step, choose_legal, milliseconds, player_for,
    seed_of_role, while_others_ponder,
};
use crate::protocol::StartMessage;
use crate::session::{Game, Session};
use crate::util::{Alarm, Deadline, StopFlag};

/// A match whose rules are loaded.
pub(super) struct Playing {
    session: Session,
    role: usize,
    player: Box<dyn Player>,
    terms: MatchTerms,
    record: Record,
    rng: Xoshiro256PlusPlus,
}

/// The flags of a match.
#[derive(Debug, Clone, Default)]
pub(super) struct Flags {
    /// The search must end, for the reply has been given.
    pub(super) hurry: StopFlag,
    /// The match was given up.
    pub(super) given_up: StopFlag,
}

impl Flags {
    pub(super) fn give_up(&self) {
        self.given_up.raise();
        self.hurry.raise();
    }

    /// Lets the next search go on, unless the match was given up.
    pub(super) fn begin_search(&self) {
        if !self.given_up.is_raised() {
            self.hurry.lower();
        }
    }
}

impl Playing {
    /// A match of this game as `start` says; `None` where the game has no such role.
    pub(super) fn new(
        game: &Game,
        start: &StartMessage,
        options: &NetworkPlayerOptions,
        flags: &Flags,
    ) -> Option<Self> {
        let session = Session::new(game);
        let roles = session.roles();
        let exact = roles.iter().position(|role| *role == start.role);
        let role = exact.or_else(|| {
            roles
                .iter()
                .position(|role| role.eq_ignore_ascii_case(&start.role))
        })?;
        let record = Record {
            match_id: start.match_id.clone(),
            start_clock: start.start_clock.as_secs(),
            play_clock: start.play_clock.as_secs(),
            rulesheet: Some(game.source().text.clone()),
            ..Record::begin(game.name(), &session, options.seed, milliseconds())
        };
        let terms = MatchTerms {
            match_id: start.match_id.clone(),
            start_clock: start.start_clock,
            start_clock_for_all: true,
            play_clock: start.play_clock,
            words: None,
        };
        Some(Self {
            player: player(options, role, &terms, flags)?,
            terms,
            session,
            role,
            record,
            rng: Xoshiro256PlusPlus::seed_from_u64(options.seed),
        })
    }

    /// Goes on with another engine for the same rules; what the player has learned is lost.
    pub(super) fn go_on_with(
        &mut self,
        game: &Game,
        options: &NetworkPlayerOptions,
        flags: &Flags,
    ) {
        if let Some(session) = self.session.replayed_on(game)
            && let Some(player) = player(options, self.role, &self.terms, flags)
        {
            self.player = player;
            self.session = session;
        }
    }

    pub(super) fn plies(&self) -> usize {
        self.session.history().len()
    }

    /// Lets the player learn what it needs, for a part of the time left.
    pub(super) fn prepare(&mut self, time: Duration) {
        self.player.set_clock(time);
        self.player.prepare(&mut self.session, self.role);
    }

    /// Searches the first position until `end`, if the player keeps what it finds.
    pub(super) fn search_ahead(&mut self, end: Instant, flags: &Flags) {
        self.player
            .set_clock(end.saturating_duration_since(Instant::now()));
        if self.player.ponders() && !self.session.legal_of(self.role).is_empty() {
            let alarm = Alarm::at(&Deadline::new(Some(end), &flags.hurry));
            self.player.ponder(&self.session, self.role, alarm.flag());
        }
    }

    /// Waits for `next`, and ponders meanwhile.
    pub(super) fn while_pondering<R>(&mut self, next: impl FnOnce() -> R) -> R {
        let own = iter::once((self.role, &mut self.player));
        while_others_ponder(own, &self.session, next)
    }

    /// What the moves of a message mean here.
    pub(super) fn read(
        &self,
        sent: Option<&[String]>,
        answered: Option<&str>,
    ) -> Option<ReadJoint> {
        read_joint(self.session.position(), sent, (self.role, answered))
    }

    /// Plays a joint move, and says whether the player's own answer is part of it.
    pub(super) fn advance(&mut self, read: ReadJoint, answered: Option<&str>) -> bool {
        let own = &read.joint[self.role];
        let was_taken = answered.is_none_or(|answered| answered == own);
        let mut step = Step::replayed(read.joint.clone());
        if let (false, Some(answered)) = (was_taken, answered) {
            step.errors[self.role] = format!("answered {answered}");
        }
        // Each move of `read` is legal.
        if self.session.play_joint(&read.joint).is_ok() {
            self.record.add(&step, &self.session, milliseconds());
        }
        was_taken
    }

    /// The legal moves of the player.
    pub(super) fn legal(&self) -> &[String] {
        self.session.legal_of(self.role)
    }

    /// A legal move, drawn at random.
    pub(super) fn any_move(&mut self) -> Option<String> {
        let legal = self.session.legal_of(self.role);
        (!legal.is_empty()).then(|| legal[self.rng.random_range(0..legal.len())].clone())
    }

    /// The move that the player chooses within `time`.
    pub(super) fn choose(&mut self, time: Duration) -> Result<String, String> {
        self.player.set_clock(time);
        let choice = choose_legal(&mut *self.player, &self.session, self.role);
        choice
            .map(|choice| choice.mv)
            .map_err(|fault| fault.to_string())
    }

    /// Notes how long an answer took.
    pub(super) fn note(&mut self, times: &AnswerClock, taken: Duration, is_cut_short: bool) {
        let whole = |time: Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        self.record.clocks.push(AnswerTime {
            plies: self.session.history().len(),
            received: milliseconds().saturating_sub(whole(times.received.elapsed())),
            taken: whole(taken),
            clock: whole(times.clock),
            margin: whole(times.margin),
            is_cut_short,
        });
    }

    /// Closes the record, and tells how the match ended.
    pub(super) fn close(&mut self) -> (String, &Record) {
        let end = match self.session.is_terminal() {
            true => End::Terminal,
            false => End::Stopped,
        };
        self.record.close(&end, self.session.goals());
        let goal = self.session.goals()[self.role].filter(|_| end == End::Terminal);
        let how = match goal {
            Some(goal) => format!("{end}, {goal} points"),
            None => end.to_string(),
        };
        (how, &self.record)
    }
}

/// The player of a role; none for a person.
fn player(
    options: &NetworkPlayerOptions,
    role: usize,
    terms: &MatchTerms,
    flags: &Flags,
) -> Option<Box<dyn Player>> {
    let seed = seed_of_role(options.seed, role);
    let mut player = player_for(&options.spec, seed, &flags.hurry, None)?;
    player.begin(terms);
    Some(player)
}
