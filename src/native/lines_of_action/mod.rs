//! Lines of Action, by Claude Soucie (1969): `games/lines-of-action.kif`, with its sources.
//!
//! There are at most 96 ways to go, eight for each piece, and about a third of them are moves. So moves are never
//! listed: they are counted and found by trying ways, and a random move is a random way that happens to be one (see
//! D. Soemers et al., "Optimised Playout Implementations for the Ludii General StateMachine System", 2021).

mod board;
mod moves;

use self::board::{START, connected};
pub use self::moves::LinesOfActionMoves;
use crate::game::InvalidFacts;
use crate::native::facts::{FactReader, number, numbered, set};
use crate::native::grid::{Grid, Names};
use crate::native::rules::{NativeRules, by_role};

/// The number of turns of both roles after which the game is drawn.
const MOST_TURNS: u8 = 100;
/// The number of pieces of a role at the start; the rule file follows no longer chain.
const MOST_PIECES: u32 = 12;

/// The rules.
#[derive(Debug, Clone)]
pub struct LinesOfAction {
    grid: Grid,
}

/// The pieces, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinesOfActionState {
    /// The pieces of the player in control.
    own: u64,
    enemy: u64,
    /// Whether they all hang together; follows from the pieces.
    own_connected: bool,
    enemy_connected: bool,
    control: u8,
    turn: u8,
}

/// Moves a piece; nothing where it goes nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct LinesOfActionMove {
    from: u8,
    to: u8,
}

impl Default for LinesOfAction {
    fn default() -> Self {
        Self {
            grid: Grid::new((Names::Letters, 8), (Names::From(1), 8)),
        }
    }
}

impl NativeRules for LinesOfAction {
    type State = LinesOfActionState;
    type Move = LinesOfActionMove;
    type Moves = LinesOfActionMoves;

    const ROLES: [&'static str; 2] = ["black", "white"];
    const LANES: usize = 2;
    const FACT_WORDS: usize = 6;
    const NOOP: LinesOfActionMove = LinesOfActionMove { from: 0, to: 0 };

    fn start(&self) -> LinesOfActionState {
        LinesOfActionState {
            own: START[0],
            enemy: START[1],
            own_connected: false,
            enemy_connected: false,
            control: 0,
            turn: 1,
        }
    }

    #[inline(always)]
    fn in_control(&self, position: &LinesOfActionState) -> usize {
        usize::from(position.control % 2)
    }

    #[inline(always)]
    fn moves(&self, position: &LinesOfActionState) -> LinesOfActionMoves {
        LinesOfActionMoves::new(position.own, position.enemy)
    }

    #[inline(always)]
    fn move_at(&self, position: &LinesOfActionState, index: u32) -> LinesOfActionMove {
        match self.moves(position).way(index) {
            Some((from, to)) => LinesOfActionMove {
                from: from as u8,
                to: to as u8,
            },
            None => Self::NOOP,
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &LinesOfActionState, _: &LinesOfActionMoves) -> bool {
        position.own_connected | position.enemy_connected || position.turn > MOST_TURNS
    }

    #[inline(always)]
    fn play(
        &self,
        position: &LinesOfActionState,
        mv: LinesOfActionMove,
    ) -> (LinesOfActionState, LinesOfActionMoves) {
        let (from, to) = (1 << (mv.from % 64), 1 << (mv.to % 64));
        // Passing moves and captures nothing.
        let flip = if mv == Self::NOOP { 0 } else { from | to };
        let (own, enemy) = (position.own ^ flip, position.enemy & !flip);
        let next = LinesOfActionState {
            own: enemy,
            enemy: own,
            own_connected: match enemy == position.enemy {
                true => position.enemy_connected,
                false => connected(enemy),
            },
            enemy_connected: connected(own),
            control: 1 - position.control,
            turn: position.turn + position.control,
        };
        (next, self.moves(&next))
    }

    fn wins(&self, position: &LinesOfActionState, _: &LinesOfActionMoves) -> [bool; 2] {
        let connected = [position.own_connected, position.enemy_connected];
        let [black, white] = by_role(position.control, connected);
        [black && !white, white && !black]
    }

    fn move_text(&self, mv: LinesOfActionMove) -> String {
        self.grid.move_text([mv.from, mv.to])
    }

    fn mark(&self, position: &LinesOfActionState, facts: &mut [u64]) {
        let [black, white] = by_role(position.control, [position.own, position.enemy]);
        facts[..3].copy_from_slice(&[black, white, !(black | white)]);
        facts[3] = 1 << position.control;
        set(&mut facts[4..], position.turn);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        match word {
            0..4 => self.grid.fact(Self::ROLES, word, bit),
            _ => Some(format!("(turn {})", numbered(word - 4, bit))),
        }
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<LinesOfActionState, InvalidFacts> {
        let pieces = self.grid.read(facts, Self::ROLES)?;
        if pieces.iter().any(|set| set.count_ones() > MOST_PIECES) {
            return Err(InvalidFacts(format!(
                "a side has more than {MOST_PIECES} pieces"
            )));
        }
        let [turn] = facts.take_one("turn")?;
        let control = facts.take_control(Self::ROLES)?;
        let [own, enemy] = by_role(control, pieces);
        Ok(LinesOfActionState {
            own,
            enemy,
            own_connected: connected(own),
            enemy_connected: connected(enemy),
            control,
            turn: number(turn, 1, MOST_TURNS + 1)?,
        })
    }
}
