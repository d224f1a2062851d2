//! The tree that text is read into.

use std::fmt;

/// A half-open range of byte offsets into the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: usize,
    /// Offset just behind the last byte.
    pub end: usize,
}

impl Span {
    /// The span from `start` up to, and without, `end`.
    pub fn new(start: usize, end: usize) -> Span {
        Span { start, end }
    }

    /// The empty span just before the byte at `offset`.
    pub fn at(offset: usize) -> Span {
        Span::new(offset, offset)
    }
}

/// An atom or a list, with the place it was read from.
///
/// Borrowed from the text: an atom is a slice of it, spelled as the author spelled it.
/// Printed with single spaces and without comments: `(cell 1 1 b)`.
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

impl<'t> Sexpr<'t> {
    /// The text of an atom.
    pub fn as_atom(&self) -> Option<&'t str> {
        match &self.kind {
            SexprKind::Atom(text) => Some(text),
            SexprKind::List(_) => None,
        }
    }

    /// The items of a list.
    pub fn as_list(&self) -> Option<&[Sexpr<'t>]> {
        match &self.kind {
            SexprKind::Atom(_) => None,
            SexprKind::List(items) => Some(items),
        }
    }

    /// The atom that a list begins with: `cell` in `(cell 1 1 b)`.
    pub fn head(&self) -> Option<&'t str> {
        self.as_list()?.first()?.as_atom()
    }

    /// How many atoms and lists it is made of, itself included.
    pub fn size(&self) -> usize {
        let items = self.as_list().unwrap_or_default();
        1 + items.iter().map(Sexpr::size).sum::<usize>()
    }
}

impl fmt::Display for Sexpr<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let items = match &self.kind {
            SexprKind::Atom(text) => return f.write_str(text),
            SexprKind::List(items) => items,
        };
        f.write_str("(")?;
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            item.fmt(f)?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use crate::kif::parse;

    #[test]
    fn prints_with_single_spaces() {
        let parsed = parse(" ( cell\t1 ;row\n 1 () ( (b) ) ) ");
        assert_eq!(parsed.sexprs[0].to_string(), "(cell 1 1 () ((b)))");
    }

    #[test]
    fn tells_atoms_and_lists_apart() {
        let parsed = parse("terminal (cell 1 b) () ((f) x)");
        let [atom, list, empty, nested] = &parsed.sexprs[..] else {
            panic!("four expressions")
        };
        assert_eq!(atom.as_atom(), Some("terminal"));
        assert_eq!((atom.as_list(), atom.head()), (None, None));
        assert_eq!(list.as_atom(), None);
        assert_eq!(list.as_list().unwrap().len(), 3);
        assert_eq!(list.head(), Some("cell"));
        assert_eq!((empty.head(), nested.head()), (None, None));
        assert_eq!([atom, list, empty, nested].map(|s| s.size()), [1, 4, 1, 4]);
    }
}
