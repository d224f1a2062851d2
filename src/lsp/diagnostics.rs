//! Findings of the checker, in the words of the protocol.

use tower_lsp_server::ls_types as lsp;

use crate::kif::{Diagnostic, Severity};
use crate::lsp::document::RuleDocument;

/// How many findings of one document are sent: more than a person reads.
const MOST_SENT: usize = 500;

/// Findings about words that do nothing, which editors may fade.
const UNNECESSARY: [&str; 4] = [
    "unused-relation",
    "unread-fact",
    "duplicate-rule",
    "duplicate-role",
];

/// The findings of a document; if there are too many, the errors come first.
pub(super) fn diagnostics(
    document: &RuleDocument,
    findings: &[Diagnostic],
) -> Vec<lsp::Diagnostic> {
    let mut shown: Vec<&Diagnostic> = findings.iter().collect();
    if shown.len() > MOST_SENT {
        shown.sort_by_key(|finding| finding.severity);
        shown.truncate(MOST_SENT);
    }
    shown
        .into_iter()
        .map(|finding| diagnostic(document, finding))
        .collect()
}

/// A finding; its advice follows the message.
pub(super) fn diagnostic(document: &RuleDocument, finding: &Diagnostic) -> lsp::Diagnostic {
    let help = finding.help.iter().map(|help| format!("\nhelp: {help}"));
    let labels = finding.labels.iter();
    let related = labels.map(|label| lsp::DiagnosticRelatedInformation {
        location: lsp::Location::new(document.uri.clone(), document.range(label.span)),
        message: label.message.clone(),
    });
    let related: Vec<_> = related.collect();
    lsp::Diagnostic {
        range: document.range(finding.span),
        severity: Some(match finding.severity {
            Severity::Error => lsp::DiagnosticSeverity::ERROR,
            Severity::Warning => lsp::DiagnosticSeverity::WARNING,
        }),
        code: Some(lsp::NumberOrString::String(finding.code.to_owned())),
        source: Some("kolibri".to_owned()),
        message: finding.message.clone() + &help.collect::<String>(),
        related_information: (!related.is_empty()).then_some(related),
        tags: UNNECESSARY
            .contains(&finding.code)
            .then(|| vec![lsp::DiagnosticTag::UNNECESSARY]),
        ..lsp::Diagnostic::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;
    use crate::lsp::fixture::view;

    #[test]
    fn places_count_utf_16_and_labels_come_along() {
        let view = view("; 😀\r\n(role ž) (rule 😀 (a)");
        let found = diagnostics(&view.document, &load(&view.document.text).diagnostics);
        let unclosed = &found[0];
        let code = lsp::NumberOrString::String("unclosed-parenthesis".to_owned());
        assert_eq!(unclosed.code, Some(code));
        assert_eq!(unclosed.range.start, lsp::Position::new(1, 9));
        let related = &unclosed.related_information.as_ref().unwrap()[0];
        assert_eq!(related.location.range.start, lsp::Position::new(1, 21));
        assert!(found.iter().any(|found| found.message.contains("\nhelp: ")));
    }

    #[test]
    fn a_document_with_many_faults_keeps_its_errors() {
        let mut text = "(a) ".repeat(600);
        text.push_str("(<= (b ?x) c)");
        let view = view(&text);
        assert!(load(&text).diagnostics.len() > MOST_SENT);
        let found = diagnostics(&view.document, &load(&view.document.text).diagnostics);
        assert_eq!(found.len(), MOST_SENT);
        let errors = found
            .iter()
            .filter(|found| found.severity == Some(lsp::DiagnosticSeverity::ERROR));
        assert_eq!(errors.count(), 5);
    }
}
