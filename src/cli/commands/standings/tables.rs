//! Results as tables of words, for every form in which they are shown.

use crate::cli::commands::sprt;
use crate::cli::number::counted;
use crate::statistics::MeanOfGroups;
use crate::tournament::{
    PairStanding, PlayerStanding, RatingStatus, ResultTable, SprtProgress, Standings,
};

/// Some of the results.
pub(super) struct Section {
    /// The name of the game; `None` for all games together.
    pub(super) game: Option<String>,
    /// Lines about the games.
    pub(super) remarks: Vec<String>,
    /// The tables, the most important first.
    pub(super) tables: Vec<Table>,
}

/// A table, column by column.
pub(super) struct Table {
    /// What it shows.
    pub(super) caption: &'static str,
    /// The columns, all of the same height.
    pub(super) columns: Vec<Column>,
}

/// A column of a table.
pub(super) struct Column {
    pub(super) title: String,
    pub(super) cells: Vec<String>,
    /// Whether it holds numbers, which stand at the right.
    pub(super) is_number: bool,
    /// Where there is no room for all columns, those with the least number go first, all at once. Those with [`NEEDED`] stay.
    pub(super) importance: u8,
}

/// The importance of a column without which a table says nothing.
pub(super) const NEEDED: u8 = u8::MAX;

/// Stands for what is not known.
pub(super) const UNKNOWN: &str = "–";

/// What a cross table shows.
const CROSS_TABLE: &str = "Won against each other, in % of the games (a draw is half a game)";

impl Table {
    pub(super) fn is_cross_table(&self) -> bool {
        self.caption == CROSS_TABLE
    }

    pub(super) fn height(&self) -> usize {
        self.columns.first().map_or(0, |column| column.cells.len())
    }
}

impl Column {
    pub(super) fn new<T>(
        title: &str,
        importance: u8,
        rows: &[T],
        cell: impl Fn(&T) -> String,
    ) -> Self {
        Self {
            title: title.to_owned(),
            cells: rows.iter().map(cell).collect(),
            is_number: true,
            importance,
        }
    }

    pub(super) fn of_words(self) -> Self {
        Self {
            is_number: false,
            ..self
        }
    }
}

/// All results: those of all games together first, then those of each game where there are several.
pub(super) fn sections(standings: &Standings) -> Vec<Section> {
    let mut all = section(None, &standings.all);
    all.remarks
        .splice(1..1, standings.sprt.iter().flat_map(test));
    if let Some(planned) = standings
        .planned
        .filter(|planned| *planned != standings.all.games)
    {
        let first = &mut all.remarks[0];
        *first = format!("{first} (of {planned} planned)");
    }
    let games = &standings.by_game;
    let parts = games.iter().filter(|_| games.len() > 1);
    let parts = parts.map(|part| section(Some(part.game.clone()), &part.table));
    std::iter::once(all).chain(parts).collect()
}

fn section(game: Option<String>, table: &ResultTable) -> Section {
    let mut tables = vec![players(&table.standings)];
    if table.standings.len() > 2 {
        tables.push(cross_table(table));
    }
    if !table.pairs.is_empty() {
        tables.push(pairs(&table.pairs));
    }
    if table.roles.len() > 1 {
        tables.push(roles(table));
    }
    Section {
        game,
        remarks: remarks(table),
        tables,
    }
}

/// What a test says, in words.
fn test(progress: &SprtProgress) -> Vec<String> {
    let [first, second] = &progress.players;
    let words = sprt::for_people(&progress.hypotheses, &progress.sprt);
    let mut lines: Vec<String> = words.lines().map(str::to_owned).collect();
    if let Some(line) = lines.first_mut() {
        *line = format!("{first} against {second}: {line}");
    }
    lines
}

/// Lines about the games themselves.
fn remarks(table: &ResultTable) -> Vec<String> {
    let mut counts = vec![counted(table.games, "game")];
    for (count, words) in [
        (table.without_result, "without a result"),
        (table.endless, "endless"),
    ] {
        if count > 0 {
            counts.push(format!("{count} {words}"));
        }
    }
    if table.different < table.games {
        counts.push(format!("{} different", table.different));
    }
    if table.errors > 0 {
        counts.push(counted(table.errors, "error"));
    }
    if table.late > 0 {
        counts.push(counted(table.late, "late move"));
    }
    let mut remarks = vec![counts.join(", ")];
    if let Some(first) = table.first_mover.filter(|_| table.roles.len() != 1) {
        remarks.push(format!(
            "the role that moves first: {} points",
            mean(&first)
        ));
    }
    remarks
}

fn players(standings: &[PlayerStanding]) -> Table {
    let column = |title: &str, importance, cell: &dyn Fn(&PlayerStanding) -> String| {
        Column::new(title, importance, standings, cell)
    };
    let places: Vec<usize> = (1..=standings.len()).collect();
    let mut columns = vec![
        Column::new("", NEEDED, &places, usize::to_string),
        column("player", NEEDED, &|one| one.player.clone()).of_words(),
        column("games", 55, &|one| one.games.to_string()),
        column("won", 50, &|one| one.won.to_string()),
        column("drawn", 50, &|one| one.drawn.to_string()),
        column("lost", 50, &|one| one.lost.to_string()),
        column("points", NEEDED, &|one| {
            with_error(
                one.points.map(|points| format!("{points:.1}")),
                one.points_error,
                1,
            )
        }),
        column("Elo", NEEDED, &elo),
        column("superiority", 40, &|one| {
            one.superiority.map_or_else(|| UNKNOWN.to_owned(), percent)
        }),
        column("s/move", 30, &|one| {
            let seconds = one.seconds_per_move;
            seconds.map_or_else(|| UNKNOWN.to_owned(), |seconds| format!("{seconds:.3}"))
        }),
    ];
    // Columns of zeros only take room.
    if standings.iter().any(|one| one.errors > 0) {
        columns.push(column("errors", 70, &|one| one.errors.to_string()));
    }
    if standings.iter().any(|one| one.late > 0) {
        columns.push(column("late", 65, &|one| one.late.to_string()));
    }
    if standings
        .iter()
        .all(|one| one.rating == RatingStatus::Apart)
    {
        columns.retain(|column| !["Elo", "superiority"].contains(&column.title.as_str()));
    }
    Table {
        caption: "Players",
        columns,
    }
}

/// Elo points with their error, or why there are none.
pub(super) fn elo(one: &PlayerStanding) -> String {
    match one.rating {
        RatingStatus::Rated => with_error(one.elo.map(|elo| format!("{elo:+.0}")), one.error, 0),
        RatingStatus::Above => "above all".to_owned(),
        RatingStatus::Below => "below all".to_owned(),
        RatingStatus::Apart => UNKNOWN.to_owned(),
    }
}

/// Per row and column, how much of the points the player of the row won against the player of the column, 0 to 1.
pub(super) fn shares(table: &ResultTable) -> Vec<Vec<Option<f64>>> {
    let players: Vec<&str> = table
        .standings
        .iter()
        .map(|one| one.player.as_str())
        .collect();
    let place = |name: &str| players.iter().position(|player| *player == name);
    let mut shares = vec![vec![None; players.len()]; players.len()];
    for pair in &table.pairs {
        let [first, second] = pair.players.each_ref().map(|name| place(name));
        if let (Some(first), Some(second)) = (first, second) {
            shares[first][second] = Some(pair.score);
            shares[second][first] = Some(1.0 - pair.score);
        }
    }
    shares
}

fn cross_table(table: &ResultTable) -> Table {
    let shares = shares(table);
    let standings = &table.standings;
    let places: Vec<usize> = (0..standings.len()).collect();
    let number = |place: &usize| (place + 1).to_string();
    let mut columns = vec![
        Column::new("", NEEDED, &places, number),
        Column::new("player", NEEDED, standings, |one| one.player.clone()).of_words(),
    ];
    for against in &places {
        let cell = |row: &usize| match shares[*row][*against] {
            Some(share) => format!("{:.1}", 100.0 * share),
            None => UNKNOWN.to_owned(),
        };
        columns.push(Column::new(&number(against), NEEDED, &places, cell));
    }
    Table {
        caption: CROSS_TABLE,
        columns,
    }
}

fn pairs(pairs: &[PairStanding]) -> Table {
    let column = |title: &str, importance, cell: &dyn Fn(&PairStanding) -> String| {
        Column::new(title, importance, pairs, cell)
    };
    let mut columns = vec![
        column("player", NEEDED, &|pair| pair.players[0].clone()).of_words(),
        column("against", NEEDED, &|pair| pair.players[1].clone()).of_words(),
        column("won", 60, &|pair| pair.won.to_string()),
        column("drawn", 60, &|pair| pair.drawn.to_string()),
        column("lost", 60, &|pair| pair.lost.to_string()),
        column("score %", NEEDED, &|pair| {
            let score = format!("{:.1}", 100.0 * pair.score);
            with_error(Some(score), pair.score_error.map(|error| 100.0 * error), 1)
        }),
        column("Elo", 80, &|pair| interval(pair.elo, pair.elo_interval)),
        column("superiority", 40, &|pair| {
            pair.superiority.map_or_else(|| UNKNOWN.to_owned(), percent)
        }),
    ];
    if pairs.iter().any(|pair| pair.pairs.is_some()) {
        columns.push(column("pairs 0 ½ 1 1½ 2", 30, &|pair| match pair.pairs {
            Some(counts) => counts.map(|count| count.to_string()).join(" "),
            None => UNKNOWN.to_owned(),
        }));
    }
    Table {
        caption: "Every two players",
        columns,
    }
}

fn roles(table: &ResultTable) -> Table {
    let column = |title: &str, cell: &dyn Fn(&crate::tournament::RoleStanding) -> String| {
        Column::new(title, NEEDED, &table.roles, cell)
    };
    Table {
        caption: "Roles, whoever played them",
        columns: vec![
            column("role", &|one| match one.is_first {
                true => format!("{} (moves first)", one.role),
                false => one.role.clone(),
            })
            .of_words(),
            column("games", &|one| one.points.count.to_string()),
            column("points", &|one| mean(&one.points)),
        ],
    }
}

fn mean(of: &MeanOfGroups) -> String {
    with_error(Some(format!("{:.1}", of.mean)), of.error, 1)
}

fn with_error(value: Option<String>, error: Option<f64>, decimals: usize) -> String {
    match (value, error) {
        (Some(value), Some(error)) => format!("{value} ± {error:.decimals$}"),
        (Some(value), None) => value,
        (None, _) => UNKNOWN.to_owned(),
    }
}

/// Elo points with the ends of their interval, which may lie at infinity.
fn interval(elo: Option<f64>, ends: Option<[Option<f64>; 2]>) -> String {
    let (elo, ends) = match (elo, ends) {
        (Some(elo), Some(ends)) => (elo, ends),
        (Some(elo), None) => return format!("{elo:+.0}"),
        (None, _) => return UNKNOWN.to_owned(),
    };
    let [low, high] =
        ends.map(|end| end.map_or_else(|| "∞".to_owned(), |end| format!("{end:+.0}")));
    let sign = if low == "∞" { "-" } else { "" };
    format!("{elo:+.0} ({sign}{low} to {high})")
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}
