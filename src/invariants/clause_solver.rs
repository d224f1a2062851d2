//! A SAT solver, with what is made of clauses again and again.

use std::cell::Cell;

use batsat::{Callbacks, Lit, Solver, SolverInterface, SolverOpts, lbool};

use crate::util::Deadline;

/// After so many decisions, the solver looks at the clock.
const DECISIONS_A_LOOK: u64 = 64;

/// Clauses, and the solver that looks for an assignment that satisfies all of them.
pub(crate) struct ClauseSolver {
    solver: Solver<SolverLimits>,
    /// How many decisions the solver may still make.
    left: u64,
}

/// What a solver says to assumptions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SolverAnswer {
    /// They can hold together.
    Possible,
    /// They cannot.
    Impossible,
    /// It would take too many decisions, or too long, to know.
    Unknown,
}

impl ClauseSolver {
    /// A solver without clauses, which makes no more decisions than these, and none after `deadline`.
    pub(crate) fn new(decisions: u64, deadline: &Deadline) -> Self {
        let limits = SolverLimits {
            decisions: Cell::new(0),
            deadline: deadline.clone(),
        };
        Self {
            solver: Solver::new(SolverOpts::default(), limits),
            left: decisions,
        }
    }

    /// How many decisions the solver may still make.
    pub(crate) fn left(&self) -> u64 {
        self.left
    }

    /// A new variable that the solver may decide.
    pub(crate) fn free(&mut self) -> Lit {
        Lit::new(self.solver.new_var(lbool::UNDEF, true), true)
    }

    /// A new variable whose value follows from decisions on others.
    pub(crate) fn follows(&mut self) -> Lit {
        Lit::new(self.solver.new_var(lbool::UNDEF, false), true)
    }

    pub(crate) fn clause(&mut self, lits: impl IntoIterator<Item = Lit>) {
        let mut lits: Vec<Lit> = lits.into_iter().collect();
        self.solver.add_clause_reuse(&mut lits);
    }

    /// The literal that one of `lits` holds.
    pub(crate) fn any(&mut self, lits: &[Lit]) -> Lit {
        if let &[only] = lits {
            return only;
        }
        let any = self.follows();
        self.is_any(any, lits);
        any
    }

    /// `any` holds where one of `lits` does, and nowhere else.
    pub(crate) fn is_any(&mut self, any: Lit, lits: &[Lit]) {
        for &lit in lits {
            self.clause([!lit, any]);
        }
        self.clause(lits.iter().copied().chain([!any]));
    }

    /// No two of `lits` hold: a sequential counter (Sinz 2005).
    pub(crate) fn at_most_one(&mut self, lits: &[Lit]) {
        let mut before: Option<Lit> = None;
        for &lit in lits {
            let so_far = self.follows();
            self.clause([!lit, so_far]);
            if let Some(before) = before {
                self.clause([!before, so_far]);
                self.clause([!before, !lit]);
            }
            before = Some(so_far);
        }
    }

    /// Whether all of `assumed` can hold, as far as so many decisions tell.
    pub(crate) fn solve(&mut self, assumed: &[Lit], most_decisions: u64) -> SolverAnswer {
        let allowed = self.left.min(most_decisions) + assumed.len() as u64;
        self.solver.cb().decisions.set(allowed);
        let answer = self.solver.solve_limited(assumed);
        let made = allowed - self.solver.cb().decisions.get();
        self.left = self
            .left
            .saturating_sub(made.saturating_sub(assumed.len() as u64));
        match answer {
            answer if answer == lbool::TRUE => SolverAnswer::Possible,
            answer if answer == lbool::FALSE => SolverAnswer::Impossible,
            _ => SolverAnswer::Unknown,
        }
    }

    /// Whether the last proof of impossibility uses an assumption.
    pub(crate) fn uses(&mut self, assumed: Lit) -> bool {
        self.solver.unsat_core_contains_var(assumed.var())
    }

    /// Whether a literal is false in the last assignment that was found.
    pub(crate) fn is_false(&self, lit: Lit) -> bool {
        self.solver.value_lit(lit) == lbool::FALSE
    }
}

struct SolverLimits {
    /// How many decisions the solver may still make, including assumptions.
    decisions: Cell<u64>,
    deadline: Deadline,
}

impl Callbacks for SolverLimits {
    fn stop(&self) -> bool {
        let left = self.decisions.get().saturating_sub(1);
        self.decisions.set(left);
        left == 0 || left.is_multiple_of(DECISIONS_A_LOOK) && self.deadline.is_due()
    }
}
