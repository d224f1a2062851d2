//! The words that rule files of other sizes are made of.

/// The letters `a`, `b`, … as names of `count` columns.
pub(super) fn letters(count: u8) -> Vec<String> {
    ('a'..='z')
        .take(usize::from(count))
        .map(String::from)
        .collect()
}

/// The last of [`letters`].
pub(super) fn last_letter(count: u8) -> char {
    char::from(b'a' + count.saturating_sub(1))
}

/// The numbers from `first` to `last`.
pub(super) fn numbers(first: u8, last: u8) -> Vec<String> {
    (first..=last).map(|number| number.to_string()).collect()
}

/// One line `(NAME one next)` for each two neighbours.
pub(super) fn chain(name: &str, names: &[String]) -> String {
    let pairs = names.windows(2);
    let facts: Vec<String> = pairs
        .map(|pair| format!("({name} {} {})", pair[0], pair[1]))
        .collect();
    facts.join("\n")
}

/// One line `(NAME THING …)` for each of `things`.
pub(super) fn facts(name: &str, things: &[String]) -> String {
    let facts: Vec<String> = things
        .iter()
        .map(|thing| format!("({name} {thing})"))
        .collect();
    facts.join("\n")
}

/// A number of things: `one piece`, `four pieces`, `13 pieces`.
pub(super) fn counted(count: u8, thing: &str) -> String {
    const SMALL: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
        "eleven", "twelve",
    ];
    let plural = if count == 1 { "" } else { "s" };
    match SMALL.get(usize::from(count)) {
        Some(word) => format!("{word} {thing}{plural}"),
        None => format!("{count} {thing}{plural}"),
    }
}

/// How many lines begin with `start`.
pub(super) fn count(text: &str, start: &str) -> Option<u8> {
    let lines = text.lines().filter(|line| line.starts_with(start));
    u8::try_from(lines.count()).ok()
}

/// The number at the end of the first line that begins with `start`, before its last parenthesis.
pub(super) fn number(text: &str, start: &str) -> Option<u8> {
    let rest = text.lines().find_map(|line| line.strip_prefix(start))?;
    rest.strip_suffix(')')?.trim_start().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_make_a_chain() {
        assert_eq!(chain("right", &letters(3)), "(right a b)\n(right b c)");
        assert_eq!(chain("succ", &numbers(0, 1)), "(succ 0 1)");
        assert_eq!(last_letter(3), 'c');
    }

    #[test]
    fn things_are_counted_in_words() {
        assert_eq!(counted(1, "point"), "one point");
        assert_eq!(counted(12, "heap"), "twelve heaps");
        assert_eq!(counted(13, "point"), "13 points");
    }

    #[test]
    fn facts_are_found_by_their_beginning() {
        let text = "(up 1 2)\n(up 2 3)\n(top 3)\n(<= (top ?x)\n";
        assert_eq!(count(text, "(up "), Some(2));
        assert_eq!(number(text, "(top "), Some(3));
        assert_eq!(number(text, "(bottom "), None);
        assert_eq!(number(text, "(up "), None);
    }
}
