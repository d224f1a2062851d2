//! Games made from checked rules.
//!
//! [`Reasoner`] is the [`StateMachine`](crate::game::StateMachine) that derives everything bottom-up from the facts of a state, and only
//! what is asked. [`Propnet`] is the one that has made a network of gates of the rules, and runs that. [`load`] makes one
//! of them from rule text, and reports every stage.

mod compile;
mod kept_network;
mod lanes;
mod native;
mod parts;
mod pipeline;
mod plan_profile;
mod propnet;
mod reasoner;
mod report;
mod rule_probe;
mod self_check;

pub use crate::propnet::circuit::SearchSavings;
pub use compile::{CompiledNetwork, LeftOut, NotGroundable};
pub use lanes::Workspace;
pub use native::{AnyEngine, NATIVE_ENGINES};
pub use parts::CompileReport;
pub use pipeline::{
    EngineChoice, InvalidGame, LoadError, LoadOptions, SelfCheck, check, check_rules, check_until,
    how_to_report, load, load_rules,
};
pub use propnet::{Bits, Propnet};
pub use reasoner::{BuildError, Facts, MoveId, Reasoner, ReasonerScratch};
pub use report::{EngineKind, EngineReason, LoadReport, Stage, StageSize, Stages};
pub use rule_probe::{
    EndRuleCount, EndRules, MissingRow, NearMiss, ProbeExhausted, RuleProbe, ToldLine, ToldOf,
    TriedCondition, TriedRule, head_name, told_lines,
};
pub use self_check::self_check;
