//! The texts of a language's queries. Must not know what is in them.

/// The query texts of a language, folder by folder.
#[derive(Clone, Copy, Debug)]
pub struct Queries {
    /// Definitions.
    pub symbols: &'static [&'static str],
    /// Uses.
    pub references: &'static [&'static str],
    /// Logic blocks.
    pub blocks: &'static [&'static str],
    /// Embedded languages.
    pub embedded: &'static [&'static str],
    /// Declared and inferred types.
    pub types: &'static [&'static str],
}

impl Queries {
    /// No queries.
    pub const NONE: Self = Self { symbols: &[], references: &[], blocks: &[], embedded: &[], types: &[] };

    /// All groups, in the order of compilation.
    #[must_use]
    pub const fn all(&self) -> [&'static [&'static str]; 5] {
        [self.symbols, self.references, self.blocks, self.embedded, self.types]
    }
}

/// The texts of the queries that colour a text: those of the grammar's crate, then the language's own.
#[derive(Clone, Copy, Debug)]
pub struct Highlights {
    /// Classes of highlighting.
    pub highlights: &'static [&'static str],
    /// Texts in other languages.
    pub injections: &'static [&'static str],
    /// Scopes of local names.
    pub locals: &'static [&'static str],
}
