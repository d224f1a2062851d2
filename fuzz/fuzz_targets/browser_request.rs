//! Messages and bodies that callers of `kolibri serve` send.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| kolibri_fuzz::properties::browser_request(bytes));
