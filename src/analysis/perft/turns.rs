//! Counting by turns, state by state: whether a ply ends a turn shows only in the state after it.

use rayon::ThreadPool;

use super::{enough_tasks, sum};
use crate::analysis::Control;
use crate::game::{Game, JointMoves, Limits, Stopped, legal_of_all};

/// A turn of more plies than this is taken for endless.
const LONGEST_TURN: u32 = 10_000;

/// The number of paths of `depth` turns from `state`.
pub(super) fn count<G: Game>(
    game: &G,
    state: &G::State,
    depth: u32,
    limits: Limits<'_>,
    pool: &ThreadPool,
) -> Result<u64, Stopped> {
    let mut tasks = vec![Task {
        state: state.clone(),
        left: depth,
        turn: 0,
    }];
    let worker = || Counter::new(game, limits);
    let complete = worker().split(&mut tasks, enough_tasks(pool))?;
    let counted = sum(pool, tasks, worker, Counter::paths)?;
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
struct Counter<'a, G: Game> {
    game: &'a G,
    limits: Limits<'a>,
    scratch: G::Scratch,
    legal: Vec<Vec<G::Move>>,
    legal_next: Vec<Vec<G::Move>>,
}

impl<'a, G: Game> Counter<'a, G> {
    fn new(game: &'a G, limits: Limits<'a>) -> Self {
        Self {
            game,
            limits,
            scratch: game.scratch(),
            legal: Vec::new(),
            legal_next: Vec::new(),
        }
    }

    /// Splits the tasks until there are enough; returns the number of paths that are complete before.
    fn split(&mut self, tasks: &mut Vec<Task<G::State>>, enough: usize) -> Result<u64, Stopped> {
        let mut complete = 0u64;
        while !tasks.is_empty() && tasks.len() < enough {
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
        self.limits.check()?;
        if self.game.is_terminal(&mut self.scratch, &task.state) {
            return self.trusted(0);
        }
        let mut legal = std::mem::take(&mut self.legal);
        legal_of_all(self.game, &mut self.scratch, &task.state, &mut legal);
        let complete = self.expand_turn(task, &legal, below)?;
        self.legal = legal;
        self.trusted(complete)
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
