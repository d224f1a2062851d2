//! Lines of the tree as moves and as text, and reports while a search runs.

use std::time::{Duration, Instant};

use super::root_result::{MAX_LINE, NodeLine};
use super::state_tree::StateTree;
use crate::game::{Engine, Role, legal_of_all};
use crate::search::{OtherLine, SearchEffort, SearchProgress, Value};
use crate::util::Deadline;

/// Turns lines of move indices into moves.
pub(super) struct TreeLineFormatter<'s, G: Engine> {
    pub(super) game: &'s G,
    pub(super) scratch: &'s mut G::Scratch,
    /// The legal moves at the root, by role.
    pub(super) root: &'s [Vec<G::Move>],
    /// No further state is evaluated for a line after this.
    pub(super) end: Deadline,
}

/// States, and the indices of the moves that are made in them.
type StateLine<S> = Vec<(S, Vec<u32>)>;

/// A line of the tree with its states.
pub(super) fn with_states<S: Clone>(state_tree: &StateTree<S>, line: NodeLine) -> StateLine<S> {
    let state = |node: u32| state_tree.states[node as usize].clone();
    let steps = line.into_iter();
    steps.map(|(node, picks)| (state(node), picks)).collect()
}

impl<G: Engine> TreeLineFormatter<'_, G> {
    /// As much of a line as there is time for, at least its first joint move.
    pub(super) fn line(&mut self, line: &StateLine<G::State>) -> Vec<Vec<G::Move>> {
        let mut moves = Vec::new();
        self.replay(line, |_, joint| moves.push(joint));
        moves
    }

    /// The same as text, without the moves of roles that have no choice.
    fn texts(&mut self, line: &StateLine<G::State>) -> Vec<String> {
        let (game, mut texts) = (self.game, Vec::new());
        self.replay(line, |legal, joint| {
            let chosen = legal.iter().zip(joint).filter(|(legal, _)| legal.len() > 1);
            let words: Vec<String> = chosen.map(|(_, mv)| game.move_text(mv)).collect();
            texts.push(words.join(" "));
        });
        texts
    }

    /// Replays a line, and calls `visit` with the legal moves and the joint move of every step.
    fn replay(
        &mut self,
        line: &StateLine<G::State>,
        mut visit: impl FnMut(&[Vec<G::Move>], Vec<G::Move>),
    ) {
        let mut legal = self.root.to_vec();
        for (step, (state, picks)) in line.iter().enumerate() {
            if step > 0 && !self.compute_legal(state, &mut legal) {
                break;
            }
            let picked = legal.iter().zip(picks);
            let joint = picked.map(|(legal, &pick)| legal[pick as usize]).collect();
            visit(&legal, joint);
        }
        self.game.set_deadline(self.scratch, None);
        if self.game.is_cut_short(self.scratch) {
            *self.scratch = self.game.scratch();
        }
    }

    /// Computes the legal moves of a state; false if there is no time for it.
    fn compute_legal(&mut self, state: &G::State, legal: &mut Vec<Vec<G::Move>>) -> bool {
        if self.end.at.is_some_and(|until| Instant::now() >= until) {
            return false;
        }
        self.game.set_deadline(self.scratch, Some(&self.end));
        legal_of_all(self.game, self.scratch, state, legal);
        !self.game.is_cut_short(self.scratch)
    }
}

/// Reports the progress of a search at regular intervals.
pub(super) struct Reporter<'r, 's, G: Engine> {
    pub(super) engine: (&'r G, &'s mut G::Scratch),
    pub(super) role: Role,
    /// What is counted.
    pub(super) counts: &'static str,
    pub(super) report: &'r dyn Fn(&SearchProgress),
    /// The legal moves at the root, by role.
    pub(super) root: &'r [Vec<G::Move>],
    /// How many of the best moves are told of.
    pub(super) lines: usize,
    pub(super) begin: Instant,
    pub(super) last_report: Duration,
}

impl<G: Engine> Reporter<'_, '_, G> {
    /// Whether the next report is due.
    pub(super) fn is_due(&self) -> bool {
        const EVERY: Duration = Duration::from_millis(500);
        self.begin.elapsed() >= self.last_report + EVERY
    }

    /// What is to be reported; it is formatted when the tree is not locked any more.
    pub(super) fn snapshot<S: Clone>(&self, state_tree: &StateTree<S>) -> SearchSnapshot<S> {
        let result = state_tree.tree.root_result(self.role.0, None);
        let moves = result.moves.iter().take(self.lines.max(1));
        let lines = moves.map(|&(mv, points)| {
            let line = with_states(state_tree, state_tree.tree.line(self.role.0, mv, MAX_LINE));
            (Value::of_points(points), line)
        });
        SearchSnapshot {
            lines: lines.collect(),
            is_proved: result.is_proved,
        }
    }

    /// Sends a report after `done` leaves or playouts, of which the longest path has `depth` nodes.
    pub(super) fn send(
        &mut self,
        snapshot: &SearchSnapshot<G::State>,
        (done, depth): (u64, u32),
        end: &Deadline,
    ) {
        let (game, scratch) = &mut self.engine;
        let mut formatter = TreeLineFormatter {
            game: *game,
            scratch,
            root: self.root,
            end: end.clone(),
        };
        // What is proved is the value of the best move.
        let lines = snapshot.lines.iter().map(|(value, line)| OtherLine {
            value: *value,
            exact: false,
            line: formatter.texts(line),
        });
        let mut lines: Vec<OtherLine> = lines.collect();
        let best = lines.remove(0);
        self.last_report = self.begin.elapsed();
        (self.report)(&SearchProgress {
            depth,
            value: best.value,
            exact: snapshot.is_proved,
            line: best.line,
            others: lines,
            nodes: done,
            effort: SearchEffort::default(),
            counts: self.counts,
            time: self.last_report,
        });
    }
}

/// What a search has found so far.
pub(super) struct SearchSnapshot<S> {
    /// The best moves, at least one, each with the line that it begins.
    lines: Vec<(Value, StateLine<S>)>,
    is_proved: bool,
}
