// @ts-check
'use strict';
// Opens the file of a result at its lines.

const fs = require('node:fs');
const vscode = require('vscode');
const { workspaceFolders } = require('../settings');
const { locate } = require('./locate');
const { plainLine } = require('./text');

/**
 * @param {import('./tree').Location} location
 * @param {boolean} isOnlyRepository
 * @param {vscode.LogOutputChannel} output
 */
async function openResult(location, isOnlyRepository, output) {
    const file = locate(location, workspaceFolders(), isOnlyRepository, isFile);
    if (file === undefined) {
        // A notification would make links of a hostile name: the output has it.
        output.warn(`no folder of the workspace has the file ${plainLine(`${location.repo}/${location.path}`)}`);
        const message = 'Sextant: no folder of this workspace has the file. The output names it.';
        void vscode.window.showWarningMessage(message);
        return;
    }
    const document = await vscode.workspace.openTextDocument(file);
    const lines = new vscode.Range(location.startLine - 1, 0, location.endLine - 1, 0);
    const { start } = document.validateRange(lines);
    const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(start, start) });
    editor.revealRange(document.validateRange(lines), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

/** @param {string} file */
function isFile(file) {
    return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

module.exports = { openResult };
