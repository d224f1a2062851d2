//! The code of one gate.

use super::Emitter;
use crate::propnet::circuit::{ALWAYS, GateKind, NEVER};
use crate::propnet::network::{Lit, NodeId};
use crate::propnet::schedule::guards::{NO_GUARD, Placement, Skipped};
use crate::propnet::schedule::{GuardedOp, Op, Register};

impl Emitter<'_> {
    /// Emits a gate whose operands have been emitted.
    pub(super) fn gate(&mut self, node: NodeId) {
        let (out, negated) = self.value(node);
        if let Skipped::Is(value) = self.placement(node).skipped {
            self.preset[usize::from(value != negated)].push(out);
        }
        self.kept[node as usize] = Some((out, negated));
    }

    /// Emits a gate; returns the register of its value, and whether that holds the complement.
    fn value(&mut self, node: NodeId) -> (Register, bool) {
        let placement = self.placement(node);
        let wants_complement = self.wanted[node as usize];
        if placement.inner_guard == NO_GUARD {
            return self.conjunction(node, NO_GUARD, placement.guard, wants_complement);
        }
        let inner_guard = placement.inner_guard;
        let (others, negated) = self.conjunction(node, inner_guard, inner_guard, None);
        let (guard, _) = self.read(Lit::new(inner_guard, false));
        let kind = if negated {
            GateKind::AND_NOT
        } else {
            GateKind::AND
        };
        self.guard = self.guard_register(placement.guard);
        (self.op(kind, guard, others), false)
    }

    /// Emits the conjunction of the operands of a gate but `without`, to be run under `guard`.
    fn conjunction(
        &mut self,
        node: NodeId,
        without: NodeId,
        guard: NodeId,
        wants_complement: Option<bool>,
    ) -> (Register, bool) {
        let operands = self.network.gates.operands(node).iter();
        let operands = operands.filter(|lit| lit.node() != without);
        let is_disjunct = |lit: &&Lit| self.placement(lit.node()).is_disjunct();
        let (disjuncts, others): (Vec<Lit>, Vec<Lit>) = operands.partition(is_disjunct);
        let read = self.read_all(&others);
        let side = |negated| {
            let registers = read.iter().filter(|(_, is)| *is == negated);
            registers.map(|(register, _)| *register).collect()
        };
        let (positive, mut negative): (Vec<Register>, Vec<Register>) = (side(false), side(true));
        self.guard = self.guard_register(guard);
        if !disjuncts.is_empty() {
            negative = vec![self.sum(negative, &disjuncts)];
            self.guard = self.guard_register(guard);
        }
        self.joined(positive, negative, wants_complement)
    }

    /// The registers of signals, and whether each holds the complement; those over the moves of one role are a set.
    fn read_all(&mut self, lits: &[Lit]) -> Vec<(Register, bool)> {
        let mut registers = Vec::with_capacity(lits.len());
        let mut of_moves: Vec<Vec<Lit>> = Vec::new();
        for &lit in lits {
            let Some(role) = self.role(lit.node()) else {
                registers.push(self.read(lit));
                continue;
            };
            of_moves.resize_with(of_moves.len().max(role + 1), Vec::new);
            of_moves[role].push(lit);
        }
        let of_moves = of_moves.iter().filter(|lits| !lits.is_empty());
        registers.extend(of_moves.map(|lits| self.set(lits)));
        registers
    }

    /// Emits the conjunction of registers and complements of registers.
    fn joined(
        &mut self,
        positive: Vec<Register>,
        negative: Vec<Register>,
        wants_complement: Option<bool>,
    ) -> (Register, bool) {
        // x and y and not z and not w  =  (x and y) and not (z or w)
        let (kind, negated, [a, b]) = match (&positive[..], &negative[..]) {
            (&[one], []) => return (one, false),
            ([], &[one]) => return (one, true),
            (_, []) => {
                let is_negated = wants_complement == Some(true);
                let kind = if is_negated {
                    GateKind::NAND
                } else {
                    GateKind::AND
                };
                (kind, is_negated, self.halves(GateKind::AND, positive))
            }
            ([], _) => {
                let is_negated = wants_complement != Some(false);
                let kind = if is_negated {
                    GateKind::OR
                } else {
                    GateKind::NOR
                };
                (kind, is_negated, self.halves(GateKind::OR, negative))
            }
            _ => {
                let a = self.all(GateKind::AND, positive);
                let b = self.all(GateKind::OR, negative);
                match wants_complement {
                    Some(true) => (GateKind::OR_NOT, true, [b, a]),
                    _ => (GateKind::AND_NOT, false, [a, b]),
                }
            }
        };
        (self.op(kind, a, b), negated)
    }

    /// Emits the disjunction of registers, and of disjuncts that are added under guards of their own.
    fn sum(&mut self, registers: Vec<Register>, disjuncts: &[Lit]) -> Register {
        let sum = match registers[..] {
            [] => {
                let sum = self.register();
                self.preset[0].push(sum);
                sum
            }
            // Not the register itself, which others may read.
            [one] => self.op(GateKind::OR, one, one),
            _ => self.all(GateKind::OR, registers),
        };
        for disjunct in disjuncts.iter().map(|lit| lit.node()) {
            let (value, negated) = self.value(disjunct);
            let kind = if negated {
                GateKind::OR_NOT
            } else {
                GateKind::OR
            };
            self.guard = self.guard_register(self.placement(disjunct).guard);
            self.write(kind, sum, sum, value);
        }
        sum
    }

    pub(super) fn placement(&self, node: NodeId) -> Placement {
        self.guards
            .map(|guards| guards.of(node))
            .unwrap_or_default()
    }

    /// The register of a guard; [`ALWAYS`] without one.
    fn guard_register(&self, guard: NodeId) -> Register {
        self.read(Lit::new(guard, false)).0
    }

    /// Joins `operands` by gates of `kind`, as a balanced tree.
    fn all(&mut self, kind: GateKind, operands: Vec<Register>) -> Register {
        match operands[..] {
            [one] => one,
            _ => {
                let [a, b] = self.halves(kind, operands);
                self.op(kind, a, b)
            }
        }
    }

    /// The operands of the last gate of such a tree over two or more `operands`; emits the other gates.
    fn halves(&mut self, kind: GateKind, mut operands: Vec<Register>) -> [Register; 2] {
        while operands.len() > 2 {
            let pairs: Vec<[Register; 2]> = operands
                .chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect();
            let odd = operands.chunks_exact(2).remainder().first().copied();
            // With three left, one pair is joined and the odd one stays.
            operands = pairs
                .into_iter()
                .map(|[a, b]| self.op(kind, a, b))
                .chain(odd)
                .collect();
        }
        [operands[0], operands[1]]
    }

    fn op(&mut self, kind: GateKind, a: Register, b: Register) -> Register {
        let out = self.register();
        self.write(kind, out, a, b);
        out
    }

    fn write(&mut self, kind: GateKind, out: Register, a: Register, b: Register) {
        let operands = [a, b, NEVER, NEVER];
        self.ops.push(GuardedOp {
            guard: self.guard,
            op: Op {
                kind,
                out,
                operands,
            },
        });
    }

    pub(super) fn register(&mut self) -> Register {
        self.registers += 1;
        self.registers - 1
    }

    /// The register of a signal, and whether that holds the complement.
    pub(super) fn read(&self, lit: Lit) -> (Register, bool) {
        let (register, negated) = self.kept[lit.node() as usize].unwrap_or((NEVER, false));
        match (register, negated != lit.is_negated()) {
            (ALWAYS, true) => (NEVER, false),
            read => read,
        }
    }

    /// A register that holds the signal itself; emits an inverter if there is none.
    pub(super) fn plain(&mut self, lit: Lit) -> Register {
        self.guard = ALWAYS;
        match self.read(lit) {
            (register, false) => register,
            (register, true) => self.op(GateKind::NOR, register, register),
        }
    }
}
