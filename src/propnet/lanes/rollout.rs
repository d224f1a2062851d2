//! Rollouts: random games from many states in one call.
//!
//! Every lane plays one game from a state of its own, and idles once it is over: the goals of all are computed together when
//! the last one has ended.

use std::sync::Arc;

use crate::propnet::lanes::choose::Chooser;
use crate::propnet::lanes::end_tally::EndTally;
use crate::propnet::lanes::executor::{FEW, IndexWidth, MANY, StateLanes, either};
use crate::propnet::lanes::generator::{Generator, Generators};
use crate::propnet::lanes::memory::{SlotArray, SlotIndex, Vector};
use crate::propnet::lanes::ops::{ChooseMoves, lanes_in};
use crate::propnet::lanes::program::{LaneProgram, PackedProgram};

/// Which rollouts to run.
#[derive(Clone, Copy)]
pub struct RolloutJob<'g> {
    /// Packed states, one after the other.
    pub states: &'g [u64],
    /// How many games to play from each state.
    pub each: u32,
    /// The seed of the games from the state of this number: game `k` is playout `k` of that seed.
    pub seed: &'g dyn Fn(usize) -> u64,
    /// A game that is longer is given up.
    pub max_plies: u32,
    /// Fluents that are counted at the ends of the games.
    pub tracked: &'g [TrackedBase],
    /// Polled every few plies: whether to go on.
    pub go_on: &'g dyn Fn() -> bool,
}

/// A fluent that is counted at the ends of games, and the role whose goals in these games are added up.
#[derive(Debug, Clone, Copy)]
pub struct TrackedBase {
    /// The fluent.
    pub base: u32,
    /// The role.
    pub role: usize,
}

/// Takes what is told of the games that ended.
pub trait RolloutSink {
    /// A game from the state of this number gives a role exactly one goal.
    fn goal(&mut self, state: usize, role: usize, goal: u8);

    /// By tracked fluent, of games from the state of this number: the sum of the goals of its role in those at whose end it holds, and
    /// how many of these give the role exactly one goal. Each call reports other games.
    fn fluents(&mut self, state: usize, counted: &[(u32, u32)]);
}

/// Runs rollouts from many states; holds the working memory for that.
#[derive(Debug)]
pub struct RolloutRunner {
    inner: IndexWidth<RolloutsByWidth<u16>, RolloutsByWidth<u32>>,
}

impl RolloutRunner {
    /// How many games are played together at most; more are played one batch after the other.
    pub const LANES: usize = MANY;

    /// Working memory for a program.
    pub fn new(program: &LaneProgram) -> Self {
        let inner = program
            .packed
            .map(RolloutsByWidth::new, RolloutsByWidth::new);
        Self { inner }
    }

    /// Plays, and reports how the games ended. Returns whether all games were played.
    pub fn play(&mut self, games: &RolloutJob<'_>, report: &mut dyn RolloutSink) -> bool {
        either!(&mut self.inner, rollouts => rollouts.play(games, report))
    }
}

/// A program with executors of few and of many lanes.
#[derive(Debug)]
struct RolloutsByWidth<P> {
    program: Arc<PackedProgram<P>>,
    few: RolloutLanes<P, 1, 1>,
    /// Made when it is needed first.
    many: Option<RolloutLanes<P, 8, 4>>,
}

impl<P: SlotIndex> RolloutsByWidth<P> {
    fn new(program: &Arc<PackedProgram<P>>) -> Self {
        Self {
            program: Arc::clone(program),
            few: RolloutLanes::new(program),
            many: None,
        }
    }

    fn play(&mut self, games: &RolloutJob<'_>, report: &mut dyn RolloutSink) -> bool {
        let words = self.program.state_words().max(1);
        let count = games.states.len() / words * games.each as usize;
        let mut first = 0;
        while first < count {
            let len = RolloutRunner::LANES.min(count - first);
            let (program, job) = (&self.program, (first, len));
            let complete = match len {
                0..=FEW => self.few.play(program, games, job, report),
                _ => (self.many)
                    .get_or_insert_with(|| RolloutLanes::new(program))
                    .play(program, games, job, report),
            };
            if !complete {
                return false;
            }
            first += len;
        }
        true
    }
}

/// Rollouts in slots of one width.
#[derive(Debug)]
struct RolloutLanes<P, const W: usize, const C: usize> {
    lanes: StateLanes<W>,
    generators: Vec<Generators>,
    /// That of the unspecialised circuit, then those of the turns, made when they are needed first.
    choosers: Vec<Option<Chooser<P, C>>>,
    /// Per lane, which state its game starts from.
    of: Vec<u32>,
    tally: EndTally<W>,
}

/// The progress of the games of a call.
struct RolloutProgress<const W: usize> {
    /// The first turn to be played, if the game has turns and each state is in one of them.
    first_turn: Option<usize>,
    /// Games by the number of plies after which their turn comes and they start.
    classes: Vec<Vector<W>>,
    /// How many plies were played.
    plies: usize,
    /// The game goes on.
    running: Vector<W>,
    /// The rules ended the game.
    ended: Vector<W>,
}

impl<P: SlotIndex, const W: usize, const C: usize> RolloutLanes<P, W, C> {
    fn new(program: &PackedProgram<P>) -> Self {
        Self {
            lanes: StateLanes::new(program),
            generators: vec![Generators::IDLE; W],
            choosers: (0..=program.turn_count()).map(|_| None).collect(),
            of: Vec::new(),
            tally: EndTally::default(),
        }
    }

    /// Plays `len` games, from the one of number `first` on.
    fn play(
        &mut self,
        program: &PackedProgram<P>,
        games: &RolloutJob<'_>,
        (first, len): (usize, usize),
        report: &mut dyn RolloutSink,
    ) -> bool {
        let each = games.each as usize;
        self.of.clear();
        self.of
            .extend((first..first + len).map(|game| (game / each) as u32));
        self.lanes.load(program, games.states, &self.of);
        let mut progress = RolloutProgress::new(program, games.states, &self.of);
        while let Some(starting) = progress.start() {
            if progress.plies.is_multiple_of(program.check_interval) && !(games.go_on)() {
                return false;
            }
            for lane in lanes_in(starting) {
                let game = first + lane;
                let seed = (games.seed)(game / each);
                let generator = Generator::new(seed, (game % each) as u64);
                self.generators[lane / 64].set(lane % 64, generator);
            }
            self.ply(program, &mut progress, games.max_plies as usize);
        }
        self.report(program, games.tracked, progress.ended, report);
        true
    }

    /// Reports how the games of all lanes ended.
    fn report(
        &mut self,
        program: &PackedProgram<P>,
        tracked: &[TrackedBase],
        ended: Vector<W>,
        report: &mut dyn RolloutSink,
    ) {
        let Self {
            lanes, of, tally, ..
        } = self;
        tally.begin(program.roles.len());
        for tracked in tracked {
            let base = program.bases[tracked.base as usize];
            tally.add_fluent(tracked.role, lanes.memory.slots::<P, W>().at(base));
        }
        let circuit = program.whole();
        lanes.run(&circuit.legal_code);
        lanes.goals(circuit, ended, |lane, role, value| {
            report.goal(of[lane] as usize, role, value);
            tally.add_goal(lane, role, value);
        });
        tally.report(lanes.arch, of, report);
    }

    /// Plays one ply in every running lane.
    fn ply(
        &mut self,
        program: &PackedProgram<P>,
        progress: &mut RolloutProgress<W>,
        max_plies: usize,
    ) {
        let turn = progress.turn();
        let circuit = program.at_turn(turn);
        let chooser = &mut self.choosers[turn.map_or(0, |turn| 1 + turn)];
        let chooser = chooser.get_or_insert_with(|| Chooser::new(circuit));
        self.lanes.run(&circuit.legal_code);
        progress.end(self.lanes.memory.slots::<P, W>().at(circuit.terminal));
        progress.give_up(max_plies);
        let able = self.lanes.arch.dispatch(ChooseMoves {
            chooser,
            slots: self.lanes.memory.slots::<P, W>(),
            generators: &mut self.generators,
        });
        for w in 0..W {
            progress.running[w] &= able[w];
        }
        self.lanes.run(&circuit.transition_code);
        let waiting = progress.running.map(|word| !word);
        self.lanes.advance(&circuit.advance, waiting);
        // Not earlier: a fluent's next value may be read from the slot of a move.
        chooser.unmark::<W>(self.lanes.memory.slots::<P, W>());
        progress.plies += 1;
    }
}

impl<const W: usize> RolloutProgress<W> {
    /// Before the first ply of games from these states: lane `i` starts from state `of[i]`.
    fn new<P: SlotIndex>(program: &PackedProgram<P>, states: &[u64], of: &[u32]) -> Self {
        let words = program.state_words();
        let turn = |&of: &u32| program.turn(&states[of as usize * words..][..words]);
        let turns: Option<Vec<usize>> = of.iter().map(turn).collect();
        let first_turn = turns.as_ref().map(|turns| turns[0]);
        let mut progress = Self {
            first_turn,
            classes: vec![[0; W]; first_turn.map_or(1, |_| program.turn_count())],
            plies: 0,
            running: [0; W],
            ended: [0; W],
        };
        for lane in 0..of.len() {
            let wait = match (&turns, first_turn) {
                (Some(turns), Some(first)) => {
                    let period = program.turn_count();
                    (period + turns[lane] - first) % period
                }
                _ => 0,
            };
            progress.classes[wait][lane / 64] |= 1 << (lane % 64);
        }
        progress
    }

    /// The turn of all running games.
    fn turn(&self) -> Option<usize> {
        let first = self.first_turn?;
        Some((first + self.plies) % self.classes.len())
    }

    /// Starts the games whose turn has come, and returns them; `None` when all games are over.
    fn start(&mut self) -> Option<Vector<W>> {
        let starting = self.classes.get(self.plies).copied().unwrap_or([0; W]);
        for w in 0..W {
            self.running[w] |= starting[w];
        }
        let is_over = self.running == [0; W] && self.plies + 1 >= self.classes.len();
        (!is_over).then_some(starting)
    }

    /// Ends the games that are over.
    fn end(&mut self, terminal: &Vector<W>) {
        for w in 0..W {
            self.ended[w] |= self.running[w] & terminal[w];
            self.running[w] &= !terminal[w];
        }
    }

    /// Ends the games that are too long.
    fn give_up(&mut self, max_plies: usize) {
        let first = self.plies.checked_sub(max_plies);
        if let Some(class) = first.and_then(|waited| self.classes.get(waited)) {
            for w in 0..W {
                self.running[w] &= !class[w];
            }
        }
    }
}
