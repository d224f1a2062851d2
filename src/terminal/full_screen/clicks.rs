//! Moves made by squares, chosen one after the other.

use std::collections::BTreeSet;

/// The squares chosen so far, and the moves that they may become.
#[derive(Debug, Default)]
pub(super) struct SquarePath {
    /// Of each legal move, the squares by which it is made; none where it has no squares.
    moves: Vec<Vec<String>>,
    chosen: Vec<String>,
}

/// What the choice of a square leads to. Moves are told by their places.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum SquareChoice {
    /// Other squares may follow.
    Path,
    Move(usize),
    /// Several moves are made by these squares.
    Several(Vec<usize>),
}

impl SquarePath {
    pub(super) fn new(moves: Vec<Vec<String>>) -> Self {
        let chosen = Vec::new();
        Self { moves, chosen }
    }

    pub(super) fn chosen(&self) -> &[String] {
        &self.chosen
    }

    /// The squares by which a move is made.
    pub(super) fn squares_of(&self, place: usize) -> &[String] {
        self.moves.get(place).map_or(&[], Vec::as_slice)
    }

    /// Forgets the squares; `false` if there are none.
    pub(super) fn clear(&mut self) -> bool {
        let had_some = !self.chosen.is_empty();
        self.chosen.clear();
        had_some
    }

    /// The squares that may come next.
    pub(super) fn next(&self) -> BTreeSet<&str> {
        let length = self.chosen.len();
        let possible = self.candidates(&self.chosen).into_iter();
        let next = possible.filter_map(|place| self.moves[place].get(length));
        next.map(String::as_str).collect()
    }

    /// Chooses a square. The last one chosen again makes the move that ends there; one that leads nowhere begins anew.
    pub(super) fn choose(&mut self, square: &str) -> SquareChoice {
        let longer: Vec<String> = self
            .chosen
            .iter()
            .cloned()
            .chain([square.to_owned()])
            .collect();
        let possible = self.candidates(&longer);
        let goes_on = |place: &usize| self.moves[*place].len() > longer.len();
        if possible.iter().any(goes_on) {
            self.chosen = longer;
            return SquareChoice::Path;
        }
        if !possible.is_empty() {
            return self.finish(possible);
        }
        let is_last = self.chosen.last().is_some_and(|last| last == square);
        let complete = self.complete();
        if is_last && !complete.is_empty() {
            return self.finish(complete);
        }
        match self.clear() && !is_last {
            true => self.choose(square),
            false => SquareChoice::Path,
        }
    }

    fn finish(&mut self, places: Vec<usize>) -> SquareChoice {
        self.chosen.clear();
        match places[..] {
            [only] => SquareChoice::Move(only),
            _ => SquareChoice::Several(places),
        }
    }

    /// The moves that begin with these squares.
    fn candidates(&self, path: &[String]) -> Vec<usize> {
        let places = 0..self.moves.len();
        let begins = |place: &usize| {
            let squares = &self.moves[*place];
            !squares.is_empty() && squares.starts_with(path)
        };
        places.filter(begins).collect()
    }

    /// The moves that are made by the squares chosen.
    fn complete(&self) -> Vec<usize> {
        let places = self.candidates(&self.chosen).into_iter();
        let is_whole = |place: &usize| self.moves[*place].len() == self.chosen.len();
        places.filter(is_whole).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(moves: &[&str]) -> SquarePath {
        let squares = |mv: &&str| mv.split_whitespace().map(str::to_owned).collect();
        SquarePath::new(moves.iter().map(squares).collect())
    }

    #[test]
    fn squares_lead_to_moves() {
        let mut path = path(&["a b", "a c", "d", "e f", "e f", "a b g", ""]);
        assert_eq!(path.choose("d"), SquareChoice::Move(2));
        assert_eq!(path.choose("a"), SquareChoice::Path);
        assert_eq!(Vec::from_iter(path.next()), ["b", "c"]);
        assert_eq!(path.choose("c"), SquareChoice::Move(1));
        assert!(path.chosen().is_empty());
        path.choose("e");
        assert_eq!(path.choose("f"), SquareChoice::Several(vec![3, 4]));
    }

    #[test]
    fn a_move_that_may_go_on_ends_with_its_last_square_again() {
        let mut path = path(&["a b", "a b g"]);
        path.choose("a");
        assert_eq!(path.choose("b"), SquareChoice::Path);
        assert_eq!(path.choose("b"), SquareChoice::Move(0));
        path.choose("a");
        path.choose("b");
        assert_eq!(path.choose("g"), SquareChoice::Move(1));
    }

    #[test]
    fn another_square_begins_anew() {
        let mut path = path(&["a b", "c d"]);
        path.choose("a");
        assert_eq!(path.choose("c"), SquareChoice::Path);
        assert_eq!(path.chosen(), ["c"]);
        path.choose("c");
        assert!(path.chosen().is_empty(), "the same one again takes it back");
        path.choose("a");
        path.choose("z");
        assert!(path.chosen().is_empty() && !path.clear());
    }
}
