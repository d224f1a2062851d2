//! Roles without a legal move: one finding for each cause, whichever roles and games it shows in.

use super::ends::{SeenFault, blocked, listed};
use super::explain::Explainer;
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use crate::kif::GroundTerm;

/// What keeps roles from having a move, and the games in which it does.
pub(super) struct StuckCause<'s> {
    /// The first of them is shown.
    seen: Vec<&'s SeenFault>,
    places: Vec<RulePlace>,
}

impl StuckCause<'_> {
    /// In how many games it shows.
    pub(super) fn games(&self) -> u64 {
        self.seen.iter().map(|seen| seen.games).sum()
    }

    /// The roles that have no legal move in the game that is shown, and those that have none in others.
    fn roles(&self) -> (&[String], Vec<String>) {
        let roles = |seen: &&SeenFault| seen.stuck().unwrap_or_default().to_vec();
        let shown = self.seen[0].stuck().unwrap_or_default();
        let mut others: Vec<String> = Vec::new();
        for role in self.seen[1..].iter().flat_map(roles) {
            if !shown.contains(&role) && !others.contains(&role) {
                others.push(role);
            }
        }
        (shown, others)
    }
}

/// The games in which roles are stuck, by the lines in the way.
pub(super) fn by_cause<'s>(
    stuck: Vec<&'s SeenFault>,
    explainer: &mut Explainer<'_>,
) -> Vec<StuckCause<'s>> {
    let lines = |places: &[RulePlace]| -> Vec<usize> {
        let mut lines: Vec<usize> = places.iter().map(|place| place.line).collect();
        lines.sort_unstable();
        lines
    };
    let mut causes: Vec<StuckCause<'s>> = Vec::new();
    for seen in stuck {
        let role = &seen.stuck().unwrap_or_default()[0];
        let rules = explainer.move_rules(role);
        let wanted = [Some(GroundTerm::Constant(role.clone())), None];
        let places = blocked(&rules, &wanted, "no move by this rule", seen, explainer);
        let is_same = |cause: &&mut StuckCause<'s>| lines(&cause.places) == lines(&places);
        match causes.iter_mut().find(is_same) {
            Some(cause) => cause.seen.push(seen),
            None => causes.push(StuckCause {
                seen: vec![seen],
                places,
            }),
        }
    }
    causes
}

/// What is wrong; `share` says in how many games.
pub(super) fn finding(
    cause: StuckCause<'_>,
    share: &str,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let (stuck, others) = cause.roles();
    let position = &cause.seen[0].first.last;
    let has_move = |(role, name): &(usize, &String)| {
        let legal = position.legal_of(*role);
        let acts = |mv: &String| mv.starts_with('(') || explainer.has_effect(mv);
        !stuck.contains(name) && (legal.len() > 1 || legal.iter().any(acts))
    };
    let mover = explainer.roles.iter().enumerate().find(has_move);
    let names = listed(stuck);
    let have = if stuck.len() == 1 { "has" } else { "have" };
    let control = |mover: &String| position.facts().contains(&format!("(control {mover})"));
    let elsewhere = match &others[..] {
        [] => String::new(),
        others => format!(" (in other games {})", listed(others)),
    };
    let (code, message, help) = match mover {
        Some((_, mover)) => (
            "no-noop",
            format!(
                "{share} got stuck: {names} {have} no legal move while `{mover}` {}{elsewhere}, and every role must have one in every position",
                if control(mover) { "moves" } else { "has one" }
            ),
            match control(mover) {
                true => format!(
                    "give a role that waits a move that does nothing, such as `(<= (legal {} noop) (true (control {mover})))`",
                    stuck[0]
                ),
                false => format!(
                    "keep the facts that the rules for `legal` ask for, or give a role that waits a move that does nothing, such as `(<= (legal {} noop) …)` with a condition that holds here",
                    stuck[0]
                ),
            },
        ),
        None => (
            "stuck",
            format!(
                "{share} got stuck: {names} {have} no legal move{elsewhere}, and the game is not over"
            ),
            "end the game there with a rule for `terminal`, or give a move that passes".to_owned(),
        ),
    };
    Finding {
        places: cause.places,
        help: Some(help),
        step: Some(explainer.last_step(&cause.seen[0].first)),
        ..Finding::new(code, FindingSeverity::Error, Evidence::Seen, message)
    }
}
