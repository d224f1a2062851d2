//! Which moves correspond under a symmetry of the facts, as random games show.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::FactPermutation;
use crate::engine::{Bits, Propnet, Workspace};
use crate::game::{Role, StateMachine, legal_of_all, random_joint_move};
use crate::util::Deadline;

/// About so many plies of random games are looked at: the fewest, and the most where moves are not yet told apart.
const LEAST_PLIES: usize = 400;
const MOST_PLIES: usize = 20_000;

/// What each move becomes if the facts become others; nothing where that does not show. It is not proved.
pub(super) fn move_images(
    game: &Propnet,
    facts: &FactPermutation,
    deadline: &Deadline,
) -> Option<Vec<u32>> {
    let mut found = MoveMatching::new(game, facts);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut scratch = game.scratch();
    let mut legal = Vec::new();
    let mut plies = 0;
    while plies < LEAST_PLIES || plies < MOST_PLIES && !found.is_clear() {
        let mut state = game.initial();
        loop {
            plies += 1;
            if plies > MOST_PLIES || deadline.is_due() {
                return found.images();
            }
            if game.is_terminal(&mut scratch, &state) {
                break;
            }
            legal_of_all(game, &mut scratch, &state, &mut legal);
            let Some(joint) = random_joint_move(&legal, &mut rng) else {
                break;
            };
            found.look(&mut scratch, &state, &legal)?;
            state = game.next(&mut scratch, &state, &joint);
        }
    }
    found.images()
}

/// What is known of the images of moves.
struct MoveMatching<'m> {
    game: &'m Propnet,
    facts: &'m FactPermutation,
    /// Per move, what it may become; nothing as long as it was not legal.
    candidates: Vec<Option<Vec<u32>>>,
}

impl<'m> MoveMatching<'m> {
    fn new(game: &'m Propnet, facts: &'m FactPermutation) -> Self {
        Self {
            game,
            facts,
            candidates: vec![None; game.report().moves],
        }
    }

    /// Whether every move has a single candidate.
    fn is_clear(&self) -> bool {
        let is_single = |of: &Option<Vec<u32>>| of.as_ref().is_some_and(|of| of.len() == 1);
        self.candidates.iter().all(is_single)
    }

    /// Learns from a state in which these moves are legal; nothing where that shows that there is no symmetry.
    fn look(&mut self, scratch: &mut Workspace, state: &Bits, legal: &[Vec<u32>]) -> Option<()> {
        let image = self.facts.image(state);
        let mut of_image = Vec::new();
        legal_of_all(self.game, scratch, &image, &mut of_image);
        let choosing = legal.iter().filter(|moves| moves.len() > 1).count();
        for (role, moves) in legal.iter().enumerate() {
            let others = &of_image[self.facts.role(Role(role)).0];
            if moves.len() != others.len() {
                return None;
            }
            for mv in moves {
                self.narrow(*mv, others)?;
            }
            if choosing == 1 && moves.len() > 1 {
                self.look_ahead(scratch, (state, legal), (&image, &of_image), role)?;
            }
        }
        Some(())
    }

    /// The same by what follows the moves of `role`, which alone has a choice.
    fn look_ahead(
        &mut self,
        scratch: &mut Workspace,
        (state, legal): (&Bits, &[Vec<u32>]),
        (image, of_image): (&Bits, &[Vec<u32>]),
        role: usize,
    ) -> Option<()> {
        let game = self.game;
        let mut after = |state: &Bits, legal: &[Vec<u32>], role: usize, mv: u32| {
            let mut joint: Vec<u32> = legal.iter().map(|moves| moves[0]).collect();
            joint[role] = mv;
            game.next(scratch, state, &joint)
        };
        let other = self.facts.role(Role(role)).0;
        let others = of_image[other].iter();
        let others: Vec<(u32, Bits)> = others
            .map(|mv| (*mv, after(image, of_image, other, *mv)))
            .collect();
        for mv in &legal[role] {
            let wanted = self.facts.image(&after(state, legal, role, *mv));
            let alike = others.iter().filter(|(_, after)| *after == wanted);
            let alike: Vec<u32> = alike.map(|(mv, _)| *mv).collect();
            self.narrow(*mv, &alike)?;
        }
        Some(())
    }

    /// A move becomes one of these.
    fn narrow(&mut self, mv: u32, images: &[u32]) -> Option<()> {
        let candidates = self.candidates[mv as usize].get_or_insert_with(|| images.to_vec());
        candidates.retain(|one| images.contains(one));
        (!candidates.is_empty()).then_some(())
    }

    /// A different image for each move. Moves that were never legal become such moves, in their order: mostly these are few.
    fn images(self) -> Option<Vec<u32>> {
        let moves = self.candidates.len();
        let seen = self.candidates.iter().zip(0_u32..);
        let seen = seen.filter_map(|(of, mv)| Some((mv, of.as_ref()?)));
        let mut seen: Vec<(u32, &Vec<u32>)> = seen.collect();
        seen.sort_by_key(|(_, of)| of.len());
        let mut images: Vec<Option<u32>> = vec![None; moves];
        let mut is_taken = vec![false; moves];
        for (mv, of) in seen {
            let free = of.iter().find(|one| !is_taken[**one as usize])?;
            is_taken[*free as usize] = true;
            images[mv as usize] = Some(*free);
        }
        let mut left = (0..moves as u32).filter(|mv| !is_taken[*mv as usize]);
        images
            .into_iter()
            .map(|image| image.or_else(|| left.next()))
            .collect()
    }
}
