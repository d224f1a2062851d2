//! Counting by plies: whole batches of states are expanded at once, and the last ply is counted without being made.

use rayon::ThreadPool;

use super::{enough_tasks, sum};
use crate::game::{Brood, Expansion, Limits, Role, Stopped, push_joint_move};

/// So many states are shared out between threads at most.
const MOST_TASKS: u64 = 1 << 16;

/// The number of paths of `depth` plies from `state`.
pub(super) fn count<G: Expansion>(
    game: &G,
    state: &G::State,
    depth: u32,
    limits: Limits<'_>,
    pool: &ThreadPool,
) -> Result<u64, Stopped> {
    let (mut states, mut left) = (vec![state.clone()], depth);
    let worker = || Counter::new(game, limits);
    worker().split(&mut states, &mut left, enough_tasks(pool))?;
    let size = states.len().div_ceil(enough_tasks(pool)).max(1);
    let tasks = states.chunks(size).collect();
    sum(pool, tasks, worker, |counter, states| {
        counter.paths(states, left)
    })
}

/// States whose children are to be counted, and how far that has come.
struct Frame<B> {
    brood: B,
    /// How many plies the paths have from here.
    left: u32,
    /// The first state with children still to come.
    parent: usize,
    /// How many of its joint moves have been made.
    made: u64,
}

impl<B> Frame<B> {
    fn new(brood: B, left: u32) -> Self {
        Self {
            brood,
            left,
            parent: 0,
            made: 0,
        }
    }
}

/// One thread's working memory.
struct Counter<'a, G: Expansion> {
    game: &'a G,
    limits: Limits<'a>,
    scratch: G::Scratch,
    /// Broods that are no longer needed.
    spare: Vec<G::Brood>,
    legal: Vec<Vec<G::Move>>,
    /// What is to be expanded next: per child its parent, and the joint moves.
    of: Vec<u32>,
    moves: Vec<G::Move>,
}

impl<'a, G: Expansion> Counter<'a, G> {
    fn new(game: &'a G, limits: Limits<'a>) -> Self {
        Self {
            game,
            limits,
            scratch: game.scratch(),
            spare: Vec::new(),
            legal: vec![Vec::new(); game.roles().len()],
            of: Vec::new(),
            moves: Vec::new(),
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
            let mut frame = self.examine(states, *left);
            if self.joint_moves(&frame.brood) > MOST_TASKS {
                break;
            }
            states.clear();
            *left -= 1;
            while let Some(children) = self.expand(&mut frame)? {
                let brood = &children.brood;
                states.extend((0..brood.len()).map(|child| brood.state(child)));
                self.spare.push(children.brood);
            }
        }
        self.trusted(())
    }

    /// Counts depth first.
    ///
    /// A frame whose last children are being counted has left the stack, so that no depth is too deep: only broods with
    /// more children than a batch holds wait there.
    fn paths(&mut self, states: &[G::State], left: u32) -> Result<u64, Stopped> {
        let mut paths = 0u64;
        let mut stack = vec![self.examine(states, left)];
        while let Some(mut frame) = stack.pop() {
            if frame.left == 1 {
                paths = paths.saturating_add(self.joint_moves(&frame.brood));
            } else if let Some(counted) = self.game.paths(&frame.brood, frame.left) {
                self.limits.check()?;
                paths = paths.saturating_add(counted);
            } else if frame.left == 2
                && let Some(counted) = self.grandchildren(&mut frame)?
            {
                paths = paths.saturating_add(counted);
            } else if let Some(children) = self.expand(&mut frame)? {
                if frame.parent < frame.brood.len() {
                    stack.push(frame);
                } else {
                    self.spare.push(frame.brood);
                }
                stack.push(children);
                continue;
            }
            self.spare.push(frame.brood);
        }
        self.trusted(paths)
    }

    fn examine(&mut self, states: &[G::State], left: u32) -> Frame<G::Brood> {
        let mut brood = self.spare.pop().unwrap_or_else(|| self.game.brood());
        self.game.examine(&mut self.scratch, states, &mut brood);
        Frame::new(brood, left)
    }

    /// The next batch of children, if there are any left.
    fn expand(&mut self, frame: &mut Frame<G::Brood>) -> Result<Option<Frame<G::Brood>>, Stopped> {
        self.limits.check()?;
        self.choose(frame);
        if self.of.is_empty() {
            return Ok(None);
        }
        let mut children = self.spare.pop().unwrap_or_else(|| self.game.brood());
        self.game.expand(
            &mut self.scratch,
            &frame.brood,
            &self.of,
            &self.moves,
            &mut children,
        );
        Ok(Some(Frame::new(children, frame.left - 1)))
    }

    /// How many grandchildren a frame has, if children need not be made to know.
    fn grandchildren(&mut self, frame: &mut Frame<G::Brood>) -> Result<Option<u64>, Stopped> {
        let mut all = 0_u64;
        loop {
            self.limits.check()?;
            let before = (frame.parent, frame.made);
            self.choose(frame);
            if self.of.is_empty() {
                return Ok(Some(all));
            }
            let (scratch, brood) = (&mut self.scratch, &frame.brood);
            match self
                .game
                .joint_moves_after(scratch, brood, &self.of, &self.moves)
            {
                Some(counted) => all = all.saturating_add(counted),
                None => {
                    (frame.parent, frame.made) = before;
                    return Ok(None);
                }
            }
        }
    }

    /// Lists the next joint moves, as many as a batch holds.
    fn choose(&mut self, frame: &mut Frame<G::Brood>) {
        let batch = self.game.batch();
        self.of.clear();
        self.moves.clear();
        while self.of.len() < batch && frame.parent < frame.brood.len() {
            let all = self.joint_moves_of(&frame.brood, frame.parent);
            if frame.made < all {
                for (role, moves) in self.legal.iter_mut().enumerate() {
                    frame.brood.legal(frame.parent, Role(role), moves);
                }
            }
            let room = (batch - self.of.len()) as u64;
            let until = all.min(frame.made.saturating_add(room));
            for number in frame.made..until {
                self.of.push(frame.parent as u32);
                push_joint_move(&self.legal, number, &mut self.moves);
            }
            frame.made = until;
            if until == all {
                frame.parent += 1;
                frame.made = 0;
            }
        }
    }

    /// How many joint moves there are in all states together.
    fn joint_moves(&self, brood: &G::Brood) -> u64 {
        let each = (0..brood.len()).map(|index| self.joint_moves_of(brood, index));
        each.fold(0, u64::saturating_add)
    }

    fn joint_moves_of(&self, brood: &G::Brood, index: usize) -> u64 {
        if brood.is_terminal(index) {
            return 0;
        }
        let sizes = (0..self.legal.len()).map(|role| brood.legal_count(index, Role(role)) as u64);
        sizes.fold(1, u64::saturating_mul)
    }

    /// The value, unless the engine has run out of a budget and answers at random.
    fn trusted<T>(&self, value: T) -> Result<T, Stopped> {
        match self.game.fault(&self.scratch) {
            None => Ok(value),
            Some(fault) => Err(Stopped::Fault(fault)),
        }
    }
}
