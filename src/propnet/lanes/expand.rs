//! Steps from many states in one call.

use std::ops::Range;
use std::sync::Arc;

use pulp::Arch;

use crate::propnet::lanes::brood::Brood;
use crate::propnet::lanes::choose::count::Count;
use crate::propnet::lanes::code::{Code, Run};
use crate::propnet::lanes::memory::{Memory, Place, Slots, Vector};
use crate::propnet::lanes::mobility::Counting;
use crate::propnet::lanes::ops::{Advancing, Loading, Storing, exactly_one, lanes_in};
use crate::propnet::lanes::program::{Packed, Program, Width};
use crate::propnet::lanes::transpose::Block;

/// Working memory for steps from many states in one call.
#[derive(Debug)]
pub struct Expander {
    width: Expanding,
}

#[derive(Debug)]
enum Expanding {
    Narrow(Batches<u16>),
    Wide(Batches<u32>),
}

macro_rules! batches {
    ($expander:expr, $batches:ident => $then:expr) => {
        match &mut $expander.width {
            Expanding::Narrow($batches) => $then,
            Expanding::Wide($batches) => $then,
        }
    };
}

impl Expander {
    /// So many states are looked at together at most; more are taken in turn.
    pub const LANES: usize = 512;

    /// Working memory for a program.
    pub fn new(program: &Program) -> Self {
        let width = match &program.width {
            Width::Narrow(packed) => Expanding::Narrow(Batches::new(packed)),
            Width::Wide(packed) => Expanding::Wide(Batches::new(packed)),
        };
        Self { width }
    }

    /// Replaces the contents of `brood` by packed states.
    pub fn examine<'s>(&mut self, states: impl IntoIterator<Item = &'s [u64]>, brood: &mut Brood) {
        brood.states.clear();
        let mut len = 0;
        for state in states {
            brood.states.extend_from_slice(state);
            len += 1;
        }
        brood.resize(len);
        batches!(self, batches => batches.examine(brood));
    }

    /// Replaces the contents of `children` by the states after joint moves: child `k` is what comes of the state at
    /// `of[k]` in `parents` when the roles make the `k`-th joint move of `moves`, which holds one input per role for each
    /// child.
    pub fn expand(&mut self, parents: &Brood, of: &[u32], moves: &[u32], children: &mut Brood) {
        children.resize(of.len());
        batches!(self, batches => batches.expand(parents, of, moves, children));
    }

    /// How many joint moves there are in all these states together, which are as in [`Expander::expand`]. Where the game
    /// is over, there are none.
    pub fn joint_moves_after(&mut self, parents: &Brood, of: &[u32], moves: &[u32]) -> u64 {
        batches!(self, batches => batches.joint_moves_after(parents, of, moves))
    }
}

/// Lanes of two widths, so that few states do not pay for many.
#[derive(Debug)]
struct Batches<P> {
    program: Arc<Packed<P>>,
    small: Batch<P, 1, 1>,
    large: Batch<P, 8, 4>,
}

impl<P: Place> Batches<P> {
    fn new(program: &Arc<Packed<P>>) -> Self {
        Self {
            program: Arc::clone(program),
            small: Batch::new(program),
            large: Batch::new(program),
        }
    }

    fn examine(&mut self, brood: &mut Brood) {
        let mut first = 0;
        while first < brood.len {
            let program = &self.program;
            first += match brood.len - first {
                0..=64 => self.small.examine(program, brood, first),
                _ => self.large.examine(program, brood, first),
            };
        }
    }

    fn joint_moves_after(&mut self, parents: &Brood, of: &[u32], moves: &[u32]) -> u64 {
        let (mut of, mut moves, mut all) = (of, moves, 0_u64);
        while !of.is_empty() {
            let program = &self.program;
            let (done, counted) = match of.len() {
                0..=64 => self.small.joint_moves_after(program, parents, of, moves),
                _ => self.large.joint_moves_after(program, parents, of, moves),
            };
            all = all.saturating_add(counted);
            of = &of[done..];
            moves = &moves[done * program.roles.len()..];
        }
        all
    }

    fn expand(&mut self, parents: &Brood, of: &[u32], moves: &[u32], children: &mut Brood) {
        let (mut of, mut moves) = (of, moves);
        while !of.is_empty() {
            let (program, first) = (&self.program, children.len - of.len());
            let done = match of.len() {
                0..=64 => self
                    .small
                    .expand(program, parents, of, moves, children, first),
                _ => self
                    .large
                    .expand(program, parents, of, moves, children, first),
            };
            of = &of[done..];
            moves = &moves[done * program.roles.len()..];
        }
    }
}

/// Lanes of one width, of which `C` words are counted at a time.
#[derive(Debug)]
struct Batch<P, const W: usize, const C: usize> {
    arch: Arch,
    memory: Memory,
    block: Box<Block<W>>,
    /// What no lane starts from.
    start: Vec<u64>,
    /// Where moves are marked.
    marked: Vec<P>,
    /// Room for counting.
    choices: Vec<Count<C>>,
}

impl<P: Place, const W: usize, const C: usize> Batch<P, W, C> {
    const LANES: usize = 64 * W;

    fn new(program: &Packed<P>) -> Self {
        Self {
            arch: Arch::new(),
            memory: Memory::new::<P, W>(program.slots),
            block: Box::new([[0; W]; 64]),
            start: vec![0; program.bases.len()],
            marked: Vec::new(),
            choices: Vec::new(),
        }
    }

    /// Looks at the states from `first` on; says at how many.
    fn examine(&mut self, program: &Packed<P>, brood: &mut Brood, first: usize) -> usize {
        let len = Self::LANES.min(brood.len - first);
        let of: [u32; 512] = std::array::from_fn(|i| (first + i) as u32);
        self.load(program, brood, &of[..len]);
        let phase = program.phase_of_all(|base| self.holds(program.bases[base], len));
        let program = program.in_phase(phase);
        self.run(&program.look);
        self.record(program, brood, first, len);
        len
    }

    /// Makes the first of these steps, to be the children from `first` on; says how many.
    fn expand(
        &mut self,
        program: &Packed<P>,
        parents: &Brood,
        of: &[u32],
        moves: &[u32],
        children: &mut Brood,
        first: usize,
    ) -> usize {
        let len = Self::LANES.min(of.len());
        let next = self.step(program, parents, &of[..len], moves);
        let place = (children.state_words, 0..children.state_words);
        self.store(&program.bases, &mut children.states, first, len, place);
        self.run(&next.look);
        self.record(next, children, first, len);
        len
    }

    /// Makes the first of these steps; says how many, and how many joint moves there are after them.
    fn joint_moves_after(
        &mut self,
        program: &Packed<P>,
        parents: &Brood,
        of: &[u32],
        moves: &[u32],
    ) -> (usize, u64) {
        let len = Self::LANES.min(of.len());
        let next = self.step(program, parents, &of[..len], moves);
        self.run(&next.look);
        let slots = self.memory.slots::<P, W>();
        let ended = *slots.at(next.terminal);
        let joint_moves = self.arch.dispatch(Counting::<P, W, C> {
            moves: &next.moves,
            slots,
            lanes: std::array::from_fn(|w| lanes_of(w, len) & !ended[w]),
            choices: &mut self.choices,
        });
        (len, joint_moves)
    }

    /// Makes steps from these states, one in each lane; says what to run next.
    fn step<'p>(
        &mut self,
        program: &'p Packed<P>,
        parents: &Brood,
        of: &[u32],
        moves: &[u32],
    ) -> &'p Packed<P> {
        self.load(program, parents, of);
        let phase = program.phase_of_all(|base| self.holds(program.bases[base], of.len()));
        let now = program.in_phase(phase);
        self.mark(now, moves, of.len());
        self.run(&now.leap);
        self.arch.dispatch(Advancing {
            bases: &now.advance_after_leap,
            start: &self.start,
            slots: self.memory.slots::<P, W>(),
            starting: [0; W],
            waiting: [0; W],
        });
        // Not before: a fluent's next value may be read from where a move is marked.
        self.unmark();
        program.in_phase(program.phase_after(phase))
    }

    fn run(&mut self, code: &Code<P>) {
        let slots = self.memory.slots::<P, W>();
        self.arch.dispatch(Run { code, slots });
    }

    /// Puts states into the lanes.
    fn load(&mut self, program: &Packed<P>, from: &Brood, of: &[u32]) {
        self.arch.dispatch(Loading {
            bases: &program.bases,
            slots: self.memory.slots::<P, W>(),
            block: &mut self.block,
            states: &from.states,
            words: from.state_words,
            of,
        });
    }

    /// Writes what `from` holds in the first `len` lanes to a part of the rows from `first` on.
    fn store(
        &mut self,
        from: &[P],
        rows: &mut [u64],
        first: usize,
        len: usize,
        (stride, words): (usize, Range<usize>),
    ) {
        self.arch.dispatch(Storing {
            from,
            slots: self.memory.slots::<P, W>(),
            block: &mut self.block,
            rows: &mut rows[first * stride..][..len * stride],
            stride,
            words,
        });
    }

    /// Whether a slot is set in all of the first `len` lanes, or none of them, or neither.
    fn holds(&mut self, slot: P, len: usize) -> Option<bool> {
        let slot = self.memory.slots::<P, W>().at(slot);
        let (mut all, mut none) = (true, true);
        for w in 0..W {
            let lanes = lanes_of(w, len);
            all &= slot[w] & lanes == lanes;
            none &= slot[w] & lanes == 0;
        }
        (all || none).then_some(all)
    }

    /// Marks the joint moves.
    fn mark(&mut self, program: &Packed<P>, moves: &[u32], len: usize) {
        let slots = self.memory.slots::<P, W>();
        let roles = program.roles.len();
        for lane in 0..len {
            for input in &moves[lane * roles..][..roles] {
                let does = program.does[*input as usize];
                slots.at_mut(does)[lane / 64] |= 1 << (lane % 64);
                self.marked.push(does);
            }
        }
    }

    fn unmark(&mut self) {
        let slots = self.memory.slots::<P, W>();
        for does in self.marked.drain(..) {
            *slots.at_mut(does) = [0; W];
        }
    }

    /// Notes what was found out by a look.
    fn record(&mut self, program: &Packed<P>, brood: &mut Brood, first: usize, len: usize) {
        for (inputs, moves) in program.roles.iter().zip(&brood.roles) {
            let legal = &program.legal[inputs.clone()];
            let place = (brood.legal_words, moves.words.clone());
            self.store(legal, &mut brood.legal, first, len, place);
        }
        let mut ended = *self.memory.slots::<P, W>().at(program.terminal);
        for w in 0..W {
            ended[w] &= lanes_of(w, len);
        }
        for lane in 0..len {
            brood.is_terminal[first + lane] = ended[lane / 64] >> (lane % 64) & 1 != 0;
        }
        if ended != [0; W] {
            self.judge(
                program,
                &mut brood.goals[first * program.roles.len()..],
                ended,
            );
        }
    }

    /// Notes the goals in the lanes whose game is over.
    fn judge(&mut self, program: &Packed<P>, goals: &mut [u8], ended: Vector<W>) {
        self.run(&program.judge);
        let slots = self.memory.slots::<P, W>();
        for (role, values) in program.goals.iter().enumerate() {
            let single = exactly_one::<P, W>(values, slots);
            for (value, slot) in values {
                let mut holds = *slots.at(*slot);
                for w in 0..W {
                    holds[w] &= single[w] & ended[w];
                }
                for lane in lanes_in(holds) {
                    goals[lane * program.roles.len() + role] = *value;
                }
            }
        }
    }
}

/// Those of the first `len` lanes that are in word `w`.
fn lanes_of(w: usize, len: usize) -> u64 {
    match len.saturating_sub(64 * w) {
        left @ 0..64 => (1 << left) - 1,
        _ => !0,
    }
}
