//! Kolibrat, by Thomas Bolander, on boards of at most 64 squares.
//!
//! Source: the rules of A. Lindberg's bachelor thesis (DTU, 2007), as its program plays them and as
//! `games/kolibrat.kif` writes them down.
//!
//! All pieces of a side go the same way, so a rotation of its whole set of squares moves every piece at once; the sets
//! of places hold where pieces arrive. Red goes up, black goes down.

mod evaluation;

use self::evaluation::Weighed;
use crate::game::{Evaluation, InvalidFacts};
use crate::native::facts::{FactReader, number, numbered, set};
use crate::native::forward::Forward;
use crate::native::grid::{Grid, Names};
use crate::native::places::PlaceBits;
use crate::native::rules::{NativeRules, seen_by};

/// The names of the evaluations that people have made for the game: the players of the thesis, as meant and
/// `-as-published`.
pub const EVALUATIONS: &[&str] = evaluation::NAMES;

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
    /// What a place stands for, per player; where a jump begins depends on the position.
    steps: [Vec<KolibratMove>; 2],
}

/// The sets of a position's moves: steps to lower and to higher columns, attacks, insertions with removals, jumps.
const SETS: usize = 5;

/// So many points have a bit each in two words.
const MOST_POINTS: u8 = 127;

/// Where the pieces stand, the points, and who is to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct KolibratState {
    /// The pieces of the player in control.
    own: u64,
    enemy: u64,
    own_score: u8,
    enemy_score: u8,
    mover: u8,
}

impl KolibratState {
    /// Red's points and black's.
    fn scores(&self) -> [u8; 2] {
        seen_by(self.mover, [self.own_score, self.enemy_score])
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
    /// The step of set `set` that leads to `to`; for a jump, `from` is still to be found.
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
            steps: sides.map(|side| Self::steps(&side, squares)),
            sides,
            grid,
            most_pieces,
            winning_score,
        })
    }

    /// The steps that the places of one player stand for.
    fn steps(side: &Forward, squares: usize) -> Vec<KolibratMove> {
        let mut steps = vec![Self::NOOP; 64 * WORDS];
        for set in 0..SETS {
            let first = 64 * (set / Self::SHARE) + set % Self::SHARE * squares;
            for (to, step) in (0..).zip(&mut steps[first..first + squares]) {
                *step = KolibratMove::of(side, set, to);
            }
        }
        steps
    }

    #[inline(always)]
    fn pack(&self, sets: [u64; SETS]) -> PlaceBits<WORDS> {
        let mut words = [0; WORDS];
        for (index, set) in sets.into_iter().enumerate() {
            let shift = (index % Self::SHARE) as u32 * self.squares;
            words[index / Self::SHARE] |= set << (shift % 64);
        }
        PlaceBits(words)
    }

    /// The moves of player `mover`, whoever is in control.
    #[inline(always)]
    fn places_of(&self, own: u64, enemy: u64, mover: u8) -> PlaceBits<WORDS> {
        let side = &self.sides[usize::from(mover % 2)];
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
    type Places = PlaceBits<WORDS>;

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
            mover: 0,
        }
    }

    #[inline]
    fn mover(&self, position: &KolibratState) -> usize {
        usize::from(position.mover & 1)
    }

    #[inline(always)]
    fn places(&self, position: &KolibratState) -> PlaceBits<WORDS> {
        self.places_of(position.own, position.enemy, position.mover)
    }

    #[inline(always)]
    fn step(&self, position: &KolibratState, place: u32) -> KolibratMove {
        let mover = self.mover(position);
        let side = &self.sides[mover];
        let step = self.steps[mover][place as usize];
        if step.kind != Kind::Jump {
            return step;
        }
        let mut from = u32::from(step.to);
        loop {
            from = from.wrapping_sub(side.ahead) % 64;
            if position.enemy >> from & 1 == 0 {
                return KolibratMove {
                    from: from as u8,
                    ..step
                };
            }
        }
    }

    #[inline(always)]
    fn is_over(&self, position: &KolibratState, places: &PlaceBits<WORDS>) -> bool {
        let (own, enemy) = (position.own_score, position.enemy_score);
        own == self.winning_score || enemy == self.winning_score || places.0 == [0; WORDS]
    }

    #[inline(always)]
    fn play(
        &self,
        position: &KolibratState,
        step: KolibratMove,
    ) -> (KolibratState, PlaceBits<WORDS>) {
        let (from, to) = (1 << (step.from % 64), 1 << (step.to % 64));
        // Inserting and removing start where they end, so that the same flip does it.
        let own = position.own ^ (from | to);
        let enemy = position.enemy & !to;
        let own_score = position.own_score + u8::from(step.kind == Kind::Remove);
        let answers = self.places_of(enemy, own, 1 - position.mover);
        if answers.0 == [0; WORDS] {
            let next = KolibratState {
                own,
                enemy,
                own_score,
                ..*position
            };
            return (next, self.places(&next));
        }
        let next = KolibratState {
            own: enemy,
            enemy: own,
            own_score: position.enemy_score,
            enemy_score: own_score,
            mover: 1 - position.mover,
        };
        (next, answers)
    }

    fn wins(&self, position: &KolibratState, places: &PlaceBits<WORDS>) -> [bool; 2] {
        let enough = position.scores().map(|score| score == self.winning_score);
        let blocked = enough == [false; 2] && self.is_over(position, places);
        let waiting = 1 - self.mover(position);
        [0, 1].map(|player| enough[player] || blocked && player == waiting)
    }

    fn evaluations(&self) -> &'static [&'static str] {
        EVALUATIONS
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, KolibratState>> {
        let weighed = Weighed::named(name)?;
        Some(Box::new(move |position, role| {
            weighed.value(self, position, role.0)
        }))
    }

    fn step_text(&self, step: KolibratMove) -> String {
        let [from, to] = [step.from, step.to].map(|square| self.grid.name(u32::from(square)));
        match step.kind {
            Kind::Insert => format!("(insert {to})"),
            Kind::Move => format!("(move {from} {to})"),
            Kind::Attack => format!("(attack {from} {to})"),
            Kind::Jump => format!("(jump {from} {to})"),
            Kind::Remove => format!("(remove {to})"),
            Kind::Noop => "noop".to_owned(),
        }
    }

    fn mark(&self, position: &KolibratState, facts: &mut [u64]) {
        let [red, black] = seen_by(position.mover, [position.own, position.enemy]);
        let blank = self.grid.board & !(red | black);
        facts[..4].copy_from_slice(&[red, black, blank, 1 << position.mover]);
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
        let mover = facts.take_control(Self::ROLES)?;
        let [own, enemy] = seen_by(mover, self.grid.read(facts, Self::ROLES)?);
        let [own_score, enemy_score] = seen_by(mover, [red, black]);
        Ok(KolibratState {
            own,
            enemy,
            own_score,
            enemy_score,
            mover,
        })
    }
}

/// Where jumps end. `attack` are the first enemies ahead of own pieces; a jump goes on over enemies until there is an
/// empty square.
#[inline(always)]
fn landings(side: &Forward, attack: u64, enemy: u64, empty: u64) -> u64 {
    let (mut landings, mut over) = (0, attack);
    loop {
        // Two at a time: enough for the standard board, where a guess at every step would cost more.
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
