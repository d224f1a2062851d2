//! The arguments of the list around the cursor.

use tower_lsp_server::ls_types::{
    Documentation, ParameterInformation, ParameterLabel, Position, SignatureHelp,
    SignatureInformation,
};

use crate::lsp::describe::{argument_labels, argument_values, kind_name, listed};
use crate::lsp::document::DocumentView;
use crate::lsp::index::{OpenTerm, cursor_at};
use crate::lsp::keywords::keyword_help;
use crate::lsp::positions::number;

/// The forms of the innermost relation, fact or move around a position, one for each number of arguments that the text
/// uses, those with enough arguments first.
pub(super) fn signature_help(view: &DocumentView, position: Position) -> Option<SignatureHelp> {
    let document = &view.document;
    let offset = document.offset(position);
    let cursor = cursor_at(&document.text, document.index(), offset)?;
    let lists = cursor.lists.iter().rev();
    let mut named = lists.filter_map(|list| Some((list, list.name?)));
    let (argument, mut signatures) = named.find_map(|(list, name)| {
        let argument = list.items.checked_sub(1)?;
        let signatures = signatures(view, list, name);
        (!signatures.is_empty()).then_some((argument, signatures))
    })?;
    let arguments = |signature: &SignatureInformation| {
        let parameters = signature.parameters.as_deref().unwrap_or_default();
        parameters.len()
    };
    signatures.sort_by_key(|signature| (arguments(signature) <= argument, arguments(signature)));
    Some(SignatureHelp {
        signatures,
        active_signature: Some(0),
        active_parameter: Some(number(argument)),
    })
}

fn signatures(view: &DocumentView, list: &OpenTerm<'_>, name: &str) -> Vec<SignatureInformation> {
    let index = view.document.index();
    let lower = name.to_ascii_lowercase();
    if list.slot.is_sentence()
        && let Some(help) = keyword_help(&lower)
    {
        // A rule has no fixed number of arguments.
        return match help.name {
            "<=" | "or" => Vec::new(),
            _ => vec![keyword_signature(help.form, help.meaning)],
        };
    }
    let Some(kind) = list.slot.tuple_kind() else {
        return Vec::new();
    };
    let tuples = index.tuples().filter(|(_, key)| {
        // A list that is still being written has fewer arguments than others of its name.
        key.kind == kind && index.name(key.name) == name && key.arity > Some(0)
    });
    let signatures = tuples.map(|(tuple, key)| {
        let labels = argument_labels(index, tuple);
        let values =
            (0..labels.len()).map(|argument| argument_values(view, key, argument).map(listed));
        signature(name, &labels, values.collect(), kind_name(kind))
    });
    let is_known = |signature: &SignatureInformation| !signature.label.ends_with(" _)");
    let (known, unknown): (Vec<_>, Vec<_>) = signatures.partition(is_known);
    if known.is_empty() { unknown } else { known }
}

fn keyword_signature(form: &str, meaning: &str) -> SignatureInformation {
    let words = form.trim_matches(['(', ')']).split(' ');
    let (name, labels): (Vec<String>, Vec<String>) = words
        .map(str::to_owned)
        .partition(|word| !word.starts_with('<'));
    let values = labels.iter().map(|_| None).collect();
    signature(&name.join(" "), &labels, values, meaning)
}

/// A form whose parameters are marked by their places in its label, counted in UTF-16.
fn signature(
    name: &str,
    labels: &[String],
    values: Vec<Option<String>>,
    documentation: &str,
) -> SignatureInformation {
    let units = |text: &str| number(text.encode_utf16().count());
    let mut label = format!("({name}");
    let mut parameters = Vec::new();
    for (argument, values) in labels.iter().zip(values) {
        label.push(' ');
        let start = units(&label);
        label.push_str(argument);
        parameters.push(ParameterInformation {
            label: ParameterLabel::LabelOffsets([start, units(&label)]),
            documentation: values.map(|values| Documentation::String(values.replace('`', ""))),
        });
    }
    label.push(')');
    SignatureInformation {
        label,
        documentation: Some(Documentation::String(documentation.to_owned())),
        parameters: Some(parameters),
        active_parameter: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::{GAME, view_at};

    /// The first signature with the active argument, and what may stand there.
    fn check(marked: &str, expected: &str) {
        let (view, position) = view_at(&format!("{GAME}{marked}"));
        let found = signature_help(&view, position).map(|help| {
            let first = &help.signatures[0];
            let active = help.active_parameter.unwrap_or_default() as usize;
            let parameter = first.parameters.as_ref().and_then(|all| all.get(active));
            let documentation = parameter.and_then(|parameter| parameter.documentation.as_ref());
            match documentation {
                Some(Documentation::String(values)) => {
                    format!("{} {active}: {values}", first.label)
                }
                _ => format!("{} {active}", first.label),
            }
        });
        assert_eq!(found.unwrap_or_default(), expected, "{marked}");
    }

    #[test]
    fn the_active_argument_has_its_values() {
        check("(<= terminal (true (cell |", "(cell ?n ?p) 0: 1, 2, 3");
        check("(<= terminal (true (cell 1 |)))", "(cell ?n ?p) 1: b, o, x");
        check("(<= terminal (after x |", "(after ?q ?p) 1: o, x");
        check("(<= terminal (does x (mark |", "(mark ?n) 0: 1, 2, 3");
    }

    #[test]
    fn keywords_have_their_form() {
        check("(<= (goal x |", "(goal <player> <value>) 1");
        check("(<= terminal (distinct ?x |", "(distinct <term> <term>) 1");
        check("(<= terminal (|", "");
    }
}
