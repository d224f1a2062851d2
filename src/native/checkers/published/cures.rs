//! Jitter: pieces that shuttle to and fro until the game is drawn, and what the report proposes against it.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::player::SearchTask;
use super::seen::numbered;
use super::{PublishedEvaluation, ef2, ef3};
use crate::native::bits::squares;
use crate::native::checkers::{Checkers, CheckersState, CheckersTurn, NO_CHAIN};

/// What is done against jitter. The report proposes these and builds none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JitterCure {
    /// Nothing.
    None,
    /// Memory of pieces: a king counts by the enemy's table of men, which draws it home, until it has visited its home row;
    /// from then on by its own.
    Home,
    /// Memory of the last positions: no turn leads to one of them while there is another.
    Repetition,
    /// Once the player jitters, a turn drawn at random.
    Turn,
    /// Once the player jitters, a random number is added to each value.
    Score,
}

impl JitterCure {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::None,
        Self::Home,
        Self::Repetition,
        Self::Turn,
        Self::Score,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Home => "home",
            Self::Repetition => "repetition",
            Self::Turn => "turn",
            Self::Score => "score",
        }
    }

    /// Whether it draws from chance.
    pub fn is_random(self) -> bool {
        matches!(self, Self::Turn | Self::Score)
    }
}

/// Whether the last four turns of the player in control moved a piece to and fro: its pieces stand as they did two and four turns
/// ago, and one turn ago as they did three turns ago.
pub(super) fn is_shuttling(past: &[CheckersState], position: &CheckersState) -> bool {
    let pieces = |position: &CheckersState| (position.own, position.own & position.kings);
    let mut before = past
        .iter()
        .rev()
        .filter(|before| begins_turn_of(before, position));
    let mut before = || before.next().map(pieces);
    let [one, two, three, four] = std::array::from_fn(|_| before());
    let now = Some(pieces(position));
    now == two && now == four && one == three && one != now
}

fn begins_turn_of(before: &CheckersState, position: &CheckersState) -> bool {
    before.control == position.control && before.chain == NO_CHAIN
}

/// As many positions after own turns are remembered.
const REMEMBERED: usize = 16;

/// The turns that lead to none of the last positions, or all where every turn does.
pub(super) fn without_repetitions(
    turns: Vec<CheckersTurn>,
    past: &[CheckersState],
) -> Vec<CheckersTurn> {
    let is_same = |one: &CheckersState, other: &CheckersState| {
        let pieces = |position: &CheckersState| (position.own, position.enemy, position.kings);
        pieces(one) == pieces(other)
    };
    let is_new = |turn: &&CheckersTurn| {
        let left = past
            .iter()
            .rev()
            .filter(|before| begins_turn_of(before, &turn.after));
        !left
            .take(REMEMBERED)
            .any(|before| is_same(before, &turn.after))
    };
    match turns.iter().filter(is_new).cloned().collect::<Vec<_>>() {
        new if new.is_empty() => turns,
        new => new,
    }
}

/// The kings of the player in control that have visited their home row since they were crowned.
pub(super) fn returned_kings(task: &SearchTask<'_>) -> u32 {
    let positions = task.past.iter().chain([task.position]);
    let mut returned = 0;
    for (before, after) in task.past.iter().zip(positions.skip(1)) {
        if before.control == task.position.control {
            returned = returned_after(task.rules, returned, before, after);
        }
    }
    returned & task.position.own & task.position.kings
}

/// The same after one more turn of the player, who was in control `before`.
pub(super) fn returned_after(
    rules: &Checkers,
    returned: u32,
    before: &CheckersState,
    after: &CheckersState,
) -> u32 {
    let own = match after.control == before.control {
        true => after.own,
        false => after.enemy,
    };
    let (left, arrived) = (before.own & !own, own & !before.own & after.kings);
    let was_king = before.kings & left != 0;
    let home = rules.board.last_ranks[1 - before.in_control()];
    let kept = returned & before.own & before.kings & !left;
    let goes_on = returned & left != 0 || (was_king && arrived & home != 0);
    kept | if goes_on { arrived } else { 0 }
}

/// What the kings of the searching player are worth where they stand: by the enemy's table of men until they are back, then by
/// their own. EF-1 has no table, and takes that of EF-2.
pub(super) fn homing(
    evaluation: PublishedEvaluation,
    kings: u32,
    returned: u32,
    is_red: bool,
) -> i32 {
    let (table, weight) = match evaluation {
        PublishedEvaluation::Constant | PublishedEvaluation::ThreeV0 => return 0,
        PublishedEvaluation::One | PublishedEvaluation::Two => (&ef2::MEN, 10),
        _ => (&ef3::MEN, 2),
    };
    let on = |kings: u32, as_red: bool| -> i32 {
        let places = squares(numbered(kings)).map(|square| match as_red {
            true => square as usize - 1,
            false => 32 - square as usize,
        });
        places.map(|place| table[place]).sum()
    };
    weight * (on(kings & !returned, !is_red) + on(kings & returned, is_red))
}

/// A random number, always the same for the same position and the same luck: at most half of what a man is worth.
pub(super) fn random_score(
    evaluation: PublishedEvaluation,
    position: &CheckersState,
    luck: u64,
) -> i32 {
    let most = match evaluation {
        PublishedEvaluation::Constant | PublishedEvaluation::ThreeV0 => return 0,
        PublishedEvaluation::One => 20,
        PublishedEvaluation::Two => 280,
        _ => 100,
    };
    let pieces = u64::from(position.own) | u64::from(position.enemy) << 32;
    let kings = u64::from(position.kings).rotate_left(17) ^ u64::from(position.control);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(luck ^ pieces ^ kings);
    rng.random_range(-most..=most)
}
