//! Games made up at random, in which relations of several columns mostly hand values on.

use std::collections::BTreeSet;

use proptest::prelude::*;

/// Relations that rules derive: how many columns each has, and whether the first two are one term of two parts.
const DERIVED: [(usize, bool); 5] = [(2, false), (3, true), (3, false), (4, false), (3, false)];

/// What a literal is made from: its kind, a relation, and what stands in its columns.
type Question = (u8, usize, [u8; 4]);

/// What a rule about a derived relation is made from: the relation, its columns, and its body.
type Recipe = (usize, [u8; 4], Vec<Question>);

/// What a game is made from.
#[derive(Debug, Clone)]
struct Game {
    derived: Vec<Recipe>,
    /// The bodies of rules for `next`, `legal`, `goal` and `terminal` by turns.
    asked: Vec<Vec<Question>>,
    /// The facts of the static relations.
    facts: (BTreeSet<u8>, BTreeSet<(u8, u8)>),
    initial: BTreeSet<(u8, u8)>,
    /// Whether the terms of two parts are asked for as a whole somewhere.
    asks_for_terms: bool,
}

pub(super) fn games() -> impl Strategy<Value = String> {
    let columns = || prop::array::uniform4(0u8..12);
    let question = || (0u8..20, 0usize..5, columns());
    let recipe = (
        0usize..5,
        columns(),
        prop::collection::vec(question(), 1..4),
    );
    let pairs = || prop::collection::btree_set((0u8..3, 0u8..3), 0..6);
    let game = (
        prop::collection::vec(recipe, 5..14),
        prop::collection::vec(prop::collection::vec(question(), 1..4), 5..9),
        (prop::collection::btree_set(0u8..4, 1..3), pairs()),
        (pairs(), any::<bool>()),
    );
    game.prop_map(|(derived, asked, facts, (initial, asks_for_terms))| {
        let game = Game {
            derived,
            asked,
            facts,
            initial,
            asks_for_terms,
        };
        game.text()
    })
}

impl Game {
    fn text(&self) -> String {
        let mut text = "(d 0)(d 1)(d 2)(d 3)(legal r wait)
            (<= (ne ?x ?y) (d ?x) (d ?y) (distinct ?x ?y))
            (<= (ne ?x ?y ?z) (s ?x) (d ?y) (d ?z) (distinct ?x ?y))
            (<= (legal r (go ?x ?y)) (d ?x) (d ?y) (true (c ?y ?x)))\n"
            .to_owned();
        if self.asks_for_terms {
            text += "(<= (some ?t) (p1 ?t 3))";
        }
        let (some, edges) = &self.facts;
        some.iter().for_each(|x| text += &format!("(s {x})"));
        edges
            .iter()
            .for_each(|(x, y)| text += &format!("(e {x} {y})"));
        for (x, y) in &self.initial {
            text += &format!("(init (c {x} {y}))(init (a {x}))");
        }
        for (pred, columns, body) in &self.derived {
            let head = derived(*pred, columns);
            text += &rule(&head, &literals(body, Some(*pred)));
        }
        for (number, body) in self.asked.iter().enumerate() {
            let head = [
                "(next (c ?v0 ?v1))",
                "(next (a ?v0))",
                "(legal r (go ?v0 ?v1))",
                "terminal",
                "(goal r 100)",
            ][number % 5];
            let mut body = literals(body, None);
            if number % 5 < 2 && number % 2 == 0 {
                body.push("(does r (go ?v0 ?v2))".to_owned());
            }
            text += &rule(head, &body);
        }
        text
    }
}

/// A rule whose variables are all bound.
fn rule(head: &str, body: &[String]) -> String {
    let is_free = |text: &&String| text.starts_with("(not") || text.starts_with("(distinct");
    let bound: String = body.iter().filter(|text| !is_free(text)).cloned().collect();
    let all = format!("{head}{}", body.concat());
    let guards = (0..5).filter(|n| {
        let variable = format!("?v{n}");
        all.contains(&variable) && !bound.contains(&variable)
    });
    let guards: Vec<String> = guards.map(|n| format!("(d ?v{n})")).collect();
    format!("(<= {head} {} {})\n", body.join(" "), guards.join(" "))
}

/// The variable of that column more often than not, any other, or seldom a constant.
fn argument(column: usize, code: u8) -> String {
    match code {
        0..=8 => format!("?v{column}"),
        9..=13 => format!("?v{}", code - 9),
        _ => format!("{}", code % 4),
    }
}

/// What seldom stands in a column of a head: the values of most columns are to make no difference.
fn aside(code: u8) -> String {
    match code {
        0..=5 => format!("{}", code % 4),
        6..=11 => "?v4".to_owned(),
        _ => format!("?v{}", code - 12),
    }
}

fn derived(pred: usize, columns: &[u8; 4]) -> String {
    let (arity, is_term) = DERIVED[pred];
    let args: Vec<String> = (0..arity)
        .map(|column| argument(column, columns[column]))
        .collect();
    if is_term {
        format!(
            "(p{pred} (f {} {}) {})",
            args[0],
            args[1],
            args[2..].join(" ")
        )
    } else {
        format!("(p{pred} {})", args.join(" "))
    }
}

/// The literals of a rule for the derived relation `of`, which rests on those before it and on itself.
fn literals(body: &[Question], of: Option<usize>) -> Vec<String> {
    let lower = of.unwrap_or(DERIVED.len());
    let texts = body.iter().map(|(kind, pred, columns)| {
        let [x, y] = [0, 1].map(|column| aside(columns[column]));
        match kind {
            0..=7 if *pred <= lower => derived(*pred, columns),
            8..=10 if *pred < lower => format!("(not {})", derived(*pred, columns)),
            0..=11 => format!("(true (c {x} {y}))"),
            12 => format!("(not (true (c {x} {y})))"),
            13 => format!("(true (a {x}))"),
            14 => format!("(not (true (a {x})))"),
            15 => format!("(distinct {x} {y})"),
            16 | 17 => format!("(distinct ?v{} {})", columns[2] % 3, columns[1] % 4),
            18 => format!("(ne ?v{} {x})", columns[2] % 3),
            19 => format!("(ne ?v{} {x} {y})", columns[2] % 3),
            20 => format!("(e {x} {y})"),
            21 => format!("(s {x})"),
            _ => format!("(d {x})"),
        }
    });
    texts.collect()
}
