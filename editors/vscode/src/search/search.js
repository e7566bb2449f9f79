// @ts-check
'use strict';
// Asks the program and returns the nodes of its answer or of its error. It must not know the view.

const { searchArguments, statsArguments } = require('../arguments');
const { findProgram, thisMachine } = require('../program');
const { commandLine, failure, runProgram } = require('../run');
const { parseAnswer, parseRepositories } = require('./answer');
const { answerNodes, errorNodes } = require('./tree');

/** @typedef {import('../settings').Settings} Settings */

/**
 * @typedef {object} Found
 * @property {import('./tree').Node[]} nodes
 * @property {boolean} isOnlyRepository Whether the index has one repository.
 */

/** The exit code of an error; 0 is results, 1 is none. */
const ERROR = 2;

/**
 * Returns what the program answers. An error is an answer too; only a cancelled search throws.
 * @param {Settings} settings
 * @param {string} query
 * @param {AbortSignal} signal
 * @param {{info: (line: string) => void, error: (line: string) => void}} log
 * @returns {Promise<Found>}
 */
async function search(settings, query, signal, log) {
    try {
        const program = findProgram(settings.path, thisMachine());
        const args = searchArguments(settings, query);
        log.info(commandLine(program, args));
        const [output, isOnlyRepository] = await Promise.all([
            runProgram(program, args, settings.folder, signal),
            hasOneRepository(program, settings, signal),
        ]);
        if (output.code === null || output.code >= ERROR) {
            throw new Error(failure(output));
        }
        return { nodes: answerNodes(parseAnswer(output.stdout), query), isOnlyRepository };
    } catch (error) {
        if (signal.aborted) {
            throw error;
        }
        const message = error instanceof Error ? error.message : String(error);
        log.error(message);
        return { nodes: errorNodes(message), isOnlyRepository: false };
    }
}

/**
 * Returns whether the index has one repository, so that any folder may be its checkout.
 * @param {string} program
 * @param {Settings} settings
 * @param {AbortSignal} signal
 */
async function hasOneRepository(program, settings, signal) {
    try {
        const { stdout } = await runProgram(program, statsArguments(settings), settings.folder, signal);
        return parseRepositories(stdout).length === 1;
    } catch {
        return false;
    }
}

module.exports = { search };
