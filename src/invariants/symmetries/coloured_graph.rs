//! Automorphisms of a graph with coloured vertices and labelled edges.
//!
//! Colours are refined by those of the neighbours until nothing more tells vertices apart; then one vertex is singled out, on both
//! sides in the same way, and so on, as in McKay and Piperno (*Practical graph isomorphism II*, 2014), but without their pruning. What
//! is found is checked edge by edge, so that equal hashes of different colours do no harm.

use std::collections::HashMap;
use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use crate::util::Deadline;

/// A graph. Edges lead both ways, and know which way they were added.
#[derive(Debug, Default)]
pub(super) struct ColouredGraph {
    colours: Vec<u64>,
    edges: Vec<Vec<(u64, u32)>>,
}

/// Automorphisms, as far as they move the first vertices of a graph.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AutomorphismGroup {
    pub(super) order: u128,
    /// Some that make all others: what each of the first vertices becomes.
    pub(super) generators: Vec<Vec<u32>>,
}

/// The search for one automorphism ends after so many refinements.
const MOST_REFINEMENTS: u32 = 2_000;
/// The search for all of them goes on for so many edges of all refinements.
const MOST_STEPS: u64 = 3_000_000_000;

/// The vertex that is singled out on the way to the trivial group, and the colours before that.
struct BasePoint {
    vertex: usize,
    colours: Vec<u64>,
}

impl ColouredGraph {
    pub(super) fn add_vertex(&mut self, colour: u64) -> u32 {
        self.colours.push(colour);
        self.edges.push(Vec::new());
        self.colours.len() as u32 - 1
    }

    pub(super) fn add_edge(&mut self, from: u32, label: u64, to: u32) {
        self.edges[from as usize].push((2 * label, to));
        self.edges[to as usize].push((2 * label + 1, from));
    }

    /// The automorphisms that are found until `deadline`, by what they make of the first `points` vertices.
    pub(super) fn automorphisms(mut self, points: usize, deadline: &Deadline) -> AutomorphismGroup {
        self.edges
            .iter_mut()
            .for_each(|edges| edges.sort_unstable());
        let mut search = AutomorphismSearch {
            steps_left: MOST_STEPS,
            refinements_left: 0,
            graph: &self,
            deadline,
        };
        let (mut order, mut generators) = (1_u128, Vec::new());
        for base in search.base(points).iter().rev() {
            let mut orbit = orbit(base.vertex, &generators);
            for other in 0..points {
                let is_alike = base.colours[other] == base.colours[base.vertex];
                if is_alike && search.steps_left > 0 && !orbit.contains(&other) {
                    let found = search.automorphism(&base.colours, base.vertex, other);
                    generators.extend(found);
                    orbit = self::orbit(base.vertex, &generators);
                }
            }
            order = order.saturating_mul(orbit.len() as u128);
        }
        generators
            .iter_mut()
            .for_each(|image| image.truncate(points));
        AutomorphismGroup { order, generators }
    }

    /// Whether vertices keep their colours and edges when each becomes that of `image`.
    fn is_automorphism(&self, image: &[u32]) -> bool {
        let mut moved = Vec::new();
        (0..image.len()).all(|vertex| {
            let becomes = image[vertex] as usize;
            moved.clear();
            let edges = self.edges[vertex].iter();
            moved.extend(edges.map(|(label, to)| (*label, image[*to as usize])));
            moved.sort_unstable();
            self.colours[vertex] == self.colours[becomes] && moved == self.edges[becomes]
        })
    }
}

/// What a vertex can become by these permutations.
fn orbit(vertex: usize, generators: &[Vec<u32>]) -> Vec<usize> {
    let mut orbit = vec![vertex];
    let mut next = 0;
    while let Some(vertex) = orbit.get(next).copied() {
        next += 1;
        for image in generators {
            let becomes = image[vertex] as usize;
            if !orbit.contains(&becomes) {
                orbit.push(becomes);
            }
        }
    }
    orbit
}

struct AutomorphismSearch<'g> {
    graph: &'g ColouredGraph,
    steps_left: u64,
    refinements_left: u32,
    deadline: &'g Deadline,
}

impl AutomorphismSearch<'_> {
    /// Vertices among the first `points` which, when each stays where it is, leave no other of them a choice.
    fn base(&mut self, points: usize) -> Vec<BasePoint> {
        let mut colours = self.graph.colours.clone();
        let mut base = Vec::new();
        loop {
            self.refine(&mut colours, None);
            let mut seen = HashMap::new();
            let shared = (0..points).find_map(|vertex| seen.insert(colours[vertex], vertex));
            match shared {
                Some(vertex) if self.steps_left > 0 => {
                    let before = colours.clone();
                    single_out(&mut colours, vertex);
                    base.push(BasePoint {
                        vertex,
                        colours: before,
                    });
                }
                _ => return base,
            }
        }
    }

    /// An automorphism that keeps `colours` and takes one vertex to another.
    fn automorphism(&mut self, colours: &[u64], from: usize, to: usize) -> Option<Vec<u32>> {
        self.refinements_left = MOST_REFINEMENTS;
        let (mut left, mut right) = (colours.to_vec(), colours.to_vec());
        single_out(&mut left, from);
        single_out(&mut right, to);
        self.complete(left, right)
    }

    /// An automorphism that takes each colour on the left to the same one on the right.
    fn complete(&mut self, mut left: Vec<u64>, mut right: Vec<u64>) -> Option<Vec<u32>> {
        self.refinements_left = self.refinements_left.checked_sub(1)?;
        if !self.refine(&mut left, Some(&mut right)) {
            return None;
        }
        let mut places: HashMap<u64, Vec<u32>> = HashMap::new();
        for (place, colour) in (0..).zip(&right) {
            places.entry(*colour).or_default().push(place);
        }
        let shared = left.iter().position(|colour| places[colour].len() > 1);
        let Some(vertex) = shared else {
            let image: Vec<u32> = left.iter().map(|colour| places[colour][0]).collect();
            return self.graph.is_automorphism(&image).then_some(image);
        };
        let others = places.remove(&left[vertex])?;
        single_out(&mut left, vertex);
        others.into_iter().find_map(|other| {
            let mut right = right.clone();
            single_out(&mut right, other as usize);
            self.complete(left.clone(), right)
        })
    }

    /// Tells vertices apart by their neighbours, as far as that goes; on both sides alike. Whether both have the same colours.
    fn refine(&mut self, left: &mut Vec<u64>, mut right: Option<&mut Vec<u64>>) -> bool {
        let mut count = 0;
        loop {
            let sorted = sorted(left);
            if right
                .as_ref()
                .is_some_and(|right| self::sorted(right) != sorted)
            {
                return false;
            }
            let now = sorted.chunk_by(|one, other| one == other).count();
            if now == count || self.steps_left == 0 {
                return self.steps_left > 0;
            }
            count = now;
            *left = self.refined(left);
            if let Some(right) = &mut right {
                **right = self.refined(right);
            }
        }
    }

    /// New colours, by those of a vertex and of its neighbours.
    fn refined(&mut self, colours: &[u64]) -> Vec<u64> {
        let hash = FixedState::default();
        let vertices = self.graph.edges.iter().zip(colours);
        let refined: Vec<u64> = vertices
            .map(|(edges, colour)| {
                let of = edges.iter();
                let of = of.map(|(label, to)| hash.hash_one((*label, colours[*to as usize])));
                hash.hash_one((*colour, of.fold(0, u64::wrapping_add)))
            })
            .collect();
        let steps: usize = self.graph.edges.iter().map(Vec::len).sum();
        self.steps_left = match self.deadline.is_due() {
            true => 0,
            false => self.steps_left.saturating_sub(steps as u64),
        };
        refined
    }
}

fn single_out(colours: &mut [u64], vertex: usize) {
    colours[vertex] = FixedState::default().hash_one((colours[vertex], "singled out"));
}

fn sorted(colours: &[u64]) -> Vec<u64> {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Vertices in a circle.
    fn circle(length: u32) -> ColouredGraph {
        let mut graph = ColouredGraph::default();
        let vertices: Vec<u32> = (0..length).map(|_| graph.add_vertex(0)).collect();
        for (place, vertex) in vertices.iter().enumerate() {
            graph.add_edge(*vertex, 0, vertices[(place + 1) % vertices.len()]);
        }
        graph
    }

    #[test]
    fn a_directed_circle_can_be_turned_but_not_mirrored() {
        assert_eq!(circle(7).automorphisms(7, &Deadline::default()).order, 7);
        let mut one_way = circle(7);
        one_way.colours[3] = 1;
        assert_eq!(one_way.automorphisms(7, &Deadline::default()).order, 1);
        let mut both_ways = circle(7);
        for vertex in 0..7 {
            both_ways.add_edge((vertex + 1) % 7, 0, vertex);
        }
        assert_eq!(both_ways.automorphisms(7, &Deadline::default()).order, 14);
    }

    #[test]
    fn graphs_that_refinement_cannot_tell_apart_are_told_apart() {
        // A circle of six, and two of three: all vertices look alike.
        let mut graph = circle(6);
        for [from, to] in [[6, 7], [7, 8], [8, 6], [9, 10], [10, 11], [11, 9]] {
            while graph.colours.len() < 12 {
                graph.add_vertex(0);
            }
            graph.add_edge(from, 0, to);
        }
        // The large one is turned, either small one is, and both are exchanged.
        assert_eq!(
            graph.automorphisms(12, &Deadline::default()).order,
            6 * 3 * 3 * 2
        );
    }

    #[test]
    fn generators_are_permutations_of_the_first_vertices() {
        let group = circle(5).automorphisms(5, &Deadline::default());
        for image in &group.generators {
            let mut sorted = image.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, [0, 1, 2, 3, 4]);
        }
    }
}
