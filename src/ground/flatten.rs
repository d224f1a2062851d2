//! Flattening of compound arguments.
//!
//! Where a relation has a term such as `(move ?piece ?from ?to)` in one of its columns wherever it is mentioned, the
//! arguments of that term get columns of their own, so that rows can be indexed on each of them.

use rustc_hash::FxHashMap;

use super::static_facts::args_of;
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, Terms};

/// Per column, the functor of its terms and their number of arguments; `None` where the column is kept.
type ColumnForms = Vec<Option<(Functor, usize)>>;

/// An equivalent program in which no relation but `kept` has a column whose terms all have one functor.
pub(super) fn flatten_arguments(program: &Program, kept: &[Pred]) -> Program {
    let mut columns = columns(program, kept);
    columns.retain(|_, of| of.iter().any(Option::is_some));
    let mut flattened = program.without_clauses();
    let mut names: Vec<Pred> = columns.keys().copied().collect();
    names.sort_unstable();
    let mut renamed: FxHashMap<Pred, Pred> = FxHashMap::default();
    for pred in names {
        let arity = columns[&pred]
            .iter()
            .map(|of| of.map_or(1, |(_, parts)| parts))
            .sum();
        let name = format!("{} flattened", program.label(pred));
        renamed.insert(pred, flattened.pred(&name, arity));
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
        flattened.add(Clause {
            head: atom(&clause.head),
            body: clause.body.iter().map(literal).collect(),
            variables: clause.variables,
        });
    }
    flattened
}

/// For each derived relation, the form of its columns.
fn columns(program: &Program, kept: &[Pred]) -> FxHashMap<Pred, ColumnForms> {
    let mut columns: FxHashMap<Pred, ColumnForms> = FxHashMap::default();
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
    let used = literals.filter_map(|literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
        Literal::Distinct(..) | Literal::Same(..) => None,
    });
    for atom in heads().chain(used) {
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

/// The functor of a term and its number of arguments; `None` for a variable or a constant.
fn form(pattern: &Pattern, terms: &Terms) -> Option<(Functor, usize)> {
    let (functor, args) = args_of(terms, pattern)?;
    (!args.is_empty()).then_some((functor, args.len()))
}

fn parts(args: &[Pattern], columns: &ColumnForms, terms: &Terms) -> Vec<Pattern> {
    let mut parts = Vec::new();
    for (arg, column) in args.iter().zip(columns) {
        match (column, args_of(terms, arg)) {
            (Some(_), Some((_, inner))) => parts.extend(inner),
            _ => parts.push(arg.clone()),
        }
    }
    parts
}
