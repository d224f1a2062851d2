//! Proved symmetries that form a group, by which one state stands for all that are the same but for them.

use std::collections::BTreeSet;
use std::sync::Arc;

use indexmap::IndexSet;
use sha2::{Digest, Sha256};

use super::FactPermutation;
use super::candidates::candidates;
use super::moves::move_images;
use super::proof::SymmetryProver;
use crate::catalog::GameSource;
use crate::datalog::EvaluationLimits;
use crate::datalog::TermId;
use crate::engine::{AnyEngine, Bits, EngineChoice, LoadOptions, LoadReport, Propnet, load_rules};
use crate::game::{GameFacts, StateMachine};
use crate::gdl::Rules;
use crate::ground::{Ground, ground};
use crate::invariants::symmetries;
use crate::util::{Alarm, Deadline};

/// So many symmetries are used; to look at all of a larger group takes longer than it saves.
const MOST_USED: usize = 1 << 10;

/// Proved symmetries of a game that form a group.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SymmetryGroup {
    /// All but the identity.
    others: Vec<FactPermutation>,
    /// Some that make all others.
    generators: Vec<FactPermutation>,
    found: u128,
}

/// Working memory to find the state that stands for others.
#[derive(Debug, Default)]
pub(crate) struct OrbitScratch {
    image: Vec<u64>,
    least: Vec<u64>,
}

impl SymmetryGroup {
    /// The symmetries of the game with these rules that keep its roles, as far as they are found until `deadline`, for facts by these
    /// numbers; nothing where the rules make no network of them.
    pub fn of_rules(
        source: &GameSource,
        rules: &Arc<Rules>,
        facts: &GameFacts,
        deadline: &Deadline,
    ) -> Option<Self> {
        let alarm = Alarm::at(deadline);
        let options = LoadOptions {
            self_check: false,
            stop: alarm.flag().clone(),
            ..EngineChoice::Propnet.into()
        };
        let report = LoadReport::default();
        let loaded = load_rules(source, Arc::clone(rules), None, &options, report);
        let (AnyEngine::Propnet(game), _) = loaded.ok()? else {
            return None;
        };
        (game.game_facts()?.facts == facts.facts).then_some(())?;
        let limits = EvaluationLimits {
            stop: options.stop,
            ..EvaluationLimits::default()
        };
        let ground = ground(rules, &limits).ok()?;
        Some(Self::of_game(&game, &ground, false, deadline))
    }

    /// The symmetries of `game`, whose ground rules are `ground`; with those that exchange its two roles if `with_roles`.
    pub fn of_game(game: &Propnet, ground: &Ground, with_roles: bool, deadline: &Deadline) -> Self {
        let mut builder = GroupBuilder::default();
        let of_rules = symmetries(ground, deadline);
        for moved in &of_rules.generators {
            if let Some(symmetry) = of_terms(game, ground, moved) {
                builder.add(symmetry);
            }
        }
        let may_swap = with_roles && game.roles().len() == 2;
        let mut prover = SymmetryProver::new(game, ground, deadline);
        for symmetry in candidates(game, may_swap, deadline) {
            if let Some(prover) = &mut prover
                && !builder.has(&symmetry)
                && is_proved(game, prover, &symmetry, deadline)
            {
                builder.add(symmetry);
            }
        }
        builder.group(of_rules.count)
    }

    /// The group that these make; nothing if they are not of one length, or make too many.
    pub(crate) fn of_generators(generators: Vec<FactPermutation>) -> Option<Self> {
        let mut builder = GroupBuilder::default();
        for symmetry in generators {
            let known = builder.elements.first().map(FactPermutation::len);
            (known.is_none_or(|len| len == symmetry.len()) && builder.add(symmetry))
                .then_some(())?;
        }
        Some(builder.group(1))
    }

    /// How many symmetries were found, the identity included; as many as a number holds where there are more.
    pub fn count(&self) -> u128 {
        self.found
    }

    /// How many of them are used, the identity included.
    pub fn used(&self) -> usize {
        1 + self.others.len()
    }

    /// Whether some exchange the roles.
    pub fn swaps_roles(&self) -> bool {
        self.others.iter().any(FactPermutation::swaps_roles)
    }

    /// Tells groups apart by the states that stand for others; nothing if each stands for itself.
    pub(crate) fn digest(&self) -> Option<String> {
        let others: BTreeSet<(&[u32], bool)> = self
            .others
            .iter()
            .map(|symmetry| (symmetry.images(), symmetry.swaps_roles()))
            .collect();
        if others.is_empty() {
            return None;
        }
        let mut hash = Sha256::new();
        for (images, swaps_roles) in others {
            images.iter().for_each(|of| hash.update(of.to_le_bytes()));
            hash.update([u8::from(swaps_roles)]);
        }
        let bytes = hash.finalize();
        Some(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// Some that make all others.
    pub(crate) fn generators(&self) -> &[FactPermutation] {
        &self.generators
    }

    /// All states that symmetries make of this one, itself included.
    pub(crate) fn images(&self, state: &Bits) -> Vec<Bits> {
        let others = self.others.iter().map(|symmetry| symmetry.image(state));
        let images: IndexSet<Bits> = std::iter::once(state.clone()).chain(others).collect();
        images.into_iter().collect()
    }

    /// Replaces a packed state by the one that stands for it.
    pub(crate) fn make_canonical(&self, state: &mut [u64], scratch: &mut OrbitScratch) {
        let OrbitScratch { image, least } = scratch;
        least.clear();
        least.extend_from_slice(state);
        for symmetry in &self.others {
            symmetry.apply(state, image);
            if *image < *least {
                std::mem::swap(image, least);
            }
        }
        state.copy_from_slice(least);
    }

    /// The state that stands for this one.
    pub(crate) fn canonical(&self, state: &Bits) -> Bits {
        let mut state = state.clone();
        self.make_canonical(state.words_mut(), &mut OrbitScratch::default());
        state
    }

    /// How many states there are that symmetries make of a packed one, itself included.
    pub(crate) fn orbit(&self, state: &[u64], scratch: &mut OrbitScratch) -> u64 {
        let mut stays = 1;
        for symmetry in &self.others {
            symmetry.apply(state, &mut scratch.image);
            stays += u64::from(*scratch.image == *state);
        }
        // The order of a group is that of a stabiliser times the length of the orbit.
        self.used() as u64 / stays
    }
}

/// A symmetry of the rules, by the numbers of facts.
fn of_terms(
    game: &Propnet,
    ground: &Ground,
    moved: &[(TermId, TermId)],
) -> Option<FactPermutation> {
    let facts = &game.game_facts()?.facts;
    let mut images: Vec<u32> = (0..facts.len() as u32).collect();
    let number = |term: TermId| facts.binary_search(&ground.terms.text(term)).ok();
    for (fact, becomes) in moved {
        images[number(*fact)?] = number(*becomes)? as u32;
    }
    FactPermutation::new(images, false)
}

/// Whether a permutation is a symmetry of all that can happen in the game.
fn is_proved(
    game: &Propnet,
    prover: &mut SymmetryProver<'_>,
    symmetry: &FactPermutation,
    deadline: &Deadline,
) -> bool {
    // Images of states are such as can be reached; where roles are exchanged, such as the engine takes for that.
    let keeps_states = match symmetry.swaps_roles() {
        true => keeps_invariants(game, symmetry),
        false => symmetry.image(&game.initial()) == game.initial(),
    };
    keeps_states
        && move_images(game, symmetry, deadline)
            .is_some_and(|moves| prover.proves(symmetry, &moves))
}

/// Whether the invariants on which the engine relies hold in the images of states in which they hold.
fn keeps_invariants(game: &Propnet, symmetry: &FactPermutation) -> bool {
    let image = |facts: &[usize]| -> BTreeSet<usize> {
        let images = facts.iter().map(|fact| symmetry.images()[*fact] as usize);
        images.collect()
    };
    let groups = game.mutex_groups().iter();
    let known: BTreeSet<(BTreeSet<usize>, bool)> = groups
        .map(|(facts, exactly_one)| (facts.iter().copied().collect(), *exactly_one))
        .collect();
    let always: BTreeSet<usize> = game.static_facts().iter().copied().collect();
    image(game.static_facts()) == always
        && game
            .mutex_groups()
            .iter()
            .all(|(facts, exactly_one)| known.contains(&(image(facts), *exactly_one)))
}

/// Makes a group of symmetries.
#[derive(Debug, Default)]
struct GroupBuilder {
    generators: Vec<FactPermutation>,
    /// All that they make, the identity among them once there is a generator.
    elements: IndexSet<FactPermutation>,
}

impl GroupBuilder {
    fn has(&self, symmetry: &FactPermutation) -> bool {
        self.elements.contains(symmetry)
    }

    /// Adds a symmetry with all that it makes with the others, unless they are too many. Says whether they are in the group.
    fn add(&mut self, symmetry: FactPermutation) -> bool {
        if self.has(&symmetry) {
            return true;
        }
        let generators = self.generators.iter().cloned().chain([symmetry]);
        let generators: Vec<FactPermutation> = generators.collect();
        let Some(elements) = closure(&generators) else {
            return false;
        };
        self.generators = generators;
        self.elements = elements;
        true
    }

    /// The group; at least so many symmetries are known.
    fn group(self, known: u128) -> SymmetryGroup {
        let is_identity = |one: &FactPermutation| one.pairs().all(|(fact, image)| fact == image);
        let others = self.elements.into_iter();
        let others: Vec<FactPermutation> = others.filter(|one| !is_identity(one)).collect();
        let used = 1 + others.len() as u128;
        SymmetryGroup {
            others,
            generators: self.generators,
            found: used.max(known),
        }
    }
}

/// All products of these.
fn closure(generators: &[FactPermutation]) -> Option<IndexSet<FactPermutation>> {
    let mut elements: IndexSet<FactPermutation> = generators.iter().cloned().collect();
    let mut next = 0;
    while let Some(element) = elements.get_index(next).cloned() {
        next += 1;
        for generator in generators {
            elements.insert(element.then(generator)?);
        }
        (elements.len() <= MOST_USED).then_some(())?;
    }
    Some(elements)
}
