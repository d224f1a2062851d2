//! Short matches between the searches, in the game at hand.

use std::fmt;
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::limits::SearchClock;
use super::{
    LearnedWeights, MAX_DEPTH, MctsSearcher, MctsSettings, MinimaxSearcher, MinimaxSettings,
    SearchLimits, Searcher, think,
};
use crate::game::{Engine, Role, legal_of_all, random_joint_move};

/// The least and the most time of a move. Between them, it is as long as fits into the time for so many plies.
const LEAST_TIME: Duration = Duration::from_millis(4);
const MOST_TIME: Duration = Duration::from_millis(50);
const PLIES_THAT_FIT: u32 = 500;
/// The random plies at the beginning of each two games.
const OPENING: usize = 4;
/// Longer games are abandoned, and count half.
const PLIES: usize = 200;
/// With fewer games, a match says nothing.
const FEW: u32 = 4;
/// The most games of a match.
const GAMES: u32 = 20;
/// Size of the transposition table, in MiB.
const HASH: usize = 8;
/// With less time, too little is learned for matches, and random games decide.
const LEAST_CLOCK: Duration = Duration::from_secs(1);
/// Learning may take this share of the time. Without matches, nothing tells whether what was learned in a short time is worth more than playouts.
const LEARNING_SHARE: f64 = 0.75;
/// The matches may take this share of the time that is left then, unless it is short: then this long, as far as that leaves some for random games.
const SHARE: f64 = 0.5;
const SHORT: Duration = Duration::from_secs(3);
const MOST_SHARE: f64 = 0.6;
/// Whoever is so many points ahead is better, and the match ends.
const LEAD: f64 = 5.0;
/// Minimax must be so many points ahead of leaves evaluated by weights: these gain more from longer moves than those of a trial.
const LEAD_OF_MINIMAX: f64 = 3.0;
/// Whoever has this share of the points is better, where random games can decide otherwise.
const CLEAR: f64 = 0.6;

/// The searches that play against each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Contestant {
    Minimax,
    /// Monte-Carlo tree search, its leaves evaluated by learned weights.
    Mcts,
    /// The same, its leaves evaluated by playouts.
    MctsByPlayouts,
}

impl fmt::Display for Contestant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimax => "minimax",
            Self::Mcts => "mcts",
            Self::MctsByPlayouts => "mcts by playouts",
        })
    }
}

/// What matches between the searches told.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Trial {
    /// The one between the two ways to evaluate leaves, where weights can, and the one of minimax against the better way.
    matches: Vec<TrialMatch>,
    /// The better way.
    mcts: Contestant,
}

impl Trial {
    /// Whether there were games enough.
    pub(super) fn tells(&self) -> bool {
        self.matches.iter().all(TrialMatch::tells)
    }

    /// Whether playouts should evaluate the leaves of Monte-Carlo tree search.
    pub(super) fn suits_playouts(&self) -> bool {
        self.mcts == Contestant::MctsByPlayouts
    }

    /// Whether minimax is better; `None` where its match does not tell. Against leaves evaluated by weights, of which random games say nothing,
    /// it always tells: without a clear lead, minimax is not better.
    pub(super) fn suits_minimax(&self) -> Option<bool> {
        let found = self.matches.last()?;
        match self.suits_playouts() {
            true => found.first_is_better(),
            false => Some(found.tells() && found.lead() >= LEAD_OF_MINIMAX),
        }
    }
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = self.matches.iter().filter(|of| of.games > 0);
        let ended: Vec<String> = ended.map(TrialMatch::to_string).collect();
        match ended.is_empty() {
            true => f.write_str("no trial match ended in time"),
            false => f.write_str(&ended.join(", ")),
        }
    }
}

/// How a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct TrialMatch {
    contestants: [Contestant; 2],
    games: u32,
    /// Those of the first, a point a game.
    points: f64,
    /// The time of a move.
    time: Duration,
}

impl TrialMatch {
    fn tells(&self) -> bool {
        self.games >= FEW
    }

    /// The first one's share of the points.
    fn share(&self) -> f64 {
        self.points / f64::from(self.games.max(1))
    }

    /// How many points the first one is ahead.
    fn lead(&self) -> f64 {
        2.0 * self.points - f64::from(self.games)
    }

    /// Whether the rest of its games would hardly tell anything else.
    fn is_decided(&self) -> bool {
        self.lead().abs() >= LEAD
    }

    /// Whether the first is better; `None` where that is not clear.
    fn first_is_better(&self) -> Option<bool> {
        let share = self.share();
        let is_clear = self.tells() && share.max(1.0 - share) >= CLEAR;
        is_clear.then_some(share > 0.5)
    }
}

impl fmt::Display for TrialMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, points, .. } = self;
        let [first, second] = self.contestants;
        let milliseconds = self.time.as_millis();
        write!(
            f,
            "{first} has {points} of {games} points against {second} at {milliseconds} ms a move"
        )
    }
}

/// All contestants, each for both roles.
struct Contestants<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    minimax: [Searcher; 2],
    mcts: [Searcher; 2],
    by_playouts: [Searcher; 2],
}

/// Whether there is time for learning and for matches.
pub(super) fn has_time(clock: &SearchClock) -> bool {
    clock.left().is_none_or(|left| left >= LEAST_CLOCK)
}

/// The clock for learning, which leaves time for matches.
pub(super) fn learning_clock(clock: &SearchClock) -> SearchClock {
    clock.shortened(LEARNING_SHARE)
}

/// Plays the matches in a game of two roles, after weights are learned, as long as the clocks allow.
pub(super) fn trial<G: Engine>(
    game: &G,
    (minimax, mcts): (&MinimaxSettings, &MctsSettings),
    learned: &mut LearnedWeights,
    (learning, clock): (&SearchClock, &SearchClock),
) -> Trial {
    let minimax = MinimaxSettings {
        hash: minimax.hash.min(HASH),
        ..minimax.clone()
    };
    let minimax = [0, 1].map(|role| {
        let mut searcher = MinimaxSearcher::new(minimax.clone());
        searcher.train(game, Role(role), learned, learning);
        searcher
    });
    let by_weights = [0, 1].map(|role| {
        let mut searcher = MctsSearcher::new(mcts.clone());
        searcher.train(game, Role(role), learned, learning);
        searcher
    });
    let is_evaluated = by_weights.iter().all(MctsSearcher::evaluates_leaves);
    let mut contestants = Contestants {
        game,
        scratch: game.scratch(),
        minimax: minimax.map(|searcher| Searcher::Minimax(Box::new(searcher))),
        mcts: by_weights.map(|searcher| Searcher::Mcts(Box::new(searcher))),
        by_playouts: [0, 1].map(|_| Searcher::mcts(mcts.by_playouts())),
    };
    let clock = clock.shortened(share(clock));
    let (mut matches, mut better) = (Vec::new(), Contestant::MctsByPlayouts);
    if is_evaluated {
        let ways = [Contestant::Mcts, Contestant::MctsByPlayouts];
        let found = contestants.play_match(ways, &clock.shortened(0.5));
        let is_worse = found.tells() && found.share() < 0.5;
        better = ways[usize::from(is_worse)];
        matches.push(found);
    }
    matches.push(contestants.play_match([Contestant::Minimax, better], &clock));
    Trial {
        matches,
        mcts: better,
    }
}

/// The share of the time that is left which the matches may take.
fn share(clock: &SearchClock) -> f64 {
    let left = clock
        .left()
        .map_or(f64::INFINITY, |left| left.as_secs_f64());
    (SHORT.as_secs_f64() / left).clamp(SHARE, MOST_SHARE)
}

impl<G: Engine> Contestants<'_, G> {
    fn play_match(&mut self, contestants: [Contestant; 2], clock: &SearchClock) -> TrialMatch {
        let time = clock.left().map_or(MOST_TIME, |left| left / PLIES_THAT_FIT);
        let mut found = TrialMatch {
            contestants,
            games: 0,
            points: 0.0,
            time: time.clamp(LEAST_TIME, MOST_TIME),
        };
        let limits = SearchLimits {
            time: Some(found.time),
            stop: clock.deadline.stop.as_ref(),
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        while found.games < GAMES && !found.is_decided() {
            // Each opening twice, with the roles exchanged.
            let seed = u64::from(found.games / 2);
            let role = found.games as usize % 2;
            let players = if role == 0 {
                contestants
            } else {
                [contestants[1], contestants[0]]
            };
            let Some(goal) = self.play(players, seed, (&limits, clock)) else {
                break;
            };
            found.games += 1;
            found.points += if role == 0 { goal } else { 1.0 - goal };
        }
        found
    }

    /// The points of the first role, from 0 to 1, in the game that begins with the random moves of this seed; `None` if the clock ends it.
    fn play(
        &mut self,
        players: [Contestant; 2],
        seed: u64,
        (limits, clock): (&SearchLimits<'_>, &SearchClock),
    ) -> Option<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for (role, player) in players.into_iter().enumerate() {
            self.searcher(player, role).forget_match();
        }
        let (mut states, mut legal) = (vec![self.game.initial()], Vec::new());
        while states.len() <= PLIES {
            let state = states.last()?.clone();
            if self.game.is_terminal(&mut self.scratch, &state) {
                let goal = self.game.goal(&mut self.scratch, &state, Role(0));
                return Some(f64::from(goal.unwrap_or(50)) / 100.0);
            }
            legal_of_all(self.game, &mut self.scratch, &state, &mut legal);
            // In a dead end, nobody has won.
            let Some(mut joint) = random_joint_move(&legal, &mut rng) else {
                return Some(0.5);
            };
            let chooser = legal.iter().position(|moves| moves.len() > 1);
            if let Some(chooser) = chooser.filter(|_| states.len() > OPENING) {
                let game = self.game;
                let searcher = self.searcher(players[chooser], chooser);
                searcher.set_past_states(states.iter());
                joint[chooser] = think(game, &state, Role(chooser), limits, searcher)?.best;
            }
            if clock.is_over() {
                return None;
            }
            states.push(self.game.next(&mut self.scratch, &state, &joint));
        }
        Some(0.5)
    }

    fn searcher(&mut self, contestant: Contestant, role: usize) -> &mut Searcher {
        match contestant {
            Contestant::Minimax => &mut self.minimax[role],
            Contestant::Mcts => &mut self.mcts[role],
            Contestant::MctsByPlayouts => &mut self.by_playouts[role],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::util::StopFlag;

    #[test]
    fn a_match_tells_where_it_is_clear() {
        let found = |points, games| TrialMatch {
            contestants: [Contestant::Minimax, Contestant::Mcts],
            games,
            points,
            time: LEAST_TIME,
        };
        let told = |points, games| found(points, games).first_is_better();
        assert_eq!(told(4.0, 4), Some(true));
        assert_eq!(told(0.0, 4), Some(false));
        assert_eq!(told(3.0, 3), None, "too few games");
        assert_eq!(told(11.0, 20), None, "too close");
        for (points, games, decided) in [(5.0, 5, true), (1.0, 7, true), (6.0, 8, false)] {
            assert_eq!(found(points, games).is_decided(), decided);
        }
    }

    #[test]
    fn minimax_must_be_clearly_better_than_weights() {
        let suits_minimax = |mcts, points, games| {
            let found = TrialMatch {
                contestants: [Contestant::Minimax, mcts],
                games,
                points,
                time: LEAST_TIME,
            };
            let matches = vec![found];
            Trial { matches, mcts }.suits_minimax()
        };
        let weights = |points, games| suits_minimax(Contestant::Mcts, points, games);
        assert_eq!(weights(0.0, 0), Some(false), "nothing was played");
        assert_eq!(weights(3.0, 3), Some(false), "too few games");
        assert_eq!(weights(4.0, 5), Some(true));
        assert_eq!(weights(6.0, 9), Some(true));
        assert_eq!(weights(11.0, 20), Some(false));
        let playouts = |points, games| suits_minimax(Contestant::MctsByPlayouts, points, games);
        assert_eq!(playouts(0.0, 0), None);
        assert_eq!(playouts(11.0, 20), None);
        assert_eq!(playouts(3.0, 4), Some(true));
    }

    #[test]
    fn matches_are_played_until_the_clock_ends() {
        let game = Subtraction::new(30, 3);
        let minimax = MinimaxSettings {
            hash: 1,
            evaluation: Some("none".into()),
            ..MinimaxSettings::default()
        };
        let mcts = MctsSettings {
            training_states: Some(1000),
            ..MctsSettings::default()
        };
        let trial = |time: Duration| {
            let clock = SearchClock::within(time, &StopFlag::default());
            let learned = &mut LearnedWeights::default();
            super::trial(&game, (&minimax, &mcts), learned, (&clock, &clock))
        };
        let found = trial(Duration::from_secs(60));
        assert!(found.tells() && !found.matches.is_empty());
        for found in &found.matches {
            assert!(found.games == GAMES || found.is_decided());
            assert!(found.points <= f64::from(GAMES));
        }
        assert_eq!(trial(Duration::ZERO).matches[0].games, 0);
    }
}
