//! The promises of [`Engine`]: playouts and batches agree with single steps.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::check_machine::Violation;
use crate::game::{
    Ends, Engine, JointMoves, PlayoutOptions, PlayoutTotals, PositionBatch, Role, RolloutOptions,
    legal_of_all, random_joint_move,
};
use crate::util::Deadline;

/// How many children are made of each state on average.
const CHILDREN: usize = 3;

/// The paths from so many states are counted, …
const COUNTED: usize = 4;
/// … unless they are more than this.
const MOST_PATHS: u64 = 3_000;

/// Tests playouts and expansion on the states of `walks` random walks of at most `max_steps` steps, all states at once,
/// and on as many playouts: batches answer as the game does, playouts do not depend on the number of threads, and
/// games from many states at once are the playouts from each.
///
/// # Errors
/// The first promise found broken.
pub fn check_engine<G: Engine>(
    game: &G,
    seed: u64,
    walks: usize,
    max_steps: usize,
) -> Result<(), Violation> {
    let mut check = EngineCheck {
        game,
        scratch: game.scratch(),
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    };
    let states: Vec<G::State> = (0..walks).flat_map(|_| check.walk(max_steps)).collect();
    check.batches(&states)?;
    check.playouts(seed, walks as u64)?;
    check.rollouts(&states, seed)
}

struct EngineCheck<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    rng: Xoshiro256PlusPlus,
}

impl<G: Engine> EngineCheck<'_, G> {
    /// The states of a random walk.
    fn walk(&mut self, max_steps: usize) -> Vec<G::State> {
        let mut states = vec![self.game.initial()];
        for step in 0..max_steps {
            let Some(joint) = self.joint_move(&states[step]) else {
                break;
            };
            let next = self.game.next(&mut self.scratch, &states[step], &joint);
            states.push(next);
        }
        states
    }

    /// A random joint move, if the game goes on.
    fn joint_move(&mut self, state: &G::State) -> Option<Vec<G::Move>> {
        if self.game.is_terminal(&mut self.scratch, state) {
            return None;
        }
        let mut legal = Vec::new();
        legal_of_all(self.game, &mut self.scratch, state, &mut legal);
        random_joint_move(&legal, &mut self.rng)
    }

    fn batches(&mut self, states: &[G::State]) -> Result<(), Violation> {
        let (mut parents, mut children) = (self.game.batch(), self.game.batch());
        self.game
            .evaluate_batch(&mut self.scratch, states, &mut parents);
        self.same(states, &parents)?;
        let (mut of, mut moves, mut expected) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..states.len() * CHILDREN {
            let parent = self.rng.random_range(0..states.len());
            if let Some(joint) = self.joint_move(&states[parent]) {
                expected.push(self.game.next(&mut self.scratch, &states[parent], &joint));
                of.push(parent as u32);
                moves.extend(joint);
            }
        }
        let (game, scratch) = (self.game, &mut self.scratch);
        game.expand(scratch, &parents, &of, &moves, &mut children);
        self.same(&expected, &children)?;
        let mut some = states.iter().step_by(states.len().div_ceil(COUNTED));
        some.try_for_each(|state| self.paths(state))
    }

    /// Whether paths are counted as they are found state by state.
    fn paths(&mut self, state: &G::State) -> Result<(), Violation> {
        let mut batch = self.game.batch();
        for depth in 2..=4 {
            let (game, scratch) = (self.game, &mut self.scratch);
            game.evaluate_batch(scratch, std::slice::from_ref(state), &mut batch);
            let Some(counted) = game.paths(scratch, &batch, depth) else {
                continue;
            };
            let Some(found) = self.paths_from(state, depth, &mut { MOST_PATHS }) else {
                break;
            };
            if counted != found {
                let detail = format!("{counted} of {depth} plies instead of {found}");
                return Err(self.violation("paths are counted as they are", detail, state));
            }
        }
        Ok(())
    }

    /// The number of paths, unless there are more than `left`.
    fn paths_from(&mut self, state: &G::State, depth: u32, left: &mut u64) -> Option<u64> {
        if self.game.is_terminal(&mut self.scratch, state) {
            return Some(0);
        }
        let mut legal = Vec::new();
        legal_of_all(self.game, &mut self.scratch, state, &mut legal);
        let mut joints = JointMoves::new(&legal);
        *left = left.checked_sub(joints.count())?;
        if depth == 1 {
            return Some(joints.count());
        }
        let mut all = 0;
        while let Some(joint) = joints.advance() {
            let next = self.game.next(&mut self.scratch, state, joint);
            all += self.paths_from(&next, depth - 1, left)?;
        }
        Some(all)
    }

    /// Whether the batch is that of these states.
    fn same(&mut self, states: &[G::State], batch: &G::Batch) -> Result<(), Violation> {
        if states.len() != batch.len() {
            let detail = format!("{} instead of {}", batch.len(), states.len());
            return Err(self.violation("a batch holds the states asked for", detail, &states[0]));
        }
        for (index, state) in states.iter().enumerate() {
            if batch.state(index) != *state {
                let other = self.game.state_text(&batch.state(index)).join(" ");
                let promise = "expansion leads to the same states as single steps";
                return Err(self.violation(promise, format!("differs from {other}"), state));
            }
            self.same_answers(state, batch, index)?;
        }
        Ok(())
    }

    fn same_answers(
        &mut self,
        state: &G::State,
        batch: &G::Batch,
        index: usize,
    ) -> Result<(), Violation> {
        let promise = "a batch answers as the game does";
        let is_terminal = self.game.is_terminal(&mut self.scratch, state);
        if batch.is_terminal(index) != is_terminal {
            return Err(self.violation(promise, format!("terminal: {is_terminal}"), state));
        }
        let (mut legal, mut moves) = (Vec::new(), Vec::new());
        for role in (0..self.game.roles().len()).map(Role) {
            if is_terminal {
                let goal = self.game.goal(&mut self.scratch, state, role);
                let other = batch.goal(index, role);
                if other != goal {
                    let detail = format!("{role:?} scores {other:?}, not {goal:?}");
                    return Err(self.violation(promise, detail, state));
                }
                continue;
            }
            self.game.legal(&mut self.scratch, state, role, &mut legal);
            batch.legal(index, role, &mut moves);
            let count = batch.legal_count(index, role);
            if (&moves, count) != (&legal, legal.len()) {
                let detail = format!("{role:?} may {count}: {moves:?}, not {legal:?}");
                return Err(self.violation(promise, detail, state));
            }
        }
        Ok(())
    }

    fn playouts(&self, seed: u64, count: u64) -> Result<(), Violation> {
        let one = self.totals(seed, count, 1);
        let start = self.game.initial();
        if one.playouts != count {
            let detail = format!("{} instead of {count}", one.playouts);
            return Err(self.violation("as many games are played as asked for", detail, &start));
        }
        let two = self.totals(seed, count, 2);
        if one != two {
            let promise = "playouts do not depend on the number of threads";
            return Err(self.violation(promise, format!("{one:?}, {two:?}"), &start));
        }
        Ok(())
    }

    fn totals(&self, seed: u64, count: u64, threads: usize) -> PlayoutTotals {
        let options = PlayoutOptions {
            seed,
            count,
            max_plies: 200,
            threads,
            deadline: &Deadline::default(),
        };
        self.game.playouts(&self.game.initial(), options).0
    }

    fn rollouts(&mut self, states: &[G::State], seed: u64) -> Result<(), Violation> {
        // Long enough to end in small games, and to be given up in large ones.
        for (each, max_plies) in [(1, 200), (3, 20)] {
            let options = RolloutOptions {
                seed,
                each,
                max_plies,
                tracked: &[],
                deadline: &Deadline::default(),
            };
            let mut ends = Ends::default();
            let _ = self
                .game
                .rollouts(&mut self.scratch, states, options, &mut ends);
            for (number, state) in states.iter().enumerate() {
                let (totals, _) = self.game.playouts(state, options.from_state(number));
                let expected: Vec<_> = totals.goal_sum.into_iter().zip(totals.goal_count).collect();
                let roles = 0..self.game.roles().len();
                let found: Vec<_> = roles.map(|role| ends.goals(number, role)).collect();
                if found != expected {
                    let promise = "games from many states are the playouts from each";
                    return Err(self.violation(
                        promise,
                        format!("{found:?}, not {expected:?}"),
                        state,
                    ));
                }
            }
        }
        Ok(())
    }

    fn violation(&self, promise: &'static str, detail: String, state: &G::State) -> Violation {
        let state = self.game.state_text(state);
        Violation {
            promise,
            detail,
            state,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::InvalidFacts;
    use crate::game::fixture::{Hands, HandsState, Subtraction};
    use crate::game::{Expansion, Playouts, ScalarBatch, StateMachine, Stopped};

    #[derive(PartialEq)]
    enum EngineFault {
        Nothing,
        LostState,
        WrongParent,
        Paths,
        ForeignState,
        MorePlayouts,
        Threads,
        Rollouts,
    }

    /// An engine with one wrong playout or batch operation.
    struct FaultyEngine(Hands, EngineFault);

    impl StateMachine for FaultyEngine {
        type State = HandsState;
        type Move = usize;
        type Scratch = ();

        fn roles(&self) -> &[String] {
            self.0.roles()
        }
        fn initial(&self) -> HandsState {
            self.0.initial()
        }
        fn scratch(&self) {}
        fn is_terminal(&self, scratch: &mut (), state: &HandsState) -> bool {
            self.0.is_terminal(scratch, state)
        }
        fn legal(&self, scratch: &mut (), state: &HandsState, role: Role, moves: &mut Vec<usize>) {
            self.0.legal(scratch, state, role, moves);
        }
        fn next(&self, scratch: &mut (), state: &HandsState, joint: &[usize]) -> HandsState {
            self.0.next(scratch, state, joint)
        }
        fn goal(&self, scratch: &mut (), state: &HandsState, role: Role) -> Option<u8> {
            self.0.goal(scratch, state, role)
        }
        fn move_text(&self, mv: usize) -> String {
            self.0.move_text(mv)
        }
        fn state_text(&self, state: &HandsState) -> Vec<String> {
            self.0.state_text(state)
        }
        fn state_from_text(&self, facts: &[String]) -> Result<HandsState, InvalidFacts> {
            self.0.state_from_text(facts)
        }
    }

    impl Expansion for FaultyEngine {
        type Batch = ScalarBatch<Hands>;

        fn batch(&self) -> ScalarBatch<Hands> {
            self.0.batch()
        }
        fn batch_size(&self) -> usize {
            1
        }
        fn evaluate_batch(
            &self,
            scratch: &mut (),
            states: &[HandsState],
            batch: &mut ScalarBatch<Hands>,
        ) {
            let mut states = states.to_vec();
            match self.1 {
                EngineFault::LostState => states.truncate(1),
                EngineFault::ForeignState => states[0] = (4, [1, 1]),
                _ => {}
            }
            self.0.evaluate_batch(scratch, &states, batch);
        }
        fn expand(
            &self,
            scratch: &mut (),
            parents: &ScalarBatch<Hands>,
            of: &[u32],
            moves: &[usize],
            children: &mut ScalarBatch<Hands>,
        ) {
            let mut of = of.to_vec();
            if self.1 == EngineFault::WrongParent {
                of.fill(0);
            }
            self.0.expand(scratch, parents, &of, moves, children);
        }
        fn paths(&self, _: &mut (), batch: &ScalarBatch<Hands>, _: u32) -> Option<u64> {
            (self.1 == EngineFault::Paths).then_some(100 * batch.len() as u64)
        }
    }

    impl Playouts for FaultyEngine {
        fn lanes(&self) -> usize {
            1
        }
        fn playouts(
            &self,
            state: &HandsState,
            mut options: PlayoutOptions<'_>,
        ) -> (PlayoutTotals, Result<(), Stopped>) {
            match self.1 {
                EngineFault::MorePlayouts => options.count += 1,
                EngineFault::Threads => options.seed += options.threads as u64,
                _ => {}
            }
            self.0.playouts(state, options)
        }
        fn rollouts(
            &self,
            scratch: &mut (),
            states: &[HandsState],
            mut options: RolloutOptions<'_>,
            ends: &mut Ends,
        ) -> Result<(), Stopped> {
            if self.1 == EngineFault::Rollouts {
                options.seed += 1;
            }
            self.0.rollouts(scratch, states, options, ends)
        }
    }

    #[test]
    fn every_promise_is_tested() {
        let broken = |fault| {
            let checked = check_engine(&FaultyEngine(Hands::new(4), fault), 1, 4, 3);
            checked.err().map(|broken| broken.promise)
        };
        let lost = "a batch holds the states asked for";
        let elsewhere = "expansion leads to the same states as single steps";
        let counted = "paths are counted as they are";
        let more = "as many games are played as asked for";
        let others = "games from many states are the playouts from each";
        let threads = "playouts do not depend on the number of threads";
        assert_eq!(broken(EngineFault::Nothing), None);
        assert_eq!(broken(EngineFault::LostState), Some(lost));
        assert_eq!(broken(EngineFault::ForeignState), Some(elsewhere));
        assert_eq!(broken(EngineFault::WrongParent), Some(elsewhere));
        assert_eq!(broken(EngineFault::Paths), Some(counted));
        assert_eq!(broken(EngineFault::MorePlayouts), Some(more));
        assert_eq!(broken(EngineFault::Threads), Some(threads));
        assert_eq!(broken(EngineFault::Rollouts), Some(others));
    }

    #[test]
    fn well_behaved_engines_pass() {
        check_engine(&Subtraction::new(20, 3), 1, 4, 30).unwrap();
        check_engine(&Hands::new(4), 1, 4, 3).unwrap();
    }
}
