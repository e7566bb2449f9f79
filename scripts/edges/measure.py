"""Aligns a SCIP index with a Sextant index of the same files, and counts.

Called by scripts/edge-accuracy, which has the text of what is counted.
"""
import bisect
import collections
import json
import os
import re
import subprocess

import pyarrow.parquet as parquet

import places as python_places
import scip

ENDINGS = {"python": (".py", ".pyi"), "typescript": (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs")}
# What a reference must lead to, to count in recall.
WANTED = {"function", "method", "constructor", "class", "interface", "enum", "type"}
# Shown beside it: defined by a function, but used like a field or as a value of an object.
BESIDE = {"property", "accessor", "object function", "assigned function"}
FACTS = ("scip", "scope", "import", "package", "receiver", "unique")


class File:
    """One file as both sides see it; lines count from 1, columns from 0 in bytes."""

    def __init__(self, folder, path):
        with open(os.path.join(folder, path), "rb") as file:
            self.text = file.read().decode("utf-8", "replace")
        self.lines = self.text.split("\n")
        self.bodies, self.definitions, self.uses = [], {}, {}

    def column(self, line, utf16):
        text = self.lines[line] if line < len(self.lines) else ""
        if text.isascii():
            return utf16
        return len(text.encode("utf-16-le")[: 2 * utf16].decode("utf-16-le", "replace").encode())

    def word(self, place):
        """The identifier at a place."""
        text = self.lines[place[0] - 1].encode()[place[1]:].decode("utf-8", "replace") if place[0] <= len(self.lines) else ""
        return re.match(r"[\w$]*", text).group()

    def take(self, bodies, definitions, uses):
        # Outermost bodies only: they do not overlap, and can be searched.
        for start, end in sorted(((a, b), (c, d)) for a, b, c, d in bodies):
            if not self.bodies or start >= self.bodies[-1][1]:
                self.bodies.append((start, end))
        for line, column, kind, name in definitions:
            self.definitions.setdefault((line, column), kind)
        for line, column, *use in uses:
            self.uses.setdefault((line, column), tuple(use))

    def in_body(self, place):
        at = bisect.bisect_right(self.bodies, (place, (1 << 30, 0))) - 1
        return at >= 0 and self.bodies[at][0] <= place < self.bodies[at][1]


def read_files(language, folder, paths, modules):
    files = {path: File(folder, path) for path in paths}
    if language == "python":
        for file in files.values():
            try:
                file.take(*python_places.places(file.text))
            except (SyntaxError, ValueError):
                pass  # a file of another Python, or a test of the parser
        return files
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "places.js")
    out = subprocess.run(["node", script, folder], input="\n".join(paths).encode(), stdout=subprocess.PIPE, check=True,
                         env={**os.environ, "SEXTANT_EDGES_MODULES": modules}).stdout
    for line in out.decode().splitlines():
        found = json.loads(line)
        file = files[found["path"]]
        def at(line, column):
            return line + 1, file.column(line, column)
        file.take([(*at(a, b), *at(c, d)) for a, b, c, d in found["bodies"]],
                  [(*at(a, b), kind, name) for a, b, kind, name in found["definitions"]],
                  [(*at(a, b), *use) for a, b, *use in found["uses"]])
    return files


class Truth:
    """What the compiler says: symbols by place, and places by symbol."""

    def __init__(self, data, files):
        self.at = collections.defaultdict(set)  # (path, line, column) -> symbols used there
        self.defined = collections.defaultdict(list)  # symbol -> [(path, line, column)]
        self.defines = set()  # places of definitions
        self.paths = set()
        self.left_out = 0
        # The modules below `src` have it in their names where they are defined, and not where they are imported; and
        # what is installed, too, goes by its package's name there. Both sides get the name without.
        here = {plain(symbol) for path, all in data for *_, symbol, is_definition in all if is_definition and not symbol.startswith("local ")}
        renamed = {pair for file in files.values() for pair in re.findall(r"\b(\w+)\s+as\s+(\w+)", file.text)}
        for path, occurrences in data:
            if path not in files:
                continue
            self.paths.add(path)
            file = files[path]
            for line, column, symbol, is_definition in occurrences:
                if symbol.startswith("local "):
                    symbol = f"{path} {symbol}"
                elif plain(symbol) in here:
                    symbol = plain(symbol)
                place = (path, line + 1, file.column(line, column))
                if is_definition:
                    self.defined[symbol].append(place)
                    self.defines.add(place)
                elif path.endswith((".py", ".pyi")) and not names(symbol, file.word(place[1:]), renamed):
                    self.left_out += 1
                else:
                    self.at[place].add(symbol)
        self.files = files
        self.own = {package(symbol) for symbol in self.defined} | {"local", "python checkout 1"}

    def known(self, place):
        """The symbols used at a place. What belongs to the checkout and is nowhere defined is the indexer's own
        trouble, and says nothing: it is left out."""
        return {symbol for symbol in self.at.get(place, ()) if symbol in self.defined or package(symbol) not in self.own}

    def kinds(self, symbols):
        """What the symbols are, by the syntax at their definitions."""
        found = set()
        for symbol in symbols:
            for path, line, column in self.defined.get(symbol, ()):
                if is_module(symbol):
                    found.add("module")
                else:
                    kind = self.files[path].definitions.get((line, column)) or by_descriptor(symbol)
                    found.add(kind.split(" = ")[0])
        return found


def plain(symbol):
    """A symbol of Python without its package and `src`."""
    if not symbol.startswith("scip-python "):
        return symbol
    parts = symbol.split(" ", 4)
    return "scip-python python . . " + re.sub(r"^(`?)src[./]", r"\1", parts[-1])


def names(symbol, word, renamed):
    """Whether a symbol can be what a word means. scip-python takes all names of one `import *` for the same."""
    found = re.search(r"([\w$]+)`?(?:#|\(\+?\d*\)\.|\.|\([\w$]+\)|\[[\w$]+\])$", symbol)
    if " local " in symbol or not found or not word:
        return True
    name = re.search(r"[\w$]+", symbol[found.start():]).group()
    if symbol.endswith(")") and not symbol.endswith("()."):
        name = re.search(r"\(([\w$]+)\)$", symbol).group(1)
    return name in (word, "__init__") or (name, word) in renamed


def package(symbol):
    """Manager, name and version of the package that a symbol is of."""
    return "local" if " local " in symbol else " ".join(symbol.split(" ", 4)[1:4])


def is_module(symbol):
    return symbol.endswith(("__init__:", "/"))


def by_descriptor(symbol):
    if " local " in symbol:
        return "variable"
    if symbol.endswith("()."):
        return "method"
    return {"#": "type", ")": "parameter", "]": "type parameter"}.get(symbol[-1:], "field")


class Ours:
    """The rows of an index."""

    def __init__(self, index):
        with open(os.path.join(index, "CURRENT")) as file:
            generation = os.path.join(index, file.read().strip())

        def table(name, columns):
            return parquet.read_table(os.path.join(generation, name + ".parquet"), columns=columns).to_pydict()

        files = table("files", ["path"])["path"]
        symbols = table("symbols", ["name", "kind", "file_id", "name_line", "start_line", "end_line", "container_id", "qualified_name"])
        self.files = set(files)
        self.path = [files[file] for file in symbols["file_id"]]
        self.symbols = symbols
        self.places = [{(path, line)} for path, line in zip(self.path, symbols["name_line"])]
        self.at = collections.defaultdict(list)
        for id, kind in enumerate(symbols["kind"]):
            self.at[self.path[id], symbols["name_line"][id]].append(id)
            owner = symbols["container_id"][id]
            if kind == "constructor" and owner is not None:  # a class and its constructor are one
                self.places[id].add((self.path[owner], symbols["name_line"][owner]))
                self.places[owner].add((self.path[id], symbols["name_line"][id]))
        edges = table("edges", ["source_id", "target_id", "target_name", "kind", "file_id", "line", "column", "tier"])
        self.rows = collections.defaultdict(list)  # (path, line, column) -> [(kind, tier, target)]
        for file, line, column, kind, tier, target in zip(*(edges[name] for name in ("file_id", "line", "column", "kind", "tier", "target_id"))):
            self.rows[files[file], line, column].append((kind, tier, target))

    def name(self, id):
        return f"{self.path[id]}:{self.symbols['name_line'][id]} {self.symbols['qualified_name'][id]}"


class Count:
    def __init__(self):
        self.precision = collections.Counter()  # (where, what, value, verdict) -> edges
        self.recall = collections.Counter()
        self.errors = collections.Counter()  # in words, as fine as the syntax tells
        self.groups = collections.Counter()  # the same by what would have to be known
        self.examples = collections.defaultdict(list)
        self.totals = collections.Counter()

    def error(self, name, group, example):
        self.errors[name] += 1
        self.groups[group] += 1
        self.examples[name].append(example)
        self.examples[group].append(example)

    def add(self, other):
        for name in ("precision", "recall", "errors", "groups", "totals"):
            getattr(self, name).update(getattr(other, name))
        for name, examples in other.examples.items():
            self.examples[name] += examples


def is_right(ours, truth, target, symbols, use, word):
    places = {(path, line) for symbol in symbols for path, line, _ in truth.defined.get(symbol, ())}
    if ours.symbols["kind"][target] == "file":
        return any(is_module(symbol) and ours.path[target] == path for symbol in symbols for path, _, _ in truth.defined.get(symbol, ()))
    if ours.places[target] & places:
        return True
    # `{ f }` defines a field that is f, of the same file or of one that is named there.
    same, home = f"field = {ours.symbols['name'][target]}", ours.path[target]
    for symbol in symbols:
        for path, line, column in truth.defined.get(symbol, ()):
            if truth.files[path].definitions.get((line, column)) == same:
                stem = re.escape(sorted(module_ends(home))[0])
                if path == home or re.search(rf"""['"/]{stem}(\.\w+)?['"]""", truth.files[path].text):
                    return True
    # A class that is named, and whose constructor is inherited.
    return bool(use) and use[0] in ("new", "call") and word == ours.symbols["name"][target] and "constructor" in truth.kinds(symbols)


def same_class(ours, truth, place, symbols):
    """Whether what is meant stands in the class of the use, by the lines of our types."""
    for symbol in symbols:
        for path, line, _ in truth.defined.get(symbol, ()):
            for id in ours.at.get((path, line), ()):
                owner = ours.symbols["container_id"][id]
                if owner is not None and path == place[0] and ours.symbols["start_line"][owner] <= place[1] <= ours.symbols["end_line"][owner]:
                    return True
    return False


def situation(ours, truth, place, symbols, use):
    """What the reference looks like: its form, and how what stands before the name is known."""
    if not use:
        return "in a formatted string or the like", "not known"
    role, receiver, source = use
    if receiver in ("self", "cls", "super", "this"):
        receiver += "" if same_class(ours, truth, place, symbols) else ", of a base or elsewhere"
    if "import" in receiver or "require" in receiver:
        stem = [part for part in re.sub(r"\.[cm]?[jt]sx?$", "", source).replace("/", ".").split(".") if part]
        inside = [symbol for symbol in symbols if truth.defined.get(symbol)]
        if inside:
            ends = {end for symbol in inside for path, _, _ in truth.defined[symbol] for end in module_ends(path)}
            receiver += "" if (stem[-1:] and stem[-1] in ends) or not stem else ", re-exported"
        if not source.startswith("."):
            receiver += ", by a package's name"
    if receiver.startswith("none: "):
        return role, f"plain name: {receiver[6:]}"
    return role, f"member of: {receiver}"


def module_ends(path):
    folder, name = os.path.split(path)
    stem = name.split(".")[0]
    return {os.path.basename(folder)} if stem in ("index", "__init__") else {stem}


def measure(language, folder, index, scip_file, modules):
    with open(scip_file, "rb") as file:
        data = list(scip.documents(memoryview(file.read())))
    ours = Ours(index)
    paths = sorted({path for path, _ in data if path.endswith(ENDINGS[language]) and os.path.isfile(os.path.join(folder, path))})
    files = read_files(language, folder, paths, modules)
    truth = Truth(data, files)
    count = Count()
    count.totals["files"] = len(truth.paths)
    count.totals["left out"] = truth.left_out
    count.totals["lines"] = sum(len(file.lines) for file in files.values())
    all_paths = {path for path, _, _ in ours.rows if path.endswith(ENDINGS[language])}
    count.totals["files without SCIP"] = len(all_paths - truth.paths)

    def word(place):
        return files[place[0]].word(place[1:])

    # Precision: every edge that we present as a fact.
    for place, rows in ours.rows.items():
        if place[0] not in files:
            continue
        file = files[place[0]]
        where = "body" if file.in_body(place[1:]) else "outside"
        use = file.uses.get(place[1:])
        symbols = truth.known(place)
        for kind, tier, target in rows:
            if tier not in FACTS or target is None:
                continue
            if not symbols:
                verdict = "at a definition" if place in truth.defines else "not known to SCIP"
            elif is_right(ours, truth, target, symbols, use, word(place)):
                verdict = "right"
            elif any(truth.defined.get(symbol) for symbol in symbols):
                verdict = "wrong"
            else:
                verdict = "external"
            for what, value in (("tier", tier), ("kind", kind), ("all", "")):
                count.precision[where, what, value, verdict] += 1
            form, receiver = situation(ours, truth, place, symbols or (), use)
            count.precision[where, "receiver", receiver, verdict] += 1
            if where == "body" and verdict in ("wrong", "external"):
                true = "/".join(sorted(truth.kinds(symbols))) or "something external"
                name = f"false ({tier}, {ours.symbols['kind'][target]}): {form}, {receiver}; true is {true}"
                group = false_group(tier, ours.symbols["kind"][target], receiver, verdict == "external")
                count.error(name, group, example(place, word(place), ours.name(target), true_place(truth, symbols)))

    # Recall: every reference that leads to a definition of the project.
    for place, symbols in truth.at.items():
        if place[0] not in ours.files:
            continue  # minified, too large
        inside = {symbol for symbol in symbols if truth.defined.get(symbol)}
        file = files[place[0]]
        use = file.uses.get(place[1:])
        # The keys of an object that has an interface's type, and what is assigned to, are no uses.
        if use is None and place[1:] in file.definitions or use and use[0] == "assigned to":
            continue
        kinds = truth.kinds(inside)
        # A constant and a type of one name are one to the compiler: the form says which is meant.
        if not use or use[0] not in ("type", "base"):
            kinds = kinds - {"interface", "type"} or kinds
        wanted = "wanted" if kinds & WANTED else "beside" if kinds & BESIDE else ""
        if not wanted or is_self_reference(truth, place, inside):
            continue
        where = "body" if file.in_body(place[1:]) else "outside"
        rows = ours.rows.get(place, [])
        right = [(kind, tier) for kind, tier, target in rows
                 if target is not None and is_right(ours, truth, target, inside, use, word(place))]
        facts = [one for one in right if one[1] in FACTS]
        if facts:
            outcome, tier = "right", facts[0][1]
        elif any(tier in FACTS and target is not None for _, tier, target in rows):
            outcome, tier = "wrong", "-"
        elif right:
            outcome, tier = "among the ambiguous", "-"
        elif any(tier == "ambiguous" for _, tier, _ in rows):
            outcome, tier = "not among the ambiguous", "-"
        else:
            outcome, tier = ("unresolved", "-") if rows else ("no edge", "-")
        count.recall[where, wanted, "all", "", outcome] += 1
        if outcome == "right":
            count.recall[where, wanted, "tier", tier, outcome] += 1
        for kind in sorted(kinds & (WANTED | BESIDE))[:1]:
            count.recall[where, wanted, "kind", kind, outcome] += 1
        form, receiver = situation(ours, truth, place, inside, use)
        count.recall[where, wanted, "form", form, outcome] += 1
        count.recall[where, wanted, "receiver", receiver, outcome] += 1
        if where == "body" and wanted == "wanted" and outcome not in ("right", "wrong"):
            name = f"missing ({outcome}): {form}, {receiver} -> {sorted(kinds & WANTED)[0]}"
            said = next((ours.name(target) for _, _, target in rows if target is not None), "nothing")
            group = missing_group(outcome, form, receiver)
            count.error(name, group, example(place, word(place), said, true_place(truth, inside)))
    return count


def is_self_reference(truth, place, symbols):
    """Some indexers mark the name at a definition as a use, too."""
    return any(place in truth.defined[symbol] for symbol in symbols)


def true_place(truth, symbols):
    found = sorted(f"{path}:{line}" for symbol in symbols for path, line, _ in truth.defined.get(symbol, ()))
    return found[0] if found else sorted(symbols)[0]


def example(place, word, said, true):
    return {"at": f"{place[0]}:{place[1]}", "name": word, "ours": said, "true": true}


LOCALS = ("parameter", "local variable", "file's variable", "class variable", "variable", "loop variable", "with ",
          "caught", "type parameter")


def false_group(tier, kind, receiver, is_external):
    """What would have to be known for a false fact not to be one."""
    how, _, what = receiver.partition(": ")
    if kind == "test":
        return "false: a test's title is taken for a definition"
    if how == "plain name":
        if what.startswith(LOCALS):
            return f"false: the name is bound by a parameter or variable nearer by ({'the same file' if tier == 'scope' else 'another file'} was said)"
        if "import" in what or "require" in what:
            return "false: the name is imported, and was found elsewhere"
        return "false: a name that is global or built in" if is_external else "false: another definition of the file"
    if what.startswith(("self", "cls", "super", "this")):
        return "false: member of self, this or super, or of their fields"
    if how == "member of":
        return f"false: member of an unknown receiver, truly {'external' if is_external else 'another of the project'}"
    return "false: other"


def missing_group(outcome, form, receiver):
    """What would have to be known for a missing reference to be found."""
    how, _, what = receiver.partition(": ")
    if outcome == "no edge":
        return "missing: no edge where the name is " + {
            "receiver": "what stands before a member (`Name.x`)", "returned": "returned", "assigned": "assigned",
            "argument": "an argument of this form",
        }.get(form, "in another place: " + form)
    if "require" in what:
        return "missing: CommonJS, `module.exports = f`"
    if "import" in what:
        kind = "package, alias or absolute name" if "package's" in what else "relative module"
        return f"missing: import from a {kind}{', re-exported' if 're-exported' in what else ''}"
    if how == "plain name":
        return "missing: plain name: " + what
    if what.startswith(("self, of a base", "cls, of a base", "super", "this, of a base")):
        return "missing: inherited member of self, this or super"
    if what.startswith(("self, ", "field of this")):
        return "missing: receiver is a field of self or this"
    if "await" not in what and what.startswith((
            "local variable = new", "local variable = call of a class", "with call of a class", "file's variable = new",
            "file's variable = call of a class", "new", "result of a call of a class")):
        return "missing: receiver is made by a constructor"
    if "with type" in what:
        return "missing: receiver has a written type"
    if "call of" in what or "result of a call" in what or "await" in what:
        return "missing: receiver is what a call returns"
    return "missing: member of: " + what
