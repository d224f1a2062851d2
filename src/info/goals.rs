//! What each role needs for each goal, read off the rules.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::datalog::TermId;
use crate::game::{GoalValue, Implicant};
use crate::ground::{Ground, GroundRule, Proposition, PropositionRelations, SentenceId};

/// Finds the ways to goals.
pub(super) struct Goals<'g> {
    ground: &'g Ground,
    sources: PropositionRelations,
    numbers: &'g FxHashMap<TermId, u32>,
    by_head: FxHashMap<SentenceId, Vec<&'g GroundRule>>,
    /// What was found of sentences that follow by rules: the ways in which alone they may hold, if that is known, and
    /// sets of facts each of which is enough.
    ways: FxHashMap<SentenceId, Option<Rc<[Implicant]>>>,
    enough: FxHashMap<SentenceId, Rc<[Facts]>>,
}

/// Facts in increasing order.
type Facts = Vec<u32>;

/// Of what comes about in more ways nothing is known.
const MOST: usize = 1000;
/// A way has so many exceptions at most.
const MOST_EXCEPTIONS: usize = 200;
/// How far conditions are followed.
const DEEPEST: u32 = 24;

impl<'g> Goals<'g> {
    /// Facts go by their `numbers`.
    pub(super) fn new(ground: &'g Ground, numbers: &'g FxHashMap<TermId, u32>) -> Self {
        let mut by_head: FxHashMap<SentenceId, Vec<&GroundRule>> = FxHashMap::default();
        for rule in &ground.rules {
            by_head.entry(rule.head).or_default().push(rule);
        }
        Self {
            ground,
            sources: PropositionRelations::new(&ground.relations),
            numbers,
            by_head,
            ways: FxHashMap::default(),
            enough: FxHashMap::default(),
        }
    }

    /// Per role, the ways to each goal, in increasing order of goals. Exceptions are of facts that need not stay.
    pub(super) fn of_all_roles(mut self) -> Vec<Vec<GoalValue>> {
        let roles = self.ground.relations.roles.clone();
        roles.into_iter().map(|role| self.of_role(role)).collect()
    }

    fn of_role(&mut self, role: TermId) -> Vec<GoalValue> {
        let Ground {
            sentences,
            terms,
            relations,
            ..
        } = self.ground;
        let goals = (0..).zip(sentences).filter_map(|(number, sentence)| {
            let is_own = sentence.pred == relations.goal && sentence.args[0] == role;
            let goal = || terms.text(sentence.args[1]).parse().ok();
            let goal: u8 = is_own.then(goal)??;
            (goal <= 100).then_some((goal, SentenceId(number)))
        });
        let mut goals: Vec<(u8, SentenceId)> = goals.collect();
        goals.sort_unstable();
        let goal_value = |(goal, sentence)| GoalValue {
            goal,
            ways: match self.ways(sentence, DEEPEST) {
                Some(ways) => ways.to_vec(),
                None => vec![Implicant::default()],
            },
        };
        goals.into_iter().map(goal_value).collect()
    }

    /// The ways of one of which a sentence holds if it does; `None` if there are too many.
    fn ways(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[Implicant]>> {
        let deepest = deepest.checked_sub(1)?;
        match self.source(sentence) {
            Some(Proposition::Base(fact)) => {
                let way = Implicant {
                    needs: vec![*self.numbers.get(&fact)?],
                    unless: Vec::new(),
                };
                return Some(Rc::new([way]));
            }
            Some(Proposition::Input(..)) => return None,
            None => {}
        }
        if let Some(found) = self.ways.get(&sentence) {
            return found.clone();
        }
        let ways = self.ways_by_rules(sentence, deepest);
        self.ways.insert(sentence, ways.clone());
        ways
    }

    fn source(&self, sentence: SentenceId) -> Option<Proposition> {
        let row = self.ground.sentences.get_index(sentence.0 as usize)?;
        self.sources.of(row, &self.ground.terms)
    }

    fn ways_by_rules(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[Implicant]>> {
        let mut all = Vec::new();
        for rule in self.by_head.get(&sentence)?.clone() {
            all.extend(self.ways_of_rule(rule, deepest)?);
            if all.len() > MOST {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all.into())
    }

    fn ways_of_rule(&mut self, rule: &GroundRule, deepest: u32) -> Option<Vec<Implicant>> {
        let mut exceptions = Vec::new();
        for condition in &rule.fails {
            exceptions.extend_from_slice(&self.enough(*condition, deepest));
        }
        exceptions.truncate(MOST_EXCEPTIONS);
        let mut all = vec![Implicant {
            needs: Facts::new(),
            unless: exceptions,
        }];
        for condition in &rule.holds {
            let ways = self.ways(*condition, deepest)?;
            if all.len() * ways.len() > MOST {
                return None;
            }
            let pairs = all
                .iter()
                .flat_map(|one| ways.iter().map(move |other| (one, other)));
            all = pairs.map(|(one, other)| both_ways(one, other)).collect();
        }
        Some(all)
    }

    /// Sets of facts each of which is enough for a sentence to hold, as far as rules without exceptions tell.
    fn enough(&mut self, sentence: SentenceId, deepest: u32) -> Rc<[Facts]> {
        let Some(deepest) = deepest.checked_sub(1) else {
            return Rc::default();
        };
        match self.source(sentence) {
            Some(Proposition::Base(fact)) => {
                let number = self.numbers.get(&fact);
                return number.map(|&number| vec![number]).into_iter().collect();
            }
            Some(Proposition::Input(..)) => return Rc::default(),
            None => {}
        }
        if let Some(found) = self.enough.get(&sentence) {
            return Rc::clone(found);
        }
        let rules = self.by_head.get(&sentence).cloned().unwrap_or_default();
        let mut all = Vec::new();
        for rule in rules.into_iter().filter(|rule| rule.fails.is_empty()) {
            all.extend(self.enough_for_rule(rule, deepest));
            all.truncate(MOST);
        }
        all.sort_unstable();
        all.dedup();
        let all: Rc<[Facts]> = all.into();
        self.enough.insert(sentence, Rc::clone(&all));
        all
    }

    fn enough_for_rule(&mut self, rule: &GroundRule, deepest: u32) -> Vec<Facts> {
        let mut all = vec![Facts::new()];
        for condition in &rule.holds {
            let sets = self.enough(*condition, deepest);
            let pairs = all
                .iter()
                .flat_map(|one| sets.iter().map(move |other| (one, other)));
            all = pairs
                .map(|(one, other)| both(one, other))
                .take(MOST)
                .collect();
        }
        all
    }
}

fn both_ways(one: &Implicant, other: &Implicant) -> Implicant {
    let mut unless = [&one.unless[..], &other.unless].concat();
    unless.truncate(MOST_EXCEPTIONS);
    Implicant {
        needs: both(&one.needs, &other.needs),
        unless,
    }
}

fn both(one: &Facts, other: &Facts) -> Facts {
    let mut facts = [&one[..], other].concat();
    facts.sort_unstable();
    facts.dedup();
    facts
}
