//! Hashes of texts and numbers that are the same in every build, for what one build stores for the next.

/// The hash of a text (FNV-1a, with the finish of SplitMix64 so that all bits count).
pub(crate) fn of_text(text: &str) -> u64 {
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3));
    finish(hash)
}

/// The hash of a hash and one more value; the order counts.
pub(crate) const fn mix(hash: u64, value: u64) -> u64 {
    finish(hash.rotate_left(5) ^ value)
}

/// The hash of several values in order.
pub(crate) fn of<const N: usize>(values: [u64; N]) -> u64 {
    values.into_iter().fold(0, mix)
}

/// The finish of SplitMix64.
const fn finish(hash: u64) -> u64 {
    let hash = hash.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let hash = (hash ^ (hash >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let hash = (hash ^ (hash >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    hash ^ (hash >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_their_order_count() {
        // Stored by one build and read by the next.
        assert_eq!(of_text("name"), 0x43f0_c382_c817_dbee);
        assert_ne!(of([1, 2]), of([2, 1]));
        assert_ne!(of([0]), of([0, 0]));
        assert_ne!(of_text(""), of_text("\0"));
    }
}
