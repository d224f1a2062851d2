//! States reached in random games: what does not hold in them need not be proved.
//!
//! The games run side by side, one in each bit of machine words, on the ground rules themselves.

use std::ops::Range;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::SentenceId;
use crate::util::choose_side_by_side;

/// The most plies, and the most conditions that are evaluated in all of them: a few milliseconds.
const PLIES: usize = 40;
const CONDITIONS: usize = 1_500_000;
/// Fewer plies show too little.
const FEWEST_PLIES: usize = 4;

/// For each fact, the games in which it holds; one game a bit.
type FactWords = Vec<u64>;

/// States that can be reached.
pub(super) struct ReachedStates {
    /// The states of all games after as many plies.
    after: Vec<FactWords>,
}

impl ReachedStates {
    /// The states of a few short random games; none, if the rules are too many.
    pub(super) fn sample(system: &TransitionSystem<'_>) -> Self {
        let mut after = Vec::new();
        if let Some(mut games) = SideBySideGames::new(system) {
            for _ in 0..games.plies {
                after.push(games.state.clone());
                games.step();
            }
        }
        Self { after }
    }

    /// Whether two of these facts hold in one of the states.
    pub(super) fn have_two_of(&self, facts: &[AtomId]) -> bool {
        self.after.iter().any(|state| {
            let (mut once, mut twice) = (0, 0);
            for &fact in facts {
                let word = state[fact as usize];
                twice |= once & word;
                once |= word;
            }
            twice != 0
        })
    }
}

/// Terminates each rule.
const END: u32 = u32::MAX;

/// The rules of some sentences, to be evaluated in order.
#[derive(Default)]
struct RuleCode {
    /// The sentences, and where their rules end in `conditions`.
    heads: Vec<(SentenceId, usize)>,
    /// Twice a sentence's number, and one more if it must not hold; each rule terminated by [`END`].
    conditions: Vec<u32>,
    /// The places in `heads` of sentences that depend on each other.
    loops: Vec<Range<usize>>,
}

/// Random games in progress.
struct SideBySideGames<'w, 'g> {
    system: &'w TransitionSystem<'g>,
    before_moves: RuleCode,
    after_moves: RuleCode,
    /// The facts and moves that rules mention, each with its sentence.
    atoms: Vec<(SentenceId, AtomId)>,
    plies: usize,
    /// Per sentence.
    values: Vec<u64>,
    state: FactWords,
    /// Per move, the games in which it is made.
    made: Vec<u64>,
    random: Xoshiro256PlusPlus,
}

impl<'w, 'g> SideBySideGames<'w, 'g> {
    fn new(system: &'w TransitionSystem<'g>) -> Option<Self> {
        let facts = system.facts.len();
        let moves = system.atom_count() - facts;
        let plies_of = |conditions: usize| (CONDITIONS / conditions.max(1)).min(PLIES);
        if plies_of(system.rule_count()) < FEWEST_PLIES {
            return None;
        }
        let sentences = (0..system.sentence_count() as u32).map(SentenceId);
        let atoms = sentences.filter_map(|sentence| Some((sentence, system.atom_of(sentence)?)));
        let (before_moves, after_moves) = rule_code(system);
        let conditions = before_moves.conditions.len() + after_moves.conditions.len();
        let plies = plies_of(conditions + facts + moves);
        let holds = |&holds: &bool| if holds { !0 } else { 0 };
        (plies >= FEWEST_PLIES).then(|| Self {
            system,
            before_moves,
            after_moves,
            atoms: atoms.collect(),
            plies,
            values: vec![0; system.sentence_count()],
            state: system.initial.iter().map(holds).collect(),
            made: vec![0; moves],
            random: Xoshiro256PlusPlus::seed_from_u64(0),
        })
    }

    /// Makes a random move of each role in each game. Games that are over begin anew.
    fn step(&mut self) {
        let facts = self.system.facts.len();
        for &(sentence, atom) in &self.atoms {
            if let Some(&word) = self.state.get(atom as usize) {
                self.values[sentence.0 as usize] = word;
            }
        }
        self.before_moves.evaluate(&mut self.values);
        let is_over = self.system.terminal().map_or(0, |of| self.value(of)) | self.choose_moves();
        for &(sentence, atom) in &self.atoms {
            if let Some(number) = (atom as usize).checked_sub(facts) {
                self.values[sentence.0 as usize] = self.made[number];
            }
        }
        self.after_moves.evaluate(&mut self.values);
        for fact in 0..facts {
            let next = self.system.next[fact].map_or(0, |next| self.value(next));
            let initial = if self.system.initial[fact] {
                is_over
            } else {
                0
            };
            self.state[fact] = next & !is_over | initial;
        }
    }

    fn value(&self, sentence: SentenceId) -> u64 {
        self.values[sentence.0 as usize]
    }

    /// Chooses a legal move of each role in each game. Returns the games in which a role has none.
    fn choose_moves(&mut self) -> u64 {
        let mut stuck = 0;
        for role in 0..self.system.role_count() {
            let of_role = |&atom: &AtomId| self.system.role_of(atom) == Some(role);
            let first = self.system.facts.len() as AtomId;
            let atoms = first..self.system.atom_count() as AtomId;
            let moves: Vec<(usize, u64)> = atoms
                .filter(of_role)
                .filter_map(|atom| {
                    let legal = self.value(self.system.legality(atom)?);
                    Some(((atom - first) as usize, legal))
                })
                .collect();
            for &(number, _) in &moves {
                self.made[number] = 0;
            }
            stuck |= choose_side_by_side(&moves, &mut self.made, &mut self.random);
        }
        stuck
    }
}

/// The rules that `terminal` and `legal` depend on, and the others that `next` depends on.
fn rule_code(system: &TransitionSystem<'_>) -> (RuleCode, RuleCode) {
    let dependencies = system.dependencies();
    let is_wanted = wanted(system, |sentence| dependencies.of(sentence.0));
    let mut depends_on_moves = vec![false; system.sentence_count()];
    let (mut before, mut after) = (RuleCode::default(), RuleCode::default());
    dependencies.each_component(|members| {
        if !is_wanted[members[0] as usize] {
            return;
        }
        let uses_moves = |&member: &u32| {
            let rules = system.rules_of(SentenceId(member));
            let mut conditions = rules.flat_map(|rule| rule.holds.iter().chain(&rule.fails));
            conditions.any(|&of| match system.atom_of(of) {
                Some(atom) => system.role_of(atom).is_some(),
                None => depends_on_moves[of.0 as usize],
            })
        };
        let uses_moves = members.iter().any(uses_moves);
        let code = if uses_moves { &mut after } else { &mut before };
        let first = code.heads.len();
        for &member in members {
            depends_on_moves[member as usize] = uses_moves;
            code.add(system, SentenceId(member));
        }
        if members.len() > 1 || dependencies.of(members[0]).contains(&members[0]) {
            code.loops.push(first..code.heads.len());
        }
    });
    (before, after)
}

/// Per sentence, whether `terminal`, `legal` or `next` depends on it.
fn wanted<'d>(
    system: &TransitionSystem<'_>,
    dependencies: impl Fn(SentenceId) -> &'d [u32],
) -> Vec<bool> {
    let atoms = 0..system.atom_count() as AtomId;
    let legal = atoms.filter_map(|atom| system.legality(atom));
    let next = system.next.iter().copied().flatten();
    let mut open: Vec<u32> = legal
        .chain(next)
        .chain(system.terminal())
        .map(|of| of.0)
        .collect();
    let mut is_wanted = vec![false; system.sentence_count()];
    while let Some(sentence) = open.pop() {
        if !std::mem::replace(&mut is_wanted[sentence as usize], true) {
            open.extend(dependencies(SentenceId(sentence)));
        }
    }
    is_wanted
}

impl RuleCode {
    fn add(&mut self, system: &TransitionSystem<'_>, head: SentenceId) {
        for rule in system.rules_of(head) {
            self.conditions.extend(rule.holds.iter().map(|of| 2 * of.0));
            self.conditions
                .extend(rule.fails.iter().map(|of| 2 * of.0 + 1));
            self.conditions.push(END);
        }
        self.heads.push((head, self.conditions.len()));
    }

    fn evaluate(&self, values: &mut [u64]) {
        let mut at = 0;
        for inner in &self.loops {
            self.run(at..inner.start, values);
            at = inner.end;
            for (head, _) in &self.heads[inner.clone()] {
                values[head.0 as usize] = 0;
            }
            while self.run(inner.clone(), values) {}
        }
        self.run(at..self.heads.len(), values);
    }

    /// Evaluates some sentences in order. Returns whether a value has changed.
    fn run(&self, heads: Range<usize>, values: &mut [u64]) -> bool {
        let mut has_changed = false;
        let before = heads.start.checked_sub(1);
        let mut start = before.map_or(0, |before| self.heads[before].1);
        for &(head, end) in &self.heads[heads] {
            let (mut any, mut all) = (0, !0);
            for &condition in &self.conditions[start..end] {
                if condition == END {
                    any |= all;
                    all = !0;
                } else {
                    let flip = u64::from(condition & 1).wrapping_neg();
                    all &= values[(condition >> 1) as usize] ^ flip;
                }
            }
            start = end;
            has_changed |= std::mem::replace(&mut values[head.0 as usize], any) != any;
        }
        has_changed
    }
}
