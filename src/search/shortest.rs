//! The shortest way to the best end of a game for one: iterative deepening A* (Korf 1985) with a table of the states that were
//! searched (Reinefeld and Marsland 1994).
//!
//! Each iteration allows a ply more, and leaves out states whose [`HammingDistance`] is greater than the plies that are left. Where the
//! distance is admissible, the first way found is a shortest one.

use std::time::Instant;

use super::alphabeta::plies::key_of;
use super::alphabeta::transposition::{Bound, Entry, TranspositionTable};
use super::limits::{SearchClock, SearchProgress};
use super::{
    HammingDistance, MAX_DEPTH, MoveValue, SearchEffort, SearchLimits, SearchOutcome, Value,
};
use crate::game::{Role, StateMachine};
use crate::util::{Expired, SparseCheck};

/// What a search for shortest ways keeps from move to move.
#[derive(Debug)]
pub struct ShortestWaySearcher {
    distance: HammingDistance,
    table: TranspositionTable,
}

impl ShortestWaySearcher {
    /// A searcher with a table of at most so many MiB.
    pub fn new(distance: HammingDistance, mebibytes: usize) -> Self {
        Self {
            distance,
            table: TranspositionTable::new(mebibytes),
        }
    }

    /// How many states the table holds.
    pub(super) fn table_entries(&self) -> u64 {
        self.table.used()
    }
}

/// The first move of the shortest way of `role`, which plays alone, to its best goal; `None` if the game is over or it has no legal
/// move. Where that goal cannot be reached, the value is the best one that was seen, and exact.
pub(super) fn best_move<G: StateMachine>(
    game: &G,
    state: &G::State,
    role: Role,
    limits: &SearchLimits<'_>,
    memory: &ShortestWaySearcher,
) -> Option<SearchOutcome<G::Move>> {
    let clock = SearchClock::start(limits);
    let mut scratch = game.scratch();
    let mut legal = Vec::new();
    if !game.is_terminal(&mut scratch, state) {
        game.legal(&mut scratch, state, role, &mut legal);
    }
    let first = *legal.first()?;
    game.set_deadline(&mut scratch, Some(&clock.deadline));
    let mut search = WaySearch {
        game,
        role,
        memory,
        check: SparseCheck::new(&clock.deadline),
        words: vec![0; game.game_facts().map_or(0, |facts| facts.words())],
        scratch,
        way: Vec::new(),
        nodes: 0,
        leaves: 0,
        is_cut: false,
        best_seen: None,
    };
    let found = search.deepen(state, limits, clock.begin);
    let line = search
        .way
        .into_iter()
        .map(|mv| vec![mv])
        .collect::<Vec<_>>();
    let best = line.first().map_or(first, |joint| joint[0]);
    let value = found.value;
    Some(SearchOutcome {
        best,
        value,
        exact: found.exact,
        depth: found.depth,
        moves: vec![MoveValue {
            mv: best,
            value,
            is_exact: true,
            is_sure: found.exact,
            line: line.clone(),
        }],
        line,
        nodes: search.nodes,
        fault: game.fault(&search.scratch),
    })
}

/// What is known when the search ends.
struct WayFound {
    value: Value,
    exact: bool,
    depth: u32,
}

struct WaySearch<'s, G: StateMachine> {
    game: &'s G,
    role: Role,
    memory: &'s ShortestWaySearcher,
    check: SparseCheck<'s>,
    scratch: G::Scratch,
    /// Working memory: the facts of a state.
    words: Vec<u64>,
    /// The moves to the state that is searched.
    way: Vec<G::Move>,
    nodes: u64,
    leaves: u64,
    /// Whether a state was left out as it is too far from the goal, in this iteration.
    is_cut: bool,
    /// The best goal of the ends that were seen.
    best_seen: Option<u8>,
}

/// A node counts as so many steps of work: a slow engine takes a millisecond for it.
const STEPS_OF_NODE: usize = 1 << 10;

impl<G: StateMachine> WaySearch<'_, G> {
    /// Allows a ply more until the goal is reached, or nothing is left to be searched.
    fn deepen(&mut self, state: &G::State, limits: &SearchLimits<'_>, begin: Instant) -> WayFound {
        self.game.mark_facts(state, &mut self.words);
        let nearest = self.memory.distance.of(&self.words).max(1);
        let most = limits.depth.min(MAX_DEPTH);
        let mut found = WayFound {
            value: Value::estimate(0),
            exact: false,
            depth: nearest.saturating_sub(1).min(most),
        };
        for plies in nearest..=most {
            self.is_cut = false;
            let Ok(reached) = self.reaches(state, plies) else {
                self.way.clear();
                return found;
            };
            found.depth = plies;
            if reached {
                let goal = self.memory.distance.goal();
                found.value = Value::end(goal, self.way.len() as u32);
                found.exact = true;
            } else if !self.is_cut {
                found.value = Value::end(self.best_seen.unwrap_or(0), 0);
                found.exact = true;
            }
            self.report(limits, &found, begin);
            if reached || !self.is_cut {
                break;
            }
        }
        found
    }

    /// Whether the goal is reached in so many plies; then `way` leads there.
    fn reaches(&mut self, state: &G::State, plies: u32) -> Result<bool, Expired> {
        self.nodes += 1;
        self.check.step(STEPS_OF_NODE)?;
        if self.game.is_terminal(&mut self.scratch, state) {
            self.leaves += 1;
            let goal = self.game.goal(&mut self.scratch, state, self.role);
            self.best_seen = self.best_seen.max(goal);
            return Ok(goal == Some(self.memory.distance.goal()));
        }
        self.game.mark_facts(state, &mut self.words);
        if plies == 0 || self.memory.distance.of(&self.words) > plies {
            self.leaves += 1;
            self.is_cut = true;
            return Ok(false);
        }
        let key = key_of(state);
        // Also where that search has not ended yet: it looks further than this one would.
        if self
            .memory
            .table
            .get(key)
            .is_some_and(|known| known.depth >= plies)
        {
            return Ok(false);
        }
        self.memory.table.put(key, searched(plies));
        let mut legal = Vec::new();
        self.game
            .legal(&mut self.scratch, state, self.role, &mut legal);
        for mv in legal {
            let after = self.game.next(&mut self.scratch, state, &[mv]);
            self.way.push(mv);
            if self.reaches(&after, plies - 1)? {
                return Ok(true);
            }
            self.way.pop();
        }
        Ok(false)
    }

    fn report(&self, limits: &SearchLimits<'_>, found: &WayFound, begin: Instant) {
        let Some(report) = limits.report else {
            return;
        };
        report(&SearchProgress {
            depth: found.depth,
            value: found.value,
            exact: found.exact,
            line: self.way.iter().map(|mv| self.game.move_text(*mv)).collect(),
            others: Vec::new(),
            nodes: self.nodes,
            effort: SearchEffort {
                leaves: self.leaves,
                ..SearchEffort::default()
            },
            counts: "nodes",
            time: begin.elapsed(),
        });
    }
}

/// The state was searched so many plies deep.
fn searched(depth: u32) -> Entry {
    Entry {
        value: Value::estimate(0),
        bound: Bound::Upper,
        depth,
        complete: false,
        best: None,
    }
}
