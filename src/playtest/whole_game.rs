//! Findings that rest on all games together: turns, results, and rules that never apply.

use super::balance::Results;
use super::coverage::{Coverage, Proofs};
use super::explain::{Explainer, arguments, counted, may_be_same, pronoun};
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use super::turns::LastTurn;
use crate::engine::head_name;
use crate::gdl::{Rule, RuleLiteral, Term};
use crate::kif::Span;

/// So many random games are enough to say that one role always wins.
const ENOUGH: u64 = 50;
/// So many games of players are enough to say that nobody ever wins.
const ENOUGH_OF_PLAYERS: u64 = 10;
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
        "{who} wins all of {}{and}: the moves do not seem to matter",
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

/// The same score for everybody whatever is played.
pub(super) fn always_drawn(
    random: &Results,
    others: &[&Results],
    explainer: &Explainer<'_>,
) -> Option<Finding> {
    let goal = random.always_drawn()?;
    let players: u64 = others.iter().map(|results| results.games()).sum();
    let mut met = others.iter().filter(|results| results.games() > 0);
    if random.games() < ENOUGH || !met.all(|results| results.always_drawn() == Some(goal)) {
        return None;
    }
    let and = match players {
        0 => String::new(),
        games => format!(" and all of {} between players", counted(games, "game")),
    };
    let message = format!(
        "all of {}{and} end with {goal} points for everybody: nobody wins, and nobody loses",
        counted(random.games(), "random game"),
    );
    // Where everybody wins nobody can do better; of other games those of random players tell little.
    let severity = match goal == 100 || goal > 0 && players >= ENOUGH_OF_PLAYERS {
        true => FindingSeverity::Warning,
        false => FindingSeverity::Note,
    };
    let gives = |rule: &usize| {
        let given = arguments(&explainer.rules.rules()[*rule].head).get(1);
        given.is_some_and(|given| head_name(given) == goal.to_string())
    };
    let rules = explainer.rules_for("goal", None).into_iter().filter(gives);
    let places = rules.map(|rule| explainer.place(rule, "this always comes of it"));
    Some(Finding {
        places: places.collect(),
        help: Some("see why the conditions of the other goals never hold at the end".to_owned()),
        ..Finding::new("always-drawn", severity, Evidence::Seen, message)
    })
}

/// Rules that can never apply: those first that are a cause, and in a note those that only follow from them.
pub(super) fn never_apply(proofs: &Proofs, explainer: &Explainer<'_>) -> Vec<Finding> {
    let mut dead: Vec<(usize, Option<usize>)> = Vec::new();
    for &(rule, condition) in &proofs.never {
        let is_same = |known: &(usize, Option<usize>)| {
            span_of(known.0, explainer) == span_of(rule, explainer)
        };
        if !has_live_alternative(rule, proofs, explainer) && !dead.iter().any(is_same) {
            dead.push((rule, condition));
        }
    }
    let follows = |&(rule, condition): &(usize, Option<usize>)| {
        condition.is_some_and(|number| needs_dead(rule, number, proofs, explainer))
    };
    let (mut follow, mut causes): (Vec<_>, Vec<_>) = dead.into_iter().partition(follows);
    if causes.is_empty() {
        std::mem::swap(&mut causes, &mut follow);
    }
    let causes = causes.into_iter();
    let mut findings: Vec<Finding> = causes
        .map(|(rule, condition)| never_applies(rule, condition, explainer))
        .collect();
    findings.extend(follow_from(&follow, explainer));
    findings
}

fn span_of(rule: usize, explainer: &Explainer<'_>) -> Span {
    explainer.rules.rules()[rule].span
}

/// Rules that come from one `or` share their place: some alternatives may well be idle.
fn has_live_alternative(rule: usize, proofs: &Proofs, explainer: &Explainer<'_>) -> bool {
    let rules = explainer.rules.rules().iter().enumerate();
    let mut alternatives = rules.filter(|(_, other)| other.span == span_of(rule, explainer));
    alternatives.any(|(number, _)| proofs.never.iter().all(|(dead, _)| *dead != number))
}

/// Whether a condition of a rule asks for what another dead rule would give.
fn needs_dead(rule: usize, condition: usize, proofs: &Proofs, explainer: &Explainer<'_>) -> bool {
    let rules = explainer.rules.rules();
    let RuleLiteral::Holds(sentence) = &rules[rule].body[condition] else {
        return false;
    };
    let needed = arguments(sentence);
    let mut dead = proofs.never.iter().map(|(dead, _)| *dead);
    dead.any(|dead| {
        let head = &rules[dead].head;
        let gives = match head_name(sentence) {
            "true" => head_name(head) == "next",
            "does" => head_name(head) == "legal",
            name => head_name(head) == name,
        };
        gives && dead != rule && may_be_same(arguments(head), needed)
    })
}

fn never_applies(rule: usize, condition: Option<usize>, explainer: &Explainer<'_>) -> Finding {
    let of = &explainer.rules.rules()[rule];
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
    let message = format!("{what}: {why}");
    Finding {
        places: vec![explainer.place(rule, why)],
        ..Finding::new(code, FindingSeverity::Warning, Evidence::Proved, message)
    }
}

/// Rules that never apply as others do not.
fn follow_from(rules: &[(usize, Option<usize>)], explainer: &Explainer<'_>) -> Option<Finding> {
    let places = rules.iter();
    let places = places.map(|(rule, _)| explainer.place(*rule, explainer.rule_text(*rule)));
    let places: Vec<RulePlace> = places.collect();
    let message = format!(
        "{} can never apply either, since what such a rule would give is missing",
        counted(places.len() as u64, "more rule")
    );
    (!places.is_empty()).then(|| Finding {
        places,
        ..Finding::new(
            "unreachable-rule",
            FindingSeverity::Note,
            Evidence::Proved,
            message,
        )
    })
}

/// Moves with arguments that no rule asks for: whatever they are about, they change nothing.
pub(super) fn without_effect(explainer: &Explainer<'_>) -> Vec<Finding> {
    let rules = explainer.rules.rules();
    let asked: Vec<&[Term]> = explainer.moves_asked_for().collect();
    let legal = explainer.rules_for("legal", None).into_iter();
    let idle = legal.filter(|&rule| {
        let made = arguments(&rules[rule].head);
        matches!(made, [_, Term::Compound(..)])
            && !asked.iter().any(|asked| may_be_same(asked, made))
    });
    let finding = |rule: usize| {
        let mv = &arguments(&rules[rule].head)[1];
        Finding {
            places: vec![explainer.place(rule, "makes the move legal")],
            help: Some(format!(
                "add a rule for `next` with the condition `(does {} {mv})`",
                arguments(&rules[rule].head)[0]
            )),
            ..Finding::new(
                "no-effect",
                FindingSeverity::Warning,
                Evidence::Proved,
                format!(
                    "the move `{mv}` has no effect of its own: no rule asks whether somebody makes it"
                ),
            )
        }
    };
    idle.map(finding).collect()
}

/// No random game came to an end, or the engine gave up.
pub(super) fn unplayed(fault: Option<&str>, unfinished: Option<usize>) -> Finding {
    let (message, help) = match (fault, unfinished) {
        (Some(why), _) => (format!("the games could not be played on: {why}"), None),
        (None, Some(plies)) => (
            format!("no random game came to an end in the time; the first had {plies} plies"),
            Some("take more time, or see whether the game can end: no rule is judged by games"),
        ),
        (None, None) => (
            "no random game was played: there was no time left".to_owned(),
            Some("take more time"),
        ),
    };
    Finding {
        help: help.map(str::to_owned),
        ..Finding::new(
            "unplayed",
            FindingSeverity::Warning,
            Evidence::Seen,
            message,
        )
    }
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
        .map(|&rule| explainer.place(rule, explainer.rule_text(rule)))
        .collect();
    places.dedup_by_key(|place| place.span);
    if places.is_empty() || games == 0 {
        return None;
    }
    let message = format!(
        "{} did not apply in {} of {}; in other games {} may",
        counted(places.len() as u64, "rule"),
        counted(coverage.states, "state"),
        counted(games, "random game"),
        pronoun(places.len() as u64),
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
