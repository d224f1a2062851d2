//! How many states Kolibrat has: the published formula, and the page that shows it.

use std::fs;

use num_bigint::BigUint;

const PAGE: &str = "docs/reference/measured/state-spaces.md";

fn factorial(of: usize) -> BigUint {
    (1..=of).map(BigUint::from).product()
}

/// The ways to place so many red and black pieces on so many squares.
fn placements(squares: usize, red: usize, black: usize) -> BigUint {
    if red + black > squares {
        return BigUint::ZERO;
    }
    factorial(squares) / (factorial(red) * factorial(black) * factorial(squares - red - black))
}

/// The ways to place at most `most` pieces of either side.
fn all_placements(squares: usize, most: usize) -> BigUint {
    let of = |red| (0..=most).map(move |black| placements(squares, red, black));
    (0..=most).flat_map(of).sum()
}

/// Whether a cell of the table shows a number: in full, or rounded as `2.10 · 10³²`.
fn shows(cell: &str, number: &BigUint) -> bool {
    let digits = number.to_string();
    let Some((mantissa, exponent)) = cell.split_once(" · 10") else {
        return cell.replace(',', "") == digits;
    };
    let exponent: String = exponent
        .chars()
        .filter_map(|digit| "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|one| one == digit))
        .map(|digit| digit.to_string())
        .collect();
    let rounded: f64 = format!("{}.{}", &digits[..1], &digits[1..])
        .parse()
        .unwrap();
    exponent == (digits.len() - 1).to_string() && mantissa == format!("{rounded:.2}")
}

#[test]
fn the_page_shows_what_the_formula_gives() {
    let page = fs::read_to_string(PAGE).unwrap();
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let (width, height) = cells[0].split_once('x')?;
        Some((
            width.parse::<usize>().ok()? * height.parse::<usize>().ok()?,
            cells,
        ))
    });
    let rows: Vec<(usize, Vec<&str>)> = rows.filter(|(_, cells)| cells.len() == 8).collect();
    assert_eq!(rows.len(), 9, "Table 3.1 has nine rows");
    for (squares, cells) in rows {
        let n = all_placements(squares, cells[1].parse().unwrap());
        for (cell, number) in [
            (cells[2], n.clone()),
            (cells[3], &n * 50_u8 - 1_u8),
            (cells[4], &n * 48_u8),
            (cells[5], &n * 32_u8),
        ] {
            assert!(
                shows(cell, &number),
                "{}, {} pieces: {cell} is {number}",
                cells[0],
                cells[1]
            );
        }
    }
}

/// Placements on 3x4 squares that are their own mirror image: four pairs of squares, and four in the middle.
#[test]
fn few_placements_are_their_own_mirror_image() {
    let own = |red: usize, black: usize| -> BigUint {
        let pairs =
            (0..=red / 2).flat_map(|reds| (0..=black / 2).map(move |blacks| (reds, blacks)));
        pairs
            .map(|(reds, blacks)| {
                placements(4, reds, blacks) * placements(4, red - 2 * reds, black - 2 * blacks)
            })
            .sum()
    };
    let own: BigUint = (0..25).map(|pair| own(pair / 5, pair % 5)).sum();
    assert_eq!(own, 1_875_u32.into());
    assert_eq!((all_placements(12, 4) + own) / 2_u8, 85_947_u32.into());
}
