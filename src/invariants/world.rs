//! The ground rules as a proof reads them: facts and moves numbered as atoms, and the rules of each sentence.

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::datalog::TermId;
use crate::ground::{Ground, GroundRule, SentenceId, Source, Sources};

/// A fact of the state at hand, or the move of a role: facts come first, in the order of [`World::facts`].
pub(super) type Atom = u32;

pub(super) struct World<'g> {
    ground: &'g Ground,
    /// The facts that can ever hold.
    pub(super) facts: IndexSet<TermId, FxBuildHasher>,
    /// For each fact, whether it holds at the start.
    pub(super) initial: Vec<bool>,
    /// For each fact, the sentence that it holds next.
    pub(super) next: Vec<Option<SentenceId>>,
    /// For each sentence, the atom it speaks of; `None` for one that follows by rules.
    atoms: Vec<Option<Atom>>,
    /// For each move, its role and the sentence that it is legal.
    moves: Vec<(usize, SentenceId)>,
    rules_of: Vec<Vec<u32>>,
}

impl<'g> World<'g> {
    pub(super) fn new(ground: &'g Ground) -> Self {
        let mut world = Self {
            ground,
            facts: ground.initial.iter().copied().collect(),
            initial: vec![true; ground.initial.len()],
            next: vec![None; ground.initial.len()],
            atoms: vec![None; ground.sentences.len()],
            moves: Vec::new(),
            rules_of: vec![Vec::new(); ground.sentences.len()],
        };
        for (number, rule) in (0..).zip(&ground.rules) {
            world.rules_of[rule.head.0 as usize].push(number);
        }
        world.number_facts();
        world.number_moves();
        world
    }

    fn number_facts(&mut self) {
        let ground = self.ground;
        let sources = Sources::new(&ground.words);
        for (number, sentence) in (0..).zip(&ground.sentences) {
            if sentence.pred == ground.words.next {
                let fact = self.fact(sentence.args[0]);
                self.next[fact as usize] = Some(SentenceId(number));
            } else if let Some(Source::State(fact)) = sources.of(sentence, &ground.terms) {
                self.atoms[number as usize] = Some(self.fact(fact));
            }
        }
    }

    fn fact(&mut self, term: TermId) -> Atom {
        let (fact, is_new) = self.facts.insert_full(term);
        if is_new {
            self.initial.push(false);
            self.next.push(None);
        }
        fact as Atom
    }

    /// Every legal move can be made, so that each move that rules speak of has a number.
    fn number_moves(&mut self) {
        let ground = self.ground;
        let mut atoms: FxHashMap<(TermId, TermId), Atom> = FxHashMap::default();
        for (number, sentence) in (0..).zip(&ground.sentences) {
            if sentence.pred != ground.words.legal {
                continue;
            }
            let (role, subject) = (sentence.args[0], sentence.args[1]);
            if let Some(place) = ground.words.roles.iter().position(|&of| of == role) {
                atoms.insert((role, subject), self.atom_count() as Atom);
                self.moves.push((place, SentenceId(number)));
            }
        }
        let sources = Sources::new(&ground.words);
        for (number, sentence) in ground.sentences.iter().enumerate() {
            if let Some(Source::JointMove(role, subject)) = sources.of(sentence, &ground.terms) {
                self.atoms[number] = atoms.get(&(role, subject)).copied();
            }
        }
    }

    pub(super) fn sentence_count(&self) -> usize {
        self.atoms.len()
    }

    pub(super) fn atom_count(&self) -> usize {
        self.facts.len() + self.moves.len()
    }

    /// The sentence that the game is over; `None` if it never is.
    pub(super) fn terminal(&self) -> Option<SentenceId> {
        let terminal = self.ground.words.terminal;
        let mut sentences = self.ground.sentences.iter();
        let place = sentences.position(|sentence| sentence.pred == terminal)?;
        Some(SentenceId(place as u32))
    }

    pub(super) fn role_count(&self) -> usize {
        self.ground.words.roles.len()
    }

    /// The role whose move an atom is; `None` for a fact.
    pub(super) fn role_of(&self, atom: Atom) -> Option<usize> {
        let place = (atom as usize).checked_sub(self.facts.len())?;
        Some(self.moves[place].0)
    }

    /// The sentence that a move is legal; `None` for a fact.
    pub(super) fn legality(&self, atom: Atom) -> Option<SentenceId> {
        let place = (atom as usize).checked_sub(self.facts.len())?;
        Some(self.moves[place].1)
    }

    /// The atom that a sentence speaks of; `None` for one that follows by rules.
    pub(super) fn atom_of(&self, sentence: SentenceId) -> Option<Atom> {
        self.atoms[sentence.0 as usize]
    }

    /// The numbers of the rules with `sentence` as their head.
    pub(super) fn rule_numbers(&self, sentence: SentenceId) -> &[u32] {
        &self.rules_of[sentence.0 as usize]
    }

    pub(super) fn rule(&self, number: u32) -> &'g GroundRule {
        &self.ground.rules[number as usize]
    }

    /// The rules with `sentence` as their head.
    pub(super) fn rules_of(&self, sentence: SentenceId) -> impl Iterator<Item = &'g GroundRule> {
        self.rule_numbers(sentence)
            .iter()
            .map(|&rule| self.rule(rule))
    }
}
