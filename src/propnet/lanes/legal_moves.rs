//! The legal moves of a batch of states, as sets of bits.
//!
//! A game may have hundreds of thousands of moves, few of which are legal in the states of one pass over its network. The moves of all roles
//! make a row of words of 64 moves, each role's from a new word on; a word's *place* is its number there. What is kept of a pass are those
//! words in which some state has a move, each for all states of the pass.

use std::ops::Range;

use crate::propnet::lanes::memory::SlotIndex;
use crate::propnet::lanes::program::PackedProgram;
use crate::propnet::lanes::transpose::BitBlock;

/// The legal moves of a batch of states.
#[derive(Debug, Clone)]
pub(super) struct LegalMoves {
    roles: Vec<RoleWords>,
    /// The number of states.
    states: usize,
    /// The passes that evaluated them, in order.
    passes: Vec<EvaluationPass>,
    /// Of each pass, where in [`LegalMoves::places`] those of each role end.
    role_ends: Vec<usize>,
    /// The places of the words that are kept, ascending within a pass.
    places: Vec<usize>,
    /// The words: that of the first place for each state of the pass, then [`PADDING`], then those of the next place.
    words: Vec<u64>,
    /// How many moves the first role has in each state, then the next role.
    counts: Vec<u32>,
}

/// The words of a role's moves.
#[derive(Debug, Clone)]
struct RoleWords {
    /// The role's first input.
    first: usize,
    /// Their places.
    places: Range<usize>,
}

/// States that were evaluated together.
#[derive(Debug, Clone)]
struct EvaluationPass {
    states: Range<usize>,
    /// Which of [`LegalMoves::places`] are theirs.
    kept: Range<usize>,
    /// Where their words begin.
    first_word: usize,
}

/// Words between those of two places: a cache line, so that the words of one state are not all in one set of the cache.
const PADDING: usize = 8;

impl EvaluationPass {
    /// How far apart the words of a state are.
    fn stride(&self) -> usize {
        self.states.len() + PADDING
    }
}

impl LegalMoves {
    /// Those of no states.
    pub(super) fn new<P: SlotIndex>(program: &PackedProgram<P>) -> Self {
        let roles = program.roles.iter().zip(program.legal_words());
        let roles = roles.map(|(inputs, places)| RoleWords {
            first: inputs.start,
            places,
        });
        Self {
            roles: roles.collect(),
            states: 0,
            passes: Vec::new(),
            role_ends: Vec::new(),
            places: Vec::new(),
            words: Vec::new(),
            counts: Vec::new(),
        }
    }

    /// How many roles there are.
    pub(super) fn roles(&self) -> usize {
        self.roles.len()
    }

    /// Makes room for so many states, in which no move is legal yet.
    pub(super) fn reset(&mut self, states: usize) {
        self.states = states;
        self.passes.clear();
        self.role_ends.clear();
        self.places.clear();
        self.words.clear();
        self.counts.clear();
        self.counts.resize(states * self.roles.len(), 0);
    }

    /// Begins a pass over these states, the next ones.
    pub(super) fn begin_pass(&mut self, states: Range<usize>) {
        debug_assert_eq!(
            states.start,
            self.passes.last().map_or(0, |pass| pass.states.end)
        );
        let ends = std::iter::repeat_n(self.places.len(), self.roles.len());
        self.role_ends.extend(ends);
        self.passes.push(EvaluationPass {
            states,
            kept: self.places.len()..self.places.len(),
            first_word: self.words.len(),
        });
    }

    /// Adds the words of a place, which comes after those before, for all states of the pass: that of state `i` is word `i / 64` of row
    /// `i % 64`.
    #[inline(always)]
    pub(super) fn add<const W: usize>(
        &mut self,
        (role, place): (usize, usize),
        block: &BitBlock<W>,
    ) {
        let Some(pass) = self.passes.last_mut() else {
            unreachable!("a pass was begun");
        };
        self.places.push(place);
        pass.kept.end += 1;
        let ends = self.role_ends.len() - self.roles.len();
        self.role_ends[ends + role..].fill(self.places.len());
        let first = role * self.states;
        let counts = &mut self.counts[first + pass.states.start..first + pass.states.end];
        for (w, counts) in counts.chunks_mut(64).enumerate() {
            let mut words = [0; 64];
            for i in 0..64 {
                words[i] = block[i][w];
            }
            for i in 0..counts.len() {
                counts[i] += words[i].count_ones();
            }
            self.words.extend_from_slice(&words[..counts.len()]);
        }
        self.words.extend_from_slice(&[0; PADDING]);
    }

    /// How many moves a role has in a state.
    pub(super) fn count(&self, state: usize, role: usize) -> usize {
        debug_assert!(state < self.states);
        self.counts[role * self.states + state] as usize
    }

    /// Replaces `moves` by those of a role in a state, as numbers of inputs, ascending.
    pub(super) fn list(&self, state: usize, role: usize, moves: &mut Vec<u32>) {
        debug_assert!(state < self.states);
        moves.clear();
        let number = self.passes.partition_point(|pass| pass.states.end <= state);
        // A state that was not evaluated has none.
        let Some(pass) = self.passes.get(number) else {
            return;
        };
        let RoleWords { first, places } = &self.roles[role];
        let ends = &self.role_ends[number * self.roles.len()..];
        let begin = match role {
            0 => pass.kept.start,
            _ => ends[role - 1],
        };
        let place = begin - pass.kept.start;
        let mut at = pass.first_word + place * pass.stride() + (state - pass.states.start);
        for place in &self.places[begin..ends[role]] {
            let input = (first + 64 * (place - places.start)) as u32;
            let mut left = self.words[at];
            while left != 0 {
                moves.push(input + left.trailing_zeros());
                left &= left - 1;
            }
            at += pass.stride();
        }
    }

    /// How many moves are legal in some of the states that are counted.
    pub(super) fn count_in_any(&self, is_counted: impl Fn(usize) -> bool) -> u64 {
        let places = self.roles.last().map_or(0, |role| role.places.end);
        let mut in_any = vec![0; places];
        for pass in &self.passes {
            let words = self.words[pass.first_word..].chunks(pass.stride());
            for (place, words) in self.places[pass.kept.clone()].iter().zip(words) {
                let words = words.iter().zip(pass.states.clone());
                let words = words.filter(|(_, state)| is_counted(*state));
                in_any[*place] |= words.fold(0, |all: u64, (word, _)| all | word);
            }
        }
        in_any.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propnet::lanes::executor::either;
    use crate::propnet::lanes::fixture;
    use crate::propnet::lanes::program::LaneProgram;

    /// The legal moves of a game with so many moves of each role.
    fn no_moves(moves: Vec<usize>) -> LegalMoves {
        let circuit = fixture::random(&fixture::RandomCircuit {
            bases: 3,
            moves,
            gates: 5,
            seed: 1,
        });
        either!(&LaneProgram::new(&circuit).packed, program => LegalMoves::new(program))
    }

    fn list(legal: &LegalMoves, state: usize, role: usize) -> Vec<u32> {
        let mut moves = vec![7];
        legal.list(state, role, &mut moves);
        assert_eq!(moves.len(), legal.count(state, role));
        moves
    }

    #[test]
    fn moves_are_found_by_pass_state_and_role() {
        let mut legal = no_moves(vec![100, 70]);
        legal.reset(6);
        let block = |words: &[u64]| -> BitBlock<1> {
            std::array::from_fn(|state| [words.get(state).copied().unwrap_or(!0)])
        };
        legal.begin_pass(0..3);
        legal.add((0, 1), &block(&[0b11, 0, 0b100]));
        legal.add((1, 2), &block(&[0, 1 << 63, 1]));
        legal.begin_pass(3..5);
        legal.add((1, 3), &block(&[0b1000, 0b10]));
        // The last state was not evaluated.
        let lists = |role| [0, 1, 2, 3, 4, 5].map(|state| list(&legal, state, role));
        let none = Vec::<u32>::new;
        let first = [vec![64, 65], none(), vec![66], none(), none(), none()];
        assert_eq!(lists(0), first);
        let second = [none(), vec![163], vec![100], vec![167], vec![165], none()];
        assert_eq!(lists(1), second);
        assert_eq!(legal.count_in_any(|_| true), 3 + 2 + 2);
        assert_eq!(legal.count_in_any(|state| state > 0), 1 + 2 + 2);
        legal.reset(1);
        assert_eq!(list(&legal, 0, 0), none());
    }

    #[test]
    fn passes_of_many_states_have_words_of_every_place() {
        let mut legal = no_moves(vec![0, 10, 0, 130]);
        legal.reset(200);
        // Only in the second pass, the first role has moves.
        legal.begin_pass(0..1);
        legal.add((3, 3), &[[1]; 64]);
        legal.begin_pass(1..200);
        let block: BitBlock<4> =
            std::array::from_fn(|row| [0, 1, 2, 3].map(|w| w << 6 | row as u64));
        legal.add((1, 0), &block);
        legal.add((3, 2), &block);
        assert_eq!(list(&legal, 0, 3), [10 + 128]);
        assert!(list(&legal, 0, 1).is_empty());
        for state in 1..200 {
            let number = state as u32 - 1;
            let bits: Vec<u32> = (0..8).filter(|bit| number >> bit & 1 == 1).collect();
            assert_eq!(list(&legal, state, 1), bits);
            let second: Vec<u32> = bits.iter().map(|bit| 10 + 64 + bit).collect();
            assert_eq!(list(&legal, state, 3), second);
            assert!(list(&legal, state, 0).is_empty() && list(&legal, state, 2).is_empty());
        }
    }
}
