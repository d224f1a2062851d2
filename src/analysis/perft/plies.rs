//! Counting by plies: whole batches of states are expanded at once, and the last ply is counted without being made.

use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;

use super::{enough_tasks, sum};
use crate::analysis::children::{ChildCursor, JointMoveBatch};
use crate::game::{Expansion, PositionBatch, Stopped};
use crate::util::Deadline;

/// The most states that are divided between threads.
const MOST_TASKS: u64 = 1 << 16;

/// The number of paths of `depth` plies from `state`. Raises `stuck` where one is seen to end for want of a move.
pub(super) fn count<G: Expansion>(
    game: &G,
    state: &G::State,
    depth: u32,
    deadline: &Deadline,
    pool: &ThreadPool,
    stuck: &AtomicBool,
) -> Result<u64, Stopped> {
    let (mut states, mut left) = (vec![state.clone()], depth);
    let worker = || Counter::new(game, deadline, stuck);
    let mut first = worker();
    first.split(&mut states, &mut left, enough_tasks(pool))?;
    if let [only] = &states[..] {
        // To wake a thread takes as long as many a count.
        return first.paths(std::slice::from_ref(only), left);
    }
    let size = states.len().div_ceil(enough_tasks(pool)).max(1);
    let tasks = states.chunks(size).collect();
    sum(pool, tasks, worker, |counter, states| {
        counter.paths(states, left)
    })
}

/// States whose children are to be counted, and how far that has come.
struct Frame<B> {
    batch: B,
    /// How many plies the paths have from here.
    left: u32,
    cursor: ChildCursor,
}

impl<B> Frame<B> {
    fn new(batch: B, left: u32) -> Self {
        Self {
            batch,
            left,
            cursor: ChildCursor::default(),
        }
    }
}

/// One thread's working memory.
struct Counter<'a, G: Expansion> {
    game: &'a G,
    deadline: &'a Deadline,
    scratch: G::Scratch,
    /// Batches that are no longer needed.
    spare: Vec<G::Batch>,
    batch: JointMoveBatch<'a, G>,
}

impl<'a, G: Expansion> Counter<'a, G> {
    fn new(game: &'a G, deadline: &'a Deadline, stuck: &'a AtomicBool) -> Self {
        Self {
            game,
            deadline,
            scratch: game.kept_scratch(),
            spare: Vec::new(),
            batch: JointMoveBatch::new(game, stuck),
        }
    }

    /// Replaces states by all their children until there are enough of them, or there would be far too many.
    fn split(
        &mut self,
        states: &mut Vec<G::State>,
        left: &mut u32,
        enough: usize,
    ) -> Result<(), Stopped> {
        while *left > 1 && !states.is_empty() && states.len() < enough {
            let mut frame = self.evaluate_batch(states, *left);
            if self.joint_moves(&frame.batch) > MOST_TASKS {
                break;
            }
            states.clear();
            *left -= 1;
            while let Some(children) = self.expand(&mut frame)? {
                let batch = &children.batch;
                states.extend((0..batch.len()).map(|child| batch.state(child)));
                self.spare.push(children.batch);
            }
        }
        self.trusted(())
    }

    /// Counts depth first.
    ///
    /// A frame whose last children are being counted has left the stack, so that no depth is too deep: only batches with
    /// more children than a batch holds wait there.
    fn paths(&mut self, states: &[G::State], left: u32) -> Result<u64, Stopped> {
        let mut paths = 0u64;
        let mut stack = vec![self.evaluate_batch(states, left)];
        while let Some(mut frame) = stack.pop() {
            if frame.left == 1 {
                paths = paths.saturating_add(self.joint_moves(&frame.batch));
            } else if let Some(counted) = self.counted(&frame) {
                self.deadline.check()?;
                paths = paths.saturating_add(counted);
            } else if let Some(children) = self.expand(&mut frame)? {
                if frame.cursor.parent < frame.batch.len() {
                    stack.push(frame);
                } else {
                    self.spare.push(frame.batch);
                }
                stack.push(children);
                continue;
            }
            self.spare.push(frame.batch);
        }
        self.trusted(paths)
    }

    /// The number of paths from a frame of which no child has been made, if the engine can tell.
    fn counted(&mut self, frame: &Frame<G::Batch>) -> Option<u64> {
        if (frame.cursor.parent, frame.cursor.made) != (0, 0) {
            return None;
        }
        self.game.paths(&mut self.scratch, &frame.batch, frame.left)
    }

    fn evaluate_batch(&mut self, states: &[G::State], left: u32) -> Frame<G::Batch> {
        let mut batch = self.spare.pop().unwrap_or_else(|| self.game.batch());
        self.game
            .evaluate_batch(&mut self.scratch, states, &mut batch);
        Frame::new(batch, left)
    }

    /// The next batch of children, if there are any left.
    fn expand(&mut self, frame: &mut Frame<G::Batch>) -> Result<Option<Frame<G::Batch>>, Stopped> {
        self.deadline.check()?;
        if !self.batch.choose(&frame.batch, &mut frame.cursor) {
            return Ok(None);
        }
        let mut children = self.spare.pop().unwrap_or_else(|| self.game.batch());
        self.game.expand(
            &mut self.scratch,
            &frame.batch,
            &self.batch.of,
            &self.batch.moves,
            &mut children,
        );
        Ok(Some(Frame::new(children, frame.left - 1)))
    }

    /// How many joint moves there are in all states together.
    fn joint_moves(&self, batch: &G::Batch) -> u64 {
        let each = (0..batch.len()).map(|index| self.batch.joint_moves_of(batch, index));
        each.fold(0, u64::saturating_add)
    }

    /// The value, unless the engine has run out of a budget and answers at random.
    fn trusted<T>(&self, value: T) -> Result<T, Stopped> {
        match self.game.fault(&self.scratch) {
            None => Ok(value),
            Some(fault) => Err(Stopped::Fault(fault)),
        }
    }
}
