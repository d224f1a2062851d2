//! From simplified sentences to ground rules, without those that no query depends on.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::instantiate::{END, Instantiator, SentenceValue};
use super::{GroundRule, Sentence, SentenceId};

type SentenceSet = IndexSet<Sentence, FxBuildHasher>;

/// The sentences and rules that `roots` depend on.
pub(super) fn assemble(
    instantiator: &Instantiator<'_>,
    roots: &[u32],
) -> (SentenceSet, Vec<GroundRule>) {
    let mut assembler = Assembler {
        instantiator,
        ids: vec![None; instantiator.sentences.len()],
        sentences: IndexSet::default(),
        rules: Vec::new(),
    };
    let needed = assembler.needed(roots);
    for (sentence, cells) in instantiator.definitions.iter() {
        if needed[sentence as usize] {
            assembler.define(sentence, cells);
        }
    }
    for &root in roots {
        match instantiator.values[root as usize] {
            SentenceValue::True => assembler.define(root, &[END]),
            SentenceValue::Same(other) if other != root => {
                assembler.define(root, &[2 * other, END])
            }
            SentenceValue::Same(_)
            | SentenceValue::False
            | SentenceValue::Open(_)
            | SentenceValue::Unknown => {}
        }
    }
    (assembler.sentences, assembler.rules)
}

struct Assembler<'r> {
    instantiator: &'r Instantiator<'r>,
    /// For each of the instantiator's sentences, its id in the result, once it has one.
    ids: Vec<Option<SentenceId>>,
    sentences: SentenceSet,
    rules: Vec<GroundRule>,
}

impl Assembler<'_> {
    /// For each sentence, whether `roots` depend on it.
    fn needed(&self, roots: &[u32]) -> Vec<bool> {
        let count = self.instantiator.sentences.len();
        let mut defined: Vec<Option<&[u32]>> = vec![None; count];
        for (sentence, cells) in self.instantiator.definitions.iter() {
            defined[sentence as usize] = Some(cells);
        }
        let mut needed = vec![false; count];
        let same = |&root: &u32| match self.instantiator.values[root as usize] {
            SentenceValue::Same(same) => Some(same),
            _ => None,
        };
        let mut open: Vec<u32> = roots.iter().filter_map(same).collect();
        while let Some(sentence) = open.pop() {
            if !std::mem::replace(&mut needed[sentence as usize], true) {
                let cells = defined[sentence as usize].into_iter().flatten();
                open.extend(cells.filter(|&&cell| cell != END).map(|cell| cell >> 1));
            }
        }
        needed
    }

    fn define(&mut self, head: u32, cells: &[u32]) {
        let head = self.id(head);
        let mut rule = GroundRule {
            head,
            holds: Vec::new(),
            fails: Vec::new(),
        };
        for &cell in cells {
            if cell == END {
                rule.holds.sort_unstable();
                rule.fails.sort_unstable();
                let empty = GroundRule {
                    head,
                    holds: Vec::new(),
                    fails: Vec::new(),
                };
                self.rules.push(std::mem::replace(&mut rule, empty));
            } else {
                let id = self.id(cell >> 1);
                let list = if cell & 1 == 0 {
                    &mut rule.holds
                } else {
                    &mut rule.fails
                };
                list.push(id);
            }
        }
    }

    fn id(&mut self, sentence: u32) -> SentenceId {
        if let Some(known) = self.ids[sentence as usize] {
            return known;
        }
        let (pred, args) = self.instantiator.sentences.sentence(sentence);
        let args = args.to_vec();
        let (index, _) = self.sentences.insert_full(Sentence { pred, args });
        let id = SentenceId(index as u32);
        self.ids[sentence as usize] = Some(id);
        id
    }
}
