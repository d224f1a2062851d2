//! States that are the same but for symmetries of the game.

use super::StateSpace;
use super::games::{GameCount, UncountedGames, count};
use super::graph::GraphPart;
use super::kind::StateKind;
use super::reverse::ReverseGraph;
use super::table::StateNumber;
use crate::engine::{Bits, Propnet};
use crate::game::StateMachine;
use crate::util::{Deadline, SparseCheck};

/// How large a game is but for its symmetries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateClasses {
    /// Sets of states of which each becomes each other one by a symmetry.
    pub classes: u64,
    /// Ways to play to an end, from class to class: moves that lead to the same class count once.
    pub games: GameCount,
}

/// Why there are no classes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoClasses {
    /// The graph is missing, or the deadline is due.
    #[error(transparent)]
    Uncounted(#[from] UncountedGames),
    /// States that a symmetry exchanges lead to others, or end in another way.
    #[error("a symmetry of the rules does not hold in all states")]
    NotSymmetric,
}

/// The graph of a space, by the numbers of states.
struct GraphByState<'g> {
    kinds: Vec<StateKind>,
    targets: Vec<&'g [StateNumber]>,
}

impl<'g> GraphByState<'g> {
    fn new(parts: &'g [GraphPart], end: usize) -> Self {
        let mut graph = Self {
            kinds: vec![StateKind::NONE; end],
            targets: vec![&[]; end],
        };
        for part in parts {
            let mut rest = &part.targets[..];
            for ((state, kind), degree) in part.states.iter().zip(&part.kinds).zip(&part.degrees) {
                let (own, others) = rest.split_at(usize::from(*degree));
                rest = others;
                graph.kinds[*state as usize] = *kind;
                graph.targets[*state as usize] = own;
            }
        }
        graph
    }

    fn states(&self) -> impl Iterator<Item = StateNumber> {
        let states = self.kinds.iter().zip(0..);
        states.filter_map(|(kind, state)| (*kind != StateKind::NONE).then_some(state))
    }
}

impl StateSpace {
    /// The classes of states by symmetries, each given by the facts that it moves and by what they become. The graph must have
    /// been kept. Each symmetry is checked in every state.
    ///
    /// # Errors
    /// [`NoClasses`]: a symmetry does not hold, there is no graph, or the deadline is due.
    pub fn classes(
        &self,
        game: &Propnet,
        symmetries: &[Vec<(String, String)>],
        deadline: &Deadline,
    ) -> Result<StateClasses, NoClasses> {
        let end = self.set.end();
        let graph = GraphByState::new(&self.graph, end);
        let mut classes: Vec<StateNumber> = (0..end as StateNumber).collect();
        for symmetry in symmetries {
            let moved = FactImages::new(game, symmetry);
            let images = self.images(&graph, &moved, deadline)?;
            check(&graph, &images, deadline)?;
            for state in graph.states() {
                join(&mut classes, state, images[state as usize]);
            }
        }
        self.count_classes(game, &graph, classes, deadline)
    }

    /// What each state becomes.
    fn images(
        &self,
        graph: &GraphByState<'_>,
        moved: &FactImages,
        deadline: &Deadline,
    ) -> Result<Vec<StateNumber>, NoClasses> {
        let mut images = vec![0; graph.kinds.len()];
        let mut ticks = SparseCheck::new(deadline);
        for state in graph.states() {
            ticks.step(16).map_err(UncountedGames::from)?;
            let becomes = moved.of(&self.set.state(state));
            let number = self.set.number_of(&becomes);
            images[state as usize] = number.ok_or(NoClasses::NotSymmetric)?;
        }
        Ok(images)
    }

    /// Counts classes, given as trees of states, and games from class to class.
    fn count_classes(
        &self,
        game: &Propnet,
        graph: &GraphByState<'_>,
        mut classes: Vec<StateNumber>,
        deadline: &Deadline,
    ) -> Result<StateClasses, NoClasses> {
        let mut part = GraphPart::default();
        let mut targets: Vec<StateNumber> = Vec::new();
        for state in graph.states() {
            if root(&mut classes, state) != state {
                continue;
            }
            targets.clear();
            for target in graph.targets[state as usize] {
                targets.push(root(&mut classes, *target));
            }
            targets.sort_unstable();
            targets.dedup();
            // No more than the joint moves of the state.
            part.push(state, graph.kinds[state as usize], targets.len() as u16);
            part.targets.extend_from_slice(&targets);
        }
        let number = part.states.len() as u64;
        let initial = self.set.number_of(&game.initial());
        let initial = root(&mut classes, initial.ok_or(UncountedGames::NoGraph)?);
        let end = graph.kinds.len();
        let reverse = ReverseGraph::new(vec![part], end, deadline);
        let reverse = reverse.map_err(UncountedGames::from)?;
        let games = count(&reverse, initial, deadline).map_err(UncountedGames::from)?;
        Ok(StateClasses {
            classes: number,
            games,
        })
    }
}

/// Whether states that are exchanged are of the same kind, and lead to states that are exchanged.
fn check(
    graph: &GraphByState<'_>,
    images: &[StateNumber],
    deadline: &Deadline,
) -> Result<(), NoClasses> {
    let (mut moved, mut of_image) = (Vec::new(), Vec::new());
    let mut ticks = SparseCheck::new(deadline);
    for state in graph.states() {
        let (place, image) = (state as usize, images[state as usize] as usize);
        ticks
            .step(1 + graph.targets[place].len())
            .map_err(UncountedGames::from)?;
        moved.clear();
        moved.extend(
            graph.targets[place]
                .iter()
                .map(|target| images[*target as usize]),
        );
        moved.sort_unstable();
        of_image.clear();
        of_image.extend_from_slice(graph.targets[image]);
        of_image.sort_unstable();
        if graph.kinds[place] != graph.kinds[image] || moved != of_image {
            return Err(NoClasses::NotSymmetric);
        }
    }
    Ok(())
}

/// What each fact becomes, by the numbers of the engine.
struct FactImages(Vec<usize>);

impl FactImages {
    fn new(game: &Propnet, symmetry: &[(String, String)]) -> Self {
        let facts = game.game_facts().map_or(&[][..], |known| &known.facts);
        let mut images: Vec<usize> = (0..facts.len()).collect();
        for (fact, becomes) in symmetry {
            if let (Ok(fact), Ok(becomes)) =
                (facts.binary_search(fact), facts.binary_search(becomes))
            {
                images[fact] = becomes;
            }
        }
        Self(images)
    }

    fn of(&self, state: &Bits) -> Bits {
        let mut words = vec![0; state.words().len()];
        for (place, word) in state.words().iter().enumerate() {
            let mut left = *word;
            while left != 0 {
                let image = self.0[64 * place + left.trailing_zeros() as usize];
                words[image / 64] |= 1 << (image % 64);
                left &= left - 1;
            }
        }
        Bits::from_words(&words)
    }
}

/// The state that stands for the class of another.
fn root(classes: &mut [StateNumber], mut state: StateNumber) -> StateNumber {
    while classes[state as usize] != state {
        let above = classes[state as usize];
        classes[state as usize] = classes[above as usize];
        state = above;
    }
    state
}

fn join(classes: &mut [StateNumber], one: StateNumber, other: StateNumber) {
    let (one, other) = (root(classes, one), root(classes, other));
    classes[one.max(other) as usize] = one.min(other);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{shipped, space};
    use super::*;

    #[test]
    fn an_exchange_that_is_no_symmetry_is_refused() {
        let game = shipped("tictactoe");
        let space = space(&game, 2, true);
        let deadline = Deadline::default();
        let exchange = |pairs: &[[&str; 2]]| -> Vec<(String, String)> {
            let both = pairs
                .iter()
                .flat_map(|[one, other]| [[one, other], [other, one]]);
            both.map(|[fact, becomes]| ((*fact).to_owned(), (*becomes).to_owned()))
                .collect()
        };
        // One more mark of a role than there can be.
        let marks = exchange(&[["(cell 1 1 x)", "(cell 1 1 o)"]]);
        let why = space.classes(&game, &[marks], &deadline).unwrap_err();
        assert_eq!(why, NoClasses::NotSymmetric);
        let none = space.classes(&game, &[], &deadline).unwrap();
        assert_eq!(
            (none.classes, none.games),
            (5_478, GameCount::Finite(255_168_u32.into()))
        );
    }

    #[test]
    fn a_mirror_leaves_about_half_of_the_states() {
        let game = shipped("tictactoe");
        let space = space(&game, 2, true);
        let mut mirror = Vec::new();
        for row in 1..=3 {
            for mark in ["x", "o", "blank"] {
                let cell = |column: u8| format!("(cell {column} {row} {mark})");
                mirror.extend([(cell(1), cell(3)), (cell(3), cell(1))]);
            }
        }
        let halved = space
            .classes(&game, &[mirror], &Deadline::default())
            .unwrap();
        // 136 states are their own image.
        assert_eq!(halved.classes, (5_478 + 136) / 2);
    }
}
