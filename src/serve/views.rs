//! What callers are told, as JSON: see `docs/reference/browser-interface.md`.

use std::time::{Duration, UNIX_EPOCH};

use serde::Serialize;

use super::hosted::{EndedBy, MatchAccess, MatchEnd, ServedMatch};
use super::match_player::MatchPlayerKind;
use crate::drawing::bare;
use crate::kif::{Diagnostic, LineIndex};

/// A finding of the checker.
#[derive(Debug, Clone, Serialize)]
pub struct FindingView {
    severity: &'static str,
    code: &'static str,
    message: String,
    help: Option<String>,
    line: usize,
    /// Counted from 1, in UTF-16 code units.
    column: usize,
    end_line: usize,
    end_column: usize,
}

impl FindingView {
    pub(super) fn all(text: &str, found: &[Diagnostic]) -> Vec<Self> {
        let lines = LineIndex::new(text);
        let place = |offset: usize| {
            let offset = text.floor_char_boundary(offset);
            let line = lines.position(offset).line;
            let before = &text[lines.start(line)..offset];
            (line, before.encode_utf16().count() + 1)
        };
        let view = |found: &Diagnostic| {
            let ((line, column), (end_line, end_column)) =
                (place(found.span.start), place(found.span.end));
            Self {
                severity: if found.is_error() { "error" } else { "warning" },
                code: found.code,
                message: found.message.clone(),
                help: found.help.clone(),
                line,
                column,
                end_line,
                end_column,
            }
        };
        found.iter().map(view).collect()
    }
}

/// A match, as one caller sees it.
#[derive(Debug, Serialize)]
pub(super) struct MatchView {
    #[serde(rename = "type")]
    kind: &'static str,
    id: String,
    game: String,
    title: String,
    version: u64,
    /// Whether the caller made the match.
    is_owner: bool,
    roles: Vec<RoleView>,
    ply: usize,
    plies: usize,
    is_over: bool,
    is_paused: bool,
    limit: Option<LimitView>,
    ended: Option<EndView>,
    choosing: Vec<String>,
    picture: String,
    moves: serde_json::Map<String, serde_json::Value>,
    history: Vec<HistoryView>,
    branches: Vec<BranchView>,
    problem: Option<String>,
}

/// The time limit of a match.
#[derive(Debug, Serialize)]
struct LimitView {
    seconds: u64,
    /// The seconds left when this was made.
    left: f64,
    running: bool,
}

/// How a match ended.
#[derive(Debug, Serialize)]
struct EndView {
    by: EndedBy,
    text: String,
    winners: Vec<String>,
    by_lot: bool,
}

/// A role of a match.
#[derive(Debug, Serialize)]
pub(super) struct RoleView {
    role: String,
    kind: MatchPlayerKind,
    name: String,
    is_mine: bool,
    goal: Option<u8>,
    has_chosen: bool,
}

/// A legal move.
#[derive(Debug, Serialize)]
struct LegalMoveView {
    #[serde(rename = "move")]
    mv: String,
    text: String,
    clicks: Vec<String>,
}

#[derive(Debug, Serialize)]
struct HistoryView {
    moves: Vec<String>,
    by: Option<usize>,
}

#[derive(Debug, Serialize)]
struct BranchView {
    ply: usize,
    moves: Vec<String>,
    line: usize,
}

/// A match in a list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct MatchSummary {
    pub(super) id: String,
    pub(super) game: String,
    pub(super) title: String,
    pub(super) roles: Vec<String>,
    pub(super) players: Vec<String>,
    pub(super) plies: usize,
    pub(super) is_over: bool,
    /// When it changed last, as a date and a time of UTC.
    #[serde(serialize_with = "utc")]
    pub(super) changed: u64,
}

impl MatchView {
    pub(super) fn of(played: &ServedMatch, access: MatchAccess) -> Self {
        let names = played.session().roles();
        let header = &played.header;
        let history = played.played().moves();
        let name = |role: usize| names[role].clone();
        let end = played.end();
        let goals = end.as_ref().map(|end| &end.goals[..]);
        let branches = played.played().variations().into_iter();
        Self {
            kind: "view",
            id: header.id.clone(),
            game: header.game.clone(),
            title: header.title.clone(),
            version: played.version(),
            is_owner: access == MatchAccess::Owner,
            roles: role_views(played, access, goals),
            ply: played.played().ply(),
            plies: history.len(),
            is_over: played.is_over(),
            is_paused: played.is_paused(),
            limit: LimitView::of(played),
            ended: end.map(|end| EndView::of(end, names)),
            choosing: played.choosing().into_iter().map(name).collect(),
            picture: played.drawn().picture.clone(),
            moves: legal_moves(played, access),
            history: history
                .into_iter()
                .map(|mv| HistoryView {
                    moves: mv.joint.clone(),
                    by: mv.by,
                })
                .collect(),
            branches: branches
                .map(|start| BranchView {
                    ply: start.ply,
                    moves: start.joint.to_vec(),
                    line: start.line,
                })
                .collect(),
            problem: played.problem(),
        }
    }
}

impl LimitView {
    fn of(played: &ServedMatch) -> Option<Self> {
        let (left, running) = played.time_left()?;
        Some(Self {
            seconds: played.header.limit?,
            left: left.as_secs_f64(),
            running,
        })
    }
}

impl EndView {
    fn of(end: MatchEnd, roles: &[String]) -> Self {
        let winners = end.winners.into_iter();
        Self {
            by: end.by,
            text: end.text,
            winners: winners.map(|role| roles[role].clone()).collect(),
            by_lot: end.by_lot,
        }
    }
}

/// The roles; `goals` are what they scored, once the match has ended.
fn role_views(
    played: &ServedMatch,
    access: MatchAccess,
    goals: Option<&[Option<u8>]>,
) -> Vec<RoleView> {
    let roles = played
        .session()
        .roles()
        .iter()
        .zip(&played.header.match_players);
    let views = roles
        .enumerate()
        .map(|(number, (role, match_player))| RoleView {
            role: role.clone(),
            kind: match_player.kind,
            name: match_player.name.clone(),
            is_mine: played.is_mine(access, number),
            goal: goals.and_then(|goals| goals[number]),
            has_chosen: played.has_chosen(number),
        });
    views.collect()
}

/// The legal moves of the caller's roles that are to choose.
fn legal_moves(
    played: &ServedMatch,
    access: MatchAccess,
) -> serde_json::Map<String, serde_json::Value> {
    let mut moves = serde_json::Map::new();
    let choosing = played.choosing().into_iter();
    for role in choosing.filter(|&role| played.is_mine(access, role)) {
        let legal = played.session().legal_of(role).iter();
        let views: Vec<LegalMoveView> = legal
            .zip(&played.drawn().clicks[role])
            .map(|(mv, clicks)| LegalMoveView {
                mv: mv.clone(),
                text: bare(mv).to_owned(),
                clicks: clicks.clone(),
            })
            .collect();
        let role = played.session().roles()[role].clone();
        // Serialising strings into memory has no way to fail.
        moves.insert(role, serde_json::to_value(views).unwrap_or_default());
    }
    moves
}

/// Milliseconds since 1970 as `2026-11-23T14:00:00Z`.
fn utc<S: serde::Serializer>(time: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&utc_text(*time))
}

fn utc_text(milliseconds: u64) -> humantime::Rfc3339Timestamp {
    let since = Duration::from_secs(milliseconds / 1000);
    humantime::format_rfc3339_seconds(UNIX_EPOCH + since)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gdl;

    #[test]
    fn times_are_written_as_dates() {
        assert_eq!(
            utc_text(951_827_696_999).to_string(),
            "2000-02-29T12:34:56Z"
        );
    }

    #[test]
    fn columns_of_findings_count_code_units() {
        let text = "(role a)\n(init 😀) (legal a";
        let found = gdl::load(text).diagnostics;
        let views = FindingView::all(text, &found);
        let unclosed = views.iter().find(|view| view.severity == "error").unwrap();
        assert_eq!((unclosed.line, unclosed.column), (2, 11), "{views:?}");
    }
}
