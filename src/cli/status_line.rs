//! The current activity, on a line that is overwritten.

use std::io::{self, IsTerminal};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The resolution of the bar.
const PARTS: u64 = 1000;
const SPINNER: &str = "{spinner} {elapsed}  {wide_msg}";
/// For messages that contain the time.
const SAID: &str = "{spinner} {wide_msg}";
const BAR: &str = "[{bar:30}] {percent:>3} %  {msg}";

/// A line on standard error, where that is a terminal.
pub(in crate::cli) struct StatusLine {
    is_wanted: bool,
    /// What is drawn, and after which template.
    shown: Option<(ProgressBar, &'static str)>,
}

impl StatusLine {
    /// A line, unless it is unwanted.
    pub(in crate::cli) fn new(quiet: bool) -> Self {
        Self {
            is_wanted: !quiet && io::stderr().is_terminal(),
            shown: None,
        }
    }

    /// Whether anybody sees what it shows.
    pub(in crate::cli) fn is_shown(&self) -> bool {
        self.is_wanted
    }

    /// Shows an activity of unknown duration.
    pub(in crate::cli) fn show(&mut self, doing: &str) {
        self.draw(SPINNER, 0, doing);
    }

    /// Shows a message that contains the time.
    pub(in crate::cli) fn say(&mut self, how_far: &str) {
        self.draw(SAID, 0, how_far);
    }

    /// Shows an activity with a bar, of which a `share` of 0 to 1 is filled.
    pub(in crate::cli) fn progress(&mut self, share: f64, doing: &str) {
        let parts = (share.clamp(0.0, 1.0) * PARTS as f64) as u64;
        self.draw(BAR, parts, doing);
    }

    fn draw(&mut self, template: &'static str, parts: u64, doing: &str) {
        if !self.is_wanted {
            return;
        }
        if self.shown.as_ref().is_none_or(|(_, old)| *old != template) {
            self.clear();
        }
        let (bar, _) = self.shown.get_or_insert_with(|| (line(template), template));
        bar.set_position(parts);
        bar.set_message(doing.to_owned());
    }

    /// Clears the line.
    pub(in crate::cli) fn clear(&mut self) {
        if let Some((bar, _)) = self.shown.take() {
            bar.finish_and_clear();
        }
    }
}

/// A line in characters that every terminal has.
fn line(template: &str) -> ProgressBar {
    const TICK: Duration = Duration::from_millis(100);
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    let style = style.progress_chars("=> ").tick_chars("-\\|/ ");
    let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr());
    let bar = bar.with_style(style);
    bar.enable_steady_tick(TICK);
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_can_be_read() {
        for template in [SPINNER, SAID, BAR] {
            assert!(ProgressStyle::with_template(template).is_ok(), "{template}");
        }
    }
}
