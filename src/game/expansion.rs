//! Many positions in one call: for counting paths, and for searches that ask in batches.

use crate::game::{Role, StateMachine};

/// The power to make many steps in one call.
///
/// A *batch* holds states together with all that is asked of them. To look at the children of some states, evaluate the
/// states, choose joint moves among their legal moves, and expand:
///
/// ```
/// use kolibri::catalog::GameSource;
/// use kolibri::game::{Expansion, PositionBatch, Role, StateMachine};
/// use kolibri::{engine, gdl};
///
/// let rules = gdl::load(&GameSource::find("tictactoe")?.text).rules.ok_or("errors")?;
/// let game = engine::Reasoner::new(&rules)?;
/// let (mut scratch, mut parents, mut children) = (game.scratch(), game.batch(), game.batch());
/// game.evaluate_batch(&mut scratch, &[game.initial()], &mut parents);
///
/// let (mut marks, mut waits) = (Vec::new(), Vec::new());
/// parents.legal(0, Role(0), &mut marks);
/// parents.legal(0, Role(1), &mut waits);
/// let joints: Vec<_> = marks.iter().flat_map(|&mark| [mark, waits[0]]).collect();
/// game.expand(&mut scratch, &parents, &[0; 9], &joints, &mut children);
/// assert_eq!((children.len(), children.legal_count(8, Role(1))), (9, 8));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Expansion: StateMachine {
    /// States, and what is asked of them.
    type Batch: PositionBatch<State = Self::State, Move = Self::Move>;

    /// A batch without states.
    fn batch(&self) -> Self::Batch;

    /// How many states are best handed over in one call: enough to be fast, few enough to be asked between calls
    /// whether to go on.
    fn batch_size(&self) -> usize;

    /// Whether to make all children of a state costs hardly more than to make one, so that a search had better look at
    /// all of them at once.
    fn is_eager(&self) -> bool {
        false
    }

    /// Replaces the contents of `batch` by `states`.
    fn evaluate_batch(
        &self,
        scratch: &mut Self::Scratch,
        states: &[Self::State],
        batch: &mut Self::Batch,
    );

    /// Replaces the contents of `children` by the states after joint moves: child `k` is what comes of the state at
    /// `of[k]` in `parents` when the roles make the `k`-th joint move of `moves`, which holds one legal move per role
    /// for each child.
    fn expand(
        &self,
        scratch: &mut Self::Scratch,
        parents: &Self::Batch,
        of: &[u32],
        moves: &[Self::Move],
        children: &mut Self::Batch,
    );

    /// How many joint moves there are in all the states together that [`Expansion::expand`] would make of the same, where
    /// that takes less than to make them. What is over has none.
    fn joint_moves_after(
        &self,
        scratch: &mut Self::Scratch,
        parents: &Self::Batch,
        of: &[u32],
        moves: &[Self::Move],
    ) -> Option<u64> {
        let _ = (scratch, parents, of, moves);
        None
    }

    /// The number of paths of `depth` plies from all states of `batch` together, where that takes but a moment and less
    /// than to expand them. What is over is not extended.
    fn paths(&self, batch: &Self::Batch, depth: u32) -> Option<u64> {
        let _ = (batch, depth);
        None
    }

    /// The number of paths of so many whole turns from `state`, where that takes but a moment and less than to make them.
    /// A turn goes on as long as the same role is in control; what is over is not extended.
    fn paths_by_turns(&self, state: &Self::State, turns: u32) -> Option<u64> {
        let _ = (state, turns);
        None
    }
}

/// States, numbered from 0, and what [`StateMachine`] says of each.
pub trait PositionBatch: Send + Sync {
    /// [`StateMachine::State`]
    type State;
    /// [`StateMachine::Move`]
    type Move;

    /// How many there are.
    fn len(&self) -> usize;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state itself.
    fn state(&self, index: usize) -> Self::State;

    /// Whether the game is over.
    fn is_terminal(&self, index: usize) -> bool;

    /// What `role` scores. Means nothing where the game goes on.
    fn goal(&self, index: usize, role: Role) -> Option<u8>;

    /// How many legal moves `role` has. Means nothing where the game is over.
    fn legal_count(&self, index: usize, role: Role) -> usize;

    /// Replaces the contents of `moves` by the legal moves of `role`, in the order of [`StateMachine::legal`]. Means nothing
    /// where the game is over.
    fn legal(&self, index: usize, role: Role, moves: &mut Vec<Self::Move>);
}
