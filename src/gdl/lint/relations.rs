//! Relations that are used and never derived, or derived and never used.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{ConditionKind, Description, Expr, Signature, Statement};
use crate::gdl::keyword::{self, Keyword};
use crate::gdl::lint::arithmetic;
use crate::gdl::suggest::{Suggestions, rename};
use crate::kif::{Diagnostic, Fix, Span};

/// What a rule begins with.
const ARROW: &str = "<=";

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let uses = Uses::of(description);
    let mut suggestions = Suggestions::new();
    let unreadable = |signature: &Signature<'_>| description.mentioned.contains(signature.name);
    for (signature, places) in &uses.asked {
        let derived = uses.derived.contains_key(signature)
            || occurs_with_other_parentheses(*signature, &uses.derived);
        if !derived && !unreadable(signature) {
            let finding = undefined(*signature, places[0].span, &uses, &mut suggestions);
            findings.push(finding.fix(reread(*signature, places, description)));
        }
    }
    for (signature, statements) in &uses.derived {
        let needed = uses.needed.contains(signature)
            || occurs_with_other_parentheses(*signature, &uses.asked);
        if !needed && !unreadable(signature) {
            findings.push(unused(*signature, statements, &uses, &mut suggestions));
        }
    }
}

/// Whether the same name occurs with needless parentheses, or without them: that is another warning.
fn occurs_with_other_parentheses<V>(
    signature: Signature<'_>,
    there: &IndexMap<Signature<'_>, Vec<V>>,
) -> bool {
    let arity = match signature.arity {
        None => Some(0),
        Some(0) => None,
        Some(_) => return false,
    };
    there.contains_key(&Signature { arity, ..signature })
}

/// Where the relations that are no keywords are derived and used.
#[derive(Default)]
struct Uses<'d> {
    derived: IndexMap<Signature<'d>, Vec<&'d Statement>>,
    asked: IndexMap<Signature<'d>, Vec<&'d Expr>>,
    /// A derived relation of each name.
    by_name: FxHashMap<&'d str, Signature<'d>>,
    /// Facts of states, which occur inside `true` only.
    facts: FxHashSet<Signature<'d>>,
    /// Relations that some keyword relation depends on.
    needed: FxHashSet<Signature<'d>>,
    /// Relations under `not` in the rules of others that are no keywords.
    negated: FxHashSet<Signature<'d>>,
}

impl<'d> Uses<'d> {
    fn of(description: &'d Description) -> Self {
        let mut uses = Self::default();
        let mut bodies: IndexMap<Signature<'d>, Vec<Signature<'d>>> = IndexMap::new();
        for statement in &description.statements {
            let Some(head) = statement.head.signature() else {
                continue;
            };
            if !has_meaning(head) {
                uses.derived.entry(head).or_default().push(statement);
                uses.by_name.entry(head.name).or_insert(head);
            }
            if let (Some(Keyword::Init | Keyword::Next), [fact]) =
                (Keyword::named(head.name), statement.head.args())
            {
                uses.facts.extend(fact.signature());
            }
            let body = bodies.entry(head).or_default();
            statement.each_sentence(|positive, sentence| {
                if let Some(signature) = sentence
                    .signature()
                    .filter(|signature| !has_meaning(*signature))
                {
                    uses.asked.entry(signature).or_default().push(sentence);
                    body.push(signature);
                    if !positive && !has_meaning(head) {
                        uses.negated.insert(signature);
                    }
                }
            });
        }
        let mut open: Vec<Signature<'d>> = bodies
            .keys()
            .copied()
            .filter(|head| has_meaning(*head))
            .collect();
        while let Some(signature) = open.pop() {
            let body = bodies.get(&signature).into_iter().flatten();
            open.extend(body.filter(|asked| uses.needed.insert(**asked)));
        }
        uses
    }
}

impl<'d> Uses<'d> {
    /// Writes `name` wherever the relation is named, unless a relation might then depend on its own negation.
    fn respelt(&self, signature: Signature<'d>, name: &'d str) -> Option<Fix> {
        let both = [signature, Signature { name, ..signature }];
        let is_denied = both.iter().any(|one| self.negated.contains(one));
        let fix = || rename(signature.name, name, self.places(signature));
        (!is_denied).then(fix)
    }

    /// Every place of the name of a relation.
    fn places(&self, signature: Signature<'_>) -> Vec<Span> {
        let heads = self.derived.get(&signature).into_iter().flatten();
        let asked = self.asked.get(&signature).into_iter().flatten();
        let heads = heads.map(|statement| statement.head.name_span);
        heads
            .chain(asked.map(|sentence| sentence.name_span))
            .collect()
    }
}

fn has_meaning(signature: Signature<'_>) -> bool {
    Keyword::named(signature.name).is_some()
}

fn undefined<'d>(
    signature: Signature<'d>,
    span: Span,
    uses: &Uses<'d>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let message = format!("nothing derives `{signature}`, so it never holds");
    let finding = Diagnostic::warning("undefined-relation", span, message);
    if signature.name.eq_ignore_ascii_case("and") {
        return finding.help(
            "GDL has no `and`: list the conditions one after the other, or give them a relation of their own where they stand in an `or`",
        );
    }
    if let Some(help) = arithmetic::help(signature.name) {
        return finding.help(help);
    }
    if uses.facts.contains(&signature) {
        let places = uses.asked.get(&signature).into_iter().flatten();
        let wrap = |fix: Fix, sentence: &&Expr| {
            fix.insert(sentence.span.start, "(true ")
                .insert(sentence.span.end, ")")
        };
        return finding
            .help(format!(
                "`{signature}` is a fact of the state: test it with `(true …)`"
            ))
            .fix(places.fold(Fix::guess("test it with `(true …)`"), wrap));
    }
    let defined = uses
        .derived
        .keys()
        .filter(|derived| derived.arity == signature.arity);
    let names = defined
        .map(|derived| derived.name)
        .chain(keywords(signature, Keyword::may_be_asked));
    match suggestions.nearest(signature.name, names) {
        Some(name) => finding
            .help(format!("did you mean `{name}`?"))
            .fix(uses.respelt(signature, name)),
        None => {
            let help = other_arity(signature, uses).or_else(|| written_by_snippet(signature));
            finding.help(help.unwrap_or_else(|| {
                "add a rule or a fact for it, or remove the condition".to_owned()
            }))
        }
    }
}

/// Other readings of conditions that no rule derives: a fact of the state, a word of another language.
fn reread<'d>(
    signature: Signature<'d>,
    places: &[&'d Expr],
    description: &'d Description,
) -> Option<Fix> {
    match signature.name.to_ascii_lowercase().as_str() {
        "and" => conjunctions_listed(signature, places, description),
        "!=" | "/=" | "<>" | "neq" | "different" if signature.arity == Some(2) => {
            let places = places.iter().map(|place| place.name_span);
            let keeps_bound = |rule: &Statement| binds_without(rule, signature);
            let fix = || rename(signature.name, "distinct", places);
            description.statements.iter().all(keeps_bound).then(fix)
        }
        _ => None,
    }
}

/// `(and (a) (b))` → `(a) (b)`, if all of them are conditions of rules.
fn conjunctions_listed(
    signature: Signature<'_>,
    places: &[&Expr],
    description: &Description,
) -> Option<Fix> {
    let conditions = description.statements.iter().flat_map(|rule| &rule.body);
    let is_and = |kind: &ConditionKind| matches!(kind, ConditionKind::Holds(sentence) if sentence.signature() == Some(signature));
    let listed = conditions
        .filter(|condition| is_and(&condition.kind))
        .count();
    let mut args = places.iter().flat_map(|place| place.args());
    if listed < places.len() || signature.arity == Some(0) || args.any(Expr::is_variable) {
        return None;
    }
    let fix = Fix::guess("list the conditions one after the other");
    let unwrapped = |fix: Fix, place: &&Expr| fix.unwrap(place.span).delete(place.name_span);
    Some(places.iter().fold(fix, unwrapped))
}

/// Whether other conditions bind the variables of those with this relation.
fn binds_without(rule: &Statement, signature: Signature<'_>) -> bool {
    let mut bound = FxHashSet::default();
    for condition in &rule.body {
        if let ConditionKind::Holds(sentence) = &condition.kind
            && sentence.signature() != Some(signature)
        {
            sentence.each_variable(&mut |name, _, _| {
                bound.insert(name);
            });
        }
    }
    let mut all = true;
    rule.each_sentence(|_, sentence| {
        if sentence.signature() == Some(signature) {
            sentence.each_variable(&mut |name, _, _| all &= bound.contains(name));
        }
    });
    all
}

fn unused<'d>(
    signature: Signature<'d>,
    statements: &[&Statement],
    uses: &Uses<'d>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let is_asked = uses.asked.contains_key(&signature);
    let message = match is_asked {
        true => format!("`{signature}` is used only by relations that nothing uses"),
        false => format!("nothing uses `{signature}`"),
    };
    let finding = Diagnostic::warning("unused-relation", statements[0].head.span, message);
    if ["=>", "<-", "->", ":-", "<", "="].contains(&signature.name) {
        return finding.help(format!("a rule begins with `{ARROW}`"));
    }
    if let Some(head) = signature.name.strip_prefix(ARROW) {
        return finding
            .help(format!("a space is missing: write `{ARROW} {head}`"))
            .fix(spaced(statements));
    }
    let undefined = uses
        .asked
        .keys()
        .filter(|asked| asked.arity == signature.arity && !uses.derived.contains_key(*asked));
    let is_fact = statements.iter().all(|statement| !statement.arrow);
    let may_be_derived = |keyword: Keyword| keyword.may_be_derived(is_fact);
    let names = undefined
        .map(|asked| asked.name)
        .chain(keywords(signature, may_be_derived));
    // A slip in the head of one rule of several.
    let also_derived = uses.derived.keys().filter(|other| {
        other.arity == signature.arity
            && uses.needed.contains(*other)
            && !numbered_alike(signature, other)
    });
    let meant = suggestions.nearest(signature.name, names);
    let meant =
        meant.or_else(|| suggestions.nearest(signature.name, also_derived.map(|other| other.name)));
    match meant {
        Some(name) => finding
            .help(format!("did you mean `{name}`?"))
            .fix(uses.respelt(signature, name)),
        None => finding
            .help("remove it, or use it in a condition")
            .fix((!is_asked).then(|| removed(signature, statements))),
    }
}

/// `(<=terminal …)` → `(<= terminal …)`.
fn spaced(statements: &[&Statement]) -> Fix {
    let after_arrow = |of: &&Statement| of.head.name_span.start + ARROW.len();
    let fix = Fix::guess(format!("write a space after `{ARROW}`"));
    let places = statements.iter().map(after_arrow);
    places.fold(fix, |fix, place| fix.insert(place, " "))
}

/// Whether the names differ in their numbers, as `row1` and `row2` do: on purpose.
fn numbered_alike(one: Signature<'_>, other: &Signature<'_>) -> bool {
    let letters = |name: &'_ str| -> String { name.chars().filter(|c| !c.is_numeric()).collect() };
    letters(one.name) == letters(other.name)
}

fn removed(signature: Signature<'_>, statements: &[&Statement]) -> Fix {
    let spans = statements.iter().map(|statement| statement.span);
    Fix::guess(format!("remove what derives `{signature}`")).replace_each(spans, "")
}

/// Keyword relations with the arguments of `signature` that `may` stand in its place.
fn keywords<'n>(
    signature: Signature<'_>,
    may: impl Fn(Keyword) -> bool,
) -> impl Iterator<Item = &'n str> {
    let fits = move |name: &&str| {
        Keyword::named(name)
            .is_some_and(|keyword| keyword.arity() == signature.arity && may(keyword))
    };
    keyword::relation_names()
        .filter(fits)
        .map(|name| name as &str)
}

/// Relations of numbers that hardly anybody writes by hand.
fn written_by_snippet(signature: Signature<'_>) -> Option<String> {
    let snippet = match (signature.name, signature.arity) {
        ("sum", Some(3)) => "sum 0..20",
        ("succ", Some(2)) => "counter 0..60",
        _ => return None,
    };
    Some(format!("`kolibri snippet {snippet}` writes its facts"))
}

fn other_arity(signature: Signature<'_>, uses: &Uses<'_>) -> Option<String> {
    let other = uses.by_name.get(signature.name)?;
    Some(format!("there is `{other}`: check the arguments"))
}
