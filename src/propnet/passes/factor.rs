//! Algebraic factoring: *(a and b) or (a and c)* becomes *a and (b or c)*.
//!
//! Rules repeat the same condition for every move or value. The literal that most products share is factored out,
//! repeatedly (quick factoring, Brayton 1987).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::Range;

use super::gains_little;
use crate::propnet::network::{Gates, Lit, Network, Operand};

/// The network with every sum of products factored, as far as no other gate uses the products; it never grows.
pub fn factor(network: &Network) -> Network {
    factored(network, |product| product.is_own)
}

/// The network with every sum of products factored, including products that other gates use, if it gains more than little.
/// Such a product stays for its other users, unless they factor it as well.
pub fn factor_shared(network: &Network) -> Network {
    let shared = factored(network, |_| true).merged();
    if gains_little(network.size(), shared.size()) {
        network.clone()
    } else {
        shared
    }
}

/// The network with every sum of those products factored that may be. As gates are And gates, "a sum" is any gate seen from
/// outside, and its products are the gates whose complement it takes.
fn factored(network: &Network, may_be: impl Fn(&Operand) -> bool) -> Network {
    let mut factoring = Factoring::default();
    network.rebuild(|gates, operands| {
        let is_gate = |lit: Lit| lit.is_negated() && gates.is_gate(lit.node());
        let is_product = |operand: &Operand| is_gate(operand.lit) && may_be(operand);
        let mut lits = Vec::with_capacity(operands.len());
        for operand in operands {
            if is_product(operand) {
                factoring.push(gates.operands(operand.lit.node()).iter().copied());
            } else {
                lits.push(operand.lit);
            }
        }
        lits.extend(factoring.none_of_all(gates));
        gates.and(&lits)
    })
}

/// A stack of sums of products: the products of an inner sum follow those of the outer one.
#[derive(Default)]
struct Factoring {
    /// The literals of all products, each product's in order.
    lits: Vec<Lit>,
    /// Per product, its literals.
    products: Vec<Range<usize>>,
    counts: LiteralCounts,
}

impl Factoring {
    fn push(&mut self, product: impl Iterator<Item = Lit>) {
        let start = self.lits.len();
        self.lits.extend(product);
        self.products.push(start..self.lits.len());
    }

    fn product(&self, number: usize) -> &[Lit] {
        &self.lits[self.products[number].clone()]
    }

    /// Removes all products and returns literals that are all true if and only if none of the products is.
    fn none_of_all(&mut self, gates: &mut Gates) -> Vec<Lit> {
        let lits = self.none_of(gates, 0);
        self.drop_from(0, 0);
        lits.unwrap_or_else(|| vec![Lit::FALSE])
    }

    /// Literals that are all true if and only if none of the products from `first` on is; `None` where one is empty, and
    /// so true.
    fn none_of(&mut self, gates: &mut Gates, first: usize) -> Option<Vec<Lit>> {
        if self.products[first..].iter().any(Range::is_empty) {
            return None;
        }
        let mut lits = Vec::new();
        if let [_, _, ..] = self.products[first..] {
            let split = self.counts.split(&self.lits, &self.products[first..]);
            let (groups, rest) = split.parts();
            for group in groups {
                lits.push(!self.one_of(gates, first, group));
            }
            for &number in rest {
                lits.push(!gates.and(self.product(first + number as usize)));
            }
        } else if first < self.products.len() {
            lits.push(!gates.and(self.product(first)));
        }
        Some(lits)
    }

    /// The disjunction of products that share a literal: their common literals and the disjunction of the rests.
    fn one_of(&mut self, gates: &mut Gates, first: usize, group: &[u32]) -> Lit {
        let mut factors = self.shared(first, group);
        let (products_before, lits_before) = (self.products.len(), self.lits.len());
        for &number in group {
            let product = self.products[first + number as usize].clone();
            let start = self.lits.len();
            for at in product {
                let lit = self.lits[at];
                if factors.binary_search(&lit).is_err() {
                    self.lits.push(lit);
                }
            }
            self.products.push(start..self.lits.len());
        }
        let lits = &self.lits;
        let rests = &mut self.products[products_before..];
        rests.sort_unstable_by(|one, other| lits[one.clone()].cmp(&lits[other.clone()]));
        let same = |one: &mut Range<usize>, other: &mut Range<usize>| {
            lits[one.clone()] == lits[other.clone()]
        };
        let mut rests = self.products.split_off(products_before);
        rests.dedup_by(same);
        self.products.append(&mut rests);
        if let Some(none) = self.none_of(gates, products_before) {
            factors.push(!gates.and(&none));
        }
        self.drop_from(products_before, lits_before);
        gates.and(&factors)
    }

    /// The literals that all products of a group share, in order.
    fn shared(&self, first: usize, group: &[u32]) -> Vec<Lit> {
        let mut products = group
            .iter()
            .map(|&number| self.product(first + number as usize));
        let mut shared = products.next().map_or(Vec::new(), <[Lit]>::to_vec);
        for product in products {
            shared.retain(|lit| product.binary_search(lit).is_ok());
            if shared.len() == 1 {
                break;
            }
        }
        shared
    }

    fn drop_from(&mut self, product: usize, lit: usize) {
        self.products.truncate(product);
        self.lits.truncate(lit);
    }
}

/// How many products of a sum contain each literal; cleared after each sum.
#[derive(Default)]
struct LiteralCounts {
    /// Per literal, how many of the remaining products contain it.
    of: Vec<u32>,
    /// Per literal, where its products end in `with`.
    ends: Vec<u32>,
    /// The literals that occur in some product.
    seen: Vec<Lit>,
    /// Per literal, one after the other, the products that contained it at first.
    with: Vec<u32>,
    is_taken: Vec<bool>,
}

/// The products of a sum: groups of two or more that share a literal, then those that share none.
struct Split {
    numbers: Vec<u32>,
    /// Where each group ends.
    ends: Vec<usize>,
}

impl Split {
    fn parts(&self) -> (impl Iterator<Item = &[u32]>, &[u32]) {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let groups = starts
            .zip(&self.ends)
            .map(|(start, &end)| &self.numbers[start..end]);
        (
            groups,
            &self.numbers[self.ends.last().copied().unwrap_or(0)..],
        )
    }
}

impl LiteralCounts {
    /// Groups products by the literal that most of the remaining ones share, repeatedly.
    fn split(&mut self, lits: &[Lit], products: &[Range<usize>]) -> Split {
        self.count(lits, products);
        let shared = self.seen.iter().filter(|lit| self.of[lit.index()] > 1);
        let mut most: BinaryHeap<(u32, Reverse<Lit>)> = shared
            .map(|&lit| (self.of[lit.index()], Reverse(lit)))
            .collect();
        let mut split = Split {
            numbers: Vec::with_capacity(products.len()),
            ends: Vec::new(),
        };
        while let Some((count, Reverse(lit))) = most.pop() {
            let now = self.of[lit.index()];
            if now == count {
                self.take(lit, lits, products, &mut split);
            } else if now > 1 {
                most.push((now, Reverse(lit)));
            }
        }
        let left = (0..products.len() as u32).filter(|&number| !self.is_taken[number as usize]);
        split.numbers.extend(left);
        self.clear();
        split
    }

    fn count(&mut self, lits: &[Lit], products: &[Range<usize>]) {
        self.is_taken.resize(products.len(), false);
        for &lit in products.iter().flat_map(|product| &lits[product.clone()]) {
            if self.of.len() <= lit.index() {
                self.of.resize(2 * lit.index() + 2, 0);
                self.ends.resize(2 * lit.index() + 2, 0);
            }
            let count = &mut self.of[lit.index()];
            *count += 1;
            if *count == 1 {
                self.seen.push(lit);
            }
        }
        // The range of each literal in `with` starts empty and grows with each product.
        let mut end = 0;
        for lit in &self.seen {
            self.ends[lit.index()] = end;
            end += self.of[lit.index()];
        }
        self.with.resize(end as usize, 0);
        for (number, product) in products.iter().enumerate() {
            for lit in &lits[product.clone()] {
                let end = &mut self.ends[lit.index()];
                self.with[*end as usize] = number as u32;
                *end += 1;
            }
        }
    }

    /// Makes a group of the remaining products that contain `common`, of which there are two or more.
    fn take(&mut self, common: Lit, lits: &[Lit], products: &[Range<usize>], split: &mut Split) {
        let before = split.numbers.len();
        let left = self.of[common.index()] as usize;
        let mut at = self.ends[common.index()] as usize;
        while split.numbers.len() < before + left {
            at -= 1;
            let number = self.with[at];
            if std::mem::replace(&mut self.is_taken[number as usize], true) {
                continue;
            }
            split.numbers.push(number);
            for lit in &lits[products[number as usize].clone()] {
                self.of[lit.index()] -= 1;
            }
        }
        split.numbers[before..].reverse();
        split.ends.push(split.numbers.len());
    }

    fn clear(&mut self) {
        for lit in self.seen.drain(..) {
            self.of[lit.index()] = 0;
        }
        self.is_taken.clear();
    }
}
