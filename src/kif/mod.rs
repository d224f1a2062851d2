//! Text ⇄ s-expressions.
//!
//! KIF is the prefix notation GDL is written in: atoms, lists and `;` comments, nothing else. This room knows no
//! keyword of GDL.

mod diagnostic;
mod sexpr;

pub use diagnostic::{Diagnostic, Label, Severity};
pub use sexpr::{Sexpr, SexprKind, Span};
