"""Trains the static encoder and writes tokenizer.json, table.i8, model.json and parity.json.

    train.py PAIRS.jsonl MINILM_FOLDER OUT [EPOCHS]

Numpy only. Every choice comes from one seed; with single-threaded BLAS two runs write the same bytes.
"""

import collections
import json
import os
import sys
import time

import numpy as np

import data
import minilm
from common import DIMS, FIELDS, LANGUAGES, MAX_TOKENS, SEED, UNK, WORD_CHARS, Static, unit, words, write_json, write_table

WHOLE_WORDS, PIECES = 19000, 4000
SIF = 1e-3
TEMPERATURE, BATCH, RATE, EPOCHS = 0.05, 512, 0.003, 1.0
GROUP = 128  # pairs of one package that stand together in a batch
MOST_PER_LANGUAGE = 40000  # pairs in an epoch
START_WEIGHTS = {"path": 0.5, "name": 1.0, "signature": 0.5, "doc": 1.0, "code": 1.0}
NAME_QUERIES, SHORT_QUERIES = 0.1, 0.15
KEEP = {"path": 0.9, "name": 0.95, "signature": 0.95, "doc": 0.2, "code": 1.0}


def log(*parts):
    print(time.strftime("%H:%M:%S"), *parts, flush=True)


# --- vocabulary -----------------------------------------------------------------------------------


def vocabulary(counts, families):
    """WordPiece entries: characters, frequent whole words, and the endings that split the others best."""
    characters = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocab = [UNK] + list(characters) + ["##" + c for c in characters]
    have = set(vocab)
    # A word of one family alone says little about other code.
    ranked = sorted(
        (w for w in counts if len(w) > 1 and len(w) <= 24 and len(families[w]) >= 3 and w.isascii() and not w.isdigit()),
        key=lambda w: (-counts[w] * min(len(families[w]), 12), w),
    )
    for word in ranked[:WHOLE_WORDS]:
        vocab.append(word)
        have.add(word)
    endings = collections.Counter()
    for word, n in counts.items():
        if word in have or not word.isascii() or n < 2:
            continue
        found = 0
        for cut in range(len(word) - 1, 1, -1):
            if word[:cut] in have:
                endings[word[cut:]] += n
                # What is left may be two words.
                for second in range(cut + 2, len(word) - 1):
                    if word[cut:second] in have:
                        endings[word[cut:second]] += n * 0.5
                found += 1
                if found == 2:
                    break
    ranked = sorted(
        (e for e in endings if 1 < len(e) <= 16 and not e.isdigit()),
        key=lambda e: (-endings[e] * len(e) ** 0.5, e),
    )
    for ending in ranked[:PIECES]:
        vocab.append("##" + ending)
    return vocab


def write_tokenizer(vocab, path):
    value = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": None,
        "pre_tokenizer": {"type": "WhitespaceSplit"},
        "post_processor": None,
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": False},
        "model": {
            "type": "WordPiece",
            "unk_token": UNK,
            "continuing_subword_prefix": "##",
            "max_input_chars_per_word": WORD_CHARS,
            "vocab": {token: i for i, token in enumerate(vocab)},
        },
    }
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, ensure_ascii=False, separators=(",", ":"))
        f.write("\n")


def initial_vectors(vocab, folder, cache):
    """MiniLM's vector of every token on its own, centred, its 256 main directions."""
    encoder = minilm.Encoder(folder)
    known = {}
    if cache and os.path.exists(cache):
        saved = np.load(cache)
        known = dict(zip(saved["tokens"].tolist(), saved["vectors"]))
    out = np.zeros((len(vocab), 384), dtype=np.float32)
    for i, token in enumerate(vocab):
        text = token.removeprefix("##")
        if token == UNK:
            continue
        if text not in known:
            known[text] = encoder.embed(text)
        out[i] = known[text]
    if cache:
        tokens = sorted(known)
        np.savez(cache, tokens=np.array(tokens), vectors=np.stack([known[t] for t in tokens]))
    out[1:] -= out[1:].mean(0)
    values, directions = np.linalg.eigh(out[1:].T.astype(np.float64) @ out[1:])
    directions = directions[:, ::-1][:, :DIMS]
    # The sign of an eigenvector is arbitrary: fix it.
    directions = directions * np.sign(directions[np.abs(directions).argmax(0), np.arange(DIMS)])
    return unit((out @ directions).astype(np.float32))


# --- the model ------------------------------------------------------------------------------------


class Adam:
    def __init__(self, value, rate):
        self.value, self.rate = value, rate
        self.m, self.v = np.zeros_like(value), np.zeros_like(value)

    def step(self, rows, gradient, t, factor):
        """Only the rows that took part in the batch move."""
        m = self.m[rows] = 0.9 * self.m[rows] + 0.1 * gradient
        v = self.v[rows] = 0.999 * self.v[rows] + 0.001 * gradient**2
        m, v = m / (1 - 0.9**t), v / (1 - 0.999**t)
        self.value[rows] -= (self.rate * factor * m / (np.sqrt(v) + 1e-8)).astype(np.float32)


class Model:
    def __init__(self, vectors, weights):
        self.vectors = vectors.astype(np.float32)
        self.logs = np.log(np.maximum(weights, 1e-9)).astype(np.float32)
        self.unk = 0

    def effective(self, rows=slice(None)):
        return self.vectors[rows] * np.exp(self.logs[rows])[:, None]

    def table(self):
        e = self.effective()
        e[self.unk] = 0
        return e


def counts_matrix(row, ids, n):
    """(unique ids, dense matrix of how often each stands in each row)."""
    unique, place = np.unique(ids, return_inverse=True)
    flat = np.bincount(row * len(unique) + place, minlength=n * len(unique))
    return unique, flat.reshape(n, len(unique)).astype(np.float32)


def normalise(x):
    norm = np.sqrt((x * x).sum(1, keepdims=True))
    norm = np.maximum(norm, 1e-9)
    return x / norm, norm


def back_normalise(gradient, y, norm):
    return (gradient - y * (gradient * y).sum(1, keepdims=True)) / norm


def embed(model_table, bags_by_field, weights, which):
    """Passage vectors of the pairs `which`, from a plain table."""
    out = np.zeros((len(which), model_table.shape[1]), dtype=np.float32)
    for start in range(0, len(which), 256):
        part = which[start : start + 256]
        total = 0
        for field, bags in bags_by_field.items():
            row, ids = bags.rows(part)
            if not len(ids):
                continue
            unique, c = counts_matrix(row, ids, len(part))
            total = total + weights[field] * unit(c @ model_table[unique])
        out[start : start + 256] = unit(total)
    return out


def ranks(queries, passages):
    scores = queries @ passages.T
    own = scores[np.arange(len(queries)), np.arange(len(queries))]
    return (scores > own[:, None]).sum(1) + 1 + ((scores == own[:, None]).sum(1) - 1) / 2


def mrr(queries, passages):
    return float((1 / ranks(queries, passages)).mean())


class Training:
    def __init__(self, pairs, split, tokenizer):
        self.pairs, self.split = pairs, split
        self.order = np.random.default_rng(SEED)
        texts = {f: [] for f in FIELDS}
        bare, docs, keys = [], [], []
        for p in pairs:
            fields = data.field_words(p)
            for f in FIELDS:
                texts[f].append(fields[f])
            last = set(words(p["name"].replace("::", ".").split(".")[-1]))
            bare.append([w for w in fields["signature"] if w not in last])
            docs.append(words(p["doc"]))
            keys.append(" ".join(docs[-1]))
        self.bags = {f: data.Bags(tokenizer, texts[f]) for f in FIELDS}
        self.last = data.Bags(tokenizer, [words(p["name"].replace("::", ".").split(".")[-1]) for p in pairs])
        self.bare = data.Bags(tokenizer, bare)
        self.docs = data.Bags(tokenizer, docs)
        _, self.key = np.unique(np.array(keys), return_inverse=True)
        self.language = np.array([LANGUAGES.index(p["language"]) for p in pairs])
        self.package = [p["package"] for p in pairs]

    def epoch(self):
        """Batches of one language; a package's pairs stand in groups, as neighbours in a search would."""
        rng, groups = self.order, collections.defaultdict(list)
        by = collections.defaultdict(list)
        for i in self.split["train"]:
            by[self.language[i]].append(i)
        for language, members in sorted(by.items()):
            members = np.array(members)
            rng.shuffle(members)
            packages = collections.defaultdict(list)
            for i in members[:MOST_PER_LANGUAGE]:
                packages[self.package[i]].append(i)
            for name in sorted(packages):
                m = packages[name]
                for s in range(0, len(m), GROUP):
                    groups[language].append(m[s : s + GROUP])
        batches = []
        for language, gs in sorted(groups.items()):
            gs = [gs[i] for i in rng.permutation(len(gs))]
            flat = np.concatenate(gs)
            batches += [flat[s : s + BATCH] for s in range(0, len(flat) - BATCH // 2, BATCH)]
        return [batches[i] for i in rng.permutation(len(batches))]

    def batch(self, which):
        rng, n = self.order, len(which)
        draw = rng.random(n)
        by_name = draw < NAME_QUERIES
        shorten = (draw > 1 - SHORT_QUERIES)
        row, ids = self.docs.rows(which)
        keep = ~by_name[row] & ~(shorten[row] & (rng.random(len(row)) < 0.5))
        row, ids = row[keep], ids[keep]
        extra_row, extra_ids = self.last.rows(which)
        keep = by_name[extra_row]
        query = np.concatenate([row, extra_row[keep]]), np.concatenate([ids, extra_ids[keep]])
        fields = {}
        for f in FIELDS:
            row, ids = self.bags[f].rows(which)
            stays = rng.random(n) < KEEP[f]
            if f == "name":
                stays &= ~by_name
            if f == "signature":
                bare_row, bare_ids = self.bare.rows(which)
                a, b = ~by_name[row], by_name[bare_row]
                row, ids = np.concatenate([row[a], bare_row[b]]), np.concatenate([ids[a], bare_ids[b]])
            keep = stays[row]
            fields[f] = row[keep], ids[keep]
        return query, fields

    def dev(self, table, weights):
        scores = {}
        for language, pool in self.split["dev"].items():
            if not pool:
                continue
            which = np.array(pool)
            q = embed(table, {"doc": self.docs}, {"doc": 1.0}, which)
            shown = {f: b for f, b in self.bags.items() if f != "doc"}
            scores[language] = mrr(q, embed(table, shown, weights, which))
        return scores


def step(model, adam, adam_logs, field_state, query, fields, key, t, factor):
    n = len(key)
    parts = {}
    gradient_rows = []

    def forward(row, ids):
        keep = ids != model.unk
        unique, c = counts_matrix(row[keep], ids[keep], n)
        e = model.effective(unique)
        y, norm = normalise(c @ e)
        return unique, c, e, y, norm

    def backward(state, gradient):
        unique, c, e, y, norm = state
        gradient_rows.append((unique, c.T @ back_normalise(gradient, y, norm).astype(np.float32)))

    q = forward(*query)
    for f, (row, ids) in fields.items():
        if len(ids):
            parts[f] = forward(row, ids)
    total = sum(np.exp(field_state[f][0]) * s[3] for f, s in parts.items())
    p, p_norm = normalise(total)
    scores = q[3] @ p.T / TEMPERATURE
    same = key[:, None] == key[None, :]
    np.fill_diagonal(same, False)
    scores[same] = -1e9
    forth = np.exp(scores - scores.max(1, keepdims=True))
    forth /= forth.sum(1, keepdims=True)
    back = np.exp(scores - scores.max(0, keepdims=True))
    back /= back.sum(0, keepdims=True)
    diagonal = np.arange(n)
    loss = -float(np.log(np.maximum(forth[diagonal, diagonal], 1e-12)).mean())
    g = (forth + 0.5 * back) / 1.5
    g[diagonal, diagonal] -= 1
    g /= TEMPERATURE * n
    g = g.astype(np.float32)
    backward(q, g @ p)
    g_total = back_normalise(g.T @ q[3], p, p_norm)
    for f, s in parts.items():
        w = np.exp(field_state[f][0])
        slope = float((g_total * s[3]).sum()) * w
        backward(s, w * g_total)
        state = field_state[f]
        state[1] = 0.9 * state[1] + 0.1 * slope
        state[2] = 0.999 * state[2] + 0.001 * slope**2
        state[0] -= 0.01 * factor * (state[1] / (1 - 0.9**t)) / (np.sqrt(state[2] / (1 - 0.999**t)) + 1e-8)
    rows = np.unique(np.concatenate([r for r, _ in gradient_rows]))
    whole = np.zeros((len(rows), model.vectors.shape[1]), dtype=np.float32)
    for r, gr in gradient_rows:
        whole[np.searchsorted(rows, r)] += gr
    scale = np.exp(model.logs[rows])[:, None]
    on_logs = (whole * model.vectors[rows]).sum(1) * scale[:, 0]
    # A row's own size is the scalar's business: scale the gradient so that Adam sees directions.
    adam.step(rows, whole * scale, t, factor)
    adam_logs.step(rows, on_logs, t, factor)
    return loss


def quantise(table):
    largest = np.abs(table).max(1)
    scale = (largest / 127).astype(np.float32)
    safe = np.where(scale > 0, scale, 1)
    values = np.rint(table / safe[:, None]).clip(-127, 127).astype(np.int8)
    return scale, values


PARITY = [
    "parse HTTP response headers", "parseHTTPResponse2xx_v2 foo_bar", "HTTPServer", "how are retries scheduled?",
    "read_to_end", "XMLHttpRequest", "Returns the number of elements in the map.", "fn main() { println!(\"hi\"); }",
    "__init__", "SCREAMING_SNAKE_CASE", "café au lait: naïve Größe", "数据库 connection pool", "x", "",
    "snake_case camelCase PascalCase kebab-case", "utf8 base64 sha256 i32 u8", "getElementById", "a1b2c3 ID3v2Tag",
    "supercalifragilisticexpialidocious unknownword zzzqqq", "where is the LRU cache evicted when memory runs low",
]


def export(model_table, weights, vocab, out):
    os.makedirs(out, exist_ok=True)
    scale, values = quantise(model_table)
    write_tokenizer(vocab, os.path.join(out, "tokenizer.json"))
    write_table(os.path.join(out, "table.i8"), scale, values)
    write_json(
        os.path.join(out, "model.json"),
        {
            "format": 1, "kind": "static", "name": "sextant-static-1", "dimensions": DIMS,
            "max_tokens": MAX_TOKENS, "tokenizer": "tokenizer.json", "table": "table.i8",
            "fields": {f: round(float(weights[f]), 4) for f in FIELDS}, "license": "MIT OR Apache-2.0",
        },
    )
    static = Static(out)
    cases = []
    for text in PARITY:
        w = words(text)
        cases.append(
            {
                "text": text, "words": w, "ids": [int(i) for i in static.ids(w)],
                "vector_first8": [round(float(x), 6) for x in static.query(text)[:8]],
            }
        )
    write_json(os.path.join(out, "parity.json"), cases)


def prepare(pairs_path, minilm_folder, out):
    from tokenizers import Tokenizer

    pairs = data.load(pairs_path)
    split = data.split(pairs)
    log(len(pairs), "pairs,", len(split["train"]), "for training,", len(split["held"]), "families held out")
    # Balance the languages in the word counts too.
    counts, families = collections.Counter(), collections.defaultdict(set)
    per = collections.Counter(pairs[i]["language"] for i in split["train"])
    for i in split["train"]:
        p = pairs[i]
        share = min(1.0, MOST_PER_LANGUAGE / per[p["language"]])
        bag = collections.Counter(words(p["code"])[: data.CODE_WORDS])
        for text in (p["doc"], p["rest"], p["name"], p["name"], p["signature"]):
            bag.update(words(text))
        for w, n in bag.items():
            counts[w] += min(n, 3) * share
            if len(families[w]) < 12:
                families[w].add(p["family"])
    vocab = vocabulary(counts, families)
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "tokenizer.json.part")
    write_tokenizer(vocab, path)
    tokenizer = Tokenizer.from_file(path)
    os.remove(path)
    log(len(vocab), "tokens")
    vectors = initial_vectors(vocab, minilm_folder, os.environ.get("SEXTANT_INIT_CACHE"))
    log("initial vectors")
    training = Training(pairs, split, tokenizer)
    used = np.array(split["train"])
    frequency = np.bincount(training.bags["code"].rows(used)[1], minlength=len(vocab)) + np.bincount(
        training.docs.rows(used)[1], minlength=len(vocab)
    )
    return vocab, vectors, frequency / frequency.sum(), training


def fit(vectors, share, training, epochs, rate=RATE):
    """(development MRR, table, field weights) of the best moment."""
    model = Model(vectors, SIF / (SIF + share))
    log("start, dev", {k: round(v, 3) for k, v in training.dev(model.table(), START_WEIGHTS).items()})
    adam, adam_logs = Adam(model.vectors, rate), Adam(model.logs, rate * 3)
    field_state = {f: [float(np.log(START_WEIGHTS[f])), 0.0, 0.0] for f in FIELDS}
    best, t, losses = (-1.0, None, None), 0, []
    training.order = np.random.default_rng(SEED)
    per_epoch = len(training.epoch())
    training.order = np.random.default_rng(SEED)
    steps = int(per_epoch * epochs)
    check = max(1, per_epoch // 2)
    while t < steps:
        for which in training.epoch():
            if t >= steps:
                break
            t += 1
            factor = min(1.0, t / 50) * max(0.05, 1 - t / steps)
            query, fields = training.batch(which)
            losses.append(step(model, adam, adam_logs, field_state, query, fields, training.key[which], t, factor))
            if t % check == 0 or t == steps:
                weights = {f: float(np.exp(s[0])) for f, s in field_state.items()}
                scores = training.dev(model.table(), weights)
                mean = float(np.mean(list(scores.values())))
                log(f"step {t}/{steps} loss {np.mean(losses):.3f} dev {mean:.4f}",
                    {k: round(v, 3) for k, v in scores.items()}, {f: round(w, 2) for f, w in weights.items()})
                losses = []
                if mean > best[0]:
                    best = (mean, model.table().copy(), weights)
    return best


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    pairs_path, minilm_folder, out = sys.argv[1:4]
    epochs = float(sys.argv[4]) if len(sys.argv) == 5 else EPOCHS
    vocab, vectors, share, training = prepare(pairs_path, minilm_folder, out)
    mean, table, weights = fit(vectors, share, training, epochs)
    export(table, weights, vocab, out)
    if os.environ.get("SEXTANT_EXACT"):
        np.save(os.environ["SEXTANT_EXACT"], table)
    log(f"best dev MRR {mean:.4f}; wrote the model")


if __name__ == "__main__":
    main()
