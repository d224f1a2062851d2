//! Diagnostics as text: the line itself, a caret, what is wrong and how to correct it.

use annotate_snippets::{
    Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet,
};

use crate::kif::excerpt::{Excerpt, excerpts};
use crate::kif::{Diagnostic, LineIndex, Severity};

/// How many findings are drawn; the rest is counted.
pub const MAX_RENDERED: usize = 100;

/// Draws findings about `text`, which was read from `file_name`, in the order given.
///
/// `color` turns ANSI escape codes on. Control characters in the text and in messages are replaced.
/// Takes time linear in the length of the text and the number of findings.
pub fn render(diagnostics: &[Diagnostic], file_name: &str, text: &str, color: bool) -> String {
    let lines = LineIndex::new(text);
    let renderer = if color {
        Renderer::styled()
    } else {
        Renderer::plain()
    };
    let (shown, hidden) = diagnostics.split_at(diagnostics.len().min(MAX_RENDERED));
    let mut drawn: Vec<String> = shown
        .iter()
        .map(|diagnostic| draw(diagnostic, &visible(file_name), &lines, &renderer))
        .collect();
    drawn.extend(count(hidden));
    drawn.iter().map(|piece| format!("{piece}\n\n")).collect()
}

fn draw(diagnostic: &Diagnostic, file: &str, lines: &LineIndex<'_>, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level
        .primary_title(visible(&diagnostic.message))
        .id(diagnostic.code);
    let mut group = Group::with_title(title);
    if lines.text().is_empty() {
        group = group.element(Origin::path(file));
    }
    for excerpt in excerpts(diagnostic, lines) {
        // What a cut line is shown with cannot be counted from the line itself.
        let origin = excerpt.is_cut.then(|| origin(file, &excerpt));
        let path = (!excerpt.is_cut).then_some(file);
        group = group.elements(origin).element(snippet(excerpt).path(path));
    }
    let help = diagnostic.help.as_deref().map(visible);
    let help = help.map(|help| Element::from(Level::HELP.message(help)));
    renderer.render(&[group.elements(help)])
}

fn origin<'a>(file: &'a str, excerpt: &Excerpt) -> Origin<'a> {
    Origin::path(file)
        .line(excerpt.place.line)
        .char_column(excerpt.place.column)
}

fn snippet<'a>(excerpt: Excerpt) -> Snippet<'a, Annotation<'a>> {
    let annotations = excerpt.marks.into_iter().map(|mark| {
        let kind = match mark.is_primary {
            true => AnnotationKind::Primary,
            false => AnnotationKind::Context,
        };
        let label = (!mark.message.is_empty()).then(|| visible(&mark.message));
        kind.span(mark.range).label(label)
    });
    Snippet::source(excerpt.source)
        .line_start(excerpt.first_line)
        .annotations(annotations)
}

/// Says how much is not drawn.
fn count(hidden: &[Diagnostic]) -> Option<String> {
    let errors = hidden
        .iter()
        .filter(|diagnostic| diagnostic.is_error())
        .count();
    match (errors, hidden.len() - errors) {
        (0, 0) => None,
        (0, warnings) => Some(format!("warning: {warnings} more warnings are not shown")),
        (errors, 0) => Some(format!("error: {errors} more errors are not shown")),
        (errors, warnings) => Some(format!(
            "error: {errors} more errors and {warnings} more warnings are not shown"
        )),
    }
}

/// The text without characters that control a terminal.
fn visible(text: &str) -> String {
    text.chars().map(visible_character).collect()
}

/// The character itself, or the sign for a control character.
pub(super) fn visible_character(character: char) -> char {
    match character {
        '\u{0}'..='\u{1F}' => char::from_u32(0x2400 + u32::from(character)).unwrap_or('\u{FFFD}'),
        '\u{7F}' => '\u{2421}',
        character if character.is_control() => '\u{FFFD}',
        character => character,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;

    use super::{MAX_RENDERED, render};
    use crate::kif::{Diagnostic, Span, parse};

    fn faults(text: &str) -> String {
        render(&parse(text).diagnostics, "game.kif", text, false)
    }

    fn at(text: &str, start: usize, end: usize) -> String {
        let found = Diagnostic::error("example", Span::new(start, end), "wrong");
        render(&[found], "game.kif", text, false)
    }

    #[test]
    fn an_unclosed_list() {
        assert_snapshot!(faults(
            "(role x)\n(<= (next (cell ?x)\n    (true a)\n    b)\n"
        ));
    }

    #[test]
    fn several_mistakes() {
        assert_snapshot!(faults(
            "(<= (a))\n    (b))\n(c))\n(d\n\n\n\n\n\n\n\n(e)\n;end"
        ));
    }

    #[test]
    fn tabs_line_ends_and_wide_characters() {
        assert_snapshot!(at("ž\r\n\tžž (a)\r\nb", 10, 13));
    }

    #[test]
    fn control_characters_cannot_reach_the_terminal() {
        assert_snapshot!(at("a \u{1b}[31m \u{9b}1m \u{7f} \u{202e} b\n", 2, 7));
    }

    #[test]
    fn an_empty_text_has_no_line_to_show() {
        assert_snapshot!(at("", 0, 0));
    }

    #[test]
    fn the_end_of_the_text() {
        assert_snapshot!([at("(a)\n", 4, 4), at("(a)", 3, 3), at("\n\n", 2, 9)].join(""));
    }

    #[test]
    fn long_lines_are_cut_around_the_place() {
        let text = "(a b) ".repeat(1000);
        assert_snapshot!(
            [
                at(&text, 0, 5),
                at(&text, 3000, 3005),
                at(&text, 5994, 5999)
            ]
            .join("")
        );
    }

    #[test]
    fn a_long_line_is_cut_around_the_finding_rather_than_its_labels() {
        let text = "(a b) ".repeat(1000);
        let found = Diagnostic::warning("example", Span::new(3000, 3005), "said twice")
            .label(Span::new(0, 5), "said here");
        assert_snapshot!(render(&[found], "game.kif", &text, false));
    }

    #[test]
    fn a_finding_of_several_lines_is_marked_in_its_first() {
        assert_snapshot!(at("(<= (a)\n    (b))\n", 0, 16));
    }

    #[test]
    fn labels_and_help() {
        let text = "(role x)\n\n(role y)\n".repeat(5);
        let found = Diagnostic::warning("example", Span::new(30, 38), "said twice")
            .label(Span::new(20, 28), "said here")
            .label(Span::new(90, 94), "and here")
            .help("say it once");
        assert_snapshot!(render(&[found], "game.kif", &text, false));
    }

    #[test]
    fn colour_is_on_demand() {
        let found = [Diagnostic::error("example", Span::new(0, 1), "wrong")];
        assert!(render(&found, "f", "a", true).contains('\u{1b}'));
        assert!(!render(&found, "f", "a", false).contains('\u{1b}'));
    }

    #[test]
    fn many_findings_are_counted() {
        let error = Diagnostic::error("example", Span::at(0), "wrong");
        let warning = Diagnostic::warning("example", Span::at(0), "odd");
        let mut found = vec![error; MAX_RENDERED + 2];
        let drawn = render(&found, "f", "a", false);
        assert_eq!(drawn.matches("error[example]").count(), MAX_RENDERED);
        assert!(drawn.ends_with("error: 2 more errors are not shown\n\n"));
        found.extend(vec![warning; 3]);
        let drawn = render(&found, "f", "a", false);
        assert!(drawn.ends_with("error: 2 more errors and 3 more warnings are not shown\n\n"));
    }

    #[test]
    fn one_endless_line_is_no_trouble() {
        let text = "ž) ".repeat(500_000);
        assert!(faults(&text).len() < 100_000);
    }

    proptest! {
        #[test]
        fn any_span_of_any_text_can_be_drawn(
            text in "([(); a\t\r\nž\u{1F600}\u{1b}\u{9b}]|.){0,300}",
            places in prop::collection::vec((0..320usize, 0..320usize), 1..5),
        ) {
            let mut found = Diagnostic::error("example", Span::new(places[0].0, places[0].1), text.as_str());
            for (start, end) in &places[1..] {
                found = found.label(Span::new(*start, *end), text.as_str());
            }
            let drawn = render(&[found], &text, &text, false);
            prop_assert!(drawn.chars().all(|c| c == '\n' || !c.is_control()));
        }
    }
}
