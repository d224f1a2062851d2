//! The implicants of each goal of each role, read off the ground rules.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::datalog::TermId;
use crate::game::{GoalValue, Implicant};
use crate::ground::{Ground, GroundRule, Proposition, PropositionRelations, SentenceId};

/// Finds the implicants of goals.
pub(super) struct Goals<'g> {
    ground: &'g Ground,
    sources: PropositionRelations,
    numbers: &'g FxHashMap<TermId, u32>,
    /// Per sentence that follows by rules: implicants one of which holds whenever it does (`None`: unknown), and sets of
    /// facts each of which is sufficient for it.
    implicants: FxHashMap<SentenceId, Option<Rc<[Implicant]>>>,
    sufficient: FxHashMap<SentenceId, Rc<[FactSet]>>,
}

/// Facts in increasing order.
type FactSet = Vec<u32>;

/// A sentence with more implicants counts as unknown.
const MOST_IMPLICANTS: usize = 1000;
/// The most exceptions of an implicant; further ones are dropped.
const MOST_EXCEPTIONS: usize = 200;
/// How many rules deep conditions are followed.
const DEEPEST: u32 = 24;

impl<'g> Goals<'g> {
    /// Facts go by their `numbers`.
    pub(super) fn new(ground: &'g Ground, numbers: &'g FxHashMap<TermId, u32>) -> Self {
        Self {
            ground,
            sources: PropositionRelations::new(&ground.relations),
            numbers,
            implicants: FxHashMap::default(),
            sufficient: FxHashMap::default(),
        }
    }

    /// Per role, the implicants of each goal, in increasing order of goals. Exceptions may name facts that do not persist.
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
            implicants: match self.implicants(sentence, DEEPEST) {
                Some(implicants) => implicants.to_vec(),
                None => vec![Implicant::default()],
            },
        };
        goals.into_iter().map(goal_value).collect()
    }

    /// Implicants one of which holds whenever the sentence does; `None` if there are too many.
    fn implicants(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[Implicant]>> {
        let deepest = deepest.checked_sub(1)?;
        match self.source(sentence) {
            Some(Proposition::Base(fact)) => {
                let implicant = Implicant {
                    needs: vec![*self.numbers.get(&fact)?],
                    unless: Vec::new(),
                };
                return Some(Rc::new([implicant]));
            }
            Some(Proposition::Input(..)) => return None,
            None => {}
        }
        if let Some(found) = self.implicants.get(&sentence) {
            return found.clone();
        }
        let implicants = self.implicants_by_rules(sentence, deepest);
        self.implicants.insert(sentence, implicants.clone());
        implicants
    }

    fn rules_of(
        &self,
        sentence: SentenceId,
    ) -> impl ExactSizeIterator<Item = &'g GroundRule> + use<'g> {
        let ground = self.ground;
        let rules = ground.by_head.of(sentence).iter();
        rules.map(|&number| &ground.rules[number as usize])
    }

    fn source(&self, sentence: SentenceId) -> Option<Proposition> {
        let row = self.ground.sentences.get_index(sentence.0 as usize)?;
        self.sources.of(row, &self.ground.terms)
    }

    fn implicants_by_rules(
        &mut self,
        sentence: SentenceId,
        deepest: u32,
    ) -> Option<Rc<[Implicant]>> {
        let mut all = Vec::new();
        let rules = self.rules_of(sentence);
        if rules.len() == 0 {
            return None;
        }
        for rule in rules {
            all.extend(self.implicants_of_rule(rule, deepest)?);
            if all.len() > MOST_IMPLICANTS {
                return None;
            }
        }
        all.sort_unstable();
        all.dedup();
        Some(all.into())
    }

    fn implicants_of_rule(&mut self, rule: &GroundRule, deepest: u32) -> Option<Vec<Implicant>> {
        let mut exceptions = Vec::new();
        for condition in &rule.fails {
            exceptions.extend_from_slice(&self.sufficient(*condition, deepest));
            if exceptions.len() >= MOST_EXCEPTIONS {
                break;
            }
        }
        exceptions.truncate(MOST_EXCEPTIONS);
        let mut all = vec![Implicant {
            needs: FactSet::new(),
            unless: exceptions,
        }];
        for condition in &rule.holds {
            let implicants = self.implicants(*condition, deepest)?;
            if all.len() * implicants.len() > MOST_IMPLICANTS {
                return None;
            }
            let pairs = all
                .iter()
                .flat_map(|one| implicants.iter().map(move |other| (one, other)));
            all = pairs.map(|(one, other)| conjunction(one, other)).collect();
        }
        Some(all)
    }

    /// Sets of facts each of which is enough for a sentence to hold, as far as rules without exceptions tell.
    fn sufficient(&mut self, sentence: SentenceId, deepest: u32) -> Rc<[FactSet]> {
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
        if let Some(found) = self.sufficient.get(&sentence) {
            return Rc::clone(found);
        }
        let mut all = Vec::new();
        let rules = self.rules_of(sentence);
        for rule in rules.filter(|rule| rule.fails.is_empty()) {
            all.extend(self.sufficient_of_rule(rule, deepest));
            if all.len() >= MOST_IMPLICANTS {
                all.truncate(MOST_IMPLICANTS);
                break;
            }
        }
        all.sort_unstable();
        all.dedup();
        let all: Rc<[FactSet]> = all.into();
        self.sufficient.insert(sentence, Rc::clone(&all));
        all
    }

    fn sufficient_of_rule(&mut self, rule: &GroundRule, deepest: u32) -> Vec<FactSet> {
        let mut all = vec![FactSet::new()];
        for condition in &rule.holds {
            let sets = self.sufficient(*condition, deepest);
            let pairs = all
                .iter()
                .flat_map(|one| sets.iter().map(move |other| (one, other)));
            all = pairs
                .map(|(one, other)| both(one, other))
                .take(MOST_IMPLICANTS)
                .collect();
        }
        all
    }
}

fn conjunction(one: &Implicant, other: &Implicant) -> Implicant {
    let mut unless = [&one.unless[..], &other.unless].concat();
    unless.truncate(MOST_EXCEPTIONS);
    Implicant {
        needs: both(&one.needs, &other.needs),
        unless,
    }
}

fn both(one: &FactSet, other: &FactSet) -> FactSet {
    let mut facts = [&one[..], other].concat();
    facts.sort_unstable();
    facts.dedup();
    facts
}
