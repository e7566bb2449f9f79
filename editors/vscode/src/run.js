// @ts-check
'use strict';
// Runs the program to its end and returns what it wrote. It must not know what that means.

const { spawn } = require('node:child_process');

/** The output of a search is some kilobytes; more than this is an error. */
const MAX_OUTPUT_BYTES = 64 << 20;

/**
 * @typedef {object} Output
 * @property {number | null} code The exit code; null if a signal ended the program.
 * @property {string} stdout
 * @property {string} stderr
 */

/**
 * Runs a program without a shell. The signal kills it.
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder
 * @param {AbortSignal} [signal]
 * @param {number} [maxBytes]
 * @returns {Promise<Output>}
 * @throws {Error} The program cannot be started, was cancelled, or wrote more than `maxBytes`.
 */
function runProgram(program, args, folder, signal, maxBytes = MAX_OUTPUT_BYTES) {
    return new Promise((resolve, reject) => {
        const child = spawn(program, args, {
            cwd: folder,
            shell: false,
            signal,
            stdio: ['ignore', 'pipe', 'pipe'],
            windowsHide: true,
        });
        const stdout = /** @type {Buffer[]} */ ([]);
        const stderr = /** @type {Buffer[]} */ ([]);
        let bytes = 0;
        for (const [stream, chunks] of /** @type {const} */ ([[child.stdout, stdout], [child.stderr, stderr]])) {
            stream.on('data', (/** @type {Buffer} */ chunk) => {
                bytes += chunk.length;
                if (bytes > maxBytes) {
                    reject(new Error(`error: the program wrote more than ${maxBytes} bytes`));
                    child.kill();
                    return;
                }
                chunks.push(chunk);
            });
        }
        child.once('error', (error) => reject(signal?.aborted ? error : new Error(`error: ${error.message}`)));
        child.once('close', (code) => {
            resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() });
        });
    });
}

/**
 * Returns what the program wrote about its failure.
 * @param {Output} output
 * @returns {string}
 */
function failure({ code, stderr }) {
    return stderr.trim() || `error: the program ended with ${code === null ? 'a signal' : `exit code ${code}`}`;
}

/**
 * Returns the command for the output, as a reader can tell the arguments apart.
 * @param {string} program
 * @param {string[]} args
 * @returns {string}
 */
function commandLine(program, args) {
    return [program, ...args.map((arg) => JSON.stringify(arg))].join(' ');
}

module.exports = { commandLine, failure, runProgram };
