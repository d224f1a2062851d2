//! The language server: what editors ask about rule files while they are written.
//!
//! ```text
//! messages ─server─▶ RuleDocument ─index─▶ DocumentIndex ─┐
//!              │           └─checker (own thread)─▶ diagnostics, RuleKnowledge ─┴─▶ hover, completion, rename, …
//! ```
//!
//! Each capability is a module with functions from a `DocumentView`, and a position, to an answer; they know nothing of
//! messages. `server` alone speaks the protocol. Requests are answered in order on one thread,
//! from an index that reads texts with faults too; the checker works on another thread, on the newest version of each
//! document.

mod actions;
mod capabilities;
mod checker;
mod completion;
mod describe;
mod diagnostics;
mod document;
mod forgotten;
mod formatting;
mod frames;
mod hover;
mod index;
mod inlay;
mod keywords;
mod knowledge;
mod lens;
mod positions;
mod references;
mod rename;
mod selection;
mod server;
mod signature;
mod symbols;
mod tokens;
mod transport;

#[cfg(test)]
mod fixture;

pub use transport::{ServerEnd, serve};
