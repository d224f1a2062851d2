//! Machines at their moves, and the time limit.

use std::sync::{Arc, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::MatchRoom;
use crate::play::PlayerFault;
use crate::serve::hosted::NextTask;
use crate::serve::match_player;

impl MatchRoom {
    /// Lets the machines move until a person is to move, or the server ends.
    pub(super) async fn drive(self: Arc<Self>) {
        let mut last_move = Instant::now();
        loop {
            let (task, epoch, delay) = {
                let mut state = self.lock();
                let task = state.played.next_task();
                if task == NextTask::Wait {
                    state.is_driven = false;
                    return;
                }
                (task, state.played.epoch(), state.played.header.delay)
            };
            match task {
                NextTask::Wait => {}
                NextTask::Ask(roles) => {
                    let Ok(_turn) = self.searches.acquire().await else {
                        self.lock().is_driven = false;
                        return;
                    };
                    self.ask(roles).await;
                }
                NextTask::Play => {
                    let wait = Duration::from_secs_f64(delay).saturating_sub(last_move.elapsed());
                    sleep(wait).await;
                    let room = Arc::clone(&self);
                    let play = move || room.play_chosen(epoch);
                    if let Err(panic) = spawn_blocking(play).await {
                        self.fail(format!("the move cannot be played: {panic}"));
                    }
                    last_move = Instant::now();
                }
            }
        }
    }

    fn play_chosen(self: &Arc<Self>, epoch: u64) {
        let _ = self.change(|played| {
            let is_due = played.epoch() == epoch && played.next_task() == NextTask::Play;
            if is_due && let Err(fault) = played.play_chosen() {
                played.fail(fault.message);
            }
            Ok(())
        });
    }

    fn fail(self: &Arc<Self>, why: String) {
        let _ = self.change(|played| {
            played.fail(why);
            Ok(())
        });
    }

    /// Asks machines for their moves, one after the other.
    async fn ask(self: &Arc<Self>, roles: Vec<usize>) {
        let room = Arc::clone(self);
        let asked = spawn_blocking(move || {
            for role in roles {
                room.ask_one(role);
            }
        });
        if let Err(panic) = asked.await {
            self.fail(format!("a machine failed: {panic}"));
        }
    }

    fn ask_one(self: &Arc<Self>, role: usize) {
        let (subject, spec) = {
            let mut state = self.lock();
            let played = &state.played;
            let is_asked =
                matches!(played.next_task(), NextTask::Ask(roles) if roles.contains(&role));
            if !is_asked {
                return;
            }
            let spec = match_player::machine(&played.header.match_players[role].name);
            (self.subject(&mut state, false), spec)
        };
        let choice = match spec {
            Err(refusal) => Err(PlayerFault(refusal.message)),
            Ok(spec) => {
                let mut machines = self.machines.lock().unwrap_or_else(PoisonError::into_inner);
                let asked = (&subject.session, role);
                let limits = (None, &subject.stop);
                machines.choose(
                    (&spec, subject.seed),
                    asked,
                    limits,
                    &subject.shared_listener(),
                )
            }
        };
        let _ = self.change(|played| {
            if played.epoch() == subject.epoch {
                match choice {
                    Ok(choice) => played.choose(role, choice.mv),
                    Err(fault) => played.fail(fault.to_string()),
                }
            }
            Ok(())
        });
    }

    /// Ends the match when no time is left. A match that is closed meanwhile is not kept open by this.
    pub(super) async fn keep_time(room: Weak<Self>) {
        while let Some(room) = room.upgrade() {
            let left = {
                let mut state = room.lock();
                match state.played.time_left() {
                    Some((left, true)) => left,
                    _ => {
                        state.is_timed = false;
                        return;
                    }
                }
            };
            if left.is_zero() {
                // A panic has been reported where it happened.
                let _ = spawn_blocking(move || room.end_in_time()).await;
            } else {
                drop(room);
                sleep(left).await;
            }
        }
    }

    fn end_in_time(self: &Arc<Self>) {
        let _ = self.change(|played| {
            if let Err(fault) = played.end_when_time_is_up() {
                played.fail(fault.message);
            }
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use tokio::runtime::Builder;
    use tokio::sync::Semaphore;

    use super::*;
    use crate::serve::hosted::ServedMatch;
    use crate::serve::journal::{MatchHeader, MatchJournal};
    use crate::serve::match_player::{MatchPlayer, MatchPlayerKind};
    use crate::serve::screens::GameScreens;
    use crate::session::Game;

    #[test]
    fn machines_rest_where_the_server_ends() {
        let (folder, game) = (TempDir::new().unwrap(), Game::load("tictactoe").unwrap());
        let machine = MatchPlayer {
            kind: MatchPlayerKind::Machine,
            name: "random".to_owned(),
            key: None,
        };
        let header = MatchHeader {
            match_players: vec![machine; 2],
            ..MatchHeader::of(&game)
        };
        let journal = MatchJournal::begin(folder.path(), &header, &[]).unwrap();
        let played = ServedMatch::new(header, journal, (&game, &GameScreens::default())).unwrap();
        let runtime = Builder::new_multi_thread().enable_time().build().unwrap();
        let searches = Arc::new(Semaphore::new(1));
        searches.close();
        let room = Arc::new(MatchRoom::new(played, &searches, runtime.handle()));
        room.wake();
        let begin = Instant::now();
        while room.idle_since().is_none() {
            assert!(
                begin.elapsed() < Duration::from_secs(60),
                "it is still at work"
            );
            std::thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(room.look(|played| played.played().ply()), 0);
    }
}
