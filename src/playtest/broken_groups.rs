//! Which groups of facts broke that should hold exactly one fact.
//!
//! Many facts vanish or gather on purpose. A board counts as one if every place has exactly one content at the start and no
//! other place ever gets one; it is broken where a place has two, or loses its content in a step whose moves do not name
//! it. A register (control, counter, score) is broken where some of its values are replaced by nothing whenever they go,
//! while all others are replaced by a value.

use super::explain::{Explainer, MOST_PLACES, arguments, counted};
use super::groups::{Broken, Content, GroupKind, GroupWatch, Groups};
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::engine::head_name;
use crate::gdl::{RuleLiteral, Term};

/// More values of a register than these vanish on purpose.
const MOST_LAST_VALUES: usize = 2;
/// So often at least a value vanished, where the rules do not tell why.
const LEAST_LOSSES: u64 = 3;

/// What is wrong with facts.
pub(super) fn findings(watch: &GroupWatch, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for groups in &watch.groups {
        findings.extend(match groups.kind {
            GroupKind::Places => of_places(watch, groups, explainer),
            GroupKind::Register => of_register(watch, groups, explainer),
        });
    }
    findings
}

fn of_places(watch: &GroupWatch, groups: &Groups, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    if groups.has_new_keys {
        return Vec::new();
    }
    let mut findings = Vec::new();
    if let Some(broken) = &groups.first_doubled {
        findings.push(doubled(watch, groups, broken, explainer));
    }
    // What never becomes anything else may well vanish on purpose, as grass that is eaten.
    if let Some(broken) = &groups.first_lost_apart
        && groups.lost_apart > 1
        && groups.changed > 0
    {
        findings.push(lost(watch, groups, broken, explainer));
    }
    findings
}

fn of_register(watch: &GroupWatch, groups: &Groups, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let names_role = |content: &Content| matches!(content[..], [word] if watch.is_role(word));
    let is_turn = |broken: &Broken| groups.fixed.is_empty() && broken.after.iter().all(names_role);
    // What a role has may gather on purpose, but then nothing replaces it.
    let is_replaced_elsewhere = !groups.fixed.is_empty() && groups.changed > 0;
    if let Some(broken) = &groups.first_doubled
        && (is_turn(broken) || is_replaced_elsewhere)
    {
        findings.push(doubled(watch, groups, broken, explainer));
    }
    if let Some(broken) = &groups.first_lost
        && is_last_value(groups)
    {
        let finding = lost(watch, groups, broken, explainer);
        let losses: u64 = groups.lost.values().sum();
        let is_clear = finding.code == "counter-ends" || names_role(&broken.before);
        if is_clear || losses >= LEAST_LOSSES {
            findings.push(finding);
        }
    }
    findings
}

/// Whether some values are always replaced by nothing, and the others never.
fn is_last_value(groups: &Groups) -> bool {
    let is_final = |value: &Content| !groups.replaced.contains_key(value);
    groups.lost.len() <= MOST_LAST_VALUES && groups.lost.keys().all(is_final) && groups.changed > 0
}

fn doubled(
    watch: &GroupWatch,
    groups: &Groups,
    broken: &Broken,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let subject = watch.subject(groups, &broken.key);
    let contents: Vec<String> = broken
        .after
        .iter()
        .map(|one| format!("`{}`", watch.content_text(one)))
        .collect();
    let ply = broken.step.ply;
    let mut message = format!(
        "`{subject}` is both {} after ply {ply}: exactly one held at the start, and {} so far kept to that",
        contents.join(" and "),
        counted(groups.kept + groups.changed, "step"),
    );
    let mut help = "take away the old fact where the new one is added: add a condition to the rule that keeps it".to_owned();
    let mut code = "doubled";
    if let Some(mirrored) = &broken.mirrored {
        code = "swapped";
        message = format!(
            "`{subject}` is both {} after ply {ply}, and `{}` is nothing: two arguments seem to be swapped",
            contents.join(" and "),
            watch.subject(groups, mirrored),
        );
        "compare the order of the arguments in these rules".clone_into(&mut help);
    }
    let facts: Vec<String> = broken
        .after
        .iter()
        .map(|one| watch.fact_text(groups, &broken.key, Some(one)))
        .collect();
    Finding {
        places: derived_by(&facts, broken, explainer),
        help: Some(help),
        step: Some(explainer.step(&broken.step)),
        ..Finding::new(code, FindingSeverity::Warning, Evidence::Seen, message)
    }
}

/// The rules that give these facts, what adds one first.
fn derived_by(facts: &[String], broken: &Broken, explainer: &mut Explainer<'_>) -> Vec<RulePlace> {
    let rules = explainer.rules_for("next", None);
    let derived = explainer.derivations(&rules, &broken.step.before, &broken.step.joint);
    let held = broken.step.before.facts();
    let mut places: Vec<(bool, RulePlace)> = Vec::new();
    for fact in facts {
        let by = derived
            .iter()
            .filter(|(_, rows)| rows.iter().any(|row| row[0] == *fact));
        for (rule, _) in by.take(1) {
            let was_held = held.contains(fact);
            let verb = if was_held { "keeps" } else { "adds" };
            places.push((was_held, explainer.place(*rule, format!("{verb} {fact}"))));
        }
    }
    places.sort_by_key(|(was_held, _)| *was_held);
    places.dedup_by(|one, other| one.1.span == other.1.span);
    places.into_iter().map(|(_, place)| place).collect()
}

/// Why a group holds nothing any more.
enum Loss {
    /// The rules ask for a next value with this condition, and list none.
    CounterEnds(String),
    /// No rule keeps what a move does not change.
    MissingFrameRule,
    /// There are rules that keep facts, and none applies.
    RulesDoNotApply,
}

fn lost(
    watch: &GroupWatch,
    groups: &Groups,
    broken: &Broken,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let wanted = Some(watch.fact_term(groups, &broken.key));
    let rules = explainer.rules_for("next", None);
    let (before, joint) = (broken.step.before.clone(), broken.step.joint.clone());
    let misses = explainer.near_misses(&rules, &[wanted], &before, &joint);
    let of_relation = next_rules_of(watch, groups, explainer);
    let mut keeping = of_relation.iter();
    let keeps = keeping.any(|&rule| reads_itself(watch, groups, rule, explainer));
    let telling = misses.first();
    let loss = match (groups.kind, telling) {
        (GroupKind::Register, Some(miss)) if miss.is_static && miss.is_positive => {
            Loss::CounterEnds(miss.condition.clone())
        }
        (GroupKind::Places, _) if !keeps => Loss::MissingFrameRule,
        _ => Loss::RulesDoNotApply,
    };
    let (message, help) = words_of_loss(&loss, watch, groups, broken);
    let code = match loss {
        Loss::CounterEnds(_) => "counter-ends",
        Loss::MissingFrameRule | Loss::RulesDoNotApply => "lost",
    };
    let mut places = explainer.places_of(&misses);
    if places.is_empty() {
        let rules = of_relation.iter().take(MOST_PLACES);
        places = rules
            .map(|&rule| explainer.place(rule, "does not apply here"))
            .collect();
    }
    Finding {
        places,
        help: Some(help),
        step: Some(explainer.step(&broken.step)),
        ..Finding::new(code, FindingSeverity::Warning, Evidence::Seen, message)
    }
}

/// What is wrong, and how to mend it.
fn words_of_loss(
    loss: &Loss,
    watch: &GroupWatch,
    groups: &Groups,
    broken: &Broken,
) -> (String, String) {
    let fact = watch.fact_text(groups, &broken.key, Some(&broken.before));
    let subject = watch.subject(groups, &broken.key);
    let ply = broken.step.ply;
    let (why, help) = match loss {
        Loss::CounterEnds(condition) => (
            format!(
                "there is no next value after `{}`",
                watch.content_text(&broken.before)
            ),
            format!("list the next value, as {condition} asks for it, or end the game before"),
        ),
        Loss::MissingFrameRule => (
            format!(
                "no rule keeps the facts `{}` that a move does not change",
                watch.subject(groups, &Vec::new())
            ),
            format!(
                "add a frame rule such as `(<= (next {0}) (true {0}) …)`",
                pattern(watch, groups)
            ),
        ),
        Loss::RulesDoNotApply => (
            "no rule keeps it or puts another fact in its place".to_owned(),
            format!(
                "add a rule for `(next {0})` that applies here, such as `(<= (next {0}) (true {0}) …)` to keep it",
                functor_with_dots(&watch.fact_text(groups, &broken.key, None))
            ),
        ),
    };
    let message = format!("{fact} is gone after ply {ply}, and `{subject}` is nothing: {why}");
    (message, help)
}

fn functor_with_dots(functor: &str) -> String {
    functor.replace('?', "…")
}

/// The facts of a relation, with variables.
fn pattern(watch: &GroupWatch, groups: &Groups) -> String {
    const NAMES: [&str; 6] = ["?x", "?y", "?z", "?u", "?v", "?w"];
    let arity = groups.fixed.len() + groups.open.len();
    format!(
        "({} {})",
        watch.subject(groups, &Vec::new()),
        NAMES[..arity].join(" ")
    )
}

/// The rules that say what facts of this relation hold next.
fn next_rules_of(watch: &GroupWatch, groups: &Groups, explainer: &Explainer<'_>) -> Vec<usize> {
    let rules = explainer.rules_for("next", None);
    let name = watch.table.text(groups.functor);
    let is_of_relation = |rule: &usize| {
        let head = &explainer.rules.rules()[*rule].head;
        let fact = arguments(head).first();
        fact.is_some_and(|fact| head_name(fact) == name)
    };
    rules.into_iter().filter(is_of_relation).collect()
}

/// Whether a rule has a condition on a fact of the same relation.
fn reads_itself(
    watch: &GroupWatch,
    groups: &Groups,
    rule: usize,
    explainer: &Explainer<'_>,
) -> bool {
    let name = watch.table.text(groups.functor);
    let body = explainer.rules.rules()[rule].body.iter();
    body.filter_map(|literal| match literal {
        RuleLiteral::Holds(Term::Compound(keyword, args)) if &**keyword == "true" => args.first(),
        _ => None,
    })
    .any(|fact| head_name(fact) == name)
}
