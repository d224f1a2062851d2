//! Operations on all lanes for counting paths. Each is compiled once per instruction set and dispatched at run time.

use pulp::{Arch, NullaryFnOnce};

use crate::propnet::lanes::choose::count::{GROUP, count_group};
use crate::propnet::lanes::code::{Code, RunCode};
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::mobility::{MoveGroups, counted};
use crate::propnet::lanes::ops::count;
use crate::propnet::lanes::paths::cones::SlotSignal;
use crate::propnet::lanes::paths::plan::{BranchMoves, CountPlan, PlanSituation};

/// More joint moves than this, legal in some lanes, are not tried one by one.
pub(super) const MOST_JOINT_MOVES: usize = 4096;

/// The slots of a counter.
pub(super) type Slots<const W: usize> = <u16 as SlotIndex>::Array<W>;

/// A branch of a step, and the lanes that it leads.
#[derive(Debug)]
pub(super) struct Pending<const W: usize> {
    pub(super) step: usize,
    pub(super) branch: usize,
    pub(super) lanes: Vector<W>,
}

/// The numbers of legal moves that all moves share which lead to a situation.
#[derive(Debug, Clone, Default)]
pub(super) struct SlotNumbers<const W: usize> {
    /// Whether they are those of the present state.
    pub(super) is_known: bool,
    /// Per role and bit.
    pub(super) bits: Vec<Vec<Vector<W>>>,
}

/// The moves of each role that are legal in some lanes, and these.
pub(super) type LiveMoves<const W: usize> = Vec<Vec<(u32, Vector<W>)>>;

pub(super) fn run<const W: usize>(arch: Arch, code: &Code<u16>, slots: &mut Slots<W>) {
    if !code.is_empty() {
        arch.dispatch(RunCode { code, slots });
    }
}

/// Leaves only the lanes in which a signal holds.
#[inline(always)]
pub(super) fn restrict<const W: usize>(
    lanes: &mut Vector<W>,
    slots: &Slots<W>,
    (slot, negated): SlotSignal,
) {
    let (to, flip) = (slots.at(slot), if negated { !0 } else { 0 });
    for w in 0..W {
        lanes[w] &= to[w] ^ flip;
    }
}

/// Whether there are lanes.
#[inline(always)]
pub(super) fn any<const W: usize>(lanes: &Vector<W>) -> bool {
    let mut all = 0;
    for w in 0..W {
        all |= lanes[w];
    }
    all != 0
}

/// Finds the lanes where the game goes on, and the moves that are legal in some of them.
pub(super) struct FindMoves<'f, const W: usize> {
    pub(super) situation: &'f PlanSituation,
    pub(super) slots: &'f mut Slots<W>,
    pub(super) lanes: &'f mut Vector<W>,
}

impl<const W: usize> NullaryFnOnce for FindMoves<'_, W> {
    type Output = LiveMoves<W>;

    #[inline(always)]
    fn call(self) -> LiveMoves<W> {
        let Self {
            situation,
            slots,
            lanes,
        } = self;
        situation.code.run::<W>(slots);
        let (over, negated) = situation.over;
        restrict::<W>(lanes, slots, (over, !negated));
        let mut live = Vec::with_capacity(situation.legal.len());
        for moves in &situation.legal {
            let mut of_role = Vec::new();
            for (input, legal) in moves {
                let mut lanes = *lanes;
                restrict::<W>(&mut lanes, slots, *legal);
                if any(&lanes) {
                    of_role.push((*input, lanes));
                }
            }
            live.push(of_role);
        }
        live
    }
}

/// Computes what all moves share that lead to a situation, and the numbers of legal moves of each role, bit by bit.
pub(super) struct CountShared<'p, const W: usize, const C: usize> {
    pub(super) situation: &'p PlanSituation,
    pub(super) slots: &'p mut Slots<W>,
    pub(super) bits: &'p mut Vec<Vec<Vector<W>>>,
}

impl<const W: usize, const C: usize> NullaryFnOnce for CountShared<'_, W, C> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.situation.code.run::<W>(self.slots);
        self.bits.resize(self.situation.moves.len(), Vec::new());
        for (moves, bits) in self.situation.moves.iter().zip(self.bits) {
            number::<W, C>(moves, self.slots, bits);
        }
    }
}

/// The numbers of legal moves, bit by bit.
#[inline(always)]
fn number<const W: usize, const C: usize>(
    moves: &MoveGroups<u16>,
    slots: &mut Slots<W>,
    bits: &mut Vec<Vector<W>>,
) {
    bits.clear();
    for at in 0..W / C {
        let counts = counted::<u16, W, C>(moves, slots, at);
        bits.resize(counts.len, [0; W]);
        for (all, of_chunk) in bits.iter_mut().zip(&counts.bits) {
            all.as_chunks_mut().0[at] = *of_chunk;
        }
    }
    while bits.last() == Some(&[0; W]) {
        bits.pop();
    }
}

/// Counts the joint moves after others, all of which are made in the present states.
pub(super) struct CountPending<'c, const W: usize> {
    pub(super) plan: &'c CountPlan,
    pub(super) pending: &'c [Pending<W>],
    pub(super) numbers: &'c [SlotNumbers<W>],
    pub(super) slots: &'c mut Slots<W>,
}

/// As many bits as count all joint moves that are tried.
const BITS: usize = (2 * MOST_JOINT_MOVES).ilog2() as usize;

/// In how many lanes there are how many joint moves, bit by bit, after which legal moves are counted in the same way: in this
/// situation, of this role, times this factor.
struct Alike<const W: usize> {
    key: (usize, usize, i64),
    pub(super) bits: [Vector<W>; BITS],
}

impl<const W: usize> NullaryFnOnce for CountPending<'_, W> {
    type Output = i64;

    #[inline(always)]
    fn call(self) -> i64 {
        let Self {
            plan,
            pending,
            numbers,
            slots,
        } = self;
        let mut all = 0;
        let mut alike = Alike {
            key: (0, 0, 0),
            bits: [[0; W]; BITS],
        };
        let (mut more, mut less) = (SetCounts::<W>::ZERO, SetCounts::<W>::ZERO);
        for Pending {
            step,
            branch,
            lanes,
        } in pending
        {
            let branch = &plan.known_step(*step).branches[*branch];
            let Some(moves) = &branch.moves else {
                continue;
            };
            let mut lanes = *lanes;
            moves.code.run::<W>(slots);
            let (over, negated) = moves.over;
            restrict::<W>(&mut lanes, slots, (over, !negated));
            all += moves.constant * count(lanes) as i64;
            match moves.factor {
                0 => {}
                1 => {
                    more.add_all(&moves.more, slots, &lanes);
                    less.add_all(&moves.less, slots, &lanes);
                }
                factor => all += factor * counted_apart(moves, slots, &lanes),
            }
            if let Some(role) = moves.role {
                let key = (branch.after, role, moves.factor);
                if key != alike.key {
                    all += alike.take(numbers);
                    alike.key = key;
                }
                alike.add(&lanes);
            }
        }
        all + alike.take(numbers) + more.total() - less.total()
    }
}

impl<const W: usize> Alike<W> {
    /// One more joint move in these lanes.
    #[inline(always)]
    fn add(&mut self, lanes: &Vector<W>) {
        let mut carry = *lanes;
        add_bit(&mut self.bits, &mut carry);
    }

    /// How many legal moves follow all these joint moves, which are forgotten.
    #[inline(always)]
    fn take(&mut self, numbers: &[SlotNumbers<W>]) -> i64 {
        let (situation, role, factor) = self.key;
        let mut all = [0; W];
        for (high, made) in self.bits.iter_mut().enumerate() {
            if !any(made) {
                continue;
            }
            for (low, legal) in numbers[situation].bits[role].iter().enumerate() {
                let set = set_in(made, legal);
                for w in 0..W {
                    all[w] += set[w] << (high + low);
                }
            }
            *made = [0; W];
        }
        factor * all.iter().sum::<i64>()
    }
}

/// Counts the lanes of many sets together: in how many sets each lane is, first.
struct SetCounts<const W: usize> {
    /// The sum over the lanes of all sets that `bits` does not have any more.
    counted: i64,
    /// In how many sets each lane is, bit by bit.
    bits: [Vector<W>; SET_BITS],
    /// How many groups of sets `bits` has.
    groups: usize,
    /// The first `len` ones are to be added, the others clear.
    group: [Vector<W>; GROUP],
    len: usize,
}

/// The bits of the number of sets that a lane is in.
const SET_BITS: usize = 12;

/// So many groups of sets can be counted with these bits.
const MOST_GROUPS: usize = ((1 << SET_BITS) - 1) / GROUP;

impl<const W: usize> SetCounts<W> {
    const ZERO: Self = Self {
        counted: 0,
        bits: [[0; W]; SET_BITS],
        groups: 0,
        group: [[0; W]; GROUP],
        len: 0,
    };

    /// Adds what is in these lanes of each of the slots.
    #[inline(always)]
    fn add_all(&mut self, of: &[u16], slots: &Slots<W>, lanes: &Vector<W>) {
        for slot in of {
            let set = slots.at(*slot);
            for w in 0..W {
                self.group[self.len][w] = set[w] & lanes[w];
            }
            self.len += 1;
            if self.len == GROUP {
                self.add_group();
            }
        }
    }

    #[inline(always)]
    fn add_group(&mut self) {
        if self.groups == MOST_GROUPS {
            self.count_bits();
        }
        if let Some((low, high)) = self.bits.split_first_chunk_mut() {
            let mut carry = count_group(low, &self.group);
            add_bit(high, &mut carry);
        }
        self.groups += 1;
        self.group = [[0; W]; GROUP];
        self.len = 0;
    }

    fn count_bits(&mut self) {
        for (bit, lanes) in self.bits.iter_mut().enumerate() {
            self.counted += (count(*lanes) as i64) << bit;
            *lanes = [0; W];
        }
        self.groups = 0;
    }

    /// The sum over the lanes of the number of sets that each is in.
    #[inline(always)]
    fn total(mut self) -> i64 {
        if self.len > 0 {
            self.add_group();
        }
        if self.groups > 0 {
            self.count_bits();
        }
        self.counted
    }
}

/// Adds a bit to a number in each lane.
#[inline(always)]
fn add_bit<const W: usize>(bits: &mut [Vector<W>], carry: &mut Vector<W>) {
    for bit in bits {
        if !any(carry) {
            return;
        }
        for w in 0..W {
            (bit[w], carry[w]) = (bit[w] ^ carry[w], bit[w] & carry[w]);
        }
    }
}

/// How many more legal moves there are after this joint move than after all others.
#[inline(always)]
fn counted_apart<const W: usize>(moves: &BranchMoves, slots: &Slots<W>, lanes: &Vector<W>) -> i64 {
    let (mut more, mut less) = (SetCounts::<W>::ZERO, SetCounts::<W>::ZERO);
    more.add_all(&moves.more, slots, lanes);
    less.add_all(&moves.less, slots, lanes);
    more.total() - less.total()
}

/// Per word, how many lanes are in both sets.
#[inline(always)]
fn set_in<const W: usize>(one: &Vector<W>, other: &Vector<W>) -> [i64; W] {
    let mut set = [0; W];
    for w in 0..W {
        set[w] = i64::from((one[w] & other[w]).count_ones());
    }
    set
}
