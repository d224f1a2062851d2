//! Random games. Where that is faster, a thread interleaves several of them, so that the processor works on one while
//! another one waits for memory.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use pulp::NullaryFnOnce;
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::{PlayoutOptions, PlayoutTotals, Stopped};
use crate::native::move_set::MoveSet;
use crate::native::rules::NativeRules;

/// How many games a thread takes at a time.
const CHUNK: u64 = 64;
/// The number of plies per lane between two checks of the limits.
const PLIES_PER_CHECK: u32 = 1 << 10;

/// What all threads share.
pub(super) struct PlayoutWork<'w, R: NativeRules> {
    pub(super) rules: &'w R,
    pub(super) start: &'w R::State,
    pub(super) options: PlayoutOptions<'w>,
    /// How many games have been taken.
    pub(super) taken: AtomicU64,
}

/// A game in progress.
struct PlayoutLane<R: NativeRules> {
    position: R::State,
    moves: R::Moves,
    chance: Xoshiro256PlusPlus,
    plies: u32,
}

/// What has happened in one thread.
#[derive(Default)]
struct PlayoutCounts {
    playouts: u64,
    plies: u64,
    stuck: u64,
    too_long: u64,
    plies_of_too_long: u64,
    goal_sum: [u64; 2],
    goal_count: u64,
}

/// What one thread does, in code made for the processor at hand.
impl<R: NativeRules> NullaryFnOnce for &PlayoutWork<'_, R> {
    type Output = (PlayoutTotals, Result<(), Stopped>);

    #[inline(always)]
    fn call(self) -> Self::Output {
        let (mut tally, mut chunk) = (PlayoutCounts::default(), 0..0);
        let mut lanes = Vec::with_capacity(R::LANES);
        let start = |chunk: &mut Range<u64>| Some(self.start(self.next_number(chunk)?));
        lanes.extend((0..R::LANES).map_while(|_| start(&mut chunk)));
        let mut ended = Ok(());
        while !lanes.is_empty() && ended.is_ok() {
            ended = self.options.deadline.check().map_err(Stopped::from);
            for _ in 0..PLIES_PER_CHECK {
                if lanes.is_empty() {
                    break;
                }
                let mut index = 0;
                while index < lanes.len() {
                    if !self.advance(&mut lanes[index], &mut tally) {
                        match start(&mut chunk) {
                            Some(lane) => lanes[index] = lane,
                            None => {
                                lanes.swap_remove(index);
                            }
                        }
                    }
                    index += 1;
                }
            }
        }
        let unfinished: u64 = lanes.iter().map(|lane| u64::from(lane.plies)).sum();
        (tally.totals(unfinished), ended)
    }
}

impl<R: NativeRules> PlayoutWork<'_, R> {
    fn next_number(&self, chunk: &mut Range<u64>) -> Option<u64> {
        if chunk.is_empty() {
            let begin = self.taken.fetch_add(CHUNK, Ordering::Relaxed);
            *chunk = begin..(begin + CHUNK).min(self.options.count);
        }
        chunk.next()
    }

    #[inline(always)]
    fn start(&self, number: u64) -> PlayoutLane<R> {
        PlayoutLane {
            position: *self.start,
            moves: self.rules.moves(self.start),
            chance: self.options.generator(number),
            plies: 0,
        }
    }

    /// Makes one move; false where the game is over instead.
    #[inline(always)]
    fn advance(&self, lane: &mut PlayoutLane<R>, tally: &mut PlayoutCounts) -> bool {
        if self.rules.is_over(&lane.position, &lane.moves) {
            let goals = self.rules.goals(&lane.position, &lane.moves);
            tally.end(lane.plies, goals);
            return false;
        }
        if lane.plies >= self.options.max_plies {
            tally.too_long += 1;
            tally.plies_of_too_long += u64::from(lane.plies);
            tally.end(lane.plies, None);
            return false;
        }
        let Some(index) = lane.moves.draw(lane.chance.next_u64()) else {
            tally.stuck += 1;
            tally.end(lane.plies, None);
            return false;
        };
        let mv = self.rules.move_at(&lane.position, index);
        (lane.position, lane.moves) = self.rules.play(&lane.position, mv);
        lane.plies += 1;
        true
    }
}

impl PlayoutCounts {
    fn end(&mut self, plies: u32, goals: Option<[u8; 2]>) {
        self.playouts += 1;
        self.plies += u64::from(plies);
        if let Some(goals) = goals {
            self.goal_count += 1;
            self.goal_sum[0] += u64::from(goals[0]);
            self.goal_sum[1] += u64::from(goals[1]);
        }
    }

    fn totals(self, plies_of_unfinished: u64) -> PlayoutTotals {
        PlayoutTotals {
            plies: self.plies + plies_of_unfinished,
            playouts: self.playouts,
            plies_of_playouts: self.plies,
            stuck: self.stuck,
            too_long: self.too_long,
            plies_of_too_long: self.plies_of_too_long,
            goal_sum: self.goal_sum.to_vec(),
            goal_count: vec![self.goal_count; 2],
        }
    }
}
