//! Who plays which role of a match.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{SecretKey, ServeRefusal};
use crate::game::is_chance;
use crate::play::{SearchOptions, Spec};

/// Who plays a role.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct MatchPlayer {
    pub(super) kind: MatchPlayerKind,
    /// The name of a person, or the description of a machine.
    pub(super) name: String,
    /// The key of whoever opens the link to this role.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) key: Option<SecretKey>,
}

/// What kind of player plays a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MatchPlayerKind {
    /// Whoever made the match.
    Human,
    /// A program of the server.
    Machine,
    /// Whoever has the link.
    Link,
}

/// How a caller asks for a player.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchPlayerRequest {
    role: String,
    kind: MatchPlayerKind,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    player: Option<String>,
}

/// Names of people are cut after so many characters.
const LONGEST_NAME: usize = 80;
/// A machine takes at most so long for a move.
const LONGEST_MOVE: Duration = Duration::from_secs(60);
/// A machine has at most so many MiB for positions met.
const MOST_MEMORY: usize = 256;

/// The players of a match: those asked for, chance for the role `random`, people for the others.
pub(super) fn match_players(
    roles: &[String],
    asked: &[MatchPlayerRequest],
) -> Result<Vec<MatchPlayer>, ServeRefusal> {
    for (place, one) in asked.iter().enumerate() {
        if !roles.contains(&one.role) {
            let message = format!("there is no role `{}`", one.role);
            return Err(
                ServeRefusal::request(message).help(format!("the roles are {}", roles.join(", ")))
            );
        }
        if asked[..place].iter().any(|other| other.role == one.role) {
            return Err(ServeRefusal::request(format!(
                "`{}` has two players",
                one.role
            )));
        }
    }
    let match_player = |role: &String| match asked.iter().find(|one| one.role == *role) {
        _ if is_chance(role) => Ok(MatchPlayer {
            kind: MatchPlayerKind::Machine,
            name: "random".to_owned(),
            key: None,
        }),
        Some(asked) => asked.match_player(),
        None => Ok(MatchPlayer {
            kind: MatchPlayerKind::Human,
            name: String::new(),
            key: None,
        }),
    };
    roles.iter().map(match_player).collect()
}

impl MatchPlayerRequest {
    fn match_player(&self) -> Result<MatchPlayer, ServeRefusal> {
        let name = self.name.as_deref().unwrap_or_default();
        let name: String = name.chars().take(LONGEST_NAME).collect();
        let (name, key) = match self.kind {
            MatchPlayerKind::Human => (name, None),
            MatchPlayerKind::Link => (name, Some(SecretKey::random()?)),
            MatchPlayerKind::Machine => {
                let Some(player) = &self.player else {
                    let message = format!("`{}` is a machine without a `player`", self.role);
                    return Err(ServeRefusal::request(message).help("such as \"auto:time=1\""));
                };
                machine(player)?;
                (player.trim().to_owned(), None)
            }
        };
        let kind = self.kind;
        Ok(MatchPlayer { kind, name, key })
    }
}

impl MatchPlayer {
    pub(super) fn is_machine(&self) -> bool {
        self.kind == MatchPlayerKind::Machine
    }
}

/// The machine that is asked for, within what a server has to give.
pub(super) fn machine(text: &str) -> Result<Spec, ServeRefusal> {
    let refused = |message: String, help: &str| Err(ServeRefusal::request(message).help(help));
    let spec: Spec = text.parse()?;
    let search = match &spec {
        Spec::Human => return refused("`human` is no machine".to_owned(), "write kind \"human\""),
        // Callers choose no programs, no addresses and no files for the server to start, to call or to read.
        Spec::Remote(_) | Spec::Exec(_) | Spec::Solved(_) => {
            return refused(
                "other programs, players on the network and solutions do not play here".to_owned(),
                "`kolibri match` lets them play",
            );
        }
        Spec::Published { .. } => {
            return refused(
                "published players of checkers, which no clock stops, do not play here".to_owned(),
                "`kolibri play checkers` and `kolibri match checkers` let them play",
            );
        }
        Spec::Random { .. } | Spec::First => return Ok(spec),
        Spec::Minimax(search) | Spec::Plain(search) | Spec::Mcts(search) | Spec::Auto(search) => {
            search.clone()
        }
    };
    if search.weights.is_some() {
        return refused(
            "files of weights are not read here".to_owned(),
            "`kolibri match` reads them",
        );
    }
    let threads = most_threads();
    if search.threads > threads {
        let message = format!("{} threads are more than this machine has", search.threads);
        return refused(message, &format!("give at most {threads}"));
    }
    if search.time.is_some_and(|time| time > LONGEST_MOVE) {
        let help = format!("give at most {} seconds", LONGEST_MOVE.as_secs());
        return refused("a move may not take so long".to_owned(), &help);
    }
    if search.hash.is_some_and(|hash| hash > MOST_MEMORY) {
        let help = format!("give at most {MOST_MEMORY} MiB");
        return refused("a player may not take so much memory".to_owned(), &help);
    }
    let bounded = SearchOptions {
        time: Some(search.time.unwrap_or(LONGEST_MOVE)),
        ..search
    };
    Ok(match spec {
        Spec::Minimax(_) => Spec::Minimax(bounded),
        Spec::Plain(_) => Spec::Plain(bounded),
        Spec::Mcts(_) => Spec::Mcts(bounded),
        _ => Spec::Auto(bounded),
    })
}

/// How many threads a machine may have.
pub(super) fn most_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(text: &str) -> Vec<MatchPlayerRequest> {
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn files_are_not_read_for_callers() {
        for asked in ["minimax:weights=a", "auto:weights=a", "solved:file=a"] {
            assert!(machine(asked).is_err(), "{asked}");
        }
    }

    #[test]
    fn roles_left_out_are_people_and_chance_is_chance() {
        let roles = ["x", "random", "o"].map(str::to_owned);
        let asked = asked(
            r#"[{"role":"x","kind":"machine","player":"easy"},{"role":"random","kind":"human"}]"#,
        );
        let match_players = match_players(&roles, &asked).unwrap();
        let kinds: Vec<_> = match_players
            .iter()
            .map(|match_player| (match_player.kind, &*match_player.name))
            .collect();
        let expected = [
            (MatchPlayerKind::Machine, "easy"),
            (MatchPlayerKind::Machine, "random"),
            (MatchPlayerKind::Human, ""),
        ];
        assert_eq!(kinds, expected);
    }

    #[test]
    fn what_a_server_does_not_give_is_refused() {
        let roles = ["x".to_owned()];
        let wrong = |player: &str| {
            let text = format!(r#"[{{"role":"x","kind":"machine","player":"{player}"}}]"#);
            match_players(&roles, &asked(&text)).unwrap_err().message
        };
        assert!(wrong("remote:127.0.0.1:9147").contains("network"));
        assert!(wrong("exec:/bin/true").contains("other programs"));
        assert!(wrong("auto:threads=4096").contains("threads"));
        assert!(wrong("auto:time=3600").contains("so long"));
        assert!(wrong("mcts:hash=4096").contains("memory"));
        assert!(wrong("human").contains("no machine"));
        assert!(wrong("minmax").contains("no player"));
        let Spec::Minimax(deep) = machine("minimax:depth=90").unwrap() else {
            panic!("another player");
        };
        assert_eq!(deep.time, Some(LONGEST_MOVE));
        let twice = r#"[{"role":"x","kind":"link"},{"role":"x","kind":"link"}]"#;
        assert!(match_players(&roles, &asked(twice)).is_err());
        let nobody = r#"[{"role":"y","kind":"link"}]"#;
        assert!(match_players(&roles, &asked(nobody)).is_err());
    }
}
