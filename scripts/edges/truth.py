"""What a compiler says of the names of a checkout: where they lead, and what stands there.

`ScipTruth` reads a SCIP index, `FrontEndTruth` what references.go, References.java, rust.py, libclang.py and
language_server.py write.
"""
import collections
import json
import os
import re

import scip
import sources


class Truth:
    """Symbols by place, and places by symbol. A place is (path, line, column); lines count from 1, columns from 0 in bytes."""

    def __init__(self):
        self.at = collections.defaultdict(set)  # place -> symbols used there
        self.defined = collections.defaultdict(list)  # symbol -> places
        self.defines = set()  # places of definitions
        self.files = {}  # path -> sources.File
        self.left_out = 0
        self.knows_values = False  # fields, constants, statics and enum members, too

    def known(self, place):
        """The symbols used at a place."""
        return self.at.get(place, set())

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


class ScipTruth(Truth):
    def __init__(self, language, folder, index, modules):
        super().__init__()
        with open(index, "rb") as file:
            data = list(scip.documents(memoryview(file.read())))
        files = sources.read_files(language, folder, sorted({
            path for path, _ in data if path.endswith(sources.ENDINGS[language]) and os.path.isfile(os.path.join(folder, path))}), modules)
        self.files = files
        # The modules below `src` have it in their names where they are defined, and not where they are imported; and
        # what is installed, too, goes by its package's name there. Both sides get the name without.
        here = {plain(symbol) for path, all in data for *_, symbol, is_definition in all if is_definition and not symbol.startswith("local ")}
        renamed = {pair for file in files.values() for pair in re.findall(r"\b(\w+)\s+as\s+(\w+)", file.text)}
        for path, occurrences in data:
            if path not in files:
                continue
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
        self.own = {package(symbol) for symbol in self.defined} | {"local", "python checkout 1"}

    def known(self, place):
        """The symbols used at a place. What belongs to the checkout and is nowhere defined is the indexer's own
        trouble, and says nothing: it is left out."""
        return {symbol for symbol in self.at.get(place, ()) if symbol in self.defined or package(symbol) not in self.own}


class FrontEndTruth(Truth):
    def __init__(self, folder, lines, knows_values):
        """`lines` is the path of what was written: a line of JSON for each file."""
        super().__init__()
        self.knows_values = knows_values
        with open(lines) as file:
            documents = [json.loads(line) for line in file]
        for found in documents:
            path = found["path"]
            file = self.files[path] = sources.File(folder, path)
            file.take(found["bodies"], [(line, column, kind, "") for line, column, kind, *_ in found["definitions"]],
                      [(line, column, form, receiver, "") for line, column, _, form, receiver in found["uses"]])
            # A definition is named by its place; one with declarations, which are the same thing, by a symbol.
            for line, column, _, *symbol in found["definitions"]:
                self.defined[symbol[0] if symbol else f"{path}:{line}:{column}"].append((path, line, column))
                self.defines.add((path, line, column))
            for line, column, target, *_ in found["uses"]:
                self.at[path, line, column].add(target)


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
