//! Moves, facts and goals by value: which of those that the rules name were never seen, and which can never be.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;

use rustc_hash::FxHashSet;

use super::explain::{Explainer, arguments, counted, grouped, pronoun};
use super::facts::FactTable;
use super::in_play::values_in_play;
use super::next_rules::counts_on;
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::datalog::EvaluationLimits;
use crate::engine::head_name;
use crate::game::is_chance;
use crate::gdl::{RuleLiteral, Rules, Term};
use crate::ground::possible_values;
use crate::info::board::functor_and_arguments;

/// So many rules are named.
const MOST_RULES: usize = 12;
/// So many values of a rule are named.
const MOST_VALUES: usize = 4;
/// Keeps a role and its move or goal together: no word of a rule file holds a space.
const OF_ROLE: &str = "of role";
/// A value met in fewer games, or in a smaller part of them, is rare.
const RARE: u64 = 5;
const RARE_PART: u64 = 100;
/// In fewer games than these a goal may well be missing.
const LEAST_GAMES: u64 = 20;

/// What values are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ValueKind {
    /// A role and its move.
    Move,
    /// A fact.
    Fact,
    /// A role and its goal.
    Goal,
}

/// The values that a rule can give, as far as relaxed reachability shows; what is not among them it never gives.
#[derive(Debug)]
struct RuleValues {
    rule: usize,
    kind: ValueKind,
    /// Whether the rule only lists what there may be, for `base` and `input`.
    is_list: bool,
    values: BTreeSet<String>,
    /// Of moves, those among them that can be legal before the game is over.
    in_play: Option<BTreeSet<String>>,
}

/// The values that the rules can give.
#[derive(Debug)]
pub(super) struct ValuesOfRules(Vec<RuleValues>);

/// What was seen in games.
#[derive(Debug)]
pub(super) struct SeenValues<'s> {
    /// Per role.
    pub(super) moves: &'s [FxHashSet<String>],
    pub(super) facts: &'s FactTable,
    /// Per role.
    pub(super) goals: &'s [FxHashSet<u8>],
    /// Positions whose moves and facts were looked at.
    pub(super) positions: u64,
    /// Games that ended.
    pub(super) games: u64,
}

impl ValuesOfRules {
    /// What the rules can give; `None` where that takes too long.
    pub(super) fn of(rules: &Rules, limits: &EvaluationLimits) -> Option<Self> {
        let numbered = rules.rules().iter().enumerate();
        let of_rules: Vec<(usize, ValueKind, bool, Term)> = numbered
            .filter_map(|(number, rule)| {
                let (kind, is_list, value) = value_of(&rule.head)?;
                Some((number, kind, is_list, value))
            })
            .collect();
        let bodies: Vec<(Term, &[RuleLiteral])> = of_rules
            .iter()
            .map(|(number, .., value)| (value.clone(), &rules.rules()[*number].body[..]))
            .collect();
        let possible = possible_values(rules, &bodies, limits).ok()?;
        let values = of_rules.into_iter().zip(possible);
        let values = values.map(|((rule, kind, is_list, _), values)| RuleValues {
            rule,
            kind,
            is_list,
            values,
            in_play: None,
        });
        let mut found = Self(values.collect());
        let is_move = |of: &RuleValues| of.kind == ValueKind::Move && !of.is_list;
        let moves = found.0.iter().zip(&bodies).filter(|(of, _)| is_move(of));
        let moves: Vec<(Term, &[RuleLiteral])> = moves.map(|(_, body)| body.clone()).collect();
        let facts = found.of_kind(ValueKind::Fact, false);
        let facts = facts.flat_map(|of| of.values.iter().cloned()).collect();
        if let Some(in_play) = values_in_play(rules, facts, &moves, limits) {
            let of_moves = found.0.iter_mut().filter(|of| is_move(of));
            for (of, in_play) in of_moves.zip(in_play) {
                of.in_play = Some(in_play);
            }
        }
        Some(found)
    }

    /// Whether a rule for `legal` may give a role a move.
    pub(super) fn may_move(&self, rule: usize, role: &str) -> bool {
        let mut of_rule = self.0.iter().filter(|of| of.rule == rule);
        let prefix = format!("({OF_ROLE} {role} ");
        of_rule.all(|of| of.values.iter().any(|value| value.starts_with(&prefix)))
    }

    fn of_kind(&self, kind: ValueKind, is_list: bool) -> impl Iterator<Item = &RuleValues> {
        let all = self.0.iter();
        all.filter(move |of| of.kind == kind && of.is_list == is_list)
    }
}

/// What a rule gives values of, whether it only lists them, and the value: of a move or a goal with its role.
fn value_of(head: &Term) -> Option<(ValueKind, bool, Term)> {
    let args = arguments(head);
    let (kind, is_list) = match head_name(head) {
        "legal" => (ValueKind::Move, false),
        "input" => (ValueKind::Move, true),
        "next" | "init" => (ValueKind::Fact, false),
        "base" => (ValueKind::Fact, true),
        "goal" => (ValueKind::Goal, false),
        _ => return None,
    };
    let value = match args {
        [fact] => fact.clone(),
        _ => Term::Compound(OF_ROLE.into(), args.to_vec()),
    };
    Some((kind, is_list, value))
}

impl SeenValues<'_> {
    /// Whether games showed a fact of a rule now and then only.
    fn has_rare(&self, of: &RuleValues) -> bool {
        let shown = of.values.iter().map(|fact| self.facts.games_with(fact));
        let rarest = shown.filter(|&games| games > 0).min();
        rarest.is_some_and(|games| games < RARE.max(self.games / RARE_PART))
    }

    fn texts(&self, kind: ValueKind, roles: &[String]) -> FxHashSet<String> {
        match kind {
            ValueKind::Fact => self.facts.facts().cloned().collect(),
            ValueKind::Move => texts_of_roles(roles, self.moves),
            ValueKind::Goal => texts_of_roles(roles, self.goals),
        }
    }
}

fn texts_of_roles<V: Display>(roles: &[String], values: &[FxHashSet<V>]) -> FxHashSet<String> {
    let by_role = roles.iter().zip(values);
    by_role
        .flat_map(|(role, values)| values.iter().map(|value| with_role(role, value)))
        .collect()
}

/// A move or a goal with its role, as [`value_of`] writes it.
fn with_role(role: &str, value: impl Display) -> String {
    format!("({OF_ROLE} {role} {value})")
}

/// What can never be by the rules, and what was not seen in the games.
pub(super) fn findings(
    possible: &ValuesOfRules,
    seen: &SeenValues<'_>,
    explainer: &Explainer<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(goals_never(possible, explainer));
    for kind in [ValueKind::Move, ValueKind::Fact] {
        findings.extend(listed_in_vain(kind, possible, explainer));
    }
    for kind in [ValueKind::Goal, ValueKind::Move, ValueKind::Fact] {
        findings.extend(not_seen(kind, possible, seen, explainer));
    }
    findings
}

/// Goals that a rule for all roles names, and that some role can never get by any rule.
fn goals_never(possible: &ValuesOfRules, explainer: &Explainer<'_>) -> Option<Finding> {
    let reached: FxHashSet<&str> = possible
        .of_kind(ValueKind::Goal, false)
        .flat_map(|of| of.values.iter().map(String::as_str))
        .collect();
    let roles = || explainer.roles.iter().filter(|role| !is_chance(role));
    let mut places: Vec<RulePlace> = Vec::new();
    for of in possible.of_kind(ValueKind::Goal, false) {
        let head = arguments(&explainer.rules.rules()[of.rule].head);
        let [Term::Variable(_), Term::Constant(value)] = head else {
            continue;
        };
        // A rule that never applies at all is told of elsewhere.
        let without: Vec<&str> = roles()
            .filter(|role| !reached.contains(&*with_role(role, value)))
            .map(String::as_str)
            .collect();
        if !of.values.is_empty() && !without.is_empty() {
            let message = format!("`{}` can never get {value}", without.join("` and `"));
            places.push(explainer.place(of.rule, message));
        }
    }
    let message = || match &places[..] {
        [only] => only.message.clone(),
        _ => "some roles can never get some goals".to_owned(),
    };
    (!places.is_empty()).then(|| note("unreachable-goal", Evidence::Proved, message(), &places))
}

/// Moves that `input` lists and facts that `base` lists, and that can never be.
fn listed_in_vain(
    kind: ValueKind,
    possible: &ValuesOfRules,
    explainer: &Explainer<'_>,
) -> Option<Finding> {
    let given: FxHashSet<&str> = possible
        .of_kind(kind, false)
        .flat_map(|of| of.values.iter().map(String::as_str))
        .collect();
    let mut missing = Missing::default();
    for of in possible.of_kind(kind, true) {
        missing.add(of, |value| given.contains(value.as_str()));
    }
    let count = missing.count();
    let message = match kind {
        ValueKind::Move => format!(
            "{} that `input` lists can never be legal",
            counted(count, "move")
        ),
        _ => format!(
            "{} that `base` lists can never be true",
            counted(count, "fact")
        ),
    };
    let code = match kind {
        ValueKind::Move => "never-legal",
        _ => "never-true",
    };
    missing.finding(code, Evidence::Proved, message, explainer)
}

/// What the rules can give, and no game showed.
fn not_seen(
    kind: ValueKind,
    possible: &ValuesOfRules,
    seen: &SeenValues<'_>,
    explainer: &Explainer<'_>,
) -> Option<Finding> {
    let texts = seen.texts(kind, explainer.roles);
    let mut missing = Missing::default();
    // How far a counter or a score gets depends on all that comes before: the rules alone allow far more.
    let counted_up: FxHashSet<&String> = possible
        .of_kind(kind, false)
        .filter(|of| kind == ValueKind::Fact && counts_on(&explainer.rules.rules()[of.rule]))
        .flat_map(|of| &of.values)
        .collect();
    for of in possible.of_kind(kind, false) {
        let shown = of
            .values
            .iter()
            .filter(|value| texts.contains(*value))
            .count();
        // Of a rule that shows little of what it can give, games are too few to tell anything; where some values are rare,
        // others may be rarer still.
        let tells_little =
            shown * 2 < of.values.len() || kind == ValueKind::Fact && seen.has_rare(of);
        if kind == ValueKind::Goal || !tells_little {
            let is_over =
                |value: &String| of.in_play.as_ref().is_some_and(|all| !all.contains(value));
            missing.add(of, |value| {
                texts.contains(value)
                    || counted_up.contains(value)
                    || is_over(value)
                    || kind == ValueKind::Goal && !is_whole_goal(value)
                    || kind != ValueKind::Fact && !is_of_player(value, explainer)
            });
        }
    }
    let count = missing.count();
    let (code, message) = match kind {
        ValueKind::Goal if seen.games < LEAST_GAMES => return None,
        ValueKind::Goal => (
            "goal-not-seen",
            format!(
                "{} not reached in {}; in others {} may be",
                were(count, "goal"),
                counted(seen.games, "game"),
                pronoun(count)
            ),
        ),
        ValueKind::Move => (
            "move-not-seen",
            format!(
                "{} not legal in {}; in others {} may be",
                were(count, "move"),
                counted(seen.positions, "position"),
                pronoun(count)
            ),
        ),
        ValueKind::Fact => (
            "fact-not-seen",
            format!(
                "{} not true in {}; in others {} may be",
                were(count, "fact"),
                counted(seen.positions, "position"),
                pronoun(count)
            ),
        ),
    };
    missing.finding(code, Evidence::NotSeen, message, explainer)
}

fn were(count: u64, noun: &str) -> String {
    match count {
        1 => format!("1 {noun} was"),
        many => format!("{} {noun}s were", grouped(many)),
    }
}

/// Whether a goal with its role is a whole number from 0 to 100; others are told of where games end with them.
fn is_whole_goal(value: &str) -> bool {
    let words = functor_and_arguments(value);
    let goal = words.last().and_then(|goal| goal.parse::<u8>().ok());
    goal.is_some_and(|goal| goal <= 100)
}

/// Whether a value is a move or a goal of a role other than chance.
fn is_of_player(value: &str, explainer: &Explainer<'_>) -> bool {
    let mut roles = explainer.roles.iter().filter(|role| !is_chance(role));
    roles.any(|role| value.starts_with(&format!("({OF_ROLE} {role} ")))
}

/// Values that are missing, by rule; one that several rules miss counts once.
#[derive(Debug, Default)]
struct Missing {
    by_rule: BTreeMap<usize, Vec<String>>,
    all: FxHashSet<String>,
}

impl Missing {
    /// Adds the values of a rule that are not known.
    fn add(&mut self, of: &RuleValues, is_known: impl Fn(&String) -> bool) {
        let unknown = of.values.iter().filter(|value| !is_known(value));
        let new: Vec<String> = unknown
            .filter(|value| self.all.insert((*value).clone()))
            .cloned()
            .collect();
        if !new.is_empty() {
            self.by_rule.insert(of.rule, new);
        }
    }

    fn count(&self) -> u64 {
        self.all.len() as u64
    }

    fn finding(
        &self,
        code: &'static str,
        evidence: Evidence,
        message: String,
        explainer: &Explainer<'_>,
    ) -> Option<Finding> {
        let rules = self.by_rule.iter().take(MOST_RULES);
        let places = rules.map(|(&rule, values)| explainer.place(rule, listed(values)));
        let places: Vec<RulePlace> = places.collect();
        (!places.is_empty()).then(|| note(code, evidence, message, &places))
    }
}

/// Values in words: the first ones, and how many there are.
fn listed(values: &[String]) -> String {
    let words = values.iter().take(MOST_VALUES).map(|value| in_words(value));
    let words: Vec<String> = words.collect();
    let more = match values.len() - words.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", words.join(", "))
}

/// A value without the word that keeps its role and itself together.
fn in_words(value: &str) -> String {
    let inner = value
        .strip_prefix('(')
        .and_then(|inner| inner.strip_suffix(')'));
    let pair = inner.and_then(|inner| inner.strip_prefix(OF_ROLE)?.trim_start().split_once(' '));
    match pair {
        Some((role, value)) => format!("`{role}` {value}"),
        None => value.to_owned(),
    }
}

fn note(code: &'static str, evidence: Evidence, message: String, places: &[RulePlace]) -> Finding {
    Finding {
        places: places.to_vec(),
        ..Finding::new(code, FindingSeverity::Note, evidence, message)
    }
}
