//! The choice between minimax and Monte-Carlo tree search for a game.

use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::game::{
    Ends, Engine, JointMoves, Role, RolloutOptions, StateMachine, is_chance, legal_of_all,
    random_joint_move,
};
use crate::search::end_goal::mean_goal_of_ends;
use crate::search::limits::SearchClock;
use crate::util::Deadline;

/// The most random games that are sampled, and for how long; fewer than so many say nothing.
const GAMES: u64 = 32;
const FEW: usize = 4;
const TIME: Duration = Duration::from_millis(250);
/// Longer games are abandoned.
const PLIES: u32 = 1000;
/// Games count as equally long if their lengths deviate by less than this share of the mean.
const EQUAL_LENGTHS: f64 = 0.05;
/// Where at least this share of the facts that became true stay true to the end, pieces are placed for good; the rest
/// is whose turn it is.
const PERSISTENT: f64 = 0.8;
/// The number of choices shrinks if the mean of the second half of a game is less than this share of the first half's.
const SHRINKING: f64 = 0.9;

/// The games in which the signal is measured, the points of each, and for how long; fewer positions than so many say nothing.
const SIGNAL_GAMES: usize = 10;
const POINTS: usize = 6;
const SIGNAL_TIME: Duration = Duration::from_millis(500);
const FEW_POINTS: usize = 8;
/// The most moves per position that are compared, and the playouts of each.
const MOVES: usize = 24;
const EACH: u32 = 64;
/// With less signal, playouts say nothing; with more, games are so short and tactical that minimax finds their ends.
const SIGNAL: std::ops::Range<f64> = 0.005..0.1;

/// Whether minimax suits the game better than Monte-Carlo tree search, as far as random games tell; `None` in games that are not turn-taking games for two.
///
/// In those, minimax computes a worst case, which says little. Of the others, playouts
/// suit games in which they distinguish moves and which end by themselves: because the number of moves is fixed,
/// because pieces are placed for good, or because the choices become fewer. What matters there lies far ahead, within
/// reach of playouts only. The thresholds agree best with matches in ten shipped and 32 other games, at 20 ms a move:
/// see `docs/reference/measured/strength.md`.
///
/// Ends with `clock` at the latest, after little more than half a second in any case.
pub(super) fn suits_minimax<G: Engine>(game: &G, clock: &SearchClock) -> Option<bool> {
    let roles = game.roles();
    if roles.len() != 2 || roles.iter().any(|role| is_chance(role)) {
        return None;
    }
    let (deadline, mut games) = (clock.at_most(TIME).deadline, Vec::new());
    for seed in 0..GAMES {
        let (walked, game_course) = random_game(game, seed, &deadline);
        match walked {
            Walked::Simultaneous => return None,
            Walked::ToTheEnd => games.push(game_course),
            Walked::TooFar => return Some(true),
            Walked::OutOfTime => break,
        }
    }
    let suits_minimax = games.len() < FEW
        || !end_by_themselves(&games)
        || !playouts_distinguish_moves(game, &games, clock);
    Some(suits_minimax)
}

/// Whether the game is one for two in which never both have a choice, as far as a few random games tell before `clock` ends.
pub(super) fn takes_turns<G: Engine>(game: &G, clock: &SearchClock) -> bool {
    let (roles, deadline) = (game.roles(), clock.at_most(TIME).deadline);
    let mut seeds = 0..FEW as u64;
    roles.len() == 2
        && !roles.iter().any(|role| is_chance(role))
        && seeds.all(|seed| walk(game, seed, &deadline, |_, _, _| {}) != Walked::Simultaneous)
}

/// Whether games end by themselves.
fn end_by_themselves<S>(games: &[GameCourse<S>]) -> bool {
    let mean_of = |what: &dyn Fn(&GameCourse<S>) -> f64| mean(games.iter().map(what));
    let length = mean_of(&GameCourse::length);
    let spread = mean_of(&|game_course| (game_course.length() - length).powi(2)).sqrt();
    spread < EQUAL_LENGTHS * length
        || mean_of(&|game_course| game_course.persistent) >= PERSISTENT
        || mean_of(&GameCourse::shrinking) < SHRINKING
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len().max(1) as f64;
    numbers.sum::<f64>() / count
}

/// Whether the means of the playouts after the moves of a position differ enough, but not too much.
fn playouts_distinguish_moves<G: Engine>(
    game: &G,
    games: &[GameCourse<G::State>],
    clock: &SearchClock,
) -> bool {
    let (mut scratch, mut found) = (game.scratch(), Vec::new());
    let deadline = clock.at_most(SIGNAL_TIME).deadline;
    let points = games.iter().take(SIGNAL_GAMES).flat_map(GameCourse::points);
    for (seed, state) in (0..).zip(points) {
        if deadline.is_due() {
            break;
        }
        found.extend(spread(game, &mut scratch, state, seed, &deadline));
    }
    let [between, within] = [0, 1].map(|part| found.iter().map(|spread| spread[part]).sum::<f64>());
    found.len() >= FEW_POINTS && SIGNAL.contains(&(between / within.max(f64::MIN_POSITIVE)))
}

/// The variance between the mean results of playouts after the moves of a position, without its random part, and the
/// variance within the playouts of a move, from the point of view of the role to move. Where there are goals between a
/// loss and a win, the second is an upper bound. `None` where no role has a choice, or the time is up.
fn spread<G: Engine>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    seed: u64,
    deadline: &Deadline,
) -> Option<[f64; 2]> {
    let mut legal = Vec::new();
    legal_of_all(game, scratch, state, &mut legal);
    let mover = legal.iter().position(|moves| moves.len() > 1)?;
    let (mut joints, mut after) = (JointMoves::new(&legal), Vec::new());
    while let Some(joint) = joints.advance().filter(|_| after.len() < MOVES) {
        deadline.check().ok()?;
        after.push(game.next(scratch, state, joint));
    }
    let mut ends = Ends::default();
    let options = RolloutOptions {
        seed,
        each: EACH,
        max_plies: PLIES,
        tracked: &[],
        deadline,
    };
    game.rollouts(scratch, &after, options, &mut ends).ok()?;
    let shares = (0..after.len()).filter_map(|number| {
        let goals = |role: Role| ends.goals(number, role.0);
        mean_goal_of_ends(Role(mover), game.roles(), goals).map(|mean| mean / 100.0)
    });
    let shares: Vec<f64> = shares.collect();
    if shares.len() < 2 {
        return None;
    }
    let middle = mean(shares.iter().copied());
    let within = mean(shares.iter().map(|share| share * (1.0 - share)));
    let all = shares.iter().map(|share| (share - middle).powi(2));
    let between = all.sum::<f64>() / (shares.len() - 1) as f64;
    Some([between - within / f64::from(EACH), within])
}

/// The facts that became true during a game.
#[derive(Default)]
struct FactChanges {
    present: FxHashSet<String>,
    all: FxHashSet<String>,
    gone: FxHashSet<String>,
}

impl FactChanges {
    /// Facts of the initial state do not count.
    fn at(facts: Vec<String>) -> Self {
        Self {
            present: facts.into_iter().collect(),
            ..Self::default()
        }
    }

    fn step(&mut self, facts: Vec<String>) {
        let next: FxHashSet<String> = facts.into_iter().collect();
        let lost = self.present.iter().filter(|fact| !next.contains(*fact));
        let lost = lost.filter(|fact| self.all.contains(*fact));
        self.gone.extend(lost.cloned());
        let new = next.iter().filter(|fact| !self.present.contains(*fact));
        self.all.extend(new.cloned());
        self.present = next;
    }

    /// The share of them that never became false.
    fn persistent(&self) -> f64 {
        1.0 - self.gone.len() as f64 / self.all.len().max(1) as f64
    }
}

/// A random game that ended.
struct GameCourse<S> {
    /// The states before each joint move.
    states: Vec<S>,
    /// The number of choices in each.
    choices: Vec<f64>,
    /// The share of the facts that became true and stayed so.
    persistent: f64,
}

impl<S> GameCourse<S> {
    fn length(&self) -> f64 {
        self.choices.len() as f64
    }

    /// States at equal distances.
    fn points(&self) -> impl Iterator<Item = &S> {
        let states = &self.states;
        (0..POINTS).filter_map(|point| states.get(states.len() * point / POINTS))
    }

    /// The mean number of choices in the second half, relative to the first.
    fn shrinking(&self) -> f64 {
        let (first, second) = self.choices.split_at(self.choices.len() / 2);
        let mean = |half: &[f64]| mean(half.iter().copied());
        match first.is_empty() {
            true => 1.0,
            false => mean(second) / mean(first),
        }
    }
}

/// A random game, as far as it came.
fn random_game<G: StateMachine>(
    game: &G,
    seed: u64,
    deadline: &Deadline,
) -> (Walked, GameCourse<G::State>) {
    let mut facts = FactChanges::at(game.state_text(&game.initial()));
    let (mut states, mut choices) = (Vec::new(), Vec::new());
    let walked = walk(game, seed, deadline, |state, most, next| {
        states.push(state);
        choices.push(most as f64);
        facts.step(game.state_text(next));
    });
    let persistent = facts.persistent();
    let game_course = GameCourse {
        states,
        choices,
        persistent,
    };
    (walked, game_course)
}

/// How a random walk through a game came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Walked {
    /// Several roles had a choice at the same time.
    Simultaneous,
    ToTheEnd,
    /// The limit of plies, or a dead end.
    TooFar,
    OutOfTime,
}

/// Walks through a game at random. Each step is told: the state, the number of choices of the role that has most, and the state after it.
fn walk<G: StateMachine>(
    game: &G,
    seed: u64,
    deadline: &Deadline,
    mut on_step: impl FnMut(G::State, usize, &G::State),
) -> Walked {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut state, mut legal) = (game.scratch(), game.initial(), Vec::new());
    for _ in 0..PLIES {
        if game.is_terminal(&mut scratch, &state) {
            return Walked::ToTheEnd;
        }
        legal_of_all(game, &mut scratch, &state, &mut legal);
        if legal.iter().filter(|moves| moves.len() > 1).count() > 1 {
            return Walked::Simultaneous;
        }
        if deadline.is_due() {
            return Walked::OutOfTime;
        }
        let Some(joint) = random_joint_move(&legal, &mut rng) else {
            break;
        };
        let next = game.next(&mut scratch, &state, &joint);
        let most = legal.iter().map(Vec::len).max().unwrap_or(0);
        on_step(std::mem::replace(&mut state, next.clone()), most, &next);
    }
    Walked::TooFar
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::{Hands, Subtraction};
    use crate::search::tests::random_tree::RandomTree;
    use crate::util::StopFlag;

    #[test]
    fn persistent_facts_are_counted() {
        let facts = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut changes = FactChanges::at(facts("red blank1 blank2"));
        for step in [
            "black x1 blank2",
            "red x1 o2",
            "black x1 o2 x3",
            "red x1 o2 x3 o4",
        ] {
            changes.step(facts(step));
        }
        // Of two turns and four pieces, the turns became false again.
        assert_eq!(changes.persistent(), 1.0 - 2.0 / 6.0);
    }

    fn game_course(choices: &[u32], persistent: f64) -> GameCourse<()> {
        GameCourse {
            states: vec![(); choices.len()],
            choices: choices.iter().map(|&count| count.into()).collect(),
            persistent,
        }
    }

    #[test]
    fn games_end_by_themselves_in_three_ways() {
        let fight = [game_course(&[9, 9, 9, 9], 0.1), game_course(&[9, 9], 0.1)];
        assert!(!end_by_themselves(&fight));
        assert!(end_by_themselves(&fight[..1]), "all are equally long");
        let marks = [game_course(&[9, 9, 9, 9], 0.9), game_course(&[9, 9], 0.8)];
        assert!(end_by_themselves(&marks));
        let crowding = [game_course(&[9, 9, 4, 4], 0.1), game_course(&[9, 7], 0.1)];
        assert!(end_by_themselves(&crowding));
        assert_eq!(crowding[0].shrinking(), 4.0 / 9.0);
        assert_eq!(game_course(&[], 0.0).shrinking(), 1.0);
        assert_eq!(game_course(&[], 0.0).points().count(), 0);
    }

    #[test]
    fn minimax_suits_tactical_turn_taking_games() {
        let short = Subtraction::new(12, 3);
        assert_eq!(suits_minimax(&short, &SearchClock::endless()), Some(true));
        let at_start = |game: &Subtraction| {
            let state = game.initial();
            spread(game, &mut game.scratch(), &state, 1, &Deadline::default())
        };
        let [between, within] = at_start(&short).unwrap();
        assert!(between > 0.0 && within > 0.0 && within <= 0.25);
        assert_eq!(at_start(&Subtraction::new(12, 1)), None, "all is forced");
    }

    #[test]
    fn no_choice_takes_longer_than_its_clock() {
        let over = SearchClock::within(Duration::ZERO, &StopFlag::default());
        assert_eq!(
            suits_minimax(&Subtraction::new(1000, 3), &over),
            Some(true),
            "no game was sampled"
        );
        let walked = walk(&Subtraction::new(1000, 3), 1, &over.deadline, |_, _, _| {});
        assert_eq!(walked, Walked::OutOfTime);
    }

    #[test]
    fn two_take_turns_where_never_both_choose() {
        let clock = SearchClock::endless();
        assert!(takes_turns(&Subtraction::new(12, 3), &clock));
        assert!(!takes_turns(&Hands::new(3), &clock));
        let of_players = |players| RandomTree::new(1, 50, players, false, false);
        assert!(!takes_turns(&of_players(1), &clock) && takes_turns(&of_players(2), &clock));
        assert!(
            !takes_turns(&RandomTree::new(1, 50, 2, false, true), &clock),
            "chance takes part"
        );
    }

    #[test]
    fn minimax_does_not_suit_simultaneous_moves_and_chance() {
        let clock = SearchClock::endless();
        let is_open = |game: &RandomTree| suits_minimax(game, &clock);
        assert_eq!(suits_minimax(&Hands::new(3), &clock), None);
        assert_eq!(is_open(&RandomTree::new(1, 50, 1, false, false)), None);
        assert_eq!(is_open(&RandomTree::new(1, 50, 1, false, true)), None);
    }
}
