"""What each choice of training brings, measured on the development families; never on the test ones.

    ablate.py PAIRS.jsonl MINILM_FOLDER REPORT.json [VARIANT...]

Prints one line per variant and adds it to REPORT.json. VARIANT is a name of VARIANTS; all without one.
"""

import json
import os
import sys
import time

import numpy as np

from common import write_json
from train import FIELDS, Settings, fit, log, prepare

VARIANTS = {
    "base": {},
    "neighbours: none": {"neighbours": "none"},
    "neighbours: same file": {"neighbours": "file"},
    "no shorter prefixes": {"prefixes": ()},
    "prefixes count as much": {"prefix_share": 1.0},
    "no name queries": {"names": 0.0},
    "no later sentences": {"later": 0.0},
    "no parameters and results": {"more": 0.0},
    "no keyword forms": {"keywords": 0.0, "short": 0.0},
    "first sentences only": {"names": 0.0, "later": 0.0, "more": 0.0, "keywords": 0.0, "short": 0.0},
    "no file summaries": {"files": False},
    "no commits": {"commits": False},
    "two epochs": {"epochs": 2.0},
    "three epochs": {"epochs": 3.0},
    "groups of 32": {"group": 32},
    "without path": {"fields": tuple(f for f in FIELDS if f != "path")},
    "without name": {"fields": tuple(f for f in FIELDS if f != "name")},
    "without signature": {"fields": tuple(f for f in FIELDS if f != "signature")},
    "without doc": {"fields": tuple(f for f in FIELDS if f != "doc")},
    "without code": {"fields": tuple(f for f in FIELDS if f != "code")},
    "26,000 words, 6,000 pieces": {"whole_words": 26000, "pieces": 6000},
    "40,000 words, 8,000 pieces": {"whole_words": 40000, "pieces": 8000},
    "random start": {"minilm": False},
}
# These change what is prepared, not only how it is fitted.
PREPARED = ("whole_words", "pieces", "minilm")


def measures(training, table, weights):
    mean = lambda scores: round(float(np.mean(list(scores.values()))), 4)
    row = {"mrr": mean(training.dev(table, weights))}
    for dims in (64, 128):
        row[f"mrr_{dims}"] = mean(training.dev(table, weights, dims))
    row["mrr_names"] = mean(training.dev(table, weights, names=True))
    row["mrr_commits"] = round(training.dev_commits(table, weights), 4)
    row["fields"] = {f: round(w, 2) for f, w in weights.items()}
    for field in weights:
        if field != "doc":
            row["left out: " + field] = mean(training.dev(table, weights | {field: 0.0}))
    return row


def main():
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    pairs, minilm, report = sys.argv[1:4]
    results = {}
    if os.path.exists(report):
        with open(report, encoding="utf-8") as f:
            results = json.load(f)
    prepared = {}
    for name in sys.argv[4:] or list(VARIANTS):
        settings = Settings(**VARIANTS[name])
        key = tuple(getattr(settings, p) for p in PREPARED)
        if key not in prepared:
            prepared = {key: prepare(pairs, minilm, os.path.dirname(os.path.abspath(report)), settings)}
        vocab, vectors, share, training = prepared[key]
        training.settings = settings
        began = time.monotonic()
        _, table, weights = fit(vectors, share, training)
        results[name] = measures(training, table, weights) | {"tokens": len(vocab), "seconds": round(time.monotonic() - began)}
        log("==", name, results[name])
        write_json(report, results)


if __name__ == "__main__":
    main()
