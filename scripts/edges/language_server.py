"""What a language server says of the names of a checkout: where they lead, and what is defined there.

A line of JSON for each file, in the form that `truth.FrontEndTruth` reads: bodies of functions, definitions with their
kinds, and uses with the places of their definitions. Run as `language_server.py LANGUAGE COMMAND FOLDER > OUT`.

Every file is opened and asked for its symbols. Then the server is asked for the definition of every word that is the
name of a symbol somewhere in the checkout: a name that it does not define cannot be confused with one that it does.
Where the server names several definitions, each of them is right.
"""
import asyncio
import contextlib
import json
import logging
import os
import re
import shlex
import sys
import time
import urllib.parse

import pygments.lexers
import pygments.token
from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

import sources

KINDS = {lsp.SymbolKind.Class: "class", lsp.SymbolKind.Method: "method", lsp.SymbolKind.Property: "field",
         lsp.SymbolKind.Field: "field", lsp.SymbolKind.Constructor: "constructor", lsp.SymbolKind.Enum: "enum",
         lsp.SymbolKind.Interface: "interface", lsp.SymbolKind.Function: "function", lsp.SymbolKind.Variable: "variable",
         lsp.SymbolKind.Constant: "constant", lsp.SymbolKind.EnumMember: "enum member", lsp.SymbolKind.Struct: "struct",
         lsp.SymbolKind.Module: "module", lsp.SymbolKind.Namespace: "module", lsp.SymbolKind.Package: "module",
         lsp.SymbolKind.TypeParameter: "type parameter"}
WITH_BODIES = {"function", "method", "constructor"}
# Where a server may stop: a line that imports, one that declares a variable and no more, and one that gives a name of
# the file another name. What is meant is elsewhere.
STOPS = re.compile(r"\brequire\b|^\s*local\s+[\w\s,]+(--.*)?$|^\s*[\w.]+\s*=\s*(?!nil\b|true\b|false\b)[A-Za-z_]\w*\s*,?\s*(--.*)?$")
# Languages in which a field is never used without a receiver: what a server calls one is a variable.
NEEDS_RECEIVER = {"lua"}
# Languages that declare no variables: which of its assignments a server names says nothing.
ASSIGNED_ONLY = {"bash"}
# Languages that name arguments by `name: value`: such a name is no use.
NAMES_ARGUMENTS = {"csharp", "dart", "php", "swift"}
# Words for the object or type around them: everybody knows them.
KEYWORDS = {"self", "Self", "static", "parent", "this", "super"}
# Seconds without a message and without work that the server told of: it is ready.
QUIET = 3.0
# Seconds until a server that was ended counts as gone.
STOPPING = 5.0
# At most so many questions are on their way at once.
AT_ONCE = 32
# Every so many answers, one is asked for again at the end.
AGAIN = 50


class Server:
    """A running server. Its messages tell when it is ready."""

    def __init__(self, folder):
        self.folder, self.heard, self.working = folder, time.monotonic(), set()
        self.client = LanguageClient("edge-accuracy", "1")
        protocol, handle = self.client.protocol, self.client.protocol.handle_message

        def hear(message):
            self.heard = time.monotonic()
            return handle(message)

        protocol.handle_message = hear
        feature = self.client.feature

        @feature(lsp.PROGRESS)
        def progress(params):
            kind = params.value.get("kind") if isinstance(params.value, dict) else getattr(params.value, "kind", "")
            (self.working.discard if kind == "end" else self.working.add)(params.token)

        @feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def begin(params):
            return None

        @feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def register(params):
            return None

        @feature(lsp.WORKSPACE_CONFIGURATION)
        def configuration(params):
            return [None] * len(params.items)

    async def start(self, command):
        await self.client.start_io(*command, cwd=self.folder)
        self.drain = asyncio.create_task(self.read_errors())
        uri = uri_of(self.folder)
        text = lsp.TextDocumentClientCapabilities(
            synchronization=lsp.TextDocumentSyncClientCapabilities(),
            definition=lsp.DefinitionClientCapabilities(link_support=True),
            document_symbol=lsp.DocumentSymbolClientCapabilities(hierarchical_document_symbol_support=True))
        await self.client.initialize_async(lsp.InitializeParams(
            process_id=os.getpid(), root_uri=uri, root_path=self.folder,
            workspace_folders=[lsp.WorkspaceFolder(uri=uri, name="checkout")],
            capabilities=lsp.ClientCapabilities(
                text_document=text, window=lsp.WindowClientCapabilities(work_done_progress=True),
                workspace=lsp.WorkspaceClientCapabilities(workspace_folders=True, configuration=True))))
        self.client.initialized(lsp.InitializedParams())
        await self.ready()

    async def read_errors(self):
        """What the server writes to stderr is ours, too; nobody may wait because nobody reads."""
        while line := await self.client._server.stderr.readline():
            sys.stderr.buffer.write(line)

    async def ready(self):
        while self.working or time.monotonic() - self.heard < QUIET:
            if self.client.stopped:
                sys.exit("language_server.py: the server ended")
            await asyncio.sleep(0.2)

    def open(self, path, text, language):
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(
            lsp.TextDocumentItem(uri=uri_of(os.path.join(self.folder, path)), language_id=language, version=1, text=text)))

    def close(self, path):
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(self.document(path)))

    def document(self, path):
        return lsp.TextDocumentIdentifier(uri_of(os.path.join(self.folder, path)))

    async def symbols(self, path, file):
        """(kind, name, place of the name, extent) of every symbol of a file, places in UTF-16."""
        found = await self.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(self.document(path)))
        flat, waiting = [], list(found or [])
        while waiting:
            one = waiting.pop()
            if isinstance(one, lsp.DocumentSymbol):
                waiting += one.children or []
                flat.append((KINDS.get(one.kind, "variable"), one.name, one.selection_range, one.range))
            else:
                flat.append((KINDS.get(one.kind, "variable"), one.name, name_range(file, one), one.location.range))
        return flat

    async def definitions(self, path, line, character):
        """(path or URI, line, character) of each definition of what stands at a place, all as the server counts."""
        found = await self.client.text_document_definition_async(
            lsp.DefinitionParams(self.document(path), lsp.Position(line, character)))
        found = [] if found is None else found if isinstance(found, (list, tuple)) else [found]
        places = []
        for one in found:
            uri, range = (one.target_uri, one.target_selection_range) if isinstance(one, lsp.LocationLink) else (one.uri, one.range)
            places.append((self.path_of(uri), range.start.line, range.start.character))
        return sorted(set(places))

    def path_of(self, uri):
        path = urllib.parse.unquote(urllib.parse.urlparse(uri).path)
        inside = os.path.relpath(path, self.folder)
        return uri if inside.startswith("..") else inside


def name_range(file, symbol):
    """Where the name of a symbol stands whose server tells its extent only."""
    extent = symbol.location.range
    line = file.lines[extent.start.line] if extent.start.line < len(file.lines) else ""
    at = line.find(symbol.name, len(line.encode("utf-16-le")[:2 * extent.start.character].decode("utf-16-le")))
    if at < 0:
        return extent
    start, end = utf16(line, at), utf16(line, at + len(symbol.name))
    return lsp.Range(lsp.Position(extent.start.line, start), lsp.Position(extent.start.line, end))


def uri_of(path):
    return "file://" + urllib.parse.quote(path)


def utf16(line, column):
    """A column in UTF-16 of one in characters."""
    return len(line[:column].encode("utf-16-le")) // 2


def words(file, language, wanted):
    """(line, column in characters, word) of every wanted word of the code, lines from 0: none of comments and strings,
    and no keywords."""
    code, lexer = list(file.text), pygments.lexers.get_lexer_by_name(language, stripnl=False, ensurenl=False)
    for at, kind, text in lexer.get_tokens_unprocessed(file.text):
        is_text = kind in pygments.token.Comment or kind in pygments.token.String and kind not in pygments.token.String.Interpol
        is_keyword = kind in pygments.token.Keyword and kind not in pygments.token.Keyword.Type
        if is_text or is_keyword:
            code[at:at + len(text)] = [char if char == "\n" else " " for char in text]
    for number, line in enumerate("".join(code).split("\n")):
        for found in re.finditer(r"[A-Za-z_]\w*", line):
            if found.group() in wanted:
                yield number, found.start(), found.group()


def use_of(line, start, word):
    """What a use looks like: its form, and what stands before it."""
    before, after = line[:start].rstrip("$ \t"), line[start + len(word):].lstrip()
    form = "call" if after.startswith("(") else "name"
    member = re.search(r"(\$?\w+|\S)\s*(\.|\?\.|->|\?->|::|:)$", before)
    if not member:
        return form, "none: type" if word[:1].isupper() else "none: name"
    receiver = member.group(1).lstrip("$")
    return form, "self" if receiver in ("this", "self", "static", "parent") else "result" if receiver in ")]" else "name"


async def main(language, command, folder):
    paths = sorted(os.path.relpath(os.path.join(where, name), folder) for where, folders, names in os.walk(folder)
                   if ".git" not in where.split(os.sep) for name in names if sources.is_of(language, os.path.join(where, name)))
    files = {path: sources.File(folder, path) for path in paths}
    server = Server(folder)
    await server.start(command)
    slots = asyncio.Semaphore(AT_ONCE)

    async def limited(question):
        async with slots:
            return await question

    defined = {}
    for path, file in files.items():
        server.open(path, file.text, sources.LANGUAGE_IDS.get(language, language))
        defined[path] = await server.symbols(path, file)
        server.close(path)
    await server.ready()
    wanted = {re.sub(r"^\W+", "", name).split("(")[0] for symbols in defined.values() for _, name, *_ in symbols}
    wanted -= KEYWORDS
    asked = {}
    for number, (path, file) in enumerate(files.items()):
        places = list(words(file, language, wanted))
        server.open(path, file.text, sources.LANGUAGE_IDS.get(language, language))
        answers = await asyncio.gather(*(limited(server.definitions(path, line, utf16(file.lines[line], column)))
                                         for line, column, _ in places))
        server.close(path)
        asked[path] = list(zip(places, answers))
        print(f"{number + 1}/{len(files)} {path}: {len(places)} words", file=sys.stderr)
    await ask_again(server, language, files, asked, limited)
    for path, line in documents(language, files, defined, asked):
        print(json.dumps({"path": path, **line}))
    sys.stdout.flush()
    # Some servers never answer a shutdown: what they had to say is said.
    server.client._server.kill()
    server.client._server._transport.close()
    with contextlib.suppress(Exception):
        await asyncio.wait_for(server.client.stop(), STOPPING)


async def ask_again(server, language, files, asked, limited):
    """Fails if the server says something else now: it was not ready, and its first answers count for nothing."""
    sample = [(path, place, answer) for path in asked for place, answer in asked[path]][::AGAIN]
    by_path = {}
    for path, place, answer in sample:
        by_path.setdefault(path, []).append((place, answer))
    changed = 0
    for path, places in by_path.items():
        server.open(path, files[path].text, sources.LANGUAGE_IDS.get(language, language))
        answers = await asyncio.gather(*(limited(server.definitions(path, line, utf16(files[path].lines[line], column)))
                                         for (line, column, _), _ in places))
        server.close(path)
        changed += sum(answer != before for answer, (_, before) in zip(answers, places))
    print(f"{len(sample)} places asked again, {changed} other answers", file=sys.stderr)
    if changed * 100 > len(sample):
        sys.exit("language_server.py: the server was not ready when it was asked")


def documents(language, files, defined, asked):
    """What is known of each file, in the form that `truth.FrontEndTruth` reads."""
    kinds, bodies, nearest = {}, {path: [] for path in files}, {}
    for path, symbols in defined.items():
        file = files[path]
        for kind, name, at, extent in symbols:
            line = file.lines[at.start.line] if at.start.line < len(file.lines) else ""
            # The sign of a variable may be a part of the extent, and is none of our name.
            start = at.start.character + (1 if line[at.start.character:].startswith("$") else 0)
            place = (path, at.start.line + 1, file.column(at.start.line, start))
            kinds[place] = kind
            for where in (at.start, extent.start):
                nearest.setdefault((path, where.line, where.character), place)
            has_body = (at.end.line, at.end.character) != (extent.end.line, extent.end.character)
            if kind in WITH_BODIES and not has_body:
                kinds[place] = "variable"
            elif kind in WITH_BODIES:
                bodies[path].append((at.end.line + 1, file.column(at.end.line, at.end.character),
                                     extent.end.line + 1, file.column(extent.end.line, extent.end.character)))
    uses = {path: [] for path in files}
    for path, answers in asked.items():
        file = files[path]
        for (line, column, word), places in answers:
            at, use = (path, line + 1, len(file.lines[line][:column].encode())), use_of(file.lines[line], column, word)
            before, after = file.lines[line][:column].rstrip(), file.lines[line][column + len(word):].lstrip()
            is_alone = not before or before.endswith(("(", ","))
            if language in NAMES_ARGUMENTS and is_alone and re.match(r":(?!:)", after):
                continue
            if file.lines[line][:column].endswith("\\"):
                if file.lines[line][column - 2:column - 1].isalnum():
                    continue  # a name of several parts has one place, its beginning, and the server's answer is the same
                at = (*at[:2], at[2] - 1)
            for where, target_line, character in places:
                if where in files and STOPS.search(files[where].lines[target_line]):
                    continue
                if where not in files:
                    target = f"{where}:{target_line + 1}"
                else:
                    place = nearest.get((where, target_line, character))
                    if place is None:
                        place = (where, target_line + 1, files[where].column(target_line, character))
                        kinds.setdefault(place, "variable")
                    if place == at:
                        continue
                    target = ":".join(map(str, place))
                    if kinds[place] == "variable" and language in ASSIGNED_ONLY:
                        continue
                    if kinds[place] == "field" and use[1].startswith("none") and language in NEEDS_RECEIVER:
                        kinds[place] = "variable"
                uses[path].append((*at[1:], target, *use))
    definitions = {path: [] for path in files}
    for (path, line, column), kind in sorted(kinds.items()):
        definitions[path].append((line, column, kind))
    for path in files:
        yield path, {"bodies": bodies[path], "definitions": definitions[path], "uses": uses[path]}


logging.getLogger("pygls").setLevel(logging.CRITICAL)
asyncio.run(main(sys.argv[1], shlex.split(sys.argv[2]), os.path.realpath(sys.argv[3])))
