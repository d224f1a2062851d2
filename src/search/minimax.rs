//! Iterative deepening over a fail-soft alpha-beta search, the moves at the root shared between threads.
//!
//! Every root move is searched with a bound just below the best value found so far, so that equally good moves are
//! recognised as equal; which bound a thread happens to see changes the work done, never the values, the line or the
//! move. At a fixed depth the outcome is therefore the same for any number of threads.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicUsize, Ordering};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::alpha_beta::{Node, Search};
use super::{Deadline, Limits, MAX_DEPTH, Outcome, Value};
use crate::game::{Fault, Game, Role};

/// The best move of `role` in `state`; `None` if the game is over or the role has no legal move.
pub fn best_move<G: Game>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &Limits<'_>,
) -> Option<Outcome<G::Move>> {
    let mut scratch = game.scratch();
    let mut moves = Vec::new();
    if !game.is_terminal(&mut scratch, state) {
        game.legal(&mut scratch, state, role, &mut moves);
        // Which of several good moves is played must not depend on the engine.
        moves.sort_by_cached_key(|&mv| game.move_text(mv));
    }
    let best = *moves.first()?;
    let root = Root {
        game,
        state,
        role,
        moves,
        deadline: Deadline::start(limits),
        threads: limits.threads.max(1),
    };
    Some(root.deepen(limits, best))
}

/// A position to be searched, and how.
struct Root<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    role: Role,
    moves: Vec<G::Move>,
    deadline: Deadline<'a>,
    threads: usize,
}

/// What one iteration found out about one root move.
struct Judged<M> {
    value: Value,
    line: Vec<Vec<M>>,
}

/// What one iteration found out.
struct Iteration<M> {
    /// Per root move, in root order; `None` where time ran out.
    judged: Vec<Option<Judged<M>>>,
    nodes: u64,
    /// Whether some line was cut off at the depth limit.
    cut: bool,
    fault: Option<Fault>,
}

impl<G: Game> Root<'_, G> {
    fn deepen(&self, limits: &Limits<'_>, first: G::Move) -> Outcome<G::Move> {
        let mut outcome = Outcome {
            best: first,
            value: Value::estimate(50),
            exact: false,
            depth: 0,
            line: Vec::new(),
            nodes: 0,
            fault: None,
        };
        let mut order: Vec<usize> = (0..self.moves.len()).collect();
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            let found = self.iteration(depth, &order);
            outcome.nodes += found.nodes;
            let complete = found.judged.iter().all(Option::is_some);
            if complete || depth == 1 {
                let chosen = choose(&found.judged, limits.seed);
                self.adopt(&mut outcome, found, chosen, depth);
                bring_to_front(&mut order, chosen);
            }
            if !complete || outcome.exact || outcome.fault.is_some() {
                break;
            }
        }
        outcome
    }

    /// Takes over what an iteration found about the move at `chosen`.
    fn adopt(
        &self,
        outcome: &mut Outcome<G::Move>,
        mut found: Iteration<G::Move>,
        chosen: usize,
        depth: u32,
    ) {
        let complete = found.judged.iter().all(Option::is_some);
        outcome.best = self.moves[chosen];
        outcome.fault = found.fault;
        if let Some(judged) = found.judged[chosen].take() {
            outcome.value = judged.value;
            outcome.line = judged.line;
            outcome.depth = if complete { depth } else { 0 };
            outcome.exact = complete && (!found.cut || judged.value.is_decided());
        }
    }

    /// Searches every root move to `depth`, in the given order.
    fn iteration(&self, depth: u32, order: &[usize]) -> Iteration<G::Move> {
        let shared = Shared {
            taken: AtomicUsize::new(0),
            best: AtomicI32::new(Value::LOWEST.raw()),
            over: AtomicBool::new(false),
            found: Mutex::new(Iteration {
                judged: order.iter().map(|_| None).collect(),
                nodes: 0,
                cut: false,
                fault: None,
            }),
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(order.len()) {
                scope.spawn(|| self.work(depth, order, &shared));
            }
            self.work(depth, order, &shared);
        });
        let found = shared.found.into_inner();
        found.unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// One thread's part of an iteration: takes the next root move until none is left or time is over.
    fn work(&self, depth: u32, order: &[usize], shared: &Shared<G::Move>) {
        let mut search = Search {
            game: self.game,
            role: self.role,
            scratch: self.game.scratch(),
            deadline: self.deadline,
            over: &shared.over,
            nodes: 0,
            cut: false,
        };
        while let Some(&at) = order.get(shared.taken.fetch_add(1, Ordering::Relaxed)) {
            let bound = Value::from_raw(shared.best.load(Ordering::Relaxed)).just_below();
            let node = Node {
                state: self.state,
                depth,
                steps: 0,
            };
            let mut line = Vec::new();
            let window = (bound, Value::HIGHEST);
            let value = search.answer(&node, self.moves[at], window, &mut line);
            if search.is_over() {
                break;
            }
            shared.best.fetch_max(value.raw(), Ordering::Relaxed);
            line.reverse();
            shared.with(|found| found.judged[at] = Some(Judged { value, line }));
        }
        let fault = self.game.fault(&search.scratch);
        shared.with(|found| {
            found.nodes += search.nodes;
            found.cut |= search.cut;
            found.fault = found.fault.take().or(fault);
        });
    }
}

/// What the threads of one iteration share.
struct Shared<M> {
    /// How many root moves are taken.
    taken: AtomicUsize,
    /// The best value so far, raw.
    best: AtomicI32,
    /// Whether some thread met the deadline.
    over: AtomicBool,
    found: Mutex<Iteration<M>>,
}

impl<M> Shared<M> {
    fn with(&self, change: impl FnOnce(&mut Iteration<M>)) {
        let mut found = self
            .found
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        change(&mut found);
    }
}

/// The root index to play: the first of the best, or one of them drawn from the seed.
fn choose<M>(judged: &[Option<Judged<M>>], seed: Option<u64>) -> usize {
    let value_at = |at: &usize| judged[*at].as_ref().map(|judged| judged.value);
    let best = (0..judged.len()).filter_map(|at| value_at(&at)).max();
    let equals: Vec<usize> = (0..judged.len())
        .filter(|at| best.is_some() && value_at(at) == best)
        .collect();
    match (seed, equals.len()) {
        (_, 0) => 0,
        (None, _) => equals[0],
        (Some(seed), count) => {
            equals[Xoshiro256PlusPlus::seed_from_u64(seed).random_range(0..count)]
        }
    }
}

fn bring_to_front(order: &mut [usize], chosen: usize) {
    if let Some(place) = order.iter().position(|&at| at == chosen) {
        order[..=place].rotate_right(1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::game::toy::{Hands, Subtraction};

    #[test]
    fn finds_the_winning_take() {
        let game = Subtraction::new(10, 3);
        let found = best_move(&game, &game.initial(), Role(0), &Limits::to_depth(12)).unwrap();
        assert_eq!(
            (found.best, found.value.goal(), found.exact),
            (2, 100, true)
        );
        assert_eq!(found.line[0], vec![2, 0]);
        assert_eq!(found.line.len(), 5, "three takes of our own, two replies");
    }

    #[test]
    fn prefers_the_sooner_win() {
        let game = Subtraction::new(3, 3);
        let found = best_move(&game, &game.initial(), Role(0), &Limits::to_depth(9)).unwrap();
        assert_eq!((found.best, found.depth), (3, 1));
    }

    #[test]
    fn a_lost_game_is_held_as_long_as_possible() {
        let game = Subtraction::new(8, 3);
        let found = best_move(&game, &game.initial(), Role(0), &Limits::to_depth(20)).unwrap();
        assert_eq!((found.value.goal(), found.exact), (0, true));
        assert_eq!(
            found.line.len(),
            4,
            "1 of 8, 3 of 7, 1 of 4, 3 of 3: {:?}",
            found.line
        );
    }

    #[test]
    fn simultaneous_moves_are_valued_by_what_is_sure() {
        let game = Hands::new(1);
        let found = best_move(&game, &game.initial(), Role(1), &Limits::to_depth(3)).unwrap();
        assert_eq!((found.value.goal(), found.exact, found.nodes), (0, true, 9));
    }

    #[test]
    fn no_move_no_outcome() {
        let game = Hands::new(0);
        assert_eq!(
            best_move(&game, &game.initial(), Role(0), &Limits::to_depth(3)),
            None
        );
    }

    #[test]
    fn threads_and_repetition_change_nothing() {
        let game = Subtraction::new(15, 4);
        for depth in 1..8 {
            for seed in [None, Some(5)] {
                let search = |threads| {
                    let limits = Limits {
                        threads,
                        seed,
                        ..Limits::to_depth(depth)
                    };
                    best_move(&game, &game.initial(), Role(0), &limits).unwrap()
                };
                let one = search(1);
                for _ in 0..4 {
                    let many = search(4);
                    assert_eq!(
                        (one.best, one.value, &one.line),
                        (many.best, many.value, &many.line)
                    );
                }
            }
        }
    }

    #[test]
    fn time_and_stop_end_a_search() {
        let game = Subtraction::new(200, 9);
        let time = Some(Duration::from_millis(40));
        let start = Instant::now();
        let limits = Limits {
            time,
            threads: 2,
            ..Limits::to_depth(MAX_DEPTH)
        };
        let found = best_move(&game, &game.initial(), Role(0), &limits).unwrap();
        assert!(start.elapsed() < Duration::from_secs(10) && found.depth > 0);

        let stop = AtomicBool::new(true);
        let limits = Limits {
            stop: Some(&stop),
            ..Limits::to_depth(MAX_DEPTH)
        };
        assert!(best_move(&game, &game.initial(), Role(0), &limits).is_some());
    }
}
