//! Many games of self-play at a time, ply by ply.

use std::ops::Range;
use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::FxHashSet;

use super::logistic::{logistic, logit_of};
use super::model::{EvaluationModel, Parent};
use super::threats::Threats;
use crate::search::alphabeta::stack::{Choices, Pick, SearchStack, Side, ToMove};

/// Longer games are abandoned.
const PLIES: usize = 400;
/// One move in this number is random, unless more are asked for.
const EXPLORATION: u32 = 200;
/// At most so many plies at the beginning of a game are random.
const OPENING: usize = 12;

/// A state of a game.
#[derive(Debug, Clone)]
pub(super) struct LearningSample {
    pub(super) words: Vec<u64>,
    pub(super) choices: Choices,
    /// What a look at the next ply says; none where the move was random.
    pub(super) next: Option<f32>,
}

/// A game that is over.
#[derive(Debug, Clone)]
pub(super) struct FinishedSelfPlay {
    /// Its number.
    pub(super) number: u64,
    pub(super) samples: Vec<LearningSample>,
    /// The searcher's share of the points, from 0 to 1; none where the game was given up.
    pub(super) result: Option<f32>,
}

impl FinishedSelfPlay {
    /// Whether all moves were random ones.
    pub(super) fn is_random(&self) -> bool {
        self.samples.iter().all(|sample| sample.next.is_none())
    }

    /// Whether some state came about twice.
    pub(super) fn repeats(&self) -> bool {
        let mut seen = FxHashSet::default();
        !self.samples.iter().all(|sample| seen.insert(&sample.words))
    }
}

/// Who chooses moves: weights for the searcher, and weights for the others.
#[derive(Clone, Copy)]
pub(super) struct SelfPlayers<'m> {
    models: [&'m EvaluationModel; 2],
    /// One move in this number is random.
    exploration: u32,
}

impl<'m> SelfPlayers<'m> {
    /// The same weights for both sides.
    pub(super) fn alone(model: &'m EvaluationModel) -> Self {
        Self::against([model, model])
    }

    /// The first weights for the searcher in games of even numbers, for the others in the rest; the second ones against them.
    pub(super) fn against(models: [&'m EvaluationModel; 2]) -> Self {
        Self {
            models,
            exploration: EXPLORATION,
        }
    }

    /// The same, but one move in this number is random.
    pub(super) fn exploring(self, exploration: u32) -> Self {
        Self {
            exploration,
            ..self
        }
    }

    /// What threatens cells, which both sides see.
    pub(super) fn threats(self) -> Option<Arc<Threats>> {
        let mut known = self.models.iter().filter_map(|model| model.threats.clone());
        known.next()
    }

    fn of(self, number: u64, side: Side) -> &'m EvaluationModel {
        let place = (side as u64 + number) % 2;
        self.models[place as usize]
    }
}

/// How games of self-play begin.
#[derive(Debug, Clone, Copy)]
pub(super) struct SelfPlayNumbers {
    /// The number of the first game of a group, and how much numbers grow.
    pub(super) first: u64,
    pub(super) step: u64,
    /// What random numbers are drawn from, beside the number of the game.
    pub(super) seed: u64,
    /// So many games of adjacent numbers draw the same random numbers.
    pub(super) alike: u64,
}

/// A game in progress.
struct SelfPlayGame {
    number: u64,
    rng: Xoshiro256PlusPlus,
    opening: usize,
    samples: Vec<LearningSample>,
}

/// Games that go on together on one stack, whose ply 0 holds their states.
pub(super) struct GamesInProgress<'s> {
    stack: Box<dyn SearchStack + Send + 's>,
    games: Vec<SelfPlayGame>,
    /// The number of the next game is the first.
    next: SelfPlayNumbers,
    parent: Parent,
    /// The facts of the state whose children are compared.
    words: Vec<u64>,
    /// States expanded so far.
    pub(super) states: u64,
}

impl<'s> GamesInProgress<'s> {
    /// Games on a stack whose ply 0 holds the initial state.
    pub(super) fn new(
        stack: Box<dyn SearchStack + Send + 's>,
        count: usize,
        numbers: SelfPlayNumbers,
    ) -> Self {
        let mut all = Self {
            stack,
            games: Vec::new(),
            next: numbers,
            parent: Parent::default(),
            words: Vec::new(),
            states: 0,
        };
        all.stack.keep_root(count);
        for _ in 0..count {
            let game = all.begin();
            all.games.push(game);
        }
        all
    }

    fn begin(&mut self) -> SelfPlayGame {
        let SelfPlayNumbers {
            first: number,
            step,
            seed,
            alike,
        } = self.next;
        self.next.first += step;
        // Games of one seed are far fewer.
        let drawn_from = (seed << 40).wrapping_add(number / alike);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(drawn_from);
        SelfPlayGame {
            number,
            opening: rng.random_range(0..OPENING),
            rng,
            samples: Vec::new(),
        }
    }

    /// Plays some plies of every game, at random without players; returns the games that ended.
    pub(super) fn play(
        &mut self,
        plies: usize,
        players: Option<SelfPlayers<'_>>,
    ) -> Vec<FinishedSelfPlay> {
        let mut finished = Vec::new();
        for _ in 0..plies {
            self.ply(players, &mut finished);
            if self.stack.is_cut_short() {
                break;
            }
        }
        finished
    }

    /// Makes a move in each game; those that ended begin anew.
    fn ply(&mut self, players: Option<SelfPlayers<'_>>, finished: &mut Vec<FinishedSelfPlay>) {
        let (picks, children) = self.picks(players.map(|players| players.exploration));
        self.stack.expand_picks(0, &picks);
        if self.stack.is_cut_short() {
            return;
        }
        self.states += picks.len() as u64;
        let mut next = Vec::with_capacity(self.games.len());
        for (at, children) in children.into_iter().enumerate() {
            let child = self.choose(players, at, children);
            next.push(match self.result(at, child) {
                GameStatus::GoesOn => Some(child),
                GameStatus::Over(result) => {
                    let SelfPlayGame {
                        number, samples, ..
                    } = self.begin_anew(at);
                    finished.push(FinishedSelfPlay {
                        number,
                        samples,
                        result,
                    });
                    None
                }
            });
        }
        self.stack.keep(&next);
    }

    /// The joint moves to look at: all choices of a side, or a random one: about one move in `exploration`, and every move without that. Also
    /// where those of each game stand.
    fn picks(&mut self, exploration: Option<u32>) -> (Vec<(u32, Pick)>, Vec<Range<usize>>) {
        let (mut picks, mut children) = (Vec::new(), Vec::with_capacity(self.games.len()));
        for (at, game) in self.games.iter_mut().enumerate() {
            let first = picks.len();
            let is_random = game.samples.len() < game.opening
                || exploration.is_none_or(|number| game.rng.random_range(0..number) == 0);
            let choices = self.stack.choices(0, at);
            match choices.turn() {
                ToMove::Of(side) if !is_random => {
                    let all = 0..choices.of(side);
                    picks.extend(all.map(|choice| (at as u32, Pick::of(side, choice))));
                }
                _ => picks.push((at as u32, self.stack.random_pick(0, at, game.rng.random()))),
            }
            children.push(first..picks.len());
        }
        (picks, children)
    }

    /// The child with which a game goes on; keeps its state as a sample.
    fn choose(
        &mut self,
        players: Option<SelfPlayers<'_>>,
        at: usize,
        children: Range<usize>,
    ) -> usize {
        let choices = self.stack.choices(0, at);
        let is_drawn = children.len() == 1 && !choices.is_forced();
        let (child, next) = match players.filter(|_| !is_drawn) {
            Some(players) => {
                let side = match choices.turn() {
                    ToMove::Of(side) => side,
                    ToMove::Stuck | ToMove::Mixed => Side::Own,
                };
                let model = players.of(self.games[at].number, side);
                let (child, value) = self.best(model, at, children);
                (child, Some(value))
            }
            None => {
                self.stack.info(1, children.start);
                (children.start, None)
            }
        };
        self.games[at].samples.push(LearningSample {
            words: self.stack.words(0, at).to_vec(),
            choices,
            next,
        });
        child
    }

    /// How a game stands in a child.
    fn result(&mut self, at: usize, child: usize) -> GameStatus {
        let info = self.stack.info(1, child);
        let is_given_up =
            info.choices.turn() == ToMove::Stuck || self.games[at].samples.len() >= PLIES;
        match (info.is_over, is_given_up) {
            (true, _) => GameStatus::Over(Some(f32::from(info.goal) / 100.0)),
            (false, true) => GameStatus::Over(None),
            (false, false) => GameStatus::GoesOn,
        }
    }

    /// Begins a new game in place of another one, which it returns.
    fn begin_anew(&mut self, at: usize) -> SelfPlayGame {
        let new = self.begin();
        std::mem::replace(&mut self.games[at], new)
    }

    /// The best child for the side to move, and its value for the searcher.
    fn best(&mut self, model: &EvaluationModel, at: usize, children: Range<usize>) -> (usize, f32) {
        let sign = match self.stack.choices(0, at).turn() {
            ToMove::Of(Side::Others) => -1.0,
            _ => 1.0,
        };
        let mut words = std::mem::take(&mut self.words);
        // Asking for a child marks its parent, too.
        self.stack.info(1, children.start);
        words.clear();
        words.extend_from_slice(self.stack.words(0, at));
        model.enter(&words, &mut self.parent);
        let (mut best, mut most) = (children.start, None);
        for child in children {
            let info = self.stack.info(1, child);
            let after = self.stack.words(1, child);
            let logits = match info.is_over {
                true => logit_of(f32::from(info.goal) / 100.0),
                false => model.logits_after(&words, after, info.choices, &mut self.parent),
            };
            let score = sign * logits;
            // Engines number children in different ways: of equals, their facts decide.
            let is_later = || after > self.stack.words(1, best);
            if most.is_none_or(|most| score > most || score == most && is_later()) {
                (best, most) = (child, Some(score));
            }
        }
        self.words = words;
        (best, logistic(sign * most.unwrap_or_default()))
    }
}

/// Whether a game is over, and with which share of the points, if the rules ended it.
enum GameStatus {
    GoesOn,
    Over(Option<f32>),
}
