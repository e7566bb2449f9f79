"""Trains the weights of chunks (`part_*` and `report_part_*` in query/search/src/weights.rs): a linear model over
`ChunkFeatures` (query/search/src/rank/chunk_features.rs) that says which part of a file answers, on repositories of which a
third is kept aside.

usage: lines.py --features PROGRAM [--report] SHARE:SOURCE:INDEXES[:STYLE] ...

PROGRAM: `cargo build --release -p sextant-search --example chunk_features`.
SOURCE is tests/questions (its questions with lines, of all styles or of one; `-` for those of its folder `lines`), its folder
`reports`, or JSON lines with repo, question and lines (pairs of path and line: scripts/ranker/questions.py --lines).
INDEXES, SHARE and what is kept aside: see train.py.

Right is a chunk that has at least 0.6 times as much of the wanted lines as the best one; chunks that are longer than these
lines have less (`gain`). Of changes only some lines are known: the smallest chunk around each is right.
Printed for each set, fitted to and kept aside, mean over repositories: the gain of the first chunk, and whether it shows a
wanted line; first in the order of the fused lists, then in that of the trained weights. Then the weights. Needs numpy and scipy.
"""
import collections
import concurrent.futures
import json
import subprocess
from pathlib import Path

import numpy
from scipy.optimize import minimize

from train import kept_aside, read_arguments, same

# How strongly weights are held near zero, for features of variance 1.
RIDGE = 1e-2
# A file whose best chunk has a smaller gain has no part that answers.
LEAST_GAIN = 0.15
NEAR_BEST = 0.6


def read(source, style):
    path = Path(source)
    if path.name == "reports":
        for file in sorted(path.glob("*.json")):
            for row in json.loads(file.read_text()):
                spans = row["lines"].items()
                wanted = {name: {line for first, last in parts for line in range(first, last + 1)} for name, parts in spans}
                yield {"repo": f"{file.stem}-{row['number']}", "group": file.stem.replace("+", "/").lower(),
                       "question": row["text"], "wanted": wanted, "is_change": True}
    elif path.is_dir():
        folder = "lines" if style == "-" else "annotations"
        for file in sorted((path / folder).glob("*.json")):
            for row in json.loads(file.read_text()):
                spans = row["lines"] if style == "-" else row["relevant"] + row["secondary"]
                if style not in (None, "-", row.get("style")):
                    continue
                wanted = collections.defaultdict(set)
                for span in spans:
                    if not isinstance(span, str):
                        wanted[span["path"]] |= set(range(span["start_line"], span["end_line"] + 1))
                yield {"repo": file.stem, "group": file.stem, "question": row["query"], "wanted": wanted, "is_change": False}
    else:
        for line in path.read_text().splitlines():
            row, wanted = json.loads(line), collections.defaultdict(set)
            for name, number in row["lines"]:
                wanted[name].add(number)
            yield {"repo": row["repo"], "group": row.get("group", row["repo"]), "question": row["question"],
                   "wanted": wanted, "is_change": True}


def ask(program, index, rows):
    """The chunks of the wanted files of each row, a list for each file."""
    asked = "".join(json.dumps({"question": row["question"], "files": list(row["wanted"])}) + "\n" for row in rows)
    done = subprocess.run([program, index], input=asked, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{index}: {done.stderr[-300:]}")
    for row, line in zip(rows, done.stdout.splitlines()):
        by_file = collections.defaultdict(list)
        for chunk in json.loads(line):
            by_file[chunk["path"]].append(chunk)
        for path, lines in row["wanted"].items():
            chunks = next((chunks for name, chunks in by_file.items() if same(name, path)), [])
            if len(chunks) > 1 and lines:
                yield row | {"chunks": chunks, "lines": lines}


def prepare(row):
    """The features of a file's chunks, what each gains, whether it shows a wanted line, and how right it is."""
    chunks, lines = row["chunks"], row["lines"]
    features = numpy.array([list(chunk["features"].values()) for chunk in chunks])
    spans = [range(chunk["start_line"], chunk["end_line"] + 1) for chunk in chunks]
    shown = numpy.array([sum(line in span for line in lines) for span in spans])
    if row["is_change"]:
        right = numpy.zeros(len(chunks))
        for line in lines:
            around = [n for n, span in enumerate(spans) if line in span]
            if around:
                right[min(around, key=lambda n: len(spans[n]))] = 1
        gain = right
    else:
        gain = shown / [max(len(lines), len(span)) for span in spans]
        right = numpy.where(gain >= NEAR_BEST * gain.max(), gain, 0)
    if gain.max() < LEAST_GAIN:
        return None
    return row | {"x": features, "gain": gain, "shows": shown > 0, "right": right / right.sum()}


def measure(rows, score):
    by_repo = collections.defaultdict(list)
    for row in rows:
        first = int(numpy.argmax(score(row["x"])))
        by_repo[row["group"]].append((row["gain"][first], row["shows"][first]))
    gain, shows = numpy.mean([numpy.mean(values, 0) for values in by_repo.values()], 0)
    return f"{gain:.3f} ({shows:.3f})"


def fit(sets):
    """The weights from [(share, rows)]: the right chunks against all of their file, by their softmax."""
    blocks = [(row["x"], row["right"]) for _, rows in sets for row in rows]
    shares = numpy.array([share / len(rows) for share, rows in sets for _ in rows])
    shares /= shares.sum()
    spread = numpy.vstack([features - features.mean(0) for features, _ in blocks]).std(0) + 1e-9
    blocks = [(features / spread, right) for features, right in blocks]

    def loss(weights):
        value, slope = RIDGE * weights @ weights, 2 * RIDGE * weights
        for share, (features, right) in zip(shares, blocks):
            scores = features @ weights
            odds = numpy.exp(scores - scores.max())
            value -= share * (right @ (scores - scores.max() - numpy.log(odds.sum())))
            slope = slope + share * (features.T @ (odds / odds.sum() - right))
        return value, slope

    found = minimize(loss, numpy.zeros(len(spread)), jac=True, method="L-BFGS-B")
    return numpy.round(found.x / spread, 2)


def main():
    arguments = read_arguments(__doc__, "--features")
    aside, sets = kept_aside(), []
    for text in arguments.sets:
        share, source, indexes, *style = text.split(":")
        by_repo = collections.defaultdict(list)
        for row in read(source, style[0] if style else None):
            if row["wanted"]:
                by_repo[row["repo"]].append(row)
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = pool.map(lambda item: list(ask(arguments.features, str(Path(indexes) / item[0]), item[1])), by_repo.items())
            rows = [prepared for found in asked for row in found if (prepared := prepare(row))]
        sets.append((text, float(share), rows))
    names = list(next(row["chunks"][0]["features"] for _, _, rows in sets for row in rows))
    weights = fit([(share, [row for row in rows if row["group"] not in aside]) for _, share, rows in sets if share])
    for text, _, rows in sets:
        print(text)
        for part, wants in (("fitted to", False), ("kept aside", True)):
            if chosen := [row for row in rows if (row["group"] in aside) == wants]:
                before = measure(chosen, lambda features: features[:, names.index("fused")])
                print(f"  {part}, {len(chosen)} files: {before} -> {measure(chosen, lambda features: features @ weights)}")
    for name, weight in zip(names, weights):
        print(f"{'report_' if arguments.report else ''}part_{name} = {weight}")


if __name__ == "__main__":
    main()
