//! Names that differ, perhaps by mistake, in case, in parentheses, or in arity.

use indexmap::IndexMap;

use crate::gdl::description::{Description, Expr};
use crate::gdl::keyword::Keyword;
use crate::gdl::suggest::rename;
use crate::kif::{Diagnostic, Fix, Span};

pub(super) fn check(description: &Description, findings: &mut Vec<Diagnostic>) {
    let mut names = NameTable::default();
    for statement in &description.statements {
        names.sentence(&statement.head);
        for condition in &statement.body {
            condition.each_expr(&mut |expr| names.expr(expr));
            condition.each_sentence(&mut |_, sentence| names.relation(sentence));
        }
    }
    names.report_case(findings);
    names.relations.report("relation", findings);
    names.functions.report("function", findings);
}

/// Where a spelling occurs.
type Occurrences<'d> = Vec<&'d Expr>;

/// Every name of a text.
#[derive(Default)]
struct NameTable<'d> {
    spellings: IndexMap<&'d str, Occurrences<'d>>,
    relations: Shapes<'d>,
    functions: Shapes<'d>,
}

/// With how many arguments each name is used; `None` for the bare word.
#[derive(Default)]
struct Shapes<'d>(IndexMap<&'d str, IndexMap<Option<usize>, Occurrences<'d>>>);

impl<'d> NameTable<'d> {
    fn sentence(&mut self, sentence: &'d Expr) {
        self.relation(sentence);
        self.expr(sentence);
    }

    fn relation(&mut self, sentence: &'d Expr) {
        self.relations.add(sentence);
    }

    /// A sentence of which the relation is counted already, or a side of `distinct`.
    fn expr(&mut self, expr: &'d Expr) {
        self.spelling(expr);
        expr.args().iter().for_each(|arg| self.term(arg));
    }

    fn term(&mut self, term: &'d Expr) {
        self.spelling(term);
        self.functions.add(term);
        term.args().iter().for_each(|arg| self.term(arg));
    }

    fn spelling(&mut self, expr: &'d Expr) {
        if let Some(name) = expr.name() {
            self.spellings.entry(name).or_default().push(expr);
        }
    }

    /// Every spelling but the commonest of a word.
    fn report_case(&self, findings: &mut Vec<Diagnostic>) {
        let mut words: IndexMap<String, Vec<(&str, &Occurrences<'_>)>> = IndexMap::new();
        for (name, places) in &self.spellings {
            words
                .entry(name.to_lowercase())
                .or_default()
                .push((name, places));
        }
        for mut spellings in words.into_values() {
            // The sort is stable: of equally common spellings the first in the text counts as meant.
            spellings.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
            let (common, meant) = spellings[0];
            for (rare, places) in &spellings[1..] {
                findings.push(other_case(rare, places, common, meant[0].span));
            }
        }
    }
}

fn other_case(rare: &str, places: &Occurrences<'_>, common: &str, meant: Span) -> Diagnostic {
    let message =
        format!("`{rare}` and `{common}` differ in case only, and are two different names");
    Diagnostic::warning("case-differs", places[0].span, message)
        .label(meant, "spelled like this here")
        .help(format!(
            "write `{common}` everywhere if both are meant to be the same"
        ))
        .fix(rename(
            rare,
            common,
            places.iter().map(|place| place.name_span),
        ))
}

impl<'d> Shapes<'d> {
    fn add(&mut self, expr: &'d Expr) {
        if let Some(signature) = expr.signature()
            && Keyword::named(signature.name).is_none()
        {
            let shapes = self.0.entry(signature.name).or_default();
            shapes.entry(signature.arity).or_default().push(expr);
        }
    }

    fn report(&self, kind: &str, findings: &mut Vec<Diagnostic>) {
        for (name, shapes) in &self.0 {
            if let Some(places) = shapes.get(&Some(0)) {
                let finding = parentheses(name, places[0].span, shapes.get(&None));
                findings.push(finding.fix(unwrapped(name, kind, shapes)));
            }
            findings.extend(several_arities(name, kind, shapes));
        }
    }
}

fn parentheses(name: &str, span: Span, bare: Option<&Occurrences<'_>>) -> Diagnostic {
    let finding = match bare {
        None => Diagnostic::warning(
            "needless-parentheses",
            span,
            format!("`({name})` has parentheses around nothing but a name"),
        ),
        Some(bare) => Diagnostic::warning(
            "needless-parentheses",
            span,
            format!("`({name})` and `{name}` are different, one never stands for the other"),
        )
        .label(bare[0].span, "written without parentheses here"),
    };
    finding.help(format!("write `{name}`"))
}

/// Safe for relations that are never written without parentheses; facts and moves have their spelling from the rules.
fn unwrapped(
    name: &str,
    kind: &str,
    shapes: &IndexMap<Option<usize>, Occurrences<'_>>,
) -> Option<Fix> {
    let is_safe = kind == "relation" && !shapes.contains_key(&None);
    let fix: fn(_) -> _ = if is_safe { Fix::safe } else { Fix::guess };
    let places = shapes.get(&Some(0))?.iter();
    let fix = fix(format!("write `{name}`"));
    Some(places.fold(fix, |fix, place| fix.unwrap(place.span)))
}

/// Names of functions are often constants as well (`cell`), so only different numbers of arguments count.
fn several_arities(
    name: &str,
    kind: &str,
    shapes: &IndexMap<Option<usize>, Occurrences<'_>>,
) -> Option<Diagnostic> {
    let counts = |arity: Option<usize>| kind == "relation" || arity.is_some();
    let mut shapes: Vec<_> = shapes
        .iter()
        .filter_map(|(arity, places)| counts(*arity).then_some((arity.unwrap_or(0), places)))
        .collect();
    shapes.sort_by_key(|(_, places)| std::cmp::Reverse(places.len()));
    let (common, meant) = *shapes.first()?;
    let (rare, places) = *shapes.iter().rev().find(|(arity, _)| *arity != common)?;
    let message = format!(
        "the {kind} `{name}` has {} here and {} elsewhere: these are two different {kind}s",
        arguments(rare),
        arguments(common)
    );
    let finding = Diagnostic::warning("arity-differs", places[0].span, message)
        .label(meant[0].span, format!("{} here", arguments(common)))
        .help("give both the same arguments, or different names");
    Some(finding)
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
