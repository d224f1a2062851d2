//! The move that a person means.

/// Why no single move is meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum NotFound {
    /// None of them.
    Nothing,
    /// These, by their places.
    Several(Vec<usize>),
}

/// The place among `legal` of the move that a person means: its text, with or without parentheses, in any spacing and
/// case, with any marks or none between its words, or so much of its beginning that no other move is meant; the first
/// word may be left out.
///
/// # Errors
/// [`NotFound`].
pub(super) fn find_move(text: &str, legal: &[String]) -> Result<usize, NotFound> {
    let wanted = Spelling::of(text);
    if wanted.letters.is_empty() {
        return Err(NotFound::Nothing);
    }
    let all: Vec<Spelling> = legal.iter().map(|mv| Spelling::of(mv)).collect();
    let arguments: Vec<Spelling> = all.iter().map(Spelling::arguments).collect();
    for (is_meant, moves) in WAYS
        .iter()
        .flat_map(|is_meant| [(is_meant, &all), (is_meant, &arguments)])
    {
        let places = (0..moves.len()).filter(|&place| is_meant(&wanted, &moves[place]));
        match places.collect::<Vec<_>>()[..] {
            [] => {}
            [only] => return Ok(only),
            ref several => return Err(NotFound::Several(several.to_vec())),
        }
    }
    Err(NotFound::Nothing)
}

/// The place of the only move whose words behind the first one are these digits, as `22` means `(mark 2 2)`.
pub(super) fn find_by_digits(digits: &str, legal: &[String]) -> Option<usize> {
    let is_meant = |mv: &String| Spelling::of(mv).arguments().letters == digits;
    let mut places = (0..legal.len()).filter(|&place| is_meant(&legal[place]));
    let first = places.next()?;
    places.next().is_none().then_some(first)
}

/// The places of the moves that begin as `text` does, with or without their first word; where none does, of those that
/// have its words one after the other, the last of which may be cut short.
pub fn moves_like(text: &str, legal: &[String]) -> Vec<usize> {
    let wanted = Spelling::of(text);
    // All begin so; thousands need not be spelled for it.
    if wanted.letters.is_empty() {
        return (0..legal.len()).collect();
    }
    let all: Vec<Spelling> = legal.iter().map(|mv| Spelling::of(mv)).collect();
    let begins = |mv: &Spelling| {
        let arguments = mv.arguments();
        [mv, &arguments]
            .iter()
            .any(|mv| mv.letters.starts_with(&wanted.letters))
    };
    let places = |is_meant: &dyn Fn(&Spelling) -> bool| -> Vec<usize> {
        let places = (0..all.len()).filter(|&place| is_meant(&all[place]));
        places.collect()
    };
    match places(&begins) {
        none if none.is_empty() => places(&|mv| wanted.is_part_of(mv)),
        some => some,
    }
}

/// Whether a text that was typed means a move, the strictest way first.
const WAYS: &[fn(&Spelling, &Spelling) -> bool] = &[
    |typed, mv| typed.words == mv.words,
    Spelling::begins,
    |typed, mv| typed.pieces == mv.pieces,
    |typed, mv| typed.letters == mv.letters,
    |typed, mv| !typed.without_x.is_empty() && typed.without_x == mv.letters,
    |typed, mv| mv.letters.starts_with(&typed.letters),
];

/// A move in the ways in which it may be written.
#[derive(Debug, Default)]
struct Spelling {
    /// Words between blanks, parentheses and commas.
    words: Vec<String>,
    /// Words between any marks: `11-15` has two.
    pieces: Vec<String>,
    /// Letters and digits alone.
    letters: String,
    /// The same without an `x` between two squares, as in `c3xd4`.
    without_x: String,
}

impl Spelling {
    fn of(text: &str) -> Self {
        let text = text.to_lowercase();
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ','));
        let words = words.filter(|word| !word.is_empty());
        Self::of_words(words.map(str::to_owned).collect())
    }

    fn of_words(words: Vec<String>) -> Self {
        let pieces = words
            .iter()
            .flat_map(|word| word.split(|c: char| !c.is_alphanumeric()))
            .filter(|piece| !piece.is_empty());
        let pieces: Vec<String> = pieces.map(str::to_owned).collect();
        let letters = pieces.concat();
        Self {
            without_x: without_x(&letters),
            letters,
            pieces,
            words,
        }
    }

    /// All but the first word.
    fn arguments(&self) -> Self {
        Self::of_words(self.words.get(1..).unwrap_or_default().to_vec())
    }

    /// Whether `mv` has these words one after the other behind its first one, the last of which may be cut short.
    fn is_part_of(&self, mv: &Self) -> bool {
        let mut rests = (1..mv.words.len()).map(|from| Self::of_words(mv.words[from..].to_vec()));
        let is_start = |rest: Self| rest.letters.starts_with(&self.letters);
        !self.letters.is_empty() && rests.any(is_start)
    }

    /// Whether `mv` begins with these words, the last of which may be cut short.
    fn begins(&self, mv: &Self) -> bool {
        let Some((last, before)) = self.words.split_last() else {
            return false;
        };
        mv.words.len() >= self.words.len()
            && mv.words[..before.len()] == *before
            && mv.words[before.len()].starts_with(last.as_str())
    }
}

/// Drops each `x` behind a digit; nothing if there is none.
fn without_x(letters: &str) -> String {
    let before = std::iter::once(' ').chain(letters.chars());
    let kept = before
        .zip(letters.chars())
        .filter(|(before, c)| !(*c == 'x' && before.is_ascii_digit()));
    let kept: String = kept.map(|(_, c)| c).collect();
    if kept.len() < letters.len() {
        kept
    } else {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn legal() -> Vec<String> {
        let texts = [
            "(mark 1 1)",
            "(mark 1 2)",
            "(mark 10 3)",
            "(move a 1 b 2)",
            "(move c 3 d 4)",
            "noop",
            "(jump 11 15)",
            "(jump 1 115)",
            "(set-up x)",
        ];
        texts.map(str::to_owned).to_vec()
    }

    #[test]
    fn moves_are_found_in_many_guises() {
        for (text, place) in [
            ("(mark 1 2)", 1),
            ("( MARK  1 2", 1),
            ("mark 1 2", 1),
            ("mark 10", 2),
            ("move a 1", 3),
            ("a1", 3),
            ("a1b2", 3),
            ("c3-d4", 4),
            ("c3 d4", 4),
            ("c3xd4", 4),
            ("C3:D4", 4),
            ("move c3", 4),
            ("n", 5),
            ("1 2", 1),
            ("11-15", 6),
            ("1-115", 7),
            ("setup", 8),
        ] {
            assert_eq!(find_move(text, &legal()), Ok(place), "{text}");
        }
    }

    #[test]
    fn digits_stand_for_words() {
        assert_eq!(find_by_digits("12", &legal()), Some(1));
        assert_eq!(find_by_digits("103", &legal()), Some(2));
        assert_eq!(find_by_digits("10", &legal()), None, "not for a part");
        assert_eq!(find_by_digits("1115", &legal()), None, "two moves");
    }

    #[test]
    fn what_is_no_single_move_is_told() {
        let fault = |text: &str| find_move(text, &legal()).unwrap_err();
        assert_eq!(fault("mark 1"), NotFound::Several(vec![0, 1, 2]));
        assert_eq!(fault("11x15"), NotFound::Several(vec![6, 7]));
        for text in ["()", "", "-", "pass", "mark 9", "d4c3"] {
            assert_eq!(fault(text), NotFound::Nothing, "{text}");
        }
    }

    #[test]
    fn moves_are_found_by_their_beginning_or_a_part() {
        assert_eq!(moves_like("mark", &legal()), [0, 1, 2]);
        assert_eq!(moves_like("c", &legal()), [4]);
        assert_eq!(moves_like("", &legal()).len(), legal().len());
        assert_eq!(moves_like("d 4", &legal()), [4]);
        assert_eq!(moves_like("b2", &legal()), [3]);
        assert_eq!(moves_like("15", &legal()), [6]);
        assert_eq!(moves_like("2", &legal()), [1, 3]);
        assert!(moves_like("zz", &legal()).is_empty());
    }
}
