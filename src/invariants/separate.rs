//! The step of the induction: no two facts of a group can follow from one state and one joint move.
//!
//! Bodies of rules for different facts have to contradict each other. Most do because they need different moves of one
//! role or different facts of one group, so the bodies are sorted by the move or the fact that they need and only
//! compared within each case. Where that does not tell, a sentence that one body excludes may follow from the other, and
//! at last sentences are replaced by each way to derive them.

use rustc_hash::FxHashMap;

use super::body::Body;
use super::candidates::Candidates;
use super::needs::Needs;
use super::tally::{Choice, Tally};
use super::world::{Atom, World};
use crate::ground::SentenceId;

/// A sentence with more rules is not replaced by them.
const MOST_RULES: usize = 64;
/// How often the question whether two sentences contradict each other may lead to another such question.
const MOST_NESTED: usize = 3;

/// What all proofs share.
pub(super) struct Prover<'w> {
    pub(super) world: &'w World<'w>,
    pub(super) candidates: Candidates,
    pub(super) atoms: Needs<Atom>,
    pub(super) denied: Needs<SentenceId>,
    tally: Tally,
    /// The candidates that the proof at hand has made use of.
    used: Vec<u32>,
    /// How many steps the proof at hand may still take.
    left: u64,
    pub(super) bodies: Vec<Body>,
    /// For each pair of sentences that was looked at, the candidates because of which they contradict each other; `None`
    /// if that could not be shown.
    contrary: FxHashMap<(SentenceId, SentenceId), Option<Vec<u32>>>,
    nested: usize,
}

impl<'w> Prover<'w> {
    pub(super) fn new(world: &'w World<'w>, candidates: Candidates) -> Self {
        Self {
            atoms: Needs::new(world.sentence_count()),
            denied: Needs::new(world.sentence_count()),
            tally: Tally::default(),
            used: Vec::new(),
            left: 0,
            bodies: Vec::new(),
            contrary: FxHashMap::default(),
            nested: 0,
            candidates,
            world,
        }
    }

    /// Whether no two facts of a candidate can hold next, if that can be shown in so many steps; then also the
    /// candidates that the proof rests on, in increasing order. Answers how many steps are left, too.
    pub(super) fn separate(&mut self, number: usize, steps: u64) -> (Option<Vec<u32>>, u64) {
        self.left = steps;
        self.used.clear();
        let facts = self.candidates.all[number].facts.clone();
        let nexts = facts
            .iter()
            .filter_map(|&fact| self.world.next[fact as usize]);
        let is_group = self.none_together(&nexts.collect::<Vec<_>>());
        self.bodies.clear();
        self.used.sort_unstable();
        self.used.dedup();
        (is_group.then(|| self.used.clone()), self.left)
    }

    /// Whether no two of `sentences` can hold together.
    fn none_together(&mut self, sentences: &[SentenceId]) -> bool {
        let first_new = self.bodies.len();
        let mut bodies = Vec::new();
        for &sentence in sentences {
            for &rule in self.world.rule_numbers(sentence) {
                let body = Body::new(sentence, rule, self.world, &mut self.atoms);
                if !self.spend(body.atoms.len() + 1) {
                    return false;
                }
                bodies.extend(self.keep_if_possible(body));
            }
        }
        let are_apart = self.all_apart(&bodies);
        self.bodies.truncate(first_new);
        are_apart
    }

    pub(super) fn spend(&mut self, steps: usize) -> bool {
        let enough = self.left >= steps as u64;
        self.left = self.left.saturating_sub(steps as u64);
        enough
    }

    /// Stores a body that does not contradict itself.
    fn keep_if_possible(&mut self, body: Body) -> Option<u32> {
        let pairs = body.atoms.iter().enumerate();
        let mut pairs = pairs
            .flat_map(|(at, &left)| body.atoms[at + 1..].iter().map(move |&right| (left, right)));
        if pairs.any(|(left, right)| self.exclude(left, right)) {
            return None;
        }
        self.bodies.push(body);
        Some(self.bodies.len() as u32 - 1)
    }

    fn body(&self, number: u32) -> &Body {
        &self.bodies[number as usize]
    }

    /// Whether bodies for different sentences contradict each other.
    fn all_apart(&mut self, bodies: &[u32]) -> bool {
        let Some(&first) = bodies.first() else {
            return true;
        };
        let head = self.body(first).head;
        if bodies.iter().all(|&body| self.body(body).head == head) {
            return true;
        }
        let steps = bodies.iter().map(|&body| self.body(body).atoms.len() + 1);
        let steps = steps.sum();
        if !self.spend(steps) {
            return false;
        }
        match self.choice(bodies) {
            Some(choice) => self.apart_in_each_case(bodies, choice),
            None => self.apart_by_pairs(bodies),
        }
    }

    /// The choice that most bodies depend on, if they differ in it.
    fn choice(&mut self, bodies: &[u32]) -> Option<Choice> {
        let mut tally = std::mem::take(&mut self.tally);
        for &body in bodies {
            for &atom in &self.body(body).atoms {
                self.each_choice(atom, |choice| tally.note(choice, atom));
            }
        }
        let choice = tally.finish();
        self.tally = tally;
        choice
    }

    fn each_choice(&self, atom: Atom, mut see: impl FnMut(Choice)) {
        match self.world.role_of(atom) {
            Some(role) => see(role),
            None => {
                let first = self.world.role_count();
                let candidates = &self.candidates.of_fact[atom as usize];
                candidates.iter().for_each(|&of| see(first + of as usize));
            }
        }
    }

    fn apart_in_each_case(&mut self, bodies: &[u32], choice: Choice) -> bool {
        self.note_use(choice);
        let (mut cases, mut rest): (Vec<(Atom, u32)>, Vec<u32>) = (Vec::new(), Vec::new());
        for &body in bodies {
            match self.needed_of(choice, self.body(body)) {
                Some(atom) => cases.push((atom, body)),
                None => rest.push(body),
            }
        }
        cases.sort_by_key(|case| case.0);
        cases.chunk_by(|a, b| a.0 == b.0).all(|case| {
            let case = case
                .iter()
                .map(|&(_, body)| body)
                .chain(rest.iter().copied());
            self.all_apart(&case.collect::<Vec<_>>())
        })
    }

    /// The atom of a choice that a body needs.
    fn needed_of(&self, choice: Choice, body: &Body) -> Option<Atom> {
        let is_of_choice = |atom: &Atom| {
            let mut is_of_choice = false;
            self.each_choice(*atom, |of| is_of_choice |= of == choice);
            is_of_choice
        };
        body.atoms.iter().copied().find(is_of_choice)
    }

    fn note_use(&mut self, choice: Choice) {
        if let Some(candidate) = choice.checked_sub(self.world.role_count()) {
            self.used.push(candidate as u32);
        }
    }

    fn apart_by_pairs(&mut self, bodies: &[u32]) -> bool {
        for (at, &left) in bodies.iter().enumerate() {
            for &right in &bodies[at + 1..] {
                let differ = self.body(left).head != self.body(right).head;
                if differ && !self.are_apart(left, right) {
                    return false;
                }
            }
        }
        true
    }

    fn are_apart(&mut self, left: u32, right: u32) -> bool {
        let both = self.both(left, right);
        self.spend(both.size())
            && (self.clash(&both)
                || self.need_contraries(left, right)
                || self.are_apart_unfolded(left, right))
    }

    /// Whether two bodies need sentences that cannot hold together.
    fn need_contraries(&mut self, left: u32, right: u32) -> bool {
        let [left, right] = [left, right].map(|body| self.body(body).derived(self.world));
        left.iter()
            .any(|&one| right.iter().any(|&other| self.are_contrary(one, other)))
    }

    fn are_contrary(&mut self, one: SentenceId, other: SentenceId) -> bool {
        let key = (one.min(other), one.max(other));
        if one == other || self.nested == MOST_NESTED {
            return false;
        }
        if let Some(known) = self.contrary.get(&key) {
            known.iter().for_each(|used| self.used.extend(used));
            return known.is_some();
        }
        self.contrary.insert(key, None);
        let outer = std::mem::take(&mut self.used);
        self.nested += 1;
        let are_contrary = self.none_together(&[one, other]);
        self.nested -= 1;
        let mut used = std::mem::replace(&mut self.used, outer);
        used.sort_unstable();
        used.dedup();
        self.used.extend(&used);
        self.contrary.insert(key, are_contrary.then_some(used));
        are_contrary
    }

    /// Gives up a candidate, with whatever was found by means of it.
    pub(super) fn give_up(&mut self, candidate: usize) {
        self.candidates.drop(candidate);
        let rests = |used: &Vec<u32>| used.binary_search(&(candidate as u32)).is_ok();
        self.contrary
            .retain(|_, used| !used.as_ref().is_some_and(rests));
    }

    /// Whether two atoms cannot hold together.
    pub(super) fn exclude(&mut self, left: Atom, right: Atom) -> bool {
        if left == right {
            return false;
        }
        let mut shared = None;
        self.each_choice(left, |choice| {
            self.each_choice(right, |other| {
                shared = shared.or((choice == other).then_some(choice));
            });
        });
        shared.inspect(|&choice| self.note_use(choice)).is_some()
    }

    /// Whether two bodies contradict each other in whichever way a sentence that one of them needs is derived.
    fn are_apart_unfolded(&mut self, left: u32, right: u32) -> bool {
        let sentence_of = |body: u32, other: u32| {
            let (rules, sentence) = self.body(body).most_telling(self.world)?;
            Some((rules, sentence, body, other))
        };
        let choices = [sentence_of(left, right), sentence_of(right, left)];
        let Some((rules, sentence, body, other)) = choices.into_iter().flatten().min() else {
            return false;
        };
        if rules > MOST_RULES || !self.spend(rules) {
            return false;
        }
        let first_new = self.bodies.len();
        let mut bodies = vec![other];
        for &rule in self.world.rule_numbers(sentence) {
            let body = self.body(body).clone();
            let unfolded = body.unfolded(sentence, rule, self.world, &mut self.atoms);
            bodies.extend(self.keep_if_possible(unfolded));
        }
        let are_apart = self.all_apart(&bodies);
        self.bodies.truncate(first_new);
        are_apart
    }
}
