"""The mined pairs and the report to the data card with the figures, docs/encoder-data.md.

    card.py PACKAGES.json PAIRS.jsonl REPORT.json OUT.md

Reads what mine.py wrote beside PAIRS.jsonl: each package's licence and how many pairs it gave.
"""

import collections
import json
import sys

from common import LANGUAGES
from data import load

TITLES = {
    "rust": "Rust", "python": "Python", "javascript": "JavaScript, TypeScript", "go": "Go", "java": "Java", "c": "C",
    "cpp": "C++", "csharp": "C#", "ruby": "Ruby", "php": "PHP", "kotlin": "Kotlin", "scala": "Scala", "swift": "Swift",
    "lua": "Lua", "haskell": "Haskell", "ocaml": "OCaml", "elixir": "Elixir",
}
REGISTRIES = {
    "crates": "crates", "pypi": "Python wheels", "npm": "npm", "debian": "Debian binary packages",
    "debian_source": "Debian source packages", "git": "Public repositories, at a commit",
}
HEAD = """# The default encoder: what it was trained on

Written by `scripts/encoder/card.py`. The model is described in [encoder.md](encoder.md).
"""


def counts(pairs, report):
    kinds = collections.Counter((p["language"], p["kind"]) for p in pairs)
    packages = collections.defaultdict(set)
    for p in pairs:
        packages[p["language"]].add(p["package"])
    yield "| | packages | functions | types | file summaries | commits | trained on | test pool | test families |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---|"
    total = collections.Counter()
    for language in LANGUAGES:
        row = report["languages"].get(language, {})
        cells = [len(packages[language])] + [kinds[language, k] for k in ("function", "type", "file", "commit")]
        cells += [row.get("train", 0), row.get("pool", 0)]
        total.update(dict(enumerate(cells)))
        yield f"| {TITLES[language]} | " + " | ".join(f"{c:,}" for c in cells) + " | " + ", ".join(row.get("families", [])) + " |"
    yield "| all | " + " | ".join(f"{total[i]:,}" for i in range(7)) + " | |"


SYSTEMS = {
    "bm25": "BM25", "minilm_int8": "MiniLM int8", "static_fp32": "static fp32", "static_int8": "static int8",
    "bm25_static": "BM25, static", "static_minilm": "static, MiniLM", "bm25_static_minilm": "all three",
}
HARDER = {
    "bm25_within": "BM25, own family", "minilm_int8_within": "MiniLM, own family", "static_int8_within": "static, own family",
    "static_int8_64": "static, 64 numbers", "static_int8_128": "static, 128 numbers", "bm25_names": "BM25, name as query",
    "static_int8_names": "static, name as query",
}


def figures(report, systems):
    """MRR / recall@10 of every language."""
    shown = [s for s in systems if s in report["mean"]]
    yield "\n| | " + " | ".join(systems[s] for s in shown) + " |"
    yield "|---" + "|---:" * len(shown) + "|"
    for title, row in [(TITLES[l], r) for l, r in report["languages"].items()] + [("mean", report["mean"])]:
        yield f"| {title} | " + " | ".join(f"{row[s]['mrr']:.3f} / {row[s]['recall10']:.3f}" for s in shown) + " |"


def lists(manifest, licences):
    for registry, title in REGISTRIES.items():
        packages = manifest.get(registry, [])
        by = collections.defaultdict(list)
        for p in packages:
            name = f"{p['name']} ({p['version'][:10]})" if registry == "git" else p["name"]
            by[p["language"]].append(name)
        yield f"\n## {title} ({len(packages)})\n"
        for language in LANGUAGES:
            if by[language]:
                yield f"- {TITLES[language]} ({len(by[language])}): " + ", ".join(by[language]) + "."
        known = collections.Counter(licences.get(p["name"], ["", 0])[0] or "not stated in what was read" for p in packages)
        stated = "; ".join(f"{l} ({n})" for l, n in sorted(known.items(), key=lambda x: (-x[1], x[0])))
        yield f"- Licences, as the packages state them: {stated}."


def main():
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        manifest = json.load(f)
    with open(sys.argv[3], encoding="utf-8") as f:
        report = json.load(f)
    with open(sys.argv[2] + ".packages.json", encoding="utf-8") as f:
        licences = json.load(f)
    pairs = load(sys.argv[2])
    lines = [HEAD, f"{len(pairs):,} pairs, {report['train_pairs']:,} of them for training; "
             f"{report['held_families']} families are held out for test and development.\n"]
    lines += list(counts(pairs, report))
    lines += ["\n## Measured\n\nMRR / recall@10, as encoder.md describes it."]
    lines += list(figures(report, SYSTEMS)) + list(figures(report, HARDER)) + list(lists(manifest, licences))
    with open(sys.argv[4], "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
