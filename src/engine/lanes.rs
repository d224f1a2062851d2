//! The lanes of a propnet: many games, and many states, in the lanes of its slots.

use std::sync::Arc;
use std::thread::available_parallelism;

use crate::engine::{Bits, Propnet};
use crate::game::{
    Ends, Expansion, PlayoutOptions, PlayoutTotals, Playouts, PositionBatch, Role, RolloutOptions,
    StateMachine, Stopped,
};
use crate::propnet::lanes::{
    self, Expander, LaneProgram, LaneTotals, LaneWidth, PlayoutJob, RolloutJob, RolloutRunner,
    RolloutSink, SingleLane, TrackedBase, run_playouts,
};
use crate::util::{Deadline, ObjectPool, Pooled};

impl Playouts for Propnet {
    fn lanes(&self) -> usize {
        LaneWidth::usual(self.program()).lanes()
    }

    fn lanes_for(&self, count: u64, threads: usize) -> usize {
        LaneWidth::for_games(self.program(), count, threads).lanes()
    }

    fn playouts(
        &self,
        state: &Bits,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        let deadline = options.deadline;
        let how = PlayoutJob {
            seed: options.seed,
            count: options.count,
            max_plies: options.max_plies,
            threads: options.threads,
            width: LaneWidth::for_games(self.program(), options.count, options.threads),
            go_on: &|| !deadline.is_due(),
        };
        let (totals, complete) = run_playouts(self.program(), state.words(), how);
        let ended = if complete {
            Ok(())
        } else {
            deadline.check().map_err(Stopped::from)
        };
        (totals_of(totals), ended)
    }

    fn tracks_facts(&self) -> bool {
        true
    }

    fn rollouts(
        &self,
        scratch: &mut Workspace,
        states: &[Bits],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped> {
        ends.begin(states.len(), self.roles().len(), options.tracked.len());
        let packed: Vec<u64> = states.iter().flat_map(Bits::words).copied().collect();
        let tracked = options.tracked.iter();
        let tracked: Vec<TrackedBase> = tracked
            .map(|tracked| TrackedBase {
                base: tracked.fact,
                role: tracked.role.0,
            })
            .collect();
        let deadline = options.deadline;
        let games = RolloutJob {
            states: &packed,
            each: options.each,
            seed: &|number| options.seed_of(number),
            max_plies: options.max_plies,
            tracked: &tracked,
            go_on: &|| !deadline.is_due(),
        };
        if scratch.executors.roller(self).play(&games, ends) {
            return Ok(());
        }
        deadline.check().map_err(Stopped::from)
    }
}

impl RolloutSink for Ends {
    fn goal(&mut self, state: usize, role: usize, goal: u8) {
        self.add(state, role, goal.into(), 1);
    }

    fn fluents(&mut self, state: usize, counted: &[(u32, u32)]) {
        self.add_facts(state, counted);
    }
}

fn totals_of(totals: LaneTotals) -> PlayoutTotals {
    let LaneTotals {
        plies,
        playouts,
        plies_of_playouts,
        stuck,
        too_long,
        plies_of_too_long,
        goal_sum,
        goal_count,
    } = totals;
    PlayoutTotals {
        plies,
        playouts,
        plies_of_playouts,
        stuck,
        too_long,
        plies_of_too_long,
        goal_sum,
        goal_count,
    }
}

/// Networks of so many gates a ply are large: gates take most of the time of a narrow pass, and a wide one that makes eight times as
/// many children takes less than three times as long (with AVX-512). Those of amazons are so large without what its sets of moves stand for.
const LARGE_PLY: usize = 120_000;

/// Networks of fewer gates a ply are small: a pass costs no more than some twenty children that turn out not to be needed.
const SMALL_PLY: usize = 1_000;

impl Expansion for Propnet {
    type Batch = lanes::LaneBatch;

    fn batch(&self) -> lanes::LaneBatch {
        lanes::LaneBatch::new(self.program())
    }

    fn batch_size(&self) -> usize {
        Expander::LANES
    }

    fn is_eager(&self) -> bool {
        true
    }

    fn children_at_once(&self, of_one: usize) -> usize {
        if self.program().gates_of_ply() >= LARGE_PLY {
            return Expander::LANES;
        }
        let widths = std::iter::once(Expander::FEW_LANES).chain(Expander::WIDTHS);
        let mut enough = widths.filter(|lanes| *lanes >= of_one);
        enough.next().unwrap_or(Expander::LANES)
    }

    fn likely_children_at_once(&self) -> usize {
        match self.program().gates_of_ply() {
            LARGE_PLY.. => Expander::LANES,
            SMALL_PLY.. => Expander::FEW_LANES,
            _ => Expander::FEW_LANES / 2,
        }
    }

    fn call_widths(&self) -> &[usize] {
        &Expander::WIDTHS
    }

    fn evaluate_batch(
        &self,
        scratch: &mut Workspace,
        states: &[Bits],
        batch: &mut lanes::LaneBatch,
    ) {
        let states = states.iter().map(Bits::words);
        scratch
            .executors
            .expander(self)
            .evaluate_batch(states, batch);
    }

    fn expand(
        &self,
        scratch: &mut Workspace,
        parents: &lanes::LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut lanes::LaneBatch,
    ) {
        let Workspace {
            executors,
            deadline,
            ..
        } = scratch;
        let go_on = || deadline.as_ref().is_none_or(|deadline| !deadline.is_due());
        let expander = executors.expander(self);
        scratch.is_cut_short |= !expander.expand(parents, of, moves, children, &go_on);
    }

    fn paths(&self, scratch: &mut Workspace, batch: &lanes::LaneBatch, depth: u32) -> Option<u64> {
        let counted = scratch.executors.expander(self).paths(batch, depth);
        // Where there are none, it matters why.
        counted.filter(|paths| *paths > 0)
    }
}

impl Propnet {
    /// Replaces the contents of `states` by the states that [`Expansion::expand`] would make of the same arguments, packed as
    /// [`Bits::words`] one after the other. What may be done in them is not computed.
    pub fn successors(
        &self,
        scratch: &mut Workspace,
        parents: &lanes::LaneBatch,
        of: &[u32],
        moves: &[u32],
        states: &mut Vec<u64>,
    ) {
        let expander = scratch.executors.expander(self);
        expander.successors(parents, of, moves, states);
    }
}

impl PositionBatch for lanes::LaneBatch {
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
    pub(super) executors: Pooled<Executors>,
    /// When many steps in one call are to be cut short.
    pub(super) deadline: Option<Deadline>,
    pub(super) is_cut_short: bool,
}

impl Workspace {
    pub(super) fn new(executors: Pooled<Executors>) -> Self {
        Self {
            executors,
            deadline: None,
            is_cut_short: false,
        }
    }
}

/// What runs a program's circuits, with its memory. A game keeps it for the next search, since clearing new memory takes a millisecond and
/// more.
#[derive(Debug)]
pub(super) struct Executors {
    pub(super) position: SingleLane,
    /// These are made when they are needed first: they are larger.
    expander: Option<Expander>,
    roller: Option<RolloutRunner>,
}

impl Executors {
    /// All that a game keeps takes about so many bytes at most, beside one.
    const MOST_KEPT: usize = 256 << 20;
    /// The bytes of a slot in executors of all widths: those of one lane, and expanders and rollers.
    const BYTES_OF_SLOT: usize = (1 + (1 + 4 + 8) + (1 + 8)) * size_of::<u64>();

    /// What is kept of a program, empty: as many as there are threads, if they are small enough.
    pub(super) fn pool(program: &LaneProgram) -> Arc<ObjectPool<Self>> {
        let threads = available_parallelism().map_or(1, usize::from);
        let bytes = Self::BYTES_OF_SLOT * program.slots().max(1);
        ObjectPool::new((Self::MOST_KEPT / bytes).clamp(1, threads))
    }

    /// Forgets what could not be done before, which may be possible elsewhere.
    pub(super) fn restart(&mut self) {
        if let Some(expander) = &mut self.expander {
            expander.restart();
        }
    }

    pub(super) fn new(program: &LaneProgram) -> Self {
        Self {
            position: SingleLane::new(program),
            expander: None,
            roller: None,
        }
    }

    fn expander(&mut self, game: &Propnet) -> &mut Expander {
        self.expander
            .get_or_insert_with(|| Expander::new(game.program()))
    }

    fn roller(&mut self, game: &Propnet) -> &mut RolloutRunner {
        self.roller
            .get_or_insert_with(|| RolloutRunner::new(game.program()))
    }
}
