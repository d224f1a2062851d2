//! Which fact each move makes, found out in random games.
//!
//! All moves as first asks whether a role made a move at any time of a playout. Playouts in lanes keep no list of their moves. Where a move makes a
//! fact that lasts, such as a stone on a cell, the move was made if the fact holds at the end, and that is counted for all lanes at once.

use std::any::Any;

use indexmap::{IndexMap, IndexSet};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::node::NO_FACT;
use crate::game::{Engine, PositionBatch, Role, TrackedFact, held_facts, is_chance};
use crate::util::Deadline;

/// Random games that are played together.
const GAMES: usize = 64;
/// Joint moves that are looked at.
const ENOUGH: u32 = 8192;
/// A fact counts only if at most one in so many of a role's moves make it: turns and counters say nothing of a move.
const RARE: u32 = 4;
/// A move that was seen less often may have made a fact by coincidence.
const FEW: u32 = 2;

/// The facts that moves of type `M` make.
#[derive(Debug)]
pub(super) struct MoveFacts<M> {
    /// For each move of a role that was seen as the only choice of a ply: how often, and the facts that became true every time.
    made: IndexMap<(usize, M), (u32, Vec<u64>), FxBuildHasher>,
    /// By fact, in how many of the states it held.
    held: Vec<u32>,
    /// How many joint moves were looked at.
    seen: u32,
    /// The facts that are counted; their indices never change.
    tracked: IndexSet<TrackedFact>,
    /// The index of the fact of a move among those.
    index: FxHashMap<(usize, M), u32>,
}

impl<M> Default for MoveFacts<M> {
    fn default() -> Self {
        Self {
            made: IndexMap::default(),
            held: Vec::new(),
            seen: 0,
            tracked: IndexSet::default(),
            index: FxHashMap::default(),
        }
    }
}

impl<M: Copy + Eq + std::hash::Hash + Send + 'static> MoveFacts<M> {
    /// Those that a player keeps, all of whose games have the same rules; none if it keeps none yet.
    pub(super) fn kept(kept: &mut Option<Box<dyn Any + Send>>) -> Box<Self> {
        let known = kept.take().and_then(|kept| kept.downcast().ok());
        known.unwrap_or_default()
    }

    /// The facts that are counted.
    pub(super) fn tracked(&self) -> Vec<TrackedFact> {
        self.tracked.iter().copied().collect()
    }

    /// Whether no move is known to make a fact.
    pub(super) fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// The index of the fact that a move makes; [`NO_FACT`] if none is known.
    pub(super) fn of(&self, role: Role, mv: M) -> u32 {
        self.index.get(&(role.0, mv)).copied().unwrap_or(NO_FACT)
    }

    /// Plays random games until enough moves were seen, as far as there is time, on engines that count facts in playouts.
    pub(super) fn find<G: Engine<Move = M>>(&mut self, game: &G, deadline: &Deadline) {
        if game.tracks_facts() && !self.is_complete() && !deadline.is_due() {
            self.sample_games(game, ENOUGH, deadline);
            self.choose();
        }
        if self.is_complete() {
            (self.made, self.held) = (IndexMap::default(), Vec::new());
        }
    }

    /// Whether time ended the search for facts.
    pub(super) fn is_partial(&self) -> bool {
        self.seen > 0 && !self.is_complete()
    }

    /// Whether enough moves were seen.
    fn is_complete(&self) -> bool {
        self.seen >= ENOUGH
    }

    /// Looks at random games until so many joint moves were seen, as far as there is time.
    fn sample_games<G: Engine<Move = M>>(&mut self, game: &G, enough: u32, deadline: &Deadline) {
        let Some(facts) = game.game_facts() else {
            return;
        };
        self.held.resize(facts.facts.len(), 0);
        let (mut before, mut after) = (vec![0; facts.words()], vec![0; facts.words()]);
        let mut games = SampledGames::new(game, self.seen.into());
        while self.seen < enough && games.play_ply(deadline) {
            for ply in &games.plies {
                game.mark_facts(&ply.before, &mut before);
                game.mark_facts(&ply.after, &mut after);
                self.add(&ply.chosen, &before, &after);
            }
        }
    }

    /// Looks at a ply: the moves of the roles that had a choice, and the facts before and after.
    fn add(&mut self, chosen: &[(usize, M)], before: &[u64], after: &[u64]) {
        self.seen += 1;
        for fact in held_facts(after) {
            self.held[fact] += 1;
        }
        let new = before.iter().zip(after);
        let new: Vec<u64> = new.map(|(before, after)| after & !before).collect();
        // What moves make together is no single move's.
        if let &[chosen] = chosen {
            let (times, made) = self.made.entry(chosen).or_insert_with(|| (0, new.clone()));
            *times += 1;
            for (made, new) in made.iter_mut().zip(&new) {
                *made &= new;
            }
        }
    }

    /// Chooses the fact of each move: the one that the fewest moves of the role make, and of several the one that holds longest.
    fn choose(&mut self) {
        let mut moves: FxHashMap<usize, u32> = FxHashMap::default();
        let mut makers: FxHashMap<(usize, usize), u32> = FxHashMap::default();
        for (&(role, _), (_, made)) in &self.made {
            *moves.entry(role).or_default() += 1;
            for fact in held_facts(made) {
                *makers.entry((role, fact)).or_default() += 1;
            }
        }
        for (&(role, mv), (times, made)) in &self.made {
            if *times < FEW {
                continue;
            }
            let rare =
                held_facts(made).filter(|&fact| makers[&(role, fact)] * RARE <= moves[&role]);
            let best = rare.min_by_key(|&fact| {
                let held = self.held[fact];
                (makers[&(role, fact)], std::cmp::Reverse(held))
            });
            let Some(fact) = best else {
                self.index.remove(&(role, mv));
                continue;
            };
            let tracked = TrackedFact {
                fact: fact as u32,
                role: Role(role),
            };
            let (number, _) = self.tracked.insert_full(tracked);
            self.index.insert((role, mv), number as u32);
        }
    }
}

/// A ply of a random game.
struct SeenPly<S, M> {
    before: S,
    after: S,
    /// The moves of the roles that had a choice, those of chance left out.
    chosen: Vec<(usize, M)>,
}

/// Random games in progress. One that has ended is begun anew.
struct SampledGames<'g, G: Engine> {
    game: &'g G,
    scratch: G::Scratch,
    rng: Xoshiro256PlusPlus,
    is_chance: Vec<bool>,
    states: Vec<G::State>,
    parents: G::Batch,
    children: G::Batch,
    /// The last ply of those that have not ended.
    plies: Vec<SeenPly<G::State, G::Move>>,
}

impl<'g, G: Engine> SampledGames<'g, G> {
    fn new(game: &'g G, seed: u64) -> Self {
        Self {
            game,
            scratch: game.scratch(),
            rng: Xoshiro256PlusPlus::seed_from_u64(seed),
            is_chance: game.roles().iter().map(|role| is_chance(role)).collect(),
            states: vec![game.initial(); GAMES],
            parents: game.batch(),
            children: game.batch(),
            plies: Vec::new(),
        }
    }

    /// Plays a ply of every game. False if the deadline came first, or there is none to play.
    fn play_ply(&mut self, deadline: &Deadline) -> bool {
        let game = self.game;
        game.set_deadline(&mut self.scratch, Some(deadline));
        game.evaluate_batch(&mut self.scratch, &self.states, &mut self.parents);
        self.plies.clear();
        let (mut of, mut moves) = (Vec::new(), Vec::new());
        for number in 0..self.states.len() {
            if let Some(chosen) = self.choose(number, &mut moves) {
                of.push(number as u32);
                self.plies.push(chosen);
            }
        }
        let Self {
            scratch,
            parents,
            children,
            ..
        } = self;
        game.expand(scratch, parents, &of, &moves, children);
        if game.is_cut_short(scratch) || deadline.is_due() {
            return false;
        }
        let initial = game.initial();
        // All may end at once, but not before their first ply.
        if of.is_empty() && self.states.contains(&initial) {
            return false;
        }
        self.states.fill(initial);
        for (child, (&number, ply)) in of.iter().zip(&mut self.plies).enumerate() {
            ply.after = children.state(child);
            self.states[number as usize] = ply.after.clone();
        }
        true
    }

    /// Appends a random joint move in a game; `None` if it has ended.
    fn choose(
        &mut self,
        number: usize,
        moves: &mut Vec<G::Move>,
    ) -> Option<SeenPly<G::State, G::Move>> {
        let roles = self.is_chance.len();
        let mut counts = (0..roles).map(|role| self.parents.legal_count(number, Role(role)));
        if self.parents.is_terminal(number) || counts.any(|count| count == 0) {
            return None;
        }
        let (mut chosen, mut legal) = (Vec::new(), Vec::new());
        for role in 0..roles {
            self.parents.legal(number, Role(role), &mut legal);
            let mv = legal[self.rng.random_range(0..legal.len())];
            moves.push(mv);
            if legal.len() > 1 && !self.is_chance[role] {
                chosen.push((role, mv));
            }
        }
        let before = self.states[number].clone();
        Some(SeenPly {
            after: before.clone(),
            before,
            chosen,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{GameFacts, InvalidFacts, Scalar, StateMachine};

    /// Two roles mark nine cells in turn; who has marked a cell is a fact, and so are whose turn it is, and which cell was marked last. A second
    /// way to mark a cell says so.
    struct Marks {
        roles: [String; 2],
        facts: GameFacts,
    }

    /// By cell, who has marked it; and the last one.
    type Marked = ([Option<usize>; 9], usize);

    impl Marks {
        fn new() -> Self {
            let cells = 0..9;
            let owned = cells
                .clone()
                .flat_map(|cell| [0, 1].map(|role| format!("(cell {cell} {role})")));
            let last = cells.map(|cell| format!("(last {cell})"));
            let control = ["(control 0)", "(control 1)"].map(str::to_owned);
            let mut facts: Vec<String> = owned.chain(last).chain(control).collect();
            facts.sort();
            Self {
                roles: ["0", "1"].map(str::to_owned),
                facts: GameFacts {
                    facts,
                    ..GameFacts::default()
                },
            }
        }

        fn mover(state: &Marked) -> usize {
            state.0.iter().flatten().count() % 2
        }
    }

    impl Scalar for Marks {}

    impl StateMachine for Marks {
        type State = Marked;
        type Move = usize;
        type Scratch = ();

        fn roles(&self) -> &[String] {
            &self.roles
        }
        fn initial(&self) -> Marked {
            ([None; 9], 9)
        }
        fn scratch(&self) {}
        fn is_terminal(&self, (): &mut (), state: &Marked) -> bool {
            state.0.iter().all(Option::is_some)
        }
        fn legal(&self, (): &mut (), state: &Marked, role: Role, moves: &mut Vec<usize>) {
            moves.clear();
            match role.0 == Self::mover(state) {
                true => moves.extend((0..18).filter(|mv| state.0[mv % 9].is_none())),
                false => moves.push(18),
            }
        }
        fn next(&self, (): &mut (), state: &Marked, joint: &[usize]) -> Marked {
            let (mut next, mover) = (*state, Self::mover(state));
            next.0[joint[mover] % 9] = Some(mover);
            next.1 = joint[mover] % 9;
            next
        }
        fn goal(&self, (): &mut (), _: &Marked, _: Role) -> Option<u8> {
            Some(50)
        }
        fn move_text(&self, mv: usize) -> String {
            mv.to_string()
        }
        fn state_text(&self, state: &Marked) -> Vec<String> {
            let owned = state.0.iter().enumerate();
            let owned =
                owned.filter_map(|(cell, role)| role.map(|role| format!("(cell {cell} {role})")));
            let control = format!("(control {})", Self::mover(state));
            owned
                .chain([control, format!("(last {})", state.1)])
                .collect()
        }
        fn state_from_text(&self, facts: &[String]) -> Result<Marked, InvalidFacts> {
            Err(InvalidFacts(facts.join(" ")))
        }
        fn game_facts(&self) -> Option<&GameFacts> {
            Some(&self.facts)
        }
    }

    #[test]
    fn a_move_makes_the_fact_that_lasts() {
        let game = Marks::new();
        let mut found = MoveFacts::default();
        found.sample_games(&game, ENOUGH, &Deadline::default());
        found.choose();
        assert!(found.seen >= ENOUGH && !found.is_empty());
        let tracked = found.tracked();
        for role in [0, 1] {
            for mv in 0..18 {
                let TrackedFact { fact, role: of } = tracked[found.of(Role(role), mv) as usize];
                let text = &game.facts.facts[fact as usize];
                assert_eq!(
                    (text, of),
                    (&format!("(cell {} {role})", mv % 9), Role(role))
                );
            }
            assert_eq!(found.of(Role(role), 18), NO_FACT);
        }
        assert_eq!(tracked.len(), 18);
    }

    #[test]
    fn indices_of_facts_stay_when_more_games_are_seen() {
        let (game, mut found) = (Marks::new(), MoveFacts::default());
        let mut before = Vec::new();
        for enough in [300, 600, 1200, 2400] {
            found.sample_games(&game, enough, &Deadline::default());
            found.choose();
            assert!(found.tracked().starts_with(&before));
            before = found.tracked();
        }
        assert!(before.len() >= 18);
    }

    #[test]
    fn nothing_is_sampled_without_time_or_where_playouts_count_no_facts() {
        let (game, mut found) = (Marks::new(), MoveFacts::default());
        found.find(&game, &Deadline::default());
        assert!(found.is_empty() && found.seen == 0);
        let stop = crate::util::StopFlag::default();
        stop.raise();
        found.sample_games(&game, ENOUGH, &Deadline::new(None, &stop));
        assert_eq!(found.seen, 0);
    }
}
