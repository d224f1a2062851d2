//! Why something holds or does not, line by line.

use std::cmp::Reverse;

use super::{TriedCondition, TriedRule};
use crate::gdl::Rules;
use crate::kif::{LineIndex, in_one_line};

/// So many rules are told of: those first that come nearest.
const MOST_RULES: usize = 5;
/// Rules are cut after so many characters.
const LONGEST_RULE: usize = 100;

/// A line of an explanation, so far indented.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldLine {
    /// How deep it stands below what is explained, from 1.
    pub level: usize,
    /// What it says.
    pub what: ToldOf,
}

/// What a line of an explanation says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToldOf {
    /// A rule.
    Rule {
        /// The line of the rule text on which it begins.
        line: usize,
        /// Its text.
        text: String,
    },
    /// A condition of the rule above.
    Condition {
        /// Whether it holds.
        holds: bool,
        /// Its text.
        text: String,
        /// What there is in place of what is missing; empty if that is not known.
        instead: String,
    },
    /// So many more rules.
    More(usize),
}

/// The rules that make something hold, or what keeps each from it: those of `tried` that apply, or those that do not.
pub fn told_lines(
    (rules, text): (&Rules, &str),
    mut tried: Vec<TriedRule>,
    holds: bool,
) -> Vec<ToldLine> {
    let mut page = ToldPage {
        rules,
        text,
        index: LineIndex::new(text),
        lines: Vec::new(),
    };
    tried.retain(|rule| rule.applies() == holds);
    tried.sort_by_key(|rule| Reverse(page.nearness(rule)));
    for rule in tried.iter().take(MOST_RULES) {
        page.tell_rule(rule, 1);
    }
    let more = tried.len().saturating_sub(MOST_RULES);
    if more > 0 {
        page.tell(1, ToldOf::More(more));
    }
    page.lines
}

struct ToldPage<'t> {
    rules: &'t Rules,
    text: &'t str,
    index: LineIndex<'t>,
    lines: Vec<ToldLine>,
}

impl ToldPage<'_> {
    fn tell(&mut self, level: usize, what: ToldOf) {
        self.lines.push(ToldLine { level, what });
    }

    /// Which share of its conditions a rule meets, in thousandths.
    fn nearness(&self, tried: &TriedRule) -> usize {
        let held = tried.conditions.iter().filter(|one| one.holds).count();
        1000 * held / self.rules.rules()[tried.rule].body.len().max(1)
    }

    fn tell_rule(&mut self, tried: &TriedRule, level: usize) {
        let span = self.rules.rules()[tried.rule].span;
        let rule = ToldOf::Rule {
            line: self.index.position(span.start).line,
            text: in_one_line(&self.text[span.start..span.end], LONGEST_RULE),
        };
        self.tell(level, rule);
        for condition in &tried.conditions {
            self.tell_condition(condition, level + 1);
        }
    }

    fn tell_condition(&mut self, condition: &TriedCondition, level: usize) {
        let text = condition.text.clone();
        let is_denied = text.starts_with("(not ");
        let instead = match (&condition.instead[..], is_denied) {
            ([], _) => String::new(),
            (facts, true) => format!(", since {} holds", facts.join(" ")),
            (facts, false) => format!(", but there is {}", facts.join(" ")),
        };
        let holds = condition.holds;
        let said = ToldOf::Condition {
            holds,
            text,
            instead: if holds { String::new() } else { instead },
        };
        self.tell(level, said);
        if !holds {
            for rule in &condition.rules {
                self.tell_rule(rule, level + 1);
            }
        }
    }
}
