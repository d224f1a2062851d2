//! The search stack of an engine: one position batch for each ply.

mod evaluation;

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::Arc;
use std::time::Instant;

use foldhash::quality::FixedState;
use rustc_hash::{FxHashMap, FxHasher};

use super::fact_marks::FactMarker;
use super::roles::{RoleKind, RoleMapping};
use super::stack::{Choices, Pick, SearchStack, Side, StateInfo};
use crate::game::{Engine, Fault, GameFacts, PositionBatch, Role};
use crate::search::eval::{EvaluatedParent, Evaluator, Threats};
use crate::symmetry::{OrbitScratch, SymmetryGroup};
use crate::util::Deadline;

/// The search stack of an engine: one position batch for each ply.
pub(in crate::search) struct EngineStack<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    /// A budget that was exceeded before the present scratch was made.
    fault: Option<Fault>,
    roles: RoleMapping,
    evaluator: Option<Evaluator<'g, G::State>>,
    marker: FactMarker,
    /// States of earlier plies are not evaluated, and marked once the information about a child is asked for.
    first_evaluated: usize,
    plies: Vec<PlyStates<G>>,
    moves: Vec<G::Move>,
    /// Hashes of the texts of moves.
    text_hashes: FxHashMap<G::Move, u64>,
    evaluated_parent: EvaluatedParent,
    /// The state, by ply and index, for whose children the marker and `evaluated_parent` are ready.
    marked_parent: Option<(usize, usize)>,
    symmetries: Option<StateClasses>,
}

/// What finds the class of a state.
struct StateClasses {
    symmetries: Arc<SymmetryGroup>,
    /// The facts of a state.
    facts: Vec<u64>,
    scratch: OrbitScratch,
}

struct PlyStates<G: Engine> {
    batch: G::Batch,
    /// Which state of the previous ply each state follows; not of ply 0.
    of: Vec<u32>,
    /// What is known of the states, as far as it was asked for.
    info: Vec<Option<StateInfo>>,
    /// The fact sets of the states, where facts are marked; without meaning before the information about a state, or about a child of it,
    /// was asked for.
    words: Vec<u64>,
    /// The state of the previous ply that was entered last, and its legal moves by role.
    parent: usize,
    legal: Vec<Vec<G::Move>>,
    keys: Vec<u32>,
    /// The keys of the classes of the states, as far as they were asked for.
    class_keys: Vec<Option<u64>>,
}

impl<'g, G: Engine> EngineStack<'g, G> {
    /// A stack with `state` at ply 0.
    pub(in crate::search) fn new(
        game: &'g G,
        state: &G::State,
        role: Role,
        evaluator: Option<Evaluator<'g, G::State>>,
    ) -> Self {
        let mut scratch = game.kept_scratch();
        let mut first = PlyStates::new(game);
        game.evaluate_batch(&mut scratch, std::slice::from_ref(state), &mut first.batch);
        let mut plies = Self {
            game,
            scratch,
            fault: None,
            roles: RoleMapping::new(game.roles(), role),
            marker: FactMarker::default(),
            first_evaluated: 0,
            evaluator,
            plies: vec![first],
            moves: Vec::new(),
            text_hashes: FxHashMap::default(),
            evaluated_parent: EvaluatedParent::default(),
            marked_parent: None,
            symmetries: None,
        };
        match &plies.evaluator {
            Some(Evaluator::Learned(evaluator)) => plies.mark_facts(evaluator.threats().cloned()),
            _ => plies.forget_info(0),
        }
        plies
    }

    /// From now on, the facts of states are marked, and in states that are not terminal these threats, too.
    pub(in crate::search) fn mark_facts(&mut self, threats: Option<Arc<Threats>>) {
        self.marker = FactMarker::new(self.game.game_facts(), threats);
        self.forget_info(0);
    }

    /// From now on, states are of one class that these symmetries make of each other.
    pub(in crate::search) fn use_symmetries(&mut self, symmetries: Arc<SymmetryGroup>) {
        self.symmetries = Some(StateClasses {
            symmetries,
            facts: vec![0; self.game.game_facts().map_or(0, GameFacts::words)],
            scratch: OrbitScratch::default(),
        });
    }

    /// Replaces the states of ply 0.
    pub(in crate::search) fn load(&mut self, states: &[G::State]) {
        self.game
            .evaluate_batch(&mut self.scratch, states, &mut self.plies[0].batch);
        self.forget_info(0);
    }

    /// The roles of the game.
    pub(in crate::search) fn roles(&self) -> &'g [String] {
        self.game.roles()
    }

    /// The states of a ply.
    pub(in crate::search) fn batch(&self, ply: usize) -> &G::Batch {
        &self.plies[ply].batch
    }

    /// The joint move of these moves, by their numbers role by role, in the state entered last on this ply.
    pub(in crate::search) fn pick(&self, ply: usize, numbers: &[usize]) -> Pick {
        self.roles.pick(&self.plies[ply + 1].legal, numbers)
    }

    /// The joint moves of a line of picks from ply 0, whose state must be entered, as far as the deadline allows.
    pub(in crate::search) fn line(&mut self, picks: &[Pick], end: &Deadline) -> Vec<Vec<G::Move>> {
        let mut line = Vec::new();
        self.set_deadline(Some(end));
        for (ply, pick) in picks.iter().enumerate() {
            if ply > 0 {
                // The last move of the line is not made: its successor is not needed.
                if !self.make_one(ply - 1, picks[ply - 1], end.at) {
                    break;
                }
                self.enter(ply, 0);
            }
            let mut moves = Vec::new();
            let legal = &self.plies[ply + 1].legal;
            self.roles.joint(legal, *pick, &mut moves);
            line.push(moves);
        }
        self.set_deadline(None);
        line
    }

    /// Makes a step from the state entered last; false if the time is up.
    fn make_one(&mut self, ply: usize, pick: Pick, until: Option<Instant>) -> bool {
        if until.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.expand(ply, &[pick]);
        !self.is_cut_short()
    }

    /// The searcher's moves at the root.
    pub(in crate::search) fn own_moves(&mut self) -> &[G::Move] {
        self.enter(0, 0);
        &self.plies[1].legal[self.roles.role.0]
    }

    pub(in crate::search) fn fault(&self) -> Option<Fault> {
        let fault = self.fault.clone();
        fault.or_else(|| self.game.fault(&self.scratch))
    }

    /// Makes sure that there is a ply after this one.
    fn add_ply_after(&mut self, ply: usize) {
        if self.plies.len() == ply + 1 {
            self.plies.push(PlyStates::new(self.game));
        }
    }

    /// Begins a list of moves from states of a ply.
    fn begin_moves(&mut self, ply: usize) {
        self.add_ply_after(ply);
        self.plies[ply + 1].of.clear();
        self.moves.clear();
    }

    /// Lists a move from the state of a ply that was entered last.
    fn add_move(&mut self, ply: usize, pick: Pick) {
        let PlyStates {
            of, parent, legal, ..
        } = &mut self.plies[ply + 1];
        of.push(*parent as u32);
        self.roles.joint(legal, pick, &mut self.moves);
    }

    /// Makes the listed moves from states of a ply, and puts their successors on the next one.
    fn make(&mut self, ply: usize) {
        let (below, above) = self.plies.split_at_mut(ply + 1);
        let PlyStates { batch, of, .. } = &mut above[0];
        self.game
            .expand(&mut self.scratch, &below[ply].batch, of, &self.moves, batch);
        self.forget_info(ply + 1);
    }
}

/// The key of a state, see [`SearchStack::key`].
pub(in crate::search) fn key_of<S: Hash>(state: &S) -> u64 {
    FixedState::with_seed(0).hash_one(state)
}

impl<G: Engine> PlyStates<G> {
    fn new(game: &G) -> Self {
        Self {
            batch: game.batch(),
            of: Vec::new(),
            info: Vec::new(),
            words: Vec::new(),
            parent: 0,
            legal: vec![Vec::new(); game.roles().len()],
            keys: Vec::new(),
            class_keys: Vec::new(),
        }
    }
}

impl<G: Engine> SearchStack for EngineStack<'_, G> {
    fn is_eager(&self) -> bool {
        self.game.is_eager()
    }

    fn children_at_once(&self, of_one: u32) -> u32 {
        let most = self.game.children_at_once(of_one as usize);
        u32::try_from(most).unwrap_or(u32::MAX)
    }

    fn likely_children_at_once(&self) -> u32 {
        u32::try_from(self.game.likely_children_at_once()).unwrap_or(u32::MAX)
    }

    fn call_widths(&self) -> &[usize] {
        self.game.call_widths()
    }

    fn has_evaluation(&self) -> bool {
        self.evaluator.is_some()
    }

    fn len(&self, ply: usize) -> usize {
        self.plies[ply].batch.len()
    }

    fn choices(&self, ply: usize, index: usize) -> Choices {
        let PlyStates { batch, info, .. } = &self.plies[ply];
        match info[index] {
            Some(info) => info.choices,
            None => self.count_choices(batch, index),
        }
    }

    fn info(&mut self, ply: usize, index: usize) -> StateInfo {
        match self.plies[ply].info[index] {
            Some(info) => info,
            None => self.find_info(ply, index),
        }
    }

    fn score(&mut self, ply: usize, index: usize) -> i32 {
        let is_known = self.evaluator.is_some() || self.plies[ply].batch.is_terminal(index);
        match is_known.then(|| self.info(ply, index)) {
            None => 0,
            Some(info) if info.is_over => (i32::from(info.goal) - 50) * 1000 * 100,
            Some(info) => info.expectation - 50_000,
        }
    }

    fn key(&self, ply: usize, index: usize) -> u64 {
        key_of(&self.plies[ply].batch.state(index))
    }

    fn class_key(&mut self, ply: usize, index: usize) -> u64 {
        let PlyStates {
            batch, class_keys, ..
        } = &mut self.plies[ply];
        let key_of_class = || {
            let state = batch.state(index);
            let Some(StateClasses {
                symmetries,
                facts,
                scratch,
            }) = &mut self.symmetries
            else {
                return key_of(&state);
            };
            self.game.mark_facts(&state, facts);
            symmetries.make_canonical(facts, scratch);
            key_of(facts)
        };
        *class_keys[index].get_or_insert_with(key_of_class)
    }

    fn reach(&self, ply: usize, index: usize) -> (u8, u8) {
        match &self.evaluator {
            Some(Evaluator::Learned(evaluator)) => evaluator.reach(self.words(ply, index)),
            _ => (0, 100),
        }
    }

    fn enter(&mut self, ply: usize, index: usize) {
        self.add_ply_after(ply);
        let (below, above) = self.plies.split_at_mut(ply + 1);
        let above = &mut above[0];
        above.parent = index;
        for (role, moves) in above.legal.iter_mut().enumerate() {
            below[ply].batch.legal(index, Role(role), moves);
        }
    }

    fn expand(&mut self, ply: usize, picks: &[Pick]) {
        self.begin_moves(ply);
        for pick in picks {
            self.add_move(ply, *pick);
        }
        self.make(ply);
    }

    fn expand_siblings(&mut self, ply: usize, parents: &[(u32, Side)]) {
        self.begin_moves(ply);
        for &(parent, side) in parents {
            self.enter(ply, parent as usize);
            for choice in 0..self.choices(ply, parent as usize).of(side) {
                self.add_move(ply, Pick::of(side, choice));
            }
        }
        self.make(ply);
    }

    fn expand_picks(&mut self, ply: usize, picks: &[(u32, Pick)]) {
        self.begin_moves(ply);
        let mut last = None;
        for &(parent, pick) in picks {
            if last != Some(parent) {
                self.enter(ply, parent as usize);
                last = Some(parent);
            }
            self.add_move(ply, pick);
        }
        self.make(ply);
    }

    fn random_pick(&mut self, ply: usize, index: usize, salt: u64) -> Pick {
        self.enter(ply, index);
        let (game, hashes) = (self.game, &mut self.text_hashes);
        let mut hash = |mv: G::Move| {
            *hashes
                .entry(mv)
                .or_insert_with(|| key_of(&game.move_text(mv)))
        };
        let mut numbers = Vec::with_capacity(self.roles.kinds.len());
        for (role, moves) in self.plies[ply + 1].legal.iter().enumerate() {
            let of_role = salt.rotate_left(role as u32 * 7);
            let drawn = |&number: &usize| key_of(&(hash(moves[number]), of_role));
            numbers.push((0..moves.len()).min_by_key(drawn).unwrap_or(0));
        }
        self.roles.pick(&self.plies[ply + 1].legal, &numbers)
    }

    fn keep_root(&mut self, count: usize) {
        self.keep(&vec![None; count]);
    }

    fn keep(&mut self, states: &[Option<usize>]) {
        let state = |index: &Option<usize>| match index {
            Some(index) => self.plies[1].batch.state(*index),
            None => self.game.initial(),
        };
        let states: Vec<G::State> = states.iter().map(state).collect();
        self.load(&states);
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

    fn keys(&mut self, ply: usize, side: Side) -> &[u32] {
        let PlyStates { legal, keys, .. } = &mut self.plies[ply + 1];
        keys.clear();
        match side {
            Side::Own => keys.extend(legal[self.roles.role.0].iter().map(move_key)),
            Side::Others => {
                keys.push(0);
                let opponents = self.roles.kinds.iter().zip(legal.iter());
                for (_, moves) in opponents.filter(|(kind, _)| **kind == RoleKind::Opponent) {
                    multiply(keys, moves.iter().map(move_key));
                }
            }
        }
        keys
    }

    fn words(&self, ply: usize, index: usize) -> &[u64] {
        let size = self.marker.words;
        &self.plies[ply].words[index * size..][..size]
    }

    fn text(&self, ply: usize, pick: Pick) -> String {
        let mut moves = Vec::new();
        let legal = &self.plies[ply + 1].legal;
        self.roles.joint(legal, pick, &mut moves);
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

/// Combines every key so far with every new one; the earlier ones change fastest.
fn multiply(keys: &mut Vec<u32>, more: impl ExactSizeIterator<Item = u32>) {
    let so_far = std::mem::take(keys);
    keys.reserve(so_far.len() * more.len());
    for key in more {
        keys.extend(so_far.iter().map(|first| first.rotate_left(5) ^ key));
    }
}
