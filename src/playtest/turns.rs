//! Whose turn it is, as the games show it.

use super::games::PlayedStep;
use super::statistics::Turns;
use crate::game::is_chance;

/// More games tell no more.
const GAMES: usize = 200;

/// Who had a choice in each ply of some games.
#[derive(Debug, Default)]
pub(super) struct TurnWatch {
    /// Per game the role of each ply; `None` where several roles chose, or nobody did and the moves do not tell who acts.
    games: Vec<Vec<Option<usize>>>,
    shared: u64,
    plies: u64,
    /// Per role, whether it is played by chance, which has no choice.
    is_chance: Vec<bool>,
}

/// Turns that stop changing hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LastTurn {
    /// The role that keeps its turn.
    pub(super) role: usize,
    /// After so many plies.
    pub(super) after: usize,
    /// In so many games.
    pub(super) games: usize,
}

impl TurnWatch {
    /// For these roles.
    pub(super) fn new(roles: &[String]) -> Self {
        Self {
            is_chance: roles.iter().map(|role| is_chance(role)).collect(),
            ..Self::default()
        }
    }

    pub(super) fn begin(&mut self) {
        if self.games.len() < GAMES {
            self.games.push(Vec::new());
        }
    }

    pub(super) fn see(&mut self, step: &PlayedStep) {
        let Some(game) = self.games.last_mut() else {
            return;
        };
        if step.ply != game.len() + 1 {
            return;
        }
        let mut choosing = step.before.choosing();
        if choosing.iter().any(|&role| !self.is_chance[role]) {
            choosing.retain(|&role| !self.is_chance[role]);
        }
        self.plies += 1;
        game.push(match choosing[..] {
            [role] => Some(role),
            [] => step.before.control(),
            _ => {
                self.shared += 1;
                None
            }
        });
    }

    /// The role that is first to have a choice alone in all games, chance left out; nothing where that differs, as by a throw of dice.
    pub(super) fn first_mover(&self, roles: &[String]) -> Option<usize> {
        let chance = |role: &usize| is_chance(&roles[*role]);
        let first_of = |game: &Vec<Option<usize>>| {
            let mut moves = game.iter();
            *moves.find(|role| !role.as_ref().is_some_and(chance))?
        };
        let mut begun = self.games.iter().filter(|game| !game.is_empty());
        let first = first_of(begun.next()?)?;
        begun
            .all(|game| first_of(game) == Some(first))
            .then_some(first)
    }

    /// How roles take turns.
    pub(super) fn turns(&self, roles: &[String]) -> Turns {
        let players = roles.iter().filter(|role| !is_chance(role)).count();
        let words = match () {
            () if self.plies == 0 => "no turns seen".to_owned(),
            () if players == 1 && roles.len() == 1 => "one role".to_owned(),
            () if self.shared == self.plies => "all roles move at once".to_owned(),
            () if self.games.iter().flatten().all(Option::is_none) && self.shared == 0 => {
                "nobody has a choice".to_owned()
            }
            () if self.shared > 0 => {
                let share = 100.0 * self.shared as f64 / self.plies as f64;
                format!("several roles choose at once in {share:.0} % of the plies")
            }
            () => self.in_turn(roles),
        };
        Turns {
            words,
            shared: self.shared,
            plies: self.plies,
            games: self.games.len(),
        }
    }

    fn in_turn(&self, roles: &[String]) -> String {
        let longest = self
            .games
            .iter()
            .map(|game| &game[..])
            .max_by_key(|game| game.len());
        let Some(cycle) = longest.and_then(cycle) else {
            return self.in_runs(roles);
        };
        let is_kept = |game: &Vec<Option<usize>>| {
            let expected = cycle.iter().cycle();
            game.iter()
                .zip(expected)
                .all(|(role, expected)| role == expected)
        };
        if !self.games.iter().all(is_kept) {
            return self.in_runs(roles);
        }
        let name = |role: &Option<usize>| role.map_or("nobody", |role| roles[role].as_str());
        let names = cycle.iter().map(name);
        let names: Vec<&str> = names.collect();
        match names[..] {
            [only] => format!("always {only}"),
            _ => format!("{}, again and again", names.join(", ")),
        }
    }

    /// How long roles keep their turn, where that differs.
    fn in_runs(&self, roles: &[String]) -> String {
        let mut lengths: Vec<Vec<usize>> = vec![Vec::new(); roles.len()];
        for run in self
            .games
            .iter()
            .flat_map(|game| game.chunk_by(|one, other| one == other))
        {
            if let Some(role) = run[0] {
                lengths[role].push(run.len());
            }
        }
        let with_turns = roles
            .iter()
            .zip(&lengths)
            .filter(|(_, runs)| !runs.is_empty());
        let parts: Vec<String> = with_turns
            .map(|(role, runs)| {
                let (least, most) = (runs.iter().min(), runs.iter().max());
                let (least, most) = (least.copied().unwrap_or(0), most.copied().unwrap_or(0));
                match least == most {
                    true => format!("{role} moves {most} in a row"),
                    false => format!("{role} moves {least} to {most} in a row"),
                }
            })
            .collect();
        parts.join(", ")
    }

    /// Whether in every game one role keeps its turn for good, soon after the start, although others have had theirs.
    pub(super) fn last_turn(&self, roles: &[String]) -> Option<LastTurn> {
        const LEAST_GAMES: usize = 5;
        let long = 2 * roles.len();
        let games: Vec<_> = self
            .games
            .iter()
            .filter(|game| game.len() >= long)
            .collect();
        if games.len() < LEAST_GAMES || games.len() * 2 < self.games.len() {
            return None;
        }
        let last_of = |game: &Vec<Option<usize>>| {
            let role = (*game.last()?)?;
            let run = game
                .iter()
                .rev()
                .take_while(|one| **one == Some(role))
                .count();
            let after = game.len() - run;
            let others = &game[..after];
            let took_turns = !others.is_empty() && others.iter().all(Option::is_some);
            let is_player = others
                .iter()
                .flatten()
                .any(|&other| !is_chance(&roles[other]));
            (took_turns && is_player && after < roles.len() && run >= long - 1)
                .then_some((role, after))
        };
        let (role, after) = last_of(games[0])?;
        let same = games
            .iter()
            .all(|game| last_of(game) == Some((role, after)));
        same.then_some(LastTurn {
            role,
            after,
            games: games.len(),
        })
    }
}

/// The shortest sequence that a game repeats, if it is short and repeated.
fn cycle(game: &[Option<usize>]) -> Option<&[Option<usize>]> {
    const LONGEST: usize = 12;
    let repeats = |&length: &usize| {
        game.iter()
            .zip(game.iter().skip(length))
            .all(|(one, other)| one == other)
    };
    let length = (1..=LONGEST.min(game.len() / 2)).find(repeats)?;
    Some(&game[..length])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(games: &[&[usize]]) -> TurnWatch {
        let game = |game: &&[usize]| game.iter().map(|&role| Some(role)).collect();
        TurnWatch {
            games: games.iter().map(game).collect(),
            shared: 0,
            plies: 1,
            is_chance: vec![false; 2],
        }
    }

    fn roles() -> Vec<String> {
        ["x", "o"].map(str::to_owned).to_vec()
    }

    #[test]
    fn turns_are_told_as_they_are() {
        let words = |games: &[&[usize]]| watch(games).turns(&roles()).words;
        assert_eq!(
            words(&[&[0, 1, 0, 1, 0], &[0, 1, 0]]),
            "x, o, again and again"
        );
        assert_eq!(words(&[&[0, 1, 1, 0, 1, 1]]), "x, o, o, again and again");
        assert_eq!(
            words(&[&[0, 1, 1, 0, 0, 0, 1]]),
            "x moves 1 to 3 in a row, o moves 1 to 2 in a row"
        );
    }

    #[test]
    fn turns_without_a_choice_are_nobodys() {
        let watch = TurnWatch {
            games: vec![vec![None, None], vec![None]],
            ..watch(&[])
        };
        assert_eq!(watch.turns(&roles()).words, "nobody has a choice");
        assert_eq!(watch.first_mover(&roles()), None);
    }

    #[test]
    fn the_first_mover_is_first_in_all_games() {
        let first = |games: &[&[usize]]| watch(games).first_mover(&roles());
        assert_eq!(first(&[&[1, 0], &[1, 1], &[]]), Some(1));
        assert_eq!(first(&[&[1, 0], &[0, 1]]), None, "a throw of dice decides");
        assert_eq!(first(&[]), None);
    }

    #[test]
    fn a_turn_that_never_ends_is_found() {
        let stays: &[usize] = &[0, 1, 1, 1, 1, 1, 1];
        let last = watch(&[stays; 5]).last_turn(&roles()).unwrap();
        assert_eq!((last.role, last.after), (1, 1));
        let alternates: &[usize] = &[0, 1, 0, 1, 0, 1, 0];
        assert_eq!(watch(&[alternates; 5]).last_turn(&roles()), None);
    }
}
