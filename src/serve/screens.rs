//! What is known of the boards of games, found out once for all matches of a game.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use super::hosted::STYLE;
use super::journal::MatchHeader;
use crate::catalog::GameSource;
use crate::drawing::Screen;
use crate::info::board::BoardFile;
use crate::session::Session;

/// Of so many games it is kept.
const MOST_KEPT: usize = 16;

/// The screens of the games that were begun or opened last.
#[derive(Default)]
pub(super) struct GameScreens(Mutex<Vec<GameScreen>>);

struct GameScreen {
    source: GameSource,
    /// The board file.
    board: Option<String>,
    screen: Screen,
}

impl GameScreens {
    /// A screen for a match that begins on `session`.
    pub(super) fn of(&self, header: &MatchHeader, session: &Session) -> Screen {
        // Another start may look otherwise than that of the game.
        if header.start.is_some() {
            return survey(header, session);
        }
        let source = session.game().source();
        let is_wanted = |known: &GameScreen| known.source == *source && known.board == header.board;
        let known = self.change(|all| {
            let known = all.remove(all.iter().position(is_wanted)?);
            let screen = known.screen.clone();
            all.insert(0, known);
            Some(screen)
        });
        known.unwrap_or_else(|| {
            let screen = survey(header, session);
            let new = GameScreen {
                source: source.clone(),
                board: header.board.clone(),
                screen: screen.clone(),
            };
            self.change(|all| {
                all.insert(0, new);
                all.truncate(MOST_KEPT);
            });
            screen
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Vec<GameScreen>) -> T) -> T {
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn survey(header: &MatchHeader, session: &Session) -> Screen {
    match &header.board {
        Some(text) => {
            let file = BoardFile::parse(text, Path::new(&header.game));
            Screen::survey_by(session, file.unwrap_or_default(), STYLE)
        }
        None => Screen::survey_anyway(session, STYLE),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game;

    #[test]
    fn the_boards_of_a_game_are_found_once_for_each_board_file() {
        let session = Session::new(&Game::load("tictactoe").unwrap());
        let screens = GameScreens::default();
        let kept = || screens.change(|all| all.len());
        let plain = MatchHeader::of(session.game());
        let drawn = screens.of(&plain, &session).show(&session.facts());
        screens.of(&plain, &session);
        assert_eq!(kept(), 1);
        let turned = MatchHeader {
            board: Some(r#"orientation = ["right", "up"]"#.to_owned()),
            ..MatchHeader::of(session.game())
        };
        screens.of(&turned, &session);
        assert_eq!(kept(), 2);
        let elsewhere = MatchHeader {
            start: Some(session.facts()),
            ..MatchHeader::of(session.game())
        };
        let anew = screens.of(&elsewhere, &session).show(&session.facts());
        assert_eq!((anew, kept()), (drawn, 2));
        let others = (0..MOST_KEPT).map(|number| {
            let rules = format!("{}; {number}", session.game().source().text);
            Session::new(&Game::from_text("other", &rules).unwrap())
        });
        others.for_each(|other| drop(screens.of(&plain, &other)));
        assert_eq!(kept(), MOST_KEPT);
    }
}
