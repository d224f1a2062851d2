//! Which search suits a game.

use std::time::{Duration, Instant};

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use crate::game::{
    Ends, Engine, JointMoves, RolloutOptions, StateMachine, is_chance, legal_of_all,
    random_joint_move,
};
use crate::util::{Deadline, StopFlag};

/// So many random games are looked at; where that takes too long, as many as end in time, but no fewer than a few.
const GAMES: u64 = 32;
const FEW: usize = 4;
const TIME: Duration = Duration::from_millis(250);
/// A game is not followed any further.
const PLIES: u32 = 1000;
/// Random games whose lengths deviate by less than this share of the mean are all equally long.
const ALIKE: f64 = 0.05;
/// Where at least this share of the facts that come to hold in the course of a game do so to its end, pieces are put down
/// to stay; the rest is who is to move.
const LASTING: f64 = 0.8;
/// Choices dwindle where there are less than this share of them in the second half of a game, compared with the first.
const DWINDLING: f64 = 0.9;

/// The signal is looked for in so many games, at so many points of each; for so long; in a few positions at least.
const SIGNAL_GAMES: usize = 10;
const POINTS: usize = 6;
const SIGNAL_TIME: Duration = Duration::from_millis(500);
const FEW_POINTS: usize = 8;
/// So many moves of each position are compared at most, by so many random games each.
const MOVES: usize = 24;
const EACH: u32 = 64;
/// With less signal, random games tell nothing; with more, games are so short and sharp that Min-Max sees their end.
const SIGNAL: std::ops::Range<f64> = 0.005..0.1;

/// Whether Min-Max suits the game better than Monte-Carlo tree search.
///
/// Of games in which not just two players take turns it sees the worst that can happen, which says little. Of the others,
/// those suit random games in which these tell moves apart at all and which come to an end by themselves: because the
/// number of moves is fixed, because pieces are put down to stay, or because choices become fewer and fewer. There, what
/// counts is far away, and random games get that far. The bounds are those that agree best with matches in ten shipped and
/// 32 other games, at 20 ms a move: see `docs/reference/measured/strength.md`.
pub(super) fn suits_minimax<G: Engine>(game: &G, stop: &StopFlag) -> bool {
    let roles = game.roles();
    if roles.len() != 2 || roles.iter().any(|role| is_chance(role)) {
        return false;
    }
    let (begin, mut courses) = (Instant::now(), Vec::new());
    for seed in 0..GAMES {
        match random_game(game, seed, begin) {
            Walk::Together => return false,
            Walk::Ended(course) => courses.push(course),
            Walk::TooLong => return true,
            Walk::OutOfTime => break,
        }
    }
    courses.len() < FEW || !come_to_an_end(&courses) || !tell_moves_apart(game, &courses, stop)
}

/// Whether games end by themselves.
fn come_to_an_end<S>(courses: &[Course<S>]) -> bool {
    let mean_of = |what: &dyn Fn(&Course<S>) -> f64| mean(courses.iter().map(what));
    let length = mean_of(&Course::length);
    let spread = mean_of(&|course| (course.length() - length).powi(2)).sqrt();
    spread < ALIKE * length
        || mean_of(&|course| course.lasting) >= LASTING
        || mean_of(&Course::dwindling) < DWINDLING
}

fn mean(numbers: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = numbers.len().max(1) as f64;
    numbers.sum::<f64>() / count
}

/// Whether random games after the moves of a position end differently enough, but not all too differently.
fn tell_moves_apart<G: Engine>(game: &G, courses: &[Course<G::State>], stop: &StopFlag) -> bool {
    let (mut scratch, mut found) = (game.scratch(), Vec::new());
    let deadline = Deadline::new(Some(Instant::now() + SIGNAL_TIME), stop);
    let points = courses.iter().take(SIGNAL_GAMES).flat_map(Course::points);
    for (seed, state) in (0..).zip(points) {
        if deadline.is_due() {
            break;
        }
        found.extend(spread(game, &mut scratch, state, seed, &deadline));
    }
    let [between, within] = [0, 1].map(|part| found.iter().map(|spread| spread[part]).sum::<f64>());
    found.len() >= FEW_POINTS && SIGNAL.contains(&(between / within.max(f64::MIN_POSITIVE)))
}

/// How much the moves of a position differ in what random games after them bring who moves, and how much these games
/// differ among themselves: two variances, the first without what is mere chance. Where goals are more than won and lost,
/// the second is as large as it can be. `None` where nobody has a choice, or time is up.
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
        deadline,
    };
    game.rollouts(scratch, &after, options, &mut ends).ok()?;
    let shares = (0..after.len()).filter_map(|number| {
        let (sum, count) = ends.goals(number, mover);
        (count > 0).then(|| sum as f64 / 100.0 / count as f64)
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

/// The facts that came to hold in the course of a game.
#[derive(Default)]
struct Arrived {
    present: FxHashSet<String>,
    all: FxHashSet<String>,
    gone: FxHashSet<String>,
}

impl Arrived {
    /// What holds at the start has not arrived.
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

    /// The share of them that never went.
    fn lasting(&self) -> f64 {
        1.0 - self.gone.len() as f64 / self.all.len().max(1) as f64
    }
}

/// A random game that came to its end.
struct Course<S> {
    /// The states before each joint move.
    states: Vec<S>,
    /// How many choices there were in each.
    choices: Vec<f64>,
    /// The share of the facts that came to hold which did so to the end.
    lasting: f64,
}

impl<S> Course<S> {
    fn length(&self) -> f64 {
        self.choices.len() as f64
    }

    /// States from begin to end.
    fn points(&self) -> impl Iterator<Item = &S> {
        let states = &self.states;
        (0..POINTS).filter_map(|point| states.get(states.len() * point / POINTS))
    }

    /// How many choices there are in the second half, compared with the first.
    fn dwindling(&self) -> f64 {
        let (first, second) = self.choices.split_at(self.choices.len() / 2);
        let mean = |half: &[f64]| mean(half.iter().copied());
        match first.is_empty() {
            true => 1.0,
            false => mean(second) / mean(first),
        }
    }
}

/// How a random game went.
enum Walk<S> {
    /// Several roles had a choice at the same time.
    Together,
    Ended(Course<S>),
    TooLong,
    /// Time was up before that.
    OutOfTime,
}

/// Plays a random game until it ends, or is too long, or the clock says so.
fn random_game<G: StateMachine>(game: &G, seed: u64, begin: Instant) -> Walk<G::State> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let (mut scratch, mut state, mut legal) = (game.scratch(), game.initial(), Vec::new());
    let mut facts = Arrived::at(game.state_text(&state));
    let (mut states, mut choices) = (Vec::new(), Vec::new());
    for _ in 0..PLIES {
        if game.is_terminal(&mut scratch, &state) {
            let lasting = facts.lasting();
            return Walk::Ended(Course {
                states,
                choices,
                lasting,
            });
        }
        legal_of_all(game, &mut scratch, &state, &mut legal);
        if legal.iter().filter(|moves| moves.len() > 1).count() > 1 {
            return Walk::Together;
        }
        let most = legal.iter().map(Vec::len).max();
        match random_joint_move(&legal, &mut rng) {
            _ if begin.elapsed() > TIME => return Walk::OutOfTime,
            Some(joint) => {
                let next = game.next(&mut scratch, &state, &joint);
                states.push(std::mem::replace(&mut state, next));
            }
            None => break,
        }
        choices.push(most.unwrap_or(0) as f64);
        facts.step(game.state_text(&state));
    }
    Walk::TooLong
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::{Hands, Subtraction};
    use crate::search::tests::chaos::Chaos;

    #[test]
    fn facts_that_stay_are_told_from_those_that_go() {
        let facts = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut arrived = Arrived::at(facts("red blank1 blank2"));
        for step in [
            "black x1 blank2",
            "red x1 o2",
            "black x1 o2 x3",
            "red x1 o2 x3 o4",
        ] {
            arrived.step(facts(step));
        }
        // Of both players' turns and four pieces, the turns went.
        assert_eq!(arrived.lasting(), 1.0 - 2.0 / 6.0);
    }

    fn course(choices: &[u32], lasting: f64) -> Course<()> {
        Course {
            states: vec![(); choices.len()],
            choices: choices.iter().map(|&count| count.into()).collect(),
            lasting,
        }
    }

    #[test]
    fn games_end_by_themselves_in_three_ways() {
        let fight = [course(&[9, 9, 9, 9], 0.1), course(&[9, 9], 0.1)];
        assert!(!come_to_an_end(&fight));
        assert!(come_to_an_end(&fight[..1]), "all are equally long");
        let marks = [course(&[9, 9, 9, 9], 0.9), course(&[9, 9], 0.8)];
        assert!(come_to_an_end(&marks));
        let crowding = [course(&[9, 9, 4, 4], 0.1), course(&[9, 7], 0.1)];
        assert!(come_to_an_end(&crowding));
        assert_eq!(crowding[0].dwindling(), 4.0 / 9.0);
        assert_eq!(course(&[], 0.0).dwindling(), 1.0);
        assert_eq!(course(&[], 0.0).points().count(), 0);
    }

    #[test]
    fn minimax_plays_games_in_turns_in_which_each_move_tells() {
        let short = Subtraction::new(12, 3);
        assert!(suits_minimax(&short, &StopFlag::default()));
        let at_start = |game: &Subtraction| {
            let state = game.initial();
            spread(game, &mut game.scratch(), &state, 1, &Deadline::default())
        };
        let [between, within] = at_start(&short).unwrap();
        assert!(between > 0.0 && within > 0.0 && within <= 0.25);
        assert_eq!(at_start(&Subtraction::new(12, 1)), None, "all is forced");
    }

    #[test]
    fn games_at_once_and_of_chance_are_no_games_for_minimax() {
        assert!(!suits_minimax(&Hands::new(3), &StopFlag::default()));
        assert!(!suits_minimax(
            &Chaos::new(1, 50, 1, false, false),
            &StopFlag::default()
        ));
        assert!(!suits_minimax(
            &Chaos::new(1, 50, 1, false, true),
            &StopFlag::default()
        ));
    }
}
