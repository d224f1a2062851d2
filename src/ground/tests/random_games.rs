//! Random games, in which rules mostly pass the arguments of wide relations on.

use std::collections::BTreeSet;
use std::ops::Range;

use proptest::prelude::*;

/// The derived relations: the number of columns, and whether the first two are the arguments of one compound term.
const DERIVED: [(usize, bool); 5] = [(2, false), (3, true), (3, false), (4, false), (3, false)];

/// The kinds of literals.
const KINDS: u8 = 30;

/// Seed of a literal: its kind, its relation, its arguments.
type Question = (u8, usize, [u8; 4]);

/// Seed of a body: its literals, and the domains of the variables that none of them binds.
type RandomBody = (Vec<Question>, [u8; 5]);

/// Seed of a rule of a derived relation: the relation, its arguments, and its body.
type RandomRule = (usize, [u8; 4], RandomBody);

/// Seed of a relation that counts down in its first column: rules for 0, the body of the rule for all other numbers, and
/// the bodies of rules that use it.
#[derive(Debug, Clone)]
struct Countdown {
    ends: Vec<([u8; 4], RandomBody)>,
    step: RandomBody,
    asked: Vec<(u8, RandomBody)>,
}

/// Seed of two relations: one is an inequality between two domains, the other passes a constant on to it.
#[derive(Debug, Clone)]
struct Differing {
    /// A fact, and the domains of both values.
    rules: Vec<(u8, [u8; 2])>,
    constant: u8,
    /// Whether it is used negated.
    is_negated: bool,
}

/// Seed of a game.
#[derive(Debug, Clone)]
struct RandomGame {
    derived: Vec<RandomRule>,
    countdown: Countdown,
    differing: Differing,
    /// The bodies of rules for `next`, `legal`, `goal` and `terminal` in turn.
    asked: Vec<RandomBody>,
    /// The values in some order: two domains overlap, and neither contains the other.
    kinds: Vec<u8>,
    /// The facts of a static relation.
    edges: BTreeSet<(u8, u8)>,
    initial: BTreeSet<(u8, u8)>,
    /// Whether a rule uses the compound terms as wholes.
    uses_terms: bool,
}

fn columns() -> impl Strategy<Value = [u8; 4]> {
    prop::array::uniform4(0u8..18)
}

fn body(literals: Range<usize>) -> impl Strategy<Value = RandomBody> {
    let question = (0..KINDS, 0usize..5, columns());
    (
        prop::collection::vec(question, literals),
        prop::array::uniform5(0u8..8),
    )
}

fn countdown() -> impl Strategy<Value = Countdown> {
    let ends = prop::collection::vec((columns(), body(0..3)), 1..4);
    let asked = prop::collection::vec((0u8..6, body(0..2)), 1..4);
    (ends, body(1..3), asked).prop_map(|(ends, step, asked)| Countdown { ends, step, asked })
}

fn differing() -> impl Strategy<Value = Differing> {
    let rules = prop::collection::vec((0u8..3, prop::array::uniform2(0u8..3)), 1..4);
    (rules, 0u8..4, any::<bool>()).prop_map(|(rules, constant, is_negated)| Differing {
        rules,
        constant,
        is_negated,
    })
}

pub(super) fn games() -> impl Strategy<Value = String> {
    let pairs = || prop::collection::btree_set((0u8..3, 0u8..3), 0..6);
    let game = (
        prop::collection::vec((0usize..5, columns(), body(1..4)), 5..14),
        (countdown(), differing()),
        prop::collection::vec(body(1..4), 5..9),
        (Just(vec![0, 1, 2, 3]).prop_shuffle(), pairs()),
        (pairs(), any::<bool>()),
    );
    game.prop_map(
        |(derived, (countdown, differing), asked, (kinds, edges), (initial, uses_terms))| {
            let game = RandomGame {
                derived,
                countdown,
                differing,
                asked,
                kinds,
                edges,
                initial,
                uses_terms,
            };
            game.text()
        },
    )
}

impl RandomGame {
    fn text(&self) -> String {
        let mut text = "(d 0)(d 1)(d 2)(d 3)(legal r wait)
            (<= (ne ?x ?y) (d ?x) (d ?y) (distinct ?x ?y))
            (<= (ne ?x ?y ?z) (s ?x) (d ?y) (d ?z) (distinct ?x ?y))
            (<= (legal r (go ?x ?y)) (d ?x) (d ?y) (true (c ?y ?x)))
            (own 0 0)(own 2 1)(init (k 0 1))(init (k 1 2))
            (<= (next (k 0 ?x)) (true (k 0 ?x)) (does r wait))(<= (next (k 0 ?y)) (does r (go ?x ?y)))
            (<= (next (k 1 ?x)) (true (k 1 ?x)))\n"
            .to_owned();
        if self.uses_terms {
            text += "(<= (some ?t) (p1 ?t 3))";
        }
        let [a, b, c] = [0, 1, 2].map(|at| self.kinds[at]);
        text += &format!("(s {a})(s {b})(t {b})(t {c})");
        self.edges
            .iter()
            .for_each(|(x, y)| text += &format!("(e {x} {y})"));
        for (x, y) in &self.initial {
            text += &format!("(init (c {x} {y}))(init (a {x}))");
        }
        for (pred, columns, body) in &self.derived {
            let head = derived(*pred, &columns.map(seldom_constant));
            text += &rule(&head, &literals(body, Some(*pred)), body);
        }
        text += &self.countdown.text();
        text += &self.differing.text();
        for (number, body) in self.asked.iter().enumerate() {
            let head = [
                "(next (c ?v0 ?v1))",
                "(next (a ?v0))",
                "(legal r (go ?v0 ?v1))",
                "terminal",
                "(goal r 100)",
            ][number % 5];
            let mut texts = literals(body, None);
            if number % 5 > 2 {
                texts.push(format!("(true (k {} ?v2))", number % 2));
            }
            if number % 5 < 2 && number % 2 == 0 {
                texts.push("(does r (go ?v0 ?v2))".to_owned());
            }
            text += &rule(head, &texts, body);
        }
        text
    }
}

impl Countdown {
    fn text(&self) -> String {
        let mut text = "(succ 0 1)(succ 1 2)(succ 2 3)".to_owned();
        for (columns, body) in &self.ends {
            let [x, y] = [0, 1].map(|column| argument(column, seldom_constant(columns[column])));
            text += &rule(&format!("(w 0 {x} {y})"), &literals(body, None), body);
        }
        let mut step = literals(&self.step, None);
        step.push("(succ ?k ?n)(w ?k ?v0 ?v1)".to_owned());
        text += &rule("(w ?n ?v0 ?v1)", &step, &self.step);
        for (code, body) in &self.asked {
            let mut texts = literals(body, None);
            texts.push(format!("(w {} ?v0 ?v1)", code % 3 + 1));
            // Few values are used together, as in typical rules.
            if *code < 4 {
                texts.push("(e ?v0 ?v1)".to_owned());
            }
            text += &rule("(legal r (go ?v0 ?v1))", &texts, body);
        }
        text
    }
}

impl Differing {
    fn text(&self) -> String {
        let mut text = String::new();
        for (fact, kinds) in &self.rules {
            let [k, l] = kinds.map(|kind| ["d", "s", "t"][usize::from(kind)]);
            text +=
                &format!("(<= (u ?y ?x) (true (a {fact})) ({k} ?y) ({l} ?x) (distinct ?x ?y))\n");
        }
        let asked = if self.is_negated {
            "(not (h ?x))"
        } else {
            "(h ?x)"
        };
        let constant = self.constant;
        text + &format!("(<= (h ?x) (u {constant} ?x))(<= (legal r (name ?x)) (d ?x) {asked})\n")
    }
}

/// A safe rule: variables that nothing else binds get a domain.
fn rule(head: &str, body: &[String], (_, kinds): &RandomBody) -> String {
    let is_free = |text: &&String| text.starts_with("(not") || text.starts_with("(distinct");
    let bound: String = body.iter().filter(|text| !is_free(text)).cloned().collect();
    let all = format!("{head}{}", body.concat());
    let guards = (0..5).filter(|n| {
        let variable = format!("?v{n}");
        all.contains(&variable) && !bound.contains(&variable)
    });
    let kind = |n: usize| {
        ["d", "s", "t", "s", "t"]
            .get(usize::from(kinds[n]))
            .unwrap_or(&"d")
    };
    let guards: Vec<String> = guards.map(|n| format!("({} ?v{n})", kind(n))).collect();
    format!("(<= {head} {} {})\n", body.join(" "), guards.join(" "))
}

/// Usually the variable of that column, sometimes another, rarely a constant.
fn argument(column: usize, code: u8) -> String {
    match code {
        0..=8 => format!("?v{column}"),
        9..=13 => format!("?v{}", code - 9),
        _ => format!("{}", code % 4),
    }
}

/// An argument of a head: in most rules a variable, so that arguments are often irrelevant.
fn seldom_constant(code: u8) -> u8 {
    if code > 14 { code - 14 } else { code }
}

/// A rare argument of a head: most arguments should be irrelevant.
fn aside(code: u8) -> String {
    match code {
        0..=5 => format!("{}", code % 4),
        6..=11 => "?v4".to_owned(),
        _ => format!("?v{}", (code - 12) % 5),
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

/// The literals of a rule for the derived relation `of`, which depends on those before it and on itself.
fn literals((body, _): &RandomBody, of: Option<usize>) -> Vec<String> {
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
            21 => format!("(s ?v{})", columns[2] % 4),
            22 => format!("(t ?v{})", columns[2] % 4),
            23 => format!("(d {x})"),
            24 | 25 => format!("(true (k {} ?v4))", columns[2] % 2),
            26 => format!("(own {x} ?w)(true (k ?w ?v4))"),
            27 => format!("(true (k {x} {y}))"),
            _ => {
                let [x, more] = [columns[2] % 4, columns[3] % 3];
                format!("(distinct ?v{x} ?v{})", (x + more + 1) % 4)
            }
        }
    });
    texts.collect()
}
