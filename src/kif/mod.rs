//! Text ⇄ s-expressions.
//!
//! KIF is the prefix notation that GDL is written in: atoms, lists and `;` comments. This module knows no keyword of GDL
//! except those that wrap a fact: see [`read_facts`].
//!
//! ```text
//! bytes ─decode─▶ text ─lexeme─▶ lexemes ─parse─▶ Sexpr ─Display─▶ text
//!                                        └─format─▶ text, comments kept
//! ```
//!
//! Every error and warning is a [`Diagnostic`], and [`render`] draws it. [`GroundTerm`] is the type of facts and moves
//! that are exchanged as text.
//! Time and memory are linear in the length of the text, whatever it holds.

mod decode;
mod diagnostic;
mod excerpt;
mod fix;
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
pub use fix::{Edit, Fix, apply};
pub use format::format;
pub use ground_term::{
    FactError, GroundTerm, GroundTermError, GroundTermFault, read_each, read_facts, read_state,
};
pub use lexeme::{Lexeme, Lexemes, is_of_word, lexemes};
pub use lines::{LineColumn, LineIndex, in_one_line};
pub use parse::{MAX_DEPTH, MAX_DIAGNOSTICS, Parsed, parse};
pub use render::{MAX_RENDERED, render};
pub use sexpr::{Sexpr, SexprKind, Span};
