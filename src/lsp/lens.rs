//! Commands above the roles: play the game, playtest the rules.

use serde_json::json;
use tower_lsp_server::ls_types::{CodeLens, Command};

use crate::lsp::document::RuleDocument;
use crate::lsp::index::RuleGroup;

/// What the lenses are called, and the commands that editors run for them, with the address of the file.
pub(super) const COMMANDS: [(&str, &str); 2] =
    [("play", "kolibri.play"), ("playtest", "kolibri.playtest")];

/// The lenses, on the first role.
pub(super) fn code_lenses(document: &RuleDocument) -> Vec<CodeLens> {
    let forms = &document.index().forms;
    let role = forms.iter().find(|form| form.group == RuleGroup::Roles);
    let Some(role) = role else {
        return Vec::new();
    };
    let lens = |(title, command): (&str, &str)| CodeLens {
        range: document.range(role.span),
        command: Some(Command {
            title: title.to_owned(),
            command: command.to_owned(),
            arguments: Some(vec![json!(document.uri)]),
        }),
        data: None,
    };
    COMMANDS.map(lens).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lsp::fixture::view;

    #[test]
    fn the_first_role_can_be_played() {
        let lenses = code_lenses(&view("; title\n(role x)\n(role y)").document);
        let first = lenses[0].command.as_ref().unwrap();
        assert_eq!(first.command, "kolibri.play");
        assert_eq!(first.arguments, Some(vec![json!("file:///rules.kif")]));
        assert_eq!(lenses[1].range.start.line, 1);
        assert_eq!(code_lenses(&view("(a)").document), []);
    }
}
