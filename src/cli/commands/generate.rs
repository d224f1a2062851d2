//! `kolibri generate`: shipped games in other sizes.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Command};

use crate::cli::console::Console;
use crate::cli::failure::{Failure, Outcome};
use crate::cli::number::whole;
use crate::cli::output_file::write_output;
use crate::generate::{FAMILIES, Family, SizeParameter};

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

/// A game, with what was chosen: a subcommand for each family, with an option for each parameter.
#[derive(Debug, Clone)]
struct SizedGame {
    family: &'static Family,
    /// The numbers of the parameters that were given.
    numbers: BTreeMap<&'static str, Vec<u8>>,
}

impl clap::Subcommand for SizedGame {
    fn augment_subcommands(command: Command) -> Command {
        let games = FAMILIES.iter().map(command_of);
        command
            .subcommands(games)
            .subcommand_required(true)
            .arg_required_else_help(true)
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        Family::of(name).is_some()
    }
}

impl clap::FromArgMatches for SizedGame {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(clap::error::ErrorKind::MissingSubcommand);
        let (name, chosen) = matches.subcommand().ok_or_else(missing)?;
        let family = Family::of(name).ok_or_else(missing)?;
        let parameters = family.parameters.iter();
        let numbers = parameters.filter_map(|parameter| {
            let numbers = chosen.get_many::<u8>(parameter.name)?;
            Some((parameter.name, numbers.copied().collect()))
        });
        Ok(Self {
            family,
            numbers: numbers.collect(),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// What is typed for a game.
fn command_of(family: &'static Family) -> Command {
    let options = family.parameters.iter().map(option_of);
    let presets = family.presets.iter().map(|preset| {
        let pairs = family.parameters.iter().zip(*preset);
        let words =
            pairs.map(|(parameter, numbers)| format!(" --{} {}", parameter.name, typed(numbers)));
        format!(
            "\n  kolibri generate {}{}",
            family.name,
            words.collect::<String>()
        )
    });
    let presets: String = presets.collect();
    Command::new(family.name)
        .about(family.title)
        .args(options)
        .after_help(format!("Sizes that are played often:{presets}"))
}

/// What is typed for a parameter.
fn option_of(parameter: &'static SizeParameter) -> Arg {
    let (least, greatest) = parameter.range;
    let option = Arg::new(parameter.name)
        .long(parameter.name)
        .value_parser(whole::<u8>(least.into(), greatest.into()))
        .default_value(typed(parameter.default));
    let mut meaning = parameter.meaning.to_owned();
    meaning[..1].make_ascii_uppercase();
    match parameter.length {
        None => option
            .value_name("N")
            .help(format!("{meaning}, {least} to {greatest}")),
        Some((fewest, most)) => option.value_name("N,N…").value_delimiter(',').help(format!(
            "{meaning}, separated by commas: {fewest} to {most} numbers, {least} to {greatest} each"
        )),
    }
}

/// Numbers as they are typed.
fn typed(numbers: &[u8]) -> String {
    let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
    words.join(",")
}

pub(in crate::cli) fn run(
    args: &GenerateArgs,
    console: &mut Console<'_>,
) -> Result<Outcome, Failure> {
    let SizedGame { family, numbers } = &args.game;
    let size = family.size(|name| numbers.get(name).cloned());
    let rules = family.rule_file(&size);
    let rules = rules.map_err(|fault| Failure::usage(fault.to_string()))?;
    match &args.output {
        None => console.out.write_all(rules.as_bytes())?,
        Some(path) => write_output(path, &rules, args.force)?,
    }
    Ok(Outcome::Success)
}
