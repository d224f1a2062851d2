//! One game between two weights.

use std::cmp::Ordering;

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

/// Which of two is ahead after a game and the same with colours swapped, as if the second had been played with the colours of the first.
fn together(first: &ContestEnd, second: &ContestEnd) -> ContestEnd {
    let swapped = second.winner.map(|winner| 1 - winner);
    let winner = match (first.winner, swapped) {
        (Some(one), Some(other)) if one != other => match first.plies.cmp(&second.plies) {
            Ordering::Less => Some(one),
            Ordering::Equal => None,
            Ordering::Greater => Some(other),
        },
        (one, other) => one.or(other),
    };
    ContestEnd {
        winner,
        plies: first.plies + second.plies,
    }
}

impl Contest<'_> {
    /// Red's weights against black's, in as many games as are planned; nothing where it was stopped.
    pub(super) fn decide(&self, players: &[PropertyWeights; 2]) -> Option<ContestEnd> {
        let first = self.play(players)?;
        if !self.plan.swap {
            return Some(first);
        }
        let [red, black] = *players;
        Some(together(&first, &self.play(&[black, red])?))
    }

    /// One game; nothing where it was stopped.
    fn play(&self, players: &[PropertyWeights; 2]) -> Option<ContestEnd> {
        let (time, nodes) = self.plan.budget();
        let options = players.each_ref().map(|weights| SearchOptions {
            time,
            nodes,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_two_games_the_sooner_win_decides() {
        let end = |winner, plies| ContestEnd { winner, plies };
        let decided = |first, second| together(&first, &second).winner;
        // The second game is played with the colours swapped.
        assert_eq!(decided(end(Some(0), 9), end(Some(1), 5)), Some(0));
        assert_eq!(decided(end(Some(0), 9), end(Some(0), 5)), Some(1));
        assert_eq!(decided(end(Some(0), 5), end(Some(0), 9)), Some(0));
        assert_eq!(decided(end(Some(0), 9), end(Some(0), 9)), None);
        assert_eq!(decided(end(None, 40), end(Some(0), 9)), Some(1));
        assert_eq!(decided(end(None, 40), end(None, 40)), None);
    }
}
