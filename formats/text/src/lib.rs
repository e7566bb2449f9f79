//! Turns text into tokens ([`tokens`]), and defines the full-text index over chunks and symbols ([`index`]) with the
//! map between its documents and rows ([`row_map`]). Builds and queries must do this identically.
//!
//! This crate must not know how documents are ranked, nor who writes them.

pub mod index;
pub mod row_map;
pub mod tokens;

use sextant_format::{Error, Result};
