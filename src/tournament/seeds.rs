//! Where the chance of each game comes from.

use sha2::{Digest, Sha256};

/// The seed of what has this number, among those of this `kind` and `name`, in a tournament with `seed`: the same on every machine
/// and in every version.
pub(super) fn seed_of(seed: u64, kind: &str, name: &str, number: u64) -> u64 {
    let mut hash = Sha256::new();
    hash.update(seed.to_le_bytes());
    hash.update(number.to_le_bytes());
    hash.update(kind);
    // Neither word holds it.
    hash.update([0]);
    hash.update(name);
    let digest = hash.finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&digest[..8]);
    u64::from_le_bytes(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Logs hold games that were played with these seeds.
    #[test]
    fn seeds_stay_as_they_are() {
        assert_eq!(seed_of(1, "game", "", 0), 0xef4a_de61_1985_f561);
        assert_ne!(seed_of(1, "game", "", 1), seed_of(2, "game", "", 0));
        assert_ne!(
            seed_of(1, "opening", "nim", 0),
            seed_of(1, "opening", "", 0)
        );
    }
}
