// @ts-check
'use strict';

const assert = require('node:assert/strict');
const test = require('node:test');
const { expandHome, findProgram } = require('../src/program');

/**
 * @param {NodeJS.Platform} platform
 * @param {string} searchPath
 * @param {string[]} programs
 */
function machine(platform, searchPath, ...programs) {
    const home = platform === 'win32' ? 'C:\\Users\\ann' : '/home/ann';
    return { platform, home, searchPath, isProgram: (/** @type {string} */ file) => programs.includes(file) };
}

test('an absolute path is used as it is, and ~/ is the home folder', () => {
    assert.equal(findProgram('/opt/sextant', machine('linux', '')), '/opt/sextant');
    assert.equal(findProgram(' ~/bin/sextant ', machine('linux', '')), '/home/ann/bin/sextant');
    assert.equal(findProgram('~\\sextant.exe', machine('win32', '')), 'C:\\Users\\ann\\sextant.exe');
    assert.equal(expandHome('~ann/x', '/home/ann'), '~ann/x');
});

test('a name is looked up in PATH in order', () => {
    const found = findProgram('sextant', machine('linux', '/a:/b:/c', '/b/sextant', '/c/sextant'));
    assert.equal(found, '/b/sextant');
    const windows = machine('win32', 'C:\\a;D:\\b', 'D:\\b\\sextant.exe');
    assert.equal(findProgram('sextant', windows), 'D:\\b\\sextant.exe');
    assert.equal(findProgram('sextant.exe', windows), 'D:\\b\\sextant.exe');
});

test('relative folders of PATH are not searched: they would be in the checkout', () => {
    const relative = machine('linux', '.::bin:/a', 'sextant', 'bin/sextant', '/a/sextant');
    assert.equal(findProgram('sextant', relative), '/a/sextant');
    assert.throws(() => findProgram('sextant', machine('linux', '.::bin', 'sextant', 'bin/sextant')), /no program/);
});

test('a relative path is refused', () => {
    for (const setting of ['./sextant', 'bin/sextant', '..\\sextant', 'C:sextant', '']) {
        assert.throws(() => findProgram(setting, machine('win32', '')), /^Error: error: the setting 'sextant.path'/);
    }
});

test('a missing program is an error with a way out', () => {
    assert.throws(() => findProgram('sextant', machine('linux', '/a')), /error: .* PATH\nhint: .*'sextant.path'/);
});
