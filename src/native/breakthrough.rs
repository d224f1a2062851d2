//! Breakthrough, by Dan Troyka (2000), on boards of any size that fits.
//!
//! Source: the published rules, as `games/breakthrough.kif` writes them down.

use crate::game::InvalidFacts;
use crate::native::facts::FactReader;
use crate::native::forward::Forward;
use crate::native::grid::{Grid, Names};
use crate::native::move_set::MoveBits;
use crate::native::rules::{NativeRules, by_role};

/// The rules for one board.
#[derive(Debug, Clone)]
pub struct Breakthrough {
    grid: Grid,
    /// White's and black's way.
    sides: [Forward; 2],
    start: [u64; 2],
}

/// The pieces, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BreakthroughState {
    /// The pieces of the player in control.
    own: u64,
    enemy: u64,
    control: u8,
}

impl BreakthroughState {
    /// White's pieces and black's.
    fn pieces(&self) -> [u64; 2] {
        by_role(self.control, [self.own, self.enemy])
    }
}

/// Moves a piece; nothing where it moves nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct BreakthroughMove {
    from: u8,
    to: u8,
}

/// Sizes that make no game of Breakthrough.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("breakthrough needs at least 2 files, 4 ranks, and at most 64 squares")]
pub struct BreakthroughSizeError;

impl Breakthrough {
    /// The game on `width` files and `height` ranks, with two ranks of pieces a side.
    ///
    /// # Errors
    /// [`BreakthroughSizeError`] where a player could be stuck, where the pieces do not find room, and where the board has more
    /// than 64 squares.
    pub fn new(width: u8, height: u8) -> Result<Self, BreakthroughSizeError> {
        let (wide, high) = (u32::from(width), u32::from(height));
        if wide < 2 || high < 4 || wide * high > 64 {
            return Err(BreakthroughSizeError);
        }
        let files = (Names::Letters, usize::from(width));
        let sides = [Forward::up(wide, high), Forward::down(wide, high)];
        Ok(Self {
            grid: Grid::new(files, (Names::From(1), usize::from(height))),
            start: sides.map(|side| side.home | side.ahead_of(side.home)),
            sides,
        })
    }
}

/// The published game, on 8 files and 8 ranks.
impl Default for Breakthrough {
    fn default() -> Self {
        Self::new(8, 8).expect("the published board is a board")
    }
}

impl NativeRules for Breakthrough {
    type State = BreakthroughState;
    type Move = BreakthroughMove;
    type Moves = MoveBits<3>;

    const ROLES: [&'static str; 2] = ["white", "black"];
    const LANES: usize = 8;
    const FACT_WORDS: usize = 4;
    const NOOP: BreakthroughMove = BreakthroughMove { from: 0, to: 0 };

    fn start(&self) -> BreakthroughState {
        BreakthroughState {
            own: self.start[0],
            enemy: self.start[1],
            control: 0,
        }
    }

    #[inline(always)]
    fn in_control(&self, position: &BreakthroughState) -> usize {
        usize::from(position.control % 2)
    }

    #[inline(always)]
    fn moves(&self, position: &BreakthroughState) -> MoveBits<3> {
        let (own, enemy) = (position.own, position.enemy);
        let side = &self.sides[self.in_control(position)];
        MoveBits([
            side.left_of(own) & !own,
            side.right_of(own) & !own,
            side.ahead_of(own) & !(own | enemy),
        ])
    }

    #[inline(always)]
    fn move_at(&self, position: &BreakthroughState, index: u32) -> BreakthroughMove {
        let side = &self.sides[self.in_control(position)];
        let ways = [side.left, side.right, side.ahead, side.ahead];
        let way = ways[index as usize / 64 % 4];
        BreakthroughMove {
            from: (index.wrapping_sub(way) % 64) as u8,
            to: (index % 64) as u8,
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &BreakthroughState, _: &MoveBits<3>) -> bool {
        let control = self.in_control(position);
        let arrived = position.own & self.sides[control].goal;
        let enemy_arrived = position.enemy & self.sides[1 - control].goal;
        arrived | enemy_arrived != 0 || position.own == 0 || position.enemy == 0
    }

    #[inline(always)]
    fn play(
        &self,
        position: &BreakthroughState,
        mv: BreakthroughMove,
    ) -> (BreakthroughState, MoveBits<3>) {
        let (from, to) = (1 << (mv.from % 64), 1 << (mv.to % 64));
        let next = BreakthroughState {
            own: position.enemy & !to,
            enemy: position.own ^ (from | to),
            control: 1 - position.control,
        };
        (next, self.moves(&next))
    }

    fn wins(&self, position: &BreakthroughState, _: &MoveBits<3>) -> [bool; 2] {
        let pieces = position.pieces();
        [0, 1]
            .map(|player| pieces[player] & self.sides[player].goal != 0 || pieces[1 - player] == 0)
    }

    fn move_text(&self, mv: BreakthroughMove) -> String {
        self.grid.move_text([mv.from, mv.to])
    }

    fn mark(&self, position: &BreakthroughState, facts: &mut [u64]) {
        let [first, second] = position.pieces();
        let blank = self.grid.board & !(first | second);
        facts.copy_from_slice(&[first, second, blank, 1 << position.control]);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        self.grid.fact(Self::ROLES, word, bit)
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<BreakthroughState, InvalidFacts> {
        let control = facts.take_control(Self::ROLES)?;
        let [own, enemy] = by_role(control, self.grid.read(facts, Self::ROLES)?);
        Ok(BreakthroughState {
            own,
            enemy,
            control,
        })
    }
}
