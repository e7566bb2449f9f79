"""Searches portable code indexes: offline, without the source, in this process.

    import sextant

    index = sextant.Index.open("./index")
    for result in index.search("where is retry handled").results:
        print(result.path, result.start_line, result.qualified_name)

Every command of the program `sextant` is a method with the same parameters, and returns a dataclass of
`sextant.answers`. Indexes are built by `sextant-index`, which this package contains too.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Dict, Iterable, List, Optional, Union

from . import answers
from ._native import Error as _NativeError
from ._native import NativeIndex, __version__
from .commands import Commands

__all__ = ["Error", "Index", "__version__", "answers", "to_arrow"]


class Error(Exception):
    """A request that cannot be answered, or an index that cannot be opened. `hint` says what helps, if anything does."""

    def __init__(self, message: str, hint: Optional[str] = None):
        super().__init__(message)
        self.hint = hint


class Index(Commands):
    """An opened index. Threads may share it; a new build is seen when it is opened again."""

    def __init__(self, native: NativeIndex):
        self._native = native

    @classmethod
    def open(cls, folder: Union[str, "os.PathLike[str]"]) -> Index:
        """Opens an index folder.

        Raises Error if there is no index, or it is damaged or of another format.
        """
        try:
            # Parts are opened later, when the working folder may be another one.
            return cls(NativeIndex(os.path.abspath(folder)))
        except _NativeError as error:
            raise Error(*error.args) from None

    @property
    def content_id(self) -> str:
        """The content id: equal for equal content."""
        return self._native.content_id()

    def table(self, name: str):
        """The rows of a table as a `pyarrow.Table`: `files`, `symbols`, `chunks`, `edges` or `externals`.

        Numbers are those that are stored, which join the tables. Rows of older versions of files are left out.
        """
        import pyarrow
        import pyarrow.compute
        import pyarrow.parquet

        generation = Path(self._native.generation())
        own = generation / f"{name}.parquet"
        parts = []
        if name.isidentifier():
            parts = [own] if own.exists() else sorted(generation.glob(f"segments/*/{name}.parquet"))
        if not parts:
            raise Error(f"there is no table '{name}'", "the tables are files, symbols, chunks, edges, externals")
        rows = pyarrow.concat_tables([pyarrow.parquet.read_table(part) for part in parts])
        if own.exists():
            return rows
        directory = pyarrow.parquet.read_table(generation / "directory.parquet")
        column = "file_id"
        if name == "edges":
            column = "first_edge"
            directory = directory.filter(pyarrow.compute.greater(directory["edges"], 0))
        return rows.filter(pyarrow.compute.is_in(rows[column], value_set=directory[column].combine_chunks()))

    def call(self, name: str, parameters: Dict[str, Any]) -> Dict[str, Any]:
        """Answers a request by its name, as JSON. The methods do the same with types."""
        try:
            return json.loads(self._native.call(name, json.dumps(parameters)))
        except _NativeError as error:
            raise Error(*error.args) from None

    def find_definition(self, name: str, **parameters: Any) -> answers.Definitions:
        """Where a name is defined; `definition` by another name."""
        return self.definition(name, **parameters)

    def find_references(self, names: Union[str, List[str]], **parameters: Any) -> answers.ReferencesAnswer:
        """Where a symbol is used; `references` by another name."""
        return self.references([names] if isinstance(names, str) else names, **parameters)

    def workspace_symbols(self, query: str, **parameters: Any) -> answers.Symbols:
        """Symbols by a part of their name; `symbols` by another name."""
        return self.symbols(query, **parameters)

    def file_context(self, file: str, **parameters: Any) -> answers.ContextAnswer:
        """A file's symbols with their callers and callees; `context` by another name."""
        return self.context(file, **parameters)

    def semantic_search(self, query: str, **parameters: Any) -> answers.SearchAnswer:
        """A search by meaning only: `search` with the mode `vector`."""
        return self.search(query, mode="vector", **parameters)


def to_arrow(rows: Iterable[Any]):
    """A list of one answer's dataclasses, such as `search(...).results`, as a `pyarrow.Table`."""
    import dataclasses

    import pyarrow

    return pyarrow.Table.from_pylist([dataclasses.asdict(row) for row in rows])
