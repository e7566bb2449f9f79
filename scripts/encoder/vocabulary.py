"""Word counts to the vocabulary, its tokenizer.json, and the vectors that training starts from."""

import collections
import json
import os

import numpy as np

import minilm
from common import DIMS, SEED, UNK, WORD_CHARS, unit


def vocabulary(counts, families, whole_words, pieces):
    """WordPiece entries: characters, frequent whole words, and the endings that split the others best."""
    characters = "abcdefghijklmnopqrstuvwxyz0123456789"
    vocab = [UNK] + list(characters) + ["##" + c for c in characters]
    have = set(vocab)
    # A word of one family alone says little about other code.
    ranked = sorted(
        (w for w in counts if len(w) > 1 and len(w) <= 24 and len(families[w]) >= 3 and w.isascii() and not w.isdigit()),
        key=lambda w: (-counts[w] * min(len(families[w]), 12), w),
    )
    for word in ranked[:whole_words]:
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
    for ending in ranked[:pieces]:
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


def random_vectors(vocab):
    """For the ablation: no MiniLM at all."""
    return unit(np.random.default_rng(SEED).standard_normal((len(vocab), DIMS)).astype(np.float32))


def initial_vectors(vocab, folder, cache):
    """MiniLM's vector of every token on its own, centred, its 256 main directions, the largest first."""
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
