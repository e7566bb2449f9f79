"""Measures retrieval on the held-out families: one documentation sentence, find its code among the pool.

    evaluate.py PAIRS.jsonl MODEL_FOLDER MINILM_FOLDER REPORT.json [EXACT.npy]

Passages hold path, name, signature and code, for every system; never the documentation. The static
model is read from its exported files alone; EXACT.npy, when given, is its table before quantisation.
MiniLM's vectors are kept beside PAIRS.jsonl.
"""

import collections
import hashlib
import math
import os
import sys

import numpy as np

import data
import minilm
from common import LANGUAGES, Static, unit, words, write_json
from train import last_name

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


def fused(*scores):
    """Reciprocal ranks, k = 60, equal weights."""
    return sum(1 / (60 + rank_matrix(s)) for s in scores)


class Remembered:
    """MiniLM with the vectors of earlier runs, which do not depend on our model."""

    def __init__(self, folder, path):
        self.encoder, self.path = minilm.Encoder(folder), path
        self.known, self.before = {}, 0
        if os.path.exists(path):
            saved = np.load(path)
            self.known = dict(zip(saved["keys"].tolist(), saved["vectors"]))
            self.before = len(self.known)

    def embed(self, texts):
        out = []
        for text in texts:
            key = hashlib.sha256(text.encode()).hexdigest()
            if key not in self.known:
                self.known[key] = self.encoder.embed(text)
            out.append(self.known[key])
        return np.stack(out)

    def save(self):
        if len(self.known) > self.before:
            np.savez(self.path, keys=np.array(list(self.known)), vectors=np.stack(list(self.known.values())))
            self.before = len(self.known)


def static_scores(static, queries, fields, dims=None):
    q = np.stack([static.field(w) for w in queries])[:, :dims]
    p = np.stack([static.passage(f) for f in fields])[:, :dims]
    return unit(q) @ unit(p).T


def measure(pool, static, exact, encoder):
    """{system: {mrr, recall10}} on one pool."""
    queries = [words(p["doc"]) for p in pool]
    fields = [{f: w for f, w in data.field_words(p).items() if f in SHOWN} for p in pool]
    lexical = bm25(queries, [sum((f[k] for k in SHOWN), []) for f in fields])
    vector = static_scores(static, queries, fields)
    scores = {"bm25": lexical, "static_int8": vector}
    for dims in (64, 128):
        scores[f"static_int8_{dims}"] = static_scores(static, queries, fields, dims)
    if exact is not None:
        keep = static.values, static.scale
        static.values, static.scale = exact, np.ones(len(exact), dtype=np.float32)
        scores["static_fp32"] = static_scores(static, queries, fields)
        static.values, static.scale = keep
    scores["bm25_static"] = fused(lexical, vector)
    if encoder:
        texts = ["\n".join([" ".join(f["path"]), x["name"], x["signature"], x["code"][:3000]]) for x, f in zip(pool, fields)]
        other = encoder.embed([x["doc"] for x in pool]) @ encoder.embed(texts).T
        scores["minilm_int8"] = other
        scores["static_minilm"] = fused(vector, other)
        scores["bm25_static_minilm"] = fused(lexical, vector, other)
    row = {name: summary(placed(s)) for name, s in scores.items()}
    # The harder case: only passages of the query's own family compete.
    family = np.array([x["family"] for x in pool])
    apart = family[:, None] != family[None, :]
    for name in ("bm25", "static_int8", "minilm_int8"):
        if name in scores:
            row[name + "_within"] = summary(placed(np.where(apart, -1e9, scores[name])))
    # The function's own name as the question; name and signature do not show it.
    last = [last_name(p) for p in pool]
    bare = [
        {"path": f["path"], "signature": [w for w in f["signature"] if w not in set(n)], "doc": words(p["doc"]), "code": f["code"]}
        for p, f, n in zip(pool, fields, last)
    ]
    row["static_int8_names"] = summary(placed(static_scores(static, last, bare)))
    row["bm25_names"] = summary(placed(bm25(last, [sum(f.values(), []) for f in bare])))
    return row


def main():
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    pairs_path, model, minilm_folder, report = sys.argv[1:5]
    exact = np.load(sys.argv[5]) if len(sys.argv) == 6 else None
    pairs = data.load(pairs_path)
    split = data.split(pairs)
    static = Static(model)
    encoder = Remembered(minilm_folder, pairs_path + ".minilm.npz") if minilm_folder != "-" else None
    result = {"train_pairs": len(split["train"]), "held_families": len(split["held"]), "languages": {}}
    train = collections.Counter(pairs[i]["language"] for i in split["train"])
    every = collections.Counter(p["language"] for p in pairs)
    for language in LANGUAGES:
        pool = [pairs[i] for i in split["test"].get(language, [])]
        if len(pool) < 50:
            continue
        row = {
            "pairs": every[language], "train": train[language], "pool": len(pool),
            "families": sorted({p["family"] for p in pool}),
        }
        row |= measure(pool, static, exact, encoder)
        if encoder:
            encoder.save()
        result["languages"][language] = row
        print(language, len(pool), {k: list(v.values()) for k, v in row.items() if isinstance(v, dict)}, flush=True)
    names = [n for n, v in next(iter(result["languages"].values())).items() if isinstance(v, dict)]
    result["mean"] = {
        n: {m: round(float(np.mean([r[n][m] for r in result["languages"].values()])), 4) for m in ("mrr", "recall10")}
        for n in names
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
