// @ts-check
'use strict';
// What package.json promises: a workspace cannot name a program, commands exist, dependencies are pinned.

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');

const root = path.join(__dirname, '..');
const manifest = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
const extension = fs.readFileSync(path.join(root, 'src', 'extension.js'), 'utf8');

test('a workspace cannot name the program, and an untrusted one runs nothing', () => {
    assert.equal(manifest.contributes.configuration.properties['sextant.path'].scope, 'machine');
    assert.equal(manifest.capabilities.untrustedWorkspaces.supported, false);
});

test('the commands of the manifest are those that are registered', () => {
    const registered = [...extension.matchAll(/\['(sextant\.\w+)',/g)].map(([, name]) => name);
    const declared = manifest.contributes.commands.map((/** @type {{command: string}} */ { command }) => command);
    assert.deepEqual(registered.sort(), declared.sort());
});

test('dependencies have exact versions, and come from the public registry', () => {
    for (const version of Object.values({ ...manifest.dependencies, ...manifest.devDependencies })) {
        assert.match(version, /^\d+\.\d+\.\d+$/);
    }
    const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8'));
    for (const [name, { resolved, integrity }] of Object.entries(lock.packages)) {
        if (name !== '') {
            assert.ok(integrity, name);
            assert.ok(resolved === undefined || resolved.startsWith('https://registry.npmjs.org/'), name);
        }
    }
});
