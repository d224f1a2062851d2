//! What the author of a native engine implements: positions, moves, and sets of moves.

use std::fmt::Debug;
use std::hash::Hash;

use crate::game::{Evaluation, InvalidFacts};
use crate::native::facts::FactReader;
use crate::native::move_set::MoveSet;

/// The rules of a game for two in which one player is in control and the other one waits.
pub trait NativeRules: Send + Sync {
    /// Everything that can be true: two positions are equal if and only if the same facts hold in them.
    type State: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move of one role.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// The legal moves of a position.
    type Moves: MoveSet;

    /// The roles; the first one moves first.
    const ROLES: [&'static str; 2];
    /// The move of the role that waits; also that of a role that must pass.
    const NOOP: Self::Move;

    /// Games interleaved per thread, chosen by measurement: interleaving hides latency, but one branch misprediction
    /// stalls all of them.
    const LANES: usize;

    /// The initial position.
    fn start(&self) -> Self::State;

    /// The index of the role in control.
    fn in_control(&self, position: &Self::State) -> usize;

    /// The legal moves of the role in control, in terminal positions too: the rule files derive them there.
    fn moves(&self, position: &Self::State) -> Self::Moves;

    /// The move of an index in the position's [`moves`](Self::moves).
    fn move_at(&self, position: &Self::State, index: u32) -> Self::Move;

    /// Whether the position is terminal; `moves` are those of the position.
    fn is_over(&self, position: &Self::State, moves: &Self::Moves) -> bool;

    /// The position after a move, and its moves.
    fn play(&self, position: &Self::State, mv: Self::Move) -> (Self::State, Self::Moves);

    /// Which roles have won; `moves` are those of the position.
    fn wins(&self, position: &Self::State, moves: &Self::Moves) -> [bool; 2];

    /// The goals of both roles; `None` where both have won, because the rule file then derives two values for each.
    fn goals(&self, position: &Self::State, moves: &Self::Moves) -> Option<[u8; 2]> {
        match self.wins(position, moves) {
            [false, false] => Some([50, 50]),
            [true, false] => Some([100, 0]),
            [false, true] => Some([0, 100]),
            [true, true] => None,
        }
    }

    /// The number of paths of `turns` whole turns, for games in which a turn can be more than one ply; `None` for the
    /// others.
    fn count_turns(&self, position: &Self::State, turns: u32) -> Option<u64> {
        let _ = (position, turns);
        None
    }

    /// The names of the game's published evaluations.
    fn evaluations(&self) -> &'static [&'static str] {
        &[]
    }

    /// The evaluation of this name.
    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, Self::State>> {
        let _ = name;
        None
    }

    /// The move as a KIF term.
    fn move_text(&self, mv: Self::Move) -> String;

    /// The number of words whose bits are the facts of a position.
    const FACT_WORDS: usize;

    /// Sets the bits of all facts of the position in [`FACT_WORDS`](Self::FACT_WORDS) words, which are zero.
    fn mark(&self, position: &Self::State, facts: &mut [u64]);

    /// The fact that a bit stands for, as a KIF term; `None` where it stands for none.
    fn fact(&self, word: usize, bit: u32) -> Option<String>;

    /// The position in which `facts` hold. Takes out the facts that it reads.
    ///
    /// # Errors
    /// Says why they describe no position.
    fn read(&self, facts: &mut FactReader<'_>) -> Result<Self::State, InvalidFacts>;
}

/// Reorders values from (in control, other) to (first role, second role), and back.
///
/// Positions hold the values of the role in control first: indexing by the role would send them through memory at every
/// ply.
#[inline(always)]
pub(super) fn by_role<T>(control: u8, [one, other]: [T; 2]) -> [T; 2] {
    if control == 0 {
        [one, other]
    } else {
        [other, one]
    }
}
