//! Stores numbers as the differences between neighbours, which are small where they mostly ascend.

use serde::{Deserialize, Deserializer, Serializer};

pub(crate) fn serialize<S: Serializer>(numbers: &[u32], serializer: S) -> Result<S::Ok, S::Error> {
    let mut last = 0;
    serializer.collect_seq(numbers.iter().map(|&number| number.wrapping_sub(std::mem::replace(&mut last, number))))
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u32>, D::Error> {
    let mut numbers = Vec::<u32>::deserialize(deserializer)?;
    let mut last: u32 = 0;
    for number in &mut numbers {
        last = last.wrapping_add(*number);
        *number = last;
    }
    Ok(numbers)
}
