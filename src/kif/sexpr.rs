//! The tree that text is read into.

/// A half-open range of byte offsets into the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just behind the last byte.
    pub end: usize,
}

/// An atom or a list, with the place it was read from.
///
/// Borrowed from the text: an atom is a slice of it, spelt as the author spelt it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sexpr<'t> {
    /// What it is.
    pub kind: SexprKind<'t>,
    /// Where it stands, parentheses included.
    pub span: Span,
}

/// The two shapes an s-expression has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SexprKind<'t> {
    /// A maximal run of characters other than white space, parentheses and `;`.
    Atom(&'t str),
    /// What stands between a pair of parentheses.
    List(Vec<Sexpr<'t>>),
}
