"""The requests, as methods with typed parameters.

Written by scripts/python-types from the schemas of the requests; do not edit.
"""

from __future__ import annotations

from typing import Any, Dict, List, Optional

from . import answers
from .decode import decode


class Commands:
    """Every request as a method. A subclass says how a request is answered."""

    def call(self, name: str, parameters: Dict[str, Any]) -> Dict[str, Any]:
        raise NotImplementedError

    def search(
        self,
        query: str,
        *,
        limit: Optional[int] = None,
        mode: Optional[str] = None,
        strategy: Optional[str] = None,
        no_graph: Optional[bool] = None,
        no_vectors: Optional[bool] = None,
        rerank: Optional[bool] = None,
        min_score: Optional[float] = None,
        set: Optional[List[str]] = None,
        kind: Optional[List[str]] = None,
        language: Optional[List[str]] = None,
        path: Optional[List[str]] = None,
        repo: Optional[List[str]] = None,
        explain: Optional[bool] = None,
    ) -> answers.SearchAnswer:
        """Find code by a question, name, path, or long text such as an issue: symbols, and code between them, with the
        best lines, a score of 0 to 1, and the reason.

        query: The query
        limit: Maximum number of results [default: 10]
        mode: Retrievers to use [default: fusion]
        strategy: How to combine the retrievers' result lists [default: rrf]
        no_graph: Ignore the graph
        no_vectors: Ignore vectors
        rerank: Have a small model read the best results of a question or report again: slower, better for bug reports
        min_score: Leave out results whose score is lower, 0 to 1; without it, a query that fits nothing has no
            results
        set: Set a ranking weight; 'sextant config' lists the weights
        kind: Search only symbols of this kind, e.g. function, class
        language: Search only files in this language
        path: Search only files whose path matches this glob; `!GLOB` leaves them out
        repo: Search only this repository of the index
        explain: Show what each signal contributed to a score, and the graph path that raised it
        """
        parameters = {
            "query": query,
            "limit": limit,
            "mode": mode,
            "strategy": strategy,
            "no_graph": no_graph,
            "no_vectors": no_vectors,
            "rerank": rerank,
            "min_score": min_score,
            "set": set,
            "kind": kind,
            "language": language,
            "path": path,
            "repo": repo,
            "explain": explain,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.SearchAnswer, self.call("search", given))

    def explore(
        self,
        query: str,
        *,
        max_tokens: Optional[int] = None,
        mode: Optional[str] = None,
        strategy: Optional[str] = None,
        no_graph: Optional[bool] = None,
        no_vectors: Optional[bool] = None,
        rerank: Optional[bool] = None,
        min_score: Optional[float] = None,
        set: Optional[List[str]] = None,
        kind: Optional[List[str]] = None,
        language: Optional[List[str]] = None,
        path: Optional[List[str]] = None,
        repo: Optional[List[str]] = None,
    ) -> answers.Explore:
        """Start here with a question about the code: the source that answers it, with callers, callees, constants, call
        paths, relevant files, and what else fits.

        query: The question
        max_tokens: Maximum size of the answer in tokens of four bytes
        mode: Retrievers to use [default: fusion]
        strategy: How to combine the retrievers' result lists [default: rrf]
        no_graph: Ignore the graph
        no_vectors: Ignore vectors
        rerank: Have a small model read the best results of a question or report again: slower, better for bug reports
        min_score: Leave out results whose score is lower, 0 to 1; without it, a query that fits nothing has no
            results
        set: Set a ranking weight; 'sextant config' lists the weights
        kind: Search only symbols of this kind, e.g. function, class
        language: Search only files in this language
        path: Search only files whose path matches this glob; `!GLOB` leaves them out
        repo: Search only this repository of the index
        """
        parameters = {
            "query": query,
            "max_tokens": max_tokens,
            "mode": mode,
            "strategy": strategy,
            "no_graph": no_graph,
            "no_vectors": no_vectors,
            "rerank": rerank,
            "min_score": min_score,
            "set": set,
            "kind": kind,
            "language": language,
            "path": path,
            "repo": repo,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.Explore, self.call("explore", given))

    def hybrid_search(
        self,
        query: str,
        *,
        top_k: Optional[int] = None,
        fusion: Optional[bool] = None,
        depth: Optional[int] = None,
        max_nodes: Optional[int] = None,
        resolution: Optional[float] = None,
        weights: Optional[str] = None,
        config_overrides: Optional[Dict[str, Any]] = None,
        kind: Optional[List[str]] = None,
        language: Optional[List[str]] = None,
        path: Optional[List[str]] = None,
        repo: Optional[List[str]] = None,
    ) -> answers.HybridAnswer:
        """Groups of related symbols: what vectors find, with callers and references.

        query: The query
        top_k: Maximum number of clusters; the search begins with twice as many symbols
        fusion: Begin with what full text, names and vectors find together, not with vectors alone
        depth: Maximum number of edges from the symbols that were found
        max_nodes: Maximum number of symbols in the graph
        resolution: Resolution of the clustering; higher gives smaller clusters
        weights: Shares of text, centrality and proximity in a score [default: 0.4,0.35,0.25]
        config_overrides: Settings that override the parameters above
        kind: Search only symbols of this kind, e.g. function, class
        language: Search only files in this language
        path: Search only files whose path matches this glob; `!GLOB` leaves them out
        repo: Search only this repository of the index
        """
        parameters = {
            "query": query,
            "top_k": top_k,
            "fusion": fusion,
            "depth": depth,
            "max_nodes": max_nodes,
            "resolution": resolution,
            "weights": weights,
            "config_overrides": config_overrides,
            "kind": kind,
            "language": language,
            "path": path,
            "repo": repo,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.HybridAnswer, self.call("hybrid-search", given))

    def definition(
        self,
        name: str,
        *,
        kind: Optional[List[str]] = None,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> answers.Definitions:
        """Where a name is defined; if nowhere, similar names.

        name: The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for
            everything that a file defines
        kind: List definitions of this kind first, e.g. function, class
        from_: A file of the index: definitions that it imports, or that are near it, come first
        limit: Maximum number of results
        """
        parameters = {
            "name": name,
            "kind": kind,
            "from": from_,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.Definitions, self.call("definition", given))

    def references(
        self,
        names: List[str],
        *,
        kind: Optional[List[str]] = None,
        from_: Optional[str] = None,
        path: Optional[List[str]] = None,
        min_confidence: Optional[float] = None,
        context: Optional[int] = None,
        mentions: Optional[bool] = None,
        definitions: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> answers.ReferencesAnswer:
        """Where a symbol is used: each use with its line, kind, and how it was resolved.

        names: Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
        kind: Uses of this kind: call, import, type, inherit, implement, instantiate, decorate, reference, override,
            define, test
        from_: A file of the index: definitions that it imports, or that are near it, come first
        path: Only in files that match this glob
        min_confidence: Ignore uses below this confidence, 0 to 1; guesses by a name alone are below 0.5
        context: Number of lines to show before and after each use
        mentions: List lines with the name that no edge explains; else more than five are only counted
        definitions: Maximum number of definitions of the name
        limit: Maximum number of uses of each definition
        """
        parameters = {
            "names": names,
            "kind": kind,
            "from": from_,
            "path": path,
            "min_confidence": min_confidence,
            "context": context,
            "mentions": mentions,
            "definitions": definitions,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReferencesAnswer, self.call("references", given))

    def symbols(
        self,
        query: str,
        *,
        kind: Optional[List[str]] = None,
        language: Optional[List[str]] = None,
        path: Optional[List[str]] = None,
        repo: Optional[List[str]] = None,
        limit: Optional[int] = None,
    ) -> answers.Symbols:
        """Find symbols by a part of their names.

        query: The start or another part of a name, with or without its owners: `Sess`, `Session.cl`
        kind: Search only symbols of this kind, e.g. function, class
        language: Search only files in this language
        path: Search only files whose path matches this glob; `!GLOB` leaves them out
        repo: Search only this repository of the index
        limit: Maximum number of results
        """
        parameters = {
            "query": query,
            "kind": kind,
            "language": language,
            "path": path,
            "repo": repo,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.Symbols, self.call("symbols", given))

    def hover(
        self,
        names: List[str],
        *,
        from_: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> answers.Hovers:
        """Symbols at a glance: signature, documentation, location, members, number of uses.

        names: Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`
        from_: A file of the index: definitions that it imports, or that are near it, come first
        limit: Maximum number of definitions of each name
        """
        parameters = {
            "names": names,
            "from": from_,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.Hovers, self.call("hover", given))

    def callers(
        self,
        names: List[str],
        *,
        path: Optional[List[str]] = None,
        depth: Optional[int] = None,
        min_confidence: Optional[float] = None,
        limit: Optional[int] = None,
        context: Optional[int] = None,
        draw: Optional[str] = None,
    ) -> answers.ReachAnswer:
        """What calls a function or makes a type; with `depth` also their callers.

        names: Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for
            everything that a file defines. If several definitions have a name, all of them are used
        path: Only in files that match this glob
        depth: Maximum number of edges from the start [default: 1 for callers and callees, 3 for impact, 6 for
            affected]
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        limit: Maximum number of results
        context: Print each call with so many lines before and after
        draw: Draw the symbols in layers: what uses stands left of what is used
        """
        parameters = {
            "names": names,
            "path": path,
            "depth": depth,
            "min_confidence": min_confidence,
            "limit": limit,
            "context": context,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReachAnswer, self.call("callers", given))

    def callees(
        self,
        names: List[str],
        *,
        path: Optional[List[str]] = None,
        depth: Optional[int] = None,
        min_confidence: Optional[float] = None,
        limit: Optional[int] = None,
        draw: Optional[str] = None,
    ) -> answers.ReachAnswer:
        """What a function calls; with `depth` also what those call.

        names: Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for
            everything that a file defines. If several definitions have a name, all of them are used
        path: Only in files that match this glob
        depth: Maximum number of edges from the start [default: 1 for callers and callees, 3 for impact, 6 for
            affected]
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        limit: Maximum number of results
        draw: Draw the symbols in layers: what uses stands left of what is used
        """
        parameters = {
            "names": names,
            "path": path,
            "depth": depth,
            "min_confidence": min_confidence,
            "limit": limit,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReachAnswer, self.call("callees", given))

    def impact(
        self,
        names: List[str],
        *,
        path: Optional[List[str]] = None,
        depth: Optional[int] = None,
        min_confidence: Optional[float] = None,
        limit: Optional[int] = None,
        draw: Optional[str] = None,
    ) -> answers.ReachAnswer:
        """What a change to a symbol can affect: callers, users, subtypes.

        names: Symbols: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for
            everything that a file defines. If several definitions have a name, all of them are used
        path: Only in files that match this glob
        depth: Maximum number of edges from the start [default: 1 for callers and callees, 3 for impact, 6 for
            affected]
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        limit: Maximum number of results
        draw: Draw the symbols in layers: what uses stands left of what is used
        """
        parameters = {
            "names": names,
            "path": path,
            "depth": depth,
            "min_confidence": min_confidence,
            "limit": limit,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReachAnswer, self.call("impact", given))

    def affected(
        self,
        *,
        names: Optional[List[str]] = None,
        diff: Optional[str] = None,
        depth: Optional[int] = None,
        min_confidence: Optional[float] = None,
        limit: Optional[int] = None,
    ) -> answers.ReachAnswer:
        """The tests that a change of symbols or files, or a diff, affects.

        names: Symbols and files; without any, the command line reads a diff from standard input
        diff: A git diff from the indexed state
        depth: Maximum number of edges from the start [default: 1 for callers and callees, 3 for impact, 6 for
            affected]
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        limit: Maximum number of results
        """
        parameters = {
            "names": names,
            "diff": diff,
            "depth": depth,
            "min_confidence": min_confidence,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReachAnswer, self.call("affected", given))

    def review(
        self,
        diff: str,
        *,
        limit: Optional[int] = None,
        min_confidence: Optional[float] = None,
    ) -> answers.ReviewAnswer:
        """What to look at in a diff: callers to change, tests to run, repeated and novel code.

        diff: A git diff from the indexed state; the command line reads it from standard input
        limit: Maximum number of results of each kind
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        """
        parameters = {
            "diff": diff,
            "limit": limit,
            "min_confidence": min_confidence,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ReviewAnswer, self.call("review", given))

    def path(
        self,
        from_: str,
        to: str,
        *,
        min_confidence: Optional[float] = None,
        draw: Optional[str] = None,
    ) -> answers.PathAnswer:
        """The surest path along calls from one symbol to another.

        from_: The symbol at which the path starts
        to: The symbol at which it ends
        min_confidence: Ignore edges below this confidence, 0 to 1; guesses by a name alone are below 0.5
        draw: Draw the path from top to bottom
        """
        parameters = {
            "from": from_,
            "to": to,
            "min_confidence": min_confidence,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.PathAnswer, self.call("path", given))

    def related(
        self,
        name: str,
        *,
        limit: Optional[int] = None,
    ) -> answers.RelatedAnswer:
        """The symbols most closely connected to one in the graph.

        name: The symbol: `name`, `Owner.name` (also with `::` or `#`), `path:name`, `path:line`, or a path for
            everything that a file defines
        limit: Maximum number of results
        """
        parameters = {
            "name": name,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.RelatedAnswer, self.call("related", given))

    def outline(
        self,
        file: str,
        *,
        names: Optional[bool] = None,
        lines: Optional[str] = None,
        limit: Optional[int] = None,
    ) -> answers.OutlineAnswer:
        """What a file defines, as a tree.

        file: The file, or the end of its path
        names: Also list what the names in the file lead to, with their places (in JSON)
        lines: Only the symbols and names on these lines: `12` or `12-40`
        limit: Maximum number of symbols; fields, variables and inner ones are left out first
        """
        parameters = {
            "file": file,
            "names": names,
            "lines": lines,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.OutlineAnswer, self.call("outline", given))

    def show(
        self,
        names: List[str],
        *,
        with_: Optional[List[str]] = None,
        near: Optional[str] = None,
        context: Optional[int] = None,
        limit: Optional[int] = None,
        max_tokens: Optional[int] = None,
        spans: Optional[bool] = None,
    ) -> answers.ShowAnswer:
        """The source of symbols, files or ranges of lines. A name with several meanings gives their places.

        names: Symbols (`name`, `Owner.name`, `path:name`), files, or lines of files (`path:12`, `path:12-40`; lines
            alone are of the file before)
        with_: Also list what is connected with each symbol (repeatable, or separated by commas)
        near: Only lines near those that fit this pattern
        context: Lines before and after [with `near`: 3]
        limit: Maximum number of definitions to list of a name that several have
        max_tokens: Maximum tokens of source (four bytes each); what does not fit is cut, and named [default: 2000,
            and 4000 more for named lines]
        spans: Also list the classes of highlighting of the source: keywords, strings and so on (in JSON)
        """
        parameters = {
            "names": names,
            "with": with_,
            "near": near,
            "context": context,
            "limit": limit,
            "max_tokens": max_tokens,
            "spans": spans,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ShowAnswer, self.call("show", given))

    def grep(
        self,
        pattern: str,
        *,
        fixed: Optional[bool] = None,
        ignore_case: Optional[bool] = None,
        word: Optional[bool] = None,
        kind: Optional[List[str]] = None,
        language: Optional[List[str]] = None,
        path: Optional[List[str]] = None,
        repo: Optional[List[str]] = None,
        without_tests: Optional[bool] = None,
        context: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> answers.GrepAnswer:
        """The lines of the source that match a pattern or a fixed string.

        pattern: A regular expression (Rust's `regex`), or a string with `fixed`
        fixed: Treat the pattern as a plain string
        ignore_case: Ignore case
        word: Match whole words only
        kind: Search only symbols of this kind, e.g. function, class
        language: Search only files in this language
        path: Search only files whose path matches this glob; `!GLOB` leaves them out
        repo: Search only this repository of the index
        without_tests: Leave out tests
        context: Lines before and after each
        limit: Maximum number of lines to show; all are counted
        """
        parameters = {
            "pattern": pattern,
            "fixed": fixed,
            "ignore_case": ignore_case,
            "word": word,
            "kind": kind,
            "language": language,
            "path": path,
            "repo": repo,
            "without_tests": without_tests,
            "context": context,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.GrepAnswer, self.call("grep", given))

    def context(
        self,
        file: str,
        *,
        detail: Optional[str] = None,
        depth: Optional[int] = None,
        min_confidence: Optional[float] = None,
        without_symbols: Optional[bool] = None,
        commits: Optional[int] = None,
    ) -> answers.ContextAnswer:
        """A file before a change: symbols with callers and callees, imports, and what imports it.

        file: The file, or the end of its path
        detail: Level of detail
        depth: Number of calls to follow from each symbol
        min_confidence: Ignore edges below this confidence, 0 to 1
        without_symbols: Leave out the symbols: only imports, what imports the file, its parts, and counts
        commits: Maximum number of the newest commits that changed the file
        """
        parameters = {
            "file": file,
            "detail": detail,
            "depth": depth,
            "min_confidence": min_confidence,
            "without_symbols": without_symbols,
            "commits": commits,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.ContextAnswer, self.call("context", given))

    def map(
        self,
        *,
        path: Optional[str] = None,
        max_tokens: Optional[int] = None,
        communities: Optional[bool] = None,
        without_tests: Optional[bool] = None,
        draw: Optional[str] = None,
    ) -> answers.MapAnswer:
        """The modules, what others use of them, their dependencies, and the most used symbols.

        path: Show only this folder
        max_tokens: Maximum size of the answer in tokens of four bytes
        communities: Add communities: files that use each other and are alike, with their terms; and the modules that
            are most alike
        without_tests: Leave out files of tests
        draw: Draw the modules in layers: what uses stands above what is used
        """
        parameters = {
            "path": path,
            "max_tokens": max_tokens,
            "communities": communities,
            "without_tests": without_tests,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.MapAnswer, self.call("map", given))

    def endpoints(
        self,
        *,
        pattern: Optional[str] = None,
        path: Optional[List[str]] = None,
        unserved: Optional[bool] = None,
        limit: Optional[int] = None,
    ) -> answers.EndpointsAnswer:
        """HTTP routes, gRPC methods and topics: who serves, who asks.

        pattern: A part of the name, or `GET /users/{id}`
        path: Only in files that match this glob
        unserved: Only what nothing serves
        limit: Maximum number of endpoints
        """
        parameters = {
            "pattern": pattern,
            "path": path,
            "unserved": unserved,
            "limit": limit,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.EndpointsAnswer, self.call("endpoints", given))

    def duplicates(
        self,
        *,
        min_lines: Optional[int] = None,
        generated: Optional[bool] = None,
        limit: Optional[int] = None,
        path: Optional[List[str]] = None,
    ) -> answers.DuplicatesAnswer:
        """Functions that are copies or near copies of each other.

        min_lines: Lines that a function must have
        generated: Include generated files
        limit: Maximum number of groups
        path: Only files that match this glob; a glob without `/` matches names in any folder
        """
        parameters = {
            "min_lines": min_lines,
            "generated": generated,
            "limit": limit,
            "path": path,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.DuplicatesAnswer, self.call("duplicates", given))

    def vectors(
        self,
        function: str,
        *,
        inputs: Optional[List[str]] = None,
        query: Optional[str] = None,
        unlike: Optional[str] = None,
        filter: Optional[str] = None,
        min_score: Optional[float] = None,
        limit: Optional[int] = None,
        lines: Optional[int] = None,
        threshold: Optional[float] = None,
        draw: Optional[str] = None,
    ) -> answers.VectorsAnswer:
        """What vectors of files know: near files, lines that match, changes of subject, novelty, clusters, outliers,
        terms.

        function: What to compute
        inputs: Texts for `nearest`, `contrast` and `difference` (`@FILE` reads one, on the command line only); for
            the others files of the index: paths, folders or globs
        query: For `explain`, the question, name or other file that the lines of the file should match
        unlike: For `contrast`, the other text
        filter: Only files that fit this glob; one without `/` fits names. A path or folder is a glob, too
        min_score: Only files with at least this cosine
        limit: Maximum number of results
        lines: Lines of a window [default: 30 for boundaries, 20 for explain]
        threshold: The smallest shift of `boundaries`, 0 to 2, or the lowest cosine of two files in one of `clusters`
            [default: 0.3 and 0.8]
        draw: Output format of `similarity` and `plot`
        """
        parameters = {
            "function": function,
            "inputs": inputs,
            "query": query,
            "unlike": unlike,
            "filter": filter,
            "min_score": min_score,
            "limit": limit,
            "lines": lines,
            "threshold": threshold,
            "draw": draw,
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.VectorsAnswer, self.call("vectors", given))

    def stats(
        self,
    ) -> answers.StatsAnswer:
        """What the index contains: repositories, languages, edges, skipped files.

        """
        parameters = {
        }
        given = {name: value for name, value in parameters.items() if value is not None}
        return decode(answers.StatsAnswer, self.call("stats", given))
