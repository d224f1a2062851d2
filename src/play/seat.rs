//! A table for any game.

use std::cmp::Ordering;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use crate::game::{Engine, Fault, Role, StateMachine};
use crate::kif::GroundTerm;
use crate::play::{Advice, IllegalMove, Table, natural_order};
use crate::search::{LearnedWeights, Limits, Outcome, Searcher, prepare, think};
use crate::util::StopFlag;

/// Makes a [`Table`] of a game.
#[derive(Debug)]
pub struct Seat<'g, G: StateMachine> {
    game: &'g G,
    /// Locked, so that others may read what is on the table meanwhile.
    scratch: Mutex<G::Scratch>,
    /// What was left behind, with the joint moves it was left by.
    past: Vec<(Position<G>, Vec<String>)>,
    present: Position<G>,
    learned: LearnedWeights,
    fault: OnceLock<Fault>,
}

/// A state, and all that is asked about it again and again.
#[derive(Debug)]
struct Position<G: StateMachine> {
    state: G::State,
    is_terminal: bool,
    goals: Vec<Option<u8>>,
    /// Per role in natural order, as texts and as moves.
    texts: Vec<Vec<String>>,
    moves: Vec<Vec<G::Move>>,
}

impl<'g, G: Engine> Seat<'g, G> {
    /// A table with the initial state of `game` on it.
    pub fn new(game: &'g G) -> Self {
        Self::at(game, game.initial())
    }

    fn at(game: &'g G, state: G::State) -> Self {
        let mut scratch = game.scratch();
        let present = position(game, &mut scratch, state);
        let seat = Self {
            present,
            fault: OnceLock::new(),
            game,
            scratch: Mutex::new(scratch),
            past: Vec::new(),
            learned: LearnedWeights::default(),
        };
        seat.note(game.fault(&seat.scratch()));
        seat
    }

    /// The moves that `joint` spells.
    fn find(&self, joint: &[String]) -> Result<Vec<G::Move>, IllegalMove> {
        let (given, wanted) = (joint.len(), self.roles().len());
        if given != wanted {
            return Err(IllegalMove::Count { given, wanted });
        }
        if self.is_terminal() {
            return Err(IllegalMove::Over);
        }
        let found = joint.iter().enumerate().map(|(role, mv)| {
            let illegal = || IllegalMove::Role {
                role: self.roles()[role].clone(),
                mv: mv.clone(),
            };
            let place = self.present.place(role, mv).ok_or_else(illegal)?;
            Ok(self.present.moves[role][place])
        });
        found.collect()
    }

    fn arrive(&mut self, state: G::State) -> Position<G> {
        let next = position(self.game, &mut self.scratch(), state);
        let present = std::mem::replace(&mut self.present, next);
        self.note(self.game.fault(&self.scratch()));
        present
    }

    fn scratch(&self) -> MutexGuard<'_, G::Scratch> {
        self.scratch.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of the first budget that ran out.
    fn note(&self, fault: Option<Fault>) {
        if let Some(fault) = fault {
            self.fault.get_or_init(|| fault);
        }
    }

    fn advice(&self, found: Outcome<G::Move>) -> Advice {
        let text = |&mv: &G::Move| self.game.move_text(mv);
        Advice {
            best: text(&found.best),
            goal: found.value.goal(),
            exact: found.exact,
            depth: found.depth,
            line: found
                .line
                .iter()
                .map(|joint| joint.iter().map(text).collect())
                .collect(),
            nodes: found.nodes,
        }
    }
}

impl<G: StateMachine> Position<G> {
    /// Where `text` stands among the legal moves of `role`.
    fn place(&self, role: usize, text: &str) -> Option<usize> {
        let texts = &self.texts[role];
        let exact = texts
            .binary_search_by(|legal| natural_order(legal, text))
            .ok();
        exact.or_else(|| {
            let term = text.parse::<GroundTerm>().ok()?.to_string();
            texts.iter().position(|legal| *legal == term)
        })
    }
}

fn position<G: StateMachine>(game: &G, scratch: &mut G::Scratch, state: G::State) -> Position<G> {
    let roles = (0..game.roles().len()).map(Role);
    let is_terminal = game.is_terminal(scratch, &state);
    let goals = roles.clone().map(|role| game.goal(scratch, &state, role));
    let goals = goals.collect();
    let (mut texts, mut moves) = (Vec::new(), Vec::new());
    for role in roles {
        let mut legal = Vec::new();
        if !is_terminal {
            game.legal(scratch, &state, role, &mut legal);
        }
        if game.fault(scratch).is_some() {
            // What was derived so far may be millions of moves, and means nothing.
            legal.clear();
        }
        let mut pairs: Vec<_> = legal.iter().map(|&mv| (game.move_text(mv), mv)).collect();
        pairs.sort_by(|one, other| natural_order(&one.0, &other.0));
        pairs.dedup_by(|one, other| natural_order(&one.0, &other.0) == Ordering::Equal);
        let (text, mv) = pairs.into_iter().unzip();
        texts.push(text);
        moves.push(mv);
    }
    Position {
        state,
        is_terminal,
        goals,
        texts,
        moves,
    }
}

impl<G: Engine> Table for Seat<'_, G> {
    fn roles(&self) -> &[String] {
        self.game.roles()
    }

    fn facts(&self) -> Vec<String> {
        self.game.state_text(&self.present.state)
    }

    fn is_terminal(&self) -> bool {
        self.present.is_terminal
    }

    fn legal(&self, role: usize) -> &[String] {
        &self.present.texts[role]
    }

    fn goals(&self) -> &[Option<u8>] {
        &self.present.goals
    }

    fn history(&self) -> Vec<&[String]> {
        self.past.iter().map(|(_, joint)| &joint[..]).collect()
    }

    fn occurrences(&self) -> usize {
        let same = |(then, _): &&(Position<G>, _)| then.state == self.present.state;
        1 + self.past.iter().filter(same).count()
    }

    fn play(&mut self, joint: &[String]) -> Result<(), IllegalMove> {
        let moves = self.find(joint)?;
        let texts = moves.iter().map(|&mv| self.game.move_text(mv)).collect();
        let state = &self.present.state;
        let next = self.game.next(&mut self.scratch(), state, &moves);
        let left = self.arrive(next);
        self.past.push((left, texts));
        Ok(())
    }

    fn undo(&mut self) -> bool {
        let Some((before, _)) = self.past.pop() else {
            return false;
        };
        self.present = before;
        true
    }

    fn set_up(&mut self, facts: &[String]) -> Result<(), String> {
        let state = self.game.state_from_text(facts)?;
        self.arrive(state);
        self.past.clear();
        Ok(())
    }

    fn prepare(&mut self, role: usize, searcher: &mut Searcher, stop: &StopFlag) {
        const TIME: Duration = Duration::from_secs(5);
        let learned = &mut self.learned;
        prepare(self.game, Role(role), searcher, learned, (TIME, stop));
    }

    fn advise(&self, role: usize, limits: &Limits<'_>, searcher: &mut Searcher) -> Option<Advice> {
        searcher.recall(self.past.iter().map(|(position, _)| &position.state));
        let found = think(self.game, &self.present.state, Role(role), limits, searcher)?;
        self.note(found.fault.clone());
        Some(self.advice(found))
    }

    fn fork(&self) -> Box<dyn Table + '_> {
        Box::new(Self::at(self.game, self.present.state.clone()))
    }

    fn fault(&self) -> Option<Fault> {
        self.fault.get().cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::fixture::{Hands, Subtraction};

    fn joint(moves: [&str; 2]) -> Vec<String> {
        moves.map(str::to_owned).to_vec()
    }

    #[test]
    fn moves_are_played_and_taken_back() {
        let game = Subtraction::new(5, 3);
        let mut table = Seat::new(&game);
        assert_eq!(table.legal(0), ["(take 1)", "(take 2)", "(take 3)"]);
        assert_eq!(table.legal(1), ["noop"]);
        table.play(&joint(["( take  3 )", "noop"])).unwrap();
        assert_eq!(table.facts(), ["(control second)", "(heap 2)"]);
        assert_eq!(table.history(), [joint(["(take 3)", "noop"])]);
        assert!(table.undo() && !table.undo());
        assert_eq!(table.facts(), ["(control first)", "(heap 5)"]);
    }

    #[test]
    fn illegal_moves_change_nothing() {
        let game = Subtraction::new(5, 3);
        let mut table = Seat::new(&game);
        let fault = table.play(&joint(["(take 4)", "noop"])).unwrap_err();
        assert_eq!(fault.to_string(), "first may not play (take 4)");
        let fault = table.play(&["noop".to_owned()]).unwrap_err();
        assert_eq!(
            fault.to_string(),
            "1 moves are no joint move: 2 roles move at once"
        );
        table.set_up(&["(heap 0)".to_owned()]).unwrap();
        assert_eq!(table.goals(), [Some(0), Some(100)]);
        assert_eq!(table.play(&joint(["noop", "noop"])), Err(IllegalMove::Over));
        assert!(table.set_up(&[]).is_err());
        assert!(table.is_terminal());
    }

    #[test]
    fn returning_states_are_counted() {
        let game = Hands::new(9);
        let mut table = Seat::new(&game);
        table.play(&joint(["rock", "rock"])).unwrap();
        assert_eq!(table.occurrences(), 1);
        assert_eq!(table.fork().history().len(), 0);
        let mut searcher = Searcher::minimax(crate::search::Settings::default());
        let advice = table
            .advise(1, &Limits::to_depth(1), &mut searcher)
            .unwrap();
        assert_eq!((advice.depth, advice.line.len()), (1, 1));
    }
}
