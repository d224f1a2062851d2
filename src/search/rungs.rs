//! The ladder of an engine: batches, one on each rung.

use std::hash::{BuildHasher, Hash, Hasher};
use std::time::Instant;

use foldhash::quality::FixedState;
use rustc_hash::FxHasher;

use super::cast::{Cast, Part};
use super::judge::{Judge, expectation_of};
use super::ladder::{Choices, Ladder, Pick, Seen, Side};
use crate::game::{Engine, Fault, GameFacts, PositionBatch, Role};
use crate::util::Deadline;

/// Broods of states, one on each rung.
pub(super) struct Rungs<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    /// A budget that ran out before this scratch was made.
    fault: Option<Fault>,
    cast: Cast,
    judge: Option<Judge<'g, G::State>>,
    /// How many words the facts of a state take, if they are marked.
    words: usize,
    rungs: Vec<Rung<G>>,
    of: Vec<u32>,
    moves: Vec<G::Move>,
}

struct Rung<G: Engine> {
    batch: G::Batch,
    seen: Vec<Seen>,
    /// The facts of each state, where they are marked.
    words: Vec<u64>,
    /// What the facts of each state are worth, where there is an evaluator.
    sums: Vec<i32>,
    /// The state of the rung below that these states come of, and its moves, role by role.
    parent: usize,
    legal: Vec<Vec<G::Move>>,
    keys: Vec<u32>,
}

impl<'g, G: Engine> Rungs<'g, G> {
    /// A ladder with `state` on its lowest rung.
    pub(super) fn new(
        game: &'g G,
        state: &G::State,
        role: Role,
        judge: Option<Judge<'g, G::State>>,
    ) -> Self {
        let mut scratch = game.scratch();
        let mut first = Rung::new(game);
        game.evaluate_batch(&mut scratch, std::slice::from_ref(state), &mut first.batch);
        let mut rungs = Self {
            game,
            scratch,
            fault: None,
            cast: Cast::new(game.roles(), role),
            words: 0,
            judge,
            rungs: vec![first],
            of: Vec::new(),
            moves: Vec::new(),
        };
        match &rungs.judge {
            Some(Judge::Learned(_)) => rungs.mark_facts(),
            _ => rungs.look(0),
        }
        rungs
    }

    /// From now on, marks the facts of states.
    pub(super) fn mark_facts(&mut self) {
        self.words = self.game.game_facts().map_or(0, GameFacts::words);
        self.look(0);
    }

    /// The joint moves of a line of picks from the lowest rung, whose state must be entered, as many of them as there is time
    /// for.
    pub(super) fn line(&mut self, picks: &[Pick], end: &Deadline) -> Vec<Vec<G::Move>> {
        let mut line = Vec::new();
        self.set_deadline(Some(end));
        for (rung, pick) in picks.iter().enumerate() {
            if rung > 0 {
                // What comes of the last one may take long to find out, and nobody asks.
                if !self.makes(rung - 1, picks[rung - 1], end.at) {
                    break;
                }
                self.enter(rung, 0);
            }
            let mut moves = Vec::new();
            let legal = &self.rungs[rung + 1].legal;
            self.cast.joint(legal, *pick, &mut moves);
            line.push(moves);
        }
        self.set_deadline(None);
        line
    }

    /// Makes a step from the state entered last, if there is time for it.
    fn makes(&mut self, rung: usize, pick: Pick, until: Option<Instant>) -> bool {
        if until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.expand(rung, &[pick]);
        !self.is_cut_short()
    }

    /// The searcher's moves in the lowest state.
    pub(super) fn own_moves(&mut self) -> &[G::Move] {
        self.enter(0, 0);
        &self.rungs[1].legal[self.cast.role.0]
    }

    pub(super) fn fault(&self) -> Option<Fault> {
        let fault = self.fault.clone();
        fault.or_else(|| self.game.fault(&self.scratch))
    }

    /// Makes the steps that were listed, from states on a rung to the next one.
    fn make(&mut self, rung: usize) {
        let (below, above) = self.rungs.split_at_mut(rung + 1);
        self.game.expand(
            &mut self.scratch,
            &below[rung].batch,
            &self.of,
            &self.moves,
            &mut above[0].batch,
        );
        self.look(rung + 1);
    }

    /// Marks the facts of the states on a rung, and judges by them what to expect.
    fn judge(&mut self, rung: usize) {
        let (below, above) = self.rungs.split_at_mut(rung);
        let above_it = &mut above[0];
        let Rung {
            batch,
            seen,
            words,
            sums,
            ..
        } = above_it;
        words.resize(seen.len() * self.words, 0);
        for (index, marks) in words.chunks_exact_mut(self.words.max(1)).enumerate() {
            self.game.mark_facts(&batch.state(index), marks);
        }
        let evaluator = match &self.judge {
            None => return,
            Some(Judge::Learned(evaluator)) => evaluator,
            Some(Judge::Made(evaluation)) => {
                let open = seen
                    .iter_mut()
                    .enumerate()
                    .filter(|(_, seen)| !seen.is_over);
                for (index, seen) in open {
                    let worth = evaluation(&batch.state(index), self.cast.role);
                    seen.expectation = expectation_of(worth);
                }
                return;
            }
        };
        sums.clear();
        for (index, seen) in seen.iter_mut().enumerate() {
            let facts = &words[index * self.words..][..self.words];
            let sum = match below.last() {
                Some(below) => {
                    let parent = self.of[index] as usize;
                    let before = &below.words[parent * self.words..][..self.words];
                    evaluator.changed_sum(below.sums[parent], before, facts)
                }
                None => evaluator.sum(facts),
            };
            sums.push(sum);
            if !seen.is_over {
                seen.expectation = evaluator.expectation(sum, facts, seen.choices);
            }
        }
    }

    /// Notes what is known of the states on a rung.
    fn look(&mut self, rung: usize) {
        let Rung { batch, seen, .. } = &mut self.rungs[rung];
        let cast = &self.cast;
        seen.clear();
        seen.extend((0..batch.len()).map(|index| {
            let is_over = batch.is_terminal(index);
            let (goal, choices) = match is_over {
                true => (batch.goal(index, cast.role), NO_CHOICE),
                false => (None, cast.choices(|role| batch.legal_count(index, role))),
            };
            Seen {
                is_over,
                goal: goal.unwrap_or(50),
                expectation: 50_000,
                choices,
            }
        }));
        self.judge(rung);
    }
}

/// Where the game is over.
const NO_CHOICE: Choices = Choices {
    own: 0,
    replies: 0,
    chances: 0,
};

/// What [`Ladder::key`] says of a state.
pub(super) fn key_of<S: Hash>(state: &S) -> u64 {
    FixedState::with_seed(0).hash_one(state)
}

impl<G: Engine> Rung<G> {
    fn new(game: &G) -> Self {
        Self {
            batch: game.batch(),
            seen: Vec::new(),
            words: Vec::new(),
            sums: Vec::new(),
            parent: 0,
            legal: vec![Vec::new(); game.roles().len()],
            keys: Vec::new(),
        }
    }
}

impl<G: Engine> Ladder for Rungs<'_, G> {
    fn is_eager(&self) -> bool {
        self.game.is_eager()
    }

    fn len(&self, rung: usize) -> usize {
        self.rungs[rung].seen.len()
    }

    fn seen(&self, rung: usize, index: usize) -> Seen {
        self.rungs[rung].seen[index]
    }

    fn key(&self, rung: usize, index: usize) -> u64 {
        key_of(&self.rungs[rung].batch.state(index))
    }

    fn enter(&mut self, rung: usize, index: usize) {
        if self.rungs.len() == rung + 1 {
            self.rungs.push(Rung::new(self.game));
        }
        let (below, above) = self.rungs.split_at_mut(rung + 1);
        let above = &mut above[0];
        above.parent = index;
        for (role, moves) in above.legal.iter_mut().enumerate() {
            below[rung].batch.legal(index, Role(role), moves);
        }
    }

    fn expand(&mut self, rung: usize, picks: &[Pick]) {
        let above = &self.rungs[rung + 1];
        self.of.clear();
        self.of.resize(picks.len(), above.parent as u32);
        self.moves.clear();
        for pick in picks {
            self.cast.joint(&above.legal, *pick, &mut self.moves);
        }
        self.make(rung);
    }

    fn expand_families(&mut self, rung: usize, parents: &[(u32, Side)]) {
        self.of.clear();
        self.moves.clear();
        for &(parent, side) in parents {
            self.enter(rung, parent as usize);
            let choices = self.rungs[rung].seen[parent as usize].choices;
            for choice in 0..choices.of(side) {
                self.of.push(parent);
                let legal = &self.rungs[rung + 1].legal;
                self.cast
                    .joint(legal, Pick::of(side, choice), &mut self.moves);
            }
        }
        self.make(rung);
    }

    fn set_deadline(&mut self, end: Option<&Deadline>) {
        self.game.set_deadline(&mut self.scratch, end);
        if end.is_none() && self.is_cut_short() {
            self.fault = self.fault();
            self.scratch = self.game.scratch();
        }
    }

    fn is_cut_short(&self) -> bool {
        self.game.is_cut_short(&self.scratch)
    }

    fn keys(&mut self, rung: usize, side: Side) -> &[u32] {
        let Rung { legal, keys, .. } = &mut self.rungs[rung + 1];
        keys.clear();
        match side {
            Side::Own => keys.extend(legal[self.cast.role.0].iter().map(move_key)),
            Side::Others => {
                keys.push(0);
                let opponents = self.cast.parts.iter().zip(legal.iter());
                for (_, moves) in opponents.filter(|(part, _)| **part == Part::Opponent) {
                    multiply(keys, moves.iter().map(move_key));
                }
            }
        }
        keys
    }

    fn words(&self, rung: usize, index: usize) -> &[u64] {
        &self.rungs[rung].words[index * self.words..][..self.words]
    }

    fn text(&self, rung: usize, pick: Pick) -> String {
        let mut moves = Vec::new();
        let legal = &self.rungs[rung + 1].legal;
        self.cast.joint(legal, pick, &mut moves);
        let chosen = legal.iter().zip(moves).filter(|(legal, _)| legal.len() > 1);
        let texts: Vec<String> = chosen.map(|(_, mv)| self.game.move_text(mv)).collect();
        texts.join(" ")
    }
}

fn move_key<M: Hash>(mv: &M) -> u32 {
    let mut hasher = FxHasher::default();
    mv.hash(&mut hasher);
    (hasher.finish() >> 32) as u32
}

/// Every combination of the keys so far with one more, the earlier ones changing fastest.
fn multiply(keys: &mut Vec<u32>, more: impl ExactSizeIterator<Item = u32>) {
    let so_far = std::mem::take(keys);
    keys.reserve(so_far.len() * more.len());
    for key in more {
        keys.extend(so_far.iter().map(|first| first.rotate_left(5) ^ key));
    }
}
