//! How a match ends, and who wins.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

use super::{End, ServedMatch};
use crate::game::is_chance;
use crate::play::milliseconds;
use crate::serve::ServeRefusal;
use crate::serve::journal::JournalEvent;

/// The goal of whoever reaches all there is.
const WHOLE: u8 = 100;

/// How a match ended.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::serve) struct MatchEnd {
    pub(in crate::serve) by: EndedBy,
    /// The same for people, in a sentence.
    pub(in crate::serve) text: String,
    /// The roles that have won: none where all have the same, unless that is all there is.
    pub(in crate::serve) winners: Vec<usize>,
    pub(in crate::serve) by_lot: bool,
    /// What the roles score, as far as that is known.
    pub(in crate::serve) goals: Vec<Option<u8>>,
}

/// What ended a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(in crate::serve) enum EndedBy {
    Rules,
    Limit,
    Resignation,
}

/// What was decided when no time was left.
#[derive(Debug, Clone)]
pub(super) struct TimeUp {
    pub(super) goals: Vec<u8>,
    pub(super) winner: Option<usize>,
    pub(super) by_lot: bool,
}

impl ServedMatch {
    /// How the match ended; nothing while it goes on.
    pub(in crate::serve) fn end(&self) -> Option<MatchEnd> {
        match (&self.time_up, self.resigned) {
            _ if !self.is_over() => None,
            (Some(time_up), _) => Some(self.end_by_limit(time_up)),
            (None, Some(role)) => Some(self.end_by_resignation(role)),
            (None, None) => Some(self.end_by_rules()),
        }
    }

    /// The roles that people and machines play.
    fn player_roles(&self) -> Vec<usize> {
        let roles = self.session.roles().iter().enumerate();
        let players = roles.filter(|(_, role)| !is_chance(role));
        players.map(|(number, _)| number).collect()
    }

    fn names(&self, roles: &[usize]) -> String {
        let names: Vec<&str> = roles
            .iter()
            .map(|&role| self.session.roles()[role].as_str())
            .collect();
        names.join(" and ")
    }

    fn end_by_rules(&self) -> MatchEnd {
        let end = |text: String, winners: Vec<usize>, goals: &[Option<u8>]| MatchEnd {
            by: EndedBy::Rules,
            text,
            winners,
            by_lot: false,
            goals: goals.to_vec(),
        };
        let unknown = vec![None; self.session.roles().len()];
        if let Some(problem) = self.session.fault().map(ToString::to_string) {
            return end(problem, Vec::new(), &unknown);
        }
        let stuck = self.stuck();
        if !stuck.is_empty() {
            return end(End::Stuck(stuck).to_string(), Vec::new(), &unknown);
        }
        let goals = self.session.goals();
        let players = self.player_roles();
        let (winners, best) = winners(&players, |role| goals[role].unwrap_or(0));
        let text = match (&players[..], &winners[..]) {
            ([only], _) => format!("{} has {best} points.", self.names(&[*only])),
            (_, []) => format!("The game is drawn: {best} points each."),
            (_, [winner]) => format!("{} wins.", self.names(&[*winner])),
            (_, several) => format!("{} win.", self.names(several)),
        };
        end(text, winners, goals)
    }

    /// Of two players, the one who did not give up has won.
    fn end_by_resignation(&self, resigned: usize) -> MatchEnd {
        let players = self.player_roles();
        let winner = match &players[..] {
            [one, other] if resigned == *one => Some(*other),
            [one, _] => Some(*one),
            _ => None,
        };
        let mut goals = vec![None; self.session.roles().len()];
        goals[resigned] = Some(0);
        if let Some(winner) = winner {
            goals[winner] = Some(WHOLE);
        }
        let name = self.names(&[resigned]);
        MatchEnd {
            by: EndedBy::Resignation,
            text: match winner {
                Some(winner) => format!("{name} gives up, and {} wins.", self.names(&[winner])),
                None => format!("{name} gives up."),
            },
            winners: winner.into_iter().collect(),
            by_lot: false,
            goals,
        }
    }

    fn end_by_limit(&self, time_up: &TimeUp) -> MatchEnd {
        let text = match time_up.winner {
            None => "The time is up.".to_owned(),
            Some(winner) => {
                let (name, goal) = (self.names(&[winner]), time_up.goals[winner]);
                match time_up.by_lot {
                    true => format!(
                        "The time is up; {goal} points are the most, and {name} wins by lot."
                    ),
                    false => {
                        format!("The time is up; {name} has the most points, {goal}, and wins.")
                    }
                }
            }
        };
        MatchEnd {
            by: EndedBy::Limit,
            text,
            winners: time_up.winner.into_iter().collect(),
            by_lot: time_up.by_lot,
            goals: time_up.goals.iter().copied().map(Some).collect(),
        }
    }

    /// Ends the match if no time is left: the highest goal of the position shown wins, and of equal ones a lot decides.
    pub(in crate::serve) fn end_when_time_is_up(&mut self) -> Result<(), ServeRefusal> {
        if self.is_over() || !self.has_no_time() {
            return Ok(());
        }
        let goals = self.session.goals().iter();
        let goals: Vec<u8> = goals.map(|goal| goal.unwrap_or(0)).collect();
        let players = self.player_roles();
        let best = best_of(&players, |role| goals[role]);
        let ahead: Vec<usize> = players
            .iter()
            .copied()
            .filter(|&role| goals[role] == best)
            .collect();
        let winner = match (&players[..], &ahead[..]) {
            // Nobody is to be beaten by a single player but the game itself.
            ([only], _) => (best == WHOLE).then_some(*only),
            (_, []) => None,
            (_, [winner]) => Some(*winner),
            (_, several) => {
                let mut lots = Xoshiro256PlusPlus::seed_from_u64(self.seed());
                Some(several[lots.random_range(0..several.len())])
            }
        };
        let event = JournalEvent::TimeUp {
            goals,
            winner,
            by_lot: players.len() > 1 && ahead.len() > 1,
            at: milliseconds(),
        };
        self.record(&event)
    }
}

fn best_of(players: &[usize], goal: impl Fn(usize) -> u8) -> u8 {
    players.iter().map(|&role| goal(role)).max().unwrap_or(0)
}

/// The players with the highest goal, and that goal: nobody where all have the same, and less than all there is.
fn winners(players: &[usize], goal: impl Fn(usize) -> u8) -> (Vec<usize>, u8) {
    let best = best_of(players, &goal);
    let mut winners: Vec<usize> = players.to_vec();
    winners.retain(|&role| goal(role) == best);
    let is_drawn = winners.len() == players.len() && best < WHOLE;
    if is_drawn {
        winners.clear();
    }
    (winners, best)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_highest_goal_wins_and_equal_ones_draw() {
        let won = |goals: &[u8]| {
            let players: Vec<usize> = (0..goals.len()).collect();
            winners(&players, |role| goals[role])
        };
        assert_eq!(won(&[0, 100]), (vec![1], 100));
        assert_eq!(won(&[50, 50]), (vec![], 50));
        assert_eq!(won(&[40, 40, 20]), (vec![0, 1], 40));
        assert_eq!(
            won(&[100, 100]),
            (vec![0, 1], 100),
            "both reach all there is"
        );
        assert_eq!(won(&[60]), (vec![], 60), "a puzzle that is not solved");
        assert_eq!(won(&[100]), (vec![0], 100));
    }
}
