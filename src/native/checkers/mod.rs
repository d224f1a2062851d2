//! Checkers, which is English draughts: `games/checkers.kif`, with its sources.
//!
//! Each jump of a chain is a move: a player who must go on jumping stays in control. The 32 dark squares are bits of one
//! word, numbered so that one square up to the right is a rotation by 1 and one up to the left a rotation by 7, on every
//! rank: the rotated bitboards of J. Kreuzer ("Bitboards and Checkers", 3dkingdoms.com).

mod board;
pub mod published;
mod turns;

pub use self::turns::CheckersTurn;

use self::board::{ALL_WAYS, CheckersBoard, WAYS};
use crate::game::{Evaluation, InvalidFacts};
use crate::native::facts::{FactReader, control, number, numbered, set};
use crate::native::move_set::MoveBits;
use crate::native::rules::{NativeRules, by_role};

/// The names of the evaluations that people have made for the game.
pub const EVALUATIONS: &[&str] = published::PublishedEvaluation::NAMES;

/// No piece has to go on jumping.
const NO_CHAIN: u8 = u8::MAX;

/// The rules for one board.
#[derive(Debug, Clone)]
pub struct Checkers {
    board: CheckersBoard,
    /// The number of turns of both roles after which the game is drawn.
    most_turns: u8,
}

/// The pieces, and who is in control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckersState {
    /// The pieces of the player in control.
    own: u32,
    enemy: u32,
    /// Those of all pieces that are kings.
    kings: u32,
    control: u8,
    /// The square of the piece that must go on jumping.
    chain: u8,
    turn: u8,
}

/// Moves a piece, or jumps with it; nothing where it goes nowhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CheckersMove {
    from: u8,
    to: u8,
    jumps: bool,
}

/// Where pieces arrive, way by way.
type Arrivals = [u32; 4];

/// Sizes that make no game of checkers here.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "checkers needs an even number of files and ranks from 4 to 8, men on some ranks but not on all, and 1 to 200 turns"
)]
pub struct CheckersSizeError;

impl Checkers {
    /// The game on `width` files and `height` ranks, with men on the first `ranks` of each side, drawn after `turns`
    /// turns of both.
    ///
    /// # Errors
    /// [`CheckersSizeError`] where the board is none of the usual one's corners with dark squares all along its sides, where
    /// the men find no room, and where turns are too many to count.
    pub fn new(width: u8, height: u8, ranks: u8, turns: u8) -> Result<Self, CheckersSizeError> {
        let is_side = |length: u8| (4..=8).contains(&length) && length.is_multiple_of(2);
        let has_men = (1..height / 2).contains(&ranks);
        if !is_side(width) || !is_side(height) || !has_men || !(1..=200).contains(&turns) {
            return Err(CheckersSizeError);
        }
        Ok(Self {
            board: CheckersBoard::new(width, height, ranks),
            most_turns: turns,
        })
    }
}

/// English draughts: 8 files and ranks, three ranks of men a side, 80 turns.
impl Default for Checkers {
    fn default() -> Self {
        Self::new(8, 8, 3, 80).expect("the usual board is a board")
    }
}

impl CheckersState {
    #[inline(always)]
    fn in_control(&self) -> usize {
        usize::from(self.control % 2)
    }

    /// Those of `pieces` that may move in each of the four directions: black's men and all kings move up.
    #[inline(always)]
    fn movable(&self, pieces: u32) -> Arrivals {
        let kings = pieces & self.kings;
        let (up, down) = if self.in_control() == 0 {
            (pieces, kings)
        } else {
            (kings, pieces)
        };
        [up, up, down, down]
    }

    #[inline(always)]
    fn blank(&self) -> u32 {
        !(self.own | self.enemy)
    }

    /// Where the jumps of `pieces` end.
    #[inline(always)]
    fn jumps(&self, board: &CheckersBoard, pieces: u32) -> Arrivals {
        let (enemy, blank) = (self.enemy, self.blank());
        let movable = self.movable(pieces);
        ALL_WAYS.map(|way| {
            let over = (movable[way] & board.can_jump[way]).rotate_left(WAYS[way]) & enemy;
            over.rotate_left(WAYS[way]) & blank
        })
    }

    /// Where the moves without a jump of all pieces in control end.
    #[inline(always)]
    fn steps(&self, board: &CheckersBoard) -> Arrivals {
        let blank = self.blank();
        let movable = self.movable(self.own);
        ALL_WAYS.map(|way| (movable[way] & board.can_step[way]).rotate_left(WAYS[way]) & blank)
    }

    /// The moves where no chain of jumps is unfinished.
    #[inline(always)]
    fn moves(&self, board: &CheckersBoard) -> MoveBits<2> {
        let jumps = pack(self.jumps(board, self.own));
        if jumps.0 == [0; 2] {
            pack(self.steps(board))
        } else {
            jumps
        }
    }
}

#[inline(always)]
fn pack(arrivals: Arrivals) -> MoveBits<2> {
    let [right, left, back_left, back_right] = arrivals.map(u64::from);
    MoveBits([right | left << 32, back_left | back_right << 32])
}

/// The square that a jump passes over: in the middle, on the short way round.
#[inline(always)]
fn middle(mv: CheckersMove) -> u32 {
    let twice = u32::from(mv.to.wrapping_sub(mv.from)) << 27;
    let once = (twice as i32 >> 28) as u32;
    u32::from(mv.from).wrapping_add(once) % 32
}

impl NativeRules for Checkers {
    type State = CheckersState;
    type Move = CheckersMove;
    type Moves = MoveBits<2>;

    const ROLES: [&'static str; 2] = ["black", "red"];
    const LANES: usize = 1;
    const FACT_WORDS: usize = 11;
    const NOOP: CheckersMove = CheckersMove {
        from: 0,
        to: 0,
        jumps: false,
    };

    fn start(&self) -> CheckersState {
        CheckersState {
            own: self.board.camps[0],
            enemy: self.board.camps[1],
            kings: 0,
            control: 0,
            chain: NO_CHAIN,
            turn: 1,
        }
    }

    #[inline(always)]
    fn in_control(&self, position: &CheckersState) -> usize {
        position.in_control()
    }

    #[inline(always)]
    fn moves(&self, position: &CheckersState) -> MoveBits<2> {
        if position.chain == NO_CHAIN {
            position.moves(&self.board)
        } else {
            pack(position.jumps(&self.board, 1 << (position.chain % 32)))
        }
    }

    #[inline(always)]
    fn move_at(&self, position: &CheckersState, index: u32) -> CheckersMove {
        let way = WAYS[index as usize / 32 % 4];
        let to = index % 32;
        // A jump arrives from behind an enemy.
        let near = to.wrapping_sub(way) % 32;
        let jumps = position.enemy >> near & 1;
        CheckersMove {
            from: (near.wrapping_sub(way * jumps) % 32) as u8,
            to: to as u8,
            jumps: jumps == 1,
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &CheckersState, moves: &MoveBits<2>) -> bool {
        position.turn > self.most_turns || moves.0 == [0; 2]
    }

    #[inline(always)]
    fn play(&self, position: &CheckersState, mv: CheckersMove) -> (CheckersState, MoveBits<2>) {
        let (from, to) = (1 << (mv.from % 32), 1 << (mv.to % 32));
        let taken = if mv.jumps { 1 << middle(mv) } else { 0 };
        let is_king = position.kings & from != 0;
        let crowned =
            to & self.board.last_ranks[position.in_control()] & if is_king { 0 } else { !0 };
        let arrived = if is_king { from | to } else { crowned };
        let mut next = CheckersState {
            own: position.own ^ (from | to),
            enemy: position.enemy & !taken,
            kings: (position.kings ^ arrived) & !taken,
            chain: NO_CHAIN,
            ..*position
        };
        if mv.jumps {
            let further = pack(next.jumps(&self.board, to & !crowned));
            if further.0 != [0; 2] {
                next.chain = mv.to;
                return (next, further);
            }
        }
        next = CheckersState {
            own: next.enemy,
            enemy: next.own,
            control: 1 - position.control,
            turn: position.turn + position.control,
            ..next
        };
        (next, next.moves(&self.board))
    }

    fn wins(&self, position: &CheckersState, moves: &MoveBits<2>) -> [bool; 2] {
        let blocked = moves.0 == [0; 2];
        [
            blocked && position.control == 1,
            blocked && position.control == 0,
        ]
    }

    fn count_turns(&self, position: &CheckersState, turns: u32) -> Option<u64> {
        Some(self.paths_by_turns(position, turns))
    }

    /// Those of the student project, for the usual board.
    fn evaluations(&self) -> &'static [&'static str] {
        match self.board.is_usual() {
            true => EVALUATIONS,
            false => &[],
        }
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, CheckersState>> {
        let names = self.evaluations();
        let known = names.contains(&name);
        let evaluation = published::PublishedEvaluation::named(name).filter(|_| known)?;
        Some(Box::new(move |position, role| {
            evaluation.worth(self, position, role)
        }))
    }

    fn move_text(&self, mv: CheckersMove) -> String {
        if mv == Self::NOOP {
            return "noop".to_owned();
        }
        let name = |square| self.board.name(square);
        let word = if mv.jumps { "jump" } else { "move" };
        format!("({word} {} {})", name(mv.from), name(mv.to))
    }

    fn mark(&self, position: &CheckersState, facts: &mut [u64]) {
        let [black, red] = by_role(position.control, [position.own, position.enemy]);
        let (men, kings) = (!position.kings, position.kings);
        let pieces = [black & men, red & men, black & kings, red & kings];
        for (word, set) in facts.iter_mut().zip(pieces) {
            *word = u64::from(set);
        }
        facts[4] = u64::from(self.board.dark & !(black | red));
        facts[5] = 1 << position.control;
        if position.chain != NO_CHAIN {
            facts[6] = 1 << (position.chain % 32);
        }
        set(&mut facts[7..], position.turn);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        const CONTENTS: [&str; 5] = ["black", "red", "black_king", "red_king", "blank"];
        let square = self.board.square(bit);
        match word {
            0..5 => self.board.grid.cell(square?, CONTENTS[word]),
            5 => control(Self::ROLES, bit),
            6 => Some(format!("(chain {})", self.board.grid.name(square?))),
            _ => Some(format!("(turn {})", numbered(word - 7, bit))),
        }
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<CheckersState, InvalidFacts> {
        let contents = ["black", "red", "black_king", "red_king"];
        let sets = self.board.grid.read(facts, contents)?;
        let [black, red, black_kings, red_kings] = sets.map(|set| self.board.of_grid(set));
        let [turn] = facts.take_one("turn")?;
        let control = facts.take_control(Self::ROLES)?;
        let [own, enemy] = by_role(control, [black | black_kings, red | red_kings]);
        let mut position = CheckersState {
            own,
            enemy,
            kings: black_kings | red_kings,
            control,
            chain: NO_CHAIN,
            turn: number(turn, 1, self.most_turns + 1)?,
        };
        for [x, y] in facts.take("chain") {
            let square = self.board.of_grid(1 << self.board.grid.square(x, y)?);
            let own = square & position.own;
            if position.chain != NO_CHAIN || position.jumps(&self.board, own) == [0; 4] {
                return Err(InvalidFacts(format!(
                    "(chain {x} {y}): that piece has no chain to finish"
                )));
            }
            position.chain = square.trailing_zeros() as u8;
        }
        Ok(position)
    }
}
