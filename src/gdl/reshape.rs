//! Fixes of sentences that have no readable shape: parentheses that are moved, added or removed.
//!
//! Each comes with the place of the finding that it mends; where nothing was found, there is nothing to mend.

use crate::gdl::keyword;
use crate::gdl::read::connective_of;
use crate::kif::{Fix, Sexpr, SexprKind, Span};

type PlacedFix = (Span, Fix);

/// Nothing is lost with a list that says nothing.
pub(super) fn removed(sexpr: &Sexpr<'_>) -> Fix {
    Fix::safe("remove the empty list").delete(sexpr.span)
}

/// `(terminal <= over)`, `((goal ?p 100) :- (wins ?p))` → `(<= terminal over)`, `(<= (goal ?p 100) (wins ?p))`.
pub(super) fn arrow_behind_head(sentence: &Sexpr<'_>) -> Option<Fix> {
    let items = sentence.as_list()?;
    let is_arrow = |item: &Sexpr<'_>| {
        let word = item.as_atom();
        word.is_some_and(|word| ["<=", ":-", "<-", "=>"].contains(&word))
    };
    let place = items.iter().skip(1).position(is_arrow)? + 1;
    let (first, last) = (&items[0], &items[place - 1]);
    let fix = Fix::guess("begin the rule with `<=`").delete(items[place].span);
    Some(match place {
        1 => fix.insert(first.span.start, "<= "),
        _ => fix
            .insert(first.span.start, "<= (")
            .insert(last.span.end, ")"),
    })
}

/// What only the conditions of a rule need; `parts` are its head and its conditions.
pub(super) fn body(rule: &Sexpr<'_>, parts: &[Sexpr<'_>]) -> Vec<PlacedFix> {
    let mut fixes = Vec::new();
    fixes.extend(rule_closed_sooner(rule, parts));
    for condition in parts.iter().skip(1) {
        fixes.extend(list_of_conditions(condition));
        fixes.extend(conjunction(condition));
    }
    fixes
}

/// `(<= a b (<= c d))` → `(<= a b) (<= c d)`.
fn rule_closed_sooner(rule: &Sexpr<'_>, parts: &[Sexpr<'_>]) -> Option<PlacedFix> {
    let [_, .., before, nested] = parts else {
        return None;
    };
    if connective_of(nested.as_list()?) != Some("<=") {
        return None;
    }
    let fix = Fix::guess("close the first rule before the second")
        .insert(before.span.end, ")")
        .delete(Span::new(rule.span.end - 1, rule.span.end));
    Some((nested.span, fix))
}

/// `((a) (b))` → `(a) (b)`.
fn list_of_conditions(list: &Sexpr<'_>) -> Option<PlacedFix> {
    let [first, _, ..] = list.as_list()? else {
        return None;
    };
    let all_named = list
        .as_list()?
        .iter()
        .all(|item| item.head().is_some_and(is_name));
    let fix = || Fix::guess("remove the parentheses around the conditions").unwrap(list.span);
    all_named.then(|| (first.span, fix()))
}

/// `(and (not (a)) (b))` → `(not (a)) (b)`.
fn conjunction(list: &Sexpr<'_>) -> Option<PlacedFix> {
    let (and, conditions) = list.as_list()?.split_first()?;
    let unreadable = conditions.iter().find(|item| {
        item.as_list()
            .is_some_and(|items| connective_of(items).is_some())
    })?;
    let is_and = and.as_atom()?.eq_ignore_ascii_case("and");
    let fix = || {
        Fix::guess("list the conditions one after the other")
            .unwrap(list.span)
            .delete(and.span)
    };
    is_and.then(|| (unreadable.span, fix()))
}

/// What conditions need wherever they stand.
pub(super) fn conditions(sexprs: &[Sexpr<'_>]) -> Vec<PlacedFix> {
    let mut fixes = Vec::new();
    for (index, condition) in sexprs.iter().enumerate() {
        fixes.extend(match &condition.kind {
            SexprKind::Atom(word) if word.starts_with('?') => Some(whole_fact(condition)),
            SexprKind::Atom(_) => lone_connective(&sexprs[index..]),
            SexprKind::List(items) if items.is_empty() => Some((
                condition.span,
                Fix::guess("remove the empty list").delete(condition.span),
            )),
            SexprKind::List(_) => doubled(condition).or_else(|| connective_inside(condition)),
        });
    }
    fixes
}

/// `?x` → `(true ?x)`.
fn whole_fact(variable: &Sexpr<'_>) -> PlacedFix {
    let wrapped = format!("(true {variable})");
    let fix = Fix::guess(format!("write `{wrapped}`")).replace(variable.span, wrapped);
    (variable.span, fix)
}

/// `not (a)` → `(not (a))`, `distinct ?x ?y` → `(distinct ?x ?y)`.
fn lone_connective(sexprs: &[Sexpr<'_>]) -> Option<PlacedFix> {
    let (word, rest) = sexprs.split_first()?;
    let last = match keyword::connective(word.as_atom()?)? {
        "not" => rest.first(),
        "distinct" => rest.get(1),
        _ => None,
    }?;
    let joined = &rest[..rest.iter().position(|item| item.span == last.span)? + 1];
    if joined.iter().any(|item| !is_plain(item)) {
        return None;
    }
    let fix = Fix::safe(format!(
        "put `{word}` and what it applies to in parentheses"
    ))
    .insert(word.span.start, "(")
    .insert(last.span.end, ")");
    Some((word.span, fix))
}

/// No connective on its own.
fn is_plain(sexpr: &Sexpr<'_>) -> bool {
    let word = sexpr.as_atom();
    word.is_none_or(|word| keyword::connective(word).is_none())
}

/// `((a))` → `(a)`.
fn doubled(list: &Sexpr<'_>) -> Option<PlacedFix> {
    let [inner] = list.as_list()? else {
        return None;
    };
    let fix = || Fix::safe("remove the outer parentheses").unwrap(list.span);
    let is_condition = inner
        .head()
        .is_some_and(|word| is_name(word) || is_joining(word));
    is_condition.then(|| (inner.span, fix()))
}

/// `(true (not a))` → `(not (true a))`, `(true (or a b))` → `(or (true a) (true b))`.
fn connective_inside(sentence: &Sexpr<'_>) -> Option<PlacedFix> {
    let [outer, inner] = sentence.as_list()? else {
        return None;
    };
    let (connective, facts) = inner.as_list()?.split_first()?;
    let is_true = outer.as_atom()?.eq_ignore_ascii_case("true");
    if !is_true || facts.is_empty() || !facts.iter().all(is_fact) {
        return None;
    }
    let word = keyword::connective(connective.as_atom()?)?;
    let swapped = Fix::safe(format!("put `{word}` around `true`")).replace(outer.span, word);
    let fix = match (word, facts) {
        ("not", [_]) => swapped.replace(connective.span, "true"),
        ("or", _) => facts.iter().fold(
            swapped.unwrap(inner.span).delete(connective.span),
            |fix, fact| {
                fix.insert(fact.span.start, "(true ")
                    .insert(fact.span.end, ")")
            },
        ),
        _ => return None,
    };
    Some((inner.span, fix))
}

/// A constant or a compound without connectives.
fn is_fact(sexpr: &Sexpr<'_>) -> bool {
    match &sexpr.kind {
        SexprKind::Atom(word) => is_name(word),
        SexprKind::List(items) => {
            sexpr.head().is_some_and(is_name)
                && items.iter().all(|item| is_variable(item) || is_fact(item))
        }
    }
}

fn is_variable(sexpr: &Sexpr<'_>) -> bool {
    sexpr.as_atom().is_some_and(|word| word.starts_with('?'))
}

fn is_joining(word: &str) -> bool {
    keyword::connective(word).is_some_and(|connective| connective != "<=")
}

fn is_name(word: &str) -> bool {
    !word.starts_with('?') && keyword::connective(word).is_none()
}
