//! From when on rules are rewritten before they are spelt out, and how much may be spent to find out.

/// Thresholds. They change how much is spelt out, and never what it means.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tuning {
    /// A relation with so many columns is wide: it is [spelt out](super::unfold) or split into [cases](super::cases).
    pub(super) wide: usize,
    /// In a clause with so many variables, parts that only an absence is asked of get
    /// [ranges](super::Decomposed::ranges). In smaller ones, conditions side by side are worth more to a network.
    pub(super) ranges_from: usize,
    /// In a relation with so many columns, values may make [no difference](super::indifferent). Those with fewer have few
    /// rows anyway.
    pub(super) indifferent_from: usize,
    /// How many rows are looked at for the sizes of relations.
    pub(super) look_below: u64,
    /// How many rows are looked at to see which values are told apart.
    pub(super) look_for_differences: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self {
            wide: 6,
            ranges_from: 6,
            indifferent_from: 5,
            look_below: 4_000_000,
            look_for_differences: 8_000_000,
        }
    }
}
