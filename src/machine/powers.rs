//! The powers of a propnet: many games, and many states, in the lanes of its slots.

use crate::game::{Brood, Expansion, PlayoutOptions, PlayoutTotals, Playouts, Role, Stopped};
use crate::machine::{Bits, Propnet};
use crate::propnet::lanes::{self, Expander, Options, Position, Program, Shape, Totals, play};

impl Playouts for Propnet {
    fn lanes(&self) -> usize {
        Shape::usual(self.program()).lanes()
    }

    fn playouts(
        &self,
        state: &Bits,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        let limits = options.limits;
        let how = Options {
            seed: options.seed,
            count: options.count,
            max_plies: options.max_plies,
            threads: options.threads,
            shape: Shape::usual(self.program()),
            go_on: &|| limits.check().is_ok(),
        };
        let (totals, complete) = play(self.program(), state.words(), how);
        let ended = if complete { Ok(()) } else { limits.check() };
        (totals_of(totals), ended)
    }
}

fn totals_of(totals: Totals) -> PlayoutTotals {
    let Totals {
        plies,
        playouts,
        plies_of_playouts,
        stuck,
        too_long,
        goal_sum,
        goal_count,
    } = totals;
    PlayoutTotals {
        plies,
        playouts,
        plies_of_playouts,
        stuck,
        too_long,
        goal_sum,
        goal_count,
    }
}

impl Expansion for Propnet {
    type Brood = lanes::Brood;

    fn brood(&self) -> lanes::Brood {
        lanes::Brood::new(self.program())
    }

    fn batch(&self) -> usize {
        Expander::LANES
    }

    fn is_eager(&self) -> bool {
        true
    }

    fn examine(&self, scratch: &mut Workspace, states: &[Bits], brood: &mut lanes::Brood) {
        let states = states.iter().map(Bits::words);
        scratch.expander(self).examine(states, brood);
    }

    fn expand(
        &self,
        scratch: &mut Workspace,
        parents: &lanes::Brood,
        of: &[u32],
        moves: &[u32],
        children: &mut lanes::Brood,
    ) {
        scratch.expander(self).expand(parents, of, moves, children);
    }
}

impl Brood for lanes::Brood {
    type State = Bits;
    type Move = u32;

    fn len(&self) -> usize {
        self.len()
    }

    fn state(&self, index: usize) -> Bits {
        Bits::from_words(self.state(index))
    }

    fn is_terminal(&self, index: usize) -> bool {
        self.is_terminal(index)
    }

    fn goal(&self, index: usize, role: Role) -> Option<u8> {
        self.goal(index, role.0)
    }

    fn legal_count(&self, index: usize, role: Role) -> usize {
        self.legal_count(index, role.0)
    }

    fn legal(&self, index: usize, role: Role, moves: &mut Vec<u32>) {
        self.legal(index, role.0, moves);
    }
}

/// One thread's working memory for a propnet.
#[derive(Debug)]
pub struct Workspace {
    pub(super) position: Position,
    /// Made when it is needed first: it is larger.
    expander: Option<Expander>,
}

impl Workspace {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            position: Position::new(program),
            expander: None,
        }
    }

    fn expander(&mut self, game: &Propnet) -> &mut Expander {
        self.expander
            .get_or_insert_with(|| Expander::new(game.program()))
    }
}
