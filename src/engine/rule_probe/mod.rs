//! Which rules apply in a state, rule by rule: what an engine that is made for speed no longer knows.

mod end_rules;
mod missing_row;
mod near_miss;
mod told;
mod why;

use std::collections::HashMap;
use std::time::Duration;

use super::reasoner::supply;
use crate::datalog::{
    Clause, DatalogEngine, DatalogError, EvaluationLimits, Pred, Program, TermId, WorkingMemory,
};
use crate::gdl::{GdlRelations, JOINT_MOVE, Rules, STATE, Term, intern, translate};
use crate::kif::{FactError, GroundTerm, read_each};
use crate::util::StopFlag;

pub use end_rules::{EndRuleCount, EndRules};
pub use missing_row::MissingRow;
pub use near_miss::NearMiss;
pub use told::{ToldLine, ToldOf, told_lines};
pub use why::{TriedCondition, TriedRule};

/// Tells which rules apply in a state or a step, and why others do not. Rules go by their number in [`Rules::rules`].
#[derive(Debug)]
pub struct RuleProbe {
    rules: Rules,
    program: Program,
    relations: GdlRelations,
    engine: DatalogEngine,
    memory: WorkingMemory,
    /// Per rule, the relation of what it alone derives.
    derived: Vec<Pred>,
    /// The rows of relations of the present state, as far as they were asked for.
    rows: HashMap<Pred, Vec<Vec<TermId>>>,
}

/// The budget ran out: nothing is known of the present state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the rules take too long to evaluate one by one")]
pub struct ProbeExhausted;

impl RuleProbe {
    /// Prepares `rules`; every state may take as long as `time`, and so may what never changes.
    ///
    /// # Errors
    /// What never changes already passes a limit.
    pub fn new(rules: &Rules, time: Duration, stop: &StopFlag) -> Result<Self, DatalogError> {
        let (program, relations) = translate(rules);
        let mut marked = program.clone();
        let keywords = [
            relations.next,
            relations.legal,
            relations.goal,
            relations.terminal,
        ];
        let mut derived = Vec::with_capacity(program.clauses().len());
        for (number, clause) in program.clauses().iter().enumerate() {
            let is_asked = keywords.contains(&clause.head.pred);
            // Of other rules it is enough to know that they apply.
            let arity = if is_asked { clause.head.args.len() } else { 0 };
            let mark = marked.pred(&format!("rule {number}"), arity);
            let mut of_rule = clause.clone();
            of_rule.head.pred = mark;
            of_rule.head.args.truncate(arity);
            marked.add(of_rule);
            derived.push(mark);
        }
        let limits = EvaluationLimits {
            time,
            stop: stop.clone(),
            ..EvaluationLimits::default()
        };
        let queried = [&keywords[..], &derived].concat();
        let engine = DatalogEngine::new(marked, &queried, limits)?;
        Ok(Self {
            rules: rules.clone(),
            memory: engine.memory(),
            rows: HashMap::new(),
            program,
            relations,
            engine,
            derived,
        })
    }

    /// The rules.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Looks at the state in which `facts` hold and, if there are any moves, at the step that `joint` makes: one move per
    /// role.
    ///
    /// # Errors
    /// Says which text is no term.
    pub fn look(&mut self, facts: &[String], joint: &[String]) -> Result<(), FactError> {
        let (facts, joint) = (read_each(facts)?, read_each(joint)?);
        self.rows.clear();
        if self.memory.exhausted().is_some() {
            self.memory = self.engine.memory();
        }
        self.memory.reset(&self.engine, STATE);
        let mut row = Vec::new();
        for fact in &facts {
            let fact = self.intern(fact);
            supply(&mut self.memory, &self.relations.base, &mut row, None, fact);
        }
        self.memory.reset(&self.engine, JOINT_MOVE);
        for (number, mv) in joint.iter().enumerate() {
            let (role, mv) = (self.relations.roles[number], self.intern(mv));
            supply(
                &mut self.memory,
                &self.relations.input,
                &mut row,
                Some(role),
                mv,
            );
        }
        Ok(())
    }

    fn intern(&self, term: &GroundTerm) -> TermId {
        intern(&mut self.engine.terms().lock(), term)
    }

    /// Whether a rule applies.
    ///
    /// # Errors
    /// [`ProbeExhausted`].
    pub fn applies(&mut self, rule: usize) -> Result<bool, ProbeExhausted> {
        Ok(!self.rows_of(self.derived[rule])?.is_empty())
    }

    /// What a rule for `next`, `legal`, `goal` or `terminal` derives, as the arguments of its head.
    ///
    /// # Errors
    /// [`ProbeExhausted`].
    pub fn derives(&mut self, rule: usize) -> Result<Vec<Vec<String>>, ProbeExhausted> {
        let rows = self.rows_of(self.derived[rule])?.to_vec();
        let terms = self.engine.terms().lock();
        let text = |row: &Vec<TermId>| row.iter().map(|&term| terms.text(term)).collect();
        Ok(rows.iter().map(text).collect())
    }

    /// The rows of a relation in the present state.
    fn rows_of(&mut self, pred: Pred) -> Result<&[Vec<TermId>], ProbeExhausted> {
        if !self.rows.contains_key(&pred) {
            let rows = match self.engine.static_rows(pred) {
                Some(rows) => rows.map(<[TermId]>::to_vec).collect(),
                None => {
                    self.memory.derive(&self.engine, pred);
                    self.memory.rows(pred).map(<[TermId]>::to_vec).collect()
                }
            };
            if self.memory.exhausted().is_some() {
                return Err(ProbeExhausted);
            }
            self.rows.insert(pred, rows);
        }
        Ok(&self.rows[&pred])
    }

    /// The rows of a relation that never changes; `None` for any other one.
    pub fn fixed_rows(&self, name: &str, arity: usize) -> Option<Vec<Vec<String>>> {
        let pred = self.program.find_pred(name, arity)?;
        let rows = self.engine.static_rows(pred)?;
        let terms = self.engine.terms().lock();
        let text = |row: &[TermId]| row.iter().map(|&term| terms.text(term)).collect();
        Some(rows.map(text).collect())
    }

    fn clause(&self, rule: usize) -> &Clause {
        &self.program.clauses()[rule]
    }
}

/// The name of the relation that a rule derives.
pub fn head_name(head: &Term) -> &str {
    match head {
        Term::Variable(name) | Term::Constant(name) | Term::Compound(name, _) => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;

    const RULES: &str = "(role a) (role b) (succ 1 2) (succ 2 3) (init (step 1)) (init (control a))
        (<= (legal ?p go) (true (control ?p)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
        (<= (next (control b)) (true (control a)))
        (<= (next (control a)) (true (control b)))
        (<= terminal (true (step 3)) odd)
        (<= odd (true (step 7)))
        (goal a 50) (goal b 50)";

    fn words(words: &[&str]) -> Vec<String> {
        words.iter().map(|&word| word.to_owned()).collect()
    }

    fn probe() -> RuleProbe {
        let rules = load(RULES).rules.unwrap();
        RuleProbe::new(&rules, Duration::from_secs(5), &StopFlag::default()).unwrap()
    }

    fn number(probe: &RuleProbe, rule: &str) -> usize {
        let mut rules = probe.rules().rules().iter();
        rules.position(|one| one.to_string() == rule).unwrap()
    }

    #[test]
    fn rules_that_apply_are_told_from_others() {
        let mut probe = probe();
        let first = number(&probe, "(<= (next (control b)) (true (control a)))");
        let facts = words(&["(step 1)", "(control a)"]);
        probe.look(&facts, &words(&["go", "noop"])).unwrap();
        assert_eq!(probe.applies(first), Ok(true));
        assert_eq!(probe.applies(first + 1), Ok(false));
        assert_eq!(probe.derives(first), Ok(vec![words(&["(control b)"])]));
        assert_eq!(probe.derives(first - 1), Ok(vec![words(&["(step 2)"])]));
    }

    #[test]
    fn the_one_condition_in_the_way_is_named() {
        let mut probe = probe();
        let step = number(
            &probe,
            "(<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))",
        );
        let facts = words(&["(step 3)", "(control a)"]);
        probe.look(&facts, &words(&["go", "noop"])).unwrap();
        let found = probe.near_miss(step, &[None]).unwrap().unwrap();
        assert_eq!(found.condition, "(succ 3 ?y)");
        assert!(found.is_static);
        let end = number(&probe, "(<= terminal (true (step 3)) odd)");
        let found = probe.near_miss(end, &[]).unwrap().unwrap();
        assert_eq!((&*found.condition, found.is_static), ("odd", false));
    }

    #[test]
    fn a_row_that_a_table_lacks_is_told_with_its_neighbours() {
        let text = format!(
            "{RULES} (sum 1 1 2) (sum 1 3 4) (<= (next (sum ?n)) (added ?n))
            (<= (added ?n) (true (step ?s)) (sum 1 ?s ?n))"
        );
        let rules = load(&text).rules.unwrap();
        let mut probe =
            RuleProbe::new(&rules, Duration::from_secs(5), &StopFlag::default()).unwrap();
        let next = number(&probe, "(<= (next (sum ?n)) (added ?n))");
        probe.look(&words(&["(step 2)"]), &[]).unwrap();
        let row = probe.missing_row(next, &[None]).unwrap().unwrap();
        assert_eq!(
            (row.condition.as_str(), row.gives_value),
            ("(sum 1 2 ?n)", true)
        );
        let beside = row.beside.map(Option::unwrap);
        assert_eq!(beside, ["(sum 1 1 2)", "(sum 1 3 4)"]);
        probe.look(&words(&["(step 3)"]), &[]).unwrap();
        assert_eq!(probe.missing_row(next, &[None]), Ok(None));
        let rows = probe.fixed_rows("succ", 2).unwrap();
        assert_eq!(rows, [words(&["1", "2"]), words(&["2", "3"])]);
    }

    /// What each condition says, with a mark for whether it holds, and what holds instead.
    fn told(tried: &TriedRule) -> Vec<String> {
        let conditions = tried.conditions.iter();
        let told = conditions.map(|one| {
            let mark = if one.holds { "+" } else { "-" };
            format!("{mark} {} {}", one.text, one.instead.join(" "))
                .trim_end()
                .to_owned()
        });
        told.collect()
    }

    fn legal(role: &str, mv: &str) -> Vec<Option<GroundTerm>> {
        [role, mv].map(|word| word.parse().ok()).to_vec()
    }

    #[test]
    fn the_first_condition_that_fails_is_told_with_what_holds_instead() {
        let mut probe = probe();
        probe
            .look(&words(&["(step 1)", "(control a)"]), &[])
            .unwrap();
        let tried = probe.why("legal", &legal("b", "go"), 2).unwrap();
        assert_eq!(tried.len(), 1);
        assert!(!tried[0].applies());
        assert_eq!(told(&tried[0]), ["- (true (control b))"]);
        let tried = probe.why("legal", &legal("a", "noop"), 2).unwrap();
        assert_eq!(
            told(&tried[0]),
            [
                "+ (role a)",
                "- (not (true (control a))) (true (control a))"
            ]
        );
        let tried = probe.why("legal", &legal("a", "go"), 2).unwrap();
        assert!(tried[0].applies());
        assert_eq!(told(&tried[0]), ["+ (true (control a))"]);
        assert!(
            probe
                .why("legal", &legal("a", "gone"), 2)
                .unwrap()
                .is_empty()
        );
    }

    #[test]
    fn what_a_relation_lacks_is_followed_into_its_rules() {
        let text = format!(
            "{RULES} (<= (legal a (jump ?y)) (true (step ?x)) (near ?x ?y))
            (<= (near ?x ?y) (succ ?x ?y) (not (far ?y))) (<= (far ?y) (succ ?x ?y) (succ ?y ?z))"
        );
        let rules = load(&text).rules.unwrap();
        let mut probe =
            RuleProbe::new(&rules, Duration::from_secs(5), &StopFlag::default()).unwrap();
        probe.look(&words(&["(step 1)"]), &[]).unwrap();
        let tried = probe.why("legal", &legal("a", "(jump 2)"), 2).unwrap();
        assert_eq!(told(&tried[0]), ["+ (true (step 1))", "- (near 1 2)"]);
        let inner = &tried[0].conditions[1].rules[0];
        assert_eq!(told(inner), ["+ (succ 1 2)", "- (not (far 2)) (far 2)"]);
        let innermost = &inner.conditions[1].rules[0];
        assert_eq!(told(innermost), ["+ (succ 1 2)", "+ (succ 2 3)"]);
        let shallow = probe.why("legal", &legal("a", "(jump 2)"), 0).unwrap();
        assert!(shallow[0].conditions[1].rules.is_empty());
        let tried = probe.why("legal", &legal("a", "(jump 3)"), 0).unwrap();
        assert_eq!(told(&tried[0])[1], "- (near 1 3) (near 2 3)");
        // A number that no rule names.
        let tried = probe.why("legal", &legal("a", "(jump 77)"), 0).unwrap();
        assert!(told(&tried[0])[1].starts_with("- (near 1 77)"));
    }
}
