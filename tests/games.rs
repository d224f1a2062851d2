//! The shipped rule files: sound, formatted, conforming, and the games they claim to be.

mod board_games;
mod checkers;
mod kolibrat;
mod kolibrat_cases;
mod kolibrat_states;
mod lines_of_action;
mod native;
mod paths;
mod position;
mod published;
mod sizes;
mod small_games;
mod walks;

use kolibri::catalog::SHIPPED;
use kolibri::gdl::load;
use kolibri::kif::{format, render};

#[test]
fn rule_files_have_neither_errors_nor_warnings() {
    for game in SHIPPED {
        let checked = load(game.text);
        let found = render(&checked.diagnostics, game.name, game.text, false);
        assert!(checked.diagnostics.is_empty(), "{found}");
    }
}

#[test]
fn rule_files_are_formatted() {
    for game in SHIPPED {
        let formatted = format(game.text).expect("a shipped game parses");
        assert!(formatted == game.text, "{} is not formatted", game.name);
    }
}
