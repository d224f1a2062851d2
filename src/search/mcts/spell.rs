//! What a search found, in the game's moves and in words.

use std::time::{Duration, Instant};

use super::store::Store;
use super::verdict::Line;
use crate::game::{Engine, Role, legal_of_all};
use crate::search::{Progress, Value};
use crate::util::Deadline;

/// From numbers of moves to moves.
pub(super) struct Speller<'s, G: Engine> {
    pub(super) game: &'s G,
    pub(super) scratch: &'s mut G::Scratch,
    /// The legal moves at the root, by role.
    pub(super) root: &'s [Vec<G::Move>],
    /// No state is looked at after this to spell a line.
    pub(super) end: Deadline,
}

/// States, and the numbers of the moves that are played in them.
type Steps<S> = Vec<(S, Vec<u32>)>;

/// A line of a tree, with its states.
pub(super) fn steps<S: Clone>(store: &Store<S>, line: Line) -> Steps<S> {
    let state = |node: u32| store.states[node as usize].clone();
    let steps = line.into_iter();
    steps.map(|(node, picks)| (state(node), picks)).collect()
}

impl<G: Engine> Speller<'_, G> {
    /// As much of a line as there is time for: its first step at least.
    pub(super) fn line(&mut self, steps: &Steps<G::State>) -> Vec<Vec<G::Move>> {
        let mut moves = Vec::new();
        self.follow(steps, |_, joint| moves.push(joint));
        moves
    }

    /// The same in words; a role that has no choice says nothing.
    fn words(&mut self, steps: &Steps<G::State>) -> Vec<String> {
        let (game, mut words) = (self.game, Vec::new());
        self.follow(steps, |legal, joint| {
            let chosen = legal.iter().zip(joint).filter(|(legal, _)| legal.len() > 1);
            let texts: Vec<String> = chosen.map(|(_, mv)| game.move_text(mv)).collect();
            words.push(texts.join(" "));
        });
        words
    }

    /// Goes along a line, and shows what is legal on each step and what is played.
    fn follow(
        &mut self,
        steps: &Steps<G::State>,
        mut show: impl FnMut(&[Vec<G::Move>], Vec<G::Move>),
    ) {
        let mut legal = self.root.to_vec();
        for (step, (state, picks)) in steps.iter().enumerate() {
            if step > 0 && !self.looks_at(state, &mut legal) {
                break;
            }
            let picked = legal.iter().zip(picks);
            let joint = picked.map(|(legal, &pick)| legal[pick as usize]).collect();
            show(&legal, joint);
        }
        self.game.set_deadline(self.scratch, None);
        if self.game.is_cut_short(self.scratch) {
            *self.scratch = self.game.scratch();
        }
    }

    /// Finds out the legal moves of a state, if there is time for it.
    fn looks_at(&mut self, state: &G::State, legal: &mut Vec<Vec<G::Move>>) -> bool {
        if self.end.at.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.game.set_deadline(self.scratch, Some(&self.end));
        legal_of_all(self.game, self.scratch, state, legal);
        !self.game.is_cut_short(self.scratch)
    }
}

/// Who tells now and then how a search gets on.
pub(super) struct Reporter<'r, M> {
    pub(super) role: Role,
    pub(super) report: &'r dyn Fn(&Progress),
    /// The legal moves at the root, by role.
    pub(super) root: &'r [Vec<M>],
    pub(super) begin: Instant,
    pub(super) told: Duration,
}

impl<M: Copy> Reporter<'_, M> {
    /// Whether it is time to tell something again.
    pub(super) fn is_due(&self) -> bool {
        const EVERY: Duration = Duration::from_millis(500);
        self.begin.elapsed() >= self.told + EVERY
    }

    /// What is to be told, to be spelt when nobody waits for it.
    pub(super) fn known<S: Clone>(&self, store: &Store<S>) -> Known<S> {
        let (best, points) = store.tree.verdict(self.role.0, None).moves[0];
        Known {
            value: Value::estimate((points * 1000.0) as i32),
            steps: steps(store, store.tree.line(self.role.0, best)),
        }
    }

    /// Tells what is known after so many `playouts`, and how far down they went.
    pub(super) fn tell<G: Engine<Move = M>>(
        &mut self,
        (game, scratch): (&G, &mut G::Scratch),
        known: &Known<G::State>,
        (playouts, depth): (u64, u32),
        end: &Deadline,
    ) {
        let mut speller = Speller {
            game,
            scratch,
            root: self.root,
            end: end.clone(),
        };
        let line = speller.words(&known.steps);
        self.told = self.begin.elapsed();
        (self.report)(&Progress {
            depth,
            value: known.value,
            line,
            nodes: playouts,
            counts: "playouts",
            time: self.told,
        });
    }
}

/// What a search knows so far.
pub(super) struct Known<S> {
    value: Value,
    steps: Steps<S>,
}
