//! Whether an engine plays the game that its rules describe, tried out before it is used.

use std::time::{Duration, Instant};

use crate::conformance::{Agreement, DifferentialTest, Divergence, differential_test};
use crate::datalog;
use crate::engine::Reasoner;
use crate::game::{Fault, StateMachine, Stopped};
use crate::gdl::Rules;
use crate::util::{Deadline, StopFlag};

/// The most games, and the plies of each.
const GAMES: u64 = 8;
const PLIES: u32 = 50;

/// The first game may take this multiple of the time for all games.
const FIRST_GAME_FACTOR: u32 = 3;

/// Compares a few hundred random plies of `game` with a reasoner made from `rules`, for about `time`. In large games that
/// is enough for a few plies, or for none; the comparisons made in time count. Building the reasoner is part of the time;
/// if it cannot be built, nothing is compared, and [`Agreement::stopped`] is the reason.
///
/// # Errors
/// The first difference.
pub fn self_check<G: StateMachine>(
    rules: &Rules,
    game: &G,
    time: Duration,
    stop: &StopFlag,
) -> Result<Agreement, Box<Divergence>> {
    let begin = Instant::now();
    // Also a single state ends in time.
    let limits = datalog::EvaluationLimits {
        time: time * FIRST_GAME_FACTOR,
        stop: stop.clone(),
        ..datalog::EvaluationLimits::default()
    };
    let reasoner = match Reasoner::unprofiled(rules, limits) {
        Ok(reasoner) => reasoner,
        Err(why) => return Ok(nothing(Fault(why.to_string()).into())),
    };
    let compare = |seed, games, time| {
        let deadline = &Deadline::new(Some(begin + time), stop);
        let options = DifferentialTest {
            seed,
            games,
            max_plies: PLIES,
            deadline,
        };
        differential_test(&reasoner, game, options)
    };
    let first = compare(0, 1, time * FIRST_GAME_FACTOR)?;
    let rest = compare(1, GAMES - 1, time)?;
    Ok(Agreement {
        states: first.states + rest.states,
        ended: first.ended + rest.ended,
        stopped: first.stopped.or(rest.stopped),
    })
}

/// Nothing was seen, and why.
fn nothing(why: Stopped) -> Agreement {
    Agreement {
        stopped: Some(why),
        ..Agreement::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl;

    /// Two count down in turn; who says zero loses.
    const RULES: &str = "
        (role odd) (role even)
        (init (left 9)) (init (turn odd))
        (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (succ 5 6) (succ 6 7) (succ 7 8) (succ 8 9)
        (<= (legal ?p (say ?n)) (true (turn ?p)) (true (left ?m)) (succ ?n ?m))
        (<= (legal ?p (say ?n)) (true (turn ?p)) (true (left ?m)) (succ ?n ?k) (succ ?k ?m))
        (<= (legal ?p noop) (role ?p) (not (true (turn ?p))))
        (<= (next (left ?n)) (does ?p (say ?n)))
        (<= (next (turn odd)) (true (turn even)))
        (<= (next (turn even)) (true (turn odd)))
        (<= terminal (true (left 0)))
        (<= (goal ?p 100) (true (turn ?p)))
        (<= (goal ?p 0) (role ?p) (not (true (turn ?p))))";

    fn rules(text: &str) -> Rules {
        gdl::load(text).rules.unwrap()
    }

    /// What is said of an engine for which the rules read otherwise in one place.
    fn checked(from: &str, to: &str) -> Result<Agreement, String> {
        assert!(RULES.contains(from));
        let wrong = Reasoner::new(&rules(&RULES.replacen(from, to, 1))).unwrap();
        let checked = self_check(
            &rules(RULES),
            &wrong,
            Duration::from_secs(30),
            &StopFlag::default(),
        );
        checked.map_err(|apart| apart.difference.report("rules", "engine"))
    }

    #[test]
    fn an_engine_that_plays_by_the_rules_passes() {
        let seen = checked("(init (left 9))", "(init (left 9))").unwrap();
        assert_eq!((seen.ended, seen.stopped), (GAMES as usize, None));
    }

    #[test]
    fn a_wrong_engine_is_found_out() {
        let error = |from, to| checked(from, to).unwrap_err();
        assert_eq!(
            error("(init (left 9))", "(init (left 8))"),
            "after 0 plies the state differs; rules only: (left 9); engine only: (left 8)"
        );
        let late = error("(succ 2 3)", "(succ 2 4)");
        assert!(
            late.contains("what odd may do differs") || late.contains("what even may do differs"),
            "{late}"
        );
        let end = error("(true (left 0))", "(true (left 1))");
        assert!(end.contains("the end of the game differs"), "{end}");
        let goal = error("(goal ?p 100)", "(goal ?p 99)");
        assert!(goal.contains("the goal of odd differs"), "{goal}");
        let next = error("(next (turn odd))", "(next (turn even))");
        assert!(
            next.contains("the state differs; rules only: (turn odd)"),
            "{next}"
        );
    }

    #[test]
    fn without_time_nothing_is_said() {
        let game = Reasoner::new(&rules(RULES)).unwrap();
        let seen = self_check(&rules(RULES), &game, Duration::ZERO, &StopFlag::default()).unwrap();
        assert_eq!((seen.states, seen.stopped.is_some()), (0, true));
        assert_eq!(seen.to_string(), "no state could be compared in time");
    }

    #[test]
    fn without_a_reasoner_it_is_said_why() {
        let game = Reasoner::new(&rules(RULES)).unwrap();
        // The reasoner checks the deadline before it has derived all these moves.
        let digits: String = (0..20).map(|n| format!("(d {n})")).collect();
        let many = format!(
            "{digits} (role odd) (init now) (<= (next now) (true now)) (<= terminal (not (true now))) (goal odd 0)
            (<= (legal odd (say ?v ?w ?x ?y)) (d ?v) (d ?w) (d ?x) (d ?y))"
        );
        let stop = StopFlag::default();
        stop.raise();
        let hour = Duration::from_secs(3600);
        let seen = self_check(&rules(&many), &game, hour, &stop).unwrap();
        let text = seen.to_string();
        assert!(
            text.starts_with("no state could be compared: the rules cannot be evaluated"),
            "{text}"
        );
    }
}
