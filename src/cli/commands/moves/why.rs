//! `kolibri moves --why`: which rule makes a move legal, or what keeps each from it.

use std::io::{self, Write};
use std::time::Duration;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::move_text::read_move;
use crate::cli::style;
use crate::engine::{RuleProbe, TriedCondition, TriedRule};
use crate::game::is_chance;
use crate::gdl::Rules;
use crate::kif::{LineIndex, in_one_line};
use crate::session::Session;
use crate::util::StopFlag;

/// What relations in conditions lack is followed so many times.
const DEPTH: usize = 2;
/// So many rules are shown: those first that come nearest to the move.
const MOST_RULES: usize = 5;
/// Rules that take longer are not told of.
const TIME: Duration = Duration::from_secs(10);

/// Shows why a move is legal, or why not: for the role that the text begins with, or else for those of [`roles`].
pub(super) fn show(
    session: &Session,
    text: &str,
    console: &mut Console<'_>,
) -> Result<(), Failure> {
    let (named, mv) = match split_role(session, text) {
        Some((role, mv)) => (Some(role), mv),
        None => (None, text),
    };
    let mv = read_move(mv)?;
    if session.is_terminal() {
        return Err(Failure::finding(format!(
            "`{mv}` is not legal: the game is over"
        )));
    }
    let Some(rules) = session.game().report().rules.clone() else {
        return Err(Failure::finding("the rules of this game are not known"));
    };
    let failure = |error: &dyn std::fmt::Display| Failure::finding(error.to_string());
    let mut probe =
        RuleProbe::new(&rules, TIME, &StopFlag::default()).map_err(|error| failure(&error))?;
    let looked = probe.look(&session.facts(), &[]);
    looked.map_err(|error| failure(&error))?;
    let page = RulePage {
        rules: &rules,
        text: &session.game().source().text,
        lines: LineIndex::new(&session.game().source().text),
    };
    let told = named.map_or_else(|| roles(session, &mv), |role| vec![role]);
    for role in told {
        let name = &session.roles()[role];
        let wanted = [name, &mv].map(|word| word.parse().ok());
        let tried = probe.why("legal", &wanted, DEPTH);
        let tried = tried.map_err(|error| failure(&error))?;
        let is_legal = session.legal_of(role).contains(&mv);
        page.show_role((name, &mv, is_legal), tried, &mut console.out)?;
    }
    Ok(())
}

/// A role's name before a move.
fn split_role<'t>(session: &Session, text: &'t str) -> Option<(usize, &'t str)> {
    let (name, mv) = text.trim().split_once(char::is_whitespace)?;
    let role = session.roles().iter().position(|role| role == name)?;
    Some((role, mv))
}

/// The roles to tell of: those that may make the move or have a choice, or else all; chance only if the move is its.
fn roles(session: &Session, mv: &str) -> Vec<usize> {
    let may = |role: usize| session.legal_of(role).iter().any(|one| one == mv);
    let is_player = |role: &usize| !is_chance(&session.roles()[*role]);
    let all = 0..session.roles().len();
    let told = |role: &usize| may(*role) || is_player(role) && session.legal_of(*role).len() > 1;
    let choosing: Vec<usize> = all.clone().filter(told).collect();
    if choosing.is_empty() {
        return all.filter(is_player).collect();
    }
    choosing
}

/// Rules with their text.
struct RulePage<'p> {
    rules: &'p Rules,
    text: &'p str,
    lines: LineIndex<'p>,
}

impl RulePage<'_> {
    fn show_role(
        &self,
        (role, mv, is_legal): (&str, &str, bool),
        mut tried: Vec<TriedRule>,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let strong = style::STRONG;
        let verdict = if is_legal { "is legal" } else { "is not legal" };
        writeln!(out, "{strong}{mv}{strong:#} {verdict} for {role}")?;
        if tried.is_empty() {
            return writeln!(
                out,
                "  no rule for `legal` has such a move: compare its name and the number of its arguments"
            );
        }
        tried.retain(|rule| rule.applies() == is_legal);
        tried.sort_by_key(|rule| std::cmp::Reverse(self.nearness(rule)));
        for rule in tried.iter().take(MOST_RULES) {
            self.show_rule(rule, 1, out)?;
        }
        match tried.len().saturating_sub(MOST_RULES) {
            0 => Ok(()),
            more => writeln!(out, "  and {more} more rules that come less near"),
        }
    }

    /// Which share of its conditions a rule meets, in thousandths.
    fn nearness(&self, tried: &TriedRule) -> usize {
        let held = tried.conditions.iter().filter(|one| one.holds).count();
        1000 * held / self.rules.rules()[tried.rule].body.len().max(1)
    }

    fn show_rule(&self, tried: &TriedRule, level: usize, out: &mut impl Write) -> io::Result<()> {
        const MOST: usize = 100;
        let indent = "  ".repeat(level);
        let faint = style::FAINT;
        let span = self.rules.rules()[tried.rule].span;
        let line = self.lines.position(span.start).line;
        let text = in_one_line(&self.text[span.start..span.end], MOST);
        writeln!(out, "{indent}{faint}line {line}:{faint:#} {text}")?;
        for condition in &tried.conditions {
            self.show_condition(condition, level + 1, out)?;
        }
        Ok(())
    }

    fn show_condition(
        &self,
        condition: &TriedCondition,
        level: usize,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let indent = "  ".repeat(level);
        let TriedCondition { text, instead, .. } = condition;
        if condition.holds {
            return writeln!(out, "{indent}holds  {text}");
        }
        let is_denied = text.starts_with("(not ");
        let instead = match (&instead[..], is_denied) {
            ([], _) => String::new(),
            (facts, true) => format!(", since {} holds", facts.join(" ")),
            (facts, false) => format!(", but there is {}", facts.join(" ")),
        };
        let (bad, faint) = (style::ERROR, style::FAINT);
        writeln!(
            out,
            "{indent}{bad}fails{bad:#}  {text}{faint}{instead}{faint:#}"
        )?;
        for rule in &condition.rules {
            self.show_rule(rule, level + 1, out)?;
        }
        Ok(())
    }
}
