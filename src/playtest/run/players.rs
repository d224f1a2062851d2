//! Games between players that look differently far ahead.

use std::time::{Duration, Instant};

use super::{Course, note_goals};
use crate::game::is_chance;
use crate::play::{End, SearchOptions, Spec};
use crate::playtest::depth_matches::DepthMatches;
use crate::playtest::games::play;
use crate::session::{SearchKind, Session};
use crate::util::{Alarm, Deadline, StopFlag};

/// How much of the time of the players' games goes to learning what positions are worth.
const LEARNING: f64 = 0.25;
/// The least and the most time of a player for one move.
const MOVE: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];
/// Memory of a player for positions, in MiB: a new one is made for each game, and few plies meet few positions.
const HASH: usize = 2;
/// How far players look ahead.
const DEPTHS: [u32; 3] = [1, 2, 4];

impl Course<'_> {
    /// Lets players of different strength play until the time is over.
    pub(super) fn let_players_play(&mut self) {
        let begin = Instant::now();
        let end = self.begin + self.settings.time;
        let is_hopeless = self.samples.fault.is_some() || self.random.games() == 0;
        if is_hopeless || self.settings.rounds == 0 || begin >= end {
            return;
        }
        let alarm = Alarm::at(&Deadline::new(Some(end), &self.settings.stop));
        let left = end - begin;
        let options = SearchOptions {
            time: Some(time_per_move(left)),
            hash: Some(HASH),
            ..SearchOptions::USUAL
        };
        self.samples.players = Some(Spec::Minimax(options).to_string());
        self.learn(&options, left.mul_f64(LEARNING), alarm.flag());
        let spec = |depth| {
            Spec::Minimax(SearchOptions {
                depth: Some(depth),
                ..options
            })
        };
        let specs = DEPTHS.map(spec).to_vec();
        let players: Vec<usize> = (0..self.game.roles().len())
            .filter(|&role| !is_chance(&self.game.roles()[role]))
            .collect();
        let mut depth_matches = DepthMatches::new(specs, players);
        'all: for number in 0..self.settings.rounds {
            for pairing in depth_matches.round() {
                let assigned = depth_matches.assign(pairing, number, self.game.roles().len());
                let seed = self.settings.seed.wrapping_add(number as u64);
                let max_plies = self.settings.max_plies;
                let (groups, moves) = (&mut self.groups, &mut self.moves);
                let played = play(
                    self.game,
                    &assigned,
                    seed,
                    max_plies,
                    alarm.flag(),
                    &mut |step| {
                        groups.see(step);
                        moves.note_legal(step);
                    },
                );
                match played {
                    Some(played) if !matches!(played.end, End::Stopped | End::Fault(_)) => {
                        self.samples.games_of_players += 1;
                        note_goals(&mut self.goals, &played.goals);
                        self.ends_of_players.see(self.game.roles(), &played);
                        depth_matches.note(pairing, number, self.game.roles(), &played);
                    }
                    _ => break 'all,
                }
            }
        }
        self.statistics.depth_matches = depth_matches.steps();
        self.equal = depth_matches.equal();
        self.samples.seconds[2] = begin.elapsed().as_secs_f64();
    }

    /// Learns what positions are worth, once for all players.
    fn learn(&self, options: &SearchOptions, time: Duration, stop: &StopFlag) {
        let session = Session::new(self.game);
        let roles = self.game.roles();
        for role in 0..roles.len() {
            let mut searcher = options.searcher(SearchKind::Minimax);
            session.prepare(role, &mut searcher, time / roles.len() as u32, stop);
        }
    }
}

/// How long players may think about a move: in whole milliseconds, as commands state it.
fn time_per_move(left: Duration) -> Duration {
    let time = (left / 400).clamp(MOVE[0], MOVE[1]);
    Duration::from_millis(time.as_millis() as u64)
}
