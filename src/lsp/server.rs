//! The protocol: messages in, answers out. What is answered is decided in the modules of the capabilities.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::runtime::Handle;
use tower_lsp_server::jsonrpc::{Error, Result};
use tower_lsp_server::ls_types::*;
use tower_lsp_server::{Client, LanguageServer};

use crate::lsp::capabilities::capabilities;
use crate::lsp::checker::{Checker, CheckerNews};
use crate::lsp::diagnostics::diagnostics;
use crate::lsp::document::{DocumentView, OpenDocuments, RuleDocument};
use crate::lsp::{
    actions, completion, formatting, hover, inlay, lens, references, rename, selection, signature,
    symbols, tokens,
};

/// A server for one client.
pub(super) struct RuleServer {
    shared: Arc<SharedDocuments>,
    /// [`None`] where the system gave no thread: everything but diagnostics works.
    checker: Option<Checker>,
    shut_down: Arc<AtomicBool>,
    /// Whether the editor takes snippets for completions.
    with_snippets: AtomicBool,
}

/// What the thread of the checker shares with the server.
struct SharedDocuments {
    client: Client,
    handle: Handle,
    documents: Mutex<OpenDocuments>,
}

impl RuleServer {
    pub(super) fn new(client: Client, handle: Handle, shut_down: Arc<AtomicBool>) -> Self {
        let shared = Arc::new(SharedDocuments {
            client,
            handle,
            documents: Mutex::default(),
        });
        let told = Arc::clone(&shared);
        let checker = Checker::start(move |document, news| told.take(document, news));
        if let Err(fault) = &checker {
            tracing::error!("no thread for the checker: {fault}");
        }
        Self {
            shared,
            checker: checker.ok(),
            shut_down,
            with_snippets: AtomicBool::new(false),
        }
    }

    /// The answer to a message that is no JSON.
    pub(super) async fn no_json(&self) -> Result<()> {
        Err(Error::parse_error())
    }

    /// The answer to a message that is no request.
    pub(super) async fn no_request(&self) -> Result<()> {
        Err(Error::invalid_request())
    }

    /// The answer to a request that was cancelled before its turn.
    pub(super) async fn cancelled(&self) -> Result<()> {
        Err(Error::request_cancelled())
    }

    /// Takes a new version of a document.
    fn put(&self, document: RuleDocument) {
        let document = Arc::new(document);
        self.shared.lock().put(Arc::clone(&document));
        if let Some(checker) = &self.checker {
            checker.check(document);
        }
    }

    /// An answer about an open document; `None` for any other.
    fn answer<T>(
        &self,
        uri: &Uri,
        answer: impl FnOnce(&DocumentView) -> Option<T>,
    ) -> Result<Option<T>> {
        let view = self.shared.lock().view(uri).cloned();
        match view {
            Some(view) => guarded(|| answer(&view)),
            None => {
                tracing::warn!("asked about {}, which is not open", uri.as_str());
                Ok(None)
            }
        }
    }
}

/// A fault in one answer must not end the server.
fn guarded<T>(answer: impl FnOnce() -> T) -> Result<T> {
    catch_unwind(AssertUnwindSafe(answer)).map_err(|_| Error {
        message: "kolibri failed on this request; please report it".into(),
        ..Error::internal_error()
    })
}

impl SharedDocuments {
    fn lock(&self) -> MutexGuard<'_, OpenDocuments> {
        self.documents
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps what is known of the rules, or tells the client what the checker found, unless the document has changed since.
    fn take(self: &Arc<Self>, document: &Arc<RuleDocument>, news: CheckerNews<'_>) {
        let findings = match news {
            CheckerNews::Knowledge(knowledge) => return self.lock().learned(document, knowledge),
            CheckerNews::Findings(findings) => findings,
        };
        let shown = diagnostics(document, findings);
        let document = Arc::clone(document);
        let shared = Arc::clone(self);
        self.handle.spawn(async move {
            if !document.outdated().is_raised() {
                let (uri, version) = (document.uri.clone(), document.version);
                let client = &shared.client;
                client.publish_diagnostics(uri, shown, Some(version)).await;
            }
        });
    }
}

impl LanguageServer for RuleServer {
    async fn initialize(&self, params: InitializeParams) -> Result<InitializeResult> {
        let completion = params
            .capabilities
            .text_document
            .and_then(|text| text.completion);
        let item = completion.and_then(|completion| completion.completion_item);
        let with_snippets = item.and_then(|item| item.snippet_support);
        self.with_snippets
            .store(with_snippets.unwrap_or_default(), Ordering::Relaxed);
        Ok(InitializeResult {
            capabilities: capabilities(),
            server_info: Some(ServerInfo {
                name: "kolibri".to_owned(),
                version: Some(env!("CARGO_PKG_VERSION").to_owned()),
            }),
            ..InitializeResult::default()
        })
    }

    async fn shutdown(&self) -> Result<()> {
        self.shut_down.store(true, Ordering::Relaxed);
        Ok(())
    }

    async fn did_open(&self, params: DidOpenTextDocumentParams) {
        let TextDocumentItem {
            uri, version, text, ..
        } = params.text_document;
        self.put(RuleDocument::new(uri, version, text));
    }

    async fn did_change(&self, params: DidChangeTextDocumentParams) {
        let VersionedTextDocumentIdentifier { uri, version } = params.text_document;
        let changed = self.answer(&uri, |view| {
            Some(view.document.changed(version, params.content_changes))
        });
        if let Ok(Some(document)) = changed {
            self.put(document);
        }
    }

    async fn did_close(&self, params: DidCloseTextDocumentParams) {
        let uri = params.text_document.uri;
        if let Some(checker) = &self.checker {
            checker.forget(&uri);
        }
        self.shared.lock().close(&uri);
        // The findings of a file that is not open are not kept up to date.
        let client = &self.shared.client;
        client.publish_diagnostics(uri, Vec::new(), None).await;
    }

    async fn hover(&self, params: HoverParams) -> Result<Option<Hover>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params;
        self.answer(&text_document.uri, |view| hover::hover(view, position))
    }

    async fn goto_definition(
        &self,
        params: GotoDefinitionParams,
    ) -> Result<Option<GotoDefinitionResponse>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params;
        self.answer(&text_document.uri, |view| {
            references::definitions(&view.document, position).map(Into::into)
        })
    }

    async fn references(&self, params: ReferenceParams) -> Result<Option<Vec<Location>>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position;
        let with_definitions = params.context.include_declaration;
        self.answer(&text_document.uri, |view| {
            references::references(&view.document, position, with_definitions)
        })
    }

    async fn document_highlight(
        &self,
        params: DocumentHighlightParams,
    ) -> Result<Option<Vec<DocumentHighlight>>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params;
        self.answer(&text_document.uri, |view| {
            references::highlights(&view.document, position)
        })
    }

    async fn formatting(&self, params: DocumentFormattingParams) -> Result<Option<Vec<TextEdit>>> {
        self.answer(&params.text_document.uri, |view| {
            formatting::format_document(&view.document)
        })
    }

    async fn range_formatting(
        &self,
        params: DocumentRangeFormattingParams,
    ) -> Result<Option<Vec<TextEdit>>> {
        self.answer(&params.text_document.uri, |view| {
            formatting::format_range(&view.document, params.range)
        })
    }

    async fn completion(&self, params: CompletionParams) -> Result<Option<CompletionResponse>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position;
        let with_snippets = self.with_snippets.load(Ordering::Relaxed);
        self.answer(&text_document.uri, |view| {
            completion::completion(view, position, with_snippets).map(Into::into)
        })
    }

    async fn signature_help(&self, params: SignatureHelpParams) -> Result<Option<SignatureHelp>> {
        let TextDocumentPositionParams {
            text_document,
            position,
        } = params.text_document_position_params;
        self.answer(&text_document.uri, |view| {
            signature::signature_help(view, position)
        })
    }

    async fn prepare_rename(
        &self,
        params: TextDocumentPositionParams,
    ) -> Result<Option<PrepareRenameResponse>> {
        let renamed = self.answer(&params.text_document.uri, |view| {
            Some(rename::prepare_rename(&view.document, params.position))
        })?;
        renamed.transpose().map_err(refused)
    }

    async fn rename(&self, params: RenameParams) -> Result<Option<WorkspaceEdit>> {
        let TextDocumentPositionParams {
            text_document: TextDocumentIdentifier { uri },
            position,
        } = params.text_document_position;
        let renamed = self.answer(&uri, |view| {
            Some(rename::rename(&view.document, position, &params.new_name))
        })?;
        let edits = renamed.transpose().map_err(refused)?;
        Ok(edits.map(|edits| workspace_edit(uri, edits)))
    }

    async fn document_symbol(
        &self,
        params: DocumentSymbolParams,
    ) -> Result<Option<DocumentSymbolResponse>> {
        self.answer(&params.text_document.uri, |view| {
            Some(symbols::document_symbols(&view.document).into())
        })
    }

    async fn folding_range(&self, params: FoldingRangeParams) -> Result<Option<Vec<FoldingRange>>> {
        self.answer(&params.text_document.uri, |view| {
            Some(symbols::folding_ranges(&view.document))
        })
    }

    async fn selection_range(
        &self,
        params: SelectionRangeParams,
    ) -> Result<Option<Vec<SelectionRange>>> {
        self.answer(&params.text_document.uri, |view| {
            Some(selection::selection_ranges(
                &view.document,
                &params.positions,
            ))
        })
    }

    async fn semantic_tokens_full(
        &self,
        params: SemanticTokensParams,
    ) -> Result<Option<SemanticTokensResult>> {
        self.answer(&params.text_document.uri, |view| {
            let data = tokens::semantic_tokens(&view.document, None);
            let result_id = None;
            Some(SemanticTokens { result_id, data }.into())
        })
    }

    async fn semantic_tokens_range(
        &self,
        params: SemanticTokensRangeParams,
    ) -> Result<Option<SemanticTokensRangeResult>> {
        self.answer(&params.text_document.uri, |view| {
            let data = tokens::semantic_tokens(&view.document, Some(params.range));
            let result_id = None;
            Some(SemanticTokens { result_id, data }.into())
        })
    }

    async fn inlay_hint(&self, params: InlayHintParams) -> Result<Option<Vec<InlayHint>>> {
        self.answer(&params.text_document.uri, |view| {
            Some(inlay::inlay_hints(view, params.range))
        })
    }

    async fn code_action(&self, params: CodeActionParams) -> Result<Option<CodeActionResponse>> {
        self.answer(&params.text_document.uri, |view| {
            let only = params.context.only.as_deref();
            let actions = actions::code_actions(view, params.range, only);
            Some(actions.into_iter().map(Into::into).collect())
        })
    }

    async fn code_lens(&self, params: CodeLensParams) -> Result<Option<Vec<CodeLens>>> {
        self.answer(&params.text_document.uri, |view| {
            Some(lens::code_lenses(&view.document))
        })
    }
}

/// A rename that makes no sense: editors show the message.
fn refused(fault: rename::RenameError) -> Error {
    Error {
        message: fault.to_string().into(),
        ..Error::invalid_request()
    }
}

fn workspace_edit(uri: Uri, edits: Vec<TextEdit>) -> WorkspaceEdit {
    WorkspaceEdit {
        changes: Some([(uri, edits)].into()),
        ..WorkspaceEdit::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_an_error_of_one_request() {
        let failed: Result<()> = guarded(|| panic!("on purpose"));
        assert_eq!(failed.unwrap_err().code, Error::internal_error().code);
        assert_eq!(guarded(|| 1), Ok(1));
    }
}
