//! What random games show.

use serde::Serialize;

use super::InfoArgs;
use crate::analysis::Sample;
use crate::cli::by_role::ByRole;
use crate::cli::faulty_game::faulty_game;
use crate::engine::{EndRuleCount, EndRules};
use crate::kif::{LineIndex, in_one_line};
use crate::playtest::FaultyGame;
use crate::session::Game;
use crate::statistics::{MeanOfGroups, wilson};
use crate::util::StopFlag;

/// What random games showed.
#[derive(Serialize)]
pub(super) struct SampleReport {
    pub(super) seed: u64,
    pub(super) games: u64,
    pub(super) states: u64,
    pub(super) mean_joint_moves: f64,
    pub(super) joint_moves: SpreadReport,
    pub(super) most_moves: usize,
    pub(super) most_facts: usize,
    /// States in which the role is in control again that was so in the state before.
    pub(super) repeated_turns: u64,
    pub(super) ended: u64,
    pub(super) mean_length: Option<f64>,
    /// Plies of the games that ended.
    pub(super) lengths: Option<SpreadReport>,
    /// How these games ended, the most frequent end first.
    pub(super) ends: Vec<EndReport>,
    /// Which rules ended games, in the order of the text; several may end the same game.
    pub(super) ended_by: Vec<EndRuleReport>,
    /// Per role, what it scores on average in these games, where it always has a goal.
    pub(super) scores: ByRole<Option<MeanOfGroups>>,
    /// Games in which a role had no move before the end.
    pub(super) stuck: u64,
    /// Games given up as too long.
    pub(super) given_up: u64,
    /// Games that ended without a goal for some role, or with several.
    pub(super) without_goal: u64,
    /// The first such game from the seed on, if there are any and one was found in time.
    pub(super) faulty_game: Option<FaultyGame>,
}

/// Numbers from the least to the most, and their mean.
#[derive(Serialize)]
pub(super) struct SpreadReport {
    pub(super) min: u64,
    pub(super) mean: f64,
    pub(super) max: u64,
    /// Half the width of the 95 % interval of the mean.
    pub(super) error: Option<f64>,
}

/// An end of the game.
#[derive(Serialize)]
pub(super) struct EndReport {
    /// What each role gets.
    pub(super) goals: Vec<Option<u8>>,
    pub(super) count: u64,
    pub(super) share: f64,
    pub(super) interval: [f64; 2],
}

/// A rule that ends games.
#[derive(Serialize)]
pub(super) struct EndRuleReport {
    /// Where it begins.
    pub(super) line: usize,
    /// Its text, in one line.
    pub(super) rule: String,
    pub(super) count: u64,
    pub(super) share: f64,
    pub(super) interval: [f64; 2],
}

impl SampleReport {
    pub(super) fn of(
        sample: &Sample,
        end_rules: Option<&EndRules>,
        game: &Game,
        args: &InfoArgs,
    ) -> Self {
        let moves = sample.by_game.iter();
        let moves = moves.map(|(moves, states)| (*moves as f64, *states as usize));
        let joint_moves = SpreadReport::of(
            &moves.collect::<Vec<_>>(),
            sample.fewest_joint_moves,
            sample.most_joint_moves,
        );
        let lengths = sample.lengths.iter();
        let least_and_most = lengths.clone().min().zip(lengths.clone().max());
        let lengths: Vec<(f64, usize)> = lengths.map(|plies| (*plies as f64, 1)).collect();
        let lengths = least_and_most.map(|(min, max)| SpreadReport::of(&lengths, *min, *max));
        let roles = game.roles();
        let is_faulty = sample.stuck + sample.given_up + sample.without_goal > 0;
        let plies = args.max_plies as usize;
        Self {
            seed: args.seed,
            games: sample.ended + sample.stuck + sample.given_up,
            states: sample.states,
            mean_joint_moves: joint_moves.mean,
            joint_moves,
            most_moves: sample.most_moves,
            most_facts: sample.most_facts,
            repeated_turns: sample.repeated_turns,
            ended: sample.ended,
            mean_length: lengths.as_ref().map(|lengths| lengths.mean),
            lengths,
            ends: ends(sample),
            ended_by: end_rules.map_or_else(Vec::new, |rules| ended_by(rules, game)),
            scores: ByRole::new(roles, (0..roles.len()).map(|role| scores(sample, role))),
            stuck: sample.stuck,
            given_up: sample.given_up,
            without_goal: sample.without_goal,
            faulty_game: is_faulty
                .then(|| faulty_game(game, args.seed, plies, &StopFlag::default()))
                .flatten(),
        }
    }
}

impl SpreadReport {
    /// Of values in groups: their sum and number.
    fn of(groups: &[(f64, usize)], min: u64, max: u64) -> Self {
        let mean = MeanOfGroups::of_sums(groups);
        Self {
            min,
            mean: mean.map_or(0.0, |mean| mean.mean),
            max,
            error: mean.and_then(|mean| mean.error),
        }
    }
}

fn ends(sample: &Sample) -> Vec<EndReport> {
    let ends = sample.ends.iter().map(|(goals, count)| EndReport {
        goals: goals.clone(),
        count: *count,
        share: *count as f64 / sample.ended as f64,
        interval: wilson(*count, sample.ended),
    });
    let mut ends: Vec<EndReport> = ends.collect();
    ends.sort_by_key(|end| std::cmp::Reverse(end.count));
    ends
}

fn ended_by(found: &EndRules, game: &Game) -> Vec<EndRuleReport> {
    const LONGEST_RULE: usize = 70;
    let Some(rules) = &game.report().rules else {
        return Vec::new();
    };
    let text = &game.source().text;
    let lines = LineIndex::new(text);
    let report = |count: &EndRuleCount| {
        let span = rules.rules()[count.rules[0]].span;
        EndRuleReport {
            line: lines.position(span.start).line,
            rule: in_one_line(&text[span.start..span.end], LONGEST_RULE),
            count: count.ends,
            share: count.ends as f64 / found.ends().max(1) as f64,
            interval: wilson(count.ends, found.ends()),
        }
    };
    found.counts().iter().map(report).collect()
}

fn scores(sample: &Sample, role: usize) -> Option<MeanOfGroups> {
    let scores = sample.ends.iter().map(|(goals, count)| {
        let goal = goals[role].map(f64::from);
        goal.map(|goal| std::iter::repeat_n((goal, 1), *count as usize))
    });
    let scores: Option<Vec<_>> = scores.collect();
    let scores: Vec<(f64, usize)> = scores?.into_iter().flatten().collect();
    MeanOfGroups::of_sums(&scores)
}
