//! States enumerated by several processes, on one machine or many, on timely dataflow.
//!
//! ```text
//! worker: its states of a ply ─expand─▶ codes ─by hash─▶ workers whose states they are ─▶ their states of the next ply
//! ```
//!
//! To solve a game, each worker notes besides which states of which workers lead to its own; values then go from the ends backwards, a
//! round for each ply of distance.
//!
//! Each state belongs to one worker, by the hash of its code. A ply is a round: all workers expand their states of it, and send what
//! comes of them to its owners; it is over when all has arrived. McSherry, Murray, Isaacs and Isard, *Differential dataflow* (2013),
//! and Murray et al., *Naiad: a timely dataflow system* (2013), describe the engine below.

mod backward;
mod peers;
mod purpose;
mod rounds;
mod worker;
mod worker_graph;
mod worker_states;

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::thread;
use std::time::Duration;

use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{AllocatorBuilder, Hooks, initialize_from};
use timely::worker::{Config, Worker};

pub use self::peers::{ClusterHosts, HostsFault};
use self::peers::{LostProcess, WatchedStream, connect};
pub use self::purpose::ClusterDifference;
use self::purpose::ClusterPurpose;
use self::worker::{WorkersShare, run};
use super::{
    Solution, SolutionSubject, SolveError, SpaceError, SpaceTotals, ValueCount, check_roles,
};
use crate::engine::{Bits, Propnet};
use crate::game::{Role, StateMachine};
use crate::symmetry::SymmetryGroup;
use crate::util::{Deadline, Expired, system_said};

/// Between two looks at whether others are done.
const PAUSE: Duration = Duration::from_millis(20);

/// How far processes have come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterStage<'s> {
    /// They expand the last of these plies.
    Ply {
        /// The states of all plies so far, by all processes.
        by_ply: &'s [u64],
        /// What the states of this process take.
        bytes: u64,
    },
    /// They go back from states with this goal.
    Value {
        /// The goal.
        goal: u8,
        /// How far these states are from an end.
        plies: u16,
        /// How many there are, by all processes.
        states: u64,
    },
}

/// Is told how far all have come.
pub type ClusterProgress = Box<dyn Fn(ClusterStage<'_>) + Send + Sync>;

/// How states are enumerated by several processes.
pub struct ClusterOptions {
    /// All processes.
    pub hosts: ClusterHosts,
    /// How many workers each process has; the same everywhere.
    pub threads: usize,
    /// How long to wait for other processes at the beginning.
    pub wait: Duration,
    /// When to give up.
    pub deadline: Deadline,
    /// The states of this process may take so many bytes.
    pub most_bytes: u64,
    /// What is enumerated; processes of other rules are turned away.
    pub subject: SolutionSubject,
    /// Of states that these make of each other, one is enumerated, and counted as often as there are; all processes have the same.
    /// Where a game is solved, they must not exchange roles.
    pub symmetries: Option<Arc<SymmetryGroup>>,
    /// Where plies are kept: each worker has a file of its own, with its number after this name.
    pub checkpoint: Option<PathBuf>,
    /// Called before each ply, and each step backwards.
    pub on_stage: ClusterProgress,
}

/// What is asked about the states besides how many there are.
#[derive(Debug, Clone)]
pub struct ClusterQuestion {
    /// The role that values are for.
    pub role: Role,
    /// The states whose values are asked, packed by [`StateCodec`](crate::state_space::StateCodec).
    pub states: Vec<Bits>,
}

/// What the states are worth.
#[derive(Debug)]
pub struct ClusterSolution {
    /// The states.
    pub space: ClusterSpace,
    /// Of the states asked about, those that can be reached, with their values. No process holds those of all.
    pub solution: Solution,
    /// How many states have each value, the greatest first.
    pub counts: Vec<ValueCount>,
}

/// What each worker finds.
struct ClusterFound {
    space: ClusterSpace,
    solution: Option<(Solution, Vec<ValueCount>)>,
}

/// What all processes have found together.
#[derive(Debug, Clone, PartialEq)]
pub struct ClusterSpace {
    /// What is known of the states.
    pub totals: SpaceTotals,
    /// How many states were enumerated: fewer than there are where symmetries are used.
    pub classes: u64,
    /// How many plies were kept when the enumeration began.
    pub kept: usize,
}

/// Why states are not enumerated to the end.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// As on one machine.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// The game has no values.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The address of this process cannot be used.
    #[error("cannot listen at {address}: {}", system_said(.cause))]
    Listen {
        /// The address.
        address: String,
        /// Why not.
        cause: io::Error,
    },
    /// A process did not come.
    #[error("process {0} is not at {1}")]
    Absent(usize, String),
    /// Another program, or one with another task, uses an address.
    #[error("{0} {1}")]
    Stranger(String, ClusterDifference),
    /// A process has ended.
    #[error("process {0} has ended before all was done")]
    Lost(usize),
    /// The system does not do what it is asked for.
    #[error("the connections cannot be used: {0}")]
    Connections(String),
    /// A process sent what no such process sends.
    #[error("another process sent what cannot be read")]
    Garbled,
    /// Another worker of this process tells why.
    #[error("another worker has failed")]
    Other,
}

impl From<Expired> for ClusterError {
    fn from(why: Expired) -> Self {
        Self::Space(why.into())
    }
}

/// Enumerates the states of `game` from its initial state, together with the other processes, each of which gets the same totals.
///
/// # Errors
/// [`ClusterError`]: a budget is used up, or another process is missing, other, or gone.
pub fn enumerate_on_cluster(
    game: Propnet,
    options: ClusterOptions,
) -> Result<ClusterSpace, ClusterError> {
    Ok(work(game, options, None)?.space)
}

/// What the states of `game` are worth, together with the other processes: the same as [`StateSpace::solve`] finds. Each process gets
/// the same answers.
///
/// # Errors
/// [`ClusterError`]: as for [`enumerate_on_cluster`], or the game has no values that can be forced.
///
/// [`StateSpace::solve`]: super::StateSpace::solve
pub fn solve_on_cluster(
    game: Propnet,
    options: ClusterOptions,
    question: ClusterQuestion,
) -> Result<ClusterSolution, ClusterError> {
    check_roles(game.roles())?;
    let symmetries = options.symmetries.as_ref();
    if symmetries.is_some_and(|group| group.swaps_roles()) {
        return Err(SolveError::Classes.into());
    }
    let ClusterFound { space, solution } = work(game, options, Some(question))?;
    let (solution, counts) = solution.ok_or(ClusterError::Other)?;
    Ok(ClusterSolution {
        space,
        solution,
        counts,
    })
}

/// What all workers find together.
fn work(
    game: Propnet,
    options: ClusterOptions,
    question: Option<ClusterQuestion>,
) -> Result<ClusterFound, ClusterError> {
    let ClusterOptions { hosts, threads, .. } = &options;
    let threads = (*threads).max(1);
    let purpose = ClusterPurpose::new(&options, question.as_ref());
    let streams = connect(hosts, &purpose, options.wait, &options.deadline)?;
    let lost = LostProcess::default();
    let streams = streams
        .into_iter()
        .enumerate()
        .map(|(process, stream)| stream.map(|stream| WatchedStream::new(stream, process, &lost)));
    let hooks = Hooks::default();
    let local = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
    let process = hosts.process();
    let connected =
        initialize_networking_from_sockets(local, streams.collect(), process, threads, hooks);
    let (builders, guard) =
        connected.map_err(|cause| ClusterError::Connections(system_said(&cause)))?;
    let share = Arc::new(WorkersShare {
        game,
        deadline: options.deadline,
        most_bytes: options.most_bytes,
        bytes: AtomicU64::new(0),
        failed: AtomicBool::new(false),
        lost,
        symmetries: options.symmetries,
        workers_here: threads,
        checkpoint: options.checkpoint.map(|path| (path, options.subject)),
        on_stage: options.on_stage,
        question,
    });
    let builders = builders.into_iter().map(AllocatorBuilder::Tcp).collect();
    let of_workers = Arc::clone(&share);
    let workers = initialize_from(builders, Box::new(()), move |allocator| {
        let mut worker = Worker::new(Config::default(), allocator, None);
        let done = run(&of_workers, &mut worker);
        // All is known; the rest is only to part in order.
        while done.is_ok() && worker.has_dataflows() && of_workers.lost.get().is_none() {
            worker.step_or_park(Some(PAUSE));
        }
        done
    });
    let workers = workers.map_err(ClusterError::Connections)?;
    let done = together(workers.join());
    part(guard, done.is_ok(), &share.lost);
    done
}

/// Waits until all that was sent has left, unless processes are gone: then the threads of the connections never end.
fn part(guard: CommsGuard, is_done: bool, lost: &LostProcess) {
    let leaving = thread::spawn(move || drop(guard));
    while is_done && !leaving.is_finished() && lost.get().is_none() {
        thread::sleep(PAUSE);
    }
}

/// What the workers of a process have found; the reason of the first that has failed for one of its own.
fn together(
    workers: Vec<Result<Result<ClusterFound, ClusterError>, String>>,
) -> Result<ClusterFound, ClusterError> {
    let (mut found, mut failure) = (None, None);
    for worker in workers {
        match worker.unwrap_or_else(|panic| Err(ClusterError::Connections(panic))) {
            Ok(of_worker) => found = Some(of_worker),
            Err(ClusterError::Other) => {}
            Err(why) => failure = failure.or(Some(why)),
        }
    }
    match failure {
        Some(why) => Err(why),
        None => found.ok_or(ClusterError::Other),
    }
}

#[cfg(test)]
mod tests;
