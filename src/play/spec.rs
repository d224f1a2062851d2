//! Players, as they are asked for on the command line: `minimax:time=2,threads=4`.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::catalog::most_similar;
use crate::search::MAX_DEPTH;

/// What kind of player takes a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Spec {
    /// A person at the terminal.
    Human,
    /// Plays any legal move, each equally likely.
    Random {
        /// Where its chance comes from; without it, from the seed of the match.
        seed: Option<u64>,
    },
    /// Plays the first legal move in natural order.
    First,
    /// Looks ahead.
    Minimax {
        /// Thinking time per move.
        time: Option<Duration>,
        /// Greatest depth in steps.
        depth: Option<u32>,
        /// Threads.
        threads: usize,
    },
}

/// Thinking time where neither time nor depth is given.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// Names of the players, with their options.
const PLAYERS: [(&str, &[&str]); 4] = [
    ("human", &[]),
    ("random", &["seed"]),
    ("first", &[]),
    ("minimax", &["time", "depth", "threads"]),
];

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

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        let known = known_options(name)?;
        let mut read = Options::default();
        let mut seen = Vec::new();
        for option in options.split(',').map(str::trim) {
            if !option.is_empty() {
                let key = read.take(name, known, option)?;
                if seen.contains(&key) {
                    return Err(SpecError::new(
                        format!("`{key}` is given twice for `{name}`"),
                        "keep one of the two".to_owned(),
                    ));
                }
                seen.push(key);
            }
        }
        Ok(match name {
            "human" => Self::Human,
            "first" => Self::First,
            "random" => Self::Random { seed: read.seed },
            _ => read.minimax(),
        })
    }
}

fn known_options(name: &str) -> Result<&'static [&'static str], SpecError> {
    if let Some((_, options)) = PLAYERS.iter().find(|(player, _)| *player == name) {
        return Ok(options);
    }
    let names: Vec<&str> = PLAYERS.iter().map(|(player, _)| *player).collect();
    let all = format!("the players are {}", names.join(", "));
    let help = match most_similar(name, names) {
        Some(similar) => format!("did you mean `{similar}`? {all}"),
        None => all,
    };
    Err(SpecError::new(format!("there is no player `{name}`"), help))
}

/// The options read so far.
#[derive(Default)]
struct Options {
    seed: Option<u64>,
    time: Option<Duration>,
    depth: Option<u32>,
    threads: Option<usize>,
}

impl Options {
    /// Reads one option, and gives its name.
    fn take<'o>(
        &mut self,
        player: &str,
        known: &[&str],
        option: &'o str,
    ) -> Result<&'o str, SpecError> {
        let (key, value) = option.split_once('=').unwrap_or((option, ""));
        let (key, value) = (key.trim(), value.trim());
        if !known.contains(&key) {
            return Err(unknown_option(player, known, key));
        }
        let bad = |wanted: &str| {
            let message = format!("`{value}` is no {key} for `{player}`");
            SpecError::new(message, format!("write {key}={wanted}"))
        };
        match key {
            "seed" => self.seed = Some(value.parse().map_err(|_| bad("a whole number"))?),
            "time" => self.time = Some(seconds(value).ok_or_else(|| bad("seconds, such as 0.5"))?),
            "depth" => {
                let depth = value
                    .parse()
                    .ok()
                    .filter(|depth| (1..=MAX_DEPTH).contains(depth));
                self.depth = Some(depth.ok_or_else(|| bad(&format!("1 to {MAX_DEPTH} steps")))?);
            }
            _ => {
                let threads = value
                    .parse()
                    .ok()
                    .filter(|threads| (1..=256).contains(threads));
                self.threads = Some(threads.ok_or_else(|| bad("1 to 256"))?);
            }
        }
        Ok(key)
    }

    fn minimax(self) -> Spec {
        let limited = self.time.is_some() || self.depth.is_some();
        Spec::Minimax {
            time: self.time.or((!limited).then_some(DEFAULT_TIME)),
            depth: self.depth,
            threads: self.threads.unwrap_or(1),
        }
    }
}

fn unknown_option(player: &str, known: &[&str], key: &str) -> SpecError {
    let help = match most_similar(key, known.iter().copied()) {
        _ if known.is_empty() => format!("`{player}` takes no options"),
        Some(similar) => format!(
            "did you mean `{similar}`? the options are {}",
            known.join(", ")
        ),
        None => format!("the options are {}", known.join(", ")),
    };
    SpecError::new(format!("the player `{player}` has no option `{key}`"), help)
}

/// Up to a day of seconds, such as `2`, `0.25`, `2s` or `250ms`.
fn seconds(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number.parse::<f64>().ok()? * unit;
    let sensible = seconds > 0.0 && seconds <= 86_400.0;
    sensible.then(|| Duration::from_secs_f64(seconds))
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut options = Vec::new();
        let name = match self {
            Self::Human => "human",
            Self::First => "first",
            Self::Random { seed } => {
                options.extend(seed.map(|seed| format!("seed={seed}")));
                "random"
            }
            Self::Minimax {
                time,
                depth,
                threads,
            } => {
                options.extend(time.map(|time| format!("time={}", time.as_secs_f64())));
                options.extend(depth.map(|depth| format!("depth={depth}")));
                options.extend((*threads > 1).then(|| format!("threads={threads}")));
                "minimax"
            }
        };
        let colon = if options.is_empty() { "" } else { ":" };
        write!(f, "{name}{colon}{}", options.join(","))
    }
}

/// `ROLE=SPEC`, or a bare `SPEC` for every role not named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The role, as typed.
    pub role: Option<String>,
    /// Its player.
    pub spec: Spec,
}

impl FromStr for Assignment {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (role, spec) = match text.split_once('=') {
            Some((role, spec)) if !role.contains(':') => (Some(role.trim().to_owned()), spec),
            _ => (None, text),
        };
        let spec = spec.parse()?;
        Ok(Self { role, spec })
    }
}

impl Assignment {
    /// The player of each role: as assigned, the last word counts; `default` for the others.
    ///
    /// # Errors
    /// Names a role that the game does not have.
    pub fn deal(
        assigned: &[Self],
        roles: &[String],
        default: &Spec,
    ) -> Result<Vec<Spec>, SpecError> {
        let bare = assigned
            .iter()
            .rfind(|assignment| assignment.role.is_none());
        let default = bare.map_or(default, |assignment| &assignment.spec);
        let mut specs = vec![default.clone(); roles.len()];
        for Self { role, spec } in assigned {
            if let Some(role) = role {
                specs[role_number(role, roles)?] = spec.clone();
            }
        }
        Ok(specs)
    }
}

/// The number of the role that a person named.
///
/// # Errors
/// Lists the roles.
pub fn role_number(asked: &str, roles: &[String]) -> Result<usize, SpecError> {
    let exact = roles.iter().position(|role| role == asked);
    let tolerant = || {
        roles
            .iter()
            .position(|role| role.eq_ignore_ascii_case(asked))
    };
    exact.or_else(tolerant).ok_or_else(|| {
        let names: Vec<&str> = roles.iter().map(String::as_str).collect();
        let all = format!("the roles are {}", names.join(", "));
        let help = match most_similar(asked, names) {
            Some(similar) => format!("did you mean `{similar}`? {all}"),
            None => all,
        };
        SpecError::new(format!("the game has no role `{asked}`"), help)
    })
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
    }

    #[test]
    fn mistakes_come_with_advice() {
        assert_eq!(
            fault("minmax"),
            "there is no player `minmax`: did you mean `minimax`? the players are human, random, first, minimax"
        );
        assert_eq!(
            fault("x=minimax:tine=3"),
            "the player `minimax` has no option `tine`: did you mean `time`? the options are time, depth, threads"
        );
        assert_eq!(
            fault("x=first:seed=3"),
            "the player `first` has no option `seed`: `first` takes no options"
        );
        for value in [
            "time=-1",
            "time=nan",
            "time=1e9",
            "time=",
            "time",
            "depth=0",
            "depth=x",
            "threads=0",
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
        assert_eq!(dealt, ["first", "minimax:time=2", "first"]);
        let fault = Assignment::deal(&["blak=first".parse().unwrap()], &roles, &Spec::Human);
        assert_eq!(
            fault.unwrap_err().help,
            "did you mean `black`? the roles are red, black, random"
        );
    }
}
