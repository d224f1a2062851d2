//! From settled sentences to rules, leaving out what nothing rests on.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

use super::resolve::{END, Resolver, Value};
use super::{GroundRule, Sentence, SentenceId};

type Sentences = IndexSet<Sentence, FxBuildHasher>;

/// The sentences and rules that `roots` rest on.
pub(super) fn assemble(resolver: &Resolver<'_>, roots: &[u32]) -> (Sentences, Vec<GroundRule>) {
    let mut assembler = Assembler {
        resolver,
        ids: vec![None; resolver.sentences.len()],
        sentences: IndexSet::default(),
        rules: Vec::new(),
    };
    let needed = assembler.needed(roots);
    for (sentence, cells) in resolver.definitions.iter() {
        if needed[sentence as usize] {
            assembler.define(sentence, cells);
        }
    }
    for &root in roots {
        match resolver.values[root as usize] {
            Value::True => assembler.define(root, &[END]),
            Value::Same(other) if other != root => assembler.define(root, &[2 * other, END]),
            Value::Same(_) | Value::False | Value::Open(_) | Value::Unknown => {}
        }
    }
    (assembler.sentences, assembler.rules)
}

struct Assembler<'r> {
    resolver: &'r Resolver<'r>,
    /// For each of the resolver's sentences, its number here as soon as it has one.
    ids: Vec<Option<SentenceId>>,
    sentences: Sentences,
    rules: Vec<GroundRule>,
}

impl Assembler<'_> {
    /// For each sentence, whether `roots` rest on it.
    fn needed(&self, roots: &[u32]) -> Vec<bool> {
        let count = self.resolver.sentences.len();
        let mut defined: Vec<Option<&[u32]>> = vec![None; count];
        for (sentence, cells) in self.resolver.definitions.iter() {
            defined[sentence as usize] = Some(cells);
        }
        let mut needed = vec![false; count];
        let same = |&root: &u32| match self.resolver.values[root as usize] {
            Value::Same(same) => Some(same),
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
        let (pred, args) = self.resolver.sentences.sentence(sentence);
        let args = args.to_vec();
        let (index, _) = self.sentences.insert_full(Sentence { pred, args });
        let id = SentenceId(index as u32);
        self.ids[sentence as usize] = Some(id);
        id
    }
}
