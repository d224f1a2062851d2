use super::*;
use crate::search::alphabeta::stack::Side;
use crate::search::eval::cells::CellPosition;
use crate::search::eval::model::{FollowedStates, Parent};

/// A board of two cells, on each of which o or x may stand, and whose turn it is: x plays from left to right, o the other way.
const FACTS: [&str; 6] = ["o on 1", "x on 1", "o on 2", "x on 2", "o moves", "x moves"];
/// The board turned round, and the roles exchanged.
const EXCHANGE: [u32; 6] = [3, 2, 1, 0, 5, 4];
const CHOICES: Choices = Choices {
    own: 3,
    replies: 1,
    chances: 1,
};

fn symmetry(image: [u32; 6], swaps_roles: bool) -> FactSymmetry {
    FactSymmetry {
        image: image.to_vec(),
        swaps_roles,
    }
}

fn cell(facts: [u32; 2]) -> Cell {
    let contents = facts.map(|fact| FACTS[fact as usize][..1].to_owned());
    Cell {
        facts: facts.to_vec(),
        place: Some(CellPosition {
            panel: Vec::new(),
            coordinates: vec![facts[0] as i32 / 2],
            contents: [&["on".to_owned()][..], &contents].concat(),
        }),
    }
}

/// Both cells, in an order and with contents in an order that tuples may have, and each of them.
fn board_tuples() -> Vec<Vec<Cell>> {
    let both = vec![cell([2, 3]), cell([1, 0])];
    vec![
        vec![cell([0, 1])],
        both,
        vec![cell([3, 2])],
        vec![cell([2, 3])],
        vec![cell([1, 0])],
    ]
}

fn feature(measure: FeatureMeasure) -> Feature {
    Feature {
        heuristic: "pieces",
        about: String::new(),
        measure,
    }
}

fn counts(shares: [(u32, f32); 2]) -> Feature {
    feature(FeatureMeasure::Facts(shares.to_vec()))
}

fn model(features: Vec<Feature>, tuples: Vec<Vec<Cell>>) -> EvaluationModel {
    let turns = TurnFacts {
        of_roles: vec![5, 4],
        are_choices: false,
    };
    let tuples = Tuples::new(tuples, FACTS.len(), 100);
    EvaluationModel::new(features, tuples, turns, FACTS.len(), true)
}

/// Numbers of moves, pieces of each side, how far they have come, and what both cells hold.
fn whole_model() -> EvaluationModel {
    let features = vec![
        feature(FeatureMeasure::Choices(Side::Own)),
        feature(FeatureMeasure::Choices(Side::Others)),
        counts([(0, 1.0), (2, 1.0)]),
        counts([(1, 1.0), (3, 1.0)]),
        counts([(0, -1.0), (2, 1.0)]),
        counts([(1, -1.0), (3, 1.0)]),
    ];
    model(features, board_tuples())
}

/// All states of the board.
fn states() -> impl Iterator<Item = u64> {
    let contents = [0, 1, 2].into_iter();
    let cells = contents.flat_map(|first| [0, 4, 8].map(|second| first | second));
    cells.flat_map(|cells| [cells | 16, cells | 32])
}

/// Learns that states with more facts are better, whoever moves, with features that vary.
fn learned(mut model: EvaluationModel) -> EvaluationModel {
    let (mut followed, mut parent) = (FollowedStates::default(), Parent::default());
    let mut spread = Vec::new();
    for words in states() {
        model.observe(&[words], CHOICES, &mut spread, &mut parent);
    }
    model.scale(&spread);
    for round in 0..40 {
        for words in states() {
            let target = f32::from((words % 11 + round % 3) as u8) / 13.0;
            let state = (&[words][..], CHOICES);
            model.learn(state, target, 0.5, (&mut followed, &mut parent));
        }
    }
    model.refresh();
    model
}

/// By how much the values of states and of their images differ from 1 in sum, at most.
fn asymmetry(model: &EvaluationModel) -> f32 {
    let symmetry = symmetry(EXCHANGE, true);
    let mut parent = Parent::default();
    let mut of_states = states().map(|words| {
        let value = model.value(&[words], CHOICES, &mut parent);
        let image = symmetry.apply(&[words]);
        let of_image = model.value(&image, CHOICES.swapped(), &mut parent);
        (value + of_image - 1.0).abs()
    });
    of_states
        .try_fold(0.0, |most: f32, off| off.is_finite().then(|| most.max(off)))
        .unwrap()
}

#[test]
fn values_of_images_add_up_to_a_whole_where_turns_are_tied() {
    let apart = learned(whole_model());
    assert!(asymmetry(&apart) > 0.05, "{}", asymmetry(&apart));
    for units in [0, 3] {
        let mut model = whole_model().with_hidden(units);
        model.tie_turns(&[symmetry(EXCHANGE, true)]);
        assert!(model.turns_are_tied());
        let tied = learned(model);
        assert!(asymmetry(&tied) < 1e-6, "{}", asymmetry(&tied));
        let mut parent = Parent::default();
        let values = states().map(|words| tied.value(&[words], CHOICES, &mut parent));
        let values: Vec<f32> = values.collect();
        assert!(values.iter().any(|value| (value - values[0]).abs() > 0.05));
    }
}

#[test]
fn what_is_learned_of_one_turn_is_known_of_the_other() {
    let mut model = whole_model();
    model.tie_turns(&[symmetry(EXCHANGE, true)]);
    let (mut followed, mut parent) = (FollowedStates::default(), Parent::default());
    // x on the second cell, x to move; its image has o on the first one, and o to move.
    model.learn((&[8 | 32], CHOICES), 1.0, 1.0, (&mut followed, &mut parent));
    model.refresh();
    let value = model.value(&[8 | 32], CHOICES, &mut parent);
    let of_image = model.value(&[1 | 16], CHOICES.swapped(), &mut parent);
    assert!(value > 0.55 && of_image < 0.45, "{value} {of_image}");
    let before = of_image;
    model.learn(
        (&[1 | 16], CHOICES.swapped()),
        0.0,
        1.0,
        (&mut followed, &mut parent),
    );
    model.refresh();
    assert!(model.value(&[1 | 16], CHOICES.swapped(), &mut parent) < before);
    assert!(model.value(&[8 | 32], CHOICES, &mut parent) > value);
}

#[test]
fn turns_are_tied_only_where_all_that_is_weighed_has_an_image() {
    let is_tied = |mut model: EvaluationModel, symmetry| {
        model.tie_turns(&[symmetry]);
        model.turns_are_tied()
    };
    let exchange = || symmetry(EXCHANGE, true);
    assert!(is_tied(whole_model(), exchange()));
    // Roles keep their turns, or nothing exchanges them.
    assert!(!is_tied(whole_model(), symmetry([3, 2, 1, 0, 4, 5], true)));
    assert!(!is_tied(whole_model(), symmetry([2, 3, 0, 1, 4, 5], false)));
    let mut choices_tell = whole_model();
    choices_tell.turns = TurnFacts {
        of_roles: Vec::new(),
        are_choices: true,
    };
    assert!(
        !is_tied(choices_tell, exchange()),
        "the turn may be unclear"
    );
    let one_sided = model(vec![counts([(1, 1.0), (3, 1.0)])], Vec::new());
    assert!(!is_tied(one_sided, exchange()));
    let uneven = model(
        vec![counts([(0, 1.0), (2, 1.0)]), counts([(1, 1.0), (3, 2.0)])],
        Vec::new(),
    );
    assert!(!is_tied(uneven, exchange()));
    assert!(is_tied(
        model(Vec::new(), vec![vec![cell([0, 1])], vec![cell([2, 3])]]),
        exchange()
    ));
    assert!(!is_tied(
        model(Vec::new(), vec![vec![cell([0, 1])]]),
        exchange()
    ));
}

#[test]
fn places_follow_the_cells_and_contents_of_a_tuple() {
    let tuples = Tuples::new(board_tuples(), FACTS.len(), 100);
    let images = place_images(&tuples, &symmetry(EXCHANGE, true)).unwrap();
    for words in states() {
        let (mut places, mut of_image) = (Vec::new(), Vec::new());
        tuples.places(&[words], &mut places);
        tuples.places(&symmetry(EXCHANGE, true).apply(&[words]), &mut of_image);
        let mut becomes: Vec<u32> = places.iter().map(|at| images[*at as usize]).collect();
        becomes.sort_unstable();
        assert_eq!(becomes, of_image, "{words}");
    }
}
