//! The possible values of every argument, for people who write rules.

use rustc_hash::FxHashMap;

use crate::gdl::check::expand;
use crate::gdl::description::Description;
use crate::gdl::lint::TupleKind;
use crate::gdl::lint::domains::Domains;
use crate::util::natural_order;

/// The values that an argument may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgumentValues {
    /// The first of them in natural order, at most [`ArgumentValues::MOST_LISTED`]; a compound term is shown by its name
    /// and a `_` for each argument.
    pub listed: Vec<String>,
    /// How many there are.
    pub count: usize,
}

impl ArgumentValues {
    /// How many values are listed.
    pub const MOST_LISTED: usize = 1_000;
}

/// The possible values of each argument of relations, facts and moves: a value that is not among them never occurs, one
/// that is may.
#[derive(Debug, Clone, Default)]
pub struct ArgumentDomains {
    columns: FxHashMap<(TupleKind, Option<usize>), FxHashMap<String, Columns>>,
}

/// The arguments of a tuple: `None` where anything may stand.
type Columns = Vec<Option<ArgumentValues>>;

impl ArgumentDomains {
    /// Finds them; `None` where the rules are too many. Rules that cannot be read or expanded are left out.
    pub fn of(description: &Description) -> Option<Self> {
        let expanded = expand(description, &mut Vec::new());
        let domains = Domains::of(&expanded)?;
        let mut columns: FxHashMap<_, FxHashMap<_, _>> = FxHashMap::default();
        for (kind, signature, words) in domains.derived() {
            let values = words.into_iter().map(|words| {
                let mut listed: Vec<String> = words?.iter().map(ToString::to_string).collect();
                listed.sort_by(|one, other| natural_order(one, other));
                let count = listed.len();
                listed.truncate(ArgumentValues::MOST_LISTED);
                Some(ArgumentValues { listed, count })
            });
            columns
                .entry((kind, signature.arity))
                .or_default()
                .insert(signature.name.to_owned(), values.collect());
        }
        Some(Self { columns })
    }

    /// What may stand at an argument, counted from 0: `None` if that is not known, or anything may.
    pub fn values(
        &self,
        kind: TupleKind,
        name: &str,
        arity: usize,
        index: usize,
    ) -> Option<&ArgumentValues> {
        let columns = self.columns.get(&(kind, Some(arity)))?.get(name)?;
        columns.get(index)?.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::{ArgumentDomains, TupleKind};
    use crate::gdl::Description;
    use crate::kif::parse;

    #[test]
    fn values_come_from_facts_and_through_rules() {
        let text = "(role x) (step 1) (step 10) (step 2)
            (<= (init (cell ?n (pair a b))) (step ?n)) (<= (legal x (go ?n)) (true (cell ?n ?v)))
            (<= (open ?f) (true ?f))";
        let sexprs = parse(text).sexprs;
        let (description, _) = Description::read(&sexprs);
        let domains = ArgumentDomains::of(&description).unwrap();
        let listed = |kind, name, arity, index| {
            let values = domains.values(kind, name, arity, index);
            values.map(|values| values.listed.join(" "))
        };
        let steps = Some("1 2 10".to_owned());
        assert_eq!(listed(TupleKind::Relation, "step", 1, 0), steps);
        assert_eq!(listed(TupleKind::Fact, "cell", 2, 0), steps);
        assert_eq!(listed(TupleKind::Move, "go", 1, 0), steps);
        let pair = Some("(pair _ _)".to_owned());
        assert_eq!(listed(TupleKind::Fact, "cell", 2, 1), pair);
        assert_eq!(listed(TupleKind::Relation, "open", 1, 0), None);
        assert_eq!(listed(TupleKind::Relation, "stpe", 1, 0), None);
        assert_eq!(listed(TupleKind::Relation, "step", 1, 1), None);
    }
}
