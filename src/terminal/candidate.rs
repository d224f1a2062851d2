//! Kinds of facts that can be read as the squares of a board.

use std::collections::{BTreeMap, BTreeSet};

use crate::terminal::facts::Shape;
use crate::terminal::layout::Layer;
use crate::terminal::scale::Scale;

/// The facts of one kind: the number of the state, and the arguments.
pub(super) type Rows = [(usize, Vec<String>)];

/// Two places of coordinates, and places of panels, in the arguments of one kind of fact.
#[derive(Debug, Clone)]
pub(super) struct Candidate<'s> {
    pub(super) shape: &'s Shape,
    pub(super) axes: (usize, usize),
    pub(super) panel: Vec<usize>,
    pub(super) scales: (Scale, Scale),
    pub(super) arity: usize,
    /// The most squares described in one state.
    pub(super) size: usize,
}

/// The best way to read a kind of fact as squares, if it is one.
pub(super) fn candidate<'s>(shape: &'s Shape, rows: &Rows) -> Option<Candidate<'s>> {
    let arity = rows.first()?.1.len();
    if arity < 2 {
        return None;
    }
    let scales: Vec<Option<Scale>> = (0..arity).map(|place| scale(rows, place)).collect();
    let readings: Vec<Candidate<'_>> = (0..=2.min(arity - 2))
        .filter_map(|panels| largest(shape, rows, &scales, panels))
        .collect();
    let clear = readings
        .iter()
        .find(|reading| !hides_coordinates(reading, &scales));
    clear.or(readings.first()).cloned()
}

/// The reading with so many panel places that describes the most squares; the first of equals.
fn largest<'s>(
    shape: &'s Shape,
    rows: &Rows,
    scales: &[Option<Scale>],
    panels: usize,
) -> Option<Candidate<'s>> {
    let mut best: Option<Candidate<'_>> = None;
    for axes in pairs(scales.len()) {
        for panel in panel_choices(scales.len(), axes, panels) {
            let found = read_as(shape, rows, scales, axes, panel);
            let found =
                found.filter(|found| best.as_ref().is_none_or(|best| found.size > best.size));
            best = found.or(best);
        }
    }
    best
}

/// Whether the content of squares, read like this, holds something that looks like another coordinate.
fn hides_coordinates(reading: &Candidate<'_>, scales: &[Option<Scale>]) -> bool {
    let content = Layer::of(reading.shape, reading.axes, &reading.panel, reading.arity).content;
    let (one, other) = &reading.scales;
    let fits = |scale: &Scale| {
        let on = |axis: &Scale| scale.labels.iter().all(|label| axis.place(label).is_some());
        scale.is_ordered() && (on(one) || on(other))
    };
    content.len() > 1
        && content
            .iter()
            .any(|&place| scales[place].as_ref().is_some_and(fits))
}

fn scale(rows: &Rows, place: usize) -> Option<Scale> {
    Scale::of(&rows.iter().map(|(_, args)| &*args[place]).collect())
}

pub(super) fn pairs(arity: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..arity).flat_map(move |one| (one + 1..arity).map(move |other| (one, other)))
}

/// The ways to choose `count` panel places beside the axes: panels are named before coordinates.
fn panel_choices(arity: usize, axes: (usize, usize), count: usize) -> Vec<Vec<usize>> {
    let free: Vec<usize> = (0..arity).filter(|&place| place < axes.0).collect();
    match count {
        0 => vec![Vec::new()],
        1 => free.iter().map(|&place| vec![place]).collect(),
        _ => pairs(free.len())
            .map(|(one, other)| vec![free[one], free[other]])
            .collect(),
    }
}

fn read_as<'s>(
    shape: &'s Shape,
    rows: &Rows,
    scales: &[Option<Scale>],
    axes: (usize, usize),
    panel: Vec<usize>,
) -> Option<Candidate<'s>> {
    const MOST_PANELS: usize = 9;
    let (one, other) = (scales[axes.0].as_ref()?, scales[axes.1].as_ref()?);
    let is_panel = |place: &usize| {
        scales[*place]
            .as_ref()
            .is_some_and(|scale| scale.labels.len() <= MOST_PANELS)
    };
    if !panel.iter().all(is_panel) {
        return None;
    }
    let arity = scales.len();
    let tally = Tally::of(rows, axes, &panel);
    let area = one.labels.len() * other.labels.len();
    let is_full = tally.per_panel >= area;
    let is_ordered = one.is_ordered() && other.is_ordered();
    let has_content = arity > 2 + panel.len();
    let is_board = match (is_ordered, has_content) {
        (true, true) => tally.per_panel >= 4 && tally.per_panel * 8 >= area,
        (true, false) => tally.per_panel >= 6 && tally.per_panel * 3 >= area && !tally.is_function,
        (false, true) => is_full && area >= 6,
        (false, false) => false,
    };
    let clashes_are_rare = tally.clashes * 4 <= rows.len();
    (is_board && clashes_are_rare).then(|| Candidate {
        shape,
        axes,
        panel,
        scales: (one.clone(), other.clone()),
        arity,
        size: tally.in_one_state,
    })
}

/// How well facts spread over squares.
pub(super) struct Tally {
    /// Facts that share a square with another one in the same state.
    pub(super) clashes: usize,
    /// Different squares of the fullest panel, over all states.
    per_panel: usize,
    /// The most squares in one state.
    in_one_state: usize,
    /// Whether one coordinate always determines the other.
    is_function: bool,
}

impl Tally {
    pub(super) fn of(rows: &Rows, axes: (usize, usize), panel: &[usize]) -> Self {
        let mut in_state: BTreeSet<(usize, Vec<&str>, &str, &str)> = BTreeSet::new();
        for (state, args) in rows {
            let panel = panel.iter().map(|&place| &*args[place]).collect();
            in_state.insert((*state, panel, &args[axes.0], &args[axes.1]));
        }
        let mut per_state: BTreeMap<usize, usize> = BTreeMap::new();
        let mut per_panel: BTreeMap<&[&str], BTreeSet<(&str, &str)>> = BTreeMap::new();
        let (mut by_one, mut by_other) = (BTreeSet::new(), BTreeSet::new());
        for (state, panel, one, other) in &in_state {
            *per_state.entry(*state).or_default() += 1;
            per_panel.entry(panel).or_default().insert((one, other));
            by_one.insert((state, panel, one));
            by_other.insert((state, panel, other));
        }
        Self {
            clashes: rows.len() - in_state.len(),
            per_panel: per_panel.values().map(BTreeSet::len).max().unwrap_or(0),
            in_one_state: per_state.values().copied().max().unwrap_or(0),
            is_function: by_one.len() == in_state.len() || by_other.len() == in_state.len(),
        }
    }
}
