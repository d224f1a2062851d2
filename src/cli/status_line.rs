//! What is being done just now, on a line that is written over.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How finely shares are told apart.
const PARTS: u64 = 1000;

/// A line on standard error, where that is a terminal.
pub(in crate::cli) struct StatusLine {
    is_wanted: bool,
    bar: Option<ProgressBar>,
}

impl StatusLine {
    /// A line, unless it is unwanted.
    pub(in crate::cli) fn new(quiet: bool) -> Self {
        Self {
            is_wanted: !quiet,
            bar: None,
        }
    }

    /// Shows what is being done, of which no one knows how long it takes.
    pub(in crate::cli) fn show(&mut self, doing: &str) {
        self.draw("{spinner} {elapsed}  {msg}", 0, doing);
    }

    /// Shows what is being done, with a bar of which a `share` of 0 to 1 is filled.
    pub(in crate::cli) fn progress(&mut self, share: f64, doing: &str) {
        let parts = (share.clamp(0.0, 1.0) * PARTS as f64) as u64;
        self.draw("{bar:30} {percent:>3} %  {msg}", parts, doing);
    }

    fn draw(&mut self, template: &str, parts: u64, doing: &str) {
        const TICK: Duration = Duration::from_millis(100);
        if !self.is_wanted {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
            bar.enable_steady_tick(TICK);
            bar
        });
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_position(parts);
        bar.set_message(doing.to_owned());
    }

    /// Clears the line.
    pub(in crate::cli) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
