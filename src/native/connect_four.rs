//! Connect Four, by H. Wexler and N. Strongin (1974), on boards of any size that fits.
//!
//! Source: the rules printed on the box, as `games/connect-four.kif` writes them down.
//!
//! A column takes one bit more than it has rows, so that adding a disc at its foot carries up to its lowest blank
//! square, and no line runs from one column's top into the next one's foot.

use crate::game::InvalidFacts;
use crate::native::bits::squares;
use crate::native::facts::FactReader;
use crate::native::grid::{Grid, Names};
use crate::native::move_set::MoveBits;
use crate::native::rules::{NativeRules, by_role};

/// The rules for one board.
#[derive(Debug, Clone)]
pub struct ConnectFour {
    grid: Grid,
    width: u32,
    /// How far apart the feet of two columns are.
    stride: u32,
    board: u64,
    feet: u64,
    /// The column of each bit.
    columns: [u8; 64],
}

/// The discs, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFourState {
    /// The discs of the player in control.
    own: u64,
    enemy: u64,
    /// Whether they have four in a line; follows from the discs.
    own_line: bool,
    enemy_line: bool,
    control: u8,
}

/// Drops a disc into this column, or nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConnectFourMove(Option<u8>);

/// Sizes that make no game of Connect Four.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "connect-four needs a column and a row, at most 26 columns, and columns × (rows + 1) within 64"
)]
pub struct ConnectFourSizeError;

impl ConnectFour {
    /// The game on `width` columns and `height` rows.
    ///
    /// # Errors
    /// [`ConnectFourSizeError`] where there is no square, where the letters run out, and where the board is too large.
    pub fn new(width: u8, height: u8) -> Result<Self, ConnectFourSizeError> {
        let (wide, high) = (u32::from(width), u32::from(height));
        let stride = high + 1;
        if !(1..=26).contains(&width) || height < 1 || wide * stride > 64 {
            return Err(ConnectFourSizeError);
        }
        let columns = (Names::Letters, usize::from(width));
        let feet = (0..wide).fold(0, |feet, column| feet | 1 << (column * stride));
        Ok(Self {
            grid: Grid::new(columns, (Names::From(1), usize::from(height))),
            width: wide,
            stride,
            board: (0..high).fold(0, |board, row| board | feet << row),
            feet,
            columns: std::array::from_fn(|bit| (bit as u32 / stride) as u8),
        })
    }

    #[inline(always)]
    fn has_line(&self, discs: u64) -> bool {
        let mut lines = 0;
        for direction in [1, self.stride - 1, self.stride, self.stride + 1] {
            let pairs = discs & discs >> (direction % 64);
            lines |= pairs & pairs >> (2 * direction % 64);
        }
        lines != 0
    }

    /// The bit of a square of the grid.
    fn bit(&self, square: u32) -> u32 {
        square % self.width * self.stride + square / self.width
    }
}

/// The game as sold: 7 columns, 6 rows.
impl Default for ConnectFour {
    fn default() -> Self {
        Self::new(7, 6).expect("the board on the box is a board")
    }
}

impl NativeRules for ConnectFour {
    type State = ConnectFourState;
    type Move = ConnectFourMove;
    type Moves = MoveBits<1>;

    const ROLES: [&'static str; 2] = ["red", "yellow"];
    const LANES: usize = 2;
    const FACT_WORDS: usize = 4;
    const NOOP: ConnectFourMove = ConnectFourMove(None);

    fn start(&self) -> ConnectFourState {
        ConnectFourState {
            own: 0,
            enemy: 0,
            own_line: false,
            enemy_line: false,
            control: 0,
        }
    }

    #[inline(always)]
    fn in_control(&self, position: &ConnectFourState) -> usize {
        usize::from(position.control % 2)
    }

    #[inline(always)]
    fn moves(&self, position: &ConnectFourState) -> MoveBits<1> {
        let occupied = position.own | position.enemy;
        MoveBits([(occupied + self.feet) & self.board])
    }

    #[inline(always)]
    fn move_at(&self, _: &ConnectFourState, index: u32) -> ConnectFourMove {
        ConnectFourMove(Some(self.columns[index as usize % 64]))
    }

    #[inline(always)]
    fn is_over(&self, position: &ConnectFourState, moves: &MoveBits<1>) -> bool {
        position.own_line | position.enemy_line || moves.0 == [0]
    }

    #[inline(always)]
    fn play(
        &self,
        position: &ConnectFourState,
        mv: ConnectFourMove,
    ) -> (ConnectFourState, MoveBits<1>) {
        let own = match mv {
            ConnectFourMove(Some(column)) => {
                let MoveBits([moves]) = self.moves(position);
                let foot = u32::from(column) * self.stride;
                let column = ((1 << self.stride) - 1) << (foot % 64);
                position.own | moves & column
            }
            ConnectFourMove(None) => position.own,
        };
        let next = ConnectFourState {
            own: position.enemy,
            enemy: own,
            own_line: position.enemy_line,
            enemy_line: self.has_line(own),
            control: 1 - position.control,
        };
        (next, self.moves(&next))
    }

    fn wins(&self, position: &ConnectFourState, _: &MoveBits<1>) -> [bool; 2] {
        by_role(position.control, [position.own_line, position.enemy_line])
    }

    fn move_text(&self, mv: ConnectFourMove) -> String {
        match mv {
            ConnectFourMove(Some(column)) => {
                format!("(drop {})", self.grid.column_name(u32::from(column)))
            }
            ConnectFourMove(None) => "noop".to_owned(),
        }
    }

    fn mark(&self, position: &ConnectFourState, facts: &mut [u64]) {
        let [red, yellow] = by_role(position.control, [position.own, position.enemy]);
        let blank = self.board & !(red | yellow);
        facts.copy_from_slice(&[red, yellow, blank, 1 << position.control]);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        let (column, row) = (bit / self.stride, bit % self.stride);
        match word {
            0..3 if self.board >> bit & 1 == 0 => None,
            0..3 => self.grid.fact(Self::ROLES, word, row * self.width + column),
            _ => self.grid.fact(Self::ROLES, word, bit),
        }
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<ConnectFourState, InvalidFacts> {
        let off_grid = |set| squares(set).fold(0, |discs, square| discs | 1 << self.bit(square));
        let control = facts.take_control(Self::ROLES)?;
        let discs = self.grid.read(facts, Self::ROLES)?.map(off_grid);
        let [own, enemy] = by_role(control, discs);
        let occupied = own | enemy;
        if (occupied + self.feet) & occupied != 0 {
            return Err(InvalidFacts("a disc hangs over a blank square".to_owned()));
        }
        Ok(ConnectFourState {
            own,
            enemy,
            own_line: self.has_line(own),
            enemy_line: self.has_line(enemy),
            control,
        })
    }
}
