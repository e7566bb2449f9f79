// @ts-check
'use strict';
// Shows the state of the language server in the editor's status. All texts are ours: VS Code makes links of them, so
// text of the program or of an index must not be among them.

const vscode = require('vscode');

class Status {
    constructor() {
        this.item = vscode.languages.createLanguageStatusItem('sextant.server', { scheme: 'file' });
        this.item.name = 'Sextant';
        this.item.command = { command: 'sextant.showOutput', title: 'Show Output' };
    }

    starting() {
        this.set('Sextant is starting', vscode.LanguageStatusSeverity.Information, true);
    }

    running() {
        this.set('Sextant', vscode.LanguageStatusSeverity.Information, false);
    }

    /** @param {boolean} hasFailed */
    stopped(hasFailed) {
        const { Error, Information } = vscode.LanguageStatusSeverity;
        this.set(hasFailed ? 'Sextant cannot start' : 'Sextant is stopped', hasFailed ? Error : Information, false);
    }

    /**
     * @param {string} text
     * @param {vscode.LanguageStatusSeverity} severity
     * @param {boolean} busy
     */
    set(text, severity, busy) {
        this.item.text = text;
        this.item.severity = severity;
        this.item.busy = busy;
    }

    dispose() {
        this.item.dispose();
    }
}

module.exports = { Status };
