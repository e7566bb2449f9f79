//! The closed vocabularies of the format. Tables store the text of a word; `graph.arrow` and the text index store its
//! code, which is its position in the list. New words are appended.

/// Defines an enum with a stable text and a stable code for every value.
macro_rules! vocabulary {
    ($(#[$meta:meta])* $name:ident { $($(#[$vmeta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum $name { $($(#[$vmeta])* #[doc = concat!("`", $text, "`")] $variant,)* }

        impl $name {
            /// Every value, in order of code.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The text that tables store.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// The stable code.
            #[must_use]
            pub const fn code(self) -> u8 {
                self as u8
            }

            /// The value with this code.
            #[must_use]
            pub fn from_code(code: u8) -> Option<Self> {
                Self::ALL.get(usize::from(code)).copied()
            }
        }

        impl std::str::FromStr for $name {
            type Err = UnknownWord;

            fn from_str(text: &str) -> Result<Self, UnknownWord> {
                match text {
                    $($text => Ok(Self::$variant),)*
                    _ => Err(UnknownWord { known: &[$($text),*], word: text.to_owned() }),
                }
            }
        }

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(self.code())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let code = u8::deserialize(deserializer)?;
                Self::from_code(code).ok_or_else(|| serde::de::Error::custom("an unknown code"))
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

/// A text that is not in a closed vocabulary.
#[derive(Debug, thiserror::Error)]
#[error("'{word}' is none of {}", known.join(", "))]
pub struct UnknownWord {
    known: &'static [&'static str],
    word: String,
}

vocabulary! {
    /// The kind of a symbol or a chunk.
    Kind {
        File = "file",
        Module = "module",
        Namespace = "namespace",
        Class = "class",
        Struct = "struct",
        Union = "union",
        Enum = "enum",
        EnumMember = "enum_member",
        Interface = "interface",
        Trait = "trait",
        Type = "type",
        Function = "function",
        Method = "method",
        Constructor = "constructor",
        Constant = "constant",
        Variable = "variable",
        Field = "field",
        Property = "property",
        Macro = "macro",
        Section = "section",
        Loop = "loop",
        Conditional = "conditional",
        Match = "match",
        Try = "try",
        With = "with",
        Block = "block",
        Code = "code",
        Window = "window",
        Test = "test",
        Rule = "rule",
        Element = "element",
        Key = "key",
    }
}

impl Kind {
    /// Whether it is a definition, as opposed to a logic block or left-over text.
    #[must_use]
    pub const fn is_symbol(self) -> bool {
        (self as u8) <= (Self::Section as u8) || matches!(self, Self::Test | Self::Rule | Self::Element | Self::Key)
    }

    /// Whether it is a logic block inside a symbol (level 2).
    #[must_use]
    pub const fn is_block(self) -> bool {
        matches!(self, Self::Loop | Self::Conditional | Self::Match | Self::Try | Self::With | Self::Block)
    }

    /// Whether it is a type that can own methods and be inherited from or implemented.
    #[must_use]
    pub const fn is_type(self) -> bool {
        matches!(
            self,
            Self::Class | Self::Struct | Self::Union | Self::Enum | Self::Interface | Self::Trait | Self::Type
        )
    }

    /// Whether it can be called.
    #[must_use]
    pub const fn is_callable(self) -> bool {
        matches!(self, Self::Function | Self::Method | Self::Constructor | Self::Macro | Self::Test)
    }

    /// Whether it only groups other symbols and has no chunk of its own: code in it that belongs to no other symbol is
    /// left-over code of the file.
    #[must_use]
    pub const fn is_transparent(self) -> bool {
        matches!(self, Self::File | Self::Module | Self::Namespace)
    }
}

vocabulary! {
    /// How an edge's source relates to its target.
    EdgeKind {
        Call = "call",
        Import = "import",
        Inherit = "inherit",
        Implement = "implement",
        Type = "type",
        Instantiate = "instantiate",
        Decorate = "decorate",
        Reference = "reference",
        Contains = "contains",
        Override = "override",
        Define = "define",
        Test = "test",
        Serve = "serve",
        Request = "request",
    }
}

impl EdgeKind {
    /// Whether the edge comes from a use in the text; the others are derived from the symbols.
    #[must_use]
    pub const fn is_use(self) -> bool {
        !matches!(self, Self::Contains | Self::Override | Self::Define | Self::Test)
    }

    /// Whether the edge leads from code that may run to the declaration through which it is called: a method that is
    /// overridden, a method of a service.
    #[must_use]
    pub const fn leads_to_declaration(self) -> bool {
        matches!(self, Self::Override | Self::Serve)
    }
}

vocabulary! {
    /// How an edge's target was resolved, best first except for `external` and those after it.
    Tier {
        Scip = "scip",
        Scope = "scope",
        Import = "import",
        Package = "package",
        Receiver = "receiver",
        Unique = "unique",
        Ambiguous = "ambiguous",
        Unresolved = "unresolved",
        External = "external",
        Dependency = "dependency",
        Server = "server",
    }
}

vocabulary! {
    /// How a file was parsed into symbols and chunks.
    ParseStatus {
        /// The grammar accepted the whole file.
        Parsed = "parsed",
        /// The grammar reported errors; what it could parse is kept.
        Partial = "partial",
        /// There is no grammar for the text; it is cut into windows.
        Windows = "windows",
        /// Parsing exceeded its step limit; the text is cut into windows.
        Timeout = "timeout",
        /// The file is empty or contains only white space.
        Empty = "empty",
        /// Parsing exceeded its step limit; simple patterns found the symbols.
        Patterns = "patterns",
    }
}

vocabulary! {
    /// Why a path was not indexed.
    SkipReason {
        Unreadable = "unreadable",
        Binary = "binary",
        TooLarge = "too-large",
        Minified = "minified",
        NotUtf8 = "not-utf8",
        NotAFile = "not-a-file",
        SymlinkLoop = "symlink-loop",
        PathNotUtf8 = "path-not-utf8",
        Panic = "panic",
        Changed = "changed-while-reading",
    }
}
