//! Checkers: the games of a published report, and counts of paths.

use std::collections::BTreeMap;

use rayon::prelude::*;

use super::page::{ReportPage, ReportTable, compared};
use super::work::Work;
use crate::cli::failure::Failure;
use crate::cli::page::histogram;
use crate::native::checkers::published::{
    PublishedGame, PublishedPairing, PublishedPlayer, full_simulation,
};
use crate::session::Game;
use crate::statistics::{self, Bar};

/// Depth, evaluations of red and of black, result, and leaf and expanded nodes of red and of black.
type PublishedLine = (u32, u8, u8, &'static str, [u64; 4]);

/// Tables 3 and 4: four games each, with either search for red and for black, which differ in nothing but time. In the second one, the
/// leaf nodes of black in the game of EF-1 against EF-3 are those of the figures.
const LINES: [PublishedLine; 12] = [
    (2, 1, 1, "draw", [2596, 3295, 3004, 3675]),
    (2, 2, 2, "black", [253, 345, 196, 295]),
    (2, 3, 3, "draw", [1158, 1674, 1202, 1533]),
    (2, 1, 2, "draw", [1648, 1968, 1620, 2589]),
    (2, 1, 3, "draw", [1604, 2511, 1640, 1950]),
    (2, 2, 3, "draw", [1103, 1554, 821, 1141]),
    (4, 1, 1, "draw", [19380, 26817, 18947, 27852]),
    (4, 2, 2, "draw", [28641, 44847, 29419, 39043]),
    (4, 3, 3, "red", [3052, 4814, 4894, 7203]),
    (4, 1, 2, "draw", [19139, 25786, 14910, 26728]),
    (4, 1, 3, "draw", [24683, 37489, 24683, 51299]),
    (4, 2, 3, "draw", [23521, 39900, 14272, 18544]),
];

/// Paths of 1 to 8 turns of English draughts.
const PATHS: &str = "7, 49, 302, 1469, 7361, 36768, 179740, 845931";

pub(super) fn page(work: &mut Work) -> Result<ReportPage, Failure> {
    let games = games(work);
    let game = Game::load("checkers").map_err(|fault| Failure::finding(fault.to_string()))?;
    let lengths = games.iter().map(|(_, game)| game.turns.len());
    let lengths = histogram_of(lengths);
    let paths = work.perft("checkers", &game, (8, true));
    Ok(ReportPage {
        title: "Checkers: published figures and ours",
        about: "Published: *Two player games: checkers*, a project report by Sabotinov, Torrente and Henderson: 72 games of its searches and \
                evaluation functions. `kolibri simulate checkers` has more figures of each game.",
        tables: vec![
            totals(&games),
            lines(&games),
            ReportTable::of_known(
                "Paths by their length",
                "Counts of English draughts that are known from elsewhere. A chain of jumps is one turn.",
                vec![compared("paths of 1 to 8 turns", PATHS, paths, None)],
            ),
        ],
        figures: vec![histogram(&lengths, "The 72 games by their turns")],
    })
}

/// How often each number occurs, in bars.
fn histogram_of(numbers: impl Iterator<Item = usize>) -> Vec<Bar> {
    let mut counts = BTreeMap::new();
    numbers.for_each(|number| *counts.entry(number).or_default() += 1);
    statistics::histogram(counts)
}

/// A game with its players.
type PlayedPairing = (PublishedPairing, PublishedGame);

/// The 72 games; fewer if it is interrupted.
fn games(work: &mut Work) -> Vec<PlayedPairing> {
    work.status.show("72 games of checkers");
    let pairings = full_simulation(&[2, 4], &PublishedPlayer::default());
    let play = |pairing: &PublishedPairing| Some((*pairing, pairing.play(1, &work.stop)?));
    work.pool
        .install(|| pairings.par_iter().filter_map(play).collect())
}

/// How the games end.
fn totals(games: &[PlayedPairing]) -> ReportTable {
    let ends = [
        ("draw", "drawn", 56),
        ("black", "won by black", 12),
        ("red", "won by red", 4),
    ];
    let rows = ends.iter().map(|(name, what, published)| {
        let ours = games.iter().filter(|(_, game)| game.ending.name() == *name);
        let ours = (games.len() == 72).then_some(ours.count());
        compared(format!("games {what}"), published, ours, None)
    });
    ReportTable::of_compared("The 72 games", "", rows.collect())
}

/// Tables 3 and 4.
fn lines(games: &[PlayedPairing]) -> ReportTable {
    const SLIP: &str =
        "slip: the table repeats red's leaf nodes; the figures of the report have 38490";
    let rows = LINES.iter().map(|(depth, red, black, result, counts)| {
        let is_meant = |(pairing, _): &&PlayedPairing| {
            pairing.red.depth == *depth
                && pairing.red.evaluation.number() == *red
                && pairing.black.evaluation.number() == *black
        };
        let mut ours: Vec<String> = games.iter().filter(is_meant).map(figures).collect();
        ours.dedup();
        // All four agree, or what they are is told.
        let ours = (!ours.is_empty()).then(|| ours.join(" or "));
        let slip = ((*depth, *red, *black) == (4, 1, 3)).then_some(SLIP);
        let published = words(result, *counts);
        let what = format!("depth {depth}, red EF-{red}, black EF-{black}");
        compared(what, published, ours, slip)
    });
    ReportTable::of_compared(
        "Tables 3 and 4: result, leaf and expanded nodes of red, and of black",
        "Both searches, for either side, give the same.",
        rows.collect(),
    )
}

fn figures((_, game): &PlayedPairing) -> String {
    let [black, red] = [0, 1].map(|player| game.of_player(player).counts);
    words(
        game.ending.name(),
        [red.leaf, red.expanded, black.leaf, black.expanded],
    )
}

fn words(result: &str, [red_leaf, red_expanded, black_leaf, black_expanded]: [u64; 4]) -> String {
    format!("{result}: {red_leaf}/{red_expanded}, {black_leaf}/{black_expanded}")
}
