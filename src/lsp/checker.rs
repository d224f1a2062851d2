//! The checker on a thread of its own: the newest version of each document, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indexmap::IndexMap;
use tower_lsp_server::ls_types::Uri;

use crate::gdl::load;
use crate::kif::{Diagnostic, MAX_BYTES, Span};
use crate::lsp::document::RuleDocument;
use crate::lsp::knowledge::RuleKnowledge;
use crate::util::StopFlag;

/// What the thread has found out about a version of a document.
pub(super) enum CheckerNews {
    Findings(Vec<Diagnostic>),
    Knowledge(RuleKnowledge),
}

/// Rules may be nested [`MAX_DEPTH`](crate::kif::MAX_DEPTH) deep, and most of the checks are recursive.
const STACK: usize = 16 << 20;

/// How long a document must stay as it is before more than its findings is looked for.
const PAUSE: Duration = Duration::from_millis(200);

/// A thread that checks documents. Dropping it waits for the check that is under way.
pub(super) struct Checker {
    shared: Arc<SharedQueue>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct SharedQueue {
    queue: Mutex<CheckQueue>,
    changed: Condvar,
}

#[derive(Default)]
struct CheckQueue {
    /// The newest version of each document that waits for its check.
    waiting: IndexMap<Uri, Arc<RuleDocument>>,
    is_over: bool,
    /// Ends what is looked for beyond findings.
    stop: StopFlag,
}

impl Checker {
    /// Starts the thread; it calls `tell` with what it finds.
    pub(super) fn start(
        tell: impl Fn(&RuleDocument, CheckerNews) + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(SharedQueue::default());
        let queue = Arc::clone(&shared);
        let work = move || {
            while let Some(document) = queue.next() {
                queue.check(&document, &tell);
            }
        };
        let thread = thread::Builder::new().stack_size(STACK).spawn(work)?;
        Ok(Self {
            shared,
            thread: Some(thread),
        })
    }

    /// Asks for a check of this version; earlier ones that wait are forgotten.
    pub(super) fn check(&self, document: Arc<RuleDocument>) {
        let mut queue = self.shared.lock();
        queue.waiting.insert(document.uri.clone(), document);
        queue.stop.raise();
        self.shared.changed.notify_one();
    }

    /// Forgets a document that waits.
    pub(super) fn forget(&self, uri: &Uri) {
        self.shared.lock().waiting.shift_remove(uri);
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.is_over = true;
        queue.stop.raise();
        drop(queue);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // Panics in a check are caught and reported where they happen.
            let _ = thread.join();
        }
    }
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, CheckQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for the next document; `None` when the server ends.
    fn next(&self) -> Option<Arc<RuleDocument>> {
        let mut queue = self.lock();
        loop {
            if queue.is_over {
                return None;
            }
            if let Some((_, document)) = queue.waiting.shift_remove_index(0) {
                return Some(document);
            }
            let woken = self.changed.wait(queue);
            queue = woken.unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn check(&self, document: &RuleDocument, tell: &impl Fn(&RuleDocument, CheckerNews)) {
        let checked = catch_unwind(AssertUnwindSafe(|| checked(document)));
        let Ok(checked) = checked else {
            let fault = Diagnostic::error(
                "internal",
                Span::at(0),
                "the checker failed on this text; this is a fault of kolibri, please report it",
            );
            return tell(document, CheckerNews::Findings(vec![fault]));
        };
        tell(document, CheckerNews::Findings(checked.diagnostics));
        if document.is_too_large() {
            return;
        }
        if let Some(stop) = self.pause() {
            let rules = checked.rules.as_ref();
            let learn = || RuleKnowledge::of(&document.text, rules, &stop);
            let knowledge = catch_unwind(AssertUnwindSafe(learn)).ok();
            if let Some(knowledge) = knowledge.filter(|_| !stop.is_raised()) {
                tell(document, CheckerNews::Knowledge(knowledge));
            }
        }
    }

    /// Waits until nothing was to be checked for a while, and gives the flag that ends further work; `None` where there
    /// is something to check.
    fn pause(&self) -> Option<StopFlag> {
        let is_idle = |queue: &mut CheckQueue| queue.waiting.is_empty() && !queue.is_over;
        let waited = self.changed.wait_timeout_while(self.lock(), PAUSE, is_idle);
        let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
        is_idle(&mut queue).then(|| {
            queue.stop = StopFlag::default();
            queue.stop.clone()
        })
    }
}

fn checked(document: &RuleDocument) -> crate::gdl::Checked {
    if !document.is_too_large() {
        return load(&document.text);
    }
    let message = format!(
        "the file has {} bytes, more than the {MAX_BYTES} that are read",
        document.text.len()
    );
    crate::gdl::Checked {
        rules: None,
        diagnostics: vec![Diagnostic::error("file-too-large", Span::at(0), message)],
    }
}
