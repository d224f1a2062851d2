//! `Sexpr → Description`: which list is a rule, a condition, a term. Only syntax is checked here.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Condition, ConditionKind, Description, Expr, ExprKind, Statement};
use crate::gdl::keyword;
use crate::gdl::reshape;
use crate::kif::{Diagnostic, Fix, Sexpr, SexprKind, Span};

impl Description {
    /// Reads every sentence that has the shape of one, and reports the others.
    ///
    /// A top-level word is a fact, `(<= head)` is a fact too. Expects trees no deeper than the parser builds them.
    pub fn read(sexprs: &[Sexpr<'_>]) -> (Self, Vec<Diagnostic>) {
        let mut reader = Reader::default();
        let mut statements = Vec::with_capacity(sexprs.len());
        let mut mentioned = FxHashSet::default();
        for sexpr in sexprs {
            match reader.statement(sexpr) {
                Some(statement) => statements.push(statement),
                None => reader.mention(sexpr, &mut mentioned),
            }
        }
        let description = Self {
            statements,
            mentioned,
            complete: reader.findings.is_empty(),
        };
        (description, reader.findings)
    }
}

/// Reads one text: shares the names that recur, and collects what is wrong with it.
#[derive(Default)]
struct Reader<'t> {
    names: FxHashMap<&'t str, Arc<str>>,
    findings: Vec<Diagnostic>,
}

impl<'t> Reader<'t> {
    fn statement(&mut self, sexpr: &Sexpr<'t>) -> Option<Statement> {
        let SexprKind::List(items) = &sexpr.kind else {
            return self.fact(sexpr);
        };
        if items.is_empty() {
            self.empty_list::<()>(sexpr.span);
            self.offer(sexpr.span, reshape::removed(sexpr));
            return None;
        }
        match connective_of(items) {
            Some("<=") => self.rule(sexpr, &items[1..]),
            _ => match reshape::arrow_behind_head(sexpr) {
                Some(fix) => {
                    let message = "the arrow of this rule stands behind its head";
                    let help = "begin the rule with it: `(<= head condition …)`";
                    self.fault::<()>("malformed-rule", sexpr.span, message, help);
                    self.offer(sexpr.span, fix);
                    None
                }
                None => self.fact(sexpr),
            },
        }
    }

    fn fact(&mut self, sexpr: &Sexpr<'t>) -> Option<Statement> {
        Some(Statement {
            head: self.head(sexpr)?,
            body: Vec::new(),
            arrow: false,
            span: sexpr.span,
        })
    }

    fn rule(&mut self, sexpr: &Sexpr<'t>, parts: &[Sexpr<'t>]) -> Option<Statement> {
        let Some((head, conditions)) = parts.split_first() else {
            let help = "write `(<= head condition …)`: the head holds if all conditions do";
            let message = "this rule derives nothing";
            self.fault::<()>("malformed-rule", sexpr.span, message, help);
            self.offer(sexpr.span, reshape::removed(sexpr));
            return None;
        };
        let head = self.head(head);
        let body = self.conditions(conditions);
        for (place, fix) in reshape::body(sexpr, parts) {
            self.offer(place, fix);
        }
        Some(Statement {
            head: head?,
            body: body?,
            arrow: true,
            span: sexpr.span,
        })
    }

    fn head(&mut self, sexpr: &Sexpr<'t>) -> Option<Expr> {
        if let SexprKind::List(items) = &sexpr.kind
            && let Some(connective) = connective_of(items)
        {
            let message = format!("`{connective}` cannot be derived or stated as a fact");
            let help = "only a sentence can: conditions belong behind the head of a rule, as in `(<= head condition …)`";
            return self.fault("connective-in-head", sexpr.span, message, help);
        }
        self.sentence(sexpr)
    }

    fn conditions(&mut self, sexprs: &[Sexpr<'t>]) -> Option<Vec<Condition>> {
        // Every part is read before the first failure counts, so that all faults are reported in one run.
        let conditions: Vec<_> = sexprs.iter().map(|sexpr| self.condition(sexpr)).collect();
        for (place, fix) in reshape::conditions(sexprs) {
            self.offer(place, fix);
        }
        conditions.into_iter().collect()
    }

    fn condition(&mut self, sexpr: &Sexpr<'t>) -> Option<Condition> {
        let kind = match &sexpr.kind {
            SexprKind::Atom(_) => ConditionKind::Holds(self.sentence(sexpr)?),
            SexprKind::List(items) => match connective_of(items) {
                None => ConditionKind::Holds(self.sentence(sexpr)?),
                Some("not") => self.negation(sexpr, &items[1..])?,
                Some("or") => self.disjunction(sexpr, &items[1..])?,
                Some("distinct") => self.distinct(sexpr, &items[1..])?,
                Some(_) => return self.nested_rule(sexpr),
            },
        };
        let span = sexpr.span;
        Some(Condition { kind, span })
    }

    fn negation(&mut self, sexpr: &Sexpr<'t>, inner: &[Sexpr<'t>]) -> Option<ConditionKind> {
        let [inner] = inner else {
            let message = format!("`not` takes one condition, not {}", inner.len());
            let help =
                "write one `(not condition)` for each, or `(not (or …))` if none of them may hold";
            return self.fault("wrong-arity", sexpr.span, message, help);
        };
        Some(ConditionKind::Not(Box::new(self.condition(inner)?)))
    }

    fn disjunction(&mut self, sexpr: &Sexpr<'t>, branches: &[Sexpr<'t>]) -> Option<ConditionKind> {
        if branches.is_empty() {
            let help = "write `(or condition condition …)`, or remove the rule";
            return self.fault(
                "wrong-arity",
                sexpr.span,
                "an `or` without branches never holds",
                help,
            );
        }
        Some(ConditionKind::Or(self.conditions(branches)?))
    }

    fn distinct(&mut self, sexpr: &Sexpr<'t>, terms: &[Sexpr<'t>]) -> Option<ConditionKind> {
        let [left, right] = terms else {
            let message = format!("`distinct` compares two terms, not {}", terms.len());
            let help = "write one `(distinct a b)` for each pair that must differ";
            return self.fault("wrong-arity", sexpr.span, message, help);
        };
        let (left, right) = (self.term(left), self.term(right));
        Some(ConditionKind::Distinct(left?, right?))
    }

    fn nested_rule<T>(&mut self, sexpr: &Sexpr<'t>) -> Option<T> {
        let message = "a rule stands among the conditions of another rule";
        let help = match compares(sexpr) {
            true => {
                "GDL has no comparison of numbers: `(not (less ?b ?a))` says that `?a` is at most `?b`, and `kolibri snippet less 0..60` writes the rules of `less`"
            }
            false => "close the rule before it: a `)` is missing there",
        };
        self.fault("nested-rule", sexpr.span, message, help)
    }

    fn sentence(&mut self, sexpr: &Sexpr<'t>) -> Option<Expr> {
        match sexpr.kind {
            SexprKind::Atom(word) if word.starts_with('?') => {
                let message = format!("the variable `{word}` is used where a sentence is expected");
                let help = format!("write `(true {word})` if it stands for a fact of the state");
                self.fault("variable-sentence", sexpr.span, message, help)
            }
            SexprKind::Atom(word) if keyword::connective(word).is_some() => {
                let message = format!("`{word}` has no arguments");
                let help = format!("write it with what it applies to, as in `({word} …)`");
                self.fault("lone-connective", sexpr.span, message, help)
            }
            SexprKind::Atom(_) | SexprKind::List(_) => self.term(sexpr),
        }
    }

    fn term(&mut self, sexpr: &Sexpr<'t>) -> Option<Expr> {
        let kind = match &sexpr.kind {
            SexprKind::Atom(word) => match word.strip_prefix('?') {
                Some(name) => ExprKind::Variable(self.intern(name)),
                None => ExprKind::Constant(self.name(word)),
            },
            SexprKind::List(items) => self.compound(sexpr.span, items)?,
        };
        let span = sexpr.span;
        let first = sexpr.as_list().and_then(<[_]>::first);
        let name_span = first.unwrap_or(sexpr).span;
        Some(Expr {
            kind,
            span,
            name_span,
        })
    }

    fn compound(&mut self, span: Span, items: &[Sexpr<'t>]) -> Option<ExprKind> {
        let Some((first, args)) = items.split_first() else {
            return self.empty_list(span);
        };
        let name = self.functor(span, first);
        let args: Vec<_> = args.iter().map(|arg| self.term(arg)).collect();
        let args: Option<Vec<_>> = args.into_iter().collect();
        Some(ExprKind::Compound(name?, args?))
    }

    fn empty_list<T>(&mut self, span: Span) -> Option<T> {
        let help = "put a name behind the opening parenthesis";
        self.fault("empty-list", span, "`()` is empty", help)
    }

    /// The name a list begins with.
    fn functor(&mut self, list: Span, first: &Sexpr<'t>) -> Option<Arc<str>> {
        let help = "put the name of a relation or function behind the opening parenthesis";
        match first.kind {
            SexprKind::List(_) => {
                let message = "this list begins with a list where a name is expected";
                self.fault("nameless-list", first.span, message, help)
            }
            SexprKind::Atom(word) if word.starts_with('?') => {
                let message = format!("the variable `{word}` is used where a name is expected");
                self.fault("nameless-list", first.span, message, help)
            }
            SexprKind::Atom(word) => match keyword::connective(word) {
                Some("<=") | None => Some(self.name(word)),
                Some(connective) => {
                    let message = format!("`{connective}` is used inside a term");
                    let help = format!(
                        "`{connective}` joins conditions: put it around the whole sentence"
                    );
                    self.fault("connective-in-term", list, message, help)
                }
            },
        }
    }

    fn name(&mut self, word: &'t str) -> Arc<str> {
        self.intern(keyword::canonical(word).unwrap_or(word))
    }

    fn intern(&mut self, name: &'t str) -> Arc<str> {
        self.names
            .entry(name)
            .or_insert_with(|| name.into())
            .clone()
    }

    /// Remembers every word of a sentence that could not be read.
    fn mention(&mut self, sexpr: &Sexpr<'t>, mentioned: &mut FxHashSet<Arc<str>>) {
        match &sexpr.kind {
            SexprKind::Atom(word) => {
                mentioned.insert(self.name(word));
            }
            SexprKind::List(items) => {
                for item in items {
                    self.mention(item, mentioned);
                }
            }
        }
    }

    fn fault<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        let finding = Diagnostic::error(code, span, message).help(help);
        self.findings.push(finding);
        None
    }

    /// Adds a fix to what was found at a place, if anything was.
    fn offer(&mut self, place: Span, fix: Fix) {
        let mut recent = self.findings.iter_mut().rev();
        if let Some(finding) = recent.find(|finding| finding.span == place) {
            finding.fixes.push(fix);
        }
    }
}

/// The connective that a list begins with.
pub(super) fn connective_of(items: &[Sexpr<'_>]) -> Option<&'static str> {
    match items.first()?.kind {
        SexprKind::Atom(word) => keyword::connective(word),
        SexprKind::List(_) => None,
    }
}

/// Whether it looks like a comparison, as in `(<= ?a 3)`: no rule derives a variable or a number.
fn compares(sexpr: &Sexpr<'_>) -> bool {
    let SexprKind::List(items) = &sexpr.kind else {
        return false;
    };
    let is_operand = |one: &Sexpr<'_>| {
        let begins = |letter: char| letter == '?' || letter.is_ascii_digit();
        matches!(one.kind, SexprKind::Atom(word) if word.starts_with(begins))
    };
    items.len() == 3 && is_operand(&items[1])
}
