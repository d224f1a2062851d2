//! Values per role, in the order of the roles.

use serde::{Serialize, Serializer};

use crate::cli::failure::Failure;
use crate::game::Role;

/// The role of a name.
pub(super) fn role_named(roles: &[String], name: &str) -> Result<Role, Failure> {
    let place = roles.iter().position(|role| role == name);
    place.map(Role).ok_or_else(|| {
        Failure::usage(format!("there is no role `{name}`"))
            .with_help(format!("the roles are {}", roles.join(", ")))
    })
}

/// A JSON object with a field per role.
#[derive(Debug)]
pub(super) struct ByRole<T>(pub(super) Vec<(String, T)>);

impl<T> ByRole<T> {
    /// One value for each role.
    pub(super) fn new(roles: &[String], values: impl IntoIterator<Item = T>) -> Self {
        Self(roles.iter().cloned().zip(values).collect())
    }
}

impl<T: Serialize> Serialize for ByRole<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(role, value)| (role, value)))
    }
}
