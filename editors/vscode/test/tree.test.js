// @ts-check
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { answerNodes, errorNodes } = require('../src/search/tree');

/** @typedef {import('../src/search/answer').Result} Result */

/**
 * @param {string} path
 * @param {string | null} name
 * @param {number} line
 * @param {Partial<Result>} [others]
 * @returns {Result}
 */
function result(path, name, line, others) {
    return {
        repo: 'web', path, index: null, edited: false, reason: `words ${name}`, snippet: `def ${name}():\n    pass`,
        kind: 'function', qualified_name: name, start_line: line, end_line: line + 4, related_hits: [], ...others,
    };
}

/**
 * @param {Result[]} results
 * @param {Partial<import('../src/search/answer').Answer>} [others]
 */
function nodes(results, others) {
    return answerNodes({ fits: true, corrections: [], degraded: [], results, ...others }, 'how to retry');
}

/** @param {import('../src/search/tree').Node[]} nodes */
function outline(nodes) {
    return nodes.flatMap((node) => [
        `${node.type} ${node.label} | ${node.description}`,
        ...node.children.map((child) => `  ${child.type} ${child.label} | ${child.description}`),
    ]);
}

test('results are grouped by file, in the order of their best results, then further hits', () => {
    const hit = { kind: 'class', qualified_name: 'Pool', start_line: 90, end_line: 99 };
    const again = { kind: 'function', qualified_name: 'close', start_line: 40, end_line: 44 };
    const found = nodes([
        result('src/net/pool.py', 'retry', 10, { related_hits: [hit, again] }),
        result('setup.py', null, 1, { kind: 'block' }),
        result('src/net/pool.py', 'close', 40, { related_hits: [hit] }),
    ]);
    assert.deepEqual(outline(found), [
        "note 3 results for 'how to retry' | ",
        'file pool.py | src/net',
        '  chunk retry | function 10-14',
        '  chunk close | function 40-44',
        '  chunk Pool | class 90-99',
        'file setup.py | ',
        '  chunk lines 1-5 | block',
    ]);
    const [, pool] = found;
    assert.deepEqual(pool.children[0].location, { repo: 'web', path: 'src/net/pool.py', startLine: 10, endLine: 14 });
    assert.equal(pool.children[0].tooltip, 'web/src/net/pool.py:10-14\nwords retry\n\ndef retry():\n    pass');
    assert.equal(pool.children[2].tooltip, 'web/src/net/pool.py:90-99');
});

test('several repositories are named, and the same path in two is two files', () => {
    const found = nodes([result('a.py', 'f', 1), result('a.py', 'f', 1, { repo: 'api' }),
        result('b/a.py', 'f', 1, { index: 'old', edited: true })]);
    assert.deepEqual(found.slice(1).map((node) => node.description), ['web', 'api', 'old/web/b (edited)']);
});

test('nothing that fits is told', () => {
    assert.deepEqual(outline(nodes([], { fits: false })), ["note Nothing fits 'how to retry' | "]);
    const nearest = nodes([result('a.py', 'f', 1)], { fits: false });
    assert.equal(nearest[0].label, "Nothing fits 'how to retry'; these are the nearest");
});

test('corrections and what was unavailable are told', () => {
    const corrections = [{ original: 'retri', corrected: 'retry' }];
    const found = nodes([], { corrections, degraded: ['vectors', 'graph'] });
    assert.deepEqual(found.slice(1).map((node) => node.label),
        ["Searched for 'retry' instead of 'retri'", 'Searched without vectors, graph']);
});

test('an error is shown line by line, as the program wrote it', () => {
    const message = "error: index: no index here\ncause: no such file\n\nhint: build one\n";
    assert.deepEqual(errorNodes(message).map((node) => [node.type, node.label]), [
        ['error', 'error: index: no index here'],
        ['note', 'cause: no such file'],
        ['note', 'hint: build one'],
    ]);
    assert.equal(errorNodes('x\n'.repeat(100)).length, 20);
});

test('text of an index cannot hide, reorder or flood', () => {
    const name = 'a\u202eb\nc\u001b[31m';
    const [, file] = nodes([result(`x/${name}.py`, name, 1, { snippet: `\u2066${'y'.repeat(9000)}` })]);
    assert.equal(file.label, 'a\ufffdb c\ufffd[31m.py');
    assert.equal(file.children[0].label, 'a\ufffdb c\ufffd[31m');
    assert.ok(file.children[0].tooltip.length < 4100 && !/[\u2066\u202e\u001b]/.test(file.children[0].tooltip));
});
