"""Reads the downloaded packages and writes (first sentence of the documentation, code) pairs.

    mine.py PACKAGES.json ARCHIVES OUT.jsonl [EXCLUDED.txt]

One line of OUT is a pair: language, package, family, path, kind, name (qualified), signature, doc (the
first sentence), rest (what follows it), code (without the documentation). The order is fixed.
"""

import functools
import hashlib
import io
import json
import multiprocessing
import os
import re
import subprocess
import sys
import tarfile
import zipfile

import excluded
from common import LANGUAGES, fail, words

MAX_FILE = 3_000_000
CAP = 1000  # pairs of one package; a language lives from many packages
CAPS = {"openjdk-17-source": 6000, "golang-1.19-src": 4000}
SUFFIXES = {
    "rust": (".rs",),
    "python": (".py",),
    "javascript": (".js", ".mjs", ".ts", ".tsx"),
    "go": (".go",),
    "java": (".java",),
    "c": (".c", ".h"),
    "cpp": (".cpp", ".cc", ".cxx", ".h", ".hpp", ".hxx", ".txx"),
}
SKIP_FOLDERS = set(
    "test tests testing testdata unittest unittests unit_tests integration-tests bench benches benchmark "
    "benchmarks vendor vendored _vendor _vendored third_party thirdparty third-party 3rdparty external "
    "extern externals externs node_modules bundled generated gen target umd cjs min dist-types __tests__ "
    "fixtures javatests testsuite regress .pc debian".split()
)
SKIP_FILE = re.compile(
    r"(\.d\.ts|\.min\.js|\.map|_test\.go|\.pb\.go|_pb2(_grpc)?\.py|\.pb\.(h|cc)|\.spec\.[jt]s|\.test\.[jt]s|"
    r"zz_generated.*|moc_.*|test_.*\.py|.*_test\.(py|cc|cpp|c)|conftest\.py|Test[A-Z].*\.java|.*Tests?\.java)$"
)
GENERATED = re.compile(rb"(?i)(code generated|do not edit|automatically generated|auto-?generated|@generated)")


# --- archives -------------------------------------------------------------------------------------


def _tar_members(stream, mode):
    with tarfile.open(fileobj=stream, mode=mode) as tar:
        for member in tar:
            if member.isfile() and member.size <= MAX_FILE or member.name.endswith("src.zip"):
                if member.isfile():
                    yield member.name.removeprefix("./"), lambda m=member: tar.extractfile(m).read()


def _zip_members(stream):
    with zipfile.ZipFile(stream) as archive:
        for info in archive.infolist():
            if not info.is_dir() and info.file_size <= MAX_FILE:
                yield info.filename, lambda i=info: archive.read(i)


def members(path):
    """(name inside the archive, reader) for every file of a package."""
    if os.path.isdir(path):
        for folder, folders, files in sorted(os.walk(path)):
            folders.sort()
            for name in sorted(files):
                whole = os.path.join(folder, name)
                if os.path.getsize(whole) <= MAX_FILE:
                    yield os.path.relpath(whole, path), lambda w=whole: open(w, "rb").read()
    elif path.endswith((".whl", ".zip", ".jar")):
        yield from _zip_members(path)
    elif path.endswith(".deb"):
        unpack = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", path], stdout=subprocess.PIPE)
        for name, read in _tar_members(unpack.stdout, "r|"):
            if name.endswith("src.zip"):
                yield from _zip_members(io.BytesIO(read()))
            else:
                yield name, read
        unpack.stdout.close()
        unpack.wait()
    else:
        with open(path, "rb") as f:
            yield from _tar_members(f, "r|*")


# --- documentation --------------------------------------------------------------------------------

_TAG = re.compile(r"^\s*([@\\](?!brief|short|description|desc|summary|details|internal)[a-zA-Z]+|:\w+.*:|[-=~*]{3,}|```|#+ )")
_ENGLISH = set(
    "a an the of to for from in on with by is are be as at if or and this that it its into when which not "
    "return returns get gets set sets create creates given new all use used using whether".split()
)
_BAD = re.compile(
    r"(?i)^(copyright|licen[cs]ed?|todo|fixme|xxx|hack|eslint|jshint|istanbul|see\b|deprecated|@|spdx|automatically|"
    r"generated|non-javadoc|inheritdoc|\{@inherit|nolint|go:|noinspection|\$id|this file|file:|author|ditto|same as|class:|method:|function:|name:)"
)


def comment_above(lines, row):
    """The comment that stands directly over line `row`, cleaned, or ''."""
    i = row - 1
    while i >= 0:
        s = lines[i].strip()
        if s.startswith(("#[", "@", "template", "[[", "__attribute__", "export", "extern \"C\"")) and not s.endswith("*/"):
            i -= 1
            continue
        break
    if i < 0:
        return ""
    s = lines[i].strip()
    if s.endswith("*/"):
        block = []
        while i >= 0 and len(block) < 120:
            block.append(lines[i])
            if "/*" in lines[i]:
                break
            i -= 1
        else:
            return ""
        text = "\n".join(reversed(block))
        start = text.find("/*")
        if text[:start].strip():
            return ""
        text = text[start:]
        text = re.sub(r"^/\*+!?<?", "", text)
        text = re.sub(r"\*+/\s*$", "", text)
        return "\n".join(re.sub(r"^\s*\*+(?!\*)", "", line) for line in text.split("\n"))
    block = []
    while i >= 0 and len(block) < 120:
        s = lines[i].strip()
        if s.startswith("//") and not s.startswith("//!") and not s.startswith("//go:"):
            block.append(re.sub(r"^//+<?", "", s))
            i -= 1
        else:
            break
    return "\n".join(reversed(block))


def split_doc(text, name):
    """(first sentence, the rest), or None when the documentation is no use."""
    out, started = [], False
    for line in text.split("\n"):
        s = line.strip()
        if not s:
            if started:
                out.append("")
            continue
        if _TAG.match(s):
            if started:
                break
            continue
        out.append(s)
        started = True
    text = "\n".join(out)
    text = re.sub(r"[@\\](brief|short|description|desc|summary|details|internal)\b:?", "", text)
    text = re.sub(r"\{@\w+\s+([^}]*)\}", r"\1", text)
    text = re.sub(r":\w+:`~?([^`]*)`", r"\1", text)
    text = re.sub(r"\[`?([^\]`]+)`?\](\([^)]*\)|\[[^\]]*\])?", r"\1", text)
    text = re.sub(r"</?[a-zA-Z][^>\n]{0,60}>", " ", text)
    text = re.sub(r"https?://\S+", " ", text).replace("`", "")
    # Database and tool sources often open with the function's name on a line of its own.
    last = re.split(r"::|\.", name)[-1]
    text = re.sub(r"^\s*" + re.escape(last) + r"(\(\s*\))?(\s*(--?|:)\s+|[ ]*[\n\t]\s*|\s{2,})", "", text)
    paragraph, _, after = text.strip().partition("\n\n")
    paragraph = " ".join(paragraph.split())
    m = re.search(r"(?<![ (.][a-zA-Z])(?<!e\.g)(?<!i\.e)(?<!etc)[.!?](?=\s+[A-Z(]|\s*$)", paragraph)
    sentence, rest = (paragraph[: m.end()], paragraph[m.end() :]) if m else (paragraph, "")
    # Go documentation begins with the name, which a question would not hold.
    sentence = re.sub(r"^(The\s+)?" + re.escape(last) + r"(\(\))?\s+(?=[a-z])", "", sentence.strip()).strip()
    rest = " ".join((rest + " " + after).split())[:600]
    plain = re.findall(r"[A-Za-z]{2,}", sentence)
    if not 3 <= len(plain) or len(sentence) > 400 or _BAD.match(sentence):
        return None
    if sum(c.isascii() for c in sentence) < 0.97 * len(sentence):
        return None
    if not any(w.lower() in _ENGLISH for w in plain) and len(plain) < 5:
        return None
    if sum(c in "{};=<>|\\#$" for c in sentence) > 3:
        return None
    if len(words(sentence)) < 3:
        return None
    return sentence, rest


# --- languages ------------------------------------------------------------------------------------

_parsers = {}


def parser(language):
    if language not in _parsers:
        from tree_sitter import Language, Parser

        if language in ("typescript", "tsx"):
            import tree_sitter_typescript as t

            pointer = t.language_tsx() if language == "tsx" else t.language_typescript()
        else:
            pointer = __import__("tree_sitter_" + language).language()
        _parsers[language] = Parser(Language(pointer))
    return _parsers[language]


def text_of(node):
    return node.text.decode("utf-8", "replace")


def field_text(node, field):
    child = node.child_by_field_name(field)
    return text_of(child) if child else ""


def plain_type(text):
    text = re.sub(r"<.*", "", text, flags=re.S).strip().lstrip("&*")
    return text.split("::")[-1].split(" ")[-1]


FUNCTIONS = {
    "rust": {"function_item"},
    "python": {"function_definition"},
    "javascript": {
        "function_declaration", "generator_function_declaration", "method_definition",
        "variable_declarator", "assignment_expression", "pair",
    },
    "go": {"function_declaration", "method_declaration"},
    "java": {"method_declaration", "constructor_declaration"},
    "c": {"function_definition"},
    "cpp": {"function_definition"},
}
TYPES = {
    "rust": {"struct_item", "enum_item", "trait_item"},
    "python": {"class_definition"},
    "javascript": {"class_declaration", "interface_declaration", "abstract_class_declaration"},
    "go": {"type_declaration"},
    "java": {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"},
    "c": {"struct_specifier"},
    "cpp": {"class_specifier", "struct_specifier"},
}
SCOPES = {
    "rust": {"impl_item": "type", "trait_item": "name"},
    "python": {"class_definition": "name"},
    "javascript": {"class_declaration": "name", "interface_declaration": "name", "abstract_class_declaration": "name"},
    "go": {},
    "java": {"class_declaration": "name", "interface_declaration": "name", "enum_declaration": "name", "record_declaration": "name"},
    "c": {},
    "cpp": {"class_specifier": "name", "struct_specifier": "name", "namespace_definition": "name"},
}


def js_function(node):
    """(name, the function node) for the forms in which JavaScript binds a function."""
    if node.type in ("function_declaration", "generator_function_declaration", "method_definition"):
        return field_text(node, "name"), node
    left, right = {
        "variable_declarator": ("name", "value"),
        "assignment_expression": ("left", "right"),
        "pair": ("key", "value"),
    }[node.type]
    value = node.child_by_field_name(right)
    if value is None or value.type not in ("function_expression", "arrow_function", "generator_function"):
        return None, None
    name = field_text(node, left)
    name = name.replace(".prototype.", ".").removeprefix("this.").removeprefix("exports.").removeprefix("module.exports.")
    return (name, value) if re.fullmatch(r"[\w$.]+", name) else (None, None)


def c_name(node):
    """The function declarator inside C's declarators, and its name."""
    d = node.child_by_field_name("declarator")
    while d is not None and d.type != "function_declarator":
        d = d.child_by_field_name("declarator") or next(
            (c for c in d.named_children if c.type.endswith("declarator")), None
        )
    if d is None:
        return ""
    inner = d.child_by_field_name("declarator")
    name = text_of(inner) if inner is not None else ""
    name = re.sub(r"<[^<>]*>", "", name)
    return name if re.fullmatch(r"[\w~:]+( *operator.*)?", name) else ""


def find(language, data, headers):
    """Yields (kind, name, signature, raw documentation, code) of one file."""
    grammar = language
    if language == "javascript" and headers.endswith((".ts", ".tsx")):
        grammar = "tsx" if headers.endswith(".tsx") else "typescript"
    tree = parser(grammar).parse(data)
    lines = data.decode("utf-8", "replace").split("\n")
    functions, types, scopes = FUNCTIONS[language], TYPES[language], SCOPES[language]
    separator = "::" if language in ("rust", "cpp", "c") else "."
    stack = [(tree.root_node, ())]
    while stack:
        node, scope = stack.pop()
        kind = node.type
        inner_scope = scope
        if kind in scopes:
            name = plain_type(field_text(node, scopes[kind]))
            if name:
                inner_scope = scope + (name,)
        descend = True
        if kind in functions or kind in types:
            is_type = kind in types
            target, body, name = node, None, ""
            if language == "javascript" and not is_type:
                name, target = js_function(node)
                body = target.child_by_field_name("body") if target is not None else None
            elif language == "go" and is_type:
                spec = next((c for c in node.named_children if c.type == "type_spec"), None)
                many = sum(c.type == "type_spec" for c in node.named_children) != 1
                if spec is not None and not many:
                    name, body = field_text(spec, "name"), spec.child_by_field_name("type")
                    if body is not None and body.type not in ("struct_type", "interface_type"):
                        body = None
            elif language in ("c", "cpp") and not is_type:
                name, body = c_name(node), node.child_by_field_name("body")
            else:
                name, body = field_text(node, "name"), node.child_by_field_name("body")
                if kind == "method_declaration" and language == "go":
                    receiver = re.findall(r"\w+", field_text(node, "receiver"))
                    if receiver:
                        name = receiver[min(1, len(receiver) - 1)] + "." + name
            if name and body is not None:
                if language == "python":
                    raw, code = python_doc(body, data)
                else:
                    raw = comment_above(lines, node.start_point[0])
                    code = data[body.start_byte : body.end_byte].decode("utf-8", "replace")
                signature = data[node.start_byte : body.start_byte].decode("utf-8", "replace")
                whole = separator.join(scope[-2:] + (name,)) if scope else name
                if is_type and language in ("rust", "go", "c", "cpp"):
                    code = code[:1500]
                yield ("type" if is_type else "function"), whole, " ".join(signature.split())[:400], raw, code[:4000]
                descend = is_type or language == "javascript"
        elif language in ("c", "cpp") and kind in ("declaration", "field_declaration"):
            name = c_name(node)
            if name:
                raw = comment_above(lines, node.start_point[0])
                if raw:
                    whole = separator.join(scope[-2:] + (name,)) if scope else name
                    yield "declaration", whole, "", raw, ""
        if descend:
            for child in reversed(node.named_children):
                stack.append((child, inner_scope))


def python_doc(body, data):
    first = body.named_children[0] if body.named_children else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement" or not first.named_children:
        return "", ""
    literal = first.named_children[0]
    if literal.type != "string":
        return "", ""
    raw = text_of(literal)
    raw = re.sub(r'^[rRuUbB]*("""|\'\'\'|"|\')', "", raw)
    raw = re.sub(r'("""|\'\'\'|"|\')$', "", raw)
    after = data[first.end_byte : body.end_byte].decode("utf-8", "replace")
    lines = raw.split("\n")
    keep = []
    for i, line in enumerate(lines):
        following = lines[i + 1].strip() if i + 1 < len(lines) else ""
        if following and len(following) >= 3 and not following.strip("-=~"):
            break
        if re.match(r"\s*(Args?|Arguments|Parameters|Params|Returns?|Raises|Yields|Examples?|Notes?|Attributes):\s*$", line):
            break
        keep.append(line)
    return "\n".join(keep), after


# --- packages -------------------------------------------------------------------------------------


def family(name):
    """Packages of one project share a family; families are never split between training and test."""
    n = name.lower()
    if n.startswith("golang-"):
        parts = n.removeprefix("golang-").removesuffix("-dev").split("-")
        if parts[0] == "github":
            return "go-" + "-".join(parts[1:2])
        return "go-" + ("golang" if parts[0] in ("golang", "1.19", "google") else parts[0])
    if n.startswith("@"):
        return n[1:].split("/")[0]
    n = re.sub(r"^lib(?=commons|spring|apache|pdfbox|xerces|okhttp)", "", n).removesuffix("-java")
    if n.startswith(("apache-", "python-", "simple-", "lib")):
        return n
    return re.split(r"[-_]|(?<=\D\D)\d", n)[0]


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
    return ""


def wanted(language, path, rules):
    parts = path.split("/")
    if not path.endswith(SUFFIXES[language]) or SKIP_FILE.search(parts[-1]):
        return False
    if any(p.lower() in SKIP_FOLDERS for p in parts[:-1]):
        return False
    return not rules.path(path)


def mine_package(job):
    package, archives, projects = job
    rules = excluded.Rules(projects)
    language, name = package["language"], package["name"]
    problem = rules.package(name)
    if problem:
        return package, problem, "", []
    licence, files = "", []
    for archive in archives:
        for path, read in members(archive):
            read = functools.cache(read)  # a stream gives its bytes once
            where = where_from(path, read, package) if path.count("/") <= 1 else ""
            if where:
                problem = rules.metadata(name, where)
                if problem:
                    return package, problem, "", []
                licence = licence or licence_of(path, read)
            if not wanted(language, path, rules):
                continue
            data = read()
            if len(data) < 200 or len(data) > MAX_FILE or GENERATED.search(data[:1500]):
                continue
            if language == "python":
                if b'"""' not in data and b"'''" not in data:
                    continue
            elif b"/*" not in data and b"//" not in data:
                continue
            if data.count(b"\n") < len(data) / 400:
                continue  # minified
            files.append((path, data))
    # Of several builds of one file the source comes first.
    files.sort(key=lambda f: (not re.search(r"(^|/)(src|source)/", f[0].lower()), f[0]))
    fam, rows, late, declared, seen = family(name), [], [], {}, set()
    for path, data in files:
        for kind, qualified, signature, raw, code in find(language, data, path):
            if kind == "declaration":
                declared.setdefault(qualified, raw)
                continue
            row = [path, kind, qualified, signature, raw, code]
            if raw:
                rows.append(row)
            elif language in ("c", "cpp") and kind == "function":
                late.append(row)
    for row in late:
        row[4] = declared.get(row[2], "")
        if row[4]:
            rows.append(row)
    out = []
    for path, kind, qualified, signature, raw, code in rows:
        parts = split_doc(raw, qualified)
        if parts is None or len(words(code)) < 4:
            continue
        key = (qualified.split(".")[-1], parts[0])
        if key in seen:
            continue
        seen.add(key)
        out.append(
            {
                "language": language, "package": name, "family": fam, "path": path, "kind": kind,
                "name": qualified[:200], "signature": signature, "doc": parts[0], "rest": parts[1], "code": code,
            }
        )
    cap = CAPS.get(name, CAP)
    if len(out) > cap:
        def order(r):
            return hashlib.sha256((r["path"] + r["name"] + r["doc"]).encode()).digest()
        keep = sorted(out, key=order)[:cap]
        chosen = {id(r) for r in keep}
        out = [r for r in out if id(r) in chosen]
    return package, None, licence, out


def main():
    if len(sys.argv) not in (4, 5):
        sys.exit(__doc__)
    with open(sys.argv[1], encoding="utf-8") as f:
        manifest = json.load(f)
    with open(os.path.join(sys.argv[2], "archives.json"), encoding="utf-8") as f:
        archives = json.load(f)
    projects = excluded.load(sys.argv[4] if len(sys.argv) == 5 else None)
    jobs = []
    for registry in sorted(manifest):
        for package in manifest[registry]:
            found = archives.get(f"{registry}/{package['name']}")
            if not found:
                fail(f"no archive of {registry} package {package['name']}")
            jobs.append((package, found, projects))
    seen_code, per_doc, counts, licences = set(), {}, {}, {}
    with multiprocessing.Pool(2, maxtasksperchild=20) as pool, open(sys.argv[3] + ".part", "w", encoding="utf-8") as out:
        for package, problem, licence, rows in pool.imap(mine_package, jobs, chunksize=1):
            if problem:
                pool.terminate()
                fail(problem)
            kept = 0
            for row in rows:
                digest = hashlib.sha256(" ".join(words(row["name"] + " " + row["code"])).encode()).digest()
                doc_key = " ".join(words(row["doc"]))
                if digest in seen_code or per_doc.get(doc_key, 0) >= 2:
                    continue
                seen_code.add(digest)
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
