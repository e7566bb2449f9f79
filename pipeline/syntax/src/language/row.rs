//! The row of a language: what queries cannot express, and its queries, which are compiled at their first use. Must not
//! know the other languages.

use std::sync::OnceLock;

use super::compiled::{CompileError, CompiledLanguage, RowPatterns};
use super::mask::Replacement;
use super::queries::{Highlights, Queries};
use super::rules::{Export, MapLoops, ModuleSystem, ReceiverKeyword};

/// A supported language: a row of the table. `docs/captures.md` describes the fields.
#[derive(Debug)]
pub struct Language {
    /// The name in `files.parquet` and in `--language`.
    pub name: &'static str,
    /// Languages of one family see each other's symbols.
    pub family: &'static str,
    /// File name extensions, in lower case, without the dot.
    pub extensions: &'static [&'static str],
    /// Extensions shared with other languages. A file with one is in this language ...
    pub shared_extensions: &'static [&'static str],
    /// ... if one of its lines begins with one of these texts.
    pub content_markers: &'static [&'static str],
    /// Whole file names.
    pub file_names: &'static [&'static str],
    /// Programs in a `#!` line, without folder and version.
    pub interpreters: &'static [&'static str],
    /// Other names, as used by fenced blocks in documents or by people.
    pub aliases: &'static [&'static str],
    /// The separator between owners and names.
    pub separator: &'static str,
    /// How visibility is decided.
    pub export: Export,
    /// How imports are resolved to files.
    pub modules: ModuleSystem,
    /// Whether files of one folder see each other without an import.
    pub folder_is_package: bool,
    /// Whether an unqualified name may refer to a member of the enclosing type.
    pub implicit_this: bool,
    /// Whether an unqualified name never refers to a member of a type or an object.
    pub members_need_receiver: bool,
    /// Whether members cannot be added to a type from elsewhere: if the receiver's type is known and has no such
    /// member in the repository, the reference is external.
    pub closed_members: bool,
    /// Whether a call never refers to a variable.
    pub separate_call_namespace: bool,
    /// Whether a member of a value is a method if it is called, and a field if it is not.
    pub separate_member_namespaces: bool,
    /// Whether the members of an enum are names of the scope around the enum.
    pub open_enums: bool,
    /// Whether the members of every type are names of the scope around the type: constructors, fields, methods of classes.
    pub open_types: bool,
    /// Whether several definitions of one type add up: partial and reopened classes.
    pub reopened_types: bool,
    /// Whether a type implements interfaces that it does not name, by having their methods.
    pub implicit_interfaces: bool,
    /// Words before a name that make a definition a declaration of what is defined elsewhere: `expect`.
    pub declaration_words: &'static [&'static str],
    /// Whether an included file is a part of the text, and a name that one file declares may be defined in another.
    pub links_definitions: bool,
    /// Whether `#define` makes macros, which are learnt from the repository before its files are parsed.
    pub has_preprocessor: bool,
    /// Whether the types of pointers and arrays are written at the name, `T *a[3]`, so that the type fact of the name is
    /// its element, `T`.
    pub array_types_are_elements: bool,
    /// Whether a file declares what the file of the same path with another extension defines.
    pub is_header_language: bool,
    /// Whether adjacent definitions of one name are clauses of one symbol.
    pub merge_clauses: bool,
    /// Whether files contain data rather than code.
    pub is_data: bool,
    /// Whether a property is read by a call of its name: a component of a record.
    pub calls_read_properties: bool,
    /// Levels of indentation, lists and brackets up to which the grammar can parse a text; 0 if there is no limit.
    pub max_levels: u32,
    /// Bytes of the word that ends a text (`<<WORD`) up to which the grammar can parse it; 0 if there is no limit.
    pub max_delimiter: u32,
    /// Whether a variable that is bound in a block is one of the whole function; those of lambdas never are.
    pub blocks_are_no_scopes: bool,
    /// Returns the grammar.
    pub grammar: fn() -> tree_sitter::Language,
    /// The query texts by group. The first pattern that captures a name wins.
    pub queries: Queries,
    /// The query texts that colour a text, as tree-sitter-highlight reads them.
    pub highlights: Highlights,
    /// Masks that blank text before the parse: pattern, whether it is a quote, and whether it applies only to a
    /// second parse of a text with errors.
    pub masks: &'static [(&'static str, Replacement, bool)],
    /// Patterns of lines that define a symbol, with its kind; the first group is the name.
    pub definition_patterns: &'static [(&'static str, &'static str)],
    /// Patterns of the text before the opening brace of a named scope, with its kind; the first group is the
    /// name.
    pub scope_patterns: &'static [(&'static str, &'static str)],
    /// Types that are replaced by their first type argument when members are looked up.
    pub wrappers: &'static [&'static str],
    /// Methods that return their receiver, unless its type defines one of that name.
    pub transparent_methods: &'static [&'static str],
    /// Methods of collections of the standard library that return one of the elements, or of the values: `pop`, `get`.
    pub element_methods: &'static [&'static str],
    /// Methods of collections that return a collection of the same elements: `iter`, `filter`.
    pub iterator_methods: &'static [&'static str],
    /// Methods of maps that return their values without the keys.
    pub value_methods: &'static [&'static str],
    /// Methods of maps that return pairs of a key and a value: `entrySet`, `items`.
    pub pair_methods: &'static [&'static str],
    /// Members of such a pair that are its value, besides its second part: `getValue`, `second`.
    pub pair_members: &'static [&'static str],
    /// Members by which an object gives the only element that it holds: `current`.
    pub element_members: &'static [&'static str],
    /// Methods of collections that return pairs of a number and an element: `enumerate`.
    pub indexed_methods: &'static [&'static str],
    /// Methods of collections that return an element, or a pair of a map: `begin`, `first`.
    pub cursor_methods: &'static [&'static str],
    /// Methods of collections that return a map of their elements: `associateBy`.
    pub keying_methods: &'static [&'static str],
    /// Methods of collections that return a map of lists of their elements: `groupBy`.
    pub grouping_methods: &'static [&'static str],
    /// Methods of collections that return lists of their elements: `chunked`.
    pub chunking_methods: &'static [&'static str],
    /// Names of modules inside of a module whose methods the types that include it get, as methods of the type itself:
    /// `ClassMethods`.
    pub class_method_modules: &'static [&'static str],
    /// Whether a name before a colon is a key of a map that is written: `{ a: b }`.
    pub names_are_keys: bool,
    /// Whether a call may have its arguments without parentheses: `a.b c, d`.
    pub has_bare_arguments: bool,
    /// What a loop over a map runs over.
    pub map_loops: MapLoops,
    /// Methods of maps that call a function with a key and its value.
    pub pair_callbacks: &'static [&'static str],
    /// Methods of collections that call a function with an element as its second argument: `reduce`, `sort`.
    pub folding_callbacks: &'static [&'static str],
    /// Functions that return what the method of their last name would return for their first argument:
    /// `Objects.requireNonNull(a)` is `a.requireNonNull()`.
    pub argument_functions: &'static [&'static str],
    /// Methods of collections that return what the function that they get returns for each element: `map`.
    pub mapping_methods: &'static [&'static str],
    /// Methods of collections that return the elements of all collections that the function that they get returns:
    /// `flatMap`.
    pub flattening_methods: &'static [&'static str],
    /// Methods of other values that return what the function that they get returns for the value: `let`, `then`.
    pub result_methods: &'static [&'static str],
    /// Whether a list of elements in square brackets is a value: `[a, b]`.
    pub has_collection_literals: bool,
    /// Functions that return a collection of their arguments, and macros: `listOf`, `vec!`.
    pub collection_makers: &'static [&'static str],
    /// Functions of types that return an object of their type, unless the type defines one of that name: those of
    /// standard traits.
    pub constructor_names: &'static [&'static str],
    /// Macros of the standard library that are in scope everywhere: only the file's own macros hide them.
    pub prelude_macros: &'static [&'static str],
    /// Methods of collections that call a function with each element: `filter`.
    pub element_callbacks: &'static [&'static str],
    /// Methods of all values that call a function with the value: `let`.
    pub receiver_callbacks: &'static [&'static str],
    /// Methods of all values that call a function with the value as its `this`: `apply`.
    pub receiver_scopes: &'static [&'static str],
    /// Names of the parameters of a function that declares none: `it`, `$0`.
    pub implicit_parameters: &'static [&'static str],
    /// The types of literals, as `string=String`. A language that has any chooses overloads by the types of arguments.
    pub literal_types: &'static [&'static str],
    /// Chains of types of the language and its standard library, separated by spaces: a value of each is accepted where
    /// a later one is expected.
    pub conversions: &'static [&'static str],
    /// Pairs of a simple type and the object that holds its value, separated by a space, each accepted as the other.
    pub boxed_types: &'static [&'static str],
    /// Types that a type names for itself, and whose members its objects have, too: what it dereferences to.
    pub value_types: &'static [&'static str],
    /// The types that a type names for what its objects result in when they are awaited.
    pub awaited_types: &'static [&'static str],
    /// The types that a type names for the elements over which its objects iterate.
    pub element_types: &'static [&'static str],
    /// Methods that return an iterator over an object's elements: `__iter__`.
    pub iterator_members: &'static [&'static str],
    /// Methods that return one of an object's entries, by index or key: `__getitem__`.
    pub entry_members: &'static [&'static str],
    /// Methods whose result a context manager gives: `__enter__`.
    pub context_members: &'static [&'static str],
    /// Whether the name of a class is written as an argument where the class is meant.
    pub classes_are_values: bool,
    /// Functions of the standard library, by their full names, that return their second argument as an object of the type
    /// that is the first: `typing.cast`.
    pub casts: &'static [&'static str],
    /// Whether type facts tell with which types names are compared.
    pub has_narrowing: bool,
    /// Whether type facts tell which objects of types without a name a function makes.
    pub has_object_bodies: bool,
    /// Whether the name of a variable without a known type is evidence of it: `site` of a `Site`.
    pub variables_name_types: bool,
    /// Whether an import may name a value, whose members it brings into scope.
    pub imports_from_values: bool,
    /// Whether a function with a receiver among its parameters is a member of the receiver's type: `this Foo foo`.
    pub extends_by_parameter: bool,
    /// Whether an object beside a type has the type's name, and the members that belong to no object.
    pub has_companions: bool,
    /// A constant or static inside of a function is a symbol, as a function inside of it is.
    pub has_local_constants: bool,
    /// Operators that pass their left side to the call on their right side, as its first argument. A language that has
    /// any knows a function by its name and the number of its parameters; a block of a call is an argument.
    pub pipe_operators: &'static [&'static str],
    /// Members of a class that are an object of it: JavaScript's `prototype`.
    pub instance_members: &'static [&'static str],
    /// Endings of paths of files that only declare what another file of the module defines: `.pyi`, `.d.ts`.
    pub stub_endings: &'static [&'static str],
    /// Whether documentation declares types: `@param Foo $a`.
    pub has_doc_types: bool,
    /// Whether the full name of a module, `A.B`, is one token.
    pub dotted_names: bool,
    /// Whether square brackets after a name contain type arguments, and never an index.
    pub brackets_are_type_arguments: bool,
    /// The methods of the standard library, sorted; empty where they do not matter.
    pub standard_members: &'static [&'static str],
    /// Names of the object whose method is running: `self`, `this`.
    pub self_names: &'static [&'static str],
    /// Names of the enclosing type itself: `Self`, `cls`, `static`.
    pub self_type_names: &'static [&'static str],
    /// Names of the enclosing module: `__MODULE__`.
    pub self_module_names: &'static [&'static str],
    /// Names through which members of the base types are reached: `super`, `base`, `parent`.
    pub super_names: &'static [&'static str],
    /// Those of the four lists above that are names by habit and no keywords: a local or an import wins.
    pub conventional_names: &'static [&'static str],
    /// Whether names of `self_type_names` and `super_names` are keywords before `::` only.
    pub type_keywords_need_path: bool,
    /// First segments of paths that start at the file's own package or module: `crate`.
    pub path_roots: &'static [&'static str],
    /// Members that are called when an object is called: `__call__`.
    pub callable_members: &'static [&'static str],
    /// Stems of files that are their folder's module, so that imports leave them out: `index`, `__init__`.
    pub folder_stems: &'static [&'static str],
    /// The query folders, in order.
    pub query_folders: &'static [&'static str],
    pub(super) compiled: OnceLock<CompiledLanguage>,
}

impl Language {
    /// The type of a kind of literal.
    #[must_use]
    pub fn literal_type(&self, kind: &str) -> Option<&'static str> {
        self.literal_types
            .iter()
            .find_map(|entry| entry.split_once('=').filter(|(of, _)| *of == kind).map(|(_, name)| name))
    }

    /// The compiled queries, compiled at their first use.
    ///
    /// # Panics
    /// If the queries do not compile; a test compiles those of every language.
    pub fn compiled(&self) -> &CompiledLanguage {
        self.compiled.get_or_init(|| match CompiledLanguage::new(self, &self.queries) {
            Ok(compiled) => compiled,
            // The queries are compiled into the program, and a test compiles them all.
            Err(error) => panic!("the queries of {} do not compile: {error}", self.name),
        })
    }

    /// What a name in front of a member refers to, where the language reserves it or uses it by convention.
    #[must_use]
    pub fn receiver_keyword(&self, name: &str) -> Option<ReceiverKeyword> {
        let keywords = [
            (self.self_names, ReceiverKeyword::Instance),
            (self.self_type_names, ReceiverKeyword::Type),
            (self.self_module_names, ReceiverKeyword::Module),
            (self.super_names, ReceiverKeyword::Super),
        ];
        keywords.into_iter().find(|(names, _)| names.contains(&name)).map(|(_, keyword)| keyword)
    }

    /// Returns the language with other queries, to try them without rebuilding.
    ///
    /// # Errors
    /// The queries do not compile.
    pub fn with_queries(&self, queries: Queries) -> Result<Self, CompileError> {
        let compiled = OnceLock::from(CompiledLanguage::new(self, &queries)?);
        Ok(Self { queries, compiled, ..*self })
    }
}

impl CompiledLanguage {
    /// Compiles queries for a language's grammar, and the patterns of its row.
    ///
    /// # Errors
    /// A query or pattern does not compile, or a capture, kind or setting is unknown.
    pub fn new(language: &Language, queries: &Queries) -> Result<Self, CompileError> {
        let Language { masks, definition_patterns, scope_patterns, .. } = *language;
        Self::compile(&(language.grammar)(), queries, &RowPatterns { masks, definition_patterns, scope_patterns })
    }
}
