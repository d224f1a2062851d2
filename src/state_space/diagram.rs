//! States and the joint moves between them, written out: all of a small game, or those that a strategy visits.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::Loops;
use crate::analysis::Control;
use crate::engine::{Bits, Propnet, Workspace};
use crate::game::{JointMoves, Role, StateMachine, legal_of_all};
use crate::util::{Deadline, Expired};

/// Some states of a game, the initial one first, each after one that leads to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateDiagram {
    /// The states, named by their places.
    pub states: Vec<DiagramState>,
}

/// A state of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramState {
    /// The state.
    pub state: Bits,
    /// If the game is over, the goal of each role; `None` where the rules give no single value.
    pub goals: Option<Vec<Option<u8>>>,
    /// The joint moves that the diagram follows.
    pub moves: Vec<DiagramMove>,
}

/// A joint move of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramMove {
    /// The move of each role.
    pub joint: Vec<u32>,
    /// Which roles make it known: those that have a choice, or else whose turn it is.
    pub choosing: Vec<Role>,
    /// The place of the state that follows.
    pub to: usize,
}

/// Why there is no diagram.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TooLarge {
    /// The deadline is due, or the flag was raised.
    #[error(transparent)]
    Expired(#[from] Expired),
    /// It would have more states.
    #[error("there are more than {0} states to write out")]
    States(usize),
}

/// The joint moves of a state, and what follows.
struct Children {
    /// Per role, its legal moves.
    legal: Vec<Vec<u32>>,
    joints: Vec<(Vec<u32>, Bits)>,
}

impl StateDiagram {
    /// All states of a game that has at most `most`.
    ///
    /// # Errors
    /// [`TooLarge`]: there are more, or the deadline is due.
    pub fn of_game(game: &Propnet, most: usize, deadline: &Deadline) -> Result<Self, TooLarge> {
        Self::explore(game, most, deadline, &mut |_, _| {})
    }

    /// The states that play visits, at most `most`, while `role` keeps the game from ending, and the others do what they like. The
    /// role makes one move in each state: of those that keep it from ending, the first of those that lead to the fewest states not
    /// visited before. Nothing where it cannot do so from the initial state.
    ///
    /// # Errors
    /// [`TooLarge`]: there are more, or the deadline is due.
    pub fn of_strategy(
        game: &Propnet,
        loops: &Loops,
        role: Role,
        most: usize,
        deadline: &Deadline,
    ) -> Result<Option<Self>, TooLarge> {
        if !loops.can(role, &game.initial()) {
            return Ok(None);
        }
        let mut choose = |children: &mut Children, known: &HashMap<Bits, usize>| {
            let makes = |own: u32| {
                let joints = children.joints.iter();
                joints.filter(move |(joint, _)| joint[role.0] == own)
            };
            let own = children.legal[role.0].iter().copied();
            let good = own.filter(|own| makes(*own).all(|(_, after)| loops.can(role, after)));
            let news = |own: &u32| {
                makes(*own)
                    .filter(|(_, after)| !known.contains_key(after))
                    .count()
            };
            let own = good.min_by_key(news);
            children
                .joints
                .retain(|(joint, _)| Some(joint[role.0]) == own);
        };
        Self::explore(game, most, deadline, &mut choose).map(Some)
    }

    /// The states that are reached by the joint moves that `choose` leaves, of those that there are, knowing the states so far.
    fn explore(
        game: &Propnet,
        most: usize,
        deadline: &Deadline,
        choose: &mut dyn FnMut(&mut Children, &HashMap<Bits, usize>),
    ) -> Result<Self, TooLarge> {
        let mut scratch = game.scratch();
        let mut states = vec![DiagramState::new(game, &mut scratch, game.initial())];
        let mut known = HashMap::from([(game.initial(), 0)]);
        let mut place = 0;
        while let Some(from) = states.get(place) {
            deadline.check()?;
            let mut children = Children::of(game, &mut scratch, from);
            choose(&mut children, &known);
            let choosing = choosing(game, &children.legal);
            let mut moves = Vec::with_capacity(children.joints.len());
            for (joint, after) in children.joints {
                let to = *known.entry(after).or_insert_with_key(|after| {
                    states.push(DiagramState::new(game, &mut scratch, after.clone()));
                    states.len() - 1
                });
                let choosing = choosing.clone();
                moves.push(DiagramMove {
                    joint,
                    choosing,
                    to,
                });
            }
            if states.len() > most {
                return Err(TooLarge::States(most));
            }
            states[place].moves = moves;
            place += 1;
        }
        Ok(Self { states })
    }

    /// The diagram as a graph in the DOT language of Graphviz: what holds in a state, and the moves of who chooses. Ends have two
    /// outlines, and the goals of all roles.
    pub fn dot(&self, game: &Propnet) -> String {
        let mut text = String::from("digraph states {\n  node [shape = box];\n");
        for (place, state) in self.states.iter().enumerate() {
            let mut label = lines(&game.state_text(&state.state));
            let mut outline = "";
            if let Some(goals) = &state.goals {
                let goals = game.roles().iter().zip(goals);
                for (role, goal) in goals {
                    let goal = goal.map_or("no goal".to_owned(), |goal| goal.to_string());
                    let _ = write!(label, "\\n{role} {goal}");
                }
                outline = ", peripheries = 2";
            }
            let _ = writeln!(text, "  s{place} [label = \"{label}\"{outline}];");
            for mv in &state.moves {
                let label = mv.text(game);
                let _ = writeln!(text, "  s{place} -> s{} [label = \"{label}\"];", mv.to);
            }
        }
        text + "}\n"
    }
}

impl DiagramState {
    fn new(game: &Propnet, scratch: &mut Workspace, state: Bits) -> Self {
        let is_over = game.is_terminal(scratch, &state);
        let roles = (0..game.roles().len()).map(Role);
        let goals = is_over.then(|| roles.map(|role| game.goal(scratch, &state, role)).collect());
        Self {
            state,
            goals,
            moves: Vec::new(),
        }
    }
}

impl DiagramMove {
    /// The moves of the roles that make it known, in order.
    pub fn text(&self, game: &Propnet) -> String {
        let moves = self
            .choosing
            .iter()
            .map(|role| game.move_text(self.joint[role.0]));
        moves.collect::<Vec<_>>().join(" ")
    }
}

impl Children {
    fn of(game: &Propnet, scratch: &mut Workspace, from: &DiagramState) -> Self {
        let (mut legal, mut joints) = (Vec::new(), Vec::new());
        if from.goals.is_none() {
            legal_of_all(game, scratch, &from.state, &mut legal);
            let mut all = JointMoves::new(&legal);
            while let Some(joint) = all.advance() {
                let after = game.next(scratch, &from.state, joint);
                joints.push((joint.to_vec(), after));
            }
        }
        Self { legal, joints }
    }
}

/// The roles that have a choice, or else whose turn it is, or else all.
fn choosing(game: &Propnet, legal: &[Vec<u32>]) -> Vec<Role> {
    let roles = (0..legal.len()).map(Role);
    let choosing: Vec<Role> = roles
        .clone()
        .filter(|role| legal[role.0].len() > 1)
        .collect();
    match Control::of(game, legal) {
        Control::One(role) => vec![role],
        Control::Shared if choosing.is_empty() => roles.collect(),
        Control::Shared => choosing,
    }
}

/// The facts in lines of moderate width, as labels have them.
fn lines(facts: &[String]) -> String {
    const WIDTH: usize = 40;
    let mut text = String::new();
    let mut width = 0;
    for fact in facts {
        width += fact.len() + 1;
        if text.is_empty() {
        } else if width > WIDTH {
            text += "\\n";
            width = fact.len();
        } else {
            text.push(' ');
        }
        text += fact;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::tests::{propnet, shipped, space};
    use super::*;

    #[test]
    fn a_game_is_drawn_whole_or_not_at_all() {
        let game = shipped("tictactoe");
        let deadline = Deadline::default();
        let all = StateDiagram::of_game(&game, 5_478, &deadline).unwrap();
        assert_eq!(all.states.len(), 5_478);
        let moves: usize = all.states.iter().map(|state| state.moves.len()).sum();
        assert_eq!(moves, 16_167);
        let why = StateDiagram::of_game(&game, 5_477, &deadline).unwrap_err();
        assert_eq!(why, TooLarge::States(5_477));
    }

    #[test]
    fn a_diagram_names_facts_moves_and_ends() {
        let text = "(role a) (role b) (init (at 0)) (legal a (go 1)) (legal a (go 2)) (legal b noop) \
                    (<= (next (at ?n)) (does a (go ?n))) (<= terminal (not (true (at 0)))) (goal a 70) \
                    (<= (goal b 30) (true (at 1)))";
        let game = propnet("two", text);
        let all = StateDiagram::of_game(&game, 3, &Deadline::default()).unwrap();
        let expected = "digraph states {\n  node [shape = box];\n  s0 [label = \"(at 0)\"];\n  \
                        s0 -> s1 [label = \"(go 1)\"];\n  s0 -> s2 [label = \"(go 2)\"];\n  \
                        s1 [label = \"(at 1)\\na 70\\nb 30\", peripheries = 2];\n  \
                        s2 [label = \"(at 2)\\na 70\\nb no goal\", peripheries = 2];\n}\n";
        assert_eq!(all.dot(&game), expected);
    }

    #[test]
    fn a_strategy_stays_where_the_game_goes_on() {
        let game = shipped("fakelogic");
        let deadline = Deadline::default();
        let loops = space(&game, 1, true).loops(&game, &deadline).unwrap();
        let strategy = |role| StateDiagram::of_strategy(&game, &loops, Role(role), 100, &deadline);
        let red = strategy(0).unwrap().unwrap();
        assert_eq!(strategy(1).unwrap(), None);
        for state in &red.states {
            assert!(state.goals.is_none() && !state.moves.is_empty());
            let own: Vec<u32> = state.moves.iter().map(|mv| mv.joint[0]).collect();
            assert!(own.iter().all(|mv| *mv == own[0]), "one move in each state");
            assert!(loops.can(Role(0), &state.state));
        }
    }
}
