//! Counting paths: the oldest test of a move generator, and a fair measure of its speed.

mod plies;
mod turns;

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::game::{Engine, Stopped};
use crate::util::Deadline;

/// The number of tasks per thread: enough to even out their different sizes.
const TASKS_PER_THREAD: usize = 32;

/// How paths are counted.
#[derive(Debug, Clone, Copy)]
pub struct Perft<'s> {
    /// Whether a depth is a turn instead of a ply: plies in which the same role is in control belong to one turn (see
    /// [`Control`](crate::analysis::Control)), and the end of the game ends a turn. In a game of one role every ply is a turn.
    pub turns: bool,
    /// When to give up.
    pub deadline: &'s Deadline,
}

/// The number of paths of one length.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DepthCount {
    /// The length of the paths in plies or turns.
    pub depth: u32,
    /// How many there are, capped at the largest `u64`.
    pub paths: u64,
    /// Whether a path was seen that ends before its length in a state that is not over, but in which a role has no move.
    /// Where an engine counts without looking at states, some are not seen; but if there are no paths at all for that
    /// reason alone, one is.
    pub stuck: bool,
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
    pub fn count<G: Engine>(
        &self,
        pool: &ThreadPool,
        game: &G,
        state: &G::State,
        depth: u32,
    ) -> Result<DepthCount, Stopped> {
        let begin = Instant::now();
        self.deadline.check()?;
        let stuck = AtomicBool::new(false);
        let paths = match depth {
            0 => 0,
            _ if self.turns && game.roles().len() > 1 => {
                turns::count(game, state, depth, self.deadline, pool, &stuck)?
            }
            _ => plies::count(game, state, depth, self.deadline, pool, &stuck)?,
        };
        Ok(DepthCount {
            depth,
            paths,
            stuck: stuck.into_inner(),
            time: begin.elapsed(),
        })
    }
}

/// How many pieces of work keep all threads busy; a single thread needs one.
fn enough_tasks(pool: &ThreadPool) -> usize {
    match pool.current_num_threads() {
        1 => 1,
        threads => threads * TASKS_PER_THREAD,
    }
}

/// The sum of what `count` makes of each task, with one worker per thread.
fn sum<T: Send, W>(
    pool: &ThreadPool,
    tasks: Vec<T>,
    worker: impl Fn() -> W + Sync + Send,
    count: impl Fn(&mut W, T) -> Result<u64, Stopped> + Sync + Send,
) -> Result<u64, Stopped> {
    pool.install(|| {
        tasks
            .into_par_iter()
            .map_init(worker, |worker, task| count(worker, task))
            .try_reduce(|| 0, |one, other| Ok(one.saturating_add(other)))
    })
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::{Hands, Subtraction};
    use crate::game::{Expansion, StateMachine};
    use crate::util::{Expired, StopFlag};

    fn counts(turns: bool, threads: usize, depths: u32) -> Vec<u64> {
        counts_of(&Subtraction::new(5, 3), turns, threads, depths)
    }

    fn counts_of<G: Engine>(game: &G, turns: bool, threads: usize, depths: u32) -> Vec<u64> {
        let deadline = &Deadline::default();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let perft = Perft { turns, deadline };
        (1..=depths)
            .map(|depth| {
                perft
                    .count(&pool, game, &game.initial(), depth)
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
    fn a_batch_may_end_between_the_joint_moves_of_a_state() {
        let game = Hands::new(4);
        assert_ne!(game.batch_size() % 9, 0);
        for threads in [1, 3] {
            assert_eq!(counts_of(&game, false, threads, 5), [9, 81, 729, 6561, 0]);
        }
    }

    #[test]
    fn forced_plies_end_a_turn_too() {
        assert_eq!(counts(true, 1, 6), counts(false, 1, 6));
    }

    #[test]
    fn threads_change_nothing() {
        assert_eq!(counts(false, 3, 6), counts(false, 1, 6));
        assert_eq!(counts(true, 3, 6), counts(true, 1, 6));
    }

    #[test]
    fn a_raised_flag_ends_the_count() {
        let game = Subtraction::new(5, 3);
        let stop = StopFlag::default();
        stop.raise();
        let deadline = &Deadline::new(None, &stop);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(1)
            .build()
            .unwrap();
        let counted = Perft {
            turns: false,
            deadline,
        }
        .count(&pool, &game, &game.initial(), 3);
        assert_eq!(counted, Err(Stopped::Expired(Expired::Interrupted)));
    }
}
