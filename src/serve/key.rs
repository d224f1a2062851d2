//! Secrets by which callers are known.

use std::fmt;

use constant_time_eq::constant_time_eq;
use serde::{Deserialize, Serialize};

/// 128 random bits, in hexadecimal digits. Whoever has it may do what it is for.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SecretKey(String);

/// The system gives no random numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers: {0}")]
pub struct NoRandomness(getrandom::Error);

impl SecretKey {
    /// A new key.
    ///
    /// # Errors
    /// [`NoRandomness`].
    pub fn random() -> Result<Self, NoRandomness> {
        let mut bits = [0; 16];
        getrandom::fill(&mut bits).map_err(NoRandomness)?;
        Ok(Self(
            bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        ))
    }

    /// Whether this is what was given; how long that takes says nothing of the key.
    pub fn is(&self, given: &str) -> bool {
        constant_time_eq(self.0.as_bytes(), given.as_bytes())
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Never the key itself: it is to stay out of logs.
impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SecretKey")
    }
}

/// A name for a match: short, and nobody's guess.
///
/// # Errors
/// [`NoRandomness`].
pub(super) fn random_id() -> Result<String, NoRandomness> {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
    let mut bits = [0; 12];
    getrandom::fill(&mut bits).map_err(NoRandomness)?;
    let letters = bits.iter().map(|byte| LETTERS[usize::from(byte % 32)]);
    Ok(letters.map(char::from).collect())
}

/// Whether a text may be the name of a match; then it leads to no other folder.
pub(super) fn is_id(text: &str) -> bool {
    text.len() == 12 && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_differ_and_are_known_again() {
        let (one, other) = (SecretKey::random().unwrap(), SecretKey::random().unwrap());
        assert_eq!(one.as_str().len(), 32);
        assert!(one.is(one.as_str()));
        assert!(!one.is(other.as_str()) && !one.is(""));
        assert_eq!(format!("{one:?}"), "SecretKey");
    }

    #[test]
    fn names_of_matches_lead_to_no_other_folder() {
        assert!(is_id(&random_id().unwrap()));
        for other in ["", "..", "../../etc/ab", "abcdefghjkm/"] {
            assert!(!is_id(other), "{other}");
        }
    }
}
