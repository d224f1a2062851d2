//! Rules without variables, over the facts that can ever hold.
//!
//! Grounding asks what could happen if everything did: facts that hold at the start, whatever some move can make true,
//! and moves that may become legal are collected to a fix-point in which conditions on the *absence* of changing facts
//! are ignored. Then each sentence that a game is asked for (what is legal, what holds next, the goals, the end) is
//! traced back to facts and moves: the clauses that derive it, instantiated with the rows so found, become
//! [`GroundRule`]s. What never changes is decided on the way and leaves no trace, sentences that mean the same are one,
//! and what nothing asks for is never looked at.
//!
//! Facts that last from the beginning to the end of the game are settled before.
//!
//! A clause in which many variables meet would be instantiated once for every combination of them. So clauses are first
//! decomposed along their variables: a variable that only few literals share is settled in a relation of
//! its own. Before, wide relations that only gather others are spelt out, terms of one form are taken apart, and what
//! wide relations say is split into cases. Sentences that differ only in values that make no difference are settled
//! once.
//!
//! ```text
//! Rules ─translate─▶ Program ─unfold, spread, split, decompose─▶ Program ─relax─▶ Program without inputs ─datalog─▶ rows ─resolve─▶ Ground
//! ```

mod assemble;
mod budget;
mod cases;
mod decompose;
mod demand;
mod indifferent;
mod lasting;
mod prepare;
mod relax;
mod resolve;
mod sources;
mod spread;
mod store;
mod tuning;
mod unfold;

#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter};
use std::time::Instant;

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use self::assemble::assemble;
use self::budget::Budget;
use self::indifferent::Spokesmen;
use self::prepare::Prepared;
use self::resolve::Resolver;
use self::store::{Definitions, Sentences};
use self::tuning::Tuning;
use crate::datalog::{
    EngineError, Exhausted, Functor, Limits, Pattern, Pred, Program, TermId, Terms,
};
use crate::gdl::{Rules, Words};

pub use budget::{GroundError, startup_limits};
pub use sources::{Source, Sources};

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
    /// Where GDL's words went.
    pub words: Words,
    /// The relations that the sentences name, decomposed.
    pub program: Program,
    /// All terms.
    pub terms: Terms,
    /// Every sentence that may hold and is not settled by the rules alone.
    pub sentences: IndexSet<Sentence, FxBuildHasher>,
    /// Every rule that may apply, without repetition. Inputs (`true`, `does`) head none.
    pub rules: Vec<GroundRule>,
    /// The rows of `init`: the facts of the initial state.
    pub initial: Vec<TermId>,
    /// Facts of the initial state that hold in every other one too, and that no rule asks for any more.
    pub lasting: Vec<TermId>,
}

/// Terms nested deeper than this are taken to grow without end: those of nearly three hundred known games are two deep.
const DEEPEST: u8 = 200;

/// Grounds checked rules within `limits`: `rows` bounds the conditions of all rules as well, and `time` all of the work.
///
/// # Errors
/// [`GroundError`] where more can happen than the limits allow.
pub fn ground(rules: &Rules, limits: &Limits) -> Result<Ground, GroundError> {
    let limits = &Limits {
        depth: limits.depth.min(DEEPEST),
        ..limits.clone()
    };
    ground_within(rules, limits, &Tuning::default()).map_err(|why| match why {
        GroundError::Engine(EngineError::Exhausted(Exhausted::Time(_))) => {
            GroundError::Time(limits.time)
        }
        why => why,
    })
}

fn ground_within(rules: &Rules, limits: &Limits, tuning: &Tuning) -> Result<Ground, GroundError> {
    let mut budget = Budget::new(limits.clone(), Instant::now());
    let prepared = Prepared::new(rules, limits, tuning, &mut budget)?;
    let Prepared {
        engine,
        program,
        words,
        ..
    } = prepared;
    let mut resolver = Resolver {
        memory: engine.memory(),
        engine: &engine,
        clauses: &prepared.clauses,
        sentences: Sentences::default(),
        values: Vec::new(),
        definitions: Definitions::default(),
        budget,
        spokesmen: Spokesmen::new(prepared.indifferent, &engine),
        row: Vec::new(),
        settled: Vec::new(),
        solutions: Vec::new(),
    };
    let mut roots = Vec::new();
    for pred in asked(&words) {
        for row in engine.fixed_rows(pred).into_iter().flatten() {
            roots.push(resolver.resolve(pred, row)?);
        }
    }
    let (sentences, rules) = assemble(&resolver, &roots);
    let initial = engine.fixed_rows(words.init).into_iter().flatten();
    let initial: Vec<TermId> = initial.map(|row| row[0]).collect();
    let terms = resolver.memory.terms().clone();
    let lasts = |fact: &&TermId| prepared.lasting.contains(&terms.functor_of(**fact));
    Ok(Ground {
        lasting: initial.iter().filter(lasts).copied().collect(),
        initial,
        words,
        program,
        terms,
        sentences,
        rules,
    })
}

/// What a game is asked for.
fn asked(words: &Words) -> [Pred; 4] {
    [words.next, words.legal, words.goal, words.terminal]
}

/// The value of a pattern whose variables have the values in `row`; `None` for a term that cannot come up.
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
        if let Some((keyword, functor)) = self.given(*pred) {
            return self.given_text(keyword, functor, &args);
        }
        let name = self.program.name(*pred);
        if args.is_empty() {
            name.to_owned()
        } else {
            format!("({name} {})", args.join(" "))
        }
    }

    /// The keyword and the functor of a relation of facts or of moves.
    fn given(&self, pred: Pred) -> Option<(&'static str, Functor)> {
        let kinds = [("true", &self.words.given), ("does", &self.words.done)];
        kinds.into_iter().find_map(|(keyword, given)| {
            let functor = given.spread.iter().find(|(_, of)| **of == pred)?.0;
            Some((keyword, *functor))
        })
    }

    fn given_text(&self, keyword: &str, functor: Functor, args: &[String]) -> String {
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
