//! Short matches between the searches, in the game at hand.
//!
//! Their moves are short, since the time is that before the first clock. Who is better may change with the time of a move: where players will have long
//! moves, matches of longer moves follow, as long as there is time for, and the next start of the same game goes on with them.

mod contestants;
mod trial_match;

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use self::contestants::Contestants;
use self::trial_match::{Contestant, TrialMatch};
use super::limits::SearchClock;
use super::{LearnedWeights, MctsSettings, MinimaxSettings};
use crate::game::Engine;

/// The least and the most time of a short move. Between them, it is as long as fits into the time for so many.
const LEAST_TIME: Duration = Duration::from_millis(4);
const MOST_TIME: Duration = Duration::from_millis(50);
const MOVES_THAT_FIT: u32 = 500;
/// Where a move of the player takes this long at least, there are matches of longer moves.
const LONG: Duration = Duration::from_millis(100);
/// The moves of longer matches are so long that so many games fit into the time, and at least so many times as long as those before.
const GAMES_THAT_FIT: f64 = 3.0;
const LONGER: u32 = 4;
/// With less time, too little is learned for matches, and random games decide.
const LEAST_CLOCK: Duration = Duration::from_secs(1);
/// Learning may take this share of the time. Without matches, nothing tells whether what was learned in a short time is worth more than playouts.
const LEARNING_SHARE: f64 = 0.75;
/// The matches may take this share of the time that is left then, unless it is short: then this long, as far as that leaves some for random games.
const SHARE: f64 = 0.5;
const SHORT: Duration = Duration::from_secs(3);
const MOST_SHARE: f64 = 0.6;
/// Matches that go on, at a start with nothing to learn, may take this share of the time.
const SHARE_OF_LATER: f64 = 0.9;

/// The two ways to evaluate the leaves of Monte-Carlo tree search.
const WAYS: [Contestant; 2] = [Contestant::Mcts, Contestant::MctsByPlayouts];

/// What matches between the searches told.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Trial {
    /// Those between the two ways to evaluate leaves, where weights can, and those of minimax against the better way, as they were played.
    matches: Vec<TrialMatch>,
}

impl Trial {
    /// The matches up to the first of short moves without games enough, which another start should play again; `None` if there are none.
    pub(super) fn worth_keeping(&self) -> Option<Self> {
        let all = self.matches.iter();
        let kept = all.take_while(|of| of.is_longer || of.tells());
        let matches: Vec<TrialMatch> = kept.copied().collect();
        (!matches.is_empty()).then_some(Self { matches })
    }

    /// Whether more was played than in `other`.
    pub(super) fn follows(&self, other: &Self) -> bool {
        self.played() > other.played()
    }

    fn played(&self) -> u32 {
        self.matches.iter().map(|of| 1 + of.games).sum()
    }

    /// Whether playouts should evaluate the leaves of Monte-Carlo tree search.
    pub(super) fn suits_playouts(&self) -> bool {
        self.better_way() == Contestant::MctsByPlayouts
    }

    /// The better way to evaluate leaves. Without a match, one without games included, there are no weights.
    fn better_way(&self) -> Contestant {
        let worse = |of: &TrialMatch| of.tells() && of.share() < 0.5;
        match self.that_tells(WAYS) {
            Some(found) if !worse(found) => Contestant::Mcts,
            _ => Contestant::MctsByPlayouts,
        }
    }

    /// Whether minimax is better; `None` where neither a match tells nor weights are better than playouts: of these, random games say nothing.
    pub(super) fn suits_minimax(&self) -> Option<bool> {
        match self.that_tells(self.of_minimax()) {
            Some(found) => found.suits_minimax(),
            None => (!self.suits_playouts()).then_some(false),
        }
    }

    /// The contestants of the match of minimax.
    fn of_minimax(&self) -> [Contestant; 2] {
        [Contestant::Minimax, self.better_way()]
    }

    /// The match between two contestants that counts: the last that tells, or else the first.
    fn that_tells(&self, contestants: [Contestant; 2]) -> Option<&TrialMatch> {
        let telling = self.between(contestants).rfind(|of| of.tells());
        telling.or_else(|| self.between(contestants).next())
    }

    fn between(
        &self,
        contestants: [Contestant; 2],
    ) -> impl DoubleEndedIterator<Item = &TrialMatch> {
        let all = self.matches.iter();
        all.filter(move |of| of.contestants == contestants)
    }

    /// Whether a start of the same game, for moves of this time, should go on with the matches.
    pub(super) fn should_go_on(&self, move_time: Option<Duration>, clock: &SearchClock) -> bool {
        if !has_time(clock) {
            return false;
        }
        let clock = &clock.shortened(SHARE_OF_LATER);
        let is_due = |pair| self.next_match(pair, move_time, clock).is_some();
        let has_weights = self.between(WAYS).next().is_some();
        has_weights && is_due(WAYS) || is_due(self.of_minimax())
    }

    /// Plays the matches between two contestants that there is time for.
    fn go_on<G: Engine>(
        &mut self,
        pair: [Contestant; 2],
        move_time: Option<Duration>,
        (contestants, clock): (&mut Contestants<'_, G>, &SearchClock),
    ) {
        while let Some(next) = self.next_match(pair, move_time, clock) {
            self.matches.retain(|of| !of.is_begin_of(&next));
            self.matches.push(contestants.play_match(next, clock));
            // A match that a stop has ended would be gone on with for ever.
            if clock.is_over() {
                break;
            }
        }
    }

    /// The match between two contestants that is to be played next, as far as there is time: the first of short moves, the rest of one of longer moves, then
    /// one of still longer moves.
    fn next_match(
        &self,
        pair: [Contestant; 2],
        move_time: Option<Duration>,
        clock: &SearchClock,
    ) -> Option<TrialMatch> {
        let Some(last) = self.between(pair).next_back() else {
            return Some(TrialMatch::new(pair, false, short_time(clock)));
        };
        let moves = self.between(pair).filter_map(TrialMatch::mean_moves);
        let moves = moves.reduce(f64::max).filter(|moves| *moves > 0.0)?;
        let left = clock.left()?;
        if last.has_begun() && last.time.mul_f64(moves) <= left {
            return Some(*last);
        }
        let fits = left.div_f64(GAMES_THAT_FIT * moves);
        let time = fits.min(long_move_time(move_time)?);
        (time >= last.time * LONGER).then(|| TrialMatch::new(pair, true, time))
    }
}

/// The time of a short move.
fn short_time(clock: &SearchClock) -> Duration {
    let fits = clock.left().map_or(MOST_TIME, |left| left / MOVES_THAT_FIT);
    fits.clamp(LEAST_TIME, MOST_TIME)
}

/// The time of a move of the player, where it is long enough for matches of longer moves.
pub(super) fn long_move_time(move_time: Option<Duration>) -> Option<Duration> {
    move_time.filter(|time| *time >= LONG)
}

/// Whether there is time for learning and for matches.
pub(super) fn has_time(clock: &SearchClock) -> bool {
    clock.left().is_none_or(|left| left >= LEAST_CLOCK)
}

/// The clock for learning, which leaves time for matches.
pub(super) fn learning_clock(clock: &SearchClock) -> SearchClock {
    clock.shortened(LEARNING_SHARE)
}

/// Plays the matches in a game of two roles, after weights are learned, as long as the clocks allow; goes on with those of an earlier start. Players will
/// have `move_time` for a move, where that is known.
pub(super) fn trial<G: Engine>(
    game: &G,
    settings: (&MinimaxSettings, &MctsSettings),
    learned: &mut LearnedWeights,
    (move_time, earlier): (Option<Duration>, Option<Trial>),
    (learning, clock): (&SearchClock, &SearchClock),
) -> Trial {
    let mut contestants = Contestants::new(game, settings, learned, learning);
    // An earlier start has played matches of short moves between both pairs. A longer one gets all the time that is left.
    let (share, share_of_ways) = match earlier {
        None => (share(clock), 0.5),
        Some(_) => (SHARE_OF_LATER, 1.0),
    };
    let clock = clock.shortened(share);
    let mut trial = earlier.unwrap_or_default();
    if contestants.has_weights {
        let of_ways = clock.shortened(share_of_ways);
        trial.go_on(WAYS, move_time, (&mut contestants, &of_ways));
    }
    trial.go_on(trial.of_minimax(), move_time, (&mut contestants, &clock));
    trial
}

/// The share of the time that is left which the matches of a first start may take.
fn share(clock: &SearchClock) -> f64 {
    let left = clock
        .left()
        .map_or(f64::INFINITY, |left| left.as_secs_f64());
    (SHORT.as_secs_f64() / left).clamp(SHARE, MOST_SHARE)
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = self.matches.iter().filter(|of| of.games > 0);
        let ended: Vec<String> = ended.map(TrialMatch::to_string).collect();
        match ended.is_empty() {
            true => f.write_str("no trial match ended in time"),
            false => f.write_str(&ended.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::trial_match::tests::found;
    use super::*;
    use crate::game::fixture::Subtraction;
    use crate::util::StopFlag;

    const AGAINST_WEIGHTS: [Contestant; 2] = [Contestant::Minimax, Contestant::Mcts];

    #[test]
    fn longer_moves_count_more_where_they_tell() {
        let mut trial = Trial::default();
        assert!(trial.suits_playouts() && trial.worth_keeping().is_none());
        assert_eq!(trial.suits_minimax(), None);
        trial.matches.push(found(WAYS, false, (5.0, 5)));
        assert!(!trial.suits_playouts());
        assert_eq!(trial.suits_minimax(), Some(false), "not played");
        trial.matches.push(found(AGAINST_WEIGHTS, false, (5.0, 5)));
        assert_eq!(trial.suits_minimax(), Some(true));
        trial.matches.push(found(AGAINST_WEIGHTS, true, (1.0, 4)));
        assert_eq!(trial.suits_minimax(), Some(false));
        trial.matches.push(found(WAYS, true, (1.0, 2)));
        assert!(!trial.suits_playouts(), "a draw tells nothing");
        trial.matches.push(found(WAYS, true, (0.0, 2)));
        assert!(trial.suits_playouts());
        assert_eq!(trial.suits_minimax(), None, "not played against playouts");
        assert_eq!(trial.worth_keeping().as_ref(), Some(&trial));
        let few = found(
            [Contestant::Minimax, Contestant::MctsByPlayouts],
            false,
            (1.0, 2),
        );
        trial.matches.push(few);
        let kept = trial.worth_keeping().unwrap();
        assert_eq!(kept.matches.len() + 1, trial.matches.len());
        assert!(trial.follows(&kept) && !kept.follows(&trial));
    }

    #[test]
    fn without_a_game_weights_count() {
        let mut trial = Trial {
            matches: vec![found(WAYS, false, (0.0, 0))],
        };
        assert!(!trial.suits_playouts() && trial.worth_keeping().is_none());
        assert_eq!(trial.suits_minimax(), Some(false));
        trial.matches.push(found(AGAINST_WEIGHTS, false, (5.0, 5)));
        assert!(
            trial.worth_keeping().is_none(),
            "the first would be missing"
        );
    }

    #[test]
    fn a_match_of_longer_moves_is_played_to_its_end() {
        let clock = SearchClock::within(Duration::from_secs(60), &StopFlag::default());
        let next = |points, games| {
            let longer = TrialMatch {
                time: Duration::from_millis(150),
                ..found(WAYS, true, (points, games))
            };
            let matches = vec![found(WAYS, false, (5.0, 5)), longer];
            let move_time = Some(Duration::from_millis(200));
            Trial { matches }.next_match(WAYS, move_time, &clock)
        };
        let rest = next(1.5, 3).unwrap();
        assert!(rest.is_longer && rest.games == 3);
        for (points, games) in [(0.0, 0), (2.0, 2), (3.0, 6)] {
            assert_eq!(next(points, games), None);
        }
    }

    #[test]
    fn matches_go_on_while_moves_become_much_longer() {
        let within =
            |seconds| SearchClock::within(Duration::from_secs(seconds), &StopFlag::default());
        let long = Some(Duration::from_millis(200));
        // Ten moves a game, of 4 ms each.
        let short = |pair| found(pair, false, (5.0, 5));
        let mut trial = Trial {
            matches: vec![short(WAYS), short(AGAINST_WEIGHTS)],
        };
        assert!(!trial.should_go_on(None, &within(60)));
        assert!(!trial.should_go_on(Some(LONG / 2), &within(60)));
        assert!(!trial.should_go_on(long, &within(0)), "no time");
        assert!(!trial.should_go_on(long, &SearchClock::endless()));
        assert!(!trial.should_go_on(long, &within(1)), "hardly any");
        assert!(trial.should_go_on(long, &within(2)));
        let next = trial.next_match(WAYS, long, &within(60)).unwrap();
        assert!(next.is_longer && next.time == Duration::from_millis(200));
        let next = trial.next_match(WAYS, long, &within(3)).unwrap();
        assert!(next.time <= Duration::from_millis(100) && next.time > Duration::from_millis(90));
        for pair in [WAYS, AGAINST_WEIGHTS] {
            assert!(trial.should_go_on(long, &within(60)));
            let time = Duration::from_millis(120);
            trial.matches.push(TrialMatch::new(pair, true, time));
        }
        assert!(!trial.should_go_on(long, &within(60)), "long enough");
    }

    #[test]
    fn a_stop_ends_the_matches() {
        let (game, stop) = (Subtraction::new(30, 3), StopFlag::default());
        let clock = SearchClock::within(Duration::from_secs(60), &stop);
        let begun = |pair| found(pair, true, (0.5, 1));
        let pair = [Contestant::Minimax, Contestant::MctsByPlayouts];
        let earlier = Trial {
            matches: vec![found(pair, false, (5.0, 5)), begun(pair)],
        };
        stop.raise();
        let settings = (&MinimaxSettings::default(), &MctsSettings::default());
        let learned = &mut LearnedWeights::default();
        let so_far = (Some(10 * LONG), Some(earlier.clone()));
        let trial = super::trial(&game, settings, learned, so_far, (&clock, &clock));
        assert_eq!(trial.matches.last(), earlier.matches.last());
    }

    #[test]
    fn matches_of_short_moves_are_played_to_their_end() {
        let game = Subtraction::new(30, 3);
        let minimax = MinimaxSettings {
            hash: 1,
            evaluation: Some("none".into()),
            ..MinimaxSettings::default()
        };
        let mcts = MctsSettings {
            training_states: Some(1000),
            ..MctsSettings::default()
        };
        let trial = |time: Duration, earlier| {
            let clock = SearchClock::within(time, &StopFlag::default());
            let learned = &mut LearnedWeights::default();
            let clocks = (&clock, &clock);
            super::trial(
                &game,
                (&minimax, &mcts),
                learned,
                (Some(10 * LONG), earlier),
                clocks,
            )
        };
        let first = trial(Duration::from_secs(4), None);
        assert_eq!(first.worth_keeping().as_ref(), Some(&first));
        for found in &first.matches {
            assert!(found.is_over() || found.is_longer);
            assert!(found.points <= f64::from(found.games));
        }
        let later = trial(Duration::from_secs(20), Some(first.clone()));
        assert!(later.follows(&first));
        let mut new = later
            .matches
            .iter()
            .filter(|of| !first.matches.contains(of));
        assert!(new.all(|found| found.is_longer));
        assert_eq!(trial(Duration::ZERO, None).matches[0].games, 0);
    }
}
