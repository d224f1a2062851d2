//! What happened, in words.

use crate::game::is_chance;
use crate::play::{Step, scores};
use crate::search::points_at;

/// Who won, from the goals of the last state. Chance wins nothing.
pub fn verdict(roles: &[String], goals: &[Option<u8>]) -> String {
    let Some(scores) = scores(roles, goals) else {
        return no_result(roles, goals);
    };
    let pairs = scores.iter();
    let pairs = pairs.map(|(role, goal)| format!("{} {goal}", roles[*role]));
    let listed = pairs.collect::<Vec<String>>().join(", ");
    let best = scores.iter().map(|(_, goal)| *goal).max().unwrap_or(0);
    let winners = scores.iter().filter(|(_, goal)| *goal == best);
    let winners: Vec<&str> = winners.map(|(role, _)| roles[*role].as_str()).collect();
    match winners[..] {
        [alone] if scores.len() == 1 && best == 100 => {
            format!("{alone} has solved it ({best} points)")
        }
        [alone] if scores.len() == 1 => format!("{alone} ends with {best} of 100 points"),
        _ if best == 0 => format!("nobody wins ({listed})"),
        _ if winners.len() == scores.len() => format!("a draw ({listed})"),
        [winner] => format!("{winner} wins ({listed})"),
        _ => format!("{} share the first place ({listed})", winners.join(" and ")),
    }
}

/// Whom the rules give no goal.
fn no_result(roles: &[String], goals: &[Option<u8>]) -> String {
    let pairs = roles.iter().zip(goals);
    let without = pairs.filter(|(role, goal)| !is_chance(role) && goal.is_none());
    let without: Vec<&str> = without.map(|(role, _)| role.as_str()).collect();
    match without[..] {
        [] => "the rules give no result".to_owned(),
        _ => format!("the rules give {} no goal", without.join(" and ")),
    }
}

/// Texts one after the other, in lines of at most `width` characters; the first begins at the column `used`, the others are
/// indented.
pub fn wrapped<S: AsRef<str>>(texts: &[S], (used, width): (usize, usize)) -> String {
    const INDENT: &str = "    ";
    let mut wrapped = String::new();
    let mut column = used;
    for text in texts.iter().map(AsRef::as_ref) {
        let length = text.chars().count() + 1;
        if !wrapped.is_empty() && column + length > width {
            wrapped.push('\n');
            wrapped.push_str(INDENT);
            column = INDENT.len();
        } else if !wrapped.is_empty() {
            wrapped.push(' ');
        }
        wrapped.push_str(text);
        column += length;
    }
    wrapped
}

/// An evaluation in points, and what each heuristic adds to it, in logits: what adds most first.
pub(super) fn contributions_text(mut contributions: Vec<(&'static str, f64)>) -> String {
    contributions.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
    let points = points_at(contributions.iter().map(|(_, adds)| adds).sum());
    let parts = contributions.iter();
    let parts = parts.map(|(heuristic, adds)| format!("{heuristic} {adds:+.2}"));
    format!(
        "{points:.1} points: {}",
        parts.collect::<Vec<_>>().join(", ")
    )
}

/// What was typed, in quotes, and short enough for a message.
pub fn quoted(text: &str) -> String {
    const MOST: usize = 40;
    let start: String = text.chars().take(MOST).collect();
    let dots = if start.len() < text.len() { "…" } else { "" };
    format!("`{start}{dots}`")
}

/// The moves of a step: of those roles that had a choice, or of all where nobody had one.
pub fn move_line(roles: &[String], step: &Step) -> String {
    joint_line(roles, &step.joint, &step.choices)
}

pub(super) fn joint_line(roles: &[String], joint: &[String], choices: &[usize]) -> String {
    let nobody = choices.iter().all(|&choices| choices < 2);
    let moves = roles.iter().zip(joint).zip(choices);
    let listed = moves.filter(|(_, choices)| nobody || **choices > 1);
    let listed: Vec<String> = listed
        .map(|((role, mv), _)| format!("{role} {mv}"))
        .collect();
    listed.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text_of(goals: &[Option<u8>]) -> String {
        let roles = ["red", "black", "blue"].map(str::to_owned);
        verdict(&roles[..goals.len()], goals)
    }

    #[test]
    fn the_winner_is_named() {
        assert_eq!(
            text_of(&[Some(100), Some(0)]),
            "red wins (red 100, black 0)"
        );
        assert_eq!(text_of(&[Some(50), Some(50)]), "a draw (red 50, black 50)");
        assert_eq!(
            text_of(&[Some(50), Some(0), Some(50)]),
            "red and blue share the first place (red 50, black 0, blue 50)"
        );
        let lost = "nobody wins (red 0, black 0, blue 0)";
        assert_eq!(text_of(&[Some(0), Some(0), Some(0)]), lost);
        assert_eq!(text_of(&[Some(100)]), "red has solved it (100 points)");
        assert_eq!(text_of(&[Some(25)]), "red ends with 25 of 100 points");
        assert_eq!(
            text_of(&[None, Some(100), None]),
            "the rules give red and blue no goal"
        );
        assert_eq!(text_of(&[]), "the rules give no result");
    }

    #[test]
    fn chance_has_no_part_in_the_result() {
        let roles = ["red", "random", "black"].map(str::to_owned);
        let text_of = |goals: &[Option<u8>]| verdict(&roles[..goals.len()], goals);
        assert_eq!(text_of(&[Some(60), None]), "red ends with 60 of 100 points");
        assert_eq!(
            text_of(&[Some(60), Some(100), Some(40)]),
            "red wins (red 60, black 40)"
        );
    }

    #[test]
    fn long_lists_of_moves_take_several_lines() {
        let moves = ["(a 1)", "(a 2)", "(a 3)", "b"];
        assert_eq!(wrapped(&moves, (6, 100)), "(a 1) (a 2) (a 3) b");
        assert_eq!(wrapped(&moves, (6, 18)), "(a 1) (a 2)\n    (a 3) b");
        assert_eq!(
            wrapped(&moves, (30, 9)),
            "(a 1)\n    (a 2)\n    (a 3)\n    b"
        );
    }

    #[test]
    fn waiting_roles_are_left_out() {
        let roles = ["red", "black"].map(str::to_owned);
        let joint = ["(go)", "noop"].map(str::to_owned);
        assert_eq!(joint_line(&roles, &joint, &[3, 1]), "red (go)");
        assert_eq!(joint_line(&roles, &joint, &[1, 1]), "red (go), black noop");
    }
}
