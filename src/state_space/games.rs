//! How many different games there are: ways to play from the initial state to an end.

use num_bigint::BigUint;

use super::StateSpace;
use super::reverse::{NoReverseGraph, ReverseGraph};
use super::table::StateNumber;
use crate::engine::Propnet;
use crate::util::{Deadline, Expired, SparseCheck};

/// How many games can be played from the initial state to an end. Two games differ where their joint moves do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GameCount {
    /// So many.
    Finite(BigUint),
    /// Play can come back to a state as often as one likes, and end after that.
    Infinite,
}

/// Why games are not counted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UncountedGames {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// The graph was not kept, or has more edges than 32 bits count.
    #[error("the joint moves were not kept, or are too many for that")]
    NoGraph,
}

impl From<NoReverseGraph> for UncountedGames {
    fn from(why: NoReverseGraph) -> Self {
        match why {
            NoReverseGraph::Expired(why) => Self::Expired(why),
            NoReverseGraph::NoEdges => Self::NoGraph,
        }
    }
}

/// How many games there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameCounts {
    /// All.
    pub all: GameCount,
    /// From class to class of states that symmetries make of each other: moves that lead to the same class count once. Without
    /// symmetries, each state is a class.
    pub of_classes: GameCount,
}

impl StateSpace {
    /// How many games can be played to an end; those that get stuck are left out. Uses up the graph, which must have been kept.
    ///
    /// # Errors
    /// [`UncountedGames`]: there is no graph, or the deadline is due.
    pub fn count_games(
        &mut self,
        game: &Propnet,
        deadline: &Deadline,
    ) -> Result<GameCounts, UncountedGames> {
        let initial = self.initial(game).ok_or(UncountedGames::NoGraph)?;
        let graph = std::mem::take(&mut self.graph);
        let graph = ReverseGraph::new(graph, self.set.end(), deadline)?;
        let all = count(&graph, initial, Moves::All, deadline)?;
        let of_classes = match self.symmetries {
            Some(_) => count(&graph, initial, Moves::Different, deadline)?,
            None => all.clone(),
        };
        Ok(GameCounts { all, of_classes })
    }
}

/// Which joint moves make games different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moves {
    All,
    /// Those that lead from a state to the same one count once.
    Different,
}

impl Moves {
    /// From where each of them leads to a state.
    fn to(self, graph: &ReverseGraph, state: StateNumber) -> impl Iterator<Item = StateNumber> {
        let mut last = None;
        // Those from one state follow each other.
        graph.predecessors(state).filter(move |before| {
            let is_other = last.replace(*before) != Some(*before);
            is_other || self == Self::All
        })
    }
}

/// The games from one state of a graph to an end.
fn count(
    graph: &ReverseGraph,
    initial: StateNumber,
    moves: Moves,
    deadline: &Deadline,
) -> Result<GameCount, Expired> {
    let kinds = graph.kinds.iter().enumerate();
    let ends = kinds.filter(|(_, kind)| kind.end().is_some());
    let mut open: Vec<StateNumber> = ends.map(|(state, _)| state as StateNumber).collect();
    let (mut left, reaching) = moves_that_can_end(graph, &open, moves, deadline)?;
    let mut games = vec![BigUint::ZERO; graph.kinds.len()];
    for state in &open {
        games[*state as usize] = BigUint::from(1_u8);
    }
    // From the ends backwards: each state after all that follow it. Those on a cycle never have their turn.
    let (mut counted, mut of_initial) = (0, BigUint::ZERO);
    let mut check = SparseCheck::new(deadline);
    while let Some(state) = open.pop() {
        counted += 1;
        let following = std::mem::take(&mut games[state as usize]);
        check.step(1 + graph.predecessors(state).len())?;
        for before in moves.to(graph, state) {
            let place = before as usize;
            games[place] += &following;
            left[place] -= 1;
            if left[place] == 0 {
                open.push(before);
            }
        }
        if state == initial {
            of_initial = following;
        }
    }
    Ok(match counted == reaching {
        true => GameCount::Finite(of_initial),
        false => GameCount::Infinite,
    })
}

/// Per state, how many of its joint moves lead to one from which an end can be reached; and how many such states there are.
fn moves_that_can_end(
    graph: &ReverseGraph,
    ends: &[StateNumber],
    counted: Moves,
    deadline: &Deadline,
) -> Result<(Vec<u16>, usize), Expired> {
    let mut moves = vec![0; graph.kinds.len()];
    let mut open = ends.to_vec();
    let mut reaching = open.len();
    let mut check = SparseCheck::new(deadline);
    while let Some(state) = open.pop() {
        check.step(1 + graph.predecessors(state).len())?;
        for before in counted.to(graph, state) {
            let moves = &mut moves[before as usize];
            *moves += 1;
            if *moves == 1 {
                open.push(before);
                reaching += 1;
            }
        }
    }
    Ok((moves, reaching))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{kolibrat, propnet, shipped, space};
    use super::*;
    use crate::game::StateMachine;

    fn games(game: &Propnet) -> GameCount {
        let mut space = space(game, 2, true);
        let games = space.count_games(game, &Deadline::default()).unwrap();
        assert_eq!(games.all, games.of_classes);
        games.all
    }

    #[test]
    fn games_of_known_number() {
        // Tic-tac-toe has 255,168 games.
        let finite = |games: u64| GameCount::Finite(games.into());
        assert_eq!(games(&shipped("tictactoe")), finite(255_168));
        assert_eq!(games(&shipped("fakelogic")), GameCount::Infinite);
        assert_eq!(
            games(&kolibrat(2, 2, 1, 1)),
            finite(paths(&kolibrat(2, 2, 1, 1)))
        );
    }

    /// Follows every path.
    fn paths(game: &Propnet) -> u64 {
        fn from(game: &Propnet, state: &crate::engine::Bits) -> u64 {
            let mut scratch = game.scratch();
            if game.is_terminal(&mut scratch, state) {
                return 1;
            }
            let mut legal = Vec::new();
            crate::game::legal_of_all(game, &mut scratch, state, &mut legal);
            let mut joints = crate::game::JointMoves::new(&legal);
            let mut paths = 0;
            while let Some(joint) = joints.advance() {
                let after = game.next(&mut scratch, state, joint);
                paths += from(game, &after);
            }
            paths
        }
        from(game, &game.initial())
    }

    #[test]
    fn numbers_outgrow_machine_words() {
        // Two moves at each of 200 steps.
        let mut text = String::from(
            "(role a) (init (step 0)) (legal a l) (legal a r) (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) \
             (<= terminal (true (step 200))) (goal a 50)",
        );
        for step in 0..200 {
            text += &format!(" (succ {step} {})", step + 1);
        }
        let expected = GameCount::Finite(BigUint::from(2_u8).pow(200));
        assert_eq!(games(&propnet("steps", &text)), expected);
    }

    #[test]
    fn cycles_that_never_end_are_no_games() {
        let text = |back: &str| {
            format!(
                "(role a) (init (at 0)) (way 0 1) (way 0 2) (way 1 {back}) (way 2 3) \
                 (<= (legal a (go ?q)) (true (at ?p)) (way ?p ?q)) (<= (next (at ?q)) (does a (go ?q))) \
                 (<= terminal (true (at 3))) (goal a 50)"
            )
        };
        assert_eq!(
            games(&propnet("aside", &text("1"))),
            GameCount::Finite(1_u8.into())
        );
        assert_eq!(games(&propnet("back", &text("0"))), GameCount::Infinite);
    }
}
