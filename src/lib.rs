//! Kolibri plays any game whose rules are written in GDL, the Game Description Language.
//!
//! ```text
//! rule text ─kif─▶ Sexpr ─gdl─▶ Rules ─┬─datalog──────────────────────▶ Reasoner ─┐
//!                                      └─ground─▶ Ground ─▶ propnet ──▶ Propnet ──┼─▶ session::Game ─▶ play ─▶ drawing · terminal · cli
//!                                              native engines ────────────────────┘    Position · Session
//! ```
//!
//! [`engine::load`] runs all these stages and reports the time and the size of each. Every engine is a
//! [`game::StateMachine`]; [`search`] and [`analysis`] work on any of them, statically dispatched.
//!
//! A [`Game`] can be cloned and sent to other threads, and so can its positions. Roles, moves and facts are strings in the
//! syntax of the rules:
//!
//! ```
//! use kolibri::{Match, Mcts, Minimax};
//!
//! let game = kolibri::Game::load("connect-four")?; // a shipped name or a path; Game::from_text(name, text) for a text
//! let mut position = game.initial();
//! position.play("(drop d)")?; // roles with a single move are filled in; play_joint takes a move per role
//! for mv in position.legal("yellow")? {
//!     println!("{mv}");
//! }
//! let found = Minimax::new().depth(8).threads(2).search(&position)?;
//! println!("{} {} {} {:?} {}", found.best, found.value.points(), found.exact, found.pv, found.nodes);
//! let totals = position.playouts(10_000).seed(1).run()?;
//! println!("{:?} {:?} {}", totals.mean_goals, totals.mean_length, totals.states_per_second());
//! let result = Match::new(&game)
//!     .player("red", Minimax::new().time_ms(100))
//!     .player("yellow", Mcts::new().playouts(1_000))
//!     .run()?;
//! println!("{:?}", result.games[0].goals);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Programs that need an engine's own types use [`engine`] and the traits in [`game`].
//!
//! `src/lib.rs` declares the modules lowest first: a module may use those declared before it and never one after it
//! (`tests/layers.rs` checks this).

// What every module may use: deadlines and stop flags, what the system says.
pub mod util;

// Intervals, differences of strength, sequential tests: what results of games say.
pub mod statistics;

// Files written whole or not at all.
pub mod files;

// Text, s-expressions and ground terms: parser, printer, formatter, and diagnostics with byte spans.
pub mod kif;

// What match servers and players of General Game Playing say to each other.
pub mod protocol;

// What a host and a player program say to each other on standard input and output.
pub mod engine_protocol;

// A Datalog engine: interned terms, indexed relations, stratification, semi-naive fixpoints. Knows nothing of games.
pub mod datalog;

// GDL: from s-expressions to checked rules, and from those to Datalog.
pub mod gdl;

// The same rules in other words.
pub mod scramble;

// Grounding: rules without variables, over the propositions that can ever hold.
pub mod ground;

// Invariants of the reachable states: mutex groups, exactly-one groups, persistent facts; symmetries of the rules.
pub mod invariants;

// The propositional network that ground rules amount to, simplified, and run for many games at a time.
pub mod propnet;

// The game abstraction: roles, joint moves, states, and what every engine promises.
pub mod game;

// Whether engines keep these promises: conformance checks, differential tests, recorded games.
pub mod conformance;

// What can be known of a game before it is played: goals, orders, boards, facts that belong together.
pub mod info;

// Engines written by hand for shipped games, on bitboards.
pub mod native;

// A name or a path → rule text: the shipped games, files and standard input.
pub mod catalog;

// Shipped games in other sizes.
pub mod generate;

// Rule text → a game with an engine: the pipeline, and the choice between reasoner, propnet and native engine.
pub mod engine;

// Symmetries of a game: found in its rules, confirmed by random games, proved on the network.
pub mod symmetry;

// Choosing moves by looking ahead.
pub mod search;

// Questions about a game: how many paths there are, how random games go.
pub mod analysis;

// All states that can be reached, what each is worth, and who can keep the game from ending.
pub mod state_space;

// The owned handle: a game, its positions as values, sessions with a history, searches in the background.
pub mod session;

// Perfect play from solutions: what positions are worth, strategies, and their proof.
pub mod solved;

// Players, the referee, and match records: games in progress, in text.
pub mod play;

// How often the moves of players keep what positions are worth.
pub mod quality;

// Games between several players: their log, and what it says of the players.
pub mod tournament;

// Weights of published evaluations, tuned by games between them.
pub mod tuning;

// Positions drawn: boards as text and as SVG.
pub mod drawing;

// Interactive play, line by line.
pub mod terminal;

// What the author of a rule file wants to know: faults with their lines, and what the game is like.
pub mod playtest;

// A player that other programs start, and talk to on standard input and output.
pub mod engine_player;

// HTTP connections: bounded in number, bytes and time.
#[cfg(feature = "player")]
pub mod connections;

// A player that match servers call over HTTP.
#[cfg(feature = "player")]
pub mod network_player;

// The language server: what editors ask about rule files while they are written.
#[cfg(feature = "lsp")]
pub mod lsp;

// Matches that people play in a browser: the server, and what it tells of them.
#[cfg(feature = "serve")]
pub mod serve;

// The command line, the only module that prints or reads the environment.
#[cfg(feature = "cli")]
pub mod cli;

pub use play::Match;
pub use playtest::Playtest;
pub use search::Heuristics;
pub use session::{Found, Game, Mcts, Minimax, Position, Session};

// The programs of this page are doc tests, too.
#[cfg(doctest)]
#[doc = include_str!("../docs/how-to/use-as-a-library.md")]
struct UseAsALibrary;
