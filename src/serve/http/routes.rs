//! What is asked for, by address.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use rust_embed::RustEmbed;
use serde::Deserialize;

use super::Served;
use super::answers::{
    CheckView, FamiliesView, GamesView, Numbers, PlayersView, RulesView, WholeGameView,
};
use crate::drawing::SVG_STYLE;
use crate::generate::Family;
use crate::serve::library::NewMatch;
use crate::serve::requests::read_body;
use crate::serve::room::MatchRoom;
use crate::serve::views::{MatchSummary, MatchView};
use crate::serve::{MatchRequest, ServeRefusal, hosted::MatchAccess, socket};

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "web/"]
struct PageFiles;

/// The description of this interface.
const DESCRIPTION: &str = include_str!("../../../docs/reference/browser-interface.md");

type ServedState = State<Arc<Served>>;

/// All addresses.
pub(super) fn router(served: Arc<Served>) -> Router {
    let api = Router::new()
        .route(
            "/description",
            get(|| async { text(DESCRIPTION.to_owned()) }),
        )
        .route("/games", get(games))
        .route("/games/{name}", get(game))
        .route("/families", get(|| async { Json(FamiliesView::all()) }))
        .route("/families/{name}", post(family))
        .route("/check", post(check))
        .route("/players", get(|| async { Json(PlayersView::all()) }))
        .route("/matches", get(matches).post(begin))
        .route("/matches/{id}", delete(remove).get(view))
        .route("/matches/{id}/record", get(record))
        .route("/matches/{id}/rules", get(rules))
        .route("/matches/{id}/socket", get(watch));
    Router::new()
        .route("/", get(page))
        .route("/new", get(page))
        .route("/match/{id}", get(page))
        .route("/assets/{*name}", get(asset))
        .nest("/api/v1", api)
        .fallback(|| async { ServeRefusal::missing("there is nothing at this address") })
        .with_state(served)
}

async fn page() -> Response {
    file("index.html")
}

async fn asset(Path(name): Path<String>) -> Response {
    file(&name)
}

/// A file of the page, which asks again each time: another version may have been started.
fn file(name: &str) -> Response {
    let bytes = match (PageFiles::get(name), name) {
        (Some(file), _) => file.data.into_owned(),
        (None, "board.css") => SVG_STYLE.as_bytes().to_vec(),
        _ => return ServeRefusal::missing("there is no such file").into_response(),
    };
    let kind = match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    };
    ([(CONTENT_TYPE, kind), (CACHE_CONTROL, "no-cache")], bytes).into_response()
}

fn text(text: String) -> Response {
    ([(CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response()
}

async fn games(State(served): ServedState) -> Json<GamesView> {
    Json(GamesView::of(&served.library.games))
}

async fn game(
    State(served): ServedState,
    Path(name): Path<String>,
) -> Result<Json<WholeGameView>, ServeRefusal> {
    let games = &served.library.games;
    let game = games.find(&name)?;
    let preview = games.preview(game).await?;
    Ok(Json(WholeGameView::of(game, &preview)))
}

async fn family(Path(name): Path<String>, body: Bytes) -> Result<Json<RulesView>, ServeRefusal> {
    let missing = || ServeRefusal::missing(format!("`{name}` comes in one size"));
    let family = Family::of(&name).ok_or_else(missing)?;
    let values: BTreeMap<String, Numbers> = read_body(&body)?;
    let is_known = |name: &String| family.parameters.iter().any(|known| known.name == name);
    if let Some(unknown) = values.keys().find(|name| !is_known(name)) {
        return Err(ServeRefusal::request(format!(
            "there is no parameter `{unknown}`"
        )));
    }
    let size = family.size(|name| values.get(name).map(Numbers::list));
    let rules = family.rule_file(&size);
    let rules = rules.map_err(|fault| ServeRefusal::request(fault.to_string()))?;
    let numbers: Vec<String> = size.concat().iter().map(u8::to_string).collect();
    let name = format!("{name}-{}", numbers.join("-"));
    Ok(Json(RulesView { name, rules }))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckRequest {
    rules: String,
}

async fn check(State(served): ServedState, body: Bytes) -> Result<Json<CheckView>, ServeRefusal> {
    let asked: CheckRequest = read_body(&body)?;
    let checked = served.library.games.check(asked.rules).await?;
    Ok(Json(checked.into()))
}

#[derive(serde::Serialize)]
struct MatchesView {
    matches: Vec<MatchSummary>,
}

async fn matches(State(served): ServedState) -> Json<MatchesView> {
    let matches = served.library.list();
    Json(MatchesView { matches })
}

async fn begin(
    State(served): ServedState,
    body: Bytes,
) -> Result<(StatusCode, Json<NewMatch>), ServeRefusal> {
    let asked = MatchRequest::read(&body)?;
    let new = served.library.create(asked).await?;
    Ok((StatusCode::CREATED, Json(new)))
}

#[derive(Deserialize)]
struct KeyQuery {
    #[serde(default)]
    key: Option<String>,
}

/// A match, and what the caller may do in it.
async fn enter(
    served: &Served,
    id: &str,
    query: &KeyQuery,
) -> Result<(Arc<MatchRoom>, MatchAccess), ServeRefusal> {
    let room = served.library.find(id).await?;
    let access = room.look(|played| played.access(query.key.as_deref()));
    let access =
        access.ok_or_else(|| ServeRefusal::forbidden("the key is not one of this match"))?;
    Ok((room, access))
}

async fn view(
    State(served): ServedState,
    Path(id): Path<String>,
    Query(query): Query<KeyQuery>,
) -> Result<Json<MatchView>, ServeRefusal> {
    let (room, access) = enter(&served, &id, &query).await?;
    Ok(Json(room.look(|played| MatchView::of(played, access))))
}

async fn remove(
    State(served): ServedState,
    Path(id): Path<String>,
    Query(query): Query<KeyQuery>,
) -> Result<StatusCode, ServeRefusal> {
    served.library.remove(&id, query.key.as_deref()).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn record(
    State(served): ServedState,
    Path(id): Path<String>,
) -> Result<Response, ServeRefusal> {
    let room = served.library.find(&id).await?;
    let record = room.look(|played| played.record_so_far());
    Ok(([(CONTENT_TYPE, "application/json")], record.to_json()).into_response())
}

async fn rules(
    State(served): ServedState,
    Path(id): Path<String>,
) -> Result<Response, ServeRefusal> {
    let room = served.library.find(&id).await?;
    Ok(text(room.look(|played| played.header.rules.clone())))
}

async fn watch(
    State(served): ServedState,
    Path(id): Path<String>,
    Query(query): Query<KeyQuery>,
    upgrade: WebSocketUpgrade,
) -> Result<Response, ServeRefusal> {
    let (room, access) = enter(&served, &id, &query).await?;
    let place = Arc::clone(&served.sockets).try_acquire_owned();
    let place = place.map_err(|_| ServeRefusal::busy("too many connections watch matches"))?;
    let upgrade = upgrade
        .max_message_size(socket::MOST_MESSAGE_BYTES)
        .max_frame_size(socket::MOST_MESSAGE_BYTES);
    Ok(upgrade.on_upgrade(move |socket| socket::serve(socket, room, access, place)))
}
