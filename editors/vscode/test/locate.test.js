// @ts-check
'use strict';

const assert = require('node:assert/strict');
const path = require('node:path');
const test = require('node:test');
const { locate } = require('../src/search/locate');

const root = path.resolve('/src');

/**
 * Returns the file relative to the root.
 * @param {{repo: string, path: string}} result
 * @param {string[]} folders
 * @param {string[]} files
 * @param {boolean} [isOnlyRepository]
 */
function found(result, folders, files, isOnlyRepository = false) {
    const absolute = new Set(files.map((file) => path.join(root, file)));
    const isFile = (/** @type {string} */ file) => absolute.has(file);
    const file = locate(result, folders.map((folder) => path.join(root, folder)), isOnlyRepository, isFile);
    return file === undefined ? undefined : path.relative(root, file).split(path.sep).join('/');
}

test('a folder of the workspace with the name of the repository is its checkout', () => {
    const files = ['web/a/x.py', 'api/a/x.py'];
    assert.equal(found({ repo: 'api', path: 'a/x.py' }, ['web', 'api'], files), 'api/a/x.py');
});

test('a checkout may be a folder in the workspace, or contain it', () => {
    const files = ['all/web/x.py', 'all/api/x.py'];
    assert.equal(found({ repo: 'api', path: 'x.py' }, ['all'], files), 'all/api/x.py');
    assert.equal(found({ repo: 'api', path: 'x.py' }, ['all/api/deep/er'], files), 'all/api/x.py');
});

test('with one repository the name of the folder does not matter', () => {
    assert.equal(found({ repo: 'web', path: 'x.py' }, ['web-main'], ['web-main/x.py'], true), 'web-main/x.py');
    assert.equal(found({ repo: 'web', path: 'x.py' }, ['web-main'], ['web-main/x.py']), undefined);
});

test('a file that no folder has is not found', () => {
    assert.equal(found({ repo: 'web', path: 'y.py' }, ['web'], ['web/x.py'], true), undefined);
    assert.equal(found({ repo: 'web', path: 'x.py' }, [], ['web/x.py'], true), undefined);
});

test('a hostile path does not leave the checkout', () => {
    const any = () => true;
    const hostile = ['../secret', 'a/../../secret', '/etc/passwd', '\\\\host\\x', 'a\\..\\..\\x', '..', '', 'a\0b'];
    for (const text of hostile) {
        assert.equal(locate({ repo: 'web', path: text }, [path.join(root, 'web')], true, any), undefined, text);
    }
    for (const repo of ['..', '.', '', '../other', '/other']) {
        const file = locate({ repo, path: 'x.py' }, [path.join(root, 'web')], false, any);
        assert.ok(file === undefined || file === path.join(root, 'web', 'x.py'), `${repo}: ${file}`);
    }
});
