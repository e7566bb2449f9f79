// @ts-check
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { lspArguments, searchArguments, statsArguments } = require('../src/arguments');

const empty = { path: 'sextant', index: '', overlay: [], folder: '/src' };

test('without settings the program looks for the index itself', () => {
    assert.deepEqual(lspArguments(empty), ['lsp']);
    assert.deepEqual(statsArguments(empty), ['stats', '--format=json']);
    assert.deepEqual(searchArguments(empty, 'retry'), ['search', '--format=json', '--', 'retry']);
});

test('an index and its checkouts are arguments of their own', () => {
    const settings = { ...empty, index: ' ~/my indexes/a ', overlay: ['.', 'server=~/src/x', ' ', '~/src/ui'] };
    const overlays = ['--overlay=.', '--overlay=server=/home/ann/src/x', '--overlay=/home/ann/src/ui'];
    const index = '--index=/home/ann/my indexes/a';
    assert.deepEqual(lspArguments(settings, '/home/ann'), ['lsp', index, ...overlays]);
    assert.deepEqual(
        searchArguments(settings, 'x', '/home/ann'),
        ['search', '--format=json', index, ...overlays, '--', 'x'],
    );
    assert.deepEqual(statsArguments(settings, '/home/ann'), ['stats', '--format=json', index]);
});

test('neither a query nor a setting can become an option', () => {
    assert.deepEqual(searchArguments(empty, '--index /x; $(id)').slice(-2), ['--', '--index /x; $(id)']);
    assert.deepEqual(lspArguments({ ...empty, index: '--overlay=.' }), ['lsp', '--index=--overlay=.']);
});
