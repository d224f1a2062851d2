//! Adders: how many of some signals are true, in binary.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use crate::propnet::network::{Gates, Lit, NodeId};

/// The number of true ones among some signals.
pub(super) struct Adder {
    /// The bits of the number, the lowest first.
    bits: Vec<Lit>,
    /// Signals made so far: by number of lowest bits and table, whether the number in these bits is in the table.
    known: FxHashMap<(usize, u128), Lit>,
}

impl Adder {
    /// The most gates of an adder of `signals` signals: fewer full adders than signals, of nine gates each.
    pub(super) fn gates(signals: usize) -> usize {
        9 * signals
    }

    /// An adder of these nodes, at most 127, since a table has one bit for each number.
    pub(super) fn new(gates: &mut Gates, nodes: &[NodeId]) -> Self {
        let mut column: VecDeque<Lit> = nodes.iter().map(|&node| Lit::new(node, false)).collect();
        let mut bits = Vec::new();
        while !column.is_empty() {
            let mut carries = VecDeque::new();
            while column.len() > 1 {
                let mut next = || column.pop_front().unwrap_or(Lit::FALSE);
                let (sum, carry) = full_adder(gates, [next(), next(), next()]);
                column.push_back(sum);
                carries.push_back(carry);
            }
            bits.extend(column);
            column = carries;
        }
        Self {
            bits,
            known: FxHashMap::default(),
        }
    }

    /// Whether the bit of the number is set in `table`.
    pub(super) fn is_in(&mut self, gates: &mut Gates, table: u128) -> Lit {
        self.lowest_are_in(gates, self.bits.len(), table)
    }

    /// Whether the bit of the number that the lowest bits make is set in `table`.
    fn lowest_are_in(&mut self, gates: &mut Gates, bits: usize, table: u128) -> Lit {
        let Some(rest) = bits.checked_sub(1) else {
            return Lit::FALSE.negate_if(table & 1 == 1);
        };
        if let Some(&known) = self.known.get(&(bits, table)) {
            return known;
        }
        let half = 1 << rest;
        let clear = self.lowest_are_in(gates, rest, table & ((1 << half) - 1));
        let set = self.lowest_are_in(gates, rest, table >> half);
        let is_in = choose(gates, self.bits[rest], [clear, set]);
        self.known.insert((bits, table), is_in);
        is_in
    }
}

/// The sum of three bits, and the carry.
fn full_adder(gates: &mut Gates, [a, b, c]: [Lit; 3]) -> (Lit, Lit) {
    let odd = differ(gates, a, b);
    let sum = differ(gates, odd, c);
    let both = gates.and(&[a, b]);
    let odd_and_c = gates.and(&[odd, c]);
    (sum, gates.or(&[both, odd_and_c]))
}

fn differ(gates: &mut Gates, a: Lit, b: Lit) -> Lit {
    choose(gates, a, [b, !b])
}

/// The second of two signals where `which` is true, else the first.
fn choose(gates: &mut Gates, which: Lit, [clear, set]: [Lit; 2]) -> Lit {
    if clear == set {
        return set;
    }
    let with = gates.and(&[which, set]);
    let without = gates.and(&[!which, clear]);
    gates.or(&[with, without])
}
