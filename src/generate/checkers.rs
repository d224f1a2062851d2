//! Checkers on other boards, with more or fewer men and turns.

use crate::generate::family::{make, single};
use crate::generate::words::{chain, count, facts, last_letter, letters, number, numbers};
use crate::generate::{Family, NoSuchSize, Size, SizeParameter, within};

/// Board, men and turns of checkers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckersSize {
    /// Files, an even number: each has a letter.
    pub width: u8,
    /// Ranks, an even number.
    pub height: u8,
    /// The ranks on which each side has its men; some must be left between them.
    pub ranks: u8,
    /// The number of turns of both players after which the game is drawn.
    pub turns: u8,
}

impl Default for CheckersSize {
    fn default() -> Self {
        Self::shipped()
    }
}

impl CheckersSize {
    /// The board, and where the rules come from.
    fn about(&self) -> String {
        let Self { width, height, .. } = *self;
        let men = u32::from(self.ranks) * u32::from(width / 2);
        let source = match *self == Self::default() {
            true => {
                ", with the board, colours and draw limit of the student\n\
                 ;          project by Sabotinov, Torrente and Henderson"
            }
            false => "",
        };
        format!(
            "; Source:  the rules of English draughts{source}.\n\
             ; Variant: {width}x{height}, {men} men a side"
        )
    }

    /// The ranks from the first to the last of a camp.
    fn camp([first, last]: [u8; 2]) -> String {
        match first == last {
            true => format!("rank {first}"),
            false => format!("ranks {first} to {last}"),
        }
    }
}

impl Size for CheckersSize {
    const FAMILY: Family = Family {
        name: "checkers",
        title: "English draughts on a larger or smaller board",
        parameters: &[
            SizeParameter::number("width", "files, an even number", &[8], (4, 26)),
            SizeParameter::number("height", "ranks, an even number", &[8], (4, 26)),
            SizeParameter::number(
                "ranks",
                "ranks on which each side has its men",
                &[3],
                (1, 12),
            ),
            SizeParameter::number(
                "turns",
                "turns of both players after which the game is drawn",
                &[80],
                (1, 200),
            ),
        ],
        presets: &[
            &[&[6], &[6], &[2]],
            &[&[8], &[8], &[3]],
            &[&[10], &[10], &[4]],
        ],
        make: make::<Self>,
    };

    fn from_numbers(numbers: &[Vec<u8>]) -> Self {
        let [width, height, ranks, turns] = single(numbers);
        Self {
            width,
            height,
            ranks,
            turns,
        }
    }

    fn numbers(&self) -> Vec<Vec<u8>> {
        let Self {
            width,
            height,
            ranks,
            turns,
        } = *self;
        [width, height, ranks, turns]
            .map(|number| vec![number])
            .to_vec()
    }

    fn check_further(&self) -> Result<(), NoSuchSize> {
        for (what, number) in [("width", self.width), ("height", self.height)] {
            if number % 2 == 1 {
                let said = format!("{what}: give an even number, not {number}");
                return Err(NoSuchSize(said));
            }
        }
        within("ranks", self.ranks, 1..=self.height / 2 - 1)
    }

    fn parts(&self) -> Vec<String> {
        let Self {
            width,
            height,
            ranks,
            turns,
        } = *self;
        let first = height - ranks + 1;
        let (black, red) = (Self::camp([1, ranks]), Self::camp([first, height]));
        let (file, over) = (last_letter(width), turns + 1);
        let right = chain("right", &letters(width));
        let up = chain("up", &numbers(1, height));
        let black_camp = facts("camp black", &numbers(1, ranks));
        let red_camp = facts("camp red", &numbers(first, height));
        vec![
            self.about(),
            format!("completed {turns} turns"),
            format!("black starts on {black}, goes up and begins; red starts on {red}."),
            format!("(a to {file}) and rank ?y (1 to {height})"),
            format!("{right}\n\n{up}\n\n{black_camp}\n{red_camp}\n\n(last_rank black {height})"),
            format!("(true (turn {over}))"),
            chain("succ", &numbers(1, over)),
        ]
    }

    fn guess(text: &str) -> Option<Self> {
        Some(Self {
            width: count(text, "(right ")?.checked_add(1)?,
            height: number(text, "(last_rank black ")?,
            ranks: count(text, "(camp black ")?,
            turns: count(text, "(succ ")?,
        })
    }
}
