// @ts-check
'use strict';

const assert = require('node:assert/strict');
const os = require('node:os');
const path = require('node:path');
const test = require('node:test');
const { runProgram } = require('../src/run');

/**
 * Runs a script of node as the program.
 * @param {string} script
 * @param {string[]} args
 * @param {AbortSignal} [signal]
 * @param {number} [maxBytes]
 */
function run(script, args = [], signal, maxBytes) {
    return runProgram(process.execPath, ['-e', script, '--', ...args], os.tmpdir(), signal, maxBytes);
}

test('both outputs and the exit code are returned', async () => {
    const output = await run('console.log("out \u00e4"); console.error("err"); process.exitCode = 2');
    assert.deepEqual(output, { code: 2, stdout: 'out \u00e4\n', stderr: 'err\n' });
});

test('arguments arrive as they are: there is no shell', async () => {
    const hostile = ['; echo x', '$(id)', '`id`', '"', "'", 'a b', '%PATH%', '--x', '\n'];
    const { stdout } = await run('console.log(JSON.stringify(process.argv.slice(1)))', hostile);
    assert.deepEqual(JSON.parse(stdout), hostile);
});

test('a cancelled program is killed', async () => {
    const cancel = new AbortController();
    const output = run('setInterval(() => {}, 1000)', [], cancel.signal);
    setTimeout(() => cancel.abort(), 50);
    await assert.rejects(output, { name: 'AbortError' });
});

test('a program that writes too much is killed', async () => {
    const script = 'setInterval(() => process.stdout.write("x".repeat(1000)), 1)';
    await assert.rejects(run(script, [], undefined, 5000), /more than 5000 bytes/);
});

test('a program that cannot be started is an error', async () => {
    await assert.rejects(runProgram(path.resolve('/no/such/program'), [], os.tmpdir()), /^Error: error: .*ENOENT/);
    await assert.rejects(run('', ['\0']), /null bytes/);
});
