//! Games made from checked rules.
//!
//! [`Reasoner`] is the [`StateMachine`](crate::game::StateMachine) that derives everything bottom-up from the facts of a state, and only
//! what is asked. [`Propnet`] is the one that has made a network of gates of the rules, and runs that. [`choose`] takes
//! one of them and says why.

mod choose;
mod compile;
mod lanes;
mod native;
mod pipeline;
mod plan_profile;
mod propnet;
mod reasoner;
mod self_check;

pub use choose::{Checked, Chosen, EngineError, Machine, Preference, choose};
pub use compile::{CompiledNetwork, LeftOut, NotGroundable};
pub use lanes::Workspace;
pub use native::NATIVE_ENGINES;
pub use pipeline::{
    EngineChoice, InvalidGame, OpenError, OpenOptions, Opened, Visit, check, how_to_report, open,
};
pub use propnet::{Bits, CompileReport, Propnet};
pub use reasoner::{BuildError, Facts, MoveId, Reasoner, Scratch};
pub use self_check::self_check;
