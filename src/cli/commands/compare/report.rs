//! What a comparison has found, as JSON and as a table.

use std::io::Write;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::agreement::{Apart, Depth, Walked};
use super::contest::Contest;
use super::engines::{Contender, LeftOut};
use super::speed::Speed;
use super::thought::Thought;
use crate::cli::console::Console;
use crate::cli::failure::Failure;
use crate::cli::style;
use crate::terminal::{Screen, Style};

/// Everything found.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    game: String,
    engines: Vec<&'static str>,
    /// Why other engines take no part.
    left_out: Map<String, Value>,
    seed: u64,
    /// `None` where nothing was compared.
    pub(super) agree: Option<bool>,
    /// Whether nothing stopped the comparison early.
    #[serde(rename = "complete")]
    pub(super) is_complete: bool,
    /// The numbers of paths, engine by engine.
    pub(super) perft: Vec<Depth>,
    pub(super) differential_test: Vec<Walked>,
    pub(super) difference: Option<Apart>,
    pub(super) search: Vec<Thought>,
    speeds: Map<String, Value>,
    /// By how much an engine is faster than the first one.
    ratios: Map<String, Value>,
    #[serde(rename = "match")]
    pub(super) contests: Vec<Contest>,
    #[serde(skip)]
    measured: Vec<Speed>,
}

impl Report {
    pub(super) fn new(
        game: &str,
        engines: &[&dyn Contender],
        left_out: &[LeftOut],
        seed: u64,
    ) -> Self {
        let reasons = left_out.iter();
        Self {
            game: game.to_owned(),
            engines: engines.iter().map(|engine| engine.name()).collect(),
            left_out: reasons
                .map(|one| (one.engine.to_owned(), json!(one.reason)))
                .collect(),
            seed,
            agree: None,
            is_complete: false,
            perft: Vec::new(),
            differential_test: Vec::new(),
            difference: None,
            search: Vec::new(),
            contests: Vec::new(),
            speeds: Map::new(),
            ratios: Map::new(),
            measured: Vec::new(),
        }
    }

    /// Whether nothing was found in which engines differ.
    pub(super) fn agrees(&self) -> bool {
        self.difference.is_none()
            && self.perft.iter().all(Depth::agrees)
            && self.search.iter().all(Thought::agrees)
    }

    /// Whether anything was found that engines could differ in.
    pub(super) fn is_compared(&self) -> bool {
        self.difference.is_some()
            || self.perft.iter().any(|depth| depth.counted() > 1)
            || self
                .differential_test
                .iter()
                .any(|walked| walked.states > 0)
            || self.search.iter().any(|thought| thought.thought() > 1)
    }

    pub(super) fn take_speeds(&mut self, speeds: Vec<Speed>) {
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

    pub(super) fn show(&self, boards: Style, console: &mut Console<'_>) -> Result<(), Failure> {
        let (strong, faint) = (style::STRONG, style::FAINT);
        let verdict = match (self.agree, self.is_complete) {
            (None, _) => (style::WARNING, "have not been compared yet"),
            (Some(true), true) => (style::GOOD, "agree"),
            (Some(true), false) => (style::HELP, "agree as far as they were compared"),
            (Some(false), _) => (style::ERROR, "differ"),
        };
        let (color, verdict) = verdict;
        let (game, engines) = (&self.game, self.engines.join(", "));
        let out = &mut console.out;
        writeln!(
            out,
            "{strong}{game}{strong:#}: {engines} {color}{verdict}{color:#}, seed {}",
            self.seed
        )?;
        for (engine, reason) in &self.left_out {
            let reason = reason.as_str().unwrap_or_default();
            writeln!(out, "  {faint}no {engine}: {reason}{faint:#}")?;
        }
        self.show_agreement(console)?;
        if let Some(apart) = &self.difference {
            show_difference(apart, boards, console)?;
        }
        self.show_speeds(console)?;
        self.show_contests(console)
    }

    fn show_agreement(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let out = &mut console.out;
        if let Some(wrong) = self.perft.iter().find(|depth| !depth.agrees()) {
            let counts = self.engines.iter().zip(&wrong.paths);
            let counts =
                counts.filter_map(|(engine, paths)| Some(format!("{engine} {}", (*paths)?)));
            let counts: Vec<String> = counts.collect();
            writeln!(
                out,
                "  paths of {} plies: {}",
                wrong.depth,
                counts.join(", ")
            )?;
        } else if let Some(depth) = self.perft.iter().rfind(|depth| depth.is_compared()) {
            let paths = depth.paths.iter().flatten().next().copied();
            let (count, plies) = (depth.counted(), depth.depth);
            writeln!(
                out,
                "  paths of up to {plies} plies: the same {} on {count} engines",
                paths.unwrap_or_default()
            )?;
        }
        self.show_thoughts(console)?;
        let out = &mut console.out;
        for walked in self
            .differential_test
            .iter()
            .filter(|walked| walked.states > 0)
        {
            let [one, other] = walked.engines;
            writeln!(
                out,
                "  differential test of {one} and {other}: {} states of {} random games equal",
                walked.states, walked.games
            )?;
        }
        Ok(())
    }

    fn show_thoughts(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let out = &mut console.out;
        if let Some(wrong) = self.search.iter().find(|thought| !thought.agrees()) {
            let best = self.engines.iter().zip(&wrong.best);
            let best = best.filter_map(|(engine, best)| {
                let (mv, goal) = best.as_ref()?;
                Some(format!("{engine} {mv} for {goal}"))
            });
            let best: Vec<String> = best.collect();
            writeln!(
                out,
                "  searched {} plies deep: {}",
                wrong.depth,
                best.join(", ")
            )?;
        } else if let Some(thought) = self.search.iter().rfind(|thought| thought.thought() > 1) {
            writeln!(
                out,
                "  searched up to {} plies deep: the same moves on {} engines",
                thought.depth,
                thought.thought()
            )?;
        }
        Ok(())
    }

    fn show_contests(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        for contest in &self.contests {
            let [one, other] = contest.engines;
            writeln!(
                console.out,
                "\n{one} against {other}, {}: {} won, {} drawn, {} lost; {:.0} ± {:.0} %",
                contest.condition,
                contest.won,
                contest.drawn,
                contest.lost,
                100.0 * contest.score,
                100.0 * contest.error
            )?;
        }
        Ok(())
    }

    fn show_speeds(&self, console: &mut Console<'_>) -> Result<(), Failure> {
        let Some(first) = self.measured.first() else {
            return Ok(());
        };
        let (faint, out) = (style::FAINT, &mut console.out);
        let head = format!(
            "{:<10}{:>15}{:>8}{:>15}{:>8}{:>16}{:>8}{:>13}",
            "",
            "random states/s",
            "ratio",
            "perft paths/s",
            "ratio",
            "search nodes/s",
            "ratio",
            "ready after"
        );
        writeln!(out, "\n{faint}{head}{faint:#}")?;
        for (engine, speed) in self.engines.iter().zip(&self.measured) {
            writeln!(
                out,
                "{engine:<10}{:>15.0}{:>8}{:>15.0}{:>8}{:>16.0}{:>8}{:>11.3} s",
                speed.states_per_second,
                ratio(speed.states_per_second, first.states_per_second),
                speed.nodes_per_second,
                ratio(speed.nodes_per_second, first.nodes_per_second),
                speed.search_nodes_per_second,
                ratio(speed.search_nodes_per_second, first.search_nodes_per_second),
                speed.startup_seconds
            )?;
        }
        Ok(())
    }
}

/// By how much a rate is larger than another; a dash where there is nothing to measure, as in a game that is over at once.
fn ratio(rate: f64, first: f64) -> String {
    let ratio = rate / first;
    match ratio.is_finite() {
        true => format!("{ratio:.3}"),
        false => "-".to_owned(),
    }
}

/// The first difference, and the board as each engine has it; what is other on the second one is marked as new.
fn show_difference(apart: &Apart, boards: Style, console: &mut Console<'_>) -> Result<(), Failure> {
    let out = &mut console.out;
    let Apart { ply, what, .. } = apart;
    writeln!(out, "  after {ply} plies {what} differs")?;
    let moves: Vec<String> = apart.moves.iter().map(|joint| joint.join(" ")).collect();
    writeln!(out, "  moves: {}", moves.join(", "))?;
    let mut screen = Screen::from_states(&apart.states, boards)
        .map_err(|fault| Failure::finding(fault.to_string()))?;
    for ((engine, state), only) in apart.engines.iter().zip(&apart.states).zip(&apart.only) {
        let strong = style::STRONG;
        writeln!(out, "\n{strong}{engine}{strong:#}")?;
        if !only.is_empty() {
            writeln!(out, "only here: {}", only.join(" "))?;
        }
        write!(out, "{}", screen.show(state))?;
    }
    Ok(())
}
