"""Reads the downloaded packages and writes (first sentence of the documentation, code) pairs.

    mine.py PACKAGES.json ARCHIVES OUT.jsonl [EXCLUDED.txt]

One line of OUT is a pair: language, package, family, path, kind, name (qualified), signature, doc (the
first sentence), rest (what follows it), more (what is said of parameters and results), code (without the
documentation). Kind "file" is what a file says of itself, kind "commit" a commit's subject and what it changed.
The order is fixed. SEXTANT_JOBS processes read; what a package gave is kept in OUT.jsonl.parts.
"""

import functools
import hashlib
import json
import multiprocessing
import os
import re
import sys

import excluded
import history
from archives import MAX_FILE, homepage, members
from common import LANGUAGES, fail, words
from definitions import find
from documentation import described, split_doc
from languages import FIRST, MARKS, readable

CAP = 1000  # pairs of one package; a language lives from many packages
LATER_CAP = 2500  # the later languages have fewer
CAPS = {"openjdk-17-source": 6000, "golang-1.19-src": 4000, "mono": 4000}
FILES, COMMITS = 250, 400  # pairs of these kinds of one package
GENERATED = re.compile(rb"(?i)(code generated|do not edit|automatically generated|auto-?generated|@generated)")
# Packages of one project under several names, or ports of one project to another language.
SAME = {
    "okio": "square", "okhttp": "square", "libokhttp": "square", "swiftlang": "apple", "lucenenet": "lucene",
    "pekko": "akka", "akkadotnet": "akka", "elixir": "elixir-lang", "phpunit": "sebastian",
}

LICENCE_TEXTS = (
    ("Apache License", "Apache-2.0"), ("Mozilla Public License", "MPL-2.0"), ("GNU LESSER", "LGPL"), ("GNU GENERAL", "GPL"),
    ("Permission is hereby granted, free of charge", "MIT"), ("Redistribution and use", "BSD"),
)


def family(name):
    """Packages of one project share a family; families are never split between training and test."""
    n = name.lower()
    if "/" in n and not n.startswith("@"):
        owner, repository = n.split("/")
        n = repository if owner == "apache" else owner
        return SAME.get(n, n)
    if n.startswith("golang-"):
        parts = n.removeprefix("golang-").removesuffix("-dev").split("-")
        if parts[0] == "github":
            return "go-" + "-".join(parts[1:2])
        return "go-" + ("golang" if parts[0] in ("golang", "1.19", "google") else parts[0])
    if n.startswith("@"):
        return n[1:].split("/")[0]
    n = re.sub(r"^lib(?=commons|spring|apache|pdfbox|xerces|okhttp)", "", n).removesuffix("-java")
    if n.startswith("janest-"):
        return "janestreet"
    n = re.sub(r"^(ruby|php|haskell|lua|ocaml)-(?=[a-z])", "", n)
    if n.startswith(("apache-", "python-", "simple-", "lib")):
        return SAME.get(n, n)
    n = re.split(r"[-_]|(?<=\D\D)\d", n)[0]
    return SAME.get(n, n)


def where_from(name, read, package):
    """The lines of a package's metadata that say where its own source lives."""
    if name.endswith("Cargo.toml") and name.count("/") <= 1:
        return "\n".join(re.findall(r"(?m)^(?:repository|homepage)\s*=.*$", read().decode("utf-8", "replace")))
    if name == "package/package.json":
        try:
            info = json.loads(read())
        except ValueError:
            return ""
        return json.dumps([info.get("repository"), info.get("homepage")])
    if name.endswith(".dist-info/METADATA"):
        head = read().decode("utf-8", "replace").split("\n\n")[0]
        return "\n".join(re.findall(r"(?mi)^(?:home-page|project-url:\s*(?:source|repository|homepage|code|github)).*$", head))
    if name.endswith((".cabal", ".opam", ".gemspec", ".rockspec")) and name.count("/") <= 1:
        text = read().decode("utf-8", "replace")
        return "\n".join(re.findall(r"(?mi)^\s*(?:homepage|location|dev-repo|url)\s*[:=].*$", text))
    return ""


def licence_of(name, read):
    if name.endswith("Cargo.toml") and name.count("/") <= 1:
        m = re.search(r'(?m)^license\s*=\s*"(.*?)"', read().decode("utf-8", "replace"))
        return m.group(1) if m else ""
    if name == "package/package.json":
        try:
            licence = json.loads(read()).get("license")
        except ValueError:
            return ""
        return licence if isinstance(licence, str) else ""
    if name.endswith(".dist-info/METADATA"):
        head = read().decode("utf-8", "replace").split("\n\n")[0]
        m = re.search(r"(?m)^License-Expression:\s*(.*)$", head) or re.search(r"(?m)^License:\s*(.{2,40})$", head)
        if m and m.group(1).strip():
            return m.group(1).strip()
        found = re.findall(r"(?m)^Classifier: License :: (?:OSI Approved :: )?(.*)$", head)
        return "; ".join(found)
    if name.endswith((".cabal", ".opam")) and name.count("/") <= 1:
        m = re.search(r'(?mi)^license:\s*"?([^"\n]+)', read().decode("utf-8", "replace"))
        return m.group(1).strip() if m else ""
    if re.fullmatch(r"(?i)(licen[cs]e|copying)([._-](txt|md|mit|apache))?", name):
        text = read()[:3000].decode("utf-8", "replace")
        return next((short for mark, short in LICENCE_TEXTS if mark in text), "")
    return ""


def mine_package(job):
    package, archives, projects = job
    rules = excluded.Rules(projects)
    language, name = package["language"], package["name"]
    problem = rules.package(name)
    if problem:
        return package, problem, "", []
    licence, files = "", []
    for archive in archives:
        problem = rules.metadata(name, homepage(archive) + "\n/" + name)
        if problem:
            return package, problem, "", []
        for path, read in members(archive):
            read = functools.cache(read)  # a stream gives its bytes once
            where = where_from(path, read, package) if path.count("/") <= 1 else ""
            if where:
                problem = rules.metadata(name, where)
                if problem:
                    return package, problem, "", []
            if path.count("/") <= 1:
                licence = licence or licence_of(path, read)
            if not readable(language, path) or rules.path(path):
                continue
            data = read()
            if len(data) < 200 or len(data) > MAX_FILE or GENERATED.search(data[:1500]):
                continue
            if not any(mark in data for mark in MARKS.get(language, (b"/*", b"//"))):
                continue
            if data.count(b"\n") < len(data) / 400:
                continue  # minified
            files.append((path, data))
    cap = CAPS.get(name, CAP if language in FIRST else LATER_CAP)
    # Of several builds of one file the source comes first, and headers and interfaces before what they
    # declare; apart from that by digest, so that reading can end when there is enough to choose from.
    files.sort(key=lambda f: (not re.search(r"(^|/)(src|source)/", f[0].lower()),
                              not f[0].endswith((".h", ".hpp", ".hxx", ".mli")), digest(f[0])))
    fam, rows, late, declared, seen = family(name), [], [], {}, set()
    changed, commits = history.commits(archives[0], functools.partial(readable, language)), []
    for path, data in files:
        if len(rows) + len(late) / 2 > 1.6 * cap + 100:
            break
        definitions = list(find(language, data, path))
        subjects = sorted(set(changed.get(path, ())))
        plain = [(d[1], d[2], d[5]) for d in definitions if subjects and d[0] != "declaration" and len(words(d[5])) >= 4]
        for subject in subjects:
            hit = history.closest(subject, plain)
            if hit:
                commits.append(pair(package, fam, path, "commit", hit[0], hit[1], subject, "", "", hit[2]))
        for kind, qualified, signature, raw, full, code in definitions:
            if kind == "declaration":
                declared.setdefault(qualified, raw)
                continue
            row = [path, kind, qualified, signature, raw, full, code]
            if raw:
                rows.append(row)
            elif language in ("c", "cpp", "ocaml") and kind == "function":
                late.append(row)
    for row in late:
        row[4] = row[5] = declared.get(row[2], "")
        if row[4]:
            rows.append(row)
    out = []
    for path, kind, qualified, signature, raw, full, code in rows:
        parts = split_doc(raw, qualified)
        if parts is None or len(words(code)) < 4:
            continue
        key = (qualified.split(".")[-1], parts[0])
        if key in seen:
            continue
        seen.add(key)
        out.append(pair(package, fam, path, kind, qualified, signature, *parts, described(full), code))
    of_files = [r for r in out if r["kind"] == "file"]
    out = chosen([r for r in out if r["kind"] != "file"], cap)
    return package, None, licence, out + chosen(of_files, FILES) + chosen(commits, COMMITS)


def digest(text):
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()


def pair(package, fam, path, kind, qualified, signature, doc, rest, more, code):
    return {
        "language": package["language"], "package": package["name"], "family": fam, "path": path, "kind": kind,
        "name": qualified[:200], "signature": signature, "doc": doc, "rest": rest, "more": more, "code": code,
    }


def chosen(rows, most):
    """At most so many, by digest, in the order in which they came."""
    kept = {id(r) for r in sorted(rows, key=lambda r: digest(r["path"] + r["name"] + r["doc"]))[:most]}
    return [r for r in rows if id(r) in kept]


def code_digest():
    """Changes when the code that mines does."""
    here = os.path.dirname(os.path.abspath(__file__))
    modules = ("archives", "common", "definitions", "documentation", "excluded", "history", "languages", "layout", "mine")
    return digest("".join(open(os.path.join(here, m + ".py"), encoding="utf-8").read() for m in modules)).hex()


def mined(job):
    """mine_package, or what it gave in an earlier run of the same code on the same package."""
    package, archives, projects, folder, version = job
    key = digest(json.dumps([package, archives, projects, version])).hex()[:32]
    path = os.path.join(folder, key + ".json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as f:
            return json.load(f)
    result = mine_package((package, archives, projects))
    with open(path + ".part", "w", encoding="utf-8") as f:
        json.dump(result, f)
    os.replace(path + ".part", path)
    return result


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        manifest = json.load(f)
    with open(os.path.join(sys.argv[2], "archives.json"), encoding="utf-8") as f:
        archives = json.load(f)
    projects = excluded.load(sys.argv[4] if len(sys.argv) == 5 else None)
    parts, version, jobs = sys.argv[3] + ".parts", code_digest(), []
    os.makedirs(parts, exist_ok=True)
    for registry in sorted(manifest):
        for package in manifest[registry]:
            found = archives.get(f"{registry}/{package['name']}")
            if not found:
                fail(f"no archive of {registry} package {package['name']}")
            jobs.append((package, found, projects, parts, version))
    seen_code, per_doc, counts, licences = set(), {}, {}, {}
    with multiprocessing.Pool(int(os.environ.get("SEXTANT_JOBS", "2")), maxtasksperchild=20) as pool, open(sys.argv[3] + ".part", "w", encoding="utf-8") as out:
        for package, problem, licence, rows in pool.imap(mined, jobs, chunksize=1):
            if problem:
                pool.terminate()
                fail(problem)
            kept = 0
            for row in rows:
                whole = row["name"] + " " + row["code"] + (" " + row["doc"] if row["kind"] == "commit" else "")
                code = digest(" ".join(words(whole)))
                doc_key = " ".join(words(row["doc"]))
                if code in seen_code or per_doc.get(doc_key, 0) >= 2:
                    continue
                seen_code.add(code)
                per_doc[doc_key] = per_doc.get(doc_key, 0) + 1
                out.write(json.dumps(row, ensure_ascii=False) + "\n")
                kept += 1
            counts[package["language"]] = counts.get(package["language"], 0) + kept
            licences[package["name"]] = [licence, kept]
            print(f"{package['language']:10} {package['name']} {package['version']}: {kept}", flush=True)
    os.replace(sys.argv[3] + ".part", sys.argv[3])
    with open(sys.argv[3] + ".packages.json", "w", encoding="utf-8") as f:
        json.dump(licences, f, indent=0, sort_keys=True)
    print("pairs:", {l: counts.get(l, 0) for l in LANGUAGES}, "in all", sum(counts.values()))


if __name__ == "__main__":
    main()
