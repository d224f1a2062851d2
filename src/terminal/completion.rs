//! How a line may go on.

use std::collections::BTreeSet;

use crate::drawing::bare;
use crate::play::LEVELS;
use crate::terminal::request::command_beginnings;

/// More moves than this are offered word by word.
const MOST: usize = 20;

/// The lines that a person who has typed `typed` may mean: commands, and the legal moves, with parentheses if they were begun
/// so. Where there are many moves, each goes on to the end of its next word.
pub fn completions(typed: &str, moves: &[String]) -> Vec<String> {
    if let Some(begun) = typed.strip_prefix("level ") {
        let levels = LEVELS.iter().filter(|level| level.name.starts_with(begun));
        return levels
            .map(|level| format!("level {}", level.name))
            .collect();
    }
    let bare = |mv: &String| match typed.starts_with('(') {
        true => mv.clone(),
        false => bare(mv).to_owned(),
    };
    let begins = |text: &String| starts_so(text, typed);
    let moves: Vec<String> = moves.iter().map(bare).filter(begins).collect();
    let commands = command_beginnings().filter(begins);
    let mut lines: Vec<String> = match moves.len() > MOST {
        true => next_words(typed.len(), &moves),
        false => moves,
    };
    lines.extend(commands);
    lines
}

/// The name of a file as far as it was typed, where the line is a command that takes one.
pub fn file_name_begun(typed: &str) -> Option<&str> {
    const COMMANDS: [&str; 3] = ["save --force ", "save ", "load "];
    let command = COMMANDS.iter().find(|command| starts_so(typed, command))?;
    Some(typed[command.len()..].trim_start())
}

/// Whether a text begins so, in upper or lower case.
fn starts_so(text: &str, start: &str) -> bool {
    let same = |(one, other): (char, char)| one.to_lowercase().eq(other.to_lowercase());
    let (length, longest) = (start.chars().count(), text.chars().count());
    length <= longest && text.chars().zip(start.chars()).all(same)
}

/// The texts as far as the end of the first word in which they differ behind `length` bytes.
fn next_words(length: usize, texts: &[String]) -> Vec<String> {
    let mut length = length;
    loop {
        let cut = |text: &String| {
            let rest = text.get(length..).unwrap_or_default();
            let end = rest.trim_start().find(' ').map(|end| end + 1);
            let blanks = rest.len() - rest.trim_start().len();
            end.map_or_else(
                || text.clone(),
                |end| text[..length + blanks + end].to_owned(),
            )
        };
        let ways: BTreeSet<String> = texts.iter().map(cut).collect();
        match ways.first() {
            Some(only) if ways.len() == 1 && only.len() > length => length = only.len(),
            _ => return ways.into_iter().collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize) -> Vec<String> {
        (0..count)
            .map(|n| format!("(move {} {n})", n % 3))
            .collect()
    }

    #[test]
    fn moves_and_commands_are_completed() {
        assert_eq!(completions("move 1 1", &moves(6)), ["move 1 1"]);
        assert_eq!(completions("(mo", &moves(2)), ["(move 0 0)", "(move 1 1)"]);
        assert_eq!(completions("MOV", &moves(1)), ["move 0 0", "moves "]);
        let nested = ["(mark (sq 1 1))".to_owned()];
        assert_eq!(completions("mark (sq 1", &nested), ["mark (sq 1 1)"]);
        assert_eq!(completions("res", &moves(1)), ["restart", "resign"]);
        assert_eq!(completions("level ea", &[]), ["level easy"]);
        assert!(completions("zz", &moves(1)).is_empty());
        assert!(completions("é", &moves(30)).is_empty());
    }

    #[test]
    fn many_moves_are_completed_word_by_word() {
        let ways = completions("mo", &moves(40));
        assert_eq!(ways, ["move 0 ", "move 1 ", "move 2 ", "moves "]);
        let ways = completions("move 1 ", &moves(100));
        assert_eq!(ways.len(), 33);
        assert_eq!(ways[0], "move 1 1");
    }

    #[test]
    fn file_names_follow_some_commands() {
        assert_eq!(file_name_begun("save my ga"), Some("my ga"));
        assert_eq!(file_name_begun("LOAD "), Some(""));
        assert_eq!(file_name_begun("save --force ga"), Some("ga"));
        assert_eq!(file_name_begun("save"), None);
        assert_eq!(file_name_begun("move a"), None);
    }
}
