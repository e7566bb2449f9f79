//! Text into tokens ([`tokens`]), and the full-text index over chunks and symbols ([`index`]) with the map between its
//! documents and rows ([`row_map`]). Both programs must do this identically.
//!
//! This crate must not know how documents are ranked, nor who writes them.

pub mod index;
pub mod row_map;
pub mod tokens;

use sextant_format::{Error, Result};
