//! Figures that the program works out.

use std::sync::Arc;

use rayon::ThreadPool;

use crate::analysis::Perft;
use crate::cli::failure::Failure;
use crate::cli::game::network;
use crate::cli::status_line::StatusLine;
use crate::engine::Propnet;
use crate::game::{Role, StateMachine};
use crate::session::Game;
use crate::state_space::{GraphUse, Loops, Solution, SpaceOptions, StateSpace};
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, StopFlag};

/// Whatever works figures out; what takes too long is left out.
pub(super) struct Work {
    pub(super) pool: ThreadPool,
    pub(super) threads: usize,
    /// Raised by Ctrl-C: then nothing more is worked out.
    pub(super) stop: StopFlag,
    /// Games of more states are left out.
    pub(super) most_states: u64,
    pub(super) status: StatusLine,
}

/// States take no more memory than this.
const MOST_BYTES: u64 = 8 << 30;

impl Work {
    /// When work must end.
    pub(super) fn deadline(&self) -> Deadline {
        Deadline::new(None, &self.stop)
    }

    /// The network of a game.
    pub(super) fn network(&self, game: &Game) -> Result<Propnet, Failure> {
        network(game.source(), &self.stop)
    }

    /// All states with their joint moves, or one of each class, unless there are too many.
    pub(super) fn space(
        &mut self,
        what: &str,
        network: &Propnet,
        symmetries: Option<Arc<SymmetryGroup>>,
    ) -> Option<StateSpace> {
        self.status.show(&format!("states of {what}"));
        let space = StateSpace::enumerate(
            network,
            &SpaceOptions {
                pool: &self.pool,
                deadline: &self.deadline(),
                most_bytes: MOST_BYTES,
                most_states: self.most_states,
                graph: GraphUse::Needed,
                one_chooses: false,
                symmetries,
                on_ply: &|_, _| {},
            },
        );
        space.ok()
    }

    /// What the states are worth to the first role.
    pub(super) fn solution(&mut self, what: &str, network: &Propnet) -> Option<Solution> {
        let space = self.space(what, network, None)?;
        space.solve(network, Role(0), &self.deadline()).ok()
    }

    /// Who can go on for ever.
    pub(super) fn loops(&mut self, what: &str, network: &Propnet) -> Option<Loops> {
        let space = self.space(what, network, None)?;
        space.loops(network, &self.deadline()).ok()
    }

    /// The paths of 1, 2, … joint moves or turns, with commas between them; none if it was interrupted.
    pub(super) fn perft(
        &mut self,
        what: &str,
        game: &Game,
        (depth, turns): (u32, bool),
    ) -> Option<String> {
        self.status.show(&format!("paths of {what}"));
        let perft = Perft {
            turns,
            deadline: &self.deadline(),
        };
        let start = game.initial();
        let count = |depth| {
            Some(
                start
                    .perft(&perft, &self.pool, depth)
                    .ok()?
                    .paths
                    .to_string(),
            )
        };
        let counts: Option<Vec<String>> = (1..=depth).map(count).collect();
        Some(counts?.join(", "))
    }
}

/// What the initial state is worth.
pub(super) fn initial_value(
    solution: &Solution,
    network: &Propnet,
) -> Option<crate::state_space::SolvedValue> {
    solution.value(&network.state_text(&network.initial()))
}
