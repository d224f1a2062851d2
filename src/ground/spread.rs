//! Terms that are always of one form are taken apart.
//!
//! Where a relation has `(move ?piece ?from ?to)` in one of its columns wherever it is mentioned, the parts can have
//! columns of their own, so that rows can be looked up by any of them.

use rustc_hash::FxHashMap;

use super::lasting::args_of;
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, Terms};

/// What becomes of a column: the functor of its terms and how many parts they have, or `None` where it stays.
type Columns = Vec<Option<(Functor, usize)>>;

/// A program with the same meaning in which no relation but `kept` has a column of terms that are all of one form.
pub(super) fn spread(program: &Program, kept: &[Pred]) -> Program {
    let mut columns = columns(program, kept);
    columns.retain(|_, of| of.iter().any(Option::is_some));
    let mut spread = program.without_clauses();
    let mut names: Vec<Pred> = columns.keys().copied().collect();
    names.sort_unstable();
    let mut renamed: FxHashMap<Pred, Pred> = FxHashMap::default();
    for pred in names {
        let arity = columns[&pred]
            .iter()
            .map(|of| of.map_or(1, |(_, parts)| parts))
            .sum();
        let name = format!("{} in parts", program.label(pred));
        renamed.insert(pred, spread.pred(&name, arity));
    }
    let atom = |atom: &Atom| match renamed.get(&atom.pred) {
        Some(&pred) => Atom {
            pred,
            args: parts(&atom.args, &columns[&atom.pred], &program.terms),
        },
        None => atom.clone(),
    };
    for clause in program.clauses() {
        let literal = |literal: &Literal| match literal {
            Literal::Positive(of) => Literal::Positive(atom(of)),
            Literal::Negative(of) => Literal::Negative(atom(of)),
            Literal::Distinct(..) | Literal::Same(..) => literal.clone(),
        };
        spread.add(Clause {
            head: atom(&clause.head),
            body: clause.body.iter().map(literal).collect(),
            variables: clause.variables,
        });
    }
    spread
}

/// For each relation that rules derive, the form of its columns.
fn columns(program: &Program, kept: &[Pred]) -> FxHashMap<Pred, Columns> {
    let mut columns: FxHashMap<Pred, Columns> = FxHashMap::default();
    let heads = || program.clauses().iter().map(|clause| &clause.head);
    for head in heads().filter(|head| !kept.contains(&head.pred)) {
        let forms = || {
            head.args
                .iter()
                .map(|arg| form(arg, &program.terms))
                .collect()
        };
        columns.entry(head.pred).or_insert_with(forms);
    }
    let literals = program.clauses().iter().flat_map(|clause| &clause.body);
    let asked = literals.filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Distinct(..) | Literal::Same(..) => None,
    });
    for atom in heads().chain(asked) {
        for (column, arg) in columns
            .get_mut(&atom.pred)
            .into_iter()
            .flatten()
            .zip(&atom.args)
        {
            if *column != form(arg, &program.terms) {
                *column = None;
            }
        }
    }
    columns
}

/// The functor of a term and how many arguments it has; `None` for a variable or a plain word.
fn form(pattern: &Pattern, terms: &Terms) -> Option<(Functor, usize)> {
    let (functor, args) = args_of(terms, pattern)?;
    (!args.is_empty()).then_some((functor, args.len()))
}

fn parts(args: &[Pattern], columns: &Columns, terms: &Terms) -> Vec<Pattern> {
    let mut parts = Vec::new();
    for (arg, column) in args.iter().zip(columns) {
        match (column, args_of(terms, arg)) {
            (Some(_), Some((_, inner))) => parts.extend(inner),
            _ => parts.push(arg.clone()),
        }
    }
    parts
}
