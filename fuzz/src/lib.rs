//! What the fuzz targets assert. The ordinary tests assert the same of the inputs in `tests/inputs`.
//!
//! ```text
//! RUSTC_BOOTSTRAP=1 cargo fuzz run check fuzz/corpus/check tests/inputs games -- -dict=fuzz/gdl.dict -max_len=4096 -timeout=10
//! ```
//!
//! (`cargo install cargo-fuzz --locked` first; the variable lets the stable toolchain do it.)
//! A small input that shows something new belongs into `tests/inputs`.

#[path = "../../tests/properties.rs"]
pub mod properties;
