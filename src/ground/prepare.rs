//! Rewriting, relaxed reachability and query planning: everything before the first sentence is instantiated.

use rustc_hash::FxHashSet;

use super::budget::GroundingBudget;
use super::decompose::{Decomposed, decompose};
use super::flatten::flatten_arguments;
use super::inline::inline;
use super::instantiate::Clauses;
use super::irrelevant::{IrrelevantByRelation, find_irrelevant_arguments};
use super::relaxed_reachability::{Instances, RelaxedProgram, relaxed_program};
use super::split_rules::split_rules;
use super::static_facts::replace_static_facts;
use super::thresholds::Thresholds;
use super::unique_facts::{UniqueFacts, look_up_unique_facts};
use super::{GroundError, PropositionRelations, queried_relations};
use crate::datalog::{
    DatalogEngine, DatalogError, DependencyComponent, EvaluationLimits, Functor, Literal, Pred,
    Program, stratify,
};
use crate::gdl::{GdlRelations, Rules, translate};

/// Rules as a program.
pub(super) struct RulesToGround {
    program: Program,
    relations: GdlRelations,
    static_functors: Vec<Functor>,
    /// The facts that are assumed to be unique.
    pub(super) assumed: Vec<UniqueFacts>,
}

impl RulesToGround {
    /// The rules as they are.
    pub(super) fn new(rules: &Rules) -> Self {
        let (mut program, mut relations) = translate(rules);
        let static_functors = replace_static_facts(&mut program, &mut relations);
        Self {
            program,
            relations,
            static_functors,
            assumed: Vec::new(),
        }
    }

    /// The same, of which some look up unique facts, where that helps.
    pub(super) fn with_lookups(
        rules: &Rules,
        thresholds: &Thresholds,
        budget: &mut GroundingBudget,
    ) -> Result<Self, GroundError> {
        let plain = Self::new(rules);
        let (program, relations) = (&plain.program, &plain.relations);
        let components = stratify(program).map_err(DatalogError::from)?;
        let changing = changing(program, &components);
        let kept = plain.kept();
        let found = look_up_unique_facts(program, relations, &changing, &kept, thresholds, budget)?;
        Ok(match found {
            Some((program, assumed)) => Self {
                program,
                assumed,
                ..plain
            },
            None => plain,
        })
    }

    /// The relations that stay as they are.
    fn kept(&self) -> Vec<Pred> {
        let queried = queried_relations(&self.relations);
        [&queried[..], &[self.relations.init]].concat()
    }
}

/// Rules ready to be instantiated.
pub(super) struct Prepared {
    /// The rules, rewritten and decomposed.
    pub(super) program: Program,
    /// The relations that stand for GDL's keywords in it.
    pub(super) relations: GdlRelations,
    /// The functors of static facts.
    pub(super) static_functors: Vec<Functor>,
    /// The relaxed program, evaluated.
    pub(super) engine: DatalogEngine,
    /// For each relation, the planned queries for the instances of its clauses; `None` for base and input relations.
    pub(super) clauses: Vec<Option<Clauses>>,
    /// The irrelevant arguments.
    pub(super) irrelevant: IrrelevantByRelation,
    /// The facts that are assumed to be unique.
    pub(super) assumed: Vec<UniqueFacts>,
}

impl Prepared {
    pub(super) fn new(
        rules: RulesToGround,
        limits: &EvaluationLimits,
        thresholds: &Thresholds,
        budget: &mut GroundingBudget,
    ) -> Result<Self, GroundError> {
        let kept = rules.kept();
        let RulesToGround {
            program,
            relations,
            static_functors,
            assumed,
        } = rules;
        let decomposed = rewritten(&program, &kept, thresholds, budget)?;
        let (mut relaxed, changing) = relaxed(&decomposed, &relations)?;
        let program = decomposed.program;
        let irrelevant = find_irrelevant_arguments(
            &program,
            &changing,
            &kept,
            thresholds,
            &mut relaxed,
            budget,
        )?;
        let [rows, _] = limits.static_rows;
        let limits = EvaluationLimits {
            static_rows: [rows, thresholds.recursion_rows],
            time: budget.time_left(),
            ..limits.clone()
        };
        let mut engine = DatalogEngine::new(relaxed.program, &relaxed.queried, limits)?;
        engine.limit_time(budget.time_left());
        engine.derive_static_below(&relaxed.changing, thresholds.sizing_rows, false)?;
        engine.limit_time(budget.time_left());
        engine.derive_static_below(
            &distinguishing_relations(&irrelevant),
            thresholds.distinguishing_rows,
            true,
        )?;
        engine.limit_time(budget.time_left());
        let clauses = queries(&mut engine, relaxed.clauses, &program, &relations);
        Ok(Self {
            program,
            relations,
            static_functors,
            engine,
            clauses,
            irrelevant,
            assumed,
        })
    }
}

/// The relaxed program, and for each relation whether it changes.
pub(super) fn relaxed(
    decomposed: &Decomposed,
    relations: &GdlRelations,
) -> Result<(RelaxedProgram, Vec<bool>), GroundError> {
    let Decomposed { program, ranges } = decomposed;
    let components = stratify(program).map_err(DatalogError::from)?;
    let mut changing = changing(program, &components);
    // The relations that a game is queried for are instantiated even where they are static.
    queried_relations(relations)
        .iter()
        .for_each(|pred| changing[pred.index()] = true);
    // Ranges only bound the values of variables: they are evaluated on the relaxation, never on a state.
    ranges
        .iter()
        .for_each(|pred| changing[pred.index()] = false);
    let recursions = recursions(program, relations, &components);
    Ok((
        relaxed_program(program, relations, &changing, &recursions),
        changing,
    ))
}

/// An equivalent program with fewer instances.
fn rewritten(
    program: &Program,
    kept: &[Pred],
    thresholds: &Thresholds,
    budget: &mut GroundingBudget,
) -> Result<Decomposed, GroundError> {
    let program = inline(program, kept, thresholds, budget)?;
    let program = split_rules(&flatten_arguments(&program, kept), kept, thresholds);
    decompose(&program, thresholds, budget)
}

/// For each relation, the planned queries for the instances of its clauses; `None` for base and input relations.
fn queries(
    engine: &mut DatalogEngine,
    clauses: Vec<Instances>,
    program: &Program,
    relations: &GdlRelations,
) -> Vec<Option<Clauses>> {
    let sources = PropositionRelations::new(relations);
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

/// The relations that say which values are distinguished.
fn distinguishing_relations(irrelevant: &IrrelevantByRelation) -> Vec<Pred> {
    let all = irrelevant.values().flatten();
    let mut names: Vec<Pred> = all
        .flat_map(|of| {
            of.domains
                .iter()
                .map(|&(_, domain)| domain)
                .chain([of.distinguished])
        })
        .collect();
    names.sort_unstable();
    names
}

/// For each predicate, whether it depends on the state or the joint move.
fn changing(program: &Program, components: &[DependencyComponent]) -> Vec<bool> {
    let mut changing = vec![false; program.pred_count()];
    for component in components {
        for pred in &component.preds {
            changing[pred.index()] = component.level > 0;
        }
    }
    changing
}

/// The recursive components that depend on the state or the joint move and that no rule negates.
fn recursions(
    program: &Program,
    relations: &GdlRelations,
    components: &[DependencyComponent],
) -> Vec<FxHashSet<Pred>> {
    let bodies = program.clauses().iter().flat_map(|clause| &clause.body);
    let negated = bodies.filter_map(|literal| match literal {
        Literal::Negative(atom) => Some(atom.pred),
        _ => None,
    });
    let roots = [
        relations.next,
        relations.legal,
        relations.goal,
        relations.terminal,
    ];
    let not_these: FxHashSet<Pred> = negated.chain(roots).collect();
    let is_out = |of: &DependencyComponent| of.preds.iter().any(|pred| not_these.contains(pred));
    components
        .iter()
        .filter(|of| of.recursive && of.level > 0 && !is_out(of))
        .map(|of| of.preds.iter().copied().collect())
        .collect()
}
