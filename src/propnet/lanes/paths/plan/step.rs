//! What is to be computed for a joint move.

use crate::propnet::circuit::Slot;
use crate::propnet::lanes::code::Code;
use crate::propnet::lanes::paths::cones::SlotSignal;
use crate::propnet::lanes::paths::logic::GateLiteral;
use crate::propnet::lanes::paths::plan::CountPlan;
use crate::propnet::lanes::paths::trace::{Update, fluent};

/// A joint move in a situation.
#[derive(Debug)]
pub(in crate::propnet::lanes::paths) struct CountStep {
    /// Computes the next state.
    pub(in crate::propnet::lanes::paths) transition: Code<u16>,
    /// The slots of fluents that change, and what they become.
    pub(in crate::propnet::lanes::paths) next: Vec<(u16, SlotSignal)>,
    /// Computes the conditions of all branches.
    pub(in crate::propnet::lanes::paths) conditions: Code<u16>,
    pub(in crate::propnet::lanes::paths) branches: Vec<Branch>,
}

impl CountStep {
    /// How many gates it has, and at least one.
    pub(super) fn gates(&self) -> usize {
        let branches = self.branches.iter().flat_map(|branch| &branch.moves);
        let gates = branches.map(|moves| moves.code.len()).sum::<usize>();
        1 + gates + self.transition.len() + self.conditions.len()
    }
}

/// A joint move that leads to a situation.
#[derive(Debug)]
pub(in crate::propnet::lanes::paths) struct Branch {
    /// The situation after it.
    pub(in crate::propnet::lanes::paths) after: usize,
    /// Where it leads there: where all of these hold.
    pub(in crate::propnet::lanes::paths) when: Vec<SlotSignal>,
    /// How to count the joint moves there; `None` if several roles have a choice.
    pub(in crate::propnet::lanes::paths) moves: Option<BranchMoves>,
}

/// The joint moves after a joint move that leads to a situation.
#[derive(Debug)]
pub(in crate::propnet::lanes::paths) struct BranchMoves {
    /// Computes what follows, from what the situation after it has.
    pub(in crate::propnet::lanes::paths) code: Code<u16>,
    /// Where the game is over then.
    pub(in crate::propnet::lanes::paths) over: SlotSignal,
    /// The joint moves are so many in each lane …
    pub(in crate::propnet::lanes::paths) constant: i64,
    /// … and for each move of this role that is legal there, of which the situation has the number, …
    pub(in crate::propnet::lanes::paths) role: Option<usize>,
    /// … so many more, …
    pub(in crate::propnet::lanes::paths) factor: i64,
    /// … and also for each of these that is set …
    pub(in crate::propnet::lanes::paths) more: Vec<u16>,
    /// … but not for these.
    pub(in crate::propnet::lanes::paths) less: Vec<u16>,
}

/// Why a step cannot be worked out now.
pub(super) enum Unready {
    /// This situation has to be worked out before.
    Situation(usize),
    /// Several roles have a choice, or there are too many gates.
    Never,
}

impl CountPlan {
    /// Works out what a joint move amounts to.
    pub(super) fn worked_out(&mut self, situation: usize, joint: &[u32]) -> Option<CountStep> {
        self.prepare(situation)?;
        loop {
            let shared = self.logic.len();
            let mut updates = std::mem::take(&mut self.updates);
            let step = self.try_step(situation, joint, &mut updates);
            self.updates = updates;
            self.logic.truncate(shared);
            match step {
                Ok(step) => return Some(step),
                Err(Unready::Situation(other)) => self.prepare(other)?,
                Err(Unready::Never) => return None,
            }
        }
    }

    fn try_step(
        &mut self,
        situation: usize,
        joint: &[u32],
        [made, after]: &mut [Update; 2],
    ) -> Result<CountStep, Unready> {
        let turn = self.turn_of(situation);
        let next_turn = (turn + 1) % self.turns.len();
        let now = self.situations[situation].as_ref();
        made.begin(&now.ok_or(Unready::Situation(situation))?.transition);
        for input in joint {
            made.change(fluent(self.fluents) + input, GateLiteral::TRUE);
        }
        let transition = &self.turns[turn].transition;
        transition.update(&mut self.logic, made);
        let next = (0..self.fluents).map(|f| transition.output(f, &made.now));
        let next: Vec<GateLiteral> = next.collect();
        let (mut branches, mut wanted) = (Vec::new(), Vec::new());
        for controls in 0..1 << self.controls.len() {
            let literals = self.controls.iter().enumerate();
            let literals = literals.map(|(at, &f)| next[f].negated_if(controls >> at & 1 == 0));
            let mut literals: Vec<GateLiteral> = literals.collect();
            let is_never = |literal: &GateLiteral| literals.contains(&literal.negated_if(true));
            if literals.contains(&GateLiteral::FALSE) || literals.iter().any(is_never) {
                continue;
            }
            let place = self.number(next_turn, controls);
            if let Some(moves) = self.branch(place, &next, after)? {
                literals.retain(|literal| literal.constant().is_none());
                wanted.extend(literals.iter().map(|literal| literal.node()));
                branches.push((place, moves, literals));
            }
        }
        let conditions = self.code(&wanted, None)?;
        let branches = branches.into_iter().map(|(after, moves, literals)| Branch {
            after,
            when: literals
                .iter()
                .map(|literal| self.cones.signal(*literal))
                .collect(),
            moves,
        });
        let branches = branches.collect();
        let changes = next.iter().enumerate().map(|(f, to)| (fluent(f), *to));
        let changes = changes.filter(|(f, to)| *to != GateLiteral::of(*f));
        let changes: Vec<(Slot, GateLiteral)> = changes.collect();
        let wanted: Vec<Slot> = changes.iter().map(|(_, to)| to.node()).collect();
        let transition = self.code(&wanted, None)?;
        let next = changes
            .iter()
            .map(|(f, to)| (*f as u16, self.cones.signal(*to)));
        Ok(CountStep {
            transition,
            next: next.collect(),
            conditions,
            branches,
        })
    }

    /// The joint moves in situation `place` after these fluents, where that can be said; none at all if the game is over.
    fn branch(
        &mut self,
        place: usize,
        next: &[GateLiteral],
        update: &mut Update,
    ) -> Result<Option<Option<BranchMoves>>, Unready> {
        let legality = &self.turns[self.turn_of(place)].legality;
        let after = self.situations[place].as_ref();
        let after = after.ok_or(Unready::Situation(place))?;
        update.begin(&after.legality);
        for (f, literal) in next.iter().enumerate() {
            if *literal != GateLiteral::of(fluent(f)) && !self.controls.contains(&f) {
                update.change(fluent(f), *literal);
            }
        }
        legality.update(&mut self.logic, update);
        let over = legality.output(0, &update.now);
        if over == GateLiteral::TRUE {
            return Ok(None);
        }
        let (mut role, mut factor, mut free) = (None, 1, Vec::new());
        for (number, inputs) in self.roles.iter().enumerate() {
            let output = |input| {
                let [old, new] = [&after.legality, &update.now];
                (
                    legality.output(1 + input, old),
                    legality.output(1 + input, new),
                )
            };
            let legal: Vec<(GateLiteral, GateLiteral)> = inputs.clone().map(output).collect();
            if legal.iter().all(|(_, new)| new.constant().is_some()) {
                let always = legal.iter().filter(|(_, new)| *new == GateLiteral::TRUE);
                factor *= always.count() as i64;
            } else if role.replace(number).is_some() {
                return Ok(Some(None));
            } else {
                free = legal;
            }
        }
        let mut sum = Sum::default();
        let changed = free.iter().filter(|(old, new)| old != new);
        match role {
            Some(number) if 2 * changed.clone().count() <= free.len() => {
                sum.constant = after.constant[number];
                for (old, new) in changed {
                    sum.add(*old, -1);
                    sum.add(*new, 1);
                }
            }
            Some(_) => {
                role = None;
                free.iter().for_each(|(_, new)| sum.add(*new, 1));
            }
            None => sum.constant = 1,
        }
        let wanted = [&sum.more[..], &sum.less, &[over.node()]].concat();
        let code = self.code(&wanted, Some(place))?;
        let slots = |nodes: &[Slot]| nodes.iter().map(|&node| self.cones.slot(node)).collect();
        Ok(Some(Some(BranchMoves {
            over: self.cones.signal(over),
            constant: factor * sum.constant,
            role,
            factor,
            more: slots(&sum.more),
            less: slots(&sum.less),
            code,
        })))
    }
}

/// A sum over functions.
#[derive(Default)]
struct Sum {
    constant: i64,
    more: Vec<Slot>,
    less: Vec<Slot>,
}

impl Sum {
    fn add(&mut self, literal: GateLiteral, sign: i64) {
        if literal.is_negated() {
            self.constant += sign;
        }
        if literal.constant().is_some() {
            return;
        }
        let positive = literal.is_negated() == (sign < 0);
        if positive {
            &mut self.more
        } else {
            &mut self.less
        }
        .push(literal.node());
    }
}
