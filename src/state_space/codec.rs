//! States in few bits: what a mutex group holds is a number, not a bit per fluent.

use std::collections::HashSet;

use indexmap::IndexSet;
use serde::{Deserialize, Serialize};

use crate::engine::{Bits, Propnet};
use crate::game::StateMachine;

/// The bits of a word of a code.
const WORD: u32 = u32::BITS;

/// Packs the states that a game can reach.
///
/// Of a mutex group of n fluents at most one holds, so that log₂(n + 1) bits say which; where exactly one holds, log₂ n do. Fluents
/// in no group take a bit each, and those that hold in every state take none. Edelkamp and Helmert (*Exhibiting knowledge in
/// planning problems to minimize state encoding length*, 1999) pack the states of planning problems in this way.
#[derive(Debug, Clone)]
pub struct StateCodec {
    /// All fluents, as KIF terms. Their numbers are places among them.
    facts: IndexSet<String>,
    fields: Vec<Field>,
    /// Per fluent, the word of the code and the bits in it that say that the fluent holds.
    marks: Vec<(u16, u32)>,
    /// The fluents that leave a mark in codes.
    marking: Vec<u64>,
    /// The fluents that hold in every state.
    always: Vec<u64>,
    code_words: usize,
}

/// Bits of a code that say which of some fluents holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Field {
    word: u16,
    shift: u8,
    bits: u8,
    /// Which fluent holds, by the number in the field; `None` where none does.
    fluents: Vec<Option<usize>>,
}

/// A [`StateCodec`] as it is kept on the disk.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CodecRecord {
    facts: Vec<String>,
    always: Vec<usize>,
    fields: Vec<Field>,
    code_words: usize,
}

impl StateCodec {
    /// The packing of the states of `game`.
    pub fn new(game: &Propnet) -> Self {
        let initial = game.initial();
        let facts = game.game_facts().map_or(&[][..], |known| &known.facts);
        let mut always = vec![0; initial.words().len()];
        for fluent in game.static_facts() {
            set(&mut always, *fluent);
        }
        let mut contents = contents(game, &always, facts.len());
        for fluents in contents
            .iter_mut()
            .filter(|fluents| !fluents.contains(&None))
        {
            // The content of the initial state leaves no mark, where one must hold: it is the usual one, as blank squares are.
            let is_usual =
                |fluent: &Option<usize>| fluent.is_some_and(|one| holds(initial.words(), one));
            let usual = fluents.iter().position(is_usual);
            fluents.swap(0, usual.unwrap_or(0));
            if let [Some(only)] = fluents[..] {
                set(&mut always, only);
            }
        }
        let (fields, code_words) = placed(contents);
        Self::with_fields(facts.iter().cloned().collect(), always, fields, code_words)
    }

    fn with_fields(
        facts: IndexSet<String>,
        always: Vec<u64>,
        fields: Vec<Field>,
        code_words: usize,
    ) -> Self {
        let mut marks = vec![(0, 0); always.len() * 64];
        let mut marking = vec![0; always.len()];
        for field in &fields {
            for (number, fluent) in field.fluents.iter().enumerate().skip(1) {
                if let Some(fluent) = *fluent {
                    marks[fluent] = (field.word, (number as u32) << field.shift);
                    set(&mut marking, fluent);
                }
            }
        }
        Self {
            facts,
            fields,
            marks,
            marking,
            always,
            code_words,
        }
    }

    /// The packing that was kept; nothing if the record contradicts itself.
    pub(super) fn from_record(record: CodecRecord) -> Option<Self> {
        let CodecRecord {
            facts,
            always,
            fields,
            code_words,
        } = record;
        let named = facts.len();
        let facts: IndexSet<String> = facts.into_iter().collect();
        let mut words = vec![0; facts.len().div_ceil(64)];
        for fluent in always {
            (fluent < facts.len()).then(|| set(&mut words, fluent))?;
        }
        let fits = |field: &Field| {
            let bits = u32::from(field.bits);
            (1..WORD).contains(&bits)
                && bits + u32::from(field.shift) <= WORD
                && usize::from(field.word) < code_words
                && field.fluents.len() <= 1 << bits
                && field.fluents.iter().flatten().all(|one| *one < facts.len())
        };
        let is_sound = named == facts.len() && code_words > 0 && fields.iter().all(fits);
        is_sound.then(|| Self::with_fields(facts, words, fields, code_words))
    }

    /// The packing, to be kept.
    pub(super) fn to_record(&self) -> CodecRecord {
        let fluents = 0..self.facts.len();
        CodecRecord {
            facts: self.facts.iter().cloned().collect(),
            always: fluents.filter(|&one| holds(&self.always, one)).collect(),
            fields: self.fields.clone(),
            code_words: self.code_words,
        }
    }

    /// How many words of 32 bits a code has.
    pub fn code_words(&self) -> usize {
        self.code_words
    }

    /// How many bits of a code are used.
    pub fn bits(&self) -> u32 {
        self.fields.iter().map(|field| u32::from(field.bits)).sum()
    }

    /// Replaces the contents of `code` by the code of a state, whose words are as in [`Bits::words`].
    pub fn encode(&self, state: &[u64], code: &mut [u32]) {
        code.fill(0);
        for (place, (word, marking)) in state.iter().zip(&self.marking).enumerate() {
            let mut left = word & marking;
            while left != 0 {
                let (at, bits) = self.marks[64 * place + left.trailing_zeros() as usize];
                code[at as usize] |= bits;
                left &= left - 1;
            }
        }
    }

    /// The code of a state, unless it can be none that the game reaches.
    pub(super) fn code_of(&self, state: &Bits) -> Option<Vec<u32>> {
        let mut code = vec![0; self.code_words];
        self.encode(state.words(), &mut code);
        (self.decode(&code) == *state).then_some(code)
    }

    /// The state of a code.
    pub fn decode(&self, code: &[u32]) -> Bits {
        let mut words = self.always.clone();
        for field in &self.fields {
            let mask = u32::MAX >> (WORD - u32::from(field.bits));
            let number = code[field.word as usize] >> field.shift & mask;
            if let Some(Some(fluent)) = field.fluents.get(number as usize) {
                set(&mut words, *fluent);
            }
        }
        Bits::from_words(&words)
    }

    /// For each field, which fluent holds by the number in it, the fields that decide the order of codes first.
    pub(super) fn digits(&self) -> Vec<&[Option<usize>]> {
        let mut fields: Vec<&Field> = self.fields.iter().collect();
        fields.sort_by_key(|field| (field.word, std::cmp::Reverse(field.shift)));
        fields.iter().map(|field| &field.fluents[..]).collect()
    }

    /// The fluents that hold in every state, packed.
    pub(super) fn always(&self) -> &[u64] {
        &self.always
    }

    /// All facts that states may hold, as KIF terms, by the numbers of their fluents.
    pub fn facts(&self) -> impl ExactSizeIterator<Item = &str> {
        self.facts.iter().map(String::as_str)
    }

    /// The state in which these facts hold; nothing if no state holds one of them.
    pub fn state_of<S: AsRef<str>>(&self, facts: &[S]) -> Option<Bits> {
        let mut words = vec![0; self.always.len()];
        for fact in facts {
            set(&mut words, self.facts.get_index_of(fact.as_ref())?);
        }
        Some(Bits::from_words(&words))
    }

    /// The facts that hold in a state, by the numbers of their fluents.
    pub fn facts_of(&self, state: &Bits) -> Vec<String> {
        let facts = self.facts.iter().enumerate();
        let held = facts.filter(|(fluent, _)| holds(state.words(), *fluent));
        held.map(|(_, fact)| fact.clone()).collect()
    }
}

/// Gives each group a field, and tells how many words they take. Large ones first, so that few bits of words stay empty: no field lies
/// in two words.
fn placed(mut contents: Vec<Vec<Option<usize>>>) -> (Vec<Field>, usize) {
    contents.retain(|fluents| fluents.len() > 1);
    contents.sort_by_key(|fluents| std::cmp::Reverse(bits_for(fluents.len())));
    let mut free: Vec<u32> = Vec::new();
    let mut fields = Vec::with_capacity(contents.len());
    for fluents in contents {
        let bits = bits_for(fluents.len());
        let word = free.iter().position(|&left| left >= bits);
        let word = word.unwrap_or_else(|| {
            free.push(WORD);
            free.len() - 1
        });
        fields.push(Field {
            word: word as u16,
            shift: (WORD - free[word]) as u8,
            bits: bits as u8,
            fluents,
        });
        free[word] -= bits;
    }
    (fields, free.len().max(1))
}

/// Every fluent that does not hold always, in exactly one list of what excludes each other; `None` stands for none of them. Each list
/// has at least two entries.
fn contents(game: &Propnet, always: &[u64], fluents: usize) -> Vec<Vec<Option<usize>>> {
    let mut groups: Vec<&(Vec<usize>, bool)> = game.mutex_groups().iter().collect();
    groups.sort_by_key(|(fluents, exactly_one)| (std::cmp::Reverse(fluents.len()), !exactly_one));
    let mut placed: HashSet<usize> = (0..fluents).filter(|&one| holds(always, one)).collect();
    let mut contents = Vec::new();
    for (group, exactly_one) in groups {
        let own: Vec<usize> = group
            .iter()
            .copied()
            .filter(|one| !placed.contains(one))
            .collect();
        if own.len() < 2 {
            continue;
        }
        // Where another list has a fluent of the group, none of the rest may hold.
        let is_complete = *exactly_one && own.len() == group.len();
        placed.extend(&own);
        let none = (!is_complete).then_some(None);
        contents.push(none.into_iter().chain(own.into_iter().map(Some)).collect());
    }
    let single = (0..fluents).filter(|one| !placed.contains(one));
    contents.extend(single.map(|one| vec![None, Some(one)]));
    contents
}

/// How many bits tell so many contents apart.
fn bits_for(contents: usize) -> u32 {
    contents.next_power_of_two().trailing_zeros()
}

fn holds(words: &[u64], fluent: usize) -> bool {
    words[fluent / 64] >> (fluent % 64) & 1 == 1
}

fn set(words: &mut [u64], fluent: usize) {
    words[fluent / 64] |= 1 << (fluent % 64);
}

#[cfg(test)]
mod tests {
    use super::super::tests::{propnet, shipped};
    use super::*;
    use crate::catalog::GameSource;

    #[test]
    fn squares_take_two_bits() {
        // 9 squares of 3 contents, and whose turn it is.
        assert_eq!(StateCodec::new(&shipped("tictactoe")).bits(), 19);
        // 12 squares, twice 0 to 5 points, and whose turn it is.
        assert_eq!(
            StateCodec::new(&shipped("kolibrat")).bits(),
            12 * 2 + 2 * 3 + 1
        );
    }

    #[test]
    fn states_come_back() {
        // At most one thing is held, and at first it is one.
        let held = "(role a) (init (held key)) (init (step 0)) (succ 0 1) (succ 1 2) \
                    (<= (legal a drop) (true (held ?x))) (legal a wait) (legal a take) \
                    (<= (next (held key)) (does a wait) (true (held key))) \
                    (<= (next (held cup)) (does a take) (not (true (held key)))) \
                    (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n)) \
                    (<= terminal (true (step 2))) (goal a 50)";
        let games = ["tictactoe", "kolibrat", "checkers", "rock-paper-scissors"];
        let games = games.map(|name| GameSource::find(name).unwrap().text);
        for text in games.iter().map(String::as_str).chain([held]) {
            let propnet = propnet("game", text);
            let codec = StateCodec::new(&propnet);
            let (mut scratch, mut state) = (propnet.scratch(), propnet.initial());
            let mut code = vec![0; codec.code_words()];
            for ply in 0..40 {
                codec.encode(state.words(), &mut code);
                assert_eq!(codec.decode(&code), state, "{text}");
                if propnet.is_terminal(&mut scratch, &state) {
                    break;
                }
                let mut legal = Vec::new();
                crate::game::legal_of_all(&propnet, &mut scratch, &state, &mut legal);
                let joint: Vec<u32> = legal.iter().map(|moves| moves[ply % moves.len()]).collect();
                state = propnet.next(&mut scratch, &state, &joint);
            }
        }
    }
}
