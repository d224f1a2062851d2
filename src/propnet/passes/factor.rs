//! (a and b) or (a and c) = a and (b or c).
//!
//! Rules repeat the same condition for every move or value. Of all the ways to factor a sum of products, pulling out the
//! literal that most products share, again and again, is quick and good (Brayton's quick factoring, 1987).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::propnet::network::{Gates, Lit, Network, Operand};

/// Which products are taken apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Products {
    /// Those that no other gate uses: the network never grows.
    Own,
    /// All. Where a product has other users it stays for them, unless they take it apart as well.
    All,
}

/// The network with every sum of products factored. As gates are And gates, "a sum" is any gate seen from outside, and
/// its products are the gates whose complement it takes.
pub fn factor(network: &Network, which: Products) -> Network {
    network.rebuild(|gates, operands| {
        let is_gate = |lit: Lit| lit.is_negated() && gates.is_gate(lit.node());
        let is_product =
            |operand: &&Operand| is_gate(operand.lit) && (operand.is_own || which == Products::All);
        let (products, others): (Vec<&Operand>, Vec<&Operand>) =
            operands.iter().partition(is_product);
        let products: Vec<Vec<Lit>> = products
            .iter()
            .map(|operand| gates.operands(operand.lit.node()).to_vec())
            .collect();
        let mut lits: Vec<Lit> = others.iter().map(|operand| operand.lit).collect();
        lits.extend(none_of(gates, products));
        gates.and(&lits)
    })
}

/// Literals that are all true if and only if none of `products` is.
fn none_of(gates: &mut Gates, products: Vec<Vec<Lit>>) -> Vec<Lit> {
    let mut sum = Sum::new(products);
    let mut lits = Vec::new();
    while let Some((common, quotients)) = sum.pull_out() {
        // common and (one of the quotients)
        let factored = match none_of_unless_empty(gates, quotients) {
            Some(none) => {
                let none = gates.and(&none);
                gates.and(&[common, !none])
            }
            None => common,
        };
        lits.push(!factored);
    }
    lits.extend(sum.rest().map(|product| !gates.and(product)));
    lits
}

/// As [`none_of`]; `None` where a product is empty, and so true.
fn none_of_unless_empty(gates: &mut Gates, products: Vec<Vec<Lit>>) -> Option<Vec<Lit>> {
    let is_true = products.iter().any(Vec::is_empty);
    (!is_true).then(|| none_of(gates, products))
}

/// A sum of products, and how many of them share each literal.
struct Sum {
    products: Vec<Vec<Lit>>,
    is_left: Vec<bool>,
    /// Per literal, the products that had it in the beginning.
    with: FxHashMap<Lit, Vec<u32>>,
    counts: FxHashMap<Lit, u32>,
    /// Counts that were right once.
    most: BinaryHeap<(u32, Reverse<Lit>)>,
}

impl Sum {
    fn new(products: Vec<Vec<Lit>>) -> Self {
        let mut with: FxHashMap<Lit, Vec<u32>> = FxHashMap::default();
        for (number, product) in products.iter().enumerate() {
            for &lit in product {
                with.entry(lit).or_default().push(number as u32);
            }
        }
        with.retain(|_, products| products.len() > 1);
        let counts: FxHashMap<Lit, u32> = with
            .iter()
            .map(|(&lit, products)| (lit, products.len() as u32))
            .collect();
        Self {
            is_left: vec![true; products.len()],
            products,
            with,
            most: counts
                .iter()
                .map(|(&lit, &count)| (count, Reverse(lit)))
                .collect(),
            counts,
        }
    }

    /// The literal that most of the products left share, if two do, and what these products are without it.
    fn pull_out(&mut self) -> Option<(Lit, Vec<Vec<Lit>>)> {
        while let Some((count, Reverse(lit))) = self.most.pop() {
            let now = self.counts[&lit];
            if now == count && now > 1 {
                return Some((lit, self.divide(lit)));
            }
            if now > 1 {
                self.most.push((now, Reverse(lit)));
            }
        }
        None
    }

    fn divide(&mut self, common: Lit) -> Vec<Vec<Lit>> {
        let mut quotients = Vec::new();
        for number in self.with.remove(&common).unwrap_or_default() {
            let number = number as usize;
            if !std::mem::replace(&mut self.is_left[number], false) {
                continue;
            }
            let mut product = std::mem::take(&mut self.products[number]);
            for lit in &product {
                if let Some(count) = self.counts.get_mut(lit) {
                    *count -= 1;
                }
            }
            product.retain(|&lit| lit != common);
            quotients.push(product);
        }
        let mut seen = FxHashSet::default();
        quotients.retain(|quotient| seen.insert(quotient.clone()));
        quotients
    }

    fn rest(&self) -> impl Iterator<Item = &Vec<Lit>> {
        self.products
            .iter()
            .zip(&self.is_left)
            .filter(|(_, is_left)| **is_left)
            .map(|(product, _)| product)
    }
}
