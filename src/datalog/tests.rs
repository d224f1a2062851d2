//! The engine on small programs.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{
    Atom, Clause, DatalogEngine, DatalogError, EvaluationLimits, Exhausted, Literal, Pattern, Pred,
    Program, TermId, WorkingMemory,
};

/// Adds `head :- body` to a program; lower-case letters are constants, capitals are variables, `!` negates.
pub(super) fn rule(program: &mut Program, head: &str, body: &[&str]) {
    let mut variables = Vec::new();
    let head = atom(program, &mut variables, head);
    let literals = body.iter().map(|text| match text.strip_prefix('!') {
        Some(negated) => Literal::Negative(atom(program, &mut variables, negated)),
        None => Literal::Positive(atom(program, &mut variables, text)),
    });
    let body = literals.collect();
    program.add(Clause {
        head,
        body,
        variables: variables.len(),
    });
}

fn atom(program: &mut Program, variables: &mut Vec<String>, text: &str) -> Atom {
    let mut words = text.split(' ');
    let name = words.next().unwrap();
    let args: Vec<Pattern> = words
        .map(|word| pattern(program, variables, word))
        .collect();
    Atom {
        pred: program.pred(name, args.len()),
        args,
    }
}

/// `s(s(X))` nests.
fn pattern(program: &mut Program, variables: &mut Vec<String>, text: &str) -> Pattern {
    if let Some(inner) = text
        .strip_prefix("s(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let functor = program.terms.functor("s", Some(1));
        return match pattern(program, variables, inner) {
            Pattern::Ground(term) => Pattern::Ground(program.terms.intern(functor, &[term])),
            open => Pattern::Compound(functor, vec![open]),
        };
    }
    if !text.starts_with(char::is_uppercase) {
        return Pattern::Ground(program.terms.word(text));
    }
    let known = variables.iter().position(|name| name == text);
    Pattern::Var(known.unwrap_or_else(|| {
        variables.push(text.to_owned());
        variables.len() - 1
    }))
}

pub(super) fn all_rows(
    engine: &DatalogEngine,
    memory: &WorkingMemory,
    pred: Pred,
) -> BTreeSet<Vec<String>> {
    let text = |row: &[TermId]| {
        row.iter()
            .map(|&term| engine.terms().lock().text(term))
            .collect()
    };
    match engine.static_rows(pred) {
        Some(rows) => rows.map(text).collect(),
        None => memory.rows(pred).map(text).collect(),
    }
}

fn limits(rows: usize, terms: usize) -> EvaluationLimits {
    EvaluationLimits {
        rows,
        terms,
        time: Duration::from_secs(20),
        ..EvaluationLimits::default()
    }
}

#[test]
fn transitive_closure_of_a_cyclic_graph() {
    for body in [
        ["path X Y", "edge Y Z"],
        ["edge X Y", "path Y Z"],
        ["path X Y", "path Y Z"],
    ] {
        let mut program = Program::default();
        for edge in ["edge a b", "edge b c", "edge c a", "edge c d"] {
            rule(&mut program, edge, &[]);
        }
        rule(&mut program, "path X Y", &["edge X Y"]);
        rule(&mut program, "path X Z", &body);
        let path = program.find_pred("path", 2).unwrap();
        let engine = DatalogEngine::new(program, &[path], EvaluationLimits::default()).unwrap();
        assert_eq!(engine.static_rows(path).unwrap().count(), 12);
    }
}

#[test]
fn changing_higher_inputs_keeps_what_depends_on_lower_ones() {
    let mut program = Program::default();
    rule(&mut program, "free X", &["place X", "!taken X"]);
    rule(&mut program, "after X", &["taken X"]);
    rule(&mut program, "after X", &["free X", "put X"]);
    for place in ["place a", "place b", "place c"] {
        rule(&mut program, place, &[]);
    }
    let [taken, put, after, free] =
        ["taken", "put", "after", "free"].map(|name| program.pred(name, 1));
    program.declare_input(taken, 1);
    program.declare_input(put, 2);
    let [a, b, c] = ["a", "b", "c"].map(|name| program.terms.word(name));
    let engine = DatalogEngine::new(program, &[after], EvaluationLimits::default()).unwrap();
    let mut memory = engine.memory();
    memory.supply(taken, &[a]);
    for (chosen, count) in [(b, 2), (c, 2), (a, 1)] {
        memory.reset(&engine, 2);
        memory.supply(put, &[chosen]);
        memory.derive(&engine, after);
        assert_eq!(memory.count(after), count);
    }
    memory.reset(&engine, 1);
    memory.derive(&engine, after);
    memory.derive(&engine, free);
    assert_eq!((memory.count(after), memory.count(free)), (0, 3));
}

#[test]
fn matches_and_builds_compound_terms() {
    let mut program = Program::default();
    rule(&mut program, "number s(s(s(zero)))", &[]);
    rule(&mut program, "number X", &["number s(X)"]);
    rule(&mut program, "even zero", &[]);
    rule(&mut program, "even s(s(X))", &["even X", "number s(s(X))"]);
    let even = program.find_pred("even", 1).unwrap();
    let engine = DatalogEngine::new(program, &[even], EvaluationLimits::default()).unwrap();
    let rows = all_rows(&engine, &engine.memory(), even);
    assert_eq!(
        rows,
        BTreeSet::from([vec!["zero".to_owned()], vec!["(s (s zero))".to_owned()]])
    );
}

#[test]
fn limits_stop_growing_terms_and_too_many_rows() {
    let mut endless = Program::default();
    rule(&mut endless, "number zero", &[]);
    rule(&mut endless, "number s(X)", &["number X"]);
    let number = endless.find_pred("number", 1).unwrap();
    let error =
        DatalogEngine::new(endless.clone(), &[number], limits(usize::MAX, 1000)).unwrap_err();
    let assert_stopped = |error: DatalogError, limit: Exhausted| match error {
        DatalogError::Exhausted { why, growth } => {
            assert_eq!(why, limit);
            assert_eq!(growth.unwrap().relation, "number");
        }
        other => panic!("{other}"),
    };
    assert_stopped(error, Exhausted::Terms(1000));
    let shallow = EvaluationLimits {
        depth: 40,
        ..EvaluationLimits::default()
    };
    let error = DatalogEngine::new(endless.clone(), &[number], shallow).unwrap_err();
    let said = error.to_string();
    let place = "; see the rule for `(number (s …))`, which had derived ";
    assert!(said.contains(place), "{said}");
    assert_stopped(error, Exhausted::Depth(40));
    let error = DatalogEngine::new(endless, &[number], limits(500, 1000)).unwrap_err();
    assert_stopped(error, Exhausted::Rows(500));
}

#[test]
fn recursion_by_key_builds_terms_and_follows_paths() {
    let mut program = Program::default();
    rule(&mut program, "num zero", &["on"]);
    rule(&mut program, "num s(X)", &["num X", "!stop X"]);
    rule(&mut program, "stop s(s(s(s(zero))))", &[]);
    rule(&mut program, "plus zero Y Y", &["num Y"]);
    rule(
        &mut program,
        "plus s(X) Y s(Z)",
        &["num Z", "plus X Y Z", "num X"],
    );
    rule(
        &mut program,
        "sum Z",
        &["on", "plus s(s(zero)) s(s(s(zero))) Z"],
    );
    rule(
        &mut program,
        "walk X Y L",
        &["plus s(zero) L M", "trip X Y M"],
    );
    rule(&mut program, "trip X Y L", &["edge X Y", "num L"]);
    rule(
        &mut program,
        "trip X Y L",
        &["edge X Z", "walk Z Y L", "num L"],
    );
    rule(&mut program, "arrives Y", &["on", "walk a Y zero"]);
    for edge in [
        "edge a b", "edge b c", "edge c d", "edge d e", "edge e f", "edge f g", "edge g h",
    ] {
        rule(&mut program, edge, &[]);
    }
    let on = program.pred("on", 0);
    program.declare_input(on, 1);
    let [sum, arrives] = ["sum", "arrives"].map(|name| program.pred(name, 1));
    let mut engine =
        DatalogEngine::new(program, &[sum, arrives], EvaluationLimits::default()).unwrap();
    engine.derive_recursion_by_key(true);
    engine.replan();
    let mut memory = engine.memory();
    memory.supply(on, &[]);
    memory.derive(&engine, sum);
    memory.derive(&engine, arrives);
    assert_eq!(memory.count(sum), 1);
    assert_eq!(memory.count(arrives), 4);
}

#[test]
fn large_static_relations_are_derived_by_key() {
    let mut program = Program::default();
    for n in 0..10 {
        rule(&mut program, &format!("c k{n}"), &[]);
    }
    rule(
        &mut program,
        "large A B C D E F",
        &["c A", "c B", "c C", "c D", "c E", "c F"],
    );
    rule(&mut program, "few X", &["c X", "large k1 k2 k3 k4 X k5"]);
    let few = program.pred("few", 1);
    let engine = DatalogEngine::new(program, &[few], EvaluationLimits::default()).unwrap();
    assert_eq!(engine.static_rows(few).unwrap().count(), 10);
    assert!(engine.static_size().1 < 100);
}

#[test]
fn complete_subgoals_of_a_recursion_are_not_evaluated_again() {
    const NUMBERS: usize = 1000;
    const KEYS: usize = 400;
    let mut program = Program::default();
    for n in 0..NUMBERS {
        rule(&mut program, &format!("succ n{n} n{}", n + 1), &[]);
    }
    rule(&mut program, "sum X n0 X", &["succ X Y"]);
    rule(
        &mut program,
        "sum X Y Z",
        &["succ V Y", "sum X V W", "succ W Z"],
    );
    rule(&mut program, "total Z", &["given X Y", "sum X Y Z"]);
    let given = program.pred("given", 2);
    program.declare_input(given, 1);
    let numbers: Vec<TermId> = (0..NUMBERS)
        .map(|n| program.terms.word(&format!("n{n}")))
        .collect();
    let total = program.pred("total", 1);
    let engine = DatalogEngine::new(program, &[total], EvaluationLimits::default()).unwrap();
    let mut memory = engine.memory();
    let mut work_for = |keys: std::ops::Range<usize>| {
        let before = memory.work();
        for x in keys {
            memory.reset(&engine, 1);
            memory.supply(given, &[numbers[x], numbers[10]]);
            memory.derive(&engine, total);
            assert_eq!(
                memory.rows(total).collect::<Vec<_>>(),
                [&[numbers[x + 10]][..]]
            );
        }
        memory.work() - before
    };
    let (first, last) = (work_for(0..KEYS), work_for(KEYS..2 * KEYS));
    assert!(last < first + first / 10, "{first}, then {last}");
}

#[test]
fn derives_chains_longer_than_the_stack() {
    let mut program = Program::default();
    let input = program.pred("p0", 1);
    program.declare_input(input, 1);
    rule(&mut program, "fixed0 b", &[]);
    for n in 1..20_000 {
        let below = n - 1;
        rule(&mut program, &format!("p{n} X"), &[&format!("p{below} X")]);
        rule(
            &mut program,
            &format!("fixed{n} X"),
            &[&format!("fixed{below} X")],
        );
    }
    rule(&mut program, "p19999 X", &["fixed19999 X"]);
    let last = program.find_pred("p19999", 1).unwrap();
    let a = program.terms.word("a");
    let engine = DatalogEngine::new(program, &[last], EvaluationLimits::default()).unwrap();
    let mut memory = engine.memory();
    memory.supply(input, &[a]);
    memory.derive(&engine, last);
    assert_eq!(memory.count(last), 2);
}

#[test]
fn refuses_a_cycle_through_negation() {
    let mut program = Program::default();
    rule(&mut program, "p a", &[]);
    rule(&mut program, "wins X", &["p X", "!loses X"]);
    rule(&mut program, "loses X", &["p X", "!wins X"]);
    let wins = program.find_pred("wins", 1).unwrap();
    let error = DatalogEngine::new(program, &[wins], EvaluationLimits::default()).unwrap_err();
    assert!(matches!(error, DatalogError::Unstratified(_)));
}

#[test]
fn a_query_reports_all_solutions() {
    let mut program = Program::default();
    for edge in ["a b", "a c", "b d", "c d", "d a"] {
        rule(&mut program, &format!("edge {edge}"), &[]);
    }
    // Two relations that derive each other, with different numbers of columns, and only for the keys looked up.
    rule(&mut program, "odd X Y", &["edge X Y"]);
    rule(&mut program, "odd X Y", &["edge X Z", "even s(X) Z Y"]);
    rule(
        &mut program,
        "even s(X) Z Y",
        &["edge X Z", "odd Z W", "edge W Y"],
    );
    let mut asking = Program::clone(&program);
    rule(&mut asking, "found X Y Z", &["edge X Z", "odd Z Y"]);
    let clause = asking.clauses().last().unwrap().clone();
    let [a, d, b, c] = ["a", "d", "b", "c"].map(|name| asking.terms.word(name));
    let mut engine = DatalogEngine::new(asking, &[], limits(10_000, 10_000)).unwrap();
    engine.derive_recursion_by_key(true);
    engine.replan();
    let query = engine.query(&clause, 2);
    let mut memory = engine.memory();
    let mut found = BTreeSet::new();
    memory.solve(&engine, &query, &[a, d], &mut |between| {
        found.insert(between.to_vec());
    });
    assert_eq!(found, BTreeSet::from([vec![b], vec![c]]));
}

#[test]
fn small_relations_are_derived_even_where_large_ones_come_before() {
    let mut program = Program::default();
    for n in 0..60 {
        rule(&mut program, &format!("number n{n}"), &[]);
    }
    let mut wanted = Vec::new();
    for n in 0..40 {
        let large = format!("large{n} X Y");
        rule(&mut program, &large, &["number X", "number Y"]);
        wanted.push(program.pred(&format!("large{n}"), 2));
    }
    rule(&mut program, "digit n1", &[]);
    rule(&mut program, "small X", &["digit X", "number X"]);
    let small = program.pred("small", 1);
    wanted.push(small);
    let mut engine = DatalogEngine::new(program, &[], EvaluationLimits::default()).unwrap();
    engine.derive_static_below(&wanted, 10_000, true).unwrap();
    let known = |pred: Pred| engine.static_rows(pred).is_some();
    assert!(!wanted[..40].iter().any(|&pred| known(pred)));
    assert!(known(small));
}
