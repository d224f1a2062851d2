//! The loops over gates of one kind.

use crate::propnet::circuit::GateKind;
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};

#[inline(always)]
pub(super) fn run_two<P: SlotIndex, const W: usize>(
    kind: GateKind,
    gates: &[[P; 3]],
    slots: &mut P::Array<W>,
) {
    match kind {
        GateKind::AND => each_two(gates, slots, |a, b| a & b),
        GateKind::AND_NOT => each_two(gates, slots, |a, b| a & !b),
        GateKind::OR => each_two(gates, slots, |a, b| a | b),
        GateKind::OR_NOT => each_two(gates, slots, |a, b| a | !b),
        GateKind::NAND => each_two(gates, slots, |a, b| !(a & b)),
        GateKind::NOR => each_two(gates, slots, |a, b| !(a | b)),
        _ => unreachable!("gates of two operands are of six kinds"),
    }
}

/// All compositions of two gates of two operands, up to the order of operands: see [`GateKind::sorted`].
#[inline(always)]
pub(super) fn run_three<P: SlotIndex, const W: usize>(
    kind: GateKind,
    gates: &[[P; 4]],
    slots: &mut P::Array<W>,
) {
    match kind.table() {
        0x0101 => each_three(gates, slots, |a, b, c| !(a | b | c)),
        0x0202 => each_three(gates, slots, |a, b, c| a & !(b | c)),
        0x0707 => each_three(gates, slots, |a, b, c| !(c | a & b)),
        0x0808 => each_three(gates, slots, |a, b, c| a & b & !c),
        0x0b0b => each_three(gates, slots, |a, b, c| (a | !b) & !c),
        0x0e0e => each_three(gates, slots, |a, b, c| (a | b) & !c),
        0x1f1f => each_three(gates, slots, |a, b, c| !(c & (a | b))),
        0x2a2a => each_three(gates, slots, |a, b, c| a & !(b & c)),
        0x2f2f => each_three(gates, slots, |a, b, c| a & !b | !c),
        0x7f7f => each_three(gates, slots, |a, b, c| !(a & b & c)),
        0x8080 => each_three(gates, slots, |a, b, c| a & b & c),
        0x8a8a => each_three(gates, slots, |a, b, c| a & (b | !c)),
        0x8f8f => each_three(gates, slots, |a, b, c| a & b | !c),
        0xa8a8 => each_three(gates, slots, |a, b, c| a & (b | c)),
        0xabab => each_three(gates, slots, |a, b, c| a | !(b | c)),
        0xaeae => each_three(gates, slots, |a, b, c| a | b & !c),
        0xbfbf => each_three(gates, slots, |a, b, c| a | !(b & c)),
        0xeaea => each_three(gates, slots, |a, b, c| a | b & c),
        0xefef => each_three(gates, slots, |a, b, c| a | b | !c),
        0xfefe => each_three(gates, slots, |a, b, c| a | b | c),
        _ => unreachable!("a gate in a gate is of twenty kinds"),
    }
}

/// The kinds of [`GateKind::OF_FOUR`].
#[inline(always)]
pub(super) fn run_four<P: SlotIndex, const W: usize>(
    kind: GateKind,
    gates: &[[P; 5]],
    slots: &mut P::Array<W>,
) {
    match kind.table() {
        0xfffe => each_four(gates, slots, |a, b, c, d| a | b | c | d),
        0xeac0 => each_four(gates, slots, |a, b, c, d| a & d | b & c),
        0x88f8 => each_four(gates, slots, |a, b, c, d| a & b | c & !d),
        0x0ace => each_four(gates, slots, |a, b, c, d| a & !c | b & !d),
        _ => unreachable!("gates of four operands are of four kinds"),
    }
}

#[inline(always)]
fn each_two<P: SlotIndex, const W: usize>(
    gates: &[[P; 3]],
    slots: &mut P::Array<W>,
    gate: impl Fn(u64, u64) -> u64,
) {
    for [out, a, b] in gates {
        let (a, b): (Vector<W>, Vector<W>) = (*slots.at(*a), *slots.at(*b));
        let mut value = [0; W];
        for w in 0..W {
            value[w] = gate(a[w], b[w]);
        }
        *slots.at_mut(*out) = value;
    }
}

#[inline(always)]
fn each_three<P: SlotIndex, const W: usize>(
    gates: &[[P; 4]],
    slots: &mut P::Array<W>,
    gate: impl Fn(u64, u64, u64) -> u64,
) {
    for [out, a, b, c] in gates {
        let [a, b, c]: [Vector<W>; 3] = [*slots.at(*a), *slots.at(*b), *slots.at(*c)];
        let mut value = [0; W];
        for w in 0..W {
            value[w] = gate(a[w], b[w], c[w]);
        }
        *slots.at_mut(*out) = value;
    }
}

#[inline(always)]
fn each_four<P: SlotIndex, const W: usize>(
    gates: &[[P; 5]],
    slots: &mut P::Array<W>,
    gate: impl Fn(u64, u64, u64, u64) -> u64,
) {
    for [out, a, b, c, d] in gates {
        let [a, b]: [Vector<W>; 2] = [*slots.at(*a), *slots.at(*b)];
        let [c, d]: [Vector<W>; 2] = [*slots.at(*c), *slots.at(*d)];
        let mut value = [0; W];
        for w in 0..W {
            value[w] = gate(a[w], b[w], c[w], d[w]);
        }
        *slots.at_mut(*out) = value;
    }
}
