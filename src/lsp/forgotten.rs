//! Rules that authors forget: what a player does who is not in control, and what keeps facts that do not change.

use crate::gdl::TupleKind;
use crate::kif::{Span, format, parse};
use crate::lsp::describe::argument_labels;
use crate::lsp::document::{DocumentView, RuleDocument};
use crate::lsp::index::{DocumentIndex, Occurrence, RuleGroup, RulePart, TopForm, WordClass};

/// Rules to add to a document.
pub(super) struct AddedRule {
    /// What they do, as an instruction.
    pub(super) title: String,
    /// Behind which byte they belong.
    pub(super) place: usize,
    pub(super) text: String,
}

/// What can be added to the form at an offset.
pub(super) fn forgotten_rule(view: &DocumentView, offset: usize) -> Option<AddedRule> {
    let form = view.document.index().form_at(offset)?;
    match form.group {
        RuleGroup::Roles | RuleGroup::Legal => noop_rule(view.document.index(), form),
        RuleGroup::Init | RuleGroup::Next => frame_rule(view, form),
        _ => None,
    }
}

/// A `noop` for whoever is not in control, where only the player in `control` has a move.
fn noop_rule(index: &DocumentIndex, form: &TopForm) -> Option<AddedRule> {
    if index.roles().count() < 2 {
        return None;
    }
    let legal = index.forms.iter();
    let mut legal = legal.filter(|form| form.group == RuleGroup::Legal);
    if !legal.clone().all(|form| asks_for_control(index, form)) {
        return None;
    }
    let place = legal.next_back().unwrap_or(form).span.end;
    index.find_tuple(TupleKind::Fact, "control", Some(1))?;
    Some(AddedRule {
        title: "add `noop` for roles that are not in control".to_owned(),
        place,
        text: "(<= (legal ?p noop)\n    (role ?p)\n    (not (true (control ?p))))".to_owned(),
    })
}

/// Whether a rule for `legal` gives moves to the player in control only.
fn asks_for_control(index: &DocumentIndex, form: &TopForm) -> bool {
    let argument = |part, kind, name, arity| {
        let tuple = index.find_tuple(kind, name, Some(arity))?;
        let mut words = index.words_of(form).iter();
        words.find(|word| word.part == part && word.place == Some((tuple, 0)))
    };
    let player = argument(RulePart::Head, TupleKind::Relation, "legal", 2);
    let mover = argument(RulePart::Condition, TupleKind::Fact, "control", 1);
    let meaning = |word: &Occurrence| (word.class, word.name);
    player.is_some() && player.map(meaning) == mover.map(meaning)
}

/// A rule that keeps the fact of the form, unless there is one. Where a fact has one value at a time, it is kept as long as
/// no other rule gives it a new one.
fn frame_rule(view: &DocumentView, form: &TopForm) -> Option<AddedRule> {
    let document = &view.document;
    let index = document.index();
    let fact = derived_fact(index, form)?;
    let key = index.tuple(fact)?;
    let next = index.forms.iter();
    let next = next
        .filter(|other| other.group == RuleGroup::Next && derived_fact(index, other) == Some(fact));
    let next: Vec<&TopForm> = next.collect();
    if next.iter().any(|form| keeps(index, form, fact)) {
        return None;
    }
    let name = index.name(key.name);
    let labels: Vec<String> = (argument_labels(index, fact).into_iter().zip(1..))
        .map(|(label, number)| match label.as_str() {
            "_" => format!("?a{number}"),
            _ => label,
        })
        .collect();
    let kept = match key.arity {
        None => name.to_owned(),
        Some(_) => listed(name, &labels),
    };
    let is_function = key.arity.is_some_and(|arity| {
        let known = view.knowledge.has_one_value(name, arity as usize);
        known.unwrap_or(arity > 1)
    });
    let rules = match (is_function && !next.is_empty(), labels.split_last()) {
        (true, Some((_, place))) => {
            let changes = free_name(index, &format!("{name}_changes"));
            let is_kept = format!("(not {})", term(&changes, place));
            let changing: Option<String> = next
                .iter()
                .map(|form| changing_rule(document, form, &changes))
                .collect();
            format!("(<= (next {kept}) (true {kept}) {is_kept}){}", changing?)
        }
        _ => format!("(<= (next {kept}) (true {kept}))"),
    };
    Some(AddedRule {
        title: format!("add a frame rule for `{name}`, which keeps what does not change"),
        place: next.last().copied().unwrap_or(form).span.end,
        text: format(&rules).ok()?.trim_end().to_owned(),
    })
}

/// When a rule for `next` gives a fact a new value: a rule with the same conditions, for all arguments but the last.
fn changing_rule(document: &RuleDocument, form: &TopForm, changes: &str) -> Option<String> {
    let head = parse(document.slice(form.head)).sexprs;
    let [_, fact] = head.first()?.as_list()? else {
        return None;
    };
    let (_, place) = fact.as_list()?.get(1..)?.split_last()?;
    let place: Vec<String> = place.iter().map(ToString::to_string).collect();
    let changed = term(changes, &place);
    Some(match form.is_rule {
        true => {
            let conditions = document.slice(Span::new(form.head.end, form.span.end));
            format!(" (<= {changed} {conditions}")
        }
        false => format!(" {changed}"),
    })
}

/// A relation with these arguments: a bare word without any.
fn term(name: &str, arguments: &[String]) -> String {
    match arguments.is_empty() {
        true => name.to_owned(),
        false => listed(name, arguments),
    }
}

fn listed(name: &str, arguments: &[String]) -> String {
    format!("({name} {})", arguments.join(" "))
}

/// A name that no relation has.
fn free_name(index: &DocumentIndex, wish: &str) -> String {
    let is_free = |name: &String| index.uses(WordClass::Relation, name).is_empty();
    let numbered = (2..).map(|number| format!("{wish}_{number}"));
    let mut names = std::iter::once(wish.to_owned()).chain(numbered);
    names.find(is_free).unwrap_or_else(|| wish.to_owned())
}

/// The fact that a rule for `init` or `next` derives.
fn derived_fact(index: &DocumentIndex, form: &TopForm) -> Option<u32> {
    let words = index.words_of(form).iter();
    let mut heads =
        words.filter(|word| word.part == RulePart::Head && word.span.start > form.head.start);
    let is_fact = |tuple: &u32| {
        index
            .tuple(*tuple)
            .is_some_and(|key| key.kind == TupleKind::Fact)
    };
    heads.find_map(|word| word.tuple.filter(is_fact))
}

/// Whether a rule asks for the fact that it derives, with the same arguments.
fn keeps(index: &DocumentIndex, form: &TopForm, fact: u32) -> bool {
    let arguments = |part: RulePart| -> Vec<(u32, WordClass)> {
        let words = index.words_of(form).iter();
        let here = |word: &&Occurrence| {
            word.part == part && word.place.is_some_and(|(tuple, _)| tuple == fact)
        };
        words
            .filter(here)
            .map(|word| (word.name, word.class))
            .collect()
    };
    let head = arguments(RulePart::Head);
    let asked = arguments(RulePart::Condition);
    let asks = index
        .words_of(form)
        .iter()
        .any(|word| word.part == RulePart::Condition && word.tuple == Some(fact));
    asks && match head.is_empty() {
        true => true,
        false => asked.chunks(head.len()).any(|asked| asked == head),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl::load;
    use crate::lsp::fixture::{GAME, view};

    /// What is offered at the first `place`, and the findings about the text with it.
    fn check(text: &str, place: &str, expected: &str) {
        let view = view(text);
        let Some(added) = forgotten_rule(&view, text.find(place).unwrap()) else {
            return assert_eq!("", expected);
        };
        assert_eq!(added.text, expected);
        let (before, after) = text.split_at(added.place);
        let text = format!("{before}\n{}{after}", added.text);
        assert_eq!(load(&text).diagnostics, [], "{text}");
    }

    #[test]
    fn a_fact_with_one_value_is_kept_until_it_changes() {
        let frame = "(<= (next (cell ?n ?v))\n    (true (cell ?n ?v))\n    (does ?p (mark ?m))\n    (distinct ?m ?n))\n";
        let text = GAME.replace(frame, "");
        let rules = "(<= (next (cell ?n ?p))\n    (true (cell ?n ?p))\n    (not (cell_changes ?n)))\n\
            (<= (cell_changes ?n)\n    (does ?p (mark ?n)))";
        check(&text, "(init (cell", rules);
        check(&text, "(next (cell", rules);
        check(GAME, "(init (cell", "");
        let taken = text.replace("open", "cell_changes");
        let renamed = rules.replace("cell_changes", "cell_changes_2");
        check(&taken, "(init (cell", &renamed);
    }

    #[test]
    fn other_facts_are_kept_for_ever() {
        let step = "(init (step 1))\n(init (step 2))\n(<= terminal (true (step 2)))";
        let step = GAME.replace("(<= terminal\n    (not open))", step);
        let step = step.replace("(<= open\n    (true (cell ?n b)))\n", "");
        check(
            &step,
            "(init (step",
            "(<= (next (step ?a1))\n    (true (step ?a1)))",
        );
    }

    #[test]
    fn whoever_is_not_in_control_may_wait() {
        let wait = "(<= (legal ?p noop)\n    (true (control ?q))\n    (after ?q ?p))\n";
        let text = GAME.replace(wait, "");
        let rule = "(<= (legal ?p noop)\n    (role ?p)\n    (not (true (control ?p))))";
        check(&text, "(legal", rule);
        check(&text, "(role", rule);
        check(GAME, "(legal", "");
        check(&GAME.replace("noop", "wait"), "(legal", "");
    }
}
