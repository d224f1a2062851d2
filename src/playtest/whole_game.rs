//! Findings that rest on all games together: turns, results, and rules that never apply.

use super::balance::Results;
use super::coverage::{Coverage, Proofs};
use super::explain::{Explainer, arguments, counted};
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use super::turns::LastTurn;
use crate::engine::head_name;
use crate::gdl::{Rule, RuleLiteral};

/// So many random games are enough to say that one role always wins.
const ENOUGH: u64 = 50;
/// So many rules are listed that were not seen to apply.
const MOST_LISTED: usize = 12;

/// A turn that one role keeps for good.
pub(super) fn endless_turn(last: LastTurn, explainer: &Explainer<'_>) -> Finding {
    let role = &explainer.roles[last.role];
    let message = format!(
        "control never comes back: from ply {} on, `{role}` alone moves, in all {} looked at",
        last.after + 1,
        counted(last.games as u64, "game")
    );
    let rules = explainer.rules_for("next", None);
    let gives = rules.into_iter().filter(|&rule| {
        let fact = arguments(&explainer.rules.rules()[rule].head).first();
        let args = fact.map(arguments);
        args.is_some_and(|args| args.len() == 1 && head_name(&args[0]) == role)
    });
    let (keeps, gives): (Vec<usize>, Vec<usize>) =
        gives.partition(|&rule| keeps_its_fact(&explainer.rules.rules()[rule]));
    let keeps = keeps.into_iter().map(|rule| (rule, "keeps the turn with"));
    let gives = gives.into_iter().map(|rule| (rule, "gives the turn to"));
    let places: Vec<RulePlace> = keeps
        .chain(gives)
        .map(|(rule, verb)| explainer.place(rule, format!("{verb} `{role}`")))
        .collect();
    Finding {
        places,
        help: Some("add a rule for `next` that gives the turn to the other roles again".to_owned()),
        ..Finding::new(
            "endless-turn",
            FindingSeverity::Warning,
            Evidence::Seen,
            message,
        )
    }
}

/// Whether a rule for `next` has its own fact as a condition.
fn keeps_its_fact(rule: &Rule) -> bool {
    let kept = arguments(&rule.head).first();
    rule.body.iter().any(|literal| match literal {
        RuleLiteral::Holds(sentence) if head_name(sentence) == "true" => {
            arguments(sentence).first() == kept
        }
        _ => false,
    })
}

/// One role that wins whatever is played.
pub(super) fn always_wins(
    random: &Results,
    others: &[&Results],
    first_mover: Option<usize>,
    explainer: &Explainer<'_>,
) -> Option<Finding> {
    let role = random.always()?;
    let players = others.iter().map(|results| results.games()).sum::<u64>();
    let all_others = others
        .iter()
        .all(|results| results.games() == 0 || results.always() == Some(role));
    if explainer.roles.len() < 2 || random.games() < ENOUGH || !all_others {
        return None;
    }
    let name = &explainer.roles[role];
    let who = match first_mover == Some(role) {
        true => format!("`{name}`, who moves first,"),
        false => format!("`{name}`"),
    };
    let and = match players {
        0 => String::new(),
        games => format!(" and of {} between players", counted(games, "game")),
    };
    let message = format!(
        "{who} wins all of {}{and}: the moves do not matter",
        counted(random.games(), "random game"),
    );
    let rules = explainer.rules_for("goal", Some(name));
    let wins = rules.iter().filter(|&&rule| {
        let head = &explainer.rules.rules()[rule].head;
        let goal = arguments(head).get(1);
        goal.is_some_and(|goal| head_name(goal) == "100")
    });
    let places: Vec<RulePlace> = wins
        .map(|&rule| explainer.place(rule, "this always comes first"))
        .collect();
    Some(Finding {
        places,
        help: Some("give the others a way to win, or a better start".to_owned()),
        ..Finding::new(
            "always-wins",
            FindingSeverity::Warning,
            Evidence::Seen,
            message,
        )
    })
}

/// Rules that can never apply.
pub(super) fn never_apply(proofs: &Proofs, explainer: &Explainer<'_>) -> Vec<Finding> {
    let mut findings: Vec<Finding> = Vec::new();
    for &(rule, condition) in &proofs.never {
        let of = &explainer.rules.rules()[rule];
        // Rules that come from one `or` share their place: some alternatives may well be idle.
        let alternatives = explainer.rules.rules().iter().enumerate();
        let mut alternatives = alternatives.filter(|(_, other)| other.span == of.span);
        let is_alive =
            alternatives.any(|(number, _)| proofs.never.iter().all(|(dead, _)| *dead != number));
        if is_alive
            || findings
                .iter()
                .any(|finding| finding.places[0].span == of.span)
        {
            continue;
        }
        let why = match condition {
            Some(number) => format!("{} never holds", of.body[number]),
            None => "its conditions never hold together".to_owned(),
        };
        let (code, what) = match head_name(&of.head) {
            "terminal" => ("unreachable-end", "this end can never be reached"),
            "goal" => ("unreachable-goal", "nobody can ever get this goal"),
            "legal" => ("unreachable-move", "this move is never legal"),
            _ => ("unreachable-rule", "this rule can never apply"),
        };
        findings.push(Finding {
            places: vec![explainer.place(rule, why.clone())],
            ..Finding::new(
                code,
                FindingSeverity::Warning,
                Evidence::Proved,
                format!("{what}: {why}"),
            )
        });
    }
    findings
}

/// Rules that were not seen to apply.
pub(super) fn not_seen(
    coverage: &Coverage,
    games: u64,
    explainer: &Explainer<'_>,
) -> Option<Finding> {
    let mut places: Vec<RulePlace> = coverage
        .open
        .iter()
        .map(|&rule| explainer.place(rule, ""))
        .collect();
    places.dedup_by_key(|place| place.span);
    if places.is_empty() || coverage.states == 0 {
        return None;
    }
    let message = format!(
        "{} did not apply in {} of {}; in other games they may",
        counted(places.len() as u64, "rule"),
        counted(coverage.states, "state"),
        counted(games, "random game"),
    );
    places.truncate(MOST_LISTED);
    Some(Finding {
        places,
        ..Finding::new(
            "not-seen",
            FindingSeverity::Note,
            Evidence::NotSeen,
            message,
        )
    })
}
