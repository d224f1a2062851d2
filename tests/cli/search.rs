//! What `kolibri search` says of games whose values can be worked out by hand.

use super::Folder;
use serde_json::Value;

/// White stops for 60 points, or goes, and black goes back, as it would lose all if it did not.
const ROUND: &str = "\
(role white) (role black)
(init (control white))
(<= (legal white stop) (true (control white)))
(<= (legal white go) (true (control white)))
(<= (legal black back) (true (control black)))
(<= (legal black yield) (true (control black)))
(<= (legal ?p wait) (role ?p) (not (true (control ?p))))
(<= (next (control black)) (does white go))
(<= (next (control white)) (does black back))
(<= (next stopped) (does white stop))
(<= terminal (not (true (control white))) (not (true (control black))))
(<= (goal white 60) (true stopped))
(<= (goal black 40) (true stopped))
(<= (goal white 100) (not (true stopped)))
(<= (goal black 0) (not (true stopped)))
";

/// To and fro for ever, or stop for 40 points.
const WALKING: &str = "\
(role walker)
(init (at left))
(<= (legal walker stop) (true (at ?place)))
(<= (legal walker walk) (true (at ?place)))
(<= (next (at right)) (does walker walk) (true (at left)))
(<= (next (at left)) (does walker walk) (true (at right)))
(<= (next stopped) (does walker stop))
(<= terminal (true stopped))
(<= (goal walker 40) (true stopped))
";

/// A coin is worth 25 or 60 points, and may be tossed once more: best is to keep the 60, which makes 51.25 on average.
const TOSSING: &str = "\
(role random) (role gambler)
(init (time toss))
(side 25) (side 60)
(<= tossing (true (time toss)))
(<= tossing (true (time toss-again)))
(<= (legal random (toss ?points)) tossing (side ?points))
(<= (legal random wait) (true (time decide)))
(<= (legal gambler wait) tossing)
(<= (legal gambler keep) (true (time decide)))
(<= (legal gambler again) (true (time decide)))
(<= (next (shown ?points)) (does random (toss ?points)))
(<= (next (shown ?points)) (true (shown ?points)) (does gambler keep))
(<= (next (time decide)) (true (time toss)))
(<= (next (time toss-again)) (does gambler again))
(<= (next (time over)) (does gambler keep))
(<= (next (time over)) (true (time toss-again)))
(<= terminal (true (time over)))
(<= (goal gambler ?points) (true (shown ?points)))
";

/// Nobody ever has a choice; once `a` has gone, `b` has no move at all.
const STUCK: &str = "\
(role a) (role b)
(init (turn a))
(<= (legal a go) (true (turn ?p)))
(<= (legal b wait) (true (turn a)))
(<= (next (turn b)) (true (turn a)))
(<= terminal (true (turn c)))
(<= (goal ?p 50) (role ?p))
";

/// Four steps at most to reach seven, and it is best to take three.
const SUM: &str = "\
(role solver)
(init (sum 1))
(init (left 4))
(plus 1 1 2) (plus 2 1 3) (plus 3 1 4) (plus 4 1 5) (plus 5 1 6) (plus 6 1 7)
(plus 1 2 3) (plus 2 2 4) (plus 3 2 5) (plus 4 2 6) (plus 5 2 7)
(plus 2 3 5) (plus 4 3 7)
(before 4 3) (before 3 2) (before 2 1) (before 1 0)
(<= (legal solver (add ?k)) (true (sum ?n)) (plus ?n ?k ?m))
(<= (next (sum ?m)) (does solver (add ?k)) (true (sum ?n)) (plus ?n ?k ?m))
(<= (next (left ?l)) (true (left ?k)) (before ?k ?l))
(<= terminal (true (sum 7)))
(<= terminal (true (left 0)))
(<= (goal solver 100) (true (sum 7)) (true (left 1)))
(<= (goal solver 50) (true (sum 7)) (not (true (left 1))))
(<= (goal solver 0) (not (true (sum 7))))
";

fn found(rules: &str, more: &[&str]) -> Value {
    let folder = Folder::new().with("game.kif", rules);
    let words = [&["search", "game.kif", "--json", "-q"], more].concat();
    folder.run(&words).json()
}

#[test]
fn chance_is_nobody_to_search_for() {
    let found = found(TOSSING, &[]);
    assert_eq!(
        (&found["role"], &found["value"]),
        (&"gambler".into(), &51.25.into())
    );
}

#[test]
fn what_stood_on_the_board_is_a_draw() {
    let found = found(ROUND, &["go", "--depth", "4", "--heuristic", "none"]);
    assert_eq!(
        (&found["best"], &found["value"]),
        (&"back".into(), &50.0.into())
    );
}

#[test]
fn there_is_nobody_to_draw_with_alone() {
    let found = found(WALKING, &["walk", "--depth", "9", "--heuristic", "none"]);
    assert_eq!(
        (&found["best"], &found["value"]),
        (&"stop".into(), &40.0.into())
    );
}

#[test]
fn lines_go_on_to_the_end() {
    let found = found(SUM, &[]);
    let line = found["line"].as_array().unwrap();
    assert_eq!((&found["steps"], line.len()), (&3.into(), 3), "{found}");
}

#[test]
fn whoever_runs_out_of_time_has_a_line() {
    let found = Folder::new()
        .run(&[
            "search",
            "kolibrat",
            "--time",
            "1",
            "--heuristic",
            "none",
            "--json",
        ])
        .json();
    assert!(found["depth"].as_u64() > Some(3), "{found}");
    assert!(found["line"].as_array().unwrap().len() > 1, "{found}");
}

#[test]
fn where_nobody_chooses_there_is_nothing_to_ask() {
    assert_eq!(found(STUCK, &["--depth", "1"])["best"], "go");
    let folder = Folder::new().with("game.kif", STUCK);
    let ended = folder.run(&["search", "game.kif", "go"]);
    assert!(ended.err.contains("b has no move"), "{}", ended.err);
}
