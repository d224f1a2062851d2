//! What the author of a game writes down: positions, steps, and sets of steps.

use std::fmt::Debug;
use std::hash::Hash;

use crate::game::{Evaluation, InvalidFacts};
use crate::native::facts::FactReader;
use crate::native::places::PlaceSet;

/// The rules of a game for two in which one player is in control and the other one waits.
pub trait NativeRules: Send + Sync {
    /// Everything that can be true: two positions are equal if and only if the same facts hold in them.
    type State: Copy + Eq + Hash + Debug + Send + Sync + 'static;
    /// What the player in control can do.
    type Move: Copy + Eq + Hash + Debug + Send + Sync;
    /// All steps of a position.
    type Places: PlaceSet;

    /// The players, first mover first.
    const ROLES: [&'static str; 2];
    /// The step of the player who waits; also that of a player who must pass.
    const NOOP: Self::Move;

    /// How many random games advance in turn: as many as were found to be fastest. Steps that the processor guesses well
    /// gain from company; after a wrong guess it has to start over with all of them.
    const LANES: usize;

    /// Where a match begins.
    fn start(&self) -> Self::State;

    /// The number of the player in control.
    fn mover(&self, position: &Self::State) -> usize;

    /// The legal steps of the player in control. The rule files name them even after the end.
    fn places(&self, position: &Self::State) -> Self::Places;

    /// The step at one of the position's places.
    fn step(&self, position: &Self::State, place: u32) -> Self::Move;

    /// Whether the game is over; `places` are those of the position.
    fn is_over(&self, position: &Self::State, places: &Self::Places) -> bool;

    /// The position after one of its steps, and its places.
    fn play(&self, position: &Self::State, step: Self::Move) -> (Self::State, Self::Places);

    /// Who has won, player by player; `places` are those of the position.
    fn wins(&self, position: &Self::State, places: &Self::Places) -> [bool; 2];

    /// What both players score: `None` where both have won, so that the rule file gives each two values.
    fn goals(&self, position: &Self::State, places: &Self::Places) -> Option<[u8; 2]> {
        match self.wins(position, places) {
            [false, false] => Some([50, 50]),
            [true, false] => Some([100, 0]),
            [false, true] => Some([0, 100]),
            [true, true] => None,
        }
    }

    /// The number of paths of so many whole turns, where the rules have a quick way to count them; in the other games a
    /// turn is a ply.
    fn count_turns(&self, position: &Self::State, turns: u32) -> Option<u64> {
        let _ = (position, turns);
        None
    }

    /// The names of the evaluations that people have made for the game.
    fn evaluations(&self) -> &'static [&'static str] {
        &[]
    }

    /// The evaluation of this name.
    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, Self::State>> {
        let _ = name;
        None
    }

    /// The step as a KIF term.
    fn step_text(&self, step: Self::Move) -> String;

    /// So many words of bits hold the facts of a position.
    const FACT_WORDS: usize;

    /// Sets the bits of all facts of the position in as many words, which are clear.
    fn mark(&self, position: &Self::State, facts: &mut [u64]);

    /// The fact that a bit stands for, as a KIF term; `None` where it stands for none.
    fn fact(&self, word: usize, bit: u32) -> Option<String>;

    /// The position in which `facts` hold. Takes from them what it knows.
    ///
    /// # Errors
    /// Says why they describe no position.
    fn read(&self, facts: &mut FactReader<'_>) -> Result<Self::State, InvalidFacts>;
}

/// What the first and the second player have, from what the player in control and the other one have; and back.
///
/// Positions are kept as the player in control sees them: looking up by a number that is not known beforehand would
/// send them through memory at every step.
#[inline(always)]
pub(super) fn seen_by<T>(mover: u8, [one, other]: [T; 2]) -> [T; 2] {
    if mover == 0 {
        [one, other]
    } else {
        [other, one]
    }
}
