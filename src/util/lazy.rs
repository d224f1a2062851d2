//! [`Lazy`]: a value that is made when it is first used.

use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, LazyLock};

use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A value that is made when it is first used. Clones share it.
///
/// One that is deserialised is decoded when it is first used.
///
/// # Panics
/// The first use panics if the bytes are not those that were written: that they are must be known by a checksum before.
pub struct Lazy<T>(Arc<LazyLock<T, Make<T>>>);

type Make<T> = Box<dyn FnOnce() -> T + Send>;

impl<T> Lazy<T> {
    /// The value that `make` gives.
    pub fn new(make: impl FnOnce() -> T + Send + 'static) -> Self {
        Self(Arc::new(LazyLock::new(Box::new(make))))
    }

    /// Makes the value unless that is done.
    pub fn force(this: &Self) -> &T {
        this
    }
}

impl<T: Send + 'static> From<T> for Lazy<T> {
    fn from(value: T) -> Self {
        Self::new(|| value)
    }
}

impl<T> Deref for Lazy<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> Clone for Lazy<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: PartialEq> PartialEq for Lazy<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for Lazy<T> {}

impl<T: fmt::Debug> fmt::Debug for Lazy<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<T: Serialize> Serialize for Lazy<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = postcard::to_stdvec(&**self).map_err(S::Error::custom)?;
        serializer.serialize_bytes(&bytes)
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lazy<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let bytes = <&[u8]>::deserialize(deserializer)?.to_vec();
        Ok(Self::new(move || {
            postcard::from_bytes(&bytes).expect("a value as it was written")
        }))
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_value_is_made_once_when_it_is_used() {
        let made = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&made);
        let value = Lazy::new(move || count.fetch_add(1, Ordering::Relaxed) + 7);
        let clone = value.clone();
        assert_eq!(made.load(Ordering::Relaxed), 0);
        assert_eq!((*value, *clone), (7, 7));
        assert_eq!(made.load(Ordering::Relaxed), 1);
        assert_eq!(value, Lazy::from(7));
    }

    #[test]
    fn a_value_is_as_it_was_written() {
        let value = Lazy::from(vec!["a".to_owned(), String::new()]);
        let bytes = postcard::to_stdvec(&(1_u8, &value, 2_u8)).unwrap();
        let (one, read, two): (u8, Lazy<Vec<String>>, u8) = postcard::from_bytes(&bytes).unwrap();
        assert_eq!((one, read, two), (1, value, 2));
    }

    #[test]
    fn nothing_is_decoded_before_it_is_used() {
        let bytes = postcard::to_stdvec(&Lazy::from(7_u8)).unwrap();
        let no_text: Lazy<String> = postcard::from_bytes(&bytes).unwrap();
        let used = catch_unwind(AssertUnwindSafe(|| Lazy::force(&no_text).len()));
        assert!(used.is_err());
    }
}
