//! Everything that comes before the first sentence is looked up.

use rustc_hash::FxHashSet;

use super::budget::Budget;
use super::cases::split_cases;
use super::decompose::{Decomposed, decompose};
use super::indifferent::{AllIndifferent, find_indifferent};
use super::lasting::settle_lasting;
use super::relax::{Instances, Relaxed, relax};
use super::resolve::Clauses;
use super::spread::spread;
use super::tuning::Tuning;
use super::unfold::unfold;
use super::{GroundError, Sources, asked};
use crate::datalog::{
    Component, Engine, EngineError, Functor, Limits, Literal, Pred, Program, stratify,
};
use crate::gdl::{Rules, Words, translate};

/// Rules ready to be spelt out.
pub(super) struct Prepared {
    /// The rules, rewritten and decomposed.
    pub(super) program: Program,
    /// Where GDL's words went in it.
    pub(super) words: Words,
    /// The functors of facts that last.
    pub(super) lasting: Vec<Functor>,
    /// What can happen at all, in the relaxed program.
    pub(super) engine: Engine,
    /// For each relation, the clauses that derive it, ready to be asked; `None` if its sentences come from outside.
    pub(super) clauses: Vec<Option<Clauses>>,
    /// Where values make no difference.
    pub(super) indifferent: AllIndifferent,
}

impl Prepared {
    pub(super) fn new(
        rules: &Rules,
        limits: &Limits,
        tuning: &Tuning,
        budget: &mut Budget,
    ) -> Result<Self, GroundError> {
        let (mut program, mut words) = translate(rules);
        let lasting = settle_lasting(&mut program, &mut words);
        let kept = [&asked(&words)[..], &[words.init]].concat();
        let decomposed = rewritten(&program, &kept, tuning, budget)?;
        let (mut relaxed, changing) = relaxed(&decomposed, &words)?;
        let program = decomposed.program;
        let indifferent =
            find_indifferent(&program, &changing, &kept, tuning, &mut relaxed, budget)?;
        let mut engine = Engine::new(relaxed.program, &relaxed.asked, limits.clone())?;
        engine.limit_time(budget.time_left());
        engine.look_below(&relaxed.changing, tuning.look_below, false)?;
        engine.limit_time(budget.time_left());
        engine.look_below(&names_in(&indifferent), tuning.look_for_differences, true)?;
        engine.limit_time(budget.time_left());
        let clauses = queries(&mut engine, relaxed.clauses, &program, &words);
        Ok(Self {
            program,
            words,
            lasting,
            engine,
            clauses,
            indifferent,
        })
    }
}

/// The relaxed program, and for each relation whether it changes.
pub(super) fn relaxed(
    decomposed: &Decomposed,
    words: &Words,
) -> Result<(Relaxed, Vec<bool>), GroundError> {
    let Decomposed { program, ranges } = decomposed;
    let components = stratify(program).map_err(EngineError::from)?;
    let mut changing = changing(program, &components);
    // What a game is asked for is spelt out even where it is always the same.
    asked(words)
        .iter()
        .for_each(|pred| changing[pred.index()] = true);
    // What only says which values come up is asked of what can happen, and never of a state.
    ranges
        .iter()
        .for_each(|pred| changing[pred.index()] = false);
    let recursions = recursions(program, words, &components);
    Ok((relax(program, words, &changing, &recursions), changing))
}

/// A program with the same meaning that takes less to be spelt out.
fn rewritten(
    program: &Program,
    kept: &[Pred],
    tuning: &Tuning,
    budget: &mut Budget,
) -> Result<Decomposed, GroundError> {
    let program = unfold(program, kept, tuning, budget)?;
    let program = split_cases(&spread(&program, kept), kept, tuning);
    decompose(&program, tuning, budget)
}

/// For each relation, the clauses that derive it, ready to be asked; `None` if its sentences come from outside.
fn queries(
    engine: &mut Engine,
    clauses: Vec<Instances>,
    program: &Program,
    words: &Words,
) -> Vec<Option<Clauses>> {
    let sources = Sources::new(words);
    let is_given = |pred: Pred| sources.contains(pred);
    let mut of_pred: Vec<Option<Clauses>> = program
        .preds()
        .map(|pred| (!is_given(pred)).then(Vec::new))
        .collect();
    for instances in clauses {
        let pred = instances.finder.head.pred;
        let query = engine.query(&instances.finder, program.arity(pred));
        if let Some(of) = &mut of_pred[pred.index()] {
            of.push((instances, query));
        }
    }
    of_pred
}

/// The relations that tell values apart.
fn names_in(indifferent: &AllIndifferent) -> Vec<Pred> {
    let all = indifferent.values().flatten();
    let mut names: Vec<Pred> = all
        .flat_map(|of| {
            of.kinds
                .iter()
                .map(|&(_, kind)| kind)
                .chain([of.told_apart])
        })
        .collect();
    names.sort_unstable();
    names
}

/// For each predicate, whether it depends on the state or the joint move.
fn changing(program: &Program, components: &[Component]) -> Vec<bool> {
    let mut changing = vec![false; program.pred_count()];
    for component in components {
        for pred in &component.preds {
            changing[pred.index()] = component.level > 0;
        }
    }
    changing
}

/// The relations that rest on themselves and on what changes, and that are only asked for by rules that need them to
/// hold; those that rest on each other together.
fn recursions(program: &Program, words: &Words, components: &[Component]) -> Vec<FxHashSet<Pred>> {
    let bodies = program.clauses().iter().flat_map(|clause| &clause.body);
    let denied = bodies.filter_map(|literal| match literal {
        Literal::Negative(atom) => Some(atom.pred),
        _ => None,
    });
    let roots = [words.next, words.legal, words.goal, words.terminal];
    let not_these: FxHashSet<Pred> = denied.chain(roots).collect();
    let is_out = |of: &Component| of.preds.iter().any(|pred| not_these.contains(pred));
    components
        .iter()
        .filter(|of| of.recursive && of.level > 0 && !is_out(of))
        .map(|of| of.preds.iter().copied().collect())
        .collect()
}
