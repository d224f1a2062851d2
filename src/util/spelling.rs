//! How far a name is from another one that may have been meant.

use strsim::damerau_levenshtein;

/// Names longer than this are not compared: the comparison takes time quadratic in their length.
const LONGEST: usize = 64;

/// One slip (a wrong, missing, surplus or swapped letter) is allowed for this many letters of the shorter name.
const LETTERS_PER_SLIP: usize = 3;

/// The number of slips between two different names, if it is small for their length. Case does not count.
pub fn spelling_distance(one: &str, other: &str) -> Option<usize> {
    let (short, long) = if one.len() < other.len() {
        (one, other)
    } else {
        (other, one)
    };
    let slips = short.len() / LETTERS_PER_SLIP;
    if one == other || long.len() > LONGEST || long.len() - short.len() > slips {
        return None;
    }
    let distance = damerau_levenshtein(&one.to_lowercase(), &other.to_lowercase());
    (distance <= slips).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::spelling_distance;

    #[test]
    fn slips_are_counted_in_proportion_to_the_length() {
        assert_eq!(spelling_distance("control", "contorl"), Some(1));
        assert_eq!(spelling_distance("Control", "controll"), Some(1));
        assert_eq!(spelling_distance("x", "o"), None);
        assert_eq!(spelling_distance("chess", "checkers"), None);
        assert_eq!(spelling_distance("same", "same"), None);
    }
}
