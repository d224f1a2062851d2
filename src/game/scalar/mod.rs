//! Playouts and expansion for engines that have only the methods of [`StateMachine`]: one state after the other.

mod batch;
mod player;

use crate::game::{
    Ends, Expansion, PlayoutOptions, PlayoutTotals, Playouts, RolloutOptions, StateMachine, Stopped,
};

pub use batch::ScalarBatch;

/// An engine that only implements [`StateMachine`]. It gets [`Playouts`] and [`Expansion`] from the blanket
/// implementations here, which call it state by state.
pub trait Scalar: StateMachine {
    /// [`Expansion::likely_children_at_once`], where searches should expand all children at once ([`Expansion::is_eager`]).
    fn likely_children(&self) -> Option<usize> {
        None
    }

    /// [`Expansion::call_widths`], where searches should expand all children at once.
    fn wider_calls(&self) -> &[usize] {
        &[]
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
    type Batch = ScalarBatch<G>;

    fn batch(&self) -> ScalarBatch<G> {
        ScalarBatch::new(self.roles().len())
    }

    fn batch_size(&self) -> usize {
        16
    }

    fn is_eager(&self) -> bool {
        self.likely_children().is_some()
    }

    fn likely_children_at_once(&self) -> usize {
        self.likely_children().unwrap_or(0)
    }

    fn call_widths(&self) -> &[usize] {
        self.wider_calls()
    }

    fn evaluate_batch(
        &self,
        scratch: &mut G::Scratch,
        states: &[G::State],
        batch: &mut ScalarBatch<G>,
    ) {
        batch.evaluate_batch(self, scratch, states);
    }

    fn expand(
        &self,
        scratch: &mut G::Scratch,
        parents: &ScalarBatch<G>,
        of: &[u32],
        moves: &[G::Move],
        children: &mut ScalarBatch<G>,
    ) {
        children.expand(self, scratch, parents, of, moves);
    }
}
