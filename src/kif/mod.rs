//! Text ⇄ s-expressions.
//!
//! KIF is the prefix notation GDL is written in: atoms, lists and `;` comments, nothing else. This room knows no
//! keyword of GDL.
//!
//! ```text
//! bytes ─decode─▶ text ─lexeme─▶ lexemes ─parse─▶ Sexpr ─Display─▶ text
//!                                        └─format─▶ text, comments kept
//! ```
//!
//! Whatever is wrong on the way is a [`Diagnostic`], and [`render`] draws it.
//! Time and memory are linear in the length of the text, whatever it holds.

mod decode;
mod diagnostic;
mod excerpt;
mod format;
mod ground_term;
mod lexeme;
mod lines;
mod outline;
mod parse;
mod render;
mod repair;
mod sexpr;

pub use decode::{Decoded, MAX_BYTES, decode};
pub use diagnostic::{Diagnostic, Label, Severity};
pub use format::format;
pub use ground_term::{
    FactError, GroundTerm, GroundTermError, GroundTermFault, read_each, read_facts, read_state,
};
pub use lines::{LineColumn, LineIndex};
pub use parse::{MAX_DEPTH, MAX_DIAGNOSTICS, Parsed, parse};
pub use render::{MAX_RENDERED, render};
pub use sexpr::{Sexpr, SexprKind, Span};
