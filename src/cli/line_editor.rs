//! Lines typed at a terminal, with editing, history and completion.

use std::io::{self, IsTerminal, Write};

use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
#[cfg(unix)]
use rustyline::error::Signal;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};

use crate::cli::status_line::StatusLine;
use crate::cli::{board, style, terminal_modes};
use crate::terminal::{LineSource, Typed, completions, names_a_file};

/// What a person types at the terminal of this program.
pub(super) struct EditedLines {
    editor: Editor<TypingHelp, MemHistory>,
    status: StatusLine,
}

impl EditedLines {
    /// The lines of the terminal; `None` where standard input or output is none. `quiet` leaves activities untold.
    pub(super) fn of_terminal(is_coloured: bool, quiet: bool) -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return None;
        }
        let color = match is_coloured {
            true => ColorMode::Enabled,
            false => ColorMode::Disabled,
        };
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .color_mode(color)
            .build();
        let history = MemHistory::with_config(&config);
        let mut editor = Editor::with_history(config, history).ok()?;
        editor.set_helper(Some(TypingHelp::default()));
        let status = StatusLine::new(quiet);
        Some(Self { editor, status })
    }
}

impl LineSource for EditedLines {
    fn read(
        &mut self,
        prompt: &str,
        moves: &[String],
        output: &mut dyn Write,
    ) -> io::Result<Typed> {
        output.flush()?;
        if let Some(help) = self.editor.helper_mut() {
            help.moves = moves.to_vec();
        }
        let strong = style::STRONG;
        let plain = format!("{prompt} ");
        let styled = format!("{strong}{prompt}{strong:#} ");
        match self.editor.readline(&(plain, styled)) {
            Ok(line) => {
                // A line that cannot be kept can be typed again.
                let _ = self.editor.add_history_entry(line.as_str());
                Ok(Typed::from_line(&line))
            }
            Err(ReadlineError::Eof) => Ok(Typed::End),
            Err(ReadlineError::Interrupted) => Ok(Typed::Interrupted),
            #[cfg(unix)]
            Err(ReadlineError::Signal(Signal::Interrupt)) => Ok(Typed::Interrupted),
            Err(ReadlineError::Io(fault)) => Err(fault),
            Err(fault) => Err(io::Error::other(fault)),
        }
    }

    fn discard_typed_ahead(&mut self) -> io::Result<()> {
        terminal_modes::discard_input()
    }

    fn is_terminal(&self) -> bool {
        true
    }

    fn show_activity(&mut self, doing: &str) {
        self.status.show(doing);
    }

    fn end_activity(&mut self) {
        self.status.clear();
    }

    fn width(&self) -> Option<usize> {
        board::terminal_width()
    }
}

/// Completes moves, commands, and the names of files.
#[derive(Default)]
struct TypingHelp {
    moves: Vec<String>,
    files: FilenameCompleter,
}

impl Completer for TypingHelp {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        place: usize,
        context: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..place];
        if names_a_file(typed) {
            return self.files.complete(line, place, context);
        }
        let pair = |text: String| Pair {
            display: text.trim_end().to_owned(),
            replacement: text,
        };
        let ways = completions(typed, &self.moves);
        Ok((0, ways.into_iter().map(pair).collect()))
    }
}

impl Hinter for TypingHelp {
    type Hint = String;
}

impl Highlighter for TypingHelp {}

impl Validator for TypingHelp {}

impl Helper for TypingHelp {}
