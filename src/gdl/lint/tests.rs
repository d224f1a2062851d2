//! Lints on small texts.

use crate::gdl::load;
use crate::gdl::tests::{GAME, accepts, codes};

/// The only finding about a game with `extra` has this code and mentions `words` in its message or help.
fn warns(extra: &str, code: &str, words: &str) {
    let checked = load(&format!("{GAME}{extra}"));
    let found: Vec<_> = checked
        .diagnostics
        .iter()
        .filter(|finding| finding.code == code)
        .collect();
    let [finding] = found.as_slice() else {
        panic!("{code} is not once among {:?}", checked.diagnostics);
    };
    let text = format!("{} {:?}", finding.message, finding.help);
    assert!(text.contains(words), "{text}");
    assert!(!finding.is_error());
}

fn is_quiet(extra: &str) {
    assert_eq!(codes(extra), [""; 0], "in: {extra}");
}

#[test]
fn names_that_differ_in_case_are_reported() {
    warns(
        "(<= (next x) (true Open)) (<= (next open) (true open))",
        "case-differs",
        "`Open` and `open`",
    );
    is_quiet("(<= (next x) (TRUE open)) (<= (next open) (true open))");
}

#[test]
fn relations_are_defined_and_used() {
    warns(
        "(<= (next x) (opne 1)) (open 1)",
        "undefined-relation",
        "did you mean `open`",
    );
    warns(
        "(<= (next x) (opne 1)) (open 1)",
        "unused-relation",
        "did you mean `opne`",
    );
    warns(
        "(<= (next x) (and (true x) (true y)))",
        "undefined-relation",
        "no `and`",
    );
    warns(
        "(<= (next x) (open 1 2)) (open 1) (<= (next x) (open 1))",
        "undefined-relation",
        "`(open _)`",
    );
    for (condition, words) in [
        ("(+ 1 2 3)", "no arithmetic: count with facts"),
        ("(* 1 2 3)", "list the results as facts"),
        ("(> 2 1)", "no comparison of numbers"),
        ("(= 1 1)", "no equality"),
        ("(!= 1 2)", "(distinct ?a ?b)"),
    ] {
        let rule = format!("(<= (next x) {condition})");
        warns(&rule, "undefined-relation", words);
    }
    warns(
        "(<= (next x) (sum 1 2 3))",
        "undefined-relation",
        "snippet sum",
    );
    warns(
        "(<= (next (at ?y)) (step ?y)) (<= (step b) (true (at b))) (<= (stepp c) (true (at b)))",
        "unused-relation",
        "did you mean `step`",
    );
    warns(
        "//end of it (really)",
        "foreign-comment",
        "a comment begins with `;`",
    );
    warns(
        "(<= (next (n (+ ?n 1))) (true (n ?n)))",
        "no-arithmetic",
        "succ",
    );
    is_quiet("(<= (next (at (- a b))) (true (at (- a b))))");
    warns("(legel r b)", "unused-relation", "did you mean `legal`");
    warns("(p 1)", "unused-relation", "nothing uses `(p _)`");
    warns(
        "(<= (next (at x ?y)) (does r (go ?x ?y)))",
        "no-question-mark",
        "did you mean `?x`?",
    );
    // The variable is bound twice, or the word stands elsewhere.
    for text in [
        "(<= (next (at x ?y)) (does r (go ?x ?y)) (true (at ?x ?x)))",
        "(<= (next (at x ?y)) (does r (go ?x ?y))) (init (at x 1))",
    ] {
        assert!(!codes(text).contains(&"no-question-mark"), "{text}");
    }
    warns("(<=terminal x)", "unused-relation", "write `<= terminal`");
    is_quiet("(<= (p ?x) (q ?x)) (q 1) (<= (next ?x) (p ?x))");
}

#[test]
fn unused_facts_are_reported() {
    warns("(init (z 0))", "unread-fact", "`(z _)`");
    warns(
        "(init (contrl x)) (<= (next (control x)) (true (control x)))",
        "unread-fact",
        "did you mean `control`",
    );
    warns(
        "(<= (next mark) (or (true mrk) (true (s 1))))",
        "unread-fact",
        "did you mean `mrk`",
    );
    let quiet = |extra: &str| {
        let found = load(&format!("{GAME}{extra}")).diagnostics;
        assert!(found.iter().all(|finding| finding.code != "unread-fact"));
    };
    quiet("(init (z 0)) (<= (next ?f) (true ?f) (not (true (s 1))))");
    quiet("(init z) (<= (p) (or (not (true z)) (true (s 1))))");
    quiet("(<= (next ?f) (true (s 0)) (p ?f)) (p a)");
}

#[test]
fn shapes_of_names_are_consistent() {
    warns(
        "(<= (next x) (p)) (<= p (true x))",
        "needless-parentheses",
        "different",
    );
    warns(
        "(<= (next (f)) (true x))",
        "needless-parentheses",
        "write `f`",
    );
    warns(
        "(<= (next x) (p 1) (p 1 2)) (p 1) (p 1 2)",
        "arity-differs",
        "relation `p`",
    );
    warns(
        "(<= (next (f 1)) (true (f 1 2)))",
        "arity-differs",
        "function `f`",
    );
    is_quiet("(<= (next (cell cell)) (cell 1)) (cell 1)");
}

#[test]
fn roles_are_declared_and_have_moves_and_goals() {
    warns("(role r)", "duplicate-role", "`r`");
    assert_eq!(
        accepts("(role r) (<= (legal ?p b) (role ?p))")
            .roles()
            .len(),
        1
    );
    warns(
        "(<= (next x) (does rr a))",
        "unknown-role",
        "the roles are `r`",
    );
    warns(
        "(role white) (legal whtie a) (<= (legal ?p b) (role ?p)) (goal white 1)",
        "unknown-role",
        "`white`",
    );
    warns("(role s) (legal s a)", "no-goal", "`s`");
    warns("(role s) (goal s 1)", "no-legal", "(legal s noop)");
    warns("(<= (goal r 101) (true x))", "odd-score", "`101`");
    warns("(<= (goal r high) (true x))", "odd-score", "`high`");
    is_quiet("(init x) (init (v 1)) (<= (goal r 050) (true x)) (<= (goal r ?v) (true (v ?v)))");
}

#[test]
fn misspelled_variables_are_reported() {
    warns(
        "(<= (next x) (true (f ?player)) (true (g ?playr)))",
        "lone-variable",
        "did you mean `?player`",
    );
    warns(
        "(<= (next x) (true (f ?player)) (true (g ?Player)))",
        "lone-variable",
        "`?Player`",
    );
    warns(
        "(<= (next x) (true (f ?x)) (true (g ?x)) (true (h ?X)))",
        "lone-variable",
        "`?X`",
    );
    is_quiet(
        "(init (f 1)) (init (g 1)) (init (h 1)) (init (k 1 1))
        (<= (next x) (true (f ?row1)) (true (g ?row2)) (true (h ?any)) (true (k ?xOld ?yOld)))",
    );
}

#[test]
fn repeated_and_contradictory_rules_are_reported() {
    warns(
        "(<= (next x) (true y) (true z)) (<= (next x) (true z) (true y))",
        "duplicate-rule",
        "rule",
    );
    warns("(init x) (init x)", "duplicate-rule", "fact");
    warns("(<= (next x))", "empty-body", "write `(next x)`");
    warns(
        "(<= (next x) (true ?x) (distinct ?x ?x))",
        "never-holds",
        "distinct from itself",
    );
    warns(
        "(<= (next x) (true ?x) (not (true ?x)))",
        "never-holds",
        "cannot both hold",
    );
}

#[test]
fn odd_uses_of_keywords_are_reported() {
    warns(
        "(<= (legal r ?m) (input r ?m)) (input r a)",
        "base-in-body",
        "`input`",
    );
    warns("(<= (next (true x)) (true x))", "keyword-in-term", "`true`");
    warns("(<= (next (<= x)) (true x))", "keyword-in-term", "`<=`");
    is_quiet(
        "(init base) (<= (next true) (true (base input)))"
            .replace("(base input)", "base")
            .as_str(),
    );
}

#[test]
fn unreadable_sentences_are_not_reported_as_missing() {
    assert_eq!(
        codes("(<= (next x) (p 1) ()) (<= (next x) (q 1)) (<= (q 1) ())"),
        ["empty-list", "empty-list"]
    );
}

#[test]
fn facts_and_moves_that_nothing_derives_are_reported() {
    let step = "(<= (next (step ?n)) (true (step ?n)) (does r a)) (init (step 1))";
    warns(
        &format!("{step} (<= (next y) (true (stpe ?n)))"),
        "never-holds",
        "did you mean `step`",
    );
    warns(
        "(<= (next y) (does r (go 7)))",
        "never-holds",
        "no player ever has a move `(go _)`",
    );
    is_quiet(&format!("{step} (<= (next y) (true (step 1)))"));
    is_quiet("(<= (next ?f) (p ?f)) (p (f 1)) (<= (next y) (true (g 1)))");
}

#[test]
fn common_mistakes_of_beginners_are_named() {
    warns(
        "(init (turn r)) (<= (next x) (turn r))",
        "undefined-relation",
        "test it with `(true …)`",
    );
    warns(
        "(=> (next x) (true x))",
        "unused-relation",
        "begins with `<=`",
    );
}

#[test]
fn impossible_values_of_arguments_are_reported() {
    let board = "(init (cell 1 blank)) (<= (next (cell ?n x)) (true (cell ?n blank)) (does r a))";
    warns(
        &format!("{board} (<= (next y) (true (cell 1 blnk)))"),
        "never-holds",
        "did you mean `blank`",
    );
    warns(
        &format!("{board} (<= (next y) (not (true (cell x blank))) (true (cell 1 x)))"),
        "never-holds",
        "possible values are `1`",
    );
    warns(
        "(<= (legal r (go ?n)) (true (s ?n))) (<= (next y) (does r (go 7)))",
        "never-holds",
        "no move `go`",
    );
    warns(
        "(small 1) (big 2) (<= (next y) (small ?n) (big ?n))",
        "never-holds",
        "no value of `?n`",
    );
    is_quiet(&format!(
        "{board} (<= (next y) (true (cell ?n ?c)) (distinct ?c x) (not (true (cell 1 x))))"
    ));
    is_quiet("(<= (next ?f) (true ?f) (not (true (s 0)))) (<= (next y) (true (s 1)))");
    is_quiet("(<= (next ?m) (does r ?m)) (<= (next y) (true (s 7)))");
}

#[test]
fn every_variable_that_occurs_once_can_be_listed() {
    let lone = crate::gdl::used_once("(<= (p ?x) (q ?x ?y ?_any) (not (q ?x ?x ?z)))");
    let messages: Vec<&str> = lone.iter().map(|one| one.message.as_str()).collect();
    assert_eq!(
        messages,
        [
            "`?y` occurs once in its rule",
            "`?z` occurs once in its rule"
        ]
    );
}

#[test]
fn needless_conditions_are_reported() {
    let mended = |extra: &str, words: &str, expected: &str| {
        let text = format!("{GAME}{extra}");
        warns(extra, "needless-condition", words);
        let found = load(&text).diagnostics;
        let mut findings = found
            .iter()
            .filter(|finding| finding.code == "needless-condition");
        let fix = &findings.next().unwrap().fixes[0];
        assert!(fix.safe);
        let mended = crate::kif::apply(&text, &fix.edits).unwrap();
        assert_eq!(&mended[GAME.len()..], expected);
    };
    mended(
        "(<= (next x) (true y) (true z) (true y)) (init y) (init z)",
        "stated twice",
        "(<= (next x) (true y) (true z)) (init y) (init z)",
    );
    mended(
        "(<= (next x) (true x) (distinct a b))",
        "`a` and `b` are always distinct",
        "(<= (next x) (true x))",
    );
    mended(
        "(<= (next x) (or (true x) (not (not (does r a)))))",
        "write `(does r a)`",
        "(<= (next x) (or (true x) (does r a)))",
    );
    is_quiet("(<= (next x) (true x) (not (true (s 1)))) (<= (next x) (does r ?m) (distinct ?m a))");
    let rule = |number| format!("(<= (next (s {number})) (true (s 0)) (true (s 0)))");
    let many: String = (2..50).map(rule).collect();
    warns(&many, "needless-condition", "so are 47 others");
}

#[test]
fn squares_with_two_facts_at_the_start_are_reported() {
    let read = "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))";
    let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("(init (cell {x} {y} b))")));
    let board: String = squares.collect();
    warns(
        &format!("{board}{read}(init (cell 3 1 x))"),
        "doubled-at-start",
        "`cell 3 1` is both `b` and `x` at the start: each of the 8 other places has one fact",
    );
    warns(
        &format!("{board}{read}(init (cell 3 1 x)) (init (cell 1 2 o))"),
        "doubled-at-start",
        "write `(init (cell 1 2 o))` in the place of `(init (cell 1 2 b))`",
    );
    is_quiet(&format!("{board}{read}(init (cell 4 1 x))"));
    is_quiet(&format!("{board}{read}"));
}

#[test]
fn words_of_facts_that_occur_once_and_look_like_others_are_reported() {
    let with = |facts: &str| {
        format!(
            "{facts} (init (cell 1 bking)) (<= (next (cell ?x ?c)) (true (cell ?x ?c)))
            (<= (next (cell 2 bking)) (true (cell 1 bking)))"
        )
    };
    for slip in ["bkign", "bkng", "bkiing"] {
        let text = with(&format!("(init (cell 2 {slip}))"));
        warns(&text, "lone-word", "did you mean `bking`?");
    }
    for other in [
        "wking", "knight", "bkings", "king", "bkinr", "bking2", "gnikb",
    ] {
        is_quiet(&with(&format!("(init (cell 2 {other}))")));
    }
    is_quiet(&with("(init (cell 2 bkign)) (init (cell 3 bkign))"));
    is_quiet("(init (at a1x)) (init (at a2x)) (<= (next (at a2x)) (true (at a1x)))");
}

#[test]
fn thousands_of_words_are_compared_at_once() {
    let word = |number: usize| -> String {
        let letters = (0..12).map(|place| (b'a' + (number >> place & 1) as u8 * 12) as char);
        letters.chain("xyz".chars()).collect()
    };
    let facts = (0..4096).map(|number| format!("(init (at {} {}))", word(number), word(number)));
    let text: String = facts.collect();
    is_quiet(&format!("{text} (<= (next (at ?x ?y)) (true (at ?x ?y)))"));
}

#[test]
fn moves_that_chance_gets_by_a_rule_for_all_are_reported() {
    let die = "(role random) (<= (legal random (die ?n)) (face ?n)) (face 1) (face 2)
        (<= (next x) (does random (die 1))) (<= (next x) (does ?p stay)) (goal random 0)";
    warns(
        &format!("{die} (<= (legal ?p stay) (role ?p))"),
        "chance-moves",
        "`(distinct ?p random)`",
    );
    is_quiet(&format!(
        "{die} (<= (legal ?p stay) (role ?p) (distinct ?p random))"
    ));
    let waits = format!("{die} (<= (legal ?p stay) (role ?p) (not (true (control ?p))))");
    warns(
        &format!("{waits} (init (control r))"),
        "chance-moves",
        "`(distinct ?p random)`",
    );
    is_quiet(&format!(
        "{waits} (init (control r)) (<= (next (control random)) (true (control r)))"
    ));
    let named = waits.replace(
        "(legal random (die ?n)) (face ?n)",
        "(legal random stay) (face ?n)",
    );
    let named = named.replace("(does random (die 1))", "(does random stay)");
    is_quiet(&format!("{named} (init (control r))"));
    is_quiet(&format!(
        "{die} (<= (legal ?p stay) (role ?p) (idle ?p)) (idle r)"
    ));
    let in_phases = die.replace("(face ?n))", "(face ?n) (true (phase roll)))");
    let phases = "(init (phase roll)) (<= (next (phase move)) (true (phase roll)))";
    is_quiet(&format!(
        "{in_phases} {phases} (<= (legal ?p stay) (role ?p) (true (phase move)))"
    ));
    is_quiet(
        "(role random) (<= (legal ?p stay) (role ?p)) (<= (next x) (does ?p stay))
        (goal random 0)",
    );
}

#[test]
fn possible_values_are_listed_as_people_count() {
    warns(
        "(n 1) (n 10) (n 2) (<= (next y) (n 3))",
        "never-holds",
        "the possible values are `1`, `2`, `10`",
    );
}

#[test]
fn who_moves_is_a_role() {
    let taken = "(init (cell 1 b)) (<= (next (cell 1 ?p)) (does ?p take)) (legal r take)";
    warns(
        &format!("{taken} (<= (next y) (true (cell 1 white)))"),
        "never-holds",
        "the possible values are `b`, `r`",
    );
    is_quiet(&format!("{taken} (<= (next y) (true (cell 1 r)))"));
    warns(
        "(init (turn nobody)) (<= (next y) (does ?p a) (true (turn ?p)))",
        "never-holds",
        "no value of `?p`",
    );
}
