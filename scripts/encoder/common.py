"""What mining, training and evaluation share: the word splitter and the readers of the exported files."""

import json
import os
import re
import struct
import sys

import numpy as np

SEED = 20260101
DIMS = 256
MAX_TOKENS = 512
WORD_CHARS = 64
FIELDS = ("path", "name", "signature", "doc", "code")
LANGUAGES = (
    "rust", "python", "javascript", "go", "java", "c", "cpp", "csharp", "ruby", "php", "kotlin", "scala", "swift",
    "lua", "haskell", "ocaml", "elixir",
)
UNK = "[UNK]"
MAGIC = b"SXTABLE1"

_RUN = re.compile(r"[A-Za-z0-9_]+")


def _parts(piece):
    """Splits at camelCase borders."""
    start, n = 0, len(piece)
    for i in range(1, n):
        c = piece[i]
        if not c.isupper():
            continue
        before = piece[i - 1]
        if (
            before.islower()
            or before.isdigit()
            or (before.isupper() and i + 1 < n and piece[i + 1].islower())
        ):
            yield piece[start:i]
            start = i
    if start < n:
        yield piece[start:]


def _runs(text):
    if text.isascii():
        yield from _RUN.findall(text)
        return
    run = []
    for c in text:
        if c == "_" or c.isalnum():
            run.append(c)
        elif run:
            yield "".join(run)
            run.clear()
    if run:
        yield "".join(run)


_cache = {}


def words(text):
    out = []
    for run in _runs(text):
        known = _cache.get(run)
        if known is None:
            known = tuple(
                part.lower()[:WORD_CHARS] for piece in run.split("_") if piece for part in _parts(piece)
            )
            if len(_cache) < 2_000_000:
                _cache[run] = known
        out.extend(known)
    return out


def fail(message):
    sys.exit("train-encoder: " + message)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as f:
        json.dump(value, f, indent=1, ensure_ascii=False)
        f.write("\n")


def path_words(path):
    """The words of a file's stem and of its parent folder."""
    folder, name = os.path.split(path)
    stem = name.split(".")[0] or name
    return words(os.path.basename(folder)) + words(stem)


def write_table(path, scale, values):
    rows, dims = values.shape
    with open(path, "wb") as f:
        f.write(MAGIC + struct.pack("<II", rows, dims))
        f.write(np.ascontiguousarray(scale, dtype="<f4").tobytes())
        f.write(np.ascontiguousarray(values, dtype=np.int8).tobytes())


def read_table(path):
    with open(path, "rb") as f:
        data = f.read()
    rows, dims = struct.unpack_from("<II", data, 8)
    if data[:8] != MAGIC or len(data) != 16 + rows * 4 + rows * dims:
        fail(f"{path} is not a whole table")
    scale = np.frombuffer(data, dtype="<f4", count=rows, offset=16)
    values = np.frombuffer(data, dtype=np.int8, offset=16 + rows * 4).reshape(rows, dims)
    return scale, values


def unit(v):
    norm = np.linalg.norm(v, axis=-1, keepdims=True)
    return v / np.maximum(norm, 1e-12)


class Static:
    """The exported model, read from its files alone."""

    def __init__(self, folder):
        from tokenizers import Tokenizer

        with open(os.path.join(folder, "model.json"), encoding="utf-8") as f:
            self.manifest = json.load(f)
        self.tokenizer = Tokenizer.from_file(os.path.join(folder, self.manifest["tokenizer"]))
        self.scale, self.values = read_table(os.path.join(folder, self.manifest["table"]))
        self.weights = self.manifest["fields"]
        self.limit = self.manifest["max_tokens"]

    def ids(self, tokens):
        return self.tokenizer.encode(" ".join(tokens), add_special_tokens=False).ids[: self.limit]

    def field(self, tokens):
        ids = self.ids(tokens)
        if not ids:
            return np.zeros(self.values.shape[1], dtype=np.float32)
        return unit((self.values[ids].astype(np.float32) * self.scale[ids][:, None]).sum(0))

    def query(self, text):
        return self.field(words(text))

    def passage(self, fields):
        """fields: a list of words for each field name; absent or empty ones are left out."""
        total = np.zeros(self.values.shape[1], dtype=np.float32)
        for name, tokens in fields.items():
            if tokens:
                total += self.weights[name] * self.field(tokens)
        return unit(total)
