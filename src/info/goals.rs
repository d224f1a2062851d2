//! The implicants of each goal of each role, read off the ground rules.

use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

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
    implicants: FxHashMap<SentenceId, Option<Rc<[FoundImplicant]>>>,
    sufficient: FxHashMap<SentenceId, Rc<[FactSetId]>>,
    /// The sufficient sets, of which most are exceptions of many implicants.
    sets: IndexSet<FactSet, FxBuildHasher>,
}

/// Facts in increasing order.
type FactSet = Vec<u32>;

/// The number of a set in [`Goals::sets`].
type FactSetId = u32;

/// An implicant with the numbers of its exceptions.
#[derive(Clone, PartialEq, Eq)]
struct FoundImplicant {
    needs: FactSet,
    unless: Rc<[FactSetId]>,
}

/// A goal of a role, and its implicants if anything is known of it.
struct FoundGoal {
    goal: u8,
    implicants: Option<Rc<[FoundImplicant]>>,
}

/// The goals of all roles. The exceptions of their implicants may name facts that do not persist.
pub(super) struct FoundGoals {
    of_roles: Vec<Vec<FoundGoal>>,
    sets: IndexSet<FactSet, FxBuildHasher>,
}

impl FoundGoals {
    fn implicants(&self) -> impl Iterator<Item = &FoundImplicant> {
        let goals = self.of_roles.iter().flatten();
        goals.filter_map(|of| of.implicants.as_deref()).flatten()
    }

    /// The facts that implicants need.
    pub(super) fn needed(&self) -> FxHashSet<u32> {
        let needs = self.implicants().flat_map(|implicant| &implicant.needs);
        needs.copied().collect()
    }

    /// The facts of all exceptions.
    pub(super) fn excepted(&self) -> FxHashSet<u32> {
        let exceptions = self.implicants().flat_map(|of| of.unless.iter().copied());
        let exceptions: FxHashSet<FactSetId> = exceptions.collect();
        let facts = exceptions.iter().flat_map(|&set| &self.sets[set as usize]);
        facts.copied().collect()
    }

    /// The values of the goals, per role and in increasing order, with those exceptions that have only facts that persist.
    pub(super) fn values(&self, persists: impl Fn(u32) -> bool) -> Vec<Vec<GoalValue>> {
        let sets = self.sets.iter();
        let kept = sets.map(|set| set.iter().all(|&fact| persists(fact)).then_some(set));
        let kept: Vec<Option<&FactSet>> = kept.collect();
        let unless = |found: &FoundImplicant| {
            let unless = found.unless.iter().filter_map(|&set| kept[set as usize]);
            unless.cloned().collect()
        };
        let implicant = |found: &FoundImplicant| Implicant {
            needs: found.needs.clone(),
            unless: unless(found),
        };
        let value = |found: &FoundGoal| GoalValue {
            goal: found.goal,
            implicants: match &found.implicants {
                Some(found) => found.iter().map(implicant).collect(),
                None => vec![Implicant::default()],
            },
        };
        let of_roles = self.of_roles.iter();
        of_roles
            .map(|goals| goals.iter().map(value).collect())
            .collect()
    }
}

/// The goals that a role can have, in increasing order, with the sentences that give them.
pub(super) fn goals_of(ground: &Ground, role: TermId) -> Vec<(u8, SentenceId)> {
    let Ground {
        sentences,
        terms,
        relations,
        ..
    } = ground;
    let goals = (0..).zip(sentences).filter_map(|(number, sentence)| {
        let is_own = sentence.pred == relations.goal && sentence.args[0] == role;
        let goal = || terms.text(sentence.args[1]).parse().ok();
        let goal: u8 = is_own.then(goal)??;
        (goal <= 100).then_some((goal, SentenceId(number)))
    });
    let mut goals: Vec<(u8, SentenceId)> = goals.collect();
    goals.sort_unstable();
    goals
}

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
            sets: IndexSet::default(),
        }
    }

    /// Per role, the implicants of each goal, in increasing order of goals.
    pub(super) fn of_all_roles(mut self) -> FoundGoals {
        let roles = self.ground.relations.roles.clone();
        FoundGoals {
            of_roles: roles.into_iter().map(|role| self.of_role(role)).collect(),
            sets: self.sets,
        }
    }

    fn of_role(&mut self, role: TermId) -> Vec<FoundGoal> {
        let goals = goals_of(self.ground, role).into_iter();
        goals
            .map(|(goal, sentence)| FoundGoal {
                goal,
                implicants: self.implicants(sentence, DEEPEST),
            })
            .collect()
    }

    fn set(&self, number: FactSetId) -> &FactSet {
        &self.sets[number as usize]
    }

    fn exceptions(&self, implicant: &FoundImplicant) -> impl Iterator<Item = &FactSet> {
        let unless = implicant.unless.iter();
        unless.map(|&set| self.set(set))
    }

    /// Implicants one of which holds whenever the sentence does; `None` if there are too many.
    fn implicants(&mut self, sentence: SentenceId, deepest: u32) -> Option<Rc<[FoundImplicant]>> {
        let deepest = deepest.checked_sub(1)?;
        match self.source(sentence) {
            Some(Proposition::Base(fact)) => {
                let implicant = FoundImplicant {
                    needs: vec![*self.numbers.get(&fact)?],
                    unless: Rc::default(),
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
    ) -> Option<Rc<[FoundImplicant]>> {
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
        all.sort_unstable_by(|one, other| {
            let by_facts = || self.exceptions(one).cmp(self.exceptions(other));
            one.needs.cmp(&other.needs).then_with(by_facts)
        });
        all.dedup();
        Some(all.into())
    }

    fn implicants_of_rule(
        &mut self,
        rule: &GroundRule,
        deepest: u32,
    ) -> Option<Vec<FoundImplicant>> {
        let mut exceptions = Vec::new();
        for condition in &rule.fails {
            exceptions.extend_from_slice(&self.sufficient(*condition, deepest));
            if exceptions.len() >= MOST_EXCEPTIONS {
                break;
            }
        }
        exceptions.truncate(MOST_EXCEPTIONS);
        let mut all = vec![FoundImplicant {
            needs: FactSet::new(),
            unless: exceptions.into(),
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

    /// The numbers of sets of facts each of which is enough for a sentence to hold, as far as rules without exceptions tell.
    fn sufficient(&mut self, sentence: SentenceId, deepest: u32) -> Rc<[FactSetId]> {
        let Some(deepest) = deepest.checked_sub(1) else {
            return Rc::default();
        };
        match self.source(sentence) {
            Some(Proposition::Base(fact)) => {
                let number = self.numbers.get(&fact);
                return self.interned(number.map(|&number| vec![number]));
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
        let all = self.interned(all);
        self.sufficient.insert(sentence, Rc::clone(&all));
        all
    }

    /// The numbers of these sets.
    fn interned(&mut self, sets: impl IntoIterator<Item = FactSet>) -> Rc<[FactSetId]> {
        let sets = sets.into_iter();
        sets.map(|set| self.sets.insert_full(set).0 as FactSetId)
            .collect()
    }

    fn sufficient_of_rule(&mut self, rule: &GroundRule, deepest: u32) -> Vec<FactSet> {
        let mut all = vec![FactSet::new()];
        for condition in &rule.holds {
            let sets = self.sufficient(*condition, deepest);
            let sets = || sets.iter().map(|&set| self.set(set));
            let pairs = all
                .iter()
                .flat_map(|one| sets().map(move |other| (one, other)));
            all = pairs
                .map(|(one, other)| both(one, other))
                .take(MOST_IMPLICANTS)
                .collect();
        }
        all
    }
}

fn conjunction(one: &FoundImplicant, other: &FoundImplicant) -> FoundImplicant {
    let unless = match [&one.unless, &other.unless] {
        [all, none] | [none, all] if none.is_empty() => Rc::clone(all),
        [one, other] => {
            let all = one.iter().chain(other.iter()).copied();
            all.take(MOST_EXCEPTIONS).collect()
        }
    };
    FoundImplicant {
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
