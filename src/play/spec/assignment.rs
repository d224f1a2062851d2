//! Which player takes which role.

use std::str::FromStr;

use super::{Spec, SpecError, with_colon};
use crate::catalog::most_similar;

/// `ROLE=SPEC`, or a bare `SPEC` for every role not named.
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
    /// Whether it names this role, spelt in whatever case.
    pub fn names(&self, role: &str) -> bool {
        let name = self.role.as_deref();
        name.is_some_and(|name| name.eq_ignore_ascii_case(role))
    }

    /// The player of each role: as assigned, the last word counts; `default` for the others.
    ///
    /// # Errors
    /// Names a role that the game does not have.
    pub fn deal(
        assigned: &[Self],
        roles: &[String],
        default: &Spec,
    ) -> Result<Vec<Spec>, SpecError> {
        let bare = assigned
            .iter()
            .rfind(|assignment| assignment.role.is_none());
        let default = bare.map_or(default, |assignment| &assignment.spec);
        let mut specs = vec![default.clone(); roles.len()];
        for Self { role, spec } in assigned {
            if let Some(role) = role {
                specs[role_number(role, roles)?] = spec.clone();
            }
        }
        Ok(specs)
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
