// @ts-check
'use strict';
// Starts and stops the language server. Its errors go to the output; they never become notifications, because most
// folders that are opened have no index.

const { spawn } = require('node:child_process');
const {
    CloseAction, ErrorAction, LanguageClient, RevealOutputChannelOn, State,
} = require('vscode-languageclient/node');
const { lspArguments, statsArguments } = require('./arguments');
const { findProgram, thisMachine } = require('./program');
const { commandLine, failure, runProgram } = require('./run');

/** @typedef {import('./settings').Settings} Settings */
/** @typedef {import('node:child_process').ChildProcessWithoutNullStreams} Child */

/** A server that ends more often than this is not started again. */
const MAX_RESTARTS = 4;

class Server {
    /**
     * @param {import('vscode').LogOutputChannel} output
     * @param {import('./status').Status} status
     */
    constructor(output, status) {
        this.output = output;
        this.status = status;
        /** @type {LanguageClient | undefined} */
        this.client = undefined;
        /** @type {Child | undefined} */
        this.child = undefined;
        /** @type {AbortController | undefined} */
        this.check = undefined;
        /** Starts and stops follow each other. */
        this.queue = Promise.resolve(true);
    }

    /**
     * Stops the server, and starts it with these settings if there are any.
     * @param {Settings | undefined} settings
     * @returns {Promise<boolean>} Whether the server runs.
     */
    restart(settings) {
        this.endStart();
        this.queue = this.queue.then(async () => {
            await this.stopNow();
            if (settings === undefined) {
                this.output.info('no server: no folder is open');
                return false;
            }
            return this.startNow(settings);
        });
        return this.queue;
    }

    /** @returns {Promise<void>} */
    stop() {
        this.endStart();
        return this.queue.then(() => this.stopNow());
    }

    /** Ends a start that hangs, for which the next start would wait. */
    endStart() {
        this.check?.abort();
        if (this.client?.isRunning() === false) {
            this.child?.kill();
        }
    }

    /** @param {Settings} settings */
    async startNow(settings) {
        this.status.starting();
        try {
            const program = findProgram(settings.path, thisMachine());
            await this.requireIndex(program, settings);
            this.client = this.newClient(program, settings);
            await this.client.start();
            return true;
        } catch (error) {
            this.output.error(error instanceof Error ? error.message : String(error));
            await this.stopNow();
            this.status.stopped(true);
            return false;
        }
    }

    /**
     * Opens the index once: the client library would show an error of the server in a notification.
     * @param {string} program
     * @param {Settings} settings
     */
    async requireIndex(program, settings) {
        this.check = new AbortController();
        const output = await runProgram(program, statsArguments(settings), settings.folder, this.check.signal);
        if (output.code !== 0) {
            throw new Error(failure(output));
        }
    }

    /**
     * @param {string} program
     * @param {Settings} settings
     */
    newClient(program, settings) {
        const args = lspArguments(settings);
        let hasRun = false;
        let restarts = 0;
        const start = async () => {
            this.output.info(commandLine(program, args));
            this.child?.kill();
            this.child = await spawned(program, args, settings.folder);
            return this.child;
        };
        const closed = () => {
            const isWanted = hasRun && this.client === client && restarts < MAX_RESTARTS;
            restarts += 1;
            return { action: isWanted ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
        };
        const client = new LanguageClient('sextant', 'Sextant', start, {
            documentSelector: [{ scheme: 'file' }],
            markdown: { isTrusted: false, supportHtml: false },
            outputChannel: this.output,
            revealOutputChannelOn: RevealOutputChannelOn.Never,
            initializationFailedHandler: () => false,
            errorHandler: { closed, error: () => ({ action: ErrorAction.Continue, handled: true }) },
        });
        client.onDidChangeState(({ newState }) => {
            if (this.client === client && newState === State.Running) {
                hasRun = true;
                this.status.running();
            } else if (this.client === client && newState === State.Stopped) {
                this.status.stopped(true);
            }
        });
        return client;
    }

    async stopNow() {
        const { client, child } = this;
        this.client = undefined;
        this.child = undefined;
        try {
            await client?.stop();
        } catch {
            // A client that never ran cannot be stopped; its process is killed below.
        }
        child?.kill();
        this.status.stopped(false);
    }
}

/**
 * Starts a program without a shell.
 * @param {string} program
 * @param {string[]} args
 * @param {string} folder
 * @returns {Promise<Child>}
 */
function spawned(program, args, folder) {
    return new Promise((resolve, reject) => {
        const child = spawn(program, args, { cwd: folder, shell: false, stdio: 'pipe', windowsHide: true });
        child.once('spawn', () => resolve(child));
        child.once('error', reject);
    });
}

module.exports = { Server };
