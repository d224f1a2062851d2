//! Ground terms, interned (hash-consed): equal terms have equal ids.
//!
//! Terms may be created while a game is played (a counter that grows, a move not seen before), on any thread. So there is
//! one [`SharedTerms`] table per engine, and every thread keeps a [`LocalTerms`] copy of it: reading and finding known
//! terms takes no lock, and only a term that is new to a thread does.

use std::cmp::Ordering;
use std::hash::{BuildHasher, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::Exhausted;
use hashbrown::HashTable;
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHasher};
use serde::{Deserialize, Serialize};

/// A ground term.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TermId(pub(super) u32);

impl TermId {
    /// The number of terms that were stored before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name together with the number of arguments it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Functor(pub(super) u32);

impl Functor {
    /// The number of functors that were named before this one.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// `arity` is `None` for a plain word: `p` and `(p)` are different terms.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct FunctorName {
    name: Arc<str>,
    arity: Option<usize>,
}

#[derive(Debug, Clone, Copy)]
struct TermNode {
    functor: Functor,
    first_arg: u32,
}

/// The limits of a shared table.
#[derive(Debug, Clone, Copy)]
pub(super) struct TermLimits {
    /// See [`EvaluationLimits::terms`](super::EvaluationLimits::terms).
    pub(super) terms: usize,
    /// See [`EvaluationLimits::depth`](super::EvaluationLimits::depth).
    pub(super) depth: u8,
}

/// The first terms of a table, in a form that can be kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct TermList {
    /// The name of each functor, and how many arguments it takes; `None` is a plain word.
    functors: Vec<(String, Option<usize>)>,
    /// Per term, its functor and its arguments, which come before it.
    nodes: Vec<(u32, Vec<u32>)>,
}

/// A table of terms with one owner.
#[derive(Debug, Clone, Default)]
pub struct Terms {
    functors: IndexSet<FunctorName, FxBuildHasher>,
    nodes: Vec<TermNode>,
    args: Vec<TermId>,
    /// Per term, how deep it is nested: 1 for a word, and 255 for 255 or more.
    depths: Vec<u8>,
    ids: HashTable<u32>,
}

impl Terms {
    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Their weight: a term of many arguments counts as several.
    fn weight(&self) -> usize {
        const WIDE: usize = 8;
        self.nodes.len() + self.args.len() / WIDE
    }

    /// Whether there is no term yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many functors there are.
    pub fn functor_count(&self) -> usize {
        self.functors.len()
    }

    /// The functor of `name` with `arity` arguments; `None` makes a plain word.
    pub fn functor(&mut self, name: &str, arity: Option<usize>) -> Functor {
        let (index, _) = self.functors.insert_full(FunctorName {
            name: name.into(),
            arity,
        });
        Functor(u32::try_from(index).expect("fewer than 2^32 functors"))
    }

    /// The functor of `name` with `arity` arguments, if anything uses it.
    pub fn find_functor(&self, name: &str, arity: Option<usize>) -> Option<Functor> {
        let index = self.functors.get_index_of(&FunctorName {
            name: name.into(),
            arity,
        })?;
        Some(Functor(u32::try_from(index).ok()?))
    }

    /// The name of a functor.
    pub fn functor_name(&self, functor: Functor) -> &str {
        &self.functors[functor.index()].name
    }

    /// How many arguments a functor takes.
    pub fn arity(&self, functor: Functor) -> usize {
        self.functors[functor.index()].arity.unwrap_or(0)
    }

    /// The plain word `name`.
    pub fn word(&mut self, name: &str) -> TermId {
        let functor = self.functor(name, None);
        self.intern(functor, &[])
    }

    /// The term `functor(args…)`, stored if it is new.
    pub fn intern(&mut self, functor: Functor, args: &[TermId]) -> TermId {
        if let Some(known) = self.find(functor, args) {
            return known;
        }
        let id = u32::try_from(self.nodes.len()).expect("fewer than 2^32 terms");
        let first_arg = u32::try_from(self.args.len()).expect("fewer than 2^32 arguments");
        self.depths.push(self.depth_above(args));
        self.args.extend_from_slice(args);
        self.nodes.push(TermNode { functor, first_arg });
        let Self {
            ids,
            nodes,
            args: all,
            functors,
            ..
        } = self;
        ids.insert_unique(hash(functor, args), id, |&other| {
            let (functor, args) = node_parts(nodes, all, functors, TermId(other));
            hash(functor, args)
        });
        TermId(id)
    }

    /// The term `functor(args…)`, if it is stored.
    pub fn find(&self, functor: Functor, args: &[TermId]) -> Option<TermId> {
        let same = |&id: &u32| {
            let node = self.nodes[id as usize];
            let first = node.first_arg as usize;
            node.functor == functor && self.args[first..first + args.len()] == *args
        };
        self.ids
            .find(hash(functor, args), same)
            .map(|&id| TermId(id))
    }

    /// How deep a term with these arguments is nested, up to 255.
    fn depth_above(&self, args: &[TermId]) -> u8 {
        let depths = args.iter().map(|arg| self.depths[arg.index()]);
        depths.max().unwrap_or(0).saturating_add(1)
    }

    /// The functor of a term.
    pub fn functor_of(&self, term: TermId) -> Functor {
        self.nodes[term.index()].functor
    }

    /// The arguments of a term.
    pub fn args_of(&self, term: TermId) -> &[TermId] {
        node_parts(&self.nodes, &self.args, &self.functors, term).1
    }

    /// The term in KIF: single spaces, no padding.
    pub fn text(&self, term: TermId) -> String {
        let mut text = String::new();
        self.write(term, &mut text);
        text
    }

    fn write(&self, term: TermId, text: &mut String) {
        let functor = &self.functors[self.functor_of(term).index()];
        if functor.arity.is_none() {
            text.push_str(&functor.name);
            return;
        }
        text.push('(');
        text.push_str(&functor.name);
        for &arg in self.args_of(term) {
            text.push(' ');
            self.write(arg, text);
        }
        text.push(')');
    }

    /// Orders terms by name, arity, then arguments from the left, and not by when they were stored.
    pub fn compare(&self, left: TermId, right: TermId) -> Ordering {
        if left == right {
            return Ordering::Equal;
        }
        let (f, g) = (self.functor_of(left), self.functor_of(right));
        let key = |functor: Functor| {
            let FunctorName { name, arity } = &self.functors[functor.index()];
            (name, arity)
        };
        key(f).cmp(&key(g)).then_with(|| {
            let pairs = self.args_of(left).iter().zip(self.args_of(right));
            pairs
                .map(|(&l, &r)| self.compare(l, r))
                .find(|order| order.is_ne())
                .unwrap_or(Ordering::Equal)
        })
    }

    /// The first so many terms.
    pub(super) fn list(&self, count: usize) -> TermList {
        let node = |&TermNode { functor, first_arg }: &TermNode| {
            let first = first_arg as usize;
            let args = &self.args[first..first + self.arity(functor)];
            (functor.0, args.iter().map(|arg| arg.0).collect())
        };
        let functor = |FunctorName { name, arity }: &FunctorName| (name.to_string(), *arity);
        TermList {
            functors: self.functors.iter().map(functor).collect(),
            nodes: self.nodes[..count].iter().map(node).collect(),
        }
    }

    /// Adds the terms that a list has beyond those of this table. False if the list and this table do not begin with the same terms, or
    /// if it is no list of different terms; some of them may have been added then.
    pub(super) fn extend(&mut self, list: &TermList) -> bool {
        let are_before = |args: &[u32], term: usize| args.iter().all(|&arg| (arg as usize) < term);
        let mut nodes = list.nodes.iter().enumerate();
        let is_whole = nodes.all(|(term, (functor, args))| {
            let functor = list.functors.get(*functor as usize);
            functor.is_some_and(|(_, arity)| arity.unwrap_or(0) == args.len())
                && are_before(args, term)
        });
        let own = self.list(self.len().min(list.nodes.len()));
        if !is_whole
            || !list.functors.starts_with(&own.functors)
            || !list.nodes.starts_with(&own.nodes)
        {
            return false;
        }
        let mut functors = list.functors.iter().zip(0..).skip(own.functors.len());
        let mut nodes = list.nodes.iter().zip(0..).skip(own.nodes.len());
        functors.all(|((name, arity), id)| self.functor(name, *arity) == Functor(id))
            && nodes.all(|((functor, args), id)| {
                let args: Vec<TermId> = args.iter().copied().map(TermId).collect();
                self.intern(Functor(*functor), &args) == TermId(id)
            })
    }

    /// Adds the terms of `source` that this table, an earlier copy of it, lacks.
    fn catch_up(&mut self, source: &Terms) {
        for functor in source.functors.iter().skip(self.functors.len()) {
            self.functors.insert(functor.clone());
        }
        for id in self.nodes.len()..source.nodes.len() {
            let term = TermId(u32::try_from(id).expect("fewer than 2^32 terms"));
            self.intern(source.functor_of(term), source.args_of(term));
        }
    }
}

fn node_parts<'t>(
    nodes: &[TermNode],
    args: &'t [TermId],
    functors: &IndexSet<FunctorName, FxBuildHasher>,
    term: TermId,
) -> (Functor, &'t [TermId]) {
    let node = nodes[term.index()];
    let first = node.first_arg as usize;
    let arity = functors[node.functor.index()].arity.unwrap_or(0);
    (node.functor, &args[first..first + arity])
}

fn hash(functor: Functor, args: &[TermId]) -> u64 {
    let mut hasher: FxHasher = FxBuildHasher.build_hasher();
    hasher.write_u32(functor.0);
    for arg in args {
        hasher.write_u32(arg.0);
    }
    hasher.finish()
}

/// The table that all threads of an engine share.
#[derive(Debug)]
pub struct SharedTerms {
    table: Mutex<Terms>,
    limits: TermLimits,
}

impl SharedTerms {
    /// Shares `terms`, which may grow up to `limits`.
    pub(super) fn new(terms: Terms, limits: TermLimits) -> Self {
        Self {
            table: Mutex::new(terms),
            limits,
        }
    }

    /// Locks the table, for short accesses.
    pub fn lock(&self) -> MutexGuard<'_, Terms> {
        // A panic elsewhere cannot leave the table half changed in a way that matters: ids only ever get appended.
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A copy for one thread.
    pub fn local(self: &Arc<Self>) -> LocalTerms {
        LocalTerms {
            known: self.lock().clone(),
            shared: Arc::clone(self),
        }
    }
}

/// One thread's copy of a [`SharedTerms`], brought up to date whenever the thread meets a new term.
#[derive(Debug, Clone)]
pub struct LocalTerms {
    known: Terms,
    shared: Arc<SharedTerms>,
}

impl LocalTerms {
    /// The term `functor(args…)`.
    ///
    /// # Errors
    /// Says why there is no room for it, if it is new.
    pub fn intern(&mut self, functor: Functor, args: &[TermId]) -> Result<TermId, Exhausted> {
        if let Some(known) = self.known.find(functor, args) {
            return Ok(known);
        }
        let TermLimits { terms, depth } = self.shared.limits;
        let mut shared = self.shared.lock();
        if shared.find(functor, args).is_none() {
            if shared.weight() >= terms {
                return Err(Exhausted::Terms(terms));
            }
            if depth < u8::MAX && shared.depth_above(args) > depth {
                return Err(Exhausted::Depth(depth));
            }
        }
        let term = shared.intern(functor, args);
        self.known.catch_up(&shared);
        Ok(term)
    }

    /// The table, brought up to date so that it contains `term`, which another thread may have created.
    pub fn knowing(&mut self, term: TermId) -> &Terms {
        if term.index() >= self.known.len() {
            self.known.catch_up(&self.shared.lock());
        }
        &self.known
    }

    /// The table as far as this thread has seen it.
    pub fn known(&self) -> &Terms {
        &self.known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The terms `(f a)`, and `b` if `more`.
    fn table(more: bool) -> Terms {
        let mut terms = Terms::default();
        let (a, f) = (terms.word("a"), terms.functor("f", Some(1)));
        terms.intern(f, &[a]);
        if more {
            terms.word("b");
        }
        terms
    }

    #[test]
    fn a_longer_list_extends_a_table() {
        let longer = table(true);
        let list = longer.list(longer.len());
        let mut shorter = table(false);
        assert!(shorter.extend(&list));
        assert_eq!(shorter.list(3), list);
        assert_eq!(shorter.word("b"), TermId(2));
        assert!(shorter.extend(&list));
        assert_eq!(shorter.len(), 3);
    }

    #[test]
    fn other_lists_are_refused() {
        let mut terms = table(true);
        assert!(!table(false).extend(&{
            let mut other = Terms::default();
            other.word("b");
            other.list(1)
        }));
        // A shorter one adds nothing.
        assert!(terms.extend(&terms.list(1)));
        assert_eq!(terms.len(), 3);
        let mut later = table(true).list(3);
        later.nodes.push((0, vec![2]));
        assert!(!terms.extend(&later), "a word with an argument");
        later.nodes.pop();
        later.nodes.push((1, vec![3]));
        assert!(!terms.extend(&later), "a term within itself");
        later.nodes[3].1[0] = 0;
        assert!(!terms.extend(&later), "a term for the second time");
        later.nodes[3].1[0] = 2;
        assert!(terms.extend(&later));
        assert_eq!(terms.len(), 4);
    }
}
