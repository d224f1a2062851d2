//! Many positions in one call: for counting paths, and for searches that expand in batches.

use crate::game::{Role, StateMachine};

/// An engine that expands many states in one call.
///
/// A *batch* holds states together with their legal moves, ends and goals. To expand states, evaluate them, choose joint
/// moves among their legal moves, and expand:
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
    /// States with their legal moves, ends and goals.
    type Batch: PositionBatch<State = Self::State, Move = Self::Move>;

    /// A batch without states.
    fn batch(&self) -> Self::Batch;

    /// The best number of states for one call: enough for speed, few enough that the caller can check its deadline between
    /// calls.
    fn batch_size(&self) -> usize;

    /// Whether expanding all children of a state costs little more than expanding one, so that searches should expand all
    /// children at once.
    fn is_eager(&self) -> bool {
        false
    }

    /// How many children of several states a search should ask for in one call at most, where it expands all children at once and
    /// the first of the states has `of_one`.
    fn children_at_once(&self, of_one: usize) -> usize {
        of_one.max(64)
    }

    /// Up to how many children in one call a search should ask for some that may turn out not to be needed, where it expands all children
    /// at once. A call for more is worth its cost only for children that are sure to be needed.
    fn likely_children_at_once(&self) -> usize {
        0
    }

    /// The numbers of states that fill a call, ascending: a call for one more costs much more. A search may try whether it pays to fill calls
    /// by children that may turn out not to be needed.
    fn call_widths(&self) -> &[usize] {
        &[]
    }

    /// Replaces the contents of `batch` by `states`.
    fn evaluate_batch(
        &self,
        scratch: &mut Self::Scratch,
        states: &[Self::State],
        batch: &mut Self::Batch,
    );

    /// Replaces the contents of `children` by the states after joint moves: child `k` is the successor of state
    /// `of[k]` of `parents` under the `k`-th joint move of `moves`, which holds one legal move per role for each child.
    fn expand(
        &self,
        scratch: &mut Self::Scratch,
        parents: &Self::Batch,
        of: &[u32],
        moves: &[Self::Move],
        children: &mut Self::Batch,
    );

    /// The number of paths of `depth` plies from all states of `batch` together, if the engine can count them fast and
    /// cheaper than by expansion. Terminal states are not extended.
    fn paths(&self, scratch: &mut Self::Scratch, batch: &Self::Batch, depth: u32) -> Option<u64> {
        let _ = (scratch, batch, depth);
        None
    }

    /// The number of paths of `turns` whole turns from `state`, if the engine can count them fast and cheaper than by
    /// expansion. A turn lasts as long as the same role is in control. Terminal states are not extended.
    fn paths_by_turns(&self, state: &Self::State, turns: u32) -> Option<u64> {
        let _ = (state, turns);
        None
    }
}

/// States, numbered from 0, with the answers of [`StateMachine`] for each.
pub trait PositionBatch: Send + Sync {
    /// [`StateMachine::State`]
    type State;
    /// [`StateMachine::Move`]
    type Move;

    /// The number of states.
    fn len(&self) -> usize;

    /// Whether the batch is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state itself.
    fn state(&self, index: usize) -> Self::State;

    /// Whether the game is over.
    fn is_terminal(&self, index: usize) -> bool;

    /// The goal of `role`. Meaningless in states that are not terminal.
    fn goal(&self, index: usize, role: Role) -> Option<u8>;

    /// How many legal moves `role` has. Means nothing where the game is over.
    fn legal_count(&self, index: usize, role: Role) -> usize;

    /// Replaces the contents of `moves` by the legal moves of `role`, in the order of [`StateMachine::legal`]. Means nothing
    /// where the game is over.
    fn legal(&self, index: usize, role: Role, moves: &mut Vec<Self::Move>);
}
