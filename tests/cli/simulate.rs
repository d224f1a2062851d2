//! `kolibri simulate`: tables, totals, single games, logs, mistakes.

use super::Folder;

#[test]
fn the_games_at_depth_two_are_printed_as_tables() {
    let ended = Folder::new().run(&["simulate", "checkers", "--depth", "2", "--threads", "2"]);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert!(ended.out.starts_with("Table 3: depth 2\n"), "{}", ended.out);
    let rows = [
        [
            "MAB 1",
            "ABS 1",
            "draw",
            "80",
            "2596/3004",
            "3295/3675",
            "5891/6679",
            "8/7",
        ],
        [
            "MAB 2", "ABS 2", "black", "25", "253/196", "345/295", "598/491", "2/12",
        ],
        [
            "ABS 2",
            "ABS 3",
            "draw",
            "80",
            "1103/821",
            "1554/1141",
            "2657/1962",
            "10/9",
        ],
    ];
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = ended.out.lines().map(words).collect();
    for row in rows {
        let row = row.join(" ");
        assert!(
            lines.iter().any(|line| line.starts_with(&row)),
            "{row}\n{}",
            ended.out
        );
    }
    let totals = "36 games: 28 draws, 8 wins by black, 0 wins by red; 28 games end in jitter";
    assert!(lines.iter().any(|line| line == totals), "{}", ended.out);
}

#[test]
fn one_game_has_its_moves_and_logs() {
    let folder = Folder::new();
    let players = [
        "--red",
        "ef=1,depth=2",
        "--black",
        "published:algorithm=abs,ef=1,depth=2",
    ];
    let words = [&["simulate", "checkers", "--logs", "logs"][..], &players].concat();
    let ended = folder.run(&words);
    assert_eq!(ended.status, 0, "{}", ended.shown());
    let moves = "1. 21-17 12-16  2. 17-13 11-15  3. 25-21 10-14";
    assert!(ended.out.starts_with(moves), "{}", ended.out);
    assert!(ended.out.contains("80. 8-4\n"), "{}", ended.out);
    assert!(
        ended.out.contains("draw: black has made 80 turns"),
        "{}",
        ended.out
    );
    for (name, length) in [("short", 164), ("full", 3358)] {
        let path = folder.path().join(format!("logs/min-1-abs-1-2-{name}.log"));
        let log = std::fs::read_to_string(path).unwrap();
        assert_eq!(log.lines().count(), length, "{name}");
        assert!(log.contains("DRAW!!!"));
    }
}

#[test]
fn the_fifth_sample_run_as_json() {
    let ended = Folder::new().run(&["simulate", "checkers", "--sample", "5", "--json"]);
    let objects: Vec<serde_json::Value> = ended
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let [game, totals] = &objects[..] else {
        panic!("{}", ended.shown());
    };
    assert_eq!(
        game["players"]["black"],
        "published:algorithm=abs,ef=4,depth=2"
    );
    assert_eq!(game["goals"]["black"], 100);
    assert_eq!(game["rounds"]["red"], 24);
    assert_eq!(game["nodes"]["red"], 8731);
    assert_eq!(game["board"], "B.../..../..../..../.b../.b../.r.b/.bbb");
    assert_eq!((&totals["games"], &totals["black"]), (&1.into(), &1.into()));
}

#[test]
fn mistakes_come_with_advice() {
    let fault = |words: &[&str]| {
        let ended = Folder::new().run(&[&["simulate", "checkers"], words].concat());
        assert_eq!(ended.status, 2, "{}", ended.shown());
        ended.err
    };
    assert!(fault(&["--depth", "1"]).contains("give a whole number from 2 to 15"));
    assert!(fault(&["--with", "ef=5"]).contains("`5` is no value of `ef` for `published`"));
    assert!(fault(&["--red", "seed=3"]).contains("`--seed N` is the seed of the simulation"));
    assert!(fault(&["--with", "sign=wrong"]).contains("write sign=published or corrected"));
}
