//! Answers that are not of a match: games, sizes, players, findings.

use std::collections::BTreeMap;

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};

use crate::generate::{FAMILIES, Family, SizeParameter};
use crate::play::{LEVELS, PLAYER_KINDS};
use crate::serve::games::{GameLoader, GamePreview, OfferedGame, RuleCheck};
use crate::serve::match_player::{machine, most_threads};
use crate::serve::{FindingView, ServeRefusal};

#[derive(Serialize)]
pub(super) struct GamesView {
    games: Vec<GameView>,
}

#[derive(Serialize)]
struct GameView {
    name: String,
    title: String,
    roles: Vec<String>,
}

/// A game with all that is seen of it before it is played.
#[derive(Serialize)]
pub(super) struct WholeGameView {
    #[serde(flatten)]
    game: GameView,
    rules: String,
    picture: String,
}

#[derive(Serialize)]
pub(super) struct FamiliesView {
    families: Vec<FamilyView>,
}

#[derive(Serialize)]
struct FamilyView {
    name: &'static str,
    parameters: Vec<ParameterView>,
    presets: Vec<BTreeMap<&'static str, Numbers>>,
}

#[derive(Serialize)]
struct ParameterView {
    name: &'static str,
    meaning: &'static str,
    default: Numbers,
    least: u8,
    most: u8,
    /// The fewest and the most numbers of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<(u8, u8)>,
}

/// The value of a parameter: a number, or a list of them.
#[derive(Serialize, Deserialize)]
#[serde(
    untagged,
    expecting = "expected a number from 0 to 255, or a list of them"
)]
pub(super) enum Numbers {
    One(u8),
    Several(Vec<u8>),
}

/// A rule text that was written.
#[derive(Serialize)]
pub(super) struct RulesView {
    pub(super) name: String,
    pub(super) rules: String,
}

#[derive(Serialize)]
pub(super) struct PlayersView {
    players: Vec<PlayerView>,
    levels: Vec<PlayerView>,
    most_threads: usize,
}

#[derive(Serialize)]
struct PlayerView {
    name: &'static str,
    meaning: &'static str,
}

/// What was found in a rule text.
#[derive(Serialize)]
pub(super) struct CheckView {
    findings: Vec<FindingView>,
    roles: Option<Vec<String>>,
    picture: Option<String>,
}

#[derive(Serialize)]
struct RefusalView {
    error: String,
    help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    findings: Option<Vec<FindingView>>,
}

impl GamesView {
    pub(super) fn of(games: &GameLoader) -> Self {
        let games = games.offered().iter();
        let games = games.map(|game| GameView::of(game, game.roles().to_vec()));
        Self {
            games: games.collect(),
        }
    }
}

impl GameView {
    fn of(game: &OfferedGame, roles: Vec<String>) -> Self {
        Self {
            name: game.source.name.clone(),
            title: game.title.clone(),
            roles,
        }
    }
}

impl WholeGameView {
    pub(super) fn of(game: &OfferedGame, preview: &GamePreview) -> Self {
        Self {
            game: GameView::of(game, preview.roles.clone()),
            rules: game.source.text.clone(),
            picture: preview.picture.clone(),
        }
    }
}

impl FamiliesView {
    pub(super) fn all() -> Self {
        let families = FAMILIES.iter().map(FamilyView::of);
        Self {
            families: families.collect(),
        }
    }
}

impl FamilyView {
    fn of(family: &'static Family) -> Self {
        let parameters = family.parameters.iter().map(|parameter| ParameterView {
            name: parameter.name,
            meaning: parameter.meaning,
            default: Numbers::of(parameter, parameter.default),
            least: parameter.range.0,
            most: parameter.range.1,
            length: parameter.length,
        });
        let preset = |values: &&[&[u8]]| {
            let pairs = family.parameters.iter().zip(*values);
            pairs
                .map(|(parameter, numbers)| (parameter.name, Numbers::of(parameter, numbers)))
                .collect()
        };
        Self {
            name: family.name,
            parameters: parameters.collect(),
            presets: family.presets.iter().map(preset).collect(),
        }
    }
}

impl Numbers {
    fn of(parameter: &SizeParameter, numbers: &[u8]) -> Self {
        match (parameter.length, numbers) {
            (None, [number]) => Self::One(*number),
            _ => Self::Several(numbers.to_vec()),
        }
    }

    pub(super) fn list(&self) -> Vec<u8> {
        match self {
            Self::One(number) => vec![*number],
            Self::Several(numbers) => numbers.clone(),
        }
    }
}

impl PlayersView {
    /// The players that a server has.
    pub(super) fn all() -> Self {
        let kinds = PLAYER_KINDS.iter();
        let kinds = kinds.filter(|kind| machine(kind.name).is_ok());
        Self {
            players: kinds
                .map(|kind| PlayerView {
                    name: kind.name,
                    meaning: kind.meaning,
                })
                .collect(),
            levels: LEVELS
                .iter()
                .map(|level| PlayerView {
                    name: level.name,
                    meaning: level.meaning,
                })
                .collect(),
            most_threads: most_threads(),
        }
    }
}

impl From<RuleCheck> for CheckView {
    fn from(check: RuleCheck) -> Self {
        let (roles, picture) = match check.preview {
            Some(preview) => (Some(preview.roles), Some(preview.picture)),
            None => (None, None),
        };
        Self {
            findings: check.findings,
            roles,
            picture,
        }
    }
}

impl IntoResponse for ServeRefusal {
    fn into_response(self) -> Response {
        let status: StatusCode = self.kind.status();
        let view = RefusalView {
            error: self.message,
            help: self.help,
            findings: self.findings,
        };
        (status, Json(view)).into_response()
    }
}
