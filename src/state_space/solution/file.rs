//! Solutions on the disk.
//!
//! ```text
//! kolibri solution 1\n, or 2 where it has symmetries
//! a line of JSON: game, digest of its rules, roles, role, states, joint moves, ends, packing, symmetries
//! codes    states × words × u32, ascending
//! kinds    states × u8
//! values   states × u8: the goal, or 255 where nobody can force an end
//! plies    states × u16
//! SHA-256 of all bytes before
//! ```
//!
//! Numbers are little-endian. The packing says which bits of a code stand for which facts, so that a file is read without the network
//! it was made with. With symmetries, one state of each class is in the file: of all that they make of each other, the one whose facts,
//! packed as bits in the order of their numbers into words of 64, are the least sequence of words.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::StateCodec;
use super::super::codec::CodecRecord;
use super::super::kind::StateKind;
use super::Solution;
use crate::files::{CHECKSUM, add_checksum, first_line, without_checksum};
use crate::game::Role;
use crate::symmetry::{FactPermutation, SymmetryGroup};

/// The first line of every file is this and the version.
const MAGIC: &str = "kolibri solution ";
const VERSION: u32 = 1;
/// The version of files that have symmetries, which programs of the first version would not heed.
const VERSION_WITH_SYMMETRIES: u32 = 2;

/// What a solution is a solution of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolutionSubject {
    /// The name of the game.
    pub game: String,
    /// The digest of its rules.
    pub rules: String,
}

/// Why bytes are no solution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SolutionFileFault {
    /// The first line is not that of a solution.
    #[error("it is not a solution")]
    Foreign,
    /// Another version of the format.
    #[error(
        "it is a solution in version {0} of the format, and this program reads up to version {VERSION_WITH_SYMMETRIES}"
    )]
    Version(String),
    /// There are fewer or more bytes than the header announces.
    #[error(
        "it has {found} bytes where its header announces {expected}: it was cut short, or something was added"
    )]
    Length {
        /// What the header announces.
        expected: u64,
        /// What is there.
        found: u64,
    },
    /// The checksum is another one.
    #[error("it is damaged: its checksum is wrong")]
    Damaged,
    /// The header cannot be read, or contradicts itself.
    #[error("its header cannot be read: it was cut short, or it is damaged")]
    Header,
}

#[derive(Serialize, Deserialize)]
struct Header {
    game: String,
    rules: String,
    roles: Vec<String>,
    role: usize,
    states: u64,
    joint_moves: u64,
    ends: Vec<Vec<Option<u8>>>,
    packing: CodecRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    symmetries: Option<SymmetryRecord>,
}

/// Why the file has fewer states than the game.
#[derive(Serialize, Deserialize)]
struct SymmetryRecord {
    /// How many states there are in all.
    all_states: u64,
    /// Symmetries that make all others: per fact of the packing, the number of what it becomes.
    generators: Vec<Vec<u32>>,
}

impl SymmetryRecord {
    /// The symmetries of these facts; nothing if they are none.
    fn group(&self, facts: usize) -> Option<SymmetryGroup> {
        let generators = self.generators.iter();
        let generators = generators.map(|images| {
            let images = (images.len() == facts).then(|| images.clone())?;
            FactPermutation::new(images, false)
        });
        SymmetryGroup::of_generators(generators.collect::<Option<_>>()?)
    }
}

impl Solution {
    /// A file that [`Solution::from_bytes`] reads.
    pub fn to_bytes(&self, subject: &SolutionSubject) -> Vec<u8> {
        let header = Header {
            game: subject.game.clone(),
            rules: subject.rules.clone(),
            roles: self.roles.clone(),
            role: self.role.0,
            states: self.classes(),
            joint_moves: self.joint_moves,
            ends: self.ends.clone(),
            packing: self.codec.to_record(),
            symmetries: self.symmetries.as_ref().map(|group| SymmetryRecord {
                all_states: self.states,
                generators: group
                    .generators()
                    .iter()
                    .map(|one| one.images().to_vec())
                    .collect(),
            }),
        };
        let version = match header.symmetries {
            Some(_) => VERSION_WITH_SYMMETRIES,
            None => VERSION,
        };
        // Serialising words and numbers into memory has no way to fail.
        let header = serde_json::to_string(&header).unwrap_or_default();
        let mut bytes = format!("{MAGIC}{version}\n{header}\n").into_bytes();
        bytes.reserve(self.values.len() * bytes_of_state(&self.codec) + CHECKSUM);
        bytes.extend(self.codes.iter().flat_map(|word| word.to_le_bytes()));
        bytes.extend(self.kinds.iter().map(|kind| kind.0));
        bytes.extend(&self.values);
        bytes.extend(self.plies.iter().flat_map(|plies| plies.to_le_bytes()));
        add_checksum(&mut bytes);
        bytes
    }

    /// Reads a file.
    ///
    /// # Errors
    /// [`SolutionFileFault`]: the bytes are not those of a solution, whole and undamaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<(SolutionSubject, Self), SolutionFileFault> {
        let (first, rest) = first_line(bytes).ok_or(SolutionFileFault::Foreign)?;
        let version = first.strip_prefix(MAGIC);
        let version = version.ok_or(SolutionFileFault::Foreign)?;
        if ![VERSION, VERSION_WITH_SYMMETRIES]
            .map(|known| known.to_string())
            .contains(&version.to_owned())
        {
            return Err(SolutionFileFault::Version(version.to_owned()));
        }
        let (header, arrays) = first_line(rest).ok_or(SolutionFileFault::Header)?;
        let header: Header = serde_json::from_str(header).map_err(|_| SolutionFileFault::Header)?;
        let codec = StateCodec::from_record(header.packing).ok_or(SolutionFileFault::Header)?;
        let symmetries = header.symmetries.as_ref();
        let group = symmetries.map(|known| {
            known
                .group(codec.facts().len())
                .ok_or(SolutionFileFault::Header)
        });
        let group = group.transpose()?.map(Arc::new);
        let states = header.states;
        let announced = states.saturating_mul(bytes_of_state(&codec) as u64);
        let before = (bytes.len() - arrays.len()) as u64;
        let expected = announced.saturating_add(before + CHECKSUM as u64);
        if expected != bytes.len() as u64 {
            let found = bytes.len() as u64;
            return Err(SolutionFileFault::Length { expected, found });
        }
        without_checksum(bytes).ok_or(SolutionFileFault::Damaged)?;
        if header.role >= header.roles.len() {
            return Err(SolutionFileFault::Header);
        }
        let states = states as usize;
        let (codes, arrays) = arrays.split_at(4 * states * codec.code_words());
        let (kinds, arrays) = arrays.split_at(states);
        let (values, arrays) = arrays.split_at(states);
        let (words, _) = codes.as_chunks();
        let (plies, _) = arrays[..2 * states].as_chunks();
        let subject = SolutionSubject {
            game: header.game,
            rules: header.rules,
        };
        let solution = Self {
            roles: header.roles,
            role: Role(header.role),
            states: header
                .symmetries
                .map_or(header.states, |known| known.all_states),
            joint_moves: header.joint_moves,
            symmetries: group,
            ends: header.ends,
            codec,
            codes: words.iter().map(|word| u32::from_le_bytes(*word)).collect(),
            kinds: kinds.iter().map(|kind| StateKind(*kind)).collect(),
            values: values.to_vec(),
            plies: plies.iter().map(|one| u16::from_le_bytes(*one)).collect(),
        };
        Ok((subject, solution))
    }
}

/// What a state takes in a file.
fn bytes_of_state(codec: &StateCodec) -> usize {
    size_of::<u32>() * codec.code_words() + 2 * size_of::<u8>() + size_of::<u16>()
}

#[cfg(test)]
mod tests {
    use super::super::super::tests::{shipped, solution};
    use super::*;
    use crate::game::StateMachine;

    fn subject() -> SolutionSubject {
        SolutionSubject {
            game: "tictactoe".to_owned(),
            rules: "none".to_owned(),
        }
    }

    fn bytes() -> Vec<u8> {
        solution(&shipped("tictactoe"), 0).to_bytes(&subject())
    }

    fn fault(bytes: &[u8]) -> SolutionFileFault {
        Solution::from_bytes(bytes).unwrap_err()
    }

    #[test]
    fn a_solution_is_read_as_it_was_written() {
        let game = shipped("tictactoe");
        let bytes = bytes();
        let (named, read) = Solution::from_bytes(&bytes).unwrap();
        assert_eq!(named, subject());
        assert_eq!(read.to_bytes(&named), bytes);
        let own = solution(&game, 0);
        assert_eq!(read.joint_moves(), own.joint_moves());
        assert_eq!(read.constant_sum(), Some(100));
        for (one, other) in read.states().zip(own.states()) {
            assert_eq!(one, other);
            let facts = game.state_text(&own.state(&other));
            assert_eq!(read.value(&facts), Some(one.value));
        }
        assert_eq!(read.value(&["(cell 1 1 b)"]), None);
        assert_eq!(read.value(&["(cell 1 1 z)"]), None);
    }

    #[test]
    fn damaged_and_foreign_files_are_refused() {
        let whole = bytes();
        let foreign: [&[u8]; 4] = [b"", b"(role x)\n", b"kolibri solution", b"\xff\n"];
        for foreign in foreign {
            assert_eq!(fault(foreign), SolutionFileFault::Foreign);
        }
        let newer = String::from_utf8_lossy(&whole[..40]).replace("solution 1", "solution 3");
        assert_eq!(
            fault(newer.as_bytes()),
            SolutionFileFault::Version("3".to_owned())
        );
        for end in [0, 10, 19, 60, whole.len() / 2, whole.len() - 1] {
            let is_refused = Solution::from_bytes(&whole[..end]).is_err();
            assert!(is_refused, "the first {end} bytes");
        }
        let mut longer = whole.clone();
        longer.push(0);
        assert!(matches!(fault(&longer), SolutionFileFault::Length { .. }));
        for place in (0..whole.len()).step_by(997) {
            let mut damaged = whole.clone();
            damaged[place] ^= 4;
            assert!(Solution::from_bytes(&damaged).is_err(), "byte {place}");
        }
    }

    #[test]
    fn a_header_that_promises_too_much_is_refused() {
        let whole = bytes();
        let states = b"\"states\":5478,\"joint_moves\"";
        let place = whole.windows(states.len()).position(|part| part == states);
        let mut more = whole.clone();
        let place = place.unwrap() + b"\"states\":".len();
        more.splice(place..place + 4, *b"18446744073709551615");
        assert!(matches!(fault(&more), SolutionFileFault::Length { .. }));
    }
}
