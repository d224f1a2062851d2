//! Which games a tournament has: who plays whom, in which role, from which opening.

use super::plan::{Schedule, Seatings};
use super::seeds::seed_of;
use super::swiss::SwissResults;

/// A game that is to be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Its number in the tournament, counted from 0.
    pub number: u64,
    /// Its round, counted from 0.
    pub round: u64,
    /// Which of the games of the plan is played.
    pub game: usize,
    /// The number of its opening among those of the game, counted from 0.
    pub opening: u64,
    /// The number of its pair: see [`FinishedGame::pair`](super::FinishedGame::pair).
    pub pair: u64,
    /// The player of each role; `None` for chance.
    pub players: Vec<Option<usize>>,
    /// What its chance is drawn from: a hash of the seed of the tournament and the number of the game, so that it does not
    /// matter when and where it is played.
    pub seed: u64,
}

/// All games of a tournament: rounds, in each of them the games of the plan one after the other, for each the groups of
/// players, for each group its seatings.
#[derive(Debug, Clone)]
pub(super) struct Timetable {
    pub(super) seed: u64,
    pub(super) rounds: u64,
    pub(super) schedule: Schedule,
    pub(super) games: Vec<GameSeats>,
}

/// The seats of a game.
#[derive(Debug, Clone)]
pub(super) struct GameSeats {
    /// For each role, whether a player takes it; otherwise chance does.
    pub(super) is_played: Vec<bool>,
    /// Who plays whom, unless that depends on results.
    groups: Vec<Vec<usize>>,
    /// How many groups there are in each round.
    group_count: u64,
    /// The orders in which a group takes the roles.
    seatings: Vec<Vec<usize>>,
    /// How many openings there are; `None` if each round draws one.
    pub(super) openings: Option<u64>,
}

/// The most games of a round.
pub(super) const MOST_OF_ROUND: u64 = 1_000_000;

/// A tournament with more games in a round than can be kept in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TooManyGames;

impl GameSeats {
    /// The seats of a game with these roles, `true` for those that are played.
    pub(super) fn new(
        is_played: Vec<bool>,
        openings: Option<u64>,
        players: usize,
        schedule: &Schedule,
        seatings: Seatings,
    ) -> Result<Self, TooManyGames> {
        let seats = is_played.iter().filter(|played| **played).count();
        let seatings = orders(seats, seatings)?;
        let groups = match schedule {
            Schedule::RoundRobin => combinations(&(0..players).collect::<Vec<_>>(), seats)?,
            Schedule::Gauntlet(one) => {
                let others: Vec<usize> = (0..players).filter(|other| other != one).collect();
                let mut groups = combinations(&others, seats.saturating_sub(1))?;
                groups.iter_mut().for_each(|group| group.insert(0, *one));
                groups
            }
            Schedule::Listed(groups) => groups.clone(),
            Schedule::Swiss => Vec::new(),
        };
        let group_count = match schedule {
            Schedule::Swiss => players / seats.max(1),
            _ => groups.len(),
        };
        Ok(Self {
            is_played,
            groups,
            group_count: group_count as u64,
            seatings,
            openings,
        })
    }

    fn games_of_round(&self) -> u64 {
        self.group_count * self.seatings.len() as u64
    }

    /// How many players take part in a game.
    pub(super) fn seats(&self) -> usize {
        self.is_played.iter().filter(|played| **played).count()
    }
}

impl Timetable {
    /// How many games there are.
    pub(super) fn len(&self) -> u64 {
        self.rounds.saturating_mul(self.games_of_round())
    }

    /// How many games each round has.
    pub(super) fn games_of_round(&self) -> u64 {
        self.games.iter().map(GameSeats::games_of_round).sum()
    }

    /// The round of a game.
    pub(super) fn round_of(&self, number: u64) -> u64 {
        number / self.games_of_round().max(1)
    }

    /// Whether who plays whom depends on the results of earlier rounds.
    pub(super) fn depends_on_results(&self) -> bool {
        self.schedule == Schedule::Swiss
    }

    /// The game of this number. In a Swiss tournament, `table` holds the results of all earlier rounds.
    pub(super) fn game(&self, number: u64, table: &mut SwissResults) -> ScheduledGame {
        let round = self.round_of(number);
        let mut place = number % self.games_of_round().max(1);
        let mut pairs: u64 = 0;
        let mut game = 0;
        for (index, seats) in self.games.iter().enumerate() {
            game = index;
            if place < seats.games_of_round() {
                break;
            }
            place -= seats.games_of_round();
            pairs += seats.group_count;
        }
        let seats = &self.games[game];
        let of_group = seats.seatings.len() as u64;
        let (group_number, seating) = ((place / of_group) as usize, (place % of_group) as usize);
        let group = match self.depends_on_results() {
            true => table.groups(round, seats.seats())[group_number].clone(),
            false => seats.groups[group_number].clone(),
        };
        let pairs_of_round: u64 = self.games.iter().map(|seats| seats.group_count).sum();
        let mut order = seats.seatings[seating].iter();
        let players = seats.is_played.iter().map(|played| {
            let place = played.then(|| order.next()).flatten()?;
            group.get(*place).copied()
        });
        ScheduledGame {
            number,
            round,
            game,
            opening: seats.openings.map_or(round, |count| round % count.max(1)),
            pair: round * pairs_of_round + pairs + group_number as u64,
            players: players.collect(),
            seed: seed_of(self.seed, "game", "", number),
        }
    }
}

/// The orders in which so many players take as many roles.
fn orders(seats: usize, seatings: Seatings) -> Result<Vec<Vec<usize>>, TooManyGames> {
    let first: Vec<usize> = (0..seats).collect();
    Ok(match seatings {
        Seatings::Fixed => vec![first],
        Seatings::Swapped => {
            let turned = |by: usize| {
                let mut order = first.clone();
                order.rotate_left(by);
                order
            };
            (0..seats.max(1)).map(turned).collect()
        }
        Seatings::All => permutations(seats)?,
    })
}

/// All orders of so many places, in lexicographic order.
fn permutations(places: usize) -> Result<Vec<Vec<usize>>, TooManyGames> {
    let mut orders: Vec<Vec<usize>> = vec![Vec::new()];
    for _ in 0..places {
        let longer = orders.iter().flat_map(|order| {
            let free = (0..places).filter(|place| !order.contains(place));
            free.map(|place| [&order[..], &[place]].concat())
        });
        orders = bounded(longer)?;
    }
    Ok(orders)
}

/// All ways to take so many of these, in order.
fn combinations(of: &[usize], count: usize) -> Result<Vec<Vec<usize>>, TooManyGames> {
    let mut chosen: Vec<(usize, Vec<usize>)> = vec![(0, Vec::new())];
    for taken in 0..count {
        let more = chosen.iter().flat_map(|(next, group)| {
            // As many must be left as are still to be taken.
            let last = (of.len() + taken + 1).saturating_sub(count);
            (*next..last.max(*next)).map(|place| (place + 1, [&group[..], &[of[place]]].concat()))
        });
        chosen = bounded(more)?;
    }
    Ok(chosen.into_iter().map(|(_, group)| group).collect())
}

fn bounded<T>(all: impl Iterator<Item = T>) -> Result<Vec<T>, TooManyGames> {
    let most = MOST_OF_ROUND as usize;
    let kept: Vec<T> = all.take(most + 1).collect();
    match kept.len() > most {
        true => Err(TooManyGames),
        false => Ok(kept),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn timetable(
        schedule: Schedule,
        seatings: Seatings,
        players: usize,
        roles: &[bool],
    ) -> Timetable {
        let seats = GameSeats::new(roles.to_vec(), None, players, &schedule, seatings);
        Timetable {
            seed: 7,
            rounds: 2,
            schedule,
            games: vec![seats.unwrap()],
        }
    }

    fn all(timetable: &Timetable) -> Vec<ScheduledGame> {
        let mut table = SwissResults::default();
        let numbers = 0..timetable.len();
        numbers
            .map(|number| timetable.game(number, &mut table))
            .collect()
    }

    fn seats(games: &[ScheduledGame]) -> Vec<Vec<usize>> {
        let of = |game: &ScheduledGame| game.players.iter().flatten().copied().collect();
        games.iter().map(of).collect()
    }

    #[test]
    fn everybody_plays_everybody_in_both_roles() {
        let games = all(&timetable(
            Schedule::RoundRobin,
            Seatings::Swapped,
            3,
            &[true, true],
        ));
        let round = [[0, 1], [1, 0], [0, 2], [2, 0], [1, 2], [2, 1]];
        assert_eq!(seats(&games), [round, round].concat());
        let pairs: Vec<u64> = games.iter().map(|game| game.pair).collect();
        assert_eq!(pairs, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert!(games.iter().all(|game| game.opening == game.round));
        let seeds: HashSet<u64> = games.iter().map(|game| game.seed).collect();
        assert_eq!(seeds.len(), games.len());
    }

    #[test]
    fn a_gauntlet_is_one_against_all() {
        let games = all(&timetable(
            Schedule::Gauntlet(1),
            Seatings::Fixed,
            3,
            &[true, true],
        ));
        assert_eq!(seats(&games), [[1, 0], [1, 2], [1, 0], [1, 2]]);
    }

    #[test]
    fn chance_is_nobody() {
        let roles = [true, false, true, true];
        let games = all(&timetable(Schedule::RoundRobin, Seatings::All, 3, &roles));
        assert_eq!(games.len(), 12);
        assert_eq!(games[1].players, [Some(0), None, Some(2), Some(1)]);
        assert!(games[..6].iter().all(|game| game.pair == 0));
    }

    #[test]
    fn one_player_plays_alone() {
        let games = all(&timetable(
            Schedule::RoundRobin,
            Seatings::Swapped,
            2,
            &[true],
        ));
        assert_eq!(seats(&games), [[0], [1], [0], [1]]);
    }

    #[test]
    fn a_round_has_a_limit() {
        let seats = |players| {
            let roles = vec![true; 6];
            GameSeats::new(roles, None, players, &Schedule::RoundRobin, Seatings::Fixed)
        };
        assert_eq!(seats(20).unwrap().group_count, 38_760);
        assert!(seats(60).is_err());
        assert!(combinations(&[0, 1], 3).unwrap().is_empty());
    }
}
