"""What a SCIP index of rust-analyzer says of the names of a checkout: where they lead, and what is defined there.

A line of JSON for each file, in the form that `truth.FrontEndTruth` reads: bodies of functions, definitions with their
kinds, and uses with the place of the definition. Run as `rust.py SCIP FOLDER > OUT`.
"""
import json
import os
import re
import sys

import scip
import sources

# Numbers of SymbolInformation.Kind in scip.proto.
KINDS = {3: "type", 8: "constant", 11: "enum", 12: "enum member", 15: "field", 17: "function", 25: "macro", 26: "method",
         29: "module", 49: "struct", 53: "trait", 54: "type", 55: "type", 59: "union", 70: "method", 80: "method",
         82: "static"}


def read(path):
    """Occurrences with the lines of their extent by file, and the kinds of symbols."""
    with open(path, "rb") as file:
        data = memoryview(file.read())
    documents, kinds = {}, {}
    for number, document in scip.fields(data):
        if number != 2:  # Index.documents
            continue
        where, occurrences, parts = "", [], list(scip.fields(document))
        for number, value in parts:
            if number == 1:
                where = bytes(value).decode().replace("\\", "/")
        for number, value in parts:
            if number == 3:  # Document.symbols
                found = dict(scip.fields(value))
                kinds[symbol_of(bytes(found.get(1, b"")).decode(), where)] = KINDS.get(found.get(5, 0), "")
            elif number == 2:  # Document.occurrences
                place, symbol, roles, extent = [], "", 0, []
                for number, part in scip.fields(value):
                    if number == 1:
                        place.extend([part] if isinstance(part, int) else scip.numbers(part))
                    elif number == 2:
                        symbol = symbol_of(bytes(part).decode(), where)
                    elif number == 3:
                        roles = part
                    elif number == 7:  # Occurrence.enclosing_range
                        extent.extend([part] if isinstance(part, int) else scip.numbers(part))
                if symbol and len(place) >= 3:
                    occurrences.append((place[0], place[1], symbol, bool(roles & 1), extent))
        documents[where] = occurrences
    return documents, kinds


def symbol_of(symbol, path):
    return f"{path} {symbol}" if symbol.startswith("local ") else symbol


def package(symbol):
    """Manager, name and version of the package that a symbol is of."""
    return " ".join(symbol.split(" ", 4)[:4])


def use_of(line, start, word):
    """What a use looks like: its form, and what stands before it."""
    before, after = line[:start].rstrip(), line[start + len(word):].lstrip()
    form = "macro" if after.startswith("!") else "call" if re.match(r"\(|::<[^>]*>\(", after) else "name"
    if before.endswith(".") and not before.endswith(".."):
        receiver = re.search(r"(\w+|\S)\s*\.$", before)
        receiver = receiver.group(1) if receiver else ""
        return form, "self" if receiver == "self" else "result" if receiver in ")]?" else "name"
    if before.endswith("::"):
        return form, "path"
    return form, "none: type" if word[:1].isupper() else "none: name"


def functions(occurrences, kinds):
    """The first and last lines of the functions of a file."""
    found = []
    for line, _, symbol, is_definition, extent in occurrences:
        if is_definition and extent and kinds.get(symbol) in ("function", "method"):
            found.append((line, extent[2] if len(extent) == 4 else extent[0]))
    return found


def among(places, line, extents):
    """Of several definitions of a symbol in a file, the one in the innermost function around a line that has one: what
    functions define has the same symbol in each of them. None if that does not tell."""
    for first, last in sorted((extent for extent in extents if extent[0] <= line <= extent[1]), reverse=True):
        inside = [place for at, place in places if first <= at <= last]
        if inside:
            return inside[0] if len(inside) == 1 else None
    return None


def is_shorthand(lines, line, column, word):
    """Whether a word stands for a field and its value: `{ a, b }`."""
    before, after = lines[line][:column].rstrip(), lines[line][column + len(word or ""):].lstrip()
    if before and before[-1] not in "{," or after and after[0] not in ",}":
        return False
    depth = 0
    for text in [before, *reversed(lines[max(0, line - 200):line])]:
        for char in reversed(text):
            depth += (char in ")]}") - (char in "([{")
            if depth < 0:
                return char == "{"
    return False


def main():
    documents, kinds = read(sys.argv[1])
    folder = sys.argv[2]
    defined = {}
    files = {path: sources.File(folder, path) for path in documents if os.path.isfile(os.path.join(folder, path))}
    for path, file in files.items():
        for line, column, symbol, is_definition, _ in documents[path]:
            if is_definition:
                place = f"{path}:{line + 1}:{file.column(line, column)}"
                defined.setdefault(symbol, {}).setdefault(path, []).append((line, place))
    packages = {package(symbol) for symbol in defined}
    extents = {path: functions(documents[path], kinds) for path in files}
    for path, file in files.items():
        bodies, definitions, uses = [], [], []
        for line, column, symbol, is_definition, extent in documents[path]:
            at = (line + 1, file.column(line, column))
            kind = kinds.get(symbol) or ("variable" if " local " in symbol else "")
            if is_definition:
                definitions.append((*at, kind))
                if kind in ("function", "method") and extent:
                    end = (extent[2], extent[3]) if len(extent) == 4 else (extent[0], extent[2])
                    bodies.append((line + 1, at[1] + 1, end[0] + 1, end[1]))
            else:
                word = file.word(at)
                # Several programs of a package may define the same symbol.
                places = defined.get(symbol, {})
                here = places.get(path) or (next(iter(places.values())) if len(places) == 1 else [])
                target = here[0][1] if len(here) == 1 else among(here, line, extents[path]) if path in places else None
                # A symbol of the checkout that is defined nowhere is made by a macro: it says nothing.
                if not target and package(symbol) in packages:
                    continue
                # `{ a }` uses a variable and a field; the index names the variable alone.
                if " local " in symbol and is_shorthand(file.lines, line, column, word):
                    continue
                if word and word not in ("self", "Self", "super", "crate"):
                    uses.append((*at, target or symbol, *use_of(file.lines[line], column, word)))
        print(json.dumps({"path": path, "bodies": bodies, "definitions": definitions, "uses": uses}))


main()
