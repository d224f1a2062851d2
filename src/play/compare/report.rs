//! What a comparison has found.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Comparison;
use super::agreement::{AgreedStates, DepthCounts, EngineDifference};
use super::games::EngineScore;
use super::searches::SearchedDepth;
use super::speed::EngineSpeed;

/// Everything found.
#[derive(Debug, Serialize)]
pub struct ComparisonReport {
    /// The name of the game.
    pub game: String,
    /// The engines, in the order of all lists.
    pub engines: Vec<&'static str>,
    /// Why other engines take no part.
    pub left_out: Map<String, Value>,
    /// The seed of random games and openings.
    pub seed: u64,
    /// `None` where nothing was compared.
    pub agree: Option<bool>,
    /// Whether nothing stopped the comparison early.
    #[serde(rename = "complete")]
    pub is_complete: bool,
    /// The numbers of paths, engine by engine.
    pub perft: Vec<DepthCounts>,
    /// How far pairs of engines agreed in random games.
    pub differential_test: Vec<AgreedStates>,
    /// The first difference in a random game.
    pub difference: Option<EngineDifference>,
    /// The best moves, depth by depth.
    pub search: Vec<SearchedDepth>,
    speeds: Map<String, Value>,
    /// By how much an engine is faster than the first one.
    ratios: Map<String, Value>,
    /// What became of matches between two engines.
    #[serde(rename = "match")]
    pub games: Vec<EngineScore>,
    /// How fast the engines are.
    #[serde(skip)]
    pub measured: Vec<EngineSpeed>,
}

impl ComparisonReport {
    /// Nothing found yet.
    pub(super) fn new(comparison: &Comparison<'_>) -> Self {
        let engines = comparison.engines.iter();
        let reasons = comparison.left_out.iter();
        Self {
            game: comparison.game.to_owned(),
            engines: engines.map(|engine| engine.name()).collect(),
            left_out: reasons
                .map(|one| (one.engine.to_string(), json!(one.reason)))
                .collect(),
            seed: comparison.seed,
            agree: None,
            is_complete: false,
            perft: Vec::new(),
            differential_test: Vec::new(),
            difference: None,
            search: Vec::new(),
            games: Vec::new(),
            speeds: Map::new(),
            ratios: Map::new(),
            measured: Vec::new(),
        }
    }

    /// Whether nothing was found in which engines differ.
    pub fn agrees(&self) -> bool {
        self.difference.is_none()
            && self.perft.iter().all(DepthCounts::agrees)
            && self.search.iter().all(SearchedDepth::agrees)
    }

    /// Whether anything was found that engines could differ in.
    pub(super) fn is_compared(&self) -> bool {
        self.difference.is_some()
            || self.perft.iter().any(|depth| depth.counted() > 1)
            || self
                .differential_test
                .iter()
                .any(|walked| walked.states > 0)
            || self.search.iter().any(|searched| searched.engines() > 1)
    }

    pub(super) fn take_speeds(&mut self, speeds: Vec<EngineSpeed>) {
        let Some(first) = speeds.first().cloned() else {
            return;
        };
        for (&engine, speed) in self.engines.iter().zip(&speeds) {
            let ratios = json!({
                "playouts": speed.states_per_second / first.states_per_second,
                "perft": speed.nodes_per_second / first.nodes_per_second,
                "search": speed.search_nodes_per_second / first.search_nodes_per_second,
            });
            self.speeds.insert(engine.to_owned(), json!(speed));
            self.ratios.insert(engine.to_owned(), ratios);
        }
        self.measured = speeds;
    }
}
