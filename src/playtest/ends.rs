//! How games end, and what is wrong with that.

use super::explain::{Explainer, MOST_PLACES, counted, grouped};
use super::games::PlayedGame;
use super::over_at_start::over_at_start;
use super::report::{Evidence, Finding, FindingSeverity, RulePlace};
use super::stuck::{self, by_cause};
use crate::game::is_chance;
use crate::kif::GroundTerm;
use crate::play::End;

/// What was wrong with the end of a game.
#[derive(Debug, Clone, PartialEq, Eq)]
enum EndFault {
    /// It was over before anybody could move.
    AtStart,
    /// It ended, and these roles have no goal, or several.
    NoGoal(Vec<usize>),
    /// These roles have no legal move.
    Stuck(Vec<String>),
    /// Nothing changes any more.
    Still,
    /// It was given up.
    TooLong,
}

/// A fault, the first game that shows it, and how many do.
#[derive(Debug)]
pub(super) struct SeenFault {
    fault: EndFault,
    pub(super) first: PlayedGame,
    pub(super) games: u64,
}

impl SeenFault {
    /// The roles that have no legal move, if that is the fault.
    pub(super) fn stuck(&self) -> Option<&[String]> {
        match &self.fault {
            EndFault::Stuck(roles) => Some(roles),
            _ => None,
        }
    }
}

/// Watches how games of one kind end.
#[derive(Debug)]
pub(super) struct EndWatch {
    /// The kind in words: one game, and several.
    kind: [&'static str; 2],
    faults: Vec<SeenFault>,
    pub(super) games: u64,
    pub(super) ended: u64,
    pub(super) stuck: u64,
    pub(super) given_up: u64,
    pub(super) without_goal: u64,
}

impl EndWatch {
    /// For games between random players.
    pub(super) fn of_random_games() -> Self {
        Self::new(["game", "games"])
    }

    /// For games between players that look ahead.
    pub(super) fn of_games_of_players() -> Self {
        Self::new(["game of players", "games of players"])
    }

    fn new(kind: [&'static str; 2]) -> Self {
        Self {
            kind,
            faults: Vec::new(),
            games: 0,
            ended: 0,
            stuck: 0,
            given_up: 0,
            without_goal: 0,
        }
    }

    pub(super) fn see(&mut self, roles: &[String], game: &PlayedGame) {
        self.games += 1;
        let fault = match &game.end {
            End::Terminal => {
                self.ended += 1;
                if game.plies == 0 {
                    self.note(EndFault::AtStart, game);
                }
                let missing =
                    |role: &usize| game.goals[*role].is_none() && !is_chance(&roles[*role]);
                let missing: Vec<usize> = (0..roles.len()).filter(missing).collect();
                if missing.is_empty() {
                    return;
                }
                self.without_goal += 1;
                EndFault::NoGoal(missing)
            }
            End::Stuck(roles) => {
                self.stuck += 1;
                EndFault::Stuck(roles.clone())
            }
            End::Still => {
                self.given_up += 1;
                EndFault::Still
            }
            End::PlyLimit(_) | End::Repetition(_) => {
                self.given_up += 1;
                EndFault::TooLong
            }
            End::Fault(_) | End::Stopped => return,
        };
        self.note(fault, game);
    }

    fn note(&mut self, fault: EndFault, game: &PlayedGame) {
        match self.faults.iter_mut().find(|seen| seen.fault == fault) {
            Some(seen) => seen.games += 1,
            None => self.faults.push(SeenFault {
                fault,
                first: game.clone(),
                games: 1,
            }),
        }
    }

    /// Whether the first position is the last one.
    pub(super) fn begins_at_end(&self) -> bool {
        self.shows(&EndFault::AtStart)
    }

    /// What is wrong with the ends of games, but for faults that `others` show as well.
    pub(super) fn findings(
        &self,
        others: Option<&Self>,
        explainer: &mut Explainer<'_>,
    ) -> Vec<Finding> {
        let mut findings: Vec<Finding> = Vec::new();
        let is_new = |seen: &&SeenFault| others.is_none_or(|others| !others.shows(&seen.fault));
        let (stuck, rest): (Vec<_>, Vec<_>) =
            (self.faults.iter().filter(is_new)).partition(|seen| seen.stuck().is_some());
        for cause in by_cause(stuck, explainer) {
            let share = self.share(cause.games());
            findings.push(stuck::finding(cause, &share, explainer));
        }
        for seen in rest {
            for mut finding in self.of_fault(seen, explainer) {
                finding.step = Some(explainer.last_step(&seen.first));
                findings.push(finding);
            }
        }
        findings
    }

    fn shows(&self, fault: &EndFault) -> bool {
        let is_same = |seen: &SeenFault| match (&seen.fault, fault) {
            (EndFault::Stuck(one), EndFault::Stuck(other)) => {
                one.iter().any(|role| other.contains(role))
            }
            (one, other) => one == other,
        };
        self.faults.iter().any(is_same)
    }

    /// So many of all games, in words.
    fn share(&self, games: u64) -> String {
        let noun = self.kind[usize::from(self.games != 1)];
        format!("{} of {} {noun}", grouped(games), grouped(self.games))
    }

    fn of_fault(&self, seen: &SeenFault, explainer: &mut Explainer<'_>) -> Vec<Finding> {
        let share = self.share(seen.games);
        match &seen.fault {
            EndFault::AtStart => vec![over_at_start(&seen.first.last, explainer)],
            EndFault::NoGoal(roles) => goal_faults(roles, &share, seen, explainer),
            EndFault::Stuck(_) => Vec::new(),
            EndFault::Still | EndFault::TooLong => vec![self.endless(&share, seen, explainer)],
        }
    }

    fn endless(&self, share: &str, seen: &SeenFault, explainer: &mut Explainer<'_>) -> Finding {
        let is_still = seen.fault == EndFault::Still;
        let severity = match is_still || self.ended == 0 {
            true => FindingSeverity::Error,
            false => FindingSeverity::Warning,
        };
        let (code, message) = match is_still {
            true => (
                "stands-still",
                format!("{share} came to a position that no move can change, and did not end"),
            ),
            false => (
                "endless",
                format!(
                    "{share} had no end after {}",
                    counted(seen.first.plies as u64, "ply")
                ),
            ),
        };
        let mut finding = Finding::new(code, severity, Evidence::Seen, message);
        let rules = explainer.rules_for("terminal", None);
        finding.places = blocked(&rules, &[], "the game ends only here", seen, explainer);
        finding.help = Some(match is_still {
            true => "add a rule for `terminal` that holds in this position, or a move that changes it",
            false => "add a counter that ends the game, if it can go round in circles",
        }
        .to_owned());
        finding
    }
}

/// Roles without a goal, and roles with several or an odd one.
fn goal_faults(
    roles: &[usize],
    share: &str,
    seen: &SeenFault,
    explainer: &mut Explainer<'_>,
) -> Vec<Finding> {
    let given: Vec<(String, Vec<(usize, String)>)> = roles
        .iter()
        .map(|&role| {
            let values = goal_values(role, seen, explainer);
            (explainer.roles[role].clone(), values)
        })
        .collect();
    let (without, with): (Vec<_>, Vec<_>) =
        given.into_iter().partition(|(_, values)| values.is_empty());
    let without: Vec<String> = without.into_iter().map(|(role, _)| role).collect();
    let mut findings = Vec::new();
    if !without.is_empty() {
        findings.push(no_goal(&without, share, seen, explainer));
    }
    if !with.is_empty() {
        findings.push(several_goals(&with, share, explainer));
    }
    findings
}

/// The rules that give a role a goal at the end of a game, each with the value.
fn goal_values(
    role: usize,
    seen: &SeenFault,
    explainer: &mut Explainer<'_>,
) -> Vec<(usize, String)> {
    let name = explainer.roles[role].clone();
    let rules = explainer.rules_for("goal", Some(&name));
    let derived = explainer.derivations(&rules, &seen.first.last, &[]);
    let values = derived.iter().flat_map(|(rule, rows)| {
        let own = rows.iter().filter(|row| row[0] == name);
        own.map(|row| (*rule, row[1].clone()))
    });
    values.collect()
}

fn no_goal(
    roles: &[String],
    share: &str,
    seen: &SeenFault,
    explainer: &mut Explainer<'_>,
) -> Finding {
    let names = listed(roles);
    let message =
        format!("{share} ended without a score for {names}: none of the goal rules applies");
    let mut finding = Finding::new(
        "end-without-goal",
        FindingSeverity::Error,
        Evidence::Seen,
        message,
    );
    let rules = explainer.rules_for("goal", Some(&roles[0]));
    let wanted = [Some(GroundTerm::Constant(roles[0].clone())), None];
    finding.places = blocked(&rules, &wanted, "no goal by this rule", seen, explainer);
    let help = format!("add a rule for `(goal {} …)` that holds here", roles[0]);
    finding.help = Some(help);
    finding
}

fn several_goals(
    given: &[(String, Vec<(usize, String)>)],
    share: &str,
    explainer: &Explainer<'_>,
) -> Finding {
    let (name, values) = &given[0];
    let roles: Vec<String> = given.iter().map(|(role, _)| role.clone()).collect();
    let names = listed(&roles);
    let mut different: Vec<&str> = values.iter().map(|(_, value)| value.as_str()).collect();
    different.sort_unstable();
    different.dedup();
    let places = values.iter().take(MOST_PLACES);
    let places: Vec<RulePlace> = places
        .map(|(rule, value)| explainer.place(*rule, format!("`{name}` gets {value} here")))
        .collect();
    let (code, message, help) = match different[..] {
        [value] => (
            "odd-goal",
            format!(
                "{share} ended with the goal {value} for {names}, which is no whole number from 0 to 100"
            ),
            "write a whole number from 0 to 100",
        ),
        _ => (
            "two-goals",
            format!(
                "{share} ended with more than one score for {names}: `{name}` got {}",
                different.join(" and ")
            ),
            "add a condition to one of these rules, so that they never apply together",
        ),
    };
    Finding {
        places,
        help: Some(help.to_owned()),
        ..Finding::new(code, FindingSeverity::Error, Evidence::Seen, message)
    }
}

/// Names in a sentence.
pub(super) fn listed(names: &[String]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    names.join(" and ")
}

/// Why none of `rules` applies in the last position of a game: the conditions in the way, or else the rules themselves.
pub(super) fn blocked(
    rules: &[usize],
    wanted: &[Option<GroundTerm>],
    otherwise: &str,
    seen: &SeenFault,
    explainer: &mut Explainer<'_>,
) -> Vec<RulePlace> {
    let misses = explainer.near_misses(rules, wanted, &seen.first.last, &[]);
    let places = explainer.places_of(&misses);
    if !places.is_empty() {
        return places;
    }
    let all = rules.iter().take(MOST_PLACES);
    all.map(|&rule| explainer.place(rule, otherwise)).collect()
}
