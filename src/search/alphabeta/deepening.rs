//! Iterative deepening: all threads search the root to the same depth, until one of them has finished.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::call_width::CallWidth;
use super::move_selection::MoveSelection;
use super::pvs::Worker;
use super::root::{Iteration, Root, RootMove};
use super::shared::SharedSearch;
use super::stack::{Pick, SearchStack, Side};
use super::tracker::NodeValue;
use crate::search::limits::{OtherLine, SearchEffort, SearchProgress};
use crate::search::{MAX_DEPTH, SearchLimits};

/// An iterative deepening search.
pub(in crate::search) struct Deepening<'a> {
    pub(in crate::search) root: Root,
    pub(in crate::search) workers: Vec<Worker<'a>>,
    pub(in crate::search) shared: &'a SharedSearch<'a>,
}

/// The result of an iterative deepening search.
pub(in crate::search) struct DeepeningResult {
    /// Best first.
    pub(in crate::search) root_moves: Vec<RootMove>,
    pub(in crate::search) exact: bool,
    /// Whether no line was cut off by the depth limit.
    pub(in crate::search) is_complete: bool,
    /// Whether a deeper search would give the same result for all moves that are wanted.
    settled: bool,
    /// How many of the first moves are known to be worth so much at the last depth that they may be played.
    playable: usize,
    pub(in crate::search) depth: u32,
    pub(in crate::search) nodes: u64,
    /// What the first thread found about the width of calls.
    pub(in crate::search) call_width: CallWidth,
}

impl DeepeningResult {
    /// Whether looking deeper cannot change the goal of a move's value.
    pub(in crate::search) fn is_sure(&self, root_move: &RootMove) -> bool {
        root_move.is_exact && (self.is_complete || root_move.found.value.is_decided())
    }
}

/// So much deeper is each iteration where only proofs count: what lies between tells nothing.
const PROOF_STEPS: u32 = 4;

impl Deepening<'_> {
    pub(in crate::search) fn run(mut self, limits: &SearchLimits<'_>) -> DeepeningResult {
        let mut found = self.before();
        let order = self.root.order.clone();
        let last = limits.depth.clamp(1, MAX_DEPTH);
        let step = if self.shared.only_proofs {
            PROOF_STEPS
        } else {
            1
        };
        let depths = (1..=last).filter(|depth| depth % step == 0 || [1, last].contains(depth));
        for depth in depths {
            let iteration = self.iteration(depth);
            let is_whole = iteration.is_whole;
            self.adopt(&mut found, iteration, depth);
            if !is_whole || self.shared.clock.is_over() {
                break;
            }
            self.report(limits, &mut found);
            if found.settled {
                break;
            }
            // What a search of so many nodes finds must not depend on how long they take.
            if limits.nodes.is_none() {
                self.detect_slow_engine();
            }
        }
        let playable = &mut found.root_moves[..found.playable];
        self.root.selection.settle(playable, &order, limits.seed);
        if !self.shared.clock.is_over() {
            self.lengthen(&mut found);
        }
        found.nodes = self.nodes();
        found.call_width = self.workers[0].call_width.clone().for_next_search();
        found
    }

    /// The result before anything was searched.
    fn before(&self) -> DeepeningResult {
        let root_moves = self.root.order.iter().map(|&choice| RootMove {
            choice,
            found: NodeValue::UNKNOWN,
            is_exact: false,
            line: vec![Pick::of(Side::Own, choice)],
        });
        DeepeningResult {
            root_moves: root_moves.collect(),
            exact: false,
            is_complete: false,
            settled: false,
            playable: 0,
            depth: 0,
            nodes: 0,
            call_width: CallWidth::default(),
        }
    }

    /// Takes over the result of an iteration if it adds to what is known. A finished iteration always does; an
    /// interrupted one does once it has searched the move that was best before. Where several lines are wanted, or moves are drawn by value, all
    /// values must be of one depth.
    fn adopt(&mut self, found: &mut DeepeningResult, iteration: Iteration, depth: u32) {
        let is_best_enough = self.root.lines <= 1 && !self.root.selection.draws_by_value();
        let may_differ = is_best_enough || found.depth == 0;
        let is_new =
            iteration.is_whole || may_differ && iteration.best().is_some_and(|best| best.is_exact);
        let Some(best) = iteration
            .best
            .filter(|_| is_new && iteration.root_moves[0].is_some())
        else {
            return;
        };
        let (is_whole, is_complete) = (iteration.is_whole, iteration.is_complete());
        let choice = self.root.order[best];
        let mut root_moves: Vec<RootMove> = iteration.root_moves.into_iter().flatten().collect();
        let searched_now: FxHashSet<u32> = root_moves
            .iter()
            .map(|root_move| root_move.choice)
            .collect();
        if !is_whole {
            keep_longer_lines(&mut root_moves, &found.root_moves);
        }
        let others = found
            .root_moves
            .drain(..)
            .filter(|known| !searched_now.contains(&known.choice));
        root_moves.sort_by_key(|root_move| {
            let is_best = root_move.choice == choice;
            std::cmp::Reverse((is_best, root_move.is_exact, root_move.found.value))
        });
        if is_whole {
            let is_decided = |root_move: &RootMove| root_move.found.value.is_decided();
            // An end found beyond the depth limit need not be the nearest one.
            let is_settled = |root_move: &RootMove| {
                let steps = root_move.found.value.steps();
                is_decided(root_move) && steps.is_none_or(|steps| steps <= depth + 1)
            };
            let mut wanted = root_moves.iter().take(self.root.lines.max(1));
            found.depth = depth;
            found.is_complete = is_complete;
            found.exact = is_complete || is_decided(&root_moves[0]);
            found.settled = is_complete || wanted.all(is_settled);
        }
        found.playable = playable(&root_moves, self.root.selection);
        root_moves.extend(others);
        found.root_moves = root_moves;
        self.root.order[..=best].rotate_right(1);
    }

    /// Lets all threads search every move at `depth`. The first one to finish ends the iteration.
    fn iteration(&mut self, depth: u32) -> Iteration {
        self.shared.is_over.store(false, Relaxed);
        let (root, shared) = (&self.root, self.shared);
        let work = |worker: &mut Worker<'_>| {
            worker.is_over = false;
            worker.begin_poll_interval();
            worker.stack.set_deadline(Some(&shared.clock.deadline));
            let iteration = root.iterate(worker, depth);
            worker.stack.set_deadline(None);
            if iteration.is_whole {
                shared.is_over.store(true, Relaxed);
            }
            iteration
        };
        let Some((first, others)) = self.workers.split_first_mut() else {
            return Iteration::default();
        };
        let others = if depth > 2 { others } else { &mut [] };
        let all = std::thread::scope(|scope| {
            let others: Vec<_> = others
                .iter_mut()
                .map(|other| scope.spawn(|| work(other)))
                .collect();
            let mut all = vec![work(first)];
            all.extend(others.into_iter().map(|other| match other.join() {
                Ok(iteration) => iteration,
                Err(panic) => std::panic::resume_unwind(panic),
            }));
            all
        });
        let whole = all.iter().position(|iteration| iteration.is_whole);
        all.into_iter().nth(whole.unwrap_or(0)).unwrap_or_default()
    }

    /// Detects engines that need long for a node.
    fn detect_slow_engine(&mut self) {
        const SLOW: Duration = Duration::from_micros(500);
        let nodes = u32::try_from(self.nodes()).unwrap_or(u32::MAX).max(1);
        if self.shared.clock.begin.elapsed() / nodes > SLOW {
            self.workers
                .iter_mut()
                .for_each(|worker| worker.is_slow = true);
        }
    }

    fn nodes(&self) -> u64 {
        self.workers.iter().map(|worker| worker.nodes).sum()
    }

    fn effort(&self) -> SearchEffort {
        let efforts = self.workers.iter().map(|worker| worker.effort);
        efforts.fold(SearchEffort::default(), SearchEffort::plus)
    }

    fn report(&mut self, limits: &SearchLimits<'_>, found: &mut DeepeningResult) {
        if let Some(report) = limits.report {
            self.lengthen(found);
            let wanted = found.root_moves.iter().take(limits.lines.max(1));
            let others = wanted.skip(1).filter(|root_move| root_move.is_exact);
            let other = |root_move: &RootMove| OtherLine {
                value: root_move.found.value,
                exact: found.is_sure(root_move),
                line: self.words(&root_move.line),
            };
            let others = others.map(other).collect();
            report(&SearchProgress {
                depth: found.depth,
                value: found.root_moves[0].found.value,
                exact: found.exact,
                line: self.words(&found.root_moves[0].line),
                others,
                nodes: self.nodes(),
                effort: self.effort(),
                counts: "nodes",
                time: self.shared.clock.begin.elapsed(),
            });
        }
    }

    fn words(&mut self, line: &[Pick]) -> Vec<String> {
        let mut words = Vec::new();
        let end = &self.shared.clock.deadline;
        self.stack().set_deadline(Some(end));
        for (ply, pick) in line.iter().enumerate() {
            if ply > 0 && !self.steps(ply - 1, line[ply - 1]) {
                break;
            }
            self.stack().enter(ply, 0);
            words.push(self.stack().text(ply, *pick));
        }
        self.stack().set_deadline(None);
        words
    }

    /// The stack of the first thread, on which lines are replayed.
    fn stack(&mut self) -> &mut (dyn SearchStack + Send) {
        self.workers[0].stack
    }

    /// Goes from the first state of a ply to the next ply; false if the time is up.
    fn steps(&mut self, ply: usize, pick: Pick) -> bool {
        self.stack().enter(ply, 0);
        self.stack().expand(ply, &[pick]);
        !self.stack().is_cut_short()
    }

    /// Completes lines that ended early at a table entry, as long as there is time.
    fn lengthen(&mut self, found: &mut DeepeningResult) {
        let depth = found.depth as usize;
        let clock = self.shared.clock;
        let until = clock.line_deadline();
        self.stack().set_deadline(Some(&clock.deadline));
        let exact = found.root_moves.iter_mut().filter(|of| of.is_exact);
        for RootMove { line, found, .. } in exact {
            // An end may have been found beyond the depth limit.
            let end = found.value.steps().map_or(0, |steps| steps as usize);
            let mut steps = 0;
            while steps < depth.max(end) {
                if steps == line.len() {
                    let Some(pick) = self.workers[0].recall(steps) else {
                        break;
                    };
                    line.push(pick);
                }
                if until.is_due() || !self.steps(steps, line[steps]) {
                    break;
                }
                steps += 1;
            }
        }
        self.stack().set_deadline(None);
    }
}

/// How many of the first moves may be played: those with the exact value of the very first, or with little less.
fn playable(root_moves: &[RootMove], selection: MoveSelection) -> usize {
    let least = root_moves
        .first()
        .map(|best| selection.least(best.found.value));
    let is_playable = |of: &&RootMove| of.is_exact && Some(of.found.value) >= least;
    root_moves.iter().take_while(is_playable).count()
}

/// Lines that go on like those known before, and end earlier, take over their rest.
fn keep_longer_lines(root_moves: &mut [RootMove], known: &[RootMove]) {
    for root_move in root_moves {
        let before = known.iter().find(|of| of.choice == root_move.choice);
        if let Some(before) = before.filter(|of| of.line.starts_with(&root_move.line)) {
            root_move.line.clone_from(&before.line);
        }
    }
}
