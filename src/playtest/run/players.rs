//! Games between players that look differently far ahead.
//!
//! Nothing but the seed decides what these players do, so that each game can be played again: not the time, but a number of
//! states limits each move and the training. How many there are follows from the speed of the search.

use std::time::{Duration, Instant};

use super::{Course, note_goals};
use crate::game::is_chance;
use crate::play::{End, SearchOptions, Spec};
use crate::playtest::depth_matches::{DepthMatches, Pairing};
use crate::playtest::games::{GameSetup, play};
use crate::search::{Heuristics, SearchLimits};
use crate::session::{SearchKind, Session};
use crate::util::{Alarm, Deadline, StopFlag};

/// How much of the time of the players' games goes to learning what positions are worth, and how much it may take at most.
const LEARNING: f64 = 0.2;
const MOST_LEARNING: f64 = 0.5;
/// The part of that time in which a move should be found, and the least and the most time for one.
const MOVES: u32 = 400;
const MOVE: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];
/// The fewest states for a move, and for learning.
const FEWEST_OF_MOVE: u64 = 20;
const FEWEST_OF_LEARNING: u64 = 2_000;
/// Memory of a player for positions, in MiB: a new one is made for each game, and few plies meet few positions.
const HASH: usize = 2;
/// How far players look ahead.
const DEPTHS: [u32; 3] = [1, 2, 4];
/// The part of a random game of usual length that is an opening, and the longest one in plies.
const OPENING: usize = 8;
const LONGEST_OPENING: usize = 4;

impl Course<'_> {
    /// Lets players of different strength play until the time is over.
    pub(super) fn let_players_play(&mut self) {
        let begin = Instant::now();
        let end = self.begin + self.settings.time;
        let players: Vec<usize> = (0..self.game.roles().len())
            .filter(|&role| !is_chance(&self.game.roles()[role]))
            .collect();
        let is_hopeless =
            self.samples.fault.is_some() || self.random.games() == 0 || self.ends.begins_at_end();
        if is_hopeless || players.is_empty() || self.settings.rounds == 0 || begin >= end {
            return;
        }
        let alarm = Alarm::at(&Deadline::new(Some(end), &self.settings.stop));
        let options = self.trained(&players, end - begin, alarm.flag());
        self.samples.players = Some(Spec::Minimax(options.clone()).to_string());
        self.samples.opening = self.opening(&players);
        let spec = |depth| {
            Spec::Minimax(SearchOptions {
                depth: Some(depth),
                ..options.clone()
            })
        };
        let specs = DEPTHS.map(spec).to_vec();
        let mut depth_matches = DepthMatches::new(specs, players);
        'all: for number in 0..self.settings.rounds {
            let seed = self.settings.seed.wrapping_add(number as u64);
            for pairing in depth_matches.round() {
                // A game without plies notices no alarm.
                let goes_on = !alarm.flag().is_raised()
                    && self.play_pairing(pairing, seed, &mut depth_matches, alarm.flag());
                if !goes_on {
                    break 'all;
                }
            }
        }
        self.statistics.depth_matches = depth_matches.steps();
        self.equal = depth_matches.equal();
        self.samples.seconds[2] = begin.elapsed().as_secs_f64();
    }

    /// Plays one game; `false` if it was not finished.
    fn play_pairing(
        &mut self,
        pairing: Pairing,
        seed: u64,
        depth_matches: &mut DepthMatches,
        stop: &StopFlag,
    ) -> bool {
        let roles = self.game.roles();
        let setup = GameSetup {
            players: depth_matches.assign(pairing, roles.len()).into(),
            seed,
            opening: self.samples.opening,
        };
        let (groups, moves) = (&mut self.groups, &mut self.moves);
        groups.begin();
        let max_plies = self.settings.max_plies;
        let played = play(self.game, setup, max_plies, stop, &mut |step| {
            groups.see(step);
            moves.note_legal(step);
        });
        match played {
            Some(played) if !matches!(played.end, End::Stopped | End::Fault(_)) => {
                self.samples.games_of_players += 1;
                note_goals(&mut self.goals, &played.goals);
                self.ends_of_players.see(roles, &played);
                depth_matches.note(pairing, roles, &played);
                true
            }
            _ => false,
        }
    }

    /// How many of the first plies are drawn at random, so that rounds differ: a few, and none of a game that was always
    /// short. A puzzle begins where it begins.
    fn opening(&self, players: &[usize]) -> usize {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        let usual = lengths.get(lengths.len() / 2).copied().unwrap_or(0);
        match players {
            [_] => 0,
            _ => (usual / OPENING)
                .min(LONGEST_OPENING)
                .min(self.settings.max_plies - 1),
        }
    }

    /// How players search but for the depth, after learning what positions are worth, once for all of them.
    fn trained(&self, players: &[usize], left: Duration, stop: &StopFlag) -> SearchOptions {
        let per_second = self.states_per_second(players[0], stop);
        let states = |time: Duration| (per_second * time.as_secs_f64()) as u64;
        let per_move = states((left / MOVES).clamp(MOVE[0], MOVE[1]));
        let per_role = states(left.mul_f64(LEARNING) / players.len() as u32);
        let options = SearchOptions {
            nodes: Some(rounded(per_move.max(FEWEST_OF_MOVE))),
            training: Some(rounded(per_role.max(FEWEST_OF_LEARNING))),
            hash: Some(HASH),
            ..SearchOptions::USUAL
        };
        let session = Session::new(self.game);
        let time = left.mul_f64(MOST_LEARNING) / players.len() as u32;
        let is_trained = players.iter().all(|&role| {
            let mut searcher = options.searcher(SearchKind::Minimax);
            session.prepare(role, &mut searcher, time, stop);
            !searcher.training_cut_short()
        });
        match is_trained {
            true => options,
            // What the time cut short would be learned otherwise another time.
            false => SearchOptions {
                training: None,
                heuristics: Heuristics::NONE,
                ..options
            },
        }
    }

    /// How many states a search for this role gets through.
    fn states_per_second(&self, role: usize, stop: &StopFlag) -> f64 {
        const NODES: u64 = 20_000;
        const TIME: Duration = Duration::from_millis(100);
        let options = SearchOptions {
            heuristics: Heuristics::NONE,
            hash: Some(HASH),
            ..SearchOptions::USUAL
        };
        let limits = SearchLimits {
            nodes: Some(NODES),
            time: Some(TIME),
            ..options.limits(None, stop)
        };
        let begin = Instant::now();
        let session = Session::new(self.game);
        let found = session.search(role, &limits, &mut options.searcher(SearchKind::Minimax));
        let nodes = found.map_or(0, |found| found.nodes);
        nodes as f64 / begin.elapsed().as_secs_f64().max(1e-6)
    }
}

/// The number with two digits that are no zeros, which is easier to read.
fn rounded(number: u64) -> u64 {
    let digits = number.max(1).ilog10().saturating_sub(1);
    let unit = 10_u64.pow(digits);
    number / unit * unit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_rounded_down_to_two_digits() {
        assert_eq!(
            [0, 7, 99, 1_234, 40_999].map(rounded),
            [0, 7, 99, 1_200, 40_000]
        );
    }
}
