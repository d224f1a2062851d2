//! Joint moves as relations between states, and what they make of sets of states.
#![expect(
    clippy::mutable_key_type,
    reason = "diagrams are compared and hashed by their roots, which nothing changes"
)]

use oxidd::util::AllocResult;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, LevelNo,
    Manager, Subst,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::evaluate::SignalDiagrams;
use super::variables::{Bdd, MoveSide, StateVariables};
use crate::propnet::Network;

/// Relations of more nodes than this are not joined with others.
const LARGE: usize = 20_000;

/// What a joint move does to states.
pub(super) struct MoveRelation {
    /// Their conjunction is the relation; with each, the variables that no later one looks at.
    parts: Vec<(Bdd, Bdd)>,
    renaming: Subst<Bdd>,
    /// The fluents that may change.
    pub(super) changes: Vec<usize>,
    /// Per field that may change, what it becomes.
    pub(super) fields: Vec<(usize, Bdd)>,
    pub(super) legal: Bdd,
}

impl MoveRelation {
    /// The joint move of these inputs, which are legal together in the states of `legal`.
    pub(super) fn new(
        network: &Network,
        variables: &StateVariables,
        signals: &mut SignalDiagrams<'_>,
        inputs: &[usize],
        legal: Bdd,
    ) -> AllocResult<Self> {
        let mut joint = signals.joint_move(inputs);
        let mut changes = Vec::new();
        let mut fields: Vec<(usize, Bdd)> = Vec::new();
        for (field, of_field) in variables.fields.iter().enumerate() {
            let mut becomes = Vec::with_capacity(of_field.contents.len());
            let changed_before = changes.len();
            for fluent in of_field.contents.iter().flatten() {
                let next = signals.of(network.outputs.next[*fluent], &mut joint)?;
                let differs = next.xor(&variables.fluents[*fluent])?;
                if differs.and(&legal)?.satisfiable() {
                    changes.push(*fluent);
                }
                becomes.push(next);
            }
            if changes.len() > changed_before {
                fields.push((field, relation(variables, field, becomes)?));
            }
        }
        let touched: Vec<usize> = fields.iter().map(|(field, _)| *field).collect();
        let mut relation = Self {
            parts: Vec::new(),
            renaming: variables.renaming(&touched)?,
            changes,
            fields,
            legal,
        };
        relation.join(variables, &touched)?;
        Ok(relation)
    }

    /// Joins what the fields become to few relations.
    fn join(&mut self, variables: &StateVariables, touched: &[usize]) -> AllocResult<()> {
        let mut parts = vec![self.legal.clone()];
        for (_, becomes) in &self.fields {
            let last = parts.len() - 1;
            let joined = parts[last].and(becomes)?;
            match joined.node_count() > LARGE {
                true => parts.push(becomes.clone()),
                false => parts[last] = joined,
            }
        }
        let mut left = touched.to_vec();
        let mut quantified: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for (place, part) in parts.iter().enumerate().rev() {
            let looked_at = support(part);
            let (own, others) = left.into_iter().partition(|field| {
                place == 0
                    || variables.fields[*field]
                        .variables(MoveSide::Before)
                        .any(|one| looked_at.contains(&one))
            });
            quantified[place] = own;
            left = others;
        }
        for (part, fields) in parts.into_iter().zip(quantified) {
            let cube = variables.cube(&fields, MoveSide::Before)?;
            self.parts.push((part, cube));
        }
        Ok(())
    }

    /// The states that the joint move makes of `states`.
    pub(super) fn image(&self, states: &Bdd) -> AllocResult<Bdd> {
        let mut image = states.clone();
        for (part, quantified) in &self.parts {
            image = image.apply_exists(BooleanOperator::And, part, quantified)?;
        }
        image.substitute(&self.renaming)
    }

    /// How many true variables of the fields that `counts` allows a move adds to a state, at least and at most.
    pub(super) fn gain(&self, variables: &StateVariables, counts: &[bool]) -> (i64, i64) {
        let weights = self.weights(variables, |field| counts[field]);
        let parts = self.parts.iter().map(|(part, _)| extremes(part, &weights));
        parts.fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
    }

    /// The fields that may lose a true variable.
    pub(super) fn losing(&self, variables: &StateVariables) -> AllocResult<Vec<usize>> {
        let mut losing = Vec::new();
        for (field, becomes) in &self.fields {
            let weights = self.weights(variables, |one| one == *field);
            if extremes(&becomes.and(&self.legal)?, &weights).0 < 0 {
                losing.push(*field);
            }
        }
        Ok(losing)
    }

    /// Of the variables of some fields that change, those after the move count, and those before it are taken off.
    fn weights(&self, variables: &StateVariables, counts: impl Fn(usize) -> bool) -> Vec<i64> {
        let mut weights = vec![0; 2 * variables.count() as usize];
        for (field, _) in self.fields.iter().filter(|(field, _)| counts(*field)) {
            for (side, weight) in [(MoveSide::Before, -1), (MoveSide::After, 1)] {
                for variable in variables.fields[*field].variables(side) {
                    weights[variable as usize] = weight;
                }
            }
        }
        weights
    }
}

/// What a field becomes, as a relation, given where each of its fluents holds next.
fn relation(variables: &StateVariables, field: usize, becomes: Vec<Bdd>) -> AllocResult<Bdd> {
    let mut becomes = becomes.into_iter();
    let mut none = variables.truth.clone();
    let mut relation = variables.falsehood()?;
    let contents = &variables.fields[field].contents;
    for (number, _) in contents
        .iter()
        .enumerate()
        .filter(|(_, fluent)| fluent.is_some())
    {
        let Some(next) = becomes.next() else { break };
        none = none.and(&next.not()?)?;
        let content = variables.content(field, number, MoveSide::After)?;
        relation = relation.or(&next.and(&content)?)?;
    }
    if let Some(number) = contents.iter().position(Option::is_none) {
        let content = variables.content(field, number, MoveSide::After)?;
        relation = relation.or(&none.and(&content)?)?;
    }
    Ok(relation)
}

/// The variables that a diagram looks at.
fn support(diagram: &Bdd) -> FxHashSet<LevelNo> {
    let mut levels = FxHashSet::default();
    let mut seen = FxHashSet::default();
    let mut left = vec![diagram.clone()];
    while let Some(diagram) = left.pop() {
        if let Some((high, low)) = diagram.cofactors()
            && !seen.contains(&diagram)
        {
            levels.insert(level(&diagram));
            left.extend([high, low]);
            seen.insert(diagram);
        }
    }
    levels
}

/// The first variable that a diagram looks at; variables have the numbers of their levels.
fn level(diagram: &Bdd) -> LevelNo {
    diagram.with_manager_shared(|manager, edge| manager.get_node(edge).level())
}

/// The first variable that a diagram looks at, and the least and the greatest sum of weights from there on.
type Extremes = (usize, (i64, i64));

/// The least and the greatest sum of the weights of true variables, where a diagram holds; weights are by variable.
fn extremes(diagram: &Bdd, weights: &[i64]) -> (i64, i64) {
    let mut known = FxHashMap::default();
    let found = extremes_of(diagram, weights, &mut known);
    found.map_or((0, 0), |(first, found)| with_free(found, &weights[..first]))
}

/// The same from the first variable on; nothing if the diagram holds nowhere.
fn extremes_of(
    diagram: &Bdd,
    weights: &[i64],
    known: &mut FxHashMap<Bdd, Option<Extremes>>,
) -> Option<Extremes> {
    let Some((high, low)) = diagram.cofactors() else {
        return diagram.satisfiable().then_some((weights.len(), (0, 0)));
    };
    if let Some(found) = known.get(diagram) {
        return *found;
    }
    let first = level(diagram) as usize;
    let mut found: Option<(i64, i64)> = None;
    for (branch, own) in [(high, weights[first]), (low, 0)] {
        if let Some((next, extremes)) = extremes_of(&branch, weights, known) {
            let (least, most) = with_free(extremes, &weights[first + 1..next]);
            let (least, most) = (least + own, most + own);
            found = Some(found.map_or((least, most), |(low, high)| {
                (low.min(least), high.max(most))
            }));
        }
    }
    let found = found.map(|extremes| (first, extremes));
    known.insert(diagram.clone(), found);
    found
}

/// Adds variables that may be true or not.
fn with_free((least, most): (i64, i64), weights: &[i64]) -> (i64, i64) {
    let less: i64 = weights.iter().map(|weight| weight.min(&0)).sum();
    let more: i64 = weights.iter().map(|weight| weight.max(&0)).sum();
    (least + less, most + more)
}
