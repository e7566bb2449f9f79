// @ts-check
'use strict';
// Registers the commands and the view, and starts the language server.

const vscode = require('vscode');
const { Server } = require('./client');
const { SearchView } = require('./search/view');
const { readSettings } = require('./settings');
const { Status } = require('./status');

/** @type {Server | undefined} */
let server;

/** @param {vscode.ExtensionContext} context */
function activate(context) {
    const output = vscode.window.createOutputChannel('Sextant', { log: true });
    const status = new Status();
    const view = new SearchView(output);
    const started = new Server(output, status);
    server = started;
    const restart = () => started.restart(readSettings());

    /** @type {[string, (...args: any[]) => unknown][]} */
    const commands = [
        ['sextant.search', () => view.ask()],
        ['sextant.refresh', () => view.refresh()],
        ['sextant.clear', () => view.clear()],
        ['sextant.cancel', () => view.cancel()],
        ['sextant.openResult', (location) => view.open(location)],
        ['sextant.showOutput', () => output.show()],
        ['sextant.restart', async () => {
            if (!(await restart())) {
                output.show();
            }
        }],
    ];
    context.subscriptions.push(
        output,
        status,
        view,
        ...commands.map(([name, run]) => vscode.commands.registerCommand(name, run)),
        vscode.workspace.onDidChangeConfiguration((change) => {
            if (change.affectsConfiguration('sextant')) {
                void restart();
            }
        }),
        // The server looks for checkouts when it starts.
        vscode.workspace.onDidChangeWorkspaceFolders(() => void restart()),
    );
    void restart();
}

/** Stops the server before the window closes. */
async function deactivate() {
    await server?.stop();
}

module.exports = { activate, deactivate };
