//! A position of a shipped game, set up from facts or a drawn board, and played by the texts of moves.

use kolibri::catalog::SHIPPED;
use kolibri::engine::Reasoner;
use kolibri::game::{Role, StateMachine};
use kolibri::gdl::load;

/// The rule file of the shipped game `name`.
pub(super) fn text(name: &str) -> &'static str {
    let game = SHIPPED.iter().find(|game| game.name == name);
    game.unwrap_or_else(|| panic!("no game {name}")).text
}

/// The game that the rules in `text` describe.
pub(super) fn game(text: &str) -> Reasoner {
    let rules = load(text).rules.expect("the rules are sound");
    Reasoner::new(&rules).expect("the rules are small")
}

/// Where a match stands.
pub(super) struct Position<G: StateMachine = Reasoner> {
    game: G,
    scratch: G::Scratch,
    state: G::State,
}

impl Position {
    /// The start of the shipped game `name`.
    pub(super) fn start(name: &str) -> Self {
        Self::start_of(text(name))
    }

    /// The start of the game that the rules in `text` describe.
    pub(super) fn start_of(text: &str) -> Self {
        Self::start_in(game(text))
    }
}

impl<G: StateMachine> Position<G> {
    /// The start of `game`.
    pub(super) fn start_in(game: G) -> Self {
        let (scratch, state) = (game.scratch(), game.initial());
        Self {
            game,
            scratch,
            state,
        }
    }

    /// The same game where exactly `facts` hold.
    pub(super) fn with(mut self, facts: &[String]) -> Self {
        self.state = self.game.state_from_text(facts).expect("facts");
        self
    }

    /// The legal moves of `role`, sorted by text; none once the game is over.
    pub(super) fn legal(&mut self, role: &str) -> Vec<String> {
        let mut texts = Vec::new();
        if !self.is_over() {
            let moves = self.moves(self.role(role));
            texts.extend(moves.into_iter().map(|mv| self.game.move_text(mv)));
        }
        texts.sort();
        texts
    }

    /// The legal moves that begin with `(word `, sorted by text.
    pub(super) fn legal_with(&mut self, role: &str, word: &str) -> Vec<String> {
        let mut texts = self.legal(role);
        texts.retain(|text| text.starts_with(&format!("({word} ")));
        texts
    }

    /// Whether `role` may make the move `text` now.
    pub(super) fn accepts(&mut self, role: &str, text: &str) -> bool {
        self.legal(role).iter().any(|legal| legal == text)
    }

    /// Plays `text` for the one role that may; every other role must have a single move.
    #[track_caller]
    pub(super) fn play(&mut self, text: &str) {
        assert!(!self.is_over(), "the game is over");
        let mut joint = Vec::new();
        let mut found = 0;
        for role in (0..self.game.roles().len()).map(Role) {
            let moves = self.moves(role);
            let wanted = moves.iter().find(|&&mv| self.game.move_text(mv) == text);
            found += usize::from(wanted.is_some());
            assert!(
                wanted.is_some() || moves.len() == 1,
                "{text} is not legal in {:?}",
                self.facts()
            );
            joint.push(*wanted.unwrap_or(&moves[0]));
        }
        assert!(found > 0, "{text} is not legal in {:?}", self.facts());
        self.state = self.game.next(&mut self.scratch, &self.state, &joint);
    }

    /// Plays several moves.
    #[track_caller]
    pub(super) fn play_all(&mut self, texts: &[&str]) {
        texts.iter().for_each(|text| self.play(text));
    }

    /// Plays one move for each role, in role order.
    #[track_caller]
    pub(super) fn play_jointly(&mut self, texts: &[&str]) {
        let joint = texts.iter().enumerate().map(|(role, text)| {
            let moves = self.moves(Role(role));
            let wanted = moves
                .into_iter()
                .find(|&mv| self.game.move_text(mv) == *text);
            wanted.unwrap_or_else(|| panic!("{text} is not legal"))
        });
        let joint: Vec<_> = joint.collect();
        self.state = self.game.next(&mut self.scratch, &self.state, &joint);
    }

    /// Whether the game is over.
    pub(super) fn is_over(&mut self) -> bool {
        self.game.is_terminal(&mut self.scratch, &self.state)
    }

    /// The goals of all roles, in role order.
    pub(super) fn goals(&mut self) -> Vec<Option<u8>> {
        let roles = (0..self.game.roles().len()).map(Role);
        let goal = |role| self.game.goal(&mut self.scratch, &self.state, role);
        roles.map(goal).collect()
    }

    /// Whether the game is over with these goals, in role order.
    pub(super) fn ends_with(&mut self, goals: &[u8]) -> bool {
        let goals: Vec<_> = goals.iter().copied().map(Some).collect();
        self.is_over() && self.goals() == goals
    }

    /// Whether `fact` holds.
    pub(super) fn holds(&self, fact: &str) -> bool {
        self.facts().iter().any(|other| other == fact)
    }

    /// All facts.
    pub(super) fn facts(&self) -> Vec<String> {
        self.game.state_text(&self.state)
    }

    fn role(&self, name: &str) -> Role {
        let roles = self.game.roles();
        Role(roles.iter().position(|role| role == name).expect("a role"))
    }

    fn moves(&mut self, role: Role) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game
            .legal(&mut self.scratch, &self.state, role, &mut moves);
        moves
    }
}

/// The facts that a drawn board stands for: one line per rank, the top one first, squares apart by blanks.
///
/// `square` turns a column and a row, both counted from 0 at the bottom left, and a drawn square into a fact.
pub(super) fn drawn(
    board: &[&str],
    square: impl Fn(usize, usize, &str) -> Option<String>,
) -> Vec<String> {
    let ranks = board.iter().rev().enumerate();
    let squares = ranks.flat_map(|(y, rank)| {
        let drawn = rank.split_whitespace().enumerate();
        drawn.map(move |(x, content)| (x, y, content))
    });
    squares
        .filter_map(|(x, y, content)| square(x, y, content))
        .collect()
}

/// As [`drawn`], for boards with files a, b, c … and ranks 1, 2, 3 …; `words` names the drawn pieces.
pub(super) fn lettered(board: &[&str], words: &[(&str, &str)]) -> Vec<String> {
    drawn(board, |x, y, content| {
        let (_, word) = words.iter().find(|(drawn, _)| *drawn == content)?;
        let file = char::from(b'a' + u8::try_from(x).ok()?);
        Some(format!("(cell {file} {} {word})", y + 1))
    })
}

/// `facts` and some more.
pub(super) fn and(mut facts: Vec<String>, more: &[&str]) -> Vec<String> {
    facts.extend(more.iter().map(|&fact| fact.to_owned()));
    facts
}
