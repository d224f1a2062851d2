//! Forced wins, found by going back from the ends of small games: the player sees each at the depth it needs, and plays it.

use std::collections::{HashMap, VecDeque};

use kolibri::catalog::{BreakthroughSize, CheckersSize, GameSource, KolibratSize, Size};
use kolibri::datalog;
use kolibri::game::{Game, JointMoves, Role, legal_of_all};
use kolibri::gdl;
use kolibri::machine::Propnet;
use kolibri::search::{Heuristics, Limits, Memory, Settings, best_move};

type State = <Propnet as Game>::State;

/// Every state of a game that can come up, with what comes of it.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    /// Whether the first role has the choice.
    is_own: Vec<bool>,
    children: Vec<Vec<usize>>,
    is_won: Vec<bool>,
}

impl Graph {
    fn of(game: &Propnet) -> Self {
        const MOST: usize = 200_000;
        let mut graph = Self::default();
        graph.number(game.initial());
        let (mut scratch, mut legal) = (game.scratch(), Vec::new());
        let mut next = 0;
        while next < graph.states.len() {
            assert!(next < MOST, "the game is not small");
            let state = graph.states[next].clone();
            let is_over = game.is_terminal(&mut scratch, &state);
            let is_won = is_over && game.goal(&mut scratch, &state, Role(0)) == Some(100);
            let mut children = Vec::new();
            if !is_over {
                legal_of_all(game, &mut scratch, &state, &mut legal);
                let mut joints = JointMoves::new(&legal);
                while let Some(joint) = joints.advance() {
                    let child = game.next(&mut scratch, &state, joint);
                    children.push(graph.number(child));
                }
            }
            graph.is_own.push(!is_over && legal[0].len() > 1);
            graph.children.push(children);
            graph.is_won.push(is_won);
            next += 1;
        }
        graph
    }

    fn number(&mut self, state: State) -> usize {
        let next = self.states.len();
        let number = *self.numbers.entry(state.clone()).or_insert(next);
        if number == next {
            self.states.push(state);
        }
        number
    }

    /// In how many plies the first role can force a win, state by state.
    fn wins(&self) -> Vec<Option<u32>> {
        let mut parents = vec![Vec::new(); self.states.len()];
        for (parent, children) in self.children.iter().enumerate() {
            children
                .iter()
                .for_each(|&child| parents[child].push(parent));
        }
        let mut left: Vec<usize> = self.children.iter().map(Vec::len).collect();
        let mut wins: Vec<Option<u32>> = self.is_won.iter().map(|won| won.then_some(0)).collect();
        let won = (0..self.states.len()).filter(|&number| self.is_won[number]);
        let mut queue: VecDeque<usize> = won.collect();
        while let Some(child) = queue.pop_front() {
            for &parent in &parents[child] {
                left[parent] -= 1;
                // One child is enough where the role chooses; elsewhere all have to be won, and this is the latest.
                if wins[parent].is_none() && (self.is_own[parent] || left[parent] == 0) {
                    wins[parent] = wins[child].map(|plies| plies + 1);
                    queue.push_back(parent);
                }
            }
        }
        wins
    }
}

/// Asks the player about some wins of each length, and says how long the longest is.
fn solve_mates(game: &Propnet, heuristics: Heuristics) -> u32 {
    const OF_EACH: usize = 8;
    let graph = Graph::of(game);
    let wins = graph.wins();
    let longest = wins.iter().flatten().max().copied().unwrap_or(0);
    for plies in 1..=longest {
        let of_length = (0..wins.len()).filter(|&state| wins[state] == Some(plies));
        let all: Vec<usize> = of_length.filter(|&state| graph.is_own[state]).collect();
        for &state in all.iter().step_by(all.len().div_ceil(OF_EACH).max(1)) {
            let search = |depth| {
                let mut memory = Memory::new(Settings {
                    hash: 1,
                    heuristics,
                    ..Settings::default()
                });
                let limits = Limits::to_depth(depth);
                best_move(game, &graph.states[state], Role(0), &limits, &mut memory).unwrap()
            };
            let said = game.state_text(&graph.states[state]);
            let found = search(plies);
            let seen = (found.exact, found.value.goal(), found.value.steps());
            assert_eq!(seen, (true, 100, Some(plies)), "{said:?}");
            let joint = &found.line[0];
            let next = game.next(&mut game.scratch(), &graph.states[state], joint);
            assert_eq!(wins[graph.numbers[&next]], Some(plies - 1), "{said:?}");
            // Where nobody has a choice the player looks further than it was told to, but it sees no win that is not there.
            let shallow = search((plies - 1).max(1));
            assert!(
                shallow.value.goal() < 100 || shallow.value.steps() == Some(plies),
                "{said:?}"
            );
        }
    }
    longest
}

fn of(text: &str) -> Propnet {
    let rules = gdl::load(text).rules.unwrap();
    Propnet::new(&rules, &datalog::Limits::default()).unwrap()
}

fn of_size(size: &impl Size) -> Propnet {
    of(&size.rule_file().unwrap())
}

#[test]
fn wins_of_tictactoe_are_found() {
    let game = of(&GameSource::find("tictactoe").unwrap().text);
    assert!(solve_mates(&game, Heuristics::NONE) >= 3);
}

#[test]
fn wins_of_a_small_kolibrat_are_found() {
    let game = of_size(&KolibratSize {
        width: 3,
        height: 3,
        pieces: 2,
        goals: 1,
    });
    assert_eq!(solve_mates(&game, Heuristics::NONE), 9);
}

#[test]
fn wins_of_a_small_breakthrough_are_found() {
    let game = of_size(&BreakthroughSize {
        width: 2,
        height: 5,
    });
    assert!(solve_mates(&game, Heuristics::NONE) >= 3);
}

/// Kings can go round in circles for as long as the rules let them.
#[test]
fn wins_of_a_small_checkers_are_found() {
    let game = of_size(&CheckersSize {
        width: 4,
        height: 4,
        ranks: 1,
        turns: 12,
    });
    assert!(solve_mates(&game, Heuristics::NONE) >= 5);
}
