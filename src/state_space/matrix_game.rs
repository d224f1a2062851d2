//! Matrix games: what two roles that choose at the same time can be sure of on average, as exact fractions.
//!
//! The value is found as a linear program by the simplex method, on fractions (Dantzig 1951); the rule of Bland (1977) keeps it from
//! going round in circles.

use num_bigint::BigInt;
use num_rational::Ratio;

/// An exact number.
pub type Fraction = Ratio<BigInt>;

/// The value of a matrix game, and how to play for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MatrixGame {
    /// What the rows get on average, if both play as well as possible.
    pub(super) value: Fraction,
    /// With which chances the rows and the columns are to be played.
    pub(super) rows: Vec<Fraction>,
    pub(super) columns: Vec<Fraction>,
}

impl MatrixGame {
    /// Solves the game in which the rows get `payoffs` and the columns want them to get little. All rows are equally long, and none is
    /// empty; no payoff is less than zero.
    pub(super) fn new(payoffs: &[Vec<Fraction>]) -> Self {
        let one = Fraction::from(BigInt::from(1));
        // Greater than zero, so that the value is.
        let mut tableau = Tableau::new(payoffs, &one);
        while let Some(column) = tableau.entering() {
            let row = tableau.leaving(column);
            tableau.pivot(row, column);
        }
        let (columns, rows, total) = tableau.solution();
        let of_total = |part: Fraction| part / &total;
        Self {
            value: total.recip() - one,
            rows: rows.into_iter().map(of_total).collect(),
            columns: columns.into_iter().map(|part| part / &total).collect(),
        }
    }
}

/// The linear program: the greatest sum of weights of the columns such that no row gets more than one.
struct Tableau {
    /// Per row, the factors of the columns, of the slack of each row, and the bound.
    rows: Vec<Vec<Fraction>>,
    /// The same of the sum, with its signs turned.
    sum: Vec<Fraction>,
    /// The variable that each row stands for.
    basis: Vec<usize>,
    columns: usize,
}

impl Tableau {
    fn new(payoffs: &[Vec<Fraction>], one: &Fraction) -> Self {
        let zero = || Fraction::from(BigInt::ZERO);
        let (height, columns) = (payoffs.len(), payoffs[0].len());
        let row = |(place, payoffs): (usize, &Vec<Fraction>)| -> Vec<Fraction> {
            let slack = (0..height).map(|of| if of == place { one.clone() } else { zero() });
            let payoffs = payoffs.iter().map(|payoff| payoff + one);
            payoffs.chain(slack).chain([one.clone()]).collect()
        };
        let sum = (0..columns + height + 1).map(|of| if of < columns { -one } else { zero() });
        Self {
            rows: payoffs.iter().enumerate().map(row).collect(),
            sum: sum.collect(),
            basis: (columns..columns + height).collect(),
            columns,
        }
    }

    /// The first variable that makes the sum greater.
    fn entering(&self) -> Option<usize> {
        let factors = &self.sum[..self.sum.len() - 1];
        factors
            .iter()
            .position(|factor| factor.numer() < &BigInt::ZERO)
    }

    /// The row that bounds a variable most; all its factors being greater than zero at first, one does.
    fn leaving(&self, column: usize) -> usize {
        let mut best: Option<(Fraction, usize, usize)> = None;
        for (place, row) in self.rows.iter().enumerate() {
            if row[column].numer() <= &BigInt::ZERO {
                continue;
            }
            let bound = (&row[row.len() - 1] / &row[column], self.basis[place], place);
            if best.as_ref().is_none_or(|best| bound < *best) {
                best = Some(bound);
            }
        }
        best.map_or(0, |(.., place)| place)
    }

    fn pivot(&mut self, row: usize, column: usize) {
        let factor = self.rows[row][column].recip();
        self.rows[row]
            .iter_mut()
            .for_each(|value| *value *= &factor);
        let pivot = self.rows[row].clone();
        let others = self
            .rows
            .iter_mut()
            .enumerate()
            .filter(|(place, _)| *place != row);
        for other in others.map(|(_, other)| other).chain([&mut self.sum]) {
            let factor = other[column].clone();
            if factor.numer() == &BigInt::ZERO {
                continue;
            }
            for (value, of_pivot) in other.iter_mut().zip(&pivot) {
                *value -= &factor * of_pivot;
            }
        }
        self.basis[row] = column;
    }

    /// The weights of the columns and of the rows, and what either add up to.
    fn solution(self) -> (Vec<Fraction>, Vec<Fraction>, Fraction) {
        let mut columns = vec![Fraction::from(BigInt::ZERO); self.columns];
        for (row, variable) in self.rows.iter().zip(&self.basis) {
            if let (Some(weight), Some(bound)) = (columns.get_mut(*variable), row.last()) {
                *weight = bound.clone();
            }
        }
        let rows = self.sum[self.columns..self.sum.len() - 1].to_vec();
        let total = self.sum[self.sum.len() - 1].clone();
        (columns, rows, total)
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn fraction(numerator: i32, denominator: i32) -> Fraction {
        Fraction::new(numerator.into(), denominator.into())
    }

    fn solved(payoffs: &[&[i32]]) -> MatrixGame {
        let row = |row: &&[i32]| row.iter().map(|payoff| fraction(*payoff, 1)).collect();
        let payoffs: Vec<Vec<Fraction>> = payoffs.iter().map(row).collect();
        let game = MatrixGame::new(&payoffs);
        check(&game, &payoffs);
        game
    }

    /// Neither side can do better against what the other one plays: that proves both optimal.
    fn check(game: &MatrixGame, payoffs: &[Vec<Fraction>]) {
        for chances in [&game.rows, &game.columns] {
            assert!(chances.iter().all(|chance| chance.numer() >= &BigInt::ZERO));
            assert_eq!(chances.iter().sum::<Fraction>(), fraction(1, 1));
        }
        for row in payoffs {
            let gets: Fraction = row.iter().zip(&game.columns).map(|(p, c)| p * c).sum();
            assert!(gets <= game.value, "{game:?} {payoffs:?}");
        }
        for column in 0..payoffs[0].len() {
            let rows = payoffs.iter().zip(&game.rows);
            let gives: Fraction = rows.map(|(row, chance)| &row[column] * chance).sum();
            assert!(gives >= game.value, "{game:?} {payoffs:?}");
        }
    }

    #[test]
    fn games_with_known_values_have_them() {
        let third = fraction(1, 3);
        let rock_paper_scissors = solved(&[&[50, 0, 100], &[100, 50, 0], &[0, 100, 50]]);
        assert_eq!(rock_paper_scissors.value, fraction(50, 1));
        assert_eq!(rock_paper_scissors.rows, vec![third.clone(); 3]);
        assert_eq!(rock_paper_scissors.columns, vec![third; 3]);
        let pennies = solved(&[&[3, 1], &[0, 2]]);
        assert_eq!(pennies.value, fraction(3, 2));
        assert_eq!(pennies.rows, [fraction(1, 2), fraction(1, 2)]);
        assert_eq!(pennies.columns, [fraction(1, 4), fraction(3, 4)]);
        // A saddle: nobody needs chance.
        assert_eq!(solved(&[&[4, 2, 9], &[1, 0, 3]]).value, fraction(2, 1));
        assert_eq!(solved(&[&[7]]).value, fraction(7, 1));
        assert_eq!(solved(&[&[0, 0], &[0, 0]]).value, fraction(0, 1));
    }

    #[test]
    fn random_games_are_solved_exactly() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..400 {
            let (height, width) = (rng.random_range(1..6), rng.random_range(1..6));
            // Few values, so that many rows and columns are alike.
            let most = if rng.random() { 2 } else { 100 };
            let mut row = || {
                let payoffs = (0..width).map(|_| fraction(rng.random_range(0..=most), 7));
                payoffs.collect::<Vec<_>>()
            };
            let payoffs: Vec<Vec<Fraction>> = (0..height).map(|_| row()).collect();
            check(&MatrixGame::new(&payoffs), &payoffs);
        }
    }
}
