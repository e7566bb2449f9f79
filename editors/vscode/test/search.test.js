// @ts-check
'use strict';
// A search from the settings to the nodes, with a script in the place of the program.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { search } = require('../src/search/search');

const LOG = { info() {}, error() {} };

const isPosix = process.platform !== 'win32';

/**
 * Runs a search with a program that is this script of node.
 * @param {import('node:test').TestContext} context
 * @param {string} script
 * @param {AbortSignal} [signal]
 */
function run(context, script, signal = new AbortController().signal) {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'sextant-'));
    context.after(() => fs.rmSync(folder, { recursive: true }));
    const program = path.join(folder, 'sextant');
    fs.writeFileSync(program, `#!${process.execPath}\nconst args = process.argv.slice(2);\n${script}`, { mode: 0o755 });
    const settings = { path: program, index: 'index', overlay: [], folder };
    return search(settings, '-- a $(b)', signal, LOG);
}

const ANSWER = `
const result = { kind: 'function', qualified_name: args.at(-1), start_line: 1, end_line: 2, repo: 'r', path: 'p',
    reason: process.cwd(), snippet: '' };
console.log(JSON.stringify({ schema_version: 1, repositories: [{ name: 'r' }], results: [result] }));`;

test('the program gets the query in one argument and runs in the folder', { skip: !isPosix }, async (context) => {
    const found = await run(context, ANSWER);
    assert.equal(found.isOnlyRepository, true);
    assert.equal(found.nodes[1].children[0].label, '-- a $(b)');
    assert.match(found.nodes[1].children[0].tooltip, /sextant-/);
});

test('an error of the program becomes nodes', { skip: !isPosix }, async (context) => {
    const found = await run(context, 'console.error("error: a\\nhint: b"); process.exitCode = 2');
    assert.deepEqual(found.nodes.map((node) => node.label), ['error: a', 'hint: b']);
});

test('no results are an answer, not an error', { skip: !isPosix }, async (context) => {
    const answer = '{"schema_version":1,"fits":false,"results":[]}';
    const found = await run(context, `console.log('${answer}'); process.exitCode = 1`);
    assert.deepEqual(found.nodes.map((node) => node.label), ["Nothing fits '-- a $(b)'"]);
});

test('a cancelled search ends at once', { skip: !isPosix }, async (context) => {
    const cancel = new AbortController();
    setTimeout(() => cancel.abort(), 200);
    await assert.rejects(run(context, 'setInterval(() => {}, 1000)', cancel.signal), { name: 'AbortError' });
});

test('a missing program is an error with a hint', async () => {
    const settings = { path: 'no-such-program', index: '', overlay: [], folder: os.tmpdir() };
    const found = await search(settings, 'x', new AbortController().signal, LOG);
    assert.match(found.nodes[0].label, /^error: there is no program/);
    assert.match(found.nodes[1].label, /^hint: /);
});
