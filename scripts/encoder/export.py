"""A trained table to the files of a model's folder, the ONNX graph and the parity cases included.

    export.py MODEL_FOLDER    writes model.onnx and parity.json of a folder that has the other files
"""

import json
import os
import sys

import numpy as np

import onnx_form
from common import DIMS, FIELDS, MAX_TOKENS, Static, read_table, words, write_json, write_table
from vocabulary import write_tokenizer


def quantise(table):
    largest = np.abs(table).max(1)
    scale = (largest / 127).astype(np.float32)
    safe = np.where(scale > 0, scale, 1)
    values = np.rint(table / safe[:, None]).clip(-127, 127).astype(np.int8)
    return scale, values


QUERIES = [
    "parse HTTP response headers", "parseHTTPResponse2xx_v2 foo_bar", "HTTPServer", "how are retries scheduled?",
    "read_to_end", "XMLHttpRequest", "Returns the number of elements in the map.", "fn main() { println!(\"hi\"); }",
    "__init__", "SCREAMING_SNAKE_CASE", "café au lait: naïve Größe", "数据库 connection pool", "x", "",
    "snake_case camelCase PascalCase kebab-case", "utf8 base64 sha256 i32 u8", "getElementById", "a1b2c3 ID3v2Tag",
    "supercalifragilisticexpialidocious unknownword zzzqqq", "where is the LRU cache evicted when memory runs low",
]
PASSAGES = [
    {"path": "http client", "name": "Client::retry", "signature": "fn retry(&self, times: u32) -> Result<Response>",
     "doc": "Sends the request again, waiting longer each time.",
     "code": "{ for n in 0..times { if let Ok(r) = self.send() { return Ok(r); } sleep(backoff(n)); } Err(Error::TooMany) }"},
    {"path": "storage page_cache", "name": "PageCache.evict", "code": "while self.used > self.limit: self.pages.popitem(last=False)"},
    {"name": "parseURL2", "signature": "function parseURL2(text)", "code": "return new URL(text, document.baseURI);"},
    {"path": "lib lists", "doc": "Folds a list from the right."},
    {"code": "x"},
    {"path": "größe maß", "name": "数据库", "signature": "?!", "code": "SELECT naïve FROM café WHERE id = 42"},
    {"path": "", "name": "", "signature": "", "doc": "", "code": ""},
    {"path": "net tcp", "name": "listen", "code": "socket bind listen accept " * 300},
]


def parity(static, graph):
    """Cases for other implementations: queries, and passages whose whole vectors the ONNX graph gave."""
    cases = []
    for text, passage in [(q, None) for q in QUERIES] + [(p.get("code", ""), p) for p in PASSAGES]:
        w = words(text)
        case = {
            "text": text, "words": w, "ids": [int(i) for i in static.ids(w)],
            "vector_first8": [round(float(x), 6) for x in static.query(text)[:8]],
        }
        if passage is not None:
            case["passage"] = passage
            case["passage_vector"] = [round(float(x), 6) for x in graph.passage(passage)]
        cases.append(case)
    return cases


def export(table, weights, vocab, out):
    os.makedirs(out, exist_ok=True)
    scale, values = quantise(table)
    write_tokenizer(vocab, os.path.join(out, "tokenizer.json"))
    write_table(os.path.join(out, "table.i8"), scale, values)
    write_json(
        os.path.join(out, "model.json"),
        {
            "format": 1, "kind": "static", "name": "sextant-static-2", "dimensions": DIMS,
            "max_tokens": MAX_TOKENS, "tokenizer": "tokenizer.json", "table": "table.i8",
            "fields": {f: round(float(weights[f]), 4) for f in FIELDS}, "license": "MIT OR Apache-2.0",
        },
    )
    add_graph(out)


def add_graph(out):
    """model.onnx and parity.json for a folder that holds the other files."""
    onnx_form.write(out, *read_table(os.path.join(out, "table.i8"))[1].shape)
    static, graph = Static(out), onnx_form.Graph(out)
    onnx_form.check(static, graph, PASSAGES, QUERIES)
    lines = [" " + json.dumps(case, ensure_ascii=False) for case in parity(static, graph)]
    with open(os.path.join(out, "parity.json"), "w", encoding="utf-8") as f:
        f.write("[\n" + ",\n".join(lines) + "\n]\n")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    add_graph(sys.argv[1])


if __name__ == "__main__":
    main()
