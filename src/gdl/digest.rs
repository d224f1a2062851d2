//! What rules say, in a few bytes: files that belong to rules name them by it.

use sha2::{Digest, Sha256};

use crate::kif::parse;

/// The SHA-256 of a rule text, in 64 hexadecimal digits. Comments, white space, the order of rules and repeated rules make no
/// difference.
pub fn rules_digest(text: &str) -> String {
    let parsed = parse(text);
    let mut rules: Vec<String> = parsed.sexprs.iter().map(ToString::to_string).collect();
    rules.sort_unstable();
    rules.dedup();
    let mut hash = Sha256::new();
    for rule in rules {
        hash.update(rule);
        hash.update("\n");
    }
    let bytes = hash.finalize();
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_makes_no_difference_and_rules_do() {
        let digest = rules_digest("(role a) ; who plays\n(init (at 1))");
        assert_eq!(digest.len(), 64);
        assert_eq!(digest, rules_digest("(init\n  (at 1))(role  a)(role a)"));
        assert_ne!(digest, rules_digest("(role a) (init (at 2))"));
    }
}
