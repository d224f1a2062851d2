//! How lanes are laid out.

use crate::propnet::lanes::program::Program;

/// How lanes are laid out. Changes the speed only.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Words per slot, 64 lanes each: 1, 4, 8 or 16.
    pub words: usize,
    /// Games start every so many plies only. If turns alternate, then the same role is to move in all lanes, and nothing
    /// is spent on the moves of the others. A program with phases sets its own.
    pub period: u32,
}

impl Shape {
    /// Fast for most circuits.
    pub fn usual(program: &Program) -> Self {
        let _ = program;
        Self {
            words: 8,
            period: 1,
        }
    }

    /// How many games advance together.
    pub fn lanes(self) -> usize {
        64 * self.words
    }
}
