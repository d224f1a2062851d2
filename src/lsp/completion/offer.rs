//! What a completion inserts.

use tower_lsp_server::ls_types::CompletionItemKind;

/// A word, or a list with arguments, to offer.
pub(super) struct Offer<'o> {
    pub(super) name: &'o str,
    pub(super) arguments: Option<Vec<String>>,
    pub(super) kind: CompletionItemKind,
    pub(super) detail: String,
    pub(super) documentation: String,
}

impl Offer<'_> {
    /// What is inserted. Behind a parenthesis the closing one is left to the editor, which has written it already.
    pub(super) fn text(&self, begins_list: bool, is_snippet: bool) -> String {
        let arguments = self.arguments.as_deref().unwrap_or_default();
        let filled: String = match is_snippet {
            true => (1..)
                .zip(arguments)
                .map(|(number, argument)| format!(" ${{{number}:{}}}", escaped(argument)))
                .collect(),
            false => String::new(),
        };
        let name = match is_snippet {
            true => escaped(self.name),
            false => self.name.to_owned(),
        };
        match self.arguments.is_some() && !begins_list {
            true => format!("({name}{filled})"),
            false => name + &filled,
        }
    }
}

/// In the syntax of snippets.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('$', "\\$")
        .replace('}', "\\}")
}
