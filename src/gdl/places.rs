//! Places that hold one content each, such as the squares of a board, read off the facts of one relation.

use std::hash::Hash;

use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Facts with more arguments are not looked at: there would be too many ways to read them.
pub const MOST_ARGUMENTS: usize = 6;

/// A strip has so many places at least, and a board so many columns and rows.
const LEAST_STRIP: usize = 4;
const LEAST_SIDE: usize = 3;
/// Two facts for one place in so many are exceptions, whatever they say.
const RARE: usize = 8;

/// Facts of which all places hold one but for a few that hold two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubledPlaces {
    /// The arguments that name the place.
    pub fixed: Vec<usize>,
    /// The arguments that say what it holds.
    pub open: Vec<usize>,
    /// The two facts of each place that holds two, by their numbers: first the one whose content more places have.
    pub pairs: Vec<[usize; 2]>,
    /// How many places hold one fact.
    pub others: usize,
}

/// What there is to say of places that hold two facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DoubledWords {
    /// What is wrong.
    pub message: String,
    /// How to mend it.
    pub help: String,
    /// What a change of the rules does that removes the first fact of each pair.
    pub removal: String,
}

impl DoubledPlaces {
    /// What there is to say, of the first of these places by name; `fact` tells the functor and the arguments of a fact.
    pub fn words(&self, fact: impl Fn(usize) -> (String, Vec<String>)) -> DoubledWords {
        let [first, second] = self.pairs[0].map(fact);
        let chosen = |args: &[String], places: &[usize]| {
            let words: Vec<&str> = places.iter().map(|&place| &*args[place]).collect();
            words.join(" ")
        };
        let init = |(functor, args): &(String, Vec<String>)| {
            format!("(init ({functor} {}))", args.join(" "))
        };
        let subject = format!("{} {}", first.0, chosen(&first.1, &self.fixed));
        let contents = [&first, &second].map(|fact| chosen(&fact.1, &self.open));
        let (more, others) = (self.pairs.len() - 1, self.others);
        let rest = match more {
            0 => format!("each of the {others} other places has one fact"),
            1 => format!("1 other place has two facts, too; each of the {others} others has one"),
            _ => format!(
                "{more} other places have two facts, too; each of the {others} others has one"
            ),
        };
        let and_more = match more {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        DoubledWords {
            message: format!(
                "`{subject}` is both `{}` and `{}` at the start: {rest}",
                contents[0], contents[1]
            ),
            help: format!(
                "keep one of the two facts: write `{}` in the place of `{}`",
                init(&second),
                init(&first)
            ),
            removal: format!("remove `{}`{and_more}", init(&first)),
        }
    }
}

/// The ways to choose some of so many arguments, but not all of them: the fewest first.
pub fn argument_choices(arity: usize) -> Vec<(Vec<usize>, Vec<usize>)> {
    let mut subsets: Vec<u32> = (0..(1u32 << arity) - 1).collect();
    subsets.sort_by_key(|subset| subset.count_ones());
    let chosen = |subset: u32| (0..arity).partition(|argument| subset & (1 << argument) != 0);
    subsets.into_iter().map(chosen).collect()
}

/// Whether the `fixed` arguments of facts look like the places of a board: a full grid, or a strip with few contents.
/// `is_role` tells the words that name a role, which are no coordinates.
pub fn are_places<W: Copy + Eq + Hash>(
    facts: &[&[W]],
    (fixed, open): (&[usize], &[usize]),
    is_role: impl Fn(W) -> bool,
) -> bool {
    let sides = sides(facts, fixed);
    match (&sides[..], open) {
        (&[length], [_]) => length >= LEAST_STRIP && 2 * self::sides(facts, open)[0] <= length,
        (&[_], _) | (&[], _) => false,
        (sides, open) => {
            // A column with a pawn of each role is no square: a side is as long as a row.
            let is_side = |&side: &usize| side == 1 || side >= LEAST_SIDE;
            let is_grid = sides.iter().filter(|&&side| side > 1).count() > 1;
            let keys: FxHashSet<Vec<W>> = facts.iter().map(|fact| part(fact, fixed)).collect();
            let names_role = keys.iter().flatten().any(|&word| is_role(word));
            let is_full = sides.iter().product::<usize>() == keys.len();
            is_grid && sides.iter().all(is_side) && !names_role && open.len() < 3 && is_full
        }
    }
}

/// The places that hold two facts, where all other places hold one; `None` where the facts are no such places, or hold one
/// each. All facts have the same number of arguments.
///
/// Where some arguments are squares that hold one fact each, no others are looked at: of a board with one row for each of two
/// sides and two that are blank, columns and contents make a full grid, too.
pub fn doubled_places<W: Copy + Eq + Hash>(
    facts: &[&[W]],
    is_role: impl Fn(W) -> bool,
) -> Option<DoubledPlaces> {
    let arity = facts.first()?.len();
    if arity > MOST_ARGUMENTS {
        return None;
    }
    let choices = argument_choices(arity);
    if choices.iter().any(|(fixed, _)| are_single(facts, fixed)) {
        return None;
    }
    let mut choices = choices.iter();
    choices.find_map(|(fixed, open)| doubled_by(facts, (fixed, open), &is_role))
}

/// Whether the `fixed` arguments are coordinates of a board of which half of the squares or more hold a fact, one each.
fn are_single<W: Copy + Eq + Hash>(facts: &[&[W]], fixed: &[usize]) -> bool {
    let sides = sides(facts, fixed);
    let squares: usize = sides.iter().product();
    let is_board = sides.len() > 1 && sides.iter().all(|&side| side >= LEAST_SIDE);
    let is_single = || by_place(facts, fixed).is_some_and(|held| held.len() == facts.len());
    is_board && squares <= 2 * facts.len() && is_single()
}

/// How many values each of these arguments has.
fn sides<W: Copy + Eq + Hash>(facts: &[&[W]], arguments: &[usize]) -> Vec<usize> {
    let values = |&argument: &usize| {
        let values = facts.iter().map(|fact| fact[argument]);
        values.collect::<FxHashSet<W>>().len()
    };
    arguments.iter().map(values).collect()
}

fn doubled_by<W: Copy + Eq + Hash>(
    facts: &[&[W]],
    (fixed, open): (&[usize], &[usize]),
    is_role: impl Fn(W) -> bool,
) -> Option<DoubledPlaces> {
    let held = by_place(facts, fixed)?;
    let doubled = || held.values().filter(|numbers| numbers.len() > 1);
    let count = doubled().count();
    let others = held.len() - count;
    if count == 0 || count > others || doubled().any(|numbers| numbers.len() > 2) {
        return None;
    }
    let content = |number: usize| part(facts[number], open);
    let mut frequency: IndexMap<Vec<W>, usize> = IndexMap::new();
    (0..facts.len()).for_each(|number| *frequency.entry(content(number)).or_default() += 1);
    let pair = |numbers: &Vec<usize>| {
        let (one, other) = (numbers[0], numbers[1]);
        let is_first = frequency[&content(one)] >= frequency[&content(other)];
        if is_first { [one, other] } else { [other, one] }
    };
    let pairs: Vec<[usize; 2]> = doubled().map(pair).collect();
    let is_background = |[first, _]: &[usize; 2]| content(*first) == content(pairs[0][0]);
    let are_exceptions = RARE * count <= held.len() || pairs.iter().all(is_background);
    let is_chain = fixed.len() == 1 && leads_on(facts, (fixed, open));
    let is_meant = are_exceptions && !is_chain && are_places(facts, (fixed, open), is_role);
    is_meant.then(|| DoubledPlaces {
        fixed: fixed.to_vec(),
        open: open.to_vec(),
        pairs,
        others,
    })
}

/// The facts of each place, by their numbers; `None` as soon as the places are too few to be those of a board.
fn by_place<W: Copy + Eq + Hash>(
    facts: &[&[W]],
    fixed: &[usize],
) -> Option<IndexMap<Vec<W>, Vec<usize>>> {
    let mut held: IndexMap<Vec<W>, Vec<usize>> = IndexMap::new();
    for (number, fact) in facts.iter().enumerate() {
        held.entry(part(fact, fixed)).or_default().push(number);
    }
    (2 * held.len() > facts.len()).then_some(held)
}

/// Whether facts such as `(link a b)` lead from place to place.
fn leads_on<W: Copy + Eq + Hash>(facts: &[&[W]], (fixed, open): (&[usize], &[usize])) -> bool {
    let words = |arguments: &[usize]| -> FxHashSet<W> {
        facts
            .iter()
            .flat_map(|fact| part(fact, arguments))
            .collect()
    };
    !words(fixed).is_disjoint(&words(open))
}

fn part<W: Copy>(fact: &[W], arguments: &[usize]) -> Vec<W> {
    arguments.iter().map(|&argument| fact[argument]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The facts of the doubled places, such as `3 1 b + 3 1 w`.
    fn doubled(facts: &[String]) -> Vec<String> {
        let words: Vec<Vec<&str>> = facts.iter().map(|fact| fact.split(' ').collect()).collect();
        let words: Vec<&[&str]> = words.iter().map(Vec::as_slice).collect();
        let found = doubled_places(&words, |word| word == "white");
        let pairs = found.into_iter().flat_map(|found| found.pairs);
        pairs
            .map(|[first, second]| format!("{} + {}", facts[first], facts[second]))
            .collect()
    }

    fn grid(more: &[&str]) -> Vec<String> {
        let squares = (1..=3).flat_map(|x| (1..=3).map(move |y| format!("{x} {y} b")));
        squares
            .chain(more.iter().map(|&fact| fact.to_owned()))
            .collect()
    }

    #[test]
    fn a_square_with_two_contents_is_found() {
        assert_eq!(doubled(&grid(&["3 1 w"])), ["3 1 b + 3 1 w"]);
        let pieces = ["1 1 w", "3 3 o"];
        assert_eq!(doubled(&grid(&pieces)), ["1 1 b + 1 1 w", "3 3 b + 3 3 o"]);
        assert!(doubled(&grid(&[])).is_empty());
        assert!(doubled(&grid(&["4 1 w"])).is_empty());
    }

    #[test]
    fn columns_and_contents_are_no_squares() {
        // A row of each side, and blank ones between them.
        let board = |height: usize, left_out: usize| -> Vec<String> {
            let content = |y| match y {
                1 => "r",
                y if y == height => "w",
                _ => "b",
            };
            let rows =
                (1..=height).map(|y| (1..=4).map(move |x| format!("{x} {y} {}", content(y))));
            rows.flatten().skip(left_out).collect()
        };
        for (height, left_out) in [(4, 0), (4, 1), (5, 0), (3, 0)] {
            let facts = board(height, left_out);
            assert!(doubled(&facts).is_empty(), "{height} {left_out}");
        }
        let with_two = [board(4, 0), vec!["2 2 r".to_owned()]].concat();
        assert_eq!(doubled(&with_two), ["2 2 b + 2 2 r"]);
    }

    #[test]
    fn many_facts_for_one_place_are_meant() {
        let walls = ["1 1 n", "1 2 n", "1 3 n", "2 1 n", "2 2 n"];
        assert!(doubled(&grid(&walls)).is_empty());
        assert!(doubled(&grid(&["1 1 n", "1 1 w"])).is_empty());
    }

    #[test]
    fn a_strip_is_no_chain() {
        let strip =
            |facts: &[&str]| doubled(&facts.iter().map(|&fact| fact.into()).collect::<Vec<_>>());
        let places = ["1 b", "2 b", "3 b", "4 b", "4 w"];
        assert_eq!(strip(&places), ["4 b + 4 w"]);
        let chain = ["1 2", "2 3", "3 4", "4 5", "4 2", "5 2", "6 2"];
        assert!(strip(&chain).is_empty());
    }
}
