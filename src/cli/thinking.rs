//! The progress of a search, shown while it runs.

use std::io::{self, IsTerminal, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::cli::status_line::StatusLine;
use crate::play::Listener;
use crate::search::SearchProgress;

/// Moves of a line that are shown.
const LONGEST_LINE: usize = 40;

/// The result of a depth, on one line.
pub(in crate::cli) fn words(progress: &SearchProgress) -> String {
    let seconds = progress.time.as_secs_f64();
    format!(
        "depth {:>3}  {:>6}  {seconds:>7.2} s  {:>12} {}  {:>10.0} /s  {}",
        progress.depth,
        value(progress.value.points(), progress.exact),
        progress.nodes,
        progress.counts,
        progress.nodes as f64 / seconds.max(1e-9),
        line(&progress.line)
    )
}

/// The same, shorter.
fn brief(progress: &SearchProgress) -> String {
    let seconds = progress.time.as_secs_f64();
    let rate = progress.nodes as f64 / seconds.max(1e-9);
    format!(
        "{seconds:.1} s, depth {}, {}, {rate:.0} {}/s: {}",
        progress.depth,
        value(progress.value.points(), progress.exact),
        progress.counts,
        line(&progress.line)
    )
}

/// A value; an exact one without chance is a goal, a whole number.
pub(in crate::cli) fn value(points: f64, is_exact: bool) -> String {
    match is_exact && points.fract() == 0.0 {
        true => format!("{points:.0}"),
        false => format!("{points:.1}"),
    }
}

/// The beginning of a line, which may be long where positions recur. Plies in which no role has a choice may be empty.
pub(in crate::cli) fn line(moves: &[String]) -> String {
    let shown = moves
        .iter()
        .take(LONGEST_LINE)
        .filter(|ply| !ply.is_empty());
    let shown = shown.map(String::as_str).collect::<Vec<_>>().join(" ");
    match moves.len().saturating_sub(LONGEST_LINE) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// Shows on standard error the progress of players that think for long: on a line that is overwritten or, if that is not a
/// terminal, line by line.
pub(in crate::cli) struct ThinkingDisplay {
    line: Mutex<StatusLine>,
    is_terminal: bool,
}

impl ThinkingDisplay {
    pub(in crate::cli) fn listener() -> Arc<dyn Listener> {
        Arc::new(Self {
            line: Mutex::new(StatusLine::new(false)),
            is_terminal: io::stderr().is_terminal(),
        })
    }

    /// The time after which progress is shown.
    fn quiet_time(&self) -> Duration {
        match self.is_terminal {
            true => Duration::from_millis(300),
            false => Duration::from_secs(1),
        }
    }
}

impl Listener for ThinkingDisplay {
    fn report(&self, role: &str, progress: &SearchProgress) {
        if progress.time < self.quiet_time() {
            return;
        }
        if self.is_terminal {
            let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
            line.say(&format!("{role}: {}", brief(progress)));
        } else {
            // A closed standard error is no reason to stop.
            let _ = writeln!(io::stderr(), "{role}: {}", words(progress));
        }
    }

    fn end(&self) {
        let mut line = self.line.lock().unwrap_or_else(PoisonError::into_inner);
        line.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::{SearchEffort, Value};

    #[test]
    fn progress_is_reported_in_a_line() {
        let progress = SearchProgress {
            depth: 7,
            value: Value::UNKNOWN,
            exact: false,
            line: ["(a)", "", "(b)"].map(str::to_owned).to_vec(),
            others: Vec::new(),
            nodes: 3000,
            effort: SearchEffort::default(),
            counts: "nodes",
            time: Duration::from_millis(1500),
        };
        assert_eq!(
            brief(&progress),
            "1.5 s, depth 7, 50.0, 2000 nodes/s: (a) (b)"
        );
        let line = words(&progress);
        let line: Vec<&str> = line.split_whitespace().collect();
        let expected = "depth 7 50.0 1.50 s 3000 nodes 2000 /s (a) (b)";
        assert_eq!(line.join(" "), expected);
    }

    #[test]
    fn long_lines_are_cut_short() {
        let moves = vec!["m".to_owned(); LONGEST_LINE + 2];
        assert!(line(&moves).ends_with("m m and 2 more"));
    }
}
