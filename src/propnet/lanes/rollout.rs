//! Random games from many states in one call.
//!
//! Every lane plays one game from a state of its own, and waits once it is over: the goals of all are found out
//! together when the last one has ended.

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::generator::{Generator, Generators};
use crate::propnet::lanes::memory::{Place, Slots, Vector};
use crate::propnet::lanes::ops::{Choosing, lanes_in};
use crate::propnet::lanes::program::{Packed, Program};
use crate::propnet::lanes::width::{Executor, FEW, FewOrMany, Lanes, MANY, Width, either};

/// Which random games to play.
#[derive(Clone, Copy)]
pub struct Games<'g> {
    /// Packed states, one after the other.
    pub states: &'g [u64],
    /// How many games to play from each state.
    pub each: u32,
    /// The seed of the games from the state of this number: game `k` is playout `k` of that seed.
    pub seed: &'g dyn Fn(usize) -> u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// Asked every few steps whether to go on.
    pub go_on: &'g dyn Fn() -> bool,
}

/// Working memory for random games from many states.
#[derive(Debug)]
pub struct Roller {
    width: Width<Tables<u16>, Tables<u32>>,
}

impl Roller {
    /// So many games are played together at most; more are played in turn.
    pub const LANES: usize = MANY;

    /// Working memory for a program.
    pub fn new(program: &Program) -> Self {
        let width = program.width.map(Tables::new, Tables::new);
        Self { width }
    }

    /// Plays, and tells of each game that ended: the number of its state, a role, and the role's goal, if exactly one
    /// value holds. Says whether all games were played.
    pub fn play(&mut self, games: &Games<'_>, tell: &mut dyn FnMut(usize, usize, u8)) -> bool {
        either!(&mut self.width, tables => tables.play(games, tell))
    }
}

/// Few games do not pay for many.
type Tables<P> = FewOrMany<P, Table<P, 1, 1>, Table<P, 8, 4>>;

impl<P: Place> Tables<P> {
    fn play(&mut self, games: &Games<'_>, tell: &mut dyn FnMut(usize, usize, u8)) -> bool {
        let words = self.program.state_words().max(1);
        let count = games.states.len() / words * games.each as usize;
        let mut first = 0;
        while first < count {
            let len = Roller::LANES.min(count - first);
            let complete = match len {
                0..=FEW => self.few.play(&self.program, games, (first, len), tell),
                _ => self.many.play(&self.program, games, (first, len), tell),
            };
            if !complete {
                return false;
            }
            first += len;
        }
        true
    }
}

/// Where games of one width are played.
#[derive(Debug)]
struct Table<P, const W: usize, const C: usize> {
    lanes: Lanes<W>,
    generators: Vec<Generators>,
    /// Of the whole program, then of its phases.
    choosers: Vec<Chooser<P, C>>,
    /// Per lane, which state its game starts from.
    of: Vec<u32>,
}

/// How the games of a call stand.
struct Standing<const W: usize> {
    /// The first phase to be played, where the game has phases and every state is in one of them.
    first_phase: Option<usize>,
    /// By the number of steps that must be made before their phase comes, the games that wait for it; then they start.
    classes: Vec<Vector<W>>,
    /// How many steps were made.
    plies: usize,
    /// The game goes on.
    running: Vector<W>,
    /// The rules ended the game.
    ended: Vector<W>,
}

impl<P: Place, const W: usize, const C: usize> Executor<P> for Table<P, W, C> {
    fn new(program: &Packed<P>) -> Self {
        let chooser =
            |program: &Packed<P>| Chooser::new(&program.legal, &program.does, &program.roles);
        let programs = std::iter::once(program).chain(&program.phases);
        Self {
            lanes: Lanes::new(program),
            generators: vec![Generators::IDLE; W],
            choosers: programs.map(chooser).collect(),
            of: Vec::new(),
        }
    }
}

impl<P: Place, const W: usize, const C: usize> Table<P, W, C> {
    /// Plays `len` games, from the one of number `first` on.
    fn play(
        &mut self,
        program: &Packed<P>,
        games: &Games<'_>,
        (first, len): (usize, usize),
        tell: &mut dyn FnMut(usize, usize, u8),
    ) -> bool {
        let each = games.each as usize;
        self.of.clear();
        self.of
            .extend((first..first + len).map(|game| (game / each) as u32));
        self.lanes.load(program, games.states, &self.of);
        let mut standing = Standing::new(program, games.states, &self.of);
        while let Some(starting) = standing.start() {
            if standing.plies.is_multiple_of(program.patience) && !(games.go_on)() {
                return false;
            }
            for lane in lanes_in(starting) {
                let game = first + lane;
                let seed = (games.seed)(game / each);
                let generator = Generator::new(seed, (game % each) as u64);
                self.generators[lane / 64].set(lane % 64, generator);
            }
            self.step(program, &mut standing, games.max_plies as usize);
        }
        let Self { lanes, of, .. } = self;
        lanes.run(&program.look);
        lanes.judge(program, standing.ended, |lane, role, value| {
            tell(of[lane] as usize, role, value);
        });
        true
    }

    /// One ply in every lane whose game goes on.
    fn step(&mut self, whole: &Packed<P>, standing: &mut Standing<W>, max_plies: usize) {
        let (program, chooser) = match standing.phase() {
            None => (whole, 0),
            Some(phase) => (&whole.phases[phase], 1 + phase),
        };
        self.lanes.run(&program.look);
        standing.end(self.lanes.memory.slots::<P, W>().at(program.terminal));
        standing.give_up(max_plies);
        let able = self.lanes.arch.dispatch(Choosing {
            chooser: &mut self.choosers[chooser],
            slots: self.lanes.memory.slots::<P, W>(),
            generators: &mut self.generators,
        });
        for w in 0..W {
            standing.running[w] &= able[w];
        }
        self.lanes.run(&program.step);
        let waiting = standing.running.map(|word| !word);
        self.lanes.advance(&program.advance, waiting);
        standing.plies += 1;
    }
}

impl<const W: usize> Standing<W> {
    /// Before the first step, where the games in the lanes start from these states.
    fn new<P: Place>(program: &Packed<P>, states: &[u64], of: &[u32]) -> Self {
        let words = program.state_words();
        let phase = |&of: &u32| program.phase(&states[of as usize * words..][..words]);
        let phases: Option<Vec<usize>> = of.iter().map(phase).collect();
        let first_phase = phases.as_ref().map(|phases| phases[0]);
        let mut standing = Self {
            first_phase,
            classes: vec![[0; W]; first_phase.map_or(1, |_| program.phases.len())],
            plies: 0,
            running: [0; W],
            ended: [0; W],
        };
        for lane in 0..of.len() {
            let wait = match (&phases, first_phase) {
                (Some(phases), Some(first)) => {
                    let period = program.phases.len();
                    (period + phases[lane] - first) % period
                }
                _ => 0,
            };
            standing.classes[wait][lane / 64] |= 1 << (lane % 64);
        }
        standing
    }

    /// The phase of all games that go on.
    fn phase(&self) -> Option<usize> {
        let first = self.first_phase?;
        Some((first + self.plies) % self.classes.len())
    }

    /// Starts the games whose phase has come, and returns them; none where all is over.
    fn start(&mut self) -> Option<Vector<W>> {
        let starting = self.classes.get(self.plies).copied().unwrap_or([0; W]);
        for w in 0..W {
            self.running[w] |= starting[w];
        }
        let is_over = self.running == [0; W] && self.plies + 1 >= self.classes.len();
        (!is_over).then_some(starting)
    }

    /// Takes out the games that are over.
    fn end(&mut self, terminal: &Vector<W>) {
        for w in 0..W {
            self.ended[w] |= self.running[w] & terminal[w];
            self.running[w] &= !terminal[w];
        }
    }

    /// Takes out the games that are too long.
    fn give_up(&mut self, max_plies: usize) {
        let first = self.plies.checked_sub(max_plies);
        if let Some(class) = first.and_then(|waited| self.classes.get(waited)) {
            for w in 0..W {
                self.running[w] &= !class[w];
            }
        }
    }
}
