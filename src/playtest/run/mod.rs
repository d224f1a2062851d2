//! The settings of a playtest, and its course.

mod players;

use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;

use super::balance::Results;
use super::broken_groups;
use super::consequences::without_consequences;
use super::coverage::{Coverage, Proofs, prove};
use super::ends::EndWatch;
use super::explain::Explainer;
use super::games::{GameSetup, PlayedGame, play};
use super::groups::GroupWatch;
use super::orders::OrderWatch;
use super::report::{Finding, FindingSeverity, PlaytestReport, SampleSizes};
use super::start::doubled_at_start;
use super::statistics::{GameStatistics, Lengths, MoveWatch, RuleSizes};
use super::turns::TurnWatch;
use super::values::{self, SeenValues};
use super::whole_game;
use crate::engine::RuleProbe;
use crate::gdl::Rules;
use crate::play::End;
use crate::session::Game;
use crate::util::{Alarm, Deadline, StopFlag};

/// How to playtest a game.
#[derive(Debug, Clone)]
#[must_use = "nothing is played before `run`"]
pub struct Playtest {
    game: Game,
    seed: u64,
    games: u64,
    rounds: usize,
    max_plies: usize,
    time: Duration,
    stop: StopFlag,
}

/// How the time is shared out: proofs, then random games; the rest goes to games of players.
const PROOFS: f64 = 0.15;
const RANDOM: f64 = 0.40;
/// When the first random game must have ended.
const MOST_RANDOM: f64 = 0.85;
/// How much of the time of random games goes to asking which rules apply.
const PROBING: f64 = 0.35;

impl Playtest {
    /// A playtest of this game: up to 1,000 random games and 20 rounds of games between players, of up to 2,000
    /// plies each, in eight seconds.
    pub fn new(game: &Game) -> Self {
        Self {
            game: game.clone(),
            seed: 1,
            games: 1_000,
            rounds: 20,
            max_plies: 2_000,
            time: Duration::from_secs(8),
            stop: StopFlag::default(),
        }
    }

    /// The seed of the first random game; each further game adds one. Otherwise 1.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// How many random games at most. Otherwise 1,000.
    pub fn games(self, games: u64) -> Self {
        Self { games, ..self }
    }

    /// How many rounds of games between players at most: in each, players that look one, two and four plies ahead play one
    /// another, in each role, and themselves, all from the same opening. Otherwise 20; none with 0.
    pub fn rounds(self, rounds: usize) -> Self {
        Self { rounds, ..self }
    }

    /// A longer game is given up. Otherwise 2,000.
    pub fn max_plies(self, max_plies: usize) -> Self {
        Self { max_plies, ..self }
    }

    /// How long all of it may take. Otherwise eight seconds.
    pub fn time(self, time: Duration) -> Self {
        Self { time, ..self }
    }

    /// Ends soon after the flag is raised, with what was found until then.
    pub fn stop(self, stop: &StopFlag) -> Self {
        let stop = stop.clone();
        Self { stop, ..self }
    }

    /// Plays the games, proves what it can, and collects the findings.
    pub fn run(self) -> PlaytestReport {
        let rules = self.game.report().rules.clone();
        let mut course = Course::new(&self, rules.as_deref());
        course.prove();
        course.play_at_random();
        course.let_players_play();
        course.report()
    }

    fn share(&self, share: f64) -> Duration {
        self.time.mul_f64(share)
    }
}

/// What is found out on the way.
struct Course<'p> {
    settings: &'p Playtest,
    game: &'p Game,
    rules: Option<&'p Rules>,
    begin: Instant,
    probe: Option<RuleProbe>,
    proofs: Option<Proofs>,
    coverage: Option<Coverage>,
    groups: GroupWatch,
    turns: TurnWatch,
    moves: MoveWatch,
    /// Per role, the goals that games gave.
    goals: Vec<FxHashSet<u8>>,
    ends: EndWatch,
    /// The ends of games of players.
    ends_of_players: EndWatch,
    /// The plies of a random game that was not over in time.
    unfinished: Option<usize>,
    random: Results,
    lengths: Vec<usize>,
    samples: SampleSizes,
    statistics: GameStatistics,
    /// Results between equal players.
    equal: Vec<(String, Results)>,
}

impl<'p> Course<'p> {
    fn new(settings: &'p Playtest, rules: Option<&'p Rules>) -> Self {
        let game = &settings.game;
        Self {
            settings,
            game,
            rules,
            begin: Instant::now(),
            probe: None,
            proofs: None,
            coverage: None,
            groups: GroupWatch::new(&game.initial().facts(), game.roles()),
            turns: TurnWatch::new(game.roles()),
            moves: MoveWatch::new(game.roles()),
            goals: vec![FxHashSet::default(); game.roles().len()],
            ends: EndWatch::of_random_games(),
            ends_of_players: EndWatch::of_games_of_players(),
            unfinished: None,
            random: Results::default(),
            lengths: Vec::new(),
            samples: SampleSizes {
                seed: settings.seed,
                max_plies: settings.max_plies,
                ..SampleSizes::default()
            },
            statistics: GameStatistics::default(),
            equal: Vec::new(),
        }
    }

    fn prove(&mut self) {
        let Some(rules) = self.rules else { return };
        let time = self.settings.share(PROOFS);
        let stop = &self.settings.stop;
        self.proofs = prove(rules, time, stop);
        self.samples.proofs = self.proofs.is_some();
        self.probe = RuleProbe::new(rules, time, stop).ok();
        let never = self.proofs.iter().flat_map(|proofs| &proofs.never);
        let never: Vec<usize> = never.map(|(rule, _)| *rule).collect();
        self.coverage = Some(Coverage::new(rules, &never));
        if let Some(probe) = &self.probe {
            self.groups.orders = OrderWatch::new(rules, probe);
        }
        self.samples.seconds[0] = self.begin.elapsed().as_secs_f64();
    }

    fn play_at_random(&mut self) {
        let begin = Instant::now();
        let end = begin + self.settings.share(RANDOM);
        // Games of players are of no use where no random game ended: until then nearly all the time goes to those.
        let last = self.begin + self.settings.share(MOST_RANDOM);
        let alarm_at = |end| Alarm::at(&Deadline::new(Some(end), &self.settings.stop));
        let (alarm, last_alarm) = (alarm_at(end), alarm_at(last.max(end)));
        let (mut plies, probing) = (0u64, self.settings.share(RANDOM * PROBING));
        for number in 0..self.settings.games {
            let stop = match self.random.games() {
                0 => last_alarm.flag(),
                _ => alarm.flag(),
            };
            self.turns.begin();
            self.groups.begin();
            let seed = self.settings.seed.wrapping_add(number);
            let played = play(
                self.game,
                GameSetup::random(self.game, seed),
                self.settings.max_plies,
                stop,
                &mut |step| {
                    plies += 1;
                    self.groups.see(step);
                    self.turns.see(step);
                    self.moves.see(step);
                    if let Some((coverage, probe)) = self.coverage.as_mut().zip(self.probe.as_mut())
                    {
                        coverage.see(probe, &step.before, &step.joint, probing);
                    }
                },
            );
            let Some(played) = played else { break };
            if let (End::Terminal, Some((coverage, probe))) =
                (&played.end, self.coverage.as_mut().zip(self.probe.as_mut()))
            {
                coverage.see(probe, &played.last, &[], probing);
            }
            if !self.note_random(&played) {
                break;
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        self.samples.seconds[1] = seconds;
        self.statistics.states_per_second = plies as f64 / seconds.max(1e-9);
    }

    /// Counts a random game; `false` ends the games.
    fn note_random(&mut self, played: &PlayedGame) -> bool {
        match &played.end {
            End::Stopped => {
                self.unfinished = Some(played.plies);
                return false;
            }
            End::Fault(why) => {
                self.samples.fault = Some(why.clone());
                return false;
            }
            End::Terminal => {
                self.lengths.push(played.plies);
                note_goals(&mut self.goals, &played.goals);
                self.random.add(self.game.roles(), &played.goals);
            }
            End::Stuck(_) | End::Still | End::PlyLimit(_) | End::Repetition(_) => {}
        }
        self.ends.see(self.game.roles(), played);
        true
    }

    fn report(mut self) -> PlaytestReport {
        let roles = self.game.roles();
        let first_mover = self.turns.first_mover(roles);
        self.statistics.turns = self.turns.turns(roles);
        self.statistics.lengths = Lengths::of(std::mem::take(&mut self.lengths));
        self.statistics.branching = self.moves.branching();
        self.statistics.rules = self.sizes();
        if self.random.games() > 0 {
            let random = self.random.balance("random", roles, first_mover);
            self.statistics.balance.push(random);
        }
        for (name, results) in &self.equal {
            let balance = results.balance(name, roles, first_mover);
            self.statistics.balance.push(balance);
        }
        self.samples.ended = self.ends.ended;
        self.samples.stuck = self.ends.stuck;
        self.samples.given_up = self.ends.given_up;
        self.samples.without_goal = self.ends.without_goal;
        self.samples.probed_states = self.coverage.as_ref().map_or(0, |coverage| coverage.states);
        self.samples.stopped = self.settings.stop.is_raised();
        let mut probe = self.probe.take();
        let findings = match self.rules {
            Some(rules) => {
                let values = self
                    .proofs
                    .as_ref()
                    .and_then(|proofs| proofs.values.as_ref());
                let mut explainer = Explainer::new(self.game, rules, probe.as_mut(), values);
                self.findings(&mut explainer)
            }
            None => Vec::new(),
        };
        PlaytestReport {
            game: self.game.name().to_owned(),
            engine: self.game.report().engine.name(),
            findings,
            statistics: self.statistics,
            samples: self.samples,
        }
    }

    fn sizes(&self) -> RuleSizes {
        let network = self.game.report().network.as_ref();
        RuleSizes {
            rules: self.rules.map_or(0, |rules| rules.rules().len()),
            initial_facts: self.game.initial().facts().len(),
            facts_seen: self.groups.table.len(),
            facts_possible: network.map(|network| network.fluents),
            moves_seen: self.moves.moves_seen(),
            moves_possible: network.map(|network| network.moves),
        }
    }

    /// Causes before what may follow from them, notes last.
    fn findings(&self, explainer: &mut Explainer<'_>) -> Vec<Finding> {
        let mut of_ends = self.ends.findings(None, explainer);
        let mut at_start = doubled_at_start(self.game, explainer);
        if self.ends.begins_at_end() {
            at_start.extend(of_ends);
            return at_start;
        }
        let (tokens, table) = (&self.groups.tokens, &self.groups.table);
        at_start.extend(tokens.findings(table, &self.game.initial(), explainer));
        of_ends.extend(self.ends_of_players.findings(Some(&self.ends), explainer));
        let never = self.proofs.iter();
        let never = never.flat_map(|proofs| whole_game::never_apply(proofs, explainer));
        let (mut findings, never): (Vec<Finding>, Vec<Finding>) =
            never.partition(|finding| finding.code == "unreachable-end");
        findings.splice(0..0, at_start);
        findings.extend(self.unplayed());
        findings.extend(broken_groups::findings(&self.groups, explainer));
        findings.extend(self.groups.orders.findings(explainer));
        let last = self.turns.last_turn(self.game.roles());
        findings.extend(last.map(|last| whole_game::endless_turn(last, explainer)));
        findings.extend(of_ends);
        let (never, follow): (Vec<Finding>, Vec<Finding>) = never
            .into_iter()
            .partition(|finding| finding.severity != FindingSeverity::Note);
        findings.extend(never);
        findings.extend(whole_game::without_effect(explainer));
        findings.extend(self.of_results(explainer));
        findings.extend(follow);
        findings.extend(self.of_values(explainer));
        let coverage = self.coverage.as_ref();
        findings
            .extend(coverage.and_then(|of| whole_game::not_seen(of, self.ends.games, explainer)));
        let is_constant = self.random.always().is_some() || self.random.always_drawn().is_some();
        without_consequences(findings, &self.ends, is_constant)
    }

    /// Why no random game came to an end, if nobody stopped the work.
    fn unplayed(&self) -> Option<Finding> {
        let is_unplayed = self.ends.games == 0 && !self.samples.stopped;
        let fault = self.samples.fault.as_deref();
        (is_unplayed || fault.is_some()).then(|| whole_game::unplayed(fault, self.unfinished))
    }

    /// One result whatever is played. Games without a result might have had another one.
    fn of_results(&self, explainer: &Explainer<'_>) -> Option<Finding> {
        if self.random.games() < self.ends.games {
            return None;
        }
        let others: Vec<&Results> = self.equal.iter().map(|(_, results)| results).collect();
        let first_mover = self.turns.first_mover(self.game.roles());
        whole_game::always_wins(&self.random, &others, first_mover, explainer)
            .or_else(|| whole_game::always_drawn(&self.random, &others, explainer))
    }

    fn of_values(&self, explainer: &Explainer<'_>) -> Vec<Finding> {
        let proofs = self.proofs.as_ref();
        let Some(possible) = proofs.and_then(|proofs| proofs.values.as_ref()) else {
            return Vec::new();
        };
        let seen = SeenValues {
            moves: &self.moves.seen,
            facts: &self.groups.table,
            goals: &self.goals,
            positions: self.moves.positions,
            games: self.random.games() + self.samples.games_of_players,
        };
        values::findings(possible, &seen, explainer)
    }
}

/// Notes the goals that a game gave, per role.
fn note_goals(seen: &mut [FxHashSet<u8>], goals: &[Option<u8>]) {
    for (seen, goal) in seen.iter_mut().zip(goals) {
        seen.extend(goal);
    }
}
