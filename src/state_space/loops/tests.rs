//! Attractors against all strategies, one by one.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::super::tests::{kolibrat, propnet, shipped, space};
use super::*;

const STATES: usize = 6;
const ROLES: usize = 2;

/// A game of two roles, each state with its moves: `after[own][other]`. Ends have none.
struct RandomGame(Vec<Vec<Vec<usize>>>);

impl RandomGame {
    fn new(rng: &mut Xoshiro256PlusPlus) -> Self {
        let mut state = || {
            if rng.random_range(0..4) == 0 {
                return Vec::new();
            }
            let widths = match rng.random_range(0..4) {
                0 => [1, 1],
                1 => [rng.random_range(2..4), 1],
                2 => [1, rng.random_range(2..4)],
                _ => [2, rng.random_range(2..4)],
            };
            let mut row = || {
                (0..widths[1])
                    .map(|_| rng.random_range(0..STATES))
                    .collect()
            };
            (0..widths[0]).map(|_| row()).collect()
        };
        Self((0..STATES).map(|_| state()).collect())
    }

    fn parts(&self) -> Vec<GraphPart> {
        let mut part = GraphPart::default();
        for (state, after) in self.0.iter().enumerate() {
            let widths = [after.len(), after.first().map_or(0, Vec::len)];
            let kind = match widths {
                [0, _] => StateKind::ended(0).unwrap(),
                [1, 1] => StateKind::FORCED,
                [_, 1] => StateKind::of_role(0).unwrap(),
                [1, _] => StateKind::of_role(1).unwrap(),
                _ => StateKind::SEVERAL,
            };
            if kind == StateKind::SEVERAL {
                part.widths.push(widths.map(|of| of as u16).to_vec());
            }
            part.push(state as u32, kind, (widths[0] * widths[1]) as u16);
            let targets = after.iter().flatten().map(|target| *target as u32);
            part.targets.extend(targets);
        }
        vec![part]
    }

    /// The states that may follow `state` when a role makes this move.
    fn following(&self, state: usize, role: usize, own: usize) -> Vec<usize> {
        let after = &self.0[state];
        match role {
            0 => after[own].clone(),
            _ => after.iter().map(|row| row[own]).collect(),
        }
    }

    fn moves(&self, state: usize, role: usize) -> usize {
        match role {
            0 => self.0[state].len(),
            _ => self.0[state].first().map_or(0, Vec::len),
        }
    }

    /// Whether one of all strategies, which name a move for every state, never leads from `first` to an end.
    fn can(&self, first: usize, role: usize) -> bool {
        let moves: Vec<usize> = (0..STATES).map(|state| self.moves(state, role)).collect();
        let strategies: usize = moves.iter().map(|moves| (*moves).max(1)).product();
        (0..strategies).any(|mut strategy| {
            let choice: Vec<usize> = moves
                .iter()
                .map(|moves| {
                    let moves = (*moves).max(1);
                    let own = strategy % moves;
                    strategy /= moves;
                    own
                })
                .collect();
            let (mut seen, mut open) = ([false; STATES], vec![first]);
            while let Some(state) = open.pop() {
                if self.0[state].is_empty() {
                    return false;
                }
                if !std::mem::replace(&mut seen[state], true) {
                    open.extend(self.following(state, role, choice[state]));
                }
            }
            true
        })
    }
}

#[test]
fn who_can_has_a_strategy() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut seen = [[0; 2]; ROLES];
    for _ in 0..1_000 {
        let game = RandomGame::new(&mut rng);
        let deadline = Deadline::default();
        let can = endless_states(game.parts(), STATES, ROLES, true, &deadline).unwrap();
        for (role, can) in can.iter().enumerate() {
            for (state, can) in can.iter().enumerate() {
                assert_eq!(
                    *can,
                    game.can(state, role),
                    "{role} in {state}: {:?}",
                    game.0
                );
                seen[role][usize::from(*can)] += 1;
            }
        }
    }
    assert!(
        seen.as_flattened().iter().all(|count| *count > 500),
        "{seen:?}"
    );
}

fn loops(game: &Propnet) -> Loops {
    let space = space(game, 2, true);
    space.loops(game, &Deadline::default()).unwrap()
}

/// Whether each role can keep the game from ending, from the start.
fn who_can(game: &Propnet) -> Vec<bool> {
    let loops = loops(game);
    let initial = game.initial();
    let roles = 0..game.roles().len();
    roles.map(|role| loops.can(Role(role), &initial)).collect()
}

#[test]
fn games_that_must_end_are_endless_for_nobody() {
    for name in ["tictactoe", "nim", "rock-paper-scissors"] {
        let game = shipped(name);
        let loops = loops(&game);
        for role in 0..2 {
            assert_eq!(loops.count(Role(role)), 0, "{name}");
        }
    }
}

/// Computed twice by programs written for the game: who can alone force that Kolibrat never ends.
#[test]
fn kolibrat_on_small_boards_can_be_made_endless_by_few() {
    let boards = [
        (2, 2, 1),
        (2, 2, 2),
        (2, 3, 1),
        (2, 3, 2),
        (2, 3, 3),
        (2, 3, 4),
        (3, 2, 1),
        (3, 2, 2),
        (3, 2, 4),
        (3, 3, 1),
        (2, 4, 1),
    ];
    for (width, height, pieces) in boards {
        for points in 1..=3 {
            let black = (width, height, pieces) == (2, 3, 4) && points >= 2;
            let found = who_can(&kolibrat(width, height, pieces, points));
            let board = format!("{width}x{height}, {pieces} pieces, {points} points");
            assert_eq!(found, [false, black], "{board}");
        }
    }
}

#[test]
fn red_makes_kolibrat_endless_on_3x3_to_three_points_but_not_to_two() {
    assert_eq!(who_can(&kolibrat(3, 3, 4, 2)), [false, false]);
    assert_eq!(who_can(&kolibrat(3, 3, 4, 3)), [true, false]);
}

#[test]
fn who_must_guess_can_force_nothing() {
    // Both name a side. Who sees the same side named ends the game, if it wishes so: `a` cannot avoid it.
    let guess = "(role a) (role b) (init here) (side l) (side r) (<= (legal ?p ?s) (role ?p) (side ?s)) \
                 (<= (next here) (does a ?s) (does b ?t) (distinct ?s ?t)) \
                 (<= (next met) (does a ?s) (does b ?s)) (<= terminal (true met)) (<= (goal ?p 50) (role ?p))";
    let game = propnet("guess", guess);
    assert_eq!(who_can(&game), [false, false]);
    // With one more move that meets nobody, `a` goes on for ever.
    let safe = format!("{guess} (legal a hide) (<= (next here) (does a hide))");
    let game = propnet("hide", &safe);
    assert_eq!(who_can(&game), [true, false]);
}

#[test]
fn all_others_together_are_the_opponent() {
    // `a` has no choice; `b` hands over to `c` or not, and `c` ends the game or not: both must help to end it.
    let text = "(role a) (role b) (role c) (init (at 0)) \
                (legal a noop) (legal b (go back)) (<= (legal b (go on)) (true (at 0))) \
                (legal c (go back)) (<= (legal c (go on)) (true (at 1))) \
                (<= (next (at 1)) (true (at 0)) (does b (go on))) (<= (next (at 0)) (true (at 0)) (does b (go back))) \
                (<= (next (at 2)) (true (at 1)) (does c (go on))) (<= (next (at 0)) (true (at 1)) (does c (go back))) \
                (<= terminal (true (at 2))) (<= (goal ?r 50) (role ?r))";
    assert_eq!(who_can(&propnet("three", text)), [false, true, true]);
}

#[test]
fn chance_is_refused() {
    let dice = "(role a) (role random) (init on) (legal a go) (legal random go) (<= (next on) (true on)) \
                (<= terminal (true off)) (<= (goal ?p 50) (role ?p))";
    let game = propnet("dice", dice);
    let why = space(&game, 1, true)
        .loops(&game, &Deadline::default())
        .unwrap_err();
    assert_eq!(why, LoopError::Chance);
}
