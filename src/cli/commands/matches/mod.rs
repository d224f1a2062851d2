//! `kolibri match`: lets players play each other, and shows the games.

mod display;
mod totals;

use std::path::PathBuf;
use std::time::Duration;

use self::display::MatchDisplay;
use crate::cli::board::BoardArgs;
use crate::cli::commands::players::listing;
use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::game::{self, GameArgs, NamedGame};
use crate::cli::number::whole;
use crate::cli::position::{self, StateArgs};
use crate::cli::record_args::{RecordArgs, prepare_record_folder};
use crate::cli::seconds::{Seconds, clock};
use crate::cli::status_line::StatusLine;
use crate::cli::thinking::ThinkingDisplay;
use crate::drawing::Screen;
use crate::engine::LoadOptions;
use crate::play::{Assignment, MatchTerms, SearchOptions, Series, Spec, check_fit};

const EXAMPLES: &str = "\
Examples:
  kolibri match kolibrat                                    two Min-Max players
  kolibri match connect-four --player minimax --player mcts
  kolibri match reversi --player black=minimax:time=2 --player white=random
  kolibri match nim --player minimax:depth=6 --games 10 --swap --quiet
  kolibri match reversi -p minimax -p mcts --games 100 --swap --opening 4 -q    who is stronger
  kolibri match checkers --record games --seed 7            each game becomes a file
  kolibri match chess.kif --spectators live                 live/MATCH.json grows while it is played
  kolibri match reversi --player black=remote:127.0.0.1:9147 --start-clock 10 --play-clock 5
                                                            against a player on the network
  kolibri match nim --player first=random --player 'second=exec:python3 player.py'
                                                            against another program";

/// Examples, and the players.
fn after_help() -> String {
    let players = listing();
    format!("{EXAMPLES}\n\n{players}Without --player, minimax:time=0.1,depth=4 plays.")
}

/// Let players play each other
#[derive(Debug, clap::Args)]
#[command(name = "match", after_help = after_help())]
pub(in crate::cli) struct MatchArgs {
    #[command(flatten)]
    game: GameArgs,
    /// The player of a role; without ROLE, of all roles not named, or several of these in their order
    #[arg(short, long = "player", value_name = "ROLE=SPEC")]
    players: Vec<String>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(1, u64::MAX))]
    games: u64,
    /// Change the players' roles from game to game
    #[arg(long)]
    swap: bool,
    /// Draw the first PLIES plies at random; with --swap, the same for a round of games, in which each player takes each role
    #[arg(long, value_name = "PLIES", default_value_t = 0, hide_default_value = true, allow_negative_numbers = true, value_parser = whole::<usize>(0, u64::MAX))]
    opening: usize,
    #[command(flatten)]
    record: RecordArgs,
    /// Write the match to the folder DIR after every step, as MATCH.json, for programs that show it while it is played
    #[arg(long, value_name = "DIR")]
    spectators: Option<PathBuf>,
    /// Seed of the first game; each further game adds one (the opening of a round uses the seed of its first game)
    #[arg(long, value_name = "N", default_value_t = 1, allow_negative_numbers = true, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
    /// Give up a game after N plies
    #[arg(long, alias = "max-steps", value_name = "N", default_value_t = 2000, allow_negative_numbers = true, value_parser = whole::<usize>(1, u64::MAX))]
    max_plies: usize,
    /// Give up a game in which a position occurs N times
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole::<usize>(2, u64::MAX))]
    occurrences: Option<usize>,
    /// Seconds that each player has to get ready, such as 15, 15s or 1min [default: 30; 5 for players of this program with a time for each move]
    #[arg(long, value_name = "S", allow_negative_numbers = true, value_parser = clock(LONGEST_CLOCK))]
    start_clock: Option<u64>,
    /// Seconds that players on the network and other programs have for each move
    #[arg(long, value_name = "S", default_value_t = 15, allow_negative_numbers = true, value_parser = clock(LONGEST_CLOCK))]
    play_clock: u64,
    /// Give players on the network and other programs the rules in other words
    #[arg(long)]
    scramble: bool,
    /// Wait S seconds between moves
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    delay: Option<Seconds>,
    #[command(flatten)]
    start: StateArgs,
    #[command(flatten)]
    board: BoardArgs,
    /// Print one JSON object per game and, with several games, one with the totals
    #[arg(long)]
    json: bool,
}

impl MatchArgs {
    fn terms(&self) -> MatchTerms {
        let usual = MatchTerms::default();
        MatchTerms {
            start_clock: self
                .start_clock
                .map_or(usual.start_clock, Duration::from_secs),
            start_clock_for_all: self.start_clock.is_some(),
            play_clock: Duration::from_secs(self.play_clock),
            ..usual
        }
    }
}

/// The longest clock in seconds: a day.
const LONGEST_CLOCK: u64 = 24 * 60 * 60;

/// The default player: fast, and with a depth limit that it reaches in time in small games, so that the same seed gives
/// the same game.
const DEFAULT_PLAYER: Spec = Spec::Minimax(SearchOptions {
    time: Some(Duration::from_millis(100)),
    depth: Some(4),
    ..SearchOptions::USUAL
});

pub(in crate::cli) fn run(args: &MatchArgs, console: &mut Console<'_>) -> Result<Outcome, Failure> {
    let assigned = Assignment::read_all(&args.players)?;
    let human = |one: &Assignment| one.spec == Spec::Human;
    if assigned.iter().any(human) {
        return Err(Failure::usage("a person cannot play in a `match`")
            .with_help("`kolibri play GAME` asks a person for moves"));
    }
    if args.opening >= args.max_plies {
        let MatchArgs {
            opening, max_plies, ..
        } = args;
        return Err(Failure::usage(format!(
            "an opening of {opening} plies leaves nothing to be played of {max_plies}"
        ))
        .with_help("draw fewer plies with --opening, or allow more with --max-plies"));
    }
    let NamedGame { source, record } = args.game.find()?;
    let records = args.record.prepare()?;
    if let Some(folder) = &args.spectators {
        prepare_record_folder(folder)?;
    }
    let stop = console.stop_flag();
    let options = LoadOptions {
        stop: stop.clone(),
        ..args.game.options()
    };
    let start = args.start.start(record)?;
    let game = game::open(source, &options, console)?;
    let mut session = position::begin(&game, &start)?;
    let assigned = Assignment::in_order(&assigned, game.roles())?;
    let specs = Assignment::deal(&assigned, game.roles(), &DEFAULT_PLAYER)?;
    check_fit(specs.iter().enumerate(), &game)?;
    Assignment::check_all_play(&assigned, game.roles(), None)?;
    let is_watched = !args.json && !console.quiet;
    let series = Series {
        source: game.source(),
        players: &specs,
        games: args.games,
        swap: args.swap,
        opening: args.opening,
        terms: args.terms(),
        scramble: args.scramble,
        seed: args.seed,
        max_plies: args.max_plies,
        occurrences: args.occurrences,
        stop: &stop,
        listener: is_watched.then(ThinkingDisplay::listener),
    };
    let mut display = MatchDisplay {
        screen: Screen::survey(&session, args.board.style(console))?,
        status: StatusLine::new(!is_watched),
        console,
        game: game.name(),
        roles: game.roles(),
        json: args.json,
        is_watched,
        is_numbered: args.games > 1,
        swaps: args.swap,
        opening: args.opening,
        delay: args.delay.map(Seconds::duration),
        records,
        spectators: args.spectators.as_deref(),
        stop: &stop,
        outcome: Outcome::Success,
        unrecorded: None,
    };
    let totals = series.run(&mut session, &mut display)?;
    let MatchDisplay {
        console,
        outcome,
        unrecorded,
        ..
    } = display;
    match (args.games, args.json) {
        (1, _) => {}
        (_, true) => totals::print_json(&totals, game.name(), console)?,
        (wanted, false) => totals::print(&totals, wanted, console)?,
    }
    unrecorded.map_or(Ok(outcome), Err)
}
