"""Trains the static encoder and writes the files of its folder (export.py).

    train.py PAIRS.jsonl MINILM_FOLDER OUT [EPOCHS]

Every choice comes from one seed; with single-threaded BLAS two runs write the same bytes.
"""

import collections
import dataclasses
import os
import re
import sys
import time

import numpy as np
from scipy import sparse

import data
from common import DIMS, FIELDS, LANGUAGES, SEED, words
from export import export
from vocabulary import initial_vectors, random_vectors, vocabulary, write_tokenizer

SIF = 1e-3
TEMPERATURE, BATCH, RATE = 0.05, 512, 0.003
START_WEIGHTS = {"path": 0.5, "name": 1.0, "signature": 0.5, "doc": 1.0, "code": 1.0}
KEEP = {"path": 0.9, "name": 0.95, "signature": 0.95, "doc": 0.2, "code": 1.0}
STOP = set(
    "a an the of to for from in on with by is are be as at if or and this that it its into which will can has have "
    "was were been does do returns return given using used".split()
)


@dataclasses.dataclass
class Settings:
    """What the development families decided; ablate.py varies it."""

    whole_words: int = 19000
    pieces: int = 4000
    epochs: float = 1.0
    most_per_language: int = 40000  # pairs in an epoch
    neighbours: str = "package"  # what stands together in a batch: "none", "package", or "file" within a package
    group: int = 128  # pairs of one package that stand together
    prefixes: tuple = (64, 128)  # lengths that are useful on their own
    prefix_share: float = 0.3  # the loss of each, beside 1 for the whole vector
    names: float = 0.1  # share of queries that are the function's own name
    later: float = 0.08  # a later sentence of the documentation
    more: float = 0.06  # what is said of parameters and results
    keywords: float = 0.15  # the first sentence without its stop words
    short: float = 0.15  # half of its words
    files: bool = True  # pairs of kind "file"
    commits: bool = True  # pairs of kind "commit"
    minilm: bool = True  # vectors start from MiniLM's
    fields: tuple = FIELDS


def log(*parts):
    print(time.strftime("%H:%M:%S"), *parts, flush=True)


class Adam:
    def __init__(self, value, rate):
        self.value, self.rate = value, rate
        self.m, self.v = np.zeros_like(value), np.zeros_like(value)

    def step(self, rows, gradient, t, factor):
        """Only the rows that took part in the batch move."""
        m = self.m[rows]
        m += 0.1 * (gradient - m)
        v = self.v[rows]
        v += 0.001 * (gradient * gradient - v)
        self.m[rows], self.v[rows] = m, v
        size = self.rate * factor / (1 - 0.9**t)
        self.value[rows] -= (size * m / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)).astype(np.float32)


class Model:
    def __init__(self, vectors, weights):
        self.vectors = vectors.astype(np.float32)
        self.logs = np.log(np.maximum(weights, 1e-9)).astype(np.float32)
        self.unk = 0

    def table(self):
        e = self.vectors * np.exp(self.logs)[:, None]
        e[self.unk] = 0
        return e


def counts_matrix(row, ids, n, size):
    """How often each token stands in each row, sparse."""
    return sparse.csr_matrix((np.ones(len(ids), dtype=np.float32), (row, ids)), shape=(n, size))


def normalise(x):
    norm = np.maximum(np.sqrt((x * x).sum(1, keepdims=True)), 1e-9)
    return x / norm, norm


def back_normalise(gradient, y, norm):
    return (gradient - y * (gradient * y).sum(1, keepdims=True)) / norm


def embed(table, bags_by_field, weights, which):
    """Passage vectors of the pairs `which`, from a plain table."""
    total = np.zeros((len(which), table.shape[1]), dtype=np.float32)
    for field, bags in bags_by_field.items():
        row, ids = bags.rows(which)
        total += weights[field] * normalise(counts_matrix(row, ids, len(which), len(table)) @ table)[0]
    return normalise(total)[0]


def ranks(queries, passages):
    scores = queries @ passages.T
    own = scores[np.arange(len(queries)), np.arange(len(queries))]
    return (scores > own[:, None]).sum(1) + 1 + ((scores == own[:, None]).sum(1) - 1) / 2


def mrr(queries, passages):
    return float((1 / ranks(queries, passages)).mean())


def last_name(pair):
    return words(pair["name"].replace("::", ".").split(".")[-1])


class Training:
    """The pairs as token bags, the batches, and the queries drawn for them."""

    def __init__(self, pairs, split, tokenizer, settings):
        self.pairs, self.split, self.settings = pairs, split, settings
        self.order = np.random.default_rng(SEED)
        texts = {f: [] for f in FIELDS}
        bare, docs, later, more, last, keys = [], [], [], [], [], []
        for p in pairs:
            fields = data.field_words(p)
            for f in FIELDS:
                texts[f].append(fields[f])
            last.append(last_name(p))
            own = set(last[-1])
            bare.append([w for w in fields["signature"] if w not in own])
            docs.append(words(p["doc"]))
            sentence = words(re.split(r"(?<=[.!?])\s+(?=[A-Z])", p["rest"], maxsplit=1)[0])[:40]
            later.append(sentence if len(sentence) >= 4 else [])
            said = words(p["more"])[:40]
            more.append(said if len(said) >= 3 else [])
            keys.append(" ".join(docs[-1]))
        self.bags = {f: data.Bags(tokenizer, texts[f]) for f in FIELDS}
        self.last, self.bare = data.Bags(tokenizer, last), data.Bags(tokenizer, bare)
        self.docs, self.later, self.more = (data.Bags(tokenizer, t) for t in (docs, later, more))
        vocab = tokenizer.get_vocab()
        self.size = len(vocab)
        self.stop = np.zeros(self.size, dtype=bool)
        self.stop[[vocab[w] for w in STOP if w in vocab]] = True
        _, self.key = np.unique(np.array(keys), return_inverse=True)
        _, self.file = np.unique(np.array([p["package"] + "\0" + p["path"] for p in pairs]), return_inverse=True)
        self.is_file = np.array([p["kind"] in ("file", "commit") for p in pairs])
        self.language = np.array([LANGUAGES.index(p["language"]) for p in pairs])
        self.package = [p["package"] for p in pairs]

    def epoch(self):
        """Batches of one language; a package's pairs stand in groups, as neighbours in a search would."""
        s, rng, groups = self.settings, self.order, collections.defaultdict(list)
        by = collections.defaultdict(list)
        for i in self.split["train"]:
            kind = self.pairs[i]["kind"]
            if (s.files or kind != "file") and (s.commits or kind != "commit"):
                by[self.language[i]].append(i)
        for language, members in sorted(by.items()):
            members = np.array(members)
            rng.shuffle(members)
            members = members[: s.most_per_language]
            if s.neighbours == "none":
                groups[language] = [members[i : i + s.group] for i in range(0, len(members), s.group)]
                continue
            packages = collections.defaultdict(list)
            for i in members:
                packages[self.package[i]].append(i)
            for name in sorted(packages):
                m = np.array(packages[name])
                if s.neighbours == "file":
                    files = self.file[m]
                    place = rng.permutation(files.max() - files.min() + 1)[files - files.min()]
                    m = m[np.argsort(place, kind="stable")]
                for i in range(0, len(m), s.group):
                    groups[language].append(m[i : i + s.group])
        batches = []
        for language, gs in sorted(groups.items()):
            flat = np.concatenate([gs[i] for i in rng.permutation(len(gs))])
            batches += [flat[i : i + BATCH] for i in range(0, len(flat) - BATCH // 2, BATCH)]
        return [batches[i] for i in rng.permutation(len(batches))]

    def batch(self, which):
        """(query tokens, {field: tokens}) of the pairs; the form of each query is drawn."""
        s, rng, n = self.settings, self.order, len(which)
        draw, bounds = rng.random(n), np.cumsum([s.names, s.later, s.more, s.keywords, s.short])
        form = np.searchsorted(bounds, draw, side="right")  # 5: the whole first sentence
        form[(form == 1) & (self.later.lengths(which) == 0)] = 5
        form[(form == 2) & (self.more.lengths(which) == 0)] = 5
        form[(form == 0) & self.is_file[which]] = 5
        row, ids = self.docs.rows(which)
        keep = (form[row] >= 3) & ~((form[row] == 3) & self.stop[ids]) & ~((form[row] == 4) & (rng.random(len(row)) < 0.5))
        query = [(row[keep], ids[keep])]
        for number, bags in ((0, self.last), (1, self.later), (2, self.more)):
            row, ids = bags.rows(which)
            query.append((row[form[row] == number], ids[form[row] == number]))
        query = tuple(np.concatenate(part) for part in zip(*query))
        by_name = form == 0
        fields = {}
        for f in s.fields:
            row, ids = self.bags[f].rows(which)
            stays = rng.random(n) < KEEP[f]
            if f == "name":
                stays &= ~by_name
            if f == "signature":
                bare_row, bare_ids = self.bare.rows(which)
                a, b = ~by_name[row], by_name[bare_row]
                row, ids = np.concatenate([row[a], bare_row[b]]), np.concatenate([ids[a], bare_ids[b]])
            if f == "doc":
                # Where the query is not the first sentence, the passage may show it.
                first_row, first_ids = self.docs.rows(which)
                a, b = form[row] != 1, form[first_row] < 3
                row, ids = np.concatenate([row[a], first_row[b]]), np.concatenate([ids[a], first_ids[b]])
                stays |= (form < 3) & (rng.random(n) < 0.4)
            keep = stays[row]
            fields[f] = row[keep], ids[keep]
        return query, fields

    def same(self, which):
        """Pairs that are right answers to one another's queries."""
        key, file, whole = self.key[which], self.file[which], self.is_file[which]
        same = key[:, None] == key[None, :]
        same |= (file[:, None] == file[None, :]) & (whole[:, None] | whole[None, :])
        np.fill_diagonal(same, False)
        return same

    def dev(self, table, weights, dims=DIMS, names=False):
        """MRR of each language's development pool; passages without documentation."""
        scores, table = {}, table[:, :dims]
        for language, pool in self.split["dev"].items():
            if len(pool) < 50:
                continue
            which = np.array(pool)
            if names:
                q = embed(table, {"doc": self.last}, {"doc": 1.0}, which)
                shown = {"path": self.bags["path"], "signature": self.bare, "doc": self.docs, "code": self.bags["code"]}
            else:
                q = embed(table, {"doc": self.docs}, {"doc": 1.0}, which)
                shown = {f: b for f, b in self.bags.items() if f != "doc"}
            scores[language] = mrr(q, embed(table, shown, weights, which))
        return scores

    def dev_commits(self, table, weights):
        """MRR of commit subjects of the development families, all languages in one pool."""
        which = np.array(self.split["commits"])
        q = embed(table, {"doc": self.docs}, {"doc": 1.0}, which)
        p = embed(table, {f: b for f, b in self.bags.items() if f != "doc"}, weights, which)
        return mrr(q, p)


def contrast(q, p, same):
    """(loss, gradient on q, gradient on p) of InfoNCE in both directions."""
    n, diagonal = len(q), np.arange(len(q))
    scores = q @ p.T / TEMPERATURE
    scores[same] = -1e9
    forth = np.exp(scores - scores.max(1, keepdims=True))
    forth /= forth.sum(1, keepdims=True)
    back = np.exp(scores - scores.max(0, keepdims=True))
    back /= back.sum(0, keepdims=True)
    loss = -float(np.log(np.maximum(forth[diagonal, diagonal], 1e-12)).mean())
    g = (forth + 0.5 * back) / 1.5
    g[diagonal, diagonal] -= 1
    g = (g / (TEMPERATURE * n)).astype(np.float32)
    return loss, g @ p, g.T @ q


def step(model, adam, adam_logs, field_state, query, fields, same, settings, t, factor):
    n, size = len(same), len(model.vectors)
    scale = np.exp(model.logs)[:, None]
    table = model.vectors * scale
    table[model.unk] = 0
    counts, gradients = [], []

    def forward(row, ids):
        c = counts_matrix(row, ids, n, size)
        return c, *normalise(c @ table)

    def backward(state, gradient):
        counts.append(state[0])
        gradients.append(back_normalise(gradient, state[1], state[2]).astype(np.float32))

    q = forward(*query)
    parts = {f: forward(*tokens) for f, tokens in fields.items() if len(tokens[1])}
    p, p_norm = normalise(sum(np.exp(field_state[f][0]) * s[1] for f, s in parts.items()).astype(np.float32))
    loss, on_q, on_p = contrast(q[1], p, same)
    for dims in settings.prefixes:
        (short_q, q_size), (short_p, short_norm) = normalise(q[1][:, :dims]), normalise(p[:, :dims])
        _, part_q, part_p = contrast(short_q, short_p, same)
        on_q[:, :dims] += settings.prefix_share * back_normalise(part_q, short_q, q_size)
        on_p[:, :dims] += settings.prefix_share * back_normalise(part_p, short_p, short_norm)
    backward(q, on_q)
    g_total = back_normalise(on_p, p, p_norm)
    for f, s in parts.items():
        w = np.float32(np.exp(field_state[f][0]))
        slope = float((g_total * s[1]).sum()) * float(w)
        backward(s, w * g_total)
        state = field_state[f]
        state[1] = 0.9 * state[1] + 0.1 * slope
        state[2] = 0.999 * state[2] + 0.001 * slope**2
        state[0] -= 0.01 * factor * (state[1] / (1 - 0.9**t)) / (np.sqrt(state[2] / (1 - 0.999**t)) + 1e-8)
    rows = np.unique(np.concatenate([c.indices for c in counts]))
    rows = rows[rows != model.unk]
    whole = (sparse.vstack(counts, format="csr").T @ np.concatenate(gradients))[rows]
    # A row's own size is the scalar's business: scale the gradient so that Adam sees directions.
    whole *= scale[rows]
    on_logs = (whole * model.vectors[rows]).sum(1)
    adam.step(rows, whole, t, factor)
    adam_logs.step(rows, on_logs, t, factor)
    return loss


def count_words(pairs, split, most):
    """(word counts, the families that use each); languages balanced as in an epoch."""
    counts, families = collections.Counter(), collections.defaultdict(set)
    per = collections.Counter(pairs[i]["language"] for i in split["train"])
    for i in split["train"]:
        p = pairs[i]
        share = min(1.0, most / per[p["language"]])
        bag = collections.Counter(words(p["code"])[: data.CODE_WORDS])
        for text in (p["doc"], p["rest"], p["name"], p["name"], p["signature"]):
            bag.update(words(text))
        for w, n in bag.items():
            counts[w] += min(n, 3) * share
            if len(families[w]) < 12:
                families[w].add(p["family"])
    return counts, families


def prepare(pairs_path, minilm_folder, out, settings):
    from tokenizers import Tokenizer

    pairs = data.load(pairs_path)
    split = data.split(pairs)
    log(len(pairs), "pairs,", len(split["train"]), "for training,", len(split["held"]), "families held out")
    vocab = vocabulary(*count_words(pairs, split, settings.most_per_language), settings.whole_words, settings.pieces)
    os.makedirs(out, exist_ok=True)
    path = os.path.join(out, "tokenizer.json.part")
    write_tokenizer(vocab, path)
    tokenizer = Tokenizer.from_file(path)
    os.remove(path)
    log(len(vocab), "tokens")
    cache = os.environ.get("SEXTANT_INIT_CACHE")
    vectors = initial_vectors(vocab, minilm_folder, cache) if settings.minilm else random_vectors(vocab)
    log("initial vectors")
    training = Training(pairs, split, tokenizer, settings)
    used = np.array(split["train"])
    frequency = np.bincount(training.bags["code"].rows(used)[1], minlength=len(vocab)) + np.bincount(
        training.docs.rows(used)[1], minlength=len(vocab)
    )
    log("token bags")
    return vocab, vectors, frequency / frequency.sum(), training


def fit(vectors, share, training):
    """(development MRR, table, field weights) of the best moment."""
    settings = training.settings
    model = Model(vectors, SIF / (SIF + share))
    adam, adam_logs = Adam(model.vectors, RATE), Adam(model.logs, RATE * 3)
    field_state = {f: [float(np.log(START_WEIGHTS[f])), 0.0, 0.0] for f in FIELDS}
    best, t, losses = (-1.0, None, None), 0, []
    training.order = np.random.default_rng(SEED)
    per_epoch = len(training.epoch())
    training.order = np.random.default_rng(SEED)
    steps = int(per_epoch * settings.epochs)
    check = max(1, per_epoch // 3)
    while t < steps:
        for which in training.epoch():
            if t >= steps:
                break
            t += 1
            factor = min(1.0, t / 50) * max(0.05, 1 - t / steps)
            query, fields = training.batch(which)
            same = training.same(which)
            losses.append(step(model, adam, adam_logs, field_state, query, fields, same, settings, t, factor))
            if t % check == 0 or t == steps:
                weights = {f: float(np.exp(s[0])) * (f in settings.fields) for f, s in field_state.items()}
                table = model.table()
                scores = training.dev(table, weights)
                mean = float(np.mean(list(scores.values())))
                log(f"step {t}/{steps} loss {np.mean(losses):.3f} dev {mean:.4f}",
                    {k: round(v, 3) for k, v in scores.items()}, {f: round(w, 2) for f, w in weights.items()})
                losses = []
                if mean > best[0]:
                    best = (mean, table.copy(), weights)
    return best


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    pairs_path, minilm_folder, out = sys.argv[1:4]
    settings = Settings()
    if len(sys.argv) == 5:
        settings.epochs = float(sys.argv[4])
    vocab, vectors, share, training = prepare(pairs_path, minilm_folder, out, settings)
    mean, table, weights = fit(vectors, share, training)
    export(table, weights, vocab, out)
    if os.environ.get("SEXTANT_EXACT"):
        np.save(os.environ["SEXTANT_EXACT"], table)
    log(f"best dev MRR {mean:.4f}; wrote the model")


if __name__ == "__main__":
    main()
