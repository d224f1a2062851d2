//! Relations whose facts can be read as the squares of a board.

use std::cmp::Reverse;

use super::axis::Axis;
use super::cells::CellRelation;
use super::relation::{FactPattern, NumberedRelation, SampledRelation};

/// A relation with two arguments taken for coordinates, and some for the labels of panels.
#[derive(Debug, Clone)]
pub(super) struct CandidateBoard<'s> {
    pub(super) pattern: &'s FactPattern,
    pub(super) coordinates: (usize, usize),
    pub(super) panel: Vec<usize>,
    pub(super) axes: (Axis, Axis),
    pub(super) arity: usize,
    /// The most squares described in one state.
    pub(super) size: usize,
}

impl CandidateBoard<'_> {
    /// Whether the order of both coordinates is the author's for sure.
    pub(super) fn is_ordered(&self) -> bool {
        self.axes.0.is_ordered() && self.axes.1.is_ordered()
    }

    fn is_better_than(&self, other: &Self) -> bool {
        let rank = |of: &Self| (of.size, of.is_ordered(), Reverse(of.area()));
        rank(self) > rank(other)
    }

    /// How many squares there are room for.
    pub(super) fn area(&self) -> usize {
        self.axes.0.labels.len() * self.axes.1.labels.len()
    }

    /// Whether its squares hold numbers alone.
    pub(super) fn holds_numbers(&self, facts: &SampledRelation) -> bool {
        let content = self.relation(true).content;
        let is_number = |args: &[String]| {
            let mut words = content.iter().map(|&place| &args[place]);
            words.all(|word| word.parse::<i64>().is_ok())
        };
        !content.is_empty() && facts.iter().all(|(_, args)| is_number(args))
    }

    /// What the arguments mean if the first coordinate is the column, or else the row.
    pub(super) fn relation(&self, column_first: bool) -> CellRelation {
        let coordinates = in_order(self.coordinates, column_first);
        CellRelation::new(self.pattern, coordinates, &self.panel, self.arity)
    }
}

/// Column and row, of which the column is the first if `column_first`.
pub(super) fn in_order<T>((one, other): (T, T), column_first: bool) -> (T, T) {
    if column_first {
        (one, other)
    } else {
        (other, one)
    }
}

/// The best reading of a relation as squares, if there is one.
pub(super) fn candidate<'s>(
    pattern: &'s FactPattern,
    facts: &SampledRelation,
    orders: &[Vec<String>],
) -> Option<CandidateBoard<'s>> {
    let arity = facts.first()?.1.len();
    if arity < 2 {
        return None;
    }
    let facts = NumberedRelation::new(facts);
    let axis = |place| Axis::of_coordinates(&facts.values(place), orders);
    let axes: Vec<Option<Axis>> = (0..arity).map(axis).collect();
    let readings: Vec<CandidateBoard<'_>> = (0..=2.min(arity - 2))
        .filter_map(|panels| largest(pattern, &facts, &axes, panels))
        .collect();
    let clear = readings
        .iter()
        .find(|reading| !hides_coordinates(reading, &axes));
    clear.or(readings.first()).cloned()
}

/// The reading with this many panel arguments that describes the most squares: of equals one whose coordinates are ordered, so that the owner
/// of a stone is none, then the one on the smallest board, so that the number of a stone is none, and of those the first.
fn largest<'s>(
    pattern: &'s FactPattern,
    facts: &NumberedRelation<'_>,
    axes: &[Option<Axis>],
    panels: usize,
) -> Option<CandidateBoard<'s>> {
    let mut best: Option<CandidateBoard<'_>> = None;
    for coordinates in pairs(axes.len()) {
        for panel in panel_choices(axes.len(), coordinates, panels) {
            let found = read_as(pattern, facts, axes, coordinates, panel);
            let found =
                found.filter(|found| best.as_ref().is_none_or(|best| found.is_better_than(best)));
            best = found.or(best);
        }
    }
    best
}

/// Whether an argument that this reading takes for content looks like another coordinate.
fn hides_coordinates(reading: &CandidateBoard<'_>, axes: &[Option<Axis>]) -> bool {
    let content = reading.relation(true).content;
    let (one, other) = &reading.axes;
    let fits = |axis: &Axis| {
        let on = |side: &Axis| axis.labels.iter().all(|label| side.place(label).is_some());
        axis.is_ordered() && (on(one) || on(other))
    };
    content.len() > 1
        && content
            .iter()
            .any(|&place| axes[place].as_ref().is_some_and(fits))
}

pub(super) fn pairs(arity: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..arity).flat_map(move |one| (one + 1..arity).map(move |other| (one, other)))
}

/// The ways to choose `count` panel arguments: panels are named before coordinates.
fn panel_choices(arity: usize, coordinates: (usize, usize), count: usize) -> Vec<Vec<usize>> {
    let free: Vec<usize> = (0..arity).filter(|&place| place < coordinates.0).collect();
    match count {
        0 => vec![Vec::new()],
        1 => free.iter().map(|&place| vec![place]).collect(),
        _ => pairs(free.len())
            .map(|(one, other)| vec![free[one], free[other]])
            .collect(),
    }
}

fn read_as<'s>(
    pattern: &'s FactPattern,
    facts: &NumberedRelation<'_>,
    axes: &[Option<Axis>],
    coordinates: (usize, usize),
    panel: Vec<usize>,
) -> Option<CandidateBoard<'s>> {
    let (one, other) = (axes[coordinates.0].as_ref()?, axes[coordinates.1].as_ref()?);
    let area = one.labels.len() * other.labels.len();
    // Many parts are no board, unless they are tiny.
    let most_panels = if area <= 9 { 40 } else { 9 };
    let is_panel = |place: &usize| {
        axes[*place]
            .as_ref()
            .is_some_and(|axis| axis.labels.len() <= most_panels)
    };
    if !panel.iter().all(is_panel) {
        return None;
    }
    let arity = axes.len();
    let counts = SquareCounts::of(facts, coordinates, &panel);
    let is_full = counts.per_panel >= area;
    let is_ordered = one.is_ordered() && other.is_ordered();
    let has_content = arity > 2 + panel.len();
    let is_board = match (is_ordered, has_content) {
        (true, true) => counts.per_panel >= 4 && counts.per_panel * 16 >= area,
        (true, false) => {
            counts.per_panel >= 6 && counts.per_panel * 3 >= area && !counts.is_function
        }
        (false, true) => is_full && area >= 6,
        (false, false) => false,
    };
    // A faulty rule may put two things on each square later on: the first position tells what was meant.
    let clashes_are_rare =
        counts.clashes * 4 <= facts.states.len() || counts.clear_at_first >= area;
    (is_board && clashes_are_rare).then(|| CandidateBoard {
        pattern,
        coordinates,
        panel,
        axes: (one.clone(), other.clone()),
        arity,
        size: counts.in_one_state,
    })
}

/// How the facts of a relation spread over squares.
pub(super) struct SquareCounts {
    /// Facts that share a square with another one in the same state.
    pub(super) clashes: usize,
    /// Different squares of the fullest panel, over all states.
    per_panel: usize,
    /// The most squares in one state.
    in_one_state: usize,
    /// The squares in the first state, none if facts share one there.
    clear_at_first: usize,
    /// Whether one coordinate always determines the other.
    is_function: bool,
}

impl SquareCounts {
    /// With up to two arguments as `panel`.
    pub(super) fn of(
        facts: &NumberedRelation<'_>,
        coordinates: (usize, usize),
        panel: &[usize],
    ) -> Self {
        let argument =
            |place: Option<&usize>, fact| place.map_or(0, |&place| facts.args[place][fact]);
        let squares = facts.states.iter().enumerate().map(|(fact, &state)| {
            let (first, second) = (argument(panel.first(), fact), argument(panel.get(1), fact));
            let (one, other) = (
                facts.args[coordinates.0][fact],
                facts.args[coordinates.1][fact],
            );
            [state, first, second, one, other]
        });
        let in_states = distinct(squares);
        let per_state = || in_states.chunk_by(|one, other| one[0] == other[0]);
        let of_first = facts.states.iter().filter(|state| **state == 0).count();
        let in_first = per_state().next().filter(|squares| squares[0][0] == 0);
        let squares_at_first = in_first.map_or(0, <[_]>::len);
        let over_all = distinct(in_states.iter().map(|&[_, rest @ ..]| rest));
        let per_panel = over_all.chunk_by(|one, other| one[..2] == other[..2]);
        let by_one = distinct(in_states.iter().map(|&[rest @ .., _]| rest));
        let without_one =
            |&[state, first, second, _, other]: &[u32; 5]| [state, first, second, other];
        let by_other = distinct(in_states.iter().map(without_one));
        Self {
            clashes: facts.states.len() - in_states.len(),
            per_panel: per_panel.map(<[_]>::len).max().unwrap_or(0),
            in_one_state: per_state().map(<[_]>::len).max().unwrap_or(0),
            clear_at_first: match squares_at_first == of_first {
                true => of_first,
                false => 0,
            },
            is_function: by_one.len() == in_states.len() || by_other.len() == in_states.len(),
        }
    }
}

fn distinct<T: Ord>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.dedup();
    values
}
