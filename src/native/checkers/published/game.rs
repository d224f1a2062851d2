//! Games on the rules of the report.

use std::time::{Duration, Instant};

use super::player::{PublishedPlayer, SearchTask};
use super::search::SearchCounts;
use super::seen::{numbered, turned};
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn};
use crate::native::rules::{NativeRules, by_role};
use crate::util::StopFlag;

/// The number of turns of one player after which a game is drawn.
const MOST_TURNS: u32 = 80;

/// How a game ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PublishedEnding {
    /// Red is left without a turn.
    Black,
    /// Black is left without a turn.
    Red,
    /// Black has made 80 turns.
    Draw,
}

impl PublishedEnding {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Black => "black",
            Self::Red => "red",
            Self::Draw => "draw",
        }
    }

    /// The goals of black and red.
    pub fn goals(self) -> [u8; 2] {
        match self {
            Self::Black => [100, 0],
            Self::Red => [0, 100],
            Self::Draw => [50, 50],
        }
    }
}

/// A turn of a game, and how it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedTurn {
    /// The turn.
    pub turn: CheckersTurn,
    /// The size of the search.
    pub counts: SearchCounts,
    /// The time of the search.
    pub time: Duration,
    /// Whether the player jittered before it.
    pub is_jitter: bool,
}

/// What one player did in a game, or in several.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PublishedTurns {
    /// Turns made.
    pub turns: u32,
    /// The size of all searches.
    pub counts: SearchCounts,
    /// Pieces taken.
    pub captures: u32,
    /// Turns before which the player jittered.
    pub jitter: u32,
    /// The time of all searches.
    pub time: Duration,
}

/// A game played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PublishedGame {
    /// The turns of both, black's first.
    pub turns: Vec<PublishedTurn>,
    /// How it ended.
    pub ending: PublishedEnding,
    /// Where.
    pub last: CheckersState,
}

impl PublishedTurns {
    /// With one more turn.
    #[must_use]
    fn and(self, played: &PublishedTurn) -> Self {
        self.with(Self {
            turns: 1,
            counts: played.counts,
            captures: played.turn.captures(),
            jitter: played.is_jitter.into(),
            time: played.time,
        })
    }

    /// With those of another game.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            turns: self.turns + other.turns,
            counts: self.counts.and(other.counts),
            captures: self.captures + other.captures,
            jitter: self.jitter + other.jitter,
            time: self.time + other.time,
        }
    }
}

impl PublishedGame {
    /// Lets two players, black and red, play on the usual board; `None` where `stop` was raised before the end.
    ///
    /// As in the report, a player who cannot move has lost at once, even if it is the other one's turn, and the game is drawn
    /// as soon as one player has made 80 turns: after 159 in all.
    pub fn play(players: [&PublishedPlayer; 2], seed: u64, stop: &StopFlag) -> Option<Self> {
        let rules = Checkers::default();
        let mut past = Vec::new();
        let mut game = Self {
            turns: Vec::new(),
            ending: PublishedEnding::Draw,
            last: rules.start(),
        };
        loop {
            let task = SearchTask {
                rules: &rules,
                position: &game.last,
                past: &past,
                seed,
                stop,
            };
            let played = play_turn(players[rules.in_control(&game.last)], &task)?;
            past.push(game.last);
            game.last = played.turn.after;
            game.turns.push(played);
            if let Some(ending) = game.ending(&rules) {
                return Some(Self { ending, ..game });
            }
        }
    }

    fn ending(&self, rules: &Checkers) -> Option<PublishedEnding> {
        let is_stuck = |player| {
            let positions = [self.last, turned(&self.last)];
            let mut of_player = positions.iter().filter(|at| rules.in_control(at) == player);
            of_player.any(|position| rules.turns(position).is_empty())
        };
        match () {
            () if is_stuck(1) => Some(PublishedEnding::Black),
            () if is_stuck(0) => Some(PublishedEnding::Red),
            () if self.of_player(0).turns == MOST_TURNS => Some(PublishedEnding::Draw),
            () => None,
        }
    }

    /// What black (0) or red (1) did.
    pub fn of_player(&self, player: usize) -> PublishedTurns {
        let own = self.turns.iter().skip(player).step_by(2);
        own.fold(PublishedTurns::default(), PublishedTurns::and)
    }

    /// The length as the tables of the report have it: the turns of the player who made more.
    pub fn rounds(&self) -> u32 {
        self.of_player(0).turns
    }

    /// Whether both players jittered at the end.
    pub fn ends_in_jitter(&self) -> bool {
        let last = self.turns.iter().rev().take(2);
        last.len() == 2 && last.clone().all(|played| played.is_jitter)
    }
}

fn play_turn(player: &PublishedPlayer, task: &SearchTask<'_>) -> Option<PublishedTurn> {
    let mut counts = SearchCounts::default();
    let begin = Instant::now();
    let turn = player.choose(task, &mut counts)?;
    Some(PublishedTurn {
        turn,
        counts,
        time: begin.elapsed(),
        is_jitter: task.is_jittering(),
    })
}

/// The board as the report draws it: eight rows of four dark squares, from square 1 on; `r` and `b` are men, `R` and `B` kings,
/// `.` is an empty square.
pub fn board_rows(position: &CheckersState) -> [[char; 4]; 8] {
    let [black, red] = by_role(position.control, [position.own, position.enemy]);
    let (men, kings) = (!position.kings, position.kings);
    let letters = [
        ('b', black & men),
        ('r', red & men),
        ('B', black & kings),
        ('R', red & kings),
    ];
    let letters = letters.map(|(letter, set)| (letter, numbered(set)));
    let letter = |square: usize| {
        let found = letters.iter().find(|(_, set)| set >> square & 1 == 1);
        found.map_or('.', |(letter, _)| *letter)
    };
    std::array::from_fn(|row| std::array::from_fn(|column| letter(4 * row + column + 1)))
}
