//! Facts that are doubled at the start: a square that is both blank and taken, a token in two places.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use super::explain::{Explainer, counted};
use super::facts::{FactId, FactTable, WordId};
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::gdl::doubled_places;
use crate::session::{Game, Position};

/// So often at least a token moved before it is said that it has one place.
const LEAST_CHANGES: u64 = 3;

/// The places of each relation that hold two facts at the start, where all others hold one.
pub(super) fn doubled_at_start(game: &Game, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    let start = game.initial();
    let mut table = FactTable::default();
    let roles: Vec<WordId> = game.roles().iter().map(|role| table.word(role)).collect();
    let facts = start.facts();
    let numbers = table.numbers(&facts);
    let text: FxHashMap<FactId, &String> = numbers.iter().copied().zip(&facts).collect();
    let mut findings = Vec::new();
    for (_, of_relation) in table.by_relation(&numbers) {
        let args = of_relation.iter().map(|&fact| &table.parts(fact).args[..]);
        let args: Vec<&[WordId]> = args.collect();
        if let Some(doubled) = doubled_places(&args, |word| roles.contains(&word)) {
            let pair = doubled.pairs[0].map(|number| of_relation[number]);
            let fact = |number: usize| table.words_of(of_relation[number]);
            let words = doubled.words(fact);
            let facts = pair.map(|fact| text[&fact].as_str());
            findings.push(finding(
                words.message,
                words.help,
                &facts,
                &start,
                explainer,
            ));
        }
    }
    findings
}

fn finding(
    message: String,
    help: String,
    facts: &[&str],
    start: &Position,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let mut places: Vec<RulePlace> = Vec::new();
    for fact in facts {
        let rules = explainer.rules_giving("init", fact).into_iter();
        places.extend(rules.map(|rule| explainer.place(rule, format!("gives {fact}"))));
    }
    Finding {
        places,
        help: Some(help),
        step: Some(explainer.start(start)),
        ..Finding::new(
            "doubled-at-start",
            FindingSeverity::Warning,
            Evidence::Seen,
            message,
        )
    }
}

/// Two facts of the start that agree in what may name a token, and what became of them.
#[derive(Debug)]
struct DoubledToken {
    signature: (WordId, usize),
    /// The argument that names the token, and its word; none where the relation is about a single token.
    name: Option<(usize, WordId)>,
    start: [FactId; 2],
    /// How often there was one fact, and how often another one came in its place.
    single: u64,
    changes: u64,
    /// Whether any number of them may hold.
    is_set: bool,
}

/// Watches what may be tokens in two places.
#[derive(Debug, Default)]
pub(super) struct TokenWatch(Vec<DoubledToken>);

impl TokenWatch {
    pub(super) fn new(table: &FactTable, facts: &[FactId]) -> Self {
        let mut tokens = Vec::new();
        for (signature, facts) in table.by_relation(facts) {
            let has_name = signature.1 > 1;
            for name in [Some(0).filter(|_| has_name), None] {
                tokens.extend(doubled_tokens(table, signature, name, &facts));
            }
        }
        Self(tokens)
    }

    /// Looks at the facts of a step that is not the last one of its game.
    pub(super) fn see(&mut self, table: &FactTable, before: &[FactId], after: &[FactId]) {
        for token in &mut self.0 {
            let (held, holds) = (token.of(table, before), token.of(table, after));
            match (held.len(), holds.len()) {
                (_, 1) => {
                    token.single += 1;
                    token.changes += u64::from(held.len() == 1 && held != holds);
                }
                (2, 2) if held == holds => {}
                _ => token.is_set = true,
            }
        }
        self.0.retain(|token| !token.is_set);
    }

    /// Tokens that had one place ever since they moved.
    pub(super) fn findings(
        &self,
        table: &FactTable,
        start: &Position,
        explainer: &mut Explainer<'_>,
    ) -> Vec<Finding> {
        let mut seen = FxHashSet::default();
        let moved = self.0.iter().filter(|token| token.changes >= LEAST_CHANGES);
        let moved = moved.filter(|token| seen.insert(token.signature));
        let finding = |token: &DoubledToken| {
            let [one, other] = token.start.map(|fact| table.words_of(fact));
            let named =
                |args: &[String]| token.name.map_or("", |(place, _)| &args[place]).to_owned();
            let subject = format!("{} {}", one.0, named(&one.1));
            let places = [&one, &other].map(|(_, args)| {
                let left_out = token.name.map(|(place, _)| place);
                let args = args.iter().enumerate();
                let rest = args.filter(|(place, _)| Some(*place) != left_out);
                rest.map(|(_, word)| word.as_str())
                    .collect::<Vec<_>>()
                    .join(" ")
            });
            let message = format!(
                "`{}` is both `{}` and `{}` at the start, and never again: in {} after it changed, exactly one holds",
                subject.trim_end(),
                places[0],
                places[1],
                counted(token.single, "position"),
            );
            let facts = [one, other].map(|(name, args)| format!("({name} {})", args.join(" ")));
            let help = format!(
                "keep one of the two facts: remove `(init {})`, or the other",
                facts[1]
            );
            let facts: Vec<&str> = facts.iter().map(String::as_str).collect();
            self::finding(message, help, &facts, start, explainer)
        };
        moved.map(finding).collect()
    }
}

/// The tokens of a relation that have two facts, where no token has more.
fn doubled_tokens(
    table: &FactTable,
    signature: (WordId, usize),
    name: Option<usize>,
    facts: &[FactId],
) -> Vec<DoubledToken> {
    let mut held: IndexMap<Option<(usize, WordId)>, Vec<FactId>> = IndexMap::new();
    for &fact in facts {
        let name = name.map(|argument| (argument, table.parts(fact).args[argument]));
        held.entry(name).or_default().push(fact);
    }
    let is_crowded = held.values().any(|facts| facts.len() > 2);
    let doubled = held.into_iter().filter(|_| !is_crowded);
    let token = |(name, facts): (_, Vec<FactId>)| {
        let start = <[FactId; 2]>::try_from(facts).ok()?;
        Some(DoubledToken {
            signature,
            name,
            start,
            single: 0,
            changes: 0,
            is_set: false,
        })
    };
    doubled.filter_map(token).collect()
}

impl DoubledToken {
    fn of(&self, table: &FactTable, facts: &[FactId]) -> Vec<FactId> {
        let is_own = |fact: &FactId| {
            let parts = table.parts(*fact);
            let has_name = |(place, word): (usize, WordId)| parts.args[place] == word;
            (parts.functor, parts.args.len()) == self.signature && self.name.is_none_or(has_name)
        };
        facts.iter().copied().filter(is_own).collect()
    }
}
