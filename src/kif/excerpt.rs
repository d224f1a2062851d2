//! The lines of a text that a diagnostic is shown with: few and short, however long the text and its lines are.

use std::ops::Range;

use crate::kif::render::visible_character;
use crate::kif::{Diagnostic, LineColumn, LineIndex, Span};

/// Lines that stand together.
pub(super) struct Excerpt {
    /// Where the first mark begins in the whole text, the primary one where it is here.
    pub(super) place: LineColumn,
    /// The number of the first line.
    pub(super) first_line: usize,
    /// The lines, as they are to be shown.
    pub(super) source: String,
    /// Whether a line is not shown from its beginning.
    pub(super) is_cut: bool,
    /// What to mark in them.
    pub(super) marks: Vec<Mark>,
}

/// A place in an excerpt.
pub(super) struct Mark {
    pub(super) is_primary: bool,
    /// Byte offsets into [`Excerpt::source`], within one line.
    pub(super) range: Range<usize>,
    pub(super) message: String,
}

/// Places further apart than this many lines are shown in separate excerpts.
const NEAR: usize = 6;
/// Characters of a line that are handed to the drawing library, which cuts them down to the width of a page, but
/// slowly.
const WIDTH: usize = 1000;
/// Characters shown of a line longer than that, and how many of them stand to the left of the first mark.
const WINDOW: usize = 120;
const LEAD: usize = 40;
const ELLIPSIS: &str = "...";

/// The excerpts for a finding, the one with its own place first, the others in the order of the text.
pub(super) fn excerpts(diagnostic: &Diagnostic, lines: &LineIndex<'_>) -> Vec<Excerpt> {
    if lines.text().is_empty() {
        return Vec::new();
    }
    let mut places: Vec<MarkedPlace<'_>> = places(diagnostic, lines);
    places.sort_by_key(|place| (place.position, !place.is_primary));
    let near = |left: &MarkedPlace<'_>, right: &MarkedPlace<'_>| {
        right.position.line - left.position.line <= NEAR
    };
    let mut clusters: Vec<&[MarkedPlace<'_>]> = places.chunk_by(near).collect();
    clusters.sort_by_key(|cluster| !cluster.iter().any(|place| place.is_primary));
    let excerpts = clusters.into_iter().map(|cluster| excerpt(cluster, lines));
    excerpts.collect()
}

/// A place in the whole text, cut to its first line.
struct MarkedPlace<'d> {
    is_primary: bool,
    position: LineColumn,
    /// Byte offsets into the line.
    range: Range<usize>,
    message: &'d str,
}

fn places<'d>(diagnostic: &'d Diagnostic, lines: &LineIndex<'_>) -> Vec<MarkedPlace<'d>> {
    let labels = diagnostic.labels.iter();
    let labels = labels.map(|label| (false, label.span, label.message.as_str()));
    std::iter::once((true, diagnostic.span, ""))
        .chain(labels)
        .map(|(is_primary, span, message)| {
            let position = lines.position(span.start);
            let range = range_in_line(span, position, lines);
            MarkedPlace {
                is_primary,
                position,
                range,
                message,
            }
        })
        .collect()
}

fn range_in_line(span: Span, position: LineColumn, lines: &LineIndex<'_>) -> Range<usize> {
    let line = lines.line(position.line);
    let before = lines.start(position.line);
    let within = |offset: usize| line.floor_char_boundary(offset.saturating_sub(before));
    let start = within(span.start);
    start..within(span.end).max(start)
}

fn excerpt(cluster: &[MarkedPlace<'_>], lines: &LineIndex<'_>) -> Excerpt {
    let shown_first = cluster
        .iter()
        .find(|place| place.is_primary)
        .unwrap_or(&cluster[0]);
    let (first, last) = (
        cluster[0].position.line,
        cluster[cluster.len() - 1].position.line,
    );
    let mut excerpt = Excerpt {
        place: shown_first.position,
        first_line: first,
        source: String::new(),
        is_cut: false,
        marks: Vec::new(),
    };
    for number in first..=last {
        let is_here = |place: &&MarkedPlace<'_>| place.position.line == number;
        let places: Vec<&MarkedPlace<'_>> = cluster.iter().filter(is_here).collect();
        excerpt.add_line(lines.line(number), &places);
    }
    excerpt
}

impl Excerpt {
    fn add_line(&mut self, line: &str, places: &[&MarkedPlace<'_>]) {
        let mut in_order = places.iter();
        let shown = in_order.find(|place| place.is_primary).or(places.first());
        let window = window(line, shown.map_or(0, |place| place.range.start));
        if window.start > 0 {
            self.is_cut = true;
            self.source.push_str(ELLIPSIS);
        }
        let mut offsets = Vec::new();
        for (offset, character) in line[window.clone()].char_indices() {
            offsets.push((window.start + offset, self.source.len()));
            self.source.push(shown_as(character));
        }
        let end = self.source.len();
        if window.end < line.len() {
            self.source.push_str(ELLIPSIS);
        }
        let shown = |offset: usize| {
            let index = offsets.partition_point(|(original, _)| *original < offset);
            offsets.get(index).map_or(end, |(_, shown)| *shown)
        };
        self.marks.extend(places.iter().map(|place| Mark {
            is_primary: place.is_primary,
            range: shown(place.range.start)..shown(place.range.end),
            message: place.message.to_owned(),
        }));
        self.source.push('\n');
    }
}

/// Tabs are left to the drawing library, which keeps the columns that it counts.
fn shown_as(character: char) -> char {
    match character {
        '\t' => '\t',
        character => visible_character(character),
    }
}

/// The part of a line to show, such that `mark` is in it.
fn window(line: &str, mark: usize) -> Range<usize> {
    let after = |start: usize, count| {
        let mut rest = line[start..].char_indices();
        rest.nth(count)
            .map_or(line.len(), |(offset, _)| start + offset)
    };
    if after(0, WIDTH) == line.len() {
        return 0..line.len();
    }
    let mut before = line[..mark].char_indices().rev();
    let start = before.nth(LEAD - 1).map_or(0, |(offset, _)| offset);
    start..after(start, WINDOW)
}
