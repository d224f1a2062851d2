//! Who plays each role at the terminal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::play::{
    Listener, Player, PlayerFault, Session, Spec, choose_legal, player_for, seed_of_role,
};
use crate::search::SearchProgress;
use crate::terminal::Interrupts;

/// The players of a game in progress, people among them.
pub struct Players {
    specs: Vec<Spec>,
    players: Vec<Option<Box<dyn Player>>>,
    seed: u64,
    thoughts: Option<Arc<Thoughts>>,
    pub(super) interrupts: Interrupts,
}

impl Players {
    /// A player for each role, their chance drawn from `seed`. What they think is told to `listener`, if that is wanted
    /// at first or later; `interrupts` make them move.
    pub fn new(
        specs: Vec<Spec>,
        seed: u64,
        listener: Option<Arc<dyn Listener>>,
        interrupts: &Interrupts,
    ) -> Self {
        let thoughts = listener.map(|listener| {
            Arc::new(Thoughts {
                listener,
                are_shown: AtomicBool::new(false),
            })
        });
        let mut players = Self {
            players: Vec::new(),
            specs,
            seed,
            thoughts,
            interrupts: interrupts.clone(),
        };
        players.assign();
        players
    }

    /// Who plays, by role.
    pub fn specs(&self) -> &[Spec] {
        &self.specs
    }

    /// Shows what the players think, or hides it; says whether it is shown now.
    pub fn toggle_thoughts(&self) -> bool {
        let thoughts = self.thoughts.as_ref();
        thoughts.is_some_and(|thoughts| !thoughts.are_shown.fetch_xor(true, Ordering::Relaxed))
    }

    /// Whether what the players think is shown.
    pub(super) fn tell_thoughts(&self) -> bool {
        let thoughts = self.thoughts.as_ref();
        thoughts.is_some_and(|thoughts| thoughts.are_shown.load(Ordering::Relaxed))
    }

    fn assign(&mut self) {
        let roles = 0..self.specs.len();
        self.players = roles.map(|role| self.player(role)).collect();
    }

    fn player(&self, role: usize) -> Option<Box<dyn Player>> {
        let listener = self.thoughts.as_ref();
        let listener = listener.map(|thoughts| Arc::clone(thoughts) as Arc<dyn Listener>);
        let seed = seed_of_role(self.seed, role);
        let stop = self.interrupts.move_now();
        player_for(&self.specs[role], seed, stop, listener.as_ref())
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Begins another game with another seed.
    pub(super) fn begin(&mut self, seed: u64) {
        self.seed = seed;
        self.assign();
    }

    /// Lets somebody else play a role.
    pub(super) fn change(&mut self, role: usize, spec: Spec) {
        self.specs[role] = spec;
        self.players[role] = self.player(role);
    }

    /// Lets two roles change their players.
    pub(super) fn swap(&mut self, one: usize, other: usize) {
        self.specs.swap(one, other);
        self.assign();
    }

    pub(super) fn is_person(&self, role: usize) -> bool {
        self.players[role].is_none()
    }

    /// The roles that people play.
    pub(super) fn people(&self) -> Vec<usize> {
        let roles = 0..self.players.len();
        roles.filter(|&role| self.is_person(role)).collect()
    }

    /// The players that are no people, with their roles.
    pub(super) fn machines(&mut self) -> impl Iterator<Item = (usize, &mut Box<dyn Player>)> {
        let players = self.players.iter_mut().enumerate();
        players.filter_map(|(role, player)| Some((role, player.as_mut()?)))
    }

    /// Lets the players get ready, while the person is told that they do.
    pub(super) fn prepare(&mut self, session: &mut Session) {
        for (role, player) in self.machines() {
            player.prepare(session, role);
        }
    }

    /// The move of a player who is no person.
    pub(super) fn choose(&mut self, session: &Session, role: usize) -> Result<String, PlayerFault> {
        match self.players[role].as_mut() {
            Some(player) => Ok(choose_legal(&mut **player, session, role)?.mv),
            None => Ok(String::new()),
        }
    }

    /// What a player who is no person expects to score, if it judges positions; the person is told that it thinks.
    pub(super) fn expects(&mut self, session: &Session, role: usize) -> Option<f64> {
        self.players[role].as_mut()?.expects(session, role)
    }
}

/// Passes on what players think while that is wanted.
struct Thoughts {
    listener: Arc<dyn Listener>,
    are_shown: AtomicBool,
}

impl Listener for Thoughts {
    fn report(&self, role: &str, progress: &SearchProgress) {
        if self.are_shown.load(Ordering::Relaxed) {
            self.listener.report(role, progress);
        }
    }

    fn end(&self) {
        self.listener.end();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;
    use crate::session::Game;

    /// Counts what it is told.
    #[derive(Default)]
    struct Counter(AtomicUsize);

    impl Listener for Counter {
        fn report(&self, _: &str, _: &SearchProgress) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }

        fn end(&self) {}
    }

    #[test]
    fn what_players_think_is_told_only_while_it_is_wanted() {
        let mut session = Session::new(&Game::load("tictactoe").unwrap());
        let told = Arc::new(Counter::default());
        let listener = Arc::clone(&told) as Arc<dyn Listener>;
        let specs = ["minimax:depth=2,heuristic=none", "human"];
        let specs = specs.map(|spec| spec.parse().unwrap()).to_vec();
        let mut players = Players::new(specs, 1, Some(listener), &Interrupts::default());
        players.prepare(&mut session);
        let mut tells = || {
            let before = told.0.load(Ordering::Relaxed);
            players.choose(&session, 0).unwrap();
            let now = told.0.load(Ordering::Relaxed) > before;
            (now, players.toggle_thoughts())
        };
        assert_eq!(tells(), (false, true));
        assert_eq!(tells(), (true, false));
        assert_eq!(tells(), (false, true));
    }
}
