//! The referee of a match: asks the players for moves, measures their time, and ends a match that cannot continue.

use std::thread;
use std::time::Duration;

use crate::play::asking::{Answer, ask_all, by_place};
use crate::play::player::Random;
use crate::play::{
    Choice, End, MatchTerms, MoveCounts, Player, PlayerFault, Progress, Session, Step,
};
use crate::util::StopFlag;

/// How the error of a late answer begins in records.
const TIMEOUT: &str = "TO ";

/// Runs one match, ply by ply.
pub struct Referee {
    players: Vec<Box<dyn Player>>,
    /// Draws a move for a player that does not give a legal one.
    substitute: Random,
    /// The joint moves of the first plies, which the players do not choose.
    opening: Vec<Vec<String>>,
    max_plies: usize,
    /// How often a position may occur.
    occurrences: Option<usize>,
    stop: StopFlag,
    plies: usize,
    /// Whether the last ply left the state as it was, and no role had a choice.
    is_still: bool,
    time_used: Vec<Duration>,
    errors: Vec<String>,
    counts: Vec<MoveCounts>,
}

impl Referee {
    /// A referee for one match between `players`, one per role. Whatever the referee has to draw comes from `seed`.
    pub fn new(
        players: Vec<Box<dyn Player>>,
        max_plies: usize,
        seed: u64,
        stop: &StopFlag,
    ) -> Self {
        Self {
            time_used: vec![Duration::ZERO; players.len()],
            counts: vec![MoveCounts::default(); players.len()],
            players,
            substitute: Random::new(seed),
            opening: Vec::new(),
            max_plies,
            occurrences: None,
            stop: stop.clone(),
            plies: 0,
            is_still: false,
            errors: Vec::new(),
        }
    }

    /// Begins with these joint moves, each a legal move per role, without asking the players.
    pub fn with_opening(self, opening: Vec<Vec<String>>) -> Self {
        Self { opening, ..self }
    }

    /// Gives a match up once a position has occurred so often; `None` lets positions occur as often as they do.
    pub fn with_occurrences(self, occurrences: Option<usize>) -> Self {
        Self {
            occurrences,
            ..self
        }
    }

    /// Tells the players on what terms they play.
    pub fn begin(&mut self, terms: &MatchTerms) {
        self.players
            .iter_mut()
            .for_each(|player| player.begin(terms));
    }

    /// Lets the players get ready.
    pub fn prepare(&mut self, session: &mut Session) {
        let (remote, local) = by_place(&mut self.players);
        thread::scope(|scope| {
            for (role, player) in remote {
                let mut session = session.clone();
                scope.spawn(move || player.prepare(&mut session, role));
            }
            for (role, player) in local {
                player.prepare(session, role);
            }
        });
    }

    /// Tells the players that the match is over.
    pub fn finish(&mut self, session: &Session, end: &End) {
        thread::scope(|scope| {
            for player in &mut self.players {
                match player.is_remote() {
                    true => drop(scope.spawn(move || player.finish(session, end))),
                    false => player.finish(session, end),
                }
            }
        });
    }

    /// The names of the players.
    pub fn names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name()).collect()
    }

    /// Time each player has used so far.
    pub fn time_used(&self) -> &[Duration] {
        &self.time_used
    }

    /// How many moves each player was asked for, and what became of them.
    pub fn counts(&self) -> &[MoveCounts] {
        &self.counts
    }

    /// Everything that went wrong so far, in words.
    pub fn errors(&self) -> &[String] {
        &self.errors
    }

    /// Asks every player, unless the opening gives the moves, and plays the joint move on `session`, unless the match is over.
    pub fn step(&mut self, session: &mut Session) -> Progress {
        if let Some(end) = self.end(session) {
            return Progress::Over(end);
        }
        let asked: Vec<Asked> = match self.opening.get(self.plies) {
            Some(joint) => {
                let roles = joint.iter().enumerate();
                roles
                    .map(|(role, mv)| Asked::of_opening(session, role, mv))
                    .collect()
            }
            None => {
                let answers = ask_all(&mut self.players, session).into_iter();
                answers
                    .enumerate()
                    .map(|(role, answer)| self.judge(session, role, answer))
                    .collect()
            }
        };
        if self.stop.is_raised() {
            return Progress::Over(End::Stopped);
        }
        let joint: Vec<String> = asked.iter().map(|asked| asked.choice.mv.clone()).collect();
        let is_forced = asked.iter().all(|asked| asked.choices == 1);
        let before = is_forced.then(|| session.facts());
        if let Err(fault) = session.play_joint(&joint) {
            return Progress::Over(End::Fault(fault.to_string()));
        }
        self.is_still = before.is_some_and(|facts| facts == session.facts());
        self.plies += 1;
        Progress::Played(self.account(joint, asked, session.roles()))
    }

    fn end(&self, session: &Session) -> Option<End> {
        if let Some(fault) = session.fault() {
            return Some(End::Fault(fault.to_string()));
        }
        if session.is_terminal() {
            return Some(End::Terminal);
        }
        if self.stop.is_raised() {
            return Some(End::Stopped);
        }
        let roles = session.roles().iter().enumerate();
        let stuck = roles.filter(|(role, _)| session.legal_of(*role).is_empty());
        let stuck: Vec<String> = stuck.map(|(_, name)| name.clone()).collect();
        if !stuck.is_empty() {
            return Some(End::Stuck(stuck));
        }
        if self.is_still {
            return Some(End::Still);
        }
        let most = self.occurrences;
        if let Some(most) = most.filter(|most| session.occurrences() >= *most) {
            return Some(End::Repetition(most));
        }
        (self.plies >= self.max_plies).then_some(End::PlyLimit(self.max_plies))
    }

    /// The answer, or a legal move drawn in its place.
    fn judge(&mut self, session: &Session, role: usize, answer: Answer) -> Asked {
        let Answer { choice, time } = answer;
        let choices = session.legal_of(role).len();
        let limit = self.players[role].time_limit();
        let is_over_limit = limit.is_some_and(|limit| time > limit);
        let error = match choice {
            Ok(choice) => {
                return Asked {
                    choice,
                    choices,
                    time,
                    error: String::new(),
                    is_late: is_over_limit,
                    was_asked: true,
                };
            }
            Err(PlayerFault(reason)) => reason,
        };
        let drawn = self.substitute.choose(session, role);
        let mv = drawn.map(|choice| choice.mv).unwrap_or_default();
        let choice = Choice { mv, found: None };
        Asked {
            choice,
            choices,
            time,
            is_late: is_over_limit || error.starts_with(TIMEOUT),
            error,
            was_asked: true,
        }
    }

    fn account(&mut self, joint: Vec<String>, asked: Vec<Asked>, roles: &[String]) -> Step {
        let number = self.plies;
        for (role, one) in asked.iter().enumerate() {
            self.time_used[role] += one.time;
            let counts = &mut self.counts[role];
            counts.decisions += u32::from(one.was_asked && one.choices > 1);
            counts.late += u32::from(one.is_late);
            if !one.error.is_empty() {
                counts.errors += 1;
                let (role, error) = (&roles[role], &one.error);
                self.errors.push(format!("ply {number}, {role}: {error}"));
            }
        }
        Step {
            number,
            joint,
            choices: asked.iter().map(|asked| asked.choices).collect(),
            time: asked.iter().map(|asked| asked.time).collect(),
            errors: asked.iter().map(|asked| asked.error.clone()).collect(),
            found: asked.into_iter().map(|asked| asked.choice.found).collect(),
        }
    }
}

/// What came of asking one player.
struct Asked {
    choice: Choice,
    choices: usize,
    time: Duration,
    error: String,
    is_late: bool,
    /// Whether the player gave the move, and not the opening.
    was_asked: bool,
}

impl Asked {
    /// What stands in place of an answer where the opening gives the move.
    fn of_opening(session: &Session, role: usize, mv: &str) -> Self {
        Self {
            choice: Choice {
                mv: mv.to_owned(),
                found: None,
            },
            choices: session.legal_of(role).len(),
            time: Duration::ZERO,
            error: String::new(),
            is_late: false,
            was_asked: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::play::{Session, Spec, player_for};
    use crate::session::Game;

    fn referee(specs: [&str; 2], max_plies: usize) -> Referee {
        let stop = StopFlag::default();
        let player =
            |spec: &str| player_for(&spec.parse::<Spec>().unwrap(), 1, &stop, None).unwrap();
        Referee::new(specs.map(player).into(), max_plies, 1, &stop)
    }

    fn play_out(referee: &mut Referee, session: &mut Session) -> (usize, End) {
        let mut plies = 0;
        loop {
            match referee.step(session) {
                Progress::Played(step) => {
                    plies += 1;
                    assert_eq!(step.number, plies);
                }
                Progress::Over(end) => return (plies, end),
            }
        }
    }

    #[test]
    fn the_one_who_looks_ahead_wins() {
        for seed in 0..5 {
            let game = Subtraction::new(13, 3);
            let mut session = Session::new(&Game::from_engine("fixture", game));
            let random = format!("random:seed={seed}");
            let mut referee = referee(["minimax:depth=14", &random], 100);
            let (_, end) = play_out(&mut referee, &mut session);
            assert_eq!(
                (end, session.goals()),
                (End::Terminal, &[Some(100), Some(0)][..])
            );
            assert!(referee.errors().is_empty());
        }
    }

    #[test]
    fn the_step_limit_ends_a_match() {
        let game = Subtraction::new(13, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let mut referee = referee(["first", "first"], 4);
        assert_eq!(play_out(&mut referee, &mut session), (4, End::PlyLimit(4)));
    }

    #[test]
    fn a_position_that_comes_back_ends_a_match() {
        let text = "(role a) (init (at 0)) (<= (legal a (to ?y)) (true (at ?x)) (step ?x ?y)) \
            (step 0 1) (step 0 2) (step 1 0) (step 2 0) (<= (next (at ?y)) (does a (to ?y))) \
            (<= terminal (true (at 9))) (<= (goal a 0) (true (at 0)))";
        let game = Game::from_text("walk", text).unwrap();
        for (most, plies) in [(2, 2), (3, 4)] {
            let mut session = Session::new(&game);
            let stop = StopFlag::default();
            let first = player_for(&Spec::First, 1, &stop, None).unwrap();
            let referee = Referee::new(vec![first], 100, 1, &stop);
            let mut referee = referee.with_occurrences(Some(most));
            let ended = play_out(&mut referee, &mut session);
            assert_eq!(ended, (plies, End::Repetition(most)));
            // From (at 1) there is a single way back.
            assert_eq!(referee.counts()[0].decisions as usize, plies / 2);
        }
    }

    #[test]
    fn late_moves_are_counted() {
        struct Slow(Result<&'static str, &'static str>);
        impl Player for Slow {
            fn name(&self) -> String {
                "slow".to_owned()
            }
            fn time_limit(&self) -> Option<Duration> {
                self.0.is_ok().then_some(Duration::ZERO)
            }
            fn choose(&mut self, _: &Session, _: usize) -> Result<Choice, PlayerFault> {
                let mv = self.0.map_err(|why| PlayerFault(why.to_owned()))?;
                let mv = mv.to_owned();
                Ok(Choice { mv, found: None })
            }
        }
        for (answer, errors) in [(Ok("(take 1)"), 0), (Err("TO no answer within 1 s"), 1)] {
            let game = Subtraction::new(6, 3);
            let mut session = Session::new(&Game::from_engine("fixture", game));
            let mut referee = referee(["first", "first"], 1);
            referee.players[0] = Box::new(Slow(answer));
            play_out(&mut referee, &mut session);
            let expected = MoveCounts {
                decisions: 1,
                errors,
                late: 1,
            };
            assert_eq!(referee.counts(), [expected, MoveCounts::default()]);
        }
    }

    #[test]
    fn players_do_not_choose_the_opening() {
        let game = Subtraction::new(6, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let joint = |moves: [&str; 2]| moves.map(str::to_owned).to_vec();
        let opening = vec![joint(["(take 2)", "noop"]), joint(["noop", "(take 3)"])];
        let mut referee = referee(["first", "first"], 100).with_opening(opening.clone());
        let (plies, end) = play_out(&mut referee, &mut session);
        assert_eq!((plies, end), (3, End::Terminal));
        assert_eq!(session.history()[..2], opening);
    }

    struct Cheat;

    impl Player for Cheat {
        fn name(&self) -> String {
            "cheat".to_owned()
        }

        fn choose(&mut self, _: &Session, _: usize) -> Result<Choice, PlayerFault> {
            let mv = "(take 99)".to_owned();
            Ok(Choice { mv, found: None })
        }
    }

    #[test]
    fn illegal_moves_are_recorded_and_replaced() {
        let game = Subtraction::new(6, 3);
        let mut session = Session::new(&Game::from_engine("fixture", game));
        let mut referee = referee(["first", "first"], 100);
        referee.players[0] = Box::new(Cheat);
        let (_, end) = play_out(&mut referee, &mut session);
        assert_eq!(end, End::Terminal);
        assert_eq!(referee.errors()[0], "ply 1, first: IL (take 99)");
    }
}
