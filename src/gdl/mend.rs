//! Applying the fixes of findings, again and again until none is left.

use rustc_hash::FxHashMap;

use crate::gdl::Checked;
use crate::kif::{Diagnostic, Edit, Fix, Span, apply};

/// Which fixes are applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FixKinds {
    /// Those that keep the meaning, or are the only reading.
    Safe,
    /// Guesses, too: of each finding the likeliest that makes it go away and brings no error.
    All,
}

/// A fix that was applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AppliedFix {
    /// The code of the finding.
    pub code: &'static str,
    /// What was done.
    pub title: String,
    /// Where the finding was, in the text as it was at first.
    pub span: Span,
}

/// A text after fixes.
#[derive(Debug, Clone)]
pub struct Mended {
    /// What it is now.
    pub text: String,
    /// What was done, in the order of the places.
    pub applied: Vec<AppliedFix>,
    /// What there is to say about it now.
    pub checked: Checked,
}

/// How often a text is checked at most.
const MOST_ROUNDS: usize = 200;

/// Applies the fixes of these `kinds` that `check` gives to its findings.
///
/// Safe fixes are applied together, guesses one at a time, since two guesses may be about the same mistake.
pub fn mend(text: &str, kinds: FixKinds, check: impl Fn(&str) -> Checked) -> Mended {
    let mut mending = Mending {
        mended: Mended {
            text: text.to_owned(),
            applied: Vec::new(),
            checked: check(text),
        },
        edits: Vec::new(),
    };
    let mut rounds = 0;
    while rounds < MOST_ROUNDS && mending.apply_safe(&check) {
        rounds += 1;
    }
    while kinds == FixKinds::All && rounds < MOST_ROUNDS && mending.apply_guess(&check) {
        rounds += 1;
    }
    let mut mended = mending.mended;
    mended.applied.sort_by_key(|fix| fix.span);
    mended
}

/// A finding with one of its fixes.
type Chosen = (&'static str, Span, Fix);

struct Mending {
    mended: Mended,
    /// What was changed in each step so far.
    edits: Vec<Vec<Edit>>,
}

impl Mending {
    /// Applies every safe fix that does not touch another; whether there was one.
    fn apply_safe(&mut self, check: &impl Fn(&str) -> Checked) -> bool {
        let mut edits: Vec<Edit> = Vec::new();
        let mut chosen: Vec<Chosen> = Vec::new();
        for finding in &self.mended.checked.diagnostics {
            let fix = finding.fixes.iter().find(|fix| fix.safe);
            if let Some(fix) = fix.filter(|fix| !touches(&fix.edits, &edits)) {
                edits.extend(fix.edits.iter().cloned());
                chosen.push((finding.code, finding.span, fix.clone()));
            }
        }
        edits.sort();
        let Some(text) = apply(&self.mended.text, &edits).filter(|_| !chosen.is_empty()) else {
            return false;
        };
        let checked = check(&text);
        if brings_errors(&self.mended.checked, &checked) {
            return false;
        }
        self.take(text, checked, chosen, edits);
        true
    }

    /// Applies the first fix that makes its finding go away; whether there was one. Removals come last: what nothing uses
    /// may be used once the names are right.
    fn apply_guess(&mut self, check: &impl Fn(&str) -> Checked) -> bool {
        let findings = self.mended.checked.diagnostics.clone();
        let fixes = findings.iter().flat_map(|finding| {
            let fixes = finding.fixes.iter();
            fixes.map(move |fix| (finding, fix))
        });
        let (removals, others): (Vec<_>, Vec<_>) = fixes.partition(|(_, fix)| removes_only(fix));
        for (finding, fix) in others.into_iter().chain(removals) {
            let Some(text) = apply(&self.mended.text, &fix.edits) else {
                continue;
            };
            let checked = check(&text);
            let went = count(&checked.diagnostics, finding) < count(&findings, finding);
            if went && !brings_errors(&self.mended.checked, &checked) {
                let chosen = vec![(finding.code, finding.span, fix.clone())];
                self.take(text, checked, chosen, fix.edits.clone());
                return true;
            }
        }
        false
    }

    fn take(&mut self, text: String, checked: Checked, chosen: Vec<Chosen>, edits: Vec<Edit>) {
        let applied = chosen.into_iter().map(|(code, span, fix)| AppliedFix {
            code,
            title: fix.title,
            span: self.at_first(span),
        });
        let applied: Vec<AppliedFix> = applied.collect();
        self.mended.applied.extend(applied);
        self.mended.text = text;
        self.mended.checked = checked;
        self.edits.push(edits);
    }

    /// Where a place of the text as it is now was at first.
    fn at_first(&self, span: Span) -> Span {
        let back = |offset| {
            self.edits
                .iter()
                .rev()
                .fold(offset, |at, edits| before(at, edits))
        };
        Span::new(back(span.start), back(span.end))
    }
}

/// Where a place was before edits, which are in the order of the text.
fn before(offset: usize, edits: &[Edit]) -> usize {
    let (mut added, mut removed) = (0, 0);
    for Edit { span, text } in edits {
        let start = span.start + added - removed;
        if offset < start {
            break;
        }
        if offset < start + text.len() {
            return span.start;
        }
        added += text.len();
        removed += span.end - span.start;
    }
    offset + removed - added
}

fn removes_only(fix: &Fix) -> bool {
    fix.edits.iter().all(|edit| edit.text.is_empty())
}

fn touches(edits: &[Edit], others: &[Edit]) -> bool {
    let apart = |one: &Span, other: &Span| one.end <= other.start || other.end <= one.start;
    let is_apart = |edit: &Edit| others.iter().all(|other| apart(&edit.span, &other.span));
    !edits.iter().all(is_apart)
}

/// How many findings say the same.
fn count(findings: &[Diagnostic], like: &Diagnostic) -> usize {
    let same = |one: &&Diagnostic| one.code == like.code && one.message == like.message;
    findings.iter().filter(same).count()
}

/// Whether there are more errors of some kind.
fn brings_errors(before: &Checked, after: &Checked) -> bool {
    let errors = |checked: &Checked| {
        let mut errors: FxHashMap<&str, usize> = FxHashMap::default();
        for error in checked.diagnostics.iter().filter(|one| one.is_error()) {
            *errors.entry(error.code).or_default() += 1;
        }
        errors
    };
    let (old, new) = (errors(before), errors(after));
    new.iter()
        .any(|(code, count)| old.get(code).unwrap_or(&0) < count)
}

#[cfg(test)]
mod tests {
    use super::{FixKinds, before, mend};
    use crate::gdl::load;
    use crate::gdl::tests::GAME;
    use crate::kif::{Edit, Span};

    /// What is done with a game and `extra`, as `CODE OFFSET` counted from the beginning of `extra`, and what it becomes.
    fn mended(extra: &str, kinds: FixKinds) -> (String, Vec<String>) {
        let mended = mend(&format!("{GAME}{extra}"), kinds, load);
        let applied = mended.applied.iter();
        let applied = applied.map(|fix| format!("{} {}", fix.code, fix.span.start - GAME.len()));
        (mended.text[GAME.len()..].to_owned(), applied.collect())
    }

    #[test]
    fn safe_fixes_are_applied_together() {
        let (text, applied) = mended(
            "(init x)\n(init x)\n(<= (next x))\n(<= (goal r 1) (true (s 1)) not (true x))\n",
            FixKinds::Safe,
        );
        assert_eq!(
            text,
            "(init x)\n(next x)\n(<= (goal r 1) (true (s 1)) (not (true x)))\n"
        );
        assert_eq!(
            applied,
            ["duplicate-rule 9", "empty-body 18", "lone-connective 60"]
        );
    }

    #[test]
    fn guesses_are_left_alone_unless_asked_for() {
        let text = "(<= (next x) (treu x))\n";
        assert_eq!(mended(text, FixKinds::Safe), (text.to_owned(), Vec::new()));
        let (text, applied) = mended(text, FixKinds::All);
        assert_eq!(text, "(<= (next x) (true x))\n");
        assert_eq!(applied, ["undefined-relation 13"]);
    }

    #[test]
    fn habits_of_other_languages_are_mended() {
        for (text, meant) in [
            ("(next x <= (true x))\n", "(<= (next x) (true x))\n"),
            ("((next x) :- (true x))\n", "(<= (next x) (true x))\n"),
            (
                "# as (init x)\n(<= (next x) (true x))\n",
                "; # as (init x)\n(<= (next x) (true x))\n",
            ),
        ] {
            assert_eq!(mended(text, FixKinds::All).0, meant, "{text}");
        }
    }

    #[test]
    fn a_mistake_seen_from_both_ends_is_mended_once() {
        let text = "(init (contrl x)) (<= (next (mark x)) (true (control x)) (true (mark x)))\n";
        let (text, _) = mended(text, FixKinds::All);
        let count = |word| text.matches(word).count();
        assert!(count("(contrl ") == 2 || count("(control ") == 2, "{text}");
    }

    #[test]
    fn places_are_those_of_the_text_at_first() {
        let edit = |start, end, text: &str| Edit {
            span: Span::new(start, end),
            text: text.to_owned(),
        };
        let edits = [edit(2, 4, ""), edit(6, 6, "xyz")];
        // "0123456789" → "0145xyz6789"
        let places: Vec<usize> = (0..11).map(|offset| before(offset, &edits)).collect();
        assert_eq!(places, [0, 1, 4, 5, 6, 6, 6, 6, 7, 8, 9]);
    }
}
