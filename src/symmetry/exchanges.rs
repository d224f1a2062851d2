//! Candidates for symmetries, read off the facts: rows and columns turned round or exchanged, the roles exchanged with their pieces.

use indexmap::IndexSet;

use super::FactSymmetry;
use crate::game::GameFacts;
use crate::info::board::{FactRelation, fact_relations};

/// Only so many axes are turned round.
const MOST_AXES: usize = 3;

/// What facts become when two roles are exchanged with the words that belong to them, and all places stay. Nothing confirms it, and
/// most often it is a symmetry only together with another exchange. Nothing where facts would become none, or there are no two roles.
pub(super) fn exchanged_roles(game_facts: &GameFacts, roles: &[String]) -> Option<Vec<u32>> {
    let relations = fact_relations(game_facts);
    let classes: Vec<Vec<Option<AxisClass>>> = relations.iter().map(axis_classes).collect();
    let words = match roles.len() {
        2 => exchanged_words(game_facts, &relations, roles),
        _ => return None,
    };
    let exchange = FactExchange {
        turned: Vec::new(),
        transposed: false,
        words: &words,
    };
    image(game_facts, &relations, &classes, &exchange)
}

/// An axis, as several relations may have it: its labels, and which argument with these labels it is.
type AxisClass = (Vec<String>, usize);

/// Exchanges of facts that may be symmetries, the identity left out. Roles are exchanged only where that `may_swap`.
pub(super) fn exchanges(
    game_facts: &GameFacts,
    roles: &[String],
    may_swap: bool,
) -> Vec<FactSymmetry> {
    let relations = fact_relations(game_facts);
    let classes: Vec<Vec<Option<AxisClass>>> = relations.iter().map(axis_classes).collect();
    let axes = board_axes(&relations, &classes);
    let words = if may_swap && roles.len() == 2 {
        exchanged_words(game_facts, &relations, roles)
    } else {
        Vec::new()
    };
    let mut found: Vec<FactSymmetry> = Vec::new();
    for exchange in combined(&axes, &words) {
        let image = image(game_facts, &relations, &classes, &exchange);
        let moves = |image: &Vec<u32>| (0..).zip(image).any(|(fact, becomes)| fact != *becomes);
        let symmetry = image.filter(moves).map(|image| FactSymmetry {
            image,
            swaps_roles: !exchange.words.is_empty(),
        });
        found.extend(symmetry.filter(|symmetry| !found.contains(symmetry)));
    }
    found
}

/// Every choice of axes that are turned round, with and without exchanging the first two, and with and without exchanging `words`.
fn combined<'e>(axes: &'e [AxisClass], words: &'e [(String, String)]) -> Vec<FactExchange<'e>> {
    let words_or_none = match words.is_empty() {
        true => vec![words],
        false => vec![&[], words],
    };
    let mut found = Vec::new();
    for chosen in 0..1_usize << axes.len() {
        let is_turned = |(at, _): &(usize, &AxisClass)| chosen >> at & 1 == 1;
        let turned = axes.iter().enumerate().filter(is_turned);
        let turned: Vec<&AxisClass> = turned.map(|(_, axis)| axis).collect();
        for transposed in [false, true] {
            found.extend(words_or_none.iter().map(|words| FactExchange {
                turned: turned.clone(),
                transposed,
                words,
            }));
        }
    }
    found
}

/// For each argument of a relation, the axis it belongs to.
fn axis_classes(relation: &FactRelation<'_>) -> Vec<Option<AxisClass>> {
    let labels = |at: usize| relation.axes[at].as_ref().map(|axis| &axis.labels);
    let class = |at: usize| {
        let own = labels(at)?;
        let before = (0..at).filter(|&other| labels(other) == Some(own)).count();
        Some((own.clone(), before))
    };
    (0..relation.axes.len()).map(class).collect()
}

/// The axes of places on boards.
fn board_axes(
    relations: &[FactRelation<'_>],
    classes: &[Vec<Option<AxisClass>>],
) -> Vec<AxisClass> {
    let mut axes: Vec<AxisClass> = Vec::new();
    for (relation, classes) in relations.iter().zip(classes) {
        let is_place = |at: &usize| !relation.content.contains(at);
        let places: Vec<usize> = (0..classes.len())
            .filter(is_place)
            .filter(|&at| classes[at].is_some())
            .collect();
        if relation.facts.len() > 2 * MOST_AXES
            && (places.len() > 1 || !relation.content.is_empty())
        {
            for class in places.iter().filter_map(|&at| classes[at].clone()) {
                if !axes.contains(&class) {
                    axes.push(class);
                }
            }
        }
    }
    axes.truncate(MOST_AXES);
    axes
}

/// What becomes what when two roles are exchanged: their names, and words that belong to them in the same way.
fn exchanged_words(
    game_facts: &GameFacts,
    relations: &[FactRelation<'_>],
    roles: &[String],
) -> Vec<(String, String)> {
    let words = named_words(relations);
    let mut pairs = vec![(roles[0].clone(), roles[1].clone())];
    for word in &words {
        let counterpart = counterpart(word, roles, &words).filter(|_| !is_paired(word, &pairs));
        pairs.extend(counterpart.map(|counterpart| (word.clone(), counterpart)));
    }
    pairs.extend(pair_left_over(game_facts, relations, &pairs));
    pairs
}

/// The words in arguments that tell no place.
fn named_words(relations: &[FactRelation<'_>]) -> IndexSet<String> {
    let mut words = IndexSet::new();
    for relation in relations {
        let is_name = |at: &usize| relation.axes[*at].is_none() || relation.content.contains(at);
        for at in (0..relation.axes.len()).filter(is_name) {
            let args = relation.facts.values().map(|args| args[at]);
            let of_args = args.flat_map(tokens).filter(|token| is_word(token));
            words.extend(of_args.map(str::to_owned));
        }
    }
    words
}

/// What a word of the first role becomes: the same with the other role's name, or its first letter, in place of that of the first
/// one, as `red_king` and `black_king`, or `wp` and `bp`.
fn counterpart(word: &str, roles: &[String], words: &IndexSet<String>) -> Option<String> {
    let [one, other] = roles else {
        return None;
    };
    let by_name = word.replace(one.as_str(), other);
    let initial = |role: &String| role.chars().next();
    let by_initial = initial(one).and_then(|first| {
        let rest = word.strip_prefix(first)?;
        Some(format!("{}{rest}", initial(other)?))
    });
    let counterparts = std::iter::once(by_name).chain(by_initial);
    let mut known =
        counterparts.filter(|counterpart| counterpart != word && words.contains(counterpart));
    known.next()
}

fn is_paired(word: &str, pairs: &[(String, String)]) -> bool {
    let mut pairs = pairs.iter();
    pairs.any(|(one, other)| one == word || other == word)
}

/// The two contents of the greatest board that no pair exchanges, if there are two beside the usual one.
fn pair_left_over(
    game_facts: &GameFacts,
    relations: &[FactRelation<'_>],
    pairs: &[(String, String)],
) -> Option<(String, String)> {
    let board = relations.iter().max_by_key(|board| board.facts.len())?;
    let usual = board.usual_content(&game_facts.initial).unwrap_or_default();
    let contents = board.facts.values();
    let contents: IndexSet<&str> = contents
        .flat_map(|args| board.content.iter().map(|&at| args[at]))
        .filter(|content| !is_paired(content, pairs) && !usual.contains(content))
        .collect();
    match contents.as_slice().iter().collect::<Vec<_>>()[..] {
        [one, other] => Some(((*one).to_owned(), (*other).to_owned())),
        _ => None,
    }
}

/// What is exchanged.
struct FactExchange<'e> {
    turned: Vec<&'e AxisClass>,
    transposed: bool,
    words: &'e [(String, String)],
}

fn image(
    game_facts: &GameFacts,
    relations: &[FactRelation<'_>],
    classes: &[Vec<Option<AxisClass>>],
    exchange: &FactExchange<'_>,
) -> Option<Vec<u32>> {
    let mut image = vec![0; game_facts.facts.len()];
    for (relation, classes) in relations.iter().zip(classes) {
        for (&fact, args) in &relation.facts {
            let mut args: Vec<String> = args.iter().map(|arg| (*arg).to_owned()).collect();
            for (arg, class) in args.iter_mut().zip(classes) {
                *arg = becomes(arg, class.as_ref(), exchange);
            }
            if exchange.transposed {
                transpose(&mut args, classes);
            }
            let text = match args.is_empty() {
                true => relation.name.to_owned(),
                false => format!("({} {})", relation.name, args.join(" ")),
            };
            image[fact as usize] = game_facts.number(&text)? as u32;
        }
    }
    let mut sorted = image.clone();
    sorted.sort_unstable();
    sorted
        .windows(2)
        .all(|pair| pair[0] != pair[1])
        .then_some(image)
}

fn becomes(arg: &str, class: Option<&AxisClass>, exchange: &FactExchange<'_>) -> String {
    if let Some(class) = class {
        let place = class.0.iter().position(|label| label == arg);
        return match place {
            Some(place) if exchange.turned.contains(&class) => {
                class.0[class.0.len() - 1 - place].clone()
            }
            _ => arg.to_owned(),
        };
    }
    let counterpart = |word: &str| {
        let mut pairs = exchange.words.iter();
        pairs.find_map(|(one, other)| match word {
            word if word == one => Some(other.clone()),
            word if word == other => Some(one.clone()),
            _ => None,
        })
    };
    tokens(arg)
        .map(|word| counterpart(word).unwrap_or_else(|| word.to_owned()))
        .collect()
}

/// Exchanges the first two arguments of the same labels.
fn transpose(args: &mut [String], classes: &[Option<AxisClass>]) {
    let second = classes
        .iter()
        .position(|class| matches!(class, Some((_, 1))));
    let first = second.and_then(|second| {
        let labels = classes[second].as_ref().map(|(labels, _)| labels);
        classes
            .iter()
            .position(|class| matches!(class, Some((own, 0)) if Some(own) == labels))
    });
    if let (Some(first), Some(second)) = (first, second) {
        args.swap(first, second);
    }
}

/// Words, and what stands between them.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive(['(', ')', ' '])
        .flat_map(|part| {
            let end = part.trim_end_matches(['(', ')', ' ']).len();
            [&part[..end], &part[end..]]
        })
        .filter(|part| !part.is_empty())
}

fn is_word(token: &str) -> bool {
    !token.starts_with(['(', ')', ' '])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A board on which each cell may hold one of these contents, whose first one is everywhere at the start, and a turn.
    fn board(side: usize, contents: [&str; 3], roles: [&str; 2]) -> GameFacts {
        let cells = (1..=side).flat_map(|x| (1..=side).map(move |y| (x, y)));
        let of_cell =
            |(x, y): (usize, usize)| contents.map(|content| format!("(cell {x} {y} {content})"));
        let groups: Vec<Vec<String>> = cells.map(|cell| of_cell(cell).to_vec()).collect();
        let turn = roles.map(|role| format!("(control {role})")).to_vec();
        let mut facts: Vec<String> = groups.iter().flatten().chain(&turn).cloned().collect();
        facts.sort();
        let number = |fact: &String| facts.binary_search(fact).unwrap() as u32;
        let initial = groups.iter().map(|group| number(&group[0]));
        GameFacts {
            initial: initial.chain([number(&turn[0])]).collect(),
            mutex_groups: groups
                .iter()
                .chain([&turn])
                .map(|group| group.iter().map(number).collect())
                .collect(),
            facts,
            ..GameFacts::default()
        }
    }

    fn count(game_facts: &GameFacts, roles: [&str; 2], may_swap: bool) -> (usize, usize) {
        let found = exchanges(game_facts, &roles.map(str::to_owned), may_swap);
        let swapping = found.iter().filter(|symmetry| symmetry.swaps_roles);
        (found.len(), swapping.count())
    }

    #[test]
    fn boards_are_turned_round_and_pieces_exchanged() {
        for (contents, roles) in [
            (["b", "o", "x"], ["xplayer", "oplayer"]),
            (["blank", "wp", "bp"], ["white", "black"]),
            (["nothing", "red", "black"], ["red", "black"]),
        ] {
            let game_facts = board(3, contents, roles);
            // The eight of the square but the identity, and all eight with the roles exchanged.
            assert_eq!(count(&game_facts, roles, true), (15, 8), "{contents:?}");
            assert_eq!(count(&game_facts, roles, false), (7, 0));
        }
    }

    #[test]
    fn an_exchange_of_roles_exchanges_pieces_and_turn() {
        let roles = ["white", "black"];
        let game_facts = board(3, ["blank", "wp", "bp"], roles);
        let exchanged = exchanges(&game_facts, &roles.map(str::to_owned), true);
        let number = |fact: &str| game_facts.number(fact).unwrap() as u32;
        let in_place = exchanged.iter().find(|symmetry| {
            symmetry.image[number("(cell 1 2 wp)") as usize] == number("(cell 1 2 bp)")
        });
        let image = &in_place.unwrap().image;
        assert_eq!(
            image[number("(control white)") as usize],
            number("(control black)")
        );
        assert_eq!(
            image[number("(cell 3 3 blank)") as usize],
            number("(cell 3 3 blank)")
        );
        let words = vec![1 << number("(control black)")];
        let symmetry = in_place.unwrap();
        assert_eq!(symmetry.apply(&symmetry.apply(&words)), words);
    }
}
