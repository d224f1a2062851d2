//! One thread's part of a search: principal variation search over the states above the root.
//!
//! The value of a state at a depth is a function of the two alone: what the table, the order of moves, null windows and
//! other threads change is how much work it takes, never the value. So entries of the table count only where they were
//! made at the same depth, or where no line was cut off at all; only a search against the clock takes deeper ones, too.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::Value;
use super::ladder::{Ladder, Pick, Seen, Side, Turn};
use super::order::Order;
use super::shared::Shared;
use super::table::{Bound, Entry};

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
    /// Whether the search must end, so that values mean nothing any more.
    pub(super) is_over: bool,
    clock: Clock,
}

/// When to look at the clock next.
struct Clock {
    at: Instant,
    nodes: u64,
    interval: u64,
}

/// A choice that waits to be looked at.
#[derive(Debug, Clone, Copy)]
struct Queued {
    merit: i64,
    choice: u32,
}

/// Values a search is asked to tell apart: below the first and above the second, a bound will do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window {
    pub(super) low: Value,
    pub(super) high: Value,
}

/// What is known of a state.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) value: Value,
    /// Whether no line it rests on was cut off.
    pub(super) complete: bool,
}

/// A state on the way up.
#[derive(Debug, Clone, Copy)]
struct Node {
    rung: usize,
    index: usize,
    /// Steps still to be searched.
    depth: u32,
    seen: Seen,
}

/// The children of several states on a rung, made in one call.
#[derive(Debug, Default)]
struct Families {
    parents: Vec<(u32, Side)>,
    /// Per state on the rung, where its children begin.
    starts: Vec<Option<u32>>,
    len: u32,
}

/// Steps beyond the depth limit where nobody has a choice.
pub(super) const FORCED_STEPS: u32 = 12;
/// From this depth on threads leave each other's states alone for a while.
const SHARING_DEPTH: u32 = 3;

impl Families {
    /// So many children are made in one call, or a few more.
    const ENOUGH: u32 = 64;

    fn add(&mut self, index: usize, side: Side, children: u32) {
        if self.starts.len() <= index {
            self.starts.resize(index + 1, None);
        }
        self.parents.push((index as u32, side));
        self.starts[index] = Some(self.len);
        self.len += children;
    }

    /// Where the children of a state begin on the next rung, if they are there.
    fn start(&self, index: usize) -> Option<usize> {
        let start = self.starts.get(index).copied().flatten();
        start.map(|start| start as usize)
    }

    fn clear(&mut self) {
        self.parents.clear();
        self.starts.clear();
        self.len = 0;
    }
}

impl Window {
    pub(super) const ALL: Self = Self {
        low: Value::LOWEST,
        high: Value::HIGHEST,
    };

    /// Whether it tells no two values apart.
    fn is_null(self) -> bool {
        self.low >= self.high.just_below()
    }

    /// Whether a value ends the search of a state in which `side` has the choice.
    fn is_beaten(self, side: Side, value: Value) -> bool {
        match side {
            Side::Own => value >= self.high,
            Side::Others => value <= self.low,
        }
    }

    /// What remains to be told apart once `side` is sure of `value`.
    fn narrowed(self, side: Side, value: Value) -> Self {
        match side {
            Side::Own => Self {
                low: self.low.max(value),
                ..self
            },
            Side::Others => Self {
                high: self.high.min(value),
                ..self
            },
        }
    }

    /// The window that asks only whether `side` gets more than it is sure of.
    fn null(self, side: Side) -> Self {
        match side {
            Side::Own => Self {
                high: self.low.just_above(),
                ..self
            },
            Side::Others => Self {
                low: self.high.just_below(),
                ..self
            },
        }
    }

    fn holds(self, value: Value) -> bool {
        self.low < value && value < self.high
    }
}

impl Side {
    /// What is worse for the side than any value.
    fn worst(self) -> Value {
        match self {
            Self::Own => Value::LOWEST,
            Self::Others => Value::HIGHEST,
        }
    }

    fn prefers(self, one: Value, other: Value) -> bool {
        match self {
            Self::Own => one > other,
            Self::Others => one < other,
        }
    }
}

impl Found {
    pub(super) const NOTHING: Self = Self {
        value: Value::UNKNOWN,
        complete: false,
    };

    fn cut(value: Value) -> Self {
        Self {
            value,
            complete: false,
        }
    }
}

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
            is_over: false,
            clock: Clock {
                at: Instant::now(),
                nodes: 1,
                interval: 1,
            },
        }
    }

    /// The value of what `own`, a choice of the searcher at the root, leads to: the least the others can make of it.
    pub(super) fn value_of_own(&mut self, own: u32, depth: u32, window: Window) -> Found {
        let root = self.node(0, 0, depth);
        self.ladder.enter(0, 0);
        self.least(root, own, window)
    }

    fn node(&self, rung: usize, index: usize, depth: u32) -> Node {
        Node {
            rung,
            index,
            depth,
            seen: self.ladder.seen(rung, index),
        }
    }

    /// The value of a state on a rung.
    fn value(&mut self, node: Node, window: Window) -> Found {
        let Node {
            rung,
            index,
            depth,
            seen,
        } = node;
        self.nodes += 1;
        self.clear_line(rung);
        if let Some(found) = self.known_at_sight(node) {
            return found;
        }
        if depth == 0 {
            return self.beyond(rung, index, FORCED_STEPS);
        }
        if self.must_end() {
            return Found::NOTHING;
        }
        let entry = self.recall(seen.key, rung);
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
            self.remember(node, found, best, window);
        }
        found
    }

    /// Of a state that needs no search.
    fn known_at_sight(&self, node: Node) -> Option<Found> {
        let Node { rung, seen, .. } = node;
        if seen.is_over {
            return Some(Found {
                value: Value::end(seen.goal, rung as u32),
                complete: true,
            });
        }
        // It has stood on the table before: going round in circles wins nothing.
        let stood = rung > 0 && self.shared.past.contains(&seen.key);
        stood.then(|| Found::cut(Value::UNKNOWN))
    }

    /// The value of a state at the depth limit: its expectation, once somebody has a choice again.
    fn beyond(&mut self, rung: usize, index: usize, steps: u32) -> Found {
        let seen = self.ladder.seen(rung, index);
        if seen.is_over {
            return Found {
                value: Value::end(seen.goal, rung as u32),
                complete: true,
            };
        }
        if steps == 0 || !seen.choices.is_forced() {
            return Found::cut(Value::estimate(seen.expectation));
        }
        self.nodes += 1;
        self.ladder.enter(rung, index);
        self.ladder.expand(rung, &[Pick::of(Side::Own, 0)]);
        self.forget(rung);
        self.beyond(rung + 1, 0, steps - 1)
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
        while at < queue.len() && !contest.is_decided() && !self.is_over {
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
        for own in 0..node.seen.choices.own {
            if contest.is_decided() || self.is_over {
                break;
            }
            let found = self.least(node, own, contest.window);
            contest.add(own, found);
        }
        contest.found()
    }

    /// The least that the others leave of the searcher's choice.
    fn least(&mut self, node: Node, own: u32, window: Window) -> Found {
        let choices = node.seen.choices;
        let mut contest = Contest::new(Side::Others, window);
        for reply in 0..choices.replies {
            if contest.is_decided() || self.is_over {
                break;
            }
            let picks = (0..choices.chances).map(|chance| Pick { own, reply, chance });
            let picks: Vec<Pick> = picks.collect();
            self.ladder.expand(node.rung, &picks);
            self.forget(node.rung);
            let found = match picks.len() {
                1 => self.value(self.node(node.rung + 1, 0, node.depth - 1), contest.window),
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
            let found = self.value(self.node(node.rung + 1, index, node.depth - 1), Window::ALL);
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

    /// The choices of `side`, most promising first; the states they lead to are on the next rung, unless they are to be
    /// looked at one by one.
    fn queue(&mut self, node: Node, side: Side, hint: Option<u16>) -> Vec<Queued> {
        let Node { rung, depth, .. } = node;
        if self.queues.len() <= rung {
            self.queues.resize_with(rung + 1, Vec::new);
        }
        let mut queue = std::mem::take(&mut self.queues[rung]);
        queue.clear();
        let count = node.seen.choices.of(side);
        let start = self.family_start(node);
        if start.is_none() && self.looks_at_all(depth) {
            self.expand_all(rung, node.index, side, count);
        } else if start.is_none() || depth > 1 {
            self.ladder.enter(rung, node.index);
        }
        let features = self.shared.features;
        queue.extend((0..count).map(|choice| Queued { merit: 0, choice }));
        if features.ordering && (depth > 1 || !self.ladder.is_eager()) {
            self.rate(node, side, &mut queue);
        }
        if let Some(hint) = hint.map(u32::from).filter(|hint| *hint < count) {
            queue[hint as usize].merit = i64::MAX;
        }
        queue.sort_by_key(|queued| std::cmp::Reverse(queued.merit));
        queue
    }

    /// Rates choices by what was good elsewhere and, where the next states are known, by how they look.
    fn rate(&mut self, node: Node, side: Side, queue: &mut [Queued]) {
        let Node { rung, depth, .. } = node;
        let looks = self.looks_at_all(depth);
        let keys = self.ladder.keys(rung, side);
        for (queued, key) in queue.iter_mut().zip(keys) {
            queued.merit = i64::from(self.order.merit(rung, side, *key));
        }
        if looks {
            let start = self.family_start(node).unwrap_or(0);
            for queued in queue {
                let seen = self.ladder.seen(rung + 1, start + queued.choice as usize);
                queued.merit += 2 * i64::from(look(side, seen));
            }
        }
    }

    /// Whether all states that come of one at this depth are looked at together.
    fn looks_at_all(&self, depth: u32) -> bool {
        depth > 1 || self.ladder.is_eager()
    }

    fn expand_all(&mut self, rung: usize, index: usize, side: Side, count: u32) {
        let picks: Vec<Pick> = (0..count).map(|choice| Pick::of(side, choice)).collect();
        self.ladder.enter(rung, index);
        self.ladder.expand(rung, &picks);
        self.forget(rung);
    }

    /// Makes the children of what these choices of a node lead to, unless they are there: those of several states in one
    /// call, as long as they are not too many.
    fn prepare(&mut self, node: Node, queue: &[Queued]) {
        let rung = node.rung + 1;
        let start = self.family_start(node).unwrap_or(0);
        let states = queue.iter().map(|queued| start + queued.choice as usize);
        let first = start + queue[0].choice as usize;
        if self.family(rung, first).is_none() || self.families[rung].start(first).is_some() {
            return;
        }
        let mut families = std::mem::take(&mut self.families[rung]);
        families.clear();
        for index in states {
            if let Some((side, children)) = self.family(rung, index) {
                families.add(index, side, children);
            }
            if families.len >= Families::ENOUGH {
                break;
            }
        }
        self.ladder.expand_families(rung, &families.parents);
        self.forget(rung);
        self.families[rung] = families;
    }

    /// Where the children of a node begin on the next rung, if they were made together with others.
    fn family_start(&self, node: Node) -> Option<usize> {
        self.families.get(node.rung)?.start(node.index)
    }

    /// The states on the rung above this one are others now.
    fn forget(&mut self, rung: usize) {
        let from = rung.min(self.families.len());
        self.families[from..]
            .iter_mut()
            .take(2)
            .for_each(Families::clear);
    }

    /// Whose children could be made together with others, and how many they are.
    fn family(&self, rung: usize, index: usize) -> Option<(Side, u32)> {
        let seen = self.ladder.seen(rung, index);
        match seen.choices.turn() {
            Turn::Of(side) if !seen.is_over => Some((side, seen.choices.of(side))),
            _ => None,
        }
    }

    /// What comes of a choice.
    fn child(&mut self, node: Node, side: Side, choice: u32) -> Node {
        let index = if self.looks_at_all(node.depth) {
            self.family_start(node).unwrap_or(0) + choice as usize
        } else {
            self.ladder.expand(node.rung, &[Pick::of(side, choice)]);
            0
        };
        self.node(node.rung + 1, index, node.depth - 1)
    }

    /// The value of a child, as far as the contest needs it.
    fn contend(&mut self, child: Node, contest: &Contest) -> Found {
        let window = contest.window;
        let narrow = window.null(contest.side);
        let is_scout = contest.best.is_some()
            && child.depth > 0
            && self.shared.features.null_windows
            && !window.is_null();
        let shares = child.depth >= SHARING_DEPTH && self.shared.threads > 1;
        if shares {
            self.shared.take(child.seen.key);
        }
        let mut found = self.value(child, if is_scout { narrow } else { window });
        if is_scout && window.holds(found.value) && !self.is_over {
            found = self.value(child, window);
        }
        if shares {
            self.shared.release(child.seen.key);
        }
        found
    }

    /// Whether another thread is busy with a state that takes long.
    fn is_taken(&self, child: Node) -> bool {
        let shares = child.depth >= SHARING_DEPTH && self.shared.threads > 1;
        shares && self.shared.is_taken(child.seen.key)
    }

    /// Learns from the choice that ended a contest, the last of those `looked` at.
    fn learn(&mut self, node: Node, side: Side, looked: &[Queued]) {
        if !self.shared.features.ordering {
            return;
        }
        let keys = self.ladder.keys(node.rung, side);
        let key = |queued: &Queued| keys[queued.choice as usize];
        if let Some((good, failed)) = looked.split_last() {
            let failed: smallvec::SmallVec<[u32; 32]> = failed.iter().map(key).collect();
            let good = key(good);
            self.order.learn(node.rung, side, node.depth, good, &failed);
        }
    }

    fn recall(&self, key: u64, rung: usize) -> Option<Entry> {
        let entry = self.shared.table.get(key)?;
        let value = entry.value.from_root(rung as u32);
        Some(Entry { value, ..entry })
    }

    /// What an entry says about a state to be searched to `depth`, if that is enough.
    fn answer(&self, entry: Entry, depth: u32, window: Window) -> Option<Found> {
        let as_deep = entry.depth == depth
            || entry.depth < depth && entry.complete
            || entry.depth > depth && self.shared.takes_deeper;
        let tells = match entry.bound {
            Bound::Exact => true,
            Bound::Lower => entry.value >= window.high,
            Bound::Upper => entry.value <= window.low,
        };
        (as_deep && tells).then_some(Found {
            value: entry.value,
            complete: entry.complete,
        })
    }

    fn remember(&self, node: Node, found: Found, best: Option<u32>, window: Window) {
        let Found { value, complete } = found;
        let bound = match () {
            () if value <= window.low => Bound::Upper,
            () if value >= window.high => Bound::Lower,
            () => Bound::Exact,
        };
        let entry = Entry {
            value: value.from_state(node.rung as u32),
            bound,
            depth: node.depth,
            complete,
            best: best.and_then(|best| u16::try_from(best).ok()),
        };
        self.shared.table.put(node.seen.key, entry);
    }

    fn clear_line(&mut self, rung: usize) {
        if self.lines.len() <= rung + 1 {
            self.lines.resize_with(rung + 2, Vec::new);
        }
        if self.families.len() <= rung + 2 {
            self.families.resize_with(rung + 3, Families::default);
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

    /// Whether to give up. The clock is read about once in a millisecond, since reading it costs more than a small node.
    pub(super) fn must_end(&mut self) -> bool {
        if self.nodes >= self.clock.nodes {
            self.look_at_the_clock();
        }
        self.is_over |= self.shared.is_over.load(Relaxed);
        self.is_over
    }

    fn look_at_the_clock(&mut self) {
        const OFTEN: Duration = Duration::from_micros(300);
        const SELDOM: Duration = Duration::from_millis(1);
        if self.shared.deadline.is_over() {
            self.shared.is_over.store(true, Relaxed);
        }
        let clock = &mut self.clock;
        let now = Instant::now();
        let since = now.duration_since(clock.at);
        if since < OFTEN {
            clock.interval = (clock.interval * 2).min(1 << 16);
        } else if since > SELDOM {
            clock.interval = (clock.interval / 4).max(1);
        }
        clock.at = now;
        clock.nodes = self.nodes + clock.interval;
    }
}

/// How a state looks to `side` at first sight.
pub(super) fn look(side: Side, seen: Seen) -> i32 {
    let expectation = match seen.is_over {
        true => (i32::from(seen.goal) - 50) * 1000 * 100,
        false => seen.expectation - 50_000,
    };
    match side {
        Side::Own => expectation,
        Side::Others => -expectation,
    }
}

/// One side's choice: the best so far, and what it takes to be better.
struct Contest {
    side: Side,
    window: Window,
    /// What was asked for at first.
    asked: Window,
    value: Value,
    best: Option<u32>,
    /// Whether all that was looked at is complete; of a contest decided early, only what decided it counts.
    complete: bool,
}

impl Contest {
    fn new(side: Side, window: Window) -> Self {
        Self {
            side,
            window,
            asked: window,
            value: side.worst(),
            best: None,
            complete: true,
        }
    }

    /// Adds what was found of a choice; says whether it is the best so far.
    fn add(&mut self, choice: u32, found: Found) -> bool {
        self.complete &= found.complete;
        let is_best = self.best.is_none() || self.side.prefers(found.value, self.value);
        if is_best {
            self.best = Some(choice);
            self.value = found.value;
            self.window = self.window.narrowed(self.side, found.value);
            if self.is_decided() {
                self.complete = found.complete;
            }
        }
        is_best
    }

    /// Whether the others will not let it come to this.
    fn is_decided(&self) -> bool {
        self.best.is_some() && self.asked.is_beaten(self.side, self.value)
    }

    fn found(&self) -> Found {
        Found {
            value: self.value,
            complete: self.complete,
        }
    }
}
