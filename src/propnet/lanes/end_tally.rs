//! Which fluents hold at the ends of games, and what the roles get there.

use pulp::{Arch, NullaryFnOnce};

use crate::propnet::lanes::memory::Vector;
use crate::propnet::lanes::rollout::RolloutSink;

/// The bits of a goal, which is at most 100.
const GOAL_BITS: usize = 7;

/// The ends of games, one game a lane.
#[derive(Debug, Default)]
pub(super) struct EndTally<const W: usize> {
    /// Fluents, each with the role whose goals are added up.
    fluents: Vec<(usize, Vector<W>)>,
    /// By role.
    goals: Vec<GoalPlanes<W>>,
    /// For one state, by fluent: a sum of goals, and the number of games.
    counted: Vec<(u32, u32)>,
}

/// The goals of a role.
#[derive(Debug, Clone)]
struct GoalPlanes<const W: usize> {
    /// It has a goal.
    known: Vector<W>,
    /// Bit by bit.
    bits: [Vector<W>; GOAL_BITS],
    /// The bits that some goal has.
    used: u8,
}

impl<const W: usize> EndTally<W> {
    /// Clears it for games of so many roles.
    pub(super) fn begin(&mut self, roles: usize) {
        let nothing = GoalPlanes {
            known: [0; W],
            bits: [[0; W]; GOAL_BITS],
            used: 0,
        };
        self.fluents.clear();
        self.goals.clear();
        self.goals.resize(roles, nothing);
    }

    /// Adds a fluent, and the lanes in which it holds.
    pub(super) fn add_fluent(&mut self, role: usize, holds: &Vector<W>) {
        self.fluents.push((role, *holds));
    }

    /// Adds the goal of a role in a lane, if there are fluents to be counted.
    pub(super) fn add_goal(&mut self, lane: usize, role: usize, goal: u8) {
        if self.fluents.is_empty() {
            return;
        }
        let (word, bit) = (lane / 64, lane % 64);
        let goals = &mut self.goals[role];
        goals.known[word] |= 1 << bit;
        goals.used |= goal;
        for (number, plane) in goals.bits.iter_mut().enumerate() {
            plane[word] |= u64::from(goal >> number & 1) << bit;
        }
    }

    /// Reports the fluents; lane `i` has played from state `of[i]`.
    pub(super) fn report(&mut self, arch: Arch, of: &[u32], report: &mut dyn RolloutSink) {
        if self.fluents.is_empty() {
            return;
        }
        for (word, states) in of.chunks(64).enumerate() {
            let mut first = 0;
            for lanes in states.chunk_by(|one, other| one == other) {
                let mask = (!0 >> (64 - lanes.len())) << first;
                arch.dispatch(CountFluents {
                    tally: self,
                    lanes: (word, mask),
                });
                report.fluents(lanes[0] as usize, &self.counted);
                first += lanes.len();
            }
        }
    }
}

/// Counts the fluents in some lanes of one word.
struct CountFluents<'t, const W: usize> {
    tally: &'t mut EndTally<W>,
    /// The number of the word, and the lanes in it.
    lanes: (usize, u64),
}

impl<const W: usize> NullaryFnOnce for CountFluents<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let EndTally {
            fluents,
            goals,
            counted,
        } = self.tally;
        let (word, mask) = self.lanes;
        counted.clear();
        for (role, holds) in fluents.iter() {
            let goals = &goals[*role];
            let games = holds[word] & mask & goals.known[word];
            let mut sum = 0;
            for number in 0..GOAL_BITS {
                if goals.used >> number & 1 == 1 {
                    sum += (games & goals.bits[number][word]).count_ones() << number;
                }
            }
            counted.push((sum, games.count_ones()));
        }
    }
}
