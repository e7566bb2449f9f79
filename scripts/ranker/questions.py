"""Makes questions of commits: the subject is the question, the files that the commit changed are the answers.

usage: questions.py [--long] [--lines] CLONE... > questions.jsonl
CLONE is a clone with its history. With --long the whole message is the question, where it has a body: long texts, as
reports are. Taken are commits that changed one to three files of code which still are there,
beside tests and documents, and whose subject says something. The index must be of the clone's HEAD.
With --lines only commits are taken that left two to eighty lines in one or two of these files, and
`lines` has them: pairs of path and line.
One JSON object a line: repo, question, answers (paths).
"""
import json
import os
import re
import subprocess
import sys

MOST_COMMITS = 1500
MOST_QUESTIONS = 12
CODE = set(
    "py rs go ts tsx js jsx java c h cc cpp hpp cs rb php kt scala swift lua ex exs hs ml dart zig jl sh".split()
)
BESIDE = re.compile(
    r"(^|/)(tests?|specs?|__tests__|examples?|docs?|bench\w*)(/|$)|[._-](test|spec)s?\.|Tests?\.\w+$|^test_", re.I
)
SAYS_NOTHING = re.compile(
    r"\b(bump|release|version|changelog|typo|readme|lint|format|merge|revert|ci|deps?|dependency|copyright|license"
    r"|clippy|warnings?)\b",
    re.I,
)


TRAILER = re.compile(r"^(\w+(-\w+)*-by|Change-Id|Fixes|Closes|Refs?|See|Link|Bug|Co-\w+-\w+)\b.*:|^\* ", re.I)
LEAST_BODY = 200
LINES = range(2, 81)
BLAMED = re.compile(r"^([0-9a-f]{40}) \d+ (\d+)", re.M)


def git(clone, *arguments):
    done = subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def body_of(lines):
    """The text of a message below its subject, without trailers; empty where it says little."""
    text = "\n".join(line for line in lines if not TRAILER.match(line)).strip()
    return text if len(text) >= LEAST_BODY and text.count("\n") >= 1 else ""


def lines_of(clone, commit, files):
    """The lines of HEAD that are as a commit left them."""
    for file in files:
        blame = git(clone, "blame", "-s", "-w", "--porcelain", "HEAD", "--", file)
        yield from ((file, int(line)) for known, line in BLAMED.findall(blame) if known == commit)


def questions(clone, are_long, wants_lines):
    files = git(clone, "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
    code = {file for file in files if file.rsplit(".", 1)[-1] in CODE}
    log = git(clone, "log", "--no-merges", f"-n{MOST_COMMITS}", "--format=%x01%H%n%s%n%b%x02", "--name-only")
    seen = set()
    for commit in log.split("\x01")[1:]:
        commit, _, rest = commit.partition("\n")
        message, _, changed = rest.partition("\x02")
        lines = [message.split("\n", 1)[0], *(line for line in changed.split("\n") if line)]
        body = body_of(message.split("\n")[1:])
        if are_long and not body:
            continue
        subject = re.sub(r"\s*\(?#\d+\)?", "", lines[0])
        subject = re.sub(r"^\w+(\([^)]*\))?!?:\s*", "", subject).strip()
        answers = [file for file in lines[1:] if file in code and not BESIDE.search(file)]
        if not 1 <= len(answers) <= 3 or len(lines) > 9 or not 4 <= len(subject.split()) or len(subject) > 120:
            continue
        if SAYS_NOTHING.search(subject) or subject.lower() in seen:
            continue
        lines = list(lines_of(clone, commit, answers)) if wants_lines and len(answers) <= 2 else []
        if wants_lines and len(lines) not in LINES:
            continue
        seen.add(subject.lower())
        question = {"question": f"{subject}\n\n{body}" if are_long else subject, "answers": answers}
        yield question | ({"lines": lines} if wants_lines else {})
        if len(seen) >= MOST_QUESTIONS:
            return


def main():
    options = {argument for argument in sys.argv[1:] if argument.startswith("--")}
    for clone in (argument for argument in sys.argv[1:] if argument not in options):
        repo = os.path.basename(os.path.normpath(clone))
        try:
            for question in questions(clone, "--long" in options, "--lines" in options):
                print(json.dumps({"repo": repo} | question))
        except subprocess.CalledProcessError as error:
            reason = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
            print(f"{clone}: its history is not whole: {reason}", file=sys.stderr)


main()
