//! Boards of many rule files: random games are drawn, as text and as SVG, and their moves are made by clicks on what is drawn.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use kolibri::catalog::{GameSource, SHIPPED};
use kolibri::drawing::{ClickCounts, Screen, Style};
use kolibri::engine::{EngineChoice, LoadOptions};
use kolibri::info::board::Board;
use kolibri::{Game, Session};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::corpus::{files_in, folder, own, stem};

/// How much of a game is drawn.
struct Extent {
    /// The plies of the random game. Every position is drawn.
    plies: usize,
    /// Of the first so many plies, moves are looked for on the boards every third time.
    with_clicks: usize,
    /// The game is broken off after this time.
    time: Duration,
}

/// Short, on the reasoner: for every run of the tests.
const SAMPLE: Extent = Extent {
    plies: 6,
    with_clicks: 4,
    time: Duration::from_secs(2),
};
const WHOLE: Extent = Extent {
    plies: 100,
    with_clicks: 12,
    time: Duration::from_secs(10),
};
/// Time to make a network of the rules, where not the reasoner plays.
const START_UP: Duration = Duration::from_secs(3);

/// What was found of one rule file.
struct Drawn {
    name: String,
    /// The kinds of its boards, the largest first.
    kinds: Vec<String>,
    /// The positions drawn.
    positions: usize,
    clicks: ClickCounts,
}

impl Drawn {
    /// Plays and draws a random game.
    fn of(game: &Game, extent: &Extent) -> Self {
        let mut session = Session::new(game);
        let mut screen = Screen::survey_anyway(&session, Style::UNCOLOURED);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let begin = Instant::now();
        let mut drawn = Self {
            name: game.name().to_owned(),
            kinds: Vec::new(),
            positions: 0,
            clicks: ClickCounts::default(),
        };
        for ply in 0..=extent.plies {
            let picture = drawn_position(&mut screen, &session);
            drawn.positions += 1;
            if ply < extent.with_clicks && ply % 3 == 0 {
                drawn.clicks += clicks_on(&picture, &screen, &session);
            }
            if begin.elapsed() > extent.time || !step_at_random(&mut session, &mut rng) {
                break;
            }
        }
        drawn.kinds = screen.layout().boards.iter().map(Board::shape).collect();
        drawn
    }

    fn is_on_boards(&self) -> bool {
        !self.kinds.is_empty()
    }
}

/// A rule file, if it can be played.
fn opened(path: &Path, engine: EngineChoice) -> Option<Game> {
    let source = GameSource::from_file(path).unwrap();
    Game::open_within(source, &LoadOptions::from(engine), START_UP).ok()
}

/// Draws a position as text no wider than asked for, and as the picture that is given back.
fn drawn_position(screen: &mut Screen, session: &Session) -> String {
    let text = screen.show(&session.facts());
    let widest = text.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(screen.width()), "{text}");
    screen.show_svg(&session.facts())
}

/// Counts the moves of the roles that have a choice. Clicks are on squares that are drawn.
fn clicks_on(picture: &str, screen: &Screen, session: &Session) -> ClickCounts {
    let is_drawn = |square: &&String| {
        let square = square.replace('&', "&amp;").replace('<', "&lt;");
        let square = square.replace('>', "&gt;").replace('"', "&quot;");
        picture.contains(&format!("data-square=\"{square}\""))
    };
    let mut counts = ClickCounts::default();
    for role in 0..session.roles().len() {
        let legal = session.legal_of(role);
        if legal.len() < 2 {
            continue;
        }
        let clicks = screen.clicks(session, role);
        assert_eq!(clicks.len(), legal.len());
        let hidden = clicks.iter().flatten().find(|square| !is_drawn(square));
        assert!(
            hidden.is_none() || picture.contains("not drawn"),
            "{hidden:?}"
        );
        counts += ClickCounts::of(&clicks);
    }
    counts
}

/// Plays a random move of each role; `false` at the end of a game.
fn step_at_random(session: &mut Session, rng: &mut Xoshiro256PlusPlus) -> bool {
    let joint = (0..session.roles().len()).map(|role| {
        let legal = session.legal_of(role);
        let last = legal.len().checked_sub(1)?;
        legal.get(rng.random_range(0..=last)).cloned()
    });
    let joint: Option<Vec<String>> = joint.collect();
    !session.is_terminal() && joint.is_some_and(|joint| session.play_joint(&joint).is_ok())
}

/// The counts of all moves on boards.
fn clicks_of<'d>(all: impl IntoIterator<Item = &'d Drawn>) -> ClickCounts {
    let mut clicks = ClickCounts::default();
    let on_boards = all.into_iter().filter(|drawn| drawn.is_on_boards());
    on_boards.for_each(|drawn| clicks += drawn.clicks);
    clicks
}

/// This percentage of the files is drawn on boards, and there nearly all moves are made by clicks, or chosen from the few
/// moves of the same clicks.
fn assert_most_is_drawn(all: &[Drawn], share: usize) {
    let on_boards = all.iter().filter(|drawn| drawn.is_on_boards()).count();
    assert!(on_boards * 100 >= all.len() * share, "{}", table(all));
    let clicks = clicks_of(all);
    let by_clicks = clicks.alone + clicks.shared;
    assert!(by_clicks * 100 >= clicks.moves() * 95, "{}", table(all));
}

/// The figures of all files as a table in Markdown.
fn table(all: &[Drawn]) -> String {
    let mut table = String::from(
        "| rule file | boards | positions | moves | by clicks | from a short list | from the list of all |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for drawn in all {
        let kinds = match drawn.is_on_boards() {
            true => drawn.kinds.join(", "),
            false => "list of facts".to_owned(),
        };
        let clicks = &drawn.clicks;
        writeln!(
            table,
            "| `{}` | {kinds} | {} | {} | {} | {} | {} |",
            drawn.name,
            drawn.positions,
            clicks.moves(),
            clicks.alone,
            clicks.shared,
            clicks.without
        )
        .unwrap();
    }
    table
}

#[test]
fn shipped_games_are_drawn_and_most_of_their_moves_are_made_by_clicks() {
    for shipped in SHIPPED {
        let drawn = Drawn::of(&Game::load(shipped.name).unwrap(), &SAMPLE);
        let clicks = drawn.clicks;
        // A hand in the air is on no square, and a graph given by its ways has no squares.
        let is_on_board = !matches!(shipped.name, "fakelogic" | "rock-paper-scissors");
        assert!(!is_on_board || drawn.is_on_boards(), "{}", shipped.name);
        assert!(!is_on_board || clicks.without == 0, "{}", table(&[drawn]));
    }
}

/// Our own rule files, and every fifteenth of the collection.
#[test]
fn rule_files_are_drawn_and_their_moves_are_made_by_clicks() {
    let drawn = |paths: &[PathBuf]| {
        let games = paths
            .iter()
            .filter_map(|path| opened(path, EngineChoice::Reasoner));
        games
            .map(|game| Drawn::of(&game, &SAMPLE))
            .collect::<Vec<Drawn>>()
    };
    drawn(&files_in(&own().join("kif")));
    if let Some(folder) = folder() {
        let files = files_in(&folder.join("kif"));
        let sample: Vec<PathBuf> = files.into_iter().step_by(15).collect();
        assert_most_is_drawn(&drawn(&sample), 70);
    }
}

/// `cargo test --release --test all boards_of_collection -- --ignored --nocapture` prints the figures of each file, as
/// docs/reference/measured/boards.md has them.
#[test]
#[ignore = "draws random games of the whole collection, which takes minutes"]
#[expect(clippy::print_stdout, reason = "the figures are shown on demand")]
fn the_whole_collection_is_drawn_and_its_moves_are_made_by_clicks() {
    let Some(folder) = folder() else {
        return;
    };
    let mut all = Vec::new();
    let mut not_played = Vec::new();
    for path in files_in(&folder.join("kif")) {
        match opened(&path, EngineChoice::Auto) {
            Some(game) => all.push(Drawn::of(&game, &WHOLE)),
            None => not_played.push(stem(&path)),
        }
    }
    println!("{}", table(&all));
    println!("not played: {not_played:?}");
    println!("moves on boards: {:?}", clicks_of(&all));
    assert_most_is_drawn(&all, 80);
}
