//! The games that have a hand-written twin.

use std::time::Instant;

use crate::catalog::{GameSource, OpenError, Opened, SHIPPED, Visit};
use crate::native::{
    Breakthrough, Checkers, ConnectFour, Kolibrat, LinesOfAction, Rules, TicTacToe, Twin,
};

macro_rules! twins {
    ($($name:literal => $rules:ty),* $(,)?) => {
        /// The shipped games that have one, sorted by name.
        pub const TWINS: &[&str] = &[$($name),*];

        fn visit<V: Visit>(name: &str, visitor: V) -> Option<V::Output> {
            match name {
                $($name => Some(visit_twin::<$rules, V>(visitor)),)*
                _ => None,
            }
        }
    };
}

twins! {
    "breakthrough" => Breakthrough,
    "checkers" => Checkers,
    "connect-four" => ConnectFour,
    "kolibrat" => Kolibrat,
    "lines-of-action" => LinesOfAction,
    "tictactoe" => TicTacToe,
}

/// Hands the twin of the game to `visitor`. Rules that differ from the shipped ones in a single letter have none.
///
/// # Errors
/// Says that the game has no twin.
pub(super) fn open_twin<V: Visit>(source: &GameSource, visitor: V) -> Result<V::Output, OpenError> {
    let shipped = SHIPPED.iter().find(|game| game.text == source.text);
    let visited = shipped.and_then(|game| visit(game.name, visitor));
    visited.ok_or_else(|| OpenError::NoTwin(source.name.clone()))
}

fn visit_twin<R: Rules + Default, V: Visit>(visitor: V) -> V::Output {
    let begin = Instant::now();
    let twin = Twin::<R>::default();
    let opened = Opened {
        engine: "native",
        reason: "it was asked for".to_owned(),
        stages: vec![("build", begin.elapsed())],
        making: None,
        self_check: None,
        warnings: Vec::new(),
    };
    visitor.visit(&twin, &opened)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{EngineChoice, Origin, open};
    use crate::game::Engine;

    struct Names;

    impl Visit for Names {
        type Output = (&'static str, Vec<String>);

        fn visit<G: Engine>(self, game: &G, opened: &Opened) -> Self::Output {
            (opened.engine, game.roles().to_vec())
        }
    }

    #[test]
    fn a_twin_takes_the_place_of_its_rule_file() {
        for game in SHIPPED {
            let source = GameSource::find(game.name).unwrap();
            let twin = open(&source, EngineChoice::Native, Names);
            if TWINS.contains(&game.name) {
                let rules = open(&source, EngineChoice::Reasoner, Names).unwrap();
                assert_eq!(twin.unwrap(), ("native", rules.1), "{}", game.name);
            } else {
                let said = twin.unwrap_err().to_string();
                assert!(said.contains(game.name), "{said}");
            }
        }
    }

    #[test]
    fn other_rules_have_no_twin() {
        let mut source = GameSource::find("tictactoe").unwrap();
        source.origin = Origin::Stdin;
        assert!(open(&source, EngineChoice::Native, Names).is_ok());
        source.text.push('\n');
        assert!(open(&source, EngineChoice::Native, Names).is_err());
    }
}
