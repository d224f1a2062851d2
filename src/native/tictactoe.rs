//! Tic-tac-toe, as `games/tictactoe.kif` writes it down; common knowledge.

use crate::game::InvalidFacts;
use crate::native::facts::FactReader;
use crate::native::grid::{Grid, Names};
use crate::native::move_set::MoveBits;
use crate::native::rules::{NativeRules, by_role};

/// The rules.
#[derive(Debug, Clone)]
pub struct TicTacToe {
    grid: Grid,
}

/// The marks of both players, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TicTacToeState {
    /// The marks of the player in control.
    own: u16,
    enemy: u16,
    control: u8,
}

impl TicTacToeState {
    /// The marks of x and of o.
    fn marks(&self) -> [u16; 2] {
        by_role(self.control, [self.own, self.enemy])
    }
}

/// Marks this square, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct TicTacToeMove(Option<u8>);

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

impl NativeRules for TicTacToe {
    type State = TicTacToeState;
    type Move = TicTacToeMove;
    type Moves = MoveBits<1>;

    const ROLES: [&'static str; 2] = ["x", "o"];
    const LANES: usize = 6;
    const FACT_WORDS: usize = 4;
    const NOOP: TicTacToeMove = TicTacToeMove(None);

    fn start(&self) -> TicTacToeState {
        TicTacToeState {
            own: 0,
            enemy: 0,
            control: 0,
        }
    }

    #[inline(always)]
    fn in_control(&self, position: &TicTacToeState) -> usize {
        usize::from(position.control % 2)
    }

    #[inline(always)]
    fn moves(&self, position: &TicTacToeState) -> MoveBits<1> {
        MoveBits([0o777 & !u64::from(position.own | position.enemy)])
    }

    #[inline(always)]
    fn move_at(&self, _: &TicTacToeState, index: u32) -> TicTacToeMove {
        TicTacToeMove(Some(index as u8))
    }

    #[inline(always)]
    fn is_over(&self, position: &TicTacToeState, moves: &MoveBits<1>) -> bool {
        has_line(position.own) || has_line(position.enemy) || moves.0 == [0]
    }

    #[inline(always)]
    fn play(&self, position: &TicTacToeState, mv: TicTacToeMove) -> (TicTacToeState, MoveBits<1>) {
        let mark = mv.0.map_or(0, |square| 1 << (square % 16));
        let next = TicTacToeState {
            own: position.enemy,
            enemy: position.own | mark,
            control: 1 - position.control,
        };
        (next, self.moves(&next))
    }

    fn wins(&self, position: &TicTacToeState, _: &MoveBits<1>) -> [bool; 2] {
        position.marks().map(has_line)
    }

    fn move_text(&self, mv: TicTacToeMove) -> String {
        match mv {
            TicTacToeMove(Some(square)) => format!("(mark {})", self.grid.name(u32::from(square))),
            TicTacToeMove(None) => "noop".to_owned(),
        }
    }

    fn mark(&self, position: &TicTacToeState, facts: &mut [u64]) {
        let [first, second] = position.marks().map(u64::from);
        let blank = self.grid.board & !(first | second);
        facts.copy_from_slice(&[first, second, blank, 1 << position.control]);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        self.grid.fact(Self::ROLES, word, bit)
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<TicTacToeState, InvalidFacts> {
        let control = facts.take_control(Self::ROLES)?;
        let marks = self.grid.read(facts, Self::ROLES)?.map(|set| set as u16);
        let [own, enemy] = by_role(control, marks);
        Ok(TicTacToeState {
            own,
            enemy,
            control,
        })
    }
}
