//! Players, as they are asked for on the command line: `minimax:time=2,threads=4`.

mod assignment;
mod fit;
mod install;
mod installed;
mod levels;
mod options;
mod program;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

pub use assignment::{Assignment, role_number};
pub use fit::{check_files, check_fit, no_evaluation};
pub use install::InstallError;
pub use installed::{InstalledPlayer, InstalledPlayers, LeftOutPlayer, set_player_folders};
pub use levels::{LEVELS, Level};
pub use options::{PLAYER_KINDS, PlayerArgument, PlayerKind, PlayerOption};
pub use program::PlayerProgram;

use self::options::{OptionValues, PublishedValues};
use crate::catalog::most_similar;
use crate::native::checkers::published::PublishedPlayer;
use crate::protocol::PlayerAddress;
use crate::session::{Mcts, Minimax, SearchOptions};

/// What kind of player takes a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spec {
    /// A person at the terminal.
    Human,
    /// Plays any legal move, with equal probability.
    Random {
        /// The seed of its random numbers; without it, the seed of the match.
        seed: Option<u64>,
    },
    /// Plays the first legal move in natural order.
    First,
    /// Min-Max search.
    Minimax(SearchOptions),
    /// Min-Max without pruning, transposition table and evaluation: a baseline.
    Plain(SearchOptions),
    /// Monte-Carlo tree search.
    Mcts(SearchOptions),
    /// Min-Max or Monte-Carlo tree search, chosen for the game.
    Auto(SearchOptions),
    /// A published player of checkers.
    Published {
        /// The player.
        player: PublishedPlayer,
        /// The seed of its random numbers, where it needs any; without it, the seed of the match.
        seed: Option<u64>,
    },
    /// Perfect play by the solution in a file.
    Solved(PathBuf),
    /// A player on the network.
    Remote(PlayerAddress),
    /// Another program on this machine.
    Exec(PlayerProgram),
}

impl From<Minimax> for Spec {
    fn from(search: Minimax) -> Self {
        Self::Minimax(search.player_options())
    }
}

impl From<Mcts> for Spec {
    fn from(search: Mcts) -> Self {
        Self::Mcts(search.player_options())
    }
}

/// What is wrong with a player's description, and how to mend it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct SpecError {
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
}

impl SpecError {
    fn new(message: String, help: String) -> Self {
        Self { message, help }
    }
}

impl Spec {
    /// Whether the player thinks outside of this program, under the clocks of the match: on the network, or in another program.
    pub fn is_outside(&self) -> bool {
        matches!(self, Self::Remote(_) | Self::Exec(_))
    }

    /// The name of the evaluation that the player uses, if it has one.
    pub fn evaluation(&self) -> Option<&str> {
        match self {
            Self::Minimax(thinking) => thinking.evaluation.as_deref(),
            _ => None,
        }
    }

    /// The file of weights that the player uses, if it has one.
    pub fn weights(&self) -> Option<&Path> {
        match self {
            Self::Minimax(thinking) | Self::Mcts(thinking) | Self::Auto(thinking) => {
                thinking.weights.as_deref()
            }
            _ => None,
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Ok(Self::under_clocks(text)?.limited())
    }
}

impl Spec {
    /// Reads a player whose moves are limited by the clock of a match, too: a search that nothing else limits takes all of it.
    ///
    /// # Errors
    /// Says what is wrong with the text.
    pub fn under_clocks(text: &str) -> Result<Self, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if let Some(mended) = with_colon(name) {
            let message = format!("there is no player `{name}`");
            let help = format!("options follow a colon: write `{mended}`");
            return Err(SpecError::new(message, help));
        }
        if let Some(level) = Level::of(name) {
            return match options.trim() {
                "" => level.spec(),
                options => Err(level_with_options(level, options)),
            };
        }
        let Some(kind) = PlayerKind::of(name) else {
            return installed_player(name, text, options);
        };
        (kind.make)(kind.read(options)?).ok_or_else(|| kind.without_argument())
    }

    /// With a second per move, where nothing limits the search.
    fn limited(self) -> Self {
        match self {
            Self::Minimax(search) => Self::Minimax(search.limited()),
            Self::Mcts(search) => Self::Mcts(search.limited()),
            Self::Plain(search) => Self::Plain(search.limited()),
            Self::Auto(search) => Self::Auto(search.limited()),
            other => other,
        }
    }
}

/// A player and options with a colon between them, if there is a comma instead.
fn with_colon(text: &str) -> Option<String> {
    let (player, options) = text.split_once(',')?;
    let kind = PlayerKind::of(player.trim())?;
    Some(format!("{}:{}", kind.name, options.trim()))
}

fn level_with_options(level: &Level, options: &str) -> SpecError {
    let (name, player) = (level.name, level.player);
    let kind = player.split(':').next().unwrap_or_default();
    let message = format!("the level `{name}` takes no options");
    let help = format!("it stands for {player}: write {kind}:{options}");
    SpecError::new(message, help)
}

/// The player of this name in the folders of players; `written` is how it was asked for.
fn installed_player(name: &str, written: &str, arguments: &str) -> Result<Spec, SpecError> {
    let installed = InstalledPlayers::find();
    if let Some(player) = installed.named(name) {
        let program = player.program.with_arguments(written, arguments);
        return program.map(Spec::Exec).ok_or_else(|| {
            let message = format!("the arguments of `{name}` cannot be read");
            SpecError::new(message, "close all quotes".to_owned())
        });
    }
    let unknown = unknown_player(name, &installed);
    Err(match installed.left_out_named(name) {
        Some(left_out) => SpecError::new(unknown.message, left_out.to_string()),
        None => unknown,
    })
}

fn unknown_player(name: &str, installed: &InstalledPlayers) -> SpecError {
    let kinds = PLAYER_KINDS.iter().map(|kind| kind.name);
    let levels = LEVELS.iter().map(|level| level.name);
    let installed = installed.players.iter().map(|player| player.name.as_str());
    let programs: Vec<&str> = kinds
        .clone()
        .filter(|name| *name != "human")
        .chain(installed.clone())
        .collect();
    let all = format!(
        "the players are {}, and in `play` human; the levels are {}",
        programs.join(", "),
        levels.clone().collect::<Vec<_>>().join(", ")
    );
    let help = match most_similar(name, kinds.chain(levels).chain(installed)) {
        Some(similar) => format!("did you mean `{similar}`? {all}"),
        None => all,
    };
    SpecError::new(format!("there is no player `{name}`"), help)
}

/// As it is read; options at their default are left out.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, search) = match self {
            Self::Solved(file) => return write!(f, "solved:file={}", file.display()),
            Self::Remote(address) => return write!(f, "remote:{address}"),
            Self::Exec(program) => return program.fmt(f),
            Self::Human => ("human", &SearchOptions::USUAL),
            Self::First => ("first", &SearchOptions::USUAL),
            Self::Random { .. } => ("random", &SearchOptions::USUAL),
            Self::Minimax(search) => ("minimax", search),
            Self::Mcts(search) => ("mcts", search),
            Self::Auto(search) => ("auto", search),
            Self::Plain(search) => ("plain", search),
            Self::Published { .. } => ("published", &SearchOptions::USUAL),
        };
        let (seed, published) = match *self {
            Self::Random { seed } => (seed, PublishedValues::default()),
            Self::Published { player, seed } => (seed, player.into()),
            _ => Default::default(),
        };
        let values = OptionValues {
            seed,
            published,
            search: search.clone(),
            ..OptionValues::default()
        };
        let options = PlayerKind::of(name).map(|kind| kind.write(&values));
        match options.filter(|options| !options.is_empty()) {
            Some(options) => write!(f, "{name}:{options}"),
            None => f.write_str(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_option_is_given_once() {
        let fault = "minimax:depth=2,depth=3".parse::<Spec>().unwrap_err();
        assert_eq!(fault.message, "`depth` is given twice for `minimax`");
    }

    fn fault(text: &str) -> String {
        let fault = text.parse::<Assignment>().unwrap_err();
        format!("{}: {}", fault.message, fault.help)
    }

    #[test]
    fn players_are_read_and_printed() {
        for text in [
            "human",
            "first",
            "random",
            "random:seed=7",
            "minimax:time=0.5,depth=6,threads=2",
            "mcts:playouts=1000,threads=2,hash=16",
            "auto:time=0.1,heuristic=goals",
            "plain:depth=3",
            "solved:file=a folder/b,c=d.solution",
            "remote:127.0.0.1:9147",
            "remote:[::1]:9148",
            "exec:python3 'my player.py' --depth=3,4",
            "minimax:depth=3,evaluation=advanced",
            "minimax:depth=3,evaluation=1/2/1/2/1/0/10/2/2/1/1-as-published",
            "auto:time=1,weights=a folder/b.weights",
            "minimax:depth=3,ties=uniform",
            "minimax:depth=3,temperature=2.5",
            "mcts:nodes=1000,training=5000,training-seed=3",
            "plain:depth=3,ties=first",
            "published",
            "published:algorithm=abs,ef=1,depth=8,sign=corrected,futility=40,opponent=2,cure=turn,seed=7",
            "published:bonus=on",
            "published:version=v0",
            "minimax:time=0.5,hash=16,heuristic=pieces+goals,margin=0,ponder=true",
        ] {
            assert_eq!(text.parse::<Spec>().unwrap().to_string(), text);
        }
        assert_eq!(
            "minimax".parse::<Spec>().unwrap().to_string(),
            "minimax:time=1"
        );
        assert_eq!(
            "minimax: time=250ms,".parse::<Spec>().unwrap().to_string(),
            "minimax:time=0.25"
        );
        assert_eq!("mcts".parse::<Spec>().unwrap().to_string(), "mcts:time=1");
        let clocked = Spec::under_clocks("mcts:ponder=true").unwrap();
        assert_eq!(clocked.to_string(), "mcts:ponder=true");
    }

    #[test]
    fn mistakes_come_with_advice() {
        assert_eq!(
            fault("minmax"),
            "there is no player `minmax`: did you mean `minimax`? the players are random, first, minimax, mcts, plain, auto, published, solved, remote, exec, and in `play` human; the levels are easy, medium, hard, full"
        );
        assert_eq!(
            fault("x=minimax:tine=3"),
            "the player `minimax` has no option `tine`: did you mean `time`? the options are time, depth, nodes, threads, hash, heuristic, evaluation, training, training-seed, selective, symmetry, weights, ties, temperature, margin, ponder"
        );
        assert_eq!(
            fault("x=remote"),
            "the player `remote` needs HOST:PORT behind its colon: write remote:HOST:PORT, such as remote:127.0.0.1:9147"
        );
        assert_eq!(
            fault("x=first:seed=3"),
            "the player `first` has no option `seed`: `first` takes no options"
        );
        assert_eq!(
            fault("minimax:heuristic=luck"),
            "`luck` is no value of `heuristic` for `minimax`: write heuristic=all, none, names joined by +, or all-NAME; the \
             names are mobility, pieces, progress, facts, tuples, goals, threats, certain"
        );
        for (other, player) in [
            ("evaluation", "minimax:evaluation=advanced,weights=f"),
            ("training", "minimax:weights=f,training=1000"),
            ("training-seed", "auto:weights=f,training-seed=1"),
            ("playouts", "mcts:weights=f,playouts=100"),
            ("heuristic=none", "auto:weights=f,heuristic=none"),
        ] {
            let message = fault(player);
            let told = format!("`weights` and `{other}` do not go together");
            assert!(message.starts_with(&told), "{message}");
        }
        assert_eq!(
            fault("published:depth=1"),
            "`1` is no value of `depth` for `published`: write depth=2 to 15 turns"
        );
        assert_eq!(
            fault("published:ef=1,version=v1"),
            "`version` and `bonus` are about EF-3, and the bonus about its final version: write ef=3,version=v1, or ef=3,bonus=on"
        );
        for text in ["minimax,depth=2", "x=minimax, depth=2"] {
            let message = fault(text);
            assert!(message.ends_with("write `minimax:depth=2`"), "{message}");
        }
        assert_eq!(
            fault("minimax:time=1e9"),
            "`1e9` is no value of `time` for `minimax`: write time=0.001 to 1000000 seconds, such as 0.5, or 250ms, 10min, 1h"
        );
        for value in [
            "time=-1",
            "time=1e-9",
            "time=nan",
            "time=1e9",
            "time=",
            "time",
            "depth=0",
            "depth=x",
            "threads=0",
            "hash=0",
            "heuristic=luck",
            "margin=-1",
            "ponder=maybe",
            "evaluation=beautiful",
            "ties=last",
            "temperature=0",
            "temperature=warm",
            "ties=first,temperature=2",
            "evaluation=1/2/3",
            "playouts=9",
        ] {
            let text = format!("minimax:{value}");
            assert!(text.parse::<Spec>().is_err(), "{text}");
        }
    }

    #[test]
    fn players_are_dealt_to_roles() {
        let roles = ["red".to_owned(), "black".to_owned(), "random".to_owned()];
        let assigned = ["first", "Black=minimax:time=2"].map(|text| text.parse().unwrap());
        let dealt = Assignment::deal(&assigned, &roles, &Spec::Human).unwrap();
        let dealt: Vec<String> = dealt.iter().map(Spec::to_string).collect();
        assert_eq!(dealt, ["first", "minimax:time=2", "random"]);
        let bare = |texts: &[&str]| -> Vec<Assignment> {
            texts.iter().map(|text| text.parse().unwrap()).collect()
        };
        let placed = Assignment::in_order(&bare(&["first", "plain"]), &roles).unwrap();
        let dealt = Assignment::deal(&placed, &roles, &Spec::Human).unwrap();
        let dealt: Vec<String> = dealt.iter().map(Spec::to_string).collect();
        assert_eq!(dealt, ["first", "plain:time=1", "random"]);
        let fault = Assignment::in_order(&bare(&["first", "first", "red=first"]), &roles);
        assert_eq!(
            fault.unwrap_err().message,
            "2 players are given without a role"
        );
        let fault = Assignment::deal(&["blak=first".parse().unwrap()], &roles, &Spec::Human);
        assert_eq!(
            fault.unwrap_err().help,
            "did you mean `black`? the roles are red, black, random"
        );
    }
}
