#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| claim_check_fuzz::neutralise(data));
