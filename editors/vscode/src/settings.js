// @ts-check
'use strict';
// Reads the settings of a workspace. It must not interpret them.

const vscode = require('vscode');

/**
 * @typedef {object} Settings
 * @property {string} path The program: a name or an absolute path.
 * @property {string} index The folder of the index; empty if the program looks for it.
 * @property {string[]} overlay Checkouts whose local edits the answers include.
 * @property {string} folder The first folder of the workspace, in which the program runs.
 */

/**
 * Returns the folders of the workspace that are on a disk.
 * @returns {string[]}
 */
function workspaceFolders() {
    const folders = vscode.workspace.workspaceFolders ?? [];
    return folders.filter((folder) => folder.uri.scheme === 'file').map((folder) => folder.uri.fsPath);
}

/**
 * Returns the settings; undefined if no folder is open.
 * @returns {Settings | undefined}
 */
function readSettings() {
    const [folder] = workspaceFolders();
    if (folder === undefined) {
        return undefined;
    }
    const section = vscode.workspace.getConfiguration('sextant', vscode.Uri.file(folder));
    return {
        path: section.get('path', 'sextant'),
        index: section.get('index', ''),
        overlay: section.get('overlay', []),
        folder,
    };
}

module.exports = { readSettings, workspaceFolders };
