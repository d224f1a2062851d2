//! States ply by ply, as decision diagrams.

use std::cell::Cell;

use num_bigint::BigUint;
use oxidd::util::{AllocResult, SatCountCache};
use oxidd::{BooleanFunction, Manager, ManagerRef};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::evaluate::{SignalDiagrams, conjuncts, fluents_of};
use super::moves::MoveRelation;
use super::variables::{Bdd, StateVariables};
use super::{CountEnd, SymbolicCounts, SymbolicError, SymbolicOptions};
use crate::propnet::Network;

/// Conditions for the game to go on are joined until their diagram has more nodes than this.
const LARGE: usize = 20_000;
/// Counts of states with fewer variables than this fit 128 bits.
const SHORT: u32 = 120;

/// What the states of a ply are made of.
pub(super) struct Layers<'s> {
    pub(super) variables: &'s StateVariables,
    pub(super) moves: Vec<MoveRelation>,
    /// All of them hold where the game goes on; with each, the fluents that it looks at.
    goes_on: Vec<(Bdd, Vec<usize>)>,
    /// The conditions that moves which change the same fluents may end, joined.
    joined: FxHashMap<Vec<usize>, Vec<Bdd>>,
    /// So many nodes there may be before those that nothing needs are freed.
    most_nodes: Cell<usize>,
    capacity: usize,
}

/// Sets of states, with the least and the greatest number of true variables that only grow by moves.
struct EarlierPlies(Vec<(Bdd, (i64, i64))>);

impl<'s> Layers<'s> {
    pub(super) fn new(
        network: &Network,
        variables: &'s StateVariables,
        signals: &mut SignalDiagrams<'_>,
        moves: Vec<MoveRelation>,
        capacity: usize,
    ) -> AllocResult<Self> {
        let mut no_move = signals.joint_move(&[]);
        let mut goes_on = Vec::new();
        for lit in conjuncts(network, !network.outputs.terminal) {
            goes_on.push((signals.of(lit, &mut no_move)?, fluents_of(network, lit)));
        }
        Ok(Self {
            variables,
            moves,
            goes_on,
            joined: FxHashMap::default(),
            most_nodes: Cell::new(capacity / 2),
            capacity,
        })
    }

    /// Counts the states that can be reached from `initial`, as long as there are no more than `most_nodes`.
    pub(super) fn count(
        &mut self,
        initial: Bdd,
        options: &SymbolicOptions<'_>,
        most_nodes: usize,
        counts: &mut SymbolicCounts,
    ) -> Result<CountEnd, SymbolicError> {
        let gain = self.gain()?;
        let mut seen = EarlierPlies(Vec::new());
        let mut range = (0, 0);
        let mut layer = initial;
        let mut changed: Option<Vec<usize>> = None;
        while layer.satisfiable() {
            let states = count_states(&layer, self.variables.count());
            counts.by_ply.push(states.clone());
            (options.on_ply)(counts);
            let going_on = self.going_on(&layer, changed.as_deref(), options)?;
            counts.terminal += states - count_states(&going_on, self.variables.count());
            seen.add(layer, range)?;
            let (next, fluents) = self.next(&going_on, options)?;
            range = (range.0 + gain.0, range.1 + gain.1);
            seen.forget_below(range.0, gain);
            layer = seen.remove_from(next, range)?;
            changed = Some(fluents);
            counts.most_nodes = counts.most_nodes.max(self.nodes());
            if counts.most_nodes > most_nodes {
                return Ok(CountEnd::TooFewResults);
            }
        }
        Ok(CountEnd::Finished)
    }

    /// How many true variables each move adds, at least and at most, of fields that never lose one.
    fn gain(&self) -> AllocResult<(i64, i64)> {
        let mut counts = vec![true; self.variables.fields.len()];
        for mv in &self.moves {
            for field in mv.losing(self.variables)? {
                counts[field] = false;
            }
        }
        let gains = self.moves.iter().map(|mv| mv.gain(self.variables, &counts));
        let gain = gains.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        Ok(gain.unwrap_or_default())
    }

    /// The states of a layer in which the game goes on, if only these fluents changed since it went on.
    fn going_on(
        &mut self,
        layer: &Bdd,
        changed: Option<&[usize]>,
        options: &SymbolicOptions<'_>,
    ) -> Result<Bdd, SymbolicError> {
        let concerns = |fluents: &[usize]| {
            changed
                .is_none_or(|changed| fluents.iter().any(|one| changed.binary_search(one).is_ok()))
        };
        let conditions = self.goes_on.iter().enumerate();
        let conditions =
            conditions.filter(|(_, (_, fluents))| fluents.is_empty() || concerns(fluents));
        let concerned: Vec<usize> = conditions.map(|(place, _)| place).collect();
        if !self.joined.contains_key(&concerned) {
            let joined = self.join(&concerned)?;
            self.joined.insert(concerned.clone(), joined);
        }
        let mut going_on = layer.clone();
        for condition in &self.joined[&concerned] {
            options.deadline.check()?;
            going_on = self.within_memory(|| going_on.and(condition))?;
        }
        Ok(going_on)
    }

    fn join(&self, places: &[usize]) -> AllocResult<Vec<Bdd>> {
        let mut joined: Vec<Bdd> = Vec::new();
        for place in places {
            let (condition, _) = &self.goes_on[*place];
            let together = match joined.last() {
                Some(last) => last.and(condition)?,
                None => condition.clone(),
            };
            match oxidd::Function::node_count(&together) > LARGE {
                true => joined.push(condition.clone()),
                false => {
                    joined.pop();
                    joined.push(together);
                }
            }
        }
        Ok(joined)
    }

    /// The states that all joint moves make of some, and the fluents that may have changed.
    fn next(
        &self,
        states: &Bdd,
        options: &SymbolicOptions<'_>,
    ) -> Result<(Bdd, Vec<usize>), SymbolicError> {
        let mut next = self.variables.falsehood()?;
        let mut changed = Vec::new();
        for mv in &self.moves {
            options.deadline.check()?;
            let image = self.within_memory(|| mv.image(states))?;
            if image.satisfiable() {
                next = self.within_memory(|| next.or(&image))?;
                changed.extend(&mv.changes);
            }
        }
        changed.sort_unstable();
        changed.dedup();
        Ok((next, changed))
    }

    fn nodes(&self) -> usize {
        self.variables
            .manager
            .with_manager_shared(|manager| manager.approx_num_inner_nodes())
    }

    /// Makes a diagram. Frees nodes that nothing needs if there are many, and once more if there is no room.
    fn within_memory(&self, make: impl Fn() -> AllocResult<Bdd>) -> AllocResult<Bdd> {
        if self.nodes() > self.most_nodes.get() {
            self.free_nodes();
            // Remembered results are freed, too: to do so each time that little is gained would take longest.
            let more = self.nodes() / 2 * 3;
            self.most_nodes.set(more.max(self.capacity / 2));
        }
        make().or_else(|_| {
            self.free_nodes();
            make()
        })
    }

    fn free_nodes(&self) {
        self.variables
            .manager
            .with_manager_shared(|manager| manager.gc());
    }
}

/// How many states a set has, which looks at variables of one state only, of so many.
pub(super) fn count_states(set: &Bdd, variables: u32) -> BigUint {
    match variables < SHORT {
        true => {
            let mut cache = SatCountCache::<u128, FxBuildHasher>::default();
            set.sat_count(variables, &mut cache).into()
        }
        false => {
            let mut cache = SatCountCache::<BigUint, FxBuildHasher>::default();
            set.sat_count(variables, &mut cache)
        }
    }
}

impl EarlierPlies {
    /// Adds states; sets that may have states in common become one.
    fn add(&mut self, states: Bdd, range: (i64, i64)) -> AllocResult<()> {
        match self.0.iter_mut().find(|(_, own)| overlap(*own, range)) {
            Some((set, own)) => {
                *set = set.or(&states)?;
                *own = (own.0.min(range.0), own.1.max(range.1));
            }
            None => self.0.push((states, range)),
        }
        Ok(())
    }

    /// Forgets the states that no move can come back to.
    fn forget_below(&mut self, least: i64, gain: (i64, i64)) {
        if gain.0 > 0 {
            self.0.retain(|(_, range)| range.1 >= least);
        }
    }

    fn remove_from(&self, mut states: Bdd, range: (i64, i64)) -> AllocResult<Bdd> {
        for (set, _) in self.0.iter().filter(|(_, own)| overlap(*own, range)) {
            states = states.and(&set.not()?)?;
        }
        Ok(states)
    }
}

fn overlap(one: (i64, i64), other: (i64, i64)) -> bool {
    one.0 <= other.1 && other.0 <= one.1
}
