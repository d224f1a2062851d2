//! Facts as rows of words, so that those of one kind can be compared column by column.

use std::collections::{BTreeMap, BTreeSet};

use crate::kif::GroundTerm;

/// Facts of more arguments are left out: no board takes so many, and to try all pairs of hundreds takes minutes.
const MOST_ARGUMENTS: usize = 12;

/// What facts of one kind have in common: all words that are not arguments, with `_` for each argument.
pub(super) type Shape = String;

/// A fact taken apart: `(cell 1 2 x)` has the shape `(cell _ _ _)` and the arguments `1`, `2`, `x`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) shape: Shape,
    pub(super) args: Vec<String>,
}

impl Row {
    pub(super) fn of(fact: &GroundTerm) -> Self {
        let mut args = Vec::new();
        let shape = match fact {
            GroundTerm::Constant(word) => word.clone(),
            GroundTerm::Compound(..) => take_apart(fact, &mut args),
        };
        Self { shape, args }
    }

    /// The name before the arguments.
    pub(super) fn name(shape: &str) -> &str {
        let name = shape.trim_start_matches('(');
        &name[..name.find([' ', ')']).unwrap_or(name.len())]
    }
}

fn take_apart(term: &GroundTerm, args: &mut Vec<String>) -> Shape {
    let (functor, inner) = match term {
        GroundTerm::Constant(word) => {
            args.push(word.clone());
            return "_".to_owned();
        }
        GroundTerm::Compound(functor, inner) => (functor, inner),
    };
    let mut shape = vec![functor.clone()];
    if is_number(functor) {
        args.push(std::mem::replace(&mut shape[0], "_".to_owned()));
    }
    shape.extend(inner.iter().map(|arg| take_apart(arg, args)));
    format!("({})", shape.join(" "))
}

fn is_number(word: &str) -> bool {
    word.parse::<i64>().is_ok()
}

/// The facts of several states that may be squares, by shape: per state, the arguments of every fact.
#[derive(Debug, Default)]
pub(super) struct Samples {
    /// How many states.
    pub(super) states: usize,
    /// Shape → (number of the state, arguments).
    pub(super) rows: BTreeMap<Shape, Vec<(usize, Vec<String>)>>,
    /// Shape → places of arguments that name a square, such as `b3`.
    pub(super) squares: BTreeMap<Shape, usize>,
}

impl Samples {
    pub(super) fn new(states: &[Vec<GroundTerm>]) -> Self {
        let mut samples = Self {
            states: states.len(),
            ..Self::default()
        };
        for (number, facts) in states.iter().enumerate() {
            let rows = facts.iter().map(Row::of);
            for Row { shape, args } in rows.filter(|row| row.args.len() <= MOST_ARGUMENTS) {
                samples.rows.entry(shape).or_default().push((number, args));
            }
        }
        samples.split_squares();
        samples
    }

    /// Where all words at one place are a letter and a number, takes them for two arguments.
    fn split_squares(&mut self) {
        for (shape, rows) in &mut self.rows {
            let arity = rows.first().map_or(0, |(_, args)| args.len());
            let place = (0..arity).find(|place| {
                let words: BTreeSet<&str> = rows.iter().map(|(_, args)| &*args[*place]).collect();
                are_squares(&words)
            });
            if let Some(place) = place {
                self.squares.insert(shape.clone(), place);
                for (_, args) in rows {
                    split(args, place);
                }
            }
        }
    }

    /// The arguments of a fact, a square taken for two of them.
    pub(super) fn args(squares: &BTreeMap<Shape, usize>, row: Row) -> Vec<String> {
        let mut args = row.args;
        if let Some(place) = squares.get(&row.shape) {
            split(&mut args, *place);
        }
        args
    }
}

fn split(args: &mut Vec<String>, place: usize) {
    let word = args.get(place).cloned().unwrap_or_default();
    let first = word.chars().next().map_or(0, char::len_utf8);
    let (letter, number) = word.split_at(first);
    args.splice(place..=place, [letter.to_owned(), number.to_owned()]);
}

/// Whether the words look like the squares `a1`, `b3`, …: several letters, several numbers.
fn are_squares(words: &BTreeSet<&str>) -> bool {
    let parts = words.iter().map(|word| {
        let mut chars = word.chars();
        let letter = chars.next().filter(char::is_ascii_alphabetic)?;
        let number = chars.as_str();
        let is_number = !number.is_empty() && number.chars().all(|c| c.is_ascii_digit());
        is_number.then_some((letter, number))
    });
    let Some(parts) = parts.collect::<Option<BTreeSet<(char, &str)>>>() else {
        return false;
    };
    let letters: BTreeSet<char> = parts.iter().map(|part| part.0).collect();
    let numbers: BTreeSet<&str> = parts.iter().map(|part| part.1).collect();
    letters.len() > 1 && numbers.len() > 1 && parts.len() > 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kif::read_facts;

    fn row(text: &str) -> (String, String) {
        let row = Row::of(&text.parse().unwrap());
        (row.shape, row.args.join(","))
    }

    #[test]
    fn facts_are_taken_apart() {
        assert_eq!(row("(cell 1 2 x)"), ("(cell _ _ _)".into(), "1,2,x".into()));
        assert_eq!(
            row("(at (pos 1 2) x)"),
            ("(at (pos _ _) _)".into(), "1,2,x".into())
        );
        assert_eq!(row("(at (1 2) x)"), ("(at (_ _) _)".into(), "1,2,x".into()));
        assert_eq!(row("over"), ("over".into(), String::new()));
        assert_eq!(row("(over)"), ("(over)".into(), String::new()));
        assert_eq!(Row::name("(cell _ _ _)"), "cell");
    }

    #[test]
    fn squares_are_two_arguments() {
        let facts =
            read_facts("(cell a1 x) (cell a2 x) (cell b1 o) (cell b2 o) (left a 9)").unwrap();
        let samples = Samples::new(&[facts]);
        assert_eq!(samples.rows["(cell _ _)"][1].1, ["a", "2", "x"]);
        assert_eq!(samples.rows["(left _ _)"][0].1, ["a", "9"]);
    }
}
