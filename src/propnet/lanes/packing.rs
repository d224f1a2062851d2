//! Packed states into the lanes, and states and legal moves out of them. Each operation is compiled once per instruction set and
//! dispatched at run time.
//!
//! Loops are over indices, not iterators: vectorisation needs every call to be inlined.

use pulp::NullaryFnOnce;

use crate::propnet::lanes::legal_moves::LegalMoves;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex};
use crate::propnet::lanes::ops::first_lanes;
use crate::propnet::lanes::planes::{numbers, planes};
use crate::propnet::lanes::program::{PackedCircuit, RowLayout, RowWord};
use crate::propnet::lanes::transpose::{BitBlock, transpose};

/// Up to this number of lanes, the bits of a slot fit in a byte, and transposing bytes takes a fraction of the time.
const BYTE: usize = 8;

/// Loads packed states into the lanes.
pub(super) struct LoadStates<'l, P: SlotIndex, const W: usize> {
    pub(super) bases: &'l [P],
    pub(super) slots: &'l mut P::Array<W>,
    pub(super) block: &'l mut BitBlock<W>,
    pub(super) states: &'l [u64],
    /// Words per state.
    pub(super) words: usize,
    /// Per lane, which of the states.
    pub(super) of: &'l [u32],
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for LoadStates<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let is_one_state = self.of.iter().all(|state| *state == self.of[0]);
        if !is_one_state && self.of.len() > BYTE && self.is_cheaper_by_facts() {
            self.load_facts();
            return;
        }
        for word in 0..self.words {
            let packed = |lane: usize| self.states[self.of[lane] as usize * self.words + word];
            if is_one_state && !self.of.is_empty() {
                spread(packed(0), self.block);
            } else if self.of.len() <= BYTE {
                spread_few(self.of.len(), packed, self.block);
            } else {
                *self.block = [[0; W]; 64];
                for lane in 0..self.of.len() {
                    self.block[lane % 64][lane / 64] = packed(lane);
                }
                transpose(self.block);
            }
            let bases = &self.bases[64 * word..];
            for i in 0..bases.len().min(64) {
                *self.slots.at_mut(bases[i]) = self.block[i];
            }
        }
    }
}

impl<P: SlotIndex, const W: usize> LoadStates<'_, P, W> {
    /// How many facts take as long to be put into the lanes one by one as one word of all states by transposition.
    const FACTS_OF_WORD: usize = 32 * W;

    /// The end of the run of lanes from this one on that have the same state.
    #[inline(always)]
    fn end_of_run(&self, lane: usize) -> usize {
        let mut end = lane + 1;
        while end < self.of.len() && self.of[end] == self.of[lane] {
            end += 1;
        }
        end
    }

    /// Whether it is cheaper to load fact by fact than to transpose, by the facts of each run of lanes with the same state.
    #[inline(always)]
    fn is_cheaper_by_facts(&self) -> bool {
        let most = self.words * Self::FACTS_OF_WORD;
        let (mut facts, mut lane) = (0, 0);
        while lane < self.of.len() && facts <= most {
            let state = self.of[lane] as usize * self.words;
            for word in 0..self.words {
                facts += self.states[state + word].count_ones() as usize;
            }
            lane = self.end_of_run(lane);
        }
        facts <= most
    }

    /// Loads the states fact by fact, each for a run of lanes.
    #[inline(always)]
    fn load_facts(&mut self) {
        for base in self.bases {
            *self.slots.at_mut(*base) = [0; W];
        }
        let mut lane = 0;
        while lane < self.of.len() {
            let (state, end) = (self.of[lane] as usize * self.words, self.end_of_run(lane));
            let mut lanes = [0; W];
            for w in 0..W {
                lanes[w] = first_lanes(w, end) & !first_lanes(w, lane);
            }
            for word in 0..self.words {
                let mut left = self.states[state + word];
                while left != 0 {
                    let base = 64 * word + left.trailing_zeros() as usize;
                    left &= left - 1;
                    // Bits beyond the last fluent mean nothing.
                    if base < self.bases.len() {
                        let slot = self.slots.at_mut(self.bases[base]);
                        for w in lane / 64..=(end - 1) / 64 {
                            slot[w] |= lanes[w];
                        }
                    }
                }
            }
            lane = end;
        }
    }
}

/// Broadcasts the bits of a word to all lanes.
#[inline(always)]
fn spread<const W: usize>(word: u64, block: &mut BitBlock<W>) {
    for i in 0..64 {
        block[i] = [0_u64.wrapping_sub(word >> i & 1); W];
    }
}

/// Transposes up to eight words into as many lanes.
#[inline(always)]
fn spread_few<const W: usize>(len: usize, word: impl Fn(usize) -> u64, block: &mut BitBlock<W>) {
    let mut eight = [[0]; BYTE];
    for lane in 0..len {
        eight[lane] = [word(lane)];
    }
    numbers(&mut eight);
    for i in 0..64 {
        block[i] = [0; W];
        block[i][0] = eight[i / 8][0] >> (8 * (i % 8)) & 0xff;
    }
}

/// Transposes the bits of up to eight lanes, one byte per slot, to rows.
#[inline(always)]
fn rows_of_bytes(bytes: [u8; 64]) -> [u64; BYTE] {
    let mut eight = [[0]; BYTE];
    for i in 0..BYTE {
        eight[i] = [u64::from_le_bytes(bytes.as_chunks().0[i])];
    }
    planes(&mut eight);
    eight.map(|[row]| row)
}

/// Writes slots to rows of bits. All bits of the rows must be clear before.
pub(super) struct StoreRows<'s, P: SlotIndex, const W: usize> {
    /// The slots that the layout chooses from.
    pub(super) from: &'s [P],
    pub(super) layout: &'s RowLayout<P>,
    pub(super) slots: &'s P::Array<W>,
    pub(super) block: &'s mut BitBlock<W>,
    /// One row per lane.
    pub(super) rows: &'s mut [u64],
    pub(super) lanes: usize,
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for StoreRows<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let stride = self.layout.len;
        for word in &self.layout.words {
            if gather::<P, W>(word, (self.from, self.slots), self.lanes, self.block) {
                for lane in 0..self.lanes {
                    self.rows[lane * stride + word.place] = self.block[lane % 64][lane / 64];
                }
            }
        }
    }
}

/// Adds the legal moves in the first lanes to those of a batch.
pub(super) struct StoreMoves<'s, P: SlotIndex, const W: usize> {
    pub(super) circuit: &'s PackedCircuit<P>,
    pub(super) slots: &'s P::Array<W>,
    pub(super) block: &'s mut BitBlock<W>,
    pub(super) moves: &'s mut LegalMoves,
    pub(super) lanes: usize,
}

impl<P: SlotIndex, const W: usize> NullaryFnOnce for StoreMoves<'_, P, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let RowLayout { words, parts, .. } = &self.circuit.legal_rows;
        let from = (&self.circuit.legal[..], self.slots);
        let mut role = 0;
        for word in words {
            if gather::<P, W>(word, from, self.lanes, self.block) {
                while parts[role].end <= word.place {
                    role += 1;
                }
                self.moves.add((role, word.place), self.block);
            }
        }
    }
}

/// Puts the word of each of the first lanes into a block: that of lane `i` is word `i / 64` of row `i % 64`. Says whether a bit of them is
/// set; if none is, what the block holds means nothing.
#[inline(always)]
fn gather<P: SlotIndex, const W: usize>(
    word: &RowWord<P>,
    (from, slots): (&[P], &P::Array<W>),
    lanes: usize,
    block: &mut BitBlock<W>,
) -> bool {
    if *slots.at(word.guard) == [0; W] {
        return false;
    }
    let from = &from[word.from.clone()];
    match lanes {
        0..=BYTE => gather_bytes::<P, W>((from, slots), lanes, block),
        _ => gather_words::<P, W>((from, slots), lanes, block),
    }
}

/// The same for up to eight lanes.
#[inline(always)]
fn gather_bytes<P: SlotIndex, const W: usize>(
    (from, slots): (&[P], &P::Array<W>),
    lanes: usize,
    block: &mut BitBlock<W>,
) -> bool {
    let (mut bytes, mut any) = ([0; 64], 0);
    for i in 0..from.len().min(64) {
        bytes[i] = slots.at(from[i])[0] as u8;
        any |= bytes[i];
    }
    let is_any = u64::from(any) & first_lanes(0, lanes) != 0;
    if is_any {
        let rows = rows_of_bytes(bytes);
        for lane in 0..lanes {
            block[lane][0] = rows[lane];
        }
    }
    is_any
}

/// The same by transposition of words.
#[inline(always)]
fn gather_words<P: SlotIndex, const W: usize>(
    (from, slots): (&[P], &P::Array<W>),
    lanes: usize,
    block: &mut BitBlock<W>,
) -> bool {
    let mut any = [0; W];
    for i in 0..64 {
        let mut bits = [0; W];
        if i < from.len() {
            bits = *slots.at(from[i]);
        }
        block[i] = bits;
        for w in 0..W {
            any[w] |= bits[w];
        }
    }
    let mut is_any = false;
    for w in 0..W {
        is_any |= any[w] & first_lanes(w, lanes) != 0;
    }
    if is_any {
        transpose(block);
    }
    is_any
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::propnet::lanes::executor::{StateLanes, either};
    use crate::propnet::lanes::fixture;
    use crate::propnet::lanes::memory::{SlotArray, SlotIndex};
    use crate::propnet::lanes::program::{LaneProgram, PackedProgram};

    const BASES: usize = 150;

    /// Loads states into lanes, where another state was before, and compares all bits.
    fn load<P: SlotIndex, const W: usize>(program: &PackedProgram<P>, states: &[u64], of: &[u32]) {
        let mut lanes = StateLanes::<W>::new(program);
        let words = program.state_words();
        lanes.load(program, &vec![!0; words], &vec![0; 64 * W]);
        lanes.load(program, states, of);
        for (base, slot) in program.bases.iter().enumerate() {
            let slot = *lanes.memory.slots::<P, W>().at(*slot);
            for (lane, state) in of.iter().enumerate() {
                let word = states[*state as usize * words + base / 64];
                let expected = word >> (base % 64) & 1;
                let found = slot[lane / 64] >> (lane % 64) & 1;
                assert_eq!(found, expected, "fluent {base} in lane {lane}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        /// States of few facts, and of many, each in several lanes in a row.
        #[test]
        fn lanes_get_their_states(
            facts in prop::collection::vec(prop::collection::vec(0..BASES, 0..100), 1..30),
            runs in prop::collection::vec((0..30_usize, 1..90_usize), 1..60),
        ) {
            let words = BASES.div_ceil(64);
            let mut states = vec![0; facts.len() * words];
            for (state, facts) in facts.iter().enumerate() {
                for fact in facts {
                    states[state * words + fact / 64] |= 1 << (fact % 64);
                }
            }
            let lanes = runs.iter().flat_map(|&(state, count)| {
                std::iter::repeat_n((state % facts.len()) as u32, count)
            });
            let of: Vec<u32> = lanes.take(512).collect();
            let circuit = fixture::random(&fixture::RandomCircuit {
                bases: BASES, moves: vec![3], gates: 5, seed: 1,
            });
            either!(&LaneProgram::new(&circuit).packed, program => {
                load::<_, 8>(program, &states, &of);
                load::<_, 4>(program, &states, &of[..of.len().min(256)]);
                load::<_, 1>(program, &states, &of[..of.len().min(64)]);
                let few: Vec<u32> = (0..facts.len().min(8) as u32).collect();
                load::<_, 1>(program, &states, &few);
            });
        }
    }
}
