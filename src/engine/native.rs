//! The games that have a native engine.

use std::sync::Arc;

use super::{Propnet, Reasoner};
use crate::catalog::SHIPPED;
use crate::game::GameFacts;
use crate::gdl::Rules;
use crate::generate::{BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, Size as _};
use crate::info::game_facts_of;
use crate::native::{
    Breakthrough, Checkers, ConnectFour, FactSource, Kolibrat, LinesOfAction, NativeEngine,
    NativeRules, TicTacToe,
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

/// A game with one of the engines.
#[derive(Debug)]
pub enum AnyEngine {
    /// The propositional network.
    Propnet(Box<Propnet>),
    /// The rules themselves.
    Reasoner(Box<Reasoner>),
    /// Written by hand, as are the following.
    Breakthrough(NativeEngine<Breakthrough>),
    /// On boards of up to 64 squares.
    Checkers(NativeEngine<Checkers>),
    /// On boards of up to 64 squares.
    ConnectFour(NativeEngine<ConnectFour>),
    /// On boards whose moves fit in a word.
    Kolibrat(NativeEngine<Kolibrat>),
    /// On larger boards.
    LargeKolibrat(NativeEngine<Kolibrat<5>>),
    /// As shipped.
    LinesOfAction(NativeEngine<LinesOfAction>),
    /// As shipped.
    TicTacToe(NativeEngine<TicTacToe>),
}

/// The native engine of the game with this rule text, if it has one. `known` are its game facts, as far as they have
/// looked for them.
pub(super) fn native_engine(
    text: &str,
    rules: &Arc<Rules>,
    known: Option<Option<GameFacts>>,
) -> Option<AnyEngine> {
    let rules = Arc::clone(rules);
    let facts = FactSource::new(move || known.clone().unwrap_or_else(|| game_facts_of(&rules)));
    Some(match ByHand::of(text)? {
        ByHand::Breakthrough(by_hand) => AnyEngine::Breakthrough(engine(by_hand, facts)),
        ByHand::Checkers(by_hand) => AnyEngine::Checkers(engine(by_hand, facts)),
        ByHand::ConnectFour(by_hand) => AnyEngine::ConnectFour(engine(by_hand, facts)),
        ByHand::Kolibrat(by_hand) => AnyEngine::Kolibrat(engine(by_hand, facts)),
        ByHand::LargeKolibrat(by_hand) => AnyEngine::LargeKolibrat(engine(by_hand, facts)),
        ByHand::LinesOfAction => AnyEngine::LinesOfAction(engine(LinesOfAction::default(), facts)),
        ByHand::TicTacToe => AnyEngine::TicTacToe(engine(TicTacToe::default(), facts)),
    })
}

fn engine<R: NativeRules>(by_hand: R, facts: FactSource) -> NativeEngine<R> {
    NativeEngine::new(by_hand).with_game_facts(facts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{GameSource, Origin};
    use crate::engine::{EngineChoice, EngineKind, LoadError, load};

    /// The engine that runs the rules.
    fn engine_of(source: &GameSource, choice: EngineChoice) -> Result<EngineKind, LoadError> {
        let (_, report) = load(source, &choice.into())?;
        Ok(report.engine)
    }

    #[test]
    fn native_engines_run_their_rule_files() {
        for game in SHIPPED {
            let source = GameSource::find(game.name).unwrap();
            let native = engine_of(&source, EngineChoice::Native);
            if NATIVE_ENGINES.contains(&game.name) {
                assert_eq!(native.unwrap(), EngineKind::Native, "{}", game.name);
            } else {
                let message = native.unwrap_err().to_string();
                assert!(message.contains(game.name), "{message}");
            }
        }
    }

    #[test]
    fn other_rules_have_no_native_engine() {
        let mut source = GameSource::find("tictactoe").unwrap();
        source.origin = Origin::Stdin;
        assert!(engine_of(&source, EngineChoice::Native).is_ok());
        source.text.push('\n');
        assert!(engine_of(&source, EngineChoice::Native).is_err());
    }

    #[test]
    fn native_engines_come_in_sizes() {
        let mut source = GameSource::find("kolibrat").unwrap();
        let mut opens = |width, height| {
            let size = KolibratSize {
                width,
                height,
                ..KolibratSize::default()
            };
            source.text = size.rule_file().unwrap();
            engine_of(&source, EngineChoice::Native).is_ok()
        };
        assert!(opens(3, 3) && opens(4, 5) && opens(8, 8));
        assert!(!opens(9, 9), "more than a word of squares");
    }
}
