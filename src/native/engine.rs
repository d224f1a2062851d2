//! Hand-written rules as a state machine.

use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, OnceLock};

use pulp::Arch;
use smallvec::{SmallVec, smallvec};

use crate::game::{
    Ends, Evaluation, GameFacts, InvalidFacts, PlayoutOptions, PlayoutTotals, Playouts, Role,
    RolloutOptions, StateMachine, Stopped,
};
use crate::kif::read_each;
use crate::native::bits::squares;
use crate::native::facts::FactReader;
use crate::native::move_set::MoveSet;
use crate::native::paths;
use crate::native::playouts::PlayoutWork;
use crate::native::rules::NativeRules;

/// A hand-written game as a [`StateMachine`], with the roles, facts and moves of its rule file.
#[derive(Debug, Clone)]
pub struct NativeEngine<R> {
    pub(super) rules: Arc<R>,
    roles: [String; 2],
    /// The fact of each bit.
    texts: Arc<[Option<String>]>,
    /// How to find the game facts in the rule file.
    fact_source: Option<FactSource>,
    about: OnceLock<Option<About>>,
}

/// Finds the game facts in the rule file.
#[derive(Clone)]
pub struct FactSource(Arc<dyn Fn() -> Option<GameFacts> + Send + Sync>);

impl FactSource {
    /// Calls `find` at most once.
    pub fn new(find: impl Fn() -> Option<GameFacts> + Send + Sync + 'static) -> Self {
        Self(Arc::new(find))
    }
}

impl fmt::Debug for FactSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FactSource")
    }
}

/// The game facts of the rule file.
#[derive(Debug, Clone)]
struct About {
    game_facts: GameFacts,
    /// The numbers of the native engine's facts in the game facts. Those that never hold have none.
    numbers: Vec<Option<usize>>,
}

impl<R: NativeRules> NativeEngine<R> {
    /// The engine of these rules.
    pub fn new(rules: R) -> Self {
        Self {
            roles: R::ROLES.map(str::to_owned),
            texts: (0..64 * R::FACT_WORDS)
                .map(|bit| rules.fact(bit / 64, bit as u32 % 64))
                .collect(),
            rules: Arc::new(rules),
            fact_source: None,
            about: OnceLock::new(),
        }
    }

    /// The same engine with game facts.
    #[must_use]
    pub fn with_game_facts(self, source: FactSource) -> Self {
        Self {
            fact_source: Some(source),
            about: OnceLock::new(),
            ..self
        }
    }

    fn about(&self) -> Option<&About> {
        let find_out = || {
            let FactSource(find) = self.fact_source.as_ref()?;
            let game_facts = find()?;
            let texts = self.texts.iter();
            let numbers = texts.map(|text| game_facts.number(text.as_ref()?));
            Some(About {
                numbers: numbers.collect(),
                game_facts,
            })
        };
        self.about.get_or_init(find_out).as_ref()
    }

    /// The number of paths of `depth` plies from `position`. Terminal positions are not extended, and the last ply is
    /// counted without being made.
    pub fn paths(&self, position: &R::State, depth: u32) -> u64 {
        let moves = self.rules.moves(position);
        paths::from(&*self.rules, *position, moves, depth)
    }

    /// Replaces the contents of `moves` by the legal moves of `role` in `position`. `set` is those of the role in control.
    pub(super) fn list(
        rules: &R,
        (position, mut set): (&R::State, R::Moves),
        role: Role,
        moves: &mut Vec<R::Move>,
    ) {
        moves.clear();
        if role.0 == rules.in_control(position) {
            let indices = std::iter::from_fn(|| set.pop());
            moves.extend(indices.map(|index| rules.move_at(position, index)));
        } else {
            moves.push(R::NOOP);
        }
    }
}

/// The numbers of the set bits, over all words.
fn bits(words: &[u64]) -> impl Iterator<Item = usize> {
    let words = words.iter().enumerate();
    words.flat_map(|(index, &word)| squares(word).map(move |bit| 64 * index + bit as usize))
}

impl<R: NativeRules + Default> Default for NativeEngine<R> {
    fn default() -> Self {
        Self::new(R::default())
    }
}

impl<R: NativeRules> StateMachine for NativeEngine<R> {
    type State = R::State;
    type Move = R::Move;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> R::State {
        self.rules.start()
    }

    fn scratch(&self) {}

    fn is_terminal(&self, (): &mut (), state: &R::State) -> bool {
        self.rules.is_over(state, &self.rules.moves(state))
    }

    fn legal(&self, (): &mut (), state: &R::State, role: Role, moves: &mut Vec<R::Move>) {
        Self::list(&self.rules, (state, self.rules.moves(state)), role, moves);
    }

    fn next(&self, (): &mut (), state: &R::State, joint: &[R::Move]) -> R::State {
        self.rules
            .play(state, joint[self.rules.in_control(state)])
            .0
    }

    fn goal(&self, (): &mut (), state: &R::State, role: Role) -> Option<u8> {
        let goals = self.rules.goals(state, &self.rules.moves(state))?;
        Some(goals[role.0])
    }

    fn game_facts(&self) -> Option<&GameFacts> {
        self.about().map(|about| &about.game_facts)
    }

    fn mark_facts(&self, state: &R::State, words: &mut [u64]) {
        let Some(about) = self.about() else {
            return;
        };
        let mut marked: SmallVec<[u64; 12]> = smallvec![0; R::FACT_WORDS];
        self.rules.mark(state, &mut marked);
        words.fill(0);
        for number in bits(&marked).filter_map(|bit| about.numbers[bit]) {
            words[number / 64] |= 1 << (number % 64);
        }
    }

    fn evaluations(&self) -> &'static [&'static str] {
        self.rules.evaluations()
    }

    fn evaluation(&self, name: &str) -> Option<Evaluation<'_, R::State>> {
        self.rules.evaluation(name)
    }

    fn move_text(&self, mv: R::Move) -> String {
        self.rules.move_text(mv)
    }

    fn state_text(&self, state: &R::State) -> Vec<String> {
        let mut words = vec![0; R::FACT_WORDS];
        self.rules.mark(state, &mut words);
        let facts = bits(&words).filter_map(|bit| self.texts[bit].clone());
        let mut facts: Vec<String> = facts.collect();
        facts.sort_unstable();
        facts
    }

    fn state_from_text(&self, facts: &[String]) -> Result<R::State, InvalidFacts> {
        let facts = read_each(facts)?;
        let mut facts = FactReader::new(&facts)?;
        let position = self.rules.read(&mut facts)?;
        facts.finish()?;
        Ok(position)
    }
}

impl<R: NativeRules> Playouts for NativeEngine<R> {
    fn lanes(&self) -> usize {
        R::LANES
    }

    fn playouts(
        &self,
        state: &R::State,
        options: PlayoutOptions<'_>,
    ) -> (PlayoutTotals, Result<(), Stopped>) {
        let work = PlayoutWork {
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
        states: &[R::State],
        options: RolloutOptions<'_>,
        ends: &mut Ends,
    ) -> Result<(), Stopped> {
        ends.begin(states.len(), R::ROLES.len(), 0);
        for (number, state) in states.iter().enumerate() {
            let (totals, ended) = self.playouts(state, options.from_state(number));
            ended?;
            totals.report(number, ends);
        }
        Ok(())
    }
}
