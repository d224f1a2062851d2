//! The heuristics, and which of them are on.

use std::fmt;
use std::str::FromStr;

/// Names of the heuristics.
const NAMES: [&str; 8] = [
    "mobility", "pieces", "progress", FACTS, TUPLES, GOALS, THREATS, "certain",
];
/// A weight for each fact.
pub(super) const FACTS: &str = "facts";
/// Weights for what neighbouring cells hold.
pub(super) const TUPLES: &str = "tuples";
/// Weights for what the cells of winning implicants hold.
pub(super) const GOALS: &str = "goals";
/// Weights for cells that would complete a win.
pub(super) const THREATS: &str = "threats";

/// Which heuristics are on.
///
/// As text, names joined by `+` or `-`, from left to right: `+` turns one on, `-` turns one off, `all` and `none` stand
/// for all of them. What begins with `-` begins with all.
///
/// ```
/// use kolibri::search::Heuristics;
///
/// let some: Heuristics = "all-mobility".parse()?;
/// assert!(some.has("pieces") && !some.has("mobility"));
/// assert_eq!(some, "pieces+progress+facts+tuples+goals+threats+certain".parse()?);
/// # Ok::<(), kolibri::search::UnknownHeuristic>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Heuristics {
    on: [bool; NAMES.len()],
}

impl Heuristics {
    /// All of them.
    pub const ALL: Self = Self {
        on: [true; NAMES.len()],
    };
    /// None of them.
    pub const NONE: Self = Self {
        on: [false; NAMES.len()],
    };

    /// All names.
    pub fn names() -> &'static [&'static str] {
        &NAMES
    }

    /// Whether the heuristic of this name is on; false for unknown names.
    pub fn has(self, name: &str) -> bool {
        let mut named = NAMES.iter().zip(self.on);
        named.any(|(known, on)| on && *known == name)
    }

    /// Turns the named heuristics on or off.
    fn turn(&mut self, name: &str, on: bool) -> Result<(), UnknownHeuristic> {
        match name {
            "all" => self.on.fill(on),
            "none" if on => *self = Self::NONE,
            _ => {
                let place = NAMES.iter().position(|known| *known == name);
                let place = place.ok_or_else(|| UnknownHeuristic(name.to_owned()))?;
                self.on[place] = on;
            }
        }
        Ok(())
    }
}

impl Default for Heuristics {
    fn default() -> Self {
        Self::ALL
    }
}

/// The name of no heuristic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}: write all, none, or some of {} joined by + and -", said(.0), NAMES.join(", "))]
pub struct UnknownHeuristic(pub String);

/// What is wrong with the name of no heuristic.
fn said(name: &str) -> String {
    match name {
        "" => "the name of a heuristic is missing".to_owned(),
        _ => format!("there is no heuristic `{name}`"),
    }
}

impl FromStr for Heuristics {
    type Err = UnknownHeuristic;

    fn from_str(text: &str) -> Result<Self, UnknownHeuristic> {
        let text = text.trim();
        let (mut on, mut rest) = match text.strip_prefix('-') {
            Some(rest) => (false, rest),
            None => (true, text),
        };
        let mut heuristics = if on { Self::NONE } else { Self::ALL };
        loop {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            heuristics.turn(rest[..end].trim(), on)?;
            let Some(sign) = rest[end..].chars().next() else {
                return Ok(heuristics);
            };
            on = sign == '+';
            rest = &rest[end + 1..];
        }
    }
}

impl fmt::Display for Heuristics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = NAMES.iter().zip(self.on).filter(|(_, on)| *on);
        let on: Vec<&str> = on.map(|(name, _)| *name).collect();
        match on.len() {
            0 => f.write_str("none"),
            count if count == NAMES.len() => f.write_str("all"),
            _ => f.write_str(&on.join("+")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_printed() {
        for (text, printed) in [
            ("all", "all"),
            ("none", "none"),
            ("goals+mobility", "mobility+goals"),
            (
                "all-mobility",
                "pieces+progress+facts+tuples+goals+threats+certain",
            ),
            (
                "-mobility-pieces",
                "progress+facts+tuples+goals+threats+certain",
            ),
            ("none+pieces", "pieces"),
            ("pieces-pieces", "none"),
            (
                "mobility+pieces+progress+facts+tuples+goals+threats+certain",
                "all",
            ),
        ] {
            assert_eq!(text.parse::<Heuristics>().unwrap().to_string(), printed);
        }
    }

    #[test]
    fn unknown_names_are_errors() {
        for (text, name) in [("", ""), ("all-piece", "piece"), ("all-none", "none")] {
            let fault = text.parse::<Heuristics>().unwrap_err();
            assert_eq!(fault, UnknownHeuristic(name.to_owned()));
        }
        assert!(!Heuristics::ALL.has("piece"));
    }
}
