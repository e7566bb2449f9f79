// @ts-check
'use strict';
// Turns an answer, or an error, into the nodes of the view, as data. All texts of a node are plain.

const path = require('node:path').posix;
const { plainLine, plainText } = require('./text');

/** @typedef {import('./answer').Answer} Answer */
/** @typedef {import('./answer').Lines} Lines */
/** @typedef {import('./answer').Result} Result */

/**
 * @typedef {object} Location Where a result is, as the index says.
 * @property {string} repo
 * @property {string} path Relative to the repository's root.
 * @property {number} startLine From 1.
 * @property {number} endLine Inclusive.
 */

/**
 * @typedef {object} Node
 * @property {'file' | 'chunk' | 'note' | 'error'} type
 * @property {string} label
 * @property {string} description
 * @property {string} tooltip
 * @property {string} kind The kind of a chunk's symbol, else empty.
 * @property {Location} [location] Of a chunk.
 * @property {Node[]} children
 */

/** Lines of an error that are shown; the output has all. */
const MAX_ERROR_LINES = 20;

/**
 * Returns the nodes of an answer: notes, then files in the order of their best results.
 * @param {Answer} answer
 * @param {string} query
 * @returns {Node[]}
 */
function answerNodes(answer, query) {
    if (answer.results.length === 0) {
        return [note(`Nothing fits '${plainLine(query)}'`), ...notes(answer)];
    }
    const number = answer.results.length;
    const found = `${number} ${number === 1 ? 'result' : 'results'} for '${plainLine(query)}'`;
    const head = answer.fits ? found : `Nothing fits '${plainLine(query)}'; these are the nearest`;
    return [note(head), ...notes(answer), ...files(answer)];
}

/**
 * Returns the nodes of an error message, one for each line.
 * @param {string} message
 * @returns {Node[]}
 */
function errorNodes(message) {
    const lines = message.split(/\r?\n/).filter((line) => line.trim() !== '');
    const tooltip = plainText(message.trim());
    return lines.slice(0, MAX_ERROR_LINES).map((line, position) => ({
        ...note(line),
        type: position === 0 ? 'error' : 'note',
        tooltip,
    }));
}

/**
 * @param {Answer} answer
 * @returns {Node[]}
 */
function notes({ corrections, degraded }) {
    const corrected = corrections.map(({ original, corrected }) => `'${corrected}' instead of '${original}'`);
    return [
        ...(corrected.length > 0 ? [note(`Searched for ${corrected.join(', ')}`)] : []),
        ...(degraded.length > 0 ? [note(`Searched without ${degraded.join(', ')}`)] : []),
    ];
}

/**
 * @param {Answer} answer
 * @returns {Node[]}
 */
function files({ results }) {
    const showsRepositories = new Set(results.map((result) => result.repo)).size > 1;
    /** @type {Map<string, Node>} */
    const files = new Map();
    for (const result of results) {
        const key = JSON.stringify([result.index, result.repo, result.path]);
        const file = files.get(key) ?? fileNode(result, showsRepositories);
        files.set(key, file);
        file.children.push(chunkNode(result, result));
    }
    // Further hits follow the results of their file. One may be listed with several results, or be a result itself.
    for (const result of results) {
        const file = /** @type {Node} */ (files.get(JSON.stringify([result.index, result.repo, result.path])));
        for (const hit of result.related_hits) {
            if (!file.children.some(({ location }) => hasLines(location, hit))) {
                file.children.push(chunkNode(result, hit));
            }
        }
    }
    return [...files.values()];
}

/**
 * @param {Result} result
 * @param {boolean} showsRepository
 * @returns {Node}
 */
function fileNode(result, showsRepository) {
    const folder = path.dirname(result.path);
    const parts = [result.index, showsRepository ? result.repo : null, folder === '.' ? null : folder];
    return {
        type: 'file',
        label: plainLine(path.basename(result.path)),
        description: plainLine(parts.filter((part) => part !== null).join('/') + (result.edited ? ' (edited)' : '')),
        tooltip: plainLine(`${result.repo}/${result.path}`),
        kind: '',
        children: [],
    };
}

/**
 * @param {Result} result
 * @param {Lines} lines The result itself, or a further hit in its file.
 * @returns {Node}
 */
function chunkNode(result, lines) {
    const range = `${lines.start_line}-${lines.end_line}`;
    const head = `${result.repo}/${result.path}:${range}`;
    const details = lines === result ? [result.reason, '', result.snippet] : [];
    return {
        type: 'chunk',
        label: plainLine(lines.qualified_name ?? `lines ${range}`),
        description: plainLine(lines.qualified_name === null ? lines.kind : `${lines.kind} ${range}`),
        tooltip: plainText([head, ...details].join('\n')),
        kind: lines.kind,
        location: { repo: result.repo, path: result.path, startLine: lines.start_line, endLine: lines.end_line },
        children: [],
    };
}

/**
 * @param {Location | undefined} location
 * @param {Lines} lines
 */
function hasLines(location, lines) {
    return location?.startLine === lines.start_line && location.endLine === lines.end_line;
}

/**
 * @param {string} label
 * @returns {Node}
 */
function note(label) {
    const plain = plainLine(label);
    return { type: 'note', label: plain, description: '', tooltip: plain, kind: '', children: [] };
}

module.exports = { answerNodes, errorNodes };
