//! The learned weights of a game, shared by its players.

use std::sync::Arc;

use super::kept_trial::{KeptTrial, TrialSubject};
use super::saved::{SavedWeights, VERSION, WeightsSubject};
use super::shares_points::shares_points;
use super::training::train;
use super::training_plan::{TrainingPlan, TrainingResult};
use crate::files::FileCache;
use crate::game::{Engine, Role};
use crate::search::limits::SearchClock;
use crate::search::trial::Trial;

/// The learned weights of one game.
#[derive(Debug, Clone, Default)]
pub struct LearnedWeights {
    learned: Vec<(Role, TrainingPlan, TrainingResult)>,
    /// Whether what one of two roles wins, the other loses: then weights are learned for the first one.
    shares_points: Option<bool>,
    /// How trial matches ended, as far as they are worth keeping.
    trials: Vec<(TrialSubject, Trial)>,
    kept: Option<Arc<KeptWeights>>,
}

/// The weights of one game that a cache keeps.
#[derive(Debug)]
pub struct KeptWeights {
    cache: FileCache,
    game: String,
    rules: String,
}

impl LearnedWeights {
    /// Nothing learned yet, but for what is kept.
    pub fn kept(kept: KeptWeights) -> Self {
        Self {
            kept: Some(Arc::new(kept)),
            ..Self::default()
        }
    }

    /// Adds what another copy has learned meanwhile.
    pub fn add(&mut self, other: Self) {
        self.shares_points = self.shares_points.or(other.shares_points);
        for (role, plan, result) in other.learned {
            let same = |(known, by, _): &(Role, TrainingPlan, _)| *known == role && *by == plan;
            if !self.learned.iter().any(same) {
                self.learned.push((role, plan, result));
            }
        }
        for (subject, trial) in other.trials {
            let known = self.known_trial(&subject);
            if known.is_none_or(|known| trial.follows(known)) {
                self.trials.retain(|(of, _)| *of != subject);
                self.trials.push((subject, trial));
            }
        }
    }

    /// What trial matches told: `play` gets those that were played before, or kept, and adds what is missing, once weights were learned
    /// within the clock. `None` where none are played, or where each role learns weights of its own, so that there is time for one only.
    pub(in crate::search) fn trial<G: Engine>(
        &mut self,
        (game, clock): (&G, &SearchClock),
        subject: TrialSubject,
        play: impl FnOnce(&mut Self, Option<Trial>) -> Option<Trial>,
    ) -> Option<Trial> {
        if subject.given.is_none() {
            self.look_up_for(game, Role(0), subject.plan, clock);
        }
        if !self.find_shares_points(game, clock) {
            return None;
        }
        let known = self.known_trial(&subject).cloned();
        let known = known.or_else(|| self.find_kept_trial(&subject));
        let trial = play(self, known.clone())?;
        let kept = trial.worth_keeping();
        if let Some(kept) = kept.filter(|_| known.as_ref() != Some(&trial) && !clock.is_stopped()) {
            self.keep_trial(&subject, &kept);
            self.trials.retain(|(of, _)| *of != subject);
            self.trials.push((subject, kept));
        }
        Some(trial)
    }

    fn known_trial(&self, subject: &TrialSubject) -> Option<&Trial> {
        let known = self.trials.iter().find(|(of, _)| of == subject);
        known.map(|(_, trial)| trial)
    }

    /// What the weights of a trial were learned from: states and games.
    fn learned_from(&self, subject: &TrialSubject) -> Option<(u64, u64)> {
        let known = || Some(self.known(Role(0), subject.plan)?.record);
        let record = subject.given.or_else(known)?;
        Some((record.states, record.games))
    }

    /// What the cache has of trial matches with these weights.
    fn find_kept_trial(&self, subject: &TrialSubject) -> Option<Trial> {
        let kept = self.kept.as_ref()?;
        let bytes = kept.cache.get(&kept.trial_name(subject))?;
        let found = KeptTrial::from_bytes(&bytes)?;
        (self.learned_from(subject)? == (found.states, found.games)).then_some(found.trial)
    }

    fn keep_trial(&self, subject: &TrialSubject, trial: &Trial) {
        let (Some(kept), Some((states, games))) = (&self.kept, self.learned_from(subject)) else {
            return;
        };
        let found = KeptTrial {
            game: kept.game.clone(),
            states,
            games,
            trial: trial.clone(),
        };
        kept.cache.put(&kept.trial_name(subject), &found.to_bytes());
    }

    /// The training result for a role and a plan; trained before the deadline if there is none yet.
    pub(in crate::search) fn learn<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        plan: TrainingPlan,
        clock: &SearchClock,
    ) -> TrainingResult {
        self.look_up_for(game, role, plan, clock);
        let shares_points = self.find_shares_points(game, clock);
        let learner = if shares_points { Role(0) } else { role };
        let known = self.known(learner, plan);
        let result = known.unwrap_or_else(|| {
            let result = train(game, learner, shares_points, plan, clock);
            if result.record.games > 0 {
                tracing::info!("weights were learned from {}", result.record);
            }
            self.keep(game, learner, plan, &result, clock);
            self.learned.push((learner, plan, result.clone()));
            result
        });
        match learner == role {
            true => result,
            false => result.for_other(),
        }
    }

    /// Whether the weights of the first of two roles will be for both.
    pub(in crate::search) fn find_shares_points<G: Engine>(
        &mut self,
        game: &G,
        clock: &SearchClock,
    ) -> bool {
        let find = || shares_points(game, clock);
        *self.shares_points.get_or_insert_with(find)
    }

    /// Whether the weights of the first of two roles are for both.
    pub(super) fn shares_points(&self) -> bool {
        self.shares_points == Some(true)
    }

    fn known(&self, learner: Role, plan: TrainingPlan) -> Option<TrainingResult> {
        let same = |(known, by, _): &&(Role, TrainingPlan, _)| *known == learner && *by == plan;
        let known = self.learned.iter().find(same);
        known.map(|(.., result)| result.clone())
    }

    /// Adds what the cache has for a role, or for the first one, who may have learned for both.
    fn look_up_for<G: Engine>(
        &mut self,
        game: &G,
        role: Role,
        plan: TrainingPlan,
        clock: &SearchClock,
    ) {
        if self.shares_points != Some(false) && game.roles().len() == 2 {
            self.look_up(game, Role(0), plan, clock);
        }
        if self.shares_points != Some(true) {
            self.look_up(game, role, plan, clock);
        }
    }

    /// Adds what the cache has for a learner.
    fn look_up<G: Engine>(
        &mut self,
        game: &G,
        learner: Role,
        plan: TrainingPlan,
        clock: &SearchClock,
    ) {
        let Some(kept) = self.kept.clone() else {
            return;
        };
        if self.known(learner, plan).is_some() {
            return;
        }
        let Some(saved) = kept.find(game, learner, plan, clock) else {
            return;
        };
        self.shares_points = Some(saved.subject().shares_points);
        let evaluator = saved.evaluator(game.game_facts(), learner);
        tracing::info!("weights come from the cache, of {}", saved.training());
        let result = TrainingResult {
            evaluator: Some(Arc::new(evaluator)),
            // They are the same next time.
            is_cut_short: false,
            record: *saved.training(),
        };
        self.learned.push((learner, plan, result));
    }

    /// Keeps the result of a training that nobody stopped.
    fn keep<G: Engine>(
        &self,
        game: &G,
        learner: Role,
        plan: TrainingPlan,
        result: &TrainingResult,
        clock: &SearchClock,
    ) {
        let (Some(kept), Some(evaluator)) = (&self.kept, &result.evaluator) else {
            return;
        };
        if clock.is_stopped() {
            return;
        }
        let subject = WeightsSubject {
            game: kept.game.clone(),
            rules: kept.rules.clone(),
            role: learner.0,
            shares_points: self.shares_points(),
        };
        let about = (subject, result.record);
        let model = evaluator.model();
        let saved = SavedWeights::of(model, game.game_facts(), plan.heuristics, about);
        kept.cache.put(&kept.name(learner, plan), &saved.to_bytes());
    }
}

impl KeptWeights {
    /// Those that `cache` keeps of a game with this name and digest of its rules.
    pub fn new(cache: FileCache, game: &str, rules: String) -> Self {
        Self {
            cache,
            game: game.to_owned(),
            rules,
        }
    }

    /// Undamaged weights that serve as well as those that would be learned now.
    fn find<G: Engine>(
        &self,
        game: &G,
        learner: Role,
        plan: TrainingPlan,
        clock: &SearchClock,
    ) -> Option<SavedWeights> {
        let name = self.name(learner, plan);
        let saved = SavedWeights::from_bytes(&self.cache.get(&name)?);
        let saved = saved.map_err(|fault| fault.to_string()).and_then(|saved| {
            let roles = (game.roles(), learner.0);
            let suits = saved.check(&self.rules, game.game_facts(), roles);
            suits.map(|()| saved).map_err(|fault| fault.to_string())
        });
        match saved {
            Ok(saved) => saved.training().serves(plan, clock).then_some(saved),
            Err(fault) => {
                tracing::info!("weights are learned anew: {name} cannot be used, {fault}");
                None
            }
        }
    }

    /// The name of the entry of weights.
    fn name(&self, learner: Role, plan: TrainingPlan) -> String {
        FileCache::entry_name("weights", &self.about(learner, plan))
    }

    /// The name of the entry of trial matches.
    fn trial_name(&self, subject: &TrialSubject) -> String {
        let TrialSubject {
            plan,
            given,
            move_time,
            settings,
        } = subject;
        let weights = self.about(Role(0), *plan);
        let is_given = given.is_some();
        FileCache::entry_name(
            "trial",
            &format!("{weights} {is_given} {move_time:?} {settings}"),
        )
    }

    /// Everything on which weights depend.
    fn about(&self, learner: Role, plan: TrainingPlan) -> String {
        let TrainingPlan {
            heuristics,
            states,
            grows,
            seed,
            size,
        } = plan;
        let (Role(learner), rules) = (learner, &self.rules);
        format!("{VERSION} {rules} {learner} {heuristics} {states:?} {grows} {seed} {size:?}")
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::search::tests::random_tree::RandomTree;
    use crate::search::{MctsSettings, MinimaxSettings, Searcher, prepare};
    use crate::util::StopFlag;

    /// The trial matches that are known once `auto` is ready to play the second role, which learns first, within so many seconds.
    fn trials<G: Engine>(game: &G, seconds: u64, learned: &mut LearnedWeights) -> Vec<Trial> {
        let minimax = MinimaxSettings {
            hash: 1,
            training_states: Some(1000),
            ..MinimaxSettings::default()
        };
        let mcts = MctsSettings {
            training_states: Some(1000),
            ..MctsSettings::default()
        };
        let mut searcher = Searcher::auto(minimax, mcts);
        searcher.expect_move_time(Duration::from_millis(200), true);
        let clock = (Duration::from_secs(seconds), &StopFlag::default());
        prepare(game, Role(1), &mut searcher, learned, clock);
        assert!(!matches!(searcher, Searcher::Auto(..)));
        learned
            .trials
            .iter()
            .map(|(_, trial)| trial.clone())
            .collect()
    }

    #[test]
    fn where_each_role_learns_for_itself_the_time_is_its_own() {
        let apart = RandomTree::new(1, 50, 2, false, false);
        let (mut learned, clock) = (LearnedWeights::default(), SearchClock::endless());
        assert!(!learned.find_shares_points(&apart, &clock));
        assert_eq!(trials(&apart, 60, &mut learned), []);
    }

    #[test]
    fn later_starts_go_on_with_trial_matches() {
        let (game, mut learned) = (Subtraction::new(30, 3), LearnedWeights::default());
        let first = trials(&game, 5, &mut learned);
        let later = trials(&game, 10, &mut learned);
        assert!(first.len() == 1 && later.len() == 1);
        assert!(later[0].follows(&first[0]));
    }
}
