use std::cell::Cell;
use std::time::Duration;

use super::*;
use crate::game::fixture::Subtraction;
use crate::util::StopFlag;

const STATES: u64 = 100_000;

/// The weights of a training, and what it took; if it grows, it is stopped while it compares what it has after it has doubled three times, and asked
/// for larger tuples before the second time.
fn trained(grows: bool, is_better: bool) -> (Vec<f32>, TrainingRecord) {
    let game = Subtraction::new(30, 3);
    let stop = StopFlag::default();
    let clock = SearchClock::within(Duration::from_secs(600), &stop);
    let plan = TrainingPlan {
        grows,
        ..TrainingPlan::default()
    };
    let mut training = Training::new(game_model(&game, plan), Vec::new(), plan);
    training.states = STATES;
    training.states_of_usual_tuples = 2 * STATES;
    let (compared, widened) = (Cell::new(0), Cell::new(0));
    let is_better = |_: [&EvaluationModel; 2]| {
        compared.set(compared.get() + 1);
        if compared.get() == 3 {
            stop.raise();
        }
        is_better
    };
    let groups = groups(&game, Role(0), (plan, None), 0, &clock);
    let wider = || {
        assert_eq!(compared.get(), 1);
        widened.set(widened.get() + 1);
        game_model(&game, plan)
    };
    let (model, record) = training.run(groups, &clock, (is_better, wider));
    let expected = if grows { (3, 1) } else { (0, 0) };
    assert_eq!((compared.get(), widened.get()), expected);
    let weights = &model.unwrap().weights[0];
    let constant = [weights.constant];
    ([&constant, &weights.features[..]].concat(), record)
}

#[test]
fn a_training_that_grows_keeps_what_is_better() {
    let (usual, record) = trained(false, true);
    assert!((STATES..2 * STATES).contains(&record.states), "{record:?}");
    let (kept, record) = trained(true, false);
    assert!(
        (4 * STATES..5 * STATES).contains(&record.states),
        "{record:?}"
    );
    assert_eq!(kept, usual, "nothing was better");
    let (grown, _) = trained(true, true);
    assert_ne!(grown, usual);
    assert_eq!(trained(true, true).0, grown, "the same again");
}

#[test]
fn weights_serve_until_twice_as_many_states_fit_into_the_time() {
    let stop = StopFlag::default();
    let clock = SearchClock::within(Duration::from_secs(10), &stop);
    let serves = |(seconds, seconds_to_double), cut_short, grows| {
        let record = TrainingRecord {
            seconds,
            seconds_to_double,
            cut_short,
            ..TrainingRecord::default()
        };
        let plan = TrainingPlan {
            grows,
            ..TrainingPlan::default()
        };
        record.serves(plan, &clock)
    };
    assert!(serves((1.0, 2.0), false, false), "as many as usual");
    assert!(!serves((1.0, 2.0), false, true), "there is time for more");
    assert!(serves((3.0, 8.1), false, true));
    assert!(!serves((5.0, 0.0), true, false), "there is more time now");
    assert!(serves((9.0, 0.0), true, true));
    assert!(!serves((f64::NAN, 0.0), true, true));
}

#[test]
fn a_training_grows_as_far_as_four_fifths_of_its_time() {
    let stop = StopFlag::default();
    let clock = SearchClock::within(Duration::from_secs(1000), &stop);
    assert_eq!(growth(700.0, &clock), Some(2.0));
    assert_eq!(growth(900.0, &clock), Some(1.5));
    assert_eq!(growth(1700.0, &clock), None);
    assert_eq!(growth(f64::NAN, &clock), None);
    assert_eq!(growth(0.0, &SearchClock::endless_until(&stop)), None);
}
