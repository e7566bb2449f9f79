"""A repository's commit subjects to (subject, definition that it most likely changed) pairs.

Only commits that touched one or two source files which still exist; of a file's definitions the one that
shares most words with the subject is taken, and none when none does.
"""

import collections
import os
import re

from common import words

WORST = re.compile(
    r"(?i)\b(bump|release|changelog|version|merge|revert|typos?|format(ting)?|lint|upgrade|dependenc|prepare|readme|"
    r"copyright|licen[cs]e|warnings?|cleanup|clean up|whitespace|review|wip|ci|travis|nits?|todo|rename[ds]?|refactor)\b"
)
STOP = set("a an the of to for from in on with by is are be as at if or and this that it when not fix fixes add adds use".split())


def commits(archive, readable):
    """{path: [subject]} of an archive's log."""
    log = archive.removesuffix(".tar") + ".log"
    found = collections.defaultdict(list)
    if not os.path.exists(log):
        return found
    with open(log, encoding="utf-8", errors="replace") as f:
        entries = f.read().split("\0")[1:]
    for entry in entries:
        subject, _, names = entry.partition("\n")
        subject = re.sub(r"\s*[(\[]?#\d+[)\]]?|^\w+(\([^)]*\))?!?:\s*|^\[[^\]]*\]\s*|^[A-Z]+-\d+:?\s*", "", subject).strip()
        if WORST.search(subject) or not subject.isascii() or not 4 <= len(words(subject)) <= 25:
            continue
        files = [n for n in names.split("\n") if n and readable(n)]
        if 1 <= len(files) <= 2:
            for name in files:
                found[name].append(subject)
    return found


def closest(subject, definitions):
    """The definition (name, signature, code) that shares most with the subject, or None."""
    asked = set(words(subject)) - STOP
    best, most = None, 0.0
    for name, signature, code in definitions:
        named = asked & set(words(name + " " + signature))
        inside = asked & set(words(code))
        share = (2 * len(named) + len(inside - named)) / (1 + len(asked))
        if share > most:
            best, most = (name, signature, code), share
    return best if most >= 0.5 else None
