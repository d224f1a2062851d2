//! Two small games written by hand, for the tests of every module above this one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::{InvalidFacts, Role, Scalar, StateMachine};

/// Two players take 1 to `most` from a heap in turn; who takes the last one wins.
#[derive(Debug, Clone)]
pub(crate) struct Subtraction {
    roles: [String; 2],
    heap: u32,
    most: u32,
    is_eager: bool,
    steps: Arc<AtomicU64>,
}

impl Subtraction {
    pub(crate) fn new(heap: u32, most: u32) -> Self {
        Self {
            roles: ["first".to_owned(), "second".to_owned()],
            heap,
            most,
            is_eager: false,
            steps: Arc::default(),
        }
    }

    /// The same game; searches make all children of a state at once.
    pub(crate) fn eager(self) -> Self {
        Self {
            is_eager: true,
            ..self
        }
    }

    /// How many states were made of others so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps.load(Relaxed)
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Heap {
    left: u32,
    mover: usize,
}

impl Scalar for Subtraction {
    fn likely_children(&self) -> Option<usize> {
        self.is_eager.then_some(0)
    }
}

impl StateMachine for Subtraction {
    type State = Heap;
    type Move = u32;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Heap {
        Heap {
            left: self.heap,
            mover: 0,
        }
    }

    fn scratch(&self) {}

    fn is_terminal(&self, _: &mut (), state: &Heap) -> bool {
        state.left == 0
    }

    fn legal(&self, _: &mut (), state: &Heap, role: Role, moves: &mut Vec<u32>) {
        moves.clear();
        if role.0 == state.mover {
            moves.extend(1..=self.most.min(state.left));
        } else {
            moves.push(0);
        }
    }

    fn next(&self, _: &mut (), state: &Heap, joint: &[u32]) -> Heap {
        self.steps.fetch_add(1, Relaxed);
        Heap {
            left: state.left - joint[state.mover],
            mover: 1 - state.mover,
        }
    }

    fn goal(&self, _: &mut (), state: &Heap, role: Role) -> Option<u8> {
        (state.left == 0).then_some(if role.0 == state.mover { 0 } else { 100 })
    }

    fn move_text(&self, mv: u32) -> String {
        match mv {
            0 => "noop".to_owned(),
            taken => format!("(take {taken})"),
        }
    }

    fn state_text(&self, state: &Heap) -> Vec<String> {
        let control = format!("(control {})", self.roles[state.mover]);
        vec![control, format!("(heap {})", state.left)]
    }

    fn state_from_text(&self, facts: &[String]) -> Result<Heap, InvalidFacts> {
        let read = |fact: &String| fact.strip_prefix("(heap ")?.strip_suffix(')')?.parse().ok();
        let left = facts
            .iter()
            .find_map(read)
            .ok_or_else(|| InvalidFacts("no heap".to_owned()))?;
        let second = facts.iter().any(|fact| fact == "(control second)");
        Ok(Heap {
            left,
            mover: usize::from(second),
        })
    }
}

/// Both players show a hand at once, `rounds` times; each round won is worth a point, and goals follow the points.
pub(crate) struct Hands {
    roles: [String; 2],
    rounds: u32,
}

impl Hands {
    pub(crate) fn new(rounds: u32) -> Self {
        Self {
            roles: ["left".to_owned(), "right".to_owned()],
            rounds,
        }
    }
}

const HANDS: [&str; 3] = ["rock", "paper", "scissors"];

/// Rounds played, and rounds won by each.
pub(crate) type HandsState = (u32, [u32; 2]);

impl Scalar for Hands {}

impl StateMachine for Hands {
    type State = HandsState;
    type Move = usize;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> HandsState {
        (0, [0, 0])
    }

    fn scratch(&self) {}

    fn is_terminal(&self, _: &mut (), state: &HandsState) -> bool {
        state.0 == self.rounds
    }

    fn legal(&self, _: &mut (), _: &HandsState, _: Role, moves: &mut Vec<usize>) {
        moves.clear();
        moves.extend(0..HANDS.len());
    }

    fn next(&self, _: &mut (), state: &HandsState, joint: &[usize]) -> HandsState {
        let (round, mut won) = *state;
        match (3 + joint[0] - joint[1]) % 3 {
            1 => won[0] += 1,
            2 => won[1] += 1,
            _ => {}
        }
        (round + 1, won)
    }

    fn goal(&self, _: &mut (), (_, won): &HandsState, role: Role) -> Option<u8> {
        Some(match won[role.0].cmp(&won[1 - role.0]) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 50,
            std::cmp::Ordering::Greater => 100,
        })
    }

    fn move_text(&self, mv: usize) -> String {
        HANDS[mv].to_owned()
    }

    fn state_text(&self, (round, won): &HandsState) -> Vec<String> {
        let score = |role: usize| format!("(score {} {})", self.roles[role], won[role]);
        vec![format!("(round {round})"), score(0), score(1)]
    }

    fn state_from_text(&self, facts: &[String]) -> Result<HandsState, InvalidFacts> {
        let number = |start: &str| {
            let read = |fact: &String| fact.strip_prefix(start)?.strip_suffix(')')?.parse().ok();
            facts
                .iter()
                .find_map(read)
                .ok_or_else(|| InvalidFacts(format!("no fact {start}N)")))
        };
        Ok((
            number("(round ")?,
            [number("(score left ")?, number("(score right ")?],
        ))
    }
}
