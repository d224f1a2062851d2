//! Random games: how long they last, how they end, how fast they go.

use std::sync::atomic::{AtomicU64, Ordering};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::analysis::{Limits, Stopped};
use crate::game::{Game, Role};

/// How to play at random: every role picks uniformly among its legal moves.
#[derive(Debug, Clone, Copy)]
pub struct Playouts<'s> {
    /// Playout `k` depends on this and on `k` alone, not on the thread that plays it.
    pub seed: u64,
    /// How many to play at most.
    pub count: u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// How many threads play.
    pub threads: usize,
    /// When to end before the count is reached.
    pub limits: Limits<'s>,
}

/// What happened in all playouts together. Sums of whole numbers, so that the order of playing does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayoutTotals {
    /// Joint moves made, those in unfinished games included.
    pub plies: u64,
    /// Games that ended, got stuck, or were given up.
    pub playouts: u64,
    /// Joint moves made in these games.
    pub plies_of_playouts: u64,
    /// Games in which some role was left without a move before the end.
    pub stuck: u64,
    /// Games given up because they were too long.
    pub too_long: u64,
    /// Per role, the sum of the goals at the ends.
    pub goal_sum: Vec<u64>,
    /// Per role, the number of ends that give it a goal.
    pub goal_count: Vec<u64>,
}

impl PlayoutTotals {
    /// The mean number of joint moves in a game.
    pub fn mean_length(&self) -> Option<f64> {
        mean(self.plies_of_playouts, self.playouts)
    }

    /// The mean goal of each role at the ends that give it one.
    pub fn mean_goals(&self) -> Vec<Option<f64>> {
        let sums = self.goal_sum.iter().zip(&self.goal_count);
        sums.map(|(&sum, &count)| mean(sum, count)).collect()
    }

    fn add(&mut self, other: &Self) {
        self.plies += other.plies;
        self.playouts += other.playouts;
        self.plies_of_playouts += other.plies_of_playouts;
        self.stuck += other.stuck;
        self.too_long += other.too_long;
        add_each(&mut self.goal_sum, &other.goal_sum);
        add_each(&mut self.goal_count, &other.goal_count);
    }
}

fn mean(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

fn add_each(sums: &mut Vec<u64>, more: &[u64]) {
    sums.resize(sums.len().max(more.len()), 0);
    for (sum, more) in sums.iter_mut().zip(more) {
        *sum += more;
    }
}

/// Plays at random from `state`, and says what came of it, and why it ended before the count was reached.
pub fn playouts<G: Game>(
    game: &G,
    state: &G::State,
    options: Playouts<'_>,
) -> (PlayoutTotals, Result<(), Stopped>) {
    let taken = AtomicU64::new(0);
    let work = || {
        let mut player = Player::new(game, options);
        let ended = player.play_all(state, &taken);
        (player.totals, ended)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..options.threads).map(|_| scope.spawn(work)).collect();
        let (mut totals, mut ended) = work();
        for other in others {
            match other.join() {
                Ok((more, stopped)) => {
                    totals.add(&more);
                    ended = ended.and(stopped);
                }
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        (totals, ended)
    })
}

/// One thread's working memory.
struct Player<'a, G: Game> {
    game: &'a G,
    options: Playouts<'a>,
    scratch: G::Scratch,
    moves: Vec<G::Move>,
    joint: Vec<G::Move>,
    totals: PlayoutTotals,
}

enum End {
    Terminal,
    Stuck,
    TooLong,
}

impl<'a, G: Game> Player<'a, G> {
    fn new(game: &'a G, options: Playouts<'a>) -> Self {
        let roles = game.roles().len();
        let totals = PlayoutTotals {
            goal_sum: vec![0; roles],
            goal_count: vec![0; roles],
            ..PlayoutTotals::default()
        };
        Self {
            game,
            options,
            scratch: game.scratch(),
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
        let mut rng = generator(self.options.seed, number);
        let mut plies = 0;
        let end = loop {
            self.options.limits.check()?;
            if self.game.is_terminal(&mut self.scratch, &state) {
                break End::Terminal;
            }
            if plies >= self.options.max_plies {
                break End::TooLong;
            }
            if !self.choose(&state, &mut rng) {
                break End::Stuck;
            }
            state = self.game.next(&mut self.scratch, &state, &self.joint);
            plies += 1;
            self.totals.plies += 1;
        };
        self.note(&state, plies, &end);
        match self.game.fault(&self.scratch) {
            Some(fault) => Err(Stopped::Fault(fault)),
            None => Ok(()),
        }
    }

    /// Picks a joint move; false where some role has none.
    fn choose(&mut self, state: &G::State, rng: &mut Xoshiro256PlusPlus) -> bool {
        self.joint.clear();
        for role in 0..self.game.roles().len() {
            self.game
                .legal(&mut self.scratch, state, Role(role), &mut self.moves);
            if self.moves.is_empty() {
                return false;
            }
            let pick = rng.random_range(0..self.moves.len());
            self.joint.push(self.moves[pick]);
        }
        true
    }

    fn note(&mut self, state: &G::State, plies: u32, end: &End) {
        self.totals.playouts += 1;
        self.totals.plies_of_playouts += u64::from(plies);
        match end {
            End::Stuck => self.totals.stuck += 1,
            End::TooLong => self.totals.too_long += 1,
            End::Terminal => {
                for role in 0..self.game.roles().len() {
                    if let Some(goal) = self.game.goal(&mut self.scratch, state, Role(role)) {
                        self.totals.goal_sum[role] += u64::from(goal);
                        self.totals.goal_count[role] += 1;
                    }
                }
            }
        }
    }
}

/// The generator of playout `number`: seeded by both numbers, spread by an odd constant so that neighbours differ.
fn generator(seed: u64, number: u64) -> Xoshiro256PlusPlus {
    const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
    Xoshiro256PlusPlus::seed_from_u64(seed.wrapping_add(number.wrapping_mul(GOLDEN)))
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use crate::game::toy::Subtraction;

    fn totals(threads: usize, seed: u64) -> PlayoutTotals {
        let game = Subtraction::new(20, 3);
        let stop = AtomicBool::new(false);
        let options = Playouts {
            seed,
            count: 200,
            max_plies: 100,
            threads,
            limits: Limits {
                stop: &stop,
                deadline: None,
            },
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
    }
}
