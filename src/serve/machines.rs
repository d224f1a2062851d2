//! Machines: one for each role, which keep what they learn from move to move.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::play::{Choice, Listener, Player, PlayerFault, Spec, player_for, seed_of_role};
use crate::session::Session;
use crate::util::StopFlag;

/// Weights are learned for at most so long, once for each game and role.
const LEARNING: Duration = Duration::from_secs(2);

/// The machines of a match.
#[derive(Default)]
pub(super) struct Machines {
    players: BTreeMap<usize, Machine>,
    /// The seed that they were made with.
    seed: u64,
}

struct Machine {
    /// What it was made by.
    spec: Spec,
    player: Box<dyn Player>,
    listener: Arc<CurrentListener>,
    is_prepared: bool,
}

impl Machines {
    /// The move of the machine that `spec` describes, for `role`. `clock` bounds its time, where that is given.
    pub(super) fn choose(
        &mut self,
        (spec, seed): (&Spec, u64),
        (session, role): (&Session, usize),
        (clock, stop): (Option<Duration>, &StopFlag),
        listener: &Arc<dyn Listener>,
    ) -> Result<Choice, PlayerFault> {
        if seed != self.seed {
            self.players.clear();
            self.seed = seed;
        }
        let mut machine = match self.players.remove(&role) {
            Some(machine) if machine.spec == *spec => machine,
            _ => Machine::new((spec, seed_of_role(seed, role)), stop)?,
        };
        machine.listener.set(listener);
        if !machine.is_prepared {
            machine
                .player
                .set_clock(clock.unwrap_or(LEARNING).min(LEARNING));
            machine.player.prepare(&mut session.clone(), role);
            // One that was stopped while it learned learns again.
            machine.is_prepared = !stop.is_raised();
        }
        machine.player.set_clock(clock.unwrap_or(Duration::MAX));
        let choice = machine.player.choose(session, role);
        // One that panicked is not kept.
        self.players.insert(role, machine);
        choice
    }

    /// What each heuristic of the machine of `role` adds to its evaluation of the position, what adds most first.
    pub(super) fn contributions(&self, session: &Session, role: usize) -> Vec<(&'static str, f64)> {
        let machine = self.players.get(&role);
        let machine = machine.filter(|machine| machine.is_prepared);
        let known = machine.map(|machine| machine.player.contributions(session, role));
        let mut known = known.unwrap_or_default();
        known.sort_by(|(_, one), (_, other)| other.abs().total_cmp(&one.abs()));
        known
    }
}

impl Machine {
    fn new((spec, seed): (&Spec, u64), stop: &StopFlag) -> Result<Self, PlayerFault> {
        let listener = Arc::new(CurrentListener::default());
        let shared: Arc<dyn Listener> = Arc::clone(&listener) as _;
        let player = player_for(spec, seed, stop, Some(&shared));
        let player = player.ok_or_else(|| PlayerFault("a person is no machine".to_owned()))?;
        Ok(Self {
            spec: spec.clone(),
            player,
            listener,
            is_prepared: false,
        })
    }
}

/// Tells whoever listens to the present search.
#[derive(Default)]
struct CurrentListener(Mutex<Option<Arc<dyn Listener>>>);

impl CurrentListener {
    fn set(&self, listener: &Arc<dyn Listener>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(listener));
    }

    fn get(&self) -> Option<Arc<dyn Listener>> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Listener for CurrentListener {
    fn report(&self, role: &str, progress: &crate::search::SearchProgress) {
        if let Some(listener) = self.get() {
            listener.report(role, progress);
        }
    }

    fn end(&self) {
        if let Some(listener) = self.get() {
            listener.end();
        }
    }
}
