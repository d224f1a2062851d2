//! Kolibrat: how many states there are, by the formula and in truth.

use num_bigint::BigUint;

use super::kolibrat::KolibratBoard;
use super::page::{ReportTable, compared};
use super::work::Work;
use crate::cli::failure::Failure;

/// Columns, rows and pieces of a side of Table 3.1, with its number of placements; those of the largest boards are rounded.
const SIZES: [(u8, u8, u8, &str); 9] = [
    (2, 2, 2, "63"),
    (3, 4, 4, "170019"),
    (3, 4, 5, "343467"),
    (3, 4, 6, "460815"),
    (4, 5, 5, "123479901"),
    (4, 5, 6, "509103141"),
    (5, 6, 6, "1.58e11"),
    (9, 9, 15, "4.20e30"),
    (9, 9, 30, "2.66e38"),
];

/// The totals of the table.
const TOTALS: [&str; 9] = [
    "3149",
    "8500949",
    "17173349",
    "23040749",
    "6173995049",
    "25455157049",
    "7.91e12",
    "2.10e32",
    "1.33e40",
];

/// Table 3.1.
pub(super) fn placements() -> ReportTable {
    const SLIP: &str = "slip: 50n − 1 is printed; 2 · ((S + 1)² − 1) = 48 states for each placement are meant, with S = 4";
    let rows = SIZES.iter().zip(TOTALS);
    let rows = rows.flat_map(|((width, height, pieces, published), total)| {
        let squares = usize::from(width * height);
        let n = all_placements(squares, usize::from(*pieces));
        let board = format!("{width}x{height}, P = {pieces}");
        [
            compared(
                format!("{board}: placements n"),
                published,
                Some(shown(&n, published)),
                None,
            ),
            compared(
                format!("{board}: 50n − 1"),
                total,
                Some(shown(&(&n * 50_u8 - 1_u8), total)),
                None,
            ),
            compared(
                format!("{board}: states"),
                total,
                Some(shown(&(&n * 48_u8), total)),
                Some(SLIP),
            ),
        ]
    });
    ReportTable::of_compared(
        "Placements and states by the formula, Table 3.1",
        "The prose means 2 · ((S + 1)² − 1) states for each placement. Formula 3.2 lacks the bracket, and formula 3.3, read as it stands, gives \
         50n − (P + 1)². The table has 50n − 1. Fewer can be reached.",
        rows.collect(),
    )
}

/// A number as the table has it: in digits, or with three of them.
fn shown(number: &BigUint, like: &str) -> String {
    let digits = number.to_string();
    match like.contains('e') {
        false => digits,
        true => {
            let leading: f64 = format!("{}.{}", &digits[..1], &digits[1..])
                .parse()
                .unwrap_or(0.0);
            format!("{leading:.2}e{}", digits.len() - 1)
        }
    }
}

fn factorial(of: usize) -> BigUint {
    (1..=of).map(BigUint::from).product()
}

/// The ways to place at most `most` pieces of either side on so many squares.
fn all_placements(squares: usize, most: usize) -> BigUint {
    let pairs = (0..=most).flat_map(|red| (0..=most).map(move |black| (red, black)));
    let pairs = pairs.filter(|(red, black)| red + black <= squares);
    let ways = |(red, black): (usize, usize)| {
        let empty = squares - red - black;
        factorial(squares) / (factorial(red) * factorial(black) * factorial(empty))
    };
    pairs.map(ways).sum()
}

/// The bytes that the thesis reckons for a state and the pointers to those that follow.
const BYTES: u64 = 12 + 4 * 8;

/// What can be reached of the states of Table 3.1, and how much memory it takes.
pub(super) fn reached(work: &mut Work) -> Result<ReportTable, Failure> {
    /// On larger boards, nobody can enumerate the states.
    const MOST_SQUARES: u8 = 12;
    let mut rows = Vec::new();
    let small = SIZES.iter().zip(TOTALS);
    let small = small.filter(|((width, height, ..), _)| width * height <= MOST_SQUARES);
    for ((width, height, pieces, _), total) in small {
        let board = KolibratBoard::new(work, (*width, *height, *pieces), 4)?;
        let squares = usize::from(width * height);
        let n = all_placements(squares, usize::from(*pieces));
        let space = work.space(&board.name, &board.network, None);
        let totals = space.as_ref().map(|space| space.totals());
        let name = board.name;
        rows.push(beside(
            format!("{name}: states in which the game goes on"),
            number(&(&n * 32_u8)),
            totals.map(|totals| totals.states - totals.terminal),
        ));
        rows.push(beside(
            format!("{name}: all states"),
            number(&(&n * 48_u8)),
            totals.map(|totals| totals.states),
        ));
        let estimate = total.parse().map_or(0, |total: u64| total * BYTES);
        let bytes = space.map(|space| space.bytes() + space.joint_move_bytes());
        rows.push(beside(
            format!("{name}: kilobytes, with the states that follow"),
            estimate / 1000,
            bytes.map(|bytes| bytes / 1000),
        ));
    }
    Ok(ReportTable {
        title: "States that can be reached, and their memory",
        about: "Estimated: 32n and 48n states for n placements, as above; the memory is that of 50n − 1 states of 12 bytes, each with four pointers of 8 bytes: \
                374 MB for four pieces on 3x4 squares. Ours has a number of 4 bytes for each joint move, in one direction.",
        header: vec!["", "estimated", "reached", ""],
        rows,
    })
}

/// An estimate beside the number found.
fn beside(what: String, estimate: u64, found: Option<u64>) -> Vec<String> {
    let share = found.map(|found| 100.0 * found as f64 / estimate as f64);
    vec![
        what,
        estimate.to_string(),
        found.map_or_else(String::new, |found| found.to_string()),
        share.map_or_else(
            || "not worked out".to_owned(),
            |share| format!("{share:.1} % of the estimate"),
        ),
    ]
}

fn number(of: &BigUint) -> u64 {
    u64::try_from(of).unwrap_or(u64::MAX)
}
