//! How often facts hold, by a few random games on the network.

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::build::Interface;
use super::network::{Lit, Network};
use crate::util::choose_side_by_side;

/// The most plies of each game, and the most operands that are read in all of them: at most some 0.15 s.
const PLIES: usize = 40;
const OPERANDS: usize = 80_000_000;
/// Fewer plies show too little.
const FEWEST_PLIES: usize = 8;
/// Networks of fewer gates are run as fast whatever is known of their facts.
const FEWEST_GATES: usize = 4_000;

/// How often each fact holds in the states of random games, from 0 to 1; nothing where that is not known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FactFrequencies(pub Vec<f64>);

impl FactFrequencies {
    /// Plays 64 random games for some plies, seeded. Networks with loops, and those too small or too large for it, are
    /// not played.
    pub fn sample(interface: &Interface, network: &Network) -> Self {
        let gates = &network.gates;
        let operands = gates.nodes().map(|node| gates.operands(node).len());
        // A ply evaluates the network before the moves and after them.
        let plies = PLIES.min(OPERANDS / (2 * operands.sum::<usize>()).max(1));
        let is_small = network.size() < FEWEST_GATES;
        if is_small || plies < FEWEST_PLIES || !network.outputs.cycles.is_empty() {
            return Self::default();
        }
        Self::of_games(interface, network, plies)
    }

    fn of_games(interface: &Interface, network: &Network, plies: usize) -> Self {
        let mut games = NetworkGames::new(interface, network);
        let mut counts = vec![0; interface.fluents.len()];
        for _ in 0..plies {
            games.step();
            for (count, games) in counts.iter_mut().zip(&games.state) {
                *count += games.count_ones();
            }
        }
        let states = (64 * plies) as f64;
        Self(
            counts
                .into_iter()
                .map(|count| f64::from(count) / states)
                .collect(),
        )
    }
}

/// 64 games side by side.
struct NetworkGames<'n> {
    interface: &'n Interface,
    network: &'n Network,
    /// Per node, the games in which it is true.
    values: Vec<u64>,
    /// Per base.
    state: Vec<u64>,
    /// Per input, the games in which it is made.
    made: Vec<u64>,
    random: Xoshiro256PlusPlus,
}

impl<'n> NetworkGames<'n> {
    fn new(interface: &'n Interface, network: &'n Network) -> Self {
        let holds = |&holds: &bool| if holds { !0 } else { 0 };
        Self {
            interface,
            network,
            values: vec![!0; network.gates.nodes().len()],
            state: interface.initial.iter().map(holds).collect(),
            made: vec![0; interface.moves.len()],
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// Makes a random move of each role in each game. Games that are over begin anew.
    fn step(&mut self) {
        self.made.fill(0);
        self.evaluate();
        let outputs = &self.network.outputs;
        let mut is_over = self.value(outputs.terminal);
        for inputs in &self.interface.roles {
            let legal = inputs
                .clone()
                .map(|input| (input, self.value(outputs.legal[input])));
            let legal: Vec<(usize, u64)> = legal.filter(|(_, games)| *games != 0).collect();
            is_over |= choose_side_by_side(&legal, &mut self.made, &mut self.random);
        }
        self.evaluate();
        for (base, next) in outputs.next.iter().enumerate() {
            let initial = if self.interface.initial[base] {
                is_over
            } else {
                0
            };
            self.state[base] = self.value(*next) & !is_over | initial;
        }
    }

    fn evaluate(&mut self) {
        let leaves = self.state.iter().chain(&self.made);
        for (value, leaf) in self.values[1..].iter_mut().zip(leaves) {
            *value = *leaf;
        }
        let gates = &self.network.gates;
        for node in gates.leaves().end()..gates.nodes().end {
            let operands = gates.operands(node).iter();
            self.values[node as usize] = operands.fold(!0, |all, lit| all & self.value(*lit));
        }
    }

    fn value(&self, lit: Lit) -> u64 {
        let value = self.values[lit.node() as usize];
        if lit.is_negated() { !value } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::propnet::tests::network_of;

    #[test]
    fn facts_are_counted_in_all_states_of_random_games() {
        let (interface, network, _) = network_of(
            "(role a)(init (at 1))(init (coin heads))(succ 1 2)(succ 2 3)(legal a (turn heads))(legal a (turn tails))
             (<= (next (at ?y)) (true (at ?x)) (succ ?x ?y))(<= (next (coin ?s)) (does a (turn ?s)))
             (<= terminal (true (at 3)))(goal a 50)",
        );
        let FactFrequencies(shares) = FactFrequencies::of_games(&interface, &network, 30);
        // After 1 come 2 and 3, then the next game; coins are thrown in two of three plies, and lie as at the start in the third.
        let [first, second, third, heads, tails] = shares[..] else {
            panic!("five facts");
        };
        for share in [first, second, third] {
            assert!((share - 1.0 / 3.0).abs() < 1e-9, "{shares:?}");
        }
        assert!(
            (heads - 2.0 / 3.0).abs() < 0.05 && (tails - 1.0 / 3.0).abs() < 0.05,
            "{shares:?}"
        );
        assert_eq!(
            FactFrequencies::sample(&interface, &network),
            FactFrequencies::default()
        );
    }
}
