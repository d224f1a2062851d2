//! Differential test on random programs, against naive evaluation.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::tests::{all_rows, rule};
use super::{
    Atom, Clause, DatalogEngine, EvaluationLimits, Literal, Pattern, Pred, Program, TermId,
};

/// Seed of a clause: head, positive body (predicate and two variables each), head variables, negation.
type RandomClause = (
    usize,
    Vec<(usize, usize, usize)>,
    usize,
    usize,
    Option<usize>,
);

/// Random safe clauses over predicates `p0/2`, `p1/2`, … in which only predicates of lower numbers are negated.
fn clauses() -> impl Strategy<Value = Vec<RandomClause>> {
    let literal = (0usize..5, 0usize..4, 0usize..4);
    let clause = (
        1usize..5,
        prop::collection::vec(literal, 1..4),
        0usize..4,
        0usize..4,
        prop::option::of(0usize..4),
    );
    prop::collection::vec(clause, 1..9)
}

/// The program of some seeds, with `edges` as the rows of `p0`, given as facts.
fn program_of(seeds: &[RandomClause], edges: &BTreeSet<(u8, u8)>) -> Program {
    let mut program = Program::default();
    (0..5).for_each(|n| _ = program.pred(&format!("p{n}"), 2));
    for (from, to) in edges {
        rule(&mut program, &format!("p0 c{from} c{to}"), &[]);
    }
    for (head, body, x, y, negated) in seeds {
        let positive: Vec<_> = body
            .iter()
            .map(|&(pred, x, y)| (pred.min(*head), x, y))
            .collect();
        let variables: Vec<usize> = positive.iter().flat_map(|&(_, x, y)| [x, y]).collect();
        let bound = |wanted: usize| variables[wanted % variables.len()];
        let mut texts: Vec<String> = positive
            .iter()
            .map(|(pred, x, y)| format!("p{pred} V{x} V{y}"))
            .collect();
        if let Some(lower) = negated.filter(|lower| lower < head) {
            texts.insert(0, format!("!p{lower} V{} V{}", bound(*y + 1), bound(*x)));
        }
        let body: Vec<&str> = texts.iter().map(String::as_str).collect();
        rule(
            &mut program,
            &format!("p{head} V{} V{}", bound(*x), bound(*y)),
            &body,
        );
    }
    program
}

proptest! {
    #[test]
    fn agrees_with_naive_evaluation(
        seeds in clauses(),
        edges in prop::collection::btree_set((0u8..5, 0u8..5), 0..10),
    ) {
        let program = program_of(&seeds, &edges);
        let preds: Vec<Pred> = program.preds().collect();
        let expected = naive(&program, &preds);
        let engine = DatalogEngine::new(program, &preds, EvaluationLimits::default()).unwrap();
        let memory = engine.memory();
        for pred in preds {
            prop_assert_eq!(&all_rows(&engine, &memory, pred), &expected[pred.index()]);
        }
    }

    #[test]
    fn agrees_when_rows_are_derived_by_key(
        seeds in clauses(),
        edges in prop::collection::btree_set((0u8..5, 0u8..5), 0..10),
    ) {
        let preds: Vec<Pred> = program_of(&seeds, &edges).preds().collect();
        let expected = naive(&program_of(&seeds, &edges), &preds);
        let mut program = program_of(&seeds, &BTreeSet::new());
        program.declare_input(preds[0], 1);
        let rows: Vec<[TermId; 2]> =
            edges.iter().map(|(x, y)| [x, y].map(|n| program.terms.word(&format!("c{n}")))).collect();
        let last = preds[4];
        let mut engine = DatalogEngine::new(program, &[last], EvaluationLimits::default()).unwrap();
        engine.derive_recursion_by_key(true);
        engine.replan();
        let mut memory = engine.memory();
        rows.iter().for_each(|row| memory.supply(preds[0], row));
        memory.derive(&engine, last);
        prop_assert_eq!(&all_rows(&engine, &memory, last), &expected[last.index()]);
    }
}

/// Naive evaluation: `p0`, `p1`, … are in the order of their strata.
fn naive(program: &Program, preds: &[Pred]) -> Vec<BTreeSet<Vec<String>>> {
    let mut model: Vec<BTreeSet<Vec<TermId>>> = vec![BTreeSet::new(); preds.len()];
    for &pred in preds {
        loop {
            let before = model[pred.index()].len();
            for clause in program
                .clauses()
                .iter()
                .filter(|clause| clause.head.pred == pred)
            {
                for binding in bindings(clause, &model) {
                    let row = instance(&clause.head, &binding).unwrap();
                    model[pred.index()].insert(row);
                }
            }
            if model[pred.index()].len() == before {
                break;
            }
        }
    }
    let text = |row: &Vec<TermId>| row.iter().map(|&term| program.terms.text(term)).collect();
    model
        .iter()
        .map(|rows| rows.iter().map(text).collect())
        .collect()
}

fn bindings(clause: &Clause, model: &[BTreeSet<Vec<TermId>>]) -> Vec<Vec<Option<TermId>>> {
    let mut found = vec![vec![None; clause.variables]];
    for literal in &clause.body {
        if let Literal::Positive(atom) = literal {
            found = found
                .iter()
                .flat_map(|binding| {
                    model[atom.pred.index()]
                        .iter()
                        .filter_map(|row| unify(atom, row, binding))
                })
                .collect();
        }
    }
    found.retain(|binding| {
        clause.body.iter().all(|literal| match literal {
            Literal::Negative(atom) => {
                !model[atom.pred.index()].contains(&instance(atom, binding).unwrap())
            }
            Literal::Positive(_) | Literal::Distinct(..) | Literal::Same(..) => true,
        })
    });
    found
}

fn unify(atom: &Atom, row: &[TermId], binding: &[Option<TermId>]) -> Option<Vec<Option<TermId>>> {
    let mut binding = binding.to_vec();
    for (arg, &term) in atom.args.iter().zip(row) {
        let wanted = match arg {
            Pattern::Var(variable) => *binding[*variable].get_or_insert(term),
            Pattern::Ground(wanted) => *wanted,
            Pattern::Compound(..) => unreachable!("no functions here"),
        };
        if wanted != term {
            return None;
        }
    }
    Some(binding)
}

fn instance(atom: &Atom, binding: &[Option<TermId>]) -> Option<Vec<TermId>> {
    let value = |arg: &Pattern| match arg {
        Pattern::Var(variable) => binding[*variable],
        Pattern::Ground(term) => Some(*term),
        Pattern::Compound(..) => unreachable!("no functions here"),
    };
    atom.args.iter().map(value).collect()
}
