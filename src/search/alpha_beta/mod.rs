//! One thread's part of a search: principal variation search over the states above the root.
//!
//! Within one search, the value of a state at a depth is a function of the two alone: what the table, the order of moves, null windows and
//! other threads change is how much work it takes, never the value. So entries of the table count only where they were
//! made at the same depth, or where no line was cut off at all; only a search against the clock takes deeper ones, too.

mod beyond;
mod clock;
mod contest;
mod families;
mod known;
mod queue;

use self::beyond::Reserve;
use self::clock::Clock;
use self::contest::Contest;
use self::families::Families;
use self::queue::Queued;
use super::Value;
use super::ladder::{Ladder, Pick, Seen, Side, Turn};
use super::order::Order;
use super::shared::Shared;

pub(super) use self::beyond::NOISE;
#[cfg(test)]
pub(super) use self::beyond::{FORCED_STEPS, NOISY_STEPS};
pub(super) use self::contest::{Found, Window};
pub(super) use self::queue::look;

/// One thread's part of a search.
pub(super) struct Worker<'a> {
    pub(super) ladder: &'a mut (dyn Ladder + Send),
    pub(super) shared: &'a Shared<'a>,
    pub(super) order: Order,
    /// States looked at so far.
    pub(super) nodes: u64,
    /// Per rung, the line that was found best from there, where anybody wants to know.
    pub(super) lines: Vec<Vec<Pick>>,
    /// Per rung, the choices in the order they are looked at.
    queues: Vec<Vec<Queued>>,
    /// Per rung, which of its states have their children on the next one.
    families: Vec<Families>,
    /// Whether states take so long that they are better looked at one by one, with a look at the clock between them.
    pub(super) is_slow: bool,
    /// Whether the search must end, so that values mean nothing any more.
    pub(super) is_over: bool,
    clock: Clock,
}

/// A state on the way up.
#[derive(Debug, Clone, Copy)]
struct Node {
    rung: usize,
    index: usize,
    /// Steps still to be searched.
    depth: u32,
    seen: Seen,
    /// What was to be expected of the state it comes of.
    before: i32,
}

/// From this depth on threads leave each other's states alone for a while.
const SHARING_DEPTH: u32 = 3;

impl<'a> Worker<'a> {
    pub(super) fn new(ladder: &'a mut (dyn Ladder + Send), shared: &'a Shared<'a>) -> Self {
        Self {
            ladder,
            shared,
            order: Order::new(),
            nodes: 0,
            lines: Vec::new(),
            queues: Vec::new(),
            families: Vec::new(),
            is_slow: false,
            is_over: false,
            clock: Clock::start(),
        }
    }

    /// The value of what `own`, a choice of the searcher at the root, leads to: the least the others can make of it.
    pub(super) fn value_of_own(&mut self, own: u32, depth: u32, window: Window) -> Found {
        let seen = self.ladder.seen(0, 0);
        let root = Node {
            rung: 0,
            index: 0,
            depth,
            seen,
            before: seen.expectation,
        };
        self.ladder.enter(0, 0);
        self.least(root, own, window)
    }

    /// A state on the next rung, that comes of this one.
    fn next(&self, node: Node, index: usize) -> Node {
        Node {
            rung: node.rung + 1,
            index,
            depth: node.depth.saturating_sub(1),
            seen: self.ladder.seen(node.rung + 1, index),
            before: node.seen.expectation,
        }
    }

    /// The value of a state on a rung.
    fn value(&mut self, node: Node, window: Window) -> Found {
        let Node {
            rung,
            index,
            depth,
            seen,
            ..
        } = node;
        self.nodes += 1;
        self.clear_line(rung);
        if let Some(found) = self.known_at_sight(node) {
            return found;
        }
        if depth == 0 {
            return self.beyond(node, window, Reserve::FULL);
        }
        if self.must_end() {
            return Found::NOTHING;
        }
        let key = self.ladder.key(rung, index);
        let entry = self.recall(key, rung);
        if let Some(found) = entry.and_then(|entry| self.answer(entry, depth, window)) {
            return found;
        }
        let hint = entry.and_then(|entry| entry.best);
        let (found, best) = match seen.choices.turn() {
            Turn::Stuck => return Found::cut(Value::estimate(seen.expectation)),
            Turn::Mixed => {
                self.ladder.enter(rung, index);
                (self.mixed(node, window), None)
            }
            Turn::Of(side) => self.alone(node, side, hint, window),
        };
        if !self.is_over {
            self.remember((node, key), found, best, window);
        }
        found
    }

    /// A state in which one side alone has a choice; also which one is best.
    fn alone(
        &mut self,
        node: Node,
        side: Side,
        hint: Option<u16>,
        window: Window,
    ) -> (Found, Option<u32>) {
        let depth = node.depth;
        let mut queue = self.queue(node, side, hint);
        let mut contest = Contest::new(side, window);
        let mut waiting = 0;
        let mut at = 0;
        while at < queue.len() && !contest.is_decided() && !self.must_end() {
            let Queued { choice, .. } = queue[at];
            at += 1;
            let is_late = at > queue.len() - waiting;
            let child = self.child(node, side, choice);
            if at > 1 && node.depth > 1 && self.ladder.is_eager() {
                self.prepare(node, &queue[at - 1..]);
            }
            if at > 1 && !is_late && self.is_taken(child) {
                queue.push(queue[at - 1]);
                waiting += 1;
                continue;
            }
            let found = self.contend(child, &contest);
            if contest.add(choice, found) && !window.is_null() {
                self.note(node.rung, Pick::of(side, choice));
            }
        }
        let knows_moves = depth > 1 || !self.ladder.is_eager();
        if contest.is_decided() && knows_moves && !self.is_over {
            self.learn(node, side, &queue[..at]);
        }
        self.queues[node.rung] = queue;
        (contest.found(), contest.best)
    }

    /// A state in which several sides choose at once, or chance does: the searcher chooses first, then the others, who
    /// know its choice (the *paranoid* bound), then chance.
    fn mixed(&mut self, node: Node, window: Window) -> Found {
        let mut contest = Contest::new(Side::Own, window);
        let mut line = Vec::new();
        for own in 0..node.seen.choices.own {
            if contest.is_decided() || self.must_end() {
                break;
            }
            let found = self.least(node, own, contest.window);
            if contest.add(own, found) {
                line.clone_from(&self.lines[node.rung]);
            }
        }
        self.lines[node.rung] = line;
        contest.found()
    }

    /// The least that the others leave of the searcher's choice.
    fn least(&mut self, node: Node, own: u32, window: Window) -> Found {
        let choices = node.seen.choices;
        let mut contest = Contest::new(Side::Others, window);
        for reply in 0..choices.replies {
            if contest.is_decided() || self.must_end() {
                break;
            }
            let picks = (0..choices.chances).map(|chance| Pick { own, reply, chance });
            let picks: Vec<Pick> = picks.collect();
            self.expand(node.rung, &picks);
            let found = match picks.len() {
                1 => self.value(self.next(node, 0), contest.window),
                _ => self.mean(node, picks.len()),
            };
            if contest.add(reply, found) && !window.is_null() {
                self.note(node.rung, picks[0]);
            }
        }
        contest.found()
    }

    /// The mean over all states on the next rung.
    fn mean(&mut self, node: Node, outcomes: usize) -> Found {
        let mut values = Vec::with_capacity(outcomes);
        let mut complete = true;
        for index in 0..outcomes {
            let found = self.value(self.next(node, index), Window::ALL);
            values.push(found.value);
            complete &= found.complete;
        }
        // Nobody knows which of them it will be, so that the line ends here.
        self.clear_line(node.rung + 1);
        Found {
            value: Value::mean(&values),
            complete,
        }
    }

    /// What comes of a choice.
    fn child(&mut self, node: Node, side: Side, choice: u32) -> Node {
        let index = if self.looks_at_all(node.depth) {
            self.family_start(node).unwrap_or(0) + choice as usize
        } else {
            self.expand(node.rung, &[Pick::of(side, choice)]);
            0
        };
        self.next(node, index)
    }

    /// The value of a child, as far as the contest needs it.
    fn contend(&mut self, child: Node, contest: &Contest) -> Found {
        let window = contest.window;
        let narrow = window.null(contest.side);
        let is_scout = contest.best.is_some()
            && child.depth > 0
            && self.shared.features.null_windows
            && !window.is_null();
        let shared = self.sharing_key(child);
        if let Some(key) = shared {
            self.shared.take(key);
        }
        let mut found = self.value(child, if is_scout { narrow } else { window });
        if is_scout && window.holds(found.value) && !self.is_over {
            found = self.value(child, window);
        }
        if let Some(key) = shared {
            self.shared.release(key);
        }
        found
    }

    /// Whether another thread is busy with a state that takes long.
    fn is_taken(&self, child: Node) -> bool {
        let key = self.sharing_key(child);
        key.is_some_and(|key| self.shared.is_taken(key))
    }

    /// The key of a state that takes so long that threads leave it to each other.
    fn sharing_key(&self, node: Node) -> Option<u64> {
        let shares = node.depth >= SHARING_DEPTH && self.shared.threads > 1;
        shares.then(|| self.ladder.key(node.rung, node.index))
    }

    fn clear_line(&mut self, rung: usize) {
        if self.lines.len() <= rung + 1 {
            self.lines.resize_with(rung + 2, Vec::new);
        }
        self.lines[rung].clear();
    }

    /// The best line from `rung` on begins with `pick` now.
    fn note(&mut self, rung: usize, pick: Pick) {
        if self.lines.len() <= rung + 1 {
            self.lines.resize_with(rung + 2, Vec::new);
        }
        let (below, above) = self.lines.split_at_mut(rung + 1);
        let line = &mut below[rung];
        line.clear();
        line.push(pick);
        line.extend_from_slice(&above[0]);
    }
}
