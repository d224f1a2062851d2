//! Accepted descriptions, printed and read again.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kolibri_fuzz::properties::roundtrip(bytes));
