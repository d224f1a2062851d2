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
    use serde_json::{Value, json};

    use super::*;

    /// What a row of squares leads to, in the words of the cases.
    fn outcome(names: &[&String], squares: Vec<Vec<String>>, chosen: &Value) -> Value {
        let mut path = SquarePath::new(squares);
        let mut last = SquareChoice::Path;
        for square in chosen.as_array().unwrap() {
            last = path.choose(square.as_str().unwrap());
        }
        match last {
            SquareChoice::Path => json!({"clicks": chosen, "leaves": path.chosen()}),
            SquareChoice::Move(place) => json!({"clicks": chosen, "plays": names[place]}),
            SquareChoice::Several(places) => {
                let offered: Vec<&String> = places.iter().map(|place| names[*place]).collect();
                json!({"clicks": chosen, "offers": offered})
            }
        }
    }

    /// The tests of the page check the same cases.
    #[test]
    fn squares_do_what_they_do_in_the_page() {
        let file: Value = serde_json::from_str(include_str!("../../../tests/clicks.json")).unwrap();
        let moves = file["moves"].as_object().unwrap();
        let names: Vec<&String> = moves.keys().collect();
        let squares: Vec<Vec<String>> = moves
            .values()
            .map(|squares| serde_json::from_value(squares.clone()).unwrap())
            .collect();
        for case in file["cases"].as_array().unwrap() {
            assert_eq!(&outcome(&names, squares.clone(), &case["clicks"]), case);
        }
    }

    #[test]
    fn what_was_chosen_is_taken_back() {
        let mut path = SquarePath::new(vec![vec!["a".to_owned(), "b".to_owned()]]);
        assert!(!path.clear());
        path.choose("a");
        assert_eq!(Vec::from_iter(path.next()), ["b"]);
        assert!(path.clear() && path.chosen().is_empty());
    }
}
