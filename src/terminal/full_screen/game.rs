//! The game as the screen knows it.

use crate::drawing::{DrawnText, Screen, Style};
use crate::play::{Session, Spec};
use crate::session::Position;
use crate::terminal::lines::{LeftLine, Scene};
use crate::terminal::words::joint_line;

/// A line of the history.
pub(super) struct HistoryLine {
    /// The ply that it tells of; of a variation, the last one before it.
    pub(super) ply: usize,
    /// The number of a variation, where it tells of one.
    pub(super) variation: Option<usize>,
    pub(super) words: String,
}

/// A game in progress, and which of its positions is looked at.
pub(super) struct GameShown {
    session: Session,
    screen: Screen,
    /// The role that a person is asked to move for, if one is.
    pub(super) role: Option<usize>,
    pub(super) end: Option<String>,
    /// The roles with their players.
    pub(super) players: String,
    /// Plies of the line that is shown, those taken back included.
    last_ply: usize,
    pub(super) history: Vec<HistoryLine>,
    /// The ply of the position looked at, if it is not the present one.
    looked_at: Option<usize>,
}

impl GameShown {
    pub(super) fn of(scene: Scene<'_>) -> Self {
        let session = scene.session.clone();
        let roles = session.roles().iter().zip(scene.players);
        let players = roles.map(|(role, spec)| match spec {
            Spec::Human => format!("{role} you"),
            spec => format!("{role} {spec}"),
        });
        let plies = plies(&session);
        Self {
            players: players.collect::<Vec<_>>().join(", "),
            last_ply: plies.len(),
            history: history(&plies, scene.variations),
            screen: scene.screen.clone(),
            role: scene.role,
            end: scene.end.map(str::to_owned),
            session,
            looked_at: None,
        }
    }

    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    pub(super) fn style(&self) -> Style {
        self.screen.style()
    }

    pub(super) fn legend(&self) -> String {
        self.screen.legend()
    }

    /// Plies played before the present position.
    pub(super) fn present_ply(&self) -> usize {
        self.session.history().len()
    }

    /// Plies before the position looked at.
    pub(super) fn ply(&self) -> usize {
        self.looked_at.unwrap_or_else(|| self.present_ply())
    }

    /// Whether the position looked at is the present one.
    pub(super) fn is_present(&self) -> bool {
        self.looked_at.is_none()
    }

    /// Looks at the position after so many plies, or at the last one.
    pub(super) fn look_at(&mut self, ply: usize) {
        let ply = ply.min(self.last_ply);
        self.looked_at = (ply != self.present_ply()).then_some(ply);
    }

    /// The line of the history that tells of the ply looked at.
    pub(super) fn history_place(&self) -> Option<usize> {
        let mut lines = self.history.iter();
        lines.position(|line| line.variation.is_none() && line.ply == self.ply())
    }

    /// The present position for so many columns, and how the game ended, if it did: for whoever leaves.
    pub(super) fn on_leaving(&self, width: usize) -> String {
        let mut screen = self.screen.clone();
        screen.resize(width);
        screen.forget();
        let board = screen.show(&self.session.facts());
        match &self.end {
            Some(end) => format!("{board}{end}\n"),
            None => board,
        }
    }

    /// Looks at the present position; `false` if that was so before.
    pub(super) fn look_at_present(&mut self) -> bool {
        self.looked_at.take().is_some()
    }

    /// The position looked at.
    pub(super) fn position(&self) -> &Position {
        self.position_at(self.ply())
    }

    fn position_at(&self, ply: usize) -> &Position {
        let present = self.session.position();
        let here = self.present_ply();
        let found = match ply < here {
            true => self.session.past().nth(ply),
            false => {
                let later = self.session.taken_back().map(|(_, position)| position);
                std::iter::once(present).chain(later).nth(ply - here)
            }
        };
        found.unwrap_or(present)
    }

    /// The legal moves of the role that is asked to move.
    pub(super) fn legal(&self) -> &[String] {
        self.role
            .map_or(&[][..], |role| self.session.legal_of(role))
    }

    /// Of each legal move of the role that is asked to move, the squares by which it is made.
    pub(super) fn clicks(&self) -> Vec<Vec<String>> {
        let clicks = |role| self.screen.clicks(&self.session, role);
        self.role.map(clicks).unwrap_or_default()
    }

    /// The position looked at, drawn for so many columns, with what the last ply changed.
    pub(super) fn draw(&self, width: usize) -> DrawnText {
        let mut screen = self.screen.clone();
        screen.resize(width);
        screen.forget();
        if let Some(before) = self.ply().checked_sub(1) {
            screen.show(&self.position_at(before).facts());
        }
        screen.show_squares(&self.position().facts())
    }

    /// The role whose hopes are told: the one asked to move, or one that has a choice in the position looked at.
    pub(super) fn role_to_judge_for(&self) -> Option<usize> {
        let asked = self.role.filter(|_| self.is_present());
        asked.or_else(|| self.position().choosing().first().copied())
    }
}

/// The plies, and the variations after the moves that were played in their place.
fn history(plies: &[String], variations: &[LeftLine]) -> Vec<HistoryLine> {
    let start = [(0, "start".to_owned())].into_iter();
    let last = plies.len();
    let plies = (1..).zip(plies);
    let plies = start.chain(plies.map(|(ply, words)| (ply, format!("{ply}. {words}"))));
    let mut history = Vec::new();
    for (ply, words) in plies {
        history.push(HistoryLine {
            ply,
            variation: None,
            words,
        });
        let here = variations
            .iter()
            .filter(|left| (left.after + 1).min(last) == ply);
        history.extend(here.map(|left| HistoryLine {
            ply: left.after,
            variation: Some(left.number),
            words: format!("   v {}: {}", left.number, left.moves.join(" ")),
        }));
    }
    history
}

/// What was played in each ply, those taken back included.
fn plies(session: &Session) -> Vec<String> {
    let present = [session.position()];
    let later = session.taken_back().map(|(_, position)| position);
    let before = session.past().chain(present).chain(later);
    let joints = session.history().into_iter();
    let joints = joints.chain(session.taken_back().map(|(joint, _)| joint));
    let roles = session.roles();
    let ply = |(position, joint): (&Position, &[String])| {
        let choices = (0..roles.len()).map(|role| position.legal_of(role).len());
        joint_line(roles, joint, &choices.collect::<Vec<_>>())
    };
    before.zip(joints).map(ply).collect()
}
