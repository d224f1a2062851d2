//! How often values occur, as bars.

use std::collections::BTreeMap;

use serde::Serialize;

/// Bars of a histogram.
const BARS: usize = 12;

/// A bar of a histogram.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Bar {
    /// The least value.
    pub from: usize,
    /// The greatest value.
    pub to: usize,
    /// How often one of these values occurs.
    pub count: usize,
}

/// Values and how often each occurs, in at most a dozen bars of the same width.
pub fn histogram(counts: BTreeMap<usize, usize>) -> Vec<Bar> {
    let ends = counts.keys().next().zip(counts.keys().next_back());
    let Some((&least, &most)) = ends else {
        return Vec::new();
    };
    let width = (most - least + 1).div_ceil(BARS);
    let bar = |from: usize| Bar {
        from,
        to: from + width - 1,
        count: counts
            .range(from..from + width)
            .map(|(_, count)| count)
            .sum(),
    };
    (least..=most).step_by(width).map(bar).collect()
}
