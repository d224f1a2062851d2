//! The sequential test of a tournament: when it has decided, and which games it took.
//!
//! Games are tested in the order of their pairs, and a pair once all of its games and all earlier ones are there: so the test
//! decides after the same games, however many are played at once.

use std::collections::BTreeMap;

use super::plan::Seatings;
use super::results::ScoredGame;
use super::{FinishedGame, TournamentHeader, TournamentLog};
use crate::statistics::{Hypotheses, ResultCounts, Sprt, Verdict};

/// The sequential test of the two players of a tournament.
#[derive(Debug, Clone)]
pub struct SequentialTest {
    header: TournamentHeader,
    hypotheses: Hypotheses,
    /// How many games each pair has.
    games_of_pair: usize,
    /// The games of pairs that were not tested yet: for each what the first player scored, in half points.
    waiting: BTreeMap<u64, Vec<Option<usize>>>,
    /// The next pair to be tested.
    next: u64,
    /// What the pairs before it scored, in half points; with single games, what the games scored.
    halves: Vec<usize>,
    decided: Option<Sprt>,
}

impl TournamentLog {
    /// The games that count: all, or those that a sequential test took until it decided. Others were under way when it did.
    pub fn counted_games(&self) -> Vec<FinishedGame> {
        let Some(mut test) = SequentialTest::new(&self.header) else {
            return self.games.clone();
        };
        test.add(&self.games);
        let games = self.games.iter().filter(|game| test.takes(game));
        games.cloned().collect()
    }
}

impl SequentialTest {
    /// The test that the plan of a tournament asks for, before its first game; none if it asks for none.
    pub fn new(header: &TournamentHeader) -> Option<Self> {
        let hypotheses = header.sprt?;
        let is_fixed = header.seatings() == Seatings::Fixed;
        Some(Self {
            header: header.clone(),
            hypotheses,
            games_of_pair: if is_fixed { 1 } else { 2 },
            waiting: BTreeMap::new(),
            next: 0,
            halves: Vec::new(),
            decided: None,
        })
    }

    /// Adds games, in any order.
    pub fn add(&mut self, games: &[FinishedGame]) {
        for game in games {
            let scored = self.halves(game);
            self.waiting.entry(game.pair).or_default().push(scored);
        }
        while self.decided.is_none()
            && let Some(pair) = self.waiting.first_entry()
            && *pair.key() == self.next
            && pair.get().len() == self.games_of_pair
        {
            // Where a game of a pair has no result, the pair has none.
            let halves: Option<usize> = pair.remove().into_iter().sum();
            self.next += 1;
            if let Some(halves) = halves {
                self.halves.push(halves);
                self.decide();
            }
        }
    }

    /// What the first player scored, in half points.
    fn halves(&self, game: &FinishedGame) -> Option<usize> {
        let scored = ScoredGame::of(&self.header, game).ok()?;
        let result = *scored.pair_results().first()?;
        let score = match result.players {
            [0, _] => result.score,
            _ => 1.0 - result.score,
        };
        Some((2.0 * score) as usize)
    }

    fn decide(&mut self) {
        let halves = self.halves.iter().copied();
        let counts = match self.games_of_pair {
            2 => ResultCounts::of_pairs(halves),
            _ => ResultCounts::of_games(halves),
        };
        let state = self.hypotheses.test(&counts);
        self.decided = (state.verdict != Verdict::Continue).then_some(state);
    }

    /// What it has decided; nothing as long as more games are needed.
    pub fn verdict(&self) -> Option<Sprt> {
        self.decided
    }

    /// Whether a game counts: once the test has decided, those that it did not take are as good as not played.
    pub fn takes(&self, game: &FinishedGame) -> bool {
        self.decided.is_none() || game.pair < self.next
    }
}
