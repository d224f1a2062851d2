//! Magic sets (Bancilhon, Maier, Sagiv and Ullman 1986): recursive relations are derived only for the values queried.
//!
//! Rules that count by recursion, as in `(<= (count ?n) (count_from 1 1 0 ?n))`, are written to be evaluated top-down: they
//! begin with given values and pass on what was counted so far. Evaluated bottom-up, they derive what follows from every
//! number for every square, most of which cannot occur. So for each such recursion a *magic* relation holds the values of
//! its bound arguments, and each rule of the recursion gets a condition on it.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// Adds the clauses of a relaxed program to `relaxed`, those of `recursions` restricted by magic sets. Each recursion is
/// a set of mutually recursive relations that no rule negates. Returns the relations that lack rows because of that.
pub(super) fn add_with_magic_sets(
    relaxed: &mut Program,
    clauses: Vec<Clause>,
    recursions: &[FxHashSet<Pred>],
) -> FxHashSet<Pred> {
    let mut clauses = clauses;
    let mut lacking = FxHashSet::default();
    for recursion in recursions {
        if let Some(bound) = bound_columns(&clauses, recursion) {
            clauses = magic_rewriting(relaxed, clauses, &bound);
            lacking.extend(recursion);
        }
    }
    clauses.into_iter().for_each(|clause| relaxed.add(clause));
    lacking
}

/// For each relation of a recursion, the columns that are bound wherever it is used; `None` unless each relation has
/// one, and every use outside the recursion has a constant in one of these columns.
fn bound_columns(
    clauses: &[Clause],
    recursion: &FxHashSet<Pred>,
) -> Option<FxHashMap<Pred, Vec<usize>>> {
    let mut given: FxHashMap<Pred, Vec<usize>> = FxHashMap::default();
    let uses = || {
        clauses.iter().flat_map(|clause| {
            let used = uses_of(clause, recursion);
            used.map(move |atom| (clause, atom))
        })
    };
    for (_, atom) in uses() {
        given.insert(atom.pred, (0..atom.args.len()).collect());
    }
    loop {
        let mut is_settled = true;
        for (clause, atom) in uses() {
            let known = known_in(clause, recursion, &given);
            let columns = given.get_mut(&atom.pred)?;
            let before = columns.len();
            columns.retain(|&column| all_in(&atom.args[column], &known));
            is_settled &= columns.len() == before;
        }
        if is_settled {
            break;
        }
    }
    let has_constant = |(clause, atom): (&Clause, &Atom)| {
        let is_ground = |&column: &usize| matches!(atom.args[column], Pattern::Ground(_));
        recursion.contains(&clause.head.pred) || given[&atom.pred].iter().any(is_ground)
    };
    let is_worth_it = given.len() == recursion.len()
        && given.values().all(|columns| !columns.is_empty())
        && uses().all(has_constant);
    is_worth_it.then_some(given)
}

/// The variables that are bound when a clause uses a relation of the recursion.
fn known_in(
    clause: &Clause,
    recursion: &FxHashSet<Pred>,
    given: &FxHashMap<Pred, Vec<usize>>,
) -> FxHashSet<usize> {
    let mut known = FxHashSet::default();
    let mut see = |variable: usize| _ = known.insert(variable);
    for &column in given.get(&clause.head.pred).into_iter().flatten() {
        clause.head.args[column].each_variable(&mut see);
    }
    others_in(clause, recursion).for_each(|literal| literal.each_variable(&mut see));
    known
}

fn all_in(pattern: &Pattern, known: &FxHashSet<usize>) -> bool {
    let mut all = true;
    pattern.each_variable(&mut |variable| all &= known.contains(&variable));
    all
}

/// The atoms of a clause's body that belong to the recursion.
fn uses_of<'c>(clause: &'c Clause, recursion: &FxHashSet<Pred>) -> impl Iterator<Item = &'c Atom> {
    clause.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => recursion.contains(&atom.pred).then_some(atom),
        _ => None,
    })
}

/// The positive literals of a clause about other relations.
fn others_in<'c>(
    clause: &'c Clause,
    recursion: &FxHashSet<Pred>,
) -> impl Iterator<Item = &'c Literal> {
    clause.body.iter().filter(
        |literal| matches!(literal, Literal::Positive(atom) if !recursion.contains(&atom.pred)),
    )
}

/// The clauses with a magic condition in every rule of the relations in `given`, and the rules of the magic relations.
fn magic_rewriting(
    relaxed: &mut Program,
    clauses: Vec<Clause>,
    given: &FxHashMap<Pred, Vec<usize>>,
) -> Vec<Clause> {
    let recursion: FxHashSet<Pred> = given.keys().copied().collect();
    let mut magic: FxHashMap<Pred, Pred> = FxHashMap::default();
    for pred in relaxed.preds().filter(|pred| recursion.contains(pred)) {
        let name = format!("magic {}", relaxed.label(pred));
        magic.insert(pred, relaxed.pred(&name, given[&pred].len()));
    }
    let magic_atom = |atom: &Atom| {
        let pred = *magic.get(&atom.pred)?;
        let args = given[&atom.pred]
            .iter()
            .map(|&column| atom.args[column].clone());
        let args = args.collect();
        Some(Atom { pred, args })
    };
    let mut all = Vec::with_capacity(clauses.len());
    for mut clause in clauses {
        let own = magic_atom(&clause.head).map(Literal::Positive);
        for head in uses_of(&clause, &recursion).filter_map(&magic_atom) {
            let is_ground = |arg: &Pattern| matches!(arg, Pattern::Ground(_));
            let others = others_in(&clause, &recursion).cloned();
            let body: Vec<Literal> = if own.is_none() && head.args.iter().all(is_ground) {
                Vec::new()
            } else {
                own.iter().cloned().chain(others).collect()
            };
            all.push(Clause {
                head,
                body,
                variables: clause.variables,
            });
        }
        clause.body.extend(own);
        all.push(clause);
    }
    all
}
