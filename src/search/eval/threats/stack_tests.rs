//! The search stack marks the threats of all states, whichever plies it evaluates.

use std::sync::Arc;

use super::tests::{board, threats};
use super::*;
use crate::game::{InvalidFacts, PositionBatch, Role, Scalar, StateMachine};
use crate::search::alphabeta::plies::EngineStack;
use crate::search::alphabeta::stack::{SearchStack, Side};

/// Two roles mark the cells of a board in turn; who has a line of three in a row or a column wins.
struct Lines {
    roles: [String; 2],
    facts: GameFacts,
}

/// What each cell holds: nothing, o or x.
type Marked = [usize; 9];

impl Lines {
    fn new() -> Self {
        Self {
            roles: ["o", "x"].map(str::to_owned),
            facts: board(),
        }
    }

    fn mover(state: &Marked) -> usize {
        state.iter().filter(|&&what| what > 0).count() % 2
    }

    fn wins(&self, state: &Marked, role: usize) -> bool {
        let holds = |fact: &u32| state[*fact as usize / 3] == *fact as usize % 3;
        let mut lines = self.facts.goals[role][0].implicants.iter();
        lines.any(|line| line.needs.iter().all(holds))
    }
}

impl Scalar for Lines {}

impl StateMachine for Lines {
    type State = Marked;
    type Move = usize;
    type Scratch = ();

    fn roles(&self) -> &[String] {
        &self.roles
    }

    fn initial(&self) -> Marked {
        [0; 9]
    }

    fn scratch(&self) {}

    fn is_terminal(&self, (): &mut (), state: &Marked) -> bool {
        (0..2).any(|role| self.wins(state, role)) || !state.contains(&0)
    }

    fn legal(&self, (): &mut (), state: &Marked, role: Role, moves: &mut Vec<usize>) {
        moves.clear();
        match role.0 == Self::mover(state) {
            true => moves.extend((0..9).filter(|&cell| state[cell] == 0)),
            false => moves.push(9),
        }
    }

    fn next(&self, (): &mut (), state: &Marked, joint: &[usize]) -> Marked {
        let mover = Self::mover(state);
        let mut next = *state;
        next[joint[mover]] = 1 + mover;
        next
    }

    fn goal(&self, (): &mut (), state: &Marked, role: Role) -> Option<u8> {
        Some(
            match [role.0, 1 - role.0].map(|role| self.wins(state, role)) {
                [true, _] => 100,
                [_, true] => 0,
                _ => 50,
            },
        )
    }

    fn move_text(&self, mv: usize) -> String {
        format!("(mark {mv})")
    }

    fn state_text(&self, state: &Marked) -> Vec<String> {
        let facts = state.iter().enumerate();
        let fact = |(cell, what): (usize, &usize)| self.facts.facts[3 * cell + what].clone();
        facts.map(fact).collect()
    }

    fn state_from_text(&self, facts: &[String]) -> Result<Marked, InvalidFacts> {
        Err(InvalidFacts(facts.join(" ")))
    }

    fn game_facts(&self) -> Option<&GameFacts> {
        Some(&self.facts)
    }
}

/// A state with its threats, by itself.
fn marked(game: &Lines, state: &Marked, is_over: bool) -> Vec<u64> {
    let threats = threats();
    let mut words = vec![0; threats.facts().div_ceil(64)];
    game.mark_facts(state, &mut words[..game.facts.words()]);
    if !is_over {
        threats.mark(&mut words, &mut MissingFacts::default());
    }
    words
}

#[test]
fn states_are_marked_wherever_evaluation_begins() {
    let game = Lines::new();
    // o moves; each side can complete a line.
    let root = [1, 1, 0, 2, 2, 0, 0, 0, 0];
    for first in 0..=2 {
        let mut stack = EngineStack::new(&game, &root, Role(0), None);
        stack.mark_facts(Some(Arc::new(threats())));
        stack.evaluate_from(first);
        stack.load(&[root]);
        stack.expand_siblings(0, &[(0, Side::Own)]);
        let open = (0..stack.len(1)).filter(|&child| !stack.batch(1).is_terminal(child));
        let parents: Vec<(u32, Side)> = open.map(|child| (child as u32, Side::Others)).collect();
        assert_eq!((stack.len(1), parents.len()), (5, 4), "a win ends the game");
        stack.expand_siblings(1, &parents);
        // Earlier plies have no children that are evaluated, and those of the last one of them are marked when their children are.
        for ply in (first.max(1) - 1..=2).rev() {
            for index in 0..stack.len(ply) {
                let info = stack.info(ply, index);
                if ply < first && info.is_over {
                    continue;
                }
                let state = stack.batch(ply).state(index);
                let expected = marked(&game, &state, info.is_over);
                assert_eq!(stack.words(ply, index), expected, "{first}: {state:?}");
            }
        }
    }
}

/// The same on a board whose facts fill more than one word.
#[test]
fn threats_begin_within_a_word() {
    let facts = 70;
    let record = ThreatRecord {
        implicants: vec![vec![0, 65, 66]],
        cells: [0, 65, 66]
            .map(|fact| ThreatCell {
                filled: vec![fact],
                contents: vec![fact],
            })
            .to_vec(),
    };
    let threats = Threats::of_record(record, facts).unwrap();
    let (mut memory, before) = (MissingFacts::default(), vec![1, 0b10]);
    let mut entered = before.clone();
    threats.mark(&mut entered, &mut memory);
    assert_eq!(entered, [1, 0b10 | 1 << (70 + 2 - 64)]);
    for after in [[1, 0b110], [0, 0b110], [1, 0b10], [1, 0]] {
        let (mut follows, mut alone) = (after, after);
        threats.mark_after(&entered, &mut follows, &mut memory);
        threats.mark(&mut alone, &mut MissingFacts::default());
        assert_eq!(follows, alone, "{after:?}");
    }
}
