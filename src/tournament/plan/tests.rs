use std::fs;

use super::*;

/// A plan that is right, with a line in front of its tables.
fn plan(line: &str) -> String {
    format!(
        "games = [\"nim\"]\n{line}\n[[players]]\nname = \"A\"\nplayer = \"first\"\n\n[[players]]\nname = \"B\"\nplayer = \"random\"\n"
    )
}

fn read(text: &str) -> Result<TournamentPlan, PlanError> {
    TournamentPlan::parse(text, Some(Path::new("cup.toml")), Path::new(""))
}

fn fault(text: &str) -> String {
    let fault = read(text).unwrap_err();
    format!("{fault}; {}", fault.help())
}

#[test]
fn what_is_left_out_is_usual() {
    let plan = read(&plan("")).unwrap();
    let names: Vec<&str> = plan.players.iter().map(|player| &*player.name).collect();
    assert_eq!(names, ["A", "B"]);
    assert_eq!(plan.games[0].name, "nim");
    assert_eq!(plan.schedule, Schedule::RoundRobin);
    assert_eq!(plan.openings, PlannedOpenings::Drawn(0));
    assert_eq!((plan.rounds, plan.seed, plan.max_plies), (None, 1, 2_000));
    assert_eq!(plan.seatings, Seatings::Swapped);
}

#[test]
fn everything_can_be_said() {
    let text = plan(
        "seed = 7\nrounds = 3\nschedule = \"listed\"\nseatings = \"fixed\"\nmax_plies = 50\noccurrences = 3\n\
         endless = \"none\"\nengine = \"reasoner\"\nstart_clock = 5\nplay_clock = 2\nscramble = true\n\
         keep_facts = [\"heap\"]\nkeep_moves = true\nconcurrency = 2\n[openings]\nplies = 2\n\
         [[pairings]]\nplayers = [\"B\", \"A\"]\n[sprt]\nelo0 = 0.0\nelo1 = 10.0",
    );
    let plan = read(&text).unwrap();
    assert_eq!(plan.schedule, Schedule::Listed(vec![vec![1, 0]]));
    assert_eq!(plan.openings, PlannedOpenings::Drawn(2));
    assert_eq!(
        (plan.seed, plan.rounds, plan.occurrences),
        (7, Some(3), Some(3))
    );
    assert_eq!(plan.play_clock, Duration::from_secs(2));
    assert_eq!(plan.keep_facts, ["heap"]);
    assert_eq!(plan.sprt.unwrap().alpha, 0.05);
    assert_eq!(plan.concurrency, Some(2));
}

#[test]
fn faults_have_a_place_and_say_what_is_right() {
    for (line, expected) in [
        ("round = 3", "cup.toml:2:1: unknown field `round`"),
        (
            "rounds = 0",
            "cup.toml:2:10: 0 is out of range for rounds; write a whole number from 1 to 10000000",
        ),
        (
            "rounds = \"many\"",
            "cup.toml:2:10: wrong kind of value: string \"many\", expected a whole number",
        ),
        (
            "keep_facts = \"score\"",
            "cup.toml:2:14: wrong kind of value: string \"score\", expected a list",
        ),
        (
            "occurrences = 1",
            "cup.toml:2:15: 1 is out of range for occurrences; write a whole number, 2 or more",
        ),
        ("schedule = \"cup\"", "cup.toml:2:12: unknown variant `cup`"),
        (
            "schedule = \"gauntlet\"",
            "cup.toml:2:12: a gauntlet needs its player; write gauntlet = \"NAME\"",
        ),
        (
            "gauntlet = \"a\"",
            "cup.toml:2:12: there is no player `a`; did you mean `A`?",
        ),
        (
            "schedule = \"listed\"",
            "cup.toml:2:12: no pairings are listed",
        ),
        (
            "schedule = \"swiss\"\ngauntlet = \"A\"",
            "cup.toml:3:12: the schedule is no gauntlet",
        ),
        (
            "[openings]\nplies = 2000",
            "cup.toml:3:9: an opening of 2000 plies leaves nothing to be played of 2000",
        ),
        (
            "[openings]\nfile = \"none.txt\"",
            "cup.toml:3:8: there is no file `none.txt`",
        ),
        (
            "[sprt]\nelo0 = 5.0\nelo1 = 5.0",
            "cup.toml:2:1: elo1 must be greater than elo0",
        ),
        (
            "keep_facts = [\"(score red 5)\"]",
            "cup.toml:2:15: \"(score red 5)\" is no name of a relation",
        ),
        (
            "[[players]]\nplayer = \"minimx\"",
            "cup.toml:3:10: there is no player `minimx`; did you mean `minimax`?",
        ),
        (
            "[[players]]\nplayer = \"human\"",
            "cup.toml:3:10: a person cannot play in a tournament",
        ),
        (
            "[[players]]\nname = \"A\"\nplayer = \"first\"",
            "cup.toml:6:8: two players are called `A`",
        ),
        (
            "[[players]]\nname = \"\"\nplayer = \"first\"",
            "cup.toml:3:8: \"\" is no name for a player",
        ),
    ] {
        let told = fault(&plan(line));
        assert!(told.starts_with(expected), "{line}: {told}");
    }
    for (text, expected) in [
        (
            "",
            "cup.toml:1:1: the plan has no players; write a table for each player",
        ),
        ("games = [\"nim\"", "cup.toml:1:"),
        (
            "games = [\"nimm\"]\n[[players]]\nplayer = \"first\"",
            "cup.toml:1:10: no shipped game and no file is called `nimm`; did you mean `nim`?",
        ),
        (
            "games = []\n[[players]]\nplayer = \"first\"",
            "cup.toml:1:9: there are no games",
        ),
        (
            "games = [\"nim\", \"nim\"]\n[[players]]\nplayer = \"first\"",
            "cup.toml:1:17: two games are called `nim`",
        ),
    ] {
        let told = fault(text);
        assert!(told.starts_with(expected), "{text}: {told}");
    }
    let told = TournamentPlan::parse("", None, Path::new(""))
        .unwrap_err()
        .to_string();
    assert_eq!(told, "the plan has no players");
}

#[test]
fn the_files_of_a_plan_lie_beside_it() {
    let folder = tempfile::TempDir::new().unwrap();
    let nim = crate::catalog::GameSource::find("nim").unwrap().text;
    fs::create_dir(folder.path().join("games")).unwrap();
    for name in ["games/b.kif", "games/a.kif", "c.kif"] {
        fs::write(folder.path().join(name), &nim).unwrap();
    }
    fs::write(folder.path().join("games/readme"), "").unwrap();
    let path = folder.path().join("cup.toml");
    fs::write(&path, plan("").replace("\"nim\"", "\"games\", \"c.kif\"")).unwrap();
    let plan = TournamentPlan::load(&path).unwrap();
    let names: Vec<&str> = plan.games.iter().map(|game| &*game.name).collect();
    assert_eq!(names, ["a", "b", "c"]);
    let missing = TournamentPlan::load(&folder.path().join("none.toml")).unwrap_err();
    assert!(
        missing.to_string().starts_with("cannot read the plan"),
        "{missing}"
    );
}
