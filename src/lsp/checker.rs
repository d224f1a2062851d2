//! The checker on a thread of its own: the newest version of each document, one after the other.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use indexmap::IndexMap;
use tower_lsp_server::ls_types::Uri;

use crate::kif::{Diagnostic, Span};
use crate::lsp::document::RuleDocument;
use crate::lsp::knowledge::RuleKnowledge;
use crate::util::StopFlag;

/// What the thread has found out about a version of a document.
pub(super) enum CheckerNews<'d> {
    Findings(&'d [Diagnostic]),
    Knowledge(RuleKnowledge),
}

/// Rules may be nested [`MAX_DEPTH`](crate::kif::MAX_DEPTH) deep, and most of the checks are recursive.
const STACK: usize = 16 << 20;

/// How long nothing must be typed before more than findings is looked for.
const PAUSE: Duration = Duration::from_millis(200);

/// A thread that checks documents. Dropping it ends what is under way, and waits for that.
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
    /// Checked documents of which more is looked for once nothing is typed.
    checked: IndexMap<Uri, Arc<RuleDocument>>,
    /// What is checked now.
    under_way: Option<Arc<RuleDocument>>,
    /// Ends what is looked for beyond findings.
    stop: StopFlag,
    is_over: bool,
}

enum CheckerWork {
    Check(Arc<RuleDocument>),
    Learn(Arc<RuleDocument>, StopFlag),
}

impl Checker {
    /// Starts the thread; it calls `tell` with what it finds.
    pub(super) fn start(
        tell: impl Fn(&Arc<RuleDocument>, CheckerNews<'_>) + Send + 'static,
    ) -> std::io::Result<Self> {
        let shared = Arc::new(SharedQueue::default());
        let queue = Arc::clone(&shared);
        let work = move || {
            while let Some(work) = queue.next() {
                match work {
                    CheckerWork::Check(document) => queue.check(document, &tell),
                    CheckerWork::Learn(document, stop) => queue.learn(document, &stop, &tell),
                }
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
        queue.forget(&document.uri);
        queue.waiting.insert(document.uri.clone(), document);
        queue.stop.raise();
        self.shared.changed.notify_one();
    }

    /// Forgets a document that waits.
    pub(super) fn forget(&self, uri: &Uri) {
        self.shared.lock().forget(uri);
    }
}

impl Drop for Checker {
    fn drop(&mut self) {
        let mut queue = self.shared.lock();
        queue.is_over = true;
        queue.stop.raise();
        if let Some(document) = &queue.under_way {
            document.outdated().raise();
        }
        drop(queue);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // Panics in a check are caught and reported where they happen.
            let _ = thread.join();
        }
    }
}

impl CheckQueue {
    fn forget(&mut self, uri: &Uri) {
        self.waiting.shift_remove(uri);
        self.checked.shift_remove(uri);
    }

    fn is_idle(&self) -> bool {
        self.waiting.is_empty() && !self.is_over
    }
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, CheckQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for something to do; `None` when the server ends.
    fn next(&self) -> Option<CheckerWork> {
        let mut queue = self.lock();
        loop {
            if queue.is_over {
                return None;
            }
            if let Some((_, document)) = queue.waiting.shift_remove_index(0) {
                queue.under_way = Some(Arc::clone(&document));
                return Some(CheckerWork::Check(document));
            }
            if queue.checked.is_empty() {
                let woken = self.changed.wait(queue);
                queue = woken.unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let is_idle = |queue: &mut CheckQueue| queue.is_idle();
            let waited = self.changed.wait_timeout_while(queue, PAUSE, is_idle);
            queue = waited.unwrap_or_else(PoisonError::into_inner).0;
            if queue.is_idle()
                && let Some((_, document)) = queue.checked.shift_remove_index(0)
            {
                queue.stop = StopFlag::default();
                return Some(CheckerWork::Learn(document, queue.stop.clone()));
            }
        }
    }

    fn check(
        &self,
        document: Arc<RuleDocument>,
        tell: &impl Fn(&Arc<RuleDocument>, CheckerNews<'_>),
    ) {
        match catch_unwind(AssertUnwindSafe(|| document.checked())) {
            Ok(Some(checked)) => tell(&document, CheckerNews::Findings(&checked.diagnostics)),
            Ok(None) => return,
            Err(_) => {
                let fault = Diagnostic::error(
                    "internal",
                    Span::at(0),
                    "the checker failed on this text; this is a fault of kolibri, please report it",
                );
                return tell(&document, CheckerNews::Findings(&[fault]));
            }
        }
        if !document.is_too_large() {
            self.learn_later(document);
        }
    }

    fn learn(
        &self,
        document: Arc<RuleDocument>,
        stop: &StopFlag,
        tell: &impl Fn(&Arc<RuleDocument>, CheckerNews<'_>),
    ) {
        let rules = document
            .checked()
            .and_then(|checked| checked.rules.as_ref());
        let learn = || RuleKnowledge::of(&document.text, rules, stop);
        let knowledge = catch_unwind(AssertUnwindSafe(learn)).ok();
        if stop.is_raised() {
            self.learn_later(document);
        } else if let Some(knowledge) = knowledge {
            tell(&document, CheckerNews::Knowledge(knowledge));
        }
    }

    fn learn_later(&self, document: Arc<RuleDocument>) {
        let mut queue = self.lock();
        if !document.outdated().is_raised() {
            queue.checked.insert(document.uri.clone(), document);
        }
    }
}
