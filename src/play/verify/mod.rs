//! Do records of games agree with the rules?
//!
//! [`record_files`] finds records, and [`verify`] replays them on several threads: every recorded state, set of legal moves,
//! end and goal is compared, and the recorded numbers of paths as far as the budgets reach.

mod check;
mod find;
mod games;
mod recording;

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use check::verify_record;
pub use check::{Mismatch, Verification, VerifyBudget};
pub use find::{RecordFile, UnreadablePath, record_files};
use games::OpenedGames;

/// Verifies records on several threads, and hands what came of it to `report` in the order of the records; an error ends
/// the work.
///
/// # Errors
/// That of `report`.
pub fn verify<E>(
    jobs: &[RecordFile],
    threads: usize,
    budget: &VerifyBudget<'_>,
    mut report: impl FnMut(Verification) -> Result<(), E>,
) -> Result<(), E> {
    let threads = threads.min(jobs.len());
    let games = OpenedGames::new(threads, &budget.open);
    let (sender, verifications) = channel();
    let taken = AtomicUsize::new(0);
    let is_ended = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..threads {
            let sender = sender.clone();
            scope.spawn(|| take_jobs(jobs, &taken, &is_ended, (budget, &games), sender));
        }
        drop(sender);
        let mut early: Vec<Option<Verification>> = jobs.iter().map(|_| None).collect();
        let mut reported = 0;
        for (number, verification) in verifications {
            early[number] = Some(verification);
            while let Some(verification) = early.get_mut(reported).and_then(Option::take) {
                reported += 1;
                if let Err(failure) = report(verification) {
                    is_ended.store(true, Ordering::Relaxed);
                    return Err(failure);
                }
            }
        }
        early.into_iter().flatten().try_for_each(&mut report)
    })
}

fn take_jobs(
    jobs: &[RecordFile],
    taken: &AtomicUsize,
    is_ended: &AtomicBool,
    (budget, games): (&VerifyBudget<'_>, &OpenedGames<'_>),
    verifications: Sender<(usize, Verification)>,
) {
    loop {
        let number = taken.fetch_add(1, Ordering::Relaxed);
        let ended = budget.stop.is_raised() || is_ended.load(Ordering::Relaxed);
        let Some(job) = jobs.get(number).filter(|_| !ended) else {
            return;
        };
        let verification = verify_record(job, budget, games);
        if verifications.send((number, verification)).is_err() {
            return;
        }
    }
}
