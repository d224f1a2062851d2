//! A game in progress, in text.

use crate::game::Fault;
use crate::search::{Limits, Searcher};
use crate::session::{IllegalMove, InvalidFacts, Session};
use crate::util::StopFlag;
use std::time::Duration;

/// A game in progress behind text: what people, records and other programs need, whatever the engine.
///
/// Roles are numbered from 0 in the order of [`Table::roles`].
pub trait Table: Sync {
    /// The names of the roles.
    fn roles(&self) -> &[String];

    /// The facts of the present state, in the order of [`str`].
    fn facts(&self) -> Vec<String>;

    /// Whether the game is over.
    fn is_terminal(&self) -> bool;

    /// The legal moves of `role` in natural order; none once the game is over.
    fn legal(&self, role: usize) -> &[String];

    /// What every role scores in the present state, where the rules say so.
    fn goals(&self) -> &[Option<u8>];

    /// The joint moves played so far.
    fn history(&self) -> Vec<&[String]>;

    /// How often the present state has stood on this table, now included.
    fn occurrences(&self) -> usize;

    /// Plays a joint move, one move per role; spacing does not matter.
    ///
    /// # Errors
    /// Says whose move is not legal; then nothing has changed.
    fn play(&mut self, joint: &[String]) -> Result<(), IllegalMove>;

    /// Takes the last joint move back; `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Starts again, from the state in which exactly `facts` hold.
    ///
    /// # Errors
    /// Says which fact is none; then nothing has changed.
    fn set_up(&mut self, facts: &[String]) -> Result<(), String>;

    /// Lets a player get ready to play `role`: what has to be learned of the game is learned once for all players, and no
    /// further once `stop` is true.
    fn prepare(&mut self, role: usize, searcher: &mut Searcher, stop: &StopFlag);

    /// What a search thinks of the present state: `None` if `role` has no move. `mind` is the mind of one player of this
    /// table's game, and must not be shown another game.
    fn advise(&self, role: usize, limits: &Limits<'_>, searcher: &mut Searcher) -> Option<Advice>;

    /// Another table with the present state on it and no past.
    fn fork(&self) -> Box<dyn Table + '_>;

    /// The budget of the engine that ran out, if one did: from then on the table says that the game is over.
    fn fault(&self) -> Option<Fault>;
}

/// What a search found, in text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Advice {
    /// The move to play.
    pub best: String,
    /// The goal value (0..=100) the role can be sure of, as far as the search looked.
    pub goal: u8,
    /// Whether looking deeper cannot change it.
    pub exact: bool,
    /// The depth completed, in steps.
    pub depth: u32,
    /// The joint moves expected.
    pub line: Vec<Vec<String>>,
    /// States looked at.
    pub nodes: u64,
}

impl Table for Session {
    fn roles(&self) -> &[String] {
        self.roles()
    }

    fn facts(&self) -> Vec<String> {
        self.facts()
    }

    fn is_terminal(&self) -> bool {
        self.is_terminal()
    }

    fn legal(&self, role: usize) -> &[String] {
        self.legal(role)
    }

    fn goals(&self) -> &[Option<u8>] {
        self.goals()
    }

    fn history(&self) -> Vec<&[String]> {
        self.history()
    }

    fn occurrences(&self) -> usize {
        self.occurrences()
    }

    fn play(&mut self, joint: &[String]) -> Result<(), IllegalMove> {
        self.play(joint)
    }

    fn undo(&mut self) -> bool {
        self.undo()
    }

    fn set_up(&mut self, facts: &[String]) -> Result<(), String> {
        self.set_up(facts).map_err(|InvalidFacts(why)| why)
    }

    fn prepare(&mut self, role: usize, searcher: &mut Searcher, stop: &StopFlag) {
        (*self).prepare(role, searcher, Duration::from_secs(5), stop);
    }

    fn advise(&self, role: usize, limits: &Limits<'_>, searcher: &mut Searcher) -> Option<Advice> {
        let found = self.search(role, limits, searcher)?;
        Some(Advice {
            best: found.best,
            goal: found.value.goal(),
            exact: found.exact,
            depth: found.depth,
            line: found.pv,
            nodes: found.nodes,
        })
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        Box::new(Self::from(self.position().clone()))
    }

    fn fault(&self) -> Option<Fault> {
        self.fault().cloned()
    }
}
