//! Boards of other sizes: generated rule files, and the native engines that play them.

use super::native::{assert_native_engine, assert_paths};
use kolibri::generate::{BreakthroughSize, CheckersSize, ConnectFourSize, KolibratSize, Size as _};
use kolibri::native::{Breakthrough, Checkers, ConnectFour, Kolibrat, NativeEngine};

/// The rule file of Kolibrat for another board, other limits and another target.
pub(super) fn kolibrat_rules([width, height, pieces, goals]: [u8; 4]) -> String {
    let size = KolibratSize {
        width,
        height,
        pieces,
        goals,
    };
    size.rule_file().unwrap()
}

fn assert_kolibrat<const WORDS: usize>(sizes: [u8; 4], paths: &[u64]) {
    let [width, height, pieces, score] = sizes;
    let rules = Kolibrat::<WORDS>::new(width, height, pieces, score).unwrap();
    let native = NativeEngine::new(rules);
    assert_native_engine(&native, &kolibrat_rules(sizes), 4);
    assert_paths(&native, paths);
}

/// Other boards, and the standard one in more words than it needs.
#[test]
fn kolibrat_of_any_size() {
    assert_kolibrat::<1>(
        [3, 4, 4, 1],
        &[3, 9, 30, 100, 404, 1630, 7036, 29784, 132_982, 581_274],
    );
    assert_kolibrat::<1>(
        [3, 3, 4, 1],
        &[3, 9, 30, 102, 398, 1448, 5310, 18024, 65390, 221_084],
    );
    assert_kolibrat::<1>([2, 2, 2, 1], &[2, 4, 8, 12, 22, 34, 42, 30, 14, 0]);
    assert_kolibrat::<2>([4, 5, 5, 5], &[4, 16, 72, 324, 1692, 8842, 50652]);
    assert_kolibrat::<3>([5, 6, 4, 2], &[5, 25]);
    assert_kolibrat::<5>([8, 8, 4, 1], &[8, 64]);
    assert_kolibrat::<5>([3, 4, 4, 5], &[3, 9, 30, 100, 404, 1630, 7036]);
}

#[test]
fn connect_four_of_any_size() {
    let native = |width, height| NativeEngine::new(ConnectFour::new(width, height).unwrap());
    let rules = |width, height| ConnectFourSize { width, height }.rule_file().unwrap();
    assert_native_engine(&native(8, 6), &rules(8, 6), 3);
    for width in [4, 5, 6] {
        assert_native_engine(&native(width, 4), &rules(width, 4), 10);
    }
    assert_paths(
        &native(8, 6),
        &[8, 64, 512, 4096, 32768, 262_144, 2_097_144],
    );
    assert_paths(
        &native(4, 4),
        &[4, 16, 64, 256, 1020, 4020, 15540, 57504, 206_904],
    );
    assert_paths(&native(5, 4), &[5, 25, 125, 625, 3120, 15500, 76300]);
}

#[test]
fn breakthrough_of_any_size() {
    let small = |size| NativeEngine::new(Breakthrough::new(size, size).unwrap());
    assert_paths(&small(6), &[16, 256, 4308, 71478, 1_248_290]);
    assert_paths(&small(5), &[13, 156, 1924, 23084, 289_828, 3_538_840]);
    let (width, height) = (5, 5);
    let rules = BreakthroughSize { width, height }.rule_file().unwrap();
    assert_native_engine(&small(5), &rules, 10);
}

#[test]
fn checkers_of_other_sizes() {
    for sizes in [[6, 6, 2, 40], [8, 6, 1, 10], [4, 8, 3, 200]] {
        let [width, height, ranks, turns] = sizes;
        let native = NativeEngine::new(Checkers::new(width, height, ranks, turns).unwrap());
        let size = CheckersSize {
            width,
            height,
            ranks,
            turns,
        };
        assert_native_engine(&native, &size.rule_file().unwrap(), 10);
    }
}

#[test]
fn boards_that_nobody_plays_on() {
    let sizes = [
        [3, 1, 4, 5],
        [9, 8, 4, 5],
        [0, 4, 4, 5],
        [3, 4, 0, 5],
        [3, 4, 4, 0],
    ];
    for [width, height, pieces, score] in sizes {
        assert!(Kolibrat::<5>::new(width, height, pieces, score).is_err());
    }
    assert!(Kolibrat::<1>::new(4, 4, 4, 5).is_err(), "needs two words");
    for (width, height) in [(0, 6), (7, 0), (27, 1), (8, 8)] {
        assert!(ConnectFour::new(width, height).is_err());
    }
    for (width, height) in [(1, 8), (8, 3), (9, 8)] {
        assert!(Breakthrough::new(width, height).is_err());
    }
    for [width, height, ranks, turns] in
        [[7, 8, 3, 80], [10, 8, 3, 80], [8, 8, 4, 80], [8, 8, 3, 0]]
    {
        assert!(Checkers::new(width, height, ranks, turns).is_err());
    }
}
