//! Messages of match servers.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kolibri_fuzz::properties::message(bytes));
