//! Tic-tac-toe, as `games/tictactoe.kif` writes it down; common knowledge.

use crate::native::facts::Facts;
use crate::native::grid::{Grid, Names};
use crate::native::places::Places;
use crate::native::rules::{Rules, seen_by};

/// The rules.
#[derive(Debug, Clone)]
pub struct TicTacToe {
    grid: Grid,
}

/// The marks of both players, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Position {
    /// The marks of the player in control.
    own: u16,
    enemy: u16,
    mover: u8,
}

impl Position {
    /// The marks of x and of o.
    fn marks(&self) -> [u16; 2] {
        seen_by(self.mover, [self.own, self.enemy])
    }
}

/// Marks this square, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Step(Option<u8>);

/// One bit for each of the 512 sets of squares: whether there is a line in it.
const HAS_LINE: [u64; 8] = lines();

const fn lines() -> [u64; 8] {
    let lines = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
    let mut sets = [0; 8];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < lines.len() {
            if set & lines[line] == lines[line] {
                sets[set / 64] |= 1 << (set % 64);
            }
            line += 1;
        }
        set += 1;
    }
    sets
}

#[inline(always)]
fn has_line(marks: u16) -> bool {
    HAS_LINE[usize::from(marks) / 64 % 8] >> (marks % 64) & 1 == 1
}

impl Default for TicTacToe {
    fn default() -> Self {
        Self {
            grid: Grid::new((Names::From(1), 3), (Names::From(1), 3)),
        }
    }
}

impl Rules for TicTacToe {
    type Position = Position;
    type Step = Step;
    type Places = Places<1>;

    const ROLES: [&'static str; 2] = ["x", "o"];
    const LANES: usize = 6;
    const FACT_WORDS: usize = 4;
    const NOOP: Step = Step(None);

    fn start(&self) -> Position {
        Position {
            own: 0,
            enemy: 0,
            mover: 0,
        }
    }

    #[inline(always)]
    fn mover(&self, position: &Position) -> usize {
        usize::from(position.mover % 2)
    }

    #[inline(always)]
    fn places(&self, position: &Position) -> Places<1> {
        Places([0o777 & !u64::from(position.own | position.enemy)])
    }

    #[inline(always)]
    fn step(&self, _: &Position, place: u32) -> Step {
        Step(Some(place as u8))
    }

    #[inline(always)]
    fn is_over(&self, position: &Position, places: &Places<1>) -> bool {
        has_line(position.own) || has_line(position.enemy) || places.0 == [0]
    }

    #[inline(always)]
    fn play(&self, position: &Position, step: Step) -> (Position, Places<1>) {
        let mark = step.0.map_or(0, |square| 1 << (square % 16));
        let next = Position {
            own: position.enemy,
            enemy: position.own | mark,
            mover: 1 - position.mover,
        };
        (next, self.places(&next))
    }

    fn wins(&self, position: &Position, _: &Places<1>) -> [bool; 2] {
        position.marks().map(has_line)
    }

    fn step_text(&self, step: Step) -> String {
        match step {
            Step(Some(square)) => format!("(mark {})", self.grid.name(u32::from(square))),
            Step(None) => "noop".to_owned(),
        }
    }

    fn mark(&self, position: &Position, facts: &mut [u64]) {
        let [first, second] = position.marks().map(u64::from);
        let blank = self.grid.board & !(first | second);
        facts.copy_from_slice(&[first, second, blank, 1 << position.mover]);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        self.grid.fact(Self::ROLES, word, bit)
    }

    fn read(&self, facts: &mut Facts<'_>) -> Result<Position, String> {
        let mover = facts.take_control(Self::ROLES)?;
        let marks = self.grid.read(facts, Self::ROLES)?.map(|set| set as u16);
        let [own, enemy] = seen_by(mover, marks);
        Ok(Position { own, enemy, mover })
    }
}
