//! Learned weights that are kept: in files, and in the cache.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use kolibri::catalog::GameSource;
use kolibri::datalog::EvaluationLimits;
use kolibri::engine::Propnet;
use kolibri::files::FileCache;
use kolibri::game::{Engine, Role};
use kolibri::gdl::{self, rules_digest};
use kolibri::search::{
    Heuristics, KeptWeights, LearnedWeights, MctsSettings, MinimaxSettings, Searcher, Teacher,
    TrainingCourse, TupleSize, game_of_trial, prepare,
};
use kolibri::session::{Game, read_weights};
use kolibri::util::StopFlag;
use rayon::ThreadPoolBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::cli::Folder;

/// A shipped game, and where what is learned of it is kept.
struct Kept {
    game: Propnet,
    rules: String,
    folder: TempDir,
}

type Weights = Vec<(&'static str, String, f64)>;

impl Kept {
    fn new(name: &str) -> Self {
        let text = GameSource::find(name).unwrap().text;
        let rules = gdl::load(&text).rules.unwrap();
        Self {
            game: Propnet::new(&rules, &EvaluationLimits::default()).unwrap(),
            rules: rules_digest(&text),
            folder: TempDir::new().unwrap(),
        }
    }

    fn cache(&self) -> FileCache {
        FileCache::new(self.folder.path().to_owned(), FileCache::MOST_BYTES)
    }

    fn kept(&self) -> LearnedWeights {
        let kept = KeptWeights::new(self.cache(), "a game", self.rules.clone());
        LearnedWeights::kept(kept)
    }

    /// A searcher that learns from so many states within a time, or is given what is kept.
    fn searcher(&self, role: usize, states: u64, time: f64, learned: LearnedWeights) -> Searcher {
        let settings = MinimaxSettings {
            training_states: Some(states),
            ..MinimaxSettings::default()
        };
        prepared(&self.game, role, settings, (time, learned))
    }

    /// The only entry.
    fn entry(&self) -> std::path::PathBuf {
        let entries = self.cache().entries();
        let [entry] = &entries[..] else {
            panic!("{entries:?}")
        };
        self.folder
            .path()
            .join(format!("{}.kolibri-cache", entry.name))
    }
}

fn prepared<G: Engine>(
    game: &G,
    role: usize,
    settings: MinimaxSettings,
    (time, mut learned): (f64, LearnedWeights),
) -> Searcher {
    let mut searcher = Searcher::minimax(settings);
    let limits = (Duration::from_secs_f64(time), &StopFlag::default());
    prepare(game, Role(role), &mut searcher, &mut learned, limits);
    searcher
}

/// All that tells one evaluation from another: what features count, and what the first state is worth.
fn weights(
    game: &Propnet,
    role: usize,
    searcher: &Searcher,
) -> (Weights, Vec<(&'static str, f64)>) {
    use kolibri::game::StateMachine;
    let parts = searcher.contributions(game, &game.initial(), Role(role));
    (searcher.weights(&[]), parts)
}

#[test]
fn weights_from_the_cache_are_those_that_were_learned() {
    for name in ["tictactoe", "breakthrough"] {
        let kept = Kept::new(name);
        for role in [1, 0] {
            let of = |searcher: &Searcher| weights(&kept.game, role, searcher);
            let alone = kept.searcher(role, 20_000, 600.0, LearnedWeights::default());
            assert!(of(&alone).0.iter().any(|(.., weight)| *weight != 0.0));
            let first = kept.searcher(role, 20_000, 600.0, kept.kept());
            assert_eq!(of(&first), of(&alone), "{name} {role}");
            // In no time, nothing is learned.
            let again = kept.searcher(role, 20_000, 0.0, kept.kept());
            assert_eq!(of(&again), of(&alone), "{name} {role}");
            assert!(!again.training_cut_short());
        }
        assert_eq!(kept.cache().entries().len(), 1, "one set for both roles");
    }
}

#[test]
fn a_damaged_entry_is_made_again() {
    let kept = Kept::new("tictactoe");
    let first = kept.searcher(0, 5000, 600.0, kept.kept());
    let first = weights(&kept.game, 0, &first);
    let path = kept.entry();
    let whole = fs::read(&path).unwrap();
    for place in [3, whole.len() / 2, whole.len() - 1] {
        let mut damaged = whole.clone();
        damaged[place] ^= 1;
        fs::write(&path, damaged).unwrap();
        let again = kept.searcher(0, 5000, 600.0, kept.kept());
        assert_eq!(weights(&kept.game, 0, &again), first);
        let remade = kept.searcher(0, 5000, 0.0, kept.kept());
        assert_eq!(weights(&kept.game, 0, &remade), first, "byte {place}");
    }
}

#[test]
fn each_way_to_learn_has_weights_of_its_own() {
    let kept = Kept::new("tictactoe");
    kept.searcher(0, 5000, 600.0, kept.kept());
    kept.searcher(0, 6000, 600.0, kept.kept());
    for heuristics in ["all-facts", "tuples"] {
        let settings = MinimaxSettings {
            training_states: Some(5000),
            heuristics: heuristics.parse::<Heuristics>().unwrap(),
            ..MinimaxSettings::default()
        };
        prepared(&kept.game, 0, settings, (600.0, kept.kept()));
    }
    assert_eq!(kept.cache().entries().len(), 4);
    let other = KeptWeights::new(kept.cache(), "other rules", "1".repeat(64));
    kept.searcher(0, 5000, 600.0, LearnedWeights::kept(other));
    assert_eq!(kept.cache().entries().len(), 5);
    let of_seed = |training_seed| {
        let settings = MinimaxSettings {
            training_states: Some(5000),
            training_seed,
            ..MinimaxSettings::default()
        };
        let searcher = prepared(&kept.game, 0, settings, (600.0, kept.kept()));
        weights(&kept.game, 0, &searcher)
    };
    assert_ne!(of_seed(1), of_seed(0));
    assert_eq!(of_seed(1), of_seed(1));
    assert_eq!(kept.cache().entries().len(), 6);
}

#[test]
fn trial_matches_are_kept_for_the_weights_that_played_them() {
    let kept = Kept::new("tictactoe");
    let takes_minimax = |time: f64| {
        let minimax = MinimaxSettings {
            training_states: Some(2000),
            ..MinimaxSettings::default()
        };
        let mcts = MctsSettings {
            training_states: Some(2000),
            ..MctsSettings::default()
        };
        let mut searcher = Searcher::auto(minimax, mcts);
        let limits = (Duration::from_secs_f64(time), &StopFlag::default());
        prepare(&kept.game, Role(0), &mut searcher, &mut kept.kept(), limits);
        matches!(searcher, Searcher::Minimax(_))
    };
    takes_minimax(20.0);
    let begin = Instant::now();
    takes_minimax(20.0);
    assert!(
        begin.elapsed() < Duration::from_secs(2),
        "nothing is played again"
    );
    let entries = kept.cache().entries();
    assert_eq!(entries.len(), 2, "weights and trial matches: {entries:?}");
    let trial = entries.iter().find(|of| of.name.starts_with("trial-"));
    let name = &trial.unwrap().name;
    let whole = kept.cache().get(name).unwrap();
    assert_eq!(game_of_trial(&whole).as_deref(), Some("a game"));
    let json = &whole[..whole.len() - 32];
    let whole: serde_json::Value = serde_json::from_slice(json).unwrap();
    // In no time, nothing is played: what is taken shows what was read.
    let takes_minimax_where = |points: f64, more_states: u64, is_damaged: bool| {
        let mut told = whole.clone();
        let learned = told["states"].as_u64().unwrap();
        told["states"] = (learned + more_states).into();
        let found = told["trial"]["matches"].as_array_mut().unwrap();
        let found = found.last_mut().unwrap();
        found["contestants"] = serde_json::json!(["Minimax", "Mcts"]);
        found["games"] = 6.into();
        found["points"] = points.into();
        told["trial"]["mcts"] = "Mcts".into();
        let mut bytes = told.to_string().into_bytes();
        let checksum = Sha256::digest(&bytes);
        bytes.extend(checksum);
        bytes[10] ^= u8::from(is_damaged);
        kept.cache().put(name, &bytes);
        takes_minimax(0.0)
    };
    assert!(takes_minimax_where(5.5, 0, false));
    assert!(!takes_minimax_where(0.5, 0, false));
    // Where nothing is known and there is no time, it is minimax.
    assert!(takes_minimax_where(0.5, 1, false), "of other weights");
    assert!(takes_minimax_where(0.5, 0, true), "damaged");
}

#[test]
fn weights_that_had_too_little_time_are_learned_anew_where_there_is_more() {
    let kept = Kept::new("breakthrough");
    let states = 1 << 40;
    let first = kept.searcher(0, states, 1.0, kept.kept());
    assert!(first.training_cut_short());
    let first = fs::read(kept.entry()).unwrap();
    kept.searcher(0, states, 1.0, kept.kept());
    assert!(fs::read(kept.entry()).unwrap() == first, "the same time");
    kept.searcher(0, states, 3.0, kept.kept());
    assert!(fs::read(kept.entry()).unwrap() != first, "more time");
}

fn fault(game: &str, path: &Path) -> (String, &'static str) {
    let game = Game::load(game).unwrap();
    let fault = read_weights(&game, path, 0).unwrap_err();
    (fault.to_string(), fault.help())
}

#[test]
fn files_that_give_no_weights_are_refused() {
    let kept = Kept::new("tictactoe");
    kept.searcher(0, 5000, 600.0, kept.kept());
    let path = kept.entry();
    let game = Game::load("tictactoe").unwrap();
    assert!(read_weights(&game, &path, 1).is_ok(), "they are for both");
    let (message, help) = fault("connect-four", &path);
    assert!(message.ends_with("it holds weights for other rules, of a game named `a game`"));
    assert!(help.contains("kolibri train"), "{help}");
    let whole = fs::read(&path).unwrap();
    let refused = |bytes: &[u8], expected: &str| {
        fs::write(&path, bytes).unwrap();
        let (message, _) = fault("tictactoe", &path);
        assert!(message.contains(expected), "{message}");
    };
    refused(b"(role x)\n", "it is not a file of weights");
    refused(b"", "it is not a file of weights");
    refused(b"kolibri weights 4\n{}\n", "version 4 of the format");
    refused(&whole[..whole.len() - 1], "damaged");
    refused(&[&whole[..], b"x"].concat(), "damaged");
    fs::remove_file(&path).unwrap();
    let (message, help) = fault("tictactoe", &path);
    assert!(
        help == "check the path" && !message.contains("damaged"),
        "{message}"
    );
}

/// The entries of the cache that are weights. On a slow machine, there are networks beside them.
fn kept_weights(folder: &Folder) -> Vec<Value> {
    let listed = folder.run(&["cache", "--json"]).out;
    let entry = |line: &str| serde_json::from_str::<Value>(line).unwrap();
    let entries = listed.lines().map(entry);
    let is_weights = |entry: &Value| entry["entry"].as_str().unwrap().starts_with("weights-");
    entries.filter(is_weights).collect()
}

#[test]
fn the_command_line_keeps_weights_and_takes_them_from_files() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split(' ').collect::<Vec<_>>());
    let play = "match tictactoe --games 1 --seed 1 --player minimax:depth=1,training=5000";
    let first = run(play);
    assert_eq!(first.status, 0, "{}", first.shown());
    let kept = kept_weights(&folder);
    let [entry] = &kept[..] else {
        panic!("one role learns");
    };
    assert_eq!(entry["game"], "tictactoe");
    assert_eq!(
        run(&format!("{play} --no-cache")).out.lines().count(),
        first.out.lines().count()
    );
    let name = entry["entry"].as_str().unwrap();
    let cached = folder.cache().join(format!("{name}.kolibri-cache"));
    fs::copy(cached, folder.path().join("t.weights")).unwrap();
    assert!(run("cache clear").out.starts_with("removed "));
    assert_eq!(run("cache --json").out, "");

    let found = run("search tictactoe --depth 2 --weights t.weights --json").json();
    let weights = found["weights"].as_array().unwrap();
    assert!(weights.iter().any(|weight| weight["adds"] != 0.0));
    assert_eq!(found["weights_cut_short"], false);
    let with = "match tictactoe --games 2 --seed 1 --player minimax:depth=2,weights=t.weights";
    assert_eq!(run(with).status, 0);
    assert!(kept_weights(&folder).is_empty(), "nothing was learned");
    let other = run(&with.replace("tictactoe", "connect-four"));
    assert_eq!(other.status, 2);
    assert!(
        other.err.contains("other rules") && other.err.contains("help"),
        "{}",
        other.err
    );
    for player in ["minimax", "mcts", "auto"] {
        let missing = format!("match tictactoe --player {player}:time=0.01,weights=none.weights");
        let ended = run(&missing);
        assert_eq!(ended.status, 2, "{player}: {}", ended.shown());
        assert!(ended.err.contains("none.weights"), "{}", ended.shown());
    }
    let none = run("search tictactoe --weights none.weights");
    assert_eq!(none.status, 2, "{}", none.shown());
}

#[test]
fn all_that_play_keep_what_they_learn() {
    let folder = Folder::new();
    let spec = "minimax:depth=1,training=2000";
    let kept = || kept_weights(&folder).len();
    let tournament = format!("tournament -g tictactoe -p A={spec} -p random --rounds 1 --quiet");
    let quality = format!("quality tictactoe --player {spec} --positions 2 --plies 4 --quiet");
    for command in [tournament, quality] {
        let words: Vec<&str> = command.split(' ').collect();
        let ended = folder.run(&[&words[..], &["--no-cache"]].concat());
        assert_eq!(ended.status, 0, "{}", ended.shown());
        assert_eq!(folder.run(&["cache", "--json"]).out, "");
        fs::remove_file(folder.path().join("tournament.games.jsonl")).ok();
        let ended = folder.run(&words);
        assert_eq!((ended.status, kept()), (0, 1), "{}", ended.shown());
        folder.run(&["cache", "clear"]);
    }
    let program = assert_cmd::cargo::cargo_bin("kolibri");
    let played = format!("x=exec:'{}' engine --player {spec}", program.display());
    let words = [
        "match",
        "tictactoe",
        "--player",
        &played,
        "--player",
        "o=random",
    ];
    let ended = folder.run(&[&words[..], &["--seed", "1", "--games", "1"]].concat());
    assert_eq!(ended.status, 0, "{}", ended.shown());
    assert_eq!(kept(), 1);
}

/// Ends without a goal are worth the same to both roles, as in chess where the plies run out.
#[test]
fn ends_without_a_goal_do_not_keep_roles_from_sharing_points() {
    let folder = Folder::new();
    let rules = |goals: &str| {
        let cells: String = (1..=5).map(|n| format!("(after {n} {})", n + 1)).collect();
        format!(
            "(role x)(role o){cells}(init (at 1))(init (turn x))(opponent x o)(opponent o x)
             (<= (legal ?r ?go) (true (turn ?r)) (step ?go ?n))(step stay 0)(step go 1)
             (<= (legal ?r wait) (opponent ?r ?s) (true (turn ?s)))
             (<= (next (turn ?s)) (true (turn ?r)) (opponent ?r ?s))
             (<= (next (at ?m)) (does ?r go) (true (at ?n)) (after ?n ?m))
             (<= (next (at ?n)) (does ?r stay) (true (at ?n)))
             (init (ply 1))(<= (next (ply ?m)) (true (ply ?n)) (after ?n ?m))
             (<= terminal (true (at 4)))(<= terminal (true (ply 6)))
             (<= (goal ?r 100) (true (at 4)) (opponent ?r ?s) (true (turn ?s)))
             (<= (goal ?r 0) (true (at 4)) (true (turn ?r))){goals}"
        )
    };
    let shares_points = |goals: &str| {
        fs::write(folder.path().join("race.kif"), rules(goals)).unwrap();
        let train = [
            "train",
            "race.kif",
            "--states",
            "2000",
            "--out",
            "race.weights",
            "--force",
            "--json",
        ];
        folder.run(&train).json()["shares_points"].clone()
    };
    assert_eq!(shares_points(""), true);
    let apart = "(<= (goal ?r 10) (role ?r) (true (ply 6)) (not (true (at 4))))";
    assert_eq!(shares_points(apart), false);
}

#[test]
fn a_long_training_is_kept_and_goes_on() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split(' ').collect::<Vec<_>>());
    let train = "train tictactoe --states 30000 --runs 2 --seed 3 --json";
    let trained = run(&format!(
        "{train} --threads 3 --out a.weights --svg curve.svg"
    ))
    .json();
    let curve = trained["curve"].as_array().unwrap().iter();
    let points: Vec<u64> = curve.map(|of| of["states"].as_u64().unwrap()).collect();
    let is_sound = (8..=16).contains(&points.len());
    assert!(
        is_sound && points.is_sorted_by(|one, other| one < other),
        "{points:?}"
    );
    assert!(trained["states"].as_u64().unwrap() >= 60_000, "{trained}");
    let tenths = trained["calibration"].as_array().unwrap();
    let states = tenths.iter().map(|of| of["states"].as_u64().unwrap());
    assert!(tenths.len() == 10 && states.sum::<u64>() > 2000);
    let size = fs::metadata(folder.path().join("a.weights")).unwrap().len();
    assert_eq!(trained["bytes"], size);
    let picture = fs::read_to_string(folder.path().join("curve.svg")).unwrap();
    assert!(picture.starts_with("<svg"), "{picture}");

    run(&format!("{train} --threads 1 --out b.weights")).json();
    let weights = |file: &str| {
        let words = format!("search tictactoe --depth 1 --weights {file} --json");
        let found = run(&words).json();
        (found["weights"].clone(), found["parts"].clone())
    };
    assert_eq!(
        weights("a.weights"),
        weights("b.weights"),
        "one seed, on any number of threads"
    );
    run(&format!(
        "{} --out c.weights",
        // Its two runs have other seeds than those of the first training.
        train.replace("seed 3", "seed 9")
    ))
    .json();
    assert_ne!(weights("a.weights"), weights("c.weights"), "another seed");

    let kept = run(&format!("{train} --out a.weights"));
    assert_eq!(kept.status, 2, "{}", kept.shown());
    let more = run(&format!("{train} --resume b.weights")).json();
    assert!(more["states"].as_u64().unwrap() >= 120_000, "{more}");
    assert!(more["games"].as_u64() > trained["games"].as_u64());
    assert_ne!(weights("a.weights"), weights("b.weights"), "it went on");
}

#[test]
fn one_run_learns_by_itself_unless_there_is_a_time_and_more_threads() {
    let folder = Folder::new();
    let runs = |words: &str| {
        let words = format!("train tictactoe --json --out t.weights --force {words}");
        let trained = folder.run(&words.split(' ').collect::<Vec<_>>()).json();
        trained["runs"].as_array().unwrap().len()
    };
    assert_eq!(runs("--states 1000 --threads 5"), 1);
    assert_eq!(runs("--states 1000 --threads 5 --runs 3"), 3);
    assert_eq!(runs("--time 0.5 --threads 5"), 2);
    // Each run gets its share of the time, on a single thread, too.
    assert_eq!(runs("--time 0.5 --runs 2 --threads 1"), 2);
}

/// What a role may expect where it moves is what the other one may, where all is exchanged.
#[test]
fn values_are_the_same_for_both_roles_with_the_roles_exchanged() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split(' ').collect::<Vec<_>>());
    run("train tictactoe --states 20000 --out t.weights --quiet");
    run("train tictactoe --states 20000 --resume t.weights --quiet");
    let value = |mine: &str, others: &str, turn: &str| {
        let mut state = format!("(control {turn})");
        for cell in [
            "1 1", "1 2", "1 3", "2 1", "2 2", "2 3", "3 1", "3 2", "3 3",
        ] {
            let content = match cell {
                cell if cell == mine => turn,
                cell if cell == others => ["o", "x"][usize::from(turn == "o")],
                _ => "blank",
            };
            state += &format!("(cell {cell} {content})");
        }
        fs::write(folder.path().join("state"), state).unwrap();
        let found =
            run("search tictactoe --state state --depth 1 --weights t.weights --json").json();
        found["value"].as_f64().unwrap()
    };
    let mut values = Vec::new();
    for (mine, others) in [
        ("1 1", "2 2"),
        ("1 1", "1 2"),
        ("2 2", "3 3"),
        ("3 2", "1 1"),
    ] {
        let [one, other] = ["x", "o"].map(|turn| value(mine, others, turn));
        assert!(
            (one - other).abs() < 0.01,
            "{mine}, {others}: {one}, {other}"
        );
        values.push(one);
    }
    assert!(
        values.iter().any(|value| (value - values[0]).abs() > 1.0),
        "{values:?}"
    );
}

#[test]
fn a_value_is_explained_in_the_words_of_the_rules() {
    let folder = Folder::new();
    let run = |words: &[&str]| folder.run(words);
    run(&[
        "train",
        "tictactoe",
        "--states",
        "20000",
        "--out",
        "t.weights",
    ]);
    let words = [
        "search",
        "tictactoe",
        "(mark 2 2)",
        "--depth",
        "1",
        "--weights",
        "t.weights",
    ];
    let found = run(&[&words[..], &["--json"]].concat()).json();
    let parts = found["parts"].as_array().unwrap();
    assert!(parts.len() == 20, "{found}");
    let adds = |part: &serde_json::Value| part["adds"].as_f64().unwrap().abs();
    assert!(parts.is_sorted_by(|one, other| adds(one) >= adds(other)));
    let is_told =
        |part: &serde_json::Value| part["counts"].as_str().unwrap().contains("(cell 2 2 x)");
    assert!(parts.iter().any(is_told), "{found}");
    let shown = run(&[&words[..], &["-v"]].concat());
    assert!(shown.out.contains("what weighs most here"), "{}", shown.out);
}

/// Every engine finds the same values by them, in the game that they were learned for alone.
#[test]
fn hidden_units_learn_from_a_solution() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split_whitespace().collect::<Vec<_>>());
    let small = run("generate kolibrat --width 3 --height 4 --pieces 3 --goals 1");
    fs::write(folder.path().join("b.kif"), small.out).unwrap();
    assert_eq!(run("solve b.kif --out b.solution").status, 0);
    let learn = "train b.kif --states 100000 --threads 1 --tuples usual --out b.weights --force -q";
    let taught = run(&format!("{learn} --hidden 8 --solution b.solution --json"));
    assert_eq!(taught.status, 0, "{}", taught.shown());

    let quality = "quality b.kif --solution b.solution --positions 300 --json";
    let kept = |player: &str| {
        let report = run(&format!("{quality} --player {player}")).json();
        report["kept"].as_f64().unwrap() / report["positions"].as_f64().unwrap()
    };
    let share = kept("minimax:depth=1,weights=b.weights");
    // Weights of as much self-play keep it in 95 of 100.
    assert!(share > 0.96, "{share}");

    let search = |more: &str| {
        let found = run(&format!(
            "search b.kif --depth 4 --weights b.weights --json {more}"
        ));
        let found = found.json();
        (
            found["value"].clone(),
            found["best"].clone(),
            found["heuristics"].clone(),
        )
    };
    let of_propnet = search("");
    let of_units = |part: &serde_json::Value| part["heuristic"] == "hidden";
    assert!(
        of_propnet.2.as_array().unwrap().iter().any(of_units),
        "{of_propnet:?}"
    );
    assert_eq!(search("--engine reasoner"), of_propnet);

    let more = "train b.kif --states 1000 --threads 1 --resume b.weights -q";
    assert_eq!(run(more).status, 0);
    let file = fs::read(folder.path().join("b.weights")).unwrap();
    let is_kept = |window: &[u8]| window == b"\"hidden\":8";
    assert!(
        file.windows(10).any(is_kept),
        "what is gone on with keeps its units"
    );
    let both = run(&format!("{more} --hidden 4"));
    assert!(
        both.status == 2 && both.err.contains("--hidden"),
        "{}",
        both.shown()
    );
    let foreign = run("train tictactoe --states 1000 --solution b.solution --out t.weights");
    assert!(
        foreign.status != 0 && foreign.err.contains("solution of other rules"),
        "{}",
        foreign.shown()
    );
    assert!(!folder.path().join("t.weights").exists());
}

/// A training in which all states are worth 75 to the first role, unless the teacher does not know the role.
fn taught(teacher: &Teacher<'_>) -> Option<Vec<u8>> {
    let game = Game::load("tictactoe").unwrap();
    let stop = StopFlag::default();
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let result = game.train(&TrainingCourse {
        role: 0,
        time: None,
        states: Some(20_000),
        runs: 1,
        pool: &pool,
        seed: 1,
        size: TupleSize::Usual,
        hidden: 4,
        teacher: Some(teacher),
        start: None,
        subject: (game.name().to_owned(), rules_digest(&game.source().text)),
        stop: &stop,
        report: &|_, _| {},
    });
    result.map(|result| result.weights.to_bytes())
}

#[test]
fn values_are_those_that_a_teacher_tells() {
    let folder = Folder::new();
    // Symmetric states are worth the same, and exchanged roles the rest of 100: so each side's turn says what 75 means.
    let teacher = |facts: &[&str], _: usize| {
        let is_first = facts.contains(&"(control x)");
        Some(if is_first { 75.0 } else { 25.0 })
    };
    fs::write(folder.path().join("t.weights"), taught(&teacher).unwrap()).unwrap();
    for (moves, expected) in [
        ("", 75.0),
        ("(mark 2 2)", 25.0),
        ("(mark 1 1) (mark 2 2)", 75.0),
    ] {
        let mut words = vec!["search", "tictactoe"];
        words.extend(
            moves
                .split_inclusive(") ")
                .map(str::trim)
                .filter(|mv| !mv.is_empty()),
        );
        words.extend(["--depth", "1", "--weights", "t.weights", "--json"]);
        let found = folder.run(&words).json();
        let adds = |part: &serde_json::Value| part["adds"].as_f64().unwrap();
        let logit: f64 = found["heuristics"]
            .as_array()
            .unwrap()
            .iter()
            .map(adds)
            .sum();
        let value = 100.0 / (1.0 + (-logit).exp());
        let is_first = moves.matches("mark").count() % 2 == 0;
        // The evaluation is told for the role to move.
        let told = if is_first { value } else { 100.0 - value };
        assert!((told - expected).abs() < 4.0, "{moves}: {told} {found}");
    }
    assert!(
        taught(&|_, _| None).is_none(),
        "it tells nothing of the role"
    );
}

#[test]
fn weights_are_learned_where_the_cache_takes_nothing() {
    let folder = Folder::new().with("file", "");
    let mut command = assert_cmd::Command::cargo_bin("kolibri").unwrap();
    let words = "match tictactoe --games 1 --player minimax:depth=1,training=2000 -q";
    command.args(words.split(' ')).current_dir(folder.path());
    command.env("KOLIBRI_CACHE", folder.path().join("file"));
    let ended = crate::cli::Ended::of(&mut command);
    assert_eq!((ended.status, &*ended.err), (0, ""), "{}", ended.shown());
}

#[test]
fn networks_of_large_games_are_kept() {
    let folder = Folder::new();
    let run = |words: &str| folder.run(&words.split_whitespace().collect::<Vec<_>>());
    let stages = |words: &str| {
        let report = run(&format!("info checkers --games 1 --json {words}")).json();
        let stages = report["startup"].as_object().unwrap().clone();
        (stages.contains_key("ground"), report["network"].clone())
    };
    assert!(stages("--no-cache").0);
    assert_eq!(run("cache --json").out, "");
    let (first, second) = (stages(""), stages(""));
    assert_eq!((first.0, second.0), (true, false));
    assert_eq!(first.1, second.1, "the report is kept, too");
    let entries = run("cache --json").out;
    let entries = entries
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    let entries: Vec<serde_json::Value> = entries.collect();
    assert!(entries.iter().all(|entry| entry["game"] == "checkers"));
    let names = entries.iter().map(|entry| entry["entry"].as_str().unwrap());
    let of_kind = |kind| names.clone().find(|name| name.starts_with(kind));
    assert!(of_kind("boards-").is_some());
    let paths = |words: &str| {
        let report = run(&format!("perft checkers 6 --json {words}")).json();
        report["counts"].clone()
    };
    assert!(paths("").is_array());
    assert_eq!(paths(""), paths("--no-cache"));

    let name = of_kind("network-").unwrap();
    let cached = folder.cache().join(format!("{name}.kolibri-cache"));
    let whole = fs::read(&cached).unwrap();
    fs::write(&cached, &whole[..whole.len() / 2]).unwrap();
    assert!(stages("").0, "a damaged entry is not taken");
    assert_eq!(fs::read(&cached).unwrap(), whole, "and made again");
}
