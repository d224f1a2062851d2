//! Breakthrough, by Dan Troyka (2000), on boards of any size that fits.
//!
//! Source: the published rules, as `games/breakthrough.kif` writes them down.

use crate::game::InvalidFacts;
use crate::native::facts::FactReader;
use crate::native::forward::Forward;
use crate::native::grid::{Grid, Names};
use crate::native::places::PlaceBits;
use crate::native::rules::{NativeRules, seen_by};

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
    mover: u8,
}

impl BreakthroughState {
    /// White's pieces and black's.
    fn pieces(&self) -> [u64; 2] {
        seen_by(self.mover, [self.own, self.enemy])
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
    type Places = PlaceBits<3>;

    const ROLES: [&'static str; 2] = ["white", "black"];
    const LANES: usize = 8;
    const FACT_WORDS: usize = 4;
    const NOOP: BreakthroughMove = BreakthroughMove { from: 0, to: 0 };

    fn start(&self) -> BreakthroughState {
        BreakthroughState {
            own: self.start[0],
            enemy: self.start[1],
            mover: 0,
        }
    }

    #[inline(always)]
    fn mover(&self, position: &BreakthroughState) -> usize {
        usize::from(position.mover % 2)
    }

    #[inline(always)]
    fn places(&self, position: &BreakthroughState) -> PlaceBits<3> {
        let (own, enemy) = (position.own, position.enemy);
        let side = &self.sides[self.mover(position)];
        PlaceBits([
            side.left_of(own) & !own,
            side.right_of(own) & !own,
            side.ahead_of(own) & !(own | enemy),
        ])
    }

    #[inline(always)]
    fn step(&self, position: &BreakthroughState, place: u32) -> BreakthroughMove {
        let side = &self.sides[self.mover(position)];
        let ways = [side.left, side.right, side.ahead, side.ahead];
        let way = ways[place as usize / 64 % 4];
        BreakthroughMove {
            from: (place.wrapping_sub(way) % 64) as u8,
            to: (place % 64) as u8,
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &BreakthroughState, _: &PlaceBits<3>) -> bool {
        let mover = self.mover(position);
        let arrived = position.own & self.sides[mover].goal;
        let enemy_arrived = position.enemy & self.sides[1 - mover].goal;
        arrived | enemy_arrived != 0 || position.own == 0 || position.enemy == 0
    }

    #[inline(always)]
    fn play(
        &self,
        position: &BreakthroughState,
        step: BreakthroughMove,
    ) -> (BreakthroughState, PlaceBits<3>) {
        let (from, to) = (1 << (step.from % 64), 1 << (step.to % 64));
        let next = BreakthroughState {
            own: position.enemy & !to,
            enemy: position.own ^ (from | to),
            mover: 1 - position.mover,
        };
        (next, self.places(&next))
    }

    fn wins(&self, position: &BreakthroughState, _: &PlaceBits<3>) -> [bool; 2] {
        let pieces = position.pieces();
        [0, 1]
            .map(|player| pieces[player] & self.sides[player].goal != 0 || pieces[1 - player] == 0)
    }

    fn step_text(&self, step: BreakthroughMove) -> String {
        self.grid.move_text([step.from, step.to])
    }

    fn mark(&self, position: &BreakthroughState, facts: &mut [u64]) {
        let [first, second] = position.pieces();
        let blank = self.grid.board & !(first | second);
        facts.copy_from_slice(&[first, second, blank, 1 << position.mover]);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        self.grid.fact(Self::ROLES, word, bit)
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<BreakthroughState, InvalidFacts> {
        let mover = facts.take_control(Self::ROLES)?;
        let [own, enemy] = seen_by(mover, self.grid.read(facts, Self::ROLES)?);
        Ok(BreakthroughState { own, enemy, mover })
    }
}
