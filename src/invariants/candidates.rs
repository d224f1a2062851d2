//! Sets of facts that might be groups: those of one functor that agree in some of their arguments.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::world::{Atom, World};
use crate::datalog::{Functor, TermId, Terms};

/// A functor of more arguments is not looked at: there would be too many ways to choose those that agree.
const MOST_ARGUMENTS: usize = 8;

/// Facts that may exclude each other.
#[derive(Debug)]
pub(super) struct Candidate {
    pub(super) facts: Vec<Atom>,
    /// The arguments in which the facts need not agree.
    open: Vec<usize>,
    /// Whether it is still thought to be a group.
    pub(super) alive: bool,
}

/// All candidates, numbered in the order in which they came up.
pub(super) struct Candidates {
    pub(super) all: Vec<Candidate>,
    /// For each fact, the candidates that hold it and are alive.
    pub(super) of_fact: Vec<Vec<u32>>,
    seen: FxHashSet<Vec<Atom>>,
}

impl Candidates {
    /// For each functor, as few and as large candidates as the initial state allows.
    pub(super) fn new(world: &World<'_>, terms: &Terms) -> Self {
        let mut functors: BTreeMap<Functor, Vec<Atom>> = BTreeMap::new();
        for (atom, &fact) in (0..).zip(&world.facts) {
            functors
                .entry(terms.functor_of(fact))
                .or_default()
                .push(atom);
        }
        let mut candidates = Self {
            all: Vec::new(),
            of_fact: vec![Vec::new(); world.facts.len()],
            seen: FxHashSet::default(),
        };
        for (functor, facts) in functors {
            let arity = terms.arity(functor);
            if arity <= MOST_ARGUMENTS {
                candidates.consider(facts, (0..arity).collect(), world, terms);
            }
        }
        candidates
    }

    /// Gives up a candidate.
    pub(super) fn drop(&mut self, number: usize) {
        let candidate = &mut self.all[number];
        candidate.alive = false;
        for &fact in &candidate.facts {
            self.of_fact[fact as usize].retain(|&of| of as usize != number);
        }
    }

    /// Tries the facts of a candidate in smaller sets.
    pub(super) fn split(&mut self, number: usize, world: &World<'_>, terms: &Terms) {
        let Candidate { facts, open, .. } = &self.all[number];
        let (facts, open) = (facts.clone(), open.clone());
        self.divide(&facts, &open, world, terms);
    }

    fn divide(&mut self, facts: &[Atom], open: &[usize], world: &World<'_>, terms: &Terms) {
        for &argument in open {
            let mut parts: BTreeMap<TermId, Vec<Atom>> = BTreeMap::new();
            for &fact in facts {
                let value = terms.args_of(world.facts[fact as usize])[argument];
                parts.entry(value).or_default().push(fact);
            }
            let rest: Vec<usize> = open.iter().copied().filter(|&of| of != argument).collect();
            for part in parts.into_values() {
                self.consider(part, rest.clone(), world, terms);
            }
        }
    }

    fn consider(&mut self, facts: Vec<Atom>, open: Vec<usize>, world: &World<'_>, terms: &Terms) {
        if facts.len() < 2 || self.is_part_of_another(&facts) || !self.seen.insert(facts.clone()) {
            return;
        }
        let at_start = facts.iter().filter(|&&fact| world.initial[fact as usize]);
        if at_start.count() > 1 {
            return self.divide(&facts, &open, world, terms);
        }
        for &fact in &facts {
            self.of_fact[fact as usize].push(self.all.len() as u32);
        }
        self.all.push(Candidate {
            facts,
            open,
            alive: true,
        });
    }

    fn is_part_of_another(&self, facts: &[Atom]) -> bool {
        self.of_fact[facts[0] as usize].iter().any(|&other| {
            let other = &self.all[other as usize].facts;
            facts.iter().all(|fact| other.binary_search(fact).is_ok())
        })
    }
}
