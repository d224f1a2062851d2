//! Chooses a random legal move of every role in every lane, without a loop over lanes.
//!
//! Bit-sliced adders count the legal moves of all lanes at once, each lane draws a number below its count, and a second pass
//! over the moves subtracts them from that number: the legal move at which a lane's number falls below zero is its choice. Of many
//! moves, the second pass subtracts blocks of them, and looks at the moves of those blocks alone in which a number falls below zero.

mod blocks;
pub(super) mod count;
mod groups;
#[cfg(test)]
mod tests;

use std::ops::Range;

use crate::propnet::lanes::choose::blocks::BlockedMoves;
use crate::propnet::lanes::choose::count::{Chunk, LaneCounts};
use crate::propnet::lanes::choose::groups::GroupedMoves;
use crate::propnet::lanes::generator::Generators;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};
use crate::propnet::lanes::program::PackedCircuit;

/// Chooses moves; holds the working memory for that.
#[derive(Debug)]
pub(super) struct Chooser<P, const C: usize> {
    roles: Vec<RoleChooser<P, C>>,
    drawn: LaneCounts<C>,
}

#[derive(Debug)]
struct RoleChooser<P, const C: usize> {
    moves: ChooserMoves<P, C>,
    /// The most bits that the number of legal moves can have.
    most_bits: usize,
    /// The number of legal moves, and then the number drawn.
    count: LaneCounts<C>,
}

#[derive(Debug)]
enum ChooserMoves<P, const C: usize> {
    Grouped(GroupedMoves<P>),
    Blocked(BlockedMoves<P, C>),
}

impl<P: SlotIndex, const C: usize> Chooser<P, C> {
    /// For the moves of a circuit in random games, marked as their transition needs it.
    pub(super) fn new(circuit: &PackedCircuit<P>) -> Self {
        let roles = circuit.roles.iter();
        match circuit.marks_made_moves {
            true => {
                let marks = || circuit.marks.clone();
                let of_role = |moves| BlockedMoves::new(&circuit.legal, moves, marks());
                Self::of(roles.cloned().map(of_role).map(ChooserMoves::Blocked))
            }
            false => {
                let slots = |i: usize| [circuit.legal[i], circuit.does[i]];
                let of_role = |moves: &Range<usize>| GroupedMoves::new(moves.clone().map(slots));
                Self::of(roles.map(of_role).map(ChooserMoves::Grouped))
            }
        }
    }

    fn of(roles: impl Iterator<Item = ChooserMoves<P, C>>) -> Self {
        let role = |moves: ChooserMoves<P, C>| RoleChooser {
            most_bits: (usize::BITS - moves.len().leading_zeros()) as usize,
            count: LaneCounts::ZERO,
            moves,
        };
        Self {
            roles: roles.map(role).collect(),
            drawn: LaneCounts::ZERO,
        }
    }

    /// Marks a move of each role in each lane of the `at`-th chunk, drawn by the lanes' generators, roles in order.
    /// Returns the lanes in which every role has a move.
    ///
    /// The marks must be taken back before another choice, by [`Chooser::unmark`].
    #[inline(always)]
    pub(super) fn choose<const W: usize>(
        &mut self,
        slots: &mut P::Array<W>,
        at: usize,
        generators: &mut [Generators],
    ) -> Chunk<C> {
        let mut able = [!0; C];
        let (mut choice, mut is_shared) = ([0; C], true);
        for role in &mut self.roles {
            role.count::<W>(slots, at);
            let (some, several) = role.count.some_and_several();
            for c in 0..C {
                able[c] &= some[c];
                is_shared &= choice[c] & several[c] == 0;
                choice[c] |= several[c];
            }
        }
        if is_shared {
            self.draw_once(choice, generators);
        } else {
            for role in &mut self.roles {
                role.count.draw(generators);
            }
        }
        for role in &mut self.roles {
            role.mark::<W>(slots, at);
        }
        able
    }

    /// Takes back the marks of all lanes, where the next choice would not do it.
    pub(super) fn unmark<const W: usize>(&mut self, slots: &mut P::Array<W>) {
        for role in &mut self.roles {
            if let ChooserMoves::Blocked(moves) = &mut role.moves {
                moves.unmark::<W>(slots);
            }
        }
    }

    /// Draws where no lane has two roles with a `choice`: one draw per lane is enough, and none where it has none.
    #[inline(always)]
    fn draw_once(&mut self, choice: Chunk<C>, generators: &mut [Generators]) {
        self.drawn.clear();
        if choice != [0; C] {
            for role in &self.roles {
                self.drawn.put(&role.count, role.count.some_and_several().1);
            }
            self.drawn.draw(generators);
        }
        for role in &mut self.roles {
            role.count.replace(&self.drawn);
        }
    }
}

impl<P: SlotIndex, const C: usize> ChooserMoves<P, C> {
    /// How many moves there are.
    fn len(&self) -> usize {
        match self {
            Self::Grouped(moves) => moves.len,
            Self::Blocked(moves) => moves.len(),
        }
    }
}

impl<P: SlotIndex, const C: usize> RoleChooser<P, C> {
    /// Counts the legal moves.
    #[inline(always)]
    fn count<const W: usize>(&mut self, slots: &mut P::Array<W>, at: usize) {
        let (counts, bits) = (&mut self.count, self.most_bits);
        match &mut self.moves {
            ChooserMoves::Grouped(moves) => moves.count::<W, C>(slots, at, counts, bits),
            ChooserMoves::Blocked(moves) => moves.count::<W>(slots, at, counts, bits),
        }
    }

    /// Marks the move that as many legal moves precede as the number drawn.
    #[inline(always)]
    fn mark<const W: usize>(&mut self, slots: &mut P::Array<W>, at: usize) {
        match &mut self.moves {
            ChooserMoves::Grouped(moves) => moves.mark::<W, C>(slots, at, &self.count),
            ChooserMoves::Blocked(moves) => moves.mark::<W>(slots, at, &self.count),
        }
    }
}

#[inline(always)]
pub(super) fn chunk<P: SlotIndex, const W: usize, const C: usize>(
    slots: &mut P::Array<W>,
    place: P,
    at: usize,
) -> &mut Chunk<C> {
    &mut slots.at_mut(place).as_chunks_mut().0[at % (W / C)]
}
