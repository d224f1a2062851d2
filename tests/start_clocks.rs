//! Players of many rule files are ready once the start clock is over, or not long after it on a busy machine.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kolibri::catalog::GameSource;
use kolibri::engine::{EngineChoice, LoadOptions};
use kolibri::util::StopFlag;
use kolibri::{Game, Mcts, Session};

use crate::corpus::{files_in, folder, own, stem};

/// Time to make a network of the rules; where that is too little, the reasoner plays.
const START_UP: Duration = Duration::from_secs(3);
const START_CLOCK: Duration = Duration::from_secs(1);
/// What a build without all optimisations may need longer beside other tests.
const GRACE: Duration = Duration::from_secs(9);

/// One of so many files is tried in every run of the tests, and games of boards with many cells, lines or pieces.
const STEP: usize = 20;
const LARGE: [&str; 8] = [
    "ggp__checkers",
    "ggp__connect5",
    "ggp__gomoku_15x15",
    "ggp__hex",
    "ggp__pentago",
    "ggp__quarto",
    "ggp__reversi",
    "ggp__skirmish",
];

/// Whether the first role of a game can play; then it has a move after the start clock and a little time for the move itself.
fn is_ready(path: &Path) -> bool {
    let source = GameSource::from_file(path).unwrap();
    let options = LoadOptions::from(EngineChoice::Auto);
    let Ok(game) = Game::open_within(source, &options, START_UP) else {
        return false;
    };
    let session = Session::new(&game);
    let legal = session.legal_of(0);
    if session.is_terminal() || legal.is_empty() {
        return false;
    }
    let role = &session.roles()[0];
    let search = Mcts::new().time(Duration::from_millis(20));
    let mut searcher = search.for_role(&game, role).unwrap();
    let begin = Instant::now();
    searcher.prepare(&session, START_CLOCK, &StopFlag::default());
    let found = searcher.search(&session, None).unwrap();
    let took = begin.elapsed();
    assert!(took < START_CLOCK + GRACE, "{}: {took:?}", stem(path));
    assert!(
        legal.contains(&found.best),
        "{}: {}",
        stem(path),
        found.best
    );
    true
}

/// Our own rule files, and those of the collection that are asked for by their number and name.
fn rule_files(is_asked_for: impl Fn(usize, &str) -> bool) -> Vec<PathBuf> {
    let mut files = files_in(&own().join("kif"));
    let collected = folder().map_or_else(Vec::new, |folder| files_in(&folder.join("kif")));
    let asked_for = collected.into_iter().enumerate();
    files.extend(
        asked_for
            .filter(|(number, path)| is_asked_for(*number, &stem(path)))
            .map(|(_, path)| path),
    );
    files
}

#[test]
fn players_of_a_sample_are_ready_in_time() {
    let sample = rule_files(|number, name| number % STEP == 0 || LARGE.contains(&name));
    let ready = sample.iter().filter(|path| is_ready(path)).count();
    assert!(2 * ready > sample.len(), "{ready} of {}", sample.len());
}

#[test]
#[ignore = "prepares a player for each rule file of the collection, which takes minutes"]
fn players_of_the_whole_collection_are_ready_in_time() {
    let all = rule_files(|_, _| true);
    let ready = all.iter().filter(|path| is_ready(path)).count();
    assert!(2 * ready > all.len(), "{ready} of {}", all.len());
}
