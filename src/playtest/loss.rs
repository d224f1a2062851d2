//! Why a group of facts holds nothing any more, and how to mend it.

use super::explain::{Explainer, MOST_PLACES, grouped};
use super::groups::{Broken, GroupKind, GroupWatch, Groups};
use super::next_rules::NextRules;
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::engine::{MissingRow, NearMiss, TriedRule};

/// A fact that went, and nothing came in its place.
pub(super) struct Loss {
    pub(super) cause: LossCause,
    /// What alone keeps a rule from giving a next fact.
    misses: Vec<NearMiss>,
    /// The rules that give such facts, and how far their conditions hold.
    tried: Vec<TriedRule>,
}

/// Why there is no next fact.
pub(super) enum LossCause {
    /// A rule takes the next value from a table that lacks a row.
    MissingRow(MissingRow),
    /// No rule keeps what a move does not change.
    NoFrameRule,
    /// There are rules that keep facts, and none applies.
    RulesDoNotApply,
}

impl Loss {
    pub(super) fn of(
        watch: &GroupWatch,
        groups: &Groups,
        rules: &NextRules,
        broken: &Broken,
        explainer: &mut Explainer<'_>,
    ) -> Self {
        let wanted = [Some(watch.fact_term(groups, &broken.key))];
        let (before, joint) = (&broken.step.before, &broken.step.joint);
        let misses = explainer.near_misses(&rules.all, &wanted, before, joint);
        let row = explainer.missing_row(&rules.all, &wanted, before, joint);
        let is_row = |row: &MissingRow| {
            groups.kind != GroupKind::Places && (row.gives_value || groups.fixed.is_empty())
        };
        let cause = match row.filter(is_row) {
            Some(row) => LossCause::MissingRow(row),
            None if rules.reading.is_empty() => LossCause::NoFrameRule,
            None => LossCause::RulesDoNotApply,
        };
        Self {
            cause,
            misses,
            tried: explainer.why_not_next(&wanted, before, joint),
        }
    }

    /// Whether nothing but a `not` keeps a rule from giving the next fact: then it goes on purpose.
    pub(super) fn is_exception(&self) -> bool {
        !self.misses.is_empty() && self.misses.iter().all(|miss| !miss.is_positive)
    }

    pub(super) fn finding(
        &self,
        watch: &GroupWatch,
        groups: &Groups,
        broken: &Broken,
        explainer: &mut Explainer<'_>,
    ) -> Finding {
        let (why, help) = self.words(watch, groups, broken);
        let fact = watch.fact_text(groups, &broken.key, Some(&broken.before));
        let subject = watch.subject(groups, &broken.key);
        let ply = broken.step.ply;
        let code = match self.cause {
            LossCause::MissingRow(_) => "counter-ends",
            LossCause::NoFrameRule | LossCause::RulesDoNotApply => "lost",
        };
        let again = again(groups);
        let message =
            format!("{fact} is gone after ply {ply}, and `{subject}` is nothing: {why}{again}");
        Finding {
            places: self.places(explainer),
            help: Some(help),
            step: Some(explainer.step(&broken.step)),
            ..Finding::new(code, FindingSeverity::Warning, Evidence::Seen, message)
        }
    }

    pub(super) fn places(&self, explainer: &Explainer<'_>) -> Vec<RulePlace> {
        if let LossCause::MissingRow(row) = &self.cause {
            let message = format!(
                "all that is missing is {}, which the rules do not list",
                row.condition
            );
            return vec![explainer.place(row.rule, message)];
        }
        let places = explainer.places_of(&self.misses);
        if !places.is_empty() {
            return places;
        }
        let tried = self.tried.iter().take(MOST_PLACES);
        tried
            .map(|tried| {
                let failing = tried.conditions.iter().find(|condition| !condition.holds);
                let why =
                    failing.map_or(String::new(), |of| format!(": {} does not hold", of.text));
                explainer.place(tried.rule, format!("does not apply here{why}"))
            })
            .collect()
    }

    /// What is wrong, and how to mend it.
    fn words(&self, watch: &GroupWatch, groups: &Groups, broken: &Broken) -> (String, String) {
        let relation = watch.subject(groups, &Vec::new());
        match &self.cause {
            LossCause::MissingRow(row) => (
                format!(
                    "there is no next value after `{}`{}",
                    watch.content_text(&broken.before),
                    where_it_ends(row)
                ),
                format!(
                    "list the next value, as {} asks for it, or end the game before",
                    row.condition
                ),
            ),
            LossCause::NoFrameRule => (
                match groups.kind {
                    GroupKind::Places => {
                        format!("no rule keeps the facts `{relation}` that a move does not change")
                    }
                    _ => format!("no rule keeps the fact `{relation}`"),
                },
                format!(
                    "add a frame rule such as `(<= (next {0}) (true {0}) …)`",
                    pattern(watch, groups)
                ),
            ),
            LossCause::RulesDoNotApply => (
                "no rule keeps it or puts another fact in its place".to_owned(),
                format!(
                    "add a rule for `(next {0})` that applies here, such as `(<= (next {0}) (true {0}) …)` to keep it",
                    watch.fact_text(groups, &broken.key, None).replace('?', "…")
                ),
            ),
        }
    }
}

/// How often groups of a relation lost their facts, where it was more than once.
pub(super) fn again(groups: &Groups) -> String {
    match groups.lost.values().sum::<u64>() {
        0 | 1 => String::new(),
        losses => format!(" (seen {} times)", grouped(losses)),
    }
}

/// Where the facts of a table end that lacks a row, or leave a gap.
fn where_it_ends(row: &MissingRow) -> String {
    let relation = &row.relation;
    match &row.beside {
        [Some(before), Some(after)] => {
            format!(": the facts of `{relation}` have a gap between {before} and {after}")
        }
        [Some(before), None] => format!(": the facts of `{relation}` end at {before}"),
        [None, Some(after)] => format!(": the facts of `{relation}` begin at {after}"),
        [None, None] => String::new(),
    }
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
