//! Arguments of facts that have an order.

use crate::game::GameFacts;

/// The values of an argument in an order: that of numbers, of letters, or one that the rules give.
#[derive(Debug)]
pub(super) struct Order {
    values: Vec<String>,
}

impl Order {
    pub(super) fn new(mut values: Vec<&str>, game_facts: &GameFacts) -> Option<Self> {
        if values.len() < 3 {
            return None;
        }
        let numbers: Option<Vec<i64>> = values.iter().map(|value| value.parse().ok()).collect();
        let place_in =
            |chain: &Vec<String>, value: &str| chain.iter().position(|term| term == value);
        let chain = game_facts
            .chains
            .iter()
            .find(|chain| values.iter().all(|value| place_in(chain, value).is_some()));
        if numbers.is_some() {
            values.sort_by_key(|value| value.parse::<i64>().unwrap_or(0));
        } else if let Some(chain) = chain {
            values.sort_by_key(|value| place_in(chain, value));
        } else if values.iter().any(|value| value.len() != 1) {
            return None;
        }
        Some(Self {
            values: values.into_iter().map(str::to_owned).collect(),
        })
    }

    /// From 0 for the first value to 1 for the last.
    pub(super) fn height(&self, value: &str) -> f32 {
        let place = self
            .values
            .iter()
            .position(|known| known == value)
            .unwrap_or(0);
        place as f32 / (self.values.len() - 1).max(1) as f32
    }
}
