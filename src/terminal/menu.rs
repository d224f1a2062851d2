//! Lists of moves that fit the terminal, and the numbers by which moves can be named.

use std::fmt::Write;

use indexmap::{IndexMap, IndexSet};

use crate::drawing::bare;

/// Moves in the order in which they were first met: a move keeps its number as long as the menu lasts.
#[derive(Debug, Default)]
pub(super) struct Menu {
    known: IndexSet<String>,
}

/// A longer list is counted in groups instead.
const MOST: usize = 60;

/// What stands between two columns.
const GAP: usize = 2;

impl Menu {
    /// Gives the moves that have none yet a number.
    pub(super) fn learn(&mut self, moves: &[String]) {
        for mv in moves {
            if !self.known.contains(mv) {
                self.known.insert(mv.clone());
            }
        }
    }

    /// The move with this number.
    pub(super) fn with_number(&self, number: usize) -> Option<&str> {
        let place = number.checked_sub(1)?;
        self.known.get_index(place).map(String::as_str)
    }

    fn number(&self, mv: &str) -> usize {
        self.known.get_index_of(mv).map_or(0, |place| place + 1)
    }

    /// The moves with their numbers in columns, or, where there are many, how many begin alike.
    pub(super) fn list(&self, moves: &[&str], width: usize) -> String {
        if let Some(groups) = groups(moves, width) {
            return format!("{} moves; type how one begins\n{groups}", moves.len());
        }
        let numbers = || moves.iter().map(|mv| self.number(mv));
        let digits = numbers().max().unwrap_or(0).to_string().len();
        let cells = moves
            .iter()
            .zip(numbers())
            .map(|(mv, number)| format!("{number:>digits$} {mv}"));
        columns(&cells.collect::<Vec<_>>(), width)
    }
}

/// How many moves begin with each word, at the first word in which they differ, in lines of at most `width` characters; `None`
/// for so few moves that they are listed one by one.
pub fn groups<S: AsRef<str>>(moves: &[S], width: usize) -> Option<String> {
    if moves.len() <= MOST {
        return None;
    }
    let words = |mv: &str| -> Vec<String> {
        let words = bare(mv).split_whitespace();
        words.map(str::to_owned).collect()
    };
    let all: Vec<Vec<String>> = moves.iter().map(|mv| words(mv.as_ref())).collect();
    let longest = all.iter().map(Vec::len).max().unwrap_or(0);
    let differs = |length: &usize| {
        all.iter()
            .any(|mv| mv.get(..*length) != all[0].get(..*length))
    };
    let length = (1..=longest).find(differs).unwrap_or(longest);
    let mut counts: IndexMap<String, usize> = IndexMap::new();
    for mv in &all {
        let start = mv[..length.min(mv.len())].join(" ");
        *counts.entry(start).or_default() += 1;
    }
    let cells = counts
        .iter()
        .map(|(start, count)| format!("{start}: {count}"));
    let mut cells: Vec<String> = cells.collect();
    let left_out = cells.len().saturating_sub(MOST);
    cells.truncate(MOST);
    let mut text = columns(&cells, width);
    if left_out > 0 {
        let _ = writeln!(text, "  and {left_out} other beginnings");
    }
    Some(text)
}

/// Texts below each other, in as many columns as fit in `width` characters.
fn columns(cells: &[String], width: usize) -> String {
    let widest = cells.iter().map(|cell| cell.chars().count()).max();
    let widest = widest.unwrap_or(0);
    let columns = (width / (widest + GAP)).max(1);
    let rows = cells.len().div_ceil(columns);
    let mut text = String::new();
    for row in 0..rows {
        let mut line = String::new();
        for place in (row..cells.len()).step_by(rows) {
            let _ = write!(line, "{:GAP$}{:widest$}", "", cells[place]);
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(moves: &[String]) -> Vec<&str> {
        moves.iter().map(String::as_str).collect()
    }

    #[test]
    fn numbers_do_not_shift() {
        let mut menu = Menu::default();
        let moves = ["(mark 1 1)", "(mark 1 2)", "(mark 1 3)"].map(str::to_owned);
        menu.learn(&moves);
        menu.learn(&["(mark 2 1)".to_owned(), "(mark 1 3)".to_owned()]);
        assert_eq!(
            menu.list(&["(mark 1 3)", "(mark 2 1)"], 80),
            "  3 (mark 1 3)  4 (mark 2 1)\n"
        );
        assert_eq!(menu.with_number(2), Some("(mark 1 2)"));
        assert_eq!((menu.with_number(0), menu.with_number(5)), (None, None));
    }

    #[test]
    fn lists_fit_the_terminal() {
        let mut menu = Menu::default();
        let moves: Vec<String> = (0..40).map(|n| format!("(place {n} {n})")).collect();
        menu.learn(&moves);
        for width in [20, 40, 80, 120] {
            let text = menu.list(&texts(&moves), width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{text}");
            assert!(moves.iter().all(|mv| text.contains(mv)));
        }
        let long = ["(a-very-long-name-of-a-move that does not fit)".to_owned()];
        menu.learn(&long);
        assert_eq!(menu.list(&texts(&long), 20).lines().count(), 1);
    }

    #[test]
    fn long_lists_are_counted() {
        let menu = Menu::default();
        let place = (0..50).map(|n| format!("(place {n})"));
        let swap = (0..20).map(|n| format!("(swap {n})"));
        let moves: Vec<String> = place.chain(swap).collect();
        let text = menu.list(&texts(&moves), 40);
        assert_eq!(
            text,
            "70 moves; type how one begins\n  place: 50  swap: 20\n"
        );
        let moves: Vec<String> = (0..70).map(|n| format!("(go (to {}))", n % 2)).collect();
        let text = menu.list(&texts(&moves), 40);
        assert!(
            text.ends_with("\n  go (to 0): 35  go (to 1): 35\n"),
            "{text}"
        );
        let moves: Vec<String> = (0..70).map(|n| format!("(move {} {n})", n % 3)).collect();
        let text = menu.list(&texts(&moves), 40);
        assert!(
            text.ends_with("\n  move 0: 24  move 1: 23  move 2: 23\n"),
            "{text}"
        );
    }
}
