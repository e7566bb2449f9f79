"""What a user does with an installed package: both programs, typed calls, errors, Arrow, threads, MCP."""

import concurrent.futures
import contextlib
import io
import json
import pathlib
import subprocess
import tempfile
import unittest

import sextant

SOURCE = '''"""A pool."""

MAX_TRIES = 3


class Session:
    """A connection that is in use."""

    def close(self, force: bool = False) -> None:
        """Closes it, and retries while the server is busy."""
        for attempt in range(MAX_TRIES):
            if self.try_close(attempt) or force:
                return

    def try_close(self, attempt: int) -> bool:
        return attempt > 1


def shut_down(sessions):
    for session in sessions:
        Session.close(session)
'''


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.folder.name)
        (root / "src").mkdir()
        (root / "src/pool.py").write_text(SOURCE)
        (root / "src/other.py").write_text("from pool import Session\n\n\ndef stop():\n    Session().close()\n")
        # Not indexed: what the tests write.
        (root / ".sextantignore").write_text("index\nagain\n.sextantignore\n")
        cls.root = root
        cls.run_program("sextant-index", "build", "app=.", "-o", "index", "--quiet")
        cls.index = sextant.Index.open(root / "index")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_program(cls, *command, **options):
        return subprocess.run(command, cwd=cls.root, check=True, capture_output=True, text=True, **options).stdout

    def test_programs_and_module_give_the_same_answer(self):
        printed = json.loads(self.run_program("sextant", "definition", "Session.close", "--index", "index", "--format", "json"))
        typed = self.index.find_definition("Session.close")
        self.assertIsInstance(typed, sextant.answers.Definitions)
        self.assertEqual([found.key for found in typed.results], [found["key"] for found in printed["results"]])
        self.assertEqual(self.index.call("definition", {"name": "Session.close"}), printed)
        self.assertIn(sextant.__version__, self.run_program("sextant", "--version"))
        self.assertIn(sextant.__version__, self.run_program("sextant-index", "--version"))

    def test_every_call_of_the_readme(self):
        hit = self.index.search("where is closing retried", limit=3).results[0]
        self.assertEqual((hit.path, hit.qualified_name), ("src/pool.py", "Session.close"))
        self.assertIsInstance(hit.score, float)
        uses = [use for group in self.index.find_references("Session.close").results for use in group.uses]
        self.assertEqual({use.path for use in uses}, {"src/pool.py", "src/other.py"})
        self.assertGreaterEqual(min(use.confidence for use in uses), 0.5)
        self.assertIn("force: bool", self.index.hover(["Session.close"]).results[0].signature)
        names = [symbol.name for symbol in self.index.file_context("src/pool.py").file.symbols]
        self.assertIn("try_close", names)
        self.assertEqual(self.index.workspace_symbols("shut_").results[0].name, "shut_down")
        self.assertTrue(self.index.semantic_search("close a connection").results)
        self.assertTrue(self.index.grep("MAX_TRIES").results)
        self.assertTrue(self.index.callers(["Session.close"]).results)
        self.assertEqual(self.index.stats().content_id, self.index.content_id)

    def test_the_readme_is_true(self):
        text = (pathlib.Path(__file__).parent / "README.md").read_text()
        blocks = [part.split("```")[0] for part in text.split("```python\n")[1:]]
        self.assertEqual(len(blocks), 2)
        scope = {}
        with contextlib.chdir(self.root) if hasattr(contextlib, "chdir") else contextlib.nullcontext():
            with contextlib.redirect_stdout(io.StringIO()) as printed:
                exec(blocks[0], scope)
        self.assertIn("src/pool.py 9 Session.close", printed.getvalue())
        scope["sextant"] = sextant
        exec(blocks[1], scope)
        self.assertGreater(scope["results"].num_rows, 0)

    def test_errors_have_hints(self):
        with self.assertRaises(sextant.Error) as caught:
            sextant.Index.open(self.root / "nowhere")
        self.assertIn("no index at", str(caught.exception))
        self.assertIn("sextant-index build", caught.exception.hint)
        with self.assertRaises(sextant.Error) as caught:
            self.index.call("definition", {"nothing": "x"})
        self.assertIn("missing field `name`", str(caught.exception))
        with self.assertRaises(sextant.Error):
            self.index.call("no-such-request", {})
        with self.assertRaises(TypeError):
            self.index.definition("x", no_such_parameter=1)

    def test_tables_and_answers_as_arrow(self):
        symbols = self.index.table("symbols")
        self.assertIn("shut_down", symbols.column("name").to_pylist())
        self.assertEqual(self.index.table("files").num_rows, 2)
        with self.assertRaises(sextant.Error):
            self.index.table("../files")
        rows = sextant.to_arrow(self.index.symbols("Sess").results)
        self.assertIn("Session", rows.column("name").to_pylist())

    def test_threads_share_an_index_and_a_new_build_needs_a_new_one(self):
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            found = list(pool.map(lambda _: self.index.search("close").results[0].key, range(64)))
        self.assertEqual(len(set(found)), 1)
        before = self.index.content_id
        other = self.root / "again"
        self.run_program("sextant-index", "build", "app=.", "-o", "again", "--quiet")
        opened = sextant.Index.open(other)
        self.assertEqual(opened.content_id, before)
        (self.root / "src/new.py").write_text("def added():\n    return 1\n")
        try:
            self.run_program("sextant-index", "build", "app=.", "-o", "again", "--quiet")
            self.assertFalse([found for found in opened.definition("added").results if found.score == 1])
            self.assertEqual(sextant.Index.open(other).definition("added").results[0].path, "src/new.py")
        finally:
            (self.root / "src/new.py").unlink()

    def test_the_program_speaks_mcp(self):
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
        lines = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        text = "".join(json.dumps(line) + "\n" for line in lines)
        process = subprocess.Popen(
            ["sextant", "mcp", "--index", "index"], cwd=self.root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        with process:
            process.stdin.write(text)
            process.stdin.flush()
            answers = [json.loads(process.stdout.readline()) for _ in range(2)]
            process.stdin.close()
        self.assertIn("explore", [tool["name"] for tool in answers[1]["result"]["tools"]])


if __name__ == "__main__":
    unittest.main()
