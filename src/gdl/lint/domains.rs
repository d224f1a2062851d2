//! Domain analysis: the possible constants of each argument of each relation, fact and move.
//!
//! A least fixpoint over the rules that treats every argument separately (the domain graph of GDL rules): a value outside a
//! domain never occurs, a value inside may.

use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::gdl::description::{Expr, ExprKind, Signature, Statement};
use crate::gdl::expand::{Alternative, ExprLiteral};
use crate::gdl::keyword::Keyword;

/// How many values may be examined before the fixpoint is given up.
const MOST_WORK: usize = 4_000_000;

/// What has arguments: relations, the facts of a state (`init`, `next`, `true`), and moves (`legal`, `does`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TupleKind {
    /// A sentence.
    Relation,
    /// A fact of the state: what stands in `init`, `next` or `true`.
    Fact,
    /// A move: what stands in `legal` or `does`.
    Move,
}

/// A sentence, or the fact or move in it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tuple<'d> {
    pub(super) kind: TupleKind,
    pub(super) term: &'d Expr,
}

/// The possible values of an argument: `None` for any. A compound term is represented by its signature.
pub(super) type Values<'d> = Option<FxHashSet<Signature<'d>>>;

/// The possible values of each argument.
#[derive(Debug, Default)]
pub(in crate::gdl) struct Domains<'d> {
    tuples: FxHashMap<(TupleKind, Signature<'d>), Vec<ArgumentDomain<'d>>>,
    /// Kinds of which a rule derives a term as a whole, so that nothing is known about them.
    open: FxHashSet<TupleKind>,
    work: usize,
}

#[derive(Debug, Clone)]
struct ArgumentDomain<'d> {
    words: Values<'d>,
    /// How often the values changed.
    version: usize,
}

impl Default for ArgumentDomain<'_> {
    fn default() -> Self {
        Self {
            words: Some(FxHashSet::default()),
            version: 0,
        }
    }
}

impl<'d> ArgumentDomain<'d> {
    fn add(&mut self, words: Values<'d>) {
        let before = self.words.as_ref().map(FxHashSet::len);
        match (&mut self.words, words) {
            (Some(known), Some(words)) => known.extend(words),
            (known, None) => *known = None,
            (None, Some(_)) => {}
        }
        self.version += usize::from(self.words.as_ref().map(FxHashSet::len) != before);
    }
}

impl<'d> Tuple<'d> {
    /// The tuple of a sentence in a body.
    pub(super) fn asked(sentence: &'d Expr) -> Self {
        match (sentence.name().and_then(Keyword::named), sentence.args()) {
            (Some(Keyword::True), [fact]) => Self::new(TupleKind::Fact, fact),
            (Some(Keyword::Does), [_, mv]) => Self::new(TupleKind::Move, mv),
            _ => Self::new(TupleKind::Relation, sentence),
        }
    }

    /// Who makes the move that a sentence of a body asks for, and the tuple that says who that may be.
    fn mover(sentence: &'d Expr) -> Option<(Self, &'d Expr)> {
        let is_move = sentence.name() == Some(Keyword::Does.name());
        match sentence.args() {
            [player, _] if is_move => Some((Self::new(TupleKind::Relation, sentence), player)),
            _ => None,
        }
    }

    /// The tuples that a head derives.
    fn derived(head: &'d Expr) -> impl Iterator<Item = Self> {
        let (first, second) = match (head.name().and_then(Keyword::named), head.args()) {
            (Some(Keyword::Init | Keyword::Next), [fact]) => {
                (Self::new(TupleKind::Fact, fact), None)
            }
            (Some(Keyword::Legal), [_, mv]) => (
                Self::new(TupleKind::Relation, head),
                Some(Self::new(TupleKind::Move, mv)),
            ),
            _ => (Self::new(TupleKind::Relation, head), None),
        };
        std::iter::once(first).chain(second)
    }

    fn new(kind: TupleKind, term: &'d Expr) -> Self {
        Self { kind, term }
    }
}

impl<'d> Domains<'d> {
    /// The words of all rules; `None` where there are too many.
    pub(in crate::gdl) fn of<'a>(
        rules: &'a [(&'d Statement, Vec<Alternative<'d>>)],
    ) -> Option<Self> {
        let mut domains = Self::default();
        for (statement, _) in rules {
            domains.register(&statement.head);
        }
        let mut open = Vec::new();
        for (statement, alternatives) in rules {
            for alternative in alternatives {
                let rule = (&statement.head, alternative);
                domains.derive(rule);
                if statement.head.is_open() {
                    open.push((rule, 0));
                }
            }
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (rule, seen) in &mut open {
                domains.work += rule.1.len();
                let version = domains.version(rule.1);
                if version != *seen {
                    *seen = version;
                    domains.derive(*rule);
                    changed = true;
                }
            }
            if domains.work > MOST_WORK {
                return None;
            }
        }
        Some(domains)
    }

    /// The tuples that rules derive, with what may stand at each of their places: `None` for anything.
    pub(in crate::gdl) fn derived(
        &self,
    ) -> impl Iterator<
        Item = (
            TupleKind,
            Signature<'d>,
            Vec<Option<&FxHashSet<Signature<'d>>>>,
        ),
    > {
        self.tuples.iter().map(|(&(kind, signature), columns)| {
            let is_open = self.open.contains(&kind);
            let words = columns.iter();
            let words = words.map(|column| column.words.as_ref().filter(|_| !is_open));
            (kind, signature, words.collect())
        })
    }

    /// What may stand at a place: `None` for anything, which is also said of tuples that no rule derives, since that is
    /// reported elsewhere.
    pub(super) fn words(
        &self,
        tuple: Tuple<'d>,
        index: usize,
    ) -> Option<&FxHashSet<Signature<'d>>> {
        if self.open.contains(&tuple.kind) {
            return None;
        }
        self.columns(tuple)?[index].words.as_ref()
    }

    /// Whether no rule derives a fact or move of this name and arity.
    pub(super) fn lack(&self, tuple: Tuple<'d>) -> bool {
        let is_known = || tuple.term.signature().is_none() || self.columns(tuple).is_some();
        !self.open.contains(&tuple.kind) && !is_known()
    }

    /// The names of derived tuples of a kind with `arity` arguments.
    pub(super) fn names(&self, kind: TupleKind, arity: Option<usize>) -> Vec<&'d str> {
        let derived = self.tuples.keys();
        let fitting =
            derived.filter(|(other, signature)| *other == kind && signature.arity == arity);
        let mut names: Vec<&str> = fitting.map(|(_, signature)| signature.name).collect();
        names.sort_unstable();
        names
    }

    fn columns(&self, tuple: Tuple<'d>) -> Option<&Vec<ArgumentDomain<'d>>> {
        let mut signature = tuple.term.signature()?;
        // Who makes a move is one of those who may.
        if tuple.kind == TupleKind::Relation && signature.name == Keyword::Does.name() {
            signature.name = Keyword::Legal.name();
        }
        self.tuples.get(&(tuple.kind, signature))
    }

    /// Adds what the head of a rule may derive.
    fn derive(&mut self, (head, body): (&'d Expr, &Alternative<'d>)) {
        let variables = if head.is_open() {
            occurrences(body)
        } else {
            IndexMap::new()
        };
        for tuple in Tuple::derived(head) {
            let Some(signature) = tuple.term.signature() else {
                if !hands_on(tuple, body) {
                    self.open.insert(tuple.kind);
                }
                continue;
            };
            let args = tuple.term.args();
            for (index, arg) in args.iter().enumerate() {
                let words = match &arg.kind {
                    ExprKind::Variable(name) => {
                        self.values(variables.get(&**name).map_or(&[], Vec::as_slice))
                    }
                    _ => arg.signature().map(|word| FxHashSet::from_iter([word])),
                };
                self.add((tuple.kind, signature), index, words);
            }
        }
    }

    /// Makes a column for each place of what the head derives.
    fn register(&mut self, head: &'d Expr) {
        for tuple in Tuple::derived(head) {
            if let Some(signature) = tuple.term.signature() {
                let columns = || vec![ArgumentDomain::default(); tuple.term.args().len()];
                self.tuples
                    .entry((tuple.kind, signature))
                    .or_insert_with(columns);
            }
        }
    }

    fn add(&mut self, tuple: (TupleKind, Signature<'d>), index: usize, words: Values<'d>) {
        self.work += words.as_ref().map_or(1, FxHashSet::len);
        if let Some(columns) = self.tuples.get_mut(&tuple) {
            columns[index].add(words);
        }
    }

    /// The words that all the places of a variable allow.
    fn values(&mut self, places: &[(Tuple<'d>, usize, &'d Expr)]) -> Values<'d> {
        let places = places.iter();
        let mut sets: Vec<_> = places
            .filter_map(|&(tuple, index, _)| self.words(tuple, index))
            .collect();
        sets.sort_by_key(|set| set.len());
        let (least, others) = sets.split_first()?;
        let work = least.len() * sets.len();
        let fits = |word: &&Signature<'d>| others.iter().all(|set| set.contains(*word));
        let values = least.iter().filter(fits).copied().collect();
        self.work += work;
        Some(values)
    }

    /// A number that changes whenever a domain that a body uses has changed.
    fn version(&self, body: &Alternative<'d>) -> usize {
        let versions = places(body).map(|(tuple, index, _)| {
            self.columns(tuple)
                .map_or(0, |columns| columns[index].version)
        });
        1 + self.open.len() + versions.sum::<usize>()
    }
}

/// Every argument of every tuple that must hold in a body.
pub(super) fn places<'a, 'd>(
    body: &'a Alternative<'d>,
) -> impl Iterator<Item = (Tuple<'d>, usize, &'d Expr)> + 'a {
    let asked = body.iter().filter_map(|literal| match literal {
        ExprLiteral::Holds(sentence) => Some(*sentence),
        _ => None,
    });
    asked.flat_map(|sentence| {
        let tuple = Tuple::asked(sentence);
        let args = tuple.term.args().iter().enumerate();
        let player = Tuple::mover(sentence).map(|(tuple, player)| (tuple, 0, player));
        args.map(move |(index, arg)| (tuple, index, arg))
            .chain(player)
    })
}

/// Whether a rule derives a whole fact or move that is one already: `(<= (next ?f) (true ?f))`.
fn hands_on(derived: Tuple<'_>, body: &Alternative<'_>) -> bool {
    let ExprKind::Variable(name) = &derived.term.kind else {
        return false;
    };
    body.iter().any(|literal| match literal {
        ExprLiteral::Holds(sentence) => match Keyword::named(sentence.name().unwrap_or_default()) {
            Some(Keyword::True) => derived.kind == TupleKind::Fact && ends_with(sentence, name),
            Some(Keyword::Legal) => derived.kind == TupleKind::Move && ends_with(sentence, name),
            _ => false,
        },
        _ => false,
    })
}

fn ends_with(sentence: &Expr, name: &str) -> bool {
    sentence
        .args()
        .last()
        .is_some_and(|arg| arg.is_variable_named(name))
}

/// The variables of a body that are arguments of tuples, with their places.
pub(super) fn occurrences<'d>(
    body: &Alternative<'d>,
) -> IndexMap<&'d str, Vec<(Tuple<'d>, usize, &'d Expr)>> {
    let mut found: IndexMap<&str, Vec<_>> = IndexMap::new();
    for (tuple, index, arg) in places(body) {
        if let ExprKind::Variable(name) = &arg.kind {
            found.entry(&**name).or_default().push((tuple, index, arg));
        }
    }
    found
}
