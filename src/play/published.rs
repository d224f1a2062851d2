//! The published players of checkers, in matches.

use crate::game::{InvalidFacts, StateMachine};
use crate::native::checkers::CheckersState;
use crate::native::checkers::published::{PublishedPlayer, SearchCounts, SearchTask};
use crate::native::{Checkers, NativeEngine, NativeRules};
use crate::play::player::no_move;
use crate::play::{Choice, Player, PlayerFault, Session, Spec};
use crate::util::StopFlag;

/// A published player, which chooses whole turns; in the rule file each jump is a move.
pub(super) struct PublishedChooser {
    player: PublishedPlayer,
    seed: u64,
    stop: StopFlag,
    rules: Checkers,
    /// Reads positions.
    engine: NativeEngine<Checkers>,
    name: String,
}

impl PublishedChooser {
    pub(super) fn new(player: PublishedPlayer, seed: u64, stop: &StopFlag) -> Self {
        let spec = Spec::Published { player, seed: None };
        Self {
            player,
            seed,
            stop: stop.clone(),
            rules: Checkers::default(),
            engine: NativeEngine::default(),
            name: spec.to_string(),
        }
    }

    fn read(&self, facts: &[String]) -> Result<CheckersState, PlayerFault> {
        let state = self.engine.state_from_text(facts);
        state.map_err(|InvalidFacts(why)| PlayerFault(format!("this is no checkers: {why}")))
    }
}

impl Player for PublishedChooser {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(&mut self, session: &Session, role: usize) -> Result<Choice, PlayerFault> {
        if let [only] = session.legal_of(role) {
            let mv = only.clone();
            return Ok(Choice { mv, found: None });
        }
        let position = self.read(&session.facts())?;
        let past = session.past().map(|past| self.read(&past.facts()));
        let past = past.collect::<Result<Vec<_>, _>>()?;
        let task = SearchTask {
            rules: &self.rules,
            position: &position,
            past: &past,
            seed: self.seed,
            stop: &self.stop,
        };
        // In the middle of a chain, the rest of the chain is chosen: the first jump of the best turn leads there again.
        let turn = self.player.choose(&task, &mut SearchCounts::default());
        let turn = turn.ok_or_else(no_move)?;
        let first = turn.moves.first().ok_or_else(no_move)?;
        Ok(Choice {
            mv: self.rules.move_text(*first),
            found: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::GameSource;
    use crate::engine::{EngineChoice, LoadOptions};
    use crate::play::{End, Match, check_fit};
    use crate::session::Game;

    /// A match goes as the game of the report, until the end that the rule file sees later: the jumps of a chain come one by one.
    #[test]
    fn matches_go_as_the_games_of_the_report() {
        let source = GameSource::find("checkers").unwrap();
        let game = Game::open(source, &LoadOptions::from(EngineChoice::Native)).unwrap();
        let player = |text: &str| text.parse::<Spec>().unwrap();
        let played = Match::new(&game)
            .player("red", player("published:algorithm=mab,ef=1,depth=2"))
            .player("black", player("published:algorithm=abs,ef=1,depth=2"))
            .run()
            .unwrap();
        let played = &played.games[0];
        assert_eq!((&played.errors[..], &played.end), (&[][..], &End::Terminal));
        let moves = played.moves.iter().flatten();
        let jumps = moves.filter(|mv| mv.starts_with("(jump")).count();
        // 159 turns are those of the report, one of which has two jumps; the rule file adds red's last one.
        assert_eq!((played.moves.len(), jumps), (161, 15));
        assert_eq!(played.goals, [Some(50), Some(50)]);
    }

    #[test]
    fn other_games_are_refused() {
        let fault = |name: &str| {
            let player: Spec = "published:ef=2".parse().unwrap();
            check_fit([(0, &player)], &Game::load(name).unwrap()).unwrap_err()
        };
        let message = fault("nim").message;
        assert_eq!(message, "`published:ef=2` plays checkers, and not `nim`");
    }
}
