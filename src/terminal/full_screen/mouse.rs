//! What the mouse does.

use ratatui::crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use ratatui::layout::Position;

use super::view::{Focus, InputOutcome, ScreenView};

impl ScreenView {
    pub(super) fn mouse(&mut self, mouse: MouseEvent) -> InputOutcome {
        if let Some(popup) = &mut self.popup {
            let answer = popup.mouse(mouse);
            return self.after_popup(answer);
        }
        let place = Position::new(mouse.column, mouse.row);
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => return self.click(place),
            MouseEventKind::ScrollUp => self.wheel(place, -1),
            MouseEventKind::ScrollDown => self.wheel(place, 1),
            _ => {}
        }
        InputOutcome::Nothing
    }

    fn wheel(&mut self, place: Position, by: isize) {
        if self.history.contains(place) {
            self.look(by);
        } else if self.moves.contains(place) {
            let count = self.filtered().len();
            self.moves.step(by, count);
        } else {
            self.board.scroll(by);
        }
    }

    /// Looks at a ply, or goes to a variation.
    fn click_history(&mut self, line: usize) -> InputOutcome {
        self.focus = Focus::History;
        let Some(game) = &mut self.game else {
            return InputOutcome::Nothing;
        };
        match game
            .history
            .get(line)
            .map(|line| (line.ply, line.variation))
        {
            Some((_, Some(variation))) => return self.answer(&format!("/variations {variation}")),
            Some((ply, None)) => {
                game.look_at(ply);
                self.is_board_stale = true;
            }
            None => {}
        }
        InputOutcome::Nothing
    }

    fn click(&mut self, place: Position) -> InputOutcome {
        let mut buttons = self.buttons.iter();
        if let Some((_, shortcut)) = buttons.find(|(area, _)| area.contains(place)) {
            return self.shortcut(shortcut);
        }
        if let Some(line) = self.history.at(place) {
            return self.click_history(line);
        }
        if let Some(line) = self.moves.at(place) {
            let mv = self.filtered().get(line).map(|mv| (*mv).clone());
            return mv.map_or(InputOutcome::Nothing, |mv| self.answer(&mv));
        }
        match self.board.square_at(place) {
            Some(square) => {
                self.focus = Focus::Board;
                self.choose_square(&square)
            }
            None => InputOutcome::Nothing,
        }
    }
}
