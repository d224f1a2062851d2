//! The ground transition system that proofs work on: facts and moves numbered as atoms, and the rules of each sentence.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::datalog::TermId;
use crate::ground::{
    Ground, GroundRule, Proposition, PropositionRelations, SentenceDependencies, SentenceId,
};

/// A fact of the current state, or the move of a role. Facts come first, in the order of [`TransitionSystem::facts`].
pub(super) type AtomId = u32;

pub(super) struct TransitionSystem<'g> {
    ground: &'g Ground,
    /// The facts that can ever hold.
    pub(super) facts: IndexSet<TermId, FxBuildHasher>,
    /// For each fact, whether it holds in the initial state.
    pub(super) initial: Vec<bool>,
    /// For each fact `f`, the sentence `(next f)`.
    pub(super) next: Vec<Option<SentenceId>>,
    /// For each sentence, its atom; `None` for a derived sentence.
    atoms: Vec<Option<AtomId>>,
    /// For each move, its role and its `legal` sentence.
    moves: Vec<(usize, SentenceId)>,
}

impl<'g> TransitionSystem<'g> {
    pub(super) fn new(ground: &'g Ground) -> Self {
        let mut system = Self {
            ground,
            facts: ground.initial.iter().copied().collect(),
            initial: vec![true; ground.initial.len()],
            next: vec![None; ground.initial.len()],
            atoms: vec![None; ground.sentences.len()],
            moves: Vec::new(),
        };
        system.number_facts();
        system.number_moves();
        system
    }

    fn number_facts(&mut self) {
        let ground = self.ground;
        let sources = PropositionRelations::new(&ground.relations);
        for (number, sentence) in (0..).zip(&ground.sentences) {
            if sentence.pred == ground.relations.next {
                let fact = self.fact(sentence.args[0]);
                self.next[fact as usize] = Some(SentenceId(number));
            } else if let Some(Proposition::Base(fact)) = sources.of(sentence, &ground.terms) {
                self.atoms[number as usize] = Some(self.fact(fact));
            }
        }
    }

    fn fact(&mut self, term: TermId) -> AtomId {
        let (fact, is_new) = self.facts.insert_full(term);
        if is_new {
            self.initial.push(false);
            self.next.push(None);
        }
        fact as AtomId
    }

    /// Numbers the moves: those that can be legal. A rule about any other move never applies.
    fn number_moves(&mut self) {
        let ground = self.ground;
        let mut atoms: FxHashMap<(TermId, TermId), AtomId> = FxHashMap::default();
        for (number, sentence) in (0..).zip(&ground.sentences) {
            if sentence.pred != ground.relations.legal {
                continue;
            }
            let (role, subject) = (sentence.args[0], sentence.args[1]);
            if let Some(place) = ground.relations.roles.iter().position(|&of| of == role) {
                atoms.insert((role, subject), self.atom_count() as AtomId);
                self.moves.push((place, SentenceId(number)));
            }
        }
        let sources = PropositionRelations::new(&ground.relations);
        for (number, sentence) in ground.sentences.iter().enumerate() {
            if let Some(Proposition::Input(role, subject)) = sources.of(sentence, &ground.terms) {
                self.atoms[number] = atoms.get(&(role, subject)).copied();
            }
        }
    }

    /// The atoms of these facts, in increasing order.
    pub(super) fn atoms_of(&self, facts: &[TermId]) -> Vec<AtomId> {
        let places = facts
            .iter()
            .filter_map(|fact| self.facts.get_index_of(fact));
        let mut atoms: Vec<AtomId> = places.map(|place| place as AtomId).collect();
        atoms.sort_unstable();
        atoms
    }

    pub(super) fn sentence_count(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn atom_count(&self) -> usize {
        self.facts.len() + self.moves.len()
    }

    /// The sentence `terminal`; `None` if it never holds.
    pub(super) fn terminal(&self) -> Option<SentenceId> {
        let terminal = self.ground.relations.terminal;
        let mut sentences = self.ground.sentences.iter();
        let place = sentences.position(|sentence| sentence.pred == terminal)?;
        Some(SentenceId(place as u32))
    }

    pub(super) fn role_count(&self) -> usize {
        self.ground.relations.roles.len()
    }

    /// The role whose move an atom is; `None` for a fact.
    pub(super) fn role_of(&self, atom: AtomId) -> Option<usize> {
        let place = (atom as usize).checked_sub(self.facts.len())?;
        Some(self.moves[place].0)
    }

    /// The `legal` sentence of a move; `None` for a fact.
    pub(super) fn legality(&self, atom: AtomId) -> Option<SentenceId> {
        let place = (atom as usize).checked_sub(self.facts.len())?;
        Some(self.moves[place].1)
    }

    /// The atom of a sentence; `None` for a derived one.
    pub(super) fn atom_of(&self, sentence: SentenceId) -> Option<AtomId> {
        self.atoms[sentence.0 as usize]
    }

    /// The numbers of the rules with `sentence` as their head.
    pub(super) fn rule_numbers(&self, sentence: SentenceId) -> &[u32] {
        self.ground.by_head.of(sentence)
    }

    pub(super) fn rule(&self, number: u32) -> &'g GroundRule {
        &self.ground.rules[number as usize]
    }

    /// Which derived sentences each sentence depends on.
    pub(super) fn dependencies(&self) -> SentenceDependencies {
        let is_derived = |sentence| self.atom_of(sentence).is_none();
        SentenceDependencies::new(self.ground, is_derived)
    }

    /// The number of rules.
    pub(super) fn rule_count(&self) -> usize {
        self.ground.rules.len()
    }

    /// The rules with `sentence` as their head.
    pub(super) fn rules_of(&self, sentence: SentenceId) -> impl Iterator<Item = &'g GroundRule> {
        self.rule_numbers(sentence)
            .iter()
            .map(|&rule| self.rule(rule))
    }
}
