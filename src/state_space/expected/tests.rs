//! Values on average against those worked out by hand, and by another method.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::tests::{propnet, shipped, space};
use super::*;

fn fraction(numerator: i32, denominator: i32) -> Fraction {
    Fraction::new(numerator.into(), denominator.into())
}

fn play(game: &Propnet, role: usize, facts: Option<&[&str]>) -> ExpectedPlay {
    let values = space(game, 1, true).expected(game, Role(role), &Deadline::default());
    let values = values.unwrap();
    let initial = game.state_text(&game.initial());
    match facts {
        Some(facts) => values.play(game, facts),
        None => values.play(game, &initial),
    }
    .unwrap()
}

#[test]
fn rock_paper_scissors_is_fair_and_signs_are_mixed_evenly() {
    let game = shipped("rock-paper-scissors");
    for role in 0..2 {
        let play = play(&game, role, None);
        assert_eq!(play.value, fraction(50, 1));
        assert_eq!(play.choices.len(), 2);
        for choice in play.choices {
            assert_eq!(choice.moves.len(), 3);
            let fair = |mv: &MoveChance| (mv.chance.clone(), mv.value.clone());
            let fair = choice.moves.iter().map(fair);
            assert!(
                fair.clone()
                    .all(|of| of == (fraction(1, 3), fraction(50, 1)))
            );
        }
    }
    // One round is left, and left leads by one: it gets a draw at worst, and that in one round of three.
    let ahead = ["(round 5)", "(score left 1)", "(score right 0)"];
    let left = play(&game, 0, Some(&ahead));
    assert_eq!(left.value, fraction(250, 3));
}

/// Inspection (Dresher 1962): the evader must act on one of some days, the inspector looks on one of them.
fn inspection(days: usize) -> Propnet {
    let order: String = (1..days)
        .map(|day| format!("(succ {day} {}) ", day + 1))
        .collect();
    let rules = format!(
        "(role evader) (role inspector) (init (day 1)) (init left) {order} (last {days}) \
         (<= (legal evader act) (true (day ?n))) \
         (<= (legal evader wait) (true (day ?n)) (not (last ?n))) \
         (<= (legal inspector rest) (true (day ?n))) \
         (<= (legal inspector look) (true left) (true (day ?n))) \
         (<= (next caught) (does evader act) (does inspector look)) \
         (<= (next escaped) (does evader act) (does inspector rest)) \
         (<= (next (day ?m)) (true (day ?n)) (does evader wait) (succ ?n ?m)) \
         (<= (next left) (true left) (does inspector rest)) \
         (<= terminal (true caught)) (<= terminal (true escaped)) \
         (<= (goal evader 0) (true caught)) (<= (goal inspector 100) (true caught)) \
         (<= (goal evader 100) (true escaped)) (<= (goal inspector 0) (true escaped))"
    );
    propnet("inspection", &rules)
}

#[test]
fn who_acts_on_one_of_n_days_is_caught_once_in_n() {
    for days in 2..=7 {
        let game = inspection(days);
        let days = days as i32;
        let evader = play(&game, 0, None);
        assert_eq!(evader.value, fraction(100 * (days - 1), days));
        let act = evader.choices[0].moves.iter().find(|mv| mv.text == "act");
        assert_eq!(act.unwrap().chance, fraction(1, days));
        assert_eq!(play(&game, 1, None).value, fraction(100, days));
    }
}

#[test]
fn chance_counts_by_its_mean_and_is_known_before_one_chooses() {
    // Stop for 40, or roll: 3 wins, 1 loses, and after 2 one may stop for 60, or roll once more, which must be a 3.
    let rules = "(role random) (role player) (init (at first)) (number 1) (number 2) (number 3) \
        (<= (legal player stop) (true (at first))) (<= (legal player roll) (true (at first))) \
        (<= (legal player stop) (true (at second))) (<= (legal player roll) (true (at second))) \
        (<= (legal random noop) (true (at first))) (<= (legal random noop) (true (at second))) \
        (<= (legal player noop) (true (rolling ?of))) \
        (<= (legal random (face ?n)) (true (rolling ?of)) (number ?n)) \
        (<= (next (rolling ?of)) (true (at ?of)) (does player roll)) \
        (<= (next (stopped ?of)) (true (at ?of)) (does player stop)) \
        (<= (next won) (true (rolling ?of)) (does random (face 3))) \
        (<= (next lost) (true (rolling ?of)) (does random (face 1))) \
        (<= (next (at second)) (true (rolling first)) (does random (face 2))) \
        (<= (next lost) (true (rolling second)) (does random (face 2))) \
        (<= over (true won)) (<= over (true lost)) (<= over (true (stopped ?of))) (<= terminal over) \
        (<= (goal player 100) (true won)) (<= (goal player 0) (true lost)) \
        (<= (goal player 40) (true (stopped first))) (<= (goal player 60) (true (stopped second))) \
        (<= (goal random 0) over)";
    let game = propnet("dice", rules);
    let first = play(&game, 1, None);
    assert_eq!(first.value, fraction(160, 3));
    let roll = &first.choices[0].moves;
    let shown = |mv: &MoveChance| (mv.text.clone(), mv.chance.clone(), mv.value.clone());
    let shown: Vec<_> = roll.iter().map(shown).collect();
    assert!(shown.contains(&("roll".to_owned(), fraction(1, 1), fraction(160, 3))));
    assert!(shown.contains(&("stop".to_owned(), fraction(0, 1), fraction(40, 1))));
    let rolling = play(&game, 1, Some(&["(rolling second)"]));
    assert_eq!(rolling.value, fraction(100, 3));
    assert_eq!(rolling.choices[0].role, Role(0));
    let of_chance = space(&game, 1, true).expected(&game, Role(0), &Deadline::default());
    assert_eq!(of_chance.unwrap_err(), SolveError::Chance);
}

#[test]
fn play_that_comes_back_is_refused() {
    let rules = "(role a) (role random) (init (at home)) \
        (<= (legal a go) (true (at ?x))) (legal random left) (legal random right) \
        (<= (next (at away)) (does random left)) (<= (next (at home)) (does random right)) \
        (<= terminal (true (at away))) (goal a 100) (goal random 0)";
    let game = propnet("walk", rules);
    let why = space(&game, 1, true).expected(&game, Role(0), &Deadline::default());
    assert_eq!(why.unwrap_err(), SolveError::Cyclic);
}

const STATES: u32 = 40;

/// A graph without cycles for roles 0 and 1 and chance, 2: each state leads to later ones.
fn random_part(rng: &mut Xoshiro256PlusPlus) -> GraphPart {
    let mut part = GraphPart::default();
    for state in 0..STATES {
        let left = STATES - state - 1;
        let (kind, widths) = match rng.random_range(0..7) {
            _ if left == 0 => (StateKind::ended(rng.random_range(0..5)).unwrap(), [1; 3]),
            0 => (StateKind::ended(rng.random_range(0..5)).unwrap(), [1; 3]),
            1 => (StateKind::FORCED, [1; 3]),
            2 => (StateKind::SEVERAL, [2, 1, 3]),
            3 => (StateKind::SEVERAL, [2, 2, 2]),
            4 => (StateKind::SEVERAL, [2, 2, 1]),
            role => {
                let role = role - 5 + rng.random_range(0..2);
                let mut widths = [1; 3];
                widths[role] = 3;
                (StateKind::of_role(role).unwrap(), widths)
            }
        };
        let degree = if kind.end().is_some() {
            0
        } else {
            widths.iter().product()
        };
        part.push(state, kind, degree);
        if kind == StateKind::SEVERAL {
            part.widths.push(widths.to_vec());
        }
        part.targets
            .extend((0..degree).map(|_| state + 1 + rng.random_range(0..left)));
    }
    part
}

/// What the rows get of two rows and two columns, by the formula of von Neumann and Morgenstern.
fn two_by_two([[a, b], [c, d]]: [[f64; 2]; 2]) -> f64 {
    let (sure, most) = (a.min(b).max(c.min(d)), a.max(c).min(b.max(d)));
    match sure < most {
        true => (a * d - b * c) / (a + d - b - c),
        false => sure,
    }
}

#[test]
fn random_graphs_have_the_values_of_another_method() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let goals = [0, 30, 50, 70, 100];
    let players = AveragePlayers {
        role: 0,
        other: Some(1),
        chance: Some(2),
    };
    let (mut mixed, mut seen) = (0, 0);
    for _ in 0..200 {
        let part = random_part(&mut rng);
        let mut by_formula = vec![0.0; STATES as usize];
        let mut first = part.targets.len();
        let mut widths = part.widths.iter().rev();
        for state in (0..STATES as usize).rev() {
            first -= usize::from(part.degrees[state]);
            let after = &part.targets[first..][..usize::from(part.degrees[state])];
            let after: Vec<f64> = after.iter().map(|at| by_formula[*at as usize]).collect();
            let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
            let kind = part.kinds[state];
            by_formula[state] = match kind.end() {
                Some(end) => f64::from(goals[end]),
                None if kind == StateKind::SEVERAL => match widths.next().unwrap()[..] {
                    [2, 1, 3] => mean(&after[..3]).max(mean(&after[3..])),
                    [2, 2, chances] => {
                        let of: Vec<f64> = after.chunks(chances.into()).map(mean).collect();
                        mixed += 1;
                        two_by_two([[of[0], of[1]], [of[2], of[3]]])
                    }
                    _ => unreachable!(),
                },
                None => match kind.role() {
                    Some(0) => after.iter().copied().fold(0.0, f64::max),
                    Some(1) => after.iter().copied().fold(100.0, f64::min),
                    _ => mean(&after),
                },
            };
        }
        let parts = [part];
        let work = Backwards {
            players: &players,
            roles: 3,
            goals: goals.iter().map(|goal| fraction(*goal, 1)).collect(),
            graph: ForwardGraph::new(&parts, STATES as usize).unwrap(),
            values: vec![None; STATES as usize],
        };
        let values = work.run(0, &Deadline::default()).unwrap();
        // Those that the first state does not lead to have no value.
        for (value, expected) in values
            .iter()
            .zip(&by_formula)
            .filter(|(value, _)| **value > fraction(0, 1))
        {
            let value = number(value);
            assert!((value - expected).abs() < 1e-6, "{value} {expected}");
            seen += 1;
        }
    }
    assert!(mixed > 500 && seen > 1_000, "{mixed} {seen}");
}

fn number(value: &Fraction) -> f64 {
    let scaled: BigInt = value.numer() * 1_000_000_000_000_u64 / value.denom();
    u64::try_from(scaled).unwrap() as f64 / 1e12
}
