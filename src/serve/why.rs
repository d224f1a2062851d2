//! Why a move is legal or not, and why a game is over.

use std::time::Duration;

use serde::Serialize;

use super::ServeRefusal;
use crate::engine::{RuleProbe, ToldLine, ToldOf, told_lines};
use crate::gdl::Rules;
use crate::kif::GroundTerm;
use crate::session::Session;
use crate::util::StopFlag;

/// What relations in conditions lack is followed so many times.
const DEPTH: usize = 2;
/// Rules that take longer are not told of.
const TIME: Duration = Duration::from_secs(5);

/// An answer to the question why a move is legal or not, or why the game is over.
#[derive(Debug, Serialize)]
pub(super) struct WhyView {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    about: WhyAbout,
    lines: Vec<String>,
}

/// What was asked about.
#[derive(Debug, Serialize)]
#[serde(untagged)]
enum WhyAbout {
    Move {
        role: String,
        #[serde(rename = "move")]
        mv: String,
    },
    End {
        end: bool,
    },
}

impl WhyView {
    /// The rules that make a move legal in the present position of `session`, or what keeps each from it.
    pub(super) fn of_move(session: &Session, role: &str, mv: &str) -> Result<Self, ServeRefusal> {
        let number = session.game().role(role);
        let number = number.map_err(|fault| refused(&fault))?;
        let mut asked = ProbedPosition::new(session)?;
        let term: GroundTerm = mv.parse().map_err(|fault| refused(&fault))?;
        let is_legal = session.legal_of(number).iter().any(|legal| legal == mv);
        let wanted = [role.parse().ok(), Some(term)];
        Ok(Self {
            kind: "why",
            lines: asked.lines("legal", &wanted, is_legal)?,
            about: WhyAbout::Move {
                role: role.to_owned(),
                mv: mv.to_owned(),
            },
        })
    }

    /// The rules that make the present position of `session` an end, or what keeps each from it; and those that say what each
    /// role scores there.
    pub(super) fn of_end(session: &Session) -> Result<Self, ServeRefusal> {
        let mut asked = ProbedPosition::new(session)?;
        let is_over = session.is_terminal();
        let mut lines = vec![match is_over {
            true => "terminal".to_owned(),
            false => "not terminal".to_owned(),
        }];
        lines.extend(indented(asked.lines("terminal", &[], is_over)?));
        for (role, goal) in session.roles().iter().zip(session.goals()) {
            let Some(goal) = goal else {
                continue;
            };
            lines.push(format!("(goal {role} {goal})"));
            let wanted = [role.parse().ok(), goal.to_string().parse().ok()];
            lines.extend(indented(asked.lines("goal", &wanted, true)?));
        }
        Ok(Self {
            kind: "why",
            about: WhyAbout::End { end: true },
            lines,
        })
    }
}

fn indented(lines: Vec<String>) -> impl Iterator<Item = String> {
    lines.into_iter().map(|line| format!("  {line}"))
}

fn refused(fault: &dyn std::fmt::Display) -> ServeRefusal {
    ServeRefusal::request(fault.to_string())
}

/// The present position of a session, of which is asked why something holds in it.
struct ProbedPosition<'s> {
    rules: &'s Rules,
    text: &'s str,
    probe: RuleProbe,
}

impl<'s> ProbedPosition<'s> {
    fn new(session: &'s Session) -> Result<Self, ServeRefusal> {
        let Some(rules) = &session.game().report().rules else {
            let message = "the rules of this game are not known";
            return Err(ServeRefusal::missing(message));
        };
        let probe = RuleProbe::new(rules, TIME, &StopFlag::default());
        let mut probe = probe.map_err(|fault| refused(&fault))?;
        let looked = probe.look(&session.facts(), &[]);
        looked.map_err(|fault| refused(&fault))?;
        Ok(Self {
            rules,
            text: &session.game().source().text,
            probe,
        })
    }

    /// The rules that give `relation` these arguments where it `holds`, or else what keeps each from it.
    fn lines(
        &mut self,
        relation: &str,
        wanted: &[Option<GroundTerm>],
        holds: bool,
    ) -> Result<Vec<String>, ServeRefusal> {
        let tried = self.probe.why(relation, wanted, DEPTH);
        let tried = tried.map_err(|fault| refused(&fault))?;
        let told = told_lines((self.rules, self.text), tried, holds);
        Ok(told.into_iter().map(line_text).collect())
    }
}

fn line_text(line: ToldLine) -> String {
    let indent = "  ".repeat(line.level - 1);
    match line.what {
        ToldOf::Rule { line, text } => format!("{indent}line {line}: {text}"),
        ToldOf::Condition {
            holds: true, text, ..
        } => format!("{indent}holds {text}"),
        ToldOf::Condition { text, instead, .. } => format!("{indent}fails {text}{instead}"),
        ToldOf::More(more) => format!("{indent}and {more} more rules"),
    }
}
