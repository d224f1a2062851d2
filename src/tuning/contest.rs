//! One game between two weights.

use super::{AnnealingPlan, AnnealingSetup};
use crate::native::kolibrat::PropertyWeights;
use crate::search::{Heuristics, Searcher};
use crate::session::{Game, SearchKind, SearchOptions, Session};
use crate::util::StopFlag;

/// A game of an annealing, as it is logged; who wins an undecided game is drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TuningGame {
    /// Whether the winner played black.
    pub black_wins: bool,
    /// The weights of the winner.
    pub winner: PropertyWeights,
    /// The weights of the loser.
    pub loser: PropertyWeights,
}

/// What two weights play under.
pub(super) struct Contest<'c> {
    pub(super) game: &'c Game,
    pub(super) plan: &'c AnnealingPlan,
    pub(super) stop: &'c StopFlag,
}

/// How a game ended.
pub(super) struct ContestEnd {
    /// The number of the winner's role; none where the game was undecided.
    pub(super) winner: Option<usize>,
    plies: u64,
}

impl ContestEnd {
    /// The lower, the better for the player of a role: soon won, undecided, late lost.
    pub(super) fn rank(&self, role: usize) -> u64 {
        const UNDECIDED: u64 = u64::MAX / 2;
        match self.winner {
            None => UNDECIDED,
            Some(winner) if winner == role => self.plies,
            Some(_) => u64::MAX - self.plies,
        }
    }
}

impl Contest<'_> {
    /// Red's weights against black's; nothing where it was stopped.
    pub(super) fn play(&self, players: &[PropertyWeights; 2]) -> Option<ContestEnd> {
        let options = players.each_ref().map(|weights| SearchOptions {
            nodes: Some(self.plan.nodes),
            hash: Some(1),
            heuristics: Heuristics::NONE,
            evaluation: Some(self.plan.evaluation(&weights.to_string()).into()),
            ..SearchOptions::USUAL
        });
        let mut searchers = options
            .each_ref()
            .map(|options| options.searcher(SearchKind::Minimax));
        let mut session = Session::new(self.game);
        let mut plies = 0;
        while !session.is_terminal() && plies < self.plan.plies {
            let joint = self.joint(&session, &options, &mut searchers)?;
            session.play_joint(&joint).ok()?;
            plies += 1;
        }
        let winner = session.goals().iter().position(|goal| *goal == Some(100));
        let winner = winner.filter(|_| session.is_terminal());
        Some(ContestEnd {
            winner: winner.or_else(|| self.ahead(&session)),
            plies: plies as u64,
        })
    }

    /// What both roles do.
    fn joint(
        &self,
        session: &Session,
        options: &[SearchOptions; 2],
        searchers: &mut [Searcher; 2],
    ) -> Option<Vec<String>> {
        let choose = |role: usize| {
            if let [only] = session.legal_of(role) {
                return Some(only.clone());
            }
            let limits = options[role].limits(None, self.stop);
            let found = session.search(role, &limits, &mut searchers[role])?;
            Some(found.best)
        };
        let mut choose = choose;
        let joint: Option<Vec<String>> = (0..2).map(&mut choose).collect();
        joint.filter(|_| !self.stop.is_raised())
    }

    /// Who has more points where the game was not finished: the program of the thesis lets it win.
    fn ahead(&self, session: &Session) -> Option<usize> {
        if self.plan.setup == AnnealingSetup::Prose {
            return None;
        }
        let facts = session.facts();
        let points = session.roles().iter().map(|role| {
            let prefix = format!("(score {role} ");
            let points = facts.iter().find_map(|fact| fact.strip_prefix(&prefix));
            points.and_then(|points| points.strip_suffix(')')?.parse::<u8>().ok())
        });
        let points: Option<Vec<u8>> = points.collect();
        let points = points?;
        (points[0] != points[1]).then(|| usize::from(points[1] > points[0]))
    }
}
