//! Static facts of the state: walls, boards and distances that a game keeps in its state although they never change.
//!
//! Where a frame rule preserves every fact of a functor and no rule adds one, the facts of the initial state hold in every
//! state, and no others ever do. Then `(true (wall 1 2))` is equivalent to `(init (wall 1 2))`, which does not depend on
//! the state, and grounding evaluates it once.

use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program, Terms};
use crate::gdl::GdlRelations;

/// Defines the relations of static facts by rules on `init` and removes them from the base relations. Returns their
/// functors.
pub(super) fn replace_static_facts(
    program: &mut Program,
    relations: &mut GdlRelations,
) -> Vec<Functor> {
    let by_functor = relations.base.by_functor.iter();
    let mut static_relations: Vec<(Functor, Pred)> = by_functor
        .map(|(&functor, &pred)| (functor, pred))
        .collect();
    static_relations.retain(|&(functor, pred)| is_static(program, relations, functor, pred));
    static_relations.sort_unstable();
    for &(functor, pred) in &static_relations {
        relations.base.by_functor.remove(&functor);
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
                pred: relations.init,
                args: vec![fact],
            })],
        });
    }
    static_relations
        .into_iter()
        .map(|(functor, _)| functor)
        .collect()
}

/// The pattern of a fact.
pub(super) fn fact_of(terms: &mut Terms, functor: Functor, args: &[Pattern]) -> Pattern {
    match args {
        [] => Pattern::Ground(terms.intern(functor, &[])),
        args => Pattern::Compound(functor, args.to_vec()),
    }
}

/// Whether some rule preserves every fact of `functor`, and no rule adds another.
fn is_static(program: &Program, relations: &GdlRelations, functor: Functor, pred: Pred) -> bool {
    let mut are_preserved = false;
    let nexts = program.clauses().iter();
    for clause in nexts.filter(|clause| clause.head.pred == relations.next) {
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
        are_preserved |= clause.body == [same] && clause.variables == program.arity(pred);
    }
    are_preserved
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
