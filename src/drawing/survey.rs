//! What is found out about the boards of a game: random walks, what the rules list, and what the cache keeps of both.

use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::screen::terms;
use crate::files::{EntryKind, KeptEntry};
use crate::info::board::{
    BoardFile, BoardHints, BoardLayout, BoardView, CellContents, ListedByRules, contents,
    single_contents,
};
use crate::info::successor_orders;
use crate::kif::GroundTerm;
use crate::play::Session;
use crate::util::WorkTime;

/// Random walks taken to learn what the states of a game look like, and their greatest length.
const WALKS: u64 = 4;
const STEPS: usize = 20;
/// Enough facts in one walk to know a game by, if its states are as large as the first one: large states are sampled less.
const FACTS: usize = 600;
/// All walks end once they have so many facts, where states grow.
const MOST_FACTS: usize = 10_000;
/// For safety only, since what was seen until then depends on the machine: where a step takes very long, all walks take no longer.
const TIME: Duration = Duration::from_secs(5);

/// What was found out about the boards of a game, and from what.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundBoards {
    pub(super) hints: BoardHints,
    pub(super) samples: Vec<Vec<GroundTerm>>,
    pub(super) layout: BoardLayout,
    /// Per board, what it holds.
    pub(super) contents: Vec<CellContents>,
}

impl FoundBoards {
    /// From some states.
    pub(super) fn new(samples: Vec<Vec<GroundTerm>>, hints: BoardHints) -> Self {
        let layout = BoardLayout::detect(&samples, &hints);
        let mut contents = contents(&layout, &samples);
        let views: Vec<BoardView> = samples
            .iter()
            .map(|facts| BoardView::new(&layout, facts, &contents))
            .collect();
        for (board, contents) in contents.iter_mut().enumerate() {
            let shown = views.iter().flat_map(|view| view.boards[board].values());
            contents.keep(shown.flat_map(|content| single_contents(content)));
        }
        Self {
            hints,
            samples,
            layout,
            contents,
        }
    }

    /// From a few random walks that begin where the session began, or as the cache has them.
    pub(super) fn of_game(session: &Session, file: BoardFile) -> Self {
        let start = start(session);
        let kept = kept_boards(&start, &file);
        let found: Option<FoundBoards> = kept.as_ref().and_then(KeptEntry::find);
        match found {
            Some(mut found) => {
                found.hints.file = file;
                found
            }
            None => {
                let (survey, took) = WorkTime::of(|| Survey::of(&start, file));
                if let Some(kept) = kept.filter(|_| survey.may_be_kept(&took)) {
                    kept.keep(&survey.found, took.wall);
                }
                survey.found
            }
        }
    }
}

fn step_at_random(session: &mut Session, rng: &mut Xoshiro256PlusPlus) -> bool {
    let mut joint = Vec::new();
    for role in 0..session.roles().len() {
        let legal = session.legal_of(role);
        if legal.is_empty() {
            return false;
        }
        joint.push(legal[rng.random_range(0..legal.len())].clone());
    }
    session.play_joint(&joint).is_ok()
}

/// A session that begins where this one began.
fn start(session: &Session) -> Session {
    let start = session.past().next().unwrap_or(session.position());
    Session::from(start.clone())
}

/// The place of the boards of a game that begins as on `start`, drawn with this board file; none where nothing is kept of the game.
fn kept_boards<'s>(start: &'s Session, file: &BoardFile) -> Option<KeptEntry<'s>> {
    let game = start.game();
    // Engines may list moves in another order, and random games differ then.
    let engine = game.report().engine;
    let (rules, facts) = (&game.source().text, start.facts());
    let about = format!("{engine} {file:?} {facts:?} {rules}");
    let (cache, kind) = (game.cache()?, EntryKind::Boards);
    Some(KeptEntry::new(cache, kind, game.name(), &about))
}

/// What can be found out about the boards of a game from its start.
struct Survey {
    found: FoundBoards,
    /// Whether time ended a part of it.
    is_cut_short: bool,
    /// Whether the engine gave up in a random game.
    has_fault: bool,
}

impl Survey {
    fn of(start: &Session, file: BoardFile) -> Self {
        let rules = start.game().report().rules.as_ref();
        let listed = rules.map(|rules| ListedByRules::of(rules));
        let orders = rules.map(|rules| successor_orders(rules));
        let listed = listed.unwrap_or_default();
        let moves = (0..start.roles().len()).flat_map(|role| terms(start.legal_of(role)));
        let hints = BoardHints {
            neighbours: listed.neighbours,
            orders: orders.unwrap_or_default(),
            possible: listed.possible,
            moves: moves.collect(),
            file,
        };
        let walks = walked(start);
        Self {
            found: FoundBoards::new(walks.samples, hints),
            is_cut_short: walks.is_cut_short || listed.is_cut_short,
            has_fault: walks.has_fault,
        }
    }

    /// Whether another survey would find the same, as far as is known of one that took so long.
    fn may_be_kept(&self, took: &WorkTime) -> bool {
        !self.has_fault && (!self.is_cut_short || !took.may_have_been_held_up())
    }
}

/// States of a few random walks.
struct Walks {
    samples: Vec<Vec<GroundTerm>>,
    /// Whether time ended them.
    is_cut_short: bool,
    /// Whether the engine gave up in one of them.
    has_fault: bool,
}

/// A few random walks from the start of a game, which comes first.
fn walked(start: &Session) -> Walks {
    let mut samples = vec![terms(&start.facts())];
    let size = samples[0].len().max(1);
    let mut walks: Vec<_> = (0..WALKS)
        .map(|walk| (start.clone(), Xoshiro256PlusPlus::seed_from_u64(walk)))
        .collect();
    let begin = Instant::now();
    let mut facts = size;
    for _ in 0..STEPS.min(FACTS / size) {
        for (session, rng) in &mut walks {
            if facts < MOST_FACTS && begin.elapsed() < TIME && step_at_random(session, rng) {
                let state = terms(&session.facts());
                facts += state.len();
                samples.push(state);
            }
        }
    }
    Walks {
        samples,
        is_cut_short: begin.elapsed() >= TIME,
        has_fault: walks.iter().any(|(session, _)| session.fault().is_some()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::catalog::GameSource;
    use crate::engine::LoadOptions;
    use crate::files::FileCache;
    use crate::play::Game;

    #[test]
    fn a_board_is_found_from_so_many_states() {
        let start = Session::new(&Game::load("checkers").unwrap());
        let steps = STEPS.min(FACTS / start.facts().len());
        assert!(steps > 10, "{steps}");
        assert_eq!(walked(&start).samples.len(), 1 + WALKS as usize * steps);
    }

    #[test]
    fn states_that_grow_are_sampled_less() {
        let numbers: String = (1..100).map(|n| format!("(number {n})")).collect();
        let rules = format!(
            "(role r) {numbers} (init (start 1)) (legal r go) (goal r 0)
             (<= terminal (true (lamp none none)))
             (<= (next (lamp ?x ?y)) (does r go) (number ?x) (number ?y))"
        );
        let start = Session::new(&Game::from_text("growing", &rules).unwrap());
        assert_eq!(walked(&start).samples.len(), 1 + 2);
    }

    #[test]
    fn boards_that_are_kept_are_not_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let options = LoadOptions {
            cache: Some(cache.clone()),
            ..LoadOptions::default()
        };
        let source = GameSource::find("checkers").unwrap();
        let session = Session::new(&Game::open(source, &options).unwrap());
        let found = |file: &BoardFile| FoundBoards::of_game(&session, file.clone());
        let entries = || {
            let entries = cache.entries().into_iter();
            let names = entries.map(|entry| entry.name);
            Vec::from_iter(names.filter(|name| name.starts_with("boards")))
        };
        let no_file = BoardFile::default();
        let first = found(&no_file);
        assert_eq!(entries().len(), 1);
        assert_eq!(found(&no_file), first);
        // Something else, to see that it is read.
        let other = FoundBoards::new(vec![terms(&session.facts())], BoardHints::default());
        let kept = kept_boards(&session, &no_file).unwrap();
        kept.keep(&other, Duration::from_secs(1));
        assert_eq!(found(&no_file), other);
        assert_ne!(other, first);
        let [name] = &entries()[..] else { panic!() };
        let mut damaged = cache.peek(name).unwrap();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        cache.put(name, &damaged);
        assert_eq!(found(&no_file), first);
        let text = r#"orientation = ["right", "up"]"#;
        let file = BoardFile::parse(text, Path::new("checkers.board.toml")).unwrap();
        let turned = found(&file);
        assert_eq!(entries().len(), 2);
        assert_eq!(found(&file), turned);
        assert_eq!((&turned.hints.file, &first.hints.file), (&file, &no_file));
    }
}
