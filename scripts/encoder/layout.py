"""The definitions of Haskell, OCaml and Elixir files with their documentation, read by layout.

Their formatters and conventions make indentation reliable enough; no parser is needed.
"""

import os
import re

MAX_CODE = 4000


def find(language, text, path):
    """As definitions.find."""
    yield from {"haskell": haskell, "ocaml": ocaml, "elixir": elixir}[language](text, path)


# --- Haskell --------------------------------------------------------------------------------------

_HS_HEAD = re.compile(r"^(?:(data|newtype|class|type)\s+(?:.*=>\s*)?(\w+)|(\w[\w']*)(?:\s*,\s*\w[\w']*)*\s*(?:::|$))")


def _hs_doc(lines, i):
    """(documentation, the line after it) when one begins at line i."""
    s = lines[i]
    if s.startswith("-- |"):
        block = [s[4:]]
        i += 1
        while i < len(lines) and lines[i].startswith("--"):
            block.append(lines[i].lstrip("-"))
            i += 1
    elif s.startswith(("{-|", "{- |")):
        block = []
        while i < len(lines):
            block.append(lines[i])
            i += 1
            if "-}" in block[-1]:
                break
        block[0] = re.sub(r"^\{- ?\|", "", block[0])
        block[-1] = block[-1].split("-}")[0]
    else:
        return None, i
    # Containers and their like open with the cost.
    text = re.sub(r"^\s*(/?O\([^/\n]*\)/?|\\\(\s*O\(.*?\)\s*\\\))[.,:]?\s*(amortized\.?)?", "", "\n".join(block))
    text = re.sub(r"@([^@\n]*)@", r"\1", text)
    return re.sub(r"'([\w.]+)'|\"([A-Z][\w.]*)\"", lambda m: m.group(1) or m.group(2), text), i


def haskell(text, path):
    module = re.search(r"(?m)^module\s+([\w.]+)", text)
    scope = module.group(1).split(".")[-1] + "." if module else ""
    lines = text.split("\n")
    i = 0
    while i < len(lines):
        doc, after = _hs_doc(lines, i)
        if doc is None:
            i += 1
            continue
        i = after
        while i < len(lines) and (not lines[i].strip() or lines[i].startswith("{-#")):
            i += 1
        if i >= len(lines):
            return
        head = _HS_HEAD.match(lines[i])
        if not head:
            continue
        begin = i
        i += 1
        while i < len(lines) and (lines[i].startswith((" ", "\t")) or not lines[i].strip()):
            i += 1
        signature = "\n".join(re.sub(r"--.*", "", line) for line in lines[begin:i])
        if head.group(1):
            yield "type", scope + head.group(2), " ".join(signature.split())[:200], doc, doc, signature[:MAX_CODE]
            continue
        name = head.group(3)
        equation = re.compile(r"^(\{-#|#|" + re.escape(name) + r"(?![\w'])|.*`" + re.escape(name) + r"`)")
        start = i
        while i < len(lines) and (not lines[i].strip() or lines[i].startswith((" ", "\t")) or equation.match(lines[i])):
            i += 1
        code = "\n".join(line for line in lines[start:i] if not line.startswith(("{-#", "#")))
        yield "function", scope + name, " ".join(signature.split())[:400], doc, doc, code[:MAX_CODE]


# --- OCaml ----------------------------------------------------------------------------------------

_ML_LET = re.compile(r"^(\s*)(?:let|and)(?:%\w+)?\s+(?:rec\s+|inline\s+)?(?:\[@[^\]]*\]\s*)?([a-z_]\w*'?)(?=[\s:=(~?])")
_MLI_VAL = re.compile(r"^(\s*)(?:val|external)\s+([a-z_]\w*'?)\s*:")


def _ml_comment(lines, i):
    """(documentation, the line after it) when a (** comment begins at line i."""
    if not lines[i].strip().startswith("(**") or lines[i].strip().startswith(("(***", "(**)")):
        return None, i
    block = []
    while i < len(lines) and len(block) < 80:
        block.append(lines[i])
        i += 1
        if "*)" in block[-1]:
            break
    text = "\n".join(block).strip().removeprefix("(**").split("*)")[0]
    return re.sub(r"\{[!b-z]:?([^{}]*)\}", r"\1", text), i


def ocaml(text, path):
    """Interfaces give declarations, which mining joins with the definitions by module and name."""
    stem = os.path.basename(path).split(".")[0]
    scope = stem[:1].upper() + stem[1:] + "."
    lines = text.split("\n")
    interface = path.endswith(".mli")
    i, before, ended = 0, None, -1
    while i < len(lines):
        doc, after = _ml_comment(lines, i)
        if doc is not None:
            before, ended, i = doc, after, after
            continue
        head = (_MLI_VAL if interface else _ML_LET).match(lines[i])
        if not head:
            i += 1
            continue
        depth, name, begin = len(head.group(1)), head.group(2), i
        near = before if ended == begin else ""
        i += 1
        while i < len(lines) and (
            len(lines[i]) - len(lines[i].lstrip()) > depth or (not interface and not lines[i].strip())
        ) and not lines[i].strip().startswith("(**"):
            i += 1
        if interface:
            below = _ml_comment(lines, i)[0] if i < len(lines) else None
            # A comment that touches the value above and not the one below belongs to the value above.
            if below is not None and not (near and ended == begin):
                near = below
            if near:
                yield "declaration", scope + name, "", near, near, ""
            before = None
            continue
        whole = "\n".join(lines[begin:i])
        signature, _, code = whole.partition("=")
        yield "function", scope + name, " ".join(signature.split())[:400], near, near, code[:MAX_CODE]


# --- Elixir ---------------------------------------------------------------------------------------

_EX_MODULE = re.compile(r"^(\s*)defmodule\s+([\w.]+)")
_EX_DOC = re.compile(r'^\s*@(doc|moduledoc)\s+(?:~[sS])?("""|")(.*)$')
_EX_DEF = re.compile(r"^(\s*)(?:def|defp|defmacro|defmacrop|defguard)\s+([a-z_]\w*[?!]?)")


def elixir(text, path):
    lines = text.split("\n")
    scopes, doc, i = [], None, 0
    while i < len(lines):
        line = lines[i]
        module = _EX_MODULE.match(line)
        if module:
            depth = len(module.group(1))
            scopes = [s for s in scopes if s[0] < depth] + [(depth, module.group(2).split(".")[-1])]
            i += 1
            continue
        found = _EX_DOC.match(line)
        if found:
            if found.group(2) == '"':
                block = [found.group(3).rstrip('"')]
                i += 1
            else:
                block = []
                i += 1
                while i < len(lines) and lines[i].strip() != '"""':
                    block.append(lines[i].strip())
                    i += 1
                i += 1
            if found.group(1) == "doc":
                doc = "\n".join(block)
            elif scopes:
                raw = "\n".join(block)
                name = ".".join(s[1] for s in scopes[-2:])
                yield "type", name, "", raw, raw, "\n".join(lines[i : i + 80])[:1500]
            continue
        head = _EX_DEF.match(line)
        if not head:
            i += 1
            continue
        depth, begin = len(head.group(1)), i
        i += 1
        if not re.search(r"\bdo:", line):
            while i < len(lines) and (not lines[i].strip() or len(lines[i]) - len(lines[i].lstrip()) > depth):
                i += 1
            if i < len(lines) and lines[i].strip() == "end":
                i += 1
        if doc:
            whole = "\n".join(lines[begin:i])
            signature, _, code = whole.partition(" do")
            scope = "".join(s[1] + "." for s in scopes[-1:])
            yield "function", scope + head.group(2), " ".join(signature.split())[:400], doc, doc, code[:MAX_CODE]
            doc = None
