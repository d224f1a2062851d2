//! The states that were found, each with a number.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;

use super::StateCodec;
use super::direct::DirectSet;
use super::graph::GraphPart;
use super::radix::RadixCode;
use super::table::{CodeTable, StateNumber, TableFull};
use crate::engine::Bits;

/// A set of states, which gives each a number: as bits where the mutex groups allow few states, otherwise as a table of codes.
#[derive(Debug)]
pub(super) struct StateSet {
    codec: StateCodec,
    members: Members,
    count: AtomicU64,
}

#[derive(Debug)]
enum Members {
    /// Until the set is whole, states have their numbers in mixed radix; then, their places in order.
    Direct(RadixCode, DirectSet),
    Table(CodeTable),
}

/// What comes of inserting states, and working memory for it.
#[derive(Debug, Default)]
pub(super) struct Inserted {
    /// The number of each state.
    pub(super) numbers: Vec<StateNumber>,
    codes: Vec<u32>,
    order: Vec<(u64, u32)>,
}

impl StateSet {
    /// A set of states that may take so many bytes.
    pub(super) fn new(codec: StateCodec, most_bytes: u64) -> Self {
        let radix = RadixCode::new(&codec);
        let radix = radix.filter(|radix| DirectSet::bytes_for(radix.count()) <= most_bytes);
        let members = match radix {
            Some(radix) => {
                let set = DirectSet::new(radix.count());
                Members::Direct(radix, set)
            }
            None => Members::Table(CodeTable::new(codec.code_words())),
        };
        Self {
            codec,
            members,
            count: AtomicU64::new(0),
        }
    }

    /// Whether states are kept in a table of codes.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.members, Members::Table(_))
    }

    /// How states are packed.
    pub(super) fn codec(&self) -> &StateCodec {
        &self.codec
    }

    /// How much memory it takes, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        match &self.members {
            Members::Direct(radix, _) => DirectSet::bytes_for(radix.count()),
            Members::Table(table) => table.bytes(),
        }
    }

    /// How many states there are.
    pub(super) fn count(&self) -> u64 {
        self.count.load(Ordering::Relaxed)
    }

    /// All numbers are below this, once the set is whole.
    pub(super) fn end(&self) -> usize {
        match &self.members {
            Members::Direct(..) => self.count() as usize,
            Members::Table(table) => table.end(),
        }
    }

    /// Inserts so many packed states, and tells their numbers; those that are new are appended to `new`, too.
    pub(super) fn insert_all(
        &self,
        states: &[u64],
        count: usize,
        inserted: &mut Inserted,
        new: &mut Vec<StateNumber>,
    ) -> Result<(), TableFull> {
        let before = new.len();
        // A game without fluents has states of no words.
        let words = states.len() / count.max(1);
        let states = (0..count).map(|place| &states[place * words..][..words]);
        inserted.numbers.clear();
        match &self.members {
            Members::Direct(radix, set) => {
                for state in states {
                    let number = radix.number(state);
                    inserted.numbers.push(number);
                    if set.insert(number) {
                        new.push(number);
                    }
                }
            }
            Members::Table(table) => {
                let Inserted {
                    numbers,
                    codes,
                    order,
                } = inserted;
                let code_words = self.codec.code_words();
                codes.resize(states.len() * code_words, 0);
                for (state, code) in states.zip(codes.chunks_exact_mut(code_words)) {
                    self.codec.encode(state, code);
                }
                table.insert_all(codes, numbers, order, new)?;
            }
        }
        let added = (new.len() - before) as u64;
        self.count.fetch_add(added, Ordering::Relaxed);
        Ok(())
    }

    /// Inserts states that were kept, with their numbers, and with their codes where a table needs them. Says whether they fit: all
    /// are new, and get these numbers.
    pub(super) fn restore(&self, numbers: &[StateNumber], codes: &[u32]) -> bool {
        self.count
            .fetch_add(numbers.len() as u64, Ordering::Relaxed);
        match &self.members {
            Members::Direct(radix, set) => {
                let fits = |number: &StateNumber| *number < radix.count() && set.insert(*number);
                codes.is_empty() && numbers.iter().all(fits)
            }
            Members::Table(table) => {
                let (mut given, mut order, mut new) = (Vec::new(), Vec::new(), Vec::new());
                let inserted = table.insert_all(codes, &mut given, &mut order, &mut new);
                inserted.is_ok() && given == numbers && new.len() == numbers.len()
            }
        }
    }

    /// The codes of states, to be kept; none where their numbers say all.
    pub(super) fn codes(&self, numbers: &[StateNumber]) -> Vec<u32> {
        let mut codes = Vec::new();
        if let Members::Table(table) = &self.members {
            table.codes_of(numbers, |code| codes.extend_from_slice(code));
        }
        codes
    }

    /// Whether a state has this number, while the set grows.
    pub(super) fn has(&self, number: StateNumber) -> bool {
        match &self.members {
            Members::Direct(_, set) => set.has(number),
            Members::Table(table) => table.has(number),
        }
    }

    /// Sorts numbers so that states that lie near each other in memory follow each other.
    pub(super) fn sort(&self, numbers: &mut [StateNumber]) {
        match &self.members {
            Members::Direct(..) => numbers.par_sort_unstable(),
            Members::Table(_) => numbers.par_sort_unstable_by_key(|number| CodeTable::key(*number)),
        }
    }

    /// Replaces the contents of `states` by the states of these numbers, while the set grows.
    pub(super) fn list(&self, numbers: &[StateNumber], states: &mut Vec<Bits>) {
        states.clear();
        match &self.members {
            Members::Direct(radix, _) => {
                states.extend(numbers.iter().map(|number| radix.state(*number)));
            }
            Members::Table(table) => {
                table.codes_of(numbers, |code| states.push(self.codec.decode(code)))
            }
        }
    }

    /// Says that all states are found; numbers change with that, those of a graph, too.
    pub(super) fn finish(&mut self, graph: &mut [GraphPart]) {
        let Members::Direct(_, set) = &mut self.members else {
            return;
        };
        set.count_members();
        let set = &*set;
        let renumber = |number: &mut StateNumber| *number = set.place(*number).unwrap_or(*number);
        graph.par_iter_mut().for_each(|part| {
            part.states.iter_mut().for_each(renumber);
            part.targets.iter_mut().for_each(renumber);
        });
    }

    /// Calls `with` with every state of the whole set, and its number.
    pub(super) fn each(&self, mut with: impl FnMut(StateNumber, Bits)) {
        match &self.members {
            Members::Direct(radix, set) => {
                for (number, member) in (0..).zip(set.members()) {
                    with(number, radix.state(member));
                }
            }
            Members::Table(table) => {
                let mut states = Vec::new();
                for number in (0..table.end() as StateNumber).filter(|number| table.has(*number)) {
                    // The table is locked while it tells codes.
                    self.list(&[number], &mut states);
                    states.drain(..).for_each(|state| with(number, state));
                }
            }
        }
    }

    /// The number of a state of the whole set.
    pub(super) fn number_of(&self, state: &Bits) -> Option<StateNumber> {
        let code = self.codec.code_of(state)?;
        match &self.members {
            Members::Direct(radix, set) => set.place(radix.number(state.words())),
            Members::Table(table) => table.find(&code),
        }
    }

    /// Gives back the memory by which states are found. It is made again when one is looked for.
    pub(super) fn forget_places(&mut self) {
        if let Members::Table(table) = &mut self.members {
            table.forget_places();
        }
    }

    /// How states are packed, the codes of the whole set in ascending order, one after the other, and the number of each.
    pub(super) fn into_sorted(self) -> (StateCodec, Vec<u32>, NumberOrder) {
        let Self {
            codec,
            members,
            count,
        } = self;
        match members {
            Members::Table(table) => {
                let (codes, order) = table.into_sorted();
                (codec, codes, NumberOrder::Listed(order))
            }
            Members::Direct(radix, set) => {
                let words = codec.code_words();
                let mut codes = vec![0; count.into_inner() as usize * words];
                for (member, code) in set.members().zip(codes.chunks_exact_mut(words)) {
                    codec.encode(radix.state(member).words(), code);
                }
                (codec, codes, NumberOrder::Ascending)
            }
        }
    }
}

/// The numbers of states in the order of their codes.
#[derive(Debug)]
pub(super) enum NumberOrder {
    /// All numbers, from 0 on.
    Ascending,
    /// These.
    Listed(Vec<StateNumber>),
}

impl NumberOrder {
    /// What is known of each state by its number, in this order.
    pub(super) fn arrange<T: Copy>(&self, known: Vec<T>) -> Vec<T> {
        match self {
            Self::Ascending => known,
            Self::Listed(order) => order.iter().map(|number| known[*number as usize]).collect(),
        }
    }
}
