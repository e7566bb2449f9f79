//! Reads any bytes as a part of a pack; the first byte selects which. No reader may panic.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_sync::pack::read_anything;

fuzz_target!(|bytes: &[u8]| {
    if let Some((reader, bytes)) = bytes.split_first() {
        read_anything(*reader, bytes);
    }
});
