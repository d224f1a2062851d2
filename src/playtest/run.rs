//! The settings of a playtest, and its course.

use std::time::{Duration, Instant};

use super::balance::Results;
use super::broken_groups;
use super::coverage::{Coverage, Proofs, prove};
use super::depth_matches::DepthMatches;
use super::ends::EndWatch;
use super::explain::Explainer;
use super::games::{PlayedGame, play};
use super::groups::GroupWatch;
use super::report::{Finding, PlaytestReport, SampleSizes};
use super::statistics::{GameStatistics, Lengths, MoveWatch, RuleSizes};
use super::turns::TurnWatch;
use super::whole_game;
use crate::engine::RuleProbe;
use crate::game::is_chance;
use crate::gdl::Rules;
use crate::play::{End, SearchOptions, Spec};
use crate::session::{Game, SearchKind, Session};
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
/// How much of the time of random games goes to asking which rules apply.
const PROBING: f64 = 0.35;
/// How much of the time of the players' games goes to learning what positions are worth.
const LEARNING: f64 = 0.25;
/// The least and the most time of a player for one move.
const MOVE: [Duration; 2] = [Duration::from_millis(5), Duration::from_millis(50)];
/// How far players look ahead.
const DEPTHS: [u32; 3] = [1, 2, 4];

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
    /// another and themselves. Otherwise 20; none with 0.
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
    ends: EndWatch,
    random: Results,
    lengths: Vec<usize>,
    samples: SampleSizes,
    statistics: GameStatistics,
    /// Results between equal players.
    equal: Vec<(Spec, Results)>,
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
            turns: TurnWatch::default(),
            moves: MoveWatch::default(),
            ends: EndWatch::default(),
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
        self.samples.seconds[0] = self.begin.elapsed().as_secs_f64();
    }

    fn play_at_random(&mut self) {
        let begin = Instant::now();
        let end = begin + self.settings.share(RANDOM);
        let alarm = Alarm::at(&Deadline::new(Some(end), &self.settings.stop));
        let players = vec![Spec::Random { seed: None }; self.game.roles().len()];
        let (mut plies, probing) = (0u64, self.settings.share(RANDOM * PROBING));
        for number in 0..self.settings.games {
            self.turns.begin();
            let seed = self.settings.seed.wrapping_add(number);
            let played = play(
                self.game,
                &players,
                seed,
                self.settings.max_plies,
                alarm.flag(),
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
            if !self.note_random(&players, &played) {
                break;
            }
        }
        let seconds = begin.elapsed().as_secs_f64();
        self.samples.seconds[1] = seconds;
        self.statistics.states_per_second = plies as f64 / seconds.max(1e-9);
    }

    /// Counts a random game; `false` ends the games.
    fn note_random(&mut self, players: &[Spec], played: &PlayedGame) -> bool {
        match &played.end {
            End::Stopped => return false,
            End::Fault(why) => {
                self.samples.fault = Some(why.clone());
                return false;
            }
            End::Terminal => {
                self.lengths.push(played.plies);
                self.random.add(self.game.roles(), &played.goals);
            }
            End::Stuck(_) | End::Still | End::PlyLimit(_) => {}
        }
        self.ends.see(self.game.roles(), players, played);
        true
    }

    fn let_players_play(&mut self) {
        let begin = Instant::now();
        let end = self.begin + self.settings.time;
        let is_hopeless = self.samples.fault.is_some() || self.random.games() == 0;
        if is_hopeless || self.settings.rounds == 0 || begin >= end {
            return;
        }
        let alarm = Alarm::at(&Deadline::new(Some(end), &self.settings.stop));
        let left = end - begin;
        let options = SearchOptions {
            time: Some(time_per_move(left)),
            ..SearchOptions::USUAL
        };
        self.learn(&options, left.mul_f64(LEARNING), alarm.flag());
        let spec = |depth| {
            Spec::Minimax(SearchOptions {
                depth: Some(depth),
                ..options
            })
        };
        let specs = DEPTHS.map(spec).to_vec();
        let players: Vec<usize> = (0..self.game.roles().len())
            .filter(|&role| !is_chance(&self.game.roles()[role]))
            .collect();
        let mut depth_matches = DepthMatches::new(specs, players);
        'all: for number in 0..self.settings.rounds {
            for pairing in depth_matches.round() {
                let assigned = depth_matches.assign(pairing, number, self.game.roles().len());
                let seed = self.settings.seed.wrapping_add(number as u64);
                let max_plies = self.settings.max_plies;
                let groups = &mut self.groups;
                let played = play(
                    self.game,
                    &assigned,
                    seed,
                    max_plies,
                    alarm.flag(),
                    &mut |step| {
                        groups.see(step);
                    },
                );
                match played {
                    Some(played) if !matches!(played.end, End::Stopped | End::Fault(_)) => {
                        self.samples.games_of_players += 1;
                        depth_matches.note(pairing, number, self.game.roles(), &played);
                    }
                    _ => break 'all,
                }
            }
        }
        self.statistics.depth_matches = depth_matches.steps();
        self.equal = depth_matches.equal();
        self.samples.seconds[2] = begin.elapsed().as_secs_f64();
    }

    /// Learns what positions are worth, once for all players.
    fn learn(&self, options: &SearchOptions, time: Duration, stop: &StopFlag) {
        let session = Session::new(self.game);
        let roles = self.game.roles();
        for role in 0..roles.len() {
            let mut searcher = options.searcher(SearchKind::Minimax);
            session.prepare(role, &mut searcher, time / roles.len() as u32, stop);
        }
    }

    fn report(mut self) -> PlaytestReport {
        let roles = self.game.roles();
        let first_mover = self.turns.first_mover();
        self.statistics.turns = self.turns.turns(roles);
        self.statistics.lengths = Lengths::of(std::mem::take(&mut self.lengths));
        self.statistics.branching = self.moves.branching();
        self.statistics.rules = self.sizes();
        if self.random.games() > 0 {
            let random = self.random.balance("random", roles, first_mover);
            self.statistics.balance.push(random);
        }
        for (spec, results) in &self.equal {
            let balance = results.balance(&spec.to_string(), roles, first_mover);
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
                let mut explainer = Explainer::new(self.game, rules, probe.as_mut());
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
            moves_seen: self.moves.seen.len(),
            moves_possible: network.map(|network| network.moves),
        }
    }

    fn findings(&self, explainer: &mut Explainer<'_>) -> Vec<Finding> {
        let players = vec![Spec::Random { seed: None }; self.game.roles().len()];
        let mut findings = broken_groups::findings(&self.groups, &players, explainer);
        let last = self.turns.last_turn(self.game.roles());
        findings.extend(last.map(|last| whole_game::endless_turn(last, explainer)));
        let proofs = self.proofs.iter();
        let never = proofs.flat_map(|proofs| whole_game::never_apply(proofs, explainer));
        let (ends, others): (Vec<Finding>, Vec<Finding>) =
            never.partition(|finding| finding.code == "unreachable-end");
        findings.extend(ends);
        findings.extend(self.ends.findings(explainer));
        findings.extend(others);
        let others: Vec<&Results> = self.equal.iter().map(|(_, results)| results).collect();
        let first = self.turns.first_mover();
        findings.extend(whole_game::always_wins(
            &self.random,
            &others,
            first,
            explainer,
        ));
        let coverage = self.coverage.as_ref();
        findings
            .extend(coverage.and_then(|of| whole_game::not_seen(of, self.ends.games, explainer)));
        findings
    }
}

/// How long players may think about a move: in whole milliseconds, as commands state it.
fn time_per_move(left: Duration) -> Duration {
    let time = (left / 400).clamp(MOVE[0], MOVE[1]);
    Duration::from_millis(time.as_millis() as u64)
}
