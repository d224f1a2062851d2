//! The slots of a circuit in memory, with 16-bit or 32-bit slot numbers.

use std::hash::Hash;
use std::ops::{Index, IndexMut, Range};

use crate::propnet::circuit::Slot;

/// One slot: a bit for each of 64·W lanes.
pub(super) type Vector<const W: usize> = [u64; W];

/// How many slots a 16-bit number can address.
const NARROW: usize = 1 << 16;

/// A slot number as programs store it: 16 or 32 bits.
pub(super) trait SlotIndex:
    Copy + Eq + Hash + Send + Sync + std::fmt::Debug + 'static
{
    /// The slots that such numbers address.
    type Array<const W: usize>: ?Sized + SlotArray<Self, W>;

    /// The number as stored; it fits, as the size was chosen by [`is_narrow`].
    fn pack(slot: Slot) -> Self;

    /// How many words hold `slots` slots.
    fn words<const W: usize>(slots: usize) -> usize;

    /// The words as slots.
    fn view<const W: usize>(words: &mut [u64]) -> &mut Self::Array<W>;
}

/// Slots that are read and written by number.
pub(super) trait SlotArray<P, const W: usize> {
    /// The slot's value.
    fn at(&self, place: P) -> &Vector<W>;

    /// The slot, to be changed.
    fn at_mut(&mut self, place: P) -> &mut Vector<W>;

    /// Gives some slots a value.
    fn fill(&mut self, places: Range<Slot>, value: Vector<W>);
}

/// Any 16-bit number is within an array of 65,536 slots, so the compiler drops bounds checks; untouched pages cost nothing.
impl SlotIndex for u16 {
    type Array<const W: usize> = [Vector<W>; NARROW];

    fn pack(slot: Slot) -> Self {
        slot as Self
    }

    fn words<const W: usize>(_slots: usize) -> usize {
        NARROW * W
    }

    #[inline(always)]
    fn view<const W: usize>(words: &mut [u64]) -> &mut Self::Array<W> {
        match words.as_chunks_mut().0.try_into() {
            Ok(slots) => slots,
            Err(_) => unreachable!("narrow memory has one size"),
        }
    }
}

impl<const W: usize> SlotArray<u16, W> for [Vector<W>; NARROW] {
    #[inline(always)]
    fn at(&self, place: u16) -> &Vector<W> {
        self.index(usize::from(place))
    }

    #[inline(always)]
    fn at_mut(&mut self, place: u16) -> &mut Vector<W> {
        self.index_mut(usize::from(place))
    }

    #[inline(always)]
    fn fill(&mut self, places: Range<Slot>, value: Vector<W>) {
        self[places.start as usize..places.end as usize].fill(value);
    }
}

/// For circuits of more slots; every access is bounds-checked.
impl SlotIndex for u32 {
    type Array<const W: usize> = [Vector<W>];

    fn pack(slot: Slot) -> Self {
        slot
    }

    fn words<const W: usize>(slots: usize) -> usize {
        slots * W
    }

    #[inline(always)]
    fn view<const W: usize>(words: &mut [u64]) -> &mut Self::Array<W> {
        words.as_chunks_mut().0
    }
}

impl<const W: usize> SlotArray<u32, W> for [Vector<W>] {
    #[inline(always)]
    fn at(&self, place: u32) -> &Vector<W> {
        self.index(place as usize)
    }

    #[inline(always)]
    fn at_mut(&mut self, place: u32) -> &mut Vector<W> {
        self.index_mut(place as usize)
    }

    #[inline(always)]
    fn fill(&mut self, places: Range<Slot>, value: Vector<W>) {
        self[places.start as usize..places.end as usize].fill(value);
    }
}

/// Whether 16-bit numbers are enough.
pub(super) fn is_narrow(slots: usize) -> bool {
    slots <= NARROW
}

/// The slots of one executor, aligned to cache lines.
#[derive(Debug)]
pub(super) struct LaneMemory {
    words: Vec<u64>,
    start: usize,
    len: usize,
}

impl LaneMemory {
    const LINE: usize = 64;

    /// All slots clear but [`ALWAYS`](crate::propnet::circuit::ALWAYS).
    pub(super) fn new<P: SlotIndex, const W: usize>(slots: usize) -> Self {
        let len = P::words::<W>(slots);
        let words = vec![0; len + Self::LINE / size_of::<u64>()];
        let start = words.as_ptr().align_offset(Self::LINE);
        let start = if start + len > words.len() { 0 } else { start };
        let mut memory = Self { words, start, len };
        *memory
            .slots::<P, W>()
            .at_mut(P::pack(crate::propnet::circuit::ALWAYS)) = [!0; W];
        memory
    }

    #[inline(always)]
    pub(super) fn slots<P: SlotIndex, const W: usize>(&mut self) -> &mut P::Array<W> {
        P::view(&mut self.words[self.start..self.start + self.len])
    }
}
