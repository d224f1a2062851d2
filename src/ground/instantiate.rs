//! Instantiation, top-down with memoisation, from the sentences that a game is queried for.
//!
//! For each sentence, queries on the relaxed program give the instances of the clauses that derive it; the sentences in
//! their bodies are instantiated first. Then the sentence is simplified: it is *false* if no body is left, *true* if a
//! body is empty, and equal to another sentence if its definition is a single positive condition or if a sentence of its
//! relation has the same bodies. Only the remaining sentences get rules.

use super::budget::GroundingBudget;
use super::irrelevant::Representatives;
use super::relaxed_reachability::Instances;
use super::store::{Definitions, SentenceTable};
use super::{GroundError, value_of};
use crate::datalog::{Atom, DatalogEngine, Literal, Pattern, Pred, Query, TermId, WorkingMemory};

/// What is known of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SentenceValue {
    /// It was not instantiated yet.
    Unknown,
    /// It is being instantiated; and whether a sentence that was simplified meanwhile depends on it.
    Open(bool),
    /// It cannot hold.
    False,
    /// It always holds.
    True,
    /// It is equivalent to this sentence, which may be itself.
    Same(u32),
}

/// A sentence in a body: twice its number, and one more if it must not hold.
pub(super) type BodyLiteral = u32;

/// Terminates each body.
pub(super) const END: u32 = u32::MAX;

/// The clauses that derive a relation.
pub(super) type Clauses = Vec<(Instances, Query)>;

/// A sentence whose bodies are known and whose body sentences are being instantiated.
struct OpenSentence {
    sentence: u32,
    /// The literals of the bodies, each body terminated by [`END`].
    cells: Vec<BodyLiteral>,
    at: usize,
}

pub(super) struct Instantiator<'e> {
    pub(super) engine: &'e DatalogEngine,
    pub(super) memory: WorkingMemory,
    /// For each relation, the clauses that derive it; `None` for base and input relations.
    pub(super) clauses: &'e [Option<Clauses>],
    pub(super) sentences: SentenceTable,
    pub(super) values: Vec<SentenceValue>,
    pub(super) definitions: Definitions,
    pub(super) budget: GroundingBudget,
    /// The representatives of rows that differ in irrelevant arguments only.
    pub(super) representatives: Representatives,
    /// Buffer for the arguments of a sentence.
    pub(super) row: Vec<TermId>,
    /// Buffer for simplified bodies.
    pub(super) simplified: Vec<BodyLiteral>,
    /// Buffer for the solutions of a query.
    pub(super) solutions: Vec<TermId>,
}

impl Instantiator<'_> {
    /// Instantiates a sentence and everything it depends on. Returns its number.
    pub(super) fn instantiate(&mut self, pred: Pred, row: &[TermId]) -> Result<u32, GroundError> {
        let root = self.number(pred, row);
        let mut frames = Vec::new();
        if self.values[root as usize] == SentenceValue::Unknown {
            frames.push(self.open(root)?);
        }
        while let Some(mut frame) = frames.pop() {
            match self.next_unknown(&mut frame) {
                Some(sentence) => {
                    frames.push(frame);
                    frames.push(self.open(sentence)?);
                }
                None => self.simplify(&frame),
            }
        }
        Ok(root)
    }

    fn number(&mut self, pred: Pred, row: &[TermId]) -> u32 {
        let (number, is_new) = self.sentences.number(pred, row);
        if is_new {
            let is_given = self.clauses[pred.index()].is_none();
            let cannot_be = is_given && self.engine.static_holds(pred, row) == Some(false);
            self.values.push(match (is_given, cannot_be) {
                (_, true) => SentenceValue::False,
                (true, false) => SentenceValue::Same(number),
                (false, false) => SentenceValue::Unknown,
            });
        }
        number
    }

    fn next_unknown(&self, frame: &mut OpenSentence) -> Option<u32> {
        while let Some(&lit) = frame.cells.get(frame.at) {
            if lit != END && self.values[(lit >> 1) as usize] == SentenceValue::Unknown {
                return Some(lit >> 1);
            }
            frame.at += 1;
        }
        None
    }

    /// Finds all bodies of a sentence.
    fn open(&mut self, sentence: u32) -> Result<OpenSentence, GroundError> {
        self.values[sentence as usize] = SentenceValue::Open(false);
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
        Ok(OpenSentence {
            sentence,
            cells,
            at: 0,
        })
    }

    /// Whether a positive literal can hold, as far as that is known without deriving rows.
    fn may_hold(&mut self, literal: &Literal, kept: &[TermId]) -> bool {
        let Literal::Positive(atom) = literal else {
            return true;
        };
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let terms = self.memory.terms();
        row.extend(atom.args.iter().map_while(|arg| value_of(arg, kept, terms)));
        let holds = row.len() == atom.args.len()
            && self.engine.static_holds(atom.pred, &row) != Some(false);
        self.row = row;
        holds
    }

    fn add_body(
        &mut self,
        body: &[Literal],
        kept: &[TermId],
        cells: &mut Vec<BodyLiteral>,
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
                // The term does not exist, so that the sentence cannot hold.
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

    /// The number of an atom's sentence; `None` if it has a term that occurs in no row of its relation.
    fn number_of(&mut self, atom: &Atom, kept: &[TermId]) -> Result<Option<u32>, GroundError> {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let terms = self.memory.terms();
        let args = atom.args.iter();
        row.extend(args.map_while(|arg| value_of(arg, kept, terms)));
        if row.len() < atom.args.len() && self.engine.static_rows(atom.pred).is_none() {
            // Its rows are derived on demand, and new terms with them.
            row.clear();
            for arg in &atom.args {
                row.push(self.interned(arg, kept)?);
            }
        }
        let number = (row.len() == atom.args.len()).then(|| {
            self.representatives
                .replace(self.engine, atom.pred, &mut row);
            self.number(atom.pred, &row)
        });
        self.row = row;
        Ok(number)
    }

    /// The value of a pattern, interned if it is new.
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

    /// Simplifies a sentence whose body sentences are all known.
    fn simplify(&mut self, frame: &OpenSentence) {
        let sentence = frame.sentence;
        let mut simplified = std::mem::take(&mut self.simplified);
        simplified.clear();
        let mut bodies: Vec<(usize, usize)> = Vec::new();
        for body in bodies_in(&frame.cells) {
            let first = simplified.len();
            if self.simplify_body(sentence, body, &mut simplified) {
                bodies.push((first, simplified.len()));
            } else {
                simplified.truncate(first);
            }
        }
        let mut bodies: Vec<&[BodyLiteral]> = bodies
            .iter()
            .map(|&(first, end)| &simplified[first..end])
            .collect();
        bodies.sort_unstable();
        bodies.dedup();
        let is_true = bodies.first().is_some_and(|body| body.is_empty());
        if is_true {
            bodies.truncate(1);
        }
        let pred = self.sentences.sentence(sentence).0;
        let is_open = self.values[sentence as usize] == SentenceValue::Open(true);
        let value = match &bodies[..] {
            [] if !is_open => SentenceValue::False,
            _ if is_true && !is_open => SentenceValue::True,
            [body] if !is_open && body.len() == 1 && body[0] & 1 == 0 => {
                SentenceValue::Same(body[0] >> 1)
            }
            _ => {
                let cells: Vec<u32> = bodies
                    .iter()
                    .flat_map(|body| body.iter().copied().chain([END]))
                    .collect();
                if is_open {
                    self.definitions.add(pred, sentence, &cells);
                    SentenceValue::Same(sentence)
                } else {
                    SentenceValue::Same(self.definitions.find_or_add(pred, sentence, &cells))
                }
            }
        };
        self.values[sentence as usize] = value;
        self.simplified = simplified;
    }

    /// Appends a simplified body to `simplified`; `false` if it cannot hold or contains its own head.
    fn simplify_body(
        &mut self,
        head: u32,
        body: &[BodyLiteral],
        simplified: &mut Vec<BodyLiteral>,
    ) -> bool {
        let first = simplified.len();
        for &lit in body {
            let (sentence, negated) = (lit >> 1, lit & 1);
            match self.values[sentence as usize] {
                SentenceValue::Same(same) => simplified.push(2 * same + negated),
                SentenceValue::Open(_) | SentenceValue::Unknown => {
                    if sentence == head {
                        return false;
                    }
                    self.values[sentence as usize] = SentenceValue::Open(true);
                    simplified.push(lit);
                }
                SentenceValue::True if negated == 0 => {}
                SentenceValue::False if negated == 1 => {}
                SentenceValue::True | SentenceValue::False => return false,
            }
        }
        let body = &mut simplified[first..];
        body.sort_unstable();
        let contradicts = body.windows(2).any(|pair| pair[0] ^ 1 == pair[1]);
        if contradicts || body.contains(&(2 * head)) {
            return false;
        }
        let mut last = None;
        let mut kept = first;
        for at in first..simplified.len() {
            let lit = simplified[at];
            if last.replace(lit) != Some(lit) {
                simplified[kept] = lit;
                kept += 1;
            }
        }
        simplified.truncate(kept);
        true
    }
}

/// The bodies in `cells`, each terminated by [`END`].
fn bodies_in(cells: &[BodyLiteral]) -> impl Iterator<Item = &[BodyLiteral]> {
    let mut rest = cells;
    std::iter::from_fn(move || {
        let end = rest.iter().position(|&lit| lit == END)?;
        let (body, after) = rest.split_at(end);
        rest = &after[1..];
        Some(body)
    })
}
