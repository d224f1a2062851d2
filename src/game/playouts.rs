//! Random games: their lengths, ends and speed.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{Role, StateMachine, Stopped};
use crate::util::Deadline;

/// An engine that plays many random games.
pub trait Playouts: StateMachine {
    /// The number of games that one thread advances together, if at least as many are played.
    fn lanes(&self) -> usize;

    /// The number of games that each of `threads` threads advances together, where `count` games are played.
    fn lanes_for(&self, count: u64, threads: usize) -> usize {
        let _ = (count, threads);
        self.lanes()
    }

    /// Plays at random from `state`. Returns the totals, and why it ended before the count was reached.
    fn playouts(
        &self,
        state: &Self::State,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>);

    /// Whether [`Playouts::rollouts`] counts facts. Then the engine has game facts.
    fn tracks_facts(&self) -> bool {
        false
    }

    /// Plays a few random games from each of many states, on one thread, and replaces the contents of `ends` by their
    /// ends: the games from state number `k` are those of [`RolloutOptions::from_state`]. Counts the tracked facts at the ends,
    /// if [`Playouts::tracks_facts`].
    ///
    /// # Errors
    /// Says why it ended before all games were played; then `ends` means nothing.
    fn rollouts(
        &self,
        scratch: &mut Self::Scratch,
        states: &[Self::State],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped>;
}

/// How to play at random from many states.
#[derive(Debug, Clone, Copy)]
pub struct RolloutOptions<'s> {
    /// The seed.
    pub seed: u64,
    /// How many games to play from each state.
    pub each: u32,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// Facts that are counted at the ends of the games; ignored where [`Playouts::tracks_facts`] is false.
    pub tracked: &'s [TrackedFact],
    /// When to end before all games are played.
    pub deadline: &'s Deadline,
}

/// A fact that is counted at the ends of games, and the role whose goals in these games are added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TrackedFact {
    /// The number of the fact in the game facts.
    pub fact: u32,
    /// The role.
    pub role: Role,
}

impl<'s> RolloutOptions<'s> {
    /// The seed of the games from the state of this number.
    pub fn seed_of(&self, number: usize) -> u64 {
        // Odd, and another one than that of `PlayoutOptions::generator`, so that no two games are alike.
        const STRIDE: u64 = 0xd1b5_4a32_d192_ed03;
        self.seed.wrapping_add((number as u64).wrapping_mul(STRIDE))
    }

    /// The same games, from the state of this number alone.
    pub fn from_state(&self, number: usize) -> PlayoutOptions<'s> {
        PlayoutOptions {
            seed: self.seed_of(number),
            count: self.each.into(),
            max_plies: self.max_plies,
            threads: 1,
            deadline: self.deadline,
        }
    }
}

/// How the games of [`Playouts::rollouts`] ended.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ends {
    roles: usize,
    /// Per state and role, the sum of the goals, and the number of ends that give one.
    goals: Vec<(u64, u64)>,
    tracked: usize,
    /// Per state and tracked fact, the sum of the goals, and the number of ends that give one.
    facts: Vec<(u64, u64)>,
}

impl Ends {
    /// Clears the ends and makes room for `states` states, `roles` roles and `tracked` facts.
    pub fn begin(&mut self, states: usize, roles: usize, tracked: usize) {
        self.roles = roles;
        self.goals.clear();
        self.goals.resize(states * roles, (0, 0));
        self.tracked = tracked;
        self.facts.clear();
        self.facts.resize(states * tracked, (0, 0));
    }

    /// Adds `count` ends of games from a state, whose goals for a role add up to `sum`.
    pub fn add(&mut self, state: usize, role: usize, sum: u64, count: u64) {
        let goals = &mut self.goals[state * self.roles + role];
        *goals = (goals.0 + sum, goals.1 + count);
    }

    /// The sum of the goals of a role in games from a state, and the number of ends that give it one.
    pub fn goals(&self, state: usize, role: usize) -> (u64, u64) {
        self.goals[state * self.roles + role]
    }

    /// Adds ends of games from a state. By tracked fact: the sum of the goals of its role in those games at whose end it holds, and how
    /// many of these games give it one.
    pub fn add_facts(&mut self, state: usize, counted: &[(u32, u32)]) {
        let facts = &mut self.facts[state * self.tracked..][..self.tracked];
        for (fact, &(sum, count)) in facts.iter_mut().zip(counted) {
            *fact = (fact.0 + u64::from(sum), fact.1 + u64::from(count));
        }
    }

    /// By tracked fact: the sum of the goals of its role in the games from a state at whose end it holds, and how many of these
    /// games give it one. Empty where the engine counts no facts.
    pub fn facts(&self, state: usize) -> &[(u64, u64)] {
        &self.facts[state * self.tracked..][..self.tracked]
    }
}

/// How to play at random: every role picks uniformly among its legal moves.
#[derive(Debug, Clone, Copy)]
pub struct PlayoutOptions<'s> {
    /// The seed. For one engine and one count the totals depend on this alone, not on the number of threads.
    pub seed: u64,
    /// How many to play at most.
    pub count: u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// How many threads play.
    pub threads: usize,
    /// When to end before the count is reached.
    pub deadline: &'s Deadline,
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
    /// Joint moves made in the games given up.
    pub plies_of_too_long: u64,
    /// Per role, the sum of the goals at the ends.
    pub goal_sum: Vec<u64>,
    /// Per role, the number of ends that give it a goal.
    pub goal_count: Vec<u64>,
}

impl PlayoutTotals {
    /// The mean number of joint moves in a game, those given up left out.
    pub fn mean_length(&self) -> Option<f64> {
        mean(
            self.plies_of_playouts - self.plies_of_too_long,
            self.playouts - self.too_long,
        )
    }

    /// How many games the rules ended.
    pub fn ended(&self) -> u64 {
        self.playouts - self.stuck - self.too_long
    }

    /// Per role, how many of the games that the rules ended give it no goal, or several.
    pub fn without_goal(&self) -> Vec<u64> {
        let counts = self.goal_count.iter();
        counts.map(|count| self.ended() - count).collect()
    }

    /// The mean goal of each role at the ends that give it one.
    pub fn mean_goals(&self) -> Vec<Option<f64>> {
        let sums = self.goal_sum.iter().zip(&self.goal_count);
        sums.map(|(&sum, &count)| mean(sum, count)).collect()
    }

    /// Adds the goals to those of games from state number `state`.
    pub(crate) fn report(&self, state: usize, ends: &mut Ends) {
        let goals = self.goal_sum.iter().zip(&self.goal_count);
        for (role, (&sum, &count)) in goals.enumerate() {
            ends.add(state, role, sum, count);
        }
    }

    fn add(&mut self, other: &Self) {
        self.plies += other.plies;
        self.playouts += other.playouts;
        self.plies_of_playouts += other.plies_of_playouts;
        self.stuck += other.stuck;
        self.too_long += other.too_long;
        self.plies_of_too_long += other.plies_of_too_long;
        add_each(&mut self.goal_sum, &other.goal_sum);
        add_each(&mut self.goal_count, &other.goal_count);
    }
}

impl PlayoutOptions<'_> {
    /// The generator of playout `number`: seeded by both numbers, spread by an odd constant so that neighbours differ.
    pub fn generator(&self, number: u64) -> Xoshiro256PlusPlus {
        const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
        let spread = number.wrapping_mul(GOLDEN);
        Xoshiro256PlusPlus::seed_from_u64(self.seed.wrapping_add(spread))
    }

    /// Lets every thread do `work`, and adds up what comes of it.
    pub fn in_threads(
        &self,
        work: impl Fn() -> (PlayoutTotals, Result<(), Stopped>) + Sync,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        std::thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|_| scope.spawn(&work)).collect();
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
