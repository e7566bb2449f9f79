//! The table of languages, which the build script generates from `languages/<name>/language.toml`.

use std::sync::OnceLock;

use super::{Export, Language, ModuleSystem, Queries};

include!(concat!(env!("OUT_DIR"), "/table.rs"));
