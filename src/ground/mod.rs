//! Rules without variables, over the facts that can ever hold.
//!
//! Grounding asks what could happen if everything did: facts that hold at the start, whatever some move can make true,
//! and moves that may become legal are collected to a fix-point in which conditions on the *absence* of changing facts
//! are ignored. Each clause, instantiated with the rows so found, becomes a [`GroundRule`]; what never changes is decided
//! on the way and leaves no trace.
//!
//! A clause in which many variables meet would be instantiated once for every combination of them. So clauses are first
//! [decomposed](decompose) along their variables: a variable that only few literals share is settled in a relation of
//! its own.
//!
//! ```text
//! Rules ─translate─▶ Program ─decompose─▶ Program ─relax─▶ Program without inputs ─datalog─▶ rows ─▶ Ground
//! ```

mod decompose;
mod groups;
mod relax;
mod sources;

#[cfg(test)]
mod tests;

use std::fmt::{self, Display, Formatter};

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use crate::datalog::stratify;
use crate::datalog::{
    Clause, Engine, EngineError, Functor, Limits, Literal, Pattern, Pred, Program, TermId, Terms,
};
use crate::gdl::{Rules, Words, translate};

pub use decompose::decompose;
pub use groups::Group;
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
    pub rules: IndexSet<GroundRule, FxBuildHasher>,
    /// The rows of `init`: the facts of the initial state.
    pub initial: Vec<TermId>,
    /// Facts that exclude each other, as far as that could be proved with little effort.
    pub groups: Vec<Group>,
}

/// Grounds checked rules within `limits`.
///
/// # Errors
/// [`EngineError`] where more can happen than the limits allow.
pub fn ground(rules: &Rules, limits: Limits) -> Result<Ground, EngineError> {
    let (program, words) = translate(rules);
    let program = decompose(&program);
    let mut changing = changing(&program)?;
    // What a game is asked for is spelt out even where it is always the same.
    for pred in [words.next, words.legal, words.goal, words.terminal] {
        changing[pred.index()] = true;
    }
    let relaxed = relax::relax(&program, &words, &changing);
    let engine = Engine::new(relaxed.program, &relaxed.asked, limits)?;
    let terms = engine.terms().lock().clone();
    let rows = |pred: Pred| engine.fixed_rows(pred).into_iter().flatten();
    let mut builder = Builder {
        program: &program,
        changing: &changing,
        sentences: IndexSet::default(),
        rules: IndexSet::default(),
    };
    builder.collect_sentences(rows);
    for (clause, instances) in &relaxed.instances {
        for row in rows(*instances) {
            builder.instantiate(clause, row, &terms);
        }
    }
    let initial = rows(words.init).map(|row| row[0]).collect();
    let Builder {
        sentences, rules, ..
    } = builder;
    let mut ground = Ground {
        words,
        program,
        terms,
        sentences,
        rules,
        initial,
        groups: Vec::new(),
    };
    ground.groups = groups::find(&ground);
    Ok(ground)
}

/// For each predicate, whether it depends on the state or the joint move.
fn changing(program: &Program) -> Result<Vec<bool>, EngineError> {
    let mut changing = vec![false; program.pred_count()];
    for component in stratify(program)? {
        for pred in component.preds {
            changing[pred.index()] = component.level > 0;
        }
    }
    Ok(changing)
}

struct Builder<'p> {
    program: &'p Program,
    changing: &'p [bool],
    sentences: IndexSet<Sentence, FxBuildHasher>,
    rules: IndexSet<GroundRule, FxBuildHasher>,
}

impl Builder<'_> {
    /// Numbers every sentence that may hold.
    fn collect_sentences<'r, R: Iterator<Item = &'r [TermId]>>(
        &mut self,
        rows: impl Fn(Pred) -> R,
    ) {
        for pred in self
            .program
            .preds()
            .filter(|pred| self.changing[pred.index()])
        {
            for row in rows(pred) {
                self.sentences.insert(Sentence {
                    pred,
                    args: row.to_vec(),
                });
            }
        }
    }

    /// Adds the instance of `clause` whose variables have the values in `row`.
    fn instantiate(&mut self, clause: &Clause, row: &[TermId], terms: &Terms) {
        let number = |pred: Pred, args: &[Pattern]| {
            let args: Option<Vec<TermId>> = args.iter().map(|arg| value(arg, row, terms)).collect();
            let index = self
                .sentences
                .get_index_of(&Sentence { pred, args: args? })?;
            Some(SentenceId(u32::try_from(index).ok()?))
        };
        let Some(head) = number(clause.head.pred, &clause.head.args) else {
            return;
        };
        let mut rule = GroundRule {
            head,
            holds: Vec::new(),
            fails: Vec::new(),
        };
        for literal in &clause.body {
            match literal {
                Literal::Positive(atom) if self.changing[atom.pred.index()] => {
                    rule.holds.extend(number(atom.pred, &atom.args));
                }
                Literal::Negative(atom) if self.changing[atom.pred.index()] => {
                    rule.fails.extend(number(atom.pred, &atom.args));
                }
                Literal::Positive(_)
                | Literal::Negative(_)
                | Literal::Distinct(..)
                | Literal::Same(..) => {}
            }
        }
        for list in [&mut rule.holds, &mut rule.fails] {
            list.sort_unstable();
            list.dedup();
        }
        let contradicts = rule
            .holds
            .iter()
            .any(|sentence| rule.fails.contains(sentence));
        if !contradicts && !rule.holds.contains(&rule.head) {
            self.rules.insert(rule);
        }
    }
}

/// The value of a pattern whose variables have the values in `row`; `None` for a term that cannot come up.
fn value(pattern: &Pattern, row: &[TermId], terms: &Terms) -> Option<TermId> {
    match pattern {
        Pattern::Var(variable) => Some(row[*variable]),
        Pattern::Ground(term) => Some(*term),
        Pattern::Compound(functor, args) => {
            let args: Option<Vec<TermId>> = args.iter().map(|arg| value(arg, row, terms)).collect();
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
