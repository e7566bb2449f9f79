"""Measures retrieval on the held-out families: one documentation sentence, find its code among the pool.

    evaluate.py PAIRS.jsonl MODEL_FOLDER MINILM_FOLDER REPORT.json [EXACT.npy]

Passages hold path, name, signature and code, for every system; never the documentation. The static
model is read from its exported files alone; EXACT.npy, when given, is its table before quantisation.
"""

import collections
import json
import math
import os
import sys

import numpy as np

import data
import minilm
from common import LANGUAGES, Static, words, write_json
from train import ranks

SHOWN = ("path", "name", "signature", "code")


def bm25(queries, passages, k1=1.2, b=0.75):
    n = len(passages)
    length = np.array([len(p) for p in passages], dtype=np.float64)
    postings = collections.defaultdict(list)
    for i, p in enumerate(passages):
        for w, c in sorted(collections.Counter(p).items()):
            postings[w].append((i, c))
    norm = k1 * (1 - b + b * length / length.mean())
    out = np.zeros((len(queries), n))
    for i, q in enumerate(queries):
        for w in q:
            found = postings.get(w)
            if found:
                rows = np.array([r for r, _ in found])
                c = np.array([c for _, c in found], dtype=np.float64)
                idf = math.log(1 + (n - len(found) + 0.5) / (len(found) + 0.5))
                out[i, rows] += idf * c * (k1 + 1) / (c + norm[rows])
    return out


def placed(scores):
    own = scores[np.arange(len(scores)), np.arange(len(scores))]
    above = (scores > own[:, None]).sum(1)
    level = (scores == own[:, None]).sum(1) - 1
    return above + 1 + level / 2


def summary(rank):
    return {"mrr": round(float((1 / rank).mean()), 4), "recall10": round(float((rank <= 10).mean()), 4)}


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    pairs_path, model, minilm_folder, report = sys.argv[1:5]
    exact = np.load(sys.argv[5]) if len(sys.argv) == 6 else None
    pairs = data.load(pairs_path)
    split = data.split(pairs)
    static = Static(model)
    encoder = minilm.Encoder(minilm_folder) if minilm_folder != "-" else None
    result = {"train_pairs": len(split["train"]), "held_families": len(split["held"]), "languages": {}}
    train = collections.Counter(pairs[i]["language"] for i in split["train"])
    every = collections.Counter(p["language"] for p in pairs)
    for language in LANGUAGES:
        pool = [pairs[i] for i in split["test"].get(language, [])]
        if len(pool) < 50:
            continue
        queries = [words(p["doc"]) for p in pool]
        fields = [{f: w for f, w in data.field_words(p).items() if f in SHOWN} for p in pool]
        row = {
            "pairs": every[language], "train": train[language], "pool": len(pool),
            "families": sorted({p["family"] for p in pool}),
        }
        lexical = bm25(queries, [sum((f[k] for k in SHOWN), []) for f in fields])
        row["bm25"] = summary(placed(lexical))
        q = np.stack([static.field(w) for w in queries])
        p = np.stack([static.passage(f) for f in fields])
        row["static_int8"] = summary(placed(q @ p.T))
        if exact is not None:
            static.values, keep = exact, (static.values, static.scale)
            static.scale = np.ones(len(exact), dtype=np.float32)
            qe = np.stack([static.field(w) for w in queries])
            pe = np.stack([static.passage(f) for f in fields])
            static.values, static.scale = keep
            row["static_fp32"] = summary(placed(qe @ pe.T))
        if encoder:
            qm = np.stack([encoder.embed(x["doc"]) for x in pool])
            pm = np.stack(
                [
                    encoder.embed("\n".join([" ".join(f["path"]), x["name"], x["signature"], x["code"][:3000]]))
                    for x, f in zip(pool, fields)
                ]
            )
            row["minilm_int8"] = summary(placed(qm @ pm.T))
            fused = 1 / (60 + rank_matrix(lexical)) + 1 / (60 + rank_matrix(q @ p.T))
            row["bm25_and_static"] = summary(placed(fused))
        # The harder case: only passages of the query's own family compete.
        family = np.array([x["family"] for x in pool])
        other = family[:, None] != family[None, :]
        for name, scores in (("bm25", lexical), ("static_int8", q @ p.T)):
            row[name + "_within"] = summary(placed(np.where(other, -1e9, scores)))
        result["languages"][language] = row
        print(language, {k: v for k, v in row.items() if isinstance(v, dict)}, flush=True)
    names = ["bm25", "minilm_int8", "static_fp32", "static_int8", "bm25_and_static", "bm25_within", "static_int8_within"]
    result["mean"] = {
        n: {m: round(float(np.mean([r[n][m] for r in result["languages"].values()])), 4) for m in ("mrr", "recall10")}
        for n in names
        if all(n in r for r in result["languages"].values())
    }
    print("mean", result["mean"])
    write_json(report, result)


def rank_matrix(scores):
    order = np.argsort(-scores, axis=1, kind="stable")
    out = np.empty_like(order)
    np.put_along_axis(out, order, np.arange(scores.shape[1])[None, :].repeat(len(scores), 0), axis=1)
    return out + 1


if __name__ == "__main__":
    main()
