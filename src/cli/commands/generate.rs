//! `kolibri generate`: shipped games in other sizes.

use std::io::Write;
use std::path::PathBuf;

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::output_file::write_output;
use crate::generate::{
    BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, NimSize, NoSuchSize, Size as _,
};

const EXAMPLES: &str = "\
Examples:
  kolibri generate kolibrat --width 4 --height 5 --pieces 5 --goals 3 -o kolibrat-4x5.kif
  kolibri generate connect-four --width 5 --height 4
  kolibri generate nim --piles 3,4,5 | kolibri bench -";

/// Write the rules of a game in another size
///
/// GDL has no arithmetic, so a board of another size is another rule file. Options left out are as in the shipped game.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_value_name = "GAME", subcommand_help_heading = "Games")]
pub(in crate::cli) struct GenerateArgs {
    #[command(subcommand)]
    game: SizedGame,
    /// Write to this file instead of standard output
    #[arg(short, long, value_name = "FILE", global = true)]
    output: Option<PathBuf>,
    /// Replace FILE if it exists; without --force, it is kept, and the command fails
    #[arg(long, requires = "output", global = true)]
    force: bool,
}

/// The games, with what can be chosen.
#[derive(Debug, Clone, clap::Subcommand)]
enum SizedGame {
    /// Breakthrough on a board of any size, with two ranks of pieces a side
    Breakthrough {
        /// Files, 2 to 26
        #[arg(long, value_name = "N", default_value_t = BreakthroughSize::default().width)]
        width: u8,
        /// Ranks, 5 to 26
        #[arg(long, value_name = "N", default_value_t = BreakthroughSize::default().height)]
        height: u8,
    },
    /// English draughts on a larger or smaller board
    Checkers {
        /// Files, an even number from 4 to 26
        #[arg(long, value_name = "N", default_value_t = CheckersSize::default().width)]
        width: u8,
        /// Ranks, an even number from 4 to 26
        #[arg(long, value_name = "N", default_value_t = CheckersSize::default().height)]
        height: u8,
        /// The ranks on which each side has its men
        #[arg(long, value_name = "N", default_value_t = CheckersSize::default().ranks)]
        ranks: u8,
        /// Turns of both players after which the game is drawn, 1 to 200
        #[arg(long, value_name = "N", default_value_t = CheckersSize::default().turns)]
        turns: u8,
    },
    /// Connect Four on a board of any size
    ConnectFour {
        /// Columns, 4 to 26
        #[arg(long, value_name = "N", default_value_t = ConnectFourSize::default().width)]
        width: u8,
        /// Rows, 4 to 26
        #[arg(long, value_name = "N", default_value_t = ConnectFourSize::default().height)]
        height: u8,
    },
    /// Kolibrat on a board of any size, with other limits
    Kolibrat {
        /// Columns, 2 to 16
        #[arg(long, value_name = "N", default_value_t = KolibratSize::default().width)]
        width: u8,
        /// Rows, 2 to 16
        #[arg(long, value_name = "N", default_value_t = KolibratSize::default().height)]
        height: u8,
        /// Maximum number of pieces of a side on the board, 1 to 99
        #[arg(long, value_name = "N", default_value_t = KolibratSize::default().pieces)]
        pieces: u8,
        /// Points needed to win, 1 to 99
        #[arg(long, value_name = "N", default_value_t = KolibratSize::default().goals)]
        goals: u8,
    },
    /// Nim with any heaps
    Nim {
        /// The sticks in each heap, separated by commas: 1 to 12 heaps of 1 to 99
        #[arg(long, value_name = "N,N…", value_delimiter = ',', default_values_t = NimSize::default().piles)]
        piles: Vec<u8>,
    },
}

impl SizedGame {
    fn rule_file(&self) -> Result<String, NoSuchSize> {
        match self.clone() {
            Self::Breakthrough { width, height } => BreakthroughSize { width, height }.rule_file(),
            Self::ConnectFour { width, height } => ConnectFourSize { width, height }.rule_file(),
            Self::Nim { piles } => NimSize { piles }.rule_file(),
            Self::Checkers {
                width,
                height,
                ranks,
                turns,
            } => {
                let size = CheckersSize {
                    width,
                    height,
                    ranks,
                    turns,
                };
                size.rule_file()
            }
            Self::Kolibrat {
                width,
                height,
                pieces,
                goals,
            } => {
                let size = KolibratSize {
                    width,
                    height,
                    pieces,
                    goals,
                };
                size.rule_file()
            }
        }
    }
}

pub(in crate::cli) fn run(
    args: &GenerateArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let rules = args.game.rule_file();
    let rules = rules.map_err(|fault| Failure::usage(fault.to_string()))?;
    match &args.output {
        None => console.out.write_all(rules.as_bytes())?,
        Some(path) => write_output(path, &rules, args.force)?,
    }
    Ok(Outcome::Success)
}
