//! The states of one match, drawn one after the other.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::info::board::{BoardLayout, BoardView, CellContents, contents};
use crate::kif::{FactError, GroundTerm, read_each};
use crate::play::Session;
use crate::terminal::draw::{Picture, Style, draw};
use crate::terminal::legend::Legend;

/// Draws the states of a game. It remembers the state before, to show what has changed.
#[derive(Debug)]
pub struct Screen {
    style: Style,
    samples: Vec<Vec<GroundTerm>>,
    layout: BoardLayout,
    legends: Vec<Legend>,
    contents: Vec<CellContents>,
    before: Option<Vec<GroundTerm>>,
    is_flipped: bool,
}

/// Random walks taken to learn what the states of a game look like, and their greatest length.
const WALKS: u64 = 4;
const STEPS: usize = 20;
/// Enough facts in one walk to know a game by: large states are sampled less.
const FACTS: usize = 600;
/// Time enough for all walks: where a step is slow, the board is drawn from what was seen until then.
const TIME: Duration = Duration::from_millis(200);

impl Screen {
    /// A screen for the game on `session`, from a few random walks (always the same ones) beginning where it stands.
    ///
    /// Their states are learnt in the order of their steps, the first steps of all walks first.
    pub fn survey(session: &Session, style: Style) -> Self {
        let mut samples = vec![terms(&session.facts())];
        let size = samples[0].len().max(1);
        let mut walks: Vec<_> = (0..WALKS)
            .map(|walk| {
                (
                    Session::from(session.position().clone()),
                    Xoshiro256PlusPlus::seed_from_u64(walk),
                )
            })
            .collect();
        let begin = Instant::now();
        for _ in 0..STEPS.min(FACTS / size) {
            for (session, rng) in &mut walks {
                if begin.elapsed() < TIME && step_at_random(session, rng) {
                    samples.push(terms(&session.facts()));
                }
            }
        }
        Self::learn(samples, style)
    }

    /// A screen for states like these.
    ///
    /// # Errors
    /// Says which text is no fact.
    pub fn from_states(states: &[Vec<String>], style: Style) -> Result<Self, FactError> {
        let samples: Result<Vec<Vec<GroundTerm>>, FactError> =
            states.iter().map(|facts| read_each(facts)).collect();
        Ok(Self::learn(samples?, style))
    }

    fn learn(samples: Vec<Vec<GroundTerm>>, style: Style) -> Self {
        let layout = BoardLayout::detect(&samples);
        let mut contents = contents(&layout, &samples);
        let views: Vec<BoardView> = samples
            .iter()
            .map(|facts| BoardView::new(&layout, facts, &contents))
            .collect();
        for (board, contents) in contents.iter_mut().enumerate() {
            contents.keep(views.iter().flat_map(|view| view.boards[board].values()));
        }
        Self {
            style,
            legends: contents.iter().map(Legend::new).collect(),
            contents,
            layout,
            samples,
            before: None,
            is_flipped: false,
        }
    }

    /// What was found out about the boards.
    pub fn layout(&self) -> &BoardLayout {
        &self.layout
    }

    /// What the symbols on the boards stand for: nothing where they speak for themselves.
    pub fn legend(&self) -> String {
        let pairs = self.legends.iter().flat_map(Legend::explained);
        let pairs: BTreeSet<String> = pairs
            .map(|(symbol, name)| format!("{symbol} {name}"))
            .collect();
        Vec::from_iter(pairs).join(", ")
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
        let facts = terms(facts);
        let view = BoardView::new(&self.layout, &facts, &self.contents);
        if view.overflows || self.is_news(&view) {
            self.samples.push(facts.clone());
            *self = Self {
                before: self.before.take(),
                is_flipped: self.is_flipped,
                ..Self::learn(std::mem::take(&mut self.samples), self.style)
            };
        }
        let view = BoardView::new(&self.layout, &facts, &self.contents);
        let before = self.before.as_ref();
        let before = before.map(|facts| BoardView::new(&self.layout, facts, &self.contents));
        let changed = (0..view.boards.len()).map(|board| {
            let changed = before.as_ref().map(|before| view.changed(before, board));
            changed.unwrap_or_default()
        });
        let layout = match self.is_flipped {
            true => Cow::Owned(turned_round(&self.layout)),
            false => Cow::Borrowed(&self.layout),
        };
        let picture = Picture {
            layout: &layout,
            legends: &self.legends,
            view: &view,
            changed: changed.collect(),
        };
        let text = draw(&picture, self.style);
        self.before = Some(facts);
        text
    }

    /// Whether a board shows something never seen before.
    fn is_news(&self, view: &BoardView) -> bool {
        let mut boards = view.boards.iter().zip(&self.contents);
        boards.any(|(board, known)| board.values().any(|content| !known.names.contains(content)))
    }
}

/// The same boards, seen from the other side.
fn turned_round(layout: &BoardLayout) -> BoardLayout {
    let mut layout = layout.clone();
    for board in &mut layout.boards {
        board.rows.labels.reverse();
        board.columns.labels.reverse();
    }
    layout
}

/// Facts as terms. What an engine gives as a fact is one; anything else is shown as it is.
fn terms(facts: &[String]) -> Vec<GroundTerm> {
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
