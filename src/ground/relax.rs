//! A program in which everything that can ever happen happens at once.

use rustc_hash::FxHashSet;

use super::demand::add_restricted;
use super::lasting::fact_of;
use crate::datalog::{Atom, Clause, Functor, Literal, Pattern, Pred, Program};
use crate::gdl::{Given, Words};

/// The relaxed program, and how to find the instances of each clause in it.
pub(super) struct Relaxed {
    pub(super) program: Program,
    /// Each clause about what changes.
    pub(super) clauses: Vec<Instances>,
    /// The relations all of whose rows are wanted.
    pub(super) asked: Vec<Pred>,
    /// All relations that change.
    pub(super) changing: Vec<Pred>,
    /// The relations of which only the rows that are asked for can be derived.
    pub(super) restricted: FxHashSet<Pred>,
}

/// A clause about what changes, and how to find its instances.
pub(super) struct Instances {
    /// The literals about what changes, their variables numbered from 0.
    pub(super) body: Vec<Literal>,
    /// How many variables these literals mention.
    pub(super) width: usize,
    /// Where the clause is nothing but one literal with the same columns in some order: for each of these variables, the
    /// column of the head that has its value.
    pub(super) copied: Option<Vec<usize>>,
    /// The relaxed clause. The columns of its head are those of the clause's head, and one for each of these variables.
    pub(super) finder: Clause,
}

/// Relaxes `program`: inputs become whatever can come up, and absence of what changes is not asked. `recursions` are as
/// in [`add_restricted`].
pub(super) fn relax(
    program: &Program,
    words: &Words,
    changing: &[bool],
    recursions: &[FxHashSet<Pred>],
) -> Relaxed {
    let mut relaxed = program.without_clauses();
    for pred in program.preds() {
        relaxed.declare_input(pred, 0);
    }
    let mut clauses = Vec::new();
    let mut all = Vec::with_capacity(program.clauses().len());
    for clause in program.clauses() {
        if changing[clause.head.pred.index()] {
            all.push(without_absence(clause, changing));
            clauses.push(instances(clause, changing));
        } else {
            all.push(clause.clone());
        }
    }
    let restricted = add_restricted(&mut relaxed, all, recursions);
    feed_facts(&mut relaxed, words);
    feed_moves(&mut relaxed, words);
    Relaxed {
        asked: asked(&relaxed, words, changing),
        changing: program
            .preds()
            .filter(|pred| changing[pred.index()])
            .collect(),
        program: relaxed,
        clauses,
        restricted,
    }
}

/// The relations that say what can happen, and those that change and help to derive them.
fn asked(relaxed: &Program, words: &Words, changing: &[bool]) -> Vec<Pred> {
    let given = words
        .given
        .spread
        .values()
        .chain(words.done.spread.values());
    let whole = words.given.whole.into_iter().chain(words.done.whole);
    let mut asked = vec![
        words.init,
        words.next,
        words.legal,
        words.goal,
        words.terminal,
    ];
    asked.extend(given.copied().chain(whole));
    let mut seen: FxHashSet<Pred> = asked.iter().copied().collect();
    let mut at = 0;
    while let Some(&pred) = asked.get(at) {
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
                asked.push(atom.pred);
            }
        }
    }
    asked
}

/// A clause that does not ask for the absence of what changes.
fn without_absence(clause: &Clause, changing: &[bool]) -> Clause {
    let is_kept = |literal: &&Literal| !matches!(literal, Literal::Negative(atom) if changing[atom.pred.index()]);
    Clause {
        head: clause.head.clone(),
        body: clause.body.iter().filter(is_kept).cloned().collect(),
        variables: clause.variables,
    }
}

fn instances(clause: &Clause, changing: &[bool]) -> Instances {
    let kept = variables_that_matter(clause, changing);
    let mut finder = without_absence(clause, changing);
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

/// For each of the `kept` variables, the column of the head that has its value, if a clause says no more than that its
/// head holds where another sentence about what changes does, which has nothing but variables and whole terms in its
/// columns.
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

/// A literal with what `value` gives in place of its variables.
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
fn feed_facts(relaxed: &mut Program, words: &Words) {
    for source in [words.init, words.next] {
        feed(relaxed, &words.given, source, false);
    }
}

/// Every move of a player that can be legal can be made.
fn feed_moves(relaxed: &mut Program, words: &Words) {
    // No rule file has a relation of two words.
    let player = relaxed.pred("a player", 1);
    for &role in &words.roles {
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
        pred: words.legal,
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
    feed(relaxed, &words.done, move_of_player, true);
}

/// Derives each relation of `given` from `source`, a relation of whole terms, with a role in front or not.
fn feed(relaxed: &mut Program, given: &Given, source: Pred, has_role: bool) {
    let mut spread: Vec<(Functor, Pred)> = given
        .spread
        .iter()
        .map(|(&functor, &pred)| (functor, pred))
        .collect();
    spread.sort_unstable();
    let front = usize::from(has_role);
    for (functor, pred) in spread {
        let columns: Vec<Pattern> = (0..relaxed.arity(pred)).map(Pattern::Var).collect();
        let subject = fact_of(&mut relaxed.terms, functor, &columns[front..]);
        add_feed(relaxed, source, pred, columns, front, subject);
    }
    if let Some(pred) = given.whole {
        let columns: Vec<Pattern> = (0..=front).map(Pattern::Var).collect();
        add_feed(relaxed, source, pred, columns, front, Pattern::Var(front));
    }
}

fn add_feed(
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
