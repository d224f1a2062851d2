//! Files of this program that are not text: their first lines, and the checksum at their end.

use sha2::{Digest, Sha256};

/// The bytes of a checksum, which is a SHA-256.
pub(crate) const CHECKSUM: usize = 32;

/// Appends the checksum of all that is there.
pub(crate) fn add_checksum(bytes: &mut Vec<u8>) {
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
}

/// What comes before the checksum; `None` where that is wrong.
pub(crate) fn without_checksum(bytes: &[u8]) -> Option<&[u8]> {
    let (checked, checksum) = bytes.split_at_checked(bytes.len().checked_sub(CHECKSUM)?)?;
    (Sha256::digest(checked)[..] == *checksum).then_some(checked)
}

/// The first line, without its end, and what comes after it.
pub(crate) fn first_line(bytes: &[u8]) -> Option<(&str, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    Some((str::from_utf8(&bytes[..end]).ok()?, &bytes[end + 1..]))
}
