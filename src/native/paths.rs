//! Counting paths, the last ply in bulk.

use pulp::{Arch, NullaryFnOnce};

use crate::native::move_set::MoveSet;
use crate::native::rules::NativeRules;

/// The number of plies counted in one call of code compiled for the processor at hand. Dispatch to that code takes time,
/// and the call cannot be interrupted.
pub(super) const AT_ONCE: u32 = 3;
/// The same for turns, where the rules have a way of their own to count them.
pub(super) const TURNS_AT_ONCE: u32 = 5;

/// The number of paths of `depth` plies from `position`, whose moves are `moves`.
pub(super) fn from<R: NativeRules>(
    rules: &R,
    position: R::State,
    moves: R::Moves,
    depth: u32,
) -> u64 {
    if depth == 0 || rules.is_over(&position, &moves) {
        return 0;
    }
    walk(rules, position, moves, depth)
}

/// As [`from`], for positions that are not terminal.
fn walk<R: NativeRules>(rules: &R, position: R::State, moves: R::Moves, depth: u32) -> u64 {
    if depth > AT_ONCE {
        return children(rules, &position, moves, |next, below| {
            walk(rules, next, below, depth - 1)
        });
    }
    Arch::new().dispatch(Last {
        rules,
        position,
        moves,
        depth,
    })
}

/// The last plies, at most [`AT_ONCE`].
struct Last<'r, R: NativeRules> {
    rules: &'r R,
    position: R::State,
    moves: R::Moves,
    depth: u32,
}

impl<R: NativeRules> NullaryFnOnce for Last<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self {
            rules,
            position,
            moves,
            depth,
        } = self;
        match depth {
            1 => u64::from(moves.count()),
            2 => two_plies(rules, position, moves),
            _ => children(
                rules,
                &position,
                moves,
                #[inline(always)]
                |next, below| two_plies(rules, next, below),
            ),
        }
    }
}

#[inline(always)]
fn two_plies<R: NativeRules>(rules: &R, position: R::State, moves: R::Moves) -> u64 {
    children(
        rules,
        &position,
        moves,
        #[inline(always)]
        |_, below| u64::from(below.count()),
    )
}

/// The sum of `paths` over all children that are not terminal.
#[inline(always)]
fn children<R: NativeRules>(
    rules: &R,
    position: &R::State,
    mut moves: R::Moves,
    paths: impl Fn(R::State, R::Moves) -> u64,
) -> u64 {
    let mut sum = 0;
    while let Some(index) = moves.pop() {
        let (next, below) = rules.play(position, rules.move_at(position, index));
        if !rules.is_over(&next, &below) {
            sum += paths(next, below);
        }
    }
    sum
}
