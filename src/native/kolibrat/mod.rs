//! Kolibrat, by Thomas Bolander, on boards of at most 64 squares.
//!
//! Source: the rules of A. Lindberg's bachelor thesis (DTU, 2007), as its program plays them and as
//! `games/kolibrat.kif` writes them down.
//!
//! All pieces of a side go the same way, so a rotation of its whole set of squares moves every piece at once; the sets
//! of moves hold where pieces arrive. Red goes up, black goes down.

mod evaluation;
mod weights;

pub use self::weights::{PropertyWeights, PropertyWeightsFault};

use self::evaluation::Weighed;
use crate::game::{Evaluation, InvalidFacts};
use crate::native::facts::{FactReader, number, numbered, set};
use crate::native::forward::Forward;
use crate::native::grid::{Grid, Names};
use crate::native::move_set::MoveBits;
use crate::native::rules::{NativeRules, by_role};

/// The names of the evaluations that people have made for the game: the players of the thesis, as meant and
/// `-as-published`.
pub const EVALUATIONS: &[&str] = evaluation::NAMES;

/// Checks that this is an evaluation: one of [`EVALUATIONS`], or eleven weights in place of its name.
///
/// # Errors
/// What is wrong with the weights.
pub fn check_evaluation(name: &str) -> Result<(), PropertyWeightsFault> {
    Weighed::named(name).map(|_| ())
}

/// The rules for one board, limit and target.
///
/// The moves of a position are five sets of squares in `WORDS` words: one word holds those of a board of up to 12
/// squares, and five words those of any board.
#[derive(Debug, Clone)]
pub struct Kolibrat<const WORDS: usize = 1> {
    squares: u32,
    grid: Grid,
    most_pieces: u8,
    winning_score: u8,
    sides: [Forward; 2],
    /// The move of each index, per role; where a jump begins depends on the position.
    moves: [Vec<KolibratMove>; 2],
}

/// The sets of a position's moves: to lower and to higher columns, attacks, insertions with removals, jumps.
const SETS: usize = 5;

/// The number of points that have a bit each in two words.
const MOST_POINTS: u8 = 127;

/// Where the pieces stand, the points, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KolibratState {
    /// The pieces of the player in control.
    own: u64,
    enemy: u64,
    own_score: u8,
    enemy_score: u8,
    control: u8,
}

impl KolibratState {
    /// Red's points and black's.
    fn scores(&self) -> [u8; 2] {
        by_role(self.control, [self.own_score, self.enemy_score])
    }
}

/// What a player does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KolibratMove {
    kind: Kind,
    from: u8,
    to: u8,
}

impl KolibratMove {
    /// The move of set `set` that leads to `to`; for a jump, `from` is still to be found.
    fn of(side: &Forward, set: usize, to: u32) -> Self {
        let (kind, way) = match set {
            0 => (Kind::Move, side.left),
            1 => (Kind::Move, side.right),
            2 => (Kind::Attack, side.ahead),
            3 if side.goal >> to & 1 == 1 => (Kind::Remove, 0),
            3 => (Kind::Insert, 0),
            _ => (Kind::Jump, 0),
        };
        Self {
            kind,
            from: (to.wrapping_sub(way) % 64) as u8,
            to: to as u8,
        }
    }
}

/// The words of the rule file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Insert,
    Move,
    Attack,
    Jump,
    Remove,
    Noop,
}

/// Sizes that make no game of Kolibrat.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "kolibrat needs at least 1 column and 2 rows, no more squares than its words hold, a piece a side, and 1 to 127 points to win"
)]
pub struct KolibratSizeError;

impl<const WORDS: usize> Kolibrat<WORDS> {
    /// How many sets share a word.
    const SHARE: usize = SETS.div_ceil(WORDS);

    /// The game on `width` columns and `height` rows, with at most `most_pieces` a side on the board, up to
    /// `winning_score` points.
    ///
    /// # Errors
    /// [`KolibratSizeError`] where there is no home row besides the goal row, where the board has more than 64 squares or its
    /// moves need more than `WORDS` words, and where a limit is zero.
    pub fn new(
        width: u8,
        height: u8,
        most_pieces: u8,
        winning_score: u8,
    ) -> Result<Self, KolibratSizeError> {
        let squares = usize::from(width) * usize::from(height);
        let fits = squares * Self::SHARE <= 64;
        if width < 1
            || height < 2
            || !fits
            || most_pieces < 1
            || !(1..=MOST_POINTS).contains(&winning_score)
        {
            return Err(KolibratSizeError);
        }
        let columns = (Names::From(0), usize::from(width));
        let grid = Grid::new(columns, (Names::From(0), usize::from(height)));
        let (width, height) = (u32::from(width), u32::from(height));
        let sides = [Forward::up(width, height), Forward::down(width, height)];
        Ok(Self {
            squares: width * height,
            moves: sides.map(|side| Self::moves_of_side(&side, squares)),
            sides,
            grid,
            most_pieces,
            winning_score,
        })
    }

    /// The moves of one role, by index.
    fn moves_of_side(side: &Forward, squares: usize) -> Vec<KolibratMove> {
        let mut moves = vec![Self::NOOP; 64 * WORDS];
        for set in 0..SETS {
            let first = 64 * (set / Self::SHARE) + set % Self::SHARE * squares;
            for (to, mv) in (0..).zip(&mut moves[first..first + squares]) {
                *mv = KolibratMove::of(side, set, to);
            }
        }
        moves
    }

    #[inline(always)]
    fn pack(&self, sets: [u64; SETS]) -> MoveBits<WORDS> {
        let mut words = [0; WORDS];
        for (index, set) in sets.into_iter().enumerate() {
            let shift = (index % Self::SHARE) as u32 * self.squares;
            words[index / Self::SHARE] |= set << (shift % 64);
        }
        MoveBits(words)
    }

    /// The moves that `role` has, or would have in control.
    #[inline(always)]
    fn moves_of(&self, own: u64, enemy: u64, role: u8) -> MoveBits<WORDS> {
        let side = &self.sides[usize::from(role % 2)];
        let empty = self.grid.board & !(own | enemy);
        let attack = side.ahead_of(own) & enemy;
        let has_piece = own.count_ones() < u32::from(self.most_pieces);
        let insert = if has_piece { side.home & empty } else { 0 };
        self.pack([
            side.left_of(own) & empty,
            side.right_of(own) & empty,
            attack,
            insert | own & side.goal,
            landings(side, attack, enemy, empty),
        ])
    }
}

/// The standard game: 3 columns, 4 rows, four pieces a side, five points.
impl Default for Kolibrat<1> {
    fn default() -> Self {
        Self::new(3, 4, 4, 5).expect("the standard board is a board")
    }
}

impl<const WORDS: usize> NativeRules for Kolibrat<WORDS> {
    type State = KolibratState;
    type Move = KolibratMove;
    type Moves = MoveBits<WORDS>;

    const ROLES: [&'static str; 2] = ["red", "black"];
    const LANES: usize = 2;
    const FACT_WORDS: usize = 8;
    const NOOP: KolibratMove = KolibratMove {
        kind: Kind::Noop,
        from: 0,
        to: 0,
    };

    fn start(&self) -> KolibratState {
        KolibratState {
            own: 0,
            enemy: 0,
            own_score: 0,
            enemy_score: 0,
            control: 0,
        }
    }

    #[inline]
    fn in_control(&self, position: &KolibratState) -> usize {
        usize::from(position.control & 1)
    }

    #[inline(always)]
    fn moves(&self, position: &KolibratState) -> MoveBits<WORDS> {
        self.moves_of(position.own, position.enemy, position.control)
    }

    #[inline(always)]
    fn move_at(&self, position: &KolibratState, index: u32) -> KolibratMove {
        let control = self.in_control(position);
        let side = &self.sides[control];
        let mv = self.moves[control][index as usize];
        if mv.kind != Kind::Jump {
            return mv;
        }
        let mut from = u32::from(mv.to);
        loop {
            from = from.wrapping_sub(side.ahead) % 64;
            if position.enemy >> from & 1 == 0 {
                return KolibratMove {
                    from: from as u8,
                    ..mv
                };
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &KolibratState, moves: &MoveBits<WORDS>) -> bool {
        let (own, enemy) = (position.own_score, position.enemy_score);
        own == self.winning_score || enemy == self.winning_score || moves.0 == [0; WORDS]
    }

    #[inline(always)]
    fn play(&self, position: &KolibratState, mv: KolibratMove) -> (KolibratState, MoveBits<WORDS>) {
        let (from, to) = (1 << (mv.from % 64), 1 << (mv.to % 64));
        // Inserting and removing start where they end, so that the same flip does it.
        let own = position.own ^ (from | to);
        let enemy = position.enemy & !to;
        let own_score = position.own_score + u8::from(mv.kind == Kind::Remove);
        let answers = self.moves_of(enemy, own, 1 - position.control);
        if answers.0 == [0; WORDS] {
            let next = KolibratState {
                own,
                enemy,
                own_score,
                ..*position
            };
            return (next, self.moves(&next));
        }
        let next = KolibratState {
            own: enemy,
            enemy: own,
            own_score: position.enemy_score,
            enemy_score: own_score,
            control: 1 - position.control,
        };
        (next, answers)
    }

    fn wins(&self, position: &KolibratState, moves: &MoveBits<WORDS>) -> [bool; 2] {
        let enough = position.scores().map(|score| score == self.winning_score);
        let blocked = enough == [false; 2] && self.is_over(position, moves);
        let waiting = 1 - self.in_control(position);
        [0, 1].map(|player| enough[player] || blocked && player == waiting)
    }

    fn evaluations(&self) -> &'static [&'static str] {
        EVALUATIONS
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, KolibratState>> {
        let weighed = Weighed::named(name).ok()?;
        Some(Box::new(move |position, role| {
            weighed.value(self, position, role.0)
        }))
    }

    fn move_text(&self, mv: KolibratMove) -> String {
        let [from, to] = [mv.from, mv.to].map(|square| self.grid.name(u32::from(square)));
        match mv.kind {
            Kind::Insert => format!("(insert {to})"),
            Kind::Move => format!("(move {from} {to})"),
            Kind::Attack => format!("(attack {from} {to})"),
            Kind::Jump => format!("(jump {from} {to})"),
            Kind::Remove => format!("(remove {to})"),
            Kind::Noop => "noop".to_owned(),
        }
    }

    fn mark(&self, position: &KolibratState, facts: &mut [u64]) {
        let [red, black] = by_role(position.control, [position.own, position.enemy]);
        let blank = self.grid.board & !(red | black);
        facts[..4].copy_from_slice(&[red, black, blank, 1 << position.control]);
        let [red, black] = position.scores();
        set(&mut facts[4..6], red);
        set(&mut facts[6..], black);
    }

    fn fact(&self, word: usize, bit: u32) -> Option<String> {
        match word {
            0..4 => self.grid.fact(Self::ROLES, word, bit),
            _ => {
                let (player, score) = ((word - 4) / 2, numbered(word % 2, bit));
                Some(format!("(score {} {score})", Self::ROLES[player]))
            }
        }
    }

    fn read(&self, facts: &mut FactReader<'_>) -> Result<KolibratState, InvalidFacts> {
        let mut score = [None; 2];
        for [name, points] in facts.take("score") {
            let player = Self::ROLES.iter().position(|role| *role == name);
            let player =
                player.ok_or_else(|| InvalidFacts(format!("`{name}` is no role of this game")))?;
            let points = number(points, 0, self.winning_score)?;
            if score[player].replace(points).is_some() {
                return Err(InvalidFacts(format!("{name} has two scores")));
            }
        }
        let [Some(red), Some(black)] = score else {
            return Err(InvalidFacts(
                "a state needs a score for each role".to_owned(),
            ));
        };
        let control = facts.take_control(Self::ROLES)?;
        let [own, enemy] = by_role(control, self.grid.read(facts, Self::ROLES)?);
        let [own_score, enemy_score] = by_role(control, [red, black]);
        Ok(KolibratState {
            own,
            enemy,
            own_score,
            enemy_score,
            control,
        })
    }
}

/// Where jumps end. `attack` are the first enemies ahead of own pieces; a jump goes on over enemies until there is an
/// empty square.
#[inline(always)]
fn landings(side: &Forward, attack: u64, enemy: u64, empty: u64) -> u64 {
    let (mut landings, mut over) = (0, attack);
    loop {
        // Two rounds per test of the condition: enough for the standard board, where a branch per round was slower.
        for _ in 0..2 {
            let behind = side.ahead_of(over);
            landings |= behind & empty;
            over = behind & enemy;
        }
        if over & side.can_ahead == 0 {
            return landings;
        }
    }
}
