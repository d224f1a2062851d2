//! What the rules list, whatever the state: which cells are neighbours, and which facts are possible.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::datalog::{
    Clause, DatalogEngine, DatalogError, EvaluationLimits, Exhausted, Literal, Pattern, Pred,
    Program, stratify,
};
use crate::gdl::{Rules, translate};
use crate::kif::GroundTerm;

/// A relation between cells that never changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NeighbourRelation {
    /// Its name.
    pub name: String,
    /// Pairs of cells, each cell as one word or as two coordinates.
    pub pairs: BTreeSet<(Vec<String>, Vec<String>)>,
}

/// More pairs than this describe no board that a person looks at.
const MOST_PAIRS: usize = 4000;
/// More possible facts than this are not looked at.
const MOST_FACTS: usize = 20_000;
/// Relations of more rows are not derived.
const MOST_ROWS: usize = 40_000;
/// Relations tried at most.
const MOST_RELATIONS: usize = 24;

/// What the rules list, whatever the state.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListedByRules {
    /// The relations that may list neighbours: those of two cells, in one or two words each, perhaps with a direction, that never
    /// change. They are derived as far as that takes little effort.
    pub neighbours: Vec<NeighbourRelation>,
    /// The facts that the rules list with `base`; none if there are very many.
    pub possible: Vec<GroundTerm>,
    /// Whether time ended a derivation, so that another time may find more.
    pub is_cut_short: bool,
}

impl ListedByRules {
    /// Reads and derives it.
    pub fn of(rules: &Rules) -> Self {
        let (program, _) = translate(rules);
        let mut relations = StaticRelations {
            program: &program,
            is_cut_short: false,
        };
        Self {
            neighbours: relations.neighbours(),
            possible: relations.possible_facts(),
            is_cut_short: relations.is_cut_short,
        }
    }
}

/// The relations of a game that never change.
struct StaticRelations<'p> {
    program: &'p Program,
    /// See [`ListedByRules::is_cut_short`].
    is_cut_short: bool,
}

impl StaticRelations<'_> {
    fn neighbours(&mut self) -> Vec<NeighbourRelation> {
        let program = self.program;
        let Ok(components) = stratify(program) else {
            return Vec::new();
        };
        let of_game = components.iter().filter(|component| component.level == 0);
        let mut preds: Vec<Pred> = of_game
            .flat_map(|component| component.preds.iter().copied())
            .filter(|&pred| (2..=5).contains(&program.arity(pred)) && !is_keyword(program, pred))
            .collect();
        preds.sort_by_key(|&pred| (!names_neighbours(program.name(pred)), pred.index()));
        preds.truncate(MOST_RELATIONS);
        preds
            .into_iter()
            .filter_map(|pred| {
                let name = program.name(pred).to_owned();
                let rows = self.rows(pred, MOST_PAIRS)?;
                let are_words = rows.iter().flatten().all(|text| !text.starts_with('('));
                let pairs = pairs(&Some(rows).filter(|_| are_words)?)?;
                Some(NeighbourRelation { name, pairs })
            })
            .collect()
    }

    fn possible_facts(&mut self) -> Vec<GroundTerm> {
        let base = self.program.find_pred("base", 1);
        let rows = base.and_then(|base| self.rows(base, MOST_FACTS));
        let facts = rows.iter().flatten().flatten();
        facts.filter_map(|fact| fact.parse().ok()).collect()
    }

    /// The rows of a relation; `None` if there are more than `most`.
    fn rows(&mut self, pred: Pred, most: usize) -> Option<Vec<Vec<String>>> {
        let listed = listed_rows(self.program, pred);
        let rows = listed.or_else(|| match derived_rows(self.program, pred) {
            Ok(rows) => Some(rows),
            Err(why) => {
                self.is_cut_short |= why.depends_on_time();
                None
            }
        })?;
        (rows.len() <= most).then_some(rows)
    }
}

/// Whether a relation is called as those of neighbours often are.
pub(super) fn names_neighbours(name: &str) -> bool {
    const PARTS: [&str; 9] = [
        "adj", "neigh", "conn", "edge", "link", "path", "road", "touch", "near",
    ];
    let name = name.to_lowercase();
    PARTS.iter().any(|part| name.contains(part))
}

fn is_keyword(program: &Program, pred: Pred) -> bool {
    matches!(
        program.name(pred),
        "base" | "input" | "init" | "next" | "legal" | "goal" | "does" | "true"
    )
}

/// The rows of a relation that has facts alone, each once.
fn listed_rows(program: &Program, pred: Pred) -> Option<Vec<Vec<String>>> {
    let clauses = program.clauses().iter();
    let clauses = clauses.filter(|clause| clause.head.pred == pred);
    if clauses.clone().count() > MOST_ROWS {
        return None;
    }
    let word = |pattern: &Pattern| match pattern {
        Pattern::Ground(term) => Some(program.terms.text(*term)),
        _ => None,
    };
    let row = |clause: &Clause| -> Option<Vec<String>> {
        let is_fact = clause.body.is_empty();
        is_fact.then(|| clause.head.args.iter().map(word).collect())?
    };
    let rows: IndexSet<Vec<String>> = clauses.map(row).collect::<Option<_>>()?;
    Some(Vec::from_iter(rows))
}

/// The rows of a relation, or what keeps them from being derived with little effort.
fn derived_rows(program: &Program, pred: Pred) -> Result<Vec<Vec<String>>, Exhausted> {
    let limits = EvaluationLimits {
        rows: MOST_ROWS,
        terms: 40_000,
        time: Duration::from_millis(50),
        ..EvaluationLimits::default()
    };
    let engine = DatalogEngine::new(cone(program, pred), &[pred], limits);
    let engine = match engine {
        Ok(engine) => engine,
        Err(DatalogError::Exhausted { why, .. }) => return Err(why),
        // A part of a program with strata has strata.
        Err(DatalogError::Unstratified(_)) => return Ok(Vec::new()),
    };
    let mut memory = engine.memory();
    let rows: Vec<Vec<_>> = match engine.static_rows(pred) {
        Some(rows) => rows.map(<[_]>::to_vec).collect(),
        None => {
            memory.derive(&engine, pred);
            memory.rows(pred).map(<[_]>::to_vec).collect()
        }
    };
    if let Some(why) = memory.exhausted() {
        return Err(why);
    }
    let terms = engine.terms().lock();
    let words = |row: &Vec<_>| row.iter().map(|term| terms.text(*term)).collect();
    Ok(rows.iter().map(words).collect())
}

/// The part of a program that a relation depends on.
fn cone(program: &Program, pred: Pred) -> Program {
    let mut wanted = BTreeSet::from([pred.index()]);
    let mut open = vec![pred.index()];
    let mut part = program.without_clauses();
    while let Some(index) = open.pop() {
        for clause in program.clauses() {
            if clause.head.pred.index() != index {
                continue;
            }
            part.add(clause.clone());
            for literal in &clause.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal
                    && wanted.insert(atom.pred.index())
                {
                    open.push(atom.pred.index());
                }
            }
        }
    }
    part
}

/// The cells that each row relates.
fn pairs(rows: &[Vec<String>]) -> Option<BTreeSet<(Vec<String>, Vec<String>)>> {
    const WAYS: [(usize, [&[usize]; 2]); 8] = [
        (2, [&[0], &[1]]),
        (3, [&[0], &[1]]),
        (3, [&[0], &[2]]),
        (3, [&[1], &[2]]),
        (4, [&[0, 1], &[2, 3]]),
        (5, [&[0, 1], &[2, 3]]),
        (5, [&[0, 1], &[3, 4]]),
        (5, [&[1, 2], &[3, 4]]),
    ];
    let arity = rows.first()?.len();
    let mut ways = WAYS.iter().filter(|(length, _)| *length == arity);
    ways.find_map(|(_, [from, to])| {
        let cell = |row: &[String], places: &[usize]| -> Vec<String> {
            places.iter().map(|&place| row[place].clone()).collect()
        };
        let pairs: BTreeSet<(Vec<String>, Vec<String>)> = rows
            .iter()
            .map(|row| (cell(row, from), cell(row, to)))
            .collect();
        are_neighbours(&pairs).then_some(pairs)
    })
}

/// Whether pairs relate cells of one kind, none to itself, and far from all to each other, as a comparison does.
fn are_neighbours(pairs: &BTreeSet<(Vec<String>, Vec<String>)>) -> bool {
    const MOST: usize = 12;
    let neighbours = symmetric(pairs);
    let froms: BTreeSet<&Vec<String>> = pairs.iter().map(|(from, _)| from).collect();
    let tos: BTreeSet<&Vec<String>> = pairs.iter().map(|(_, to)| to).collect();
    let shared = froms.intersection(&tos).count();
    let most = neighbours.values().map(BTreeSet::len).max().unwrap_or(0);
    let edges = neighbours.values().map(BTreeSet::len).sum::<usize>() / 2;
    neighbours.len() >= 4
        && pairs.iter().all(|(from, to)| from != to)
        && shared * 2 >= froms.len().max(tos.len())
        && most <= MOST
        && 10 * edges <= 7 * (neighbours.len() * (neighbours.len() - 1) / 2)
}

/// Per cell, its neighbours, each the other's.
pub(super) fn symmetric<C: Clone + Ord>(pairs: &BTreeSet<(C, C)>) -> BTreeMap<C, BTreeSet<C>> {
    let mut neighbours: BTreeMap<C, BTreeSet<C>> = BTreeMap::new();
    for (from, to) in pairs {
        neighbours
            .entry(from.clone())
            .or_default()
            .insert(to.clone());
        neighbours
            .entry(to.clone())
            .or_default()
            .insert(from.clone());
    }
    neighbours
}

impl NeighbourRelation {
    /// Whether cells lead to one other cell each, as in an order of numbers.
    pub(super) fn is_function(&self) -> bool {
        let froms: BTreeSet<_> = self.pairs.iter().map(|(from, _)| from).collect();
        let tos: BTreeSet<_> = self.pairs.iter().map(|(_, to)| to).collect();
        froms.len() == self.pairs.len() && tos.len() == self.pairs.len()
    }

    /// Whether most pairs are listed in both directions.
    pub(super) fn is_symmetric(&self) -> bool {
        let back = |(from, to): &&(Vec<String>, Vec<String>)| {
            self.pairs.contains(&(to.clone(), from.clone()))
        };
        self.pairs.iter().filter(back).count() * 2 > self.pairs.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;

    fn found(rules: &str) -> Vec<NeighbourRelation> {
        let rest = "(role r) (init (at a)) (<= (legal r go) (true (at ?x))) (<= (next (at ?x))
            (true (at ?x)) (does r go)) (<= terminal (true (at z))) (goal r 0)";
        ListedByRules::of(&load(&format!("{rules} {rest}")).rules.unwrap()).neighbours
    }

    #[test]
    fn derived_neighbours_are_found() {
        let found = found(
            "(edge a b) (edge b c) (edge c d) (edge d e) (edge b e)
            (<= (near ?x ?y) (edge ?x ?y)) (<= (near ?y ?x) (edge ?x ?y))
            (<= (linked ?x ?y up) (edge ?x ?y))",
        );
        let names: Vec<(&str, usize, bool)> = found
            .iter()
            .map(|one| (&*one.name, one.pairs.len(), one.is_symmetric()))
            .collect();
        assert_eq!(
            names,
            [("edge", 5, false), ("near", 10, true), ("linked", 5, false)]
        );
    }

    #[test]
    fn orders_are_functions_and_comparisons_no_neighbours() {
        let found = found(
            "(succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
            (<= (less ?x ?y) (succ ?x ?y)) (<= (less ?x ?z) (succ ?x ?y) (less ?y ?z))",
        );
        assert_eq!(found.len(), 1);
        assert!(found[0].is_function());
    }
}
