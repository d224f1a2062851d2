//! Lookups of unique facts.

use super::super::{Ground, GroundError, GroundingAssumptions, ground, ground_assuming};
use super::random_rules::compare;
use super::{limits, rules};
use crate::gdl::Rules;

/// Two kings walk on a line of nine cells. Rooks stand on it, and a king may take a rook that attacks no cell but its own.
fn walk(more: &str) -> Rules {
    let cells: String = (1..9).map(|n| format!("(after {n} {})", n + 1)).collect();
    rules(&format!(
        "{cells}(<= (cell ?n) (after ?n ?m))(cell 9)(king white wk)(king black bk)
         (init (at 1 wk))(init (at 9 bk))(init (at 4 rook))(init (at 6 rook))
         (<= (near ?m ?n) (after ?m ?n))(<= (near ?m ?n) (after ?n ?m))
         (<= (free ?n) (cell ?n) (not (rook_at ?n)))(<= (rook_at ?n) (true (at ?n rook)))
         (<= (sees ?from ?to ?gone) (near ?from ?to) (cell ?gone))
         (<= (sees ?from ?to ?gone) (near ?from ?via) (near ?via ?to) (free ?via) (cell ?gone))
         (<= (sees ?from ?to ?gone) (near ?from ?gone) (near ?gone ?to))
         (<= (attacked ?at ?gone ?taken) (rook_at ?rook) (sees ?rook ?at ?gone) (other ?taken ?rook))
         (<= (other ?m ?n) (cell ?m) (cell ?n) (distinct ?m ?n))
         (<= (legal r (take ?who ?from ?to ?gone)) (rook_at ?to) (cell ?from) (cell ?gone) (king ?who ?king)
             (true (at ?cell ?king)) (not (attacked ?cell ?gone ?to)) (sees ?from ?cell ?gone))
         (<= (legal r (walk ?king ?from ?to)) (true (at ?from ?king)) (near ?from ?to) (free ?to))
         (<= (next (at ?to ?king)) (does r (walk ?king ?from ?to)))
         (<= (next (at ?at ?king)) (true (at ?at ?king)) (does r (walk ?other ?from ?to)) (distinct ?at ?from))
         (<= (next (at ?at ?piece)) (true (at ?at ?piece)) (does r (take ?who ?from ?to ?gone)) (distinct ?at ?to))
         {more}"
    ))
}

fn assuming(game: &Rules) -> Ground {
    ground_assuming(game, &limits(1_000_000), GroundingAssumptions::UniqueFacts).unwrap()
}

#[test]
fn what_is_asked_of_a_king_is_looked_up_once() {
    let game = walk("");
    let (before, after) = (ground(&game, &limits(1_000_000)).unwrap(), assuming(&game));
    assert!(before.assumed.is_empty());
    let assumed = after.assumed.iter();
    let assumed: Vec<(usize, String)> = assumed
        .map(|facts| (facts.len(), after.terms.text(facts[0])))
        .collect();
    assert_eq!(assumed.len(), 2, "{assumed:?}");
    assert!(assumed.iter().all(|(count, _)| *count == 9), "{assumed:?}");
    let [many, few] = [&before, &after].map(|ground| ground.rules.len());
    assert!(few * 4 < many * 3, "{few} of {many}");
    compare(&game, &after, 60).unwrap();
}

#[test]
fn facts_of_which_two_hold_at_the_start_are_not_looked_up() {
    assert!(assuming(&walk("(init (at 5 wk))")).assumed.is_empty());
    assert!(assuming(&walk("(king black wizard)")).assumed.is_empty());
}

#[test]
fn whether_it_may_help_to_assume_nothing_is_told() {
    let fault = |more: &str| {
        let assumptions = GroundingAssumptions::UniqueFacts;
        ground_assuming(&walk(more), &limits(20), assumptions).unwrap_err()
    };
    let why = fault("");
    assert!(matches!(why, GroundError::WithLookups(_)), "{why}");
    let why = fault("(init (at 5 wk)) (init (at 3 bk))");
    assert!(!matches!(why, GroundError::WithLookups(_)), "{why}");
}
