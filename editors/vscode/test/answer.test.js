// @ts-check
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { parseAnswer, parseRepositories } = require('../src/search/answer');

const hit = { kind: 'struct', qualified_name: 's', start_line: 1, end_line: 2 };
const result = {
    rank: 1, score: 1, reason: 'name', repo: 'redis', path: 'src/a.c', start_line: 3, end_line: 9, kind: 'function',
    qualified_name: 'f', snippet: 'int f()', related_hits: [hit],
};

/** @param {object} answer */
function parse(answer) {
    return parseAnswer(JSON.stringify({ schema_version: 1, ...answer }));
}

test('an answer keeps what the view shows', () => {
    const corrections = [{ original: 'a', corrected: 'b' }];
    const answer = parse({ fits: true, degraded: ['vectors'], corrections, results: [result] });
    assert.deepEqual(answer.degraded, ['vectors']);
    assert.deepEqual(answer.corrections, corrections);
    assert.deepEqual(answer.results[0], {
        repo: 'redis', path: 'src/a.c', index: null, edited: false, reason: 'name', snippet: 'int f()',
        kind: 'function', qualified_name: 'f', start_line: 3, end_line: 9, related_hits: [hit],
    });
});

test('absent fields have their defaults', () => {
    assert.deepEqual(parse({}), { fits: true, corrections: [], degraded: [], results: [] });
    assert.equal(parse({ fits: false }).fits, false);
    const { related_hits: _, ...alone } = result;
    assert.deepEqual(parse({ results: [{ ...alone, edited: true, index: 'i' }] }).results[0].related_hits, []);
});

test('what is not an answer is an error with a hint', () => {
    const expected = /error: the answer .*\ncause: .*\nhint: /;
    for (const text of ['', '{', 'null', '[]', '{"schema_version": 2}']) {
        assert.throws(() => parseAnswer(text), expected, text);
    }
    for (const results of [{}, [{ ...result, path: 1 }], [{ ...result, start_line: 0 }], [{ ...result, end_line: '9' }],
        [{ ...result, related_hits: [{}] }]]) {
        assert.throws(() => parse({ results }), expected, JSON.stringify(results));
    }
});

test('stats names the repositories', () => {
    const stats = { schema_version: 1, repositories: [{ name: 'a', commit: null }, { name: 'b' }] };
    assert.deepEqual(parseRepositories(JSON.stringify(stats)), ['a', 'b']);
});
