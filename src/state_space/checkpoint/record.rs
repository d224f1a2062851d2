//! What a ply brought, in bytes.
//!
//! ```text
//! the length of the head, u64
//! the head, JSON: totals, goals of ends, whether joint moves are kept, lengths of what follows
//! new       u32 × states first reached by this ply: their numbers
//! codes     u32 × words × the same states, where states are kept in a table
//! for each part of the graph:
//!   states  u32 × states that were expanded
//!   kinds   u8 × the same states
//!   degrees u16 × the same states: how many joint moves they have
//!   targets u32 × joint moves: where they lead
//! incoming  u32 × 3 × joint moves that lead here: the state, the worker that made the move, its state before, on a cluster
//! ```

use std::io::{self, Write};

use serde::{Deserialize, Serialize};

use super::super::SpaceTotals;
use super::super::graph::GraphPart;
use super::super::kind::StateKind;
use super::super::table::StateNumber;

/// What is known when a ply has been expanded, and what was not known before.
#[derive(Debug, Default)]
pub(in super::super) struct PlyRecord {
    pub(in super::super) totals: SpaceTotals,
    /// The goals with which the game ends.
    pub(in super::super) ends: Vec<Vec<Option<u8>>>,
    /// How much memory the joint moves take; none if they are not kept.
    pub(in super::super) graph_bytes: Option<u64>,
    /// The numbers of the states that this ply reached first, and their codes, where they are kept in a table.
    pub(in super::super) new: Vec<StateNumber>,
    pub(in super::super) codes: Vec<u32>,
    /// The states of the ply, with the states after them.
    pub(in super::super) parts: Vec<GraphPart>,
    /// On a cluster, the joint moves that led to states of a worker, in place of those that its own states have: the state that each
    /// led to, the worker that made it, and its state before.
    pub(in super::super) incoming: Option<Vec<u32>>,
}

#[derive(Serialize, Deserialize)]
struct PlyHead {
    totals: SpaceTotals,
    ends: Vec<Vec<Option<u8>>>,
    graph_bytes: Option<u64>,
    new: usize,
    has_codes: bool,
    parts: Vec<PartHead>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    incoming: Option<usize>,
}

#[derive(Serialize, Deserialize)]
struct PartHead {
    states: usize,
    targets: usize,
    widths: Vec<Vec<u16>>,
}

impl PlyRecord {
    /// The first bytes of the record, and how long it is.
    pub(super) fn head(&self) -> (Vec<u8>, usize) {
        let part = |part: &GraphPart| PartHead {
            states: part.states.len(),
            targets: part.targets.len(),
            widths: part.widths.clone(),
        };
        let head = PlyHead {
            totals: self.totals.clone(),
            ends: self.ends.clone(),
            graph_bytes: self.graph_bytes,
            new: self.new.len(),
            has_codes: !self.codes.is_empty(),
            parts: self.parts.iter().map(part).collect(),
            incoming: self.incoming.as_ref().map(Vec::len),
        };
        // Serialising words and numbers into memory has no way to fail.
        let head = serde_json::to_vec(&head).unwrap_or_default();
        let head = [&(head.len() as u64).to_le_bytes()[..], &head].concat();
        let arrays = self.parts.iter().map(|part| {
            size_of_val(&part.states[..])
                + size_of_val(&part.kinds[..])
                + size_of_val(&part.degrees[..])
                + size_of_val(&part.targets[..])
        });
        let arrays: usize = arrays.sum();
        let new = size_of_val(&self.new[..]) + size_of_val(&self.codes[..]);
        let incoming = size_of_val(self.incoming());
        let len = head.len() + new + arrays + incoming;
        (head, len)
    }

    /// Writes the record, whose first bytes are these.
    pub(super) fn write(&self, head: &[u8], writer: &mut impl Write) -> io::Result<()> {
        writer.write_all(head)?;
        write_all(writer, &self.new, u32::to_le_bytes)?;
        write_all(writer, &self.codes, u32::to_le_bytes)?;
        for part in &self.parts {
            write_all(writer, &part.states, u32::to_le_bytes)?;
            write_all(writer, &part.kinds, |kind| [kind.0])?;
            write_all(writer, &part.degrees, u16::to_le_bytes)?;
            write_all(writer, &part.targets, u32::to_le_bytes)?;
        }
        write_all(writer, self.incoming(), u32::to_le_bytes)
    }

    fn incoming(&self) -> &[u32] {
        self.incoming.as_deref().unwrap_or_default()
    }

    /// Reads a record; nothing if it contradicts itself.
    pub(super) fn from_bytes(bytes: &[u8], code_words: usize) -> Option<Self> {
        let (len, rest) = bytes.split_first_chunk()?;
        let len = usize::try_from(u64::from_le_bytes(*len)).ok()?;
        let (head, mut rest) = rest.split_at_checked(len)?;
        let head: PlyHead = serde_json::from_slice(head).ok()?;
        let codes = if head.has_codes { code_words } else { 0 };
        let mut record = Self {
            totals: head.totals,
            ends: head.ends,
            graph_bytes: head.graph_bytes,
            new: take(&mut rest, head.new, u32::from_le_bytes)?,
            codes: take(&mut rest, head.new.checked_mul(codes)?, u32::from_le_bytes)?,
            parts: Vec::with_capacity(head.parts.len()),
            incoming: None,
        };
        for part in head.parts {
            record.parts.push(GraphPart {
                states: take(&mut rest, part.states, u32::from_le_bytes)?,
                kinds: take(&mut rest, part.states, |[kind]| StateKind(kind))?,
                degrees: take(&mut rest, part.states, u16::from_le_bytes)?,
                widths: part.widths,
                targets: take(&mut rest, part.targets, u32::from_le_bytes)?,
            });
        }
        if let Some(len) = head.incoming {
            record.incoming = Some(take(&mut rest, len, u32::from_le_bytes)?);
        }
        let is_sound = rest.is_empty() && record.parts.iter().all(|part| record.is_sound(part));
        is_sound.then_some(record)
    }

    /// Whether a part has as many targets as its states have joint moves, if they are kept there, and names no ends that are unknown.
    fn is_sound(&self, part: &GraphPart) -> bool {
        let degrees = part.degrees.iter().map(|degree| usize::from(*degree));
        let kinds = || part.kinds.iter();
        let several = kinds().filter(|kind| **kind == StateKind::SEVERAL);
        (self.incoming.is_some() || degrees.sum::<usize>() == part.targets.len())
            && (part.widths.is_empty() || several.count() == part.widths.len())
            && kinds().all(|kind| kind.end().is_none_or(|end| end < self.ends.len().max(1)))
    }
}

fn write_all<T: Copy, const N: usize>(
    writer: &mut impl Write,
    values: &[T],
    to_bytes: impl Fn(T) -> [u8; N],
) -> io::Result<()> {
    for values in values.chunks(1 << 12) {
        let bytes: Vec<u8> = values.iter().flat_map(|value| to_bytes(*value)).collect();
        writer.write_all(&bytes)?;
    }
    Ok(())
}

/// Takes so many values from the beginning of `bytes`.
fn take<T, const N: usize>(
    bytes: &mut &[u8],
    count: usize,
    from_bytes: impl Fn([u8; N]) -> T,
) -> Option<Vec<T>> {
    let (values, rest) = bytes.split_at_checked(count.checked_mul(N)?)?;
    *bytes = rest;
    let (values, _) = values.as_chunks();
    Some(values.iter().map(|value| from_bytes(*value)).collect())
}
