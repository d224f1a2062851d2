//! What plans say, and what becomes of it.

use std::path::Path;

use kolibri::tournament::{Tournament, TournamentPlan};
use kolibri::util::StopFlag;

use super::{games, random_plan, run};
use crate::cli::Folder;

const PLAYERS: &str = "[[players]]\nname = \"A\"\nplayer = \"first\"\n[[players]]\nname = \"B\"\nplayer = \"random\"\n";

#[test]
fn faults_of_a_plan_are_told_with_their_place() {
    for (plan, status, expected) in [
        (
            "rounds = 3\nseeed = 1\n",
            2,
            "cup.toml:2:1: unknown field `seeed`",
        ),
        ("games = [\"tictactoe\"\n", 2, "cup.toml:"),
        ("games = [\"bad.kif\"]\n", 1, "bad.kif"),
        (
            "games = [\"nim\"]\n[openings]\nfile = \"o.txt\"\n",
            2,
            "o.txt:2:12: ",
        ),
        (
            "games = [\"nim\"]\n[openings]\nplies = 500\n",
            2,
            "nim: no opening of 500 plies was found",
        ),
        (
            "games = [\"nim\"]\nkeep_facts = [\"heap\", \"score\"]\n",
            2,
            "no game has facts of the relation `score`",
        ),
        (
            "games = [\"nim\"]\n[[pairings]]\nplayers = [\"A\"]\n",
            2,
            "nim takes 2 players, and a pairing names 1: A",
        ),
    ] {
        let folder = Folder::new()
            .with("cup.toml", format!("{plan}{PLAYERS}"))
            .with("bad.kif", "(role x)\n")
            .with("o.txt", "; takes\n(take a 1) (take z 9)\n");
        let ended = run(&folder, "cup.toml");
        assert_eq!(ended.status, status, "{}", ended.shown());
        assert!(ended.err.contains(expected), "{}", ended.shown());
        assert!(ended.err.contains("help"), "{}", ended.err);
        assert_eq!(ended.out, "", "no table where nothing was played");
    }
    let folder = Folder::new();
    let missing = run(&folder, "cup.toml");
    assert_eq!(missing.status, 2);
    assert!(
        missing.err.contains("cannot read the plan `cup.toml`"),
        "{}",
        missing.err
    );
}

#[test]
fn options_make_a_plan() {
    let folder = Folder::new();
    let options = "-g tictactoe -p A=random -p random:seed=2 --rounds 2 --opening 1 --seed 3 --max-plies 8 --occurrences 2";
    let printed = run(&folder, &format!("{options} --print-plan"));
    let folder = folder.with("cup.toml", &printed.out);
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let played = run(&folder, options);
    assert_eq!(played.status, 0, "{}", played.shown());
    let [by_plan, by_options] =
        ["cup.games.jsonl", "tournament.games.jsonl"].map(|log| folder.path().join(log));
    assert_eq!(games(&by_plan), games(&by_options));
    assert_eq!(games(&by_plan).len(), 4);
    let nobody = run(&folder, "-g nim");
    assert_eq!(nobody.status, 2);
    assert!(
        nobody.err.contains("--player <NAME=SPEC>") && !nobody.err.contains("  <PLAN>"),
        "{}",
        nobody.err
    );
    let person = run(&folder, "-g nim -p human -p random");
    assert_eq!(person.status, 2);
    assert!(
        person.err.contains("error: a person cannot play"),
        "{}",
        person.err
    );
}

#[test]
fn openings_are_read_from_a_file() {
    let openings = "; two lines\ntictactoe: (mark 2 2) (mark 1 1)\n\ntictactoe: ((cell 1 1 x) (cell 1 2 o) (cell 1 3 blank) (cell 2 1 blank) \
                    (cell 2 2 blank) (cell 2 3 blank) (cell 3 1 blank) (cell 3 2 blank) (cell 3 3 blank) (control x))\n";
    let plan = random_plan(2, "keep_moves = true\n[openings]\nfile = \"o.txt\"\n");
    let folder = Folder::new()
        .with("cup.toml", plan.replace("rounds = 2\n", ""))
        .with("o.txt", openings);
    let ended = run(&folder, "cup.toml");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let games = games(&folder.path().join("cup.games.jsonl"));
    let numbers: Vec<u64> = games.iter().map(|game| game.opening).collect();
    assert_eq!(numbers, [0, 0, 1, 1]);
    let first = &games[0].moves.as_ref().unwrap()[..2];
    assert_eq!(first, [["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"]]);
    assert!(
        games[2].moves.as_ref().unwrap().len() <= 7,
        "two squares are taken"
    );
}

#[test]
fn records_are_openings() {
    let folder = Folder::new().with(
        "cup.toml",
        random_plan(
            1,
            "keep_moves = true\n[openings]\nfile = \"records\"\nplies = 3\n",
        ),
    );
    let recorded = folder.run(&[
        "match",
        "tictactoe",
        "-p",
        "random",
        "--games",
        "3",
        "--record",
        "records",
        "--quiet",
    ]);
    assert_eq!(recorded.status, 0);
    assert_eq!(run(&folder, "cup.toml").status, 0);
    let options = "-g tictactoe -p A=random -p B=random --seed 5 --openings records --opening 3";
    let printed = run(&folder, &format!("{options} --print-plan"));
    assert!(
        printed.out.contains("plies = 3\nfile = \"records\""),
        "{}",
        printed.shown()
    );
    assert_eq!(run(&folder, options).status, 0);
    let games = games(&folder.path().join("cup.games.jsonl"));
    let opening = |game: usize| games[game].moves.as_ref().unwrap()[..3].to_vec();
    assert_eq!(opening(0), opening(1));
    let asked: u32 = games[0].decisions.iter().sum();
    assert!(
        asked as usize + 3 <= games[0].plies,
        "nobody is asked for moves of the opening"
    );
}

/// A page that is there already is no reason to play for hours, and then to fail.
#[test]
fn a_page_that_cannot_be_written_is_refused_before_the_first_game() {
    let folder = Folder::new()
        .with("cup.toml", random_plan(1, ""))
        .with("page.html", "mine");
    let refused = run(&folder, "cup.toml --html page.html");
    assert_eq!(refused.status, 2, "{}", refused.shown());
    assert!(refused.err.contains("--force"), "{}", refused.err);
    assert!(!folder.path().join("cup.games.jsonl").exists());
    let nowhere = run(&folder, "cup.toml --html none/page.html");
    assert_eq!(nowhere.status, 2, "{}", nowhere.shown());
    assert!(!folder.path().join("cup.games.jsonl").exists());
    assert_eq!(run(&folder, "cup.toml --html page.html --force").status, 0);
}

#[test]
fn endless_games_are_told_and_facts_are_kept() {
    let walk = "(role a) (role b) (init (at 0)) (init (score 7)) (step 0 1) (step 1 0)\n\
                (<= (legal a (to ?y)) (true (at ?x)) (step ?x ?y)) (legal a stay) (legal b noop)\n\
                (<= (next (at ?y)) (does a (to ?y))) (<= (next (at ?x)) (true (at ?x)) (does a stay))\n\
                (<= (next (score ?n)) (true (score ?n))) (<= terminal (true (at 9)))\n\
                (<= (goal ?r 50) (role ?r) (true (score 7)))\n";
    let plan =
        "games = [\"walk.kif\"]\noccurrences = 3\nkeep_facts = [\"score\"]\nseatings = \"fixed\"\n";
    let folder = Folder::new()
        .with("walk.kif", walk)
        .with("cup.toml", format!("{plan}{PLAYERS}"));
    let ended = run(&folder, "cup.toml --quiet");
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let games = games(&folder.path().join("cup.games.jsonl"));
    assert_eq!(games[0].end, kolibri::tournament::GameEnd::Repetition);
    assert_eq!(games[0].facts, ["(score 7)"]);
    assert!(games[0].goals.is_empty());
}

/// The 28 rows of the table, with their times in seconds: red, black, red's time, black's time.
const ROWS: [(&str, &str, f64, f64); 28] = [
    ("basic", "basic", 2.0, 2.0),
    ("basic", "simple", 2.0, 2.0),
    ("basic", "advanced", 2.0, 2.0),
    ("basic", "annealed", 2.0, 2.0),
    ("basic", "simple", 5.0, 2.0),
    ("basic", "advanced", 5.0, 2.0),
    ("basic", "annealed", 5.0, 2.0),
    ("basic", "simple", 10.0, 2.0),
    ("basic", "advanced", 10.0, 2.0),
    ("basic", "advanced", 10.0, 1.0),
    ("basic", "annealed", 10.0, 1.0),
    ("basic", "annealed", 20.0, 1.0),
    ("basic", "annealed", 30.0, 1.0),
    ("basic", "annealed", 30.0, 0.5),
    ("simple", "advanced", 2.0, 2.0),
    ("simple", "annealed", 2.0, 2.0),
    ("simple", "advanced", 5.0, 2.0),
    ("simple", "annealed", 5.0, 2.0),
    ("simple", "annealed", 20.0, 2.0),
    ("simple", "annealed", 20.0, 1.0),
    ("simple", "annealed", 20.0, 0.5),
    ("advanced", "annealed", 2.0, 2.0),
    ("advanced", "annealed", 5.0, 2.0),
    ("advanced", "annealed", 20.0, 2.0),
    ("advanced", "annealed", 20.0, 1.0),
    ("advanced", "annealed", 20.0, 0.5),
    ("annealed", "annealed", 2.0, 20.0),
    ("annealed", "annealed", 20.0, 2.0),
];

#[test]
fn the_published_table_is_stated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tournaments/kolibrat-table-3-5.toml");
    let plan = TournamentPlan::load(&path).unwrap();
    let tournament = Tournament::open(plan, None, &StopFlag::default()).unwrap();
    assert_eq!(tournament.header().games[0].roles, ["red", "black"]);
    let games: Vec<_> = tournament.games().unwrap().collect();
    assert_eq!(games.len(), ROWS.len());
    for (game, (red, black, red_time, black_time)) in games.iter().zip(ROWS) {
        let spec = |role: usize| {
            let player = &tournament.plan().players[game.players[role].unwrap()];
            player.spec.to_string()
        };
        let expected =
            |name: &str, time: f64| format!("minimax:time={time},evaluation={name}-as-published");
        assert_eq!(spec(0), expected(red, red_time));
        assert_eq!(spec(1), expected(black, black_time));
    }
}
