//! One thread's playouts.

use pulp::Arch;

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::code::{Code, Run};
use crate::propnet::lanes::generator::{Generator, Generators};
use crate::propnet::lanes::memory::{Memory, Place, Slots, Vector};
use crate::propnet::lanes::ops::{Advancing, Choosing, Tallying, count, lanes_in, ones};
use crate::propnet::lanes::playout::{Numbers, Options};
use crate::propnet::lanes::program::Packed;
use crate::propnet::lanes::totals::Totals;

/// Where games end in phases, those that ended in another one are judged by the whole program. What costs less than this
/// share of a step is rather done at once.
const CHEAP: f64 = 0.05;

/// One thread's working memory.
pub(super) struct Player<'p, P, const W: usize, const C: usize> {
    program: &'p Packed<P>,
    /// What is run, step after step, again from the front after the last.
    rounds: Vec<Round<'p, P, C>>,
    options: Options<'p>,
    arch: Arch,
    memory: Memory,
    generators: Vec<Generators>,
    /// Per fluent, all ones if it holds at the start, else zero.
    start: Vec<u64>,
    /// How many steps were made.
    now: u64,
    /// A step of the first round.
    origin: u64,
    /// Per lane, the step at which its game started.
    since: Vec<u64>,
    /// No game is too long before this step.
    deadline: u64,
    lanes: Lanes<W>,
    totals: Totals,
}

/// The program of a phase of the game, or of all of it.
struct Round<'p, P, const C: usize> {
    program: &'p Packed<P>,
    chooser: Chooser<P, C>,
}

/// Lanes that are in neither wait for a game to start.
struct Lanes<const W: usize> {
    /// The game goes on.
    running: Vector<W>,
    /// The game is over, and its goals are still to be found out.
    ended: Vector<W>,
    /// The game was over in an earlier step already, and its goals are still to be found out.
    waiting: Vector<W>,
    /// No game will start any more.
    retired: Vector<W>,
}

impl<'p, P: Place, const W: usize, const C: usize> Player<'p, P, W, C> {
    pub(super) fn new(program: &'p Packed<P>, start: &[u64], options: Options<'p>) -> Self {
        let round = |program: &'p Packed<P>| Round {
            program,
            chooser: Chooser::new(&program.legal, &program.does, &program.roles),
        };
        let bit = |i: usize| 0_u64.wrapping_sub(start[i / 64] >> (i % 64) & 1);
        Self {
            program,
            rounds: program.rounds(start).into_iter().map(round).collect(),
            options,
            arch: Arch::new(),
            memory: Memory::new::<P, W>(program.slots),
            generators: vec![Generators::IDLE; W],
            start: (0..program.bases.len()).map(bit).collect(),
            now: 0,
            origin: 0,
            since: vec![0; 64 * W],
            deadline: options.max_plies.into(),
            lanes: Lanes {
                running: [0; W],
                ended: [0; W],
                waiting: [0; W],
                retired: [0; W],
            },
            totals: Totals::new(program.roles.len()),
        }
    }

    /// Plays until the numbers run out, or nobody wants to go on. Says whether the former happened first.
    pub(super) fn play(mut self, numbers: &Numbers<'_>) -> (Totals, bool) {
        let starting = self.start_games(numbers);
        self.advance(self.program, starting);
        while !self.is_done() {
            if self.now.is_multiple_of(self.program.patience as u64) && !(self.options.go_on)() {
                break;
            }
            self.step(numbers);
        }
        let complete = self.is_done();
        if self.lanes.ended != [0; W] {
            self.run(&self.program.look);
            self.judge(self.program);
        }
        self.totals.plies_of_playouts = self.totals.plies;
        for lane in lanes_in(self.lanes.running) {
            self.totals.plies_of_playouts -= self.now - self.since[lane];
        }
        (self.totals, complete)
    }

    fn is_done(&self) -> bool {
        let Lanes { running, ended, .. } = &self.lanes;
        (0..W).all(|w| running[w] | ended[w] == 0)
    }
}

impl<P: Place, const W: usize, const C: usize> Player<'_, P, W, C> {
    /// One ply in every lane whose game goes on.
    fn step(&mut self, numbers: &Numbers<'_>) {
        let round = ((self.now - self.origin) % self.rounds.len() as u64) as usize;
        let program = self.rounds[round].program;
        self.run(&program.look);
        self.end_games(round);
        if self.is_time_to_judge() {
            self.judge_all(program);
        }
        let moving = self.lanes.running;
        let starting = self.start_games(numbers);
        self.run(&program.step);
        self.advance(program, starting);
        self.totals.plies += count(moving);
    }

    /// Judges all games that have ended, and leaves things as the end of a look does.
    fn judge_all(&mut self, program: &Packed<P>) {
        if self.rounds.len() == 1 || self.lanes.waiting == [0; W] {
            return self.judge(program);
        }
        // Games that ended in other phases are none of this phase's business.
        self.run(&self.program.look);
        self.judge(self.program);
        self.run(&program.look);
    }

    /// Goes on to the next states, or to the start.
    fn advance(&mut self, program: &Packed<P>, starting: Vector<W>) {
        self.arch.dispatch(Advancing {
            bases: &program.advance,
            start: &self.start,
            slots: self.memory.slots::<P, W>(),
            starting,
            waiting: self.lanes.ended,
        });
        self.now += 1;
    }

    fn run(&mut self, code: &Code<P>) {
        let slots = self.memory.slots::<P, W>();
        self.arch.dispatch(Run { code, slots });
    }

    /// Takes out the games that are over, and makes a move in all lanes.
    fn end_games(&mut self, round: usize) {
        let Round { program, chooser } = &mut self.rounds[round];
        let terminal = *self.memory.slots::<P, W>().at(program.terminal);
        let Lanes {
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
        let able = self.arch.dispatch(Choosing {
            chooser,
            slots: self.memory.slots::<P, W>(),
            generators: &mut self.generators,
        });
        if self.now >= self.deadline {
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

    /// Ends games that are too long, and works out when the next one may be.
    #[cold]
    fn give_up(&mut self) {
        let most = u64::from(self.options.max_plies);
        self.deadline = self.now + most;
        for lane in lanes_in(self.lanes.running) {
            let since = self.since[lane];
            if self.now - since >= most {
                self.lanes.running[lane / 64] &= !(1 << (lane % 64));
                self.totals.too_long += 1;
                self.totals.playouts += 1;
            } else {
                self.deadline = self.deadline.min(since + most);
            }
        }
    }

    /// Judging costs the same for one lane as for all, so ended games wait for others as long as the lanes that they
    /// hold up cost less than what is saved.
    ///
    /// If `f` lanes end per step, waiting for `n` of them means one judgement every `n / f` steps, and `n / 2` idle
    /// lanes on average. With `f` the lanes divided by the mean length, the sum is least as below.
    fn is_time_to_judge(&self) -> bool {
        let ended = count(self.lanes.ended);
        let is_urgent = self.rounds.len() > 1 && self.program.judge_share < CHEAP;
        if ended == 0 || is_urgent || self.lanes.running == [0; W] {
            return ended > 0;
        }
        let Totals {
            plies, playouts, ..
        } = self.totals;
        let length = (plies + 1) as f64 / (playouts + 1) as f64;
        let lanes = (64 * W) as f64;
        ended as f64 >= lanes * (2.0 * self.program.judge_share / length).sqrt()
    }

    /// Adds up the goals of the games that have ended.
    fn judge(&mut self, program: &Packed<P>) {
        self.run(&program.judge);
        self.arch.dispatch(Tallying {
            goals: &program.goals,
            slots: self.memory.slots::<P, W>(),
            ended: std::mem::replace(&mut self.lanes.ended, [0; W]),
            totals: &mut self.totals,
        });
    }

    /// Lets games start with the next step in the lanes that are free, and returns these lanes.
    fn start_games(&mut self, numbers: &Numbers<'_>) -> Vector<W> {
        let Lanes {
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
        let period = self.rounds.len() as u64;
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
