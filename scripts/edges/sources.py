"""The files of a checkout, with what stands where in them."""
import bisect
import json
import os
import re
import subprocess

import places as python_places

ENDINGS = {"python": (".py", ".pyi"), "typescript": (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"),
           "go": (".go",), "java": (".java",), "rust": (".rs",), "c": (".c", ".h"),
           "cpp": (".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".inl", ".ipp", ".tcc"),
           "bash": (".sh", ".bash", ".bats"), "csharp": (".cs",), "dart": (".dart",), "elixir": (".ex", ".exs"),
           "haskell": (".hs",), "kotlin": (".kt", ".kts"), "lua": (".lua",), "php": (".php",), "ruby": (".rb",),
           "scala": (".scala",), "swift": (".swift",), "zig": (".zig",)}
# What editors call a language, where it is something else.
LANGUAGE_IDS = {"bash": "shellscript"}
# Where the oracle says what values are, too, if it is no language server: fields, constants, statics, enum members.
KNOWS_VALUES = ("rust", "c", "cpp")


def is_of(language, path):
    """Whether a file is of a language, by its ending; scripts of a shell need none."""
    if path.endswith(ENDINGS[language]):
        return True
    if language != "bash" or "." in os.path.basename(path):
        return False
    try:
        with open(path, "rb") as file:
            return bool(re.match(rb"#!.*\b(sh|bash|dash|ksh|zsh)\b", file.readline(200)))
    except OSError:
        return False


class File:
    """One file as both sides see it; lines count from 1, columns from 0 in bytes."""

    def __init__(self, folder, path):
        with open(os.path.join(folder, path), "rb") as file:
            self.text = file.read().decode("utf-8", "replace")
        self.lines = self.text.split("\n")
        self.bodies, self.definitions, self.uses = [], {}, {}

    def column(self, line, utf16):
        text = self.lines[line] if line < len(self.lines) else ""
        if text.isascii():
            return utf16
        return len(text.encode("utf-16-le")[: 2 * utf16].decode("utf-16-le", "replace").encode())

    def word(self, place):
        """The identifier at a place."""
        text = self.lines[place[0] - 1].encode()[place[1]:].decode("utf-8", "replace") if place[0] <= len(self.lines) else ""
        return re.match(r"[\w$]*", text).group()

    def take(self, bodies, definitions, uses):
        # Outermost bodies only: they do not overlap, and can be searched.
        for start, end in sorted(((a, b), (c, d)) for a, b, c, d in bodies):
            if not self.bodies or start >= self.bodies[-1][1]:
                self.bodies.append((start, end))
        for line, column, kind, name in definitions:
            self.definitions.setdefault((line, column), kind)
        for line, column, *use in uses:
            self.uses.setdefault((line, column), tuple(use))

    def in_body(self, place):
        at = bisect.bisect_right(self.bodies, (place, (1 << 30, 0))) - 1
        return at >= 0 and self.bodies[at][0] <= place < self.bodies[at][1]


def read_files(language, folder, paths, modules):
    files = {path: File(folder, path) for path in paths}
    if language == "python":
        for file in files.values():
            try:
                file.take(*python_places.places(file.text))
            except (SyntaxError, ValueError):
                pass  # a file of another Python, or a test of the parser
        return files
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "places.js")
    out = subprocess.run(["node", script, folder], input="\n".join(paths).encode(), stdout=subprocess.PIPE, check=True,
                         env={**os.environ, "SEXTANT_EDGES_MODULES": modules}).stdout
    for line in filter(None, out.decode().split("\n")):
        found = json.loads(line)
        file = files[found["path"]]
        def at(line, column):
            return line + 1, file.column(line, column)
        file.take([(*at(a, b), *at(c, d)) for a, b, c, d in found["bodies"]],
                  [(*at(a, b), kind, name) for a, b, kind, name in found["definitions"]],
                  [(*at(a, b), *use) for a, b, *use in found["uses"]])
    return files
