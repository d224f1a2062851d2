//! From what a game is asked for down to the rules that decide it.
//!
//! Each sentence that is asked for is looked up in the relaxed program: every clause that can derive it gives bodies,
//! whose sentences are looked up first. Then the sentence is settled, or as good as another one: it is *false* if no
//! body is left, *true* if a body is empty, and the same as another sentence if it has a single condition or if a
//! sentence of its relation has the same bodies. Only what is none of these gets rules.

use super::budget::Budget;
use super::indifferent::Spokesmen;
use super::relax::Instances;
use super::store::{Definitions, Sentences};
use super::{GroundError, value_of};
use crate::datalog::{Atom, Engine, Literal, Memory, Pattern, Pred, Query, TermId};

/// What a sentence amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// Nobody has looked yet.
    Unknown,
    /// It is being looked at, and whether something that was settled meanwhile rests on it.
    Open(bool),
    /// It cannot hold.
    False,
    /// It always holds.
    True,
    /// It holds if and only if this sentence does, which may be itself.
    Same(u32),
}

/// A sentence in a body: twice its number, and one more if it must not hold.
pub(super) type Lit = u32;

/// Stands behind each body.
pub(super) const END: u32 = u32::MAX;

/// The clauses that derive a relation.
pub(super) type Clauses = Vec<(Instances, Query)>;

/// A sentence whose bodies are known, and that waits for the sentences in them.
struct Frame {
    sentence: u32,
    /// Sentences in bodies, each body closed by [`END`].
    cells: Vec<Lit>,
    at: usize,
}

pub(super) struct Resolver<'e> {
    pub(super) engine: &'e Engine,
    pub(super) memory: Memory,
    /// For each relation, the clauses that derive it; `None` if its sentences come from outside.
    pub(super) clauses: &'e [Option<Clauses>],
    pub(super) sentences: Sentences,
    pub(super) values: Vec<Value>,
    pub(super) definitions: Definitions,
    pub(super) budget: Budget,
    /// Who stands for whom where values make no difference.
    pub(super) spokesmen: Spokesmen,
    /// The arguments of a sentence that is looked for.
    pub(super) row: Vec<TermId>,
    /// Bodies that are being settled.
    pub(super) settled: Vec<Lit>,
    /// What a query found.
    pub(super) solutions: Vec<TermId>,
}

impl Resolver<'_> {
    /// Looks up a sentence with all that it rests on. Answers its number.
    pub(super) fn resolve(&mut self, pred: Pred, row: &[TermId]) -> Result<u32, GroundError> {
        let root = self.number(pred, row);
        let mut frames = Vec::new();
        if self.values[root as usize] == Value::Unknown {
            frames.push(self.open(root)?);
        }
        while let Some(mut frame) = frames.pop() {
            match self.next_unknown(&mut frame) {
                Some(sentence) => {
                    frames.push(frame);
                    frames.push(self.open(sentence)?);
                }
                None => self.settle(&frame),
            }
        }
        Ok(root)
    }

    fn number(&mut self, pred: Pred, row: &[TermId]) -> u32 {
        let (number, is_new) = self.sentences.number(pred, row);
        if is_new {
            let is_given = self.clauses[pred.index()].is_none();
            let cannot_be = is_given && self.engine.fixed_holds(pred, row) == Some(false);
            self.values.push(match (is_given, cannot_be) {
                (_, true) => Value::False,
                (true, false) => Value::Same(number),
                (false, false) => Value::Unknown,
            });
        }
        number
    }

    fn next_unknown(&self, frame: &mut Frame) -> Option<u32> {
        while let Some(&lit) = frame.cells.get(frame.at) {
            if lit != END && self.values[(lit >> 1) as usize] == Value::Unknown {
                return Some(lit >> 1);
            }
            frame.at += 1;
        }
        None
    }

    /// Finds all bodies of a sentence.
    fn open(&mut self, sentence: u32) -> Result<Frame, GroundError> {
        self.values[sentence as usize] = Value::Open(false);
        let (pred, row) = self.sentences.sentence(sentence);
        let row = row.to_vec();
        let mut cells = Vec::new();
        let mut solutions = std::mem::take(&mut self.solutions);
        for (instances, query) in self.clauses[pred.index()].iter().flatten() {
            solutions.clear();
            if let (Some(columns), Some(literal)) = (&instances.copied, instances.body.first()) {
                solutions.extend(columns.iter().map(|&column| row[column]));
                if self.may_hold(literal, &solutions) {
                    self.add_body(&instances.body, &solutions, &mut cells)?;
                }
                continue;
            }
            let mut found = 0;
            self.memory.solve(self.engine, query, &row, &mut |kept| {
                solutions.extend_from_slice(kept);
                found += 1;
            });
            self.memory.exhausted().map_or(Ok(()), Err)?;
            let width = instances.width;
            for solution in 0..found {
                let kept = &solutions[solution * width..(solution + 1) * width];
                self.add_body(&instances.body, kept, &mut cells)?;
            }
        }
        self.solutions = solutions;
        self.budget
            .count(cells.len() + 1, self.definitions.size())?;
        Ok(Frame {
            sentence,
            cells,
            at: 0,
        })
    }

    /// Whether a positive literal can hold, as far as that is known without deriving anything.
    fn may_hold(&mut self, literal: &Literal, kept: &[TermId]) -> bool {
        let Literal::Positive(atom) = literal else {
            return true;
        };
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let terms = self.memory.terms();
        row.extend(atom.args.iter().map_while(|arg| value_of(arg, kept, terms)));
        let holds =
            row.len() == atom.args.len() && self.engine.fixed_holds(atom.pred, &row) != Some(false);
        self.row = row;
        holds
    }

    fn add_body(
        &mut self,
        body: &[Literal],
        kept: &[TermId],
        cells: &mut Vec<Lit>,
    ) -> Result<(), GroundError> {
        let first = cells.len();
        for literal in body {
            let (atom, negated) = match literal {
                Literal::Positive(atom) => (atom, 0),
                Literal::Negative(atom) => (atom, 1),
                Literal::Distinct(..) | Literal::Same(..) => continue,
            };
            match self.number_of(atom, kept)? {
                Some(sentence) => cells.push(2 * sentence + negated),
                // A term that nothing can be about.
                None if negated == 1 => {}
                None => {
                    cells.truncate(first);
                    return Ok(());
                }
            }
        }
        cells.push(END);
        Ok(())
    }

    /// The number of an atom's sentence; `None` if it is about a term that no row of its relation has.
    fn number_of(&mut self, atom: &Atom, kept: &[TermId]) -> Result<Option<u32>, GroundError> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let terms = self.memory.terms();
        let args = atom.args.iter();
        row.extend(args.map_while(|arg| value_of(arg, kept, terms)));
        if row.len() < atom.args.len() && self.engine.fixed_rows(atom.pred).is_none() {
            // Its rows are yet to be derived, and terms come up with them.
            row.clear();
            for arg in &atom.args {
                row.push(self.interned(arg, kept)?);
            }
        }
        let number = (row.len() == atom.args.len()).then(|| {
            self.spokesmen.speak_for(self.engine, atom.pred, &mut row);
            self.number(atom.pred, &row)
        });
        self.row = row;
        Ok(number)
    }

    /// The value of a pattern, stored if it is new.
    fn interned(&mut self, pattern: &Pattern, kept: &[TermId]) -> Result<TermId, GroundError> {
        match pattern {
            Pattern::Var(variable) => Ok(kept[*variable]),
            Pattern::Ground(term) => Ok(*term),
            Pattern::Compound(functor, args) => {
                let args = args.iter().map(|arg| self.interned(arg, kept));
                let args: Result<Vec<TermId>, GroundError> = args.collect();
                Ok(self.memory.intern(*functor, &args?)?)
            }
        }
    }

    /// Finds out what a sentence amounts to whose bodies are settled.
    fn settle(&mut self, frame: &Frame) {
        let sentence = frame.sentence;
        let mut settled = std::mem::take(&mut self.settled);
        settled.clear();
        let mut bodies: Vec<(usize, usize)> = Vec::new();
        for body in closed(&frame.cells) {
            let first = settled.len();
            if self.settle_body(sentence, body, &mut settled) {
                bodies.push((first, settled.len()));
            } else {
                settled.truncate(first);
            }
        }
        let mut bodies: Vec<&[Lit]> = bodies
            .iter()
            .map(|&(first, end)| &settled[first..end])
            .collect();
        bodies.sort_unstable();
        bodies.dedup();
        let is_true = bodies.first().is_some_and(|body| body.is_empty());
        if is_true {
            bodies.truncate(1);
        }
        let pred = self.sentences.sentence(sentence).0;
        let is_open = self.values[sentence as usize] == Value::Open(true);
        let value = match &bodies[..] {
            [] if !is_open => Value::False,
            _ if is_true && !is_open => Value::True,
            [body] if !is_open && body.len() == 1 && body[0] & 1 == 0 => Value::Same(body[0] >> 1),
            _ => {
                let cells: Vec<u32> = bodies
                    .iter()
                    .flat_map(|body| body.iter().copied().chain([END]))
                    .collect();
                if is_open {
                    self.definitions.add(pred, sentence, &cells);
                    Value::Same(sentence)
                } else {
                    Value::Same(self.definitions.find_or_add(pred, sentence, &cells))
                }
            }
        };
        self.values[sentence as usize] = value;
        self.settled = settled;
    }

    /// Appends a body to `settled` in terms of what its sentences amount to; `false` if it cannot apply or needs its own
    /// head.
    fn settle_body(&mut self, head: u32, body: &[Lit], settled: &mut Vec<Lit>) -> bool {
        let first = settled.len();
        for &lit in body {
            let (sentence, negated) = (lit >> 1, lit & 1);
            match self.values[sentence as usize] {
                Value::Same(same) => settled.push(2 * same + negated),
                Value::Open(_) | Value::Unknown => {
                    if sentence == head {
                        return false;
                    }
                    self.values[sentence as usize] = Value::Open(true);
                    settled.push(lit);
                }
                Value::True if negated == 0 => {}
                Value::False if negated == 1 => {}
                Value::True | Value::False => return false,
            }
        }
        let body = &mut settled[first..];
        body.sort_unstable();
        let contradicts = body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if contradicts || body.contains(&(2 * head)) {
            return false;
        }
        let mut last = None;
        let mut kept = first;
        for at in first..settled.len() {
            let lit = settled[at];
            if last.replace(lit) != Some(lit) {
                settled[kept] = lit;
                kept += 1;
            }
        }
        settled.truncate(kept);
        true
    }
}

/// The bodies in `cells`, each closed by [`END`].
fn closed(cells: &[Lit]) -> impl Iterator<Item = &[Lit]> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        let end = rest.iter().position(|&lit| lit == END)?;
        let (body, after) = rest.split_at(end);
        rest = &after[1..];
        Some(body)
    })
}
