//! What a word means, shown beside it.

mod words;

use std::fmt::Write;

use tower_lsp_server::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use crate::gdl::TupleKind;
use crate::lsp::describe::{
    argument_labels, argument_values, counted, kind_name, lines, listed, tuple_form,
};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{Occurrence, RuleGroup, RulePart, TupleKey, WordClass};
use crate::lsp::keywords::keyword_help;
use crate::lsp::knowledge::RowSample;
use crate::lsp::references::defining_words;

/// What is known of the word at a position.
pub(super) fn hover(view: &DocumentView, position: Position) -> Option<Hover> {
    let document = &view.document;
    let word = document.index().word_at(document.offset(position))?;
    let value = match (word.class, word.tuple) {
        (WordClass::Keyword, _) => about_keyword(view, word)?,
        (WordClass::Variable, _) => words::about_variable(view, word),
        (_, Some(tuple)) => about_tuple(view, word, tuple)?,
        (_, None) => words::about_term(view, word),
    };
    Some(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value,
        }),
        range: Some(document.range(word.span)),
    })
}

fn about_keyword(view: &DocumentView, word: &Occurrence) -> Option<String> {
    let index = view.document.index();
    let help = keyword_help(index.name(word.name))?;
    let mut text = format!("```kif\n{}\n```\n{}", help.form, help.meaning);
    let rules = lines(view, &defining_words(index, word));
    if word.tuple.is_some() && !rules.is_empty() {
        write!(text, "\n\nDerived in {rules}.").ok();
    }
    Some(text)
}

fn about_tuple(view: &DocumentView, word: &Occurrence, tuple: u32) -> Option<String> {
    let index = view.document.index();
    let key = *index.tuple(tuple)?;
    let mut text = format!(
        "```kif\n{}\n```\n{}",
        tuple_form(index, tuple),
        kind_name(key.kind)
    );
    let defining = defining_words(index, word);
    let derives = |other: &&&Occurrence| other.part == RulePart::Head && other.tuple == Some(tuple);
    let rules: Vec<&Occurrence> = defining.iter().filter(derives).copied().collect();
    if let Some(comment) = comment(view, &rules) {
        write!(text, "\n\n{comment}").ok();
    }
    text.push_str(&arguments(view, tuple, &key));
    text.push_str(&derivation(view, &rules));
    text.push_str(&readers(view, word, tuple));
    text.push_str(&rows(view, &key, &rules));
    Some(text)
}

/// The comment above the first rule, without its semicolons.
fn comment(view: &DocumentView, rules: &[&Occurrence]) -> Option<String> {
    let document = &view.document;
    let span = document.index().form_of(rules.first()?).comment?;
    let lines = document.slice(span).lines();
    let lines: Vec<&str> = lines
        .map(|line| line.trim().trim_start_matches(';').trim())
        .collect();
    Some(lines.join("  \n"))
}

fn arguments(view: &DocumentView, tuple: u32, key: &TupleKey) -> String {
    let mut text = String::new();
    let labels = argument_labels(view.document.index(), tuple);
    for (argument, label) in labels.iter().enumerate() {
        if let Some(values) = argument_values(view, key, argument) {
            write!(text, "\n- `{label}`: {}", listed(values)).ok();
        }
    }
    if text.is_empty() {
        text
    } else {
        format!("\n{text}")
    }
}

fn derivation(view: &DocumentView, rules: &[&Occurrence]) -> String {
    let index = view.document.index();
    let is_rule = |word: &&&Occurrence| index.form_of(word).is_rule;
    let (rules, facts): (Vec<_>, Vec<_>) = rules.iter().partition(is_rule);
    let part = |words: &[&Occurrence], thing: &str| match words.len() {
        0 => None,
        count => Some(format!("{}: {}", counted(count, thing), lines(view, words))),
    };
    let parts = [part(&rules, "rule"), part(&facts, "fact")];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.is_empty() {
        true => "\n\nNo rule derives it.".to_owned(),
        false => format!("\n\n{}.", parts.join("; ")),
    }
}

/// The groups of rules that ask for a tuple.
fn readers(view: &DocumentView, word: &Occurrence, tuple: u32) -> String {
    let index = view.document.index();
    let uses = index.same_meaning(word);
    let asking = |other: &&&Occurrence| other.part != RulePart::Head && other.tuple == Some(tuple);
    let asking: Vec<&Occurrence> = uses.iter().filter(asking).copied().collect();
    if asking.is_empty() {
        return "\n\nNo rule reads it.".to_owned();
    }
    let mut groups: Vec<RuleGroup> = asking
        .iter()
        .map(|word| index.form_of(word).group)
        .collect();
    groups.sort_unstable();
    groups.dedup();
    let groups: Vec<&str> = groups.into_iter().map(group_name).collect();
    format!(
        "\n\nRead by {}: {}.",
        groups.join(", "),
        lines(view, &asking)
    )
}

fn group_name(group: RuleGroup) -> &'static str {
    match group {
        RuleGroup::Roles => "`role`",
        RuleGroup::Possible => "`base` and `input`",
        RuleGroup::Init => "`init`",
        RuleGroup::Legal => "`legal`",
        RuleGroup::Next => "`next`",
        RuleGroup::Terminal => "`terminal`",
        RuleGroup::Goal => "`goal`",
        RuleGroup::Other => "other relations",
    }
}

/// How much of it holds, if that is known.
fn rows(view: &DocumentView, key: &TupleKey, rules: &[&Occurrence]) -> String {
    let index = view.document.index();
    let name = index.name(key.name);
    let arity = key.arity.map(|arity| arity as usize);
    let found = match key.kind {
        TupleKind::Relation => arity
            .and_then(|arity| view.knowledge.rows(name, arity))
            .map(|rows| (rows, "in every position")),
        TupleKind::Fact => view
            .knowledge
            .initial(name, arity)
            .map(|rows| (rows, "in the initial state")),
        TupleKind::Move => None,
    };
    if let Some((rows, when)) = found {
        return sample(rows, when);
    }
    let depends =
        key.kind == TupleKind::Relation && rules.iter().any(|word| index.form_of(word).is_rule);
    match depends && view.knowledge.is_derived {
        true => "\n\nDepends on the state.".to_owned(),
        false => String::new(),
    }
}

fn sample(rows: &RowSample, when: &str) -> String {
    let holds = if rows.count == 1 { "holds" } else { "hold" };
    let more = if rows.count > rows.examples.len() {
        "\n…"
    } else {
        ""
    };
    format!(
        "\n\n{} {holds} {when}:\n```kif\n{}{more}\n```",
        counted(rows.count, "row"),
        rows.examples.join("\n")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, view_at};

    fn text_at(marked: &str) -> String {
        let text = GAME.replacen(&marked.replace('|', ""), marked, 1);
        let (view, position) = view_at(&text);
        match hover(&view, position).unwrap().contents {
            HoverContents::Markup(content) => content.value,
            _ => panic!("markdown"),
        }
    }

    #[test]
    fn keywords_are_explained() {
        insta::assert_snapshot!(text_at("(leg|al ?p (mark"), @r#"
        ```kif
        (legal <player> <move>)
        ```
        role `p` may make the move `m`

        Derived in lines 17, 20.
        "#);
        insta::assert_snapshot!(text_at("(dis|tinct"), @r#"
        ```kif
        (distinct <term> <term>)
        ```
        the two terms differ
        "#);
    }

    #[test]
    fn relations_show_their_comment_rules_and_rows() {
        insta::assert_snapshot!(text_at("(af|ter ?q ?p)"), @r#"
        ```kif
        (after ?q ?p)
        ```
        relation

        who follows whom

        - `?q`: `o`, `x`
        - `?p`: `o`, `x`

        2 facts: lines 7, 8.

        Read by `legal`, `next`: lines 22, 32.

        2 rows hold in every position:
        ```kif
        (after o x)
        (after x o)
        ```
        "#);
        insta::assert_snapshot!(text_at("(not op|en)"), @r#"
        ```kif
        open
        ```
        relation

        some square is blank

        1 rule: line 35.

        Read by `terminal`: line 39.

        Depends on the state.
        "#);
    }

    #[test]
    fn facts_and_moves_show_what_may_stand_in_them() {
        insta::assert_snapshot!(text_at("(true (ce|ll ?n b)"), @r#"
        ```kif
        (cell ?n ?p)
        ```
        fact of the state

        - `?n`: `1`, `2`, `3`
        - `?p`: `b`, `o`, `x`

        3 rules: lines 14, 24, 26.

        Read by `legal`, `next`, `goal`, other relations: lines 19, 27, 36, 41, 45.

        3 rows hold in the initial state:
        ```kif
        (cell 1 b)
        (cell 2 b)
        (cell 3 b)
        ```
        "#);
        insta::assert_snapshot!(text_at("(does ?p (ma|rk ?n)"), @r#"
        ```kif
        (mark ?n)
        ```
        move

        - `?n`: `1`, `2`, `3`

        1 rule: line 17.

        Read by `next`: lines 25, 28.
        "#);
    }

    #[test]
    fn variables_show_where_they_are_bound() {
        insta::assert_snapshot!(text_at("(does ?p (mark ?|m)"), @r#"
        ```kif
        ?m
        ```
        variable

        Bound in line 28.

        Values: `1`, `2`, `3`.
        "#);
    }

    #[test]
    fn constants_show_where_they_are_used() {
        insta::assert_snapshot!(text_at("(role |x"), @r#"
        ```kif
        x
        ```
        role

        4 uses:
        - argument 1 of `(role ?player)`: 1
        - argument 1 of `(after ?q ?p)`: 1
        - argument 2 of `(after ?q ?p)`: 1
        - argument 1 of `(control ?p)`: 1
        "#);
    }
}
