"""Documentation comments to (first sentence, what follows it, what is said of parameters and results)."""

import re

from common import words
from languages import LINE_COMMENT

_TAG = re.compile(
    r"^\s*([@\\](?!brief|short|description|desc|summary|details|internal)[a-zA-Z]+|:\w+.*:|[-=~*]{3,}|```|#+ |"
    r"- (Parameters?|Returns?|Throws|Note|Complexity|Precondition|SeeAlso|Important|Warning)\b)"
)
_ENGLISH = set(
    "a an the of to for from in on with by is are be as at if or and this that it its into when which not "
    "return returns get gets set sets create creates given new all use used using whether".split()
)
_BAD = re.compile(
    r"(?i)^(copyright|licen[cs]ed?|todo|fixme|xxx|hack|eslint|jshint|istanbul|see\b|deprecated|@|spdx|automatically|"
    r"generated|non-javadoc|inheritdoc|\{@inherit|nolint|go:|noinspection|\$id|this file|file:|author|ditto|same as|class:|method:|function:|name:)"
)
_LINE_MARK = re.compile(r"^(//+<?|#+|--+\|?)")
_STAR = re.compile(r"^\s*\*+(?!\*)")
_PASSED = ("#[", "@", "template", "[[", "__attribute__", "export", "extern \"C\"")


def comment_above(lines, row, language):
    """The comment that stands directly over line `row`, cleaned, or ''."""
    mark = LINE_COMMENT.get(language, "//")
    i = row - 1
    while i >= 0:
        s = lines[i].strip()
        if mark == "//" and s.startswith(_PASSED) and not s.endswith("*/"):
            i -= 1
            continue
        break
    if i < 0:
        return ""
    s = lines[i].strip()
    if mark == "//" and s.endswith("*/"):
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
        return "\n".join(_STAR.sub("", line) for line in text.split("\n"))
    block = []
    while i >= 0 and len(block) < 120:
        s = lines[i].strip()
        if not s.startswith(mark) or s.startswith(("//!", "//go:", "#!", "--[[")):
            break
        block.append(_LINE_MARK.sub("", s))
        i -= 1
    return "\n".join(reversed(block))


_SUMMARY = re.compile(r"<summary>(.*?)</summary>(.*)", re.S)
_REMARKS = re.compile(r"<remarks>(.*?)</remarks>", re.S)
_XML_NAME = re.compile(r'<\w+ (?:cref|langword|name|href)="(?:\w:)?([^"]*)"\s*/>')
_PLAIN = [
    (re.compile(r"[@\\](brief|short|description|desc|summary|details|internal)\b:?"), ""),
    (re.compile(r"\{@\w+\s+([^}]*)\}"), r"\1"),
    (re.compile(r":\w+:`~?([^`]*)`"), r"\1"),
    (re.compile(r"\[`?([^\]`]+)`?\](\([^)]*\)|\[[^\]]*\])?"), r"\1"),
    (re.compile(r"</?[a-zA-Z][^>\n]{0,60}>"), " "),
    (re.compile(r"https?://\S+"), " "),
]
_AFTER_NAME = re.compile(r"(\(\s*\))?(\s*(--?|:)\s+|[ ]*[\n\t]\s*|\s{2,})")
_NAME_IN_SENTENCE = re.compile(r"(\(\))?\s+(?=[a-z])")
_THE = re.compile(r"^The\s+")
_SENTENCE_END = re.compile(r"(?<![ (.][a-zA-Z])(?<!e\.g)(?<!i\.e)(?<!etc)[.!?](?=\s+[A-Z(]|\s*$)")
_LETTERS = re.compile(r"[A-Za-z]{2,}")
_SCOPE = re.compile(r"::|\.")


def without(text, name, what_follows):
    """The text after `name` and what must follow it, or the text as it is."""
    if name and text.startswith(name):
        m = what_follows.match(text, len(name))
        if m:
            return text[m.end() :]
    return text


def split_doc(text, name):
    """(first sentence, the rest), or None when the documentation is no use."""
    summary = _SUMMARY.search(text)
    if summary:
        remarks = _REMARKS.search(summary.group(2))
        text = summary.group(1) + ("\n\n" + remarks.group(1) if remarks else "")
        text = _XML_NAME.sub(r"\1", text)
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
    for pattern, plain in _PLAIN:
        text = pattern.sub(plain, text)
    # Database and tool sources often open with the function's name on a line of its own.
    last = _SCOPE.split(name)[-1]
    text = without(text.replace("`", "").lstrip(), last, _AFTER_NAME)
    paragraph, _, after = text.strip().partition("\n\n")
    paragraph = " ".join(paragraph.split())
    m = _SENTENCE_END.search(paragraph)
    sentence, rest = (paragraph[: m.end()], paragraph[m.end() :]) if m else (paragraph, "")
    # Go documentation begins with the name, which a question would not hold.
    sentence = sentence.strip()
    opened = _THE.sub("", sentence)
    bare = without(opened, last, _NAME_IN_SENTENCE)
    sentence = bare if bare != opened else sentence
    rest = " ".join((rest + " " + after).split())[:600]
    plain = _LETTERS.findall(sentence)
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


_DESCRIBED = [
    re.compile(r"^\s*[@\\](?:param|arg)\b(?:\[[\w,]+\])?\s+(?:\{[^}]*\}\s*|[\w\\|\[\]<>?]+\s+\$)?[\[\w.$*&]+\]?\s+(?:\[[^\]]*\]\s+)?[-:]?\s*(.+)$", re.M),
    re.compile(r"^\s*[@\\](?:returns?|result)\b:?\s+(?:\{[^}]*\}\s*|\[[^\]]*\]\s*)?(.+)$", re.M),
    re.compile(r"^\s*:(?:param|returns?)\b[^:\n]*:\s*(.+)$", re.M),
    re.compile(r"<param name=\"\w+\">(.*?)</param>", re.S),
    re.compile(r"<returns>(.*?)</returns>", re.S),
    re.compile(r"^\s*- (?:Parameter \w+|Returns|\w+):\s*(.+)$", re.M),
]
_SECTION = re.compile(r"(?ms)^\s*(?:Args|Arguments|Parameters|Returns|Yields):\s*\n(.*?)(?:\n\s*\n|\Z)")
_ITEM = re.compile(r"(?m)^\s*(?:\*{0,2}\w+(?:\s*\([^)]*\))?:\s+)?(\S.{8,})$")
_MARKUP = re.compile(r"<\w+ (?:cref|name)=\"(?:\w:)?([^\"]*)\"\s*/>|</?\w[^>]*>")


def described(text):
    """What the comment says of parameters and results, at most 400 characters."""
    found = []
    for pattern in _DESCRIBED:
        found += pattern.findall(text)
    for section in _SECTION.findall(text):
        found += _ITEM.findall(section)
    plain = []
    for f in found:
        f = _MARKUP.sub(r"\1", f)
        f = " ".join(f.replace("`", "").split())
        if len(words(f)) >= 2:
            plain.append(f.rstrip(".") + ".")
    return " ".join(plain)[:400]


def python_doc(body, data):
    """(what stands before the sections, the whole docstring, the code after it)."""
    first = body.named_children[0] if body.named_children else None
    while first is not None and first.type == "comment":
        first = first.next_named_sibling
    if first is None or first.type != "expression_statement" or not first.named_children:
        return "", "", ""
    literal = first.named_children[0]
    if literal.type != "string":
        return "", "", ""
    raw = literal.text.decode("utf-8", "replace")
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
    return "\n".join(keep), raw, after
