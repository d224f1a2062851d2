//! Values that outlive their users.

use std::ops::{Deref, DerefMut};
use std::sync::{Arc, Mutex};

/// Keeps values that nobody uses for whoever needs one next, up to a number of them.
#[derive(Debug)]
pub struct ObjectPool<T> {
    kept: Mutex<Vec<T>>,
    most: usize,
}

/// A value of a pool, which gets it back in the end.
#[derive(Debug)]
pub struct Pooled<T> {
    /// Taken when it is dropped.
    value: Option<T>,
    pool: Arc<ObjectPool<T>>,
}

impl<T> ObjectPool<T> {
    /// An empty pool, which keeps so many values at most.
    pub fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            kept: Mutex::new(Vec::new()),
            most,
        })
    }

    /// The value that was given back last; a new one if none is kept.
    pub fn take(self: &Arc<Self>, make: impl FnOnce() -> T) -> Pooled<T> {
        let kept = self.kept.lock().ok().and_then(|mut kept| kept.pop());
        Pooled {
            value: Some(kept.unwrap_or_else(make)),
            pool: Arc::clone(self),
        }
    }
}

impl<T> Drop for Pooled<T> {
    fn drop(&mut self) {
        // What was in use when its thread panicked may be in any state.
        if std::thread::panicking() {
            return;
        }
        if let (Some(value), Ok(mut kept)) = (self.value.take(), self.pool.kept.lock())
            && kept.len() < self.pool.most
        {
            kept.push(value);
        }
    }
}

impl<T> Deref for Pooled<T> {
    type Target = T;

    fn deref(&self) -> &T {
        match &self.value {
            Some(value) => value,
            None => unreachable!("only dropping takes the value"),
        }
    }
}

impl<T> DerefMut for Pooled<T> {
    fn deref_mut(&mut self) -> &mut T {
        match &mut self.value {
            Some(value) => value,
            None => unreachable!("only dropping takes the value"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_up_to_a_limit() {
        let pool = ObjectPool::new(3);
        let mut made = 0;
        let mut take = || {
            pool.take(|| {
                made += 1;
                made
            })
        };
        let first = take();
        let second = take();
        assert_eq!((*first, *second), (1, 2));
        drop(first);
        assert_eq!(*take(), 1);
        let many: Vec<_> = (0..5).map(|_| take()).collect();
        drop((second, many));
        assert_eq!(pool.kept.lock().map(|kept| kept.len()).ok(), Some(3));
    }

    #[test]
    fn values_of_panicking_threads_are_dropped() {
        let pool = ObjectPool::new(3);
        let taken = pool.take(|| 1);
        let user = std::thread::spawn(move || {
            let _taken = taken;
            panic!("as a bug would");
        });
        assert!(user.join().is_err());
        assert_eq!(*pool.take(|| 2), 2);
    }
}
