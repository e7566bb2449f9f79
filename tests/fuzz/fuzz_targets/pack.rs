//! Any bytes into the readers of packs: the first byte says which. Never a panic, whatever is in the others.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sextant_sync::pack::read_anything;

fuzz_target!(|bytes: &[u8]| {
    if let Some((reader, bytes)) = bytes.split_first() {
        read_anything(*reader, bytes);
    }
});
