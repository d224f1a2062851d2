//! Threats: facts that would complete what a win needs, on cells that are still empty.
//!
//! Where a win needs several facts on cells, such as four discs in a line, much depends on which cells would complete one, for whom, and
//! how they lie to each other (Allis 1988 for connect four; Allis, van den Herik and Huntjens 1996 for gomoku). What threatens a
//! cell counts as a fact, numbered after those of the game, so that it is weighted as they are.

use std::collections::BTreeSet;
use std::ops::Range;

use indexmap::{IndexMap, IndexSet};
use serde::{Deserialize, Serialize};

use super::cells::{Cell, CellGrid, CellPosition};
use super::features::holds;
use super::tuples::changed_facts;
use crate::game::{GameFacts, held_facts};
use crate::symmetry::FactSymmetry;

/// How many cells a win needs at least: where it needs fewer, what is on them says as much.
const LEAST_NEEDED: usize = 3;
/// How many at most, as for tuples: more take too long to evaluate.
pub(super) const MOST_NEEDED: usize = 6;
/// The most winning implicants: more take too long to follow.
const MOST_IMPLICANTS: usize = 4096;
/// The most contents of a cell that are told apart; each set of them is a threat of its own.
const MOST_CONTENTS: usize = 2;

/// The threats of a game.
#[derive(Debug, Clone)]
pub(in crate::search) struct Threats {
    record: ThreatRecord,
    /// The number of the first threat.
    first: usize,
    /// Per winning implicant, how many facts it needs, and the sum of their numbers.
    needs: Vec<(u32, u32)>,
    /// Per fact, the implicants that need it.
    of_facts: Vec<Vec<u32>>,
    /// Per fact, the cell that it fills.
    cell_of: Vec<Option<u32>>,
    /// Per cell, the number of its first threat, and after the last cell the number of facts and threats.
    firsts: Vec<u32>,
}

/// What threats are made of, as files keep it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ThreatRecord {
    /// Per winning implicant, the facts on cells that it needs.
    implicants: Vec<Vec<u32>>,
    cells: Vec<ThreatCell>,
}

/// A cell that can be threatened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ThreatCell {
    /// The facts that fill it.
    filled: Vec<u32>,
    /// Those of them that some win needs.
    contents: Vec<u32>,
}

/// Working memory: how far each winning implicant is from holding in one state.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct MissingFacts {
    /// Per implicant, how many of its facts are missing, and the sum of their numbers.
    missing: Vec<(u32, u32)>,
    /// Per fact, how many implicants it would complete.
    completes: Vec<u32>,
    /// Cells whose threats may have changed.
    touched: Vec<u32>,
}

/// Per winning implicant, the facts on cells that it needs.
pub(super) fn winning_needs(game_facts: &GameFacts, grids: &[CellGrid]) -> BTreeSet<Vec<u32>> {
    let cells = grids.iter().flat_map(|grid| grid.cells.values());
    let on_cells: IndexSet<u32> = cells.flat_map(|cell| cell.facts.iter().copied()).collect();
    let values = game_facts.goals.iter().flatten();
    let wins = values.filter(|value| value.goal == 100);
    let needs = wins.flat_map(|value| &value.implicants).map(|implicant| {
        let needs = implicant.needs.iter().copied();
        needs.filter(|fact| on_cells.contains(fact)).collect()
    });
    needs.collect()
}

/// What more than half of the cells of a grid hold at the start counts as nothing, where it is not left out anyway.
fn empty_content(grid: &CellGrid, initial: &[u32]) -> Option<String> {
    let mut counts: IndexMap<&str, usize> = IndexMap::new();
    for cell in grid.cells.values() {
        let held = cell.facts.iter().copied();
        for fact in held.filter(|fact| initial.contains(fact)) {
            *counts.entry(cell.content_of(fact)?).or_default() += 1;
        }
    }
    let usual = counts.into_iter().max_by_key(|(_, count)| *count);
    let usual = usual.filter(|(_, count)| 2 * count > grid.cells.len());
    usual.map(|(content, _)| content.to_owned())
}

impl ThreatCell {
    /// A cell that these facts fill, if a win needs some of them.
    fn of(mut filled: Vec<u32>, needed: &BTreeSet<u32>) -> Option<Self> {
        filled.sort_unstable();
        let contents = filled.iter().copied();
        let contents: Vec<u32> = contents.filter(|fact| needed.contains(fact)).collect();
        (!contents.is_empty()).then_some(Self { filled, contents })
    }

    /// How many threats it has; nothing where that makes no sense.
    fn threats(&self) -> Option<u32> {
        let is_sound = (1..=MOST_CONTENTS).contains(&self.contents.len())
            && is_increasing(&self.contents)
            && self.contents.iter().all(|fact| self.filled.contains(fact));
        is_sound.then_some((1 << self.contents.len()) - 1)
    }
}

fn is_increasing(facts: &[u32]) -> bool {
    facts.is_sorted_by(|one, other| one < other)
}

impl Threats {
    /// Those of a game with these grids; nothing where there are none, or cells have more contents that may win than are told apart.
    pub(super) fn new(game_facts: &GameFacts, grids: &[CellGrid]) -> Option<Self> {
        let mut filled: Vec<Vec<u32>> = Vec::new();
        for grid in grids {
            let empty = empty_content(grid, &game_facts.initial);
            let facts_of = |cell: &Cell| {
                let facts = cell.facts.iter().copied();
                let fills =
                    |&fact: &u32| empty.is_none() || cell.content_of(fact) != empty.as_deref();
                facts.filter(fills).collect()
            };
            filled.extend(grid.cells.values().map(facts_of));
        }
        let fills: BTreeSet<u32> = filled.iter().flatten().copied().collect();
        let needs = winning_needs(game_facts, grids).into_iter();
        let implicants: Vec<Vec<u32>> = needs
            .filter(|needs| (LEAST_NEEDED..=MOST_NEEDED).contains(&needs.len()))
            .filter(|needs| needs.iter().all(|fact| fills.contains(fact)))
            .collect();
        let needed: BTreeSet<u32> = implicants.iter().flatten().copied().collect();
        let cells = filled.into_iter();
        let cells = cells.filter_map(|filled| ThreatCell::of(filled, &needed));
        let cells = cells.collect();
        Self::of_record(ThreatRecord { implicants, cells }, game_facts.facts.len())
    }

    /// Those of a record, for a game with so many facts; nothing where they make no sense, or are none or too many.
    pub(super) fn of_record(record: ThreatRecord, facts: usize) -> Option<Self> {
        let ThreatRecord { implicants, cells } = &record;
        if implicants.is_empty() || implicants.len() > MOST_IMPLICANTS {
            return None;
        }
        let mut cell_of = vec![None; facts];
        let mut firsts = vec![facts as u32];
        for (number, cell) in (0..).zip(cells) {
            for &fact in &cell.filled {
                let known = cell_of.get_mut(fact as usize)?.replace(number);
                known.is_none().then_some(())?;
            }
            firsts.push(firsts[number as usize] + cell.threats()?);
        }
        let mut of_facts = vec![Vec::new(); facts];
        for (number, needs) in (0..).zip(implicants) {
            let is_sound =
                (LEAST_NEEDED..=MOST_NEEDED).contains(&needs.len()) && is_increasing(needs);
            is_sound.then_some(())?;
            for &fact in needs {
                cell_of.get(fact as usize).copied().flatten()?;
                of_facts[fact as usize].push(number);
            }
        }
        let needs = implicants.iter();
        let needs = needs.map(|needs| (needs.len() as u32, needs.iter().sum()));
        Some(Self {
            first: facts,
            needs: needs.collect(),
            of_facts,
            cell_of,
            firsts,
            record,
        })
    }

    /// The number of the first threat.
    pub(super) fn first(&self) -> usize {
        self.first
    }

    /// What they are made of.
    pub(super) fn record(&self) -> &ThreatRecord {
        &self.record
    }

    /// How many facts there are, the threats included.
    pub(in crate::search) fn facts(&self) -> usize {
        self.firsts.last().map_or(0, |&end| end as usize)
    }

    /// The numbers of the threats of a cell: one for each set of contents but the empty one, in the order of the sets as binary numbers.
    fn of_cell(&self, cell: usize) -> Range<u32> {
        self.firsts[cell]..self.firsts[cell + 1]
    }

    /// Marks the threats in a state, whose facts are marked.
    pub(in crate::search) fn mark(&self, words: &mut [u64], memory: &mut MissingFacts) {
        self.enter(words, memory);
        for cell in 0..self.record.cells.len() {
            self.mark_cell(cell, words, memory);
        }
    }

    /// Gets `memory` ready for [`Threats::mark_after`] from a state.
    pub(in crate::search) fn enter(&self, words: &[u64], memory: &mut MissingFacts) {
        memory.missing.clone_from(&self.needs);
        memory.completes.clear();
        memory.completes.resize(self.first, 0);
        for fact in held_facts(words).take_while(|&fact| fact < self.first) {
            self.change(fact, true, memory);
        }
        memory.touched.clear();
    }

    /// The same as [`Threats::mark`] for a state that follows the one that was entered.
    pub(in crate::search) fn mark_after(
        &self,
        before: &[u64],
        after: &mut [u64],
        memory: &mut MissingFacts,
    ) {
        self.copy(before, after);
        self.change_all(before, after, false, memory);
        while let Some(cell) = memory.touched.pop() {
            self.mark_cell(cell as usize, after, memory);
        }
        self.change_all(before, after, true, memory);
        memory.touched.clear();
    }

    /// Marks the threats of another state.
    fn copy(&self, from: &[u64], to: &mut [u64]) {
        let (word, bit) = (self.first / 64, self.first % 64);
        let rest = u64::MAX << bit;
        to[word] |= from[word] & rest;
        to[word + 1..].copy_from_slice(&from[word + 1..]);
    }

    /// Follows all changes from one state to another, or undoes that.
    fn change_all(&self, before: &[u64], after: &[u64], undoes: bool, memory: &mut MissingFacts) {
        let words = self.first.div_ceil(64);
        let changed = changed_facts(&before[..words], &after[..words]);
        for (fact, holds) in changed.take_while(|&(fact, _)| fact < self.first) {
            self.change(fact, holds != undoes, memory);
        }
    }

    /// A fact holds now, or does no more.
    fn change(&self, fact: usize, holds: bool, memory: &mut MissingFacts) {
        let MissingFacts {
            missing,
            completes,
            touched,
        } = memory;
        touched.extend(self.cell_of[fact]);
        for &implicant in &self.of_facts[fact] {
            let (count, sum) = &mut missing[implicant as usize];
            if *count == 1 {
                completes[*sum as usize] -= 1;
                touched.extend(self.cell_of[*sum as usize]);
            }
            if holds {
                *count -= 1;
                *sum -= fact as u32;
            } else {
                *count += 1;
                *sum += fact as u32;
            }
            if *count == 1 {
                completes[*sum as usize] += 1;
                touched.extend(self.cell_of[*sum as usize]);
            }
        }
    }

    /// Marks the threats of a cell, and no others of it.
    fn mark_cell(&self, cell: usize, words: &mut [u64], memory: &MissingFacts) {
        let threats = self.of_cell(cell);
        for threat in threats.clone() {
            words[threat as usize / 64] &= !(1 << (threat % 64));
        }
        let ThreatCell { filled, contents } = &self.record.cells[cell];
        if filled.iter().any(|&fact| holds(words, fact)) {
            return;
        }
        let set = contents.iter().enumerate().fold(0, |set, (bit, &fact)| {
            set | u32::from(memory.completes[fact as usize] > 0) << bit
        });
        if set > 0 {
            let threat = threats.start + set - 1;
            words[threat as usize / 64] |= 1 << (threat % 64);
        }
    }

    /// What a threat says: the facts that would win.
    pub(super) fn about(&self, threat: usize, game_facts: &GameFacts) -> String {
        let texts = self.threatened(threat as u32).into_iter();
        let texts: Vec<&str> = texts
            .map(|fact| game_facts.facts[fact as usize].as_str())
            .collect();
        format!("threat of {}", texts.join(" and "))
    }

    /// A fact of the game: for a threat, one that would win.
    pub(super) fn fact_behind(&self, fact: u32) -> u32 {
        match (fact as usize) < self.first {
            true => fact,
            false => self.threatened(fact)[0],
        }
    }

    /// The facts of which each would complete a win, in increasing order.
    fn threatened(&self, threat: u32) -> Vec<u32> {
        let cell = self.firsts.partition_point(|&first| first <= threat) - 1;
        let set = threat - self.firsts[cell] + 1;
        self.contents_of(cell, set)
    }

    fn contents_of(&self, cell: usize, set: u32) -> Vec<u32> {
        let contents = self.record.cells[cell].contents.iter().enumerate();
        let in_set = contents.filter(|(bit, _)| set >> bit & 1 == 1);
        let mut facts: Vec<u32> = in_set.map(|(_, &fact)| fact).collect();
        facts.sort_unstable();
        facts
    }

    /// A symmetry of the facts that says what becomes of threats, too; nothing if some threat becomes none.
    pub(super) fn extended(&self, symmetry: &FactSymmetry) -> Option<FactSymmetry> {
        let threats = self.first as u32..self.facts() as u32;
        let numbers: IndexMap<Vec<u32>, u32> = threats
            .clone()
            .map(|threat| (self.threatened(threat), threat))
            .collect();
        let becomes = |threat: u32| {
            let facts = self.threatened(threat).into_iter();
            let mut facts: Vec<u32> = facts.map(|fact| symmetry.image[fact as usize]).collect();
            facts.sort_unstable();
            numbers.get(&facts).copied()
        };
        let mut image = symmetry.image.clone();
        for threat in threats {
            image.push(becomes(threat)?);
        }
        Some(FactSymmetry {
            image,
            ..symmetry.clone()
        })
    }

    /// The grids of a game with what threatens each cell in place of what it holds.
    pub(super) fn grids(&self, grids: &[CellGrid]) -> Vec<CellGrid> {
        let of_grid = |grid: &CellGrid| {
            let cells = grid.cells.iter();
            CellGrid {
                cells: cells
                    .filter_map(|(at, cell)| Some((at.clone(), self.cell(cell)?)))
                    .collect(),
                dimensions: grid.dimensions,
            }
        };
        grids.iter().map(of_grid).collect()
    }

    /// What threatens a cell; nothing where nothing can.
    fn cell(&self, cell: &Cell) -> Option<Cell> {
        let mut numbers = cell.facts.iter().map(|&fact| self.cell_of[fact as usize]);
        let number = numbers.find_map(|number| number)? as usize;
        let threats = self.of_cell(number);
        let about = |place: &CellPosition| {
            let of_set = |set: u32| {
                let facts = self.contents_of(number, set).into_iter();
                let names: Vec<&str> = facts.filter_map(|fact| cell.content_of(fact)).collect();
                names.join(", ")
            };
            let relation = format!("threats in {}", place.contents[0]);
            let sets = (1..=threats.len() as u32).map(of_set);
            CellPosition {
                contents: std::iter::once(relation).chain(sets).collect(),
                ..place.clone()
            }
        };
        Some(Cell {
            place: cell.place.as_ref().map(about),
            facts: threats.collect(),
        })
    }
}

#[cfg(test)]
mod stack_tests;
#[cfg(test)]
mod tests;
