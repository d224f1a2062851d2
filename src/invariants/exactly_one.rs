//! Exactly-one proof: mutex groups of which at least one fact holds in every reachable state.
//!
//! The proof is an induction: no state in which each of these groups has a fact, and no joint move in it, leads to a state
//! in which one of the groups has none. A SAT solver searches for such a state and joint move. Its clauses are the
//! completion of the rules (Clark 1978): a sentence holds if and only if all conditions of one of its rules hold.

use std::collections::VecDeque;

use batsat::Lit;
use rayon::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefMutIterator, ParallelIterator,
};
use rayon::slice::ParallelSlice;

use super::FEW;
use super::clause_solver::{ClauseSolver, SolverAnswer};
use super::transition_system::{AtomId, TransitionSystem};
use crate::ground::{GroundRule, SentenceId};
use crate::util::Deadline;

/// The most conditions of all rules that are read; further rules are left out. The solver may then find steps that the game does not
/// have, so that less is proved.
const CONDITIONS: usize = 1_000_000;
/// How many decisions a solver may make for one group, and for all of them, without the assumptions on other groups.
const DECISIONS_FOR_ONE: u64 = 1_500;
const DECISIONS_OF_EACH: u64 = 250_000;

/// For each of these mutex groups, whether one of its facts holds in every reachable state, as far as that can be proved
/// with little effort.
pub(super) fn exactly_one(system: &TransitionSystem<'_>, groups: &[&[AtomId]]) -> Vec<bool> {
    let mut active: Vec<bool> = groups.iter().map(|group| has_one(system, group)).collect();
    let mut open: Vec<usize> = (0..groups.len()).filter(|&group| active[group]).collect();
    if open.is_empty() {
        return active;
    }
    // Two solvers, whatever the number of threads, so that the same is proved everywhere.
    let most = if open.len() > FEW { 2 } else { 1 };
    let mut steps: Vec<StepEncoding<'_, '_>> = (0..most)
        .into_par_iter()
        .map(|_| StepEncoding::new(system, groups))
        .collect();
    let mut depends_on: Vec<Vec<usize>> = vec![Vec::new(); groups.len()];
    while !open.is_empty() {
        let share = open.len().div_ceil(steps.len());
        let proofs: Vec<ExactlyOneProofs> = steps
            .par_iter_mut()
            .zip(open.par_chunks(share))
            .map(|(step, groups)| step.prove(groups, &active))
            .collect();
        let mut all_lost = Vec::new();
        for ExactlyOneProofs { kept, lost } in proofs {
            kept.into_iter()
                .for_each(|(group, used)| depends_on[group] = used);
            all_lost.extend(lost);
        }
        let rests = |&group: &usize| depends_on[group].iter().any(|of| all_lost.contains(of));
        all_lost.iter().for_each(|&group| active[group] = false);
        open = (0..groups.len())
            .filter(|&group| active[group])
            .filter(rests)
            .collect();
    }
    active
}

/// What was proved of some groups, and what was refuted.
struct ExactlyOneProofs {
    /// Groups with those that their proofs depend on.
    kept: Vec<(usize, Vec<usize>)>,
    lost: Vec<usize>,
}

/// Whether one fact of a group holds in the initial state.
fn has_one(system: &TransitionSystem<'_>, group: &[AtomId]) -> bool {
    group.iter().any(|&fact| system.initial[fact as usize])
}

/// A state, a joint move in it, and what holds next, as clauses.
struct StepEncoding<'w, 'g> {
    system: &'w TransitionSystem<'g>,
    solver: ClauseSolver,
    atoms: Vec<Lit>,
    /// Per derived sentence, its literal if it occurred so far.
    sentences: Vec<Option<Lit>>,
    /// Sentences with a literal whose rules are not encoded yet.
    unread: VecDeque<SentenceId>,
    /// Per group, the literal that one of its facts holds in the state.
    has_one: Vec<Lit>,
    /// Per group, the literal that one of its facts holds in the next state.
    keeps_one: Vec<Lit>,
}

impl<'w, 'g> StepEncoding<'w, 'g> {
    fn new(system: &'w TransitionSystem<'g>, groups: &[&[AtomId]]) -> Self {
        let mut step = Self {
            system,
            solver: ClauseSolver::new(DECISIONS_OF_EACH, &Deadline::default()),
            atoms: Vec::new(),
            sentences: vec![None; system.sentence_count()],
            unread: VecDeque::new(),
            has_one: Vec::new(),
            keeps_one: Vec::new(),
        };
        step.atoms = (0..system.atom_count())
            .map(|_| step.solver.free())
            .collect();
        for group in groups {
            step.add_group(group);
        }
        step.each_role_moves();
        if let Some(terminal) = system.terminal() {
            let terminal = step.literal(terminal);
            step.solver.clause([!terminal]);
        }
        step.read_rules();
        step
    }

    /// At most one fact of a group holds in the state.
    fn add_group(&mut self, group: &[AtomId]) {
        let facts: Vec<Lit> = group.iter().map(|&fact| self.atom(fact)).collect();
        self.solver.at_most_one(&facts);
        let has_one = self.solver.any(&facts);
        self.has_one.push(has_one);
        let system = self.system;
        let next = group.iter().filter_map(|&fact| system.next[fact as usize]);
        let next: Vec<Lit> = next.map(|next| self.literal(next)).collect();
        let keeps_one = self.solver.any(&next);
        self.keeps_one.push(keeps_one);
    }

    /// Every role makes one of its legal moves.
    fn each_role_moves(&mut self) {
        let mut moves = vec![Vec::new(); self.system.role_count()];
        for atom in 0..self.atoms.len() as AtomId {
            if let Some((role, legal)) = self.system.role_of(atom).zip(self.system.legality(atom)) {
                let (made, legal) = (self.atom(atom), self.literal(legal));
                self.solver.clause([!made, legal]);
                moves[role].push(made);
            }
        }
        for moves in moves {
            self.solver.at_most_one(&moves);
            self.solver.clause(moves);
        }
    }

    fn read_rules(&mut self) {
        let mut left = CONDITIONS;
        while let Some(sentence) = self.unread.pop_front() {
            let rules = self.system.rules_of(sentence);
            let conditions = rules.map(|rule| rule.holds.len() + rule.fails.len());
            match left.checked_sub(conditions.sum()) {
                Some(rest) => left = rest,
                None => continue,
            }
            self.complete(sentence);
        }
    }

    /// A sentence holds where one of its rules applies, and nowhere else.
    fn complete(&mut self, sentence: SentenceId) {
        let system = self.system;
        let bodies = system.rules_of(sentence).map(|rule| self.body(rule));
        let bodies: Vec<Lit> = bodies.collect();
        let head = self.literal(sentence);
        self.solver.is_any(head, &bodies);
    }

    /// The literal that a rule applies.
    fn body(&mut self, rule: &GroundRule) -> Lit {
        let holds = rule.holds.iter().map(|&of| (of, true));
        let conditions = holds.chain(rule.fails.iter().map(|&of| (of, false)));
        let failing: Vec<Lit> = conditions
            .map(|(of, holds)| self.literal(of).apply_sign(!holds))
            .collect();
        !self.solver.any(&failing)
    }

    fn atom(&self, atom: AtomId) -> Lit {
        self.atoms[atom as usize]
    }

    /// The literal of a sentence.
    fn literal(&mut self, sentence: SentenceId) -> Lit {
        if let Some(atom) = self.system.atom_of(sentence) {
            return self.atom(atom);
        }
        let place = sentence.0 as usize;
        if let Some(known) = self.sentences[place] {
            return known;
        }
        let new = self.solver.follows();
        self.sentences[place] = Some(new);
        self.unread.push_back(sentence);
        new
    }

    /// Proves of some groups that each has a fact next if all groups that are `active` have one, but for those refuted
    /// meanwhile.
    fn prove(&mut self, groups: &[usize], active: &[bool]) -> ExactlyOneProofs {
        let mut active = active.to_vec();
        let (mut kept, mut all_lost) = (Vec::new(), Vec::new());
        for &group in groups.iter().rev() {
            if !active[group] {
                continue;
            }
            match self.keeps_one(group, &active) {
                Ok(used) => kept.push((group, used)),
                Err(lost) => {
                    lost.iter().for_each(|&group| active[group] = false);
                    all_lost.extend(lost);
                }
            }
        }
        ExactlyOneProofs {
            kept,
            lost: all_lost,
        }
    }

    /// Proves that a group has a fact next if all groups that are `active` have one. Returns the groups that the proof uses.
    ///
    /// # Errors
    /// Where there is no proof, the groups refuted: this one, and all that lose their facts in the step that was found
    /// instead.
    fn keeps_one(&mut self, group: usize, active: &[bool]) -> Result<Vec<usize>, Vec<usize>> {
        let active: Vec<usize> = (0..active.len()).filter(|&other| active[other]).collect();
        let has_one = active.iter().map(|&other| self.has_one[other]);
        let assumed: Vec<Lit> = has_one.chain([!self.keeps_one[group]]).collect();
        let answer = self.solver.solve(&assumed, DECISIONS_FOR_ONE);
        let active = active.into_iter();
        match answer {
            SolverAnswer::Impossible => {
                let used = |&other: &usize| self.solver.uses(self.has_one[other]);
                Ok(active.filter(used).collect())
            }
            SolverAnswer::Possible => {
                let lost =
                    |&other: &usize| other == group || self.solver.is_false(self.keeps_one[other]);
                Err(active.filter(lost).collect())
            }
            SolverAnswer::Unknown => Err(vec![group]),
        }
    }
}
