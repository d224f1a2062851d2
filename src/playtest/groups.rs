//! Facts of which one should hold at a time: one content on a square, one player in control, one number on a counter.
//!
//! Candidates are read off the first state, and watched: which of them broke is decided in `broken_groups`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::facts::{FactId, FactTable, WordId};
use super::games::PlayedStep;
use super::orders::OrderWatch;
use super::start::TokenWatch;
use super::vanished::Vanished;
use crate::engine::NearMiss;
use crate::gdl::{self, MOST_ARGUMENTS};
use crate::kif::GroundTerm;

/// The arguments in which the facts of a group agree.
pub(super) type Key = Vec<WordId>;
/// The arguments in which they differ.
pub(super) type Content = Vec<WordId>;

/// What kind of groups a relation has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum GroupKind {
    /// Many places, each with a content: a board.
    Places,
    /// One value, or one for each role: whose turn it is, a counter, a score.
    Register,
    /// One number for each of several things: heaps, stocks.
    Numbers,
}

/// The groups of one relation: its facts agree in some arguments, and exactly one fact of each group held at the start.
#[derive(Debug)]
pub(super) struct Groups {
    pub(super) functor: WordId,
    pub(super) kind: GroupKind,
    /// The arguments in which the facts of a group agree.
    pub(super) fixed: Vec<usize>,
    /// Those in which they differ.
    pub(super) open: Vec<usize>,
    pub(super) keys: FxHashSet<Key>,
    /// Whether a fact was met that belongs to none of the groups of the start.
    pub(super) has_new_keys: bool,
    /// How often a group kept its fact or got another one.
    pub(super) kept: u64,
    pub(super) changed: u64,
    /// By content: how often it was replaced by another, and how often by nothing.
    pub(super) replaced: FxHashMap<Content, u64>,
    pub(super) lost: FxHashMap<Content, u64>,
    /// How often a group has a fact again that had none before.
    pub(super) regained: u64,
    /// How often a group was lost that the moves do not name.
    pub(super) lost_apart: u64,
    pub(super) doubled: u64,
    /// The first steps in which that happened.
    pub(super) first_lost: Option<Broken>,
    /// The first step that ends a game and loses a group.
    pub(super) first_lost_at_end: Option<Broken>,
    pub(super) first_lost_apart: Option<Broken>,
    pub(super) first_doubled: Option<Broken>,
    pub(super) vanished: Vanished,
}

/// A step that breaks a group.
#[derive(Debug, Clone)]
pub(super) struct Broken {
    pub(super) step: PlayedStep,
    pub(super) key: Key,
    pub(super) before: Content,
    pub(super) after: Vec<Content>,
    /// A group of the same relation that was lost in the same step, and whose key has the same words in another order.
    pub(super) mirrored: Option<Key>,
}

/// Watches the groups of all relations.
#[derive(Debug, Default)]
pub(super) struct GroupWatch {
    pub(super) table: FactTable,
    pub(super) groups: Vec<Groups>,
    pub(super) tokens: TokenWatch,
    pub(super) orders: OrderWatch,
    roles: Vec<WordId>,
}

impl GroupWatch {
    /// Groups that the first state suggests.
    pub(super) fn new(facts: &[String], roles: &[String]) -> Self {
        let mut watch = Self::default();
        watch.roles = roles.iter().map(|role| watch.table.word(role)).collect();
        let facts = watch.table.numbers(facts);
        watch.tokens = TokenWatch::new(&watch.table, &facts);
        for ((functor, arity), facts) in watch.table.by_relation(&facts) {
            if (1..=MOST_ARGUMENTS).contains(&arity) {
                watch.suggest(functor, arity, &facts);
            }
        }
        watch
    }

    /// The coarsest groups of a relation of which each has one fact.
    fn suggest(&mut self, functor: WordId, arity: usize, facts: &[FactId]) {
        let mut found: Vec<Vec<usize>> = Vec::new();
        for (fixed, open) in gdl::argument_choices(arity) {
            let is_finer = |coarser: &Vec<usize>| coarser.iter().all(|one| fixed.contains(one));
            if found.iter().any(is_finer) {
                continue;
            }
            let keys = facts.iter().map(|&fact| self.part(fact, &fixed));
            let keys: FxHashSet<Key> = keys.collect();
            if keys.len() == facts.len() {
                found.push(fixed.clone());
                self.add(functor, (fixed, open), keys, facts);
            }
        }
    }

    fn add(
        &mut self,
        functor: WordId,
        (fixed, open): (Vec<usize>, Vec<usize>),
        keys: FxHashSet<Key>,
        facts: &[FactId],
    ) {
        let of_role = |key: &Key| key.len() == 1 && self.roles.contains(&key[0]);
        let kind = match keys.len() {
            1 if fixed.is_empty() => GroupKind::Register,
            _ if keys.iter().all(of_role) => GroupKind::Register,
            _ if self.are_places(&fixed, &open, facts) => GroupKind::Places,
            _ if self.are_numbers(&open, facts) => GroupKind::Numbers,
            _ => return,
        };
        self.groups.push(Groups {
            functor,
            kind,
            fixed,
            open,
            keys,
            has_new_keys: false,
            kept: 0,
            changed: 0,
            replaced: FxHashMap::default(),
            lost: FxHashMap::default(),
            regained: 0,
            lost_apart: 0,
            doubled: 0,
            first_lost: None,
            first_lost_at_end: None,
            first_lost_apart: None,
            first_doubled: None,
            vanished: Vanished::default(),
        });
    }

    fn are_numbers(&self, open: &[usize], facts: &[FactId]) -> bool {
        let number = |word: &WordId| self.table.text(*word).parse::<u64>().is_ok();
        open.len() == 1
            && facts
                .iter()
                .all(|&fact| self.part(fact, open).iter().all(number))
    }

    fn are_places(&self, fixed: &[usize], open: &[usize], facts: &[FactId]) -> bool {
        let is_role = |word| self.is_role(word);
        gdl::are_places(&self.arguments(facts), (fixed, open), is_role)
    }

    fn arguments(&self, facts: &[FactId]) -> Vec<&[WordId]> {
        let args = facts.iter().map(|&fact| &self.table.parts(fact).args[..]);
        args.collect()
    }

    fn part(&self, fact: FactId, arguments: &[usize]) -> Vec<WordId> {
        let args = &self.table.parts(fact).args;
        arguments.iter().map(|&argument| args[argument]).collect()
    }

    /// Another game begins.
    pub(super) fn begin(&mut self) {
        self.table.begin();
    }

    /// Looks at a step. The last one of a game is left out, but for facts that vanish all together: what else holds after
    /// its end is of no use to anybody.
    pub(super) fn see(&mut self, step: &PlayedStep) {
        let before = self.table.numbers(&step.before.facts());
        let after = self.table.numbers(&step.after.facts());
        self.orders.see(&self.table, step, &after);
        let is_last = step.after.is_terminal();
        if !is_last {
            self.tokens.see(&self.table, &before, &after);
        }
        let moves: FxHashSet<WordId> = step
            .joint
            .iter()
            .flat_map(|mv| self.table.words_in(mv))
            .collect();
        for number in 0..self.groups.len() {
            let held = self.contents(number, &before);
            let holds = self.contents(number, &after);
            let groups = &mut self.groups[number];
            groups.vanished.see(step, &held, &holds);
            match is_last {
                true => groups.see_last(step, &held, &holds),
                false => groups.see(step, &held, &holds, &moves),
            }
        }
    }

    fn contents(&self, number: usize, facts: &[FactId]) -> FxHashMap<Key, Vec<Content>> {
        let groups = &self.groups[number];
        let arity = groups.fixed.len() + groups.open.len();
        let mut contents: FxHashMap<Key, Vec<Content>> = FxHashMap::default();
        for &fact in facts {
            let parts = self.table.parts(fact);
            if parts.functor == groups.functor && parts.args.len() == arity {
                let key = self.part(fact, &groups.fixed);
                let content = self.part(fact, &groups.open);
                contents.entry(key).or_default().push(content);
            }
        }
        contents
    }

    /// Whether a word is a role.
    pub(super) fn is_role(&self, word: WordId) -> bool {
        self.roles.contains(&word)
    }

    /// A fact of a group, with `?` for what is not given.
    pub(super) fn fact_text(
        &self,
        groups: &Groups,
        key: &Key,
        content: Option<&Content>,
    ) -> String {
        let arity = groups.fixed.len() + groups.open.len();
        let mut args = vec!["?"; arity];
        for (&place, &word) in groups.fixed.iter().zip(key) {
            args[place] = self.table.text(word);
        }
        for (&place, &word) in groups.open.iter().zip(content.into_iter().flatten()) {
            args[place] = self.table.text(word);
        }
        format!("({} {})", self.table.text(groups.functor), args.join(" "))
    }

    /// A fact of a group whatever its content.
    pub(super) fn fact_term(&self, groups: &Groups, key: &Key) -> GroundTerm {
        let mut args = vec![NearMiss::any(); groups.fixed.len() + groups.open.len()];
        for (&place, &word) in groups.fixed.iter().zip(key) {
            let text = self.table.text(word);
            let constant = |_| GroundTerm::Constant(text.to_owned());
            args[place] = text.parse().unwrap_or_else(constant);
        }
        GroundTerm::Compound(self.table.text(groups.functor).to_owned(), args)
    }

    /// A content, as people say it.
    pub(super) fn content_text(&self, content: &Content) -> String {
        let words: Vec<&str> = content.iter().map(|&word| self.table.text(word)).collect();
        words.join(" ")
    }

    /// What a group is about, as people say it: `cell 1 2`, `control`.
    pub(super) fn subject(&self, groups: &Groups, key: &Key) -> String {
        let words = key.iter().map(|&word| self.table.text(word));
        let words = std::iter::once(self.table.text(groups.functor)).chain(words);
        words.collect::<Vec<&str>>().join(" ")
    }
}

impl Groups {
    fn see(
        &mut self,
        step: &PlayedStep,
        held: &FxHashMap<Key, Vec<Content>>,
        holds: &FxHashMap<Key, Vec<Content>>,
        moves: &FxHashSet<WordId>,
    ) {
        // A board that goes as a whole is put away on purpose, as between two games in one.
        if self.kind == GroupKind::Places && holds.is_empty() && self.kept > 0 {
            return;
        }
        self.has_new_keys |= holds.keys().any(|key| !self.keys.contains(key));
        let is_regained = |key: &&Key| !held.contains_key(*key);
        self.regained += holds.keys().filter(is_regained).count() as u64;
        let mut lost: Vec<&Key> = Vec::new();
        let mut doubled: Vec<&Key> = Vec::new();
        // What had no fact at the start may have as many as it likes.
        let mut keys: Vec<&Key> = held.keys().filter(|key| self.keys.contains(*key)).collect();
        keys.sort_unstable();
        for key in keys {
            let [before] = &held[key][..] else { continue };
            match holds.get(key).map(Vec::as_slice) {
                None => {
                    lost.push(key);
                    *self.lost.entry(before.clone()).or_default() += 1;
                    let broken = || Broken::new(step, key, before, &[]);
                    self.first_lost.get_or_insert_with(broken);
                    if !key.iter().all(|word| moves.contains(word)) {
                        self.lost_apart += 1;
                        self.first_lost_apart.get_or_insert_with(broken);
                    }
                }
                Some([after]) if after == before => self.kept += 1,
                Some([_]) => {
                    self.changed += 1;
                    *self.replaced.entry(before.clone()).or_default() += 1;
                }
                Some(after) => {
                    doubled.push(key);
                    self.doubled += 1;
                    let broken = || Broken::new(step, key, before, after);
                    self.first_doubled.get_or_insert_with(broken);
                }
            }
        }
        self.note_mirrored(step, held, holds, (&lost, &doubled));
    }

    /// Looks at a step that ends a game.
    fn see_last(
        &mut self,
        step: &PlayedStep,
        held: &FxHashMap<Key, Vec<Content>>,
        holds: &FxHashMap<Key, Vec<Content>>,
    ) {
        let single = held
            .iter()
            .filter(|(key, held)| held.len() == 1 && !holds.contains_key(*key));
        if let Some((key, held)) = single.min_by_key(|(key, _)| *key) {
            let broken = || Broken::new(step, key, &held[0], &[]);
            self.first_lost_at_end.get_or_insert_with(broken);
        }
    }

    /// Notes where one group was lost and another doubled whose keys are the same words in another order.
    fn note_mirrored(
        &mut self,
        step: &PlayedStep,
        held: &FxHashMap<Key, Vec<Content>>,
        holds: &FxHashMap<Key, Vec<Content>>,
        (lost, doubled): (&[&Key], &[&Key]),
    ) {
        let first = self.first_doubled.as_ref();
        if first.is_none_or(|first| first.mirrored.is_some()) {
            return;
        }
        let sorted = |key: &Key| {
            let mut sorted = key.clone();
            sorted.sort_unstable();
            sorted
        };
        let mirror = |key: &Key| lost.iter().find(|one| sorted(one) == sorted(key));
        let Some((key, mirrored)) = doubled.iter().find_map(|key| Some((*key, *mirror(key)?)))
        else {
            return;
        };
        // This step tells more than the first one did.
        let mut telling = Broken::new(step, key, &held[key][0], &holds[key]);
        telling.mirrored = Some(mirrored.clone());
        self.first_doubled = Some(telling);
    }
}

impl Broken {
    pub(super) fn new(step: &PlayedStep, key: &Key, before: &Content, after: &[Content]) -> Self {
        Self {
            step: step.clone(),
            key: key.clone(),
            before: before.clone(),
            after: after.to_vec(),
            mirrored: None,
        }
    }
}
