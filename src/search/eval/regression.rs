//! Logistic regression of game results on features.

/// Feature values of states, and their targets.
#[derive(Debug, Default)]
pub(super) struct TrainingSamples {
    /// One row of feature values per state, all of the same length.
    pub(super) rows: Vec<Vec<f64>>,
    /// The targets, from 0 to 1.
    pub(super) targets: Vec<f64>,
}

/// The L2 regularisation (ridge) per sample: just enough for collinear columns, such as the pieces of both sides and the
/// empty squares. A hundred times as much moved weight from the decisive features to correlated ones: `minimax:depth=3`
/// had 35 points of 100 in breakthrough, and has 54 now against the same opponent.
const L2: f64 = 2e-5;
const NEWTON_STEPS: usize = 8;

/// A weight for each column and the intercept, in that order, of greatest likelihood: Newton's method on standardised
/// columns with L2 regularisation.
pub(super) fn fit(samples: &TrainingSamples) -> Vec<f64> {
    let width = samples.rows.first().map_or(0, Vec::len);
    let scales = ColumnScale::of_columns(&samples.rows, width);
    let rows: Vec<Vec<f64>> = samples
        .rows
        .iter()
        .map(|row| scaled(row, &scales))
        .collect();
    let mut weights = vec![0.0; width + 1];
    for _ in 0..NEWTON_STEPS {
        let step = newton_step(&rows, &samples.targets, &weights);
        weights
            .iter_mut()
            .zip(&step)
            .for_each(|(weight, step)| *weight += step.clamp(-4.0, 4.0));
    }
    unscaled(&weights, &scales)
}

/// The log loss (cross-entropy) of weights: the mean negative log-likelihood of the targets, in nats.
pub(super) fn log_loss(samples: &TrainingSamples, weights: &[f64]) -> f64 {
    let of_one = |(row, target): (&Vec<f64>, &f64)| {
        let values = row.iter().copied().chain([1.0]);
        let sum: f64 = values
            .zip(weights)
            .map(|(value, weight)| value * weight)
            .sum();
        let expected = logistic(sum).clamp(1e-9, 1.0 - 1e-9);
        -(target * expected.ln() + (1.0 - target) * (1.0 - expected).ln())
    };
    let all: f64 = samples.rows.iter().zip(&samples.targets).map(of_one).sum();
    all / samples.rows.len().max(1) as f64
}

impl TrainingSamples {
    /// The same samples with the kept columns only.
    pub(super) fn of_columns(&self, is_kept: &[bool]) -> Self {
        let kept = |row: &Vec<f64>| {
            let values = row.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept);
            values.map(|(value, _)| *value).collect()
        };
        Self {
            rows: self.rows.iter().map(kept).collect(),
            targets: self.targets.clone(),
        }
    }
}

/// Mean and standard deviation of a column.
struct ColumnScale {
    mean: f64,
    /// The inverse of the standard deviation; 0 for a constant column.
    inverse: f64,
}

impl ColumnScale {
    fn of_columns(rows: &[Vec<f64>], width: usize) -> Vec<Self> {
        let count = rows.len().max(1) as f64;
        let column = |at: usize| {
            let mean = rows.iter().map(|row| row[at]).sum::<f64>() / count;
            let square = rows.iter().map(|row| (row[at] - mean).powi(2)).sum::<f64>() / count;
            let inverse = if square > 1e-9 {
                square.sqrt().recip()
            } else {
                0.0
            };
            Self { mean, inverse }
        };
        (0..width).map(column).collect()
    }
}

/// The row with standardised columns, and a 1 for the intercept.
fn scaled(row: &[f64], scales: &[ColumnScale]) -> Vec<f64> {
    let values = row
        .iter()
        .zip(scales)
        .map(|(value, scale)| (value - scale.mean) * scale.inverse);
    values.chain([1.0]).collect()
}

fn unscaled(weights: &[f64], scales: &[ColumnScale]) -> Vec<f64> {
    let mut constant = weights[scales.len()];
    let mut own: Vec<f64> = Vec::with_capacity(weights.len());
    for (weight, scale) in weights.iter().zip(scales) {
        own.push(weight * scale.inverse);
        constant -= weight * scale.inverse * scale.mean;
    }
    own.push(constant);
    own
}

pub(super) fn logistic(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

fn newton_step(rows: &[Vec<f64>], targets: &[f64], weights: &[f64]) -> Vec<f64> {
    let width = weights.len();
    let l2 = L2 * rows.len() as f64;
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -l2 * weight).collect();
    let mut hessian = vec![vec![0.0; width]; width];
    for (row, target) in rows.iter().zip(targets) {
        let sum: f64 = row
            .iter()
            .zip(weights)
            .map(|(value, weight)| value * weight)
            .sum();
        let expected = logistic(sum);
        let variance = (expected * (1.0 - expected)).max(1e-4);
        for (at, value) in row.iter().enumerate() {
            gradient[at] += (target - expected) * value;
            let by = variance * value;
            hessian[at][..=at]
                .iter_mut()
                .zip(row)
                .for_each(|(cell, other)| *cell += by * other);
        }
    }
    hessian
        .iter_mut()
        .enumerate()
        .for_each(|(at, line)| line[at] += l2);
    solve(hessian, gradient)
}

/// Solves a symmetric positive definite system, given by its lower triangle, by Cholesky decomposition.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let width = right.len();
    for row in 0..width {
        for column in 0..=row {
            let (above, from) = matrix.split_at(row);
            let other = if column == row {
                &from[0]
            } else {
                &above[column]
            };
            let known: f64 = from[0][..column]
                .iter()
                .zip(&other[..column])
                .map(|(a, b)| a * b)
                .sum();
            let left = from[0][column] - known;
            matrix[row][column] = if column == row {
                left.max(1e-12).sqrt()
            } else {
                left / matrix[column][column]
            };
        }
        let known: f64 = matrix[row][..row]
            .iter()
            .zip(&right)
            .map(|(a, b)| a * b)
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    for row in (0..width).rev() {
        let known: f64 = (row + 1..width)
            .map(|below| matrix[below][row] * right[below])
            .sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_system_is_solved() {
        let matrix = vec![
            vec![4.0, 0.0, 0.0],
            vec![2.0, 5.0, 0.0],
            vec![0.0, 3.0, 6.0],
        ];
        let solution = solve(matrix, vec![8.0, 21.0, 24.0]);
        for (found, expected) in solution.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-9, "{solution:?}");
        }
    }

    #[test]
    fn decisive_features_get_the_weight() {
        let mut samples = TrainingSamples::default();
        for number in 0..400_u32 {
            let (helps, harms, idle) = (number % 7, number / 7 % 5, number / 35 % 3);
            let target = f64::from(u8::from(2 * helps > 3 * harms + 1));
            samples
                .rows
                .push([helps, harms, idle].map(f64::from).to_vec());
            samples.rows.last_mut().unwrap().push(3.0);
            samples.targets.push(target);
        }
        let weights = fit(&samples);
        assert!(weights[0] > 0.5 && weights[1] < -0.5, "{weights:?}");
        assert!(weights[2].abs() < 0.3 && weights[3] == 0.0, "{weights:?}");
        let predicted = |row: &Vec<f64>| {
            let sum: f64 = row
                .iter()
                .zip(&weights)
                .map(|(value, weight)| value * weight)
                .sum();
            logistic(sum + weights[4])
        };
        let right = samples.rows.iter().zip(&samples.targets);
        let right = right
            .filter(|(row, target)| (predicted(row) - **target).abs() < 0.5)
            .count();
        assert!(right > 380, "{right} of 400");
    }
}
