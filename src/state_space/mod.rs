//! State spaces: all states that a game can reach, what they are, and what they are worth.
//!
//! ```text
//! Propnet ─codec─▶ codes of few bits ──set──▶ numbers ─enumerate─▶ StateSpace ─┬─solve─▶ Solution
//!                                                                 ├─expected─▶ ExpectedValues
//!                                                                 └─loops─▶ Loops
//! ```
//!
//! States are enumerated ply by ply, in the lanes of the network and on all threads. Memory is what limits how far that goes: a
//! state takes the bits of its mutex groups ([`StateCodec`]) and some bytes of a hash table.

mod announced;
mod checkpoint;
#[cfg(feature = "cluster")]
mod cluster;
mod codec;
mod counter;
mod diagram;
mod direct;
mod disk;
mod enumerate;
mod expansion;
mod expected;
mod games;
mod graph;
mod kind;
mod loops;
mod matrix_game;
mod paths;
mod radix;
mod retrograde;
mod reverse;
mod set;
mod solution;
mod solve;
#[cfg(feature = "symbolic")]
mod symbolic;
mod table;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_of_classes;
mod totals;
mod value_counts;

use std::fmt;
use std::sync::Arc;

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

pub use checkpoint::{Checkpoint, CheckpointError, CheckpointFault};
#[cfg(feature = "cluster")]
pub use cluster::{
    ClusterDifference, ClusterError, ClusterHosts, ClusterOptions, ClusterProgress,
    ClusterQuestion, ClusterSolution, ClusterSpace, ClusterStage, HostsFault, enumerate_on_cluster,
    solve_on_cluster,
};
pub use codec::StateCodec;
pub use diagram::{DiagramMove, DiagramState, StateDiagram, TooLarge};
pub use disk::{DiskError, DiskSpace, enumerate_on_disk};
pub use expected::{ExpectedPlay, ExpectedValues, MoveChance, RoleChoice};
pub use games::{GameCount, GameCounts, UncountedGames};
pub use loops::{LoopError, Loops, check_no_chance};
pub use matrix_game::Fraction;
pub use paths::{PathCount, PathCounter};
pub use solution::{Solution, SolutionFileFault, SolutionSubject, SolvedState, SolvedValue};
pub use solve::{SolveError, check_roles};
#[cfg(feature = "symbolic")]
pub use symbolic::{
    SymbolicCounts, SymbolicError, SymbolicOptions, UnfinishedCount, count_symbolically,
};
pub use totals::{BranchingCounts, EndCount, SpaceTotals};
pub use value_counts::{ValueCount, ValueTally};

use self::enumerate::Enumeration;
use self::graph::{EndNames, GraphPart, KeptGraph};
use self::kind::StateKind;
use self::set::StateSet;
use self::table::StateNumber;
use crate::engine::{Bits, Propnet};
use crate::game::StateMachine;
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, Expired};

/// How states are enumerated.
pub struct SpaceOptions<'o> {
    /// The threads that do it.
    pub pool: &'o ThreadPool,
    /// When to give up.
    pub deadline: &'o Deadline,
    /// The states, their table, and what solving needs of the joint moves that are kept, may take so many bytes.
    pub most_bytes: u64,
    /// More states than this are not enumerated, but for those of a batch.
    pub most_states: u64,
    /// What becomes of the joint moves.
    pub graph: GraphUse,
    /// Whether an enumeration is of no use where several roles choose at the same time; it ends with the first such state.
    pub one_chooses: bool,
    /// Of states that these make of each other, one is enumerated. Totals are those of all states; where roles are exchanged, those of
    /// the states that stand for others.
    pub symmetries: Option<Arc<SymmetryGroup>>,
    /// Called before each ply with what is known so far, its own states among the plies, and with the bytes that the states take.
    pub on_ply: &'o (dyn Fn(&SpaceTotals, u64) + Sync),
}

/// Whether joint moves are kept, which takes four bytes each, and more to work on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GraphUse {
    /// They are not.
    Dropped,
    /// They are until memory is short.
    IfRoom,
    /// Without them, the states are of no use.
    Needed,
}

impl fmt::Display for GraphUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dropped => "no joint moves",
            Self::IfRoom => "joint moves where there is room",
            Self::Needed => "all joint moves",
        })
    }
}

/// Why states are not enumerated to the end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpaceError {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// The states need more bytes than they may have.
    #[error("the states need more than {} MiB", .0 >> 20)]
    OutOfMemory(u64),
    /// There are more states than were asked for.
    #[error("there are more than {0} states")]
    MoreStates(u64),
    /// States have numbers of 32 bits.
    #[error("there are more than four thousand million states")]
    TooManyStates,
    /// The game ends with too many different goals.
    #[error(
        "the game ends with more than {} different goals",
        StateKind::MOST_ENDS
    )]
    TooManyEnds,
    /// A state has more joint moves than 16 bits count.
    #[error(
        "a state has more than {} joint moves, too many to keep them",
        u16::MAX
    )]
    TooManyMoves,
    /// Several roles choose at the same time, which was not to be.
    #[error(
        "several roles choose at the same time in a state that {0} plies lead to, and no value can be forced there"
    )]
    Simultaneous(usize),
    /// The enumeration cannot be kept, or does not go on from what was kept.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// States cannot be kept on the disk.
    #[error(transparent)]
    Disk(DiskError),
}

/// An enumeration that was not finished.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{why}")]
pub struct UnfinishedSpace {
    /// Why it ended.
    pub why: SpaceError,
    /// How many states were found.
    pub found: u64,
    /// What is known of the states whose joint moves were made. The last of `by_ply` is that of states of which some were not.
    pub totals: SpaceTotals,
}

/// All states that a game can reach.
#[derive(Debug)]
pub struct StateSpace {
    set: StateSet,
    totals: SpaceTotals,
    goals: Vec<Vec<Option<u8>>>,
    graph: Vec<GraphPart>,
    symmetries: Option<Arc<SymmetryGroup>>,
}

impl StateSpace {
    /// Enumerates the states of `game` from its initial state.
    ///
    /// # Errors
    /// [`UnfinishedSpace`]: a budget is used up.
    pub fn enumerate(
        game: &Propnet,
        options: &SpaceOptions<'_>,
    ) -> Result<Self, Box<UnfinishedSpace>> {
        Self::enumerated(game, options, None)
    }

    /// The same, ply by ply kept in a file; goes on after the plies that it holds.
    ///
    /// # Errors
    /// [`UnfinishedSpace`]: a budget is used up, or the file is at fault.
    pub fn enumerate_kept(
        game: &Propnet,
        options: &SpaceOptions<'_>,
        checkpoint: &mut Checkpoint,
    ) -> Result<Self, Box<UnfinishedSpace>> {
        Self::enumerated(game, options, Some(checkpoint))
    }

    fn enumerated(
        game: &Propnet,
        options: &SpaceOptions<'_>,
        checkpoint: Option<&mut Checkpoint>,
    ) -> Result<Self, Box<UnfinishedSpace>> {
        let mut enumeration = Enumeration {
            game,
            options,
            set: StateSet::new(StateCodec::new(game), options.most_bytes),
            ends: EndNames::default(),
            totals: SpaceTotals::new(game.roles().len()),
            graph: KeptGraph::new(options.graph),
        };
        let done = enumeration.run(checkpoint);
        let Enumeration {
            mut set,
            ends,
            mut totals,
            graph,
            ..
        } = enumeration;
        let mut graph = graph.into_parts();
        totals.sort();
        if let Err(why) = done {
            let found = set.count().max(totals.states);
            return Err(Box::new(UnfinishedSpace { why, found, totals }));
        }
        options.pool.install(|| set.finish(&mut graph));
        Ok(Self {
            set,
            totals,
            goals: ends.into_goals(),
            graph,
            symmetries: options.symmetries.clone(),
        })
    }

    /// What is known of the states.
    pub fn totals(&self) -> &SpaceTotals {
        &self.totals
    }

    /// How many states were enumerated, each of which may stand for others.
    pub fn classes(&self) -> u64 {
        self.set.count()
    }

    /// How states are packed.
    pub fn codec(&self) -> &StateCodec {
        self.set.codec()
    }

    /// How many bytes the states take, with the table that finds them.
    pub fn bytes(&self) -> u64 {
        self.set.bytes()
    }

    /// How many bytes the joint moves take that were kept.
    pub fn joint_move_bytes(&self) -> u64 {
        self.graph.iter().map(GraphPart::bytes).sum()
    }

    /// The number of the initial state, or of the one that stands for it.
    fn initial(&self, game: &Propnet) -> Option<StateNumber> {
        let initial = canonical(self.symmetries.as_deref(), &game.initial());
        self.set.number_of(&initial)
    }
}

/// The state that stands for another, itself where there are no symmetries.
fn canonical(symmetries: Option<&SymmetryGroup>, state: &Bits) -> Bits {
    symmetries.map_or_else(|| state.clone(), |group| group.canonical(state))
}
