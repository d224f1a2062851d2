//! The text of an open file, and what is known about it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use tower_lsp_server::ls_types::{Position, Range, TextDocumentContentChangeEvent, Uri};

use crate::gdl::{Checked, load_until};
use crate::kif::{Diagnostic, MAX_BYTES, Span};
use crate::lsp::index::DocumentIndex;
use crate::lsp::knowledge::RuleKnowledge;
use crate::lsp::positions::{Positions, number};
use crate::util::{Deadline, StopFlag};

/// One version of an open file.
#[derive(Debug)]
pub(super) struct RuleDocument {
    pub(super) uri: Uri,
    pub(super) version: i32,
    pub(super) text: String,
    positions: Positions,
    index: OnceLock<DocumentIndex>,
    /// `None` inside where the check was given up.
    checked: OnceLock<Option<Checked>>,
    /// Ends the work on it: there is a newer version, or it was closed.
    outdated: StopFlag,
}

/// A document with what was last found out about its rules.
#[derive(Debug, Clone)]
pub(super) struct DocumentView {
    pub(super) document: Arc<RuleDocument>,
    /// May be that of an earlier version.
    pub(super) knowledge: Arc<RuleKnowledge>,
}

impl RuleDocument {
    pub(super) fn new(uri: Uri, version: i32, text: String) -> Self {
        Self {
            uri,
            version,
            positions: Positions::new(&text),
            text,
            index: OnceLock::new(),
            checked: OnceLock::new(),
            outdated: StopFlag::default(),
        }
    }

    /// The document after edits, each of which refers to the text that the one before it left.
    pub(super) fn changed(
        &self,
        version: i32,
        changes: Vec<TextDocumentContentChangeEvent>,
    ) -> Self {
        let mut text = self.text.clone();
        let mut positions = Cow::Borrowed(&self.positions);
        // Lines before this one begin where `positions` says. Edits of many places come last place first, so that the
        // lines need not be counted again for each.
        let mut first_moved = u32::MAX;
        for change in changes {
            let Some(range) = change.range else {
                text = change.text;
                first_moved = 0;
                continue;
            };
            if range.end.line >= first_moved {
                positions = Cow::Owned(Positions::new(&text));
            }
            let span = positions.span(&text, range);
            first_moved = number(positions.line(span.start));
            text.replace_range(span.start..span.end, &change.text);
        }
        Self::new(self.uri.clone(), version, text)
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

    /// What the checker says of it, found by whoever asks first; `None` where that was given up.
    pub(super) fn checked(&self) -> Option<&Checked> {
        let checked = self.checked.get_or_init(|| match self.is_too_large() {
            true => Some(self.too_large()),
            false => load_until(&self.text, &Deadline::new(None, &self.outdated)).ok(),
        });
        checked.as_ref()
    }

    fn too_large(&self) -> Checked {
        let message = format!(
            "the file has {} bytes, more than the {MAX_BYTES} that are read",
            self.text.len()
        );
        Checked {
            rules: None,
            diagnostics: vec![Diagnostic::error("file-too-large", Span::at(0), message)],
        }
    }

    /// Ends the work on it, and tells whether that has happened.
    pub(super) fn outdated(&self) -> &StopFlag {
        &self.outdated
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

    pub(super) fn position(&self, offset: usize) -> Position {
        self.positions.position(&self.text, offset)
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
        let knowledge = self.close(&document.uri).unwrap_or_default();
        let uri = document.uri.clone();
        let view = DocumentView {
            document,
            knowledge,
        };
        self.views.insert(uri, view);
    }

    /// Forgets a document; what was known of its rules.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<Arc<RuleKnowledge>> {
        let view = self.views.remove(uri)?;
        view.document.outdated.raise();
        Some(view.knowledge)
    }

    pub(super) fn view(&self, uri: &Uri) -> Option<&DocumentView> {
        self.views.get(uri)
    }

    /// Keeps what is known of the rules, unless the document has changed since.
    pub(super) fn learned(&mut self, document: &RuleDocument, knowledge: RuleKnowledge) {
        let view = self.views.get_mut(&document.uri);
        if let Some(view) = view.filter(|_| !document.outdated.is_raised()) {
            view.knowledge = Arc::new(knowledge);
        }
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
    fn lines_are_counted_again_where_edits_need_it() {
        let document = RuleDocument::new(uri("a"), 1, "(a)\n(b)\n(c)\n".to_owned());
        let upwards = vec![
            change(Some([2, 1, 2, 2]), "ž\nž"),
            change(Some([1, 1, 1, 2]), "\n\n"),
            change(Some([0, 0, 1, 0]), ""),
        ];
        assert_eq!(document.changed(2, upwards).text, "(\n\n)\n(ž\nž)\n");
        let downwards = vec![
            change(Some([0, 0, 0, 0]), "\n"),
            change(Some([2, 1, 2, 2]), "d"),
            change(Some([2, 0, 3, 0]), ""),
            change(None, "(x)\n(y)"),
            change(Some([1, 1, 1, 2]), "z"),
        ];
        assert_eq!(document.changed(2, downwards).text, "(x)\n(z)");
    }

    #[test]
    fn work_on_an_old_version_is_given_up_and_dropped() {
        let mut documents = OpenDocuments::default();
        let old = Arc::new(RuleDocument::new(uri("a"), 1, String::new()));
        documents.put(Arc::clone(&old));
        let new = Arc::new(old.changed(2, Vec::new()));
        documents.put(Arc::clone(&new));
        assert!(old.checked().is_none());
        documents.learned(
            &old,
            RuleKnowledge::of("(role x)", None, &StopFlag::default()),
        );
        assert!(
            documents
                .view(&old.uri)
                .unwrap()
                .knowledge
                .domains
                .is_none()
        );
        assert!(new.checked().is_some());
        documents.close(&new.uri);
        assert!(new.outdated().is_raised());
        assert!(documents.view(&new.uri).is_none());
    }
}
