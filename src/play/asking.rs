//! Players are asked for their moves.

use std::thread::{self, ScopedJoinHandle};
use std::time::{Duration, Instant};

use crate::play::{Choice, Player, PlayerFault, Session, choose_legal, while_others_ponder};

/// What everybody answers, in the order of the roles: those on the network all at once, the others one after the other meanwhile.
pub(super) fn ask_all(players: &mut [Box<dyn Player>], session: &Session) -> Vec<Answer> {
    let (remote, mut local) = by_place(players);
    let mut answers: Vec<(usize, Answer)> = thread::scope(|scope| {
        let waiting: Vec<_> = remote
            .into_iter()
            .map(|(role, player)| (role, scope.spawn(move || Answer::of(player, session, role))))
            .collect();
        let roles: Vec<usize> = local.iter().map(|(role, _)| *role).collect();
        let mut answers: Vec<_> = roles
            .into_iter()
            .map(|role| (role, ask_local(&mut local, session, role)))
            .collect();
        if !waiting.is_empty() {
            let all = local
                .iter_mut()
                .map(|(role, player)| (*role, &mut **player));
            let wait = || {
                waiting
                    .into_iter()
                    .map(|(role, waiting)| (role, joined(waiting)))
            };
            answers.extend(while_others_ponder(all, session, || {
                wait().collect::<Vec<_>>()
            }));
        }
        answers
    });
    answers.sort_by_key(|(role, _)| *role);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// Players with the numbers of their roles.
pub(super) type PlayersWithRoles<'p> = Vec<(usize, &'p mut Box<dyn Player>)>;

/// The players on the network, and the others.
pub(super) fn by_place(
    players: &mut [Box<dyn Player>],
) -> (PlayersWithRoles<'_>, PlayersWithRoles<'_>) {
    let players = players.iter_mut().enumerate();
    players.partition(|(_, player)| player.is_remote())
}

/// Asks one of the players, while those of the others ponder that do so.
fn ask_local(players: &mut PlayersWithRoles<'_>, session: &Session, role: usize) -> Answer {
    let choices = session.legal_of(role).len();
    let players = players
        .iter_mut()
        .map(|(role, player)| (*role, &mut **player));
    let (mut asked, others): (PlayersWithRoles<'_>, PlayersWithRoles<'_>) =
        players.partition(|(other, _)| *other == role);
    // A role without a choice takes no time.
    let others = others.into_iter().filter(|_| choices > 1);
    while_others_ponder(others, session, || Answer::of(asked[0].1, session, role))
}

/// What a thread returns; its panic goes on here.
fn joined<T>(thread: ScopedJoinHandle<'_, T>) -> T {
    thread
        .join()
        .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What a player said, and how long it took.
pub(super) struct Answer {
    pub(super) choice: Result<Choice, PlayerFault>,
    pub(super) time: Duration,
}

impl Answer {
    fn of(player: &mut Box<dyn Player>, session: &Session, role: usize) -> Self {
        let start = Instant::now();
        let choice = choose_legal(&mut **player, session, role);
        let time = start.elapsed();
        Self { choice, time }
    }
}
