//! The thresholds of the rewriting steps, and how many rows may be derived to decide about them.

/// They change how many rules are instantiated, never what the rules mean.
#[derive(Debug, Clone, Copy)]
pub(super) struct Thresholds {
    /// A relation with at least this many columns is wide: it is [inlined](super::inline) or its rules are
    /// [split](super::split_rules).
    pub(super) wide: usize,
    /// In a clause with at least this many variables, buckets without a positive literal get
    /// [ranges](super::decompose::Decomposed::ranges). In smaller clauses the network is smaller without them.
    pub(super) ranges_from: usize,
    /// Clauses with at least this many variables [look up](super::unique_facts) what they ask of unique facts: others have few
    /// instances.
    pub(super) lookups_from: usize,
    /// A relation with at least this many columns is searched for [irrelevant arguments](super::irrelevant). Those with
    /// fewer have few rows anyway.
    pub(super) irrelevant_from: usize,
    /// How many rows may be examined to derive a static recursive relation, such as a sum by successors, as a whole.
    pub(super) recursion_rows: u64,
    /// How many rows are derived to estimate the sizes of relations.
    pub(super) sizing_rows: u64,
    /// How many rows are derived to find the distinguished values.
    pub(super) distinguishing_rows: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self {
            wide: 6,
            ranges_from: 6,
            lookups_from: 6,
            irrelevant_from: 5,
            recursion_rows: 8_000_000,
            sizing_rows: 500_000,
            distinguishing_rows: 8_000_000,
        }
    }
}
