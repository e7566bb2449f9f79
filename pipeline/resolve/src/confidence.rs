//! How likely a target found in a way is right: measured against compilers' front ends over thirty projects in four
//! languages (docs/edges.md), rounded down; what stands for a name alone is an estimate.

pub(super) const SCIP: f32 = 1.0;
pub(super) const SCOPE: f32 = 0.98;
pub(super) const IMPORT: f32 = 0.98;
pub(super) const GLOB_IMPORT: f32 = 0.95;
pub(super) const RECEIVER: f32 = 0.96;
pub(super) const PACKAGE: f32 = 0.98;
pub(super) const UNIQUE: f32 = 0.7;
/// Estimates: a test that is named after what it uses, and one that stands where its tests are looked for.
pub(super) const TEST_BY_NAME: f32 = 0.9;
pub(super) const TEST_BY_LOCATION: f32 = 0.7;
/// Shared by all candidates.
pub(super) const AMBIGUOUS: f32 = 0.5;
