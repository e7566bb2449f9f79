"""The languages that are mined, as data: files, grammars, and which nodes define something.

Haskell, OCaml and Elixir are read by their layout (layout.py) and have no grammar here.
"""

import re

SUFFIXES = {
    "rust": (".rs",),
    "python": (".py",),
    "javascript": (".js", ".mjs", ".ts", ".tsx"),
    "go": (".go",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".h", ".hpp", ".hxx", ".txx"),
    "csharp": (".cs",),
    "ruby": (".rb",),
    "php": (".php",),
    "kotlin": (".kt",),
    "scala": (".scala",),
    "swift": (".swift",),
    "lua": (".lua",),
    "haskell": (".hs",),
    "ocaml": (".ml", ".mli"),
    "elixir": (".ex",),
}
GRAMMARS = {
    "rust": ("tree_sitter_rust", "language"),
    "python": ("tree_sitter_python", "language"),
    "javascript": ("tree_sitter_javascript", "language"),
    "typescript": ("tree_sitter_typescript", "language_typescript"),
    "tsx": ("tree_sitter_typescript", "language_tsx"),
    "go": ("tree_sitter_go", "language"),
    "java": ("tree_sitter_java", "language"),
    "c": ("tree_sitter_c", "language"),
    "cpp": ("tree_sitter_cpp", "language"),
    "csharp": ("tree_sitter_c_sharp", "language"),
    "ruby": ("tree_sitter_ruby", "language"),
    "php": ("tree_sitter_php", "language_php"),
    "kotlin": ("tree_sitter_kotlin", "language"),
    "scala": ("tree_sitter_scala", "language"),
    "swift": ("tree_sitter_swift", "language"),
    "lua": ("tree_sitter_lua", "language"),
}
FUNCTIONS = {
    "rust": {"function_item"},
    "python": {"function_definition"},
    "javascript": {
        "function_declaration", "generator_function_declaration", "method_definition",
        "variable_declarator", "assignment_expression", "pair",
    },
    "go": {"function_declaration", "method_declaration"},
    "java": {"method_declaration", "constructor_declaration"},
    "c": {"function_definition"},
    "cpp": {"function_definition"},
    "csharp": {"method_declaration", "constructor_declaration", "property_declaration", "operator_declaration"},
    "ruby": {"method", "singleton_method"},
    "php": {"method_declaration", "function_definition"},
    "kotlin": {"function_declaration"},
    "scala": {"function_definition"},
    "swift": {"function_declaration", "init_declaration", "property_declaration"},
    "lua": {"function_declaration", "assignment_statement"},
}
TYPES = {
    "rust": {"struct_item", "enum_item", "trait_item"},
    "python": {"class_definition"},
    "javascript": {"class_declaration", "interface_declaration", "abstract_class_declaration"},
    "go": {"type_declaration"},
    "java": {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"},
    "c": {"struct_specifier"},
    "cpp": {"class_specifier", "struct_specifier"},
    "csharp": {
        "class_declaration", "interface_declaration", "struct_declaration", "enum_declaration", "record_declaration",
    },
    "ruby": {"class", "module"},
    "php": {"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"},
    "kotlin": {"class_declaration", "object_declaration"},
    "scala": {"class_definition", "trait_definition", "object_definition"},
    "swift": {"class_declaration", "protocol_declaration"},
    "lua": set(),
}
# Which field of a node names the scope of what stands inside it.
SCOPES = {
    "rust": {"impl_item": "type", "trait_item": "name"},
    "python": {"class_definition": "name"},
    "javascript": {k: "name" for k in TYPES["javascript"]},
    "go": {},
    "java": {k: "name" for k in TYPES["java"]},
    "c": {},
    "cpp": {"class_specifier": "name", "struct_specifier": "name", "namespace_definition": "name"},
    "csharp": {k: "name" for k in TYPES["csharp"]},
    "ruby": {"class": "name", "module": "name"},
    "php": {k: "name" for k in TYPES["php"]},
    "kotlin": {k: "name" for k in TYPES["kotlin"]},
    "scala": {k: "name" for k in TYPES["scala"]},
    "swift": {k: "name" for k in TYPES["swift"]},
    "lua": {},
}
LAYOUT = ("haskell", "ocaml", "elixir")
DOUBLE_COLON = ("rust", "cpp", "c")
# A type's members are definitions of their own: only its head is kept as its code.
SHORT_TYPES = ("rust", "go", "c", "cpp")
# How a comment line begins, where it is not //.
LINE_COMMENT = {"ruby": "#", "lua": "--"}
# Without one of these no documentation can be in a file.
MARKS = {
    "python": (b'"""', b"'''"), "ruby": (b"#",), "lua": (b"--",), "haskell": (b"-- |", b"{-|", b"{- |"),
    "ocaml": (b"(**", b"let"), "elixir": (b"@doc", b"@moduledoc"),
}

SKIP_FOLDERS = set(
    "test tests testing testdata unittest unittests unit_tests integration-tests bench benches benchmark "
    "benchmarks vendor vendored _vendor _vendored third_party thirdparty third-party 3rdparty external "
    "extern externals externs node_modules bundled generated gen target umd cjs min dist-types __tests__ "
    "fixtures javatests testsuite regress .pc debian".split()
)
SKIP_FILE = re.compile(
    r"(\.d\.ts|\.min\.js|\.map|_test\.go|\.pb\.go|_pb2(_grpc)?\.py|\.pb\.(h|cc)|\.spec\.[jt]s|\.test\.[jt]s|"
    r"zz_generated.*|moc_.*|test_.*\.py|.*_test\.(py|cc|cpp|c)|conftest\.py|Test[A-Z].*\.java|.*Tests?\.java)$"
)
# For the languages that came later; the first seven keep the pairs that they had.
FIRST = ("rust", "python", "javascript", "go", "java", "c", "cpp")
SKIP_FOLDER_LATER = re.compile(r"(^|[._-])([Ss]pecs?|[Tt]ests?|TestData|[Ee]xamples?|[Ss]amples?|[Tt]estlib)$|[a-z](Tests?|TestKit)$")
SKIP_FILE_LATER = re.compile(
    r"(Tests?\.(cs|kt|swift|scala|php)|(Spec|Suite)\.(scala|kt|hs|cs)|_(spec|test)\.(rb|lua|ex)|\.Designer\.cs|"
    r"\.g\.cs|\.(pb|grpc)\.swift|AssemblyInfo\.cs)$"
)


def readable(language, path):
    """Whether a file's name and place say that it is source of this language, and not a test or a copy."""
    parts = path.split("/")
    if not path.endswith(SUFFIXES[language]) or SKIP_FILE.search(parts[-1]):
        return False
    if any(p.lower() in SKIP_FOLDERS for p in parts[:-1]):
        return False
    if language in FIRST:
        return True
    return not SKIP_FILE_LATER.search(parts[-1]) and not any(SKIP_FOLDER_LATER.search(p) for p in parts[:-1])
