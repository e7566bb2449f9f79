"""Answers of the requests, as dataclasses.

Written by scripts/python-types from the schemas of the requests; do not edit.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional


@dataclass(frozen=True)
class SearchAnswer:
    """The results of a search."""

    # The query as given.
    query: str

    # The time that the search took in the library, in milliseconds.
    took_ms: float

    # The class of the query: symbol, path, natural or report.
    class_: str = field(metadata={"name": "class"})

    # The probability, 0 to 1, that the query is about the index.
    fit: float

    # Whether that is enough; if not, the results are only the nearest that there are.
    fits: bool

    # How the retrievers' result lists were combined.
    strategy: str

    # What the search used: text, vectors, symbols, graph.
    available: List[str]

    # What was unavailable, so that the search ran without it.
    degraded: List[str]

    # Words of the query that do not occur in the index, with the words searched for instead.
    corrections: List[Correction]

    # The results, best first.
    results: List[Hit]


@dataclass(frozen=True)
class Correction:
    """A spelling correction."""

    # The word in the query.
    original: str

    # The word that was searched for instead.
    corrected: str


@dataclass(frozen=True)
class Hit:
    """A result."""

    # Its position, from 1.
    rank: int

    # Its score, 0 to 1: the probability that the query is about the index, times the result's share of the best
    # result's score.
    score: float

    # Why it was found, in words.
    reason: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The language.
    language: str

    # Its kind: function, class, section and so on.
    kind: str

    # The chunk's key, which `show` accepts: it stays the same as long as its file has it.
    key: str

    # Further matching chunks of the same file that are not results of their own.
    related_hits: List[RelatedHit]

    # The lines that match the query best.
    snippet: str

    # The signals that make up the score.
    signals: Signals

    # The name of the index, if there are several.
    index: Optional[str] = field(default=None)

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The symbol's name; null for text between symbols.
    name: Optional[str] = field(default=None)

    # The symbol's name with its owners.
    qualified_name: Optional[str] = field(default=None)

    # The chunk that contains it.
    parent: Optional[ParentChunk] = field(default=None)

    # The block in a long symbol that fits about as well as the whole, from which the snippet is taken. Absent if none
    # does.
    block: Optional[RelatedHit] = field(default=None)

    # Summary by a language model; absent if the index was not enriched.
    summary: Optional[ChunkSummary] = field(default=None)

    # The number of the snippet's first line; null if the snippet is not contiguous.
    snippet_line: Optional[int] = field(default=None)


@dataclass(frozen=True)
class ParentChunk:
    """The chunk that contains a result."""

    # The chunk's key.
    key: str

    # Its kind.
    kind: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its symbol's name; null for text between symbols.
    name: Optional[str] = field(default=None)

    # Its symbol's name with its owners.
    qualified_name: Optional[str] = field(default=None)

    # Its symbol's head: the source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # Summary by a language model; absent if the index was not enriched.
    summary: Optional[ChunkSummary] = field(default=None)


@dataclass(frozen=True)
class ChunkSummary:
    """A summary of a chunk by a language model: a claim, not a fact."""

    # One to three sentences.
    summary: str

    # Search words.
    keywords: List[str]

    # The model that wrote it.
    model: str

    # The purpose or category; null for blocks.
    purpose: Optional[str] = field(default=None)


@dataclass(frozen=True)
class RelatedHit:
    """A further matching chunk of a result's file."""

    # The chunk's key.
    key: str

    # Its kind.
    kind: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its symbol's name with its owners.
    qualified_name: Optional[str] = field(default=None)


@dataclass(frozen=True)
class Signals:
    """The signals that make up a result's score."""

    # The share of full-text search in the fused score.
    text: float

    # The share of vector search in the fused score.
    vector: float

    # The share of symbol search in the fused score.
    symbol: float

    # The factor for matches of the file's stem and folders.
    path: float

    # The factor for how exactly the name matches.
    name: float

    # The factor that demotes blocks, and tests and prose that the query does not ask for.
    demotion: float

    # Added if the query contains its qualified name.
    exact: float

    # What was added for the text of the query, word for word.
    verbatim: float

    # Added for further hits in the same file.
    file: float

    # Added by PageRank personalised to the best hits.
    graph: float

    # The path in the graph from one of the best hits, if the graph found or raised the chunk.
    graph_path: List[GraphStep]

    # The BM25 score of full-text search; null if it did not find the chunk.
    bm25: Optional[float] = field(default=None)

    # The cosine similarity of the vectors; null if vector search did not find the chunk.
    cosine: Optional[float] = field(default=None)

    # How exactly a name matches; null if symbol search did not find the chunk.
    name_score: Optional[float] = field(default=None)

    # The features of its file, if the query ranks files. Their sum of contributions orders the files.
    file_features: List[Feature] = field(default_factory=list)

    # Its features among the chunks of its file, if the query ranks files. Their sum of contributions orders the
    # chunks of a file.
    chunk_features: List[Feature] = field(default_factory=list)

    # The log-odds that the reranker added to its file's score, if it read the file.
    rerank: Optional[float] = field(default=None)


@dataclass(frozen=True)
class Feature:
    """A feature by which files, or the chunks of a file, are ranked."""

    # Its name.
    feature: str

    # Its value.
    value: float

    # What it adds to the file's score: the value times the weight.
    contribution: float


@dataclass(frozen=True)
class GraphStep:
    """A step of a path in the graph."""

    # The symbol's qualified name.
    symbol: str

    # The kind of the edge to the next symbol.
    edge: str


@dataclass(frozen=True)
class Explore:
    """The answer of `explore`."""

    # The question.
    query: str

    # The probability, 0 to 1, that the question is about the index.
    fit: float

    # Whether that is enough; if not, only the nearest candidates are listed.
    fits: bool

    # The entry points with source, best first.
    entries: List[Entry]

    # The constants whose values the question names, such as the keys of a configuration.
    keys: List[AskedKey]

    # The constants and variables that the shown functions use.
    constants: List[Constant]

    # Call paths between entry points.
    paths: List[List[PathStep]]

    # The relevant files, the most important first.
    files: List[RelevantFile]

    # What fits too, best first, without source.
    not_shown: List[Candidate]

    # The number of further candidates, which are not listed.
    not_listed: int

    # What was unavailable, so that the search ran without it.
    degraded: List[str]


@dataclass(frozen=True)
class Entry:
    """An entry point."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its kind.
    kind: str

    # Its score, 0 to 1, as in a search.
    score: float

    # Copies and near copies of it in other files, which are not listed themselves.
    copies: List[Location]

    # The lines that are shown: all, or those that fit the question best.
    source: List[SourcePart]

    # The number of its lines that are not shown. Those of a type's members do not count.
    cut_lines: int

    # Its members, if it is a type whose members have lines of their own.
    members: List[Member]

    # The number of further members, which are not listed.
    more_members: int

    # The symbols that call it.
    callers: List[Neighbour]

    # Whether there are more callers than listed.
    more_callers: bool

    # The symbols that it calls.
    callees: List[Neighbour]

    # Whether there are more callees than listed.
    more_callees: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The symbol's name with its owners; null for text between symbols.
    qualified_name: Optional[str] = field(default=None)

    # The text before its body, on one line, shortened if it is long.
    signature: Optional[str] = field(default=None)

    # The first sentence of its documentation, shortened if it is long.
    doc: Optional[str] = field(default=None)

    # The lines of the block that fits best, if it is a long function. Absent if no block is known.
    best_lines: Optional[LineRange] = field(default=None)

    # Whether these call a method that it overrides or implements instead, so that they may call it: nothing is known
    # to call it itself. Absent if not.
    called_through_base: Optional[bool] = field(default=None)

    # What implements or overrides methods that it calls, where these are few: which one runs depends on the receiver.
    # Absent if there is nothing.
    possible_callees: List[Neighbour] = field(default_factory=list)


@dataclass(frozen=True)
class LineRange:
    """Some lines of a file."""

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int


@dataclass(frozen=True)
class Location:
    """A range of lines in a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class SourcePart:
    """Consecutive lines of a file."""

    # The number of the first line, from 1.
    start_line: int

    # The number of the last line, inclusive.
    end_line: int

    # The lines.
    text: str


@dataclass(frozen=True)
class Member:
    """A member of a type."""

    # Its name.
    name: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int


@dataclass(frozen=True)
class Neighbour:
    """A caller or callee."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The number of calls between it and the symbol in question.
    depth: int

    # The key of the symbol at the other end of the last call.
    via: str

    # The kind of the last edge.
    edge: str

    # How the reference behind the last edge was resolved.
    resolution: str

    # The product of the confidences of the calls between the two, 0 to 1.
    confidence: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # For callers, where it was looked up: the first line of the call, from 1, in the file of this symbol.
    edge_line: Optional[int] = field(default=None)


@dataclass(frozen=True)
class AskedKey:
    """A constant whose value a question names."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # Its definition as one line, if it is short; else the first line.
    text: str

    # Uses of it and of constants that are defined as it, those outside of functions first.
    uses: List[KeyUse]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class KeyUse:
    """A use of a key."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The text of the line, with that of the next ones as far as its parentheses go on.
    text: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class Constant:
    """A constant or variable."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # Its definition as one line, if it is short; else the first line.
    text: str

    # The number of symbols that use it.
    users: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class PathStep:
    """A step of a path."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # The kind of the edge from the previous symbol; null for the first symbol.
    edge: Optional[str] = field(default=None)

    # How the reference behind that edge was resolved; null for the first symbol.
    resolution: Optional[str] = field(default=None)

    # The confidence of that edge, 0 to 1; null for the first symbol.
    confidence: Optional[float] = field(default=None)


@dataclass(frozen=True)
class RelevantFile:
    """A relevant file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The names of its symbols that were found.
    symbols: List[str]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class Candidate:
    """Something that fits a question."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its kind.
    kind: str

    # Its score, 0 to 1, as in a search.
    score: float

    # Copies and near copies of it in other files, which are not listed themselves.
    copies: List[Location]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The symbol's name with its owners; null for text between symbols.
    qualified_name: Optional[str] = field(default=None)

    # The text before its body, on one line, shortened if it is long.
    signature: Optional[str] = field(default=None)

    # The first sentence of its documentation, shortened if it is long.
    doc: Optional[str] = field(default=None)

    # The lines of the block that fits best, if it is a long function. Absent if no block is known.
    best_lines: Optional[LineRange] = field(default=None)


@dataclass(frozen=True)
class HybridAnswer:
    """The clusters of a hybrid search."""

    # The query as given.
    query: str

    # An id of this answer: `hs-`, the date, the number of the search in this process.
    query_id: str

    # The time that the search took, in milliseconds.
    execution_time_ms: int

    # The time of each stage, in milliseconds.
    stages_ms: HybridStages

    # Where the relations come from.
    live: LiveShare

    # What was missing.
    notes: List[str]

    # The clusters, best first.
    results: List[HybridCluster]


@dataclass(frozen=True)
class HybridStages:
    """The time of each stage of a hybrid search, in milliseconds."""

    # Finding the symbols to begin with.
    seeds: float

    # Following their relations.
    expansion: float

    # Finding the clusters.
    clustering: float

    # Ranking them.
    ranking: float


@dataclass(frozen=True)
class LiveShare:
    """Where the relations of a hybrid search come from."""

    # Symbols whose relations a language server named.
    live_symbols: int

    # Symbols whose relations the index named.
    index_symbols: int

    # Edges that a language server named.
    live_edges: int

    # Edges that the index named.
    index_edges: int

    # The language servers, and how far each is.
    servers: List[ServerState]


@dataclass(frozen=True)
class ServerState:
    """How far a language server is."""

    # Its name, or a language for which there is none.
    server: str

    # Its state: ready, starting, indexing, not installed and so on.
    state: str


@dataclass(frozen=True)
class HybridCluster:
    """Symbols that belong together."""

    # Its id within the answer.
    cluster_id: str

    # The score of its best symbol.
    score: float

    # A title made from its best symbols and the folder that all share.
    title: str

    # Its symbols, best first.
    symbols: List[HybridSymbol]

    # The relations between them.
    edges: List[HybridEdge]


@dataclass(frozen=True)
class HybridSymbol:
    """A symbol of a cluster."""

    # Its id: the path, the name and the line.
    id: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    file_path: str

    # Where it is: in the index, or in the checkout if the index does not have it.
    range: SymbolRange

    # Its score: the weighted sum of its signals.
    score: float

    # The relevance of its text, 0 to 1.
    text: float

    # Its PageRank within the cluster, divided by the largest there.
    centrality: float

    # 1 for a symbol that the query found, 1 / (1 + d) for one that d relations lead to from there, else 0.
    proximity: float

    # Whether the query found it; else relations led to it.
    is_seed: bool

    # The symbol's key; null if only a language server knows it.
    key: Optional[str] = field(default=None)

    # Its source, at most 8,000 bytes.
    raw_code: Optional[str] = field(default=None)

    # Whether the source was cut; absent if it was not.
    truncated: Optional[bool] = field(default=None)

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class SymbolRange:
    """A range of a file."""

    # Its start.
    start: SymbolPosition

    # Its end.
    end: SymbolPosition


@dataclass(frozen=True)
class SymbolPosition:
    """A place in a file."""

    # The line, from 1.
    line: int

    # The column in bytes, from 0.
    char: int


@dataclass(frozen=True)
class HybridEdge:
    """A relation between two symbols of a cluster."""

    # The id of the first symbol.
    from_: str = field(metadata={"name": "from"})

    # The id of the second.
    to: str

    # The relation: the first calls, inherits or imports the second, or references: it is referred to by the second.
    type: str

    # Whether a language server named it, as opposed to the index.
    live: bool


@dataclass(frozen=True)
class Definitions:
    """The definitions of a name."""

    # How the names match: exact; other_kind, if none is of the requested kind; prefix; part; or fuzzy.
    match_kind: str

    # The definitions, the most likely first.
    results: List[FoundDefinition]

    # Whether there are more results than listed.
    truncated: bool

    # With `live`: definitions of exactly this name that only a language server names. Absent if there are none.
    live_only: List[LivePlace] = field(default_factory=list)

    # With `live`: how language servers were asked.
    live: Optional[LiveReport] = field(default=None)


@dataclass(frozen=True)
class FoundDefinition:
    """A definition of a name."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # How well the name fits, 0 to 1: 1 less the letters that differ (Levenshtein distance), as a share of the longer
    # name's. 1 is the name as it was asked for.
    score: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # The qualified name of the symbol that contains it.
    container: Optional[str] = field(default=None)


@dataclass(frozen=True)
class LivePlace:
    """A place that a language server names and the index does not, or only as a guess."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The column in bytes, from 0; `null` for a symbol.
    column: Optional[int] = field(default=None)

    # The text of the line; `null` for a symbol.
    text: Optional[str] = field(default=None)

    # The key of the symbol that is there, or around it; `null` if the index does not have it.
    key: Optional[str] = field(default=None)

    # The qualified name of this symbol; `null` if there is none.
    qualified_name: Optional[str] = field(default=None)

    # Its kind.
    kind: Optional[str] = field(default=None)


@dataclass(frozen=True)
class LiveReport:
    """How language servers were asked."""

    # The number of questions: one for each definition, at most ten, and one for each language in which a name was
    # looked for.
    asked: int

    # The number of questions that a server answered.
    answered: int

    # Why the others have no answer, or why none was asked.
    unanswered: List[str]

    # The time that it took.
    milliseconds: int

    # The language servers, and how far each is.
    servers: List[ServerState]


@dataclass(frozen=True)
class ReferencesAnswer:
    """Uses of symbols."""

    # The definitions, each with its uses.
    results: List[ReferencesOf]

    # The external symbols that have the name, each with its uses, if no definition in the index has it, and those
    # that another index defines by it.
    externals: List[ExternalUses]

    # Whether there are more definitions or uses than listed.
    truncated: bool

    # Lines that contain the name although no edge explains them; `null` if only uses of one kind were requested, or
    # the name is too common to be examined.
    mentions: Optional[Mentions] = field(default=None)

    # The same for the further ones of several names. Absent if there are none.
    more_mentions: List[Mentions] = field(default_factory=list)

    # Names of several that nothing has. Absent if there are none.
    not_found: List[NotFound] = field(default_factory=list)

    # With `live`: how language servers were asked.
    live: Optional[LiveReport] = field(default=None)


@dataclass(frozen=True)
class ReferencesOf:
    """The uses of a definition."""

    # The definition.
    definition: Definition

    # The number of uses, including those not listed.
    total: int

    # The uses, ordered by file and line.
    uses: List[Reference]

    # Of an interface or trait: the types that implement it, the nearest first, whether or not they name it. Absent if
    # none is known.
    subtypes: List[Definition] = field(default_factory=list)

    # Whether there are more of these. Absent if not.
    more_subtypes: Optional[bool] = field(default=None)

    # With `live`: uses that only a language server names. Absent if there are none.
    live_only: List[LivePlace] = field(default_factory=list)


@dataclass(frozen=True)
class Definition:
    """A definition with its location."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class Reference:
    """A use."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its column: the offset in bytes, from 0.
    column: int

    # The line's text.
    text: str

    # The kind of use: call, import, type, inherit and so on.
    kind: str

    # The qualified name of the innermost symbol that contains it.
    container: str

    # The key of that symbol.
    container_key: str

    # The kind of that symbol; `file` for a use outside all other symbols.
    container_kind: str

    # How the reference was resolved.
    resolution: str

    # The probability that the resolution is right, 0 to 1.
    confidence: float

    # Whether it is in test code.
    is_test: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The lines around it and itself, without blank ones; empty if `context` was not requested.
    context: List[SourceLine] = field(default_factory=list)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class SourceLine:
    """A numbered line."""

    # Its number, from 1.
    line: int

    # Its text.
    text: str


@dataclass(frozen=True)
class ExternalUses:
    """The uses of an external symbol."""

    # The symbol.
    external: External

    # The number of uses, including those not listed.
    total: int

    # The uses, ordered by file and line.
    uses: List[Reference]


@dataclass(frozen=True)
class External:
    """An external symbol: used, but not defined in the index."""

    # Its fully qualified name as far as it is known.
    name: str

    # The language, or family of languages, that uses it.
    family: str

    # The number of references to it.
    uses: int

    # The module, as imports name it; null if unknown.
    module: Optional[str] = field(default=None)

    # The key of its definition in another index. Absent if no index that was asked defines it.
    definition: Optional[str] = field(default=None)


@dataclass(frozen=True)
class Mentions:
    """Lines of code outside of comments that contain a name as a whole word, are no definition of it, and have no edge for it: uses that were not resolved, or other things of the same name."""

    # The name.
    name: str

    # The number of lines.
    total: int

    # Lines, if they were requested; of `callers` the first eight. Those of tests come last.
    lines: List[Mention]


@dataclass(frozen=True)
class Mention:
    """A line that contains a name."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The line's text.
    text: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class NotFound:
    """The answer for a name that no definition has."""

    # The requested name.
    name: str

    # Similar names.
    suggestions: List[str]

    # Always empty.
    results: List[Any]

    # `references` and `callers`: lines of code that contain the name all the same. Absent if there are none.
    mentions: Optional[Mentions] = field(default=None)


@dataclass(frozen=True)
class Symbols:
    """Symbols whose names match a text."""

    # The symbols, the most likely first.
    results: List[Definition]

    # Whether there are more results than listed.
    truncated: bool


@dataclass(frozen=True)
class Hovers:
    """Descriptions of symbols."""

    # The symbols, the most likely first.
    results: List[Hover]

    # Whether there are more results than listed.
    truncated: bool

    # With `live`: how language servers were asked.
    live: Optional[LiveReport] = field(default=None)


@dataclass(frozen=True)
class Hover:
    """The description of a symbol."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The language.
    language: str

    # Whether it is visible outside its file or package.
    exported: bool

    # The number of symbols that call it.
    callers: int

    # The number of symbols that it calls.
    callees: int

    # The number of symbols that use it in any way.
    users: int

    # The types of the index that its signature names.
    types: List[Definition]

    # Its members.
    members: List[Definition]

    # The types that extend or implement it, the nearest first, of these tests last.
    subtypes: List[Definition]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # Its documentation, without comment markers.
    doc: Optional[str] = field(default=None)

    # Summary by a language model; absent if the index was not enriched.
    summary: Optional[ChunkSummary] = field(default=None)

    # The qualified name of the symbol that contains it.
    container: Optional[str] = field(default=None)

    # Whether there are more of these. Absent if not.
    more_subtypes: Optional[bool] = field(default=None)

    # With `live`: what a language server tells about it. Absent if none answered.
    live_text: Optional[str] = field(default=None)


@dataclass(frozen=True)
class ReachAnswer:
    """Symbols reached from a start."""

    # The definitions that the name resolves to: the start.
    definitions: List[Definition]

    # The external symbols that the name resolves to, if no definition in the index has it, and those that another
    # index defines by it.
    externals: List[External]

    # The reached symbols, by depth, then by descending confidence.
    results: List[ReachedSymbol]

    # Whether there are more results than listed.
    truncated: bool

    # Direct `callers` and `callees`: methods through which calls may lead. For callers those that the definitions
    # override or implement; for callees those that are called and that others override or implement. Absent if there
    # are none.
    through: List[Through] = field(default_factory=list)

    # What may call the definitions, or what they may call, by dispatch: which method runs depends on the receiver.
    # `via` is the key of a method of `through`. Absent if there is nothing.
    possible: List[ReachedSymbol] = field(default_factory=list)

    # With `draw`: the symbols in layers. Absent without it.
    drawing: Optional[Drawing] = field(default=None)

    # Names of several that nothing has. Absent if there are none.
    not_found: List[NotFound] = field(default_factory=list)

    # `callers`: lines that contain the name of a function that was asked for, and that no edge explains: direct calls
    # that the index may have missed. Absent if there are none, or if the name is in too many places to be examined.
    mentions: List[Mentions] = field(default_factory=list)

    # `affected`: test files whose vectors are near to those of the changed files, and in which the graph found no
    # test: guesses. Absent if there are none.
    near_tests: List[ScoredFile] = field(default_factory=list)

    # `callers` with `live`: direct callers that only a language server names. Absent if there are none.
    live_only: List[LivePlace] = field(default_factory=list)

    # With `live`: how language servers were asked.
    live: Optional[LiveReport] = field(default=None)


@dataclass(frozen=True)
class ReachedSymbol:
    """A reached symbol."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The number of edges from the start.
    depth: int

    # The key of the symbol at the other end of the last edge, one step nearer to the start.
    via: str

    # The kind of the last edge.
    edge: str

    # How the reference behind the last edge was resolved.
    resolution: str

    # The product of the confidences of the path's edges, 0 to 1.
    confidence: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # The lines on which the last edge is written, from 1, in the file of its source: for `callers` and `impact` the
    # file of this symbol, for `callees` that of `via`. Absent where an edge has no line of its own.
    edge_lines: List[int] = field(default_factory=list)

    # With `context`: these lines with those around them. Without it, if `callers` lists at most 20 symbols: the first
    # two, with the lines that begin the blocks and branches in which they are. Else absent.
    context: List[SourceLine] = field(default_factory=list)


@dataclass(frozen=True)
class Through:
    """A method through which calls may lead."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The key of the definition that overrides or implements it, or that calls it.
    of: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class Drawing:
    """A picture: its size in pixels, and elements of SVG."""

    # What it shows, for those who do not see it.
    label: str

    # Its width.
    width: int

    # Its height.
    height: int

    # The colours of groups: the first group has the first, and after the last they begin again.
    colours: List[str]

    # Its elements, the lowest first.
    elements: List[Element]


@dataclass(frozen=True)
class Element:
    """An element of SVG."""

    # Its name: g, rect, path, line, text or title.
    name: str

    # Its attributes. A group with `data-key` is the box of the symbol or the module of that key; `data-node` is its
    # position, which lines name in `data-from` and `data-to`.
    attributes: Dict[str, str]

    # The text in it. Absent if there is none.
    text: Optional[str] = field(default=None)

    # The elements in it. Absent if there are none.
    children: List[Dict[str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class ScoredFile:
    """A file with a score."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The cosine, -1 to 1.
    score: float

    # Whether the file's vector is that of its names only, because none of its chunks has one.
    from_names: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class ReviewAnswer:
    """What to look at in a change."""

    # The innermost symbols that the diff changes.
    changed: List[Definition]

    # The files at whose changed lines the index has no symbol.
    unknown: List[str]

    # What calls the changed symbols and is neither changed nor a test.
    callers: List[ReachedSymbol]

    # Whether there are more callers than listed.
    more_callers: bool

    # The tests that the change can affect.
    tests: List[ReachedSymbol]

    # Whether there are more tests than listed.
    more_tests: bool

    # Test files whose vectors are near to those of the changed files, and in which the graph found no test: guesses.
    near_tests: List[ScoredFile]

    # Files that the diff does not change, although at least five commits and 70 percent of those that changed one of
    # its files changed them, too. Empty without a git history.
    usually_changed_too: List[UsuallyChanged]

    # How new the added lines of each file are, compared with all files that the diff does not change.
    novelty: NoveltyAnswer

    # Functions that added lines repeat.
    repeated: List[RepeatedFunction]

    # What was unavailable.
    degraded: List[str]


@dataclass(frozen=True)
class UsuallyChanged:
    """A file that usually changes with one of a diff."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The path of the file of the diff.
    with_: str = field(metadata={"name": "with"})

    # The number of commits that changed both.
    commits: int

    # The number of commits that changed the file of the diff.
    of_commits: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class NoveltyAnswer:
    """How new files are."""

    # The mean over the files.
    score: float

    # The files, the newest first.
    files: List[NovelFile]


@dataclass(frozen=True)
class NovelFile:
    """How new a file is."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # 1 minus the cosine with the nearest file outside of the set, 0 to 2.
    score: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # That file; null if there is none.
    nearest: Optional[ScoredFile] = field(default=None)


@dataclass(frozen=True)
class RepeatedFunction:
    """A function that added lines repeat."""

    # The path of the file with the added lines.
    by: str

    # The share of the function's fingerprints that are in the added lines, 0 to 1.
    share: float

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its name with its owners.
    qualified_name: str

    # Whether it is test code.
    is_test: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class PathAnswer:
    """A path along calls."""

    # The symbols from first to last; empty if there is no path.
    steps: List[PathStep]

    # With `draw`: the path from top to bottom. Absent without it.
    drawing: Optional[Drawing] = field(default=None)


@dataclass(frozen=True)
class RelatedAnswer:
    """Symbols that are closely connected to a start."""

    # The definitions that the name resolves to: the start.
    definitions: List[Definition]

    # The symbols, by descending association.
    results: List[Related]


@dataclass(frozen=True)
class Related:
    """A symbol that is closely connected to the start."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The strength of the connection, 0 to 1.
    association: float

    # The key of the previous symbol on the strongest path from the start.
    via: str

    # The kind of the strongest edge between the two.
    edge: str

    # Whether that edge points from `via` to this symbol.
    is_from_via: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class OutlineAnswer:
    """The answer of `outline`."""

    # The files.
    results: List[Outline]


@dataclass(frozen=True)
class Outline:
    """The outline of a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # Its symbols, in source order.
    symbols: List[OutlineSymbol]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # With `names`: what the names in the file lead to, each once. Absent without it.
    targets: List[Definition] = field(default_factory=list)

    # With `names`: the names in the file whose targets the index knows, in source order. Absent without it.
    names: List[NamedPlace] = field(default_factory=list)


@dataclass(frozen=True)
class OutlineSymbol:
    """A symbol of an outline."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The number of symbols of the file that enclose it.
    depth: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # The number of symbols in it, at any depth, that `limit` leaves out. Absent if there are none.
    left_out: Optional[int] = field(default=None)


@dataclass(frozen=True)
class NamedPlace:
    """A name in a file."""

    # Its line, from 1.
    line: int

    # Its column: the offset in bytes, from 0.
    column: int

    # Its length in bytes.
    length: int

    # Index of its target in `targets`, the likeliest if there are several.
    target: int

    # The kind of use; absent where the target is defined.
    edge: Optional[str] = field(default=None)

    # How the reference was resolved; absent where the target is defined.
    resolution: Optional[str] = field(default=None)

    # The probability that the resolution is right, 0 to 1; absent where the target is defined.
    confidence: Optional[float] = field(default=None)


@dataclass(frozen=True)
class ShowAnswer:
    """The answer of `show`."""

    # The excerpts, in the order of the request.
    results: List[Excerpt]

    # Names that may mean several things, of which none is shown.
    ambiguous: List[Ambiguous]

    # Names that nothing has.
    not_found: List[NotFound]

    # With `max_tokens`: the lines that are cut, each an argument of `show`. Absent if none are.
    cut: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class Excerpt:
    """An excerpt of a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The language.
    language: str

    # The lines.
    text: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The symbol, if the request named one.
    symbol: Optional[Definition] = field(default=None)

    # The qualified name of the innermost symbol around the first line, if the request named lines that do not have
    # its beginning. Absent if there is none, or if it ends among the lines and others begin after it.
    within: Optional[str] = field(default=None)

    # The function that has the last line and ends after it, if the request named lines. Absent if there is none.
    goes_on: Optional[GoesOn] = field(default=None)

    # With `spans`: the classes of highlighting, line by line. Absent without it, and where none are known: in a text
    # without a grammar, without the program `sextant-index`, or if it takes too long.
    spans: List[List[Any]] = field(default_factory=list)

    # The symbols that call it, or use it if it cannot be called; absent if not requested.
    callers: Optional[List[Neighbour]] = field(default=None)

    # What calls a method that it overrides or implements, and so may call it; absent if callers are not requested, or
    # if there is nothing.
    possible_callers: List[Neighbour] = field(default_factory=list)

    # The symbols that it calls; absent if not requested, unless it has hardly a body and hands its work on.
    callees: Optional[List[Neighbour]] = field(default=None)

    # What may run where it calls a method that others override or implement, or a field that is a function; absent if
    # there is nothing, or callees are absent.
    possible_callees: List[Neighbour] = field(default_factory=list)

    # The constants that it uses; if not requested, at most three whose lines say their values, and absent if there is
    # none.
    constants: Optional[List[Constant]] = field(default=None)

    # The tests that a change to it can affect; absent if not requested.
    tests: Optional[List[Neighbour]] = field(default=None)


@dataclass(frozen=True)
class GoesOn:
    """A function of which lines do not show the end."""

    # Its qualified name.
    qualified_name: str

    # Its last line.
    end_line: int


@dataclass(frozen=True)
class Ambiguous:
    """A name that may mean several things."""

    # The name, as requested.
    name: str

    # The definitions that have it, the most likely first.
    definitions: List[Definition]

    # The number of further definitions, which are not listed.
    more_definitions: int

    # The files that it may mean.
    files: List[FileLocation]


@dataclass(frozen=True)
class FileLocation:
    """A file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class GrepAnswer:
    """The answer of `grep`."""

    # The pattern.
    pattern: str

    # The number of matching lines, including those not listed.
    lines: int

    # The number of files with matching lines, including those not listed.
    files: int

    # The files with their matching lines.
    results: List[FileMatches]

    # Further files with matching lines, of which none is listed: the first ones. Absent if there are none.
    more_files: List[FileCount] = field(default_factory=list)

    # The alternatives of the pattern (`b` of `a|b`) that no line matches. Absent if there are none.
    unmatched: List[str] = field(default_factory=list)


@dataclass(frozen=True)
class FileMatches:
    """The matching lines of a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The lines, in ascending order.
    lines: List[LineMatch]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # With `context`: the lines around these, ascending, without them. Without it, if at most 20 lines match in all:
    # the lines that begin the blocks and branches in which these are. Absent if there are none.
    context: List[SourceLine] = field(default_factory=list)

    # The number of further matching lines of the file, which are not listed. Absent if there are none.
    more_lines: Optional[int] = field(default=None)

    # Whether it is test code. Absent if not.
    is_test: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class LineMatch:
    """A matching line."""

    # Its number, from 1.
    line: int

    # The column of its first match: the offset in bytes, from 0.
    column: int

    # Its text.
    text: str

    # The qualified name of the innermost symbol that contains it.
    symbol: Optional[str] = field(default=None)

    # What the match is, as far as the index knows: definition, or the kind of a use (call, import, type and so on);
    # comment if the line begins like one and the index knows nothing of the match.
    role: Optional[str] = field(default=None)


@dataclass(frozen=True)
class FileCount:
    """How many lines of a file match."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The number of matching lines.
    lines: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class ContextAnswer:
    """The answer of `context`."""

    # The file; null if the index has no file of that path.
    file: Optional[Context] = field(default=None)


@dataclass(frozen=True)
class Context:
    """A file with its imports, symbols and calls."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The language.
    language: str

    # The number of its lines.
    lines: int

    # The paths of the files that it imports.
    imports: List[str]

    # The paths of the files that import it.
    imported_by: List[str]

    # Its symbols, in source order.
    symbols: List[ContextSymbol]

    # The number of its references with a known target.
    resolved: int

    # The number of its references with several candidates.
    ambiguous: int

    # The number of its references to external symbols.
    external: int

    # The number of its references without a known target.
    unresolved: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # What the git history says of it; absent if the index has none.
    history: Optional[FileHistory] = field(default=None)

    # Its parts by subject, as `vectors boundaries` finds them; absent if there is one part or no encoder, and in
    # brief.
    parts: List[Part] = field(default_factory=list)


@dataclass(frozen=True)
class ContextSymbol:
    """A symbol of a file."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The number of symbols of the file that enclose it.
    depth: int

    # The symbols that it calls, 20 at most.
    calls: List[Neighbour]

    # The symbols that call it, 20 at most.
    callers: List[Neighbour]

    # Names that it uses and that are external or not resolved, as written.
    unresolved_names: List[str]

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)

    # Whether it calls more.
    has_more_calls: Optional[bool] = field(default=None)

    # Whether more call it.
    has_more_callers: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class FileHistory:
    """What the git history of an index says of a file. It has the newest commits of a repository only."""

    # The number of commits that changed it.
    count: int

    # When the oldest commit was made that the index has of the repository, as a date and time in UTC.
    since: str

    # The newest commits that changed it, newest first.
    commits: List[Commit]

    # The files that changed together with it in two or more commits, the most frequent first.
    changes_with: List[ChangesWith]


@dataclass(frozen=True)
class Commit:
    """A commit."""

    # Its hash.
    commit: str

    # When it was made, as a date and time in UTC.
    date: str

    # The name of its author.
    author: str

    # The first paragraph of its message.
    subject: str

    # The number of files of the index that it changed.
    files: int


@dataclass(frozen=True)
class ChangesWith:
    """A file that changed together with another."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The number of commits that changed both.
    commits: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class Part:
    """A part of a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # How much the subject changes after it: 1 minus the cosine of the lines before and after, 0 to 2; null for the
    # last part.
    shift: Optional[float] = field(default=None)

    # The first symbol that begins in it; null if none does.
    symbol: Optional[str] = field(default=None)


@dataclass(frozen=True)
class MapAnswer:
    """The answer of `map`."""

    # The modules, the one with the most symbols first.
    modules: List[Module]

    # The dependencies between modules, the strongest first.
    connections: List[Connection]

    # The symbols that the most files use.
    important: List[Export]

    # Communities, if they are asked for; absent otherwise.
    communities: Optional[Communities] = field(default=None)

    # With `draw`: the modules in layers. Absent without it.
    drawing: Optional[Drawing] = field(default=None)


@dataclass(frozen=True)
class Module:
    """A module: a folder of files."""

    # The repository's name.
    repo: str

    # The folder; `.` for the repository's root.
    path: str

    # The number of its files.
    files: int

    # The number of their lines.
    lines: int

    # The number of symbols that they define.
    symbols: int

    # Its languages, the most frequent first.
    languages: List[LanguageCount]

    # Whether most of its files are tests.
    is_test: bool

    # Its symbols that other modules use, the most used first.
    exports: List[Export]


@dataclass(frozen=True)
class LanguageCount:
    """A language with its number of files."""

    # The language.
    language: str

    # The number of files.
    files: int


@dataclass(frozen=True)
class Export:
    """A symbol that other files use."""

    # Its key: it names this symbol in every command, and stays the same as long as its file has it.
    key: str

    # Its name.
    name: str

    # Its name with its owners.
    qualified_name: str

    # Its kind.
    kind: str

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Whether it is test code.
    is_test: bool

    # The number of other files that use it.
    used_by: int

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)

    # The source text before the body, on one line.
    signature: Optional[str] = field(default=None)

    # With `live`: a language server names it, too. Absent if none does, or none was asked.
    live: Optional[bool] = field(default=None)

    # With `live`: its line in the checkout, if that is another one.
    line_now: Optional[int] = field(default=None)


@dataclass(frozen=True)
class Connection:
    """A dependency between two modules."""

    # The folder of the module that uses the other.
    from_: str = field(metadata={"name": "from"})

    # The folder of the module that is used.
    to: str

    # The number of pairs of symbols of which one uses the other.
    uses: int

    # The position of the using module in [`MapAnswer::modules`].
    from_module: int

    # The position of the used module in [`MapAnswer::modules`].
    to_module: int


@dataclass(frozen=True)
class Communities:
    """Files that use each other and are alike."""

    # Those with the most files first.
    communities: List[Community]

    # The number of further ones with at least three files.
    not_listed: int

    # The number of files that belong to none.
    alone: int

    # The modularity of all communities, -0.5 to 1.
    modularity: float

    # The pairs of modules that are most alike, best first.
    couplings: List[Coupling]


@dataclass(frozen=True)
class Community:
    """A community."""

    # The terms that distinguish it, best first; empty without an encoder.
    terms: List[str]

    # The number of its files.
    files: int

    # The folders with the most of its files.
    folders: List[CommunityFolder]

    # The number of its folders that are not listed.
    more_folders: int

    # The positions of the modules most of whose files in a community are in this one.
    modules: List[int]


@dataclass(frozen=True)
class CommunityFolder:
    """A folder of a community."""

    # The repository's name.
    repo: str

    # The folder; `.` for the repository's root.
    path: str

    # The number of its files in the community.
    files: int


@dataclass(frozen=True)
class Coupling:
    """Two modules that are alike."""

    # The position of one in `modules`.
    a: int

    # The position of the other.
    b: int

    # The cosine of their vectors, -1 to 1.
    cosine: float


@dataclass(frozen=True)
class EndpointsAnswer:
    """Endpoints, those of HTTP in the order of their paths."""

    # The endpoints.
    endpoints: List[Endpoint]

    # The number of all that fit, listed or not.
    total: int


@dataclass(frozen=True)
class Endpoint:
    """An endpoint with who serves and who asks it."""

    # `http`, `grpc` or `topic`.
    family: str

    # Method and path with `{}` for parameters, service and method, or topic.
    name: str

    # The code that handles it; empty if nothing in the indexes does.
    handlers: List[EndpointUse]

    # The code that asks it.
    requests: List[EndpointUse]


@dataclass(frozen=True)
class EndpointUse:
    """A place that serves or asks an endpoint."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The function with its owners; the path of the file outside of functions.
    symbol: str

    # Whether it is test code.
    is_test: bool

    # How sure it is that a request means this endpoint, 0 to 1.
    confidence: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class DuplicatesAnswer:
    """Groups of functions that are copies or near copies of each other."""

    # The groups, those with the most lines first.
    groups: List[DuplicateGroup]

    # The number of all groups, listed or not.
    total: int

    # The number of functions that were compared.
    compared: int

    # Whether vectors helped to compare them.
    with_vectors: bool


@dataclass(frozen=True)
class DuplicateGroup:
    """Functions that are copies of each other."""

    # Whether all have the same tokens.
    identical: bool

    # The smallest share of fingerprints by which two of them were joined, 0 to 1.
    similarity: float

    # The lines that would be gone if only the longest one were kept.
    lines: int

    # The functions.
    members: List[Duplicate]


@dataclass(frozen=True)
class Duplicate:
    """A function that has copies."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # Its name with its owners.
    qualified_name: str

    # Whether it is test code.
    is_test: bool

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class VectorsAnswer:
    """What vectors know. Of the fields after `degraded`, those of the function are present."""

    # The function.
    function: str

    # What was unavailable, so that nothing could be computed.
    degraded: List[str]

    # `nearest`, `near-files`, `contrast`: the files near to each input. `difference`: those near to the direction
    # from the first text to the second, and to the opposite direction.
    near: Optional[List[Near]] = field(default=None)

    # `difference`: 1 minus the cosine of the two texts, 0 to 2.
    distance: Optional[float] = field(default=None)

    # `explain`: the lines of the file that are nearest to the query, best first.
    windows: Optional[List[Window]] = field(default=None)

    # `boundaries`: the parts of the file, in order.
    parts: Optional[List[Part]] = field(default=None)

    # `novelty`: how new the files are.
    novelty: Optional[NoveltyAnswer] = field(default=None)

    # `similarity`: the cosines of folders or files.
    matrix: Optional[Matrix] = field(default=None)

    # `centroid`: the middle of the files.
    centroid: Optional[CentroidAnswer] = field(default=None)

    # `clusters`: the largest first.
    clusters: Optional[FileClusters] = field(default=None)

    # `outliers`: the farthest first.
    outliers: Optional[List[OutlierFile]] = field(default=None)

    # `terms`: best first.
    terms: Optional[List[TermOfFiles]] = field(default=None)

    # `coverage`.
    coverage: Optional[VectorCoverage] = field(default=None)

    # `stale`.
    stale: Optional[Stale] = field(default=None)

    # `plot`.
    plot: Optional[PlotAnswer] = field(default=None)


@dataclass(frozen=True)
class Near:
    """Files near to something."""

    # To what: the text, the files, or a direction.
    to: str

    # The files, best first.
    files: List[ScoredFile]


@dataclass(frozen=True)
class Window:
    """Lines of a file."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first line, from 1.
    start_line: int

    # The last line, inclusive.
    end_line: int

    # The cosine, -1 to 1.
    score: float

    # Their text.
    text: str

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class Matrix:
    """Similarities of folders or files."""

    # The folders or files.
    names: List[str]

    # The number of files behind each.
    files: List[int]

    # The cosine of each pair, row by row.
    cosines: List[List[float]]

    # The number of folders that are left out.
    left_out: int


@dataclass(frozen=True)
class CentroidAnswer:
    """The middle of files."""

    # The unit vector.
    vector: List[float]

    # The number of files in it.
    included: int

    # The files nearest to it, best first.
    nearest: List[ScoredFile]


@dataclass(frozen=True)
class FileClusters:
    """Clusters of files."""

    # The clusters of at least two files, the largest first.
    clusters: List[List[FileLocation]]

    # The number of further ones, which are not listed.
    not_listed: int

    # The number of files that are near to no other.
    single: int


@dataclass(frozen=True)
class OutlierFile:
    """A file that is far from the others."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # Its mean cosine with the other files.
    mean_cosine: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class TermOfFiles:
    """A term."""

    # The words of a name.
    term: str

    # Its cosine with what distinguishes the files.
    score: float

    # The number of the files that define such a name.
    files: int

    # The first of them.
    source: FileLocation


@dataclass(frozen=True)
class VectorCoverage:
    """How many files have a vector."""

    # The number of files.
    files: int

    # Those whose chunks have a vector.
    from_chunks: int

    # Those whose vector is that of their names only.
    from_names: int

    # The share of files with a vector, 0 to 1.
    coverage: float

    # The folders with files.
    folders: List[FolderVectors]


@dataclass(frozen=True)
class FolderVectors:
    """How many files of a folder have a vector."""

    # The repository's name.
    repo: str

    # The folder; `.` for the repository's root.
    path: str

    # The number of its own files.
    files: int

    # Those with a vector.
    with_vector: int


@dataclass(frozen=True)
class Stale:
    """Files that changed since they were embedded."""

    # Those with another text.
    changed: List[FileLocation]

    # Those that are gone.
    missing: List[FileLocation]

    # The number of files that were compared; null if an overlay says what changed.
    compared: Optional[int] = field(default=None)


@dataclass(frozen=True)
class PlotAnswer:
    """Files as points of a plane."""

    # The files.
    points: List[Point]

    # The shares of the variance that the two axes show, 0 to 1.
    explained: List[float]

    # The number of files that are left out.
    left_out: int


@dataclass(frozen=True)
class Point:
    """A file as a point."""

    # The repository's name.
    repo: str

    # The path, relative to the repository's root.
    path: str

    # The first principal component.
    x: float

    # The second principal component.
    y: float

    # Whether the file has local edits, under an overlay; absent if it has none.
    edited: Optional[bool] = field(default=None)


@dataclass(frozen=True)
class StatsAnswer:
    """The contents of an index."""

    # The generation's name.
    generation: str

    # The content id: equal for indexes with equal content.
    content_id: str

    # The version of the format: the layout of the files.
    format_version: int

    # The version of the features: how source becomes chunks, symbols and edges.
    feature_version: int

    # The repositories.
    repositories: List[Repository]

    # The number of lines of all files.
    lines: int

    # The size of all files in bytes.
    source_bytes: int

    # The number of files by language.
    languages: Dict[str, int]

    # The number of files by how they were parsed: parsed, partial, windows and so on.
    parse_status: Dict[str, int]

    # The number of edges by resolution.
    resolutions: Dict[str, int]

    # The number of skipped paths by reason.
    skipped: Dict[str, int]

    # The parts of the index on disk.
    parts: List[StatsAnswerPart]

    # The encoder of the vectors; null if there are none.
    model: Optional[Model] = field(default=None)

    # The language model whose summaries are in the chunks; absent if there are none.
    enrichment: Optional[Enrichment] = field(default=None)


@dataclass(frozen=True)
class Model:
    """An encoder."""

    # Its name.
    name: str

    # The number of dimensions of its vectors.
    dimensions: int


@dataclass(frozen=True)
class Enrichment:
    """Summaries by a language model."""

    # The model's name.
    model: str

    # The number of chunks with a summary.
    summaries: int


@dataclass(frozen=True)
class Repository:
    """A repository."""

    # Its name.
    name: str

    # A digest of its files.
    tree_hash: str

    # Its commit; null if unknown.
    commit: Optional[str] = field(default=None)

    # What of its git history the index has; absent if none.
    history: Optional[RepositoryHistory] = field(default=None)


@dataclass(frozen=True)
class RepositoryHistory:
    """What of the git history of a repository the index has."""

    # The number of commits: the newest.
    commits: int

    # When the oldest of them was made, as a date and time in UTC; null if there is none.
    since: Optional[str] = field(default=None)


@dataclass(frozen=True)
class StatsAnswerPart:
    """A part of the index."""

    # Its name.
    name: str

    # Its size in bytes.
    bytes: int

    # The number of its rows; null if it has none.
    rows: Optional[int] = field(default=None)
