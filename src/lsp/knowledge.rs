//! What takes longer to find out than an answer may take: argument domains, and what the rules derive.

use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::datalog::{DatalogEngine, EvaluationLimits, Pred, TermId, Terms};
use crate::gdl::{ArgumentDomains, Description, Rules, translate};
use crate::kif::parse;
use crate::util::{StopFlag, natural_order};

/// How many rows are named as examples.
const MOST_EXAMPLES: usize = 5;

/// How long, and how many rows, relations may be derived for.
const TIME: Duration = Duration::from_millis(500);
const MOST_ROWS: usize = 200_000;

/// What was found out about the rules of a document.
#[derive(Debug, Default)]
pub(super) struct RuleKnowledge {
    /// `None` as long as they are not known, or if the rules are too many.
    pub(super) domains: Option<ArgumentDomains>,
    /// Whether the rules could be evaluated: a relation without rows then depends on the state.
    pub(super) is_derived: bool,
    /// The rows of relations that are the same in every position, by name and number of arguments.
    relations: FxHashMap<(String, usize), RowSample>,
    /// The facts of the initial state, by functor and number of arguments, `None` for a bare word.
    initial: FxHashMap<(String, Option<usize>), RowSample>,
    /// The facts of which no two in the initial state differ in the last argument only.
    functions: FxHashSet<(String, usize)>,
}

/// How many rows a relation has, and the first of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RowSample {
    pub(super) count: usize,
    pub(super) examples: Vec<String>,
}

impl RuleKnowledge {
    /// Finds out what can be found in a small budget; without checked `rules` nothing is derived.
    pub(super) fn of(text: &str, rules: Option<&Rules>, stop: &StopFlag) -> Self {
        let sexprs = parse(text).sexprs;
        let (description, _) = Description::read(&sexprs);
        let mut knowledge = Self {
            domains: ArgumentDomains::of(&description),
            ..Self::default()
        };
        if let Some(rules) = rules {
            knowledge.derive(rules, stop);
        }
        knowledge
    }

    /// The rows of a relation with arguments that never change.
    pub(super) fn rows(&self, name: &str, arity: usize) -> Option<&RowSample> {
        self.relations.get(&(name.to_owned(), arity))
    }

    /// Whether the last argument of a fact follows from the others at the start; `None` where it does not hold then.
    pub(super) fn has_one_value(&self, name: &str, arity: usize) -> Option<bool> {
        self.initial(name, Some(arity))?;
        Some(self.functions.contains(&(name.to_owned(), arity)))
    }

    /// The facts of a name that hold at the start.
    pub(super) fn initial(&self, name: &str, arity: Option<usize>) -> Option<&RowSample> {
        self.initial.get(&(name.to_owned(), arity))
    }

    fn derive(&mut self, rules: &Rules, stop: &StopFlag) {
        let (program, relations) = translate(rules);
        let preds: Vec<(Pred, String)> = program
            .preds()
            .map(|pred| (pred, program.name(pred).to_owned()))
            .collect();
        let asked: Vec<Pred> = program.preds().collect();
        let limits = EvaluationLimits {
            rows: MOST_ROWS,
            terms: MOST_ROWS,
            time: TIME,
            stop: stop.clone(),
            ..EvaluationLimits::default()
        };
        let Ok(engine) = DatalogEngine::new(program, &asked, limits) else {
            return;
        };
        self.is_derived = true;
        let terms = engine.terms().lock();
        for (pred, name) in preds {
            let Some(rows) = engine.static_rows(pred) else {
                continue;
            };
            let rows: Vec<&[TermId]> = rows.collect();
            if pred == relations.init {
                self.read_initial(&rows, &terms);
            } else if let Some(arity) = rows.first().map(|row| row.len()) {
                let texts = rows.iter().map(|row| {
                    let arguments = row.iter().map(|term| terms.text(*term));
                    format!("({name} {})", arguments.collect::<Vec<_>>().join(" "))
                });
                let sample = RowSample::of(texts.collect());
                self.relations.insert((name, arity), sample);
            }
        }
    }

    fn read_initial(&mut self, rows: &[&[TermId]], terms: &Terms) {
        let mut facts: FxHashMap<_, Vec<TermId>> = FxHashMap::default();
        for fact in rows.iter().filter_map(|row| row.first()) {
            let name = terms.functor_name(terms.functor_of(*fact)).to_owned();
            let is_list = terms.text(*fact).starts_with('(');
            let arity = is_list.then(|| terms.args_of(*fact).len());
            facts.entry((name, arity)).or_default().push(*fact);
        }
        for ((name, arity), facts) in facts {
            let rows = facts.iter().map(|fact| terms.args_of(*fact));
            if let Some(arity) = arity.filter(|_| is_function(rows)) {
                self.functions.insert((name.clone(), arity));
            }
            let texts = facts.iter().map(|fact| terms.text(*fact)).collect();
            self.initial.insert((name, arity), RowSample::of(texts));
        }
    }
}

fn is_function<'r>(rows: impl Iterator<Item = &'r [TermId]>) -> bool {
    let mut seen = FxHashSet::default();
    let mut others = rows.filter_map(|row| row.split_last().map(|(_, others)| others));
    others.all(|others| seen.insert(others))
}

impl RowSample {
    fn of(mut texts: Vec<String>) -> Self {
        texts.sort_by(|one, other| natural_order(one, other));
        let count = texts.len();
        texts.truncate(MOST_EXAMPLES);
        Self {
            count,
            examples: texts,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lsp::fixture::{GAME, view};

    #[test]
    fn static_relations_and_the_initial_state_are_derived() {
        let knowledge = view(GAME).knowledge;
        let after = knowledge.rows("after", 2).unwrap();
        assert_eq!(after.count, 2);
        assert_eq!(after.examples, ["(after o x)", "(after x o)"]);
        assert_eq!(knowledge.rows("legal", 2), None);
        let cells = knowledge.initial("cell", Some(2)).unwrap();
        assert_eq!((cells.count, cells.examples[0].as_str()), (3, "(cell 1 b)"));
    }

    #[test]
    fn rules_that_derive_too_much_are_left_alone() {
        use std::fmt::Write;
        let mut text = "(role x) (legal x a) (<= terminal (not (q 1 1 1))) (goal x 1)".to_owned();
        for n in 0..100 {
            write!(text, "(n {n})").unwrap();
        }
        text.push_str("(<= (q ?a ?b ?c) (n ?a) (n ?b) (n ?c))");
        let knowledge = view(&text).knowledge;
        assert_eq!(knowledge.rows("q", 3), None);
        assert!(knowledge.domains.is_some());
    }
}
