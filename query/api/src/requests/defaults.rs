//! Default values of parameters, shared by the command line and JSON, which both need functions.

pub(super) const fn one() -> u32 {
    1
}

pub(super) const fn two() -> u32 {
    2
}

pub(super) const fn three() -> usize {
    3
}

pub(super) const fn one_and_nothing() -> f64 {
    1.0
}

pub(super) const fn one_second() -> f32 {
    1.0
}

pub(super) const fn five() -> u16 {
    5
}

pub(super) const fn six() -> u32 {
    6
}

pub(super) const fn ten() -> u16 {
    10
}

pub(super) const fn twenty() -> u16 {
    20
}

pub(super) const fn fifty() -> u16 {
    50
}

pub(super) const fn hundred() -> u16 {
    100
}

pub(super) const fn fifteen_hundred() -> usize {
    1500
}

pub(super) const fn two_thousand() -> usize {
    2000
}

/// The lowest confidence of an edge that is not a guess among several candidates.
pub(super) const fn sure() -> f32 {
    0.5
}
