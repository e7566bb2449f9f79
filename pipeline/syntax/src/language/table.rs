//! The table of languages, which the build script generates from `languages/<name>/language.toml`.

use std::sync::OnceLock;

use super::mask::Replacement;
use super::queries::{Highlights, Queries};
use super::row::Language;
use super::rules::{Export, MapLoops, ModuleSystem};

include!(concat!(env!("OUT_DIR"), "/table.rs"));
