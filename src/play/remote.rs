//! Players on the network.

use std::thread;
use std::time::{Duration, Instant};

use crate::play::outside::GRACE;
use crate::play::{Choice, End, MatchTerms, Player, PlayerFault, Session};
use crate::protocol::{ExchangeError, Message, PlayerAddress, StartMessage, TurnMessage, exchange};
use crate::util::{Deadline, StopFlag};

/// How long a player may take to hear that a match is over.
const FAREWELL: Duration = Duration::from_secs(3);

/// A player that is asked over the network. It knows a match by its first state and the joint moves.
pub(super) struct RemotePlayer {
    address: PlayerAddress,
    terms: MatchTerms,
    stop: StopFlag,
    /// Why the match did not begin for this player.
    not_started: Option<String>,
    /// How many times a move was asked for, those of an opening included.
    asked: usize,
}

impl RemotePlayer {
    pub(super) fn new(address: &PlayerAddress, stop: &StopFlag) -> Self {
        Self {
            address: address.clone(),
            terms: MatchTerms::default(),
            stop: stop.clone(),
            not_started: None,
            asked: 0,
        }
    }

    fn send(
        &self,
        message: &Message,
        time: Duration,
        stop: &StopFlag,
    ) -> Result<String, ExchangeError> {
        exchange(&self.address, message, time, &Deadline::new(None, stop))
    }

    /// A name that is one word of the protocol.
    fn match_id(&self) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let letters = self.terms.match_id.chars();
        letters.map(|c| if fits(c) { c } else { '_' }).collect()
    }

    /// Begins the match, even where the player is not listening yet.
    fn start(&self, session: &Session, role: usize) -> Result<(), String> {
        const PAUSE: Duration = Duration::from_millis(100);
        let message = Message::Start(StartMessage {
            match_id: self.match_id(),
            role: self.terms.told(&session.roles()[role]),
            rules: self.terms.told_rules(session),
            start_clock: self.terms.start_clock,
            play_clock: self.terms.play_clock,
        });
        let end = Instant::now() + self.terms.start_clock + GRACE;
        let mut is_told = false;
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match self.send(&message, left, &self.stop) {
                Ok(reply) if reply.eq_ignore_ascii_case("busy") => {
                    return Err(format!("{} is busy", self.address));
                }
                // What exactly a player says, or that it is late, makes no difference to the match.
                Ok(_) | Err(ExchangeError::Timeout(_)) => return Ok(()),
                Err(ExchangeError::Connection(why)) if left > PAUSE && !self.stop.is_raised() => {
                    if !is_told {
                        let seconds = left.as_secs();
                        tracing::warn!("{why}: asking again for {seconds} s");
                    }
                    is_told = true;
                    thread::sleep(PAUSE);
                }
                Err(why) => return Err(why.to_string()),
            }
        }
    }

    /// The joint move that led to the state after `plies` joint moves.
    fn turn(&self, session: &Session, plies: usize) -> TurnMessage {
        let joint = plies
            .checked_sub(1)
            .map(|last| session.history()[last].to_vec());
        TurnMessage {
            match_id: self.match_id(),
            turn: None,
            moves: joint.map(|joint| joint.iter().map(|mv| self.terms.told(mv)).collect()),
        }
    }

    fn ask(&self, session: &Session, plies: usize) -> Result<String, ExchangeError> {
        let message = Message::Play(self.turn(session, plies));
        self.send(&message, self.terms.play_clock + GRACE, &self.stop)
    }
}

impl Player for RemotePlayer {
    fn name(&self) -> String {
        format!("remote:{}", self.address)
    }

    fn is_remote(&self) -> bool {
        true
    }

    fn begin(&mut self, terms: &MatchTerms) {
        self.terms = terms.clone();
        self.asked = 0;
    }

    fn prepare(&mut self, session: &mut Session, role: usize) {
        self.not_started = self.start(session, role).err();
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        if let Some(why) = &self.not_started {
            return Err(PlayerFault(why.clone()));
        }
        let plies = session.history().len();
        // The moves of an opening are not the player's, but it has to hear of them.
        for earlier in self.asked..plies {
            let _ = self.ask(session, earlier);
        }
        self.asked = plies + 1;
        let reply = self.ask(session, plies);
        let reply = reply.map_err(|why| PlayerFault(why.to_string()))?;
        self.terms.understood(&reply, session.legal_of(role), None)
    }

    fn finish(&mut self, session: &Session, end: &End) {
        if self.not_started.is_some() {
            return;
        }
        let message = match end {
            End::Terminal => Message::Stop(self.turn(session, session.history().len())),
            _ => Message::Abort {
                match_id: self.match_id(),
            },
        };
        // Whoever does not hear it finds out by the silence.
        let _ = self.send(&message, FAREWELL, &StopFlag::default());
    }
}
