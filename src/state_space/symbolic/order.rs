//! The order of the variables, by which diagrams are small or large.
//!
//! What is looked at together should lie together: the squares of a line, the fields that a move reads. Orders by the arguments of
//! facts (by the rows of a board, or by its columns) are compared by how far apart they place what one sentence of the rules looks at, and
//! the best is improved by FORCE (Aloul, Markov and Sakallah, *FORCE: a fast and easy-to-implement variable-ordering heuristic*, 2003)
//! where that brings something.

use std::cmp::Ordering;

use alphanumeric_sort::compare_str;

use crate::kif::GroundTerm;

/// So many arguments are tried as the first to sort by.
const MOST_ARGUMENTS: usize = 3;
/// So many times, fields are moved to the centre of what they are looked at with.
const ROUNDS: usize = 50;

/// The fields of a state in a good order, given the facts that each of them tells apart, and the sets of fields that are looked at
/// together.
pub(super) fn ordered(fields: &[Vec<&str>], together: &[Vec<usize>]) -> Vec<usize> {
    let labels = labels(fields);
    let sorted = |first: usize, by_functor: bool| {
        let mut order: Vec<usize> = (0..labels.len()).collect();
        order.sort_by(|one, other| labels[*one].compare(&labels[*other], first, by_functor));
        order
    };
    let candidates =
        (0..MOST_ARGUMENTS).flat_map(|first| [true, false].map(|whole| sorted(first, whole)));
    let best = candidates.min_by_key(|order| spread(order, together));
    let best = best.unwrap_or_default();
    let improved = centred(&best, together);
    // Orders without regularity are worth it only where they gain much.
    match spread(&improved, together) * 10 < spread(&best, together) * 9 {
        true => improved,
        false => best,
    }
}

/// What the facts of a field have in common.
struct FieldLabel {
    functor: String,
    arguments: Vec<String>,
    /// How many fields have the same functor.
    alike: usize,
}

fn labels(fields: &[Vec<&str>]) -> Vec<FieldLabel> {
    let mut labels: Vec<FieldLabel> = fields.iter().map(|facts| FieldLabel::new(facts)).collect();
    let functors: Vec<String> = labels.iter().map(|label| label.functor.clone()).collect();
    for label in &mut labels {
        label.alike = functors
            .iter()
            .filter(|name| **name == label.functor)
            .count();
    }
    labels
}

impl FieldLabel {
    fn new(facts: &[&str]) -> Self {
        let mut terms = facts.iter().filter_map(|fact| fact.parse().ok()).map(parts);
        let (functor, arguments) = terms.next().unwrap_or_default();
        let mut common: Vec<Option<String>> = arguments.into_iter().map(Some).collect();
        for (_, others) in terms {
            for (place, argument) in common.iter_mut().enumerate() {
                argument.take_if(|argument| others.get(place) != Some(argument));
            }
        }
        Self {
            functor,
            arguments: common.into_iter().flatten().collect(),
            alike: 0,
        }
    }

    /// Fields whose functor is rare come first: whose turn it is, and scores. Then fields follow by their arguments, the one at `first`
    /// before the others; where `by_functor` is false, fields with the same arguments lie together.
    fn compare(&self, other: &Self, first: usize, by_functor: bool) -> Ordering {
        let is_rare = |label: &Self| label.arguments.is_empty() || label.alike == 1;
        let by_name = || {
            let alike = self.alike.cmp(&other.alike);
            alike.then_with(|| self.functor.cmp(&other.functor))
        };
        let by_arguments = || {
            let rotated = |label: &Self| {
                let mut arguments = label.arguments.clone();
                let first = first.min(arguments.len());
                arguments.rotate_left(first);
                arguments
            };
            let (own, others) = (rotated(self), rotated(other));
            let different = own
                .iter()
                .zip(&others)
                .map(|(own, other)| compare_str(own, other));
            let different = different.fold(Ordering::Equal, Ordering::then);
            different.then(own.len().cmp(&others.len()))
        };
        let rare = is_rare(other).cmp(&is_rare(self));
        match by_functor {
            true => rare.then_with(by_name).then_with(by_arguments),
            false => rare.then_with(by_arguments).then_with(by_name),
        }
    }
}

fn parts(term: GroundTerm) -> (String, Vec<String>) {
    match term {
        GroundTerm::Constant(name) => (name, Vec::new()),
        GroundTerm::Compound(functor, arguments) => {
            (functor, arguments.iter().map(ToString::to_string).collect())
        }
    }
}

/// How far apart an order places what is looked at together, all in all.
fn spread(order: &[usize], together: &[Vec<usize>]) -> usize {
    let places = places(order);
    let width = |fields: &Vec<usize>| {
        let places = || fields.iter().map(|field| places[*field]);
        Some(places().max()? - places().min()?)
    };
    together.iter().filter_map(width).sum()
}

fn places(order: &[usize]) -> Vec<usize> {
    let mut places = vec![0; order.len()];
    for (place, field) in order.iter().enumerate() {
        places[*field] = place;
    }
    places
}

/// The order in which each field lies nearer to the centres of the sets that it is in.
fn centred(order: &[usize], together: &[Vec<usize>]) -> Vec<usize> {
    let mut order = order.to_vec();
    for _ in 0..ROUNDS {
        let places = places(&order);
        let mut sums = vec![(0.0, 0.0); order.len()];
        for fields in together {
            let sum: usize = fields.iter().map(|field| places[*field]).sum();
            let centre = sum as f64 / fields.len().max(1) as f64;
            for field in fields {
                sums[*field].0 += centre;
                sums[*field].1 += 1.0;
            }
        }
        let wanted = |field: usize| match sums[field] {
            (_, 0.0) => places[field] as f64,
            (sum, count) => sum / count,
        };
        let before = order.clone();
        order.sort_by(|one, other| wanted(*one).total_cmp(&wanted(*other)));
        if order == before {
            break;
        }
    }
    order
}
