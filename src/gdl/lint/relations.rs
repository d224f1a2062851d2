//! Relations that are used and never derived, or derived and never used.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Description, Signature};
use crate::gdl::keyword::{self, Keyword};
use crate::gdl::suggest::Suggestions;
use crate::kif::{Diagnostic, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let uses = Uses::of(description);
    let mut suggestions = Suggestions::new();
    let unreadable = |signature: &Signature<'_>| description.mentioned.contains(signature.name);
    for (signature, span) in &uses.asked {
        let derived = uses.derived.contains_key(signature)
            || occurs_with_other_parentheses(*signature, &uses.derived);
        if !derived && !unreadable(signature) {
            findings.push(undefined(*signature, *span, &uses, &mut suggestions));
        }
    }
    for (signature, span) in &uses.derived {
        let needed = uses.needed.contains(signature)
            || occurs_with_other_parentheses(*signature, &uses.asked);
        if !needed && !unreadable(signature) {
            findings.push(unused(*signature, *span, &uses, &mut suggestions));
        }
    }
}

/// Whether the same name occurs with needless parentheses, or without them: that is another warning.
fn occurs_with_other_parentheses(
    signature: Signature<'_>,
    there: &IndexMap<Signature<'_>, Span>,
) -> bool {
    let arity = match signature.arity {
        None => Some(0),
        Some(0) => None,
        Some(_) => return false,
    };
    there.contains_key(&Signature { arity, ..signature })
}

/// Where the relations that are no keywords are first derived and first used.
#[derive(Default)]
struct Uses<'d> {
    derived: IndexMap<Signature<'d>, Span>,
    asked: IndexMap<Signature<'d>, Span>,
    /// A derived relation of each name.
    by_name: FxHashMap<&'d str, Signature<'d>>,
    /// Facts of states, which occur inside `true` only.
    facts: FxHashSet<Signature<'d>>,
    /// Relations that some keyword relation depends on.
    needed: FxHashSet<Signature<'d>>,
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
                uses.derived.entry(head).or_insert(statement.head.span);
                uses.by_name.entry(head.name).or_insert(head);
            }
            if let (Some(Keyword::Init | Keyword::Next), [fact]) =
                (Keyword::named(head.name), statement.head.args())
            {
                uses.facts.extend(fact.signature());
            }
            let body = bodies.entry(head).or_default();
            statement.each_sentence(|_, sentence| {
                if let Some(signature) = sentence
                    .signature()
                    .filter(|signature| !has_meaning(*signature))
                {
                    uses.asked.entry(signature).or_insert(sentence.span);
                    body.push(signature);
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

fn has_meaning(signature: Signature<'_>) -> bool {
    Keyword::named(signature.name).is_some()
}

fn undefined(
    signature: Signature<'_>,
    span: Span,
    uses: &Uses<'_>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let message = format!("nothing derives `{signature}`, so it never holds");
    let finding = Diagnostic::warning("undefined-relation", span, message);
    if signature.name.eq_ignore_ascii_case("and") {
        return finding.help(
            "GDL has no `and`: list the conditions one after the other, or give them a relation of their own where they stand in an `or`",
        );
    }
    if let Some(help) = arithmetic_help(signature.name) {
        return finding.help(help);
    }
    if uses.facts.contains(&signature) {
        return finding.help(format!(
            "`{signature}` is a fact of the state: test it with `(true …)`"
        ));
    }
    let defined = uses
        .derived
        .keys()
        .filter(|derived| derived.arity == signature.arity);
    let names = defined
        .map(|derived| derived.name)
        .chain(keywords(signature));
    match suggestions.nearest(signature.name, names) {
        Some(name) => finding.help(format!("did you mean `{name}`?")),
        None => {
            finding.help(other_arity(signature, uses).unwrap_or_else(|| {
                "add a rule or a fact for it, or remove the condition".to_owned()
            }))
        }
    }
}

/// What to write instead of an arithmetic relation that other languages have built in.
fn arithmetic_help(name: &str) -> Option<&'static str> {
    match name.to_ascii_lowercase().as_str() {
        "+" | "-" | "plus" | "minus" | "add" | "sub" | "subtract" | "++" | "--" => Some(
            "GDL has no arithmetic: count with facts such as `(succ 0 1)` and `(succ ?n ?m)`, or list the sums; `kolibri snippet counter 0..60` and `kolibri snippet sum 0..20` write these facts",
        ),
        "*" | "/" | "%" | "times" | "mod" => {
            Some("GDL has no arithmetic: list the results as facts, one for each pair of numbers")
        }
        "<" | ">" | "<=" | ">=" | "=<" | "less" | "greater" | "lt" | "gt" | "leq" | "geq" => Some(
            "GDL has no comparison of numbers: `kolibri snippet counter 0..60` writes `succ` facts and rules for `less`",
        ),
        "=" | "==" | "eq" | "equal" | "equals" => {
            Some("GDL has no equality: write the same variable or constant in both places")
        }
        "!=" | "/=" | "<>" | "neq" | "different" => {
            Some("write `(distinct ?a ?b)` for two terms that differ")
        }
        _ => None,
    }
}

fn unused(
    signature: Signature<'_>,
    span: Span,
    uses: &Uses<'_>,
    suggestions: &mut Suggestions,
) -> Diagnostic {
    let message = if uses.asked.contains_key(&signature) {
        format!("`{signature}` is used only by relations that nothing uses")
    } else {
        format!("nothing uses `{signature}`")
    };
    let finding = Diagnostic::warning("unused-relation", span, message);
    if ["=>", "<-", "->", ":-", "<", "="].contains(&signature.name) {
        return finding.help("a rule begins with `<=`");
    }
    let undefined = uses
        .asked
        .keys()
        .filter(|asked| asked.arity == signature.arity && !uses.derived.contains_key(*asked));
    let names = undefined.map(|asked| asked.name).chain(keywords(signature));
    match suggestions.nearest(signature.name, names) {
        Some(name) => finding.help(format!("did you mean `{name}`?")),
        None => finding.help("remove it, or use it in a condition"),
    }
}

/// Keyword relations with the arguments of `signature`.
fn keywords<'n>(signature: Signature<'_>) -> impl Iterator<Item = &'n str> {
    let fits = move |name: &&str| {
        Keyword::named(name).is_some_and(|keyword| keyword.arity() == signature.arity)
    };
    keyword::relation_names()
        .filter(fits)
        .map(|name| name as &str)
}

fn other_arity(signature: Signature<'_>, uses: &Uses<'_>) -> Option<String> {
    let other = uses.by_name.get(signature.name)?;
    Some(format!("there is `{other}`: check the arguments"))
}
