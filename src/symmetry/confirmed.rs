//! Symmetries that random games confirm. For learning, that will do: one that was taken in error would cost strength and nothing
//! else. Who needs more has them proved ([`SymmetryGroup`](super::SymmetryGroup)).

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::exchanges::exchanges;
use crate::game::{Engine, GameFacts, Role, held_facts, legal_of_all, random_joint_move};
use crate::util::Deadline;

/// What each fact becomes, and whether two roles are exchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FactSymmetry {
    pub(crate) image: Vec<u32>,
    pub(crate) swaps_roles: bool,
}

impl FactSymmetry {
    /// Whether the image of each image is the fact itself.
    pub(crate) fn is_involution(&self) -> bool {
        let mut facts = (0..).zip(&self.image);
        facts.all(|(fact, &image)| self.image[image as usize] == fact)
    }

    /// The image of a state.
    pub(crate) fn apply(&self, words: &[u64]) -> Vec<u64> {
        let mut image = vec![0; words.len()];
        for fact in held_facts(words) {
            let becomes = self.image[fact] as usize;
            image[becomes / 64] |= 1 << (becomes % 64);
        }
        image
    }
}

/// States in which candidates are tried out, and about how many plies of random games they come from.
const STATES: usize = 120;
const PLIES: usize = 600;
/// The symmetries of a game that random games confirm, the identity left out. Roles are exchanged only where that `may_swap`.
pub(crate) fn fact_symmetries<G: Engine>(
    game: &G,
    may_swap: bool,
    deadline: &Deadline,
) -> Vec<FactSymmetry> {
    let Some(game_facts) = game.game_facts() else {
        return Vec::new();
    };
    let mut found = exchanges(game_facts, game.roles(), may_swap);
    let mut scratch = game.scratch();
    for state in sampled_states(game, &mut scratch, deadline) {
        if deadline.is_due() {
            return Vec::new();
        }
        found.retain(|symmetry| keeps(game, game_facts, &mut scratch, &state, symmetry));
    }
    found
}

/// The last states of random games, and others evenly spread.
fn sampled_states<G: Engine>(
    game: &G,
    scratch: &mut G::Scratch,
    deadline: &Deadline,
) -> Vec<G::State> {
    let (mut states, mut ends) = (Vec::new(), Vec::new());
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut legal = Vec::new();
    while states.len() < PLIES && !deadline.is_due() {
        let mut state = game.initial();
        states.push(state.clone());
        while states.len() < 2 * PLIES && !game.is_terminal(scratch, &state) && !deadline.is_due() {
            legal_of_all(game, scratch, &state, &mut legal);
            let sort = |moves: &mut Vec<G::Move>| {
                moves.sort_by_cached_key(|&mv| game.move_text(mv));
            };
            legal.iter_mut().for_each(sort);
            let Some(joint) = random_joint_move(&legal, &mut rng) else {
                break;
            };
            state = game.next(scratch, &state, &joint);
            states.push(state.clone());
        }
        ends.push(state);
    }
    let step = states.len().div_ceil(STATES).max(1);
    ends.truncate(STATES);
    ends.extend(states.into_iter().step_by(step));
    ends
}

/// Whether moves, end and goals of a state are those of its image.
fn keeps<G: Engine>(
    game: &G,
    game_facts: &GameFacts,
    scratch: &mut G::Scratch,
    state: &G::State,
    symmetry: &FactSymmetry,
) -> bool {
    let becomes = |fact: &String| {
        let number = game_facts.number(fact)?;
        Some(game_facts.facts[symmetry.image[number] as usize].clone())
    };
    let facts: Option<Vec<String>> = game.state_text(state).iter().map(becomes).collect();
    let Some(image) = facts.and_then(|facts| game.state_from_text(&facts).ok()) else {
        return false;
    };
    let is_over = game.is_terminal(scratch, state);
    if is_over != game.is_terminal(scratch, &image) {
        return false;
    }
    let (mut of_state, mut of_image) = (Vec::new(), Vec::new());
    (0..game.roles().len()).all(|role| {
        let other = if symmetry.swaps_roles { 1 - role } else { role };
        if is_over {
            return game.goal(scratch, state, Role(role))
                == game.goal(scratch, &image, Role(other));
        }
        game.legal(scratch, state, Role(role), &mut of_state);
        game.legal(scratch, &image, Role(other), &mut of_image);
        of_state.len() == of_image.len()
    })
}
