//! Patterns with `*` and `?`, as shells have them.

/// Whether all of `text` matches `pattern`: `*` stands for any characters, `?` for one.
///
/// Remembers the last `*` only, which is enough, so that no pattern takes longer than the product of the lengths.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        if pattern.get(p) == Some(&'*') {
            star = Some((p + 1, t));
            p += 1;
        } else if pattern.get(p).is_some_and(|&c| c == '?' || c == text[t]) {
            (p, t) = (p + 1, t + 1);
        } else if let Some((after, from)) = star {
            star = Some((after, from + 1));
            (p, t) = (after, from + 1);
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|&c| c == '*')
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn stars_and_question_marks() {
        for (pattern, text) in [
            ("ggp__*", "ggp__chess"),
            ("*chess*", "ggp__chess_v1"),
            ("?gp*", "ggp"),
            ("*a*b", "aabab"),
            ("", ""),
        ] {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [
            ("chess", "chess2"),
            ("*x", "chess"),
            ("?", ""),
            ("a*b", "ac"),
        ] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
