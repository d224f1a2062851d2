//! What is a symmetry, and what is not.

use super::proof::SymmetryProver;
use super::{FactPermutation, OrbitScratch, SymmetryGroup};
use crate::catalog::{GameSource, Origin};
use crate::datalog::EvaluationLimits;
use crate::engine::{AnyEngine, Bits, EngineChoice, Propnet, load};
use crate::game::StateMachine;
use crate::gdl;
use crate::ground::{Ground, ground};
use crate::util::Deadline;

/// A game, and its rules without variables.
fn game(text: &str) -> (Propnet, Ground) {
    let source = GameSource {
        name: "game".to_owned(),
        text: text.to_owned(),
        diagnostics: Vec::new(),
        origin: Origin::Shipped,
    };
    let rules = gdl::load(text).rules.unwrap();
    let ground = ground(&rules, &EvaluationLimits::default()).unwrap();
    match load(&source, &EngineChoice::Propnet.into()).unwrap().0 {
        AnyEngine::Propnet(game) => (*game, ground),
        _ => unreachable!("a network was asked for"),
    }
}

#[test]
fn exchanges_that_hold_almost_everywhere_are_not_proved() {
    // The fifth lamp ends the game only after all others, and the mirror would need the first.
    let lamps = |end: &str| {
        format!(
            "(role a) (lamp 1) (lamp 2) (lamp 3) (lamp 4) (lamp 5) (init (off 1)) (init (off 2)) (init (off 3)) (init (off 4)) (init (off 5)) \
             (<= (legal a (light ?l)) (true (off ?l))) (<= (next (on ?l)) (does a (light ?l))) (<= (next (on ?l)) (true (on ?l))) \
             (<= (next (off ?l)) (true (off ?l)) (not (does a (light ?l)))) {end} (goal a 50)"
        )
    };
    let symmetric =
        "(<= terminal (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)) (true (on 5)))";
    let skewed = "(<= terminal (true (on 1)) (true (on 2)) (true (on 3)) (true (on 4)))";
    for (end, is_symmetry) in [(symmetric, true), (skewed, false)] {
        let (game, ground) = game(&lamps(end));
        let facts = &game.game_facts().unwrap().facts;
        let mirror = facts.iter().map(|fact| {
            let place = fact.find(char::is_numeric).unwrap();
            let lamp: u32 = fact[place..=place].parse().unwrap();
            let image = fact.replace(&lamp.to_string(), &(6 - lamp).to_string());
            facts.binary_search(&image).unwrap() as u32
        });
        let mirror = FactPermutation::new(mirror.collect(), false).unwrap();
        let moves: Vec<u32> = (0..5).rev().collect();
        let deadline = Deadline::default();
        let mut prover = SymmetryProver::new(&game, &ground, &deadline).unwrap();
        assert_eq!(prover.proves(&mirror, &moves), is_symmetry);
        let moves = vec![0, 1, 2, 3, 4];
        assert!(!prover.proves(&mirror, &moves));
    }
}

#[test]
fn permutations_that_are_none_are_refused() {
    assert!(FactPermutation::new(vec![0, 0, 1], false).is_none());
    assert!(FactPermutation::new(vec![0, 3, 1], false).is_none());
    let one = |images: &[u32]| FactPermutation::new(images.to_vec(), false).unwrap();
    let generators = vec![one(&[1, 0]), one(&[0, 2, 1])];
    assert!(SymmetryGroup::of_generators(generators).is_none());
    let turned = SymmetryGroup::of_generators(vec![one(&[1, 2, 0])]).unwrap();
    assert_eq!(
        (
            turned.used(),
            turned.orbit(&[0b11], &mut OrbitScratch::default())
        ),
        (3, 3)
    );
    assert_eq!(turned.orbit(&[0b111], &mut OrbitScratch::default()), 1);
    assert_eq!(
        turned.canonical(&Bits::from_words(&[0b110])).words(),
        [0b11]
    );
}
