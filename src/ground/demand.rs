//! Rows that nobody asks for are not derived.
//!
//! Rules that count by recursion, as in `(<= (count ?n) (count_from 1 1 0 ?n))`, are meant to be read from the top: they
//! begin with given values and pass on what was counted so far. Read from the bottom, they derive what follows from
//! every number for every square, most of which cannot come up. So for the relations of such a recursion it is derived
//! first which values they are asked for, and of their rows only those with these values: *magic sets* (Bancilhon, Maier,
//! Sagiv and Ullman 1986).

use rustc_hash::{FxHashMap, FxHashSet};

use crate::datalog::{Atom, Clause, Literal, Pattern, Pred, Program};

/// Adds the clauses of a relaxed program to `relaxed`, those of `recursions` restricted to what is asked for. Each
/// recursion is a set of relations that rest on each other and whose absence nobody asks for. Answers the relations that
/// lack rows by that.
pub(super) fn add_restricted(
    relaxed: &mut Program,
    clauses: Vec<Clause>,
    recursions: &[FxHashSet<Pred>],
) -> FxHashSet<Pred> {
    let mut clauses = clauses;
    let mut lacking = FxHashSet::default();
    for recursion in recursions {
        if let Some(asked_by) = columns_given(&clauses, recursion) {
            clauses = restricted(relaxed, clauses, &asked_by);
            lacking.extend(recursion);
        }
    }
    clauses.into_iter().for_each(|clause| relaxed.add(clause));
    lacking
}

/// For each relation of a recursion, the columns whose values are known wherever it is asked for; `None` unless each has
/// some and all questions from outside spell out one of these values.
fn columns_given(
    clauses: &[Clause],
    recursion: &FxHashSet<Pred>,
) -> Option<FxHashMap<Pred, Vec<usize>>> {
    let mut given: FxHashMap<Pred, Vec<usize>> = FxHashMap::default();
    let questions = || {
        clauses.iter().flat_map(|clause| {
            let asked = asked_in(clause, recursion);
            asked.map(move |atom| (clause, atom))
        })
    };
    for (_, atom) in questions() {
        given.insert(atom.pred, (0..atom.args.len()).collect());
    }
    loop {
        let mut is_settled = true;
        for (clause, atom) in questions() {
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
    let spells_out = |(clause, atom): (&Clause, &Atom)| {
        let is_ground = |&column: &usize| matches!(atom.args[column], Pattern::Ground(_));
        recursion.contains(&clause.head.pred) || given[&atom.pred].iter().any(is_ground)
    };
    let is_worth_it = given.len() == recursion.len()
        && given.values().all(|columns| !columns.is_empty())
        && questions().all(spells_out);
    is_worth_it.then_some(given)
}

/// The variables with known values when a clause asks for a relation of the recursion.
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

/// The atoms by which a clause asks for relations of the recursion.
fn asked_in<'c>(clause: &'c Clause, recursion: &FxHashSet<Pred>) -> impl Iterator<Item = &'c Atom> {
    clause.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => recursion.contains(&atom.pred).then_some(atom),
        _ => None,
    })
}

/// The literals of a clause that hold of other relations.
fn others_in<'c>(
    clause: &'c Clause,
    recursion: &FxHashSet<Pred>,
) -> impl Iterator<Item = &'c Literal> {
    clause.body.iter().filter(
        |literal| matches!(literal, Literal::Positive(atom) if !recursion.contains(&atom.pred)),
    )
}

/// The same clauses, with the relations that `given` names derived for the values asked only, and clauses that tell
/// which these are.
fn restricted(
    relaxed: &mut Program,
    clauses: Vec<Clause>,
    given: &FxHashMap<Pred, Vec<usize>>,
) -> Vec<Clause> {
    let recursion: FxHashSet<Pred> = given.keys().copied().collect();
    let mut questions: FxHashMap<Pred, Pred> = FxHashMap::default();
    for pred in relaxed.preds().filter(|pred| recursion.contains(pred)) {
        let name = format!("asked for {}", relaxed.label(pred));
        questions.insert(pred, relaxed.pred(&name, given[&pred].len()));
    }
    let question = |atom: &Atom| {
        let pred = *questions.get(&atom.pred)?;
        let args = given[&atom.pred]
            .iter()
            .map(|&column| atom.args[column].clone());
        let args = args.collect();
        Some(Atom { pred, args })
    };
    let mut all = Vec::with_capacity(clauses.len());
    for mut clause in clauses {
        let own = question(&clause.head).map(Literal::Positive);
        for head in asked_in(&clause, &recursion).filter_map(&question) {
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
