//! Why a move is legal or not.

use std::time::Duration;

use serde::Serialize;

use super::ServeRefusal;
use crate::engine::{RuleProbe, ToldOf, told_lines};
use crate::kif::GroundTerm;
use crate::session::Session;
use crate::util::StopFlag;

/// What relations in conditions lack is followed so many times.
const DEPTH: usize = 2;
/// Rules that take longer are not told of.
const TIME: Duration = Duration::from_secs(5);

/// An answer to the question why a move is legal or not.
#[derive(Debug, Serialize)]
pub(super) struct WhyView {
    #[serde(rename = "type")]
    kind: &'static str,
    role: String,
    #[serde(rename = "move")]
    mv: String,
    lines: Vec<String>,
}

impl WhyView {
    /// The rules that make a move legal in the present position of `session`, or what keeps each from it.
    pub(super) fn of(session: &Session, role: &str, mv: &str) -> Result<Self, ServeRefusal> {
        let number = session.game().role(role);
        let number = number.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
        let Some(rules) = session.game().report().rules.clone() else {
            return Err(ServeRefusal::missing(
                "the rules of this game are not known",
            ));
        };
        let refused = |fault: &dyn std::fmt::Display| ServeRefusal::request(fault.to_string());
        let probe = RuleProbe::new(&rules, TIME, &StopFlag::default());
        let mut probe = probe.map_err(|fault| refused(&fault))?;
        let looked = probe.look(&session.facts(), &[]);
        looked.map_err(|fault| refused(&fault))?;
        let asked: GroundTerm = mv.parse().map_err(|fault| refused(&fault))?;
        let wanted = [role.parse().ok(), Some(asked)];
        let tried = probe.why("legal", &wanted, DEPTH);
        let tried = tried.map_err(|fault| refused(&fault))?;
        let is_legal = session.legal_of(number).iter().any(|legal| legal == mv);
        let told = told_lines((&rules, &session.game().source().text), tried, is_legal);
        let line = |line: crate::engine::ToldLine| {
            let indent = "  ".repeat(line.level - 1);
            match line.what {
                ToldOf::Rule { line, text } => format!("{indent}line {line}: {text}"),
                ToldOf::Condition {
                    holds: true, text, ..
                } => format!("{indent}holds {text}"),
                ToldOf::Condition { text, instead, .. } => format!("{indent}fails {text}{instead}"),
                ToldOf::More(more) => format!("{indent}and {more} more rules"),
            }
        };
        Ok(Self {
            kind: "why",
            role: role.to_owned(),
            mv: mv.to_owned(),
            lines: told.into_iter().map(line).collect(),
        })
    }
}
