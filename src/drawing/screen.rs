//! The states of one match, drawn one after the other.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use super::legend::Legend;
use super::picture::Picture;
#[cfg(feature = "cli")]
use super::svg;
use super::text::{self, DrawnText, Style};
use crate::catalog::Origin;
use crate::files::{EntryKind, KeptEntry};
use crate::info::board::{
    Board, BoardFile, BoardFileError, BoardHints, BoardKind, BoardLayout, BoardView, CellContents,
    ListedByRules, Square, contents, single_contents,
};
use crate::info::successor_orders;
use crate::kif::{FactError, GroundTerm, read_each};
use crate::play::Session;
use crate::util::WorkTime;

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

/// What was found out about the boards of a game, and from what.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct FoundBoards {
    hints: BoardHints,
    samples: Vec<Vec<GroundTerm>>,
    layout: BoardLayout,
    /// Per board, what it holds.
    contents: Vec<CellContents>,
}

/// Random walks taken to learn what the states of a game look like, and their greatest length.
const WALKS: u64 = 4;
const STEPS: usize = 20;
/// Enough facts in one walk to know a game by, if its states are as large as the first one: large states are sampled less.
const FACTS: usize = 600;
/// All walks end once they have so many facts, where states grow.
const MOST_FACTS: usize = 10_000;
/// For safety only, since what was seen until then depends on the machine: where a step takes very long, all walks take no longer.
const TIME: Duration = Duration::from_secs(5);

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
        let start = start(session);
        let kept = kept_boards(&start, &file);
        let found: Option<FoundBoards> = kept.as_ref().and_then(KeptEntry::find);
        let found = match found {
            Some(mut found) => {
                found.hints.file = file;
                found
            }
            None => {
                let (survey, took) = WorkTime::of(|| Survey::of(&start, file));
                if let Some(kept) = kept.filter(|_| survey.may_be_kept(&took)) {
                    kept.keep(&survey.found, took.wall);
                }
                survey.found
            }
        };
        Self::of(found, style)
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

impl FoundBoards {
    fn new(samples: Vec<Vec<GroundTerm>>, hints: BoardHints) -> Self {
        let layout = BoardLayout::detect(&samples, &hints);
        let mut contents = contents(&layout, &samples);
        let views: Vec<BoardView> = samples
            .iter()
            .map(|facts| BoardView::new(&layout, facts, &contents))
            .collect();
        for (board, contents) in contents.iter_mut().enumerate() {
            let shown = views.iter().flat_map(|view| view.boards[board].values());
            contents.keep(shown.flat_map(|content| single_contents(content)));
        }
        Self {
            hints,
            samples,
            layout,
            contents,
        }
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

fn step_at_random(session: &mut Session, rng: &mut Xoshiro256PlusPlus) -> bool {
    let mut joint = Vec::new();
    for role in 0..session.roles().len() {
        let legal = session.legal_of(role);
        if legal.is_empty() {
            return false;
        }
        joint.push(legal[rng.random_range(0..legal.len())].clone());
    }
    session.play_joint(&joint).is_ok()
}

/// A session that begins where this one began.
fn start(session: &Session) -> Session {
    let start = session.past().next().unwrap_or(session.position());
    Session::from(start.clone())
}

/// The place of the boards of a game that begins as on `start`, drawn with this board file; none where nothing is kept of the game.
fn kept_boards<'s>(start: &'s Session, file: &BoardFile) -> Option<KeptEntry<'s>> {
    let game = start.game();
    // Engines may list moves in another order, and random games differ then.
    let engine = game.report().engine;
    let (rules, facts) = (&game.source().text, start.facts());
    let about = format!("{engine} {file:?} {facts:?} {rules}");
    let (cache, kind) = (game.cache()?, EntryKind::Boards);
    Some(KeptEntry::new(cache, kind, game.name(), &about))
}

/// What can be found out about the boards of a game from its start.
struct Survey {
    found: FoundBoards,
    /// Whether time ended a part of it.
    is_cut_short: bool,
    /// Whether the engine gave up in a random game.
    has_fault: bool,
}

impl Survey {
    fn of(start: &Session, file: BoardFile) -> Self {
        let rules = start.game().report().rules.as_ref();
        let listed = rules.map(|rules| ListedByRules::of(rules));
        let orders = rules.map(|rules| successor_orders(rules));
        let listed = listed.unwrap_or_default();
        let moves = (0..start.roles().len()).flat_map(|role| terms(start.legal_of(role)));
        let hints = BoardHints {
            neighbours: listed.neighbours,
            orders: orders.unwrap_or_default(),
            possible: listed.possible,
            moves: moves.collect(),
            file,
        };
        let walks = walked(start);
        Self {
            found: FoundBoards::new(walks.samples, hints),
            is_cut_short: walks.is_cut_short || listed.is_cut_short,
            has_fault: walks.has_fault,
        }
    }

    /// Whether another survey would find the same, as far as is known of one that took so long.
    fn may_be_kept(&self, took: &WorkTime) -> bool {
        !self.has_fault && (!self.is_cut_short || !took.may_have_been_held_up())
    }
}

/// States of a few random walks.
struct Walks {
    samples: Vec<Vec<GroundTerm>>,
    /// Whether time ended them.
    is_cut_short: bool,
    /// Whether the engine gave up in one of them.
    has_fault: bool,
}

/// A few random walks from the start of a game, which comes first.
fn walked(start: &Session) -> Walks {
    let mut samples = vec![terms(&start.facts())];
    let size = samples[0].len().max(1);
    let mut walks: Vec<_> = (0..WALKS)
        .map(|walk| (start.clone(), Xoshiro256PlusPlus::seed_from_u64(walk)))
        .collect();
    let begin = Instant::now();
    let mut facts = size;
    for _ in 0..STEPS.min(FACTS / size) {
        for (session, rng) in &mut walks {
            if facts < MOST_FACTS && begin.elapsed() < TIME && step_at_random(session, rng) {
                let state = terms(&session.facts());
                facts += state.len();
                samples.push(state);
            }
        }
    }
    Walks {
        samples,
        is_cut_short: begin.elapsed() >= TIME,
        has_fault: walks.iter().any(|(session, _)| session.fault().is_some()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::catalog::GameSource;
    use crate::engine::LoadOptions;
    use crate::files::FileCache;
    use crate::play::Game;

    #[test]
    fn a_board_is_found_from_so_many_states() {
        let start = Session::new(&Game::load("checkers").unwrap());
        let steps = STEPS.min(FACTS / start.facts().len());
        assert!(steps > 10, "{steps}");
        assert_eq!(walked(&start).samples.len(), 1 + WALKS as usize * steps);
    }

    #[test]
    fn states_that_grow_are_sampled_less() {
        let numbers: String = (1..100).map(|n| format!("(number {n})")).collect();
        let rules = format!(
            "(role r) {numbers} (init (start 1)) (legal r go) (goal r 0)
             (<= terminal (true (lamp none none)))
             (<= (next (lamp ?x ?y)) (does r go) (number ?x) (number ?y))"
        );
        let start = Session::new(&Game::from_text("growing", &rules).unwrap());
        assert_eq!(walked(&start).samples.len(), 1 + 2);
    }

    #[test]
    fn boards_that_are_kept_are_not_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let cache = FileCache::new(folder.path().to_owned(), FileCache::MOST_BYTES);
        let options = LoadOptions {
            cache: Some(cache.clone()),
            ..LoadOptions::default()
        };
        let source = GameSource::find("checkers").unwrap();
        let session = Session::new(&Game::open(source, &options).unwrap());
        let found = |file: &BoardFile| {
            let screen = Screen::survey_by(&session, file.clone(), Style::UNCOLOURED);
            Arc::into_inner(screen.known).unwrap().found
        };
        let entries = || {
            let entries = cache.entries().into_iter();
            let names = entries.map(|entry| entry.name);
            Vec::from_iter(names.filter(|name| name.starts_with("boards")))
        };
        let no_file = BoardFile::default();
        let first = found(&no_file);
        assert_eq!(entries().len(), 1);
        assert_eq!(found(&no_file), first);
        // Something else, to see that it is read.
        let other = FoundBoards::new(vec![terms(&session.facts())], BoardHints::default());
        let kept = kept_boards(&session, &no_file).unwrap();
        kept.keep(&other, Duration::from_secs(1));
        assert_eq!(found(&no_file), other);
        assert_ne!(other, first);
        let [name] = &entries()[..] else { panic!() };
        let mut damaged = cache.peek(name).unwrap();
        let middle = damaged.len() / 2;
        damaged[middle] ^= 1;
        cache.put(name, &damaged);
        assert_eq!(found(&no_file), first);
        let text = r#"orientation = ["right", "up"]"#;
        let file = BoardFile::parse(text, Path::new("checkers.board.toml")).unwrap();
        let turned = found(&file);
        assert_eq!(entries().len(), 2);
        assert_eq!(found(&file), turned);
        assert_eq!((&turned.hints.file, &first.hints.file), (&file, &no_file));
    }

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
