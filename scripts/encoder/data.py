"""Pairs as token bags, and the split into families for training, development and test."""

import hashlib
import json

import numpy as np

from common import LANGUAGES, MAX_TOKENS, path_words, words

TEST_POOL, DEV_POOL = 1000, 300
TEST_FAMILY, DEV_FAMILY = 200, 100  # at most this many pairs of one family in a pool
CODE_WORDS, REST_WORDS = 600, 60


def load(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def _hash(*parts):
    return hashlib.sha256("\0".join(parts).encode()).digest()


def split(pairs):
    """{"train": [...], "dev": {language: [...]}, "test": {language: [...]}} of indices into pairs.

    Families in the order of their digest; those that hold a large part of a language stay in training.
    Pools hold functions and types; what files say of themselves is for training alone, commits of the
    families for development make the pool "commits".
    """
    by = {}
    for i, p in enumerate(pairs):
        if p["kind"] in ("function", "type"):
            by.setdefault(p["language"], {}).setdefault(p["family"], []).append(i)
    held = set()
    pools, for_dev = {"test": {}, "dev": {}}, set()
    for language in LANGUAGES:
        families = by.get(language, {})
        whole = sum(map(len, families.values()))
        # Where a language has few families, a larger one may be held out.
        most = max(0.08, 1.7 / max(1, sum(len(f) >= 25 for f in families.values()))) * whole
        order = sorted(families, key=lambda f: _hash("family", f))
        order = [f for f in order if 25 <= len(families[f]) <= most and f not in held]
        for which, size, most in (("test", TEST_POOL, TEST_FAMILY), ("dev", DEV_POOL, DEV_FAMILY)):
            pool, docs = [], set()
            while order and len(pool) < size:
                family = order.pop(0)
                held.add(family)
                if which == "dev":
                    for_dev.add(family)
                members = sorted(
                    families[family],
                    key=lambda i: _hash("pair", pairs[i]["path"], pairs[i]["name"], pairs[i]["doc"]),
                )
                taken = 0
                for i in members:
                    key = " ".join(words(pairs[i]["doc"]))
                    if taken < most and key not in docs:
                        docs.add(key)
                        pool.append(i)
                        taken += 1
            pools[which][language] = pool[:size]
    of_commits = [i for i, p in enumerate(pairs) if p["kind"] == "commit" and p["family"] in for_dev]
    known = {" ".join(words(pairs[i]["doc"])) for p in pools.values() for l in p.values() for i in l}
    train = [
        i for i, p in enumerate(pairs)
        if p["family"] not in held and " ".join(words(p["doc"])) not in known
    ]
    return {"train": train, "held": sorted(held), "commits": of_commits[::2][:1000], **pools}


def field_words(pair):
    """The words of every field, as the indexer would see them; `doc` is what follows the first sentence."""
    return {
        "path": path_words(pair["path"]),
        "name": words(pair["name"]),
        "signature": words(pair["signature"]),
        "doc": words(pair["rest"])[:REST_WORDS],
        "code": words(pair["code"])[:CODE_WORDS],
    }


class Bags:
    """Token ids of many texts, one after the other."""

    def __init__(self, tokenizer, texts):
        ids, starts = [], [0]
        for i in range(0, len(texts), 4096):
            for e in tokenizer.encode_batch([" ".join(t) for t in texts[i : i + 4096]], add_special_tokens=False):
                ids.append(np.asarray(e.ids[:MAX_TOKENS], dtype=np.int32))
                starts.append(starts[-1] + len(ids[-1]))
        self.ids = np.concatenate(ids) if ids else np.zeros(0, np.int32)
        self.starts = np.asarray(starts, dtype=np.int64)

    def lengths(self, which):
        return self.starts[which + 1] - self.starts[which]

    def rows(self, which):
        """(row number, token id) of every token of the texts `which`."""
        lengths = self.lengths(which)
        row = np.repeat(np.arange(len(which)), lengths)
        first = np.repeat(self.starts[which] - np.concatenate([[0], np.cumsum(lengths)[:-1]]), lengths)
        return row, self.ids[first + np.arange(len(row))]
