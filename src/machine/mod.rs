//! Games made from checked rules.
//!
//! [`Reasoner`] is the [`Game`](crate::game::Game) that derives everything bottom-up from the facts of a state, and only
//! what is asked. [`Propnet`] is the one that has made a network of gates of the rules, and runs that. [`choose`] takes
//! one of them and says why.

mod choose;
mod design;
mod goals;
mod powers;
mod propnet;
mod reasoner;
mod rehearsal;
mod self_check;
mod term;
mod vocabulary;

pub use choose::{Checked, Chosen, Machine, Preference, Unfit, choose};
pub use design::{Design, LeftOut, NoPropnet};
pub use powers::Workspace;
pub use propnet::{Bits, Making, Propnet};
pub use reasoner::{BuildError, Facts, MoveId, Reasoner, Scratch};
pub use self_check::self_check;
pub use vocabulary::vocabulary_of;
