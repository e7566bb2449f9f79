"""A language server for tests: it answers from a text search over the workspace, or behaves badly.

    server.py MODE    MODE: good, silent, slow, crash, garbage, huge, wrong, asks, deaf, child, loading, empty, outside, calls
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import time
import urllib.parse

MODE = sys.argv[1]
ROOT = pathlib.Path.cwd()


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()


def read():
    length = None
    while line := sys.stdin.buffer.readline().strip():
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    if length is None:
        sys.exit(0)
    return json.loads(sys.stdin.buffer.read(length))


def word_at(params):
    path = urllib.parse.unquote(urllib.parse.urlparse(params["textDocument"]["uri"]).path)
    line = pathlib.Path(path).read_text().split("\n")[params["position"]["line"]]
    at = params["position"]["character"]
    return next((m.group() for m in re.finditer(r"\w+", line) if m.start() <= at <= m.end()), None)


def references(params):
    word = word_at(params)
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        for number, line in enumerate(path.read_text().split("\n")):
            for match in re.finditer(rf"\b{word}\b", line):
                start, end = match.span()
                found.append({
                    "uri": path.as_uri(),
                    "range": {"start": {"line": number, "character": start}, "end": {"line": number, "character": end}},
                })
    return found


def place(path, number, start, end):
    line = {"line": number}
    return {"uri": path.as_uri(), "range": {"start": {**line, "character": start}, "end": {**line, "character": end}}}


def whole_lines(at):
    return {"start": {"line": at["start"]["line"], "character": 0}, "end": at["end"]}


def definitions(word):
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        for number, line in enumerate(path.read_text().split("\n")):
            if match := re.match(rf"\s*(?:def|class) ({word})\b", line):
                found.append((line, place(path, number, *match.span(1))))
    return found


def symbols_of(params):
    path = pathlib.Path(urllib.parse.unquote(urllib.parse.urlparse(params["textDocument"]["uri"]).path))
    found = []
    for number, line in enumerate(path.read_text().split("\n")):
        if match := re.match(r"\s*(def|class) (\w+)", line):
            at = place(path, number, *match.span(2))["range"]
            kind = 5 if match.group(1) == "class" else 12
            end = {"line": number + 1, "character": 100}
            whole = {"start": {"line": number, "character": 0}, "end": end}
            found.append({"name": match.group(2), "kind": kind, "range": whole, "selectionRange": at})
    return found


def answer(message):
    method, params = message["method"], message.get("params")
    if method == "textDocument/references":
        if MODE == "crash":
            print("out of luck", file=sys.stderr, flush=True)
            os._exit(3)
        if MODE == "garbage":
            sys.stdout.buffer.write(b"Traceback (most recent call last):\n  oh no\n" * 10)
            sys.stdout.buffer.flush()
            time.sleep(60)
        if MODE == "huge":
            sys.stdout.buffer.write(b"Content-Length: 104857600\r\n\r\n" + b" " * 104857600)
            sys.stdout.buffer.flush()
        if MODE == "empty":
            return []
        if MODE == "slow":
            time.sleep(30)
        if MODE == "wrong":
            far = {"line": 4294967295, "character": 4294967295}
            places = [ROOT / "app.py", ROOT / "none.py", pathlib.Path("/etc/passwd")]
            return [{"uri": place.as_uri(), "range": {"start": far, "end": far}} for place in places] + [
                {"uri": "http://example.org/", "range": {"start": {"line": 0, "character": 0}, "end": far}}
            ]
        return references(params)
    if method == "textDocument/hover":
        return {"contents": {"kind": "markdown", "value": f"live: {word_at(params)}"}}
    if method == "textDocument/documentSymbol":
        return symbols_of(params)
    if method == "textDocument/definition":
        if "ASKED_LOG" in os.environ:
            with open(os.environ["ASKED_LOG"], "a") as log:
                log.write(f"{word_at(params)}\n")
        if MODE == "outside":
            return [place(pathlib.Path("/usr/lib/other.py"), 0, 0, 1)]
        if MODE == "crash":
            os._exit(3)
        return [at for _, at in definitions(word_at(params))][:1]
    if method == "workspace/symbol":
        return [
            # The whole line, as some servers answer.
            {"name": params["query"], "kind": 12, "location": {**at, "range": whole_lines(at["range"])}}
            for _, at in definitions(params["query"])
        ]
    if method == "textDocument/prepareCallHierarchy":
        at = params["position"]
        return [{"name": word_at(params), "kind": 12, "uri": params["textDocument"]["uri"], "range": {"start": at, "end": at},
                 "selectionRange": {"start": at, "end": at}}]
    if method == "callHierarchy/incomingCalls":
        found = []
        for path in sorted(ROOT.rglob("*.py")):
            for number, line in enumerate(path.read_text().split("\n")):
                for match in re.finditer(rf"(?<!def )\b{params['item']['name']}\(", line):
                    # The caller is said to be the module.
                    here = place(path, number, match.start(), match.end())
                    module = place(path, 0, 0, 0)
                    found.append({"from": {"name": path.stem, "kind": 2, "uri": path.as_uri(), "range": module["range"],
                                           "selectionRange": module["range"]}, "fromRanges": [here["range"]]})
        return found
    return None


def main():
    waiting = {}
    if MODE == "child":
        child = subprocess.Popen(["sleep", "1000"], stdin=subprocess.DEVNULL)
        (ROOT / "child.pid").write_text(str(child.pid))
    while True:
        message = read()
        if "method" not in message:
            waiting.pop(message["id"], None)
            continue
        if message["method"] == "initialize":
            if MODE == "silent":
                continue
            names = ["references", "hover", "documentSymbol", "definition", "workspaceSymbol"]
            if MODE == "calls":
                names.append("callHierarchy")
            capabilities = {f"{name}Provider": True for name in names}
            send({"id": message["id"], "result": {"capabilities": capabilities}})
            if MODE == "loading":
                send({"method": "$/progress", "params": {"token": 1, "value": {"kind": "begin", "title": "Loading"}}})
            if MODE == "asks":
                for number, method in enumerate(["workspace/configuration", "client/registerCapability", "x/unknown"]):
                    waiting[f"q{number}"] = method
                    send({"id": f"q{number}", "method": method, "params": {"items": [{"section": "python"}]}})
            if MODE == "deaf":
                time.sleep(1000)
        elif message["method"] == "exit":
            sys.exit(0)
        elif "id" in message:
            if MODE == "asks" and waiting:
                send({"id": message["id"], "error": {"code": 1, "message": f"unanswered: {sorted(waiting.values())}"}})
                continue
            send({"id": message["id"], "result": answer(message)})


main()
