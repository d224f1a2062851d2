//! Steps from many states in one call.

use std::ops::Range;

use crate::propnet::lanes::batch::LaneBatch;
use crate::propnet::lanes::choose::count::Count;
use crate::propnet::lanes::memory::{Place, Slots};
use crate::propnet::lanes::mobility::Counting;
use crate::propnet::lanes::ops::Storing;
use crate::propnet::lanes::program::{Packed, Program};
use crate::propnet::lanes::width::{Executor, FEW, FewOrMany, Lanes, MANY, Width, either};

/// Working memory for steps from many states in one call.
#[derive(Debug)]
pub struct Expander {
    width: Width<Batches<u16>, Batches<u32>>,
}

impl Expander {
    /// So many states are looked at together at most; more are taken in turn.
    pub const LANES: usize = MANY;

    /// Working memory for a program.
    pub fn new(program: &Program) -> Self {
        let width = program.width.map(Batches::new, Batches::new);
        Self { width }
    }

    /// Replaces the contents of `batch` by packed states.
    pub fn evaluate_batch<'s>(
        &mut self,
        states: impl IntoIterator<Item = &'s [u64]>,
        batch: &mut LaneBatch,
    ) {
        batch.states.clear();
        let mut len = 0;
        for state in states {
            batch.states.extend_from_slice(state);
            len += 1;
        }
        batch.resize(len);
        either!(&mut self.width, batches => batches.evaluate_batch(batch));
    }

    /// Replaces the contents of `children` by the states after joint moves: child `k` is what comes of the state at
    /// `of[k]` in `parents` when the roles make the `k`-th joint move of `moves`, which holds one input per role for each
    /// child. Where that takes long, `go_on` is asked now and then; once it says no, the children that are not made yet mean
    /// nothing, and it is false that all were made.
    pub fn expand(
        &mut self,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        children.resize(of.len());
        either!(&mut self.width, batches => batches.expand(parents, of, moves, children, go_on))
    }

    /// How many joint moves there are in all these states together, which are as in [`Expander::expand`]. Where the game
    /// is over, there are none.
    pub fn joint_moves_after(&mut self, parents: &LaneBatch, of: &[u32], moves: &[u32]) -> u64 {
        either!(&mut self.width, batches => batches.joint_moves_after(parents, of, moves))
    }
}

/// Few states do not pay for many.
type Batches<P> = FewOrMany<P, Batch<1, 1>, Batch<8, 4>>;

impl<P: Place> Batches<P> {
    fn evaluate_batch(&mut self, batch: &mut LaneBatch) {
        let mut first = 0;
        while first < batch.len {
            let program = &self.program;
            first += match batch.len - first {
                0..=FEW => self.few.evaluate_batch(program, batch, first),
                _ => self.many.evaluate_batch(program, batch, first),
            };
        }
    }

    fn joint_moves_after(&mut self, parents: &LaneBatch, of: &[u32], moves: &[u32]) -> u64 {
        let (mut of, mut moves, mut all) = (of, moves, 0_u64);
        while !of.is_empty() {
            let program = &self.program;
            let (done, counted) = match of.len() {
                0..=FEW => self.few.joint_moves_after(program, parents, of, moves),
                _ => self.many.joint_moves_after(program, parents, of, moves),
            };
            all = all.saturating_add(counted);
            of = &of[done..];
            moves = &moves[done * program.roles.len()..];
        }
        all
    }

    fn expand(
        &mut self,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        go_on: &dyn Fn() -> bool,
    ) -> bool {
        let (mut of, mut moves, mut steps) = (of, moves, 0_usize);
        while !of.is_empty() {
            let (program, first) = (&self.program, children.len - of.len());
            if steps > 0 && steps.is_multiple_of(program.patience) && !go_on() {
                return false;
            }
            steps += 1;
            let done = match of.len() {
                0..=FEW => self
                    .few
                    .expand(program, parents, of, moves, children, first),
                _ => self
                    .many
                    .expand(program, parents, of, moves, children, first),
            };
            of = &of[done..];
            moves = &moves[done * program.roles.len()..];
        }
        true
    }
}

/// Lanes of one width, of which `C` words are counted at a time.
#[derive(Debug)]
struct Batch<const W: usize, const C: usize> {
    lanes: Lanes<W>,
    /// Room for counting.
    choices: Vec<Count<C>>,
}

impl<P: Place, const W: usize, const C: usize> Executor<P> for Batch<W, C> {
    fn new(program: &Packed<P>) -> Self {
        Self {
            lanes: Lanes::new(program),
            choices: Vec::new(),
        }
    }
}

impl<const W: usize, const C: usize> Batch<W, C> {
    const LANES: usize = 64 * W;

    /// Looks at the states from `first` on; says at how many.
    fn evaluate_batch<P: Place>(
        &mut self,
        program: &Packed<P>,
        batch: &mut LaneBatch,
        first: usize,
    ) -> usize {
        let len = Self::LANES.min(batch.len - first);
        let of: [u32; MANY] = std::array::from_fn(|i| (first + i) as u32);
        self.lanes.load(program, &batch.states, &of[..len]);
        let phase = program.phase_of_all(|base| self.holds(program.bases[base], len));
        let program = program.in_phase(phase);
        self.lanes.run(&program.look);
        self.record(program, batch, first, len);
        len
    }

    /// Makes the first of these steps, to be the children from `first` on; says how many.
    fn expand<P: Place>(
        &mut self,
        program: &Packed<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
        children: &mut LaneBatch,
        first: usize,
    ) -> usize {
        let len = Self::LANES.min(of.len());
        let next = self.step(program, parents, &of[..len], moves);
        let place = (children.state_words, 0..children.state_words);
        self.store(&program.bases, &mut children.states, first, len, place);
        self.lanes.run(&next.look);
        self.record(next, children, first, len);
        len
    }

    /// Makes the first of these steps; says how many, and how many joint moves there are after them.
    fn joint_moves_after<P: Place>(
        &mut self,
        program: &Packed<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
    ) -> (usize, u64) {
        let len = Self::LANES.min(of.len());
        let next = self.step(program, parents, &of[..len], moves);
        self.lanes.run(&next.look);
        let slots = self.lanes.memory.slots::<P, W>();
        let ended = *slots.at(next.terminal);
        let joint_moves = self.lanes.arch.dispatch(Counting::<P, W, C> {
            moves: &next.moves,
            slots,
            lanes: std::array::from_fn(|w| lanes_of(w, len) & !ended[w]),
            choices: &mut self.choices,
        });
        (len, joint_moves)
    }

    /// Makes steps from these states, one in each lane; says what to run next.
    fn step<'p, P: Place>(
        &mut self,
        program: &'p Packed<P>,
        parents: &LaneBatch,
        of: &[u32],
        moves: &[u32],
    ) -> &'p Packed<P> {
        self.lanes.load(program, &parents.states, of);
        let phase = program.phase_of_all(|base| self.holds(program.bases[base], of.len()));
        let now = program.in_phase(phase);
        self.mark(now, moves, of.len());
        self.lanes.run(&now.leap);
        self.lanes.advance(&now.advance_after_leap, [0; W]);
        // Not before: a fluent's next value may be read from where a move is marked.
        self.unmark(now, moves, of.len());
        program.in_phase(program.phase_after(phase))
    }

    /// Writes what `from` holds in the first `len` lanes to a part of the rows from `first` on.
    fn store<P: Place>(
        &mut self,
        from: &[P],
        rows: &mut [u64],
        first: usize,
        len: usize,
        (stride, words): (usize, Range<usize>),
    ) {
        self.lanes.arch.dispatch(Storing {
            from,
            slots: self.lanes.memory.slots::<P, W>(),
            block: &mut self.lanes.block,
            rows: &mut rows[first * stride..][..len * stride],
            stride,
            words,
        });
    }

    /// Whether a slot is set in all of the first `len` lanes, or none of them, or neither.
    fn holds<P: Place>(&mut self, slot: P, len: usize) -> Option<bool> {
        let slot = self.lanes.memory.slots::<P, W>().at(slot);
        let (mut all, mut none) = (true, true);
        for w in 0..W {
            let lanes = lanes_of(w, len);
            all &= slot[w] & lanes == lanes;
            none &= slot[w] & lanes == 0;
        }
        (all || none).then_some(all)
    }

    /// Marks the joint moves of the first `len` lanes.
    fn mark<P: Place>(&mut self, program: &Packed<P>, moves: &[u32], len: usize) {
        let slots = self.lanes.memory.slots::<P, W>();
        let roles = program.roles.len();
        for (w, moves) in moves[..len * roles].chunks(64 * roles.max(1)).enumerate() {
            for role in 0..roles {
                let input = |lane: usize| moves[lane * roles + role];
                let (mut lane, lanes) = (0, moves.len() / roles);
                while lane < lanes {
                    let (first, marked) = (lane, input(lane));
                    // Who waits does so in many lanes.
                    while lane < lanes && input(lane) == marked {
                        lane += 1;
                    }
                    let does = program.does[marked as usize];
                    slots.at_mut(does)[w] |= (!0 >> (64 - (lane - first))) << first;
                }
            }
        }
    }

    /// Takes the marks of the first `len` lanes back.
    fn unmark<P: Place>(&mut self, program: &Packed<P>, moves: &[u32], len: usize) {
        let slots = self.lanes.memory.slots::<P, W>();
        let moves = &moves[..len * program.roles.len()];
        if moves.len() < program.does.len() {
            for input in moves {
                *slots.at_mut(program.does[*input as usize]) = [0; W];
            }
        } else {
            for does in &program.does {
                *slots.at_mut(*does) = [0; W];
            }
        }
    }

    /// Notes what was found out by a look.
    fn record<P: Place>(
        &mut self,
        program: &Packed<P>,
        batch: &mut LaneBatch,
        first: usize,
        len: usize,
    ) {
        for (inputs, moves) in program.roles.iter().zip(&batch.roles) {
            let legal = &program.legal[inputs.clone()];
            let place = (batch.legal_words, moves.words.clone());
            self.store(legal, &mut batch.legal, first, len, place);
        }
        let mut ended = *self.lanes.memory.slots::<P, W>().at(program.terminal);
        for w in 0..W {
            ended[w] &= lanes_of(w, len);
        }
        for lane in 0..len {
            batch.is_terminal[first + lane] = ended[lane / 64] >> (lane % 64) & 1 != 0;
        }
        if ended != [0; W] {
            let roles = program.roles.len();
            let goals = &mut batch.goals[first * roles..];
            let tell = |lane, role, value| goals[lane * roles + role] = value;
            self.lanes.judge(program, ended, tell);
        }
    }
}

/// Those of the first `len` lanes that are in word `w`.
#[inline]
fn lanes_of(w: usize, len: usize) -> u64 {
    match len.saturating_sub(64 * w) {
        left @ 0..64 => (1 << left) - 1,
        _ => !0,
    }
}
