//! What the moves of a message mean in a position.

use crate::kif::GroundTerm;
use crate::session::Position;

/// A joint move that can be played, and what had to be guessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ReadJoint {
    /// A legal move per role.
    pub(super) joint: Vec<String>,
    /// What was wrong with the moves sent, in words.
    pub(super) faults: Vec<String>,
}

/// The joint move that `sent` means in `position`, where the player of `role` has answered `answered`. Whatever is missing or
/// not legal is replaced: the player's own move by its answer, others by their first legal move. `None` where a role has no
/// legal move at all.
pub(super) fn read_joint(
    position: &Position,
    sent: Option<&[String]>,
    (role, answered): (usize, Option<&str>),
) -> Option<ReadJoint> {
    let roles = position.roles();
    let moves = sent.map(|sent| moves_of_roles(sent, roles));
    let mut read = ReadJoint {
        joint: Vec::new(),
        faults: Vec::new(),
    };
    if moves.is_none() {
        read.faults
            .push("the moves of the last step are missing".to_owned());
    }
    for (number, name) in roles.iter().enumerate() {
        let legal = position.legal_of(number);
        let first = legal.first()?;
        let sent = moves
            .as_ref()
            .and_then(|moves| moves.get(number)?.as_deref());
        let mv = sent.and_then(|sent| known(sent, legal));
        read.joint.push(mv.cloned().unwrap_or_else(|| {
            let own = answered.filter(|_| number == role);
            let guess = own.map_or_else(|| first.clone(), str::to_owned);
            if moves.is_some() {
                let sent = sent.map_or_else(
                    || "no move".to_owned(),
                    |sent| format!("`{sent}`, which is not legal"),
                );
                read.faults.push(format!(
                    "the server sent {sent}, for {name}; taken as {guess}"
                ));
            }
            guess
        }));
    }
    Some(read)
}

/// The legal move that a server means, which may have changed the case.
fn known<'l>(sent: &str, legal: &'l [String]) -> Option<&'l String> {
    let exact = legal.iter().find(|known| *known == sent);
    exact.or_else(|| legal.iter().find(|known| known.eq_ignore_ascii_case(sent)))
}

/// The move of each role, as far as the message tells.
fn moves_of_roles(sent: &[String], roles: &[String]) -> Vec<Option<String>> {
    match roles {
        // A message with percepts may have as many of them as there are roles.
        _ if !sent.is_empty() && perceived(sent, roles).iter().all(Option::is_some) => {
            perceived(sent, roles)
        }
        _ if sent.len() == roles.len() => sent.iter().cloned().map(Some).collect(),
        // Some servers send the only move without a list around it.
        [_] => vec![Some(format!("({})", sent.join(" ")))],
        _ => perceived(sent, roles),
    }
}

/// The moves in percepts `(did ROLE MOVE)`, whatever the word `did` has become.
fn perceived(sent: &[String], roles: &[String]) -> Vec<Option<String>> {
    let percepts: Vec<(String, String)> = sent
        .iter()
        .filter_map(|percept| match percept.parse().ok()? {
            GroundTerm::Compound(_, arguments) => match &arguments[..] {
                [role, mv] => Some((role.to_string(), mv.to_string())),
                _ => None,
            },
            GroundTerm::Constant(_) => None,
        })
        .collect();
    let of = |role: &String| {
        let mut own = percepts
            .iter()
            .filter(|(who, _)| who.eq_ignore_ascii_case(role));
        own.next().map(|(_, mv)| mv.clone())
    };
    roles.iter().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game;

    fn position(game: &str) -> Position {
        Game::load(game).unwrap().initial()
    }

    fn read(position: &Position, sent: &[&str]) -> ReadJoint {
        let sent: Vec<String> = sent.iter().map(|&mv| mv.to_owned()).collect();
        read_joint(position, Some(&sent), (0, Some("(mark 3 3)"))).unwrap()
    }

    #[test]
    fn moves_are_read_in_every_dialect() {
        let position = position("tictactoe");
        for sent in [
            &["(mark 1 2)", "noop"][..],
            &["(MARK 1 2)", "NOOP"],
            &["(did x (mark 1 2))", "(did o noop)"],
            &["(DID O NOOP)", "(seen something)", "(DID X (MARK 1 2))"],
        ] {
            let read = read(&position, sent);
            assert_eq!(read.joint, ["(mark 1 2)", "noop"], "{sent:?}");
            assert!(read.faults.is_empty(), "{sent:?}: {:?}", read.faults);
        }
    }

    #[test]
    fn what_is_missing_or_not_legal_is_guessed_and_said() {
        let position = position("tictactoe");
        for (sent, expected) in [
            (&["(mark 9 9)", "noop"][..], "(mark 3 3)"),
            (&["(mark 1 2)", "(mark 1 1)"], "(mark 1 2)"),
            (&["(mark 1 2)"], "(mark 3 3)"),
            (&[], "(mark 3 3)"),
        ] {
            let read = read(&position, sent);
            assert_eq!(read.joint, [expected, "noop"], "{sent:?}");
            assert!(!read.faults.is_empty(), "{sent:?}");
        }
        let missing = read_joint(&position, None, (0, None)).unwrap();
        assert_eq!(missing.joint, ["(mark 1 1)", "noop"]);
        assert_eq!(missing.faults, ["the moves of the last step are missing"]);
    }

    #[test]
    fn the_only_move_may_come_without_a_list() {
        let rules = "(role p) (init (at 0)) (legal p (go 1)) (legal p (go 2)) (<= (next (at ?x)) (does p (go ?x))) \
                     (<= terminal (true (at 2))) (<= (goal p 100) (true (at 2)))";
        let position = Game::from_text("line", rules).unwrap().initial();
        assert_eq!(read(&position, &["go", "2"]).joint, ["(go 2)"]);
        assert_eq!(read(&position, &["(go 2)"]).joint, ["(go 2)"]);
    }
}
