//! Counts paths of a few plies from all lanes together, joint move by joint move instead of lane by lane.
//!
//! All lanes in which a joint move is legal make it at the same time. Little of what may be done afterwards depends on that
//! move: the rest is computed once for all moves, before any is made. What does depend on it is a circuit of its own for each
//! joint move (partial evaluation), mostly of a few gates. Legal moves are counted by adding up bits.

mod cones;
mod count;
mod logic;
mod plan;
mod trace;

use pulp::Arch;
use smallvec::SmallVec;

use crate::propnet::lanes::executor::StateLanes;
use crate::propnet::lanes::memory::{LaneMemory, SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::paths::cones::SlotSignal;
use crate::propnet::lanes::paths::count::{
    CountPending, CountShared, FindMoves, LiveMoves, MOST_JOINT_MOVES, Pending, SlotNumbers, Slots,
    any, restrict, run,
};
use crate::propnet::lanes::paths::plan::{Branch, CountPlan, CountStep};
use crate::propnet::lanes::program::PackedProgram;

/// Counts paths, in lanes of `W` words of which `C` are counted at a time.
#[derive(Debug)]
pub(super) struct LanePathCounter<const W: usize, const C: usize> {
    plan: CountPlan,
    memory: LaneMemory,
    numbers: Vec<SlotNumbers<W>>,
    /// What fluents are before moves are made.
    before: Vec<Vector<W>>,
    /// Joint moves to be counted after.
    pending: Vec<Pending<W>>,
}

/// Joint moves that are made in a situation.
struct Joint<'l, const W: usize> {
    arch: Arch,
    situation: usize,
    live: &'l LiveMoves<W>,
    moves: SmallVec<[u32; 4]>,
    /// How long the paths are that begin with them.
    plies: u32,
}

impl<const W: usize, const C: usize> LanePathCounter<W, C> {
    /// Not for all programs.
    pub(super) fn new<P: SlotIndex>(program: &PackedProgram<P>) -> Option<Self> {
        let plan = CountPlan::new(program)?;
        Some(Self {
            numbers: vec![SlotNumbers::default(); plan.situations()],
            plan,
            memory: LaneMemory::new::<u16, W>(1 << 16),
            before: Vec::new(),
            pending: Vec::new(),
        })
    }

    /// The number of paths of two or more plies from the states in some lanes; `None` if they cannot be counted like this.
    pub(super) fn count<P: SlotIndex>(
        &mut self,
        from: &mut StateLanes<W>,
        program: &PackedProgram<P>,
        turn: Option<usize>,
        lanes: Vector<W>,
        plies: u32,
    ) -> Option<u64> {
        let (arch, from) = (from.arch, from.memory.slots::<P, W>());
        let slots = self.memory.slots::<u16, W>();
        for (number, base) in (2..).zip(&program.bases) {
            *slots.at_mut(number) = *from.at(*base);
        }
        let controls = self.plan.controls.clone();
        let mut all = 0;
        for holding in 0..1_usize << controls.len() {
            let slots = self.memory.slots::<u16, W>();
            let mut lanes = lanes;
            for (at, &control) in controls.iter().enumerate() {
                let signal = (2 + control as u16, holding >> at & 1 == 0);
                restrict::<W>(&mut lanes, slots, signal);
            }
            if any(&lanes) {
                let situation = self.plan.number(turn.unwrap_or_default(), holding);
                all += self.count_from(arch, situation, lanes, plies)?;
            }
        }
        u64::try_from(all).ok()
    }

    /// The number of paths from the present states, in lanes in this situation.
    fn count_from(
        &mut self,
        arch: Arch,
        number: usize,
        mut lanes: Vector<W>,
        plies: u32,
    ) -> Option<i64> {
        let plan = &mut self.plan;
        plan.prepare(number)?;
        let situation = plan.situation(number)?;
        let live = arch.dispatch(FindMoves {
            situation,
            slots: self.memory.slots::<u16, W>(),
            lanes: &mut lanes,
        });
        if live.iter().map(Vec::len).product::<usize>() > MOST_JOINT_MOVES {
            return None;
        }
        if plies == 2 {
            self.numbers
                .iter_mut()
                .for_each(|numbers| numbers.is_known = false);
        }
        let mut joint = Joint {
            arch,
            situation: number,
            live: &live,
            moves: SmallVec::new(),
            plies,
        };
        let all = self.count_joint(&mut joint, lanes)?;
        Some(all + self.count_pending(arch))
    }

    /// The number of paths that begin with these moves of the first roles.
    fn count_joint(&mut self, joint: &mut Joint<'_, W>, lanes: Vector<W>) -> Option<i64> {
        let Some(moves) = joint.live.get(joint.moves.len()) else {
            return match joint.plies {
                2 => self.prepare_to_count(joint, lanes),
                _ => self.descend(joint, lanes),
            };
        };
        let mut all = 0;
        for (input, legal) in moves {
            let lanes = std::array::from_fn(|w| lanes[w] & legal[w]);
            if any(&lanes) {
                joint.moves.push(*input);
                all += self.count_joint(joint, lanes)?;
                joint.moves.pop();
            }
        }
        Some(all)
    }

    /// Leaves the joint moves after this one to be counted with others. Always 0.
    fn prepare_to_count(&mut self, joint: &Joint<'_, W>, lanes: Vector<W>) -> Option<i64> {
        let plan = &mut self.plan;
        let number = plan.step(joint.situation, &joint.moves)?;
        let step = plan.known_step(number);
        let slots = self.memory.slots::<u16, W>();
        let leading = step.leading(joint.arch, slots, &lanes);
        for (place, lanes) in leading.into_iter().enumerate() {
            if !any(&lanes) {
                continue;
            }
            let branch = &step.branches[place];
            branch.moves.as_ref()?;
            let numbers = &mut self.numbers[branch.after];
            if !numbers.is_known {
                joint.arch.dispatch(CountShared::<W, C> {
                    situation: plan.situation(branch.after)?,
                    slots,
                    bits: &mut numbers.bits,
                });
                numbers.is_known = true;
            }
            self.pending.push(Pending {
                step: number,
                branch: place,
                lanes,
            });
        }
        Some(0)
    }

    /// The number of joint moves after those that were left to be counted.
    fn count_pending(&mut self, arch: Arch) -> i64 {
        let all = arch.dispatch(CountPending {
            plan: &self.plan,
            pending: &self.pending,
            numbers: &self.numbers,
            slots: self.memory.slots::<u16, W>(),
        });
        self.pending.clear();
        all
    }

    /// Makes the joint move, counts the paths from there, and takes it back.
    fn descend(&mut self, joint: &Joint<'_, W>, lanes: Vector<W>) -> Option<i64> {
        let plan = &mut self.plan;
        let number = plan.step(joint.situation, &joint.moves)?;
        let step = plan.known_step(number);
        let slots = self.memory.slots::<u16, W>();
        let leading = step.leading(joint.arch, slots, &lanes);
        let after: SmallVec<[usize; 2]> = step.branches.iter().map(|branch| branch.after).collect();
        run(joint.arch, &step.transition, slots);
        let first = self.before.len();
        let read = |(slot, negated): SlotSignal| {
            let flip = if negated { !0 } else { 0 };
            slots.at(slot).map(|word| word ^ flip)
        };
        self.before
            .extend(step.next.iter().map(|(_, to)| read(*to)));
        for ((fluent, _), value) in step.next.iter().zip(&mut self.before[first..]) {
            std::mem::swap(slots.at_mut(*fluent), value);
        }
        let mut all = Some(0);
        for (situation, lanes) in after.into_iter().zip(leading) {
            if any(&lanes) {
                let paths = self.count_from(joint.arch, situation, lanes, joint.plies - 1);
                all = all.zip(paths).map(|(all, paths)| all + paths);
            }
        }
        let slots = self.memory.slots::<u16, W>();
        let step = self.plan.known_step(number);
        for ((fluent, _), value) in step.next.iter().zip(self.before.drain(first..)) {
            *slots.at_mut(*fluent) = value;
        }
        all
    }
}

impl CountStep {
    /// Per branch, the lanes that it leads.
    fn leading<const W: usize>(
        &self,
        arch: Arch,
        slots: &mut Slots<W>,
        lanes: &Vector<W>,
    ) -> SmallVec<[Vector<W>; 2]> {
        run(arch, &self.conditions, slots);
        let lead = |branch: &Branch| {
            let mut lanes = *lanes;
            for signal in &branch.when {
                restrict::<W>(&mut lanes, slots, *signal);
            }
            lanes
        };
        self.branches.iter().map(lead).collect()
    }
}
