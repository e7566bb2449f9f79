// @ts-check
'use strict';
// Turns settings and queries into arguments of the program. Every value is one argument; no shell reads it.

const os = require('node:os');
const { expandHome } = require('./program');

/** @typedef {import('./settings').Settings} Settings */

/**
 * Returns the arguments that start the language server.
 * @param {Settings} settings
 * @param {string} [home]
 * @returns {string[]}
 */
function lspArguments(settings, home) {
    return ['lsp', ...indexArguments(settings, home), ...overlayArguments(settings, home)];
}

/**
 * Returns the arguments of a search.
 * @param {Settings} settings
 * @param {string} query
 * @param {string} [home]
 * @returns {string[]}
 */
function searchArguments(settings, query, home) {
    // Without '--' a query that starts with a dash would be an option.
    const options = [...indexArguments(settings, home), ...overlayArguments(settings, home)];
    return ['search', '--format=json', ...options, '--', query];
}

/**
 * Returns the arguments that describe the index.
 * @param {Settings} settings
 * @param {string} [home]
 * @returns {string[]}
 */
function statsArguments(settings, home) {
    return ['stats', '--format=json', ...indexArguments(settings, home)];
}

/**
 * @param {Settings} settings
 * @param {string} [home]
 */
function indexArguments({ index }, home = os.homedir()) {
    const folder = index.trim();
    return folder === '' ? [] : [`--index=${expandHome(folder, home)}`];
}

/**
 * @param {Settings} settings
 * @param {string} [home]
 */
function overlayArguments({ overlay }, home = os.homedir()) {
    return overlay.filter((checkout) => checkout.trim() !== '').map((checkout) => {
        const [, name, folder] = /^([^/\\=]+=)?(.*)$/s.exec(checkout.trim()) ?? ['', '', checkout];
        return `--overlay=${name ?? ''}${expandHome(folder, home)}`;
    });
}

module.exports = { lspArguments, searchArguments, statsArguments };
