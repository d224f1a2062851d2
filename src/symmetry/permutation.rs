//! What facts become.

use crate::engine::Bits;
use crate::game::Role;

/// What each fact becomes, and whether the two roles of the game are exchanged with that.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct FactPermutation {
    images: Vec<u32>,
    /// The facts that stay as they are, as words of a packed state.
    fixed: Vec<u64>,
    swaps_roles: bool,
}

impl FactPermutation {
    /// Nothing where two facts become the same.
    pub(crate) fn new(images: Vec<u32>, swaps_roles: bool) -> Option<Self> {
        let mut seen = vec![false; images.len()];
        for image in &images {
            let seen = seen.get_mut(*image as usize)?;
            (!std::mem::replace(seen, true)).then_some(())?;
        }
        let mut fixed = vec![0; images.len().div_ceil(64)];
        for (fact, image) in images.iter().enumerate() {
            if fact == *image as usize {
                fixed[fact / 64] |= 1 << (fact % 64);
            }
        }
        Some(Self {
            images,
            fixed,
            swaps_roles,
        })
    }

    pub(crate) fn images(&self) -> &[u32] {
        &self.images
    }

    pub(crate) fn swaps_roles(&self) -> bool {
        self.swaps_roles
    }

    /// How many facts there are.
    pub(super) fn len(&self) -> usize {
        self.images.len()
    }

    /// Each fact with what it becomes.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let images = self.images.iter().map(|image| *image as usize);
        images.enumerate()
    }

    /// What a role becomes.
    pub(super) fn role(&self, role: Role) -> Role {
        match self.swaps_roles {
            true => Role(1 - role.0),
            false => role,
        }
    }

    /// This, and then another one.
    pub(super) fn then(&self, other: &Self) -> Option<Self> {
        let images = self.images.iter();
        let images = images.map(|image| other.images[*image as usize]);
        Self::new(images.collect(), self.swaps_roles != other.swaps_roles)
    }

    /// Replaces the contents of `image` by what a packed state becomes.
    pub(super) fn apply(&self, state: &[u64], image: &mut Vec<u64>) {
        image.clear();
        image.extend(
            state
                .iter()
                .zip(&self.fixed)
                .map(|(word, fixed)| word & fixed),
        );
        for (place, (word, fixed)) in state.iter().zip(&self.fixed).enumerate() {
            let mut left = word & !fixed;
            while left != 0 {
                let fact = 64 * place + left.trailing_zeros() as usize;
                let becomes = self.images[fact] as usize;
                image[becomes / 64] |= 1 << (becomes % 64);
                left &= left - 1;
            }
        }
    }

    /// What a state becomes.
    pub(super) fn image(&self, state: &Bits) -> Bits {
        let mut image = Vec::new();
        self.apply(state.words(), &mut image);
        Bits::from_words(&image)
    }
}
