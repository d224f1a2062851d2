//! A position as all who look at it see it.

use crate::drawing::{Screen, Style};
use crate::session::Session;

/// Pictures have no columns and no colours of a terminal.
pub(in crate::serve) const STYLE: Style = Style {
    width: 80,
    ..Style::UNCOLOURED
};

/// A larger picture is not sent: everybody who watches gets one after each move.
const MOST_PICTURE_BYTES: usize = 1 << 20;
const TOO_LARGE: &str = r#"<p class="rest">The board is too large to be drawn here.</p>"#;

/// The position shown, as far as it is the same for all who look at it.
#[derive(Default)]
pub(in crate::serve) struct DrawnPosition {
    pub(in crate::serve) picture: String,
    /// Per role and legal move, the squares to be clicked.
    pub(in crate::serve) clicks: Vec<Vec<Vec<String>>>,
    /// When it was drawn.
    pub(super) epoch: u64,
}

impl DrawnPosition {
    pub(super) fn of(screen: &mut Screen, session: &Session, epoch: u64) -> Self {
        let picture = picture_of(screen, &session.facts());
        let roles = 0..session.roles().len();
        let clicks = match picture == TOO_LARGE {
            // There is nothing to be clicked.
            true => roles
                .map(|role| vec![Vec::new(); session.legal_of(role).len()])
                .collect(),
            false => screen.clicks_of_all(session),
        };
        Self {
            picture,
            clicks,
            epoch,
        }
    }
}

/// The picture of a state, or words in its place where it is too large.
pub(in crate::serve) fn picture_of(screen: &mut Screen, facts: &[String]) -> String {
    let picture = screen.show_svg(facts);
    match picture.len() > MOST_PICTURE_BYTES {
        true => TOO_LARGE.to_owned(),
        false => picture,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Game;

    fn drawn(game: &Game) -> DrawnPosition {
        let session = Session::new(game);
        let mut screen = Screen::survey_anyway(&session, STYLE);
        DrawnPosition::of(&mut screen, &session, 1)
    }

    #[test]
    fn words_stand_for_pictures_that_are_too_large() {
        let small = drawn(&Game::load("tictactoe").unwrap());
        assert!(small.picture.contains("<svg"));
        assert_eq!(small.clicks[0][0], ["0:1 1"]);
        let long = "x".repeat(8_000);
        let facts: String = (0..150).map(|n| format!("(init (f{n}{long})) ")).collect();
        let rules = format!(
            "(role a) {facts} (legal a go) (legal a stay) (<= (next over) (does a go)) (<= terminal (true over)) (goal a 50)"
        );
        let large = drawn(&Game::from_text("large", &rules).unwrap());
        let length = large.picture.len();
        assert!(large.picture == TOO_LARGE, "{length} bytes");
        assert_eq!(large.clicks, [vec![Vec::<String>::new(); 2]]);
    }
}
