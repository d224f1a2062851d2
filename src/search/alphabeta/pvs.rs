//! Principal variation search, as one thread runs it.
//!
//! Within one search, the value of a state at a depth depends on these two alone. The table, the move ordering, null
//! windows and other threads change only the amount of work. Table entries therefore count only at equal depth, or
//! where no line was cut off; a search against the clock also accepts deeper entries.

use super::call_width::CallWidth;
use super::extension::FORCED_STEPS;
use super::first_child::FirstChildren;
use super::history::MoveHistory;
use super::ordering::MoveQueue;
use super::poll::PollInterval;
use super::shared::SharedSearch;
use super::siblings::SiblingBatch;
use super::stack::{Pick, SearchStack, Side, StateInfo, ToMove};
use super::tracker::{BestMoveTracker, NodeValue, Window};
use crate::search::Value;
use crate::search::limits::SearchEffort;

/// One thread of a search.
pub(in crate::search) struct Worker<'a> {
    pub(in crate::search) stack: &'a mut (dyn SearchStack + Send),
    pub(in crate::search) shared: &'a SharedSearch<'a>,
    pub(in crate::search) history: MoveHistory,
    /// States searched so far.
    pub(in crate::search) nodes: u64,
    /// What these states were.
    pub(in crate::search) effort: SearchEffort,
    /// Per ply, the best line from there on; kept for open windows only.
    pub(in crate::search) lines: Vec<Vec<Pick>>,
    /// Per ply, the choices in search order.
    pub(super) queues: Vec<MoveQueue>,
    /// Working memory of [`Worker::known_cutoff`]: choices, and the keys of their children.
    pub(super) table_children: Vec<(u32, u64)>,
    /// Per ply, which of its states have all children, or one, on the next one.
    pub(super) sibling_batches: Vec<SiblingBatch>,
    pub(super) call_width: CallWidth,
    pub(super) first_children: FirstChildren,
    /// Whether the engine is so slow that children are better expanded one by one, with the clock read between them.
    pub(in crate::search) is_slow: bool,
    /// Whether the search must end; from then on values are meaningless.
    pub(in crate::search) is_over: bool,
    pub(super) poll: PollInterval,
}

/// A state on the search stack.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchNode {
    pub(super) ply: usize,
    pub(super) index: usize,
    /// Remaining depth, in steps.
    pub(super) depth: u32,
    pub(super) info: StateInfo,
    /// Whether its first choice is expected to bring a cutoff, so that no other is needed (Knuth and Moore 1975). It changes the
    /// amount of work, and no value.
    pub(super) is_cut_node: bool,
}

/// From this remaining depth on, threads avoid states that another thread is searching.
const SHARING_DEPTH: u32 = 3;

impl<'a> Worker<'a> {
    pub(in crate::search) fn new(
        stack: &'a mut (dyn SearchStack + Send),
        shared: &'a SharedSearch<'a>,
        call_width: CallWidth,
    ) -> Self {
        Self {
            stack,
            shared,
            history: MoveHistory::new(),
            nodes: 0,
            effort: SearchEffort::default(),
            lines: Vec::new(),
            queues: Vec::new(),
            table_children: Vec::new(),
            sibling_batches: Vec::new(),
            call_width,
            first_children: FirstChildren::default(),
            is_slow: false,
            is_over: false,
            poll: PollInterval::start(),
        }
    }

    /// The value of the searcher's choice `own` at the root: the minimum over the replies.
    pub(in crate::search) fn value_of_own(
        &mut self,
        own: u32,
        depth: u32,
        window: Window,
    ) -> NodeValue {
        let root = SearchNode {
            ply: 0,
            index: 0,
            depth,
            info: self.stack.info(0, 0),
            is_cut_node: false,
        };
        self.stack.enter(0, 0);
        self.min_over_replies(root, own, window)
    }

    /// A child of this node, by its index on the next ply.
    pub(super) fn next(&mut self, node: SearchNode, index: usize) -> SearchNode {
        SearchNode {
            ply: node.ply + 1,
            index,
            depth: node.depth.saturating_sub(1),
            info: self.stack.info(node.ply + 1, index),
            is_cut_node: false,
        }
    }

    /// The value of a state.
    pub(super) fn value(&mut self, node: SearchNode, window: Window) -> NodeValue {
        let SearchNode {
            ply,
            index,
            depth,
            info,
            ..
        } = node;
        self.nodes += 1;
        self.clear_line(ply);
        if let Some(found) = self.value_without_search(node) {
            self.effort.leaves += 1;
            return found;
        }
        if depth == 0 {
            self.effort.leaves += 1;
            return self.extend(node, window, FORCED_STEPS);
        }
        if self.must_end() {
            return NodeValue::UNKNOWN;
        }
        let key = self.table_key(ply, index);
        let entry = self.probe_table(key, ply);
        if let Some(found) = entry.and_then(|entry| self.table_cutoff(entry, depth, window)) {
            return found;
        }
        if let Some(found) = self.beyond_reach(node, window) {
            return found;
        }
        if let Some(found) = self.beyond_window(node, window) {
            return found;
        }
        let hint = entry.and_then(|entry| entry.best);
        let (found, best) = match info.choices.turn() {
            ToMove::Stuck => return self.estimated(info),
            ToMove::Mixed => {
                self.stack.enter(ply, index);
                (self.mixed(node, window), None)
            }
            ToMove::Of(side) => self.one_side(node, side, hint, window),
        };
        if !self.is_over {
            self.store_result((node, key), found, best, window);
        }
        found
    }

    /// A state in which one side alone has a choice; also returns the best choice.
    fn one_side(
        &mut self,
        node: SearchNode,
        side: Side,
        hint: Option<u16>,
        window: Window,
    ) -> (NodeValue, Option<u32>) {
        let SearchNode { ply, depth, .. } = node;
        let mut tracker = BestMoveTracker::new(side, window);
        let tried = self.search_first_alone(node, hint, &mut tracker);
        if !tracker.is_cutoff() && !self.is_over {
            let tried_first = tried.and_then(|choice| u16::try_from(choice).ok());
            self.queue(node, side, tried_first.or(hint));
            if let Some((choice, found)) = self.known_cutoff(node, side, window) {
                return (found, Some(choice));
            }
            self.search_choices(node, tried, &mut tracker);
        }
        if tracker.is_cutoff() {
            self.effort.cutoffs += 1;
            self.effort.first_cutoffs += u64::from(self.queues[ply].is_at_first());
        }
        if tracker.is_cutoff() && self.knows_moves(depth) && !self.is_over {
            self.learn(node, side);
        }
        (tracker.found(), tracker.best)
    }

    /// Searches the choices in the queue of a node, but for one that was searched before, until there is a cutoff.
    fn search_choices(
        &mut self,
        node: SearchNode,
        tried: Option<u32>,
        tracker: &mut BestMoveTracker,
    ) {
        let (ply, side) = (node.ply, tracker.side);
        let mut waiting = 0;
        while !tracker.is_cutoff() && !self.must_end() {
            self.order_rest(node, side);
            let queue = &mut self.queues[ply];
            let Some(choice) = queue.next() else {
                break;
            };
            if tried == Some(choice) {
                continue;
            }
            let (is_first, is_late) = (queue.is_at_first(), queue.is_among_last(waiting));
            let child = self.child(node, side, choice);
            if !is_first && !is_late && self.is_claimed(child) {
                self.queues[ply].put_off();
                waiting += 1;
                continue;
            }
            let found = self.search_child(child, node, tracker);
            if tracker.add(choice, found) && !tracker.asked.is_null() {
                self.note(ply, Pick::of(side, choice));
            }
        }
    }

    /// A state with simultaneous moves or chance: the searcher chooses first, the others know its choice (the
    /// *paranoid* bound), then chance decides.
    fn mixed(&mut self, node: SearchNode, window: Window) -> NodeValue {
        let mut tracker = BestMoveTracker::new(Side::Own, window);
        let mut line = Vec::new();
        for own in 0..node.info.choices.own {
            if tracker.is_cutoff() || self.must_end() {
                break;
            }
            let found = self.min_over_replies(node, own, tracker.window);
            if tracker.add(own, found) {
                line.clone_from(&self.lines[node.ply]);
            }
        }
        self.lines[node.ply] = line;
        tracker.found()
    }

    /// The minimum over the replies to the searcher's choice.
    fn min_over_replies(&mut self, node: SearchNode, own: u32, window: Window) -> NodeValue {
        let choices = node.info.choices;
        self.forget_siblings(node.ply);
        let mut tracker = BestMoveTracker::new(Side::Others, window);
        for reply in 0..choices.replies {
            if tracker.is_cutoff() || self.must_end() {
                break;
            }
            let picks = (0..choices.chances).map(|chance| Pick { own, reply, chance });
            let picks: Vec<Pick> = picks.collect();
            self.expand(node.ply, &picks);
            let found = match picks.len() {
                1 => {
                    let child = SearchNode {
                        // A choice that is only compared is expected to be refuted.
                        is_cut_node: tracker.window.is_null() && choices.replies == 1,
                        ..self.next(node, 0)
                    };
                    self.value(child, tracker.window)
                }
                _ => self.mean(node, picks.len()),
            };
            if tracker.add(reply, found) && !window.is_null() {
                self.note(node.ply, picks[0]);
            }
        }
        tracker.found()
    }

    /// The mean over all states of the next ply.
    fn mean(&mut self, node: SearchNode, outcomes: usize) -> NodeValue {
        let mut values = Vec::with_capacity(outcomes);
        let mut complete = true;
        for index in 0..outcomes {
            let window = Window::all(self.shared.features.pruning);
            let child = self.next(node, index);
            let found = self.value(child, window);
            values.push(found.value);
            complete &= found.complete;
        }
        // The outcome of chance is unknown, so the line ends here.
        self.clear_line(node.ply + 1);
        NodeValue {
            value: Value::mean(&values),
            complete,
        }
    }

    /// The state that a choice leads to.
    fn child(&mut self, node: SearchNode, side: Side, choice: u32) -> SearchNode {
        let index = if self.expands_all(node.depth) {
            self.child_index(node, choice)
        } else {
            self.expand(node.ply, &[Pick::of(side, choice)]);
            0
        };
        self.next(node, index)
    }

    /// The value of a child, first with a null window where a best move is known.
    pub(super) fn search_child(
        &mut self,
        child: SearchNode,
        parent: SearchNode,
        tracker: &BestMoveTracker,
    ) -> NodeValue {
        let window = tracker.window;
        let narrow = window.null(tracker.side);
        let is_scout = tracker.best.is_some()
            && child.depth > 0
            && self.shared.features.null_windows
            && !window.is_null();
        let shared = self.sharing_key(child);
        if let Some(key) = shared {
            self.shared.claim(key);
        }
        let is_expected_cutoff = parent.is_cut_node && self.queues[parent.ply].is_at_first();
        let first = SearchNode {
            is_cut_node: (is_scout || window.is_null()) && !is_expected_cutoff,
            ..child
        };
        let mut found = self.value(first, if is_scout { narrow } else { window });
        if is_scout && window.holds(found.value) && !self.is_over {
            found = self.value(child, window);
        }
        if let Some(key) = shared {
            self.shared.release(key);
        }
        found
    }

    /// Whether another thread is searching this state.
    fn is_claimed(&self, child: SearchNode) -> bool {
        let key = self.sharing_key(child);
        key.is_some_and(|key| self.shared.is_claimed(key))
    }

    /// The key by which threads claim a state; none for states that are searched quickly.
    fn sharing_key(&self, node: SearchNode) -> Option<u64> {
        let shares = node.depth >= SHARING_DEPTH && self.shared.threads > 1;
        shares.then(|| self.stack.key(node.ply, node.index))
    }

    pub(super) fn clear_line(&mut self, ply: usize) {
        if self.lines.len() <= ply + 1 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        self.lines[ply].clear();
    }

    /// Makes `pick`, followed by the best line of the next ply, the best line from `ply` on.
    pub(super) fn note(&mut self, ply: usize, pick: Pick) {
        if self.lines.len() <= ply + 1 {
            self.lines.resize_with(ply + 2, Vec::new);
        }
        let (below, above) = self.lines.split_at_mut(ply + 1);
        let line = &mut below[ply];
        line.clear();
        line.push(pick);
        line.extend_from_slice(&above[0]);
    }
}
