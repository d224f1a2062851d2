//! Whether what one of two roles wins, the other loses.

use crate::game::{Ends, Engine, RolloutOptions, is_chance};
use crate::search::limits::SearchClock;

/// Random games that tell whether two roles share 100 points.
const SAMPLED_ENDS: usize = 40;

/// Whether the goals of the two roles of a game always add up to 100, as far as some random games tell. Ends at which a role has no goal tell nothing:
/// [searches](crate::search::end_goal) assume that they add up there.
pub(super) fn shares_points<G: Engine>(game: &G, clock: &SearchClock) -> bool {
    if game.roles().len() != 2 || game.roles().iter().any(|role| is_chance(role)) {
        return false;
    }
    let starts = vec![game.initial(); SAMPLED_ENDS];
    let (mut scratch, mut ends, mut scored) = (game.scratch(), Ends::default(), 0);
    // As many as the engine plays side by side: one game takes lanes as long as all do.
    for (seed, starts) in (0..).zip(starts.chunks(game.lanes().max(1))) {
        let options = RolloutOptions {
            seed,
            each: 1,
            max_plies: 1000,
            tracked: &[],
            deadline: &clock.deadline,
        };
        if game
            .rollouts(&mut scratch, starts, options, &mut ends)
            .is_err()
        {
            break;
        }
        for number in 0..starts.len() {
            match [0, 1].map(|role| ends.goals(number, role)) {
                [(_, 0), _] | [_, (_, 0)] => {}
                [(own, 1), (others, 1)] if own + others == 100 => scored += 1,
                _ => return false,
            }
        }
    }
    scored > 0
}
