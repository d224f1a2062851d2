//! What a gate computes.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// The function of a gate with two to four operands, as a truth table: bit `a + 2 b + 4 c + 8 d` is the output for the operands
/// `a`, `b`, `c` and `d`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GateKind(u16);

impl GateKind {
    /// `a & b`
    pub const AND: Self = Self(Self::A & Self::B);
    /// `a & !b`
    pub const AND_NOT: Self = Self(Self::A & !Self::B);
    /// `a | b`
    pub const OR: Self = Self(Self::A | Self::B);
    /// `a | !b`
    pub const OR_NOT: Self = Self(Self::A | !Self::B);
    /// `!(a & b)`
    pub const NAND: Self = Self(!(Self::A & Self::B));
    /// `!(a | b)`
    pub const NOR: Self = Self(!(Self::A | Self::B));

    /// All kinds of two operands.
    #[cfg(test)]
    pub(in crate::propnet) const OF_TWO: [Self; 6] = [
        Self::AND,
        Self::AND_NOT,
        Self::OR,
        Self::OR_NOT,
        Self::NAND,
        Self::NOR,
    ];

    /// The kinds of four operands that executors know, in canonical order: `a | b | c | d`, `a & d | b & c`, `a & b | c & !d` and
    /// `a & !c | b & !d`. Six of seven gates that could have four operands are of these kinds; others would bring little.
    pub(in crate::propnet) const OF_FOUR: [Self; 4] =
        [Self(0xfffe), Self(0xeac0), Self(0x88f8), Self(0x0ace)];

    /// For each operand the rows of a truth table in which it is true.
    pub(in crate::propnet) const COLUMNS: [u16; 4] = [Self::A, Self::B, 0xf0f0, 0xff00];
    const A: u16 = 0xaaaa;
    const B: u16 = 0xcccc;

    /// The kind of a truth table, which executors know only if it is that of a gate of two operands, of one such gate within
    /// another, or one of [`GateKind::OF_FOUR`].
    pub(in crate::propnet) const fn of_table(table: u16) -> Self {
        Self(table)
    }

    /// The truth table.
    pub const fn table(self) -> u16 {
        self.0
    }

    /// How many operands there are, two to four.
    pub fn operands(self) -> usize {
        let reads_d = self.0 >> 8 != self.0 & 0xff;
        let reads_c = self.0 >> 4 & 0xf0f != self.0 & 0xf0f;
        match (reads_d, reads_c) {
            (true, _) => 4,
            (false, true) => 3,
            (false, false) => 2,
        }
    }

    /// Whether executors know this kind, if it is canonical and composed of gates of two operands.
    pub(in crate::propnet) fn is_known(self) -> bool {
        self.operands() < 4 || Self::OF_FOUR.contains(&self)
    }

    /// The output, bit by bit.
    pub fn apply(self, operands: [u64; 4]) -> u64 {
        let row = |number: usize| {
            let column =
                |(at, bits): (usize, u64)| if number >> at & 1 == 1 { bits } else { !bits };
            let columns = operands.into_iter().enumerate().map(column);
            columns.fold(!0, |all, column| all & column)
        };
        let rows = (0..16).filter(|&number| self.0 >> number & 1 == 1).map(row);
        rows.fold(0, |all, row| all | row)
    }

    /// The composition of two gates that have five operands together, or fewer: operand `at` of this one is the output of `inner`.
    /// The operands of the result are this gate's other operands, then those of the inner gate.
    pub(crate) fn around(self, at: usize, inner: Self) -> Self {
        let columns = Self::COLUMNS.map(u64::from);
        let others = self.operands() - 1;
        let mut of_inner = [0; 4];
        of_inner[..4 - others].copy_from_slice(&columns[others..]);
        let inner = inner.apply(of_inner);
        let operand = |place: usize| match place.cmp(&at) {
            Ordering::Less => columns[place],
            Ordering::Equal => inner,
            Ordering::Greater => columns[place - 1],
        };
        Self(self.apply([0, 1, 2, 3].map(operand)) as u16)
    }

    /// A kind of four operands as a gate of two in one of three: the outer one, of which the first operand is the output of the inner
    /// one, and which of the operands the inner one reads, then which others the outer one. `None` if it is not composed like this.
    pub(in crate::propnet) fn split(self) -> Option<(Self, Self, [usize; 4])> {
        const ORDERS: [[usize; 4]; 6] = [
            [0, 1, 2, 3],
            [0, 2, 1, 3],
            [0, 3, 1, 2],
            [1, 2, 0, 3],
            [1, 3, 0, 2],
            [2, 3, 0, 1],
        ];
        ORDERS.into_iter().find_map(|order| {
            let (outer, inner) = self.reordered(order).split_first()?;
            Some((outer, inner, order))
        })
    }

    /// The same, if the inner gate reads the first two operands.
    fn split_first(self) -> Option<(Self, Self)> {
        // What is left of the table for each value of the first two operands: bit `c + 2 d`.
        let rest = [0, 1, 2, 3].map(|first| {
            let bits = [0, 1, 2, 3].map(|last| (self.0 >> (first + 4 * last) & 1) << last);
            bits.into_iter().sum::<u16>()
        });
        let is_high = rest.map(|of| of != rest[0]);
        let high = rest.into_iter().find(|of| *of != rest[0])?;
        if rest.iter().any(|of| *of != rest[0] && *of != high) {
            return None;
        }
        let inner = (0..16)
            .filter(|row| is_high[row & 3])
            .map(|row| 1 << row)
            .sum();
        let outer = (0..16).filter(|row| {
            let of = if row & 1 == 0 { rest[0] } else { high };
            of >> (row >> 1 & 3) & 1 == 1
        });
        let outer = outer.map(|row| 1 << row).sum();
        Some((Self(outer), Self(inner)))
    }

    /// The same gate with its operands in another order.
    fn reordered(self, order: [usize; 4]) -> Self {
        let mut operands = [0; 4];
        for (column, old) in Self::COLUMNS.into_iter().zip(order) {
            operands[old] = u64::from(column);
        }
        Self(self.apply(operands) as u16)
    }

    /// The canonical kind among those that differ by the order of operands only, and the permutation: which of the old
    /// operands is the first, the second, and so on.
    pub(crate) fn sorted(self) -> (Self, [usize; 4]) {
        let orders = (0..256).map(|digits| [0, 2, 4, 6].map(|at| digits >> at & 3));
        let is_order = |order: &[usize; 4]| {
            let places = order.iter().fold(0, |places, place| places | 1 << place);
            places == 0b1111 && (self.operands() == 4 || order[3] == 3)
        };
        let orders = orders.filter(is_order);
        let all = orders.map(|order| (self.reordered(order), order));
        all.min().unwrap_or((self, [0, 1, 2, 3]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OPERANDS: [u64; 4] = [
        0b0101_0011_1100_0101,
        0b1100_1010_0110_1001,
        0b0110_1001_1010_1100,
        0b0011_0110_1001_0111,
    ];

    #[test]
    fn gates_compose() {
        let of_three = || {
            let two = GateKind::OF_TWO.iter();
            two.flat_map(|outer| GateKind::OF_TWO.map(|inner| outer.around(0, inner)))
        };
        let [x, y, z, w] = OPERANDS;
        for outer in of_three() {
            assert_eq!(outer.operands(), 3);
            check_sorted(outer);
            for inner in GateKind::OF_TWO {
                let within = inner.apply([z, w, 0, 0]);
                let expected = [[within, x, y, 0], [x, within, y, 0], [x, y, within, 0]];
                for (at, expected) in expected.into_iter().enumerate() {
                    let both = outer.around(at, inner);
                    assert_eq!(both.apply(OPERANDS), outer.apply(expected));
                    assert_eq!(both.operands(), 4);
                    check_sorted(both);
                }
            }
        }
        for (outer, inner) in GateKind::OF_TWO
            .iter()
            .flat_map(|outer| of_three().map(move |inner| (outer, inner)))
        {
            let within = inner.apply([y, z, w, 0]);
            for (at, expected) in [[within, x, 0, 0], [x, within, 0, 0]]
                .into_iter()
                .enumerate()
            {
                let both = outer.around(at, inner);
                assert_eq!(both.apply(OPERANDS), outer.apply(expected));
                assert_eq!(both.operands(), 4);
            }
        }
        assert!(GateKind::OF_TWO.iter().all(|kind| kind.operands() == 2));
    }

    #[test]
    fn kinds_of_four_operands_are_split() {
        for kind in GateKind::OF_FOUR {
            assert_eq!(kind.sorted().0, kind);
            let (outer, inner, order) = kind.split().unwrap();
            assert_eq!((outer.operands(), inner.operands()), (3, 2));
            let [a, b, c, d] = order.map(|at| OPERANDS[at]);
            let within = inner.apply([a, b, 0, 0]);
            assert_eq!(outer.apply([within, c, d, 0]), kind.apply(OPERANDS));
        }
        let majority = GateKind::of_table(0xfee8);
        assert_eq!(majority.split(), None);
    }

    fn check_sorted(kind: GateKind) {
        let (sorted, order) = kind.sorted();
        let reordered = order.map(|old| OPERANDS[old]);
        assert_eq!(sorted.apply(reordered), kind.apply(OPERANDS));
        assert_eq!(sorted.sorted().0, sorted);
    }
}
