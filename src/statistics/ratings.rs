//! Strengths of several players, judged by results between any two of them.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Bfs;
use petgraph::visit::Reversed;

use super::elo::{SCALE, superiority};
use super::interval::TWO_SIDED_95;
use super::linear::{Matrix, dot, inverse, product_with_symmetric};

/// What one player scored against another one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairResult {
    /// The numbers of both players.
    pub players: [usize; 2],
    /// What the first one scored, 0 to 1.
    pub score: f64,
    /// Results with the same number depend on each other, such as those of a pair of games from one opening.
    pub unit: u64,
}

/// How much stronger players are than others, in Elo points, by the model of Bradley and Terry (1952): a player is expected
/// to score 1 / (1 + 10^(-d/400)) where it is d points stronger. A draw counts as half a win.
///
/// The likelihood has a greatest value only among players who are connected: each of them has scored against each other one,
/// be it by way of others (Ford 1957). The ratings are those of the largest such group; their mean is 0.
#[derive(Debug, Clone)]
pub struct Ratings {
    places: Vec<RatingPlace>,
    /// Per member of the group: the strength, as a natural logarithm of odds.
    strengths: Vec<f64>,
    /// The covariance of the strengths; none of a single unit.
    covariance: Option<Matrix>,
}

/// Where a player stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingPlace {
    /// In the group, with this number.
    Rated(usize),
    /// It has scored against the group, which has not scored against it.
    Above,
    /// The group has scored against it, and it has not scored against the group.
    Below,
    /// Results do not connect it with the group.
    Apart,
}

impl Ratings {
    /// Judges results between so many players.
    ///
    /// # Panics
    /// If a result names a player that is not there.
    pub fn of(players: usize, results: &[PairResult]) -> Self {
        let places = places(players, results);
        let members = places.iter().filter(|place| place.member().is_some());
        let group = Group::new(members.count(), &places, results);
        let strengths = group.likeliest();
        let covariance = group.covariance(&strengths);
        Self {
            places,
            strengths,
            covariance,
        }
    }

    /// Where a player stands.
    pub fn place(&self, player: usize) -> RatingPlace {
        self.places[player]
    }

    /// The Elo points of a player; `None` outside of the group.
    pub fn elo(&self, player: usize) -> Option<f64> {
        let member = self.places[player].member()?;
        Some(self.strengths[member] * ELO_PER_LOGIT)
    }

    /// Half the width of the 95 % interval of these; `None` where results are too few.
    pub fn error(&self, player: usize) -> Option<f64> {
        let member = self.places[player].member()?;
        let variance = self.covariance.as_ref()?[member][member];
        Some(TWO_SIDED_95 * variance.max(0.0).sqrt() * ELO_PER_LOGIT)
    }

    /// The probability that the first player is stronger than the second one, if nothing was known before.
    pub fn superiority(&self, first: usize, second: usize) -> Option<f64> {
        let (first, second) = (self.places[first].member()?, self.places[second].member()?);
        let of = self.covariance.as_ref()?;
        let variance = of[first][first] + of[second][second] - 2.0 * of[first][second];
        let lead = self.strengths[first] - self.strengths[second];
        Some(superiority(lead, variance.max(0.0).sqrt()))
    }
}

/// Elo points of a difference of 1 in the natural logarithm of odds.
const ELO_PER_LOGIT: f64 = SCALE / std::f64::consts::LN_10;

impl RatingPlace {
    fn member(self) -> Option<usize> {
        match self {
            Self::Rated(member) => Some(member),
            _ => None,
        }
    }
}

/// The largest group of players whose results connect them both ways, and where the others stand.
fn places(players: usize, results: &[PairResult]) -> Vec<RatingPlace> {
    let scored = results.iter().flat_map(|result| {
        let [first, second] = result.players;
        let forth = (result.score > 0.0).then_some((first, second));
        let back = (result.score < 1.0).then_some((second, first));
        [forth, back].into_iter().flatten()
    });
    let mut edges: Vec<(usize, usize)> = scored.collect();
    edges.sort_unstable();
    edges.dedup();
    let mut graph: DiGraph<(), ()> = DiGraph::with_capacity(players, edges.len());
    for _ in 0..players {
        graph.add_node(());
    }
    for (winner, loser) in edges {
        graph.add_edge(NodeIndex::new(winner), NodeIndex::new(loser), ());
    }
    let groups = tarjan_scc(&graph).into_iter();
    let mut groups: Vec<Vec<usize>> = groups
        .map(|group| group.into_iter().map(NodeIndex::index).collect())
        .collect();
    groups.iter_mut().for_each(|group| group.sort_unstable());
    // Of several largest groups, the one with the first player.
    groups.sort_by_key(|group| (usize::MAX - group.len(), group[0]));
    let mut places = vec![RatingPlace::Apart; players];
    let Some(group) = groups.first().filter(|group| group.len() > 1) else {
        return places;
    };
    let start = NodeIndex::new(group[0]);
    let mut below = Bfs::new(&graph, start);
    while let Some(player) = below.next(&graph) {
        places[player.index()] = RatingPlace::Below;
    }
    let mut above = Bfs::new(Reversed(&graph), start);
    while let Some(player) = above.next(Reversed(&graph)) {
        places[player.index()] = RatingPlace::Above;
    }
    for (member, player) in group.iter().enumerate() {
        places[*player] = RatingPlace::Rated(member);
    }
    places
}

/// The results within the group.
struct Group {
    /// Per pair of members, the first below the second: what the first one scored in all, and in how many games.
    totals: Vec<(usize, usize, f64, f64)>,
    /// All results, by their units.
    results: Vec<(u64, usize, usize, f64)>,
    members: usize,
}

impl Group {
    fn new(members: usize, places: &[RatingPlace], results: &[PairResult]) -> Self {
        let inside = results.iter().filter_map(|result| {
            let [first, second] = result.players.map(|player| places[player].member());
            let (first, second) = (first?, second?);
            Some(match first <= second {
                true => (result.unit, first, second, result.score),
                false => (result.unit, second, first, 1.0 - result.score),
            })
        });
        let inside = inside.filter(|(_, first, second, _)| first != second);
        let mut results: Vec<(u64, usize, usize, f64)> = inside.collect();
        results.sort_by(|one, other| {
            (one.0, one.1, one.2)
                .cmp(&(other.0, other.1, other.2))
                .then(one.3.total_cmp(&other.3))
        });
        let mut sums = vec![vec![(0.0, 0.0); members]; members];
        for (_, first, second, score) in &results {
            let sum = &mut sums[*first][*second];
            *sum = (sum.0 + score, sum.1 + 1.0);
        }
        let pairs =
            (0..members).flat_map(|first| (first + 1..members).map(move |second| (first, second)));
        let totals = pairs
            .map(|(first, second)| (first, second, sums[first][second].0, sums[first][second].1))
            .filter(|total| total.3 > 0.0)
            .collect();
        Self {
            totals,
            results,
            members,
        }
    }

    /// The strengths under which the results are most probable. The likelihood is concave: Newton's steps, shortened until they
    /// raise it, lead to its greatest value.
    fn likeliest(&self) -> Vec<f64> {
        const ROUNDS: usize = 200;
        const SAME: f64 = 1e-10;
        let mut strengths = vec![0.0; self.members];
        let mut likelihood = self.log_likelihood(&strengths);
        for _ in 0..ROUNDS {
            let gradient = self.gradient(&strengths);
            let curvature = self.inverse_information(&strengths);
            let step: Vec<f64> = curvature.iter().map(|row| dot(row, &gradient)).collect();
            let mut length = 1.0;
            let moved = loop {
                let moved: Vec<f64> = strengths
                    .iter()
                    .zip(&step)
                    .map(|(strength, step)| strength + length * step)
                    .collect();
                let better = self.log_likelihood(&moved);
                if better >= likelihood || length < SAME {
                    likelihood = better;
                    break moved;
                }
                length /= 2.0;
            };
            strengths = moved;
            if step.iter().all(|step| step.abs() < SAME) {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / self.members.max(1) as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        strengths
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let terms = self.totals.iter().map(|(first, second, score, games)| {
            let lead = strengths[*first] - strengths[*second];
            -score * (-lead).exp().ln_1p() - (games - score) * lead.exp().ln_1p()
        });
        terms.sum()
    }

    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient = vec![0.0; self.members];
        for (first, second, score, games) in &self.totals {
            let excess = score - games * expected(strengths, *first, *second);
            gradient[*first] += excess;
            gradient[*second] -= excess;
        }
        gradient
    }

    /// The inverse of the Fisher information among strengths whose mean is 0.
    fn inverse_information(&self, strengths: &[f64]) -> Matrix {
        // All strengths may grow alike without any change: that direction is given some information, which is taken away again.
        let even = 1.0 / self.members as f64;
        let mut information = vec![vec![even; self.members]; self.members];
        for (first, second, _, games) in &self.totals {
            let expected = expected(strengths, *first, *second);
            let weight = games * expected * (1.0 - expected);
            information[*first][*first] += weight;
            information[*second][*second] += weight;
            information[*first][*second] -= weight;
            information[*second][*first] -= weight;
        }
        let mut inverse = inverse(information);
        inverse
            .iter_mut()
            .flatten()
            .for_each(|entry| *entry -= even);
        inverse
    }

    /// The covariance of the strengths, judged by how far the results of each unit are from what was expected: the sandwich
    /// estimator (Huber 1967; White 1982). Two players and units of two games make it that of pentanomial counts.
    fn covariance(&self, strengths: &[f64]) -> Option<Matrix> {
        let mut spread = vec![vec![0.0; self.members]; self.members];
        let mut units = 0;
        for unit in self.results.chunk_by(|one, other| one.0 == other.0) {
            units += 1;
            let mut excess = vec![0.0; self.members];
            for (_, first, second, score) in unit {
                let more = score - expected(strengths, *first, *second);
                excess[*first] += more;
                excess[*second] -= more;
            }
            let touched: Vec<usize> = (0..self.members).filter(|at| excess[*at] != 0.0).collect();
            for one in &touched {
                for other in &touched {
                    spread[*one][*other] += excess[*one] * excess[*other];
                }
            }
        }
        if units < 2 {
            return None;
        }
        let unbiased = f64::from(units) / (f64::from(units) - 1.0);
        let inverse = self.inverse_information(strengths);
        let half = product_with_symmetric(&inverse, &spread);
        let mut whole = product_with_symmetric(&half, &inverse);
        whole
            .iter_mut()
            .flatten()
            .for_each(|entry| *entry *= unbiased);
        Some(whole)
    }
}

/// What the first player is expected to score.
fn expected(strengths: &[f64], first: usize, second: usize) -> f64 {
    1.0 / (1.0 + (strengths[second] - strengths[first]).exp())
}

#[cfg(test)]
mod tests;
