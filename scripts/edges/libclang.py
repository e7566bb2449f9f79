"""What libclang says of the names of a checkout of C or C++: where they lead, and what is defined there.

A line of JSON for each file, in the form that `truth.FrontEndTruth` reads. Every source file is parsed on its own; a
header is what the first source file that includes it makes of it, and a header that none includes is parsed alone.
Run as `clang.py c|cpp FOLDER > OUT`.

The flags are those of the checkout's compile_commands.json. Without one, every folder of the checkout that contains a
header or a folder with headers is searched for them, the nearest to the file first. Where the compiler leaves it to
the instantiation of a template which overload is called, each is right.
"""
import collections
import concurrent.futures
import ctypes
import glob
import json
import os
import re
import sys

from clang import cindex

ENDINGS = {"c": (".c",), "cpp": (".cc", ".cpp", ".cxx", ".c")}
HEADERS = (".h", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc")
cindex.conf.lib.clang_getOverloadedDecl.argtypes = [cindex.Cursor, ctypes.c_uint]
cindex.conf.lib.clang_getOverloadedDecl.restype = cindex.Cursor
# Most folders with headers that are searched.
MOST_FOLDERS = 200
K = cindex.CursorKind
KINDS = {K.FUNCTION_DECL: "function", K.FUNCTION_TEMPLATE: "function", K.CXX_METHOD: "method", K.CONVERSION_FUNCTION: "method",
         K.CONSTRUCTOR: "constructor", K.DESTRUCTOR: "method", K.STRUCT_DECL: "struct", K.CLASS_DECL: "class",
         K.CLASS_TEMPLATE: "class", K.CLASS_TEMPLATE_PARTIAL_SPECIALIZATION: "class", K.UNION_DECL: "union",
         K.ENUM_DECL: "enum", K.ENUM_CONSTANT_DECL: "enum member", K.FIELD_DECL: "field", K.TYPEDEF_DECL: "type",
         K.TYPE_ALIAS_DECL: "type", K.TYPE_ALIAS_TEMPLATE_DECL: "type", K.MACRO_DEFINITION: "macro",
         K.NAMESPACE: "module", K.NAMESPACE_ALIAS: "module",
         K.PARM_DECL: "parameter"}  # typos: ignore
BODIES = {K.FUNCTION_DECL, K.FUNCTION_TEMPLATE, K.CXX_METHOD, K.CONVERSION_FUNCTION, K.CONSTRUCTOR, K.DESTRUCTOR}
FUNCTIONS = BODIES | {K.LAMBDA_EXPR}


def system_folders(language):
    """Where the headers of the compiler and of its library are: libclang has none."""
    found = glob.glob("/usr/lib/gcc/*/*/include")
    if language == "cpp":
        found = sorted(glob.glob("/usr/include/c++/*"))[-1:] + glob.glob("/usr/include/*/c++/*") + found
    return [flag for folder in found for flag in ("-isystem", folder)]


def header_folders(folder):
    found = collections.Counter()
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        if any(name.endswith(HEADERS) for name in names):
            found[where] += 1
            if where != folder:
                found[os.path.dirname(where)] += 1
    found[folder] += 1
    return sorted(found)[:MOST_FOLDERS]


def flags_of(path, language, folders, commands, folder):
    if path in commands:
        return commands[path]
    def far(one):
        return (len(os.path.relpath(one, os.path.dirname(path)).split(os.sep)), one)
    standard = ["-x", "c++", "-std=c++17"] if language == "cpp" and not path.endswith(".c") else ["-x", "c", "-std=gnu11"]
    config = [flag for name in ("config.h",) if os.path.exists(os.path.join(folder, name)) for flag in ("-DHAVE_CONFIG_H",)]
    return [*standard, "-D_GNU_SOURCE", *config, *(f"-I{one}" for one in sorted(folders, key=far))]


def compile_commands(folder):
    path = os.path.join(folder, "compile_commands.json")
    if not os.path.exists(path):
        return {}
    found = {}
    with open(path) as file:
        for entry in json.load(file):
            words = entry.get("arguments") or entry["command"].split()
            name = os.path.normpath(os.path.join(entry["directory"], entry["file"]))
            found[name] = [word for word in words[1:] if word not in ("-c", "-o", entry["file"]) and not word.endswith(".o")]
    return found


class Reader:
    """What the source files say; the first that says something of a place is believed."""

    def __init__(self, folder):
        self.folder = os.path.realpath(folder) + os.sep
        self.texts = {}
        self.bodies = collections.defaultdict(set)
        self.definitions = collections.defaultdict(dict)
        self.uses = collections.defaultdict(dict)
        self.macros = set()
        self.owned = {}  # a header belongs to the source file that was the first to include it

    def text(self, path):
        if path not in self.texts:
            with open(self.folder + path, "rb") as file:
                self.texts[path] = file.read()
        return self.texts[path]

    def place(self, location):
        """Path, line, column and offset of a place in the checkout; where it is an argument of a macro, of the argument."""
        file, line, column, offset = cindex.c_object_p(), ctypes.c_uint(), ctypes.c_uint(), ctypes.c_uint()
        cindex.conf.lib.clang_getFileLocation(location, ctypes.byref(file), ctypes.byref(line), ctypes.byref(column), ctypes.byref(offset))
        if not file:
            return None
        key = ctypes.cast(file, ctypes.c_void_p).value
        name = self.names.get(key)
        if name is None:
            name = os.path.realpath(cindex.File(file).name)
            self.names[key] = name
        if not name.startswith(self.folder):
            return None
        return name[len(self.folder):], line.value, column.value - 1, offset.value

    def read(self, source, unit):
        self.names = {}
        self.source = source
        stack = [(child, False) for child in unit.cursor.get_children()]
        self.macros.update(child.spelling for child, _ in stack if child.kind == K.MACRO_DEFINITION)
        while stack:
            cursor, is_local = stack.pop()
            place = self.place(cursor.location)
            if place is None:
                continue
            # A header again: what stands in it is known.
            if self.owned.setdefault(place[0], source) != source:
                continue
            self.visit(cursor, place, is_local)
            is_local = is_local or cursor.kind in FUNCTIONS
            stack.extend((child, is_local) for child in cursor.get_children())

    def symbol(self, cursor):
        # `typedef struct a {...} a`: one thing.
        if cursor.kind == K.TYPEDEF_DECL:
            named = cursor.underlying_typedef_type.get_declaration()
            if named.kind in (K.STRUCT_DECL, K.UNION_DECL, K.ENUM_DECL, K.CLASS_DECL) and named.spelling in (cursor.spelling, ""):
                return named.get_usr()
        usr = cursor.get_usr()
        if cursor.kind == K.MACRO_DEFINITION or not usr:
            place = self.place(cursor.location)
            return place and f"{place[0]}:{place[1]}:{place[2]}"
        return usr

    def kind(self, cursor):
        if cursor.kind == K.VAR_DECL:
            parent = cursor.semantic_parent
            if parent is not None and parent.kind in FUNCTIONS:
                return "variable"
            return "constant" if cursor.type.is_const_qualified() else "static"
        return KINDS.get(cursor.kind, "")

    def visit(self, cursor, place, is_local):
        path, line, column, offset = place
        name = cursor.spelling.split("<")[0]
        if cursor.kind.is_declaration() or cursor.kind == K.MACRO_DEFINITION:
            kind = self.kind(cursor)
            if kind and name and self.says(place, name):
                self.definitions[path][line, column] = (kind, self.symbol(cursor))
            elif kind and name and self.word(place) in self.macros:
                # The use of a macro defines it, perhaps with others: each has a column of its own.
                known = self.definitions[path]
                while known.get((line, column), (kind, self.symbol(cursor))) != (kind, self.symbol(cursor)):
                    column += 1
                known[line, column] = (kind, self.symbol(cursor))
            if cursor.kind in BODIES and cursor.is_definition():
                start, end = self.place(cursor.extent.start), self.place(cursor.extent.end)
                if start and end and start[0] == end[0]:
                    self.bodies[path].add((line, column + 1, end[1], end[2]))
            return
        target = cursor.referenced
        if target is None or target.kind == K.TRANSLATION_UNIT:
            return
        if target.kind == K.OVERLOADED_DECL_REF:
            count = cindex.conf.lib.clang_getNumOverloadedDecls(target)
            for target in [overloaded(target, i) for i in range(count)]:
                self.use(place, target)
            return
        self.use(place, target)

    def use(self, place, target):
        path, line, column, offset = place
        target = cindex.conf.lib.clang_getSpecializedCursorTemplate(target) or target
        word = target.spelling.split("<")[0]
        if not self.says(place, word):
            # `a.b` is at `a`: the member's name is further on.
            return
        symbol = self.symbol(target)
        # What is declared nowhere refers to itself.
        if symbol and symbol != f"{path}:{line}:{column}":
            self.uses[path].setdefault((line, column), {})[symbol] = self.form(path, offset, word)

    def word(self, place):
        found = re.match(rb"\w+", self.text(place[0])[place[3]: place[3] + 200])
        return found.group().decode(errors="replace") if found else ""

    def says(self, place, word):
        text = self.text(place[0])
        found = word.encode()
        after = text[place[3] + len(found): place[3] + len(found) + 1]
        return bool(found) and text[place[3]:].startswith(found) and not re.match(rb"\w", after)

    def form(self, path, offset, word):
        text = self.text(path)
        before, after = text[max(0, offset - 80): offset].rstrip(), text[offset + len(word): offset + len(word) + 40].lstrip()
        form = "call" if after.startswith(b"(") else "name"
        found = re.search(rb"(\w+|\S)\s*(\.|->|::)$", before)
        if not found:
            return form, "none"
        if found.group(2) == b"::":
            return form, "path"
        return form, "self" if found.group(1) == b"this" else "result" if found.group(1) in (b")", b"]") else "name"


def overloaded(cursor, at):
    found = cindex.conf.lib.clang_getOverloadedDecl(cursor, at)
    found._tu = cursor._tu
    return found


def read_some(language, folder, paths):
    reader = Reader(folder)
    index = cindex.Index.create()
    folders, commands = header_folders(folder), compile_commands(folder)
    system = system_folders(language)
    bad = 0
    for path in paths:
        try:
            unit = index.parse(path, [*flags_of(path, language, folders, commands, folder), *system],
                               options=cindex.TranslationUnit.PARSE_DETAILED_PROCESSING_RECORD)
        except cindex.TranslationUnitLoadError:
            bad += 1
            continue
        reader.read(path, unit)
    return reader.bodies, reader.definitions, reader.uses, bad


def main():
    language, folder = sys.argv[1], os.path.realpath(sys.argv[2])
    sources, headers = [], []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in (".git", "node_modules")]
        for name in sorted(names):
            path = os.path.join(where, name)
            if name.endswith(ENDINGS[language]):
                sources.append(path)
            elif name.endswith(HEADERS):
                headers.append(path)
    sources.sort()
    workers = min(2, os.cpu_count() or 1)
    bodies, definitions, uses = collections.defaultdict(set), collections.defaultdict(dict), collections.defaultdict(dict)

    def add(found):
        for path, all in found[0].items():
            bodies[path] |= all
        for mine, theirs in ((definitions, found[1]), (uses, found[2])):
            for path, all in theirs.items():
                mine[path] = {**all, **mine[path]}
        return found[3]

    bad = 0
    with concurrent.futures.ProcessPoolExecutor(workers) as pool:
        chunks = [sources[i::workers] for i in range(workers)]
        for found in pool.map(read_some, [language] * workers, [folder] * workers, chunks):
            bad += add(found)
        # Headers that no source file includes: libraries that are headers only.
        alone = [path for path in headers if os.path.relpath(path, folder) not in definitions]
        chunks = [alone[i::workers] for i in range(workers)]
        for found in pool.map(read_some, [language] * workers, [folder] * workers, chunks):
            bad += add(found)
    print(f"clang: {len(sources)} sources, {len(alone)} headers alone, {bad} not parsed", file=sys.stderr)
    for path in sorted(definitions.keys() | uses.keys()):
        print(json.dumps({
            "path": path, "bodies": sorted(bodies[path]),
            "definitions": [[*place, *found] for place, found in sorted(definitions[path].items())],
            "uses": [[*place, symbol, *form] for place, found in sorted(uses[path].items())
                     if place not in definitions[path] for symbol, form in sorted(found.items())],
        }))


main()
