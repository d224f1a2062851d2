//! What the games say of two players.

use std::collections::BTreeMap;

use serde::Serialize;

use super::player::PlayerStanding;
use super::scored::ScoredGame;
use crate::statistics::{
    EloDifference, Hypotheses, LEAST_GROUPS, PairResult, ResultCounts, Sprt, elo_of_score,
};
use crate::tournament::TournamentHeader;

/// What two players scored against each other, from the first one's view.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairStanding {
    /// The names of both.
    pub players: [String; 2],
    /// How many games the first one won.
    pub won: u64,
    /// How many were drawn.
    pub drawn: u64,
    /// How many it lost.
    pub lost: u64,
    /// How many complete pairs of games brought 0, ½, 1, 1½ and 2 points, where games come in pairs.
    pub pairs: Option<[u64; 5]>,
    /// How many games there are.
    pub games: u64,
    /// The mean score of a game, 0 to 1.
    pub score: f64,
    /// Half the width of the 95 % interval of that; as all errors here, judged by complete pairs where games come in pairs, and `None`
    /// below [`LEAST_GROUPS`] of these, or where all of them are alike.
    pub score_error: Option<f64>,
    /// How much stronger the first one is, in Elo points; `None` if one player scored everything.
    pub elo: Option<f64>,
    /// The ends of the 95 % interval of that; `None` if an end is at infinity.
    pub elo_interval: Option<[Option<f64>; 2]>,
    /// The same in normalised Elo points, as [`EloDifference`] has them.
    pub normalised_elo: Option<f64>,
    /// Half the width of the 95 % interval of that.
    pub normalised_error: Option<f64>,
    /// The probability that the first one is stronger; `None` below [`LEAST_GROUPS`] pairs.
    pub superiority: Option<f64>,
}

/// A test of two players.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SprtProgress {
    /// The names of both: it is tested how much stronger the first one is.
    pub players: [String; 2],
    /// What is tested.
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// How often each result occurred: losses, draws and wins, or pairs with 0, ½, 1, 1½ and 2 points.
    pub counts: Vec<u64>,
    /// What the results say.
    #[serde(flatten)]
    pub sprt: Sprt,
    /// What they said on the way, in the order of the numbers of the games.
    pub history: Vec<SprtState>,
}

/// What a test said after so many games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtState {
    /// The number of games.
    pub games: u64,
    /// The logarithm of the likelihood ratio.
    pub llr: f64,
}

/// At most so many states are told of the way of a test.
const MOST_STATES: usize = 400;

/// Every two players who have a result against each other, in the order of the standings.
pub(super) fn pair_standings(
    header: &TournamentHeader,
    games: &[&ScoredGame<'_>],
    standings: &[PlayerStanding],
) -> Vec<PairStanding> {
    let mut place = vec![usize::MAX; header.players.len()];
    for (number, player) in header.players.iter().enumerate() {
        let of = standings.iter().position(|one| one.player == player.name);
        place[number] = of.unwrap_or(usize::MAX);
    }
    let mut by_pair: BTreeMap<(usize, usize), Vec<PairResult>> = BTreeMap::new();
    for result in games.iter().flat_map(|game| game.pair_results()) {
        let [first, second] = result.players;
        let (stronger, result) = match place[first] < place[second] {
            true => ((place[first], place[second]), result),
            false => ((place[second], place[first]), turned(result)),
        };
        by_pair.entry(stronger).or_default().push(result);
    }
    let standing = |((first, second), results): ((usize, usize), Vec<PairResult>)| {
        let players = [first, second].map(|place| standings[place].player.clone());
        pair_standing(players, &results)
    };
    by_pair.into_iter().filter_map(standing).collect()
}

/// What the results of two players say; nothing where there are none.
fn pair_standing(players: [String; 2], results: &[PairResult]) -> Option<PairStanding> {
    let all = ResultCounts::of_games(results.iter().map(|one| halves(one.score)));
    let all = EloDifference::of(&all).ok()?;
    let counts = counts(results);
    // Before a pair is complete, there may be none.
    let judged = EloDifference::of(&counts).unwrap_or(all);
    let has_enough = counts.total() >= LEAST_GROUPS as u64;
    let error = (has_enough && judged.score_error > 0.0).then_some(judged.score_error);
    let of = |score: f64| results.iter().filter(|one| one.score == score).count() as u64;
    Some(PairStanding {
        players,
        won: of(1.0),
        drawn: of(0.5),
        lost: of(0.0),
        pairs: match counts {
            ResultCounts::Pairs(pairs) => Some(pairs),
            ResultCounts::Games(_) => None,
        },
        games: all.games,
        score: all.score,
        score_error: error,
        elo: all.elo,
        elo_interval: error.map(|error| [all.score - error, all.score + error].map(elo_of_score)),
        normalised_elo: judged.normalised_elo,
        normalised_error: judged.normalised_error.filter(|_| error.is_some()),
        superiority: has_enough.then_some(judged.superiority),
    })
}

/// The same result from the other one's view.
fn turned(result: PairResult) -> PairResult {
    let [first, second] = result.players;
    PairResult {
        players: [second, first],
        score: 1.0 - result.score,
        ..result
    }
}

/// Results of the same two players: by the complete pairs where games come in such, and else by single games.
fn counts(results: &[PairResult]) -> ResultCounts {
    match halves_of_pairs(results) {
        Some(pairs) => ResultCounts::of_pairs(pairs.into_iter()),
        None => ResultCounts::of_games(results.iter().map(|one| halves(one.score))),
    }
}

/// The half points of each complete pair, in order; nothing where games do not come in pairs.
fn halves_of_pairs(results: &[PairResult]) -> Option<Vec<usize>> {
    let units = halves_by_unit(results);
    let most = units.iter().map(|(games, _)| *games).max();
    (most == Some(2)).then(|| {
        let complete = units.iter().filter(|(games, _)| *games == 2);
        complete.map(|(_, halves)| *halves).collect()
    })
}

/// Per unit, in the order of their numbers: how many results, and how many half points.
fn halves_by_unit(results: &[PairResult]) -> Vec<(usize, usize)> {
    let mut units: BTreeMap<u64, (usize, usize)> = BTreeMap::new();
    for result in results {
        let unit = units.entry(result.unit).or_default();
        *unit = (unit.0 + 1, unit.1 + halves(result.score));
    }
    units.into_values().collect()
}

fn halves(score: f64) -> usize {
    (2.0 * score) as usize
}

impl SprtProgress {
    /// Tests the two players of a tournament. Where games come in pairs, only complete pairs count.
    pub(super) fn of(
        header: &TournamentHeader,
        games: &[&ScoredGame<'_>],
        hypotheses: &Hypotheses,
    ) -> Self {
        let results = games.iter().flat_map(|game| game.pair_results());
        let results: Vec<PairResult> = results
            .map(|result| match result.players {
                [0, _] => result,
                _ => turned(result),
            })
            .collect();
        let pairs = halves_of_pairs(&results);
        let in_pairs = pairs.is_some();
        let games = || results.iter().map(|one| halves(one.score)).collect();
        let one_by_one: Vec<usize> = pairs.unwrap_or_else(games);
        let counted = |many: usize| {
            let results = one_by_one[..many].iter().copied();
            match in_pairs {
                true => ResultCounts::of_pairs(results),
                false => ResultCounts::of_games(results),
            }
        };
        let all = counted(one_by_one.len());
        let step = one_by_one.len().div_ceil(MOST_STATES).max(1);
        let told = (0..one_by_one.len()).step_by(step).skip(1);
        let history = told.chain([one_by_one.len()]).map(|many| {
            let counts = counted(many);
            SprtState {
                games: counts.games(),
                llr: hypotheses.test(&counts).llr,
            }
        });
        Self {
            players: [0, 1].map(|player| header.players[player].name.clone()),
            hypotheses: *hypotheses,
            counts: all.counts().to_vec(),
            sprt: hypotheses.test(&all),
            history: history.collect(),
        }
    }
}
