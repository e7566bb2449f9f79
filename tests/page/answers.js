// Turns texts into answers of the API in which every text is hostile, for what no index answers on demand.

const NAME = '<img src=x onerror=window.pwned=1>\u202eevil';

/** A drawing whose texts and attributes are hostile, with an element and an attribute that no drawing has. */
const drawing = (text) => ({
  label: text,
  width: 300,
  height: 100,
  colours: ['#4477aa'],
  elements: [
    { name: 'script', attributes: {}, text: 'window.pwned=1' },
    { name: 'foreignObject', attributes: {}, text },
    { name: 'rect', attributes: { class: 'paper', width: '300', height: '100', fill: '#ffffff' } },
    { name: 'path', attributes: { class: 'flow', d: 'M0 0H9', 'data-from': '0', 'data-to': '0', onload: 'window.pwned=1' } },
    {
      name: 'g',
      attributes: { class: 'module start', 'data-key': text, 'data-node': '0' },
      children: [
        { name: 'title', attributes: {}, text },
        { name: 'rect', attributes: { class: 'box', x: '1', y: '1', width: '204', height: '48' } },
        { name: 'text', attributes: { class: 'title', x: '12', y: '20' }, text: text.slice(0, 40) },
      ],
    },
  ],
});

function definition(n, text = NAME) {
  return {
    key: `${text}/${text}.rs:${text}${n}`,
    name: text,
    qualified_name: text,
    kind: 'function',
    repo: text,
    path: `${text}.rs`,
    start_line: n + 1,
    end_line: n + 40,
    signature: text,
    is_test: false,
    container: text,
    score: 1,
  };
}

/** Returns a search result in which every text is the given one. */
export function hit(text, n) {
  return {
    ...definition(n),
    rank: n + 1,
    score: 0.5,
    reason: text.slice(0, 5000),
    index: null,
    language: text.slice(0, 50),
    parent: null,
    block: null,
    related_hits: [{ ...definition(n) }],
    snippet: text,
    snippet_line: n + 1,
    signals: {
      bm25: 1,
      cosine: 1,
      name_score: 1,
      text: 1,
      vector: 1,
      symbol: 1,
      path: 1,
      name: 1,
      demotion: 1,
      exact: 0,
      file: 0,
      graph: 0,
      file_features: [{ feature: text.slice(0, 500), value: 1, contribution: 1 }],
      chunk_features: [{ feature: text.slice(0, 500), value: 1, contribution: -1 }],
      rerank: null,
      graph_path: [{ symbol: text.slice(0, 500), edge: 'call' }],
    },
  };
}

/** Answers in which every text is hostile. */
export function hostileAnswers(texts) {
  const long = texts[0];
  const use = (n) => ({
    ...definition(n),
    column: 0,
    text: texts[n % texts.length],
    kind: 'call',
    container: NAME,
    container_key: definition(n).key,
    container_kind: 'function',
    resolution: NAME,
    confidence: 0.9 - n / 20,
    is_test: n > 8,
  });
  const edge = (n) => ({
    ...definition(n),
    depth: 1,
    via: definition(0).key,
    edge: 'call',
    resolution: NAME,
    confidence: 0.9 - n / 20,
    edge_lines: [n + 1],
  });
  const ten = Array.from({ length: 10 }, (_, n) => n);
  return {
    search: () => ({
      query: NAME,
      took_ms: 1,
      class: NAME,
      fit: 1,
      fits: true,
      strategy: NAME,
      available: [NAME],
      degraded: [NAME],
      corrections: [{ original: NAME, corrected: NAME }],
      results: texts.map(hit),
    }),
    definition: () => ({ match_kind: 'exact', results: [definition(0)], truncated: false }),
    hover: () => ({
      results: [
        {
          ...definition(0),
          language: NAME,
          doc: texts
            .slice(0, 20)
            .map((text) => text.slice(0, 2000))
            .join('\n'),
          exported: true,
          callers: 1,
          callees: 1,
          users: 1,
          types: ten.map((n) => definition(n)),
          members: ten.map((n) => definition(n)),
        },
      ],
    }),
    references: () => ({
      results: [{ definition: definition(0), total: 10, uses: ten.map(use) }],
      externals: [],
      mentions: { name: NAME, total: 1, lines: [] },
    }),
    callees: () => ({ definitions: [definition(0)], externals: [], results: ten.map(edge), truncated: false }),
    callers: () => ({
      definitions: [definition(0)],
      externals: [],
      results: ten.map(edge),
      truncated: false,
      drawing: drawing(NAME),
    }),
    affected: () => ({ definitions: [], externals: [], results: ten.map(edge), truncated: false }),
    impact: () => ({ definitions: [definition(0)], externals: [], results: ten.map(edge), truncated: false }),
    related: () => ({ definitions: [], results: ten.map((n) => ({ ...definition(n), association: 0.5 })) }),
    show: () => ({
      results: [
        {
          repo: NAME,
          path: `${NAME}.rs`,
          start_line: 1,
          end_line: texts.length,
          language: NAME,
          text: texts.map((text) => text.replaceAll('\n', ' ')).join('\n'),
        },
      ],
      ambiguous: [],
      not_found: [],
    }),
    outline: () => ({
      results: [{ repo: NAME, path: `${NAME}.rs`, symbols: ten.map((n) => ({ ...definition(n), depth: n })) }],
    }),
    context: () => ({
      file: {
        repo: NAME,
        path: `${NAME}.rs`,
        language: NAME,
        lines: 500,
        imports: [NAME, long.slice(0, 300)],
        imported_by: [NAME],
        symbols: [],
        resolved: 1,
        ambiguous: 1,
        external: 1,
        unresolved: 1,
      },
    }),
    path: () => ({
      drawing: drawing(NAME),
      steps: ten.map((n) => ({
        ...definition(n),
        edge: n ? 'call' : null,
        resolution: n ? NAME : null,
        confidence: n ? 0.6 : null,
      })),
    }),
    map: () => ({
      drawing: drawing(NAME),
      modules: ten.map((n) => ({
        repo: NAME,
        path: `${NAME}/${n}`,
        files: 1,
        lines: 1,
        symbols: 1,
        languages: [{ language: NAME, files: 1 }],
        is_test: false,
        exports: [{ ...definition(n), used_by: 1 }],
      })),
      connections: ten.map((n) => ({
        from: `${NAME}/${n}`,
        to: `${NAME}/${(n + 1) % 10}`,
        uses: 1,
        from_module: n,
        to_module: (n + 1) % 10,
      })),
      important: ten.map((n) => ({ ...definition(n), used_by: 1 })),
      communities: {
        communities: [
          { terms: [NAME], files: 1, folders: [{ repo: NAME, path: NAME, files: 1 }], more_folders: 0, modules: [0] },
        ],
        not_listed: 0,
        alone: 0,
        modularity: 0,
        couplings: [],
      },
    }),
    stats: () => ({
      generation: NAME,
      content_id: NAME.repeat(5),
      format_version: 1,
      feature_version: 1,
      model: { name: NAME, dimensions: 1 },
      repositories: [{ name: NAME, commit: NAME }],
      lines: 1,
      source_bytes: 1,
      languages: { [NAME]: 1 },
      parse_status: { [NAME]: 1 },
      resolutions: { [NAME]: 1 },
      skipped: { [NAME]: 1 },
      parts: [{ name: NAME, rows: null, bytes: 1 }],
    }),
    vectors: () => ({ degraded: [NAME], stale: { compared: null, changed: [{ repo: NAME, path: NAME }], missing: [] } }),
  };
}
