//! Many games of self-play at a time, ply by ply.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::model::{EvaluationModel, Parent};
use crate::search::alphabeta::stack::{Choices, Pick, SearchStack, Side, ToMove};

/// Longer games are abandoned.
const PLIES: usize = 400;
/// One move in this number is random.
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
    pub(super) samples: Vec<LearningSample>,
    /// The searcher's share of the points, from 0 to 1.
    pub(super) result: f32,
}

/// A game in progress.
struct SelfPlayGame {
    rng: Xoshiro256PlusPlus,
    opening: usize,
    samples: Vec<LearningSample>,
}

/// Games that go on together on one stack, whose ply 0 holds their states.
pub(super) struct GamesInProgress<'s> {
    stack: Box<dyn SearchStack + Send + 's>,
    games: Vec<SelfPlayGame>,
    /// The number of the next game, and how much it grows.
    next: (u64, u64),
    parent: Parent,
    /// States expanded so far.
    pub(super) states: u64,
}

impl<'s> GamesInProgress<'s> {
    /// Games number `first`, `first + step`, … on a stack whose ply 0 holds the initial state.
    pub(super) fn new(
        stack: Box<dyn SearchStack + Send + 's>,
        count: usize,
        (first, step): (u64, u64),
    ) -> Self {
        let mut all = Self {
            stack,
            games: Vec::new(),
            next: (first, step),
            parent: Parent::default(),
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
        let (number, step) = self.next;
        self.next.0 += step;
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(number);
        SelfPlayGame {
            opening: rng.random_range(0..OPENING),
            rng,
            samples: Vec::new(),
        }
    }

    /// Plays some plies of every game, at random without a model; returns the games that ended.
    pub(super) fn play(
        &mut self,
        plies: usize,
        model: Option<&EvaluationModel>,
    ) -> Vec<FinishedSelfPlay> {
        let mut finished = Vec::new();
        for _ in 0..plies {
            self.ply(model, &mut finished);
            if self.stack.is_cut_short() {
                break;
            }
        }
        finished
    }

    /// Makes a move in each game; those that ended begin anew.
    fn ply(&mut self, model: Option<&EvaluationModel>, finished: &mut Vec<FinishedSelfPlay>) {
        let (picks, children) = self.picks(model.is_some());
        self.stack.expand_picks(0, &picks);
        self.states += picks.len() as u64;
        if self.stack.is_cut_short() {
            return;
        }
        let mut next = Vec::with_capacity(self.games.len());
        for (at, children) in children.into_iter().enumerate() {
            let child = self.choose(model, at, children);
            next.push(match self.result(at, child) {
                GameStatus::GoesOn => Some(child),
                GameStatus::Over(result) => {
                    let samples = self.begin_anew(at);
                    finished.extend(result.map(|result| FinishedSelfPlay { samples, result }));
                    None
                }
            });
        }
        self.stack.keep(&next);
    }

    /// The joint moves to look at: all choices of a side, or a random one. Also where those of each game stand.
    fn picks(&mut self, knows_weights: bool) -> (Vec<(u32, Pick)>, Vec<Range<usize>>) {
        let (mut picks, mut children) = (Vec::new(), Vec::with_capacity(self.games.len()));
        for (at, game) in self.games.iter_mut().enumerate() {
            let first = picks.len();
            let is_random = !knows_weights
                || game.samples.len() < game.opening
                || game.rng.random_range(0..EXPLORATION) == 0;
            let choices = self.stack.info(0, at).choices;
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
        model: Option<&EvaluationModel>,
        at: usize,
        children: Range<usize>,
    ) -> usize {
        let choices = self.stack.info(0, at).choices;
        let is_drawn = children.len() == 1 && !choices.is_forced();
        let (child, next) = match model.filter(|_| !is_drawn) {
            Some(model) => {
                let (child, value) = self.best(model, at, children);
                (child, Some(value))
            }
            None => (children.start, None),
        };
        self.games[at].samples.push(LearningSample {
            words: self.stack.words(0, at).to_vec(),
            choices,
            next,
        });
        child
    }

    /// How a game stands in a child.
    fn result(&self, at: usize, child: usize) -> GameStatus {
        let info = self.stack.info(1, child);
        let is_given_up =
            info.choices.turn() == ToMove::Stuck || self.games[at].samples.len() >= PLIES;
        match (info.is_over, is_given_up) {
            (true, _) => GameStatus::Over(Some(f32::from(info.goal) / 100.0)),
            (false, true) => GameStatus::Over(None),
            (false, false) => GameStatus::GoesOn,
        }
    }

    /// Begins a new game in place of another one, whose samples it returns.
    fn begin_anew(&mut self, at: usize) -> Vec<LearningSample> {
        let new = self.begin();
        std::mem::replace(&mut self.games[at], new).samples
    }

    /// The best child for the side to move, and its value for the searcher.
    fn best(&mut self, model: &EvaluationModel, at: usize, children: Range<usize>) -> (usize, f32) {
        let sign = match self.stack.info(0, at).choices.turn() {
            ToMove::Of(Side::Others) => -1.0,
            _ => 1.0,
        };
        let words = self.stack.words(0, at);
        model.enter(words, &mut self.parent);
        let mut best = (children.start, f32::NEG_INFINITY, 0.0);
        for child in children {
            let info = self.stack.info(1, child);
            let after = self.stack.words(1, child);
            let value = match info.is_over {
                true => f32::from(info.goal) / 100.0,
                false => model.value_after(words, after, info.choices, &mut self.parent),
            };
            let score = sign * value;
            // Engines number children in different ways: of equals, their facts decide.
            let is_later = || after > self.stack.words(1, best.0);
            if score > best.1 || score == best.1 && is_later() {
                best = (child, score, value);
            }
        }
        (best.0, best.2)
    }
}

/// Whether a game is over, and with which share of the points, if the rules ended it.
enum GameStatus {
    GoesOn,
    Over(Option<f32>),
}
