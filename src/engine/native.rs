//! The games that have a native engine.

use std::time::Instant;

use crate::catalog::{GameSource, SHIPPED};
use crate::engine::{OpenError, Opened, Visit};
use crate::game::GameFacts;
use crate::gdl;
use crate::generate::{BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, Size as _};
use crate::info;
use crate::native::{
    Breakthrough, Checkers, ConnectFour, Kolibrat, LinesOfAction, NativeEngine, Rules, TicTacToe,
};

/// The shipped games that have one, sorted by name.
pub const NATIVE_ENGINES: &[&str] = &[
    "breakthrough",
    "checkers",
    "connect-four",
    "kolibrat",
    "lines-of-action",
    "tictactoe",
];

/// Rules written by hand for one rule file.
enum ByHand {
    Breakthrough(Breakthrough),
    Checkers(Checkers),
    ConnectFour(ConnectFour),
    Kolibrat(Kolibrat),
    /// On a board whose moves need more than a word.
    LargeKolibrat(Kolibrat<5>),
    LinesOfAction,
    TicTacToe,
}

impl ByHand {
    /// The rules that speak the words of this rule file. Whatever differs from the shipped files and from those that
    /// [`Size`](crate::generate::Size) writes, be it in a single letter, has none.
    fn of(text: &str) -> Option<Self> {
        let shipped = SHIPPED.iter().find(|game| game.text == text);
        match shipped.map(|game| game.name) {
            Some("lines-of-action") => Some(Self::LinesOfAction),
            Some("tictactoe") => Some(Self::TicTacToe),
            _ => Self::sized(text),
        }
    }

    fn sized(text: &str) -> Option<Self> {
        if let Some(size) = KolibratSize::of(text) {
            return Self::kolibrat(&size);
        }
        if let Some(CheckersSize {
            width,
            height,
            ranks,
            turns,
        }) = CheckersSize::of(text)
        {
            let rules = Checkers::new(width, height, ranks, turns);
            return rules.ok().map(Self::Checkers);
        }
        if let Some(ConnectFourSize { width, height }) = ConnectFourSize::of(text) {
            let rules = ConnectFour::new(width, height);
            return rules.ok().map(Self::ConnectFour);
        }
        let BreakthroughSize { width, height } = BreakthroughSize::of(text)?;
        let rules = Breakthrough::new(width, height);
        rules.ok().map(Self::Breakthrough)
    }

    fn kolibrat(size: &KolibratSize) -> Option<Self> {
        let KolibratSize {
            width,
            height,
            pieces,
            goals,
        } = *size;
        let small = Kolibrat::new(width, height, pieces, goals);
        let large = || Kolibrat::new(width, height, pieces, goals);
        let small = small.ok().map(Self::Kolibrat);
        small.or_else(|| large().ok().map(Self::LargeKolibrat))
    }
}

/// Hands the native engine of the game to `visitor`.
///
/// # Errors
/// Says that the game has no native engine.
pub(super) fn open_native<V: Visit>(
    source: &GameSource,
    visitor: V,
) -> Result<V::Output, OpenError> {
    let (begin, text) = (Instant::now(), &source.text);
    let rules = ByHand::of(text).ok_or_else(|| OpenError::NoNativeEngine(source.name.clone()))?;
    let opened = Opened {
        engine: "native",
        reason: "it was asked for".to_owned(),
        stages: vec![("build", begin.elapsed())],
        report: None,
        self_check: None,
        warnings: Vec::new(),
    };
    Ok(match rules {
        ByHand::Breakthrough(rules) => visit(rules, text, &opened, visitor),
        ByHand::Checkers(rules) => visit(rules, text, &opened, visitor),
        ByHand::ConnectFour(rules) => visit(rules, text, &opened, visitor),
        ByHand::Kolibrat(rules) => visit(rules, text, &opened, visitor),
        ByHand::LargeKolibrat(rules) => visit(rules, text, &opened, visitor),
        ByHand::LinesOfAction => visit(LinesOfAction::default(), text, &opened, visitor),
        ByHand::TicTacToe => visit(TicTacToe::default(), text, &opened, visitor),
    })
}

fn visit<R: Rules, V: Visit>(rules: R, text: &str, opened: &Opened, visitor: V) -> V::Output {
    let twin = NativeEngine::new(rules).of_rule_file(text, game_facts_of_text);
    visitor.visit(&twin, opened)
}

/// What the rules say the game is about: the same as its other engines know.
fn game_facts_of_text(text: &str) -> Option<GameFacts> {
    let rules = gdl::load(text).rules?;
    info::game_facts_of(&rules)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Origin;
    use crate::engine::{EngineChoice, open};
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
            if NATIVE_ENGINES.contains(&game.name) {
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

    #[test]
    fn twins_come_in_sizes() {
        let mut source = GameSource::find("kolibrat").unwrap();
        let mut opens = |width, height| {
            let size = KolibratSize {
                width,
                height,
                ..KolibratSize::default()
            };
            source.text = size.rule_file().unwrap();
            open(&source, EngineChoice::Native, Names).is_ok()
        };
        assert!(opens(3, 3) && opens(4, 5) && opens(8, 8));
        assert!(!opens(9, 9), "more than a word of squares");
    }
}
