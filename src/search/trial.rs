//! A short match between the two searches, in the game at hand.

use std::fmt;
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::limits::SearchClock;
use super::{
    LearnedWeights, MAX_DEPTH, MctsSearcher, MctsSettings, MinimaxSearcher, MinimaxSettings,
    SearchLimits, best_move, mcts,
};
use crate::game::{Engine, Role, legal_of_all, random_joint_move};

/// The least and the most time of a move. Between them, it is as long as fits into the time for so many plies.
const LEAST_TIME: Duration = Duration::from_millis(5);
const MOST_TIME: Duration = Duration::from_millis(50);
const PLIES_THAT_FIT: u32 = 500;
/// The random plies at the beginning of each two games.
const OPENING: usize = 4;
/// Longer games are abandoned, and count half.
const PLIES: usize = 200;
/// With fewer games, the match says nothing.
const FEW: u32 = 4;
/// The most games.
const GAMES: u32 = 20;
/// Size of the transposition table, in MiB.
const HASH: usize = 8;
/// The match may take this share of the time that is left, unless it is short: then this long, as far as that leaves a fifth.
const SHARE: f64 = 0.3;
const SHORT: Duration = Duration::from_secs(2);
const MOST_SHARE: f64 = 0.8;
/// Whoever has this share of the points is better.
const CLEAR: f64 = 0.6;

/// How a trial match between minimax and Monte-Carlo tree search ended.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TrialMatch {
    games: u32,
    /// Those of minimax, a point a game.
    points: f64,
    /// The time of a move.
    time: Duration,
}

impl TrialMatch {
    /// Whether there were games enough.
    pub(super) fn tells(self) -> bool {
        self.games >= FEW
    }

    /// Whether minimax is better; `None` where the match does not tell.
    pub(super) fn suits_minimax(self) -> Option<bool> {
        let share = self.points / f64::from(self.games.max(1));
        let is_clear = self.tells() && share.max(1.0 - share) >= CLEAR;
        is_clear.then_some(share > 0.5)
    }
}

impl fmt::Display for TrialMatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, points, .. } = self;
        let milliseconds = self.time.as_millis();
        write!(
            f,
            "minimax has {points} of {games} points in games of {milliseconds} ms a move"
        )
    }
}

/// The two searches of both roles.
struct Opponents<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    minimax: [MinimaxSearcher; 2],
    mcts: [MctsSearcher; 2],
    /// The time of a move.
    time: Duration,
}

/// Plays the match in a game of two roles, after minimax has learned its weights, as long as the clock allows.
pub(super) fn trial_match<G: Engine>(
    game: &G,
    (minimax, mcts): (&MinimaxSettings, &MctsSettings),
    learned: &mut LearnedWeights,
    clock: &SearchClock,
) -> TrialMatch {
    let settings = MinimaxSettings {
        hash: minimax.hash.min(HASH),
        has_clock: false,
        ..minimax.clone()
    };
    let minimax = [0, 1].map(|role| {
        let mut searcher = MinimaxSearcher::new(settings.clone());
        searcher.train(game, Role(role), learned, clock);
        searcher
    });
    let mcts = [0, 1].map(|role| {
        let mut searcher = MctsSearcher::new(mcts.clone());
        searcher.train(game, Role(role), learned, clock);
        searcher
    });
    let clock = clock.shortened(share(clock));
    let time = clock.left().map_or(MOST_TIME, |left| left / PLIES_THAT_FIT);
    let time = time.clamp(LEAST_TIME, MOST_TIME);
    let mut opponents = Opponents {
        game,
        scratch: game.scratch(),
        minimax,
        mcts,
        time,
    };
    let mut found = TrialMatch {
        games: 0,
        points: 0.0,
        time,
    };
    while found.games < GAMES {
        // Each opening twice, with the roles exchanged.
        let seed = u64::from(found.games / 2);
        let role = found.games as usize % 2;
        let Some(points) = opponents.play(role, seed, &clock) else {
            break;
        };
        found.games += 1;
        found.points += points;
    }
    found
}

/// The share of the time that is left which the match may take.
fn share(clock: &SearchClock) -> f64 {
    let left = clock
        .left()
        .map_or(f64::INFINITY, |left| left.as_secs_f64());
    (SHORT.as_secs_f64() / left).clamp(SHARE, MOST_SHARE)
}

impl<G: Engine> Opponents<'_, G> {
    /// The points of minimax in `role`, from 0 to 1, in the game that begins with the random moves of this seed; `None` if the clock ends it.
    fn play(&mut self, role: usize, seed: u64, clock: &SearchClock) -> Option<f64> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.mcts.iter_mut().for_each(MctsSearcher::forget_tree);
        let (mut states, mut legal) = (vec![self.game.initial()], Vec::new());
        while states.len() <= PLIES {
            let state = states.last()?.clone();
            if self.game.is_terminal(&mut self.scratch, &state) {
                let goal = self.game.goal(&mut self.scratch, &state, Role(role));
                return Some(f64::from(goal.unwrap_or(50)) / 100.0);
            }
            legal_of_all(self.game, &mut self.scratch, &state, &mut legal);
            let mut joint = random_joint_move(&legal, &mut rng)?;
            let chooser = legal.iter().position(|moves| moves.len() > 1);
            if let Some(chooser) = chooser.filter(|_| states.len() > OPENING) {
                self.minimax[role].set_past_states(states.iter());
                let limits = self.limits(clock);
                let chosen = match chooser == role {
                    true => best_move(
                        self.game,
                        &state,
                        Role(role),
                        &limits,
                        &mut self.minimax[role],
                    ),
                    false => mcts::best_move(
                        self.game,
                        &state,
                        Role(chooser),
                        &limits,
                        &mut self.mcts[chooser],
                    ),
                };
                joint[chooser] = chosen?.best;
            }
            if clock.is_over() {
                return None;
            }
            states.push(self.game.next(&mut self.scratch, &state, &joint));
        }
        Some(0.5)
    }

    /// Those of one move.
    fn limits<'c>(&self, clock: &'c SearchClock) -> SearchLimits<'c> {
        SearchLimits {
            time: Some(self.time),
            stop: clock.deadline.stop.as_ref(),
            ..SearchLimits::to_depth(MAX_DEPTH)
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
        let told = |points, games| {
            let time = LEAST_TIME;
            TrialMatch {
                games,
                points,
                time,
            }
            .suits_minimax()
        };
        assert_eq!(told(4.0, 4), Some(true));
        assert_eq!(told(0.0, 4), Some(false));
        assert_eq!(told(3.0, 3), None, "too few games");
        assert_eq!(told(11.0, 20), None, "too close");
    }

    #[test]
    fn games_are_played_until_the_clock_ends() {
        let game = Subtraction::new(30, 3);
        let settings = MinimaxSettings {
            hash: 1,
            evaluation: Some("none".into()),
            ..MinimaxSettings::default()
        };
        let trial = |time: Duration| {
            let clock = SearchClock::within(time, &StopFlag::default());
            let settings = (
                &settings,
                &MctsSettings {
                    playouts: Some(100),
                    ..MctsSettings::default()
                },
            );
            trial_match(&game, settings, &mut LearnedWeights::default(), &clock)
        };
        let found = trial(Duration::from_secs(60));
        assert_eq!(found.games, GAMES);
        assert!(found.points <= f64::from(GAMES));
        assert_eq!(trial(Duration::ZERO).games, 0);
    }
}
