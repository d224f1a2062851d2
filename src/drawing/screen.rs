//! The states of one match, drawn one after the other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::legend::Legend;
use super::picture::Picture;
use super::survey::FoundBoards;
#[cfg(feature = "cli")]
use super::svg;
use super::text::{self, DrawnText, Style};
use crate::catalog::Origin;
use crate::info::board::{
    Board, BoardFile, BoardFileError, BoardHints, BoardKind, BoardLayout, BoardView, CellContents,
    Square, single_contents,
};
use crate::kif::{FactError, GroundTerm, read_each};
use crate::play::Session;

/// Draws the states of a game. It remembers the state before, to show what has changed.
///
/// A clone is cheap: what is known of the boards is shared until one of them sees something new.
#[derive(Debug, Clone)]
pub struct Screen {
    style: Style,
    known: Arc<KnownBoards>,
    before: Option<Vec<GroundTerm>>,
    is_flipped: bool,
}

/// What is known of the boards of a game.
#[derive(Debug)]
struct KnownBoards {
    found: FoundBoards,
    /// Per board, the symbols of what it holds.
    legends: Vec<Legend>,
}

impl Screen {
    /// A screen for the game on `session`, from a few random walks (always the same ones) beginning where the session began, so
    /// that a game that goes on is drawn as it was from its start.
    ///
    /// Their states are learnt in the order of their steps, the first steps of all walks first. A board file beside the
    /// rules says more.
    ///
    /// # Errors
    /// What is wrong with the board file.
    pub fn survey(session: &Session, style: Style) -> Result<Self, BoardFileError> {
        let path = match &session.game().source().origin {
            Origin::File(path) => Some(path),
            _ => None,
        };
        let file = path.map(|path| BoardFile::beside(path)).transpose()?;
        let screen = Self::survey_by(session, file.flatten().unwrap_or_default(), style);
        match path.filter(|_| !screen.has_points_of_file()) {
            Some(rules) => Err(BoardFileError::ForeignPoints {
                path: BoardFile::path_beside(rules),
            }),
            None => Ok(screen),
        }
    }

    /// The same; a board file that is wrong counts as none.
    pub fn survey_anyway(session: &Session, style: Style) -> Self {
        let screen = Self::survey(session, style);
        screen.unwrap_or_else(|_| Self::survey_by(session, BoardFile::default(), style))
    }

    /// The same by this board file, whatever lies beside the rules.
    pub fn survey_by(session: &Session, file: BoardFile, style: Style) -> Self {
        Self::of(FoundBoards::of_game(session, file), style)
    }

    /// Whether the points of the board file are those of a board.
    fn has_points_of_file(&self) -> bool {
        let mut boards = self.layout().boards.iter();
        self.known.found.hints.file.points.is_empty()
            || boards.any(|board| match &board.kind {
                BoardKind::Points(graph) => graph.positions.is_some(),
                _ => false,
            })
    }

    /// A screen for states like these.
    ///
    /// # Errors
    /// Says which text is no fact.
    pub fn from_states(states: &[Vec<String>], style: Style) -> Result<Self, FactError> {
        let samples: Result<Vec<Vec<GroundTerm>>, FactError> =
            states.iter().map(|facts| read_each(facts)).collect();
        let found = FoundBoards::new(samples?, BoardHints::default());
        Ok(Self::of(found, style))
    }

    fn of(found: FoundBoards, style: Style) -> Self {
        Self {
            style,
            known: Arc::new(KnownBoards::new(found, style)),
            before: None,
            is_flipped: false,
        }
    }

    /// What was found out about the boards.
    pub fn layout(&self) -> &BoardLayout {
        &self.known.found.layout
    }

    /// What each of them holds.
    pub(super) fn contents(&self) -> &[CellContents] {
        &self.known.found.contents
    }

    /// What the symbols on the boards stand for: nothing where they speak for themselves.
    pub fn legend(&self) -> String {
        // Lists of points spell out what stands on them, and lines have no symbols.
        let is_drawn = |board: &Board| match &board.kind {
            BoardKind::Points(graph) => graph.positions.is_some(),
            BoardKind::Edges(_) => false,
            _ => true,
        };
        let legends = self.layout().boards.iter().zip(&self.known.legends);
        let drawn = legends.filter(|(board, _)| is_drawn(board));
        let pairs = drawn.flat_map(|(_, legend)| legend.explained());
        let pairs: BTreeSet<String> = pairs
            .map(|(symbol, name)| format!("{symbol} {name}"))
            .collect();
        Vec::from_iter(pairs).join(", ")
    }

    /// How it draws.
    pub fn style(&self) -> Style {
        self.style
    }

    /// Columns of the terminal.
    pub fn width(&self) -> usize {
        self.style.width
    }

    /// Draws for so many columns from now on.
    pub fn resize(&mut self, width: usize) {
        self.style.width = width;
    }

    /// Draws boards from now on as they look from the other side.
    pub fn flip(&mut self) {
        self.is_flipped = !self.is_flipped;
    }

    /// Forgets the state before, so that the next picture shows no changes.
    pub fn forget(&mut self) {
        self.before = None;
    }

    /// The state in which `facts` hold as text, with what changed since the last one.
    pub fn show(&mut self, facts: &[String]) -> String {
        self.show_squares(facts).text
    }

    /// The same, with the places of the squares.
    pub fn show_squares(&mut self, facts: &[String]) -> DrawnText {
        let style = self.style;
        self.draw(facts, |picture| text::draw(picture, style))
    }

    /// The same as part of a page: a picture in SVG for each board or panel, what its symbols stand for, and the facts that
    /// are on no board. [`SVG_STYLE`](super::SVG_STYLE) has the colours.
    #[cfg(feature = "cli")]
    pub fn show_svg(&mut self, facts: &[String]) -> String {
        self.draw(facts, svg::draw)
    }

    fn draw<D>(&mut self, facts: &[String], draw: impl FnOnce(&Picture<'_>) -> D) -> D {
        let facts = terms(facts);
        self.learn_news(&facts);
        let view = self.known.view(&facts);
        let before = self.before.as_ref();
        let before = before.map(|facts| self.known.view(facts));
        let changed = (0..view.boards.len()).map(|board| {
            let changed = before.as_ref().map(|before| view.changed(before, board));
            changed.unwrap_or_default()
        });
        let layout = match self.is_flipped {
            true => Cow::Owned(turned_round(self.layout())),
            false => Cow::Borrowed(self.layout()),
        };
        let changed = changed.collect();
        let drawing = draw(&self.picture(&layout, &view, changed));
        self.before = Some(facts);
        drawing
    }

    /// The picture of a state whose boards, of this layout, are `view`.
    pub(super) fn picture<'p>(
        &'p self,
        layout: &'p BoardLayout,
        view: &'p BoardView,
        changed: Vec<BTreeSet<Square>>,
    ) -> Picture<'p> {
        Picture {
            layout,
            legends: &self.known.legends,
            view,
            changed,
            is_flipped: self.is_flipped,
        }
    }

    /// Finds the boards anew if this state shows something that was never seen before.
    fn learn_news(&mut self, facts: &[GroundTerm]) {
        let view = self.known.view(facts);
        if view.overflows || self.is_news(&view) {
            let known = &self.known.found;
            let mut samples = known.samples.clone();
            samples.push(facts.to_vec());
            let found = FoundBoards::new(samples, known.hints.clone());
            self.known = Arc::new(KnownBoards::new(found, self.style));
        }
    }

    /// Whether a board shows something never seen before.
    fn is_news(&self, view: &BoardView) -> bool {
        let mut boards = view.boards.iter().zip(self.contents());
        boards.any(|(board, known)| {
            let mut contents = board.values().flat_map(|content| single_contents(content));
            contents.any(|content| !known.names.contains(content))
        })
    }
}

impl KnownBoards {
    fn new(found: FoundBoards, style: Style) -> Self {
        let file = &found.hints.file;
        // A plain terminal shows letters instead.
        let symbols = file.symbols.iter();
        let symbols = symbols.filter(|(_, symbol)| style.unicode || symbol.is_ascii());
        let symbols = symbols.map(|(name, symbol)| (name.clone(), symbol.clone()));
        let symbols: BTreeMap<String, String> = symbols.collect();
        let contents = found.contents.iter();
        let legends = contents.map(|contents| Legend::new(contents, &symbols, &file.colours));
        Self {
            legends: legends.collect(),
            found,
        }
    }

    fn view(&self, facts: &[GroundTerm]) -> BoardView {
        BoardView::new(&self.found.layout, facts, &self.found.contents)
    }
}

/// The same boards, seen from the other side.
fn turned_round(layout: &BoardLayout) -> BoardLayout {
    let mut layout = layout.clone();
    let boards = layout.boards.into_iter();
    layout.boards = boards.map(Board::turned_round).collect();
    layout
}

/// Facts as terms. What an engine gives as a fact is one; anything else is shown as it is.
pub(super) fn terms(facts: &[String]) -> Vec<GroundTerm> {
    let term = |fact: &String| {
        let constant = |_| GroundTerm::Constant(fact.clone());
        fact.parse().unwrap_or_else(constant)
    };
    facts.iter().map(term).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_what_is_known_until_one_sees_something_new() {
        let state = |content: &str| {
            let cell = |x, y| format!("(cell {x} {y} {content})");
            vec![cell(1, 1), cell(1, 2), cell(2, 1), cell(2, 2)]
        };
        let known = [state("x"), state("o")];
        let first = Screen::from_states(&known, Style::UNCOLOURED).unwrap();
        let mut second = first.clone();
        second.show(&state("o"));
        assert!(Arc::ptr_eq(&first.known, &second.known));
        let news = second.show(&state("z"));
        assert!(news.contains('z'), "{news}");
        assert!(!Arc::ptr_eq(&first.known, &second.known));
        assert_eq!(first.known.found.samples.len(), 2);
    }
}
