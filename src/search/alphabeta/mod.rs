//! Alpha-beta search: iterative deepening with principal variation search, a transposition table and forward pruning.
//!
//! ```text
//! player ─▶ deepening (threads) ─▶ root ─▶ pvs ─▶ stack (any engine: plies)
//!                                           └─▶ ordering · first_child · siblings · cousins · call_width · extension · forward_pruning · lookup ─▶ history · transposition · shared
//! ```

pub(super) mod call_width;
mod cousins;
mod deepening;
pub(super) mod extension;
mod fact_marks;
mod first_child;
mod forward_pruning;
mod history;
mod lookup;
mod move_selection;
pub(super) mod ordering;
mod player;
pub(super) mod plies;
mod poll;
mod pvs;
mod roles;
mod root;
mod settings;
mod shared;
mod siblings;
pub(super) mod stack;
mod tracker;
pub(super) mod transposition;

pub use move_selection::{MoveSelection, UnknownMoveSelection};
pub use player::{MinimaxSearcher, best_move};
pub use settings::{Features, MinimaxSettings};
pub use transposition::bytes_of_entries;
