//! The rows, as the build script made them from `languages/<name>/language.toml`.

use std::sync::OnceLock;

use super::{Export, Language, ModuleSystem, Queries};

include!(concat!(env!("OUT_DIR"), "/table.rs"));
