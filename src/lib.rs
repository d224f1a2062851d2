//! Kolibri plays any game whose rules are written in GDL, the Game Description Language.
//!
//! ```text
//! rule text ─kif─▶ Sexpr ─gdl─▶ Description ─check─▶ Rules ──datalog──▶ reasoner ──▶ Game ──▶ search ──▶ play ──▶ cli · terminal
//! ```
//!
//! The modules below are the rooms of the house, lowest first: a room may use the ones above it in this
//! list and never one below (`tests/floors.rs` keeps that true).

// Text and s-expressions: the nom grammar, diagnostics with byte spans, printer and formatter.
pub mod kif;

// A bottom-up Datalog reasoner: interned terms, relations, strata, semi-naive fix-points. Knows nothing of games.
pub mod datalog;

// The meaning of GDL's words: from s-expressions to checked rules.
pub mod gdl;

// The game abstraction: roles, joint moves, states, and the promises every engine keeps.
pub mod game;

// Games made from checked rules: the reasoner-backed engine.
pub mod machine;

// A name or a path → a game: the shipped games, files and standard input.
pub mod catalog;

// Choosing moves by looking ahead.
pub mod search;

// Questions about a game: how many paths there are, how random games go, whether a record agrees.
pub mod analysis;

// Players, the referee, and match records: games in progress, in text.
pub mod play;

// Games for people: boards as text, and interactive play.
pub mod terminal;

// The command line, the only room that prints or reads the environment.
pub mod cli;
