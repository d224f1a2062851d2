//! The playouts of one thread: every lane plays one game after the other.

use pulp::Arch;

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::code::{Code, RunCode};
use crate::propnet::lanes::generator::{Generator, Generators};
use crate::propnet::lanes::memory::{LaneMemory, SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::ops::{AdvanceState, ChooseMoves, SumGoals, count, lanes_in, ones};
use crate::propnet::lanes::playout::{PlayoutJob, PlayoutNumbers};
use crate::propnet::lanes::program::{PackedCircuit, PackedProgram};
use crate::propnet::lanes::totals::LaneTotals;

/// With turn-specialised circuits, games that ended in another turn need the unspecialised one for their goals. Goal code
/// that costs less than this share of a ply is therefore run at once.
const CHEAP: f64 = 0.05;

/// One thread's working memory.
pub(super) struct PlayoutRunner<'p, P, const W: usize, const C: usize> {
    program: &'p PackedProgram<P>,
    /// The circuits to run ply after ply, cyclically.
    turns: Vec<TurnCircuit<'p, P, C>>,
    options: PlayoutJob<'p>,
    arch: Arch,
    memory: LaneMemory,
    generators: Vec<Generators>,
    /// Per fluent, all ones if it holds at the start, else zero.
    start: Vec<u64>,
    /// How many plies were played, in lockstep.
    now: u64,
    /// A ply at which the first of `turns` ran.
    origin: u64,
    /// Per lane, the ply at which its game started.
    since: Vec<u64>,
    /// No game exceeds the length limit before this ply.
    next_overdue: u64,
    lanes: LaneSets<W>,
    totals: LaneTotals,
}

/// The circuit of one turn, or the unspecialised one, with its chooser of moves.
struct TurnCircuit<'p, P, const C: usize> {
    circuit: &'p PackedCircuit<P>,
    chooser: Chooser<P, C>,
}

/// Sets of lanes. Lanes in none of them wait for a game to start.
struct LaneSets<const W: usize> {
    /// The game goes on.
    running: Vector<W>,
    /// The game is over, and its goals have not been computed yet.
    ended: Vector<W>,
    /// The same, and it was over at an earlier ply.
    waiting: Vector<W>,
    /// No further game will start.
    retired: Vector<W>,
}

impl<'p, P: SlotIndex, const W: usize, const C: usize> PlayoutRunner<'p, P, W, C> {
    pub(super) fn new(
        program: &'p PackedProgram<P>,
        start: &[u64],
        options: PlayoutJob<'p>,
    ) -> Self {
        let turn = |circuit: &'p PackedCircuit<P>| TurnCircuit {
            circuit,
            chooser: Chooser::new(circuit),
        };
        let bit = |i: usize| 0_u64.wrapping_sub(start[i / 64] >> (i % 64) & 1);
        // The ends of games need it, and packing it then would take of their time.
        program.whole();
        Self {
            program,
            turns: program.circuits_from(start).into_iter().map(turn).collect(),
            options,
            arch: program.arch,
            memory: LaneMemory::new::<P, W>(program.slots),
            generators: vec![Generators::IDLE; W],
            start: (0..program.bases.len()).map(bit).collect(),
            now: 0,
            origin: 0,
            since: vec![0; 64 * W],
            next_overdue: options.max_plies.into(),
            lanes: LaneSets {
                running: [0; W],
                ended: [0; W],
                waiting: [0; W],
                retired: [0; W],
            },
            totals: LaneTotals::new(program.roles.len()),
        }
    }

    /// Plays until the numbers run out or `go_on` is false. Also returns whether all games were played.
    pub(super) fn play(mut self, numbers: &PlayoutNumbers<'_>) -> (LaneTotals, bool) {
        let starting = self.start_games(numbers);
        self.advance(self.turns[0].circuit, starting);
        while !self.is_done() {
            if self.now.is_multiple_of(self.program.check_interval as u64)
                && !(self.options.go_on)()
            {
                break;
            }
            self.ply(numbers);
        }
        let complete = self.is_done();
        if self.lanes.ended != [0; W] {
            self.sum_goals_of_all_turns();
        }
        self.totals.plies_of_playouts = self.totals.plies;
        for lane in lanes_in(self.lanes.running) {
            self.totals.plies_of_playouts -= self.now - self.since[lane];
        }
        (self.totals, complete)
    }

    fn is_done(&self) -> bool {
        let LaneSets { running, ended, .. } = &self.lanes;
        (0..W).all(|w| running[w] | ended[w] == 0)
    }
}

impl<P: SlotIndex, const W: usize, const C: usize> PlayoutRunner<'_, P, W, C> {
    /// Plays one ply in every running lane.
    fn ply(&mut self, numbers: &PlayoutNumbers<'_>) {
        let turn = ((self.now - self.origin) % self.turns.len() as u64) as usize;
        let circuit = self.turns[turn].circuit;
        self.run(&circuit.legal_code);
        self.end_games(turn);
        if self.is_time_for_goals() {
            self.sum_all_goals(circuit);
        }
        let moving = self.lanes.running;
        let starting = self.start_games(numbers);
        self.run(&circuit.transition_code);
        self.advance(circuit, starting);
        // Not earlier: a fluent's next value may be read from the slot of a move.
        let chooser = &mut self.turns[turn].chooser;
        chooser.unmark::<W>(self.memory.slots::<P, W>());
        self.totals.plies += count(moving);
    }

    /// Sums the goals of all ended games, and leaves the outputs of `circuit.legal_code` in the slots.
    fn sum_all_goals(&mut self, circuit: &PackedCircuit<P>) {
        if self.turns.len() == 1 || self.lanes.waiting == [0; W] {
            return self.sum_goals(circuit);
        }
        self.sum_goals_of_all_turns();
        self.run(&circuit.legal_code);
    }

    /// Sums the goals of games that ended in any turn, which the circuit of one turn does not evaluate correctly.
    fn sum_goals_of_all_turns(&mut self) {
        let whole = self.program.whole();
        self.run(&whole.legal_code);
        self.sum_goals(whole);
    }

    /// Makes the next states, or the start state, the current ones.
    fn advance(&mut self, circuit: &PackedCircuit<P>, starting: Vector<W>) {
        self.arch.dispatch(AdvanceState {
            bases: &circuit.advance,
            start: &self.start,
            slots: self.memory.slots::<P, W>(),
            starting,
            waiting: self.lanes.ended,
        });
        self.now += 1;
    }

    fn run(&mut self, code: &Code<P>) {
        let slots = self.memory.slots::<P, W>();
        self.arch.dispatch(RunCode { code, slots });
    }

    /// Ends the games that are over, stuck or too long, and chooses moves in all lanes.
    fn end_games(&mut self, turn: usize) {
        let TurnCircuit { circuit, chooser } = &mut self.turns[turn];
        let terminal = *self.memory.slots::<P, W>().at(circuit.terminal);
        let LaneSets {
            running,
            ended,
            waiting,
            ..
        } = &mut self.lanes;
        *waiting = *ended;
        for w in 0..W {
            ended[w] |= running[w] & terminal[w];
            running[w] &= !terminal[w];
        }
        let able = self.arch.dispatch(ChooseMoves {
            chooser,
            slots: self.memory.slots::<P, W>(),
            generators: &mut self.generators,
        });
        if self.now >= self.next_overdue {
            self.give_up();
        }
        let running = &mut self.lanes.running;
        let stuck: Vector<W> = std::array::from_fn(|w| running[w] & !able[w]);
        self.totals.stuck += count(stuck);
        self.totals.playouts += count(stuck);
        for w in 0..W {
            running[w] &= able[w];
        }
    }

    /// Ends games that are too long, and computes when the next one may be.
    #[cold]
    fn give_up(&mut self) {
        let most = u64::from(self.options.max_plies);
        self.next_overdue = self.now + most;
        for lane in lanes_in(self.lanes.running) {
            let since = self.since[lane];
            if self.now - since >= most {
                self.lanes.running[lane / 64] &= !(1 << (lane % 64));
                self.totals.too_long += 1;
                self.totals.plies_of_too_long += self.now - since;
                self.totals.playouts += 1;
            } else {
                self.next_overdue = self.next_overdue.min(since + most);
            }
        }
    }

    /// Whether to run the goal code. It costs the same for one lane as for all, so ended games wait for others as long as
    /// idle lanes cost less than what is saved.
    ///
    /// If `f` lanes end per ply, waiting for `n` of them means running it every `n / f` plies, and `n / 2` idle lanes on
    /// average. With `f` the lanes divided by the mean length of a game, the total cost is least as below.
    fn is_time_for_goals(&self) -> bool {
        let ended = count(self.lanes.ended);
        if ended == 0 {
            return false;
        }
        let goal_cost = self.program.whole().goal_cost;
        let is_urgent = self.turns.len() > 1 && goal_cost < CHEAP;
        if is_urgent || self.lanes.running == [0; W] {
            return true;
        }
        let LaneTotals {
            plies, playouts, ..
        } = self.totals;
        let length = (plies + 1) as f64 / (playouts + 1) as f64;
        let lanes = (64 * W) as f64;
        ended as f64 >= lanes * (2.0 * goal_cost / length).sqrt()
    }

    /// Adds the goals of ended games to the totals.
    fn sum_goals(&mut self, circuit: &PackedCircuit<P>) {
        self.run(&circuit.goal_code);
        self.arch.dispatch(SumGoals {
            goals: &circuit.goals,
            slots: self.memory.slots::<P, W>(),
            ended: std::mem::replace(&mut self.lanes.ended, [0; W]),
            totals: &mut self.totals,
        });
    }

    /// Starts games with the next ply in the free lanes, and returns these lanes. With turns, games start only when the turn
    /// of the start state comes round.
    fn start_games(&mut self, numbers: &PlayoutNumbers<'_>) -> Vector<W> {
        let LaneSets {
            running,
            ended,
            retired,
            ..
        } = &mut self.lanes;
        let free: Vector<W> = std::array::from_fn(|w| !(running[w] | ended[w] | retired[w]));
        let is_empty = free
            .iter()
            .zip(&*retired)
            .all(|(free, retired)| free | retired == !0);
        let next = self.now + 1;
        let period = self.turns.len() as u64;
        if free == [0; W] || !(is_empty || (next - self.origin).is_multiple_of(period)) {
            return [0; W];
        }
        if is_empty {
            self.origin = next;
        }
        let mut taken = numbers.take(count(free));
        for word in 0..W {
            for lane in ones(free[word]) {
                let Some(number) = taken.next() else {
                    retired[word] |= 1 << lane;
                    continue;
                };
                let generator = Generator::new(self.options.seed, number);
                self.generators[word].set(lane, generator);
                self.since[64 * word + lane] = next;
                running[word] |= 1 << lane;
            }
        }
        free
    }
}
