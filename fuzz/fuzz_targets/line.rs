//! Lines of the engine protocol.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kolibri_fuzz::properties::line(bytes));
