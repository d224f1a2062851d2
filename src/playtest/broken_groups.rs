//! Which groups of facts broke that should hold exactly one fact.
//!
//! Many facts vanish or gather on purpose. A board counts as one if every place has exactly one content at the start and no
//! other place ever gets one; it is broken where a place has two, or loses its content in a step whose moves do not name
//! it. A register (control, counter, score) is broken where some of its values are replaced by nothing whenever they go,
//! while all others are replaced by a value; and where a rule computes its next value from the last one, and no value comes
//! of it, or both hold.

use super::explain::{Explainer, counted};
use super::games::PlayedStep;
use super::groups::{Broken, Content, GroupKind, GroupWatch, Groups};
use super::loss::{Loss, LossCause, again};
use super::next_rules::NextRules;
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};

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
            GroupKind::Numbers => of_numbers(watch, groups, explainer).into_iter().collect(),
        });
    }
    findings
}

fn of_places(watch: &GroupWatch, groups: &Groups, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    if groups.has_new_keys {
        return Vec::new();
    }
    if let Some(vanished) = vanished(watch, groups, explainer) {
        return vec![vanished];
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
        let rules = NextRules::of(watch, groups, explainer);
        let loss = Loss::of(watch, groups, &rules, broken, explainer);
        findings.push(loss.finding(watch, groups, broken, explainer));
    } else if let Some(broken) = &groups.first_lost
        && groups.changed > 0
    {
        findings.push(emptied(watch, groups, broken, explainer));
    }
    findings
}

/// A place that a move names and that holds nothing afterwards: a rule that says what it becomes may be missing, or it goes on purpose.
fn emptied(
    watch: &GroupWatch,
    groups: &Groups,
    broken: &Broken,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let rules = NextRules::of(watch, groups, explainer);
    let loss = Loss::of(watch, groups, &rules, broken, explainer);
    let message = format!(
        "{} is gone after ply {}, and `{}` is nothing, while each of the {} places holds one fact at the start{}",
        watch.fact_text(groups, &broken.key, Some(&broken.before)),
        broken.step.ply,
        watch.subject(groups, &broken.key),
        groups.keys.len(),
        again(groups),
    );
    let help = format!(
        "add a rule for `(next {})` that says what the place becomes, unless it goes on purpose",
        watch.fact_text(groups, &broken.key, None).replace('?', "…")
    );
    Finding {
        places: loss.places(explainer),
        help: Some(help),
        step: Some(explainer.step(&broken.step)),
        ..Finding::new("emptied", FindingSeverity::Note, Evidence::Seen, message)
    }
}

fn of_register(watch: &GroupWatch, groups: &Groups, explainer: &mut Explainer<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let names_role = |content: &Content| is_role(watch, content);
    let is_turn = |broken: &Broken| groups.fixed.is_empty() && broken.after.iter().all(names_role);
    // What a role has may gather on purpose, but then nothing replaces it.
    let is_replaced_elsewhere = !groups.fixed.is_empty() && groups.changed > 0;
    let rules = NextRules::of(watch, groups, explainer);
    if let Some(broken) = &groups.first_doubled
        && (is_turn(broken)
            || is_replaced_elsewhere
            || is_computed_anew(watch, groups, &rules, broken, explainer))
    {
        findings.push(doubled(watch, groups, broken, explainer));
    }
    let lost = groups.first_lost.as_ref();
    let lost = lost.and_then(|broken| lost_value(watch, groups, &rules, broken, explainer));
    findings.extend(lost.or_else(|| lost_at_end(watch, groups, &rules, explainer)));
    findings
}

/// Whether a group holds a number that a rule computed from the one that it still holds.
fn is_computed_anew(
    watch: &GroupWatch,
    groups: &Groups,
    rules: &NextRules,
    broken: &Broken,
    explainer: &mut Explainer<'_>,
) -> bool {
    let is_number = |content: &Content| {
        let mut words = content.iter();
        words.all(|&word| watch.table.text(word).parse::<u64>().is_ok())
    };
    let is_kept = broken.after.contains(&broken.before);
    if !is_kept || !rules.is_value_used || !broken.after.iter().all(is_number) {
        return false;
    }
    let PlayedStep { before, joint, .. } = &broken.step;
    let derived = explainer.derivations(&rules.computing, before, joint);
    let mut given = derived.iter().flat_map(|(_, rows)| rows).map(|row| &row[0]);
    let new = broken
        .after
        .iter()
        .filter(|content| **content != broken.before);
    let new: Vec<String> = new
        .map(|content| watch.fact_text(groups, &broken.key, Some(content)))
        .collect();
    given.any(|fact| new.contains(fact))
}

/// A value that goes, where something should come in its place.
fn lost_value(
    watch: &GroupWatch,
    groups: &Groups,
    rules: &NextRules,
    broken: &Broken,
    explainer: &mut Explainer<'_>,
) -> Option<Finding> {
    let loss = Loss::of(watch, groups, rules, broken, explainer);
    let is_row = matches!(loss.cause, LossCause::MissingRow(_));
    let losses: u64 = groups.lost.values().sum();
    let is_wrong = if is_last_value(groups) {
        is_row || is_role(watch, &broken.before) || losses >= LEAST_LOSSES
    } else if loss.is_exception() {
        // What a rule excepts with `not` goes on purpose.
        false
    } else if groups.regained > 0 {
        // What comes back went on purpose, but for a value that had a next one at other times.
        let goes_on = |value: &Content| groups.replaced.contains_key(value);
        is_row && groups.lost.keys().any(goes_on)
    } else {
        let never_kept = groups.kept + groups.changed == 0;
        let is_meant_to_stay =
            !rules.reading.is_empty() || !groups.fixed.is_empty() && rules.is_asked_at_end;
        is_row || !rules.computing.is_empty() || never_kept && is_meant_to_stay
    };
    is_wrong.then(|| loss.finding(watch, groups, broken, explainer))
}

/// A value of a role that the last step of a game loses for lack of a row, so that goals do not know it.
fn lost_at_end(
    watch: &GroupWatch,
    groups: &Groups,
    rules: &NextRules,
    explainer: &mut Explainer<'_>,
) -> Option<Finding> {
    let is_asked = !groups.fixed.is_empty() && rules.is_asked_at_end;
    let broken = groups.first_lost_at_end.as_ref().filter(|_| is_asked)?;
    let loss = Loss::of(watch, groups, rules, broken, explainer);
    matches!(loss.cause, LossCause::MissingRow(_))
        .then(|| loss.finding(watch, groups, broken, explainer))
}

/// A number of a thing that goes, where a table of the rules has no next one.
fn of_numbers(
    watch: &GroupWatch,
    groups: &Groups,
    explainer: &mut Explainer<'_>,
) -> Option<Finding> {
    let broken = groups.first_lost.as_ref()?;
    let rules = NextRules::of(watch, groups, explainer);
    let loss = Loss::of(watch, groups, &rules, broken, explainer);
    let is_row = matches!(loss.cause, LossCause::MissingRow(_));
    (is_row && groups.regained == 0).then(|| loss.finding(watch, groups, broken, explainer))
}

/// A board that is gone after the first step of every game.
fn vanished(watch: &GroupWatch, groups: &Groups, explainer: &mut Explainer<'_>) -> Option<Finding> {
    let vanished = &groups.vanished;
    let is_always = vanished.other_steps == 0 && groups.regained == 0;
    let broken = vanished.first.as_ref().filter(|_| is_always)?;
    let rules = NextRules::of(watch, groups, explainer);
    let loss = Loss::of(watch, groups, &rules, broken, explainer);
    let mut finding = loss.finding(watch, groups, broken, explainer);
    finding.message = format!(
        "the facts `{}` vanish after ply {}: {} of {} places hold nothing any more, since {}",
        watch.subject(groups, &Vec::new()),
        broken.step.ply,
        vanished.lost,
        groups.keys.len(),
        match loss.cause {
            LossCause::NoFrameRule => "no rule keeps what a move does not change",
            _ => "the rules that should keep them do not apply",
        }
    );
    Some(finding)
}

fn is_role(watch: &GroupWatch, content: &Content) -> bool {
    matches!(content[..], [word] if watch.is_role(word))
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
        "`{subject}` is both {} after ply {ply}: exactly one should hold, as at the start{}",
        contents.join(" and "),
        match groups.kept + groups.changed {
            0 => String::new(),
            kept => format!(" and in {} of other steps", counted(kept, "case")),
        },
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
