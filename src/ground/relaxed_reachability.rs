//! The delete relaxation of a program: no fact that became true becomes false, and negative conditions on what changes are
//! dropped. Its fixpoint contains everything that can ever hold (Helmert 2009, section 6).

use rustc_hash::FxHashSet;

use super::magic_sets::add_with_magic_sets;
use super::static_facts::fact_of;
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program};
use crate::gdl::{GdlRelations, InputRelations};

/// The relaxed program, and for each clause the rule that finds its instances.
pub(super) struct RelaxedProgram {
    pub(super) program: Program,
    /// The clauses of relations that change.
    pub(super) clauses: Vec<Instances>,
    /// The relations all of whose rows are wanted.
    pub(super) queried: Vec<Pred>,
    /// All relations that change.
    pub(super) changing: Vec<Pred>,
    /// The relations that magic sets restrict to the rows queried.
    pub(super) restricted: FxHashSet<Pred>,
}

/// A clause of a relation that changes, and the rule that finds its instances.
pub(super) struct Instances {
    /// The literals about relations that change, their variables numbered from 0.
    pub(super) body: Vec<Literal>,
    /// How many variables these literals have.
    pub(super) width: usize,
    /// Where the body is a single literal with the columns of the head in some order: for each of these variables, the
    /// column of the head that has its value.
    pub(super) copied: Option<Vec<usize>>,
    /// The relaxed clause. Its head has the columns of the clause's head, and one for each of these variables.
    pub(super) finder: Clause,
}

/// Relaxes `program`: base and input relations get every fact and move that can occur, and negative conditions on what
/// changes are dropped. `recursions` are as in [`add_with_magic_sets`].
pub(super) fn relaxed_program(
    program: &Program,
    relations: &GdlRelations,
    changing: &[bool],
    recursions: &[FxHashSet<Pred>],
) -> RelaxedProgram {
    let mut relaxed = program.without_clauses();
    for pred in program.preds() {
        relaxed.declare_input(pred, 0);
    }
    let mut clauses = Vec::new();
    let mut all = Vec::with_capacity(program.clauses().len());
    for clause in program.clauses() {
        if changing[clause.head.pred.index()] {
            all.push(without_negation(clause, changing));
            clauses.push(instances(clause, changing));
        } else {
            all.push(clause.clone());
        }
    }
    let restricted = add_with_magic_sets(&mut relaxed, all, recursions);
    add_base_rules(&mut relaxed, relations);
    add_input_rules(&mut relaxed, relations);
    RelaxedProgram {
        queried: queried(&relaxed, relations, changing),
        changing: program
            .preds()
            .filter(|pred| changing[pred.index()])
            .collect(),
        program: relaxed,
        clauses,
        restricted,
    }
}

/// The relations that hold what can happen, and the changing relations that they depend on.
fn queried(relaxed: &Program, relations: &GdlRelations, changing: &[bool]) -> Vec<Pred> {
    let given = relations
        .base
        .by_functor
        .values()
        .chain(relations.input.by_functor.values());
    let whole = relations
        .base
        .whole_terms
        .into_iter()
        .chain(relations.input.whole_terms);
    let mut queried = vec![
        relations.init,
        relations.next,
        relations.legal,
        relations.goal,
        relations.terminal,
    ];
    queried.extend(given.copied().chain(whole));
    let mut seen: FxHashSet<Pred> = queried.iter().copied().collect();
    let mut at = 0;
    while let Some(&pred) = queried.get(at) {
        at += 1;
        let clauses = relaxed.clauses().iter();
        for literal in clauses
            .filter(|clause| clause.head.pred == pred)
            .flat_map(|clause| &clause.body)
        {
            if let Literal::Positive(atom) = literal
                && changing.get(atom.pred.index()).copied().unwrap_or(true)
                && seen.insert(atom.pred)
            {
                queried.push(atom.pred);
            }
        }
    }
    queried
}

/// A clause without its negative conditions on what changes.
fn without_negation(clause: &Clause, changing: &[bool]) -> Clause {
    let is_kept = |literal: &&Literal| !matches!(literal, Literal::Negative(atom) if changing[atom.pred.index()]);
    Clause {
        head: clause.head.clone(),
        body: clause.body.iter().filter(is_kept).cloned().collect(),
        variables: clause.variables,
    }
}

fn instances(clause: &Clause, changing: &[bool]) -> Instances {
    let kept = variables_that_matter(clause, changing);
    let mut finder = without_negation(clause, changing);
    finder
        .head
        .args
        .extend(kept.iter().map(|&variable| Pattern::Var(variable)));
    let place = |variable: usize| {
        let place = kept.iter().position(|&of| of == variable);
        Pattern::Var(place.unwrap_or(kept.len()))
    };
    let is_kept = |literal: &&Literal| match literal {
        Literal::Positive(atom) | Literal::Negative(atom) => changing[atom.pred.index()],
        Literal::Distinct(..) | Literal::Same(..) => false,
    };
    let body = clause.body.iter().filter(is_kept);
    Instances {
        copied: copied(clause, &kept, changing),
        body: body.map(|literal| map_literal(literal, &place)).collect(),
        width: kept.len(),
        finder,
    }
}

/// For each of the `kept` variables, the column of the head that has its value, if the body is a single positive literal
/// about what changes, whose arguments are variables and ground terms.
fn copied(clause: &Clause, kept: &[usize], changing: &[bool]) -> Option<Vec<usize>> {
    let [Literal::Positive(atom)] = &clause.body[..] else {
        return None;
    };
    let args = &clause.head.args;
    let is_plain = |arg: &Pattern| !matches!(arg, Pattern::Compound(..));
    let is_copy = changing[atom.pred.index()]
        && atom.args.iter().all(is_plain)
        && args.len() == clause.variables
        && kept.len() == clause.variables;
    let column = |variable: &usize| args.iter().position(|arg| *arg == Pattern::Var(*variable));
    is_copy.then(|| kept.iter().map(column).collect()).flatten()
}

/// The variables of the literals about what changes, in increasing order.
fn variables_that_matter(clause: &Clause, changing: &[bool]) -> Vec<usize> {
    let mut kept = Vec::new();
    let mut see = |variable| kept.push(variable);
    for literal in &clause.body {
        if let Literal::Positive(atom) | Literal::Negative(atom) = literal
            && changing[atom.pred.index()]
        {
            literal.each_variable(&mut see);
        }
    }
    kept.sort_unstable();
    kept.dedup();
    kept
}

/// A literal with `value` substituted for its variables.
pub(super) fn map_literal(literal: &Literal, value: &impl Fn(usize) -> Pattern) -> Literal {
    match literal {
        Literal::Positive(atom) => Literal::Positive(map_atom(atom, value)),
        Literal::Negative(atom) => Literal::Negative(map_atom(atom, value)),
        Literal::Distinct(left, right) => {
            Literal::Distinct(map_pattern(left, value), map_pattern(right, value))
        }
        Literal::Same(left, right) => {
            Literal::Same(map_pattern(left, value), map_pattern(right, value))
        }
    }
}

pub(super) fn map_atom(atom: &Atom, value: &impl Fn(usize) -> Pattern) -> Atom {
    Atom {
        pred: atom.pred,
        args: atom
            .args
            .iter()
            .map(|arg| map_pattern(arg, value))
            .collect(),
    }
}

pub(super) fn map_pattern(pattern: &Pattern, value: &impl Fn(usize) -> Pattern) -> Pattern {
    match pattern {
        Pattern::Var(variable) => value(*variable),
        Pattern::Ground(term) => Pattern::Ground(*term),
        Pattern::Compound(functor, args) => Pattern::Compound(
            *functor,
            args.iter().map(|arg| map_pattern(arg, value)).collect(),
        ),
    }
}

/// Every fact of the initial state, and every fact that some joint move can make true, can hold.
fn add_base_rules(relaxed: &mut Program, relations: &GdlRelations) {
    for source in [relations.init, relations.next] {
        add_rules_for(relaxed, &relations.base, source, false);
    }
}

/// Every move of a player that can be legal can be made.
fn add_input_rules(relaxed: &mut Program, relations: &GdlRelations) {
    // Names of relations in rule files have no blanks.
    let player = relaxed.pred("a player", 1);
    for &role in &relations.roles {
        let head = Atom {
            pred: player,
            args: vec![Pattern::Ground(role)],
        };
        relaxed.add(Clause {
            head,
            body: Vec::new(),
            variables: 0,
        });
    }
    let move_of_player = relaxed.pred("move of a player", 2);
    let args = vec![Pattern::Var(0), Pattern::Var(1)];
    let legal = Literal::Positive(Atom {
        pred: relations.legal,
        args: args.clone(),
    });
    let is_player = Literal::Positive(Atom {
        pred: player,
        args: args[..1].to_vec(),
    });
    relaxed.add(Clause {
        head: Atom {
            pred: move_of_player,
            args,
        },
        body: vec![legal, is_player],
        variables: 2,
    });
    add_rules_for(relaxed, &relations.input, move_of_player, true);
}

/// Derives each relation of `given` from `source`, a relation of whole terms, whose first column may be the role.
fn add_rules_for(relaxed: &mut Program, given: &InputRelations, source: Pred, has_role: bool) {
    let mut by_functor: Vec<(Functor, Pred)> = given
        .by_functor
        .iter()
        .map(|(&functor, &pred)| (functor, pred))
        .collect();
    by_functor.sort_unstable();
    let front = usize::from(has_role);
    for (functor, pred) in by_functor {
        let columns: Vec<Pattern> = (0..relaxed.arity(pred)).map(Pattern::Var).collect();
        let subject = fact_of(&mut relaxed.terms, functor, &columns[front..]);
        add_input_rule(relaxed, source, pred, columns, front, subject);
    }
    if let Some(pred) = given.whole_terms {
        let columns: Vec<Pattern> = (0..=front).map(Pattern::Var).collect();
        add_input_rule(relaxed, source, pred, columns, front, Pattern::Var(front));
    }
}

fn add_input_rule(
    relaxed: &mut Program,
    source: Pred,
    pred: Pred,
    columns: Vec<Pattern>,
    front: usize,
    subject: Pattern,
) {
    let variables = columns.len();
    let args = columns[..front].iter().cloned().chain([subject]).collect();
    let body = vec![Literal::Positive(Atom { pred: source, args })];
    relaxed.add(Clause {
        head: Atom {
            pred,
            args: columns,
        },
        body,
        variables,
    });
}
