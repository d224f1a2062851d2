//! Exchanges of facts that may be symmetries.

use super::exchanges::exchanged_roles;
use super::{FactPermutation, fact_symmetries};
use crate::engine::Propnet;
use crate::game::StateMachine;
use crate::info::board::{FactRelation, fact_relations};
use crate::util::Deadline;

/// Only so many arguments of a board are turned round.
const MOST_TURNED: usize = 3;

/// Exchanges that random games do not contradict; with those that exchange two roles if they `may_swap`. None is proved.
pub(super) fn candidates(
    game: &Propnet,
    may_swap: bool,
    deadline: &Deadline,
) -> Vec<FactPermutation> {
    let of_facts = fact_symmetries(game, may_swap, deadline).into_iter();
    let of_facts = of_facts.filter_map(|one| FactPermutation::new(one.image, one.swaps_roles));
    let mut found: Vec<FactPermutation> = of_facts.collect();
    let turned = turned_boards(game);
    if may_swap && let Some(exchange) = role_exchange(game) {
        found.extend(turned.iter().filter_map(|turned| turned.then(&exchange)));
    }
    found.extend(turned);
    found
}

/// The roles exchanged with their pieces, which may be a symmetry together with a board turned round. Facts alone do not tell how to
/// turn a board that is two squares wide: two values show no order.
fn role_exchange(game: &Propnet) -> Option<FactPermutation> {
    let images = exchanged_roles(game.game_facts()?, game.roles())?;
    FactPermutation::new(images, true)
}

/// The greatest board with some of its coordinates turned round, and nothing else changed.
fn turned_boards(game: &Propnet) -> Vec<FactPermutation> {
    let relations = game.game_facts().map(fact_relations).unwrap_or_default();
    let Some(board) = relations.iter().max_by_key(|board| board.facts.len()) else {
        return Vec::new();
    };
    let places = (0..board.axes.len()).filter(|at| !board.content.contains(at));
    let places: Vec<usize> = places.take(MOST_TURNED).collect();
    let chosen = (1..1_usize << places.len()).map(|chosen| {
        let turned = places.iter().enumerate();
        let turned = turned.filter(|(number, _)| chosen >> number & 1 == 1);
        turned.map(|(_, at)| *at).collect::<Vec<usize>>()
    });
    chosen
        .filter_map(|turned| turn(game, board, &turned))
        .collect()
}

/// A board with these arguments turned round.
fn turn(game: &Propnet, board: &FactRelation<'_>, turned: &[usize]) -> Option<FactPermutation> {
    let facts = game.game_facts()?;
    let mut images: Vec<u32> = (0..facts.facts.len() as u32).collect();
    let values: Vec<Vec<&str>> = turned.iter().map(|at| values(board, *at)).collect();
    for (fact, args) in &board.facts {
        let mut args = args.clone();
        for (at, values) in turned.iter().zip(&values) {
            let place = values.iter().position(|value| *value == args[*at])?;
            args[*at] = values[values.len() - 1 - place];
        }
        let image = format!("({} {})", board.name, args.join(" "));
        images[*fact as usize] = facts.number(&image)? as u32;
    }
    FactPermutation::new(images, false)
}

/// The values of an argument in order: numbers by what they are.
fn values<'f>(board: &FactRelation<'f>, at: usize) -> Vec<&'f str> {
    let mut values: Vec<&str> = board.facts.values().map(|args| args[at]).collect();
    values.sort_by_key(|value| (value.parse::<u64>().ok(), *value));
    values.dedup();
    values
}
