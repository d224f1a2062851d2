//! The whole way from bytes to rules.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kolibri_fuzz::properties::check(bytes));
