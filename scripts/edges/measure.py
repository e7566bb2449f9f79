"""Aligns what a compiler says with a Sextant index of the same files, and counts.

Called by scripts/edge-accuracy, which has the text of what is counted.
"""
import collections
import os
import re

import pyarrow.parquet as parquet

import errors
import sources
import truth as truths

# What a reference must lead to, to count in recall.
WANTED = {"function", "method", "constructor", "class", "struct", "interface", "enum", "type", "trait", "union",
          "macro"}
# Values, which count where the oracle says what they are.
VALUES = {"constant", "static", "field", "enum member"}
# Listed apart: defined by a function, but used like a field or as a value of an object.
APART = {"property", "accessor", "object function", "assigned function"}
# Where one of several definitions is chosen before the program is compiled.
ALTERNATIVES = sources.ENDINGS["rust"] + sources.ENDINGS["cpp"]
# Edges that no reference stands for.
DERIVED = {"override", "define", "test"}
FACTS = ("scip", "scope", "import", "package", "receiver", "unique", "server")


class Ours:
    """The rows of an index."""

    def __init__(self, index):
        with open(os.path.join(index, "CURRENT")) as file:
            generation = os.path.join(index, file.read().strip())

        def table(name, columns):
            path = os.path.join(generation, name + ".parquet")
            if name in ("symbols", "edges"):  # of a full build, which has one segment: ids are numbers of rows
                [segment] = os.listdir(os.path.join(generation, "segments"))
                path = os.path.join(generation, "segments", segment, name + ".parquet")
            return parquet.read_table(path, columns=columns).to_pydict()

        files = table("files", ["path"])["path"]
        symbols = table("symbols", ["name", "kind", "file_id", "name_line", "start_line", "end_line", "container_id", "qualified_name"])
        self.files = set(files)
        self.path = [files[file] for file in symbols["file_id"]]
        self.symbols = symbols
        self.places = [{(path, line)} for path, line in zip(self.path, symbols["name_line"])]
        self.at = collections.defaultdict(list)
        self.named = collections.defaultdict(list)  # (path, container, name) -> symbols
        for id, kind in enumerate(symbols["kind"]):
            self.named[self.path[id], symbols["container_id"][id], symbols["name"][id]].append(id)
            self.at[self.path[id], symbols["name_line"][id]].append(id)
            owner = symbols["container_id"][id]
            if kind == "constructor" and owner is not None:  # a class and its constructor are one
                self.places[id].add((self.path[owner], symbols["name_line"][owner]))
                self.places[owner].add((self.path[id], symbols["name_line"][id]))
        edges = table("edges", ["source_id", "target_id", "target_name", "kind", "file_id", "line", "column", "tier"])
        self.rows = collections.defaultdict(list)  # (path, line, column) -> [(kind, tier, target)]
        for file, line, column, kind, tier, target in zip(*(edges[name] for name in ("file_id", "line", "column", "kind", "tier", "target_id"))):
            if kind not in DERIVED:
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
        if any(path == ours.path[target] and truth.files[path].definitions.get((line, column)) == "module"
               for symbol in symbols for path, line, column in truth.defined.get(symbol, ())):
            return True
        return any(truths.is_module(symbol) and ours.path[target] == path for symbol in symbols for path, _, _ in truth.defined.get(symbol, ()))
    if ours.places[target] & places:
        return True
    # `{ f }` defines a field that is f, of the same file or of one that is named there.
    same, home = f"field = {ours.symbols['name'][target]}", ours.path[target]
    for symbol in symbols:
        for path, line, column in truth.defined.get(symbol, ()):
            if truth.files[path].definitions.get((line, column)) == same:
                stem = re.escape(sorted(errors.module_ends(home))[0])
                if path == home or re.search(rf"""['"/]{stem}(\.\w+)?['"]""", truth.files[path].text):
                    return True
    # What a stub declares is what the module beside it defines, or imports under that name.
    name = ours.symbols["name"][target]
    for path, _ in places:
        module = truth.files.get(path.removesuffix("i")) if path.endswith(".pyi") else None
        if module and name == word and not home.endswith(".pyi") and re.search(rf"\b{re.escape(name)}\b", module.text):
            return True
    # `Self::Item` in an `impl` is the type that the `impl` gives to the associated type of the trait.
    if ours.symbols["kind"][target] == "type" and word == ours.symbols["name"][target] and any(
            symbol.endswith(f"#{word}#") or "type" in truth.kinds([symbol]) for symbol in symbols):
        return bool(use) and use[1] == "path"
    # A class that is named, and whose constructor is inherited.
    return bool(use) and use[0] in ("new", "call") and word == ours.symbols["name"][target] and "constructor" in truth.kinds(symbols)


def overloads(ours, truth, symbols):
    """Our definitions that share their name and owner with what is meant, itself among them; none if it is alone."""
    for symbol in symbols:
        for path, line, _ in truth.defined.get(symbol, ()):
            for id in ours.at.get((path, line), ()):
                # Alternatives under `cfg` or `#if` share everything, too.
                if ours.symbols["kind"][id] in ("method", "constructor") or path.endswith(ALTERNATIVES):
                    found = ours.named[ours.path[id], ours.symbols["container_id"][id], ours.symbols["name"][id]]
                    return found if len(found) > 1 else ()
    return ()


def measure(language, index, truth):
    """Counts for one checkout: `index` is ours of it, `truth` what the compiler says of it."""
    ours = Ours(index)
    wanted_kinds = WANTED | VALUES if truth.knows_values else WANTED
    is_front_end = isinstance(truth, truths.FrontEndTruth)
    files = truth.files
    count = Count()
    count.totals["files"] = len(files)
    count.totals["left out"] = truth.left_out
    count.totals["lines"] = sum(len(file.lines) for file in files.values())
    all_paths = {path for path, _, _ in ours.rows if path.endswith(sources.ENDINGS[language])}
    count.totals["files not seen"] = len(all_paths - files.keys())

    def situation(place, symbols, use):
        return errors.plain_situation(use) if is_front_end else errors.situation(ours, truth, place, symbols, use)

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
                verdict = "at a definition" if place in truth.defines else "not known"
            elif is_right(ours, truth, target, symbols, use, word(place)):
                verdict = "right"
            elif is_front_end and target in overloads(ours, truth, symbols):
                verdict = "another overload"
            elif any(truth.defined.get(symbol) for symbol in symbols):
                verdict = "wrong"
            else:
                verdict = "external"
            for what, value in (("tier", tier), ("kind", kind), ("all", "")):
                count.precision[where, what, value, verdict] += 1
            form, receiver = situation(place, symbols or (), use)
            count.precision[where, "receiver", receiver, verdict] += 1
            if verdict in ("wrong", "external", "another overload"):
                true = "/".join(sorted(truth.kinds(symbols))) or "something external"
                true = verdict if verdict == "another overload" else true
                name = f"{'' if where == 'body' else 'outside of bodies: '}false ({tier}, {ours.symbols['kind'][target]}): {form}, {receiver}; true is {true}"
                if is_front_end:
                    group = f"{'' if where == 'body' else 'outside of bodies: '}false: {kind} by {tier}, to a {ours.symbols['kind'][target]}; true is {true}"
                else:
                    group = errors.false_group(tier, ours.symbols["kind"][target], receiver, verdict == "external")
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
        wanted = "wanted" if kinds & wanted_kinds else "apart" if kinds & APART else ""
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
            is_overload = is_front_end and any(target in overloads(ours, truth, inside) for _, tier, target in rows if tier in FACTS)
            outcome, tier = "another overload" if is_overload else "wrong", "-"
        elif right:
            outcome, tier = "among the ambiguous", "-"
        elif any(tier == "ambiguous" for _, tier, _ in rows):
            outcome, tier = "not among the ambiguous", "-"
        else:
            outcome, tier = ("unresolved", "-") if rows else ("no edge", "-")
        count.recall[where, wanted, "all", "", outcome] += 1
        if outcome == "right":
            count.recall[where, wanted, "tier", tier, outcome] += 1
        for kind in sorted(kinds & (wanted_kinds | APART))[:1]:
            count.recall[where, wanted, "kind", kind, outcome] += 1
        form, receiver = situation(place, inside, use)
        count.recall[where, wanted, "form", form, outcome] += 1
        count.recall[where, wanted, "receiver", receiver, outcome] += 1
        if where == "body" and wanted == "wanted" and outcome not in ("right", "wrong", "another overload"):
            name = f"missing ({outcome}): {form}, {receiver} -> {sorted(kinds & wanted_kinds)[0]}"
            said = next((ours.name(target) for _, _, target in rows if target is not None), "nothing")
            if is_front_end:
                group = f"missing ({outcome}): {form}, {receiver}{', overloaded' if overloads(ours, truth, inside) else ''}"
            else:
                group = errors.missing_group(outcome, form, receiver)
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
