"""Trains the weights of `FileFeatures` (query/search/src/rank/file_features.rs): pairwise logistic regression, repositories kept out.

usage: train.py --sextant BIN --set NAME=SHARE:QUESTIONS.jsonl:INDEXES ...

QUESTIONS.jsonl: one JSON object a line with repo, question, answers (paths, or ends of paths).
INDEXES: a folder with one index for each repository, by its name.
SHARE: what the set counts beside the others.
Printed are, for each set, NDCG@10 over files (mean over repositories) as it is, with the weights of the other
repositories of the sets (leave one out), and the weights of all. Needs numpy and scipy.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import subprocess

import numpy
from scipy.optimize import minimize

FEATURES = ["chunk", "text", "vector", "path", "graph", "demotion", "coverage", "out_degree", "lines"]
# A set's repositories are kept out in so many parts, one after the other.
FOLDS = 21
# How strongly weights are held near zero.
RIDGE = 1e-3


def same(path, other):
    return path == other or path.endswith("/" + other) or other.endswith("/" + path)


def ask(sextant, index, row):
    done = subprocess.run(
        [sextant, "search", "--index", index, "--format", "json", "--limit", "300", "--", row["question"]],
        capture_output=True,
    )
    if done.returncode not in (0, 1):
        raise SystemExit(f"{index}: {done.stderr.decode()[-300:]}")
    paths, features = [], []
    for hit in json.loads(done.stdout)["results"]:
        features_of_file = hit["signals"].get("file_features")
        if hit["path"] not in paths:
            paths.append(hit["path"])
            # What is asked by name is not ranked by files: it keeps its order.
            features.append([features_of_file[feature] for feature in FEATURES] if features_of_file else None)
    keeps = any(one is None for one in features)
    features = numpy.zeros((len(paths), len(FEATURES))) if keeps or not paths else numpy.array(features)
    right = numpy.array([any(same(path, answer) for answer in row["answers"]) for path in paths], dtype=bool)
    return {"repo": row["repo"], "paths": paths, "features": features, "right": right, "answers": row["answers"], "keeps": keeps}


def ndcg(order, answers):
    ranks = []
    for answer in answers:
        rank = next((at for at, path in enumerate(order[:10], 1) if same(path, answer)), None)
        if rank:
            ranks.append(rank)
    gain = sum(1 / math.log2(rank + 1) for rank in ranks)
    best = sum(1 / math.log2(rank + 1) for rank in range(1, min(10, len(answers)) + 1))
    return gain / best if best else 0.0


def mean(questions, weights):
    by_repo = collections.defaultdict(list)
    for question in questions:
        order = question["paths"]
        if weights is not None and not question["keeps"]:
            order = [order[at] for at in numpy.argsort(-(question["features"] @ weights), kind="stable")]
        by_repo[question["repo"]].append(ndcg(order, question["answers"]))
    return float(numpy.mean([numpy.mean(values) for values in by_repo.values()]))


def pairs(questions):
    differences, shares = [], []
    for question in questions:
        right = question["right"]
        if question["keeps"] or not right.any() or right.all():
            continue
        # All of them: the best by one sign would say that this sign tells nothing.
        near = numpy.flatnonzero(~right)
        good = numpy.flatnonzero(right)
        for at in good:
            for other in near:
                differences.append(question["features"][at] - question["features"][other])
                shares.append(1 / len(good) / len(near))
    return numpy.array(differences), numpy.array(shares) / sum(shares)


def fit(sets):
    """The weights from [(share, questions)]."""
    parts = [(share, *pairs(questions)) for share, questions in sets if questions]
    differences = numpy.vstack([part[1] for part in parts])
    shares = numpy.concatenate([share * of for share, _, of in parts])
    shares /= shares.sum()
    spread = differences.std(0) + 1e-9
    differences /= spread

    def loss(weights):
        margin = differences @ weights
        value = shares @ numpy.logaddexp(0, -margin) + RIDGE * weights @ weights
        return value, -(shares / (1 + numpy.exp(margin))) @ differences + 2 * RIDGE * weights

    return minimize(loss, numpy.zeros(len(FEATURES)), jac=True, method="L-BFGS-B").x / spread


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sextant", required=True)
    parser.add_argument("--set", action="append", required=True, dest="sets")
    arguments = parser.parse_args()
    sets = {}
    for text in arguments.sets:
        name, rest = text.split("=", 1)
        share, questions, indexes = rest.split(":")
        rows = [json.loads(line) for line in open(questions)]
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            asked = pool.map(lambda row: ask(arguments.sextant, os.path.join(indexes, row["repo"]), row), rows)
            sets[name] = (float(share), list(asked))
    for name, (share, questions) in sets.items():
        others = [one for other, one in sets.items() if other != name]
        held_out = []
        repos = sorted({question["repo"] for question in questions})
        folds = [repos[at::FOLDS] for at in range(FOLDS)]
        for fold in filter(None, folds):
            weights = fit([*others, (share, [q for q in questions if q["repo"] not in fold])])
            for repo in fold:
                held_out.append(mean([q for q in questions if q["repo"] == repo], weights))
        print(f"{name}: {len(questions)} questions of {len(repos)} repositories")
        print(f"  as it is {mean(questions, None):.4f}, repositories kept out {numpy.mean(held_out):.4f}")
        if others:
            print(f"  with the weights of the other sets alone {mean(questions, fit(others)):.4f}")
    weights = fit(list(sets.values()))
    for name, (_, questions) in sets.items():
        print(f"{name}: with the weights of everything {mean(questions, weights):.4f}")
    print({feature: round(float(weight), 2) for feature, weight in zip(FEATURES, weights)})


main()
