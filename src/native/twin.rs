//! Rules as a game.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use pulp::Arch;

use crate::game::{
    Ends, Evaluation, Game, PlayoutOptions, PlayoutTotals, Playouts, Role, RolloutOptions, Stopped,
};
use crate::native::facts::Facts;
use crate::native::paths;
use crate::native::places::PlaceSet;
use crate::native::playouts::Work;
use crate::native::rules::Rules;

/// A hand-written game, behind the same face as one from a rule file, and speaking the same words.
#[derive(Debug, Clone)]
pub struct Twin<R> {
    pub(super) rules: Arc<R>,
    roles: [String; 2],
}

impl<R: Rules> Twin<R> {
    /// The game with these rules.
    pub fn new(rules: R) -> Self {
        Self {
            rules: Arc::new(rules),
            roles: R::ROLES.map(str::to_owned),
        }
    }

    /// The number of paths of `depth` plies from `position`: what is over is not extended, and the last ply is counted
    /// without being made.
    pub fn paths(&self, position: &R::Position, depth: u32) -> u64 {
        let places = self.rules.places(position);
        paths::from(&*self.rules, *position, places, depth)
    }

    /// Replaces the contents of `moves` by what `role` may do where these are the `places`.
    pub(super) fn list(
        rules: &R,
        (position, mut places): (&R::Position, R::Places),
        role: Role,
        moves: &mut Vec<R::Step>,
    ) {
        moves.clear();
        if role.0 == rules.mover(position) {
            let steps = std::iter::from_fn(|| places.pop());
            moves.extend(steps.map(|place| rules.step(position, place)));
        } else {
            moves.push(R::NOOP);
        }
    }
}

impl<R: Rules + Default> Default for Twin<R> {
    fn default() -> Self {
        Self::new(R::default())
    }
}

impl<R: Rules> Game for Twin<R> {
    type State = R::Position;
    type Move = R::Step;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> R::Position {
        self.rules.start()
    }

    fn scratch(&self) {}

    fn is_terminal(&self, (): &mut (), state: &R::Position) -> bool {
        self.rules.is_over(state, &self.rules.places(state))
    }

    fn legal(&self, (): &mut (), state: &R::Position, role: Role, moves: &mut Vec<R::Step>) {
        Self::list(&self.rules, (state, self.rules.places(state)), role, moves);
    }

    fn next(&self, (): &mut (), state: &R::Position, joint: &[R::Step]) -> R::Position {
        self.rules.play(state, joint[self.rules.mover(state)]).0
    }

    fn goal(&self, (): &mut (), state: &R::Position, role: Role) -> Option<u8> {
        let goals = self.rules.goals(state, &self.rules.places(state))?;
        Some(goals[role.0])
    }

    fn evaluations(&self) -> &'static [&'static str] {
        self.rules.evaluations()
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, R::Position>> {
        self.rules.evaluation(name)
    }

    fn move_text(&self, mv: R::Step) -> String {
        self.rules.step_text(mv)
    }

    fn state_text(&self, state: &R::Position) -> Vec<String> {
        let mut facts = self.rules.facts(state);
        facts.sort_unstable();
        facts
    }

    fn state_from_text(&self, facts: &[String]) -> Result<R::Position, String> {
        let mut facts = Facts::new(facts)?;
        let position = self.rules.read(&mut facts)?;
        facts.finish()?;
        Ok(position)
    }
}

impl<R: Rules> Playouts for Twin<R> {
    fn lanes(&self) -> usize {
        R::LANES
    }

    fn playouts(
        &self,
        state: &R::Position,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        let work = Work {
            rules: &*self.rules,
            start: state,
            options,
            taken: AtomicU64::new(0),
        };
        options.in_threads(|| Arch::new().dispatch(&work))
    }

    fn rollouts(
        &self,
        (): &mut (),
        states: &[R::Position],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped> {
        ends.begin(states.len(), R::ROLES.len());
        for (number, state) in states.iter().enumerate() {
            let (totals, ended) = self.playouts(state, options.from_state(number));
            ended?;
            totals.tell(number, ends);
        }
        Ok(())
    }
}
