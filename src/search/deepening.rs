//! Iterative deepening: all threads look at the root with the same depth until one of them is through.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use rustc_hash::FxHashSet;

use super::alpha_beta::{Found, Window, Worker};
use super::ladder::{Ladder, Pick, Side, Turn};
use super::limits::Progress;
use super::root::{Iteration, Root, Sentence};
use super::shared::Shared;
use super::{Limits, MAX_DEPTH, Value};

/// A search that looks deeper and deeper.
pub(super) struct Deepening<'a> {
    pub(super) root: Root,
    pub(super) workers: Vec<Worker<'a>>,
    pub(super) shared: &'a Shared<'a>,
}

/// What it found.
pub(super) struct Deepened {
    /// Best first.
    pub(super) judged: Vec<Sentence>,
    pub(super) exact: bool,
    /// Whether the search saw every line to its end.
    pub(super) is_complete: bool,
    /// Whether a deeper look would say the same of all the moves that are wanted.
    settled: bool,
    pub(super) depth: u32,
    pub(super) nodes: u64,
}

/// Before the first depth is completed, and from this value on, the window is open.
const ASPIRATION_DEPTH: u32 = 3;
/// Thousandths of a goal point by which the value is expected to change at most from depth to depth.
const ASPIRATION: i32 = 2500;

impl Deepening<'_> {
    pub(super) fn run(mut self, limits: &Limits<'_>) -> Deepened {
        let mut found = self.before();
        for depth in 1..=limits.depth.clamp(1, MAX_DEPTH) {
            let iteration = self.iteration(depth, found.judged[0].found.value);
            let is_whole = iteration.is_whole;
            self.adopt(&mut found, iteration, depth);
            if !is_whole || found.settled || self.shared.clock.is_over() {
                break;
            }
            self.report(limits, &found);
            self.slow_down();
        }
        if !self.shared.clock.is_over() {
            self.lengthen(&mut found);
        }
        found.nodes = self.nodes();
        found
    }

    /// What is known before anything was looked at.
    fn before(&self) -> Deepened {
        let judged = self.root.order.iter().map(|&choice| Sentence {
            choice,
            found: Found::NOTHING,
            is_exact: false,
            line: vec![Pick::of(Side::Own, choice)],
        });
        Deepened {
            judged: judged.collect(),
            exact: false,
            is_complete: false,
            settled: false,
            depth: 0,
            nodes: 0,
        }
    }

    /// Takes over what an iteration found, if it is more than was known before: a whole one is, and of one that was
    /// broken off what it found of the moves it came to, once it came to the one that was best before. Where several
    /// moves are to be compared, their values are all of one depth.
    fn adopt(&mut self, found: &mut Deepened, iteration: Iteration, depth: u32) {
        let may_differ = self.root.lines <= 1 || found.depth == 0;
        let tells =
            iteration.is_whole || may_differ && iteration.best().is_some_and(|best| best.is_exact);
        let Some(best) = iteration
            .best
            .filter(|_| tells && iteration.judged[0].is_some())
        else {
            return;
        };
        let (is_whole, is_complete) = (iteration.is_whole, iteration.is_complete());
        let choice = self.root.order[best];
        let mut judged: Vec<Sentence> = iteration.judged.into_iter().flatten().collect();
        let judged_now: FxHashSet<u32> = judged.iter().map(|sentence| sentence.choice).collect();
        let others = found
            .judged
            .drain(..)
            .filter(|known| !judged_now.contains(&known.choice));
        judged.sort_by_key(|sentence| {
            let is_best = sentence.choice == choice;
            std::cmp::Reverse((is_best, sentence.is_exact, sentence.found.value))
        });
        if is_whole {
            let is_decided = |sentence: &Sentence| sentence.found.value.is_decided();
            // Seen beyond the depth limit, an end need not be the soonest.
            let is_settled = |sentence: &Sentence| {
                let steps = sentence.found.value.steps();
                is_decided(sentence) && steps.is_none_or(|steps| steps <= depth + 1)
            };
            let mut wanted = judged.iter().take(self.root.lines.max(1));
            found.depth = depth;
            found.is_complete = is_complete;
            found.exact = is_complete || is_decided(&judged[0]);
            found.settled = is_complete || wanted.all(is_settled);
        }
        judged.extend(others);
        found.judged = judged;
        self.root.order[..=best].rotate_right(1);
    }

    /// Judges every move at `depth`; first with a window around the value that is expected.
    fn iteration(&mut self, depth: u32, expected: Value) -> Iteration {
        let mut window = Window::ALL;
        if depth >= ASPIRATION_DEPTH && self.root.lines <= 1 && self.shared.features.aspiration {
            window = Window {
                low: expected.shifted(-ASPIRATION),
                high: expected.shifted(ASPIRATION),
            };
        }
        let mut too_good = None;
        loop {
            let iteration = self.together(depth, window);
            let value = iteration.best().map(|best| best.found.value);
            match value.filter(|_| iteration.is_whole) {
                Some(value) if value <= window.low => window.low = Value::LOWEST,
                Some(value) if value >= window.high => {
                    window.high = Value::HIGHEST;
                    too_good = Some(iteration);
                }
                _ => return iteration.or_at_least(too_good),
            }
        }
    }

    /// Lets all threads judge every move at `depth`. The first one to be through ends it.
    fn together(&mut self, depth: u32, window: Window) -> Iteration {
        self.shared.is_over.store(false, Relaxed);
        let (root, shared) = (&self.root, self.shared);
        let work = |worker: &mut Worker<'_>| {
            worker.is_over = false;
            worker.ladder.set_deadline(Some(&shared.clock.deadline));
            let iteration = root.iterate(worker, depth, window);
            worker.ladder.set_deadline(None);
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

    /// Finds out whether the engine is slow.
    fn slow_down(&mut self) {
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

    fn report(&mut self, limits: &Limits<'_>, found: &Deepened) {
        if let Some(report) = limits.report {
            report(&Progress {
                depth: found.depth,
                value: found.judged[0].found.value,
                line: self.words(&found.judged[0].line),
                nodes: self.nodes(),
                counts: "nodes",
                time: self.shared.clock.begin.elapsed(),
            });
        }
    }

    fn words(&mut self, line: &[Pick]) -> Vec<String> {
        let mut words = Vec::new();
        let end = &self.shared.clock.deadline;
        self.ladder().set_deadline(Some(end));
        for (rung, pick) in line.iter().enumerate() {
            if rung > 0 && !self.steps(rung - 1, line[rung - 1]) {
                break;
            }
            self.ladder().enter(rung, 0);
            words.push(self.ladder().text(rung, *pick));
        }
        self.ladder().set_deadline(None);
        words
    }

    /// The ladder that words and lines are found on.
    fn ladder(&mut self) -> &mut (dyn Ladder + Send) {
        self.workers[0].ladder
    }

    /// Goes from the first state on a rung to the next rung; false if there is no time for it.
    fn steps(&mut self, rung: usize, pick: Pick) -> bool {
        self.ladder().enter(rung, 0);
        self.ladder().expand(rung, &[pick]);
        !self.ladder().is_cut_short()
    }

    /// Lengthens lines that end early because the table knew the rest, as long as there is time.
    fn lengthen(&mut self, found: &mut Deepened) {
        let depth = found.depth as usize;
        let clock = self.shared.clock;
        let until = clock.line_deadline();
        self.ladder().set_deadline(Some(&clock.deadline));
        let exact = found.judged.iter_mut().filter(|of| of.is_exact);
        for Sentence { line, found, .. } in exact {
            // An end may have been seen beyond the depth limit.
            let end = found.value.steps().map_or(0, |steps| steps as usize);
            let mut steps = 0;
            while steps < depth.max(end) {
                if steps == line.len() {
                    let Some(pick) = self.recall(steps) else {
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
        self.ladder().set_deadline(None);
    }

    /// The best way to go on from the first state on a rung, as far as the table knows.
    fn recall(&self, rung: usize) -> Option<Pick> {
        let ladder = &self.workers[0].ladder;
        let seen = ladder.seen(rung, 0);
        let Turn::Of(side) = seen.choices.turn() else {
            return None;
        };
        if seen.choices.is_forced() {
            return Some(Pick::of(side, 0));
        }
        let best = u32::from(self.shared.known(ladder.key(rung, 0))?.best?);
        (best < seen.choices.of(side)).then(|| Pick::of(side, best))
    }
}
