//! [`LazyCircuit`]: a circuit that is decoded when it is first needed.

use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Circuit, Slot, count_gates};
use crate::util::Lazy;

/// What is known of a circuit before it is decoded.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CircuitOutline {
    /// See [`Circuit::slots`].
    pub slots: usize,
    /// See [`Circuit::bases`].
    pub bases: Vec<Slot>,
    /// See [`Circuit::roles`].
    pub roles: Vec<Range<usize>>,
    /// Whether there are [`Circuit::marks`].
    pub has_marks: bool,
    /// The gates of [`Circuit::legal_code`], counted as gates of two operands, a loop's once.
    pub legal_gates: usize,
    /// Those of [`Circuit::transition_code`].
    pub transition_gates: usize,
    /// Those of [`Circuit::direct_transition_code`].
    pub direct_transition_gates: usize,
}

impl CircuitOutline {
    fn of(circuit: &Circuit) -> Self {
        Self {
            slots: circuit.slots,
            bases: circuit.bases.clone(),
            roles: circuit.roles.clone(),
            has_marks: !circuit.marks.is_empty(),
            legal_gates: count_gates(&circuit.legal_code),
            transition_gates: count_gates(&circuit.transition_code),
            direct_transition_gates: count_gates(&circuit.direct_transition_code),
        }
    }
}

/// A circuit, with the one for searches apart. One that was kept is decoded when it is first needed: that of a whole network may be two
/// thirds of all, and is run at the ends of games alone. Clones share it.
#[derive(Clone)]
pub struct LazyCircuit {
    outline: CircuitOutline,
    circuit: Lazy<Circuit>,
    of_search: Option<Arc<LazyCircuit>>,
}

impl LazyCircuit {
    /// What is known before the circuit is decoded.
    pub fn outline(&self) -> &CircuitOutline {
        &self.outline
    }

    /// See [`Circuit::of_search`], which the circuit itself no longer has.
    pub fn of_search(&self) -> Option<&Self> {
        self.of_search.as_deref()
    }

    /// The circuit alone.
    #[must_use]
    pub fn without_search(&self) -> Self {
        Self {
            of_search: None,
            ..self.clone()
        }
    }
}

impl From<Circuit> for LazyCircuit {
    fn from(mut circuit: Circuit) -> Self {
        let of_search = circuit.of_search.take();
        let of_search = of_search.map(|of_search| Arc::new(Self::from(*of_search)));
        Self {
            outline: CircuitOutline::of(&circuit),
            circuit: circuit.into(),
            of_search,
        }
    }
}

impl Deref for LazyCircuit {
    type Target = Circuit;

    fn deref(&self) -> &Circuit {
        &self.circuit
    }
}

impl PartialEq for LazyCircuit {
    fn eq(&self, other: &Self) -> bool {
        **self == **other && self.of_search == other.of_search
    }
}

impl Eq for LazyCircuit {}

impl fmt::Debug for LazyCircuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LazyCircuit").field(&self.outline).finish()
    }
}

impl LazyCircuit {
    /// Appends the circuit to `bytes`, in a form that only this build of the program reads.
    ///
    /// # Errors
    /// Those of the crate `postcard`; none is known to happen.
    pub(crate) fn write(&self, bytes: &mut Vec<u8>) -> Result<(), postcard::Error> {
        let circuit = postcard::to_stdvec(&**self)?;
        let begin = (&self.outline, self.of_search.is_some(), circuit.len());
        let all = postcard::to_extend(&begin, std::mem::take(bytes))?;
        *bytes = all;
        bytes.extend(circuit);
        self.of_search()
            .map_or(Ok(()), |of_search| of_search.write(bytes))
    }

    /// Reads the circuit that begins `at` a place in `bytes`, which is moved to its end; `None` if none is there. Only its outline is looked
    /// at: that the bytes are as they were written must be known by a checksum before the circuit is used.
    pub(crate) fn read(bytes: &Arc<Vec<u8>>, at: &mut usize) -> Option<Self> {
        let (circuit, has_search) = Self::read_alone(bytes, at)?;
        let of_search = match has_search {
            true => Some(Arc::new(Self::read_alone(bytes, at)?.0)),
            false => None,
        };
        Some(Self {
            of_search,
            ..circuit
        })
    }

    /// The same without the circuit for searches, and whether one comes next.
    fn read_alone(bytes: &Arc<Vec<u8>>, at: &mut usize) -> Option<(Self, bool)> {
        let begin = bytes.get(*at..)?;
        let (begin, rest) = postcard::take_from_bytes(begin).ok()?;
        let (outline, has_search, len): (CircuitOutline, bool, usize) = begin;
        let start = bytes.len() - rest.len();
        *at = start.checked_add(len).filter(|end| *end <= bytes.len())?;
        let place = start..*at;
        let bytes = Arc::clone(bytes);
        let decode =
            move || postcard::from_bytes(&bytes[place]).expect("a circuit as it was written");
        let circuit = Self {
            outline,
            circuit: Lazy::new(decode),
            of_search: None,
        };
        Some((circuit, has_search))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propnet::lanes::fixture;
    use crate::util::Lists;

    #[test]
    fn a_circuit_is_as_it_was_written() {
        let marked = Circuit {
            marks: Lists::from_iter([vec![7], vec![7, 8]]).into(),
            ..fixture::nim(20, 4)
        };
        let mut circuit = fixture::nim(20, 3);
        circuit.of_search = Some(Box::new(marked.clone()));
        let written = LazyCircuit::from(circuit.clone());
        let mut bytes = b"before".to_vec();
        written.write(&mut bytes).unwrap();
        let bytes = Arc::new(bytes);
        let mut at = "before".len();
        let read = LazyCircuit::read(&bytes, &mut at).unwrap();
        assert_eq!(at, bytes.len());
        assert_eq!(read.outline(), &CircuitOutline::of(&circuit));
        let of_search = read.of_search().unwrap();
        assert_eq!(of_search.outline(), &CircuitOutline::of(&marked));
        assert!(of_search.outline().has_marks);
        assert_eq!(**of_search, marked);
        assert_eq!(*read, fixture::nim(20, 3));
        assert_eq!(read, written);
        let damaged = Arc::new(bytes[..bytes.len() - 1].to_vec());
        assert!(LazyCircuit::read(&damaged, &mut "before".len()).is_none());
    }
}
