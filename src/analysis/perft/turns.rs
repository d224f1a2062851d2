//! Counting by turns: whether a ply ends a turn shows only in the state after it, so that all are made.

use std::sync::atomic::AtomicBool;

use rayon::ThreadPool;

use super::{enough_tasks, sum};
use crate::analysis::Control;
use crate::analysis::children::{ChildCursor, JointMoveBatch};
use crate::game::{Expansion, PositionBatch, Stopped};
use crate::util::Deadline;

/// A turn of more plies than this is taken for endless.
const LONGEST_TURN: u32 = 2_000;
/// The number of states that are expanded together: with their children a few batches.
const AT_ONCE: usize = 64;

/// The number of paths of `depth` turns from `state`. Raises `stuck` where one is seen to end for want of a move.
pub(super) fn count<G: Expansion>(
    game: &G,
    state: &G::State,
    depth: u32,
    deadline: &Deadline,
    pool: &ThreadPool,
    stuck: &AtomicBool,
) -> Result<u64, Stopped> {
    let mut tasks = vec![Task {
        state: state.clone(),
        left: depth,
        turn: 0,
    }];
    let worker = || TurnCounter::new(game, deadline, stuck);
    let complete = worker().split(&mut tasks, enough_tasks(pool))?;
    let counted = sum(pool, tasks, worker, TurnCounter::paths)?;
    Ok(complete.saturating_add(counted))
}

/// Paths still to be counted: those from `state` that have `left` more turns.
struct Task<S> {
    state: S,
    left: u32,
    /// Plies made in the present turn.
    turn: u32,
}

/// One thread's working memory.
struct TurnCounter<'a, G: Expansion> {
    game: &'a G,
    deadline: &'a Deadline,
    scratch: G::Scratch,
    parents: G::Batch,
    children: G::Batch,
    batch: JointMoveBatch<'a, G>,
}

impl<'a, G: Expansion> TurnCounter<'a, G> {
    fn new(game: &'a G, deadline: &'a Deadline, stuck: &'a AtomicBool) -> Self {
        Self {
            game,
            deadline,
            scratch: game.scratch(),
            parents: game.batch(),
            children: game.batch(),
            batch: JointMoveBatch::new(game, stuck),
        }
    }

    /// Splits the tasks until there are enough; returns the number of paths that are complete before.
    fn split(&mut self, tasks: &mut Vec<Task<G::State>>, enough: usize) -> Result<u64, Stopped> {
        let mut complete = 0u64;
        while !tasks.is_empty() && tasks.len() < enough {
            let all = std::mem::take(tasks);
            complete = complete.saturating_add(self.expand(&all, tasks)?);
        }
        Ok(complete)
    }

    /// Counts depth first, some states at once. The stack is a vector, so that no depth is too deep.
    fn paths(&mut self, task: Task<G::State>) -> Result<u64, Stopped> {
        let mut paths = 0u64;
        let mut stack = vec![task];
        while !stack.is_empty() {
            let mut next = Vec::with_capacity(AT_ONCE);
            for task in stack.split_off(stack.len().saturating_sub(AT_ONCE)) {
                self.deadline.check()?;
                match self.counted(&task) {
                    Some(counted) => paths = paths.saturating_add(counted),
                    None => next.push(task),
                }
            }
            paths = paths.saturating_add(self.expand(&next, &mut stack)?);
        }
        Ok(paths)
    }

    /// What the engine can count at once.
    fn counted(&self, task: &Task<G::State>) -> Option<u64> {
        match task.turn {
            0 => self.game.paths_by_turns(&task.state, task.left),
            _ => None,
        }
    }

    /// Makes one ply from each: returns the number of paths that are complete with it, and adds what is left to `below`.
    fn expand(
        &mut self,
        tasks: &[Task<G::State>],
        below: &mut Vec<Task<G::State>>,
    ) -> Result<u64, Stopped> {
        if tasks.iter().any(|task| task.turn >= LONGEST_TURN) {
            return Err(Stopped::EndlessTurn(LONGEST_TURN));
        }
        let states: Vec<_> = tasks.iter().map(|task| task.state.clone()).collect();
        self.game
            .evaluate_batch(&mut self.scratch, &states, &mut self.parents);
        let controls =
            (0..tasks.len()).map(|index| Control::within(self.game, &self.parents, index));
        let controls: Vec<Control> = controls.collect();
        let (mut complete, mut cursor) = (0, ChildCursor::default());
        while self.batch.choose(&self.parents, &mut cursor) {
            self.deadline.check()?;
            self.game.expand(
                &mut self.scratch,
                &self.parents,
                &self.batch.of,
                &self.batch.moves,
                &mut self.children,
            );
            complete += self.sort_out(tasks, &controls, below);
        }
        match self.game.fault(&self.scratch) {
            None => Ok(complete),
            Some(fault) => Err(Stopped::Fault(fault)),
        }
    }

    /// Counts the children that complete a path, and adds the others to `below`.
    fn sort_out(
        &self,
        tasks: &[Task<G::State>],
        controls: &[Control],
        below: &mut Vec<Task<G::State>>,
    ) -> u64 {
        let mut complete = 0;
        for (index, &parent) in self.batch.of.iter().enumerate() {
            let Task { left, turn, .. } = tasks[parent as usize];
            let (left, turn) = match self.continues(controls[parent as usize], index) {
                true => (left, turn + 1),
                false => (left - 1, 0),
            };
            if left == 0 {
                complete += 1;
            } else {
                let state = self.children.state(index);
                below.push(Task { state, left, turn });
            }
        }
        complete
    }

    /// Whether a child belongs to the turn of its parent, which was under this control.
    fn continues(&self, control: Control, child: usize) -> bool {
        control != Control::Shared
            && !self.children.is_terminal(child)
            && control.continues(Control::within(self.game, &self.children, child))
    }
}
