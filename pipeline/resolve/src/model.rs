//! Symbols and files in the compact form that resolution needs.

use serde::{Deserialize, Serialize};
use sextant_format::ids::{FileId, SymbolId};
use sextant_format::kinds::{EdgeKind, Kind};
use sextant_records::Origins;
use sextant_syntax::language::Language;

use crate::interner::NameId;
use crate::module_path::module_segments;
use crate::packed::PackedReferences;
use crate::raw_reference::RawReference;

/// A definition.
pub(crate) struct SymbolInfo {
    pub(crate) name: NameId,
    /// The enclosing symbol; `None` for files.
    pub(crate) container: Option<SymbolId>,
    /// The name of the owner: the container's, or, directly in a file, the owner in the qualified name.
    pub(crate) owner: Option<NameId>,
    pub(crate) file: FileId,
    pub(crate) kind: Kind,
    pub(crate) has_body: bool,
    /// Whether other files can refer to it, as far as its definition says.
    pub(crate) is_exported: bool,
    /// Line of its name, from 1.
    pub(crate) line: u32,
    /// Column of its name in bytes, from 0.
    pub(crate) column: u32,
    /// Fewest and most arguments that it accepts.
    pub(crate) arity: (u8, u8),
}

impl RawReference {
    /// Whether it is an implemented interface written outside of the type (`impl Trait for Type`). Its owner is then
    /// the type.
    pub(crate) fn is_out_of_line_impl(&self, symbols: &[SymbolInfo]) -> bool {
        self.kind == EdgeKind::Implement && self.owner.is_some() && !symbols[self.source.index()].kind.is_type()
    }
}

/// A file.
pub(crate) struct FileInfo {
    pub(crate) repo: u32,
    pub(crate) path: String,
    pub(crate) language: Option<&'static Language>,
    pub(crate) family: &'static str,
    /// Number of its repository and language family. References resolve within one linkage group.
    pub(crate) linkage_group: u32,
    /// Number of its folder, package or namespace. Equal folders of two repositories have different numbers.
    pub(crate) folder: u32,
    /// The namespace that it declares, its segments joined by a dot, in languages whose rules say which full name a
    /// written name means; `None` elsewhere, and if it declares several.
    pub(crate) namespace: Option<String>,
    /// Its name as a module: its stem, or its folder where the stem is a folder stem.
    pub(crate) module_name: String,
    pub(crate) is_test: bool,
    /// Whether it exports or imports anything; its other names are then private to it.
    pub(crate) is_module: bool,
    pub(crate) first_symbol: SymbolId,
    /// The number of its first link among those of all files.
    pub(crate) first_link: u32,
    /// Those of its references that resolution needs of every file: imports, bases, and the endpoints that it serves.
    pub(crate) links: Box<[RawReference]>,
    /// All its references, and the links among them; none until they are loaded, where the file is resolved.
    pub(crate) references: Option<PackedReferences>,
    /// What is compared with the previous build.
    pub(crate) state: FileState,
    /// Its number in the stored table of the earlier build from which it was added.
    pub(crate) stored: Option<usize>,
}

/// What questions say of the file in which they look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Place {
    /// Its repository and path.
    pub(crate) key: u64,
    /// Its language family in its repository.
    pub(crate) group: u64,
    /// Its folder, package or namespace.
    pub(crate) folder: u64,
    /// Its name as a module.
    pub(crate) module: u64,
}

/// Fingerprints of a file, by which a build tells what differs from the previous one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct FileState {
    pub(crate) place: Place,
    /// What other files see of the file itself: path, language, package, whether it is a test or a module.
    pub(crate) attributes: u64,
    /// Its symbols, references and type facts, with their places.
    pub(crate) content: u64,
    /// The namespaces that it declares, with what they contain.
    pub(crate) namespaces: u64,
}

impl FileInfo {
    /// The segments of its path as a module.
    pub(crate) fn module_segments(&self) -> Vec<&str> {
        module_segments(&self.path, self.language)
    }
}

/// How large a symbol table is, in rows.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct TableSizes {
    /// Symbols of all files.
    pub symbols: u32,
    /// Type facts.
    pub type_facts: u32,
    /// Parameters of all functions.
    pub parameters: u32,
}

/// What the table of a build has of the earlier one whose names it began with.
#[derive(Default)]
pub(crate) struct EarlierTable {
    /// The number of its names.
    pub(crate) names: usize,
    /// The number of those that its base has.
    pub(crate) base_names: usize,
    /// Where it has files.
    pub(crate) origins: Origins,
}

/// The uses of an external symbol in a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ExternalUses {
    /// The number of the symbol among those of the build.
    pub(crate) symbol: u32,
    /// The number of the module through which the file reaches it.
    pub(crate) module: Option<u32>,
    pub(crate) uses: u32,
}
