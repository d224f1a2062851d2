//! Random games, one after the other in each thread.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{
    Ends, PlayoutOptions, PlayoutTotals, Role, RolloutOptions, StateMachine, Stopped,
};

/// Playout `k` depends on the seed and on `k` alone, not on the thread that plays it.
pub(super) fn playouts<G: StateMachine>(
    game: &G,
    state: &G::State,
    options: PlayoutOptions<'_>,
) -> (PlayoutTotals, Result<(), Stopped>) {
    let taken = AtomicU64::new(0);
    options.in_threads(|| {
        let mut scratch = game.scratch();
        let mut player = ScalarPlayout::new(game, &mut scratch, options);
        let ended = player.play_all(state, &taken);
        (player.totals, ended)
    })
}

/// See [`Playouts::rollouts`](crate::game::Playouts::rollouts).
pub(super) fn rollouts<G: StateMachine>(
    game: &G,
    scratch: &mut G::Scratch,
    states: &[G::State],
    options: RolloutOptions<'_>,
    ends: &mut Ends,
) -> Result<(), Stopped> {
    ends.begin(states.len(), game.roles().len(), 0);
    for (number, state) in states.iter().enumerate() {
        let mut player = ScalarPlayout::new(game, scratch, options.from_state(number));
        player.play_all(state, &AtomicU64::new(0))?;
        player.totals.report(number, ends);
    }
    Ok(())
}

/// One thread's working memory.
struct ScalarPlayout<'a, G: StateMachine> {
    game: &'a G,
    options: PlayoutOptions<'a>,
    scratch: &'a mut G::Scratch,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
    totals: PlayoutTotals,
}

enum PlayoutEnd {
    Terminal,
    Stuck,
    TooLong,
}

impl<'a, G: StateMachine> ScalarPlayout<'a, G> {
    fn new(game: &'a G, scratch: &'a mut G::Scratch, options: PlayoutOptions<'a>) -> Self {
        let roles = game.roles().len();
        let totals = PlayoutTotals {
            goal_sum: vec![0; roles],
            goal_count: vec![0; roles],
            ..PlayoutTotals::default()
        };
        Self {
            game,
            options,
            scratch,
            moves: Vec::new(),
            joint: Vec::with_capacity(roles),
            totals,
        }
    }

    fn play_all(&mut self, state: &G::State, taken: &AtomicU64) -> Result<(), Stopped> {
        loop {
            let number = taken.fetch_add(1, Ordering::Relaxed);
            if number >= self.options.count {
                return Ok(());
            }
            self.play_one(state.clone(), number)?;
        }
    }

    fn play_one(&mut self, mut state: G::State, number: u64) -> Result<(), Stopped> {
        let mut rng = self.options.generator(number);
        let mut plies = 0;
        let end = loop {
            self.options.deadline.check()?;
            if self.game.is_terminal(self.scratch, &state) {
                break PlayoutEnd::Terminal;
            }
            if plies >= self.options.max_plies {
                break PlayoutEnd::TooLong;
            }
            if !self.choose(&state, &mut rng) {
                break PlayoutEnd::Stuck;
            }
            state = self.game.next(self.scratch, &state, &self.joint);
            plies += 1;
            self.totals.plies += 1;
        };
        self.note(&state, plies, &end);
        match self.game.fault(self.scratch) {
            Some(fault) => Err(Stopped::Fault(fault)),
            None => Ok(()),
        }
    }

    /// Picks a joint move; false where some role has none.
    fn choose(&mut self, state: &G::State, rng: &mut Xoshiro256PlusPlus) -> bool {
        self.joint.clear();
        for role in 0..self.game.roles().len() {
            self.game
                .legal(self.scratch, state, Role(role), &mut self.moves);
            if self.moves.is_empty() {
                return false;
            }
            let pick = rng.random_range(0..self.moves.len());
            self.joint.push(self.moves[pick]);
        }
        true
    }

    fn note(&mut self, state: &G::State, plies: u32, end: &PlayoutEnd) {
        self.totals.playouts += 1;
        self.totals.plies_of_playouts += u64::from(plies);
        match end {
            PlayoutEnd::Stuck => self.totals.stuck += 1,
            PlayoutEnd::TooLong => {
                self.totals.too_long += 1;
                self.totals.plies_of_too_long += u64::from(plies);
            }
            PlayoutEnd::Terminal => {
                for role in 0..self.game.roles().len() {
                    if let Some(goal) = self.game.goal(self.scratch, state, Role(role)) {
                        self.totals.goal_sum[role] += u64::from(goal);
                        self.totals.goal_count[role] += 1;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::util::Deadline;

    fn totals(threads: usize, seed: u64) -> PlayoutTotals {
        let game = Subtraction::new(20, 3);
        let options = PlayoutOptions {
            seed,
            count: 200,
            max_plies: 100,
            threads,
            deadline: &Deadline::default(),
        };
        let (totals, ended) = playouts(&game, &game.initial(), options);
        assert_eq!(ended, Ok(()));
        totals
    }

    #[test]
    fn threads_change_nothing() {
        assert_eq!(totals(4, 7), totals(1, 7));
    }

    #[test]
    fn the_seed_matters_and_every_game_ends() {
        let totals = totals(1, 1);
        assert_ne!(totals, self::totals(1, 2));
        assert_eq!(
            (totals.playouts, totals.stuck, totals.too_long),
            (200, 0, 0)
        );
        assert_eq!(totals.goal_sum.iter().sum::<u64>(), 200 * 100);
        let length = totals.mean_length().unwrap();
        assert!((7.0..20.0).contains(&length), "{length}");
        assert_eq!((totals.ended(), totals.without_goal()), (200, vec![0, 0]));
    }

    #[test]
    fn games_given_up_count_in_no_mean() {
        let totals = totals(1, 1);
        let with_one_given_up = PlayoutTotals {
            playouts: totals.playouts + 1,
            plies_of_playouts: totals.plies_of_playouts + 5000,
            too_long: 1,
            plies_of_too_long: 5000,
            ..totals.clone()
        };
        assert_eq!(with_one_given_up.mean_length(), totals.mean_length());
        assert_eq!(with_one_given_up.ended(), 200);
    }
}
