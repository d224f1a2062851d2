//! Tournaments for tests.

use std::collections::BTreeMap;

use super::{
    EndlessResult, FinishedGame, GameEnd, TournamentGame, TournamentHeader, TournamentPlayer,
};

/// A tournament of these players in `nim`, whose roles are red and blue.
pub(super) fn header(players: &[&str]) -> TournamentHeader {
    let player = |name: &&str| TournamentPlayer {
        name: (*name).to_owned(),
        spec: "random".to_owned(),
    };
    TournamentHeader {
        format: TournamentHeader::FORMAT,
        plan: "0123".to_owned(),
        seed: 1,
        planned: None,
        players: players.iter().map(player).collect(),
        games: vec![TournamentGame {
            name: "nim".to_owned(),
            roles: vec!["red".to_owned(), "blue".to_owned()],
            first: Some(0),
            rules: "nim".to_owned(),
        }],
        settings: BTreeMap::new(),
        endless: EndlessResult::Draw,
        sprt: None,
    }
}

/// A game of `nim`: the second one of a pair where its number is odd.
pub(super) fn game(number: u64, players: [&str; 2], goals: [u8; 2]) -> FinishedGame {
    FinishedGame {
        number,
        game: "nim".to_owned(),
        opening: number / 2,
        pair: number / 2,
        players: players.map(|name| Some(name.to_owned())).to_vec(),
        goals: goals.map(Some).to_vec(),
        end: GameEnd::Terminal,
        note: None,
        plies: 10 + number as usize % 3,
        decisions: vec![5, 4],
        seconds: vec![0.5, 0.25],
        errors: vec![0, 0],
        late: vec![0, 0],
        hash: format!("{number:016x}"),
        facts: Vec::new(),
        start: Vec::new(),
        moves: None,
        record: None,
    }
}
