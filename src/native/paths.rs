//! Counting paths, the last ply in bulk.

use pulp::{Arch, NullaryFnOnce};

use crate::native::places::PlaceSet;
use crate::native::rules::NativeRules;

/// So many plies are counted in one go, by code made for the processor at hand. Choosing that code takes a moment, and
/// nobody can interrupt it.
pub(super) const AT_ONCE: u32 = 3;
/// The same for turns, where the rules have a way of their own to count them.
pub(super) const TURNS_AT_ONCE: u32 = 5;

/// The number of paths of `depth` plies from `position`, whose places these are.
pub(super) fn from<R: NativeRules>(
    rules: &R,
    position: R::State,
    places: R::Places,
    depth: u32,
) -> u64 {
    if depth == 0 || rules.is_over(&position, &places) {
        return 0;
    }
    walk(rules, position, places, depth)
}

/// As [`from`], where the game goes on.
fn walk<R: NativeRules>(rules: &R, position: R::State, places: R::Places, depth: u32) -> u64 {
    if depth > AT_ONCE {
        return children(rules, &position, places, |next, below| {
            walk(rules, next, below, depth - 1)
        });
    }
    Arch::new().dispatch(Last {
        rules,
        position,
        places,
        depth,
    })
}

/// The last plies, at most [`AT_ONCE`].
struct Last<'r, R: NativeRules> {
    rules: &'r R,
    position: R::State,
    places: R::Places,
    depth: u32,
}

impl<R: NativeRules> NullaryFnOnce for Last<'_, R> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let Self {
            rules,
            position,
            places,
            depth,
        } = self;
        match depth {
            1 => u64::from(places.count()),
            2 => two_plies(rules, position, places),
            _ => children(
                rules,
                &position,
                places,
                #[inline(always)]
                |next, below| two_plies(rules, next, below),
            ),
        }
    }
}

#[inline(always)]
fn two_plies<R: NativeRules>(rules: &R, position: R::State, places: R::Places) -> u64 {
    children(
        rules,
        &position,
        places,
        #[inline(always)]
        |_, below| u64::from(below.count()),
    )
}

/// The sum of `paths` over all children that are not the end.
#[inline(always)]
fn children<R: NativeRules>(
    rules: &R,
    position: &R::State,
    mut places: R::Places,
    paths: impl Fn(R::State, R::Places) -> u64,
) -> u64 {
    let mut sum = 0;
    while let Some(place) = places.pop() {
        let (next, below) = rules.play(position, rules.step(position, place));
        if !rules.is_over(&next, &below) {
            sum += paths(next, below);
        }
    }
    sum
}
