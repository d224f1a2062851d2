//! Which player takes which role.

use std::str::FromStr;

use super::{Spec, SpecError, with_colon};
use crate::catalog::most_similar;
use crate::game::is_chance;

/// `ROLE=SPEC`, or a bare `SPEC` for every role not named; several of those are for these roles in their order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Assignment {
    /// The role, as typed.
    pub role: Option<String>,
    /// Its player.
    pub spec: Spec,
}

impl FromStr for Assignment {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (role, spec) = match text.split_once('=') {
            Some((role, _)) if role.contains(':') || with_colon(role).is_some() => (None, text),
            Some((role, spec)) => (Some(role.trim().to_owned()), spec),
            None => (None, text),
        };
        let spec = spec.parse()?;
        Ok(Self { role, spec })
    }
}

impl Assignment {
    /// The players given as `ROLE=SPEC` or `SPEC`, at most one for each role that is named.
    ///
    /// # Errors
    /// Says what is wrong with a player, or which role has two.
    pub fn read_all(texts: &[String]) -> Result<Vec<Self>, SpecError> {
        let mut assigned: Vec<Self> = Vec::new();
        for text in texts {
            let one: Self = text.parse()?;
            let is_same = |other: &&Self| one.role.is_some() && other.role == one.role;
            if let Some(role) = assigned.iter().find(is_same).and(one.role.as_ref()) {
                return Err(SpecError::new(
                    format!("`{role}` has two players"),
                    "give each role one `--player`".to_owned(),
                ));
            }
            assigned.push(one);
        }
        Ok(assigned)
    }

    /// Names the roles of several players that are given without one: those that nobody else plays, in the order of the rules.
    ///
    /// # Errors
    /// There are more or fewer such players than roles.
    pub fn in_order(assigned: &[Self], roles: &[String]) -> Result<Vec<Self>, SpecError> {
        let (named, bare): (Vec<&Self>, Vec<&Self>) =
            assigned.iter().partition(|one| one.role.is_some());
        if bare.len() < 2 {
            return Ok(assigned.to_vec());
        }
        let is_free = |role: &&String| !is_chance(role) && !named.iter().any(|one| one.names(role));
        let free: Vec<&String> = roles.iter().filter(is_free).collect();
        if free.len() != bare.len() {
            let names: Vec<&str> = free.iter().map(|role| role.as_str()).collect();
            return Err(SpecError::new(
                format!("{} players are given without a role", bare.len()),
                format!(
                    "give one for all, or one for each of {}; `ROLE=SPEC` says who plays what",
                    names.join(", ")
                ),
            ));
        }
        let placed = bare.into_iter().zip(free).map(|(one, role)| Self {
            role: Some(role.clone()),
            spec: one.spec.clone(),
        });
        Ok(named.into_iter().cloned().chain(placed).collect())
    }

    /// Whether it names this role, in upper or lower case.
    pub fn names(&self, role: &str) -> bool {
        let name = self.role.as_deref();
        name.is_some_and(|name| name.eq_ignore_ascii_case(role))
    }

    /// The player of each role: as assigned; chance for the role `random`, unless it is named; `default` for the others.
    ///
    /// # Errors
    /// Names a role that the game does not have.
    pub fn deal(
        assigned: &[Self],
        roles: &[String],
        default: &Spec,
    ) -> Result<Vec<Spec>, SpecError> {
        let for_all = assigned.iter().rfind(|one| one.role.is_none());
        let default = for_all.map_or(default, |one| &one.spec);
        let of_role = |role: &String| match is_chance(role) {
            true => Spec::Random { seed: None },
            false => default.clone(),
        };
        let mut specs: Vec<Spec> = roles.iter().map(of_role).collect();
        for Self { role, spec } in assigned {
            if let Some(role) = role {
                specs[role_number(role, roles)?] = spec.clone();
            }
        }
        Ok(specs)
    }

    /// Checks that everyone who was assigned has a role to play; `person` is the role of the person at the keyboard.
    ///
    /// # Errors
    /// Says who has none.
    pub fn check_all_play(
        assigned: &[Self],
        roles: &[String],
        person: Option<usize>,
    ) -> Result<(), SpecError> {
        let is_named = |role: &str| assigned.iter().any(|one| one.names(role));
        let is_taken = |(number, role): (usize, &String)| {
            is_chance(role) || is_named(role) || person == Some(number)
        };
        let is_full = roles.iter().enumerate().all(is_taken);
        for one in assigned.iter().filter(|one| one.spec != Spec::Human) {
            let spec = &one.spec;
            let message = match person.map(|person| &roles[person]) {
                Some(role) if one.names(role) => {
                    format!("`{role}` is your role, and cannot be played by `{spec}`, too")
                }
                _ if one.role.is_none() && is_full => {
                    format!("no role is left for `{spec}` to play")
                }
                _ => continue,
            };
            let help = format!("the roles are {}", roles.join(", "));
            return Err(SpecError::new(message, help));
        }
        Ok(())
    }
}

/// The number of the role that a person named.
///
/// # Errors
/// Lists the roles.
pub fn role_number(asked: &str, roles: &[String]) -> Result<usize, SpecError> {
    let exact = roles.iter().position(|role| role == asked);
    let tolerant = || {
        roles
            .iter()
            .position(|role| role.eq_ignore_ascii_case(asked))
    };
    exact.or_else(tolerant).ok_or_else(|| {
        let names: Vec<&str> = roles.iter().map(String::as_str).collect();
        let all = format!("the roles are {}", names.join(", "));
        let help = match most_similar(asked, names) {
            Some(similar) => format!("did you mean `{similar}`? {all}"),
            None => all,
        };
        SpecError::new(format!("the game has no role `{asked}`"), help)
    })
}
