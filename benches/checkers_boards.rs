//! How a board of checkers is kept: an array of squares or a word of bits for each side. The student project in checkers measures copies
//! (100 million, its Table 5) and looks at squares (30 million, its Table 6); here each measurement is of one thousand.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};

/// How many copies or squares are measured at once.
const TIMES: u64 = 1000;

/// Rows of four dark squares: 0 is empty, 1 and 2 are a man and a king of red, -1 and -2 of black.
type Squares<T> = [[T; 4]; 8];

/// The men of both sides at the start.
fn start<T: From<i8> + Copy>() -> Squares<T> {
    std::array::from_fn(|row| {
        let man = match row {
            0..3 => 1,
            5..8 => -1,
            _ => 0,
        };
        [T::from(man); 4]
    })
}

/// Both sides: bit `square - 1` says that a piece is there, bit `square + 31` that it is a king.
#[derive(Clone, Copy)]
struct Words {
    red: u64,
    black: u64,
}

const START: Words = Words {
    red: 4095,
    black: 4_293_918_720,
};

/// 0 is no piece of this side, 1 a man, 2 a king; squares are counted from 0.
fn kind(side: u64, square: usize) -> u8 {
    match (side >> square & 1, side >> (square + 32) & 1) {
        (0, _) => 0,
        (_, 0) => 1,
        _ => 2,
    }
}

fn copies<B: Copy>(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, board: B) {
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for _ in 0..TIMES {
                black_box(*black_box(&board));
            }
        });
    });
}

fn looks(group: &mut BenchmarkGroup<'_, WallTime>, name: &str, look: impl Fn(usize) -> bool) {
    group.bench_function(name, |bencher| {
        bencher.iter(|| {
            for number in 0..TIMES as usize {
                black_box(look(black_box(number % 32)));
            }
        });
    });
}

fn bench(criterion: &mut Criterion) {
    let (ints, chars, words) = (start::<i32>(), start::<i8>(), START);
    assert!(
        (0..32).all(|square| (kind(words.red, square) == 1) == (ints[square / 4][square % 4] == 1))
    );
    assert!((0..32).all(|square| (kind(words.black, square) == 1) == (chars[square / 4][square % 4] == -1)));
    let mut group = criterion.benchmark_group("checkers_boards/copy");
    group.throughput(Throughput::Elements(TIMES));
    copies(&mut group, "int[8][4]", ints);
    copies(&mut group, "char[8][4]", chars);
    copies(&mut group, "64 bits a side", words);
    group.finish();
    let mut group = criterion.benchmark_group("checkers_boards/look");
    group.throughput(Throughput::Elements(TIMES));
    looks(&mut group, "int[8][4]", |square| {
        ints[square / 4][square % 4] == 1
    });
    looks(&mut group, "char[8][4]", |square| {
        chars[square / 4][square % 4] == 1
    });
    looks(&mut group, "64 bits a side", |square| {
        kind(words.red, square) == 1
    });
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
