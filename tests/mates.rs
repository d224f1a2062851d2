//! Forced wins, found by retrograde analysis of small games: the player finds each at the depth it needs, and plays it.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use kolibri::catalog::GameSource;
use kolibri::datalog;
use kolibri::engine::Propnet;
use kolibri::game::{JointMoves, Role, StateMachine, legal_of_all};
use kolibri::gdl;
use kolibri::generate::{BreakthroughSize, CheckersSize, KolibratSize, Size};
use kolibri::search::{
    Heuristics, LearnedWeights, MinimaxSettings, SearchLimits, SearchOutcome, Searcher, prepare,
    think,
};
use kolibri::util::StopFlag;

type State = <Propnet as StateMachine>::State;

/// Every reachable state of a game, with its successors.
#[derive(Default)]
struct Graph {
    states: Vec<State>,
    numbers: HashMap<State, usize>,
    /// The role that has a choice, if any.
    chooser: Vec<Option<Role>>,
    children: Vec<Vec<usize>>,
    /// The winner, if any.
    winner: Vec<Option<Role>>,
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
            let mut roles = (0..game.roles().len()).map(Role);
            let mut has_won = |role: &Role| game.goal(&mut scratch, &state, *role) == Some(100);
            let winner = roles.find(|role| is_over && has_won(role));
            let (mut children, mut chooser) = (Vec::new(), None);
            if !is_over {
                legal_of_all(game, &mut scratch, &state, &mut legal);
                let choosing = legal.iter().position(|moves| moves.len() > 1);
                chooser = choosing.map(Role);
                let mut joints = JointMoves::new(&legal);
                while let Some(joint) = joints.advance() {
                    let child = game.next(&mut scratch, &state, joint);
                    children.push(graph.number(child));
                }
            }
            graph.chooser.push(chooser);
            graph.children.push(children);
            graph.winner.push(winner);
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

    /// In how many plies `role` can force a win, state by state.
    fn wins(&self, role: Role) -> Vec<Option<u32>> {
        let mut parents = vec![Vec::new(); self.states.len()];
        for (parent, children) in self.children.iter().enumerate() {
            children
                .iter()
                .for_each(|&child| parents[child].push(parent));
        }
        let mut left: Vec<usize> = self.children.iter().map(Vec::len).collect();
        let is_won = |number: &usize| self.winner[*number] == Some(role);
        let states = 0..self.states.len();
        let mut wins: Vec<Option<u32>> = states
            .clone()
            .map(|number| is_won(&number).then_some(0))
            .collect();
        let mut queue: VecDeque<usize> = states.filter(is_won).collect();
        while let Some(child) = queue.pop_front() {
            for &parent in &parents[child] {
                left[parent] -= 1;
                // One child is enough where the role chooses; elsewhere all must be won, and this is the last.
                if wins[parent].is_none()
                    && (self.chooser[parent] == Some(role) || left[parent] == 0)
                {
                    wins[parent] = wins[child].map(|plies| plies + 1);
                    queue.push_back(parent);
                }
            }
        }
        wins
    }
}

/// A player that searches for forced wins.
struct Player<'g> {
    game: &'g Propnet,
    role: Role,
    heuristics: Heuristics,
    learned: LearnedWeights,
}

impl Player<'_> {
    /// The result of a new searcher with the learned weights.
    fn search(&mut self, state: &State, depth: u32) -> SearchOutcome<u32> {
        let mut searcher = Searcher::minimax(MinimaxSettings {
            hash: 1,
            heuristics: self.heuristics,
            has_clock: false,
            ..MinimaxSettings::default()
        });
        let budget = (Duration::from_secs(600), &StopFlag::default());
        prepare(
            self.game,
            self.role,
            &mut searcher,
            &mut self.learned,
            budget,
        );
        let has_learned = !searcher.weights(&[]).is_empty();
        assert_eq!(has_learned, self.heuristics != Heuristics::NONE);
        let limits = SearchLimits::to_depth(depth);
        think(self.game, state, self.role, &limits, &mut searcher).unwrap()
    }

    /// Searches some wins of each length, and returns the length of the longest.
    fn solve_mates(&mut self, graph: &Graph) -> u32 {
        const OF_EACH: usize = 8;
        let wins = graph.wins(self.role);
        let role = Some(self.role);
        let is_own = |state: &usize| graph.chooser[*state] == role;
        let longest = wins.iter().flatten().max().copied().unwrap_or(0);
        for plies in 1..=longest {
            let of_length = (0..wins.len()).filter(|&state| wins[state] == Some(plies));
            let all: Vec<usize> = of_length.filter(is_own).collect();
            for &state in all.iter().step_by(all.len().div_ceil(OF_EACH).max(1)) {
                self.solve_mate(graph, &wins, state);
            }
        }
        longest
    }

    fn solve_mate(&mut self, graph: &Graph, wins: &[Option<u32>], number: usize) {
        let (game, state) = (self.game, &graph.states[number]);
        let plies = wins[number].unwrap();
        let said = format!(
            "{:?} {} {:?}",
            self.role,
            self.heuristics,
            game.state_text(state)
        );
        let found = self.search(state, plies);
        let seen = (found.exact, found.value.goal(), found.value.steps());
        assert_eq!(seen, (true, 100, Some(plies)), "{said}");
        let next = game.next(&mut game.scratch(), state, &found.line[0]);
        assert_eq!(wins[graph.numbers[&next]], Some(plies - 1), "{said}");
        // Forced states are extended beyond the depth limit, but never to a win that does not exist.
        let shallow = self.search(state, (plies - 1).max(1));
        let (goal, steps) = (shallow.value.goal(), shallow.value.steps());
        assert!(goal < 100 || steps >= Some(plies), "{said}");
    }
}

/// The same for all roles, without heuristics and with all of them; the length of the longest win of each role.
fn solve_mates(game: &Propnet) -> Vec<u32> {
    let graph = Graph::of(game);
    let longest = (0..game.roles().len()).map(|role| {
        let [without, with] = [Heuristics::NONE, Heuristics::ALL].map(|heuristics| {
            let mut player = Player {
                game,
                role: Role(role),
                heuristics,
                learned: LearnedWeights::default(),
            };
            player.solve_mates(&graph)
        });
        assert_eq!(without, with);
        with
    });
    longest.collect()
}

fn of(text: &str) -> Propnet {
    let rules = gdl::load(text).rules.unwrap();
    Propnet::new(&rules, &datalog::EvaluationLimits::default()).unwrap()
}

fn of_size(size: &impl Size) -> Propnet {
    of(&size.rule_file().unwrap())
}

#[test]
fn wins_of_tictactoe_are_found() {
    let game = of(&GameSource::find("tictactoe").unwrap().text);
    assert_eq!(solve_mates(&game), [5, 5]);
}

#[test]
fn wins_of_a_small_kolibrat_are_found() {
    let game = of_size(&KolibratSize {
        width: 3,
        height: 3,
        pieces: 2,
        goals: 1,
    });
    assert_eq!(solve_mates(&game), [9, 7]);
}

#[test]
fn wins_of_a_small_breakthrough_are_found() {
    let game = of_size(&BreakthroughSize {
        width: 2,
        height: 5,
    });
    assert_eq!(solve_mates(&game), [9, 10]);
}

/// Kings can repeat positions until the rules end the game.
#[test]
fn wins_of_a_small_checkers_are_found() {
    let game = of_size(&CheckersSize {
        width: 4,
        height: 4,
        ranks: 1,
        turns: 12,
    });
    assert_eq!(solve_mates(&game), [12, 9]);
}
