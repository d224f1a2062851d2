//! a and (b or c), or d and (b or e)  =  b and (a or d), or a and c, or d and e.
//!
//! Which of several variables a rule is split along decides what its sums have in common with others'. So sums of
//! products of sums are multiplied out, a little, and products are taken apart even where others use them too; the
//! smallest network that comes of it is kept.

use super::factor::{Products, factor};
use crate::propnet::network::{Gates, Lit, Network, Operand};

/// A sum is multiplied out to so many products at most.
const PRODUCTS: usize = 600;
/// And to so many times as many as it had.
const GROWTH: usize = 8;

/// The network grouped in another way, if that makes it smaller.
pub fn regroup(network: &Network) -> Network {
    let bold = |network: &Network| factor(network, Products::All).merged();
    let apart = bold(network);
    let multiplied = factor(&multiplied_out(network), Products::Own).merged();
    let both = bold(&multiplied);
    let mut best = network.merged();
    let mut size = network.size();
    for candidate in [apart, multiplied, both] {
        if candidate.size() < size {
            size = candidate.size();
            best = candidate;
        }
    }
    best
}

/// The network with its sums multiplied out by one level.
fn multiplied_out(network: &Network) -> Network {
    network.rebuild(|gates, operands| {
        let is_product = |operand: &&Operand| operand.is_own && operand.lit.is_negated();
        let (products, others): (Vec<&Operand>, Vec<&Operand>) =
            operands.iter().partition(is_product);
        let mut lits: Vec<Lit> = others.iter().map(|operand| operand.lit).collect();
        let most = PRODUCTS.min(GROWTH * products.len());
        let terms = |operand: &&Operand| {
            let sum = smallest_sum(gates, operand.lit);
            sum.map_or(1, |sum| gates.operands(sum.node()).len())
        };
        if products.len() < 2 || products.iter().map(terms).sum::<usize>() > most {
            lits.extend(products.iter().map(|operand| operand.lit));
        } else {
            for operand in products {
                let terms = multiplied(gates, operand.lit);
                lits.extend(terms.iter().map(|product| !gates.and(product)));
            }
        }
        gates.and(&lits)
    })
}

/// The smallest sum in a product that is given as its complement.
fn smallest_sum(gates: &Gates, product: Lit) -> Option<Lit> {
    let lits = gates.operands(product.node()).iter().copied();
    let sums = lits.filter(|lit| lit.is_negated() && gates.is_gate(lit.node()));
    sums.min_by_key(|lit| (gates.operands(lit.node()).len(), *lit))
}

/// A product, given as its complement, as a sum of products: multiplied by its smallest sum, if it has one.
fn multiplied(gates: &Gates, product: Lit) -> Vec<Vec<Lit>> {
    let lits = gates.operands(product.node());
    let Some(sum) = smallest_sum(gates, product) else {
        return vec![lits.to_vec()];
    };
    let rest: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != sum).collect();
    let with = |&term: &Lit| rest.iter().copied().chain([!term]).collect();
    gates.operands(sum.node()).iter().map(with).collect()
}
