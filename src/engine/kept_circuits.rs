//! The form of circuits that are kept: each in bytes of its own, so that they are read side by side.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::propnet::Circuit;

/// Bytes that are written as they are, not one by one.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

/// Writes each circuit, and after it the one for searches, empty where there is none.
pub(super) fn serialize<S: Serializer>(
    circuits: &[Circuit],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let of = |circuit: Option<&Circuit>| circuit.map_or(Ok(Vec::new()), postcard::to_stdvec);
    let all = circuits
        .iter()
        .flat_map(|circuit| [Some(circuit), circuit.of_search.as_deref()]);
    let all: Result<Vec<Bytes>, _> = all.map(|circuit| of(circuit).map(Bytes)).collect();
    all.map_err(S::Error::custom)?.serialize(serializer)
}

pub(super) fn deserialize<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<Circuit>, D::Error> {
    let all: Vec<&'de [u8]> = Deserialize::deserialize(deserializer)?;
    let read = |bytes: &&[u8]| match bytes {
        [] => Ok(None),
        _ => postcard::from_bytes::<Circuit>(bytes).map(Some),
    };
    let mut read: Vec<Option<Circuit>> = all
        .into_par_iter()
        .with_max_len(1)
        .map(|bytes| read(&bytes))
        .collect::<Result<_, _>>()
        .map_err(D::Error::custom)?;
    let pairs = read.chunks_exact_mut(2);
    let circuits: Option<Vec<Circuit>> = pairs
        .map(|pair| {
            let of_search = pair[1].take().map(Box::new);
            Some(Circuit {
                of_search,
                ..pair[0].take()?
            })
        })
        .collect();
    let circuits = circuits.filter(|circuits| !circuits.is_empty());
    circuits.ok_or_else(|| D::Error::custom("a circuit is missing"))
}
