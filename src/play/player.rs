//! Those who choose moves.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::{Rng, RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::play::program::ProgramPlayer;
use crate::play::published::PublishedChooser;
use crate::play::remote::RemotePlayer;
use crate::play::solved_player::SolvedPlayer;
use crate::play::{End, Found, MatchTerms, SearchOptions, Session, Spec};
use crate::search::{self, MAX_DEPTH, SearchLimits, Searcher};
use crate::session::{SearchKind, start_clock};
use crate::util::{Deadline, StopFlag};

/// Chooses moves, for one role at a time.
pub trait Player: Send {
    /// What to call it, for instance in records.
    fn name(&self) -> String;

    /// Whether it thinks on another machine: such players are asked all at once, and while others think.
    fn is_remote(&self) -> bool {
        false
    }

    /// A match on these terms is about to begin.
    fn begin(&mut self, terms: &MatchTerms) {
        let _ = terms;
    }

    /// Gets ready to play `role`, before any clock runs.
    fn prepare(&mut self, session: &mut Session, role: usize) {
        let _ = (session, role);
    }

    /// How long the next call of [`Player::prepare`] or [`Player::choose`] may take: a player that limits itself to less keeps
    /// to that.
    fn set_clock(&mut self, clock: Duration) {
        let _ = clock;
    }

    /// How long it says that a move takes at most; `None` where it sets no limit.
    fn time_limit(&self) -> Option<Duration> {
        None
    }

    /// A legal move of `role` in the present state of `session`.
    ///
    /// # Errors
    /// Says why there is no move to be had; the referee then draws one.
    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault>;

    /// The match is over, as `end` says; `session` shows its last state.
    fn finish(&mut self, session: &Session, end: &End) {
        let _ = (session, end);
    }

    /// What the player expects `role` to score from the present state of `session`, in goal points; `None` where it does
    /// not evaluate positions.
    fn expects(&mut self, session: &Session, role: usize) -> Option<f64> {
        let _ = (session, role);
        None
    }

    /// What each heuristic adds to the evaluation of the present position for `role`, in logits; nothing for players without
    /// heuristics, and before they are ready.
    fn contributions(&self, session: &Session, role: usize) -> Vec<(&'static str, f64)> {
        let _ = (session, role);
        Vec::new()
    }

    /// Whether to think while others do.
    fn ponders(&self) -> bool {
        false
    }

    /// Thinks about the present state of `session`, in which `role` has no choice, until `stop` becomes true.
    fn ponder(&mut self, session: &Session, role: usize, stop: &StopFlag) {
        let _ = (session, role, stop);
    }
}

/// The legal move that a player chooses.
///
/// # Errors
/// It chooses none, or one that is not legal: then `IL` and the move.
pub fn choose_legal(
    player: &mut dyn Player,
    session: &Session,
    role: usize,
) -> Result<Choice, PlayerFault> {
    let choice = player.choose(session, role)?;
    match session.legal_of(role).contains(&choice.mv) {
        true => Ok(choice),
        false => Err(PlayerFault(format!("IL {}", choice.mv))),
    }
}

/// A move, and what a search found, where there was one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// The move.
    pub mv: String,
    /// What a search found.
    pub found: Option<Found>,
}

/// Why a player gave no move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct PlayerFault(pub String);

/// Is informed of searches while they go on.
pub trait Listener: Send + Sync {
    /// What the player of `role` knows so far.
    fn report(&self, role: &str, progress: &search::SearchProgress);

    /// The search is over.
    fn end(&self);
}

/// The player that `spec` asks for, its chance drawn from `seed`; `None` for a person, whom only a terminal can ask.
///
/// A search ends soon after `stop` becomes true, and reports its progress to `listener`.
pub fn player_for(
    spec: &Spec,
    seed: u64,
    stop: &StopFlag,
    listener: Option<&Arc<dyn Listener>>,
) -> Option<Box<dyn Player>> {
    let thinker = |thinking: &SearchOptions, searcher| -> Option<Box<dyn Player>> {
        Some(Box::new(Thinker {
            name: spec.to_string(),
            thinking: thinking.clone(),
            searcher,
            weights_fault: None,
            clock: None,
            clocks: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            stop: stop.clone(),
            listener: listener.cloned(),
        }))
    };
    match spec {
        Spec::Human => None,
        Spec::First => Some(Box::new(First)),
        Spec::Random { seed: own } => Some(Box::new(Random::new(own.unwrap_or(seed)))),
        Spec::Minimax(thinking) => thinker(thinking, thinking.searcher(SearchKind::Minimax)),
        Spec::Plain(thinking) => thinker(thinking, thinking.searcher(SearchKind::Plain)),
        Spec::Mcts(thinking) => thinker(thinking, thinking.searcher(SearchKind::Mcts)),
        Spec::Auto(thinking) => thinker(thinking, thinking.searcher(SearchKind::Auto)),
        Spec::Published { player, seed: own } => Some(Box::new(PublishedChooser::new(
            *player,
            own.unwrap_or(seed),
            stop,
        ))),
        Spec::Solved(file) => Some(Box::new(SolvedPlayer::new(file))),
        Spec::Remote(address) => Some(Box::new(RemotePlayer::new(address, stop))),
        Spec::Exec(program) => Some(Box::new(ProgramPlayer::new(program, stop))),
    }
}

/// The seed of the player of one role in a game that has the given seed.
pub fn seed_of_role(seed: u64, role: usize) -> u64 {
    // An odd factor keeps seeds of different games and roles apart.
    const STRIDE: u64 = 0x9e37_79b9_7f4a_7c15;
    seed.wrapping_mul(STRIDE).wrapping_add(role as u64)
}

/// Plays the first legal move in natural order.
struct First;

impl Player for First {
    fn name(&self) -> String {
        Spec::First.to_string()
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        let first = session.legal_of(role).first().ok_or_else(no_move)?;
        Ok(Choice {
            mv: first.clone(),
            found: None,
        })
    }
}

/// Plays any legal move, each equally likely.
pub(super) struct Random {
    rng: Xoshiro256PlusPlus,
}

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }
}

impl Player for Random {
    fn name(&self) -> String {
        "random".to_owned()
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        let legal = session.legal_of(role);
        if legal.is_empty() {
            return Err(no_move());
        }
        Ok(Choice {
            mv: legal[self.rng.random_range(0..legal.len())].clone(),
            found: None,
        })
    }
}

/// Looks ahead, and draws one of several good moves.
struct Thinker {
    name: String,
    thinking: SearchOptions,
    searcher: Searcher,
    /// Why the file of weights cannot be used.
    weights_fault: Option<String>,
    /// The time for the next call, where a match has clocks.
    clock: Option<Duration>,
    /// The start clock, if all players of the match have it, and the play clock, which holds for this player only where it is told its clocks.
    clocks: Option<[Duration; 2]>,
    rng: Xoshiro256PlusPlus,
    stop: StopFlag,
    listener: Option<Arc<dyn Listener>>,
}

impl Thinker {
    /// The time of a move: the least of its own and that of the match.
    fn time(&self) -> Option<Duration> {
        let times = self.thinking.time.into_iter().chain(self.clock);
        times.min()
    }

    /// How long a move will take; `None` where there is no start clock, or where something else than time limits moves.
    fn expected_time(&self) -> Option<Duration> {
        let [_, play] = self.clocks.filter(|_| !self.thinking.limits_work())?;
        let told = self.clock.map(|_| play);
        self.thinking.time.into_iter().chain(told).min()
    }

    /// The time to get ready: that of the next call, that of the match for all players, or what is usual.
    fn time_to_prepare(&self) -> Duration {
        let given = self.clock.or(self.clocks.map(|[start, _]| start));
        given.unwrap_or(start_clock(self.thinking.time))
    }

    fn search(&mut self, session: &Session, role: usize) -> Option<Found> {
        let listener = self.listener.as_deref();
        let report = |progress: &search::SearchProgress| {
            if let Some(listener) = listener {
                listener.report(&session.roles()[role], progress);
            }
        };
        let limits = SearchLimits {
            time: self.time(),
            report: listener.is_some().then_some(&report),
            ..self.thinking.limits(Some(self.rng.next_u64()), &self.stop)
        };
        let found = session.search(role, &limits, &mut self.searcher);
        if let Some(listener) = listener {
            listener.end();
        }
        found
    }
}

impl Player for Thinker {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn begin(&mut self, terms: &MatchTerms) {
        let clocks = [terms.start_clock, terms.play_clock];
        self.clocks = terms.start_clock_for_all.then_some(clocks);
    }

    fn prepare(&mut self, session: &mut Session, role: usize) {
        let begin = Instant::now();
        let time = self.time_to_prepare();
        let half = Deadline::new(Some(begin + time / 2), &self.stop);
        let given = self
            .thinking
            .equip(&mut self.searcher, (session.game(), role), &half);
        self.weights_fault = given.err().map(|fault| fault.to_string());
        if let Some(time) = self.expected_time() {
            let is_start = session.history().is_empty();
            self.searcher.expect_move_time(time, is_start);
        }
        let left = time.saturating_sub(begin.elapsed());
        session.prepare(role, &mut self.searcher, left, &self.stop);
    }

    fn set_clock(&mut self, clock: Duration) {
        self.clock = Some(clock);
        self.searcher.use_clock();
    }

    fn time_limit(&self) -> Option<Duration> {
        self.time()
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        if let [only] = session.legal_of(role) {
            let mv = only.clone();
            return Ok(Choice { mv, found: None });
        }
        if let Some(fault) = &self.weights_fault {
            return Err(PlayerFault(fault.clone()));
        }
        let found = self.search(session, role).ok_or_else(no_move)?;
        Ok(Choice {
            mv: found.best.clone(),
            found: Some(found),
        })
    }

    fn expects(&mut self, session: &Session, role: usize) -> Option<f64> {
        let found = self.search(session, role)?;
        // A move that was drawn by value says less than the position is worth.
        let exact = found.moves.iter().filter(|of| of.is_exact);
        let best = exact.map(|of| of.value).max();
        Some(best.unwrap_or(found.value).points())
    }

    fn contributions(&self, session: &Session, role: usize) -> Vec<(&'static str, f64)> {
        session.contributions(role, &self.searcher)
    }

    /// What is found out at other depths is of use only to a search that nothing but the clock ends.
    fn ponders(&self) -> bool {
        self.thinking.ponder && self.time().is_some() && self.thinking.depth.is_none()
    }

    /// What is found stays in the searcher.
    fn ponder(&mut self, session: &Session, role: usize, stop: &StopFlag) {
        const LONG: Duration = Duration::from_secs(24 * 60 * 60);
        let limits = SearchLimits {
            time: Some(LONG),
            threads: self.thinking.threads,
            stop: Some(stop),
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        let _ = session.search(role, &limits, &mut self.searcher);
    }
}

pub(super) fn no_move() -> PlayerFault {
    PlayerFault("there is no legal move".to_owned())
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::play::Session;
    use crate::session::Game;

    /// Notes depths, and the end of a search as 0.
    #[derive(Default)]
    struct Notes(Mutex<Vec<(String, u32)>>);

    impl Listener for Notes {
        fn report(&self, role: &str, progress: &search::SearchProgress) {
            let mut notes = self.0.lock().unwrap();
            notes.push((role.to_owned(), progress.depth));
        }

        fn end(&self) {
            self.0.lock().unwrap().push((String::new(), 0));
        }
    }

    #[test]
    fn who_thinks_can_be_listened_to() {
        let game = Subtraction::new(90, 3);
        let notes = Arc::new(Notes::default());
        let listener: Arc<dyn Listener> = Arc::clone(&notes) as _;
        let spec = "minimax:depth=3".parse().unwrap();
        let mut player = player_for(&spec, 1, &StopFlag::default(), Some(&listener)).unwrap();
        player
            .choose(&Session::new(&Game::from_engine("fixture", game)), 0)
            .unwrap();
        let first = |depth| ("first".to_owned(), depth);
        let noted = [first(1), first(2), first(3), (String::new(), 0)];
        assert_eq!(*notes.0.lock().unwrap(), noted);
    }

    #[test]
    fn a_start_clock_holds_for_the_players_of_this_program_where_it_is_for_all() {
        const OWN: Duration = Duration::from_millis(20);
        let thinking = SearchOptions {
            time: Some(OWN),
            ..SearchOptions::USUAL
        };
        let mut thinker = Thinker {
            name: String::new(),
            searcher: thinking.searcher(SearchKind::Minimax),
            thinking,
            weights_fault: None,
            clock: None,
            clocks: None,
            rng: Xoshiro256PlusPlus::seed_from_u64(1),
            stop: StopFlag::default(),
            listener: None,
        };
        for (start_clock_for_all, seconds) in [(false, 5), (true, 20)] {
            thinker.begin(&MatchTerms {
                start_clock: Duration::from_secs(20),
                start_clock_for_all,
                ..MatchTerms::default()
            });
            assert_eq!(thinker.time_to_prepare(), Duration::from_secs(seconds));
            let expected = start_clock_for_all.then_some(OWN);
            assert_eq!(thinker.expected_time(), expected);
        }
        let play_clock = MatchTerms::default().play_clock;
        thinker.thinking.time = Some(2 * play_clock);
        assert_eq!(thinker.expected_time(), Some(2 * play_clock));
        thinker.set_clock(OWN);
        assert_eq!(thinker.expected_time(), Some(play_clock));
        thinker.thinking.time = None;
        assert_eq!(thinker.expected_time(), Some(play_clock));
        thinker.thinking.nodes = Some(1000);
        assert_eq!(thinker.expected_time(), None, "not by the clock");
    }
}
