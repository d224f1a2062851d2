//! A game that is over in its first position: which rule ends it, and what is missing where that rule asks for `not`.

use super::explain::{Explainer, MOST_PLACES};
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::engine::TriedRule;
use crate::gdl::{RuleLiteral, Term};
use crate::session::Position;

/// So far conditions are followed into their rules.
const DEPTH: usize = 3;

/// The game is over in its first position.
pub(super) fn over_at_start(start: &Position, explainer: &mut Explainer<'_>) -> Finding {
    let mut places: Vec<RulePlace> = Vec::new();
    let mut denied: Vec<RulePlace> = Vec::new();
    let end = Term::Constant("terminal".into());
    for tried in explainer.why(&end, start) {
        if tried.applies() {
            places.push(explainer.place(tried.rule, holds_at_start(&tried, explainer)));
            add_denied(tried.rule, start, DEPTH, explainer, &mut denied);
        }
    }
    let help = match denied.is_empty() {
        true => "add a condition to this rule that does not hold at the start",
        false => {
            "correct what does not hold, or add a condition to the rule for `terminal` that does not hold at the start"
        }
    };
    denied.truncate(MOST_PLACES);
    places.extend(denied);
    Finding {
        places,
        help: Some(help.to_owned()),
        ..Finding::new(
            "over-at-start",
            FindingSeverity::Error,
            Evidence::Seen,
            "the game is over before anybody can move".to_owned(),
        )
    }
}

/// That a rule holds at the start; where its variables have one value each, with its conditions for these.
fn holds_at_start(tried: &TriedRule, explainer: &Explainer<'_>) -> String {
    let holds = "holds in the first position";
    let conditions: Vec<&str> = tried.conditions.iter().map(|of| of.text.as_str()).collect();
    let conditions = conditions.join(" ");
    match explainer.rule_text(tried.rule).contains('?') && !conditions.contains('?') {
        true => format!("{holds}: {conditions}"),
        false => holds.to_owned(),
    }
}

/// What keeps those sentences from holding that a rule denies, or a rule behind one of its conditions.
fn add_denied(
    rule: usize,
    start: &Position,
    depth: usize,
    explainer: &mut Explainer<'_>,
    places: &mut Vec<RulePlace>,
) {
    let body = explainer.rules.rules()[rule].body.clone();
    for literal in &body {
        match literal {
            RuleLiteral::Fails(sentence) => {
                for tried in explainer.why(sentence, start) {
                    let failing = tried.conditions.iter().find(|condition| !condition.holds);
                    places.extend(failing.map(|condition| {
                        let missing = &condition.text;
                        let message = format!("`{sentence}` does not hold: {missing} is missing");
                        explainer.place(tried.rule, message)
                    }));
                }
            }
            RuleLiteral::Holds(sentence) if depth > 0 => {
                for tried in explainer.why(sentence, start) {
                    if tried.applies() {
                        add_denied(tried.rule, start, depth - 1, explainer, places);
                    }
                }
            }
            RuleLiteral::Holds(_) | RuleLiteral::Distinct(..) | RuleLiteral::Same(..) => {}
        }
    }
}
