//! The fields of a state as variables of decision diagrams.

use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction, Manager, ManagerRef, Subst, VarNo};

/// A set of states, or a condition on them.
pub(super) type Bdd = BCDDFunction;

/// One field of a state: some variables, in binary, say which of its fluents holds.
///
/// Each variable is followed by the one of the next state, so that a diagram tells both apart near the root.
#[derive(Debug)]
pub(super) struct FieldVariables {
    first: VarNo,
    bits: u32,
    /// Which fluent holds, by the number in the field; `None` where none does.
    pub(super) contents: Vec<Option<usize>>,
}

/// All fields of a state, in the order of their variables.
pub(super) struct StateVariables {
    pub(super) manager: oxidd::bcdd::BCDDManagerRef,
    pub(super) fields: Vec<FieldVariables>,
    /// Per fluent, the states in which it holds.
    pub(super) fluents: Vec<Bdd>,
    /// The states whose fields all have a content.
    pub(super) domain: Bdd,
    pub(super) truth: Bdd,
}

/// Which of the two states of a move variables stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MoveSide {
    Before = 0,
    After = 1,
}

impl FieldVariables {
    /// The variables before the move, or after it.
    pub(super) fn variables(&self, side: MoveSide) -> impl Iterator<Item = VarNo> {
        let first = self.first + side as VarNo;
        (0..self.bits).map(move |bit| first + 2 * bit)
    }
}

impl StateVariables {
    /// Variables for fields of these contents, in this order; `fluents` is the number of all fluents, of which `always` hold in every
    /// state.
    pub(super) fn new(
        manager: oxidd::bcdd::BCDDManagerRef,
        contents: Vec<Vec<Option<usize>>>,
        fluents: usize,
        always: impl Fn(usize) -> bool,
    ) -> AllocResult<Self> {
        let mut fields = Vec::with_capacity(contents.len());
        let mut first = 0;
        for contents in contents {
            let bits = contents.len().next_power_of_two().trailing_zeros();
            fields.push(FieldVariables {
                first,
                bits,
                contents,
            });
            first += 2 * bits;
        }
        let (truth, falsehood) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(first);
            (Bdd::t(manager), Bdd::f(manager))
        });
        let holds = |fluent: usize| match always(fluent) {
            true => truth.clone(),
            false => falsehood.clone(),
        };
        let mut variables = Self {
            manager,
            fields,
            fluents: (0..fluents).map(holds).collect(),
            domain: truth.clone(),
            truth,
        };
        for place in 0..variables.fields.len() {
            let mut some = variables.falsehood()?;
            for number in 0..variables.fields[place].contents.len() {
                let holds = variables.content(place, number, MoveSide::Before)?;
                some = some.or(&holds)?;
                if let Some(fluent) = variables.fields[place].contents[number] {
                    variables.fluents[fluent] = holds;
                }
            }
            variables.domain = variables.domain.and(&some)?;
        }
        Ok(variables)
    }

    /// No state.
    pub(super) fn falsehood(&self) -> AllocResult<Bdd> {
        self.truth.not()
    }

    /// The states in which a field has the content of this number.
    pub(super) fn content(&self, field: usize, number: usize, side: MoveSide) -> AllocResult<Bdd> {
        let mut all = self.truth.clone();
        for (bit, variable) in self.fields[field]
            .variables(side)
            .enumerate()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
        {
            let literal =
                self.manager
                    .with_manager_shared(|manager| match number >> bit & 1 == 1 {
                        true => Bdd::var(manager, variable),
                        false => Bdd::not_var(manager, variable),
                    })?;
            all = all.and(&literal)?;
        }
        Ok(all)
    }

    /// The conjunction of the variables of some fields.
    pub(super) fn cube(&self, fields: &[usize], side: MoveSide) -> AllocResult<Bdd> {
        let mut all = self.truth.clone();
        for variable in fields
            .iter()
            .flat_map(|field| self.fields[*field].variables(side))
        {
            all = all.and(&self.variable(variable)?)?;
        }
        Ok(all)
    }

    /// What makes of conditions on some fields after a move those on them before the next one.
    pub(super) fn renaming(&self, fields: &[usize]) -> AllocResult<Subst<Bdd>> {
        let of = |side| {
            fields
                .iter()
                .flat_map(move |field| self.fields[*field].variables(side))
        };
        let before: AllocResult<Vec<Bdd>> =
            of(MoveSide::Before).map(|one| self.variable(one)).collect();
        Ok(Subst::new(of(MoveSide::After).collect(), before?))
    }

    fn variable(&self, variable: VarNo) -> AllocResult<Bdd> {
        self.manager
            .with_manager_shared(|manager| Bdd::var(manager, variable))
    }

    /// How many variables a state has.
    pub(super) fn count(&self) -> u32 {
        self.fields.iter().map(|field| field.bits).sum()
    }
}
