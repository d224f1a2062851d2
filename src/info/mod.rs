//! What can be known of a game before it is played: which facts belong together, what each goal needs, and which orders
//! the rules list.

mod facts;
mod goals;

pub use facts::{game_facts, game_facts_of};
