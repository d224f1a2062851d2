//! Diagnostics: errors and warnings about a text, as data. The code that finds a fault writes its message; one renderer
//! draws them all.

use crate::kif::{Fix, Span};

/// The severity of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The text cannot be used.
    Error,
    /// The text can be used, but is probably not what the author meant.
    Warning,
}

/// One finding: what is wrong, where, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Error or warning.
    pub severity: Severity,
    /// A stable name for this kind of finding, such as `unsafe-head`.
    pub code: &'static str,
    /// What is wrong, in one sentence: lower case, no final dot.
    pub message: String,
    /// Where.
    pub span: Span,
    /// Further places that explain the finding, each with its own words.
    pub labels: Vec<Label>,
    /// How to correct it, if that is known.
    pub help: Option<String>,
    /// Changes of the text, each of which makes this finding go away; the likeliest first.
    pub fixes: Vec<Fix>,
}

/// A further place that explains a finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What it has to do with the finding.
    pub message: String,
}

impl Diagnostic {
    /// A finding that makes the text unusable, without labels, help and fixes.
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code,
            message: message.into(),
            span,
            labels: Vec::new(),
            help: None,
            fixes: Vec::new(),
        }
    }

    /// A likely mistake, without labels, help and fixes.
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        let severity = Severity::Warning;
        Diagnostic {
            severity,
            ..Diagnostic::error(code, span, message)
        }
    }

    /// Adds a further place.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        self.labels.push(Label { span, message });
        self
    }

    /// Says how to mend it.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Diagnostic {
        self.help = Some(help.into());
        self
    }

    /// Offers a change of the text that makes it go away.
    #[must_use]
    pub fn fix(mut self, fix: impl Into<Option<Fix>>) -> Diagnostic {
        self.fixes.extend(fix.into());
        self
    }

    /// Whether the text cannot be used because of it.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }
}
