//! Engines without powers of their own: one state after the other.

mod plain;
mod player;

use crate::game::{
    Ends, Expansion, Game, PlayoutOptions, PlayoutTotals, Playouts, RolloutOptions, Stopped,
};

pub use plain::Plain;

/// An engine without powers of its own. It gets them all, at the speed of [`Game`].
pub trait Scalar: Game {
    /// See [`Expansion::is_eager`].
    fn prefers_all_children(&self) -> bool {
        false
    }
}

impl<G: Scalar> Playouts for G {
    fn lanes(&self) -> usize {
        1
    }

    fn playouts(
        &self,
        state: &G::State,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        player::playouts(self, state, options)
    }

    fn rollouts(
        &self,
        scratch: &mut G::Scratch,
        states: &[G::State],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped> {
        player::rollouts(self, scratch, states, options, ends)
    }
}

impl<G: Scalar> Expansion for G {
    type Brood = Plain<G>;

    fn brood(&self) -> Plain<G> {
        Plain::new(self.roles().len())
    }

    fn batch(&self) -> usize {
        16
    }

    fn is_eager(&self) -> bool {
        self.prefers_all_children()
    }

    fn examine(&self, scratch: &mut G::Scratch, states: &[G::State], brood: &mut Plain<G>) {
        brood.examine(self, scratch, states);
    }

    fn expand(
        &self,
        scratch: &mut G::Scratch,
        parents: &Plain<G>,
        of: &[u32],
        moves: &[G::Move],
        children: &mut Plain<G>,
    ) {
        children.expand(self, scratch, parents, of, moves);
    }
}
