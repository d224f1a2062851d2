//! The games of trial matches.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::trial_match::{Contestant, TrialMatch};
use crate::game::{Engine, Role, legal_of_all, random_joint_move};
use crate::search::end_goal::goal_of_end;
use crate::search::limits::SearchClock;
use crate::search::{
    LearnedWeights, MAX_DEPTH, MctsSearcher, MctsSettings, MinimaxSearcher, MinimaxSettings,
    SearchLimits, Searcher, think,
};

/// The random plies at the beginning of each two games.
const OPENING: usize = 4;
/// Longer games are abandoned, and count half.
const PLIES: usize = 200;
/// Size of the transposition table, in MiB.
const HASH: usize = 8;

/// All contestants, each for both roles.
pub(super) struct Contestants<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    minimax: [Searcher; 2],
    mcts: [Searcher; 2],
    by_playouts: [Searcher; 2],
    /// Whether learned weights evaluate the leaves of `mcts`.
    pub(super) has_weights: bool,
}

impl<'g, G: Engine> Contestants<'g, G> {
    /// Contestants with these settings, who learn their weights before the clock for it ends.
    pub(super) fn new(
        game: &'g G,
        (minimax, mcts): (&MinimaxSettings, &MctsSettings),
        learned: &mut LearnedWeights,
        learning: &SearchClock,
    ) -> Self {
        let minimax = MinimaxSettings {
            hash: minimax.hash.min(HASH),
            ..minimax.clone()
        };
        let minimax = [0, 1].map(|role| {
            let mut searcher = MinimaxSearcher::new(minimax.clone());
            searcher.train(game, Role(role), learned, learning);
            searcher
        });
        let mut trained = |settings: &MctsSettings| {
            [0, 1].map(|role| {
                let mut searcher = MctsSearcher::new(settings.clone());
                searcher.train(game, Role(role), learned, learning);
                searcher
            })
        };
        let (by_weights, by_playouts) = (trained(mcts), trained(&mcts.by_playouts()));
        Self {
            game,
            scratch: game.scratch(),
            has_weights: by_weights.iter().all(MctsSearcher::evaluates_leaves),
            minimax: minimax.map(|searcher| Searcher::Minimax(Box::new(searcher))),
            mcts: by_weights.map(|searcher| Searcher::Mcts(Box::new(searcher))),
            by_playouts: by_playouts.map(|searcher| Searcher::Mcts(Box::new(searcher))),
        }
    }

    /// Plays the games of a match until it is over, or the clock is.
    pub(super) fn play_match(&mut self, of: TrialMatch, clock: &SearchClock) -> TrialMatch {
        let mut found = of;
        let limits = SearchLimits {
            time: Some(found.time),
            stop: clock.deadline.stop.as_ref(),
            ..SearchLimits::to_depth(MAX_DEPTH)
        };
        while !found.is_over() {
            // Each opening twice, with the roles exchanged.
            let seed = u64::from(found.games / 2);
            let role = found.games as usize % 2;
            let players = if role == 0 {
                found.contestants
            } else {
                [found.contestants[1], found.contestants[0]]
            };
            let Some((goal, moves)) = self.play(players, seed, (&limits, clock)) else {
                break;
            };
            found.add((if role == 0 { goal } else { 1.0 - goal }, moves));
        }
        found
    }

    /// The points of the first role, from 0 to 1, in the game that begins with the random moves of this seed, and how many moves were searched; `None`
    /// if the clock ends it.
    fn play(
        &mut self,
        players: [Contestant; 2],
        seed: u64,
        (limits, clock): (&SearchLimits<'_>, &SearchClock),
    ) -> Option<(f64, u32)> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        for (role, player) in players.into_iter().enumerate() {
            self.searcher(player, role).forget_match();
        }
        let (mut states, mut legal, mut moves) = (vec![self.game.initial()], Vec::new(), 0);
        while states.len() <= PLIES {
            let state = states.last()?.clone();
            if self.game.is_terminal(&mut self.scratch, &state) {
                let goal = |role| self.game.goal(&mut self.scratch, &state, role);
                let goal = goal_of_end(Role(0), self.game.roles(), goal);
                return Some((f64::from(goal) / 100.0, moves));
            }
            legal_of_all(self.game, &mut self.scratch, &state, &mut legal);
            // In a dead end, nobody has won.
            let Some(mut joint) = random_joint_move(&legal, &mut rng) else {
                break;
            };
            let chooser = legal.iter().position(|moves| moves.len() > 1);
            if clock.left().is_some_and(|left| limits.time > Some(left)) {
                return None;
            }
            if let Some(chooser) = chooser.filter(|_| states.len() > OPENING) {
                let game = self.game;
                let searcher = self.searcher(players[chooser], chooser);
                searcher.set_past_states(states.iter());
                joint[chooser] = think(game, &state, Role(chooser), limits, searcher)?.best;
                moves += 1;
            }
            if clock.is_over() {
                return None;
            }
            states.push(self.game.next(&mut self.scratch, &state, &joint));
        }
        Some((0.5, moves))
    }

    fn searcher(&mut self, contestant: Contestant, role: usize) -> &mut Searcher {
        match contestant {
            Contestant::Minimax => &mut self.minimax[role],
            Contestant::Mcts => &mut self.mcts[role],
            Contestant::MctsByPlayouts => &mut self.by_playouts[role],
        }
    }
}
