// @ts-check
'use strict';
// Turns the JSON of the program into checked values. The text in them is that of an index, and may be hostile.

/**
 * @typedef {object} Lines
 * @property {string} kind
 * @property {string | null} qualified_name
 * @property {number} start_line From 1.
 * @property {number} end_line Inclusive.
 */

/**
 * @typedef {Lines & {
 *     repo: string, path: string, index: string | null, edited: boolean,
 *     reason: string, snippet: string, related_hits: Lines[],
 * }} Result
 */

/**
 * @typedef {object} Answer
 * @property {boolean} fits Whether the query is about the index.
 * @property {{original: string, corrected: string}[]} corrections
 * @property {string[]} degraded What was unavailable.
 * @property {Result[]} results Best first.
 */

/** The version of the schema that is understood. */
const SCHEMA_VERSION = 1;

/**
 * Returns the answer of `search --format json`.
 * @param {string} json
 * @returns {Answer}
 * @throws {Error} It is not such an answer.
 */
function parseAnswer(json) {
    const answer = parse(json);
    return {
        fits: answer.fits !== false,
        corrections: list(answer.corrections).map((correction) => ({
            original: text(correction.original),
            corrected: text(correction.corrected),
        })),
        degraded: list(answer.degraded).map(text),
        results: list(answer.results).map((result) => ({
            ...lines(result),
            repo: text(result.repo),
            path: text(result.path),
            index: optionalText(result.index),
            edited: result.edited === true,
            reason: text(result.reason),
            snippet: text(result.snippet),
            related_hits: list(result.related_hits).map(lines),
        })),
    };
}

/**
 * Returns the names of the repositories from `stats --format json`.
 * @param {string} json
 * @returns {string[]}
 * @throws {Error} It is not such an answer.
 */
function parseRepositories(json) {
    const answer = parse(json);
    return list(answer.repositories).map((repository) => text(repository.name));
}

/**
 * @param {string} json
 * @returns {any}
 */
function parse(json) {
    /** @type {any} */
    let answer;
    try {
        answer = JSON.parse(json);
    } catch {
        throw unreadable('it is not JSON');
    }
    if (answer?.schema_version !== SCHEMA_VERSION) {
        throw unreadable(`its schema version is not ${SCHEMA_VERSION}`);
    }
    return answer;
}

/**
 * @param {any} value
 * @returns {Lines}
 */
function lines(value) {
    const { start_line, end_line } = value;
    if (!Number.isSafeInteger(start_line) || !Number.isSafeInteger(end_line) || start_line < 1) {
        throw unreadable('a line number is missing');
    }
    return { kind: text(value.kind), qualified_name: optionalText(value.qualified_name), start_line, end_line };
}

/**
 * @param {any} value
 * @returns {any[]}
 */
function list(value) {
    if (value !== undefined && !Array.isArray(value)) {
        throw unreadable('a list is missing');
    }
    return value ?? [];
}

/**
 * @param {any} value
 * @returns {string}
 */
function text(value) {
    if (typeof value !== 'string') {
        throw unreadable('a text is missing');
    }
    return value;
}

/**
 * @param {any} value
 * @returns {string | null}
 */
function optionalText(value) {
    return value === null || value === undefined ? null : text(value);
}

/** @param {string} reason */
function unreadable(reason) {
    return new Error(
        `error: the answer of the program cannot be read\ncause: ${reason}\n` +
            'hint: use the program and the extension of the same version',
    );
}

module.exports = { parseAnswer, parseRepositories };
