"""Makes questions of commits: the subject is the question, the files that the commit changed are the answers.

usage: questions.py CLONE... > questions.jsonl
CLONE is a clone with its history. Taken are commits that changed one to three files of code which still are there,
beside tests and documents, and whose subject says something. The index must be of the clone's HEAD.
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


def git(clone, *arguments):
    done = subprocess.run(["git", "-C", clone, *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8", "replace")


def questions(clone):
    files = git(clone, "ls-tree", "-r", "--name-only", "-z", "HEAD").split("\0")
    code = {file for file in files if file.rsplit(".", 1)[-1] in CODE}
    log = git(clone, "log", "--no-merges", f"-n{MOST_COMMITS}", "--format=%x01%s", "--name-only")
    seen = set()
    for commit in log.split("\x01")[1:]:
        lines = [line for line in commit.split("\n") if line]
        if not lines:
            continue
        subject = re.sub(r"\s*\(?#\d+\)?", "", lines[0])
        subject = re.sub(r"^\w+(\([^)]*\))?!?:\s*", "", subject).strip()
        answers = [file for file in lines[1:] if file in code and not BESIDE.search(file)]
        if not 1 <= len(answers) <= 3 or len(lines) > 9 or not 4 <= len(subject.split()) or len(subject) > 120:
            continue
        if SAYS_NOTHING.search(subject) or subject.lower() in seen:
            continue
        seen.add(subject.lower())
        yield subject, answers
        if len(seen) >= MOST_QUESTIONS:
            return


def main():
    for clone in sys.argv[1:]:
        repo = os.path.basename(os.path.normpath(clone))
        for question, answers in questions(clone):
            print(json.dumps({"repo": repo, "question": question, "answers": answers}))


main()
