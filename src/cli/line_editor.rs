//! Lines typed at a terminal, with editing, history and completion.

use std::env;
use std::io::{self, IsTerminal, Write};
use std::mem;
use std::path::PathBuf;

use rustyline::completion::{Completer, Pair};
use rustyline::error::ReadlineError;
#[cfg(unix)]
use rustyline::error::Signal;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{ColorMode, CompletionType, Config, Context, Editor, Helper};

use crate::cli::status_line::StatusLine;
use crate::cli::terminal_modes::{self, TerminalModes};
use crate::cli::{board, file_names, state_folder, style};
use crate::terminal::{LineSource, Typed, completions, file_name_begun};

/// What a person types at the terminal of this program.
pub(super) struct EditedLines {
    editor: Editor<TypingHelp, MemHistory>,
    config: Config,
    status: StatusLine,
    /// The modes of the terminal while a machine thinks, as they were before.
    modes: Option<TerminalModes>,
}

/// Values of `TERM` for terminals on which the editor reads lines without editing, so that Ctrl-C would not reach it.
const NOT_EDITED: [&str; 3] = ["dumb", "cons25", "emacs"];

impl EditedLines {
    /// The lines of the terminal; `None` where standard input or output is none, or one on which lines cannot be edited. `quiet` leaves
    /// activities untold.
    pub(super) fn of_terminal(is_coloured: bool, quiet: bool) -> Option<Self> {
        if !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            return None;
        }
        let is_not_edited =
            |term: String| NOT_EDITED.iter().any(|one| one.eq_ignore_ascii_case(&term));
        if env::var("TERM").is_ok_and(is_not_edited) {
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
        Some(Self {
            editor: editor(&config, history).ok()?,
            config,
            status: StatusLine::new(quiet),
            modes: None,
        })
    }
}

fn editor(
    config: &Config,
    history: MemHistory,
) -> rustyline::Result<Editor<TypingHelp, MemHistory>> {
    let mut editor = Editor::with_history(config.clone(), history)?;
    editor.set_helper(Some(TypingHelp {
        moves: Vec::new(),
        home: state_folder::home(),
    }));
    Ok(editor)
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
            Err(ReadlineError::Io(fault)) if fault.kind() == io::ErrorKind::InvalidData => {
                Ok(Typed::NoText)
            }
            Err(ReadlineError::Io(fault)) => Err(fault),
            Err(fault) => Err(io::Error::other(fault)),
        }
    }

    fn discard_typed_ahead(&mut self) -> io::Result<()> {
        // The editor has what was typed behind the last line, and forgets it with itself alone.
        let history = mem::replace(
            self.editor.history_mut(),
            MemHistory::with_config(&self.config),
        );
        self.editor = editor(&self.config, history).map_err(io::Error::other)?;
        terminal_modes::discard_input()
    }

    fn is_terminal(&self) -> bool {
        true
    }

    fn show_activity(&mut self, doing: &str) {
        // What is typed meanwhile is discarded, and would stand among the lines of the activity.
        self.modes.get_or_insert_with(terminal_modes::hide_typing);
        self.status.show(doing);
    }

    fn end_activity(&mut self) {
        self.status.clear();
        if let Some(modes) = self.modes.take() {
            modes.restore();
        }
    }

    fn width(&self) -> Option<usize> {
        board::terminal_width()
    }
}

impl Drop for EditedLines {
    fn drop(&mut self) {
        self.end_activity();
    }
}

/// Completes moves, commands, and the names of files.
struct TypingHelp {
    moves: Vec<String>,
    home: Option<PathBuf>,
}

impl Completer for TypingHelp {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        place: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        let typed = &line[..place];
        let (start, ways) = match file_name_begun(typed) {
            Some(begun) => {
                let names = file_names::beginning_so(begun, self.home.as_deref());
                (place - begun.len(), names)
            }
            None => (0, completions(typed, &self.moves)),
        };
        let pair = |text: String| Pair {
            display: text.trim_end().to_owned(),
            replacement: text,
        };
        Ok((start, ways.into_iter().map(pair).collect()))
    }
}

impl Hinter for TypingHelp {
    type Hint = String;
}

impl Highlighter for TypingHelp {}

impl Validator for TypingHelp {}

impl Helper for TypingHelp {}
