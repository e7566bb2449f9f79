//! The two versions of an index, and their histories.
//!
//! `FORMAT_VERSION`, the layout of the files; an index outside
//! [`OLDEST_FORMAT_VERSION`]`..=`[`FORMAT_VERSION`] is refused.
//!
//! 1. First layout; never published.
//! 2. `encoding` and `error_lines` in `files.parquet`; the kinds `test`, `rule`, `element`, `key`; the parse
//!    status `patterns`.
//! 3. `externals.parquet`, `external_id` in `edges.parquet`, the tier `external`.
//! 4. Symbols, chunks and vectors in segments that incremental builds keep; `directory.parquet` with the hashes from
//!    which the content id is computed; `ordinal` in `symbols.parquet` and `chunks.parquet`.
//! 5. Edges in segments; symbols and external symbols keep their ids; `symbol_ids` in `directory.parquet`, `first_edge`
//!    in `edges.parquet`.
//! 6. The edge kinds `serve` and `request`.
//! 7. `uses` in `graph.arrow`, `tiers` in the manifest.
//! 8. `file_uses.arrow`.
//! 9. `label` in `graph.arrow`; `rows.arrow`.
//!
//! `FEATURE_VERSION`, the meaning of the rows (grammars, chunker, tokenizer): an index of another feature version is
//! readable, but a build reuses nothing of it.
//!
//! 1. Nine languages and Markdown, chunks of two levels, edges in six tiers.
//! 2. Thirty-three languages, embedded ones among them; older encodings.
//! 3. Edges by types, namespaces, crates; overrides, definitions of declarations and tests; external symbols.
//! 4. Receiver keywords by language; calls through `this` and `base` of C#.
//! 5. Code in the arguments of Rust macros; names, paths and fields in every expression of Rust; a name alone is no
//!    evidence: such edges are below 0.5.
//! 6. Types and fields of C# and Haskell; names of the standard library weigh against namesakes.
//! 7. Macros of C and C++ are learnt from the repository.
//! 8. Edges between repositories of one index, with the tier `dependency`.
//! 9. Vectors of files, in `file_vectors.parquet`; summaries by a language model in text and vectors;
//!    edges that a language server named, with the tier `server`.
//! 10. Types of elements: loops, subscripts and methods of collections; Go packages whose path ends with a version.
//! 11. Documentation of several comments has no blank line that the source does not have.
//! 12. Members of objects of external types have full names; call signatures of TypeScript without semicolons.
//! 13. Overloads by the types of arguments; types of the parameters of functions that are passed to a call; type arguments.
//! 14. Types of Elixir; parts of tuples, associated types, names compared with types, members of the type that a place
//!     expects; definitions that Rust macros make under the names they are given.
//! 15. Files that git tracks although `.gitignore` names them; constants inside of Rust functions; Elixir's functions by
//!     the number of their parameters; TypeScript's exports under other names, types of values, what constructors pass;
//!     modules before their stubs.
//! 16. PHP's names mean full names, and its classes without a name have members of their own; types that documentation
//!     declares (PHP, Lua, JavaScript, Ruby); Lua's locals, other names of functions, objects of classes, and modules;
//!     files that Bash reads.
//! 17. Of several headers, an include means one whose folder lies beside or above the including file; a copy elsewhere is no alternative of headers for
//!     several machines, and those of tests are for tests.
//! 18. What a method returns that an import binds by its name (`import static`).
//! 19. Endpoints of HTTP, gRPC and messages: who serves them, and who asks; calls with type arguments after `await`.
//! 20. An alias does not extend the type that it names; what a type contains does not belong to its namesakes; a
//!     field that only tests define is found where product code has a function of its name; what resolution depends on is
//!     stored by file, owner, folder and class of a name.
//! 21. Methods of Go implement those of interfaces of which their type has all methods.
//! 22. A text with long errors is parsed again with small changes where the parser failed; packages that a wildcard imports,
//!     types of a package before inner types of their name, properties that are read and methods that are called.
//! 23. A method of Rust is not meant where a call has another number of arguments: `lock()` is that of the `Mutex`; a
//!     function of C, C++ and Go that is assigned to a member may run where the member is called.
//! 24. What resolution depends on says in which other files the edges of a file begin.
//! 25. Python: context managers, classes as arguments, and generic classes have types; names tested with `isinstance` and the
//!     like have the type only where the test holds; functions inside of properties, and of functions that are called at
//!     once, are found.
//! 26. `super(...)` and `this(...)` of Java, C#, Kotlin, JavaScript and TypeScript lead to the type whose constructor runs; what
//!     ends with its indentation ends with its last line; fields of Python that are assigned together.
//! 27. Scala: imports of all members of objects, and of values that a call with type arguments makes; objects of packages by
//!     their full names; paths in front of types and patterns.
//! 28. C and C++: a name that no include shows is no fact; types that are defined where they are used; casts of pointers;
//!     attributes that a header defines as empty; included files called `.def` and `.inc`, and templates called `.in`.
//! 29. What Java, Kotlin and Scala import by its full name from elsewhere is not here; Kotlin: constructors on the next line
//!     and `apply`; Ruby: calls in blocks, what a group of examples defines; Elixir: the place of a dotted name, keys of
//!     structs; Haskell: no module for a type; Scala: parameters of classes, self types, companions of traits.
//! 30. Rust: one import binds a module and a function of the same name; the import of a type does not resolve to an enum's
//!     variant of that name; a file does not export what its inner modules import; names in lists inside of macros are
//!     references.
//! 31. Chunks have the blank lines between a head and what it opens; a receiver means the variable of its block, lambda or
//!     declaration; Ruby: types of `new`, of instance variables in groups of tests, and of `described_class`;
//!     C++: types of namespaces by their paths, objects with arguments as instances; Dart, Scala, Swift: loops; Java: records'
//!     components are called; tests of types in Dart; `a!!` and `a as? B ?: c`.
//! 32. Results of functions that are written as arguments, elements of literals, values of conditions; bounds of type
//!     parameters; embedded fields of Go; static imports and extensions of C#; blocks of Ruby, `_` of Scala.

/// The layout that this build writes.
pub const FORMAT_VERSION: u32 = 9;

/// The oldest layout that this build reads.
pub const OLDEST_FORMAT_VERSION: u32 = 5;

/// The meaning of the rows that this build writes.
pub const FEATURE_VERSION: u32 = 34;
