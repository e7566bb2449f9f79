"""Trains the weights of files (`file_*` and `report_*` in query/search/src/weights.rs): a linear model over
`FileFeatures` (query/search/src/rank/file_features.rs), on repositories of which a third is kept aside.

usage: train.py --sextant BIN [--report] SHARE:QUESTIONS:INDEXES[:STYLE] ...

QUESTIONS is tests/questions (its questions about files, of all styles or of one; `-` for those without a style), a JSON
file of reports, or JSON lines with repo, question and answers (scripts/ranker/questions.py).
INDEXES: a folder with one index for each repository, by its name. `scripts/quality --only questions` makes such a folder.
SHARE: what the set counts beside the others, whatever its size.
Repositories that tests/questions/repos.json keeps aside are measured and not fitted to; others are fitted to.

Printed for each set, before and after, fitted to and kept aside: NDCG@10 over files (mean over repositories), and the
share of questions all of whose answers are among the first 1, 5 and 10. Then the weights. Needs numpy and scipy.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import subprocess
from pathlib import Path

import numpy
from scipy.optimize import minimize

# How strongly weights are held near zero, for features of variance 1.
RIDGE = 3e-3
# Features whose weights may be negative: a longer file is not a better one. More of all others is better evidence, or none.
SIGNED = {"lines", "chunks", "depth"}
# Features from the git history. A commit that is a question is in the history, so it counts as if there were none.
OF_HISTORY = ("history", "co_change")
QUESTIONS = Path(__file__).resolve().parent.parent.parent / "tests" / "questions"


def same(path, other):
    return path == other or path.endswith("/" + other) or other.endswith("/" + path)


def kept_aside():
    """The names of the repositories that are kept aside, and OWNER/NAME."""
    repos = [repo for repo in json.loads((QUESTIONS / "repos.json").read_text()) if repo["kept_aside"]]
    owned = {repo["url"].removesuffix(".git").split("github.com/")[-1].lower() for repo in repos}
    return {repo["name"] for repo in repos} | owned


def read(source, style):
    path = Path(source)
    if path.is_dir():
        for file in sorted((path / "annotations").glob("*.json")):
            for row in json.loads(file.read_text()):
                if row["category"] != "symbol" and style in (None, row.get("style", "-")):
                    targets = row["relevant"] + row["secondary"]
                    answers = [target if isinstance(target, str) else target["path"] for target in targets]
                    yield {"repo": file.stem, "group": file.stem, "question": row["query"], "answers": answers}
    elif path.suffix == ".json":
        for row in json.loads(path.read_text()):
            repo = path.stem.replace("+", "/").lower()
            yield {"repo": f"{path.stem}-{row['number']}", "group": repo, "question": row["text"], "answers": row["files"]}
    else:
        for line in path.read_text().splitlines():
            row = json.loads(line)
            yield row | {"group": row["repo"], "is_commit": True}


def ask(sextant, index, row):
    """The files that a search ranks by their features, with these."""
    done = subprocess.run(
        [sextant, "search", "--index", index, "--format", "json", "--limit", "300", "--", row["question"]],
        capture_output=True,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{index}: {done.stderr.decode()[-300:]}")
    found = {}
    for hit in json.loads(done.stdout)["results"]:
        if features := hit["signals"].get("file_features"):
            values = {feature["feature"]: feature["value"] for feature in features}
            if row.get("is_commit"):
                values |= dict.fromkeys(OF_HISTORY, 0.0)
            found.setdefault(hit["path"], values)
    paths = list(found)
    right = [any(same(path, answer) for answer in row["answers"]) for path in paths]
    return row | {"paths": paths, "features": list(found.values()), "right": numpy.array(right, dtype=bool)}


def rank(question, order, answer):
    paths = (question["paths"][at] for at in order)
    return next((number for number, path in enumerate(paths, 1) if same(path, answer)), None)


def measure(questions, names, weights):
    """NDCG@10, and the shares with all answers among the first 1, 5 and 10."""
    by_repo, within = collections.defaultdict(list), collections.Counter()
    for question in questions:
        order = range(len(question["paths"]))
        if weights is not None and question["paths"]:
            order = numpy.argsort(-(matrix(question, names) @ weights), kind="stable")
        ranks = [rank(question, order, answer) for answer in question["answers"]]
        best = sum(1 / math.log2(place + 1) for place in range(1, min(10, len(ranks)) + 1))
        gain = sum(1 / math.log2(place + 1) for place in ranks if place and place <= 10)
        by_repo[question["group"]].append(gain / best)
        for depth in (1, 5, 10):
            within[depth] += all(place and place <= depth for place in ranks)
    ndcg = numpy.mean([numpy.mean(values) for values in by_repo.values()])
    shares = " / ".join(f"{100 * within[depth] / len(questions):.1f}" for depth in (1, 5, 10))
    return f"{ndcg:.4f} ({shares})"


def matrix(question, names):
    return numpy.array([[features[name] for name in names] for features in question["features"]])


def fit(sets, names):
    """The weights from [(share, questions)]: each right file against all wrong ones, by their softmax."""
    blocks, shares = [], []
    for share, questions in sets:
        useful = [question for question in questions if question["right"].any() and not question["right"].all()]
        blocks += [(matrix(question, names), question["right"]) for question in useful]
        shares += [share / len(useful)] * len(useful)
    shares = numpy.array(shares) / sum(shares)
    spread = numpy.vstack([features for features, _ in blocks]).std(0) + 1e-9
    blocks = [(features / spread, right) for features, right in blocks]

    def loss(weights):
        value, slope = RIDGE * weights @ weights, 2 * RIDGE * weights
        for share, (features, right) in zip(shares, blocks):
            scores = features @ weights
            odds = numpy.exp(scores - scores.max())
            good, wrong = odds[right] + 1e-30, odds[~right].sum()
            value += share * numpy.mean(numpy.log(good + wrong) - numpy.log(good))
            gradient = odds * numpy.mean(1 / (good + wrong))
            gradient[right] = (good / (good + wrong) - 1) / len(good)
            slope = slope + share * (gradient @ features)
        return value, slope

    bounds = [(None if name in SIGNED else 0, None) for name in names]
    found = minimize(loss, numpy.zeros(len(names)), jac=True, method="L-BFGS-B", bounds=bounds)
    return numpy.round(found.x / spread, 2)


def read_arguments(description, program):
    """The arguments; `program` is the option that names the program that is asked."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(program, required=True)
    parser.add_argument("--report", action="store_true", help="print weights of reports")
    parser.add_argument("sets", nargs="+")
    return parser.parse_args()


def main():
    arguments = read_arguments(__doc__, "--sextant")
    aside = kept_aside()
    sets = []
    for text in arguments.sets:
        share, source, indexes, *style = text.split(":")
        rows = list(read(source, style[0] if style else None))
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = pool.map(lambda row: ask(arguments.sextant, str(Path(indexes) / row["repo"]), row), rows)
            sets.append((text, float(share), list(asked)))
    names = list(next(question["features"][0] for _, _, rows in sets for question in rows if question["features"]))
    weights = fit([(share, [row for row in rows if row["group"] not in aside]) for _, share, rows in sets if share], names)
    for text, _, rows in sets:
        print(text)
        for part, wants in (("fitted to", False), ("kept aside", True)):
            if chosen := [row for row in rows if (row["group"] in aside) == wants]:
                before, after = measure(chosen, names, None), measure(chosen, names, weights)
                print(f"  {part}, {len(chosen)} questions: {before} -> {after}")
    prefix = "report" if arguments.report else "file"
    for name, weight in zip(names, weights):
        print(f"{prefix}_{'bm25' if name == 'file_text' else name} = {weight}")


if __name__ == "__main__":
    main()
