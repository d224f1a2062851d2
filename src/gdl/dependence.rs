//! Which keyword relations may depend on the state (`true`) and on the joint move (`does`).

use crate::gdl::description::{Description, Signature, Statement};
use crate::gdl::graph::{Dependencies, DependencyPaths};
use crate::gdl::keyword::Keyword;
use crate::kif::{Diagnostic, Span};

/// Reports rules for `init`, `base` and `input` that depend on the state, and rules that depend on `does` where no
/// moves are known.
pub(super) fn check<'d>(
    description: &'d Description,
    dependencies: &Dependencies<'d>,
    findings: &mut Vec<Diagnostic>,
) {
    let to_state = dependencies.paths_to(signature(Keyword::True));
    let to_moves = dependencies.paths_to(signature(Keyword::Does));
    for statement in &description.statements {
        let Some(keyword) = statement.head.name().and_then(Keyword::named) else {
            continue;
        };
        match keyword {
            Keyword::Init | Keyword::Base | Keyword::Input => {
                findings.extend(before_the_game(
                    statement,
                    keyword,
                    Keyword::True,
                    &to_state,
                ));
                findings.extend(before_the_game(
                    statement,
                    keyword,
                    Keyword::Does,
                    &to_moves,
                ));
            }
            Keyword::Legal => findings.extend(legal_after_moves(statement, &to_moves)),
            Keyword::Goal | Keyword::Terminal => {
                findings.extend(end_after_moves(statement, keyword, &to_moves));
            }
            Keyword::Role | Keyword::True | Keyword::Next | Keyword::Does => {}
        }
    }
}

pub(super) fn signature(keyword: Keyword) -> Signature<'static> {
    Signature {
        name: keyword.name(),
        arity: keyword.arity(),
    }
}

fn before_the_game<'d>(
    statement: &'d Statement,
    keyword: Keyword,
    on: Keyword,
    paths: &DependencyPaths<'_, 'd>,
) -> Option<Diagnostic> {
    let (span, steps) = first_path(statement, paths)?;
    let message = format!(
        "`{}` depends on `{}`, but it is computed before the game begins",
        keyword.name(),
        on.name()
    );
    let finding = Diagnostic::error("depends-on-state", span, message);
    Some(explain(finding, steps).help(format!(
        "derive `{}` from facts and relations that do not depend on `true` or `does`",
        keyword.name()
    )))
}

fn legal_after_moves<'d>(
    statement: &'d Statement,
    paths: &DependencyPaths<'_, 'd>,
) -> Option<Diagnostic> {
    let (span, steps) = first_path(statement, paths)?;
    let message = "`legal` depends on `does`, but it is evaluated before moves are chosen";
    let finding = Diagnostic::error("legal-depends-on-does", span, message);
    Some(
        explain(finding, steps).help(
            "let `next` store what the move changes as a fact, and test that fact with `true`",
        ),
    )
}

/// A warning only: published games do it, and then no `does` holds.
fn end_after_moves<'d>(
    statement: &'d Statement,
    keyword: Keyword,
    paths: &DependencyPaths<'_, 'd>,
) -> Option<Diagnostic> {
    let (span, steps) = first_path(statement, paths)?;
    let message = format!(
        "`{}` depends on `does`, but no `does` holds when it is evaluated",
        keyword.name()
    );
    let finding = Diagnostic::warning("end-depends-on-does", span, message);
    Some(
        explain(finding, steps).help(
            "let `next` store what the move changes as a fact, and test that fact with `true`",
        ),
    )
}

/// The first condition of the rule that leads to the goal of `paths`, and the steps from there.
fn first_path<'d>(
    statement: &'d Statement,
    paths: &DependencyPaths<'_, 'd>,
) -> Option<(Span, Vec<(Span, String)>)> {
    let mut found = None;
    statement.each_sentence(|_, sentence| {
        if found.is_none()
            && let Some(steps) = paths.from(sentence)
        {
            found = Some((sentence.span, steps));
        }
    });
    found
}

fn explain(mut finding: Diagnostic, steps: Vec<(Span, String)>) -> Diagnostic {
    for (span, step) in steps {
        finding = finding.label(span, step);
    }
    finding
}
