//! The parts of the screen.

use std::collections::BTreeSet;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position, Rect};
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Borders, Paragraph, Wrap};

use super::popup::widest_text;
use super::shortcuts::SHORTCUTS;
use super::theme::{SquareMark, Theme};
use super::view::{Focus, ScreenView};
use crate::search::SearchProgress;
use crate::terminal::words::{contributions_text, wrapped};

/// The least screen on which everything has its place.
pub const LEAST_SCREEN: (u16, u16) = (60, 20);

/// Lines for what is told.
pub(super) const MESSAGE_LINES: usize = 3;

/// Where everything is.
struct Areas {
    title: Rect,
    board: Rect,
    moves: Rect,
    history: Rect,
    analysis: Rect,
    messages: Rect,
    input: Rect,
    buttons: Rect,
}

impl Areas {
    fn of(screen: Rect) -> Self {
        const LEAST_SIDE: u16 = 28;
        const MOST_SIDE: u16 = 44;
        const ANALYSIS: u16 = 6;
        let rows = Layout::vertical([
            Constraint::Length(1),
            Constraint::Fill(1),
            Constraint::Length(MESSAGE_LINES as u16 + 1),
            Constraint::Length(1),
            Constraint::Length(1),
        ]);
        let [title, middle, messages, input, buttons] = screen.layout(&rows);
        let side = (screen.width / 3).clamp(LEAST_SIDE, MOST_SIDE);
        let columns = Layout::horizontal([Constraint::Fill(1), Constraint::Length(side)]);
        let [board, side] = middle.layout(&columns);
        let parts = Layout::vertical([
            Constraint::Fill(3),
            Constraint::Fill(2),
            Constraint::Length(ANALYSIS),
        ]);
        let [moves, history, analysis] = side.layout(&parts);
        Self {
            title,
            board,
            moves,
            history,
            analysis,
            messages,
            input,
            buttons,
        }
    }
}

impl ScreenView {
    pub(super) fn draw(&mut self, frame: &mut Frame<'_>) {
        let screen = frame.area();
        if screen.width < LEAST_SCREEN.0 || screen.height < LEAST_SCREEN.1 {
            let (width, height) = LEAST_SCREEN;
            let words = format!("the window is too small: {width}x{height} is needed");
            frame.render_widget(Paragraph::new(words), screen);
            self.is_board_stale = true;
            return;
        }
        self.columns_of_text = widest_text(screen);
        let areas = Areas::of(screen);
        self.draw_title(frame, areas.title);
        self.draw_board(frame, areas.board);
        self.draw_moves(frame, areas.moves);
        self.draw_history(frame, areas.history);
        self.draw_analysis(frame, areas.analysis);
        self.draw_messages(frame, areas.messages);
        self.draw_input(frame, areas.input);
        self.draw_buttons(frame, areas.buttons);
        if let Some(popup) = &mut self.popup {
            popup.draw(frame, self.theme);
        }
    }

    fn draw_title(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(game) = &self.game else { return };
        let ply = game.ply();
        let place = match (game.is_present(), &game.end) {
            (true, Some(end)) => end.clone(),
            (true, None) => format!("ply {ply}"),
            (false, _) => format!("looking at ply {ply}; Enter goes there, Esc back"),
        };
        let title = Line::from(vec![
            Span::styled(game.session().game().name().to_owned(), self.theme.strong()),
            Span::raw(format!("  {}  ", game.players)),
            Span::styled(place, self.theme.strong()),
        ]);
        frame.render_widget(title, area);
    }

    fn draw_board(&mut self, frame: &mut Frame<'_>, area: Rect) {
        const LEAST_WIDTH: usize = 20;
        let Some(game) = &self.game else { return };
        if self.is_board_stale {
            let drawn = game.draw(usize::from(area.width).max(LEAST_WIDTH));
            self.board.set(drawn, self.theme, &self.path.next());
            self.is_board_stale = false;
        }
        let advised = self.advised_squares();
        let next = match self.path.chosen().is_empty() {
            true => BTreeSet::new(),
            false => self.path.next(),
        };
        let mut marks: Vec<(&str, SquareMark)> = Vec::new();
        if game.is_present() {
            marks.extend(
                advised
                    .iter()
                    .map(|square| (square.as_str(), SquareMark::Advised)),
            );
            marks.extend(next.into_iter().map(|square| (square, SquareMark::Next)));
            let chosen = self.path.chosen().iter();
            marks.extend(chosen.map(|square| (square.as_str(), SquareMark::Chosen)));
        }
        let cursor = self.board.cursor().map(str::to_owned);
        if self.focus == Focus::Board
            && let Some(cursor) = &cursor
        {
            marks.push((cursor, SquareMark::Cursor));
        }
        let legend = game.legend();
        let has_legend = !legend.is_empty() && area.height > 2;
        let board = Rect {
            height: area.height - u16::from(has_legend),
            ..area
        };
        self.board
            .draw((board, frame.buffer_mut()), self.theme, &marks);
        if has_legend {
            let last = Rect::new(area.x, area.bottom() - 1, area.width, 1);
            frame.render_widget(
                Span::styled(format!("  {legend}"), self.theme.faint()),
                last,
            );
        }
    }

    /// The squares of the best move, as far as the analysis knows.
    fn advised_squares(&self) -> Vec<String> {
        let Some((game, best)) = self.game.as_ref().zip(self.best_move()) else {
            return Vec::new();
        };
        let place = game.legal().iter().position(|mv| *mv == best);
        place
            .map(|place| self.path.squares_of(place).to_vec())
            .unwrap_or_default()
    }

    fn best_move(&self) -> Option<String> {
        self.analysis.found()?.progress.line.first().cloned()
    }

    fn draw_moves(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let moves: Vec<String> = self.filtered().into_iter().cloned().collect();
        let all = self.asked.as_ref().map_or(0, |asked| asked.moves.len());
        let title = match moves.len() == all {
            true => format!(" moves: {all} "),
            false => format!(" moves: {} of {all} ", moves.len()),
        };
        let inner = self.part(frame, area, (title, Focus::Moves));
        let lines: Vec<Line<'_>> = moves.iter().map(|mv| mv.as_str().into()).collect();
        self.moves
            .draw((inner, frame.buffer_mut()), lines, self.theme);
    }

    fn draw_history(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let inner = self.part(frame, area, (" history ".to_owned(), Focus::History));
        let Some(game) = &self.game else { return };
        let here = game.present_ply();
        let lines = game.history.iter().map(|line| {
            let paint = match line.ply > here || line.variation.is_some() {
                true => self.theme.faint(),
                false => ratatui::style::Style::new(),
            };
            Line::styled(line.words.as_str(), paint)
        });
        let lines = lines.collect();
        self.history.select(game.history_place());
        self.history
            .draw((inner, frame.buffer_mut()), lines, self.theme);
    }

    fn draw_analysis(&mut self, frame: &mut Frame<'_>, area: Rect) {
        let theme = self.theme;
        let title = if self.doing.is_some() {
            " thinking "
        } else {
            " analysis "
        };
        let block = theme.frame(title, Borders::TOP | Borders::LEFT);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let thought = match self.doing.is_some() {
            true => {
                let last = self.thoughts.last();
                last.map(|(role, progress)| (role, progress, Vec::new()))
            }
            false => self.analysis.found().and_then(|found| {
                let roles = self.game.as_ref()?.session().roles();
                let role = roles[found.role].clone();
                Some((role, found.progress, found.contributions))
            }),
        };
        let text = match thought {
            Some((role, progress, contributions)) => {
                let why = match contributions.is_empty() {
                    true => String::new(),
                    false => format!("why: {}", contributions_text(contributions)),
                };
                found((&role, &progress, &why), theme, inner)
            }
            None if self.doing.is_some() => Text::raw("`thinking` shows what it thinks"),
            None if self.analysis.is_wanted() => Text::raw("searching"),
            None => Text::styled("F3 shows values and lines", theme.faint()),
        };
        frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), inner);
    }

    fn draw_messages(&self, frame: &mut Frame<'_>, area: Rect) {
        let block = self.theme.frame("", Borders::TOP);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        let all = self.messages.all();
        let told: Vec<&str> = all.lines().filter(|line| !line.is_empty()).collect();
        let first = told.len().saturating_sub(inner.height.into());
        let last = self.theme.text(&told[first..].join("\n"));
        frame.render_widget(Paragraph::new(last), inner);
    }

    fn draw_input(&self, frame: &mut Frame<'_>, area: Rect) {
        let Some(asked) = &self.asked else {
            let doing = self.doing.as_deref().unwrap_or_default();
            frame.render_widget(Span::styled(doing.to_owned(), self.theme.faint()), area);
            return;
        };
        let prompt = format!("{} ", asked.prompt);
        let used = prompt.chars().count();
        let room = usize::from(area.width).saturating_sub(used + 1).max(1);
        let scroll = self.input.visual_scroll(room);
        let typed: String = self.input.value().chars().skip(scroll).collect();
        let line = vec![Span::styled(prompt, self.theme.strong()), Span::raw(typed)];
        frame.render_widget(Line::from(line), area);
        let column = used + self.input.visual_cursor().saturating_sub(scroll);
        let column = u16::try_from(column).unwrap_or(u16::MAX);
        frame.set_cursor_position(Position {
            x: area
                .x
                .saturating_add(column)
                .min(area.right().saturating_sub(1)),
            y: area.y,
        });
    }

    fn draw_buttons(&mut self, frame: &mut Frame<'_>, area: Rect) {
        self.buttons.clear();
        let mut column = area.x;
        for shortcut in SHORTCUTS {
            let [key, name] = shortcut.label;
            let width = (key.len() + name.len() + 1) as u16;
            if column + width > area.right() {
                break;
            }
            let place = Rect::new(column, area.y, width, 1);
            let words = vec![
                Span::styled(key, self.theme.strong()),
                Span::styled(format!(" {name}"), self.theme.faint()),
            ];
            frame.render_widget(Line::from(words), place);
            self.buttons.push((place, shortcut));
            column += width + 2;
        }
    }

    /// The frame of a part at the side, and what is inside.
    fn part(&self, frame: &mut Frame<'_>, area: Rect, (title, focus): (String, Focus)) -> Rect {
        let title = match self.focus == focus {
            true => Line::styled(title, self.theme.selected()),
            false => Line::raw(title),
        };
        let block = self.theme.frame(title, Borders::TOP | Borders::LEFT);
        let inner = block.inner(area);
        frame.render_widget(block, area);
        inner
    }
}

/// The value for a role, how it was found, what it is made of, and as much of the line expected as there is room for.
fn found(
    (role, progress, why): (&str, &SearchProgress, &str),
    theme: Theme,
    area: Rect,
) -> Text<'static> {
    const MOST: usize = 40;
    let width = usize::from(area.width);
    let (points, exact) = (progress.value.points(), progress.exact);
    let value = format!("{points:.0}");
    let role: String = role.chars().take(width / 3).collect();
    let bar = width.saturating_sub(role.chars().count() + value.len() + 3);
    let rate = progress.nodes as f64 / progress.time.as_secs_f64().max(1e-6);
    let exactly = if exact { ", exact" } else { "" };
    let line = progress.line.iter().filter(|ply| !ply.is_empty());
    let line: Vec<&str> = line.take(MOST).map(String::as_str).collect();
    let line = wrapped(&line, (0, width));
    let why: Vec<&str> = why.split_whitespace().collect();
    let why = wrapped(&why, (0, width));
    let head = [
        format!("{role} {} {value}", theme.bar(points / 100.0, bar)),
        format!(
            "depth {}{exactly}, {rate:.0} {}/s",
            progress.depth, progress.counts
        ),
    ];
    let room = usize::from(area.height).saturating_sub(head.len() + why.lines().count());
    let line = line.lines().take(room.max(1));
    let mut lines: Vec<Line<'static>> = head.map(Line::from).into();
    lines.extend(line.map(|line| Line::from(line.to_owned())));
    lines.extend(
        why.lines()
            .map(|line| Line::styled(line.to_owned(), theme.faint())),
    );
    Text::from(lines)
}
