//! The version of the answers' schema.

/// The schema version of every answer.
pub const SCHEMA_VERSION: u32 = 1;
