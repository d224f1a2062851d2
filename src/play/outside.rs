//! What players have in common that think outside of this program: players on the network, and other programs.

use std::time::Duration;

use crate::kif::{Sexpr, parse};
use crate::play::{Choice, Found, MatchTerms, PlayerFault, Session};

/// How much longer than its clock an answer may be under way, as in ggp-base.
pub(super) const GRACE: Duration = Duration::from_secs(1);

impl MatchTerms {
    /// A text of the rules in the words of the players.
    pub(super) fn told(&self, text: &str) -> String {
        let words = self.words.as_deref();
        words.map_or_else(|| text.to_owned(), |words| words.scramble(text))
    }

    /// The rules as one line in the words of the players.
    pub(super) fn told_rules(&self, session: &Session) -> String {
        let rules = parse(&session.game().source().text);
        let rules: Vec<String> = rules.sexprs.iter().map(Sexpr::to_string).collect();
        self.told(&rules.join(" "))
    }

    /// The move that an answer means, and what its player found.
    pub(super) fn understood(
        &self,
        answer: &str,
        legal: &[String],
        found: Option<Found>,
    ) -> Result<Choice, PlayerFault> {
        let words = self.words.as_deref();
        let answer = words.map_or_else(|| answer.to_owned(), |words| words.unscramble(answer));
        let parsed = parse(&answer);
        let whole = parsed.diagnostics.is_empty();
        let Some(first) = parsed.sexprs.first().filter(|_| whole) else {
            return Err(PlayerFault(format!("IL no move: {}", shortened(&answer))));
        };
        let mv = first.to_string();
        let known = legal.iter().find(|legal| legal.eq_ignore_ascii_case(&mv));
        let exact = legal.iter().find(|legal| **legal == mv);
        let mv = exact.or(known).cloned().unwrap_or_else(|| shortened(&mv));
        Ok(Choice { mv, found })
    }
}

/// The beginning of a text that may be long, without what a terminal would take for a command.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 80;
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().take(MOST).map(shown).collect()
}
