//! What moves are worth: by a solution, or proved by a search.

use std::time::{Duration, Instant};

use crate::search::{MAX_DEPTH, MinimaxSettings, SearchLimits, Searcher};
use crate::session::{Position, Session};
use crate::solved::{SolvedGame, reply};
use crate::util::StopFlag;

/// Tells what moves are worth, in points of the role that chooses, if everyone plays as well as possible after them.
pub trait Judge {
    /// Whether it tells of the moves of a role.
    fn knows(&self, role: usize) -> bool;

    /// The legal moves of `role`, which alone chooses in `position`, with what they are worth; `None` if that was not found out.
    fn moves(
        &mut self,
        position: &Position,
        role: usize,
        stop: &StopFlag,
    ) -> Option<Vec<(String, i64)>>;
}

/// Judges by solutions: for each role one that tells what is best for it, if there is one.
pub struct SolutionJudge(pub Vec<Option<SolvedGame>>);

impl Judge for SolutionJudge {
    fn knows(&self, role: usize) -> bool {
        self.0[role].is_some()
    }

    fn moves(
        &mut self,
        position: &Position,
        role: usize,
        _stop: &StopFlag,
    ) -> Option<Vec<(String, i64)>> {
        let solved = self.0[role].as_ref()?;
        let moves = solved.moves(position).into_iter();
        Some(
            moves
                .map(|mv| (mv.text, solved.points(mv.value, role)))
                .collect(),
        )
    }
}

/// Judges by proofs: searches the position after each move until its value is proved.
pub struct ProofJudge {
    /// For each role whose moves are judged, what searches for it.
    searchers: Vec<Option<Searcher>>,
    time: Duration,
    threads: usize,
    is_prepared: Vec<bool>,
}

impl ProofJudge {
    /// Memory for the positions met, in MiB.
    const HASH: usize = 512;
    /// The evaluation orders moves; what it is learned in comes on top, once for each role.
    const LEARNING: Duration = Duration::from_secs(5);

    /// Judges the moves of those of `roles` roles that `is_judged` accepts, in `time` at most for each position, on so many threads.
    pub fn new(
        roles: usize,
        is_judged: impl Fn(usize) -> bool,
        (time, threads): (Duration, usize),
    ) -> Self {
        let searcher = |role| {
            is_judged(role).then(|| {
                Searcher::minimax(MinimaxSettings {
                    hash: Self::HASH,
                    only_proofs: true,
                    ..MinimaxSettings::default()
                })
            })
        };
        Self {
            searchers: (0..roles).map(searcher).collect(),
            time,
            threads,
            is_prepared: vec![false; roles],
        }
    }
}

impl Judge for ProofJudge {
    fn knows(&self, role: usize) -> bool {
        self.searchers[role].is_some()
    }

    fn moves(
        &mut self,
        position: &Position,
        role: usize,
        stop: &StopFlag,
    ) -> Option<Vec<(String, i64)>> {
        let searcher = self.searchers[role].as_mut()?;
        if !std::mem::replace(&mut self.is_prepared[role], true) {
            let session = Session::from(position.clone());
            session.prepare(role, searcher, Self::LEARNING, stop);
        }
        let end = Instant::now() + self.time;
        let threads = self.threads;
        let mut proved = |mv: &String| {
            let (_, after) = reply(position, role, mv)?;
            if after.is_terminal() {
                let goal = after.goals()[role]?;
                return Some((mv.clone(), i64::from(goal)));
            }
            let limits = SearchLimits {
                time: Some(end.saturating_duration_since(Instant::now())),
                threads,
                stop: Some(stop),
                ..SearchLimits::to_depth(MAX_DEPTH)
            };
            let found = Session::from(after).search(role, &limits, searcher)?;
            (found.exact && found.fault.is_none())
                .then(|| (mv.clone(), i64::from(found.value.goal())))
        };
        position.legal_of(role).iter().map(&mut proved).collect()
    }
}
