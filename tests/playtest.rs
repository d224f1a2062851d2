//! Playtests of rule files of our own, each with one fault, and of the shipped games, which have none.

use std::fs;
use std::path::Path;
use std::time::Duration;

use kolibri::play::Spec;
use kolibri::playtest::{FindingSeverity, PlaytestReport};
use kolibri::util::StopFlag;
use kolibri::{Game, Match, Playtest};

use crate::cli::Folder;

/// Rule files with one fault each, what is found, and the rule that is named first.
const FAULTY: [(&str, &str, &str); 28] = [
    ("frame-rule", "lost", "(<= (next (cell ?x ?y ?p))"),
    ("noop", "no-noop", "(<= (legal ?p (mark ?x ?y))"),
    ("control", "lost", "(<= (next (control o))"),
    (
        "control-stays",
        "endless-turn",
        "(<= (next (control o)) (true (control o)))",
    ),
    ("draw", "end-without-goal", "(<= (goal ?p 100) (line ?p))"),
    (
        "counter",
        "counter-ends",
        "(<= (next (score ?p ?m)) (point ?p)",
    ),
    ("swapped", "swapped", "(<= (next (cell ?y ?x ?p))"),
    ("two-goals", "two-goals", "(<= (goal ?p 100) (line ?p))"),
    (
        "endless",
        "unreachable-end",
        "(<= terminal (true (at ?p 5)))",
    ),
    (
        "first-mover",
        "always-wins",
        "(<= (goal ?p 100) (true (taken ?p 3)))",
    ),
    (
        "succ-skips",
        "unreachable-end",
        "(<= terminal (true (step 4)))",
    ),
    ("no-effect", "no-effect", "(<= (legal ?p (swap ?x ?y))"),
    (
        "wrong-variable",
        "doubled",
        "(<= (next (at ?p ?u ?v)) (does ?p (go ?x ?y ?u ?v)))",
    ),
    (
        "piece-doubles",
        "doubled",
        "(<= (next (cell ?y ?p)) (does ?p (step ?x ?y)))",
    ),
    (
        "one-goal",
        "end-without-goal",
        "(<= (goal ?p 100) (role ?p) (true (cell 1 x))",
    ),
    (
        "over-at-start",
        "over-at-start",
        "(<= terminal (true (cell ?x blank)))",
    ),
    (
        "doubled-at-start",
        "doubled-at-start",
        "(<= (init (cell ?x ?y b))",
    ),
    ("token", "doubled-at-start", "(init (pos robot 3))"),
    ("no-frame", "no-noop", "(<= (legal ?p (go ?y))"),
    (
        "sum-ends",
        "counter-ends",
        "(<= (next (score ?p ?n)) (wins ?p)",
    ),
    (
        "sum-gap",
        "counter-ends",
        "(<= (next (score ?p ?n)) (wins ?p)",
    ),
    (
        "score-not-kept",
        "lost",
        "(<= (next (score ?p ?n)) (wins ?p)",
    ),
    (
        "score-kept-twice",
        "doubled",
        "(<= (next (score ?p ?n)) (wins ?p)",
    ),
    (
        "turn-total-lost",
        "counter-ends",
        "(<= (next (total ?n)) (does ?p roll)",
    ),
    ("less-gap", "not-compared", "(<= (ahead ?p)"),
    ("less-ends", "not-compared", "(<= (ahead ?p)"),
    (
        "board-vanishes",
        "lost",
        "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c))",
    ),
    ("always-drawn", "always-drawn", "(<= (goal ?p 100)"),
];

fn path(name: &str) -> String {
    format!("tests/playtest/{name}.kif")
}

/// A playtest that takes as long as it takes, so that it depends on the seed alone.
fn playtest(game: &Game) -> Playtest {
    let time = Duration::from_secs(600);
    Playtest::new(game).time(time).rounds(0)
}

fn report(name: &str) -> PlaytestReport {
    let game = Game::from_file(path(name)).unwrap();
    playtest(&game).games(60).max_plies(300).run()
}

#[test]
fn every_fault_is_found_first_with_its_rule_and_a_game_that_shows_it() {
    for (name, code, rule) in FAULTY {
        let report = report(name);
        let found: Vec<&str> = report.faults().map(|finding| finding.code).collect();
        assert_eq!(found.first(), Some(&code), "{name}: {found:?}");
        let first = &report.findings[0];
        let text = fs::read_to_string(path(name)).unwrap();
        let place = &first.places[0];
        assert!(
            text[place.span.start..].starts_with(rule),
            "{name}: {:?}",
            first.places
        );
        let before = text[..place.span.start].lines().count();
        assert!(place.line == before || place.line == before + 1, "{name}");
        let of_all_games = [
            "endless",
            "first-mover",
            "control-stays",
            "succ-skips",
            "no-effect",
            "always-drawn",
        ];
        let is_seen_in_one_game = !of_all_games.contains(&name);
        assert_eq!(first.step.is_some(), is_seen_in_one_game, "{name}");
    }
}

#[test]
fn a_square_with_two_facts_is_drawn_with_both_beside_the_board() {
    let report = report("doubled-at-start");
    let first = &report.findings[0];
    assert_eq!(
        first.message,
        "`cell 2 2` is both `b` and `o` at the start: each of the 8 other places has one fact"
    );
    let lines: Vec<usize> = first.places.iter().map(|place| place.line).collect();
    assert_eq!(lines, [4, 7]);
    let picture = &first.step.as_ref().unwrap().picture;
    for part in ["│ · │ o │ · │", "cell 2 2 b", "cell 2 2 o"] {
        assert!(picture.contains(part), "{part} in\n{picture}");
    }
}

#[test]
fn a_square_that_a_piece_leaves_and_nothing_fills_is_noted() {
    let text = fs::read_to_string("games/breakthrough.kif").unwrap();
    let rule = "(<= (next (cell ?x ?y blank))\n    (does ?p (move ?x ?y ?x2 ?y2)))";
    assert!(text.contains(rule));
    let codes = |text: &str| {
        let game = Game::from_text("breakthrough", text).unwrap();
        let report = playtest(&game).games(20).run();
        let found = report.findings.into_iter();
        found.filter(|finding| finding.code == "emptied").collect()
    };
    let none: Vec<_> = codes(&text);
    assert!(none.is_empty(), "{none:?}");
    let found: Vec<_> = codes(&text.replace(rule, ""));
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(finding.severity, FindingSeverity::Note);
    assert!(
        finding.message.contains("is gone after ply 1, and `cell "),
        "{}",
        finding.message
    );
    let help = finding.help.as_ref().unwrap();
    assert!(help.contains("what the place becomes"), "{help}");
    assert!(finding.step.is_some() && !finding.places.is_empty());
}

#[test]
fn a_token_in_two_places_is_told_from_two_tokens() {
    let found = report("token");
    let message = &found.findings[0].message;
    assert!(
        message.starts_with("`pos robot` is both `3` and `5` at the start"),
        "{message}"
    );
    let text = fs::read_to_string(path("token")).unwrap();
    // Two robots, of which one moves.
    let frame = "(<= (next (pos robot ?z)) (true (pos robot ?z)) (not (true (step 6)))
        (does robot (go ?y)) (distinct ?y ?z))";
    let game = Game::from_text("two", &format!("{text}{frame}")).unwrap();
    let report = playtest(&game).games(60).run();
    let codes: Vec<&str> = report.findings.iter().map(|finding| finding.code).collect();
    assert!(!codes.contains(&"doubled-at-start"), "{codes:?}");
}

#[test]
fn roles_that_are_stuck_for_one_reason_are_one_finding() {
    let report = report("no-frame");
    let stuck = report
        .findings
        .iter()
        .filter(|finding| finding.code == "no-noop");
    let stuck: Vec<_> = stuck.collect();
    let [only] = stuck[..] else {
        panic!("{:?}", report.findings);
    };
    let help = only.help.as_ref().unwrap();
    assert!(
        !help.contains("control") && help.contains("keep the facts"),
        "{help}"
    );
    assert!(only.message.contains("(in other games"), "{}", only.message);
    assert!(
        only.message.starts_with("60 of 60 games"),
        "{}",
        only.message
    );
}

#[test]
fn nobody_plays_on_where_the_game_is_over_at_the_start() {
    let game = Game::from_file(path("over-at-start")).unwrap();
    let report = playtest(&game).games(20).rounds(10).run();
    assert_eq!(report.samples.games_of_players, 0);
}

#[test]
fn chance_has_moves_and_no_choices() {
    let game = Game::from_text("dice", DICE).unwrap();
    let report = playtest(&game).games(20).run();
    let branching = &report.statistics.branching;
    assert_eq!((branching.positions, branching.mean), (20, Some(6.0)));
}

/// Two players pick numbers; the goal of who picks 39 is forgotten where both do.
const LUCKY: &str = "(role x) (role o) (init (control x)) (init (step 1))
    (succ 1 2) (succ 2 3) (succ 3 4)
    (n 1) (n 2) (n 3) (n 39)
    (<= (legal ?r (pick ?n)) (true (control ?r)) (n ?n))
    (<= (legal ?r noop) (role ?r) (not (true (control ?r))))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (control o)) (true (control x)))
    (<= (next (control x)) (true (control o)))
    (<= (next (lucky ?r)) (true (lucky ?r)))
    (<= (next (lucky ?r)) (does ?r (pick 39)))
    (<= terminal (true (step 4)))
    (<= (goal x 100) (true (lucky x)) (not (true (lucky o))))
    (<= (goal o 0) (true (lucky x)) (not (true (lucky o))))
    (<= (goal o 100) (true (lucky o)) (not (true (lucky x))))
    (<= (goal x 0) (true (lucky o)) (not (true (lucky x))))
    (<= (goal ?r 50) (role ?r) (not (true (lucky x))) (not (true (lucky o))))";

#[test]
fn a_fault_that_only_players_meet_is_found_in_their_games() {
    let game = Game::from_text("lucky", LUCKY).unwrap();
    let report = playtest(&game).games(1).rounds(2).run();
    let found = &report.findings[0];
    assert_eq!(found.code, "end-without-goal", "{:?}", report.findings);
    assert!(
        found.message.contains("games of players"),
        "{}",
        found.message
    );
    let step = found.step.as_ref().unwrap();
    assert!(
        step.players
            .iter()
            .any(|player| player.starts_with("minimax"))
    );
}

#[test]
fn games_of_players_begin_with_openings_and_can_be_played_again() {
    let game = Game::load("tictactoe").unwrap();
    let report = playtest(&game).games(20).rounds(2).run();
    let samples = &report.samples;
    // Of two pairs of players the stronger one takes each of two roles, and two players play themselves.
    assert_eq!((samples.opening, samples.games_of_players), (1, 12));
    let players = samples.players.as_deref().unwrap();
    assert!(
        players.contains("nodes=") && !players.contains("time="),
        "{players}"
    );
    let lucky = Game::from_text("lucky", LUCKY).unwrap();
    let report = playtest(&lucky).games(1).rounds(2).run();
    let step = report.findings[0].step.clone().unwrap();
    let mut again = Match::new(&lucky).seed(step.seed).opening(step.opening);
    for (role, player) in lucky.roles().iter().zip(&step.players) {
        again = again.player(role, player.parse::<Spec>().unwrap());
    }
    let played = again.run().unwrap();
    assert_eq!(played.games[0].moves[step.ply - 1], step.joint);
}

/// A bet on a die.
const DICE: &str = "(role random) (role a) (init (phase bet))
    (face 1) (face 2) (face 3) (face 4) (face 5) (face 6)
    (<= (legal a (bet ?n)) (true (phase bet)) (face ?n))
    (<= (legal a noop) (true (phase roll)))
    (<= (legal random (roll ?n)) (true (phase roll)) (face ?n))
    (<= (legal random noop) (true (phase bet)))
    (<= (next (phase roll)) (true (phase bet)))
    (<= (next (phase done)) (true (phase roll)))
    (<= (next (bet ?n)) (does a (bet ?n)))
    (<= (next (bet ?n)) (true (bet ?n)))
    (<= (next (rolled ?n)) (does random (roll ?n)))
    (<= terminal (true (phase done)))
    (<= hit (true (bet ?n)) (true (rolled ?n)))
    (<= (goal a 100) hit)
    (<= (goal a 0) (not hit))
    (<= (goal random 100) (not hit))
    (<= (goal random 0) hit)";

#[test]
fn chance_stays_chance_in_games_of_players() {
    let game = Game::from_text("dice", DICE).unwrap();
    let report = playtest(&game).games(20).rounds(60).run();
    let by_players = report.statistics.balance.last().unwrap();
    assert_eq!(by_players.first_mover.as_deref(), Some("a"));
    let hits = by_players.roles[0].wins;
    assert!(hits > 0 && hits < by_players.games, "{by_players:?}");
}

#[test]
fn a_playtest_without_a_game_says_so() {
    let game = Game::load("tictactoe").unwrap();
    let report = Playtest::new(&game).time(Duration::ZERO).run();
    let found: Vec<&str> = report.faults().map(|finding| finding.code).collect();
    assert_eq!(found, ["unplayed"]);
}

#[test]
fn a_page_that_cannot_be_written_is_told_at_once() {
    let folder = Folder::new().with("page.html", "mine");
    for page in ["nowhere/page.html", "page.html"] {
        let words = "playtest tictactoe --rounds 0 --games 20 --html";
        let words: Vec<&str> = words.split(' ').chain([page]).collect();
        let ended = folder.run(&words);
        assert_eq!((ended.status, &*ended.out), (2, ""), "{page}");
    }
    let kept = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert_eq!(kept, "mine");
}

#[test]
fn all_rule_files_with_faults_are_tested() {
    let files = fs::read_dir("tests/playtest").unwrap().count();
    assert_eq!(files, FAULTY.len());
}

#[test]
fn the_manual_lists_every_code() {
    let manual = fs::read_to_string("docs/reference/playtest.md").unwrap();
    let rows = manual
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    let mut listed: Vec<&str> = rows.flat_map(|codes| codes.split("`, `")).collect();
    listed
        .iter_mut()
        .for_each(|code| *code = code.trim_matches('`'));
    let files = [
        "ends",
        "stuck",
        "start",
        "broken_groups",
        "whole_game",
        "values",
        "loss",
        "orders",
        "over_at_start",
    ]
    .map(|file| format!("src/playtest/{file}.rs"));
    let source: String = files
        .iter()
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    let unknown: Vec<&&str> = listed
        .iter()
        .filter(|code| !source.contains(&format!("\"{code}\"")))
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    for (name, code, _) in FAULTY {
        assert!(listed.contains(&code), "{name}: {code}");
    }
    assert_eq!(listed.len(), 30);
}

#[test]
fn values_are_named_with_the_line_of_their_rule() {
    let note = |name: &str, code: &str| {
        let report = report(name);
        let note = report.findings.iter().find(|finding| finding.code == code);
        let places = note.map(|note| &note.places).into_iter().flatten();
        let texts = places.map(|place| format!("{}: {}", place.line, place.message));
        texts.collect::<Vec<String>>()
    };
    // Nobody but `left` wins, since its piece doubles.
    assert!(note("piece-doubles", "goal-not-seen").is_empty());
    let game = Game::from_text("walk", WALK).unwrap();
    let report = playtest(&game).games(40).run();
    let goals = report.findings.iter().find(|of| of.code == "goal-not-seen");
    let goal = &goals.unwrap().places[0];
    assert_eq!((goal.line, goal.message.as_str()), (8, "`a` 0"));
    let moves = note("piece-doubles", "move-not-seen");
    assert_eq!(moves[0], "18: `left` (step 5 6), `left` (step 6 7)");
    let facts = note("piece-doubles", "fact-not-seen");
    assert!(facts[0].starts_with("21: (cell 1 right)"), "{facts:?}");
    let game = Game::load("checkers").unwrap();
    let report = playtest(&game).games(2).run();
    let never = report.findings.iter().find(|of| of.code == "never-true");
    let never = never.unwrap();
    assert!(never.message.starts_with("8 facts that `base` lists"));
    assert!(never.places[0].message.contains("(cell a 1 red)"));
}

#[test]
fn what_only_follows_from_another_rule_stands_in_a_note() {
    let text = "(role a) (role b) (init (at 1)) (init (control a)) (succ 1 2) (succ 2 3) (succ 3 4)
        (<= (legal ?p go) (true (control ?p))) (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))
        (<= (next (control b)) (true (control a))) (<= (next (control a)) (true (control b)))
        (<= (next seen) (true (at 9)))
        (<= (bonus ?p) (true seen) (true (control ?p)))
        (<= (goal ?p 100) (bonus ?p)) (<= (goal ?p 50) (role ?p)) (<= terminal (true (at 4)))";
    let game = Game::from_text("follow", text).unwrap();
    let report = playtest(&game).games(5).run();
    let faults: Vec<&str> = report.faults().map(|of| of.message.as_str()).collect();
    assert_eq!(
        faults,
        ["this rule can never apply: (true (at 9)) never holds"]
    );
    let follow = report
        .findings
        .iter()
        .find(|of| of.message.contains("more"));
    assert_eq!(follow.unwrap().places.len(), 2);
}

#[test]
fn causes_are_named() {
    let message = |name: &str| report(name).findings[0].message.clone();
    assert_eq!(
        message("swapped"),
        "`cell 1 2` is both `blank` and `x` after ply 1, and `cell 2 1` is nothing: two arguments seem to be swapped"
    );
    let noop = message("noop");
    assert!(
        noop.contains("`o` has no legal move while `x` moves"),
        "{noop}"
    );
    let counter = report("counter").findings[0].places[0].message.clone();
    assert_eq!(
        counter,
        "all that is missing is (succ 3 ?m), which the rules do not list"
    );
}

fn codes(report: &PlaytestReport) -> Vec<&'static str> {
    report.findings.iter().map(|of| of.code).collect()
}

#[test]
fn a_table_that_lacks_a_row_is_named_with_the_rows_beside_it() {
    let message = |name: &str| report(name).findings[0].message.clone();
    let (ends, gap) = (message("sum-ends"), message("sum-gap"));
    assert!(
        ends.contains("there is no next value after `")
            && ends.contains("the facts of `sum` end at (sum "),
        "{ends}"
    );
    assert!(
        gap.contains("the facts of `sum` have a gap between (sum 1 1 2) and (sum 1 3 4)"),
        "{gap}"
    );
    let place = report("sum-gap").findings[0].places[0].message.clone();
    assert_eq!(
        place,
        "all that is missing is (sum 1 2 ?n), which the rules do not list"
    );
}

#[test]
fn a_score_that_only_the_last_step_loses_is_found() {
    let text = fs::read_to_string(path("sum-ends")).unwrap();
    let rows = (1..=4_u32).flat_map(|card| (0..=8 - card).map(move |score| (score, card)));
    let rows: Vec<String> = rows
        .filter(|(score, card)| score + card > 4)
        .map(|(score, card)| format!("(sum {score} {card} {})", score + card))
        .collect();
    let game = Game::from_text("last", &format!("{text}{}", rows.join(" "))).unwrap();
    let report = playtest(&game).games(300).run();
    let faults: Vec<&str> = report.faults().map(|of| of.code).collect();
    assert_eq!(faults, ["counter-ends"], "{:#?}", report.findings);
    assert!(report.findings[0].message.contains("end at (sum "));
}

#[test]
fn an_order_that_lacks_a_step_is_named() {
    let message = |name: &str| report(name).findings[0].message.clone();
    let gap = message("less-gap");
    assert!(
        gap.ends_with("it leads up to 2, and begins again at 3"),
        "{gap}"
    );
    let ends = message("less-ends");
    assert!(ends.ends_with("the numbers of `less` end at 4"), "{ends}");
}

#[test]
fn what_follows_from_another_finding_is_left_out() {
    for name in [
        "board-vanishes",
        "score-not-kept",
        "sum-ends",
        "turn-total-lost",
    ] {
        assert_eq!(
            codes(&report(name)).len(),
            1,
            "{:#?}",
            report(name).findings
        );
    }
    let vanished = report("board-vanishes").findings.remove(0);
    assert!(
        vanished
            .message
            .starts_with("the facts `cell` vanish after ply 1: 7 of 9 places"),
        "{}",
        vanished.message
    );
    assert_eq!(codes(&report("noop")), ["no-noop"]);
    assert_eq!(codes(&report("score-kept-twice")), ["doubled"]);
}

#[test]
fn a_count_that_keeps_all_its_values_is_no_fault_where_rules_ask_for_known_values_alone() {
    let text = fs::read_to_string(path("score-kept-twice")).unwrap();
    let compares = "(true (score ?p ?s)) (true (score ?q ?t)) (less ?t ?s)";
    assert!(text.contains(compares));
    let text = text.replace(compares, "(role ?p) (true (score ?p 7))");
    let game = Game::from_text("history", &text).unwrap();
    let found = codes(&playtest(&game).games(60).run());
    assert!(!found.contains(&"doubled"), "{found:?}");
}

/// A piece walks to the last row, where the game is over.
const WALK: &str = "(role a) (init (at 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal a (go ?x ?y)) (true (at ?x)) (succ ?x ?y))
    (<= (legal a (back ?x ?y)) (true (at ?x)) (succ ?y ?x))
    (<= (next (at ?y)) (does a (go ?x ?y)))
    (<= (next (at ?y)) (does a (back ?x ?y)))
    (<= over (true (at 4)))
    (<= terminal over)
    (<= (goal a 100) over) (<= (goal a 0) (not over))";

#[test]
fn moves_where_the_game_is_over_are_not_missed() {
    let game = Game::from_text("walk", WALK).unwrap();
    let report = playtest(&game).games(40).run();
    let found = codes(&report);
    assert!(!found.contains(&"move-not-seen"), "{:#?}", report.findings);
    // A piece that may go on is missed.
    let text = WALK.replace(
        "(<= over (true (at 4)))",
        "(<= over (true (at 3)) (true (at ?x)))",
    );
    let game = Game::from_text("walk", &text).unwrap();
    let report = playtest(&game).games(40).run();
    assert!(
        codes(&report).contains(&"move-not-seen"),
        "{:#?}",
        report.findings
    );
}

#[test]
fn a_move_that_is_legal_only_where_the_game_is_over_was_not_seen() {
    let text = format!("{WALK} (<= (legal a rest) (true (at 4)))");
    let game = Game::from_text("walk", &text).unwrap();
    let report = playtest(&game).games(40).run();
    let mut findings = report.findings.iter();
    let rule = findings.find(|finding| finding.code == "not-seen").unwrap();
    let of_rest = text.find("(<= (legal a rest)").unwrap();
    assert!(rule.places.iter().any(|at| at.span.start == of_rest));
}

#[test]
fn a_goal_that_is_no_number_is_told_once() {
    let text = WALK.replace("(goal a 100) over", "(goal a draw) over");
    let game = Game::from_text("walk", &text).unwrap();
    let report = playtest(&game).games(40).run();
    let found = codes(&report);
    assert!(found.contains(&"odd-goal"), "{found:?}");
    assert!(!found.contains(&"goal-not-seen"), "{found:?}");
}

#[test]
fn a_fact_whose_terms_grow_is_not_lost() {
    let text = "(role a) (init (step 0)) (legal a wait) (<= (next (step (s ?n))) (true (step ?n)))
        (<= terminal (true (step end))) (goal a 100)";
    let game = Game::from_text("grows", text).unwrap();
    let report = playtest(&game).games(2).max_plies(700).run();
    let found = codes(&report);
    assert!(!found.contains(&"lost"), "{found:?}");
}

#[test]
fn a_role_without_a_move_is_told_of_the_one_that_acts_by_a_word() {
    let text = "(role a) (role b) (init (turn a)) (legal a roll)
        (<= (legal b roll) (true (turn b)))
        (<= (next (turn b)) (does a roll)) (<= (next (turn a)) (does b roll) (true (turn b)))
        (<= terminal (true (turn c))) (goal a 50) (goal b 50)";
    let game = Game::from_text("rolls", text).unwrap();
    let report = playtest(&game).games(2).run();
    let found = codes(&report);
    assert!(found.contains(&"no-noop"), "{found:?}");
    assert!(!found.contains(&"stuck"), "{found:?}");
}

#[test]
fn quiet_leaves_what_decides() {
    let over = WALK.replace("(<= terminal over)", "(<= terminal (true (at ?x)))");
    let folder = Folder::new()
        .with("fine.kif", WALK)
        .with("draws.kif", fs::read(path("always-drawn")).unwrap())
        .with("over.kif", over);
    let run = |words: &str| {
        let words = format!("playtest --rounds 0 --games 60 --quiet {words}");
        let ended = folder.run(&words.split(' ').collect::<Vec<_>>());
        (ended.status, ended.out)
    };
    assert_eq!(run("fine.kif --strict"), (0, String::new()));
    // A warning decides nothing but under `--strict`.
    assert_eq!(run("draws.kif"), (0, String::new()));
    let (status, out) = run("draws.kif --strict");
    assert!(
        status == 1 && out.starts_with("warning[always-drawn]"),
        "{out}"
    );
    let (status, out) = run("over.kif");
    assert!(
        status == 0 && out.starts_with("error[over-at-start]"),
        "{out}"
    );
    // The condition shows which fact ends the game.
    assert!(
        out.contains("holds in the first position: (true (at 1))"),
        "{out}"
    );
}

#[test]
fn a_game_that_is_over_at_the_start_for_lack_of_a_rule_names_what_is_missing() {
    let text = "(role a) (succ 1 2) (succ 2 3) (init (at 1))
        (<= (stepp ?x ?y) (succ ?x ?y)) (<= (step ?y ?x) (true (at 3)) (succ ?x ?y))
        (<= (legal a (go ?y)) (true (at ?x)) (step ?x ?y))
        (<= (next (at ?y)) (does a (go ?y)))
        (<= can_move (true (at ?x)) (step ?x ?y))
        (<= stands (not can_move)) (<= terminal stands) (goal a 100)";
    let game = Game::from_text("stands", text).unwrap();
    let report = playtest(&game).games(5).run();
    let first = &report.findings[0];
    assert_eq!(first.code, "over-at-start");
    let words: Vec<&str> = first.places.iter().map(|at| at.message.as_str()).collect();
    assert_eq!(
        words,
        [
            "holds in the first position",
            "`can_move` does not hold: (step 1 ?y) is missing"
        ]
    );
}

#[test]
fn a_die_that_is_rolled_in_each_ply_takes_no_turn() {
    let text = DICE
        .replace(
            "(<= (legal random (roll ?n)) (true (phase roll)) (face ?n))",
            "(<= (legal random (roll ?n)) (face ?n))",
        )
        .replace("(<= (legal random noop) (true (phase bet)))", "");
    let game = Game::from_text("dice", &text).unwrap();
    let report = playtest(&game).games(20).run();
    assert_eq!(
        report.statistics.turns.shared, 0,
        "{:?}",
        report.statistics.turns
    );
}

#[test]
fn shipped_games_have_no_faults() {
    for name in kolibri::catalog::SHIPPED.iter().map(|game| game.name) {
        let game = Game::load(name).unwrap();
        let report = playtest(&game).games(2).run();
        let faults: Vec<_> = report.faults().collect();
        assert!(faults.is_empty(), "{name}: {faults:#?}");
        assert_eq!(report.samples.ended, 2, "{name}");
    }
}

#[test]
fn the_same_seed_finds_the_same() {
    let game = Game::from_file(path("draw")).unwrap();
    let run = |seed| {
        let report = playtest(&game).games(30).seed(seed).run();
        let first = report.findings.into_iter().next().unwrap();
        (first.message, first.step, report.samples.without_goal)
    };
    assert_eq!(run(3), run(3));
    assert_ne!(run(3).1.unwrap().seed, run(300).1.unwrap().seed);
}

#[test]
fn statistics_state_on_how_much_they_rest() {
    let game = Game::load("tictactoe").unwrap();
    let report = playtest(&game).games(80).rounds(1).run();
    let statistics = &report.statistics;
    assert_eq!(statistics.turns.words, "x, o, again and again");
    let lengths = statistics.lengths.as_ref().unwrap();
    assert_eq!((lengths.games, lengths.most), (80, 9));
    assert!(lengths.least >= 5);
    let random = &statistics.balance[0];
    assert_eq!(
        (random.games, random.first_mover.as_deref()),
        (80, Some("x"))
    );
    let won: u64 = random.roles.iter().map(|role| role.wins).sum();
    assert_eq!(won + random.draws, 80);
    assert_eq!(statistics.rules.moves_possible, Some(20));
    let pairs = statistics.depth_matches.iter().map(|step| step.games);
    assert_eq!(pairs.collect::<Vec<u64>>(), [2, 2]);
    assert_eq!(report.samples.games_of_players, 6);
}

#[test]
fn a_raised_flag_ends_a_playtest_with_what_was_found() {
    let stop = StopFlag::default();
    stop.raise();
    let game = Game::load("tictactoe").unwrap();
    let report = playtest(&game).stop(&stop).run();
    assert!(report.samples.stopped);
    assert_eq!(report.samples.random_games(), 0);
}

#[test]
fn a_game_is_ready_in_time_on_some_engine() {
    use kolibri::catalog::GameSource;
    use kolibri::engine::LoadOptions;
    let source = GameSource::find("checkers").unwrap();
    let options = LoadOptions::default();
    let late = Game::open_within(source.clone(), &options, Duration::ZERO).unwrap();
    assert_eq!(late.report().engine.name(), "reasoner");
    let in_time = Game::open_within(source, &options, Duration::from_secs(600)).unwrap();
    assert_eq!(in_time.report().engine.name(), "propnet");
}

#[test]
fn strict_fails_on_faults_and_the_page_holds_the_picture() {
    let folder = Folder::new();
    let faulty = Path::new(env!("CARGO_MANIFEST_DIR")).join(path("draw"));
    let faulty = faulty.to_str().unwrap();
    let quick = ["--games", "40", "--rounds", "0", "--seconds", "60"];
    let playtest = |words: &[&str]| folder.run(&[&["playtest"], words, &quick[..]].concat());
    let plain = playtest(&[faulty, "--html", "page.html"]);
    assert_eq!(plain.status, 0, "{}", plain.shown());
    assert!(
        plain.out.contains("error[end-without-goal]")
            && plain.out.contains("shown by: kolibri match")
    );
    let page = fs::read_to_string(folder.path().join("page.html")).unwrap();
    assert!(page.contains("Playtest of draw"));
    // Two boards: the game that has no score, with a new mark, and the first position.
    assert_eq!(page.matches("<svg class=\"board\"").count(), 2, "{page}");
    assert!(page.contains("class=\"cell new\"") && page.contains("prefers-color-scheme: dark"));
    assert!(!page.contains("http"), "a page that needs no network");
    assert_eq!(playtest(&[faulty, "--strict"]).status, 1);
    assert_eq!(playtest(&["tictactoe", "--strict"]).status, 0);
    let json = playtest(&[faulty, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&json.out).unwrap();
    assert_eq!(report["findings"][0]["code"], "end-without-goal");
    assert_eq!(report["findings"][0]["places"][0]["line"], 24);
}

#[test]
fn the_command_of_a_finding_plays_the_same_game() {
    let step = report("draw").findings[0].step.clone().unwrap();
    let folder = Folder::new();
    fs::create_dir_all(folder.path().join("tests/playtest")).unwrap();
    fs::copy(path("draw"), folder.path().join(path("draw"))).unwrap();
    let words: Vec<&str> = step.command.split(' ').skip(1).collect();
    let ended = folder.run(&[&words[..], &["--json"]].concat());
    let game: serde_json::Value = serde_json::from_str(&ended.out).unwrap();
    let last = game["moves"].as_array().unwrap().last().unwrap();
    assert_eq!(*last, serde_json::json!(step.joint));
    assert_eq!(game["plies"], step.ply);
}
