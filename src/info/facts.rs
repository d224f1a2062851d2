//! The game facts, read off the rules.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use super::goals::{FoundGoals, Goals};
use super::goals_without_own::goals_without_own;
use crate::datalog::{EvaluationLimits, TermId};
use crate::game::GameFacts;
use crate::gdl::{Rules, Term};
use crate::ground::{Ground, ground, startup_limits};
use crate::invariants::{MutexGroup, mutex_groups, persistent};
use crate::propnet::Interface;
use crate::util::StopFlag;

/// Longer is not waited for the game facts of a game that runs without one.
const TIME: Duration = Duration::from_secs(4);

/// The game facts of a game, if its rules ground with little effort.
pub fn game_facts_of(rules: &Rules) -> Option<GameFacts> {
    let limits = EvaluationLimits {
        time: TIME,
        ..startup_limits(StopFlag::default())
    };
    let ground = ground(rules, &limits).ok()?;
    let groups = mutex_groups(&ground);
    Some(game_facts(
        rules,
        &ground,
        &groups,
        &Interface::new(&ground),
    ))
}

/// The game facts of a game that was grounded.
pub fn game_facts(
    rules: &Rules,
    ground: &Ground,
    mutex_groups: &[MutexGroup],
    interface: &Interface,
) -> GameFacts {
    let numbers: FxHashMap<TermId, u32> = interface.fluents.iter().copied().zip(0..).collect();
    let initial = interface.initial.iter().zip(0..);
    let numbered = |group: &MutexGroup| {
        let facts = group.facts.iter();
        let facts = facts.filter_map(|fact| numbers.get(fact).copied());
        (facts.collect::<Vec<u32>>(), group.exactly_one)
    };
    let groups = mutex_groups.iter().map(numbered);
    let (groups, exactly_one): (Vec<Vec<u32>>, Vec<bool>) =
        groups.filter(|(facts, _)| facts.len() > 1).unzip();
    let fluents = interface.fluents.iter();
    let goals = Goals::new(ground, &numbers).of_all_roles();
    let persistent = persistent_facts(ground, mutex_groups, interface, &goals);
    GameFacts {
        facts: fluents.map(|&fluent| ground.terms.text(fluent)).collect(),
        initial: initial
            .filter(|(holds, _)| **holds)
            .map(|(_, number)| number)
            .collect(),
        exactly_one: (0..groups.len())
            .filter(|&group| exactly_one[group])
            .collect(),
        mutex_groups: groups,
        successor_orders: successor_orders(rules),
        goals: goals.values(|fact| persistent.binary_search(&fact).is_ok()),
        goals_without_own: goals_without_own(ground),
        persistent,
    }
}

/// The persistent facts among those that can block an implicant of some goal.
fn persistent_facts(
    ground: &Ground,
    mutex_groups: &[MutexGroup],
    interface: &Interface,
    goals: &FoundGoals,
) -> Vec<u32> {
    let fact = |number: u32| interface.fluents[number as usize];
    let needed: FxHashSet<TermId> = goals.needed().into_iter().map(fact).collect();
    let groups = mutex_groups.iter();
    let blocking = groups.filter(|group| group.facts.iter().any(|fact| needed.contains(fact)));
    let mut blockers: FxHashSet<TermId> = goals.excepted().into_iter().map(fact).collect();
    blockers.extend(blocking.flat_map(|group| &group.facts));

    let (numbers, facts): (Vec<u32>, Vec<TermId>) = (0..)
        .zip(&interface.fluents)
        .filter(|(_, fact)| blockers.contains(fact))
        .unzip();
    let proved: FxHashSet<TermId> = persistent(ground, mutex_groups, &facts)
        .into_iter()
        .collect();
    let numbered = numbers.into_iter().zip(&facts);
    let numbered = numbered.filter(|(_, fact)| proved.contains(fact));
    numbered.map(|(number, _)| number).collect()
}

/// Successor orders: facts of binary relations that lead from each term to at most one other, through all of
/// them.
pub fn successor_orders(rules: &Rules) -> Vec<Vec<String>> {
    let mut relations: Vec<(&str, Vec<(&str, &str)>)> = Vec::new();
    for rule in rules.rules().iter().filter(|rule| rule.body.is_empty()) {
        let Term::Compound(name, args) = &rule.head else {
            continue;
        };
        if let [Term::Constant(from), Term::Constant(to)] = &args[..] {
            let place = relations.iter().position(|(known, _)| *known == &**name);
            let place = place.unwrap_or_else(|| {
                relations.push((name, Vec::new()));
                relations.len() - 1
            });
            relations[place].1.push((from, to));
        }
    }
    relations
        .iter()
        .filter_map(|(_, pairs)| successor_order(pairs))
        .collect()
}

/// The terms in their order, if the pairs form a single order of three terms or more.
fn successor_order(pairs: &[(&str, &str)]) -> Option<Vec<String>> {
    let next: FxHashMap<&str, &str> = pairs.iter().copied().collect();
    let targets: FxHashSet<&str> = pairs.iter().map(|(_, to)| *to).collect();
    if next.len() != pairs.len() || targets.len() != pairs.len() {
        return None;
    }
    let mut starts = next.keys().filter(|from| !targets.contains(**from));
    let (Some(start), None) = (starts.next(), starts.next()) else {
        return None;
    };
    let mut terms = vec![(*start).to_owned()];
    let mut at = *start;
    while let Some(to) = next.get(at) {
        terms.push((*to).to_owned());
        at = to;
    }
    (terms.len() == pairs.len() + 1 && terms.len() > 2).then_some(terms)
}
