//! Grounding: rules with variables become rules over the propositions that can ever hold.
//!
//! The steps are those of a planner's or an answer set solver's grounder:
//!
//! 1. Static facts (`static_facts`) of the state become ordinary facts of the program.
//! 2. The program is rewritten so that instantiating it costs less: rules look up unique facts (`unique_facts`) where that may be
//!    assumed, wide relations are inlined (`inline`), compound
//!    terms flattened (`flatten`), rules of wide relations split (`split_rules`), and rules with many variables
//!    decomposed (`decompose`) by bucket elimination.
//! 3. Relaxed reachability (`relaxed_reachability`) (delete relaxation): everything that can become true becomes true
//!    and stays true, and negative conditions on the state are ignored. Datalog computes this fixpoint; recursions that
//!    are only queried with bound arguments are restricted by magic sets (`magic_sets`).
//! 4. From `next`, `legal`, `goal` and `terminal` backwards, rules are instantiated (`instantiate`) with the rows of that
//!    fixpoint. What is static is evaluated away, equivalent sentences are merged, and what no query depends on is never
//!    instantiated. Rows that differ only in irrelevant arguments (`irrelevant`) share one representative.
//!
//! ```text
//! Rules ─translate─▶ Program ─look up, inline, flatten, split, decompose─▶ Program ─relaxed reachability─▶ Program without inputs ─datalog─▶ rows ─instantiate─▶ Ground
//! ```
//!
//! Sources: Helmert, *Concise finite-domain representations for PDDL planning tasks* (Artificial Intelligence 2009), for
//! relaxed reachability by Datalog and for splitting rules; Kaufmann, Leone, Perri and Schaub, *Grounding and solving in
//! answer set programming* (AI Magazine 2016).

mod assemble;
mod budget;
mod decompose;
mod dependencies;
mod flatten;
mod inline;
mod instantiate;
mod irrelevant;
mod magic_sets;
mod possible;
mod prepare;
mod propositions;
mod relaxed_reachability;
mod split_rules;
mod static_facts;
mod store;
mod thresholds;
mod unique_facts;

#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter};
use std::time::{Duration, Instant};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use self::assemble::assemble;
use self::budget::{GroundingBudget, time_with_assumptions};
use self::instantiate::Instantiator;
use self::irrelevant::Representatives;
use self::prepare::{Prepared, RulesToGround};
use self::store::{Definitions, SentenceTable};
use self::thresholds::Thresholds;
use self::unique_facts::UniqueFacts;
use crate::datalog::{EvaluationLimits, Functor, Pattern, Pred, Program, TermId, Terms};
use crate::gdl::{GdlRelations, Rules, locate};

pub use budget::{GroundError, startup_limits};
pub use dependencies::{RulesByHead, SentenceDependencies};
pub use possible::{possible_bodies, possible_values};
pub use propositions::{Proposition, PropositionRelations};

/// A sentence without variables that may hold in some state: its relation and its arguments.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Sentence {
    /// The relation.
    pub pred: Pred,
    /// The arguments.
    pub args: Vec<TermId>,
}

/// A sentence's number in [`Ground::sentences`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SentenceId(pub u32);

/// The head holds where every sentence of `holds` does and none of `fails`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct GroundRule {
    /// What is derived.
    pub head: SentenceId,
    /// What must hold, in increasing order.
    pub holds: Vec<SentenceId>,
    /// What must not hold, in increasing order; only sentences that may hold are listed.
    pub fails: Vec<SentenceId>,
}

/// A game without variables.
#[derive(Debug)]
pub struct Ground {
    /// The relations that stand for GDL's keywords.
    pub relations: GdlRelations,
    /// The relations that the sentences name, decomposed.
    pub program: Program,
    /// All terms.
    pub terms: Terms,
    /// Every sentence that may hold and whose truth depends on the state or the joint move.
    pub sentences: IndexSet<Sentence, FxBuildHasher>,
    /// Every rule that may apply, without repetition. Inputs (`true`, `does`) head none.
    pub rules: Vec<GroundRule>,
    /// The rules of each sentence.
    pub by_head: RulesByHead,
    /// The rows of `init`: the facts of the initial state.
    pub initial: Vec<TermId>,
    /// Sets of facts of which at most one is assumed to hold in every reachable state. The rules are those of the game only if
    /// that is so.
    pub assumed: Vec<Vec<TermId>>,
    /// Static facts: they hold in the initial state and in every other one, and no ground rule mentions them.
    pub static_facts: Vec<TermId>,
}

/// The limit on the depth of terms. Deeper terms are assumed to grow without end: in nearly three hundred known games the
/// depth is at most two.
const DEEPEST: u8 = 200;

/// What grounding may assume of the reachable states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GroundingAssumptions {
    /// Nothing: the rules are equivalent in all states.
    None,
    /// That some facts are unique ([`Ground::assumed`]).
    UniqueFacts,
}

/// Grounds checked rules within `limits`: `rows` bounds the conditions of all rules as well, and `time` all of the work.
///
/// # Errors
/// [`GroundError`] where a limit is exceeded.
pub fn ground(rules: &Rules, limits: &EvaluationLimits) -> Result<Ground, GroundError> {
    ground_assuming(rules, limits, GroundingAssumptions::None)
}

/// The same, with assumptions that let rules have fewer instances. They must be proved on these rules, by induction over the
/// plies. Where something is assumed, half of the time must do, so that there is some left for grounding without.
///
/// # Errors
/// [`GroundError`] where a limit is exceeded: [`GroundError::WithLookups`] where that may be because of what is assumed.
pub fn ground_assuming(
    rules: &Rules,
    limits: &EvaluationLimits,
    assumptions: GroundingAssumptions,
) -> Result<Ground, GroundError> {
    let limits = &EvaluationLimits {
        depth: limits.depth.min(DEEPEST),
        ..limits.clone()
    };
    let ground = ground_within(rules, limits, &Thresholds::default(), assumptions);
    ground.map_err(|why| readable(why, rules, limits.time))
}

/// Why rules were not grounded, with the line where that is known, and the time that all of the work had.
fn readable(why: GroundError, rules: &Rules, time: Duration) -> GroundError {
    match why {
        GroundError::WithLookups(why) => {
            GroundError::WithLookups(Box::new(readable(*why, rules, time_with_assumptions(time))))
        }
        why if why.is_out_of_time() => GroundError::Time(time),
        GroundError::Datalog(error) => GroundError::Datalog(locate(error, rules)),
        why => why,
    }
}

fn ground_within(
    rules: &Rules,
    limits: &EvaluationLimits,
    thresholds: &Thresholds,
    assumptions: GroundingAssumptions,
) -> Result<Ground, GroundError> {
    let mut budget = GroundingBudget::new(limits.clone(), Instant::now());
    let rules = match assumptions {
        GroundingAssumptions::None => RulesToGround::new(rules),
        GroundingAssumptions::UniqueFacts => {
            RulesToGround::with_lookups(rules, thresholds, &mut budget)?
        }
    };
    if rules.assumed.is_empty() {
        return instantiated(rules, limits, thresholds, budget);
    }
    budget.assume();
    let ground = instantiated(rules, limits, thresholds, budget);
    ground.map_err(|why| GroundError::WithLookups(Box::new(why)))
}

fn instantiated(
    rules: RulesToGround,
    limits: &EvaluationLimits,
    thresholds: &Thresholds,
    mut budget: GroundingBudget,
) -> Result<Ground, GroundError> {
    let prepared = Prepared::new(rules, limits, thresholds, &mut budget)?;
    let Prepared {
        engine,
        program,
        relations,
        ..
    } = prepared;
    let mut instantiator = Instantiator {
        memory: engine.memory(),
        engine: &engine,
        clauses: &prepared.clauses,
        sentences: SentenceTable::default(),
        values: Vec::new(),
        definitions: Definitions::default(),
        budget,
        representatives: Representatives::new(prepared.irrelevant, &engine),
        row: Vec::new(),
        simplified: Vec::new(),
        solutions: Vec::new(),
    };
    let mut roots = Vec::new();
    for pred in queried_relations(&relations) {
        for row in engine.static_rows(pred).into_iter().flatten() {
            roots.push(instantiator.instantiate(pred, row)?);
        }
    }
    let (sentences, rules) = assemble(&instantiator, &roots);
    let initial = engine.static_rows(relations.init).into_iter().flatten();
    let initial: Vec<TermId> = initial.map(|row| row[0]).collect();
    let terms = instantiator.memory.terms().clone();
    let is_static = |fact: &&TermId| prepared.static_functors.contains(&terms.functor_of(**fact));
    let assumed = prepared.assumed.iter();
    let assumed = assumed.map(|unique| facts_of(unique, &initial, &relations, &sentences, &terms));
    Ok(Ground {
        assumed: assumed.collect(),
        static_facts: initial.iter().filter(is_static).copied().collect(),
        initial,
        relations,
        program,
        terms,
        by_head: RulesByHead::new(&rules, sentences.len()),
        sentences,
        rules,
    })
}

/// The unique facts that can ever hold.
fn facts_of(
    unique: &UniqueFacts,
    initial: &[TermId],
    relations: &GdlRelations,
    sentences: &IndexSet<Sentence, FxBuildHasher>,
    terms: &Terms,
) -> Vec<TermId> {
    let next = sentences.iter().filter(|of| of.pred == relations.next);
    let mut facts: Vec<TermId> = initial.to_vec();
    facts.extend(next.map(|of| of.args[0]));
    facts.retain(|fact| unique.contain(terms.functor_of(*fact), terms.args_of(*fact)));
    facts.sort_unstable();
    facts.dedup();
    facts
}

/// The relations that a game is queried for.
fn queried_relations(relations: &GdlRelations) -> [Pred; 4] {
    [
        relations.next,
        relations.legal,
        relations.goal,
        relations.terminal,
    ]
}

/// The value of a pattern whose variables have the values in `row`; `None` for a term that does not exist.
fn value_of(pattern: &Pattern, row: &[TermId], terms: &Terms) -> Option<TermId> {
    match pattern {
        Pattern::Var(variable) => Some(row[*variable]),
        Pattern::Ground(term) => Some(*term),
        Pattern::Compound(functor, args) => {
            let args: Option<Vec<TermId>> =
                args.iter().map(|arg| value_of(arg, row, terms)).collect();
            terms.find(*functor, &args?)
        }
    }
}

impl Ground {
    /// A sentence in KIF, as in `(true (cell 1 1 b))`.
    pub fn text(&self, id: SentenceId) -> String {
        let Sentence { pred, args } = &self.sentences[id.0 as usize];
        let args: Vec<String> = args.iter().map(|&arg| self.terms.text(arg)).collect();
        if let Some((keyword, functor)) = self.keyword_of(*pred) {
            return self.proposition_text(keyword, functor, &args);
        }
        let name = self.program.name(*pred);
        if args.is_empty() {
            name.to_owned()
        } else {
            format!("({name} {})", args.join(" "))
        }
    }

    /// The keyword and the functor of a base or input relation.
    fn keyword_of(&self, pred: Pred) -> Option<(&'static str, Functor)> {
        let kinds = [
            ("true", &self.relations.base),
            ("does", &self.relations.input),
        ];
        kinds.into_iter().find_map(|(keyword, relations)| {
            let functor = relations.by_functor.iter().find(|(_, of)| **of == pred)?.0;
            Some((keyword, *functor))
        })
    }

    fn proposition_text(&self, keyword: &str, functor: Functor, args: &[String]) -> String {
        let (front, inner) = args.split_at(usize::from(keyword == "does"));
        let name = self.terms.functor_name(functor);
        let is_word = inner.is_empty()
            && self
                .terms
                .find(functor, &[])
                .is_some_and(|t| self.terms.text(t) == name);
        let subject = if is_word {
            name.to_owned()
        } else {
            format!("({})", [&[name.to_owned()], inner].concat().join(" "))
        };
        format!(
            "({})",
            [&[keyword.to_owned()], front, &[subject]]
                .concat()
                .join(" ")
        )
    }
}

impl Display for Ground {
    /// One rule a line, in KIF.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for rule in &self.rules {
            write!(f, "(<= {}", self.text(rule.head))?;
            rule.holds
                .iter()
                .try_for_each(|&id| write!(f, " {}", self.text(id)))?;
            rule.fails
                .iter()
                .try_for_each(|&id| write!(f, " (not {})", self.text(id)))?;
            writeln!(f, ")")?;
        }
        Ok(())
    }
}
