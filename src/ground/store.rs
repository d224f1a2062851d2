//! Sentences and their definitions, each stored once (hash-consing).

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::datalog::{Pred, TermId};

/// Ground sentences, numbered in order of appearance.
#[derive(Default)]
pub(super) struct SentenceTable {
    /// Each sentence's relation, and where its arguments begin.
    all: Vec<(Pred, u32)>,
    args: Vec<TermId>,
    /// Each sentence's number, beside its hash.
    numbers: HashTable<(u64, u32)>,
}

impl SentenceTable {
    /// The number of a sentence, and whether it is new.
    pub(super) fn number(&mut self, pred: Pred, row: &[TermId]) -> (u32, bool) {
        let hash = hash_of(&(pred, row));
        let is_same = |&(of, other): &(u64, u32)| of == hash && self.sentence(other) == (pred, row);
        if let Some(&(_, known)) = self.numbers.find(hash, is_same) {
            return (known, false);
        }
        let number = self.all.len() as u32;
        self.all.push((pred, self.args.len() as u32));
        self.args.extend_from_slice(row);
        self.numbers
            .insert_unique(hash, (hash, number), |&(of, _)| of);
        (number, true)
    }

    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    pub(super) fn sentence(&self, number: u32) -> (Pred, &[TermId]) {
        parts(&self.all, &self.args, number)
    }
}

fn parts<'a>(all: &[(Pred, u32)], args: &'a [TermId], number: u32) -> (Pred, &'a [TermId]) {
    let at = number as usize;
    let (pred, start) = all[at];
    let end = all.get(at + 1).map_or(args.len(), |&(_, end)| end as usize);
    (pred, &args[start as usize..end])
}

/// The bodies of each sentence's rules, and which sentences of one relation have equal bodies.
#[derive(Default)]
pub(super) struct Definitions {
    cells: Vec<u32>,
    all: Vec<Definition>,
    /// The number of each definition that may be found, beside its hash.
    numbers: HashTable<(u64, u32)>,
}

struct Definition {
    pred: Pred,
    sentence: u32,
    first: u32,
    end: u32,
}

impl Definitions {
    /// The sentence of `pred` that is already defined by the same cells; otherwise `sentence`, which is now defined by them.
    pub(super) fn find_or_add(&mut self, pred: Pred, sentence: u32, cells: &[u32]) -> u32 {
        let hash = hash_of(&(pred, cells));
        let is_same = |&(of, other): &(u64, u32)| {
            let other = &self.all[other as usize];
            of == hash && other.pred == pred && self.cells_of(other) == cells
        };
        if let Some(&(_, known)) = self.numbers.find(hash, is_same) {
            return self.all[known as usize].sentence;
        }
        let number = self.all.len() as u32;
        self.add(pred, sentence, cells);
        self.numbers
            .insert_unique(hash, (hash, number), |&(of, _)| of);
        sentence
    }

    /// Defines a sentence without merging it with another that has the same cells.
    pub(super) fn add(&mut self, pred: Pred, sentence: u32, cells: &[u32]) {
        let first = self.cells.len() as u32;
        self.cells.extend_from_slice(cells);
        let end = self.cells.len() as u32;
        self.all.push(Definition {
            pred,
            sentence,
            first,
            end,
        });
    }

    /// The number of cells of all definitions.
    pub(super) fn size(&self) -> usize {
        self.cells.len()
    }

    /// Each defined sentence with its cells.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = (u32, &[u32])> {
        self.all.iter().map(|of| (of.sentence, self.cells_of(of)))
    }

    fn cells_of(&self, of: &Definition) -> &[u32] {
        &self.cells[of.first as usize..of.end as usize]
    }
}

fn hash_of(value: &impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}
