//! `kolibri play`: a person plays.

mod resume;

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anstream::ColorChoice;

use crate::cli::board::BoardArgs;
use crate::cli::commands::engine::HELLO_TIME;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::full_screen;
use crate::cli::game::{self, EngineArgs, NamedGame};
use crate::cli::line_editor::EditedLines;
use crate::cli::number::whole;
use crate::cli::position::{self, StateArgs};
use crate::cli::seconds::Seconds;
use crate::cli::state_folder;
use crate::cli::style;
use crate::cli::thinking::ThinkingDisplay;
use crate::drawing::Screen;
use crate::game::is_chance;
use crate::play::{
    Assignment, Listener, Record, SearchOptions, Spec, check_fit, check_programs, milliseconds,
    role_number,
};
use crate::session::{Game, Session};
use crate::solved::SolvedGame;
use crate::terminal::{
    Autosave, Ended, FullScreen, Interactive, Interrupts, LineSource, Messages, PipedLines,
    Players, ThoughtsShown,
};
use crate::util::StopFlag;

const EXAMPLES: &str = "\
Examples:
  kolibri play tictactoe                            you play the first role
  kolibri play kolibrat --role black --player red=minimax:time=3
  kolibri play checkers --player human              two people at one keyboard
  kolibri play checkers --player easy               a weak opponent
  kolibri play --resume                             go on with the game played last
  kolibri play game.json --ply 10                   go on from a saved game

`kolibri players` lists the players and their options.";

/// Play a game yourself
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(in crate::cli) struct PlayArgs {
    /// A shipped game, the path of a rule file, or that of a saved game
    #[arg(value_name = "GAME", required_unless_present = "resume")]
    game: Option<String>,
    #[command(flatten)]
    engine: EngineArgs,
    /// Go on with the game played last, which was left or cut short; with GAME, the last one by these rules. At a terminal, asks
    /// which of several
    #[arg(long)]
    resume: bool,
    /// Do not keep the game on disk after each move
    #[arg(long)]
    no_autosave: bool,
    /// The role you play [default: the first one]
    #[arg(short, long, value_name = "ROLE")]
    role: Option<String>,
    /// The player of a role; without ROLE, of all roles not named
    #[arg(short, long = "player", value_name = "ROLE=SPEC")]
    players: Vec<String>,
    /// Seed of the random number generator [default: from the clock]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: Option<u64>,
    /// Wait at least S seconds between two moves of machines
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    delay: Option<Seconds>,
    /// Ask line by line, also where the terminal could show the game on its whole screen
    #[arg(long)]
    plain: bool,
    /// Let `hint` and `eval` tell exact values by the solution in FILE, as `solve --out` writes it
    #[arg(long, value_name = "FILE")]
    solution: Option<PathBuf>,
    /// Show what the computer thinks on its moves
    #[arg(long)]
    show_thinking: bool,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    board: BoardArgs,
}

/// The opponent of a person, unless another one is named.
const DEFAULT_PLAYER: Spec = Spec::Minimax(SearchOptions {
    time: Some(Duration::from_secs(1)),
    ..SearchOptions::USUAL
});

pub(in crate::cli) fn run(args: &PlayArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let assigned = Assignment::read_all(&args.players)?;
    let mut autosave = args.autosave();
    if args.game.as_deref() == Some("-") {
        return Err(
            Failure::usage("standard input cannot hold both the rules and your moves")
                .with_help("write the rules to a file and name it"),
        );
    }
    let NamedGame { source, record } = args.named_game(autosave.as_mut(), console)?;
    let origin = record.clone();
    let start = args.start.start(record)?;
    let game = game::open(source, &args.engine.options(), console)?;
    let session = position::begin(&game, &start)?;
    let solution = args.solution.as_ref();
    let solution = solution.map(|file| SolvedGame::read(game.clone(), file));
    let terminal_game = TerminalGame {
        args,
        assigned: &assigned,
        game: &game,
        seed: args.seed(origin.as_ref()),
        origin,
        autosave,
        solution: solution.transpose()?,
        console,
    };
    terminal_game.run(session)
}

impl PlayArgs {
    /// Where games in progress are kept; nowhere if that is unwanted or there is no such folder.
    fn autosave(&self) -> Option<Autosave> {
        if self.no_autosave && !self.resume {
            return None;
        }
        state_folder::games_in_progress().map(Autosave::in_folder)
    }

    /// The game to play.
    fn named_game(
        &self,
        autosave: Option<&mut Autosave>,
        console: &mut Console<'_>,
    ) -> Result<NamedGame, Failure> {
        match (&self.game, autosave) {
            (Some(asked), _) if !self.resume => NamedGame::find(asked),
            (asked, Some(autosave)) => {
                resume::resume(asked.as_deref(), autosave, !self.no_autosave, console)
            }
            (_, None) => Err(Failure::usage("there is no folder in which games are kept")
                .with_help("set XDG_STATE_HOME or HOME")),
        }
    }

    /// The seed asked for; otherwise that of the game that goes on, or one from the clock.
    fn seed(&self, origin: Option<&Record>) -> u64 {
        let of_origin = origin.and_then(|record| record.seed);
        self.seed.or(of_origin).unwrap_or_else(seed_from_clock)
    }
}

/// Who played the recorded game, where people did. With `wanted`, a person plays this role, and its player the person's.
fn players_of(record: &Record, roles: usize, wanted: Option<usize>) -> Option<Vec<Spec>> {
    let names = record.player_names_from_host.iter();
    let specs: Result<Vec<Spec>, _> = names.map(|name| name.parse()).collect();
    let mut specs = specs.ok().filter(|specs| specs.len() == roles)?;
    let people = |specs: &[Spec]| specs.iter().filter(|spec| **spec == Spec::Human).count();
    let person = specs.iter().position(|spec| *spec == Spec::Human)?;
    match wanted {
        Some(wanted) if specs[wanted] != Spec::Human => {
            if people(&specs) > 1 {
                return None;
            }
            specs.swap(person, wanted);
        }
        _ => {}
    }
    Some(specs)
}

/// A seed from the clock, short enough to be typed again.
fn seed_from_clock() -> u64 {
    milliseconds() % 1_000_000
}

/// What was typed, with everything it names read.
struct TerminalGame<'i, 's> {
    args: &'i PlayArgs,
    assigned: &'i [Assignment],
    game: &'i Game,
    seed: u64,
    /// The record of a game that was named, if one was.
    origin: Option<Record>,
    autosave: Option<Autosave>,
    solution: Option<SolvedGame>,
    console: &'i mut Console<'s>,
}

impl TerminalGame<'_, '_> {
    fn run(mut self, mut session: Session) -> Result<Outcome, Failure> {
        let specs = self.specs(session.roles())?;
        check_fit(specs.iter().enumerate(), self.game)?;
        check_programs(&specs, HELLO_TIME, &StopFlag::default())?;
        let style = self.args.board.style(self.console);
        let screen = Screen::survey(&session, style)?;
        let ended = match !self.args.plain && full_screen::is_possible() {
            true => self.on_whole_screen(&mut session, specs, screen)?,
            false => self.line_by_line(&mut session, specs, screen)?,
        };
        Ok(match ended {
            Ended::Quit => Outcome::Success,
            Ended::Interrupted => Outcome::Interrupted,
        })
    }

    fn line_by_line(
        &mut self,
        session: &mut Session,
        specs: Vec<Spec>,
        screen: Screen,
    ) -> Result<Ended, Failure> {
        let is_coloured = self.console.out.current_choice() != ColorChoice::Never;
        let (mut lines, interrupts): (Box<dyn LineSource>, _) =
            match EditedLines::of_terminal(is_coloured, self.console.quiet) {
                Some(edited) => (Box::new(edited), self.console.interrupts_of_play()),
                None => (
                    Box::new(PipedLines(io::stdin().lock())),
                    Interrupts::default(),
                ),
            };
        let greeting = self.greeting(session.roles(), &specs, &screen);
        write!(self.console.out, "{greeting}")?;
        let players = self.players(specs, ThinkingDisplay::listener(), &interrupts);
        let settings = self.settings(session);
        let ended = settings.run(
            (session, screen, players),
            (&mut *lines, &mut self.console.out),
        );
        Ok(ended?)
    }

    fn on_whole_screen(
        &mut self,
        session: &mut Session,
        specs: Vec<Spec>,
        screen: Screen,
    ) -> Result<Ended, Failure> {
        let interrupts = self.console.interrupts_of_play();
        let (mut messages, thoughts) = (Messages::default(), ThoughtsShown::default());
        write!(
            messages,
            "{}",
            self.greeting(session.roles(), &specs, &screen)
        )?;
        let players = self.players(specs, Arc::new(thoughts.clone()), &interrupts);
        self.console.out.flush()?;
        let opened = self.console.whole_screen().open()?;
        let (terminal, events) = (opened.terminal()?, opened.events(&interrupts));
        let shown = (&messages, &thoughts);
        let mut lines = FullScreen::new(terminal, events, screen.style(), shown);
        let settings = self.settings(session);
        let width = screen.width();
        let drawn = (session, screen, players);
        let ended = settings.run(drawn, (&mut lines, &mut messages.clone()));
        drop(opened);
        let ended = ended?;
        // What was on the screen is gone with it.
        let (out, news) = (&mut self.console.out, messages.news());
        write!(out, "{}{news}", lines.on_leaving(width))?;
        Ok(ended)
    }

    fn players(
        &self,
        specs: Vec<Spec>,
        listener: Arc<dyn Listener>,
        interrupts: &Interrupts,
    ) -> Players {
        let players = Players::new(specs, self.seed, Some(listener), interrupts);
        if self.args.show_thinking {
            players.toggle_thoughts();
        }
        players
    }

    /// A person plays the role asked for, or the first one, unless players were named for all of them.
    fn specs(&self, roles: &[String]) -> Result<Vec<Spec>, Failure> {
        let role = self.args.role.as_ref();
        let wanted = role.map(|role| role_number(role, roles)).transpose()?;
        let recorded = self.origin.as_ref().filter(|_| self.assigned.is_empty());
        let recorded = recorded.and_then(|record| players_of(record, roles.len(), wanted));
        if let Some(specs) = recorded {
            return Ok(specs);
        }
        let assigned = Assignment::in_order(self.assigned, roles)?;
        let mut specs = Assignment::deal(&assigned, roles, &DEFAULT_PLAYER)?;
        let is_named = |role: &String| assigned.iter().any(|one| one.names(role));
        let person = match wanted {
            Some(role) => Some(role),
            None if specs.contains(&Spec::Human) => None,
            None => {
                (0..roles.len()).find(|&role| !is_chance(&roles[role]) && !is_named(&roles[role]))
            }
        };
        Assignment::check_all_play(&assigned, roles, person)?;
        if let Some(role) = person {
            specs[role] = Spec::Human;
        }
        if specs.iter().any(|spec| matches!(spec, Spec::Remote(_))) {
            return Err(
                Failure::usage("a player on the network cannot take moves back")
                    .with_help("`kolibri match` lets it play"),
            );
        }
        if !specs.contains(&Spec::Human) {
            return Err(Failure::usage("no role is left for you to play").with_help(
                "say which role you play with `--role ROLE`, or watch a game with `kolibri match`",
            ));
        }
        Ok(specs)
    }

    /// Who plays, and what the symbols mean.
    fn greeting(&self, roles: &[String], specs: &[Spec], screen: &Screen) -> String {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let pairs = roles.iter().zip(specs).map(|(role, spec)| match spec {
            Spec::Human => format!("{role} you"),
            spec => format!("{role} {spec}"),
        });
        let pairs = pairs.collect::<Vec<String>>().join(", ");
        let (game, seed) = (self.game.name(), self.seed);
        let legend = match screen.legend() {
            none if none.is_empty() => none,
            legend => format!("{faint}{legend}{faint:#}\n"),
        };
        format!("{strong}{game}{strong:#}: {pairs} {faint}(seed {seed}){faint:#}\n{legend}")
    }

    fn settings(&mut self, session: &Session) -> Settings {
        Settings {
            record: self.record(session),
            autosave: self.autosave.take().filter(|_| !self.args.no_autosave),
            delay: self.args.delay.map_or(Duration::ZERO, Seconds::duration),
            solution: self.solution.take(),
        }
    }

    /// The record of the match: that of the game that was named, unless it goes on from an earlier position.
    fn record(&self, session: &Session) -> Record {
        let mut record = Record {
            rulesheet: Some(self.game.source().text.clone()),
            ..Record::begin(self.game.name(), session, self.seed, milliseconds())
        };
        let plies = session.history().len();
        let origin = self.origin.as_ref();
        if let Some(origin) = origin.filter(|origin| origin.moves.len() == plies) {
            record.go_on_with(origin);
            record.seed = Some(self.seed);
            record.end.clone_from(&origin.end);
        }
        record
    }
}

/// What holds however the game is shown.
struct Settings {
    record: Record,
    autosave: Option<Autosave>,
    delay: Duration,
    solution: Option<SolvedGame>,
}

impl Settings {
    fn run(
        self,
        (session, screen, players): (&mut Session, Screen, Players),
        (lines, output): (&mut dyn LineSource, &mut dyn Write),
    ) -> io::Result<Ended> {
        let interactive = Interactive {
            session,
            screen,
            players,
            lines,
            output,
            record: self.record,
            delay: self.delay,
            autosave: self.autosave,
            home: state_folder::home(),
            solution: self.solution,
        };
        interactive.run()
    }
}
