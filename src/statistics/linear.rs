//! Small dense matrices, by rows.

/// A matrix by rows.
pub(super) type Matrix = Vec<Vec<f64>>;

pub(super) fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

/// The product of two matrices, the second of which is symmetric.
pub(super) fn product_with_symmetric(one: &Matrix, symmetric: &Matrix) -> Matrix {
    let row = |row: &Vec<f64>| symmetric.iter().map(|column| dot(row, column)).collect();
    one.iter().map(row).collect()
}

/// The inverse of a positive definite matrix, by elimination: such matrices need no exchange of rows.
pub(super) fn inverse(mut matrix: Matrix) -> Matrix {
    let size = matrix.len();
    let unit = |row: usize| {
        (0..size)
            .map(move |at| f64::from(u8::from(at == row)))
            .collect()
    };
    let mut inverse: Matrix = (0..size).map(unit).collect();
    for pivot in 0..size {
        let scale = 1.0 / matrix[pivot][pivot];
        for rows in [&mut matrix, &mut inverse] {
            rows[pivot].iter_mut().for_each(|entry| *entry *= scale);
        }
        let (of_matrix, of_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            subtract(&mut matrix[row], factor, &of_matrix);
            subtract(&mut inverse[row], factor, &of_inverse);
        }
    }
    inverse
}

fn subtract(row: &mut [f64], factor: f64, other: &[f64]) {
    for (entry, other) in row.iter_mut().zip(other) {
        *entry -= factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_times_its_inverse_is_one() {
        let matrix = vec![
            vec![4.0, 1.0, -0.5],
            vec![1.0, 3.0, 0.25],
            vec![-0.5, 0.25, 2.0],
        ];
        let product = product_with_symmetric(&inverse(matrix.clone()), &matrix);
        for (row, entries) in product.iter().enumerate() {
            for (column, entry) in entries.iter().enumerate() {
                let expected = f64::from(u8::from(row == column));
                assert!((entry - expected).abs() < 1e-12, "{product:?}");
            }
        }
    }
}
