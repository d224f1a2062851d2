//! The games of the report.

use kolibri::game::StateMachine;
use kolibri::native::checkers::{CheckersState, CheckersTurn};
use kolibri::native::{Checkers, NativeEngine, NativeRules};

use super::search::{NodeCounts, PublishedPlayer};

/// How a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// Red is left without a turn.
    Black,
    /// Black is left without a turn.
    Red,
    /// Black has made 80 turns.
    Draw,
}

/// What one player did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Account {
    /// Turns made.
    pub(super) turns: u32,
    /// Nodes of all searches.
    pub(super) nodes: NodeCounts,
}

/// A game played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlayedGame {
    /// The turns of both, black's first.
    pub(super) turns: Vec<CheckersTurn>,
    /// What black and red did.
    pub(super) accounts: [Account; 2],
    /// How it ended.
    pub(super) ending: Ending,
    /// Where.
    pub(super) last: CheckersState,
}

/// Lets two players, black and red, play on the usual board; those who are `None` make the first turn of the list.
///
/// As in the report, a player who cannot move has lost at once, even if it is the other one's turn, and the game is drawn
/// as soon as one player has made 80 turns: after 159 in all.
pub(super) fn play(players: [Option<PublishedPlayer>; 2]) -> PlayedGame {
    let rules = Checkers::default();
    let mut game = PlayedGame {
        turns: Vec::new(),
        accounts: [Account::default(); 2],
        ending: Ending::Draw,
        last: rules.start(),
    };
    loop {
        let role = rules.in_control(&game.last);
        let account = &mut game.accounts[role];
        let first = || rules.turns(&game.last).into_iter().next();
        let chosen = players[role].and_then(|player| {
            player.choose(&rules, &game.last, account.turns, &mut account.nodes)
        });
        let Some(turn) = chosen.or_else(first) else {
            return game;
        };
        account.turns += 1;
        game.last = turn.after;
        game.turns.push(turn);
        if let Some(ending) = ending(&rules, &game) {
            return PlayedGame { ending, ..game };
        }
    }
}

fn ending(rules: &Checkers, game: &PlayedGame) -> Option<Ending> {
    let can_move = [game.last, with_other_control(&game.last)].map(|position| {
        let is_over = rules.turns(&position).is_empty();
        (rules.in_control(&position), !is_over)
    });
    let is_stuck = |player| can_move.contains(&(player, false));
    match game.accounts.map(|account| account.turns) {
        _ if is_stuck(1) => Some(Ending::Black),
        _ if is_stuck(0) => Some(Ending::Red),
        turns if turns.contains(&80) => Some(Ending::Draw),
        _ => None,
    }
}

/// The same pieces, with the other role in control.
fn with_other_control(position: &CheckersState) -> CheckersState {
    let engine = NativeEngine::<Checkers>::default();
    let facts = engine.state_text(position).into_iter();
    let facts: Vec<String> = facts
        .map(|fact| match fact.as_str() {
            "(control black)" => "(control red)".to_owned(),
            "(control red)" => "(control black)".to_owned(),
            _ => fact,
        })
        .collect();
    engine.state_from_text(&facts).expect("a position")
}
