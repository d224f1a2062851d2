//! `kolibri moves --why`: which rule makes a move legal, or what keeps each from it.

use std::io::{self, Write};
use std::time::Duration;

use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::move_text::read_move;
use crate::cli::style;
use crate::engine::{RuleProbe, ToldLine, ToldOf, TriedRule, told_lines};
use crate::game::is_chance;
use crate::gdl::Rules;
use crate::session::Session;
use crate::util::StopFlag;

/// What relations in conditions lack is followed so many times.
const DEPTH: usize = 2;
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
    let told = named.map_or_else(|| roles(session, &mv), |role| vec![role]);
    for role in told {
        let name = &session.roles()[role];
        let wanted = [name, &mv].map(|word| word.parse().ok());
        let tried = probe.why("legal", &wanted, DEPTH);
        let tried = tried.map_err(|error| failure(&error))?;
        let is_legal = session.legal_of(role).contains(&mv);
        let page = (&*rules, &*session.game().source().text);
        show_role((name, &mv, is_legal), page, tried, &mut console.out)?;
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

fn show_role(
    (role, mv, is_legal): (&str, &str, bool),
    (rules, text): (&Rules, &str),
    tried: Vec<TriedRule>,
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
    let lines = told_lines((rules, text), tried, is_legal);
    lines.iter().try_for_each(|line| show_line(line, out))
}

fn show_line(line: &ToldLine, out: &mut impl Write) -> io::Result<()> {
    let indent = "  ".repeat(line.level);
    let (bad, faint) = (style::ERROR, style::FAINT);
    match &line.what {
        ToldOf::Rule { line, text } => {
            writeln!(out, "{indent}{faint}line {line}:{faint:#} {text}")
        }
        ToldOf::Condition {
            holds: true, text, ..
        } => writeln!(out, "{indent}holds  {text}"),
        ToldOf::Condition { text, instead, .. } => writeln!(
            out,
            "{indent}{bad}fails{bad:#}  {text}{faint}{instead}{faint:#}"
        ),
        ToldOf::More(more) => writeln!(out, "{indent}and {more} more rules that come less near"),
    }
}
