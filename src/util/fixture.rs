//! What tests of kept values share.

use std::fmt::Debug;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The bytes of a value, from which it can be read again.
pub(super) fn kept<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) -> Vec<u8> {
    let bytes = postcard::to_stdvec(value).unwrap();
    assert_eq!(&postcard::from_bytes::<T>(&bytes).unwrap(), value);
    bytes
}
