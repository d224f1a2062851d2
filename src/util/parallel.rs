//! Work side by side, where it is worth a second thread.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

/// Does both: side by side if they are `large`. Small work is done before another thread is awake.
pub fn join_if<A: Send, B: Send>(
    large: bool,
    one: impl FnOnce() -> A + Send,
    other: impl FnOnce() -> B + Send,
) -> (A, B) {
    match large {
        true => rayon::join(one, other),
        false => (one(), other()),
    }
}

/// What `work` makes of each item, in order: side by side if they are `large`.
pub fn map_if<T: Send, R: Send>(
    large: bool,
    items: Vec<T>,
    work: impl Fn(T) -> R + Sync + Send,
) -> Vec<R> {
    match large {
        true => items.into_par_iter().map(work).collect(),
        false => items.into_iter().map(work).collect(),
    }
}
