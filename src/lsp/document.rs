//! The text of an open file, and what is known about it.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tower_lsp_server::ls_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

use crate::kif::{Diagnostic, MAX_BYTES, Span};
use crate::lsp::index::DocumentIndex;
use crate::lsp::knowledge::RuleKnowledge;
use crate::lsp::positions::Positions;

/// One version of an open file.
#[derive(Debug)]
pub(super) struct RuleDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
    positions: Positions,
    index: OnceLock<DocumentIndex>,
}

/// A document with what was last found out about its rules.
#[derive(Debug, Clone)]
pub(super) struct DocumentView {
    pub(super) document: Arc<RuleDocument>,
    /// May be that of an earlier version.
    pub(super) knowledge: Arc<RuleKnowledge>,
    /// What the checker found in some version.
    pub(super) findings: Arc<Findings>,
}

/// What the checker found.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// In which version of the document; `None` before the first check.
    pub(super) version: Option<i32>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

impl RuleDocument {
    pub(super) fn new(uri: Uri, version: i32, text: String) -> Self {
        Self {
            uri,
            version,
            positions: Positions::new(&text),
            text,
            index: OnceLock::new(),
        }
    }

    /// The document after edits, each of which refers to the text that the one before it left.
    pub(super) fn changed(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Self {
        let mut text = self.text.clone();
        let mut positions = self.positions.clone();
        for change in changes {
            match change.range {
                None => text = change.text,
                Some(range) => {
                    let span = positions.span(&text, range);
                    text.replace_range(span.start..span.end, &change.text);
                }
            }
            positions = Positions::new(&text);
        }
        Self {
            uri: self.uri.clone(),
            version,
            text,
            positions,
            index: OnceLock::new(),
        }
    }

    /// Whether it is longer than rule files may be: then nothing but that is said about it.
    pub(super) fn is_too_large(&self) -> bool {
        self.text.len() > MAX_BYTES
    }

    /// The words, found when they are first asked for; none of a file that is too large.
    pub(super) fn index(&self) -> &DocumentIndex {
        self.index.get_or_init(|| {
            let text = if self.is_too_large() { "" } else { &self.text };
            DocumentIndex::new(text)
        })
    }

    pub(super) fn slice(&self, span: Span) -> &str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    pub(super) fn positions(&self) -> &Positions {
        &self.positions
    }

    pub(super) fn offset(&self, position: Position) -> usize {
        self.positions.offset(&self.text, position)
    }

    pub(super) fn range(&self, span: Span) -> Range {
        self.positions.range(&self.text, span)
    }

    pub(super) fn span(&self, range: Range) -> Span {
        self.positions.span(&self.text, range)
    }

    /// The line of an offset as people count.
    pub(super) fn line_number(&self, offset: usize) -> usize {
        self.positions.line(offset) + 1
    }

    /// What ends its lines.
    pub(super) fn line_end(&self) -> &'static str {
        let first = self.text.find('\n').unwrap_or_default();
        match self.text[..first].ends_with('\r') {
            true => "\r\n",
            false => "\n",
        }
    }
}

/// The open documents.
#[derive(Debug, Default)]
pub(super) struct OpenDocuments {
    views: BTreeMap<Uri, DocumentView>,
}

impl OpenDocuments {
    /// Takes a document in its newest version.
    pub(super) fn put(&mut self, document: Arc<RuleDocument>) {
        let (knowledge, findings) = match self.views.remove(&document.uri) {
            Some(view) => (view.knowledge, view.findings),
            None => Default::default(),
        };
        let view = DocumentView {
            document: Arc::clone(&document),
            knowledge,
            findings,
        };
        self.views.insert(document.uri.clone(), view);
    }

    pub(super) fn close(&mut self, uri: &Uri) {
        self.views.remove(uri);
    }

    pub(super) fn view(&self, uri: &Uri) -> Option<&DocumentView> {
        self.views.get(uri)
    }

    /// Keeps what the checker found, unless the document has changed since; whether it is kept.
    pub(super) fn found(&mut self, document: &RuleDocument, diagnostics: Vec<Diagnostic>) -> bool {
        let view = self.current(document);
        let is_current = view.is_some();
        if let Some(view) = view {
            view.findings = Arc::new(Findings {
                version: Some(document.version),
                diagnostics,
            });
        }
        is_current
    }

    /// Keeps what is known of the rules, unless the document has changed since.
    pub(super) fn learned(&mut self, document: &RuleDocument, knowledge: RuleKnowledge) {
        if let Some(view) = self.current(document) {
            view.knowledge = Arc::new(knowledge);
        }
    }

    fn current(&mut self, document: &RuleDocument) -> Option<&mut DocumentView> {
        let view = self.views.get_mut(&document.uri)?;
        (view.document.version == document.version).then_some(view)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::uri;

    fn change(range: Option<[u32; 4]>, text: &str) -> TextDocumentContentChangeEvent {
        let range = range.map(|[line, character, to_line, to]| {
            Range::new(Position::new(line, character), Position::new(to_line, to))
        });
        TextDocumentContentChangeEvent {
            range,
            range_length: None,
            text: text.to_owned(),
        }
    }

    #[test]
    fn edits_are_made_one_after_the_other() {
        let document = RuleDocument::new(uri("a"), 1, "(role ž😀)\r\n(a)\n".to_owned());
        let changes = vec![
            change(Some([0, 9, 0, 9]), "\n(b)"),
            change(Some([1, 1, 1, 2]), "žž"),
            change(Some([2, 0, 2, 99]), ""),
        ];
        let changed = document.changed(2, changes);
        assert_eq!(changed.text, "(role ž😀\n(žž))\r\n\n");
        let changed = changed.changed(
            3,
            vec![change(None, "(c)"), change(Some([0, 1, 0, 2]), "d")],
        );
        assert_eq!((changed.text.as_str(), changed.version), ("(d)", 3));
    }

    #[test]
    fn stale_findings_are_dropped() {
        let mut documents = OpenDocuments::default();
        let old = Arc::new(RuleDocument::new(uri("a"), 1, String::new()));
        documents.put(Arc::clone(&old));
        assert!(documents.found(&old, Vec::new()));
        documents.put(Arc::new(old.changed(2, Vec::new())));
        assert!(!documents.found(&old, Vec::new()));
        documents.close(&old.uri);
        assert!(!documents.found(&old, Vec::new()));
        assert!(documents.view(&old.uri).is_none());
    }
}
