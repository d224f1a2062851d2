//! Do the engines say the same? Paths are counted on each, and random games are played on two at once.

use std::time::{Duration, Instant};

use rayon::ThreadPool;
use serde::Serialize;

use super::OnProgress;
use super::engines::ComparedEngine;
use crate::conformance::{Difference, DifferentialTest, Divergence, Recorded, compare_walks};
use crate::game::Stopped;
use crate::util::{Deadline, Expired, StopFlag};

/// A random game that is longer is left.
const MAX_PLIES: u32 = 10_000;
/// Deeper than any count that ends.
const MAX_DEPTH: u32 = 200;

/// The numbers of paths of one length, engine by engine; `None` where counting would have taken too long.
#[derive(Debug, Clone, Serialize)]
pub struct DepthCounts {
    /// The length of the paths.
    pub depth: u32,
    /// How many there are.
    pub paths: Vec<Option<u64>>,
    /// How long counting took.
    #[serde(skip)]
    pub times: Vec<Option<Duration>>,
}

impl DepthCounts {
    /// How many engines have counted to this depth.
    pub fn counted(&self) -> usize {
        self.paths.iter().flatten().count()
    }

    /// Whether several engines have found paths so long.
    pub fn is_compared(&self) -> bool {
        self.counted() > 1 && self.paths.iter().flatten().all(|&paths| paths > 0)
    }

    /// Whether all that have counted found the same number.
    pub fn agrees(&self) -> bool {
        let mut counted = self.paths.iter().flatten();
        let first = counted.next();
        counted.all(|paths| Some(paths) == first)
    }
}

/// Counts deeper and deeper, each engine for at most `budget`, and adds what it finds to `depths`.
///
/// # Errors
/// The user has had enough, or an engine ran out of a budget.
pub(super) fn count_paths(
    engines: &[ComparedEngine],
    pool: &ThreadPool,
    (budget, stop): (Duration, &StopFlag),
    depths: &mut Vec<DepthCounts>,
    progress: &mut OnProgress<'_>,
) -> Result<(), Stopped> {
    let mut left = vec![budget; engines.len()];
    for depth in 1..=MAX_DEPTH {
        let mut level = DepthCounts {
            depth,
            paths: vec![None; engines.len()],
            times: vec![None; engines.len()],
        };
        for (index, engine) in engines.iter().enumerate() {
            if left[index].is_zero() {
                continue;
            }
            let doing = format!("perft: {}, depth {depth}", engine.name());
            progress(share_spent(&left, budget), &doing);
            let deadline = Deadline::new(Some(Instant::now() + left[index]), stop);
            match engine.paths(pool, depth, &deadline) {
                Ok(count) => {
                    level.paths[index] = Some(count.paths);
                    level.times[index] = Some(count.time);
                    left[index] = left[index].saturating_sub(count.time);
                }
                Err(Stopped::Expired(Expired::OutOfTime)) => left[index] = Duration::ZERO,
                Err(why) => return Err(why),
            }
        }
        let is_done = level.counted() == 0 || level.paths.iter().flatten().all(|&paths| paths == 0);
        if level.counted() > 0 {
            depths.push(level);
        }
        if is_done {
            break;
        }
    }
    Ok(())
}

/// How much of all engines' budgets is spent.
pub(super) fn share_spent(left: &[Duration], budget: Duration) -> f64 {
    let whole = budget * left.len() as u32;
    1.0 - left.iter().sum::<Duration>().div_duration_f64(whole)
}

/// How far the differential test of two engines went.
#[derive(Debug, Clone, Serialize)]
pub struct AgreedStates {
    /// The engines.
    pub engines: [&'static str; 2],
    /// States compared, counted once per visit.
    pub states: u64,
    /// How many random games.
    pub games: u64,
    /// How long it took.
    pub seconds: f64,
}

/// The first difference between two engines.
#[derive(Debug, Clone, Serialize)]
pub struct EngineDifference {
    /// The engines.
    pub engines: [&'static str; 2],
    /// The joint moves made until then.
    pub moves: Vec<Vec<String>>,
    /// How many they are.
    pub ply: usize,
    /// What differs.
    pub what: String,
    /// What only the first engine says, and what only the second one says.
    pub only: [Vec<String>; 2],
    /// The facts that hold according to each.
    pub states: [Vec<String>; 2],
}

/// Random games of two engines.
pub(super) struct EnginePair<'p> {
    pub(super) engines: [&'p ComparedEngine; 2],
    /// How many states are to be compared at least; where there is none, time decides.
    pub(super) states: Option<u64>,
    pub(super) seed: u64,
    pub(super) deadline: &'p Deadline,
}

impl EnginePair<'_> {
    /// How much of the way has been gone.
    fn share(&self, states: u64, begin: Instant) -> f64 {
        let elapsed = begin.elapsed().as_secs_f64();
        match (self.states, self.deadline.at) {
            (Some(wanted), _) => states as f64 / wanted as f64,
            (None, Some(end)) => elapsed / (end - begin).as_secs_f64(),
            (None, None) => 0.0,
        }
    }

    fn names(&self) -> [&'static str; 2] {
        self.engines.map(ComparedEngine::name)
    }

    /// Plays until there were enough states, time is up or the user has had enough. The engines take turns at leading.
    ///
    /// # Errors
    /// An engine ran out of a budget.
    pub(super) fn walk(
        &self,
        progress: &mut OnProgress<'_>,
    ) -> Result<Result<AgreedStates, Box<EngineDifference>>, Stopped> {
        let begin = Instant::now();
        let names = self.names();
        let mut walks = self.engines.map(ComparedEngine::walk);
        let mut walked = AgreedStates {
            engines: names,
            states: 0,
            games: 0,
            seconds: 0.0,
        };
        while self.states.is_none_or(|wanted| walked.states < wanted) {
            let [one, other] = names;
            let states = walked.states;
            let doing = format!("differential test: {one} and {other}, {states} states");
            progress(self.share(states, begin), &doing);
            let leads = (walked.games % 2) as usize;
            if leads == 1 {
                walks.reverse();
            }
            let [leader, follower] = &mut walks;
            let options = DifferentialTest {
                seed: self.seed.wrapping_add(walked.games),
                games: 1,
                max_plies: MAX_PLIES,
                deadline: self.deadline,
            };
            let ended = compare_walks(&mut **leader, &mut **follower, options);
            if leads == 1 {
                walks.reverse();
            }
            match ended {
                Err(divergence) => return Ok(Err(Box::new(self.difference(*divergence, leads)))),
                Ok(seen) => {
                    walked.states += seen.states as u64;
                    walked.games += u64::from(seen.states > 0);
                    match seen.stopped {
                        None => {}
                        Some(Stopped::Expired(_)) => break,
                        Some(why) => return Err(why),
                    }
                }
            }
        }
        walked.seconds = begin.elapsed().as_secs_f64();
        Ok(Ok(walked))
    }

    fn difference(&self, divergence: Divergence, leads: usize) -> EngineDifference {
        let Divergence { moves, difference } = divergence;
        let Difference {
            ply,
            what,
            only_recorded,
            only_derived,
        } = difference;
        let mut only = [only_recorded, only_derived];
        only.rotate_left(leads);
        let states = self.engines.map(|engine| {
            let mut walk = engine.walk();
            for joint in &moves {
                let made = Recorded {
                    moves: Some(joint.clone()),
                    ..Recorded::default()
                };
                // Until here both agreed that these moves could be made.
                let _ = walk.follow(&made);
            }
            walk.facts()
        });
        EngineDifference {
            engines: self.names(),
            moves,
            ply,
            what,
            only,
            states,
        }
    }
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::session::Game;

    #[test]
    fn a_game_of_which_nothing_was_seen_does_not_count() {
        let one = ComparedEngine {
            name: "one",
            game: Game::from_engine("one", Subtraction::new(9, 3)),
        };
        let pair = EnginePair {
            engines: [&one, &one],
            states: None,
            seed: 1,
            deadline: &Deadline::new(Some(Instant::now()), &StopFlag::default()),
        };
        let agreed = pair.walk(&mut |_, _| {}).unwrap().unwrap();
        assert_eq!((agreed.states, agreed.games), (0, 0));
    }
}
