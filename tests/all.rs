//! All integration tests, one binary. Each module is one concern.

mod corpus;
mod floors;
mod kif;
