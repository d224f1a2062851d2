//! Whoever says stop in the middle of a search gets a move at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::{Propnet, Reasoner};
use kolibri::game::{Engine, Role, legal_of_all};
use kolibri::gdl;
use kolibri::search::{Heuristics, Limits, MAX_DEPTH, Searcher, Settings, mcts, think};

/// Says stop long after the search has begun, and long before it would end by itself; how long it still took then, with
/// which move it came, and whether it was sure of it.
fn stopped<G: Engine>(
    game: &G,
    threads: usize,
    searcher: &mut Searcher,
) -> (Duration, G::Move, bool) {
    const BEFORE: Duration = Duration::from_millis(150);
    let stop = Arc::new(AtomicBool::new(false));
    let limits = Limits {
        // A search that does not hear fails the test, and does not go on for ever.
        time: Some(Duration::from_secs(20)),
        threads,
        stop: Some(&stop),
        ..Limits::to_depth(MAX_DEPTH)
    };
    std::thread::scope(|scope| {
        let says = scope.spawn(|| {
            std::thread::sleep(BEFORE);
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let found = think(game, &game.initial(), Role(0), &limits, searcher).unwrap();
        let end = Instant::now();
        let said = says.join().unwrap();
        assert!(end >= said, "it was not in the middle of a search");
        assert!(found.nodes > 0, "it had not begun");
        (end - said, found.best, found.exact)
    })
}

fn assert_stops<G: Engine>(game: &G) {
    let mut legal = Vec::new();
    legal_of_all(game, &mut game.scratch(), &game.initial(), &mut legal);
    for threads in [1, 2] {
        let minimax = Searcher::minimax(Settings {
            hash: 1,
            heuristics: Heuristics::NONE,
            ..Settings::default()
        });
        let mcts = Searcher::mcts(mcts::Settings {
            hash: 64,
            ..mcts::Settings::default()
        });
        for (name, mut searcher) in [("minimax", minimax), ("mcts", mcts)] {
            let (late, best, exact) = stopped(game, threads, &mut searcher);
            let said = format!("{name} on {threads} threads: {late:?} late");
            assert!(late < Duration::from_secs(1), "{said}");
            assert!(legal[0].contains(&best) && !exact, "{said}");
        }
    }
}

#[test]
fn a_search_of_a_large_game_ends_when_told_to() {
    let rules = gdl::load(&GameSource::find("connect-four").unwrap().text).rules;
    let rules = rules.unwrap();
    assert_stops(&Propnet::new(&rules, &datalog::Limits::default()).unwrap());
    assert_stops(&Reasoner::new(&rules).unwrap());
}
