//! Cells: places of which each holds one of several contents, and the grids that they form.

use indexmap::IndexMap;
use rustc_hash::FxHashMap;

use crate::game::GameFacts;
use crate::info::board::{FactRelation, fact_relations};

/// The cells of one relation.
#[derive(Debug)]
pub(super) struct CellGrid {
    /// By the values of the place arguments without an order, then by coordinates along the others.
    pub(super) cells: IndexMap<(Vec<usize>, Vec<i32>), Cell>,
    /// How many place arguments have an order.
    pub(super) dimensions: usize,
}

/// A place: the facts that tell what it holds. Where none of them holds, it counts as empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    /// Where one always holds, without that of the usual content.
    pub(super) facts: Vec<u32>,
    /// Where it is; nothing if that is not known.
    pub(super) place: Option<CellPosition>,
}

/// Where a cell is on its board, and what it may hold.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct CellPosition {
    /// The values of the place arguments without an order.
    pub(super) panel: Vec<usize>,
    /// Along the others.
    pub(super) coordinates: Vec<i32>,
    /// The relation, and the content that each fact stands for.
    pub(super) contents: Vec<String>,
}

impl Cell {
    /// How many contents are told apart.
    pub(super) fn contents(&self) -> usize {
        self.facts.len() + 1
    }

    /// The content that one of its facts stands for, if that is known.
    pub(super) fn content_of(&self, fact: u32) -> Option<&str> {
        let at = self.facts.iter().position(|&known| known == fact)?;
        let place = self.place.as_ref()?;
        // The first one names the relation.
        place.contents.get(at + 1).map(String::as_str)
    }

    /// Leaves out the fact that the cell has some content.
    fn leave_out(&mut self, content: &str) {
        let Some(place) = &mut self.place else {
            return;
        };
        // The first one names the relation.
        let mut contents = place.contents[1..].iter();
        if let Some(at) = contents.position(|known| known == content) {
            place.contents.remove(at + 1);
            self.facts.remove(at);
        }
    }
}

/// The grids of a game, relation by relation. A relation whose place has no argument with an order has none.
pub(super) fn cell_grids(game_facts: &GameFacts) -> Vec<CellGrid> {
    let relations = fact_relations(game_facts);
    let filled = FilledGroups::of(game_facts);
    let grids = relations
        .iter()
        .map(|relation| CellGrid::of(relation, game_facts, &filled));
    grids.filter(|grid| grid.dimensions > 0).collect()
}

/// The sets of facts of which one always holds.
struct FilledGroups<'f> {
    groups: Vec<&'f [u32]>,
    /// By fact, the sets that it belongs to.
    of_facts: FxHashMap<u32, Vec<usize>>,
}

impl<'f> FilledGroups<'f> {
    fn of(game_facts: &'f GameFacts) -> Self {
        let numbers = game_facts.exactly_one.iter();
        let groups: Vec<&[u32]> = numbers
            .map(|&number| &game_facts.mutex_groups[number][..])
            .collect();
        let mut of_facts: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (number, group) in groups.iter().enumerate() {
            group
                .iter()
                .for_each(|&fact| of_facts.entry(fact).or_default().push(number));
        }
        Self { groups, of_facts }
    }

    /// Whether one of a few facts always holds.
    fn fill(&self, facts: &[u32]) -> bool {
        let groups = facts
            .iter()
            .filter_map(|fact| self.of_facts.get(fact))
            .flatten();
        let mut groups = groups.map(|&number| self.groups[number]);
        groups.any(|group| group.iter().all(|fact| facts.contains(fact)))
    }
}

impl CellGrid {
    /// The cells with these numbers.
    pub(super) fn cells_at(&self, numbers: &[usize]) -> Vec<Cell> {
        let cells = numbers.iter();
        cells.map(|&at| self.cells[at].clone()).collect()
    }

    fn of(relation: &FactRelation<'_>, game_facts: &GameFacts, filled: &FilledGroups<'_>) -> Self {
        let arity = relation.axes.len();
        let is_place = |argument: &usize| !relation.content.contains(argument);
        let places: Vec<usize> = (0..arity).filter(is_place).collect();
        let (ordered, named): (Vec<usize>, Vec<usize>) = places
            .into_iter()
            .partition(|&argument| relation.axes[argument].is_some());
        let usual = relation.usual_content(&game_facts.initial);
        let mut names: Vec<Vec<&str>> = vec![Vec::new(); named.len()];
        let mut cells: IndexMap<(Vec<usize>, Vec<i32>), Cell> = IndexMap::new();
        for (&fact, args) in &relation.facts {
            let mut panel = Vec::new();
            for (names, &argument) in names.iter_mut().zip(&named) {
                panel.push(number_of(args[argument], names));
            }
            let coordinate = |argument: &usize| {
                let axis = relation.axes[*argument].as_ref();
                axis.and_then(|axis| axis.place(args[*argument]))
                    .map_or(0, |place| place as i32)
            };
            let coordinates: Vec<i32> = ordered.iter().map(coordinate).collect();
            let place = || CellPosition {
                panel: panel.clone(),
                coordinates: coordinates.clone(),
                contents: vec![relation.name.to_owned()],
            };
            let cell = Cell {
                facts: Vec::new(),
                place: Some(place()),
            };
            let cell = cells.entry((panel, coordinates)).or_insert(cell);
            let content = relation.content_of(args);
            cell.facts.push(fact);
            let place = cell.place.iter_mut();
            place.for_each(|place| place.contents.push(content.join(" ")));
        }
        if let Some(usual) = usual.map(|usual| usual.join(" ")) {
            let always_filled = cells.values_mut().filter(|cell| filled.fill(&cell.facts));
            always_filled.for_each(|cell| cell.leave_out(&usual));
        }
        Self {
            cells,
            dimensions: ordered.len(),
        }
    }
}

fn number_of<'f>(name: &'f str, names: &mut Vec<&'f str>) -> usize {
    let known = names.iter().position(|known| *known == name);
    known.unwrap_or_else(|| {
        names.push(name);
        names.len() - 1
    })
}
