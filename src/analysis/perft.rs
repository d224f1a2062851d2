//! Counting paths: the oldest test of a move generator, and a fair measure of its speed.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::analysis::{Control, Limits, Stopped};
use crate::game::{Game, JointMoves, legal_of_all};

/// A turn of more plies than this is taken for endless.
const LONGEST_TURN: u32 = 10_000;
/// So many pieces of work per thread level out their different sizes.
const TASKS_PER_THREAD: usize = 32;

/// How paths are counted.
#[derive(Debug, Clone, Copy)]
pub struct Perft<'s> {
    /// Whether a depth is a turn instead of a ply: plies in which the same role is in control belong to one turn (see
    /// [`Control`]), and the end of the game ends a turn. In a game of one role every ply is a turn.
    pub turns: bool,
    /// When to give up.
    pub limits: Limits<'s>,
}

/// The number of paths of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthCount {
    /// The length of the paths in plies or turns.
    pub depth: u32,
    /// How many there are, capped at the largest `u64`.
    pub paths: u64,
    /// How long it took to count them.
    pub time: Duration,
}

impl Perft<'_> {
    /// Counts the sequences of `depth` joint moves from `state`, with the threads of `pool`.
    ///
    /// Sequences are counted, not states; what is over is not extended, and a state in which a role has no move leads
    /// nowhere. The count is the same for any number of threads.
    ///
    /// # Errors
    /// Says why it stopped before the count was complete.
    pub fn count<G: Game>(
        &self,
        pool: &ThreadPool,
        game: &G,
        state: &G::State,
        depth: u32,
    ) -> Result<DepthCount, Stopped> {
        let begin = Instant::now();
        let mut counter = Counter::new(game, *self);
        let mut tasks = Vec::new();
        if depth > 0 {
            let (state, left) = (state.clone(), depth);
            tasks.push(Task {
                state,
                left,
                turn: 0,
            });
        }
        let ended = counter.split(&mut tasks, pool.current_num_threads())?;
        let counted = pool.install(|| {
            tasks
                .par_iter()
                .map_init(
                    || Counter::new(game, *self),
                    |counter, task| counter.paths(task.clone()),
                )
                .try_reduce(|| 0, |one, other| Ok(one.saturating_add(other)))
        })?;
        Ok(DepthCount {
            depth,
            paths: ended.saturating_add(counted),
            time: begin.elapsed(),
        })
    }
}

/// Paths still to be counted: those from `state` that have `left` more plies or turns.
struct Task<S> {
    state: S,
    left: u32,
    /// Plies made in the present turn.
    turn: u32,
}

impl<S: Clone> Clone for Task<S> {
    fn clone(&self) -> Self {
        Self {
            state: self.state.clone(),
            ..*self
        }
    }
}

/// One thread's working memory.
struct Counter<'a, G: Game> {
    game: &'a G,
    perft: Perft<'a>,
    scratch: G::Scratch,
    legal: Vec<Vec<G::Move>>,
    legal_next: Vec<Vec<G::Move>>,
}

impl<'a, G: Game> Counter<'a, G> {
    fn new(game: &'a G, perft: Perft<'a>) -> Self {
        Self {
            game,
            perft,
            scratch: game.scratch(),
            legal: Vec::new(),
            legal_next: Vec::new(),
        }
    }

    /// Splits the tasks until they keep all threads busy; returns the number of paths that are complete before.
    fn split(&mut self, tasks: &mut Vec<Task<G::State>>, threads: usize) -> Result<u64, Stopped> {
        let mut complete = 0u64;
        while threads > 1 && !tasks.is_empty() && tasks.len() < threads * TASKS_PER_THREAD {
            for task in std::mem::take(tasks) {
                complete = complete.saturating_add(self.expand(&task, tasks)?);
            }
        }
        Ok(complete)
    }

    /// Counts depth first. The stack is a vector, so that no depth is too deep.
    fn paths(&mut self, task: Task<G::State>) -> Result<u64, Stopped> {
        let mut paths = 0u64;
        let mut stack = vec![task];
        while let Some(task) = stack.pop() {
            paths = paths.saturating_add(self.expand(&task, &mut stack)?);
        }
        Ok(paths)
    }

    /// Makes one step: returns the number of paths that are complete with it, and adds what is left to `below`.
    fn expand(
        &mut self,
        task: &Task<G::State>,
        below: &mut Vec<Task<G::State>>,
    ) -> Result<u64, Stopped> {
        self.perft.limits.check()?;
        if self.game.is_terminal(&mut self.scratch, &task.state) {
            return self.trusted(0);
        }
        let mut legal = std::mem::take(&mut self.legal);
        legal_of_all(self.game, &mut self.scratch, &task.state, &mut legal);
        let complete = if self.perft.turns && self.game.roles().len() > 1 {
            self.expand_turn(task, &legal, below)?
        } else {
            self.expand_ply(task, &legal, below)
        };
        self.legal = legal;
        self.trusted(complete)
    }

    fn expand_ply(
        &mut self,
        task: &Task<G::State>,
        legal: &[Vec<G::Move>],
        below: &mut Vec<Task<G::State>>,
    ) -> u64 {
        let mut joints = JointMoves::new(legal);
        if task.left == 1 {
            return joints.count();
        }
        while let Some(joint) = joints.advance() {
            let state = self.game.next(&mut self.scratch, &task.state, joint);
            let left = task.left - 1;
            below.push(Task {
                state,
                left,
                turn: 0,
            });
        }
        0
    }

    fn expand_turn(
        &mut self,
        task: &Task<G::State>,
        legal: &[Vec<G::Move>],
        below: &mut Vec<Task<G::State>>,
    ) -> Result<u64, Stopped> {
        if task.turn >= LONGEST_TURN {
            return Err(Stopped::EndlessTurn(LONGEST_TURN));
        }
        let control = Control::of(self.game, legal);
        let mut complete = 0;
        let mut joints = JointMoves::new(legal);
        while let Some(joint) = joints.advance() {
            let state = self.game.next(&mut self.scratch, &task.state, joint);
            let goes_on = self.continues(control, &state);
            match (goes_on, task.left) {
                (false, 1) => complete += 1,
                (false, left) => below.push(Task {
                    state,
                    left: left - 1,
                    turn: 0,
                }),
                (true, left) => below.push(Task {
                    state,
                    left,
                    turn: task.turn + 1,
                }),
            }
        }
        Ok(complete)
    }

    fn continues(&mut self, control: Control, next: &G::State) -> bool {
        if control == Control::Shared || self.game.is_terminal(&mut self.scratch, next) {
            return false;
        }
        legal_of_all(self.game, &mut self.scratch, next, &mut self.legal_next);
        control.continues(Control::of(self.game, &self.legal_next))
    }

    /// The value, unless the engine has run out of a budget and answers at random.
    fn trusted(&self, value: u64) -> Result<u64, Stopped> {
        match self.game.fault(&self.scratch) {
            None => Ok(value),
            Some(fault) => Err(Stopped::Fault(fault)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::game::toy::Subtraction;

    fn counts(turns: bool, threads: usize, depths: u32) -> Vec<u64> {
        let game = Subtraction::new(5, 3);
        let stop = AtomicBool::new(false);
        let limits = Limits {
            stop: &stop,
            deadline: None,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let perft = Perft { turns, limits };
        (1..=depths)
            .map(|depth| {
                perft
                    .count(&pool, &game, &game.initial(), depth)
                    .unwrap()
                    .paths
            })
            .collect()
    }

    #[test]
    fn paths_are_ordered_sums() {
        // The sequences of one, two, … numbers from 1 to 3 whose sum is at most 5.
        assert_eq!(counts(false, 1, 6), [3, 8, 10, 5, 1, 0]);
    }

    #[test]
    fn forced_plies_end_a_turn_too() {
        assert_eq!(counts(true, 1, 6), counts(false, 1, 6));
    }

    #[test]
    fn threads_change_nothing() {
        assert_eq!(counts(false, 3, 6), counts(false, 1, 6));
    }

    #[test]
    fn a_raised_flag_ends_the_count() {
        let game = Subtraction::new(5, 3);
        let stop = AtomicBool::new(true);
        let limits = Limits {
            stop: &stop,
            deadline: None,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let counted = Perft {
            turns: false,
            limits,
        }
        .count(&pool, &game, &game.initial(), 3);
        assert_eq!(counted, Err(Stopped::Interrupted));
    }
}
