//! Kolibri plays any game whose rules are written in GDL, the Game Description Language.
//!
//! ```text
//! rule text ─kif─▶ Sexpr ─gdl─▶ Description ─check─▶ Rules ─┬─datalog─▶ reasoner ───────────┬─▶ StateMachine ─┬─▶ search ─▶ play ─▶ terminal · cli
//!                                                           └─ground─▶ Ground ─▶ propnet ─┤        └─▶ analysis ─▶ cli
//!                                                    hand-written native engines (native) ─────────┘
//! ```
//!
//! From text to a game, and one step in it:
//!
//! ```
//! use kolibri::catalog::GameSource;
//! use kolibri::engine::Reasoner;
//! use kolibri::game::{Role, StateMachine};
//! use kolibri::gdl;
//!
//! let text = GameSource::find("tictactoe")?.text;
//! let rules = gdl::load(&text).rules.ok_or("the rules have errors")?;
//! let game = engine::Reasoner::new(&rules)?;
//!
//! let (mut scratch, start, mut moves) = (game.scratch(), game.initial(), Vec::new());
//! game.legal(&mut scratch, &start, Role(0), &mut moves);
//! assert_eq!(moves.len(), 9);
//! let corner = moves.iter().find(|mv| game.move_text(**mv) == "(mark 1 1)");
//! let mut joint = vec![*corner.ok_or("the corner is blank")?];
//! game.legal(&mut scratch, &start, Role(1), &mut moves);
//! joint.extend(&moves);
//! let next = game.next(&mut scratch, &start, &joint);
//! assert!(game.state_text(&next).contains(&"(cell 1 1 x)".to_owned()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules below are the rooms of the house, lowest first: a room may use the ones above it in this
//! list and never one below (`tests/floors.rs` keeps that true).

// What every module may use: deadlines and stop flags.
pub mod util;

// Text and s-expressions: the nom grammar, diagnostics with byte spans, printer and formatter.
pub mod kif;

// A bottom-up Datalog reasoner: interned terms, relations, strata, semi-naive fix-points. Knows nothing of games.
pub mod datalog;

// The meaning of GDL's words: from s-expressions to checked rules.
pub mod gdl;

// Rules without variables, over the facts that can ever hold.
pub mod ground;

// What holds in every state that can be reached: mutex groups, exactly-one groups, persistent facts.
pub mod invariants;

// The propositional network that ground rules amount to, simplified, and run for many games at a time.
pub mod propnet;

// The game abstraction: roles, joint moves, states, and what every engine promises.
pub mod game;

// Whether engines keep these promises: laws, differential tests, recorded games.
pub mod conformance;

// What can be known of a game before it is played: goals, orders, facts that belong together.
pub mod info;

// Engines written by hand for shipped games, on bitboards.
pub mod native;

// A name or a path → rule text: the shipped games, files and standard input.
pub mod catalog;

// Shipped games in other sizes.
pub mod generate;

// Rule text → a game with an engine: the pipeline, and the choice between reasoner, propnet and native engine.
pub mod engine;

// Choosing moves by looking ahead.
pub mod search;

// Questions about a game: how many paths there are, how random games go.
pub mod analysis;

// Players, the referee, and match records: games in progress, in text.
pub mod play;

// Games for people: boards as text, and interactive play.
pub mod terminal;

// The command line, the only room that prints or reads the environment.
#[cfg(feature = "cli")]
pub mod cli;
