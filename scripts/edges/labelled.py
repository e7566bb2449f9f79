"""Compares the edges of an index with references that people labelled by reading, where no compiler can be asked.

`labels/LANGUAGE.tsv` has a line for each: project (`owner+name`), commit, path, line (from 1), column (from 0, in bytes),
word, label, kind, where, and what a second reader said if it was something else. A label is one place of a definition
(`path:line`) or several that are one thing or that the language leaves open, `external`, `local`, `key` (the name of an
argument or of an entry), `namespace`, or `unclear`. `where` is `in` or `out` of the bodies of functions.

The places were drawn at random, at most one for a name and file, from the names that the checkout defines somewhere: a
name that it does not define cannot be confused with one that it does. Two readers labelled each without seeing the other's
label, and a place on which they differ is left out; one reader only in the two projects of each language that come last.
In Elixir, a segment of a name before another one is `namespace`, and is not listed.
"""
import collections
import os

import measure

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "labels")
LANGUAGES = sorted(name.removesuffix(".tsv") for name in os.listdir(HERE))


def labels(language, project):
    with open(os.path.join(HERE, language + ".tsv")) as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    found = []
    for row in rows:
        if row[0] == project and not row[9] and row[6] not in ("namespace", "unclear", "none"):
            found.append((row[2], int(row[3]), int(row[4]), row[5], row[6].split(";"), row[7], row[8]))
    return found


def compare(language, project, index):
    """Counts for one checkout."""
    ours = measure.Ours(index)
    count = measure.Count()
    imports = collections.defaultdict(list)
    for (path, line, _), rows in ours.rows.items():
        imports[path, line] += [row for row in rows if row[0] == "import" and row[2] is not None]
    callables = collections.defaultdict(list)
    for id, kind in enumerate(ours.symbols["kind"]):
        if kind in ("function", "method", "test"):
            callables[ours.path[id]].append(id)
    for path, line, column, word, label, kind, where in labels(language, project):
        where = "body" if where == "in" else "outside"
        # The sign of a variable may or may not be a part of its name.
        rows = ours.rows.get((path, line, column)) or ours.rows.get((path, line, column + 1), [])
        # An import has one edge for a path of several names, at its beginning.
        rows = rows or [row for row in imports[path, line] if word == ours.symbols["name"][row[2]]]
        places = {(place.rpartition(":")[0], int(place.rpartition(":")[2])) for place in label if ":" in place}

        def right(target):
            if ours.symbols["kind"][target] == "file":
                return any(place[0] == ours.path[target] for place in places)
            # A signature and its clauses, a class and its constructor: one symbol may have several such lines.
            lines = range(ours.symbols["start_line"][target], ours.symbols["end_line"][target] + 1)
            is_inside = ours.symbols["name"][target] == word and any(
                place[0] == ours.path[target] and place[1] in lines for place in places)
            return is_inside or is_reopened(target) or bool(ours.places[target] & places)

        def is_reopened(target):
            """Whether the label is another place where the same module or type is opened."""
            name = ours.symbols["qualified_name"][target]
            return ours.symbols["kind"][target] in ("module", "class", "namespace") and any(
                ours.symbols["qualified_name"][other] == name for place in places for other in ours.at.get(place, ()))

        def is_local(target):
            """Whether it is a function or value inside of a function of the file: local, for the readers."""
            start, end = ours.symbols["start_line"][target], ours.symbols["end_line"][target]
            return ours.path[target] == path and any(
                id != target and ours.symbols["kind"][id] in ("function", "method", "test")
                and ours.symbols["start_line"][id] <= start and end <= ours.symbols["end_line"][id]
                and (ours.symbols["start_line"][id], ours.symbols["end_line"][id]) != (start, end)
                for id in callables[path])

        facts = [(edge, tier, target) for edge, tier, target in rows if tier in measure.FACTS and target is not None
                 and not (label == ["local"] and is_local(target))]
        said = next((ours.name(target) for _, _, target in rows if target is not None), "nothing")
        for edge, tier, target in facts:
            verdict = "right" if right(target) else "wrong" if places else "external"
            for what, value in (("tier", tier), ("kind", edge), ("all", "")):
                count.precision[where, what, value, verdict] += 1
            if verdict != "right":
                count.error(f"false ({tier}): {edge}", f"false: {edge} by {tier}, to a {ours.symbols['kind'][target]}",
                            measure.example((path, line, column), word, ours.name(target), label[0]))
        if not places:
            continue
        found = [target for _, _, target in rows if target is not None and right(target)]
        if any(right(target) for _, _, target in facts):
            outcome = "right"
        elif facts:
            outcome = "wrong"
        else:
            outcome = "among the ambiguous" if found else "not among the ambiguous" if said != "nothing" else "unresolved" if rows else "no edge"
        count.recall[where, "wanted", "all", "", outcome] += 1
        count.recall[where, "wanted", "kind", kind, outcome] += 1
        if outcome not in ("right", "wrong"):
            count.error(f"missing ({outcome}): {kind}", f"missing ({outcome}): {kind}",
                        measure.example((path, line, column), word, said, label[0]))
    count.totals["files"] = len(ours.files)
    return count
