//! What processes must have in common to work together.

use std::fmt;

use sha2::{Digest, Sha256};

use super::{ClusterOptions, ClusterQuestion};

/// In what a process differs from this one, so that they cannot work together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterDifference {
    /// It is no such process, or one of another version of the program.
    Program,
    /// It has other rules.
    Rules,
    /// It has another list of processes.
    Hosts,
    /// It has more or fewer threads.
    Threads,
    /// It enumerates where this one solves, is asked about another role or position, or uses other symmetries.
    Question,
    /// It keeps plies where this one keeps none, or keeps none where this one does.
    Checkpoint,
    /// It is not the process that the list has at its address.
    Place,
}

impl fmt::Display for ClusterDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Program => "is another program, or another version of this one",
            Self::Rules => "has other rules",
            Self::Hosts => "has another list of processes",
            Self::Threads => "has another number of threads",
            Self::Question => "has another question",
            Self::Checkpoint => "has a checkpoint and this process has none, or the reverse",
            Self::Place => "is another process of the list than the one at this address",
        })
    }
}

const DIGEST: usize = 32;
/// What is compared, in this order: of several differences, the first is told.
const PARTS: [ClusterDifference; 6] = [
    ClusterDifference::Program,
    ClusterDifference::Rules,
    ClusterDifference::Hosts,
    ClusterDifference::Threads,
    ClusterDifference::Question,
    ClusterDifference::Checkpoint,
];

/// What a process is about to do: a digest of each part that must be the same everywhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ClusterPurpose([u8; Self::BYTES]);

impl ClusterPurpose {
    pub(super) const BYTES: usize = PARTS.len() * DIGEST;

    pub(super) fn new(options: &ClusterOptions, question: Option<&ClusterQuestion>) -> Self {
        let ClusterOptions {
            hosts,
            threads,
            subject,
            checkpoint,
            symmetries,
            ..
        } = options;
        let symmetries = symmetries.as_ref().map(|group| group.digest());
        // In the order of `PARTS`.
        let texts = [
            env!("CARGO_PKG_VERSION").to_owned(),
            subject.rules.clone(),
            hosts.to_string(),
            threads.to_string(),
            format!(
                "{} {symmetries:?}",
                question.map_or_else(String::new, words)
            ),
            checkpoint.is_some().to_string(),
        ];
        let mut bytes = [0; Self::BYTES];
        for (text, digest) in texts.iter().zip(bytes.chunks_exact_mut(DIGEST)) {
            digest.copy_from_slice(&Sha256::digest(text));
        }
        Self(bytes)
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// In what a process differs that sent these bytes.
    pub(super) fn difference(&self, sent: &[u8]) -> Option<ClusterDifference> {
        let own = self.0.chunks_exact(DIGEST);
        let mut parts = PARTS.iter().zip(own.zip(sent.chunks(DIGEST)));
        let differs = parts.find(|(_, (own, sent))| own != sent);
        differs.map(|(part, _)| *part)
    }
}

fn words(question: &ClusterQuestion) -> String {
    format!("{} {:?}", question.role.0, question.states)
}

#[cfg(test)]
mod tests {
    use super::super::ClusterHosts;
    use super::super::tests::options;
    use super::*;
    use crate::game::Role;
    use crate::util::StopFlag;

    #[test]
    fn each_difference_is_told() {
        let same = || options(2, u64::MAX, &StopFlag::default());
        let purpose = |options: &ClusterOptions, role: Option<usize>| {
            let question = role.map(|role| ClusterQuestion {
                role: Role(role),
                states: Vec::new(),
            });
            ClusterPurpose::new(options, question.as_ref())
        };
        let own = purpose(&same(), None);
        let told = |other: ClusterPurpose| own.difference(other.bytes());
        assert_eq!(told(purpose(&same(), None)), None);
        let kept = ClusterOptions {
            checkpoint: Some("kept".into()),
            ..same()
        };
        assert_eq!(
            told(purpose(&kept, None)),
            Some(ClusterDifference::Checkpoint)
        );
        // Where they are kept is no difference: each process has a folder of its own.
        let elsewhere = ClusterOptions {
            checkpoint: Some("elsewhere".into()),
            ..same()
        };
        assert_eq!(purpose(&kept, None), purpose(&elsewhere, None));
        assert_eq!(
            told(purpose(&same(), Some(0))),
            Some(ClusterDifference::Question)
        );
        let role = purpose(&same(), Some(1));
        let question = purpose(&same(), Some(0)).difference(role.bytes());
        assert_eq!(question, Some(ClusterDifference::Question));
        let threads = options(3, u64::MAX, &StopFlag::default());
        assert_eq!(
            told(purpose(&threads, None)),
            Some(ClusterDifference::Threads)
        );
        let hosts = ClusterOptions {
            hosts: ClusterHosts::new("127.0.0.1:1", 0).unwrap(),
            ..same()
        };
        assert_eq!(told(purpose(&hosts, None)), Some(ClusterDifference::Hosts));
        let mut rules = same();
        rules.subject.rules.push('!');
        assert_eq!(told(purpose(&rules, None)), Some(ClusterDifference::Rules));
    }
}
