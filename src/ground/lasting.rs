//! Facts that last: walls, boards and distances that a game keeps in its state.
//!
//! Where the rules carry every fact of a functor on and add none, those of the initial state are there for good, and no
//! others ever come. Then `(true (wall 1 2))` says the same as `(init (wall 1 2))`, which never changes, and grounding
//! settles it once and for all.

use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, Terms};
use crate::gdl::Words;

/// Replaces facts that last by what never changes; `words` knows them no more as given from outside. Answers their
/// functors.
pub(super) fn settle_lasting(program: &mut Program, words: &mut Words) -> Vec<Functor> {
    let spread = words.given.spread.iter();
    let mut lasting: Vec<(Functor, Pred)> =
        spread.map(|(&functor, &pred)| (functor, pred)).collect();
    lasting.retain(|&(functor, pred)| lasts(program, words, functor, pred));
    lasting.sort_unstable();
    for &(functor, pred) in &lasting {
        words.given.spread.remove(&functor);
        program.declare_input(pred, 0);
        let columns: Vec<Pattern> = (0..program.arity(pred)).map(Pattern::Var).collect();
        let fact = fact_of(&mut program.terms, functor, &columns);
        program.add(Clause {
            variables: columns.len(),
            head: Atom {
                pred,
                args: columns,
            },
            body: vec![Literal::Positive(Atom {
                pred: words.init,
                args: vec![fact],
            })],
        });
    }
    lasting.into_iter().map(|(functor, _)| functor).collect()
}

/// The pattern of a fact.
pub(super) fn fact_of(terms: &mut Terms, functor: Functor, args: &[Pattern]) -> Pattern {
    match args {
        [] => Pattern::Ground(terms.intern(functor, &[])),
        args => Pattern::Compound(functor, args.to_vec()),
    }
}

/// Whether a rule carries every fact of `functor` on, and no rule adds another.
fn lasts(program: &Program, words: &Words, functor: Functor, pred: Pred) -> bool {
    let mut are_carried_on = false;
    let nexts = program.clauses().iter();
    for clause in nexts.filter(|clause| clause.head.pred == words.next) {
        let Some(args) = args_of(&program.terms, &clause.head.args[0]) else {
            return false;
        };
        if args.0 != functor {
            continue;
        }
        let same = Literal::Positive(Atom { pred, args: args.1 });
        if !clause.body.contains(&same) {
            return false;
        }
        are_carried_on |= clause.body == [same] && clause.variables == program.arity(pred);
    }
    are_carried_on
}

/// The functor and the arguments of a pattern; `None` for a variable.
pub(super) fn args_of(terms: &Terms, pattern: &Pattern) -> Option<(Functor, Vec<Pattern>)> {
    Some(match pattern {
        Pattern::Var(_) => return None,
        Pattern::Compound(functor, args) => (*functor, args.clone()),
        Pattern::Ground(term) => {
            let args = terms.args_of(*term).iter();
            let args = args.map(|&arg| Pattern::Ground(arg)).collect();
            (terms.functor_of(*term), args)
        }
    })
}
